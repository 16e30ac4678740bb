/* The first groups of psim's report: summary, cycle stack, regions. */
#include "core_report.h"

#include <string.h>

#include "../base/number.h"
#include "../core/cycle_parts.h"
#include "../core/top_down.h"

/*
 * With an array, only its pipes count: an instruction executes either in the array or in the
 * scalar core.
 */
double core_peak_flops(const struct core_config *cfg)
{
	const struct simd_params *p = &cfg->simd;
	unsigned pipes = p->pes ? p->pes * p->arithmetic_pipes : cfg->core.fp_pipes;

	return 2.0 * pipes * cfg->chip.frequency;
}

void core_report_readings(const struct energy_model *energy, const struct activity *a, struct report *r)
{
	struct energy_result x;

	energy_evaluate(energy, a, &x);
	report_f64(r, "energy_low_j", energy_total_j(energy, a, READING_LOW), "J",
		   "energy with all constants of the model read low");
	report_f64(r, "energy_high_j", energy_total_j(energy, a, READING_HIGH), "J",
		   "energy with all constants of the model read high");
	report_f64(r, "memory_j", x.memory_j, "J", "energy of off-chip memory, not included above");
	report_f64(r, "system_j", energy_system_j(energy, a, READING_LIKELY), "J", "energy with off-chip memory");
	report_f64(r, "system_low_j", energy_system_j(energy, a, READING_LOW), "J",
		   "energy with off-chip memory, all constants read low");
	report_f64(r, "system_high_j", energy_system_j(energy, a, READING_HIGH), "J",
		   "energy with off-chip memory, all constants read high");
	report_f64(r, "area_low_mm2", energy_area_mm2(energy_read_as(energy, READING_LOW)), "mm2",
		   "area with all constants of the model read low");
	report_f64(r, "area_high_mm2", energy_area_mm2(energy_read_as(energy, READING_HIGH)), "mm2",
		   "area with all constants of the model read high");
}

/* Adds the energy of a core. With several cores it excludes L2, which belongs to the chip. */
static void energy_values(const struct core_stats *s, const struct energy_model *energy, bool chip,
			  const struct activity *a, struct report *r)
{
	struct energy_result value, *x = &value;

	energy_evaluate(energy, a, x);
	report_f64(r, "energy_j", x->total_j, "J", chip ? "energy of the core, without L2" : "energy of core and L2");
	core_report_readings(energy, a, r);
	report_f64(r, "power_w", ratio_of(x->total_j, x->seconds), "W",
		   chip ? "average power of the core, without L2" : "average power of core and L2");
	report_f64(r, "nj_per_instruction", 1e9 * ratio_of(x->total_j, (double)s->instructions), "nJ/insn",
		   "energy per program instruction");
	report_f64(r, "energy_delay_js", x->total_j * x->seconds, "J s", "energy times simulated time");
	report_f64(r, "gflops_per_watt", 1e-9 * ratio_of((double)s->flops, x->total_j), "GFlop/s/W",
		   "floating-point operations per nanojoule");
	report_f64(r, "area_mm2", energy_area_mm2(energy), "mm2",
		   chip ? "area of the core, without L2" : "area of core and L2");
}

void core_report_summary(const struct core_stats *s, const struct activity *a, const struct core_config *cfg,
			 const struct energy_model *energy, struct report *r)
{
	double seconds = (double)s->cycles / cfg->chip.frequency;
	double insns = (double)s->instructions, flops = ratio_of((double)s->flops, seconds);

	report_group(r, "core", "the run in figures");
	report_f64(r, "seconds", seconds, "s", "simulated time");
	report_u64(r, "cycles", s->cycles, "cycles", "simulated time");
	report_u64(r, "instructions", s->instructions, "insns", "program instructions committed");
	report_f64(r, "ipc", ratio_of(insns, (double)s->cycles), "insn/cycle", "instructions per cycle");
	report_f64(r, "cpi", ratio_of((double)s->cycles, insns), "cycles/insn", "cycles per instruction");
	report_f64(r, "gflops", flops * 1e-9, "GFlop/s", CORE_GFLOPS_DOC);
	report_f64(r, "share_of_peak", 100 * ratio_of(flops, core_peak_flops(cfg)), "%",
		   "share of the peak: a multiply-add per FP pipe and cycle");
	report_f64(r, "branch_mpki", 1000 * ratio_of((double)s->mispredicts, insns), "1/1000 insn",
		   "mispredicted branches per thousand instructions");
	if (energy)
		energy_values(s, energy, cfg->chip.cores > 1, a, r);
	report_end(r);
}

