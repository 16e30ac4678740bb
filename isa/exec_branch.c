/* Control transfers. cpu.h describes pc, npc and annulled. */
#include "exec.h"
#include "windows.h"

/* Advances into the delay slot, then to `target`. */
static inline enum cpu_trap branch_to(struct cpu *c, uint64_t target)
{
	c->pc = c->npc;
	c->npc = target;
	c->annulled = false;
	return TRAP_NONE;
}

/*
 * Executes a branch. The annul bit always annuls for an unconditional branch (cond 0 never, 8
 * always), and only if not taken for a conditional one.
 */
static inline enum cpu_trap exec_branch(struct cpu *c, const struct insn *i, bool taken, bool unconditional)
{
	uint64_t target = taken ? c->pc + (uint64_t)(int64_t)i->imm : c->npc + 4;

	if (!(i->flags & INSN_ANNUL) || (taken && !unconditional))
		return branch_to(c, target);
	c->pc = target;
	c->npc = target + 4;
	c->annulled = true;
	return TRAP_NONE;
}

X(bicc)
{
	return exec_branch(c, i, icc_holds(i->cond, ccr_field(c, i->cc)), (i->cond & 7) == 0);
}

X(bfcc)
{
	return exec_branch(c, i, fcc_holds(c, i->cond, i->cc), (i->cond & 7) == 0);
}

X(bpr)
{
	return exec_branch(c, i, rcond_holds(i->cond, c->r[i->rs1]), false);
}

X(call)
{
	c->r[15] = c->pc;
	return branch_to(c, c->pc + (uint64_t)(int64_t)i->imm);
}

static enum cpu_trap misaligned_target(struct cpu *c, uint64_t target)
{
	c->fault_address = target;
	return TRAP_ALIGNMENT;
}

X(jmpl)
{
	uint64_t target = c->r[i->rs1] + op2(c, i);

	if (unlikely(target & 3))
		return misaligned_target(c, target);
	set_r(c, i->rd, c->pc);
	return branch_to(c, target);
}

X(return )
{
	uint64_t target = c->r[i->rs1] + op2(c, i), area;
	enum cpu_trap trap = window_fill(c, &area);

	if (unlikely(trap != TRAP_NONE))
		return trap;
	if (unlikely(target & 3))
		return misaligned_target(c, target);
	window_down(c);
	*c->ea_log++ = area;
	return branch_to(c, target);
}

X(tcc)
{
	if (!icc_holds(i->cond, ccr_field(c, i->cc)))
		return TRAP_NONE;
	return (enum cpu_trap)(TRAP_SOFTWARE + ((c->r[i->rs1] + op2(c, i)) & 0x7f));
}
