/* The groups of psim's report, from the tables of statistics. */
#include "core_report.h"

struct row {
	const char *name, *unit, *doc;
};

static const struct row stat_rows[] = {
#define S(name, unit, doc) { #name, unit, doc },
#include "stats.def"
#undef S
};
static const struct row memory_rows[] = {
#define S(name, unit, doc) { #name, unit, doc },
#include "memsys_stats.def"
#undef S
};
static const struct row branch_rows[] = {
#define S(name, unit, doc) { #name, unit, doc },
#include "bpred_stats.def"
#undef S
};
static const struct row stall_rows[] = {
#define T(name, doc) { #name, "", doc },
#include "stall.def"
#undef T
};

static double ratio(double a, double b)
{
	return b > 0 ? a / b : 0;
}

static void rows(struct report *r, const struct row *row, size_t count, const uint64_t *values)
{
	for (size_t n = 0; n < count; n++)
		report_u64(r, row[n].name, values[n], row[n].unit, row[n].doc);
}

static void summary(const struct core *c, const struct core_config *cfg, struct report *r)
{
	const struct core_stats *s = core_stats(c);
	double seconds = (double)s->cycles / cfg->chip.frequency;
	double peak = 2.0 * cfg->core.fp_pipes * cfg->chip.frequency;

	report_group(r, "core", "the run in figures");
	report_f64(r, "seconds", seconds, "s", "simulated time");
	report_f64(r, "ipc", ratio((double)s->instructions, (double)s->cycles), "insn/cycle",
		"program instructions committed per cycle");
	report_f64(r, "cpi", ratio((double)s->cycles, (double)s->instructions), "cycles/insn",
		"cycles per program instruction");
	report_f64(r, "gflops", ratio((double)s->flops, seconds) * 1e-9, "GFlop/s",
		"floating-point operations per simulated second");
	report_f64(r, "share_of_peak", ratio(ratio((double)s->flops, seconds), peak), "",
		"of two operations a cycle in each FP pipe");
	rows(r, stat_rows, sizeof(stat_rows) / sizeof(stat_rows[0]), (const uint64_t *)s);
	report_end(r);
}

static void cycle_stack(const struct core_stats *s, const struct core_config *cfg, struct report *r)
{
	static const struct report_column columns[] = {
		{ "cause", "" }, { "slots", "slots" }, { "share", "%" }, { "cpi", "cycles/insn" },
		{ "meaning", "" },
	};
	double width = cfg->core.commit_width, all = width * (double)s->cycles;
	double insns = (double)s->instructions;
	uint64_t used = s->instructions + s->trap_instructions;

	report_table(r, "cycle_stack", "each commit slot of each cycle: used, or empty and why", columns, 5);
	report_cell_text(r, "used");
	report_cell_u64(r, used);
	report_cell_f64(r, 100 * ratio((double)used, all));
	report_cell_f64(r, ratio((double)used / width, insns));
	report_cell_text(r, "an instruction was committed");
	for (unsigned n = 0; n < STALL_COUNT; n++) {
		if (!s->lost[n])
			continue;
		report_cell_text(r, stall_rows[n].name);
		report_cell_u64(r, s->lost[n]);
		report_cell_f64(r, 100 * ratio((double)s->lost[n], all));
		report_cell_f64(r, ratio((double)s->lost[n] / width, insns));
		report_cell_text(r, stall_rows[n].doc);
	}
	report_table_end(r);
}

static void classes(const struct core_stats *s, struct report *r)
{
	static const struct report_column columns[] = {
		{ "class", "" }, { "committed", "insns" }, { "share", "%" }, { "selected", "times" },
	};

	report_table(r, "classes", "instructions by execution class", columns, 4);
	for (unsigned n = 0; n < CLASS_COUNT; n++) {
		if (!s->committed[n])
			continue;
		report_cell_text(r, insn_class_name[n]);
		report_cell_u64(r, s->committed[n]);
		report_cell_f64(r, 100 * ratio((double)s->committed[n], (double)s->instructions));
		report_cell_u64(r, s->selected_class[n]);
	}
	report_table_end(r);
}

struct structure {
	const char *name;
	uint64_t sum, full;
	uint64_t size;
};

