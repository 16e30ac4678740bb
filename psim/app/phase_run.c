#include "phase_run.h"

#include <inttypes.h>

#include "../base/message_line.h"

enum { STEP_INSNS = 1 << 20 }; /* instructions between checks of signals */

/* Adds all runs of the trace but those that it marks as warming. 0, or -1 with `e`. */
static int read_vectors(struct phase_vectors *v, struct trace_reader *trace,
			bool (*step)(void *user, uint64_t instructions), void *user, struct err *e)
{
	uint64_t look = trace_position(trace) + STEP_INSNS;
	struct trace_step s;
	int event;

	while ((event = trace_next(trace, &s, e)) > 0) {
		if (event == TRACE_RUN && !s.warm_up && phase_vectors_add(v, s.block, e) < 0)
			return -1;
		if (trace_position(trace) < look)
			continue;
		look += STEP_INSNS;
		if (!step(user, trace_position(trace)))
			return err_set(e, STATUS_FAILED,
				       "--simpoints: interrupted after reading %" PRIu64 " instructions",
				       trace_position(trace));
	}
	return event;
}

/* Plans the units. 0, or -1 with `e`. */
static int plan_units(struct phase_run *p, struct sample_plan *plan, struct err *e)
{
	if (phase_units_create(&p->units, &p->phases, e) < 0)
		return -1;
	*plan = (struct sample_plan){
		.unit = p->phases.interval,
		.every = p->phases.instructions / p->units.count,
		.warm_up = SAMPLE_WARM_UP,
		.tail = SAMPLE_TAIL,
		.chosen = p->units.begin,
		.chosen_count = p->units.count,
	};
	return 0;
}

int phase_run_plan(struct phase_run *p, struct sample_plan *plan, const char *path, uint64_t skip,
		   const struct phase_plan *how, bool (*step)(void *user, uint64_t instructions), void *user,
		   struct err *e)
{
	struct trace_reader *trace = trace_open(path, e);
	struct phase_vectors *v = NULL;
	int ret = -1;

	if (trace && (!skip || trace_seek(trace, skip, e) == 0))
		v = phase_vectors_create(how->interval, NULL, e);
	if (v && read_vectors(v, trace, step, user, e) == 0) {
		ret = phases_choose(&p->phases, v, how->most, e);
		ret = ret == 0 ? plan_units(p, plan, e) : err_prefix(e, "--simpoints");
	}
	phase_vectors_destroy(v);
	trace_close(trace);
	return ret;
}

void phase_run_judge(const struct phase_run *p, const struct core_sample *s, const char *text)
{
	const struct sample_estimate x = phase_estimate(&p->phases, &p->units, s->unit);

	if (sample_trust(&x) != SAMPLE_HOLDS)
		message("psim: warning: --simpoints%s%s: half the interval is %.0f %% of the estimate, above %.0f %%: "
			"intervals that execute the same code take different times: simulate the trace whole, or use "
			"--sample",
			*text ? "=" : "", text, 100 * (x.sampling + x.allowance) / x.cycles, 100 * SAMPLE_WIDE_PART);
}

void phase_run_finish(struct phase_run *p)
{
	phases_finish(&p->phases);
	phase_units_finish(&p->units);
}
