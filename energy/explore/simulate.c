#include "simulate.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../../psim/base/mem.h"
#include "../../psim/base/spread.h"
#include "../../psim/app/chip_report.h"
#include "../../psim/app/core_report.h"
#include "../../psim/app/whole_core.h"

const struct figure_row figure_rows[] = {
#define F(name, path, unit, doc) {#name, path, unit, doc},
#include "figures.def"
#undef F
};

/* cycles between two calls of `step` */
enum { STEP_CYCLES = 200000 };

/* With several cores, psim's report has each figure once, in the group chip. */
static bool simulate_figure(const struct report *r, unsigned cores, unsigned n, double *value)
{
	char path[64];

	snprintf(path, sizeof(path), "chip.%s", figure_rows[n].name);
	return report_number(r, cores > 1 ? path : figure_rows[n].path, value);
}

static int take_figures(const struct chip *c, const struct core_config *cfg, const struct energy_model *energy,
			struct figures *out, struct err *e)
{
	struct report *r = report_create();
	struct activity activity;
	int ret = 0;

	if (!r)
		return err_set(e, STATUS_FAILED, "out of memory for the report");
	if (chip_cores(c) > 1) {
		chip_report(c, cfg, energy, energy, r);
	} else {
		core_report(chip_core(c, 0), cfg, energy, r);
		core_report_counters(chip_core(c, 0), cfg, r);
	}
	for (unsigned n = 0; n < FIGURE_COUNT && ret == 0; n++)
		if (*figure_rows[n].path && !simulate_figure(r, chip_cores(c), n, &out->value[n]))
			ret = err_set(e, STATUS_FAILED, "the report has no figure %s", figure_rows[n].name);
	report_destroy(r);
	chip_activity(c, &activity);
	out->value[FIGURE_thermal_w] = energy_thermal_w(energy);
	out->value[FIGURE_period_j] = energy_period_j(energy, &activity);
	return ret;
}

/* One of the runs of a point. */
struct one_run {
	const struct simulate_options *o;
	uint64_t number;
	uint64_t before; /* instructions of the runs before it */
};

static int simulate_run(struct chip *c, const struct one_run *run, struct err *e)
{
	const struct simulate_options *o = run->o;
	int more;

	do {
		more = chip_run(c, STEP_CYCLES, e);
		if (more > 0 && o->step && !o->step(o->user, (run->before + chip_instructions(c)) / o->runs))
			return err_set(e, STATUS_FAILED, "run cancelled");
	} while (more > 0);
	return more;
}

/* The junction's temperature follows from the power of the run. Returns whether there is one that carries it off. */
static bool settle(const struct chip *c, struct energy_model *energy)
{
	struct activity activity;
	struct err runaway;

	chip_activity(c, &activity);
	return energy_settle(energy, &activity, &runaway) == 0;
}

/* Marks a thermal runaway: its energy has no bound. */
static void mark_runaway(struct figures *out)
{
	out->value[FIGURE_system_j] = HUGE_VAL;
	out->value[FIGURE_system_error_j] = 0;
}

bool figures_runaway(const struct figures *f)
{
	return isinf(f->value[FIGURE_system_j]);
}

static int run_chip(const struct core_config *cfg, struct trace_reader *const *traces, struct one_run *run,
		    struct figures *out, struct err *e)
{
	const struct chip_options options = {
		.hooks = &whole_core,
		.check = run->o->check,
		.memo_bytes = run->o->no_memo ? 0 : (uint64_t)MEMO_MB_DEFAULT << 20,
		.perturbed_run = run->number,
	};
	struct chip *c = chip_create(cfg, traces, &options, e);
	struct energy_machine machine;
	struct energy_model *energy;
	bool settled = true;
	int ret;

	if (!c)
		return -1;
	core_energy_machine(cfg, &machine);
	energy = energy_create(&machine, e);
	ret = energy ? simulate_run(c, run, e) : -1;
	if (ret == 0)
		settled = settle(c, energy);
	if (ret == 0)
		ret = take_figures(c, cfg, energy, out, e);
	if (ret == 0 && !settled)
		mark_runaway(out);
	run->before += chip_instructions(c);
	energy_destroy(energy);
	chip_destroy(c);
	return ret;
}

static int check_unchanged(struct trace_reader *t, const struct plan_file *file, struct err *e)
{
	if (trace_checksum(t) == file->checksum)
		return 0;
	return err_set(e, STATUS_BAD_INPUT,
		       "checksum %08" PRIx32 ", expected %08" PRIx32 " as at the start: the file has changed",
		       trace_checksum(t), file->checksum);
}

static int simulate_once(const struct core_config *core, const struct plan_file *file, struct one_run *run,
			 struct figures *out, struct err *e)
{
	struct trace_reader *trace[CHIP_CORES_MAX];
	unsigned opened = 0;
	int ret = 0;

	/* each core has its own reader */
	for (; opened < core->chip.cores && ret == 0; opened += ret == 0) {
		trace[opened] = trace_open(file->path, e);
		ret = trace[opened] ? 0 : -1;
	}
	if (ret == 0)
		ret = check_unchanged(trace[0], file, e);
	if (ret == 0)
		ret = run_chip(core, trace, run, out, e);
	while (opened > 0)
		trace_close(trace[--opened]);
	/* the reader's messages name the file, the core's do not */
	if (ret < 0 && strncmp(e->text, file->path, strlen(file->path)) != 0)
		err_prefix(e, "%s", file->path);
	return ret;
}

void figures_mean(const struct figures *run, uint64_t runs, struct figures *out)
{
	struct spread s[FIGURE_COUNT];
	double value[STUDY_RUNS_MAX];

	for (unsigned n = 0; n < FIGURE_COUNT; n++) {
		for (uint64_t k = 0; k < runs; k++)
			value[k] = run[k].value[n];
		s[n] = spread_of(value, runs);
		out->value[n] = s[n].mean;
	}
	out->value[FIGURE_runs] = (double)runs;
	for (uint64_t k = 0; k < runs; k++)
		if (figures_runaway(&run[k])) {
			out->value[FIGURE_seconds_error] = 0;
			mark_runaway(out);
			return;
		}
	if (runs < 2)
		return;
	out->value[FIGURE_seconds_error] = spread_half(&s[FIGURE_seconds]);
	out->value[FIGURE_system_error_j] = spread_half(&s[FIGURE_system_j]);
}

int simulate(const struct core_config *core, const struct plan_file *file, const struct simulate_options *o,
	     struct figures *out, struct err *e)
{
	struct figures *figures = mem_alloc(o->runs, sizeof(*figures), e);
	struct one_run run = {.o = o};
	int ret = figures ? 0 : -1;

	for (; ret == 0 && run.number < o->runs; run.number++)
		ret = simulate_once(core, file, &run, &figures[run.number], e);
	if (ret == 0)
		figures_mean(figures, o->runs, out);
	free(figures);
	return ret;
}
