/* A trace as ChampSim reads it: one record of 64 bytes an instruction. */
#ifndef PSIM_TRACES_VIEW_CHAMPSIM_H
#define PSIM_TRACES_VIEW_CHAMPSIM_H

#include <stdio.h>

#include "../trace.h"

/* An instruction that was executed. */
struct champsim_insn {
	uint64_t pc, address; /* address: of its access to memory, 0 without one */
	const struct insn *insn;
	unsigned window; /* register window, modulo 8 */
};

struct champsim {
	FILE *out;
	struct champsim_insn held[2]; /* a control transfer, and its delay slot: not written yet */
	unsigned count;
	unsigned window;
};

/* Begins a file. */
void champsim_begin(struct champsim *c, FILE *out);

/* Writes the instructions of a run as far as the outcome of its control transfer is known. `out` records errors. */
void champsim_run(struct champsim *c, const struct trace_step *step);

/* Writes the rest, at the end or before a gap; a conditional transfer in it counts as not taken. */
void champsim_flush(struct champsim *c);

#endif
