/* The counters of psim's report, by part of the machine. */
#include "core_report.h"

#include <stddef.h>
#include <stdio.h>

#include "../base/number.h"
#include "counter_list.h"

#define COUNT(rows) (sizeof(rows) / sizeof((rows)[0]))

/* The counters of a source's group `g`. */
static void rows(const struct counter_source *source, size_t g, const void *values, struct report *r)
{
	for (size_t n = 0; n < source->count; n++)
		if (source->row[n].group == g)
			report_u64(r, counter_name(source, n), ((const uint64_t *)values)[n], source->row[n].unit,
				   source->row[n].doc);
}

/* The groups of a source of counters, as groups of the report. */
static void groups(const struct counter_source *source, const struct core_config *cfg, const void *values,
		   struct report *r)
{
	for (size_t g = 0; g < source->group_count; g++) {
		if (!source->group[g].doc || !counter_group_used(&source->group[g], cfg))
			continue;
		report_group(r, source->group[g].name, source->group[g].doc);
		rows(source, g, values, r);
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
		report_cell_f64(r, 100 * ratio_of((double)s->committed[n], (double)s->instructions));
		report_cell_u64(r, s->selected_class[n]);
	}
	report_table_end(r);
}

struct structure {
	const char *name;
	enum level first, last; /* its levels */
	uint64_t full;
};

/* Empty commit slots charged to a full store buffer. */
static uint64_t store_buffer_slots(const struct core_stats *s)
{
	return s->lost[STALL_store_buffer] + s->lost[STALL_store_miss_buffer] + s->lost[STALL_store_l2] +
	       s->lost[STALL_store_l3] + s->lost[STALL_store_memory] + s->lost[STALL_store_tlb];
}

static void occupancy(const struct core_stats *s, const struct core_config *cfg, struct report *r)
{
	static const struct report_column columns[] = {
		{"structure", ""}, {"entries", ""}, {"average", ""}, {"share", "%"}, {"stops_dispatch", "cycles"},
	};
	const struct core_params *p = &cfg->core;
	const struct structure list[] = {
		{"instruction buffer", LEVEL_ibuffer, LEVEL_ibuffer, 0},
		{"reorder buffer (CSE)", LEVEL_rob, LEVEL_rob, s->stall_rob},
		{"integer rename (GUB)", LEVEL_gub, LEVEL_gub, s->stall_gub},
		{"FP rename (FUB)", LEVEL_fub, LEVEL_fub, s->stall_fub},
		{"integer stations (RSE)", LEVEL_rs_int0, LEVEL_rs_int3, s->stall_rse},
		{"FP stations (RSF)", LEVEL_rs_fp0, LEVEL_rs_fp3, s->stall_rsf},
		{"address station (RSA)", LEVEL_rs_addr, LEVEL_rs_addr, s->stall_rsa},
		{"branch station (RSBR)", LEVEL_rs_br, LEVEL_rs_br, s->stall_rsbr},
		{"load queue", LEVEL_load_queue, LEVEL_load_queue, s->stall_load_queue},
		{"store queue", LEVEL_store_queue, LEVEL_store_queue, s->stall_store_queue},
		{"store buffer", LEVEL_store_buffer, LEVEL_store_buffer, store_buffer_slots(s) / p->commit_width},
		{"SIMD station", LEVEL_rs_simd, LEVEL_rs_simd, s->simd_stall_station},
		{"SFPR rename", LEVEL_sfub, LEVEL_sfub, s->simd_stall_sfub},
		{"store buffer of the PEs", LEVEL_simd_store_buffer, LEVEL_simd_store_buffer,
		 s->lost[STALL_simd_store_buffer] / p->commit_width},
		{"transfers", LEVEL_transfers, LEVEL_transfers, s->lost[STALL_transfer_slots] / p->commit_width},
	};
	const size_t of_array = 4; /* the last rows, which only machines with an array have */

	report_table(r, "occupancy",
		     "entries in use, cycles in which the full structure stalled dispatch (store buffer: commit)",
		     columns, 5);
	for (size_t n = 0; n < COUNT(list) - (cfg->simd.pes ? 0 : of_array); n++) {
		uint64_t sum = 0, entries = 0;
		double average;

		for (enum level k = list[n].first; k <= list[n].last; k++) {
			sum += s->occupancy[k];
			entries += core_level_entries(cfg, k);
		}
		average = ratio_of((double)sum, (double)s->cycles);
		report_cell_text(r, list[n].name);
		report_cell_u64(r, entries);
		report_cell_f64(r, average);
		report_cell_f64(r, 100 * ratio_of(average, (double)entries));
		report_cell_u64(r, list[n].full);
	}
	report_table_end(r);
}