/* ---- the cycle stack ---- */
static const struct cause {
	enum machine_part part;
	const char *name, *doc;
} causes[STALL_COUNT] = {
#define T(part, top_down, name, doc) {PART_##part, #name, doc},
#include "../core/stall.def"
#undef T
};

/* Slots of `cycles` with `width` each; cycles are estimated in a sample. */
static void slot_cells(struct report *r, uint64_t slots, double cycles, double width, uint64_t instructions)
{
	report_cell_u64(r, slots);
	report_cell_f64(r, 100 * ratio_of((double)slots, width * cycles));
	report_cell_f64(r, ratio_of(ratio_of((double)slots, width), (double)instructions));
}

static uint64_t sum_slots(const uint64_t slots[PART_COUNT])
{
	uint64_t sum = 0;

	for (unsigned n = 0; n < PART_COUNT; n++)
		sum += slots[n];
	return sum;
}

void core_report_parts(const struct core_stats *s, double cycles, const struct core_config *cfg, struct report *r)
{
	static const struct report_column columns[] = {
		{"part", ""}, {"slots", "slots"}, {"share", "%"}, {"cpi", "cycles/insn"}, {"meaning", ""},
	};
	uint64_t slots[PART_COUNT], all;
	double width;

	core_part_slots(s, slots);
	all = sum_slots(slots);
	width = ratio_of((double)all, cycles);
	report_table(r, "cycle_parts", "commit slots by part of the machine", columns, 5);
	for (unsigned n = 0; n < PART_COUNT; n++) {
		if ((n == PART_other && !slots[n]) || (n == PART_array && !cfg->simd.pes))
			continue;
		report_cell_text(r, core_part_name(n));
		slot_cells(r, slots[n], cycles, width, s->instructions);
		report_cell_text(r, core_part_doc(n));
	}
	report_table_end(r);
}

static void cycle_stack(const struct core_stats *s, double width, struct report *r)
{
	static const struct report_column columns[] = {
		{"cause", ""},  {"part", ""},           {"slots", "slots"},
		{"share", "%"}, {"cpi", "cycles/insn"}, {"meaning", ""},
	};

	report_table(r, "cycle_stack", "commit slots of all cycles: used, or empty for which cause", columns, 6);
	report_cell_text(r, "used");
	report_cell_text(r, core_part_name(PART_used));
	slot_cells(r, s->instructions + s->trap_instructions, (double)s->cycles, width, s->instructions);
	report_cell_text(r, core_part_doc(PART_used));
	for (unsigned n = 0; n < STALL_COUNT; n++) {
		if (!s->lost[n])
			continue;
		report_cell_text(r, causes[n].name);
		report_cell_text(r, core_part_name(causes[n].part));
		slot_cells(r, s->lost[n], (double)s->cycles, width, s->instructions);
		report_cell_text(r, causes[n].doc);
	}
	report_table_end(r);
}

void core_report_top_down(const struct core_stats *s, double cycles, struct report *r)
{
	static const struct report_column columns[] = {
		{"part", ""},   {"category", ""},       {"slots", "slots"},
		{"share", "%"}, {"cpi", "cycles/insn"}, {"meaning", ""},
	};
	uint64_t slots[TOP_DOWN_COUNT], all = 0;

	top_down_slots(s, slots);
	for (unsigned n = 0; n < TOP_DOWN_COUNT; n++)
		all += top_down_rows[n].class == n ? slots[n] : 0;
	report_table(r, "top_down", "commit slots by class of the top-down analysis, and by part of a class", columns,
		     6);
	for (unsigned n = 0; n < TOP_DOWN_COUNT; n++) {
		report_cell_text(r, top_down_rows[n].name);
		report_cell_text(r, top_down_rows[n].class == n ? "" : top_down_rows[top_down_rows[n].class].name);
		slot_cells(r, slots[n], cycles, ratio_of((double)all, cycles), s->instructions);
		report_cell_text(r, top_down_rows[n].doc);
	}
	report_table_end(r);
}

static void region_row(const struct core_region *g, const struct core_config *cfg, const struct energy_model *energy,
		       struct report *r)
{
	double seconds = (double)g->stats.cycles / cfg->chip.frequency;
	double insns = (double)g->stats.instructions, flops = ratio_of((double)g->stats.flops, seconds);
	struct energy_result x = {0};

