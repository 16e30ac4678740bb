/* Points of chips: traces on psim's processor. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "../../psim/base/hash.h"
#include "../../psim/base/mem.h"
#include "../../psim/core/core.h"
#include "point_kind.h"

static int chip_config_add(struct study *s, struct err *e)
{
	(void)e;
	core_config_add(s->config, &s->core);
	return 0;
}

static int chip_check(struct study *s, struct err *e)
{
	return core_config_check(s->config, &s->core, e);
}

/* Refuses a processor beyond the node. */
static int chip_allowed(const struct study *s, struct err *e)
{
	struct energy_machine machine;
	struct energy_model *m;
	int ret = -1;

	core_energy_machine(&s->core, &machine);
	m = energy_create(&machine, e);
	if (m)
		ret = energy_check_speed(m, e);
	energy_destroy(m);
	return ret < 0 ? err_prefix(e, "%s", s->path) : 0;
}

static int chip_doubts(const struct study *s, char text[POINT_DOUBT_MAX], struct err *e)
{
	char all[ENERGY_WARNINGS_MAX][ENERGY_WARNING_MAX];
	struct energy_machine machine;
	struct energy_model *m;
	unsigned count;

	core_energy_machine(&s->core, &machine);
	m = energy_create(&machine, e);
	if (!m)
		return -1;
	count = energy_warnings(m, all);
	energy_destroy(m);
	if (count)
		snprintf(text, POINT_DOUBT_MAX, "%s", all[0]);
	return count > 0;
}

/* The constants of energy that a file gave, whatever the file's name. */
static int chip_identity(const struct study *s, char text[POINT_IDENTITY_MAX], struct err *e)
{
	struct energy_machine machine;
	struct energy_model *m;
	struct energy_constant c;
	uint64_t h = HASH_BYTES;
	char row[160];
	unsigned n;

	core_energy_machine(&s->core, &machine);
	m = energy_create(&machine, e);
	if (!m)
		return -1;
	for (n = 0; energy_own_constant(m, n, &c); n++) {
		snprintf(row, sizeof(row), "%s=%.17g %.17g %.17g\n", c.name, c.low, c.likely, c.high);
		h = hash_bytes(h, row, strlen(row));
	}
	energy_destroy(m);
	if (n)
		snprintf(text, POINT_IDENTITY_MAX, "constants %016" PRIx64 "\n", h);
	return 0;
}

static int open_trace(struct plan_file *f, struct err *e)
{
	struct trace_reader *t = trace_open(f->path, e);

	if (!t)
		return -1;
	f->checksum = trace_checksum(t);
	f->length = trace_length(t);
	f->pes = trace_info(t)->pes;
	f->sbm_bytes = trace_info(t)->sbm_bytes;
	f->program = mem_copy_text(trace_info(t)->program, e);
	trace_close(t);
	return f->program ? 0 : -1;
}

static bool trace_is_file(const char *path)
{
	(void)path;
	return true;
}

static int trace_fits(const struct study *s, const struct plan_file *f, struct err *e)
{
	return core_check_array(&s->core, f->pes, f->sbm_bytes, e);
}

static int run_trace(const struct study *s, const struct plan_file *f, const struct simulate_options *o,
		     struct figures *out, struct err *e)
{
	return simulate(&s->core, f, o, out, e);
}

static void chip_runaway(const struct study *s, const char *input, struct err *why)
{
	struct energy_machine machine;

	core_energy_machine(&s->core, &machine);
	err_set(why, STATUS_USAGE,
		"%s: energy: thermal runaway: with energy.package = %g K/W from %g K no junction's temperature carries "
		"off the "
		"power of trace %s, expected a smaller one, or a lower clock",
		s->path, machine.package_k_w, machine.ambient_k, input);
}

/* Those where nodes fail are of systems. */
static bool chip_has_figure(unsigned figure)
{
	return figure != FIGURE_solution_s && figure != FIGURE_solution_error_s && figure != FIGURE_interval_s &&
	       figure != FIGURE_solution_j;
}

const struct point_kind point_kind_psim = {
	.name = "psim",
	.doc = "traces on a processor",
	.section = "traces",
	.input = "trace",
	.unit = "insn",
	.config_add = chip_config_add,
	.check = chip_check,
	.allowed = chip_allowed,
	.doubts = chip_doubts,
	.uses = core_config_uses,
	.identity = chip_identity,
	.open = open_trace,
	.is_file = trace_is_file,
	.fits = trace_fits,
	.run = run_trace,
	.runaway = chip_runaway,
	.has_figure = chip_has_figure,
};
