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
#include "../../psim/core/warm_states.h"

const struct figure_row figure_rows[] = {
#define F(name, path, unit, doc) {#name, path, unit, doc},
#include "figures.def"
#undef F
};

/* cycles between two calls of `step`; most bytes of states that points share */
enum { STEP_CYCLES = 200000, KEEP_BYTES = 512 << 20 };

/* With several cores, psim's report has each figure once, in the group chip. */
static bool simulate_figure(const struct report *r, unsigned cores, unsigned n, double *value)
{
	char path[64];

	snprintf(path, sizeof(path), "chip.%s", figure_rows[n].name);
	return report_number(r, cores > 1 ? path : figure_rows[n].path, value);
}

/* Takes the figures of the report that it has, and those of the model. 0, or -1 with `e`. */
static int take_reported(const struct report *r, unsigned cores, const struct energy_model *energy,
			 const struct activity *activity, struct figures *out, struct err *e)
{
	for (unsigned n = 0; n < FIGURE_COUNT; n++)
		if (*figure_rows[n].path && !simulate_figure(r, cores, n, &out->value[n]))
			return err_set(e, STATUS_FAILED, "the report has no figure %s", figure_rows[n].name);
	out->value[FIGURE_thermal_w] = energy_thermal_w(energy);
	out->value[FIGURE_period_j] = energy_period_j(energy, activity);
	return 0;
}

static int take_figures(const struct chip *c, const struct core_config *cfg, const struct energy_model *energy,
			struct figures *out, struct err *e)
{
	struct report *r = report_create();
	struct activity activity;
	int ret;

	if (!r)
		return err_set(e, STATUS_FAILED, "out of memory for the report");
	if (chip_cores(c) > 1) {
		chip_report(c, cfg, energy, energy, r);
	} else {
		core_report(chip_core(c, 0), cfg, energy, r);
		core_report_counters(chip_core(c, 0), cfg, r);
	}
	chip_activity(c, &activity);
	ret = take_reported(r, chip_cores(c), energy, &activity, out, e);
	report_destroy(r);
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

/* ---- units ---- */
/* Sums over all units as if the whole trace were like them: counts, and what they make active. */
struct expanded {
	struct core_stats stats;
	struct memsys_stats memory;
	struct activity activity;
};

static void expand(const struct core_sample *s, struct expanded *out)
{
	static const struct expanded none;
	const struct core_region *all = s->each;
	uint64_t instructions = 0;
	double scale;

	for (uint64_t n = 0; n < s->count; n++)
		instructions += s->unit[n].instructions;
	scale = (double)s->whole.instructions / (double)instructions;
	*out = none;
	for (uint64_t n = 0; n < s->count; n++) {
		core_scaled_sum(&out->stats, &out->stats, &all[n].stats, 1, sizeof(out->stats));
		core_scaled_sum(&out->memory, &out->memory, &all[n].memory, 1, sizeof(out->memory));
		core_scaled_sum(&out->activity, &out->activity, &all[n].activity, 1, sizeof(out->activity));
	}
	core_scaled_sum(&out->stats, &none.stats, &out->stats, scale, sizeof(out->stats));
	core_scaled_sum(&out->memory, &none.memory, &out->memory, scale, sizeof(out->memory));
	core_scaled_sum(&out->activity, &none.activity, &out->activity, scale, sizeof(out->activity));
}

/* Takes the figures of all units together. 0, or -1 with `e`. */
static int take_expanded(const struct expanded *x, const struct core_config *cfg, const struct energy_model *energy,
			 struct figures *out, struct err *e)
{
	const double thousands = (double)x->stats.instructions / 1000;
	struct report *r = report_create();
	int ret;

	if (!r)
		return err_set(e, STATUS_FAILED, "out of memory for the report");
	core_report_summary(&x->stats, &x->activity, cfg, energy, r);
	report_group(r, "memory", "");
	report_f64(r, "l1d_mpki", (double)x->memory.l2_data_accesses / thousands, "", "");
	report_f64(r, "l2_mpki", (double)(x->memory.l2_data_misses + x->memory.l2_instruction_misses) / thousands, "",
		   "");
	report_end(r);
	ret = take_reported(r, 1, energy, &x->activity, out, e);
	report_destroy(r);
	return ret;
}

/* Takes what is estimated of each unit, and the figures of all. 0, or -1 with `e`. */
static int take_units(const struct chip *c, const struct core_config *cfg, struct energy_model *energy,
		      struct point_units *out, struct err *e)
{
	struct expanded *x;
	struct core_sample s;
	struct err runaway;
	int ret;

