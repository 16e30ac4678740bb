/*
 * Inside isa: FP operations by softfp, with SPARC's exceptions. Not a public header.
 */
#ifndef PSIM_ISA_FP_SLOW_H
#define PSIM_ISA_FP_SLOW_H

#include "exec.h"

/*
 * Executes any FP operation that fp_slow.c has a row for: reads the operands,
 * writes rd or fcc, FSR.cexc and aexc; returns TRAP_FP_IEEE if an exception
 * is enabled in FSR.TEM.
 */
enum cpu_trap fp_slow(struct cpu *c, const struct insn *i);

/*
 * What an operation with such a row computes from operands given as right-aligned
 * bits (b: rs2), in the present rounding mode; adds the exceptions it raises to
 * *flags and changes nothing else.
 */
uint64_t fp_slow_value(const struct cpu *c, enum opcode op, uint64_t a, uint64_t b, uint64_t s, unsigned *flags);

/* Whether the operands and the result of such a row are singles (or 32-bit integers). */
bool fp_slow_single_operands(enum opcode op);
bool fp_slow_single_result(enum opcode op);

#endif
