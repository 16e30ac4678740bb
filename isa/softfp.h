/*
 * IEEE 754 arithmetic in integers, with SPARC V9's choices (appendix B): propagation of NaNs,
 * the default NaN, out-of-range conversions, tininess before rounding. One engine computes
 * single, double and quad, exactly and equally on every host. exec_fp.c computes on the host's
 * FPU and calls this engine for results that differ between hosts.
 */
#ifndef PSIM_ISA_SOFTFP_H
#define PSIM_ISA_SOFTFP_H

#include <stdbool.h>
#include <stdint.h>

__extension__ typedef unsigned __int128 u128;

enum sf_format { SF_SINGLE, SF_DOUBLE, SF_QUAD, SF_INT32, SF_INT64 };

enum sf_operation {
	SF_ADD,
	SF_SUB,
	SF_MUL,
	SF_DIV, /* a op b */
	SF_SQRT,
	SF_CONVERT, /* of a */
	SF_MADD,
	SF_MSUB,
	SF_NMSUB,
	SF_NMADD, /* a * b and c; two roundings */
	SF_FUSED_MADD,
	SF_FUSED_MSUB,
	SF_FUSED_NMSUB,
	SF_FUSED_NMADD, /* one; not for quads */
};

struct sf_env {
	unsigned rounding; /* FSR.RD: 0 near, 1 zero, 2 up, 3 down */
	unsigned tem;      /* as FSR.TEM; an enabled UF is raised for exact results too */
	unsigned flags;    /* exceptions raised, as in FSR.cexc, are added to these */
};

/*
 * Returns the result in format `to` for operands in format `from`, all as right-aligned bit
 * patterns. Integer formats are for SF_CONVERT only.
 */
u128 sf_compute(enum sf_operation op, enum sf_format from, enum sf_format to, u128 a, u128 b, u128 c,
		struct sf_env *env);

/*
 * Returns the fcc value: 0 equal, 1 less, 2 greater, 3 unordered. Raises NV for a signalling
 * NaN, and for any NaN if `signal` is set.
 */
unsigned sf_compare(enum sf_format format, u128 a, u128 b, bool signal, struct sf_env *env);

#endif
