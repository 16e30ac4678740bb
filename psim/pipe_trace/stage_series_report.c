/* The series as tables of the report, one for each kind of quantity. A table has no row for an empty run. */
#include "../core/cycle_parts.h"
#include "stage_series.h"

enum { COLUMNS_MAX = 4 + PART_COUNT + STAGE_LEVEL_COUNT + STAGE_COUNT };

/* The first column of each table: time at the end of a row. */
static const struct report_column time_column = {"seconds", "s"};

static void time_cell(const struct stage_series *s, const struct stage_row *row, struct report *r)
{
	report_cell_f64(r, (double)row->to / stage_series_config(s)->chip.frequency);
}

static void add_parts(const struct stage_series *s, struct report *r)
{
	struct report_column columns[COLUMNS_MAX] = {time_column, {"ipc", "insn/cycle"}};
	const struct core_config *cfg = stage_series_config(s);
	uint64_t slots[PART_COUNT];
	struct stage_row row;

	for (unsigned n = 0; n < PART_COUNT; n++)
		columns[2 + n] = (struct report_column){core_part_name(n), "%"};
	report_table(r, "parts", "commit slots by part of the machine over time", columns, 2 + PART_COUNT);
	for (size_t n = 0; n < stage_series_count(s); n++) {
		double cycles;

		stage_series_row(s, n, &row);
		cycles = (double)(row.to - row.from);
		core_part_slots(&row.stats, slots);
		time_cell(s, &row, r);
		report_cell_f64(r, (double)row.stats.instructions / cycles);
		for (unsigned p = 0; p < PART_COUNT; p++)
			report_cell_f64(r, 100 * (double)slots[p] / (cycles * cfg->core.commit_width));
	}
	report_table_end(r);
}

static void add_structures(const struct stage_series *s, struct report *r)
{
	struct report_column columns[COLUMNS_MAX] = {time_column};
	const struct core_config *cfg = stage_series_config(s);
	unsigned count = 1;
	struct stage_row row;

	for (unsigned n = 0; n < STAGE_LEVEL_COUNT; n++)
		if (stage_level_size(cfg, n))
			columns[count++] = (struct report_column){stage_level_name(n), "%"};
	report_table(r, "structures", "share of each structure's entries in use over time", columns, count);
	for (size_t n = 0; n < stage_series_count(s); n++) {
		stage_series_row(s, n, &row);
		time_cell(s, &row, r);
		for (unsigned k = 0; k < STAGE_LEVEL_COUNT; k++) {
			uint64_t size = stage_level_size(cfg, k);

			if (size)
				report_cell_f64(r, 100 * (double)row.level[k] /
							   ((double)(row.to - row.from) * (double)size));
		}
	}
	report_table_end(r);
}

static void add_power(const struct stage_series *s, struct report *r)
{
	struct report_column columns[COLUMNS_MAX] = {time_column, {"total", "W"}};
	const struct energy_model *energy = stage_series_energy(s);
	unsigned count = 2;
	struct stage_row row;

	for (unsigned n = 0; n < STAGE_COUNT; n++)
		if (energy_stage_slots(energy, n) > 0)
			columns[count++] = (struct report_column){energy_stage_name(n), "W"};
	report_table(r, "power", "power of the chip and of each pipeline stage over time", columns, count);
	for (size_t n = 0; n < stage_series_count(s); n++) {
		stage_series_row(s, n, &row);
		time_cell(s, &row, r);
		report_cell_f64(r, row.energy.total_j / row.energy.seconds);
		for (unsigned k = 0; k < STAGE_COUNT; k++)
			if (energy_stage_slots(energy, k) > 0)
				report_cell_f64(r, row.energy.stage_j[k] / row.energy.seconds);
	}
	report_table_end(r);
}

/* Instructions per cycle. */
static void add_rates(const struct stage_series *s, struct report *r)
{
	const struct report_column columns[] = {time_column, {"ipc", "insn/cycle"}};
	struct stage_row row;

	report_table(r, "rates", "instructions per cycle over time", columns, 2);
	for (size_t n = 0; n < stage_series_count(s); n++) {
		stage_series_row(s, n, &row);
		time_cell(s, &row, r);
		report_cell_f64(r, (double)row.stats.instructions / (double)(row.to - row.from));
	}
	report_table_end(r);
}

/* Lines that each cache requested. A row without instructions has cells without a number. */
static void add_misses(const struct stage_series *s, struct report *r)
{
	static const unsigned arrays[] = {ARRAY_l1i_miss, ARRAY_l1d_miss, ARRAY_l2_miss};
	const struct report_column columns[] = {
		time_column, {"l1i", "1/1000 insn"}, {"l1d", "1/1000 insn"}, {"l2", "1/1000 insn"}};
	struct stage_row row;

	report_table(r, "misses", "lines that each cache requested, per thousand instructions, over time", columns, 4);
	for (size_t n = 0; n < stage_series_count(s); n++) {
		stage_series_row(s, n, &row);
		time_cell(s, &row, r);
		for (unsigned k = 0; k < 3; k++)
			report_cell_f64(r,
					1000 * (double)row.activity.writes[arrays[k]] / (double)row.stats.instructions);
	}
	report_table_end(r);
}

void stage_series_report(const struct stage_series *s, struct report *r)
{
	report_group(r, "over_time", "the run over time, in rows of equal length");
	add_parts(s, r);
	add_rates(s, r);
	add_misses(s, r);
	add_structures(s, r);
	add_power(s, r);
	report_end(r);
}
