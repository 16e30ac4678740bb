#include "simulate.h"

#include <inttypes.h>
#include <string.h>

#include "../../psim/core/core_report.h"

const struct figure_row figure_rows[] = {
#define F(name, path, unit, doc) { #name, path, unit, doc },
#include "figures.def"
#undef F
};

/* Cycles between two calls of `step`. */
enum { STEP_CYCLES = 200000 };

static int take_figures(const struct core *c, const struct core_config *cfg,
                        const struct energy_model *energy, struct figures *out, struct err *e)
{
	struct report *r = report_create();
	int ret = 0;

	if (!r)
		return err_set(e, STATUS_FAILED, "out of memory for the report");
	core_report(c, cfg, energy, r);
	core_report_counters(c, cfg, r);
	for (unsigned n = 0; n < FIGURE_COUNT && ret == 0; n++)
		if (!report_number(r, figure_rows[n].path, &out->value[n]))
			ret = err_set(e, STATUS_FAILED, "the report has no figure %s", figure_rows[n].path);
	report_destroy(r);
	return ret;
}

static int run(struct core *c, const struct simulate_options *o, struct err *e)
{
	int more;

	do {
		more = core_run(c, STEP_CYCLES, e);
		if (more > 0 && o->step && !o->step(o->user, core_stats(c)->instructions))
			return err_set(e, STATUS_FAILED, "given up");
	} while (more > 0);
	return more;
}

static int run_core(const struct core_config *core, struct trace_reader *trace,
                    const struct simulate_options *o, struct figures *out, struct err *e)
{
	const struct core_options options = { .check = o->check };
	struct core *c = core_create(core, trace, &options, e);
	struct energy_machine machine;
	struct energy_model *energy;
	int ret;

	if (!c)
		return -1;
	core_energy_machine(core, &machine);
	energy = energy_create(&machine, e);
	ret = energy ? run(c, o, e) : -1;
	if (ret == 0)
		ret = take_figures(c, core, energy, out, e);
	energy_destroy(energy);
	core_destroy(c);
	return ret;
}

int simulate(const struct core_config *core, const struct plan_file *file,
             const struct simulate_options *o, struct figures *out, struct err *e)
{
	struct trace_reader *trace = trace_open(file->path, e);
	int ret = -1;

	if (!trace)
		return -1;
	if (trace_checksum(trace) != file->checksum)
		err_set(e, STATUS_BAD_INPUT,
			"checksum %08" PRIx32 ", expected %08" PRIx32 " as at the start: the file has changed",
			trace_checksum(trace), file->checksum);
	else
		ret = run_core(core, trace, o, out, e);
	trace_close(trace);
	/* the reader's messages name the file, the core's do not */
	if (ret < 0 && strncmp(e->text, file->path, strlen(file->path)) != 0)
		err_prefix(e, "%s", file->path);
	return ret;
}