static void occupancy(const struct core_stats *s, const struct core_config *cfg, struct report *r)
{
	static const struct report_column columns[] = {
		{ "structure", "" }, { "entries", "" }, { "average", "" }, { "share", "%" },
		{ "stops_dispatch", "cycles" },
	};
	const struct core_params *p = &cfg->core;
	const uint64_t *o = s->occupancy;
	const struct structure list[] = {
		{ "instruction buffer", o[LEVEL_ibuffer], 0, cfg->fetch.buffer_entries },
		{ "reorder buffer (CSE)", o[LEVEL_rob], s->stall_rob, p->rob_entries },
		{ "integer rename (GUB)", o[LEVEL_gub], s->stall_gub, cfg->decode.gub_entries },
		{ "FP rename (FUB)", o[LEVEL_fub], s->stall_fub, cfg->decode.fub_entries },
		{ "integer stations (RSE)", o[LEVEL_rs_int0] + o[LEVEL_rs_int1] + o[LEVEL_rs_int2] + o[LEVEL_rs_int3], s->stall_rse, (uint64_t)p->rse_entries * p->int_pipes },
		{ "FP stations (RSF)", o[LEVEL_rs_fp0] + o[LEVEL_rs_fp1] + o[LEVEL_rs_fp2] + o[LEVEL_rs_fp3], s->stall_rsf, (uint64_t)p->rsf_entries * p->fp_pipes },
		{ "address station (RSA)", o[LEVEL_rs_addr], s->stall_rsa, p->rsa_entries },
		{ "branch station (RSBR)", o[LEVEL_rs_br], s->stall_rsbr, p->rsbr_entries },
		{ "fetch ports", o[LEVEL_fetch_ports], s->stall_fetch_port, cfg->lsu.fetch_ports },
		{ "store ports", o[LEVEL_store_ports], s->stall_store_port, cfg->lsu.store_ports },
		{ "store buffer", o[LEVEL_store_buffer], s->lost[STALL_store_buffer] / p->commit_width, cfg->lsu.store_buffer },
	};

	report_table(r, "occupancy", "average entries in use, and cycles in which the full structure stopped dispatch (store buffer: commit)", columns, 5);
	for (size_t n = 0; n < sizeof(list) / sizeof(list[0]); n++) {
		double average = ratio((double)list[n].sum, (double)s->cycles);

		report_cell_text(r, list[n].name);
		report_cell_u64(r, list[n].size);
		report_cell_f64(r, average);
		report_cell_f64(r, 100 * ratio(average, (double)list[n].size));
		report_cell_u64(r, list[n].full);
	}
	report_table_end(r);
}

static void memory(const struct core *c, const struct core_config *cfg, struct report *r)
{
	const struct memsys_stats *m = core_memsys_stats(c);
	double seconds = (double)core_stats(c)->cycles / cfg->chip.frequency;
	double lines = (double)(m->memory_reads + m->l2_writebacks);
	double l1d = (double)(m->l1d_loads + m->l1d_stores);

	report_group(r, "memory", "caches, translation, memory");
	report_f64(r, "l1i_miss_share", 100 * ratio((double)m->l1i_misses, (double)m->l1i_accesses), "%",
		"fetch groups that missed L1I");
	report_f64(r, "l1d_miss_share", 100 * ratio((double)(m->l1d_load_misses + m->l1d_store_misses), l1d), "%",
		"loads and stores that missed L1D");
	report_f64(r, "l2_miss_share", 100 * ratio((double)(m->l2_data_misses + m->l2_instruction_misses),
		(double)(m->l2_data_accesses + m->l2_instruction_accesses)), "%", "line requests that missed L2");
	report_f64(r, "memory_bandwidth", ratio(lines * cfg->l2.line_bytes, seconds) * 1e-9, "GB/s",
		"lines read from and written to memory");
	rows(r, memory_rows, sizeof(memory_rows) / sizeof(memory_rows[0]), (const uint64_t *)m);
	report_end(r);
}

static void branch(const struct core *c, struct report *r)
{
	const struct bpred_stats *b = core_bpred_stats(c);

	report_group(r, "branch", "branch prediction");
	report_f64(r, "mispredict_share", 100 * ratio((double)b->mispredicted, (double)b->branches), "%",
		"control transfers predicted wrong");
	report_f64(r, "mpki", 1000 * ratio((double)core_stats(c)->mispredicts, (double)core_stats(c)->instructions),
		"1/1000 insn", "mispredicted transfers per thousand instructions");
	rows(r, branch_rows, sizeof(branch_rows) / sizeof(branch_rows[0]), (const uint64_t *)b);
	report_end(r);
}

static void regions(const struct core *c, const struct core_config *cfg,
                    const struct energy_model *energy, struct report *r)
{
	static const struct report_column columns[] = {
		{ "name", "" }, { "entries", "times" }, { "instructions", "insns" }, { "cycles", "cycles" },
		{ "seconds", "s" }, { "ipc", "insn/cycle" }, { "flops", "flop" }, { "gflops", "GFlop/s" },
		{ "share_of_peak", "" }, { "energy", "J" }, { "power", "W" },
	};
	double peak = 2.0 * cfg->core.fp_pipes * cfg->chip.frequency;

	if (!core_region_count(c))
		return;
	report_table(r, "regions", "regions of interest, all entries together", columns, 11);
	for (unsigned n = 0; n < core_region_count(c); n++) {
		const struct core_region *g = core_region(c, n);
		double seconds = (double)g->stats.cycles / cfg->chip.frequency;
		struct energy_result e = { 0 };

		if (energy && g->activity.cycles)
			energy_evaluate(energy, &g->activity, &e);
		report_cell_text(r, g->name);
		report_cell_u64(r, g->entries);
		report_cell_u64(r, g->stats.instructions);
		report_cell_u64(r, g->stats.cycles);
		report_cell_f64(r, seconds);
		report_cell_f64(r, ratio((double)g->stats.instructions, (double)g->stats.cycles));
		report_cell_u64(r, g->stats.flops);
		report_cell_f64(r, ratio((double)g->stats.flops, seconds) * 1e-9);
		report_cell_f64(r, ratio(ratio((double)g->stats.flops, seconds), peak));
		report_cell_f64(r, e.total_j);
		report_cell_f64(r, ratio(e.total_j, seconds));
	}
	report_table_end(r);
}

void core_report(const struct core *c, const struct core_config *cfg,
                 const struct energy_model *energy, struct report *r)
{
	const struct core_stats *s = core_stats(c);

	summary(c, cfg, r);
	cycle_stack(s, cfg, r);
	regions(c, cfg, energy, r);
	classes(s, r);
	occupancy(s, cfg, r);
	memory(c, cfg, r);
	branch(c, r);
}