	if (energy && g->activity.cycles)
		energy_evaluate(energy, &g->activity, &x);
	report_cell_text(r, g->name);
	report_cell_u64(r, g->entries);
	report_cell_u64(r, g->stats.instructions);
	report_cell_u64(r, g->stats.cycles);
	report_cell_f64(r, seconds);
	report_cell_f64(r, ratio_of(insns, (double)g->stats.cycles));
	report_cell_u64(r, g->stats.flops);
	report_cell_f64(r, flops * 1e-9);
	report_cell_f64(r, 100 * ratio_of(flops, core_peak_flops(cfg)));
	report_cell_f64(r, x.total_j);
	report_cell_f64(r, ratio_of(x.total_j, seconds));
	report_cell_f64(r, 1e9 * ratio_of(x.total_j, insns));
}

static void regions(const struct core *c, const struct core_config *cfg, const struct energy_model *energy,
		    struct report *r)
{
	static const struct report_column columns[] = {
		{"name", ""},         {"entries", "times"},  {"instructions", "insns"},
		{"cycles", "cycles"}, {"seconds", "s"},      {"ipc", "insn/cycle"},
		{"flops", "flop"},    {"gflops", "GFlop/s"}, {"share_of_peak", "%"},
		{"energy", "J"},      {"power", "W"},        {"nj_per_instruction", "nJ/insn"},
	};

	if (!core_region_count(c))
		return;
	report_table(r, "regions", "regions of interest, summed over all entries", columns, 12);
	for (unsigned n = 0; n < core_region_count(c); n++) {
		struct core_region g;

		core_region(c, n, &g);
		region_row(&g, cfg, energy, r);
	}
	report_table_end(r);
}

/* The cycle stack of each region, by part. */
static void region_parts(const struct core *c, const struct core_config *cfg, struct report *r)
{
	struct report_column columns[1 + PART_COUNT] = {{"name", ""}};
	unsigned count = 1;

	if (!core_region_count(c))
		return;
	for (unsigned n = 0; n < PART_COUNT; n++)
		if (n != PART_array || cfg->simd.pes)
			columns[count++] = (struct report_column){core_part_name(n), "%"};
	report_table(r, "region_parts", "commit slots of each region by part of the machine", columns, count);
	for (unsigned k = 0; k < core_region_count(c); k++) {
		uint64_t slots[PART_COUNT], all;
		struct core_region g;

		core_region(c, k, &g);
		core_part_slots(&g.stats, slots);
		all = sum_slots(slots); /* not width x cycles: a region begins and ends within a cycle */
		report_cell_text(r, g.name);
		for (unsigned n = 0; n < PART_COUNT; n++)
			if (n != PART_array || cfg->simd.pes)
				report_cell_f64(r, 100 * ratio_of((double)slots[n], (double)all));
	}
	report_table_end(r);
}

/* Adds what each region misses, of predictors and caches. */
static void region_misses(const struct core *c, const struct core_config *cfg, struct report *r)
{
	static const struct report_column columns[] = {
		{"name", ""},
		{"branch_mpki", "1/1000 insn"},
		{"l1d_mpki", "1/1000 insn"},
		{"l2_mpki", "1/1000 insn"},
		{"memory_bandwidth", "GB/s"},
		{"parallelism", "reads"},
	};

	if (!core_region_count(c))
		return;
	report_table(r, "region_misses",
		     "mispredicted branches, lines that L1D requested and L2 missed, memory of each region", columns,
		     6);
	for (unsigned k = 0; k < core_region_count(c); k++) {
		const struct memsys_stats *m;
		struct core_region g;
		double insns;

		core_region(c, k, &g);
		m = &g.memory;
		insns = (double)g.stats.instructions;
		report_cell_text(r, g.name);
		report_cell_f64(r, 1000 * ratio_of((double)g.stats.mispredicts, insns));
		report_cell_f64(r, 1000 * ratio_of((double)m->l2_data_accesses, insns));
		report_cell_f64(r, 1000 * ratio_of((double)(m->l2_data_misses + m->l2_instruction_misses), insns));
		report_cell_f64(r, 1e-9 * ratio_of((double)core_memory_lines(m) * cfg->l2.line_bytes,
						   (double)g.stats.cycles / cfg->chip.frequency));
		report_cell_f64(r, ratio_of((double)m->memory_read_cycles, (double)m->memory_busy_cycles));
	}
	report_table_end(r);
}

void core_report(const struct core *c, const struct core_config *cfg, const struct energy_model *energy,
		 struct report *r)
{
	const struct core_stats *s = core_stats(c);
	struct activity a;

	core_activity(c, &a);
	core_report_summary(s, &a, cfg, energy, r);
	core_report_parts(s, (double)s->cycles, cfg, r);
	cycle_stack(s, cfg->core.commit_width, r);
	core_report_top_down(s, (double)s->cycles, r);
	regions(c, cfg, energy, r);
	region_parts(c, cfg, r);
	region_misses(c, cfg, r);
}
