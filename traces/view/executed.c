#include "executed.h"

void executed_flush(struct executed *e)
{
	const bool taken = e->count && !(e->held[0].insn->flags & INSN_COND);

	if (e->count == 2)
		e->write(e->to, &e->held[1], false, 0);
	if (e->count)
		e->write(e->to, &e->held[0], taken, 0);
	e->count = 0;
}

/* Writes what is held, since `pc` is executed next: the delay slot in front of its control transfer. */
static void settle(struct executed *e, uint64_t pc)
{
	const struct executed_insn transfer = e->held[0];
	const bool taken = !(transfer.insn->flags & INSN_COND) || pc != transfer.pc + 8;

	if (e->count == 2)
		e->write(e->to, &e->held[1], false, 0);
	e->write(e->to, &transfer, taken, pc);
	e->count = 0;
}

static void add(struct executed *e, const struct executed_insn *x)
{
	const bool is_transfer = x->insn->flags & INSN_CTI;

	if (e->count == 1 && x->pc == e->held[0].pc + 4 && !is_transfer) {
		e->held[e->count++] = *x;
		return;
	}
	if (e->count)
		settle(e, x->pc);
	if (is_transfer)
		e->held[e->count++] = *x;
	else
		e->write(e->to, x, false, 0);
}

void executed_run(struct executed *e, const struct trace_step *step)
{
	const uint64_t *ea = step->ea;

	for (uint32_t n = 0; n < step->block->count; n++) {
		const struct insn *i = &step->block->insns[n];
		const unsigned addresses = insn_address_count(i);
		const struct executed_insn x = {step->block->pc + 4 * (uint64_t)n, addresses ? *ea : 0, i, e->window};

		add(e, &x);
		ea += addresses;
		if (i->flags & INSN_SAVE)
			e->window = (e->window + 1) % EXECUTED_WINDOWS;
		if (i->flags & INSN_RESTORE)
			e->window = (e->window + EXECUTED_WINDOWS - 1) % EXECUTED_WINDOWS;
	}
}
