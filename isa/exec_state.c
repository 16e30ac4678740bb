/* State registers, barriers, nops, privileged and illegal instructions. */
#include "exec.h"

#define READ(name, value) \
	X(name) \
	{ \
		set_r(c, i->rd, (value)); \
		return TRAP_NONE; \
	}

READ(rdy, c->y)
READ(rdccr, c->ccr)
READ(rdasi, c->asi)
READ(rdtick, c->tick)
READ(rdpc, c->pc)
READ(rdfprs, c->fprs)
READ(rdgsr, c->gsr)

/* WR writes rs1 XOR operand 2. */
static inline uint64_t wr_value(const struct cpu *c, const struct insn *i)
{
	return c->r[i->rs1] ^ op2(c, i);
}

X(wry)
{
	c->y = (uint32_t)wr_value(c, i);
	return TRAP_NONE;
}

X(wrccr)
{
	c->ccr = (uint8_t)wr_value(c, i);
	return TRAP_NONE;
}

X(wrasi)
{
	c->asi = (uint8_t)wr_value(c, i);
	return TRAP_NONE;
}

X(wrfprs)
{
	c->fprs = wr_value(c, i) & (FPRS_FEF | FPRS_DU | FPRS_DL);
	return TRAP_NONE;
}

/* GSR: mask [63:32], im [27], irnd [26:25], scale [7:3], align [2:0]; other bits read 0 (VIS 2). */
static void set_gsr(struct cpu *c, uint64_t value)
{
	cpu_fsr(c); /* settles exceptions of an operation that was rounded in the old mode */
	c->gsr = value & 0xffffffff0e0000ffull;
	if (c->fp_entered)
		fp_set_host_rounding(c);
}

X(wrgsr)
{
	set_gsr(c, wr_value(c, i));
	return TRAP_NONE;
}

/* Sets interval arithmetic mode: IM and IRND. */
X(siam)
{
	set_gsr(c, (c->gsr & ~(7ull << 25)) | (uint64_t)(i->imm & 7) << 25);
	return TRAP_NONE;
}

X(nop)
{
	(void)c;
	(void)i;
	return TRAP_NONE;
}

/* One processor in program order satisfies every barrier. */
X(membar)
{
	return x_nop(c, i);
}

/* The caller drops the decoded blocks at the address. */
X(flush)
{
	return x_nop(c, i);
}

X(illegal)
{
	(void)c;
	(void)i;
	return TRAP_ILLEGAL;
}

X(priv)
{
	(void)c;
	(void)i;
	return TRAP_PRIVILEGED;
}