	core_sample(chip_core(c, 0), &s);
	if (s.count < POINT_UNITS_MIN)
		return err_set(e, STATUS_USAGE,
			       "sample: %" PRIu64 " units in %" PRIu64 " instructions, expected at least %d", s.count,
			       s.whole.instructions, POINT_UNITS_MIN);
	x = mem_alloc(1, sizeof(*x), e);
	ret = x ? point_units_create(out, s.count, e) : -1;
	if (ret == 0) {
		expand(&s, x);
		if (energy_settle(energy, &x->activity, &runaway) < 0)
			mark_runaway(&out->expanded);
		else
			ret = take_expanded(x, cfg, energy, &out->expanded, e);
	}
	for (uint64_t n = 0; ret == 0 && n < s.count; n++) {
		out->value[UNIT_TIME][n] = (double)s.unit[n].cycles;
		out->value[UNIT_ENERGY][n] = energy_system_j(energy, &s.each[n].activity, READING_LIKELY);
	}
	free(x);
	return ret;
}

static int run_units(const struct core_config *cfg, struct trace_reader *trace, const struct sample_plan *plan,
		     struct warm_use *use, const struct simulate_options *o, struct point_units *out, struct err *e)
{
	const struct chip_options options = {
		.hooks = &whole_core,
		.check = o->check,
		.memo_bytes = o->no_memo ? 0 : (uint64_t)MEMO_MB_DEFAULT << 20,
		.sample = plan,
		.enter = use ? warm_use_enter : NULL,
		.enter_user = use,
	};
	struct one_run run = {.o = o};
	struct chip *c = chip_create(cfg, &trace, &options, e);
	struct energy_machine machine;
	struct energy_model *energy = NULL;
	int ret = -1;

	if (c) {
		core_energy_machine(cfg, &machine);
		energy = energy_create(&machine, e);
	}
	if (energy)
		ret = simulate_run(c, &run, e);
	if (ret == 0)
		ret = take_units(c, cfg, energy, out, e);
	energy_destroy(energy);
	chip_destroy(c);
	return ret;
}

static int run_from_states(const struct core_config *cfg, struct warm_states *states, const struct sample_plan *plan,
			   const struct simulate_options *o, struct point_units *out, struct err *e)
{
	struct warm_use *use = warm_use_create(states, e);
	int ret = use ? run_units(cfg, warm_use_trace(use), plan, use, o, out, e) : -1;

	warm_use_destroy(use);
	return ret;
}

/* Opens the trace, which must not have changed; NULL and `e`. */
static struct trace_reader *open_unchanged(const struct plan_file *file, struct err *e)
{
	struct trace_reader *trace = trace_open(file->path, e);

	if (trace && check_unchanged(trace, file, e) < 0) {
		trace_close(trace);
		return NULL;
	}
	return trace;
}

/* The point warms up by itself: by states that it does not keep, or where there are none, from unit to unit. */
static int run_alone(const struct core_config *cfg, const struct plan_file *file, const struct simulate_options *o,
		     struct point_units *out, struct err *e)
{
	struct trace_reader *trace = open_unchanged(file, e);
	struct warm_states *states = NULL;
	bool kept;
	int ret = -1;

	if (trace && !warm_states_possible(cfg))
		ret = run_units(cfg, trace, &file->units, NULL, o, out, e);
	else if (trace)
		states = warm_states_create(cfg, trace, &file->units, 0, &kept, e);
	if (states)
		ret = run_from_states(cfg, states, &file->units, o, out, e);
	warm_states_destroy(states);
	trace_close(trace);
	return ret;
}

/* The reader's messages name the file, the core's do not. */
static int name_file(int ret, const struct plan_file *file, struct err *e)
{
	if (ret < 0 && strncmp(e->text, file->path, strlen(file->path)) != 0)
		err_prefix(e, "%s", file->path);
	return ret;
}

int shared_units_create(const struct core_config *core, const struct plan_file *file, struct shared_units *out,
			struct err *e)
{
	bool kept = false;

	*out = (struct shared_units){.core = *core};
	if (!warm_states_possible(core))
		return 0;
	out->trace = open_unchanged(file, e);
	if (out->trace)
		out->states = warm_states_create(&out->core, out->trace, &file->units, KEEP_BYTES, &kept, e);
	if (!out->states) {
		shared_units_finish(out);
		return name_file(-1, file, e);
	}
	if (!kept)
		shared_units_finish(out);
	return 0;
}

void shared_units_finish(struct shared_units *u)
{
	warm_states_destroy(u->states);
	trace_close(u->trace);
	u->states = NULL;
	u->trace = NULL;
}

int simulate_units(const struct core_config *core, const struct plan_file *file, const struct shared_units *shared,
		   const struct simulate_options *o, struct point_units *out, struct err *e)
{
	int ret = shared->states ? run_from_states(core, shared->states, &file->units, o, out, e)
				 : run_alone(core, file, o, out, e);

	return name_file(ret, file, e);
}
