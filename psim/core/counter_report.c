/* Counters of psim's report, by part of the machine: dispatched, missed, predicted, and how often. */
#include "core_report.h"

#include <stddef.h>
#include <string.h>

struct row {
	const char *name, *unit, *doc;
};

static const struct row stat_rows[] = {
#define S(name, unit, doc) {#name, unit, doc},
#include "stats.def"
#undef S
};
static const struct row memory_rows[] = {
#define S(name, unit, doc) {#name, unit, doc},
#include "memsys_stats.def"
#undef S
};
static const struct row branch_rows[] = {
#define S(name, unit, doc) {#name, unit, doc},
#include "bpred_stats.def"
#undef S
};
#define COUNT(rows) (sizeof(rows) / sizeof((rows)[0]))

static double ratio(double a, double b)
{
	return b > 0 ? a / b : 0;
}

/*
 * Where a counter of stats.def is printed: in the first part whose words it is, or
 * begins with where the word ends in `_`; the last part takes the others.
 */
static const struct counter_part {
	const char *name, *words, *doc;
} stat_parts[] = {
	{"core", "cycles instructions", NULL}, /* stand in the summary */
	{"host", "skipped_cycles", NULL},      /* see core_report_host */
	{"front_end", "fetch_ wrong_path_ annulled_ decode_ stalled_", "fetch and decode"},
	{"dispatch", "dispatched stall_", "dispatch, and the cycles in which it stopped"},
	{"issue", "selected replayed int_ fp_", "selection, operands and results"},
	{"array", "simd_", "SIMD array; what all PEs do counts once"},
	{"load_store", "loads stores forwarded load_ bank_ port_ address_ store_", "loads and stores"},
	{"commit", "", "instructions committed, and what happened at commit"},
};

static bool is_of(const char *name, const char *words)
{
	for (; *words; words += strcspn(words, " "), words += strspn(words, " ")) {
		size_t length = strcspn(words, " ");

		if (!strncmp(name, words, length) && (words[length - 1] == '_' || !name[length]))
			return true;
	}
	return false;
}

static size_t part_of(const char *name)
{
	size_t n = 0;

	while (n + 1 < COUNT(stat_parts) && !is_of(name, stat_parts[n].words))
		n++;
	return n;
}

static void stats(const struct core_stats *s, bool array, struct report *r)
{
	const uint64_t *values = (const uint64_t *)s;

	for (size_t p = 0; p < COUNT(stat_parts); p++) {
		if (!stat_parts[p].doc || (!array && !strcmp(stat_parts[p].name, "array")))
			continue;
		report_group(r, stat_parts[p].name, stat_parts[p].doc);
		for (size_t n = 0; n < COUNT(stat_rows); n++)
			if (part_of(stat_rows[n].name) == p)
				report_u64(r, stat_rows[n].name, values[n], stat_rows[n].unit, stat_rows[n].doc);
		report_end(r);
	}
}

