/* The series as CSV, with means over the cycles of each row. */
#include <inttypes.h>

#include "stage_series.h"

static const char *const causes[STALL_COUNT] = {
#define T(part, top_down, name, doc) [STALL_##name] = #name,
#include "../core/stall.def"
#undef T
};

/* Returns whether a machine has the part that this cause is of. */
static bool has_cause(const struct core_config *cfg, unsigned cause)
{
	if (cause == STALL_l1i_way)
		return cfg->l1i.way_prediction != WAYS_ALL;
	return cfg->l3.size || (cause != STALL_l1i_l3 && cause != STALL_load_l3 && cause != STALL_store_l3);
}

static void header(const struct stage_series *s, FILE *out)
{
	const struct core_config *cfg = stage_series_config(s);
	const struct energy_model *energy = stage_series_energy(s);

	fputs("cycle,seconds,ipc,used", out);
	for (unsigned n = 0; n < STALL_COUNT; n++)
		if (has_cause(cfg, n))
			fprintf(out, ",lost_%s", causes[n]);
	for (unsigned n = 0; n < STAGE_LEVEL_COUNT; n++)
		if (stage_level_size(cfg, n))
			fprintf(out, ",%s", stage_level_name(n));
	for (unsigned n = 0; n < STAGE_COUNT; n++)
		if (energy_stage_slots(energy, n) > 0)
			fprintf(out, ",%s_moved,%s_held", energy_stage_name(n), energy_stage_name(n));
	fputs(",total_w", out);
	for (unsigned n = 0; n < STAGE_COUNT; n++)
		if (energy_stage_slots(energy, n) > 0)
			fprintf(out, ",%s_w", energy_stage_name(n));
	putc('\n', out);
}

static void stage_series_csv_cell(FILE *out, double value)
{
	fprintf(out, ",%.9g", value);
}

static void stage_series_csv_line(const struct stage_series *s, const struct stage_row *r, FILE *out)
{
	const struct core_config *cfg = stage_series_config(s);
	const struct energy_model *energy = stage_series_energy(s);
	double cycles = (double)(r->to - r->from);

	fprintf(out, "%" PRIu64 ",%.9g", r->to, (double)r->to / cfg->chip.frequency);
	stage_series_csv_cell(out, (double)r->stats.instructions / cycles);
	stage_series_csv_cell(out, (double)(r->stats.instructions + r->stats.trap_instructions) / cycles);
	for (unsigned n = 0; n < STALL_COUNT; n++)
		if (has_cause(cfg, n))
			stage_series_csv_cell(out, (double)r->stats.lost[n] / cycles);
	for (unsigned n = 0; n < STAGE_LEVEL_COUNT; n++)
		if (stage_level_size(cfg, n))
			stage_series_csv_cell(out, (double)r->level[n] / cycles);
	for (unsigned n = 0; n < STAGE_COUNT; n++) {
		if (energy_stage_slots(energy, n) <= 0)
			continue;
		stage_series_csv_cell(out, (double)r->activity.moved[n] / cycles);
		stage_series_csv_cell(out, (double)r->activity.stalled[n] / cycles);
	}
	stage_series_csv_cell(out, r->energy.total_j / r->energy.seconds);
	for (unsigned n = 0; n < STAGE_COUNT; n++)
		if (energy_stage_slots(energy, n) > 0)
			stage_series_csv_cell(out, r->energy.stage_j[n] / r->energy.seconds);
	putc('\n', out);
}

void stage_series_csv(const struct stage_series *s, FILE *out)
{
	struct stage_row row;

	header(s, out);
	for (size_t n = 0; n < stage_series_count(s); n++) {
		stage_series_row(s, n, &row);
		stage_series_csv_line(s, &row, out);
	}
}
