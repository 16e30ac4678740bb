/* Internal to isa: FP operations by softfp, with SPARC's exceptions. */
#ifndef PSIM_ISA_FP_SLOW_H
#define PSIM_ISA_FP_SLOW_H

#include "exec.h"

/*
 * Executes an FP operation that has a row in fp_slow.c: reads the operands, writes rd or fcc,
 * FSR.cexc and aexc. Returns TRAP_FP_IEEE if a raised exception is enabled in FSR.TEM.
 */
enum cpu_trap fp_slow(struct cpu *c, const struct insn *i);

/*
 * Computes the result of such a row from operands given as right-aligned bits (b: rs2), in the
 * current rounding mode. Adds the exceptions to *flags and changes nothing else.
 */
uint64_t fp_slow_value(const struct cpu *c, enum opcode op, uint64_t a, uint64_t b, uint64_t s, unsigned *flags);

/* Returns whether the operands, or the result, of such a row are singles (or 32-bit integers). */
bool fp_slow_single_operands(enum opcode op);
bool fp_slow_single_result(enum opcode op);

#endif
