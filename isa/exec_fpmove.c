/*
 * FP moves, negations, absolute values, conditional moves: operations on bits that raise no
 * exception.
 */
#include "exec.h"

#define SIGN_D (1ull << 63)

/* FNEG and FABS of a quad change the double with its sign. */
static enum cpu_trap move_q(struct cpu *c, const struct insn *i, uint64_t clear, uint64_t flip)
{
	uint64_t high = get_d(c, i->rs2), low = get_d(c, i->rs2 + 2);

	set_d(c, i->rd, (high & ~clear) ^ flip);
	set_d(c, i->rd + 2, low);
	return TRAP_NONE;
}

#define MOVE(name, clear, flip) \
	X(name##s) \
	{ \
		fp_no_exception(c); \
		set_f(c, i->rd, (get_f(c, i->rs2) & ~(uint32_t)((clear) >> 32)) ^ (uint32_t)((flip) >> 32)); \
		return TRAP_NONE; \
	} \
	X(name##d) \
	{ \
		fp_no_exception(c); \
		set_d(c, i->rd, (get_d(c, i->rs2) & ~(clear)) ^ (flip)); \
		return TRAP_NONE; \
	} \
	X(name##q) \
	{ \
		fp_no_exception(c); \
		return move_q(c, i, clear, flip); \
	}

MOVE(fmov, 0ull, 0ull)
MOVE(fneg, 0ull, SIGN_D)
MOVE(fabs, SIGN_D, 0ull)

#define CONDITIONAL(s, d, q, holds) \
	X(s) \
	{ \
		fp_no_exception(c); \
		if (holds) \
			set_f(c, i->rd, get_f(c, i->rs2)); \
		return TRAP_NONE; \
	} \
	X(d) \
	{ \
		fp_no_exception(c); \
		if (holds) \
			set_d(c, i->rd, get_d(c, i->rs2)); \
		return TRAP_NONE; \
	} \
	X(q) \
	{ \
		fp_no_exception(c); \
		return holds ? move_q(c, i, 0, 0) : TRAP_NONE; \
	}

CONDITIONAL(fmovsicc, fmovdicc, fmovqicc, icc_holds(i->cond, ccr_field(c, i->cc)))
CONDITIONAL(fmovsfcc, fmovdfcc, fmovqfcc, fcc_holds(c, i->cond, i->cc))
CONDITIONAL(fmovrs, fmovrd, fmovrq, rcond_holds(i->cond, c->r[i->rs1]))
