/*
 * The routine of psim-cc that runs loops on the SIMD array, as a part of the report: its functions, which psim-cc names
 * psim_nest…, and the kernels, psim_kernel.N.
 */
#include "array_runtime.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "../../isa/compiler/psim_nest.h"

/* The estimate of the scalar loops is an upper one, and of all loops: this many times slower they have to be. */
enum { TOO_SLOW = 2 };

struct array_time {
	uint64_t routine, kernels; /* commit slots */
	double work;               /* instructions of the scalar loops, at most */
};

static bool name_begins(const struct place *f, const char *prefix)
{
	return f->symbol && strncmp(f->symbol->name, prefix, strlen(prefix)) == 0;
}

static double array_instructions(const struct profile *p, const struct place *f)
{
	double sum = 0;

	for (size_t n = profile_first(p, f->from); n < p->count && p->insns[n].pc < f->to; n++)
		if (p->insns[n].insn->flags & INSN_SIMD)
			sum += (double)p->insns[n].committed;
	return sum;
}

/* Cycles of the scalar loops: an instruction each, and what their data take from memory if L2 does not hold them. */
static double scalar_cycles(const struct core *c, const struct core_config *cfg, double work)
{
	const struct memsys_stats *m = core_memsys_stats(c);
	double bytes = (double)(m->transfer_reads + m->transfer_writes) * cfg->l2.line_bytes;

	return work + (bytes > (double)cfg->l2.size ? bytes / NEST_MEMORY_RATE : 0);
}

/* The kernel in which most of the time passes, by its source lines if the trace has them. */
static void slow_note(const struct profile *p, const struct place *kernel, struct report *r)
{
	char text[2 * PLACE_SOURCE], source[PLACE_SOURCE] = "";

	if (kernel)
		place_source(p, kernel, source);
	snprintf(text, sizeof(text),
		 "loops on the array take more than twice as long as their scalar loops would%s%s; psim-record names "
		 "them",
		 *source ? ", first of all " : "", source);
	report_text(r, "note", text, "");
}

void array_runtime_report(const struct profile *p, const struct core *c, const struct core_config *cfg,
			  struct report *r)
{
	struct array_time t = {0};
	const struct place *first = NULL;
	double all = p->width * (double)p->cycles, cycles;

	for (size_t n = 0; n < p->functions.count; n++) {
		const struct place *f = &p->functions.at[n];

		t.routine += name_begins(f, "psim_nest") ? f->committed + f->lost : 0;
		if (!name_begins(f, "psim_kernel."))
			continue;
		first = first ? first : f;
		t.kernels += f->committed + f->lost;
		t.work += array_instructions(p, f) * cfg->simd.pes;
	}
	if (!t.routine || all <= 0)
		return;
	cycles = (double)(t.routine + t.kernels) / p->width;
	report_group(r, "array_runtime",
		     "compiled loops on the SIMD array: the routine that runs them, and their kernels");
	report_f64(r, "routine", (double)t.routine / p->width, "cycles",
		   "in functions psim_nest…: plans, transfers, waiting for them");
	report_f64(r, "routine_share", 100 * (double)t.routine / all, "%", "of the run");
	report_f64(r, "kernels", (double)t.kernels / p->width, "cycles", "in functions psim_kernel.N");
	report_f64(r, "kernels_share", 100 * (double)t.kernels / all, "%", "of the run");
	report_f64(r, "scalar_loops", scalar_cycles(c, cfg, t.work), "cycles",
		   "estimate of the same loops on the scalar core, at most: an instruction a cycle, all PEs at work");
	if (cycles > TOO_SLOW * scalar_cycles(c, cfg, t.work))
		slow_note(p, first, r);
	report_end(r);
}
