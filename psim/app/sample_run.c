#include "sample_run.h"

enum { SAMPLE_STEP = 200000 }; /* cycles between checks of signals */

/* Runs to the end of the trace, and pairs the units. 0, or -1 with `e`. */
static int run_parts(struct chip *chip, const struct core_sample *sample, bool (*step)(void *user, uint64_t cycles),
		     void *user, struct sample_long *out, struct err *e)
{
	struct core_sample longer;
	int more;

	do
		more = chip_run(chip, SAMPLE_STEP, e);
	while (more > 0 && step(user, chip_cycles(chip)));
	if (more < 0)
		return -1;
	core_sample(chip_core(chip, 0), &longer);
	out->simulated = longer.simulated;
	if (more == 0)
		sample_pair(out, sample->unit + 1, sample->count - 1, longer.unit, longer.count);
	return 0;
}

int sample_run_long(const struct core_config *cfg, const char *path, uint64_t skip, const struct chip_options *options,
		    const struct core_sample *sample, bool (*step)(void *user, uint64_t cycles), void *user,
		    struct sample_long *out, struct err *e)
{
	struct chip_options o = *options;
	struct trace_reader *trace;
	struct chip *chip = NULL;
	int ret = -1;

	*out = (struct sample_long){.parts = 0};
	if (!sample_plan_long(options->sample, sample->whole.instructions, &out->plan)) {
		out->plan.long_parts = 0;
		return 0;
	}
	o.sample = &out->plan;
	trace = trace_open(path, e);
	if (trace && (!skip || trace_seek(trace, skip, e) == 0))
		chip = chip_create(cfg, &trace, &o, e);
	if (chip)
		ret = run_parts(chip, sample, step, user, out, e);
	chip_destroy(chip);
	trace_close(trace);
	return ret;
}
