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

#endif
