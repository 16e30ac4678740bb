/*
 * A processor with a little memory, for the tests of the semantic functions.
 *
 * 0x10000 code, 0x20000 data, 0x40000 the end; the page at 0x30000 cannot be
 * written, the one at 0x32000 is not there.
 */
#ifndef PSIM_TESTS_EXEC_MACHINE_H
#define PSIM_TESTS_EXEC_MACHINE_H

#include "isa/cpu.h"

enum { CODE = 0x10000, DATA = 0x20000, READ_ONLY = 0x30000, HOLE = 0x32000, END = 0x40000 };
enum {
	G0,
	G1,
	G2,
	G3,
	G4,
	G5,
	G6,
	G7,
	O0,
	O1,
	O2,
	O3,
	O4,
	O5,
	SP,
	O7,
	L0,
	L1,
	L2,
	L3,
	L4,
	L5,
	L6,
	L7,
	I0,
	I1,
	I2,
	I3,
	I4,
	I5,
	FP,
	I7
};
enum { N = 8, Z = 4, V = 2, C = 1 }; /* of icc; times 16: of xcc */

struct machine {
	struct cpu cpu;
	struct cpu_memory memory;
	uint8_t ram[END - CODE];
	uint64_t ea[64];
};

/* Returns a machine after reset, with its pc at CODE. It is static: one machine at a time. */
struct machine *machine_new(void);

/* Executes the instruction at pc, fetch and decode included, and advances pc. TRAP_ACCESS: pc is not mapped. */
enum cpu_trap step(struct machine *m);

/* Executes one word at the pc. */
enum cpu_trap run(struct machine *m, uint32_t word);

/* Read and write big-endian words of memory. */
uint64_t peek(const struct machine *m, uint64_t address);
void poke(struct machine *m, uint64_t address, uint64_t value);
void poke32(struct machine *m, uint64_t address, uint32_t value);

/* Formats of the V9 manual, 6.2: op 2 and 3 with two registers or simm13. */
uint32_t rrr(unsigned op, unsigned op3, unsigned rd, unsigned rs1, unsigned rs2);
uint32_t rri(unsigned op, unsigned op3, unsigned rd, unsigned rs1, int simm13);

/* Loads and stores [rs1 + rs2] with an immediate ASI. */
uint32_t asi_access(unsigned op3, unsigned rd, unsigned rs1, unsigned rs2, unsigned asi);

/* FPop1 (op3 0x34), FPop2 (0x35), VIS (0x36): registers by their five-bit fields. */
uint32_t fpop(unsigned op3, unsigned opf, unsigned rd, unsigned rs1, unsigned rs2);

/* Five-bit field of double or quad register %fn. */
unsigned dreg(unsigned n);

/* Bits of a number. */
uint64_t d_bits(double v);
uint32_t f_bits(float v);

#endif
