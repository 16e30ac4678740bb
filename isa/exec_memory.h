/* Internal to isa: access to guest memory for the semantic functions. */
#ifndef PSIM_ISA_EXEC_MEMORY_H
#define PSIM_ISA_EXEC_MEMORY_H

#include "exec.h"

enum { CPU_PAGE_SIZE = 1 << CPU_PAGE_BITS };

/* Host address of `ea` after a TLB miss, or NULL if the access is not allowed. */
uint8_t *cpu_tlb_fill(struct cpu *c, uint64_t ea, enum cpu_access access);

/* Host address of `ea`, valid to the end of its guest page, or NULL if the access is not allowed. */
static inline uint8_t *mem_read(struct cpu *c, uint64_t ea)
{
	uint64_t page = ea >> CPU_PAGE_BITS;
	const struct cpu_tlb_entry *e = &c->tlb[page % CPU_TLB_SIZE];

	if (likely(e->read_page == page))
		return e->host + ea % CPU_PAGE_SIZE;
	return cpu_tlb_fill(c, ea, CPU_READ);
}

static inline uint8_t *mem_write(struct cpu *c, uint64_t ea)
{
	uint64_t page = ea >> CPU_PAGE_BITS;
	const struct cpu_tlb_entry *e = &c->tlb[page % CPU_TLB_SIZE];

	if (likely(e->write_page == page))
		return e->host + ea % CPU_PAGE_SIZE;
	return cpu_tlb_fill(c, ea, CPU_WRITE);
}

/* Big-endian numbers; compilers emit a load and a byte swap for each. */
static inline uint64_t get_be8(const uint8_t *p)
{
	return p[0];
}

static inline uint64_t get_be16(const uint8_t *p)
{
	return (uint64_t)p[0] << 8 | p[1];
}

static inline uint64_t get_be32(const uint8_t *p)
{
	return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

static inline uint64_t get_be64(const uint8_t *p)
{
	return (uint64_t)p[0] << 56 | (uint64_t)p[1] << 48 | (uint64_t)p[2] << 40 | (uint64_t)p[3] << 32 |
	       (uint64_t)p[4] << 24 | (uint64_t)p[5] << 16 | (uint64_t)p[6] << 8 | p[7];
}

static inline void put_be8(uint8_t *p, uint64_t v)
{
	p[0] = (uint8_t)v;
}

static inline void put_be16(uint8_t *p, uint64_t v)
{
	p[0] = (uint8_t)(v >> 8);
	p[1] = (uint8_t)v;
}

static inline void put_be32(uint8_t *p, uint64_t v)
{
	p[0] = (uint8_t)(v >> 24);
	p[1] = (uint8_t)(v >> 16);
	p[2] = (uint8_t)(v >> 8);
	p[3] = (uint8_t)v;
}

static inline void put_be64(uint8_t *p, uint64_t v)
{
	p[0] = (uint8_t)(v >> 56);
	p[1] = (uint8_t)(v >> 48);
	p[2] = (uint8_t)(v >> 40);
	p[3] = (uint8_t)(v >> 32);
	p[4] = (uint8_t)(v >> 24);
	p[5] = (uint8_t)(v >> 16);
	p[6] = (uint8_t)(v >> 8);
	p[7] = (uint8_t)v;
}

/*
 * exec_window_access.c: executes a scalar load or store at `ea`, for which no page is mapped,
 * if `ea` is in a SIMD window; else returns TRAP_ACCESS.
 */
enum cpu_trap window_access(struct cpu *c, const struct insn *i, uint64_t ea);

/* Loads 1, 2, 4 or 8 aligned bytes from the window of one PE. */
enum cpu_trap window_load(struct cpu *c, uint64_t ea, unsigned size, uint64_t *value);

/* exec_mem.c: loads one double from memory, aligned to a word at least. */
enum cpu_trap mem_load_double(struct cpu *c, uint64_t ea, uint64_t *value);

static inline enum cpu_trap mem_fault(struct cpu *c, uint64_t ea, enum cpu_trap trap)
{
	c->fault_address = ea;
	return trap;
}

static inline void log_ea(struct cpu *c, uint64_t ea)
{
	*c->ea_log++ = ea;
}

static inline void log_atomic(struct cpu *c, uint64_t ea, uint64_t old)
{
	c->atomic_address = ea;
	c->atomic_old = old;
	log_ea(c, ea);
}

/* rs1 + rs2 or rs1 + simm13 */
static inline uint64_t effective_address(const struct cpu *c, const struct insn *i)
{
	return c->r[i->rs1] + op2(c, i);
}

#endif