static void memory(const struct core *c, const struct core_config *cfg, struct report *r)
{
	const struct memsys_stats *m = core_memsys_stats(c);
	double seconds = (double)core_stats(c)->cycles / cfg->chip.frequency;
	double lines = (double)core_memory_lines(m);
	double insns = (double)core_stats(c)->instructions;
	double l1d = (double)(m->l1d_loads + m->l1d_stores);
	double misses = (double)(m->l1d_load_misses + m->l1d_store_misses + m->l1d_stores_ahead);

	report_group(r, "memory", "caches, translation, memory");
	report_f64(r, "l1i_miss_share", 100 * ratio_of((double)m->l1i_misses, (double)m->l1i_accesses), "%",
		   "fetch groups that missed L1I");
	report_f64(r, "l1d_miss_share", 100 * ratio_of(misses, l1d), "%",
		   "loads and stores whose line was requested, by themselves or ahead of the store");
	report_f64(r, "l2_miss_share",
		   100 * ratio_of((double)(m->l2_data_misses + m->l2_instruction_misses),
				  (double)(m->l2_data_accesses + m->l2_instruction_accesses)),
		   "%", "line requests that missed L2");
	report_f64(r, "memory_bandwidth", ratio_of(lines * cfg->l2.line_bytes, seconds) * 1e-9, "GB/s",
		   "lines read from and written to memory");
	report_f64(r, "l1d_mpki", 1000 * ratio_of((double)m->l2_data_accesses, insns), "1/1000 insn",
		   "lines that L1D requested per thousand instructions: misses, stores ahead, prefetches");
	report_f64(r, "l2_mpki", 1000 * ratio_of((double)(m->l2_data_misses + m->l2_instruction_misses), insns),
		   "1/1000 insn", "L2 misses per thousand instructions");
	report_f64(r, "read_latency", ratio_of((double)m->memory_read_cycles, (double)m->memory_reads), "cycles",
		   "from a read's miss buffer to its line's arrival in L2, mean");
	report_f64(r, "parallelism", ratio_of((double)m->memory_read_cycles, (double)m->memory_busy_cycles), "reads",
		   "reads of memory under way while there is one, mean");
	groups(&counter_sources[COUNTERS_MEMORY], cfg, m, r);
	report_end(r);
}

/*
 * What prefetching did: of the lines requested ahead the share that was used (accuracy), of the lines wanted the share
 * requested ahead (coverage), of those used the share that had not arrived (lateness): S. Srinath and others,
 * "Feedback directed prefetching", HPCA 2007.
 */
static void prefetchers(const struct memsys_stats *m, struct report *r)
{
	static const struct report_column columns[] = {
		{"prefetcher", ""},  {"lines", "lines"}, {"used", "lines"}, {"late", "lines"},
		{"misses", "lines"}, {"accuracy", "%"},  {"coverage", "%"}, {"lateness", "%"},
	};
	const struct {
		const char *name;
		uint64_t lines, in_time, late, misses;
	} list[] = {
		{"next line into L1I", m->l1i_prefetches, m->l1i_prefetches_useful, m->l1i_prefetches_late,
		 m->l1i_misses},
		{"software into L1D", m->prefetches_issued, m->prefetches_useful, m->prefetches_late,
		 m->l1d_load_misses + m->l1d_store_misses + m->l1d_stores_ahead},
		{"hardware into L2", m->hw_prefetches, m->hw_prefetches_useful, m->hw_prefetches_late,
		 m->l2_data_misses},
	};

	report_table(r, "prefetchers", "prefetching: lines requested ahead, and those that were wanted", columns, 8);
	for (size_t n = 0; n < COUNT(list); n++) {
		const double used = (double)(list[n].in_time + list[n].late);

		if (!list[n].lines)
			continue;
		report_cell_text(r, list[n].name);
		report_cell_u64(r, list[n].lines);
		report_cell_u64(r, list[n].in_time + list[n].late);
		report_cell_u64(r, list[n].late);
		report_cell_u64(r, list[n].misses);
		report_cell_f64(r, 100 * ratio_of(used, (double)list[n].lines));
		report_cell_f64(r, 100 * ratio_of(used, used + (double)list[n].misses));
		report_cell_f64(r, 100 * ratio_of((double)list[n].late, used));
	}
	report_table_end(r);
}

static void branch_shares(const struct bpred_stats *b, struct report *r)
{
	report_group(r, "branch", "branch prediction");
	report_f64(r, "mispredict_share", 100 * ratio_of((double)b->mispredicted, (double)b->branches), "%",
		   "control transfers mispredicted");
	rows(&counter_sources[COUNTERS_BRANCH], 0, b, r);
	report_end(r);
}

/* Adds all counters of each region: REGION.GROUP.NAME, in a cell, since a region's name comes from outside. */
static void region_counters(const struct core *c, const struct core_config *cfg, struct report *r)
{
	static const struct report_column columns[] = {{"counter", ""}, {"value", ""}, {"unit", ""}};

	if (!core_region_count(c))
		return;
	report_table(r, "region_counters", "counters of each region, summed over all entries", columns, 3);
	for (unsigned k = 0; k < core_region_count(c); k++) {
		unsigned source = 0;
		size_t n = SIZE_MAX;
		struct core_region g;

		core_region(c, k, &g);
		while (counter_next(cfg, &source, &n)) {
			char name[COUNTER_NAME], whole[TRACE_NAME_MAX + COUNTER_NAME];

			counter_whole_name(&counter_sources[source], n, name);
			snprintf(whole, sizeof(whole), "%s.%s", g.name, name);
			report_cell_text(r, whole);
			report_cell_u64(r, counter_values(&g.stats, &g.memory, &g.branch).of[source][n]);
			report_cell_text(r, counter_sources[source].row[n].unit);
		}
	}
	report_table_end(r);
}

void core_report_counters(const struct core *c, const struct core_config *cfg, struct report *r)
{
	const struct core_stats *s = core_stats(c);

	classes(s, r);
	occupancy(s, cfg, r);
	groups(&counter_sources[COUNTERS_CORE], cfg, s, r);
	branch_shares(core_bpred_stats(c), r);
	prefetchers(core_memsys_stats(c), r);
	region_counters(c, cfg, r);
	memory(c, cfg, r);
}

void core_report_host(const struct core *c, struct report *r)
{
	report_group(r, "host",
		     "how the simulation ran; only these figures depend on more than configuration and trace");
	report_u64(r, "skipped_cycles", core_stats(c)->skipped_cycles, "cycles",
		   "cycles without possible progress, which were skipped");
	report_end(r);
}
