/*
 * Instructions in the order of machines without delay slots: the slot comes in front of its control transfer, whose
 * outcome is known.
 */
#ifndef PSIM_TRACES_VIEW_EXECUTED_H
#define PSIM_TRACES_VIEW_EXECUTED_H

#include "../trace.h"

enum { EXECUTED_WINDOWS = 8 };

/* An instruction that was executed. */
struct executed_insn {
	uint64_t pc, address; /* address: of its access to memory, 0 without one */
	const struct insn *insn;
	unsigned window; /* register window, modulo EXECUTED_WINDOWS */
};

/* Takes the next instruction. `next`: the address of the one behind a control transfer that is taken; 0: unknown. */
typedef void executed_writer(void *to, const struct executed_insn *x, bool taken, uint64_t next);

/* Begins as {write, to}. */
struct executed {
	executed_writer *write; /* NULL: nobody reads */
	void *to;
	struct executed_insn held[2]; /* a control transfer, and its delay slot: not written yet */
	unsigned count;
	unsigned window;
};

/* Writes the instructions of a run as far as the outcome of its control transfer is known. */
void executed_run(struct executed *e, const struct trace_step *step);

/* Writes the rest, at the end or before a gap; a conditional transfer in it counts as not taken. */
void executed_flush(struct executed *e);

/* The window that an instruction's results are in: save and restore write a register of the other window. */
static inline unsigned executed_window_of_results(const struct executed_insn *x)
{
	return x->insn->flags & INSN_SAVE      ? (x->window + 1) % EXECUTED_WINDOWS
	       : x->insn->flags & INSN_RESTORE ? (x->window + EXECUTED_WINDOWS - 1) % EXECUTED_WINDOWS
					       : x->window;
}

#endif