static void classes(const struct core_stats *s, struct report *r)
{
	static const struct report_column columns[] = {
		{"class", ""},
		{"committed", "insns"},
		{"share", "%"},
		{"selected", "times"},
	};

	report_table(r, "classes", "instructions by execution class", columns, 4);
	for (unsigned n = 0; n < CORE_CLASSES; n++) {
		char name[32];

		if (!s->committed[n])
			continue;
		snprintf(name, sizeof(name), "%s%s", n < CLASS_COUNT ? "" : "simd_", insn_class_name[n % CLASS_COUNT]);
		report_cell_text(r, name);
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

/* Commit slots that the full store buffer left empty. */
static uint64_t store_buffer_slots(const struct core_stats *s)
{
	return s->lost[STALL_store_buffer] + s->lost[STALL_store_miss_buffer] + s->lost[STALL_store_l2] +
	       s->lost[STALL_store_memory] + s->lost[STALL_store_tlb];
}

static void occupancy(const struct core_stats *s, const struct core_config *cfg, struct report *r)
{
	static const struct report_column columns[] = {
		{"structure", ""}, {"entries", ""}, {"average", ""}, {"share", "%"}, {"stops_dispatch", "cycles"},
	};
	const struct core_params *p = &cfg->core;
	const uint64_t *o = s->occupancy;
	const uint64_t rse = o[LEVEL_rs_int0] + o[LEVEL_rs_int1] + o[LEVEL_rs_int2] + o[LEVEL_rs_int3];
	const uint64_t rsf = o[LEVEL_rs_fp0] + o[LEVEL_rs_fp1] + o[LEVEL_rs_fp2] + o[LEVEL_rs_fp3];
	const struct structure list[] = {
		{"instruction buffer", o[LEVEL_ibuffer], 0, cfg->fetch.buffer_entries},
		{"reorder buffer (CSE)", o[LEVEL_rob], s->stall_rob, p->rob_entries},
		{"integer rename (GUB)", o[LEVEL_gub], s->stall_gub, cfg->decode.gub_entries},
		{"FP rename (FUB)", o[LEVEL_fub], s->stall_fub, cfg->decode.fub_entries},
		{"integer stations (RSE)", rse, s->stall_rse, (uint64_t)p->rse_entries * p->int_pipes},
		{"FP stations (RSF)", rsf, s->stall_rsf, (uint64_t)p->rsf_entries * p->fp_pipes},
		{"address station (RSA)", o[LEVEL_rs_addr], s->stall_rsa, p->rsa_entries},
		{"branch station (RSBR)", o[LEVEL_rs_br], s->stall_rsbr, p->rsbr_entries},
		{"fetch ports", o[LEVEL_fetch_ports], s->stall_fetch_port, cfg->lsu.fetch_ports},
		{"store ports", o[LEVEL_store_ports], s->stall_store_port, cfg->lsu.store_ports},
		{"store buffer", o[LEVEL_store_buffer], store_buffer_slots(s) / p->commit_width, cfg->lsu.store_buffer},
		{"SIMD station", o[LEVEL_rs_simd], s->simd_stall_station, cfg->simd.rs_entries},
		{"SFPR rename", o[LEVEL_sfub], s->simd_stall_sfub, cfg->simd.sfub_entries},
		{"store buffer of the PEs", o[LEVEL_simd_store_buffer],
		 s->lost[STALL_simd_store_buffer] / p->commit_width, cfg->simd.store_buffer},
		{"transfers", o[LEVEL_transfers], s->lost[STALL_transfer_slots] / p->commit_width, cfg->simd.transfers},
	};
	const size_t of_array = 4; /* the last rows */

	report_table(r, "occupancy",
		     "average entries in use, and cycles in which the full structure stopped "
		     "dispatch (store buffer: commit)",
		     columns, 5);
	for (size_t n = 0; n < COUNT(list) - (cfg->simd.pes ? 0 : of_array); n++) {
		double average = ratio((double)list[n].sum, (double)s->cycles);

		report_cell_text(r, list[n].name);
		report_cell_u64(r, list[n].size);
		report_cell_f64(r, average);
		report_cell_f64(r, 100 * ratio(average, (double)list[n].size));
		report_cell_u64(r, list[n].full);
	}
	report_table_end(r);
}

/* The memory system's counters by structure; the prefix is the structure's, and left out. */
static const struct {
	const char *name, *prefix, *doc;
} memory_parts[] = {
	{"l1i", "l1i_", "level-1 instruction cache"},
	{"l1d", "l1d_", "level-1 data cache"},
	{"prefetch", "prefetch", "software prefetch"},
	{"l2", "l2_", "level-2 cache"},
	{"hw_prefetch", "hw_", "hardware prefetch into L2"},
	{"channel", "memory_", "main memory"},
	{"itlb", "itlb_", "translation of instruction addresses"},
	{"dtlb", "dtlb_", "translation of data addresses"},
	{"transfer", "transfer_", "transfers between memory and SBM"},
};

static void memory_counters(const struct memsys_stats *m, bool array, struct report *r)
{
	const uint64_t *values = (const uint64_t *)m;

	for (size_t p = 0; p < COUNT(memory_parts); p++) {
		const char *prefix = memory_parts[p].prefix;
		size_t length = strlen(prefix);

		if (!array && !strcmp(memory_parts[p].name, "transfer"))
			continue;
		report_group(r, memory_parts[p].name, memory_parts[p].doc);
		for (size_t n = 0; n < COUNT(memory_rows); n++) {
			const struct row *row = &memory_rows[n];

			if (!strncmp(row->name, prefix, length))
				report_u64(r, row->name + (prefix[length - 1] == '_' ? length : 0), values[n],
					   row->unit, row->doc);
		}
		report_end(r);
	}
}

static void memory(const struct core *c, const struct core_config *cfg, struct report *r)
{
	const struct memsys_stats *m = core_memsys_stats(c);
	double seconds = (double)core_stats(c)->cycles / cfg->chip.frequency;
	double lines = (double)(m->memory_reads + m->l2_writebacks + m->transfer_reads + m->transfer_writes);
	double insns = (double)core_stats(c)->instructions;
	double l1d = (double)(m->l1d_loads + m->l1d_stores);
	double misses = (double)(m->l1d_load_misses + m->l1d_store_misses + m->l1d_stores_ahead);

	report_group(r, "memory", "caches, translation, memory");
	report_f64(r, "l1i_miss_share", 100 * ratio((double)m->l1i_misses, (double)m->l1i_accesses), "%",
		   "fetch groups that missed L1I");
	report_f64(r, "l1d_miss_share", 100 * ratio(misses, l1d), "%",
		   "loads and stores whose line had to be asked for, by themselves or ahead of the store");
	report_f64(r, "l2_miss_share",
		   100 * ratio((double)(m->l2_data_misses + m->l2_instruction_misses),
			       (double)(m->l2_data_accesses + m->l2_instruction_accesses)),
		   "%", "line requests that missed L2");
	report_f64(r, "memory_bandwidth", ratio(lines * cfg->l2.line_bytes, seconds) * 1e-9, "GB/s",
		   "lines read from and written to memory");
	report_f64(r, "l1d_mpki", 1000 * ratio((double)m->l2_data_accesses, insns), "1/1000 insn",
		   "lines that L1D asked for per thousand instructions: misses, stores ahead, prefetches");
	report_f64(r, "l2_mpki", 1000 * ratio((double)(m->l2_data_misses + m->l2_instruction_misses), insns),
		   "1/1000 insn", "L2 misses per thousand instructions");
	memory_counters(m, cfg->simd.pes, r);
	report_end(r);
}

static void branch(const struct core *c, struct report *r)
{
	const struct bpred_stats *b = core_bpred_stats(c);

	report_group(r, "branch", "branch prediction");
	report_f64(r, "mispredict_share", 100 * ratio((double)b->mispredicted, (double)b->branches), "%",
		   "control transfers predicted wrong");
	for (size_t n = 0; n < COUNT(branch_rows); n++)
		report_u64(r, branch_rows[n].name, ((const uint64_t *)b)[n], branch_rows[n].unit, branch_rows[n].doc);
	report_end(r);
}

void core_report_counters(const struct core *c, const struct core_config *cfg, struct report *r)
{
	const struct core_stats *s = core_stats(c);

	classes(s, r);
	occupancy(s, cfg, r);
	stats(s, cfg->simd.pes, r);
	branch(c, r);
	memory(c, cfg, r);
}

void core_report_host(const struct core *c, struct report *r)
{
	report_group(r, "host",
		     "how it was simulated: the only numbers that depend on more than "
		     "configuration and trace");
	report_u64(r, "skipped_cycles", core_stats(c)->skipped_cycles, "cycles",
		   "cycles in which nothing could happen, not simulated one by one");
	report_end(r);
}
