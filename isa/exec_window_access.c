/*
 * Scalar accesses to the buffer memories of PEs through the address windows of the SIMD array.
 * They are tried after the page lookup has failed, so ordinary accesses pay nothing for them.
 */
#include "exec.h"
#include "exec_memory.h"
#include "exec_simd.h"

/* The shift of a datum's lowest bit in the big-endian doubleword at offset & ~7. */
static inline unsigned shift_of(uint32_t offset, unsigned size)
{
	return 8 * (8 - size - (offset & 7));
}

static inline uint64_t mask_of(unsigned size)
{
	return size == 8 ? ~0ull : (1ull << 8 * size) - 1;
}

uint64_t simd_array_peek(const struct simd_array *a, unsigned pe, uint32_t offset, unsigned size)
{
	return *simd_word(a, pe, offset) >> shift_of(offset, size) & mask_of(size);
}

void simd_array_poke(struct simd_array *a, unsigned pe, uint32_t offset, unsigned size, uint64_t value)
{
	uint64_t *word = simd_word(a, pe, offset), mask = mask_of(size);
	unsigned shift = shift_of(offset, size);

	*word = (*word & ~(mask << shift)) | (value & mask) << shift;
}

enum cpu_trap window_load(struct cpu *c, uint64_t ea, unsigned size, uint64_t *value)
{
	struct simd_array *a = c->array;
	struct simd_place at;
	enum cpu_trap trap = simd_find(c, ea, size, &at);

	if (trap != TRAP_NONE)
		return trap;
	if (at.window == SIMD_WINDOW_ALL)
		return simd_trap(c, SIMD_FAULT_LOAD_ALL, ea);
	if (unlikely(simd_race(a, &at, size, false)))
		return simd_trap(c, SIMD_FAULT_RACE_READ, ea);
	*value = simd_array_peek(a, at.pe, at.offset, size);
	return TRAP_NONE;
}

static enum cpu_trap window_store(struct cpu *c, uint64_t ea, unsigned size, uint64_t value)
{
	struct simd_array *a = c->array;
	struct simd_place at;
	enum cpu_trap trap = simd_find(c, ea, size, &at);

	if (trap != TRAP_NONE)
		return trap;
	if (unlikely(simd_race(a, &at, size, true)))
		return simd_trap(c, SIMD_FAULT_RACE_WRITE, ea);
	if (at.window == SIMD_WINDOW_PE) {
		simd_array_poke(a, at.pe, at.offset, size, value);
		return TRAP_NONE;
	}
	for (unsigned k = 0; k < a->pes; k++)
		simd_array_poke(a, k, at.offset, size, value);
	return TRAP_NONE;
}

/* the conversion between a register and the datum */
enum form { FORM_NONE, FORM_INT, FORM_SIGNED, FORM_PAIR, FORM_SINGLE, FORM_DOUBLE };

static enum form form_of(const struct insn *i)
{
	switch (i->opcode) {
	case OP_LDUB:
	case OP_LDUH:
	case OP_LDUW:
	case OP_LDX:
	case OP_STB:
	case OP_STH:
	case OP_STW:
	case OP_STX: return FORM_INT;
	case OP_LDSB:
	case OP_LDSH:
	case OP_LDSW: return FORM_SIGNED;
	case OP_LDD:
	case OP_STD: return FORM_PAIR;
	case OP_LDF:
	case OP_STF: return FORM_SINGLE;
	case OP_LDDF:
	case OP_STDF: return FORM_DOUBLE;
	default: return FORM_NONE;
	}
}

static void exec_window_access_put_register(struct cpu *c, const struct insn *i, enum form form, uint64_t value)
{
	unsigned shift = 64 - 8u * i->size;

	if (form == FORM_SINGLE) {
		set_f(c, i->rd, (uint32_t)value);
	} else if (form == FORM_DOUBLE) {
		set_d(c, i->rd, value);
	} else if (form == FORM_PAIR) {
		c->r[i->rd + 1] = (uint32_t)value;
		set_r(c, i->rd, value >> 32);
	} else if (form == FORM_SIGNED) {
		set_r(c, i->rd, (uint64_t)((int64_t)(value << shift) >> shift));
	} else {
		set_r(c, i->rd, value);
	}
}

static uint64_t get_register(const struct cpu *c, const struct insn *i, enum form form)
{
	if (form == FORM_SINGLE)
		return get_f(c, i->rd);
	if (form == FORM_DOUBLE)
		return get_d(c, i->rd);
	if (form == FORM_PAIR)
		return c->r[i->rd] << 32 | (uint32_t)c->r[i->rd + 1];
	return c->r[i->rd];
}

enum cpu_trap window_access(struct cpu *c, const struct insn *i, uint64_t ea)
{
	enum form form = form_of(i);
	enum cpu_trap trap;
	uint64_t value;

	if (!c->array || !simd_in_window(ea) || form == FORM_NONE)
		return mem_fault(c, ea, TRAP_ACCESS);
	if (i->flags & INSN_LOAD) {
		trap = window_load(c, ea, i->size, &value);
		if (trap == TRAP_NONE)
			exec_window_access_put_register(c, i, form, value);
	} else {
		trap = window_store(c, ea, i->size, get_register(c, i, form));
	}
	if (trap == TRAP_NONE)
		log_ea(c, ea);
	return trap;
}
