/*
 * IEEE 754 arithmetic in integers, with SPARC V9's choices (appendix B): which
 * NaN results, the default NaN, out-of-range conversions, tininess before
 * rounding. One engine for single, double and quad; exact and the same on every
 * host. The fast paths of exec_fp.c use the host's FPU and come here for what
 * differs between hosts.
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
	unsigned tem;      /* as in FSR.TEM: where UF traps, it is raised for exact results too */
	unsigned flags;    /* result: exceptions raised, as in FSR.cexc, added to what is there */
};

/*
 * Result in format `to` of operands in format `from`, all as right-aligned bit
 * patterns. Integer formats: SF_CONVERT only.
 */
u128 sf_compute(enum sf_operation op, enum sf_format from, enum sf_format to, u128 a, u128 b, u128 c,
		struct sf_env *env);

/*
 * fcc value: 0 equal, 1 less, 2 greater, 3 unordered. Raises NV for a signalling
 * NaN, for any NaN if `signal`.
 */
unsigned sf_compare(enum sf_format format, u128 a, u128 b, bool signal, struct sf_env *env);

#endif
