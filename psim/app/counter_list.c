#include "counter_list.h"

#include <stdio.h>
#include <string.h>

/* G(name, prefix, needs, doc), in the order of the report. */
#define CORE_GROUPS(G) \
	G(core, "", 0, NULL) /* in the summary */ \
	G(host, "", 0, NULL) /* core_report_host */ \
	G(front_end, "", 0, "fetch and decode") \
	G(dispatch, "", 0, "dispatch, and the cycles in which it stalled") \
	G(issue, "", 0, "selection, operands and results") \
	G(array, "", COUNTER_NEEDS_ARRAY, "SIMD array; an operation on all PEs counts once") \
	G(load_store, "", 0, "loads and stores") \
	G(wrong_path, "", COUNTER_NEEDS_WRONG_PATH, "behind mispredicted transfers") \
	G(commit, "", 0, "instructions committed, and what happened at commit")
#define MEMORY_GROUPS(G) \
	G(l1i, "l1i_", 0, "level-1 instruction cache") \
	G(l1d, "l1d_", 0, "level-1 data cache") \
	G(way, "way_", COUNTER_NEEDS_WAYS, "way prediction of L1D and L1I") \
	G(victim, "victim_", COUNTER_NEEDS_VICTIMS, "victim cache of L1D") \
	G(prefetch, "", 0, "software prefetch") \
	G(l2, "l2_", 0, "level-2 cache") \
	G(l3, "l3_", COUNTER_NEEDS_L3, "level-3 cache") \
	G(coherence, "coherence_", COUNTER_NEEDS_CORES, "lines that threads on several cores share") \
	G(hw_prefetch, "hw_", 0, "hardware prefetch into L2") \
	G(channel, "memory_", 0, "main memory") \
	G(dram, "dram_", COUNTER_NEEDS_DRAM, "banks and rows of main memory") \
	G(wrong_lines, "wrong_", COUNTER_NEEDS_WRONG_PATH, "accesses of wrong paths, and what they do to caches") \
	G(itlb, "itlb_", 0, "translation of instruction addresses") \
	G(dtlb, "dtlb_", 0, "translation of data addresses") \
	G(transfer, "transfer_", COUNTER_NEEDS_ARRAY, "transfers between memory and SBM")
#define BRANCH_GROUPS(G) G(branch, "", 0, NULL) /* with derived figures */

#define GROUP_ID(name, prefix, needs, doc) GROUP_##name,
enum { CORE_GROUPS(GROUP_ID) };
enum { MEMORY_GROUPS(GROUP_ID) };
enum { BRANCH_GROUPS(GROUP_ID) };
#undef GROUP_ID

#define GROUP_ROW(name, prefix, needs, doc) {#name, prefix, doc, needs},
static const struct counter_group core_groups[] = {CORE_GROUPS(GROUP_ROW)};
static const struct counter_group memory_groups[] = {MEMORY_GROUPS(GROUP_ROW)};
static const struct counter_group branch_groups[] = {BRANCH_GROUPS(GROUP_ROW)};
#undef GROUP_ROW

#define S(group, name, unit, doc) {GROUP_##group, #name, unit, doc},
static const struct counter_row core_rows[] = {
#include "../core/stats.def"
};
static const struct counter_row memory_rows[] = {
#include "../memory/memsys_stats.def"
};
static const struct counter_row branch_rows[] = {
#include "../bpred/bpred_stats.def"
};
#undef S

#define COUNT(rows) (sizeof(rows) / sizeof((rows)[0]))
const struct counter_source counter_sources[COUNTER_SOURCES] = {
	[COUNTERS_CORE] = {"", core_groups, core_rows, COUNT(core_groups), COUNT(core_rows)},
	[COUNTERS_MEMORY] = {"memory.", memory_groups, memory_rows, COUNT(memory_groups), COUNT(memory_rows)},
	[COUNTERS_BRANCH] = {"", branch_groups, branch_rows, COUNT(branch_groups), COUNT(branch_rows)},
};

bool counter_group_used(const struct counter_group *g, const struct core_config *cfg)
{
	return !(g->needs & COUNTER_NEEDS_ARRAY && !cfg->simd.pes) &&
	       !(g->needs & COUNTER_NEEDS_CORES && cfg->chip.cores < 2) &&
	       !(g->needs & COUNTER_NEEDS_VICTIMS && !cfg->l1d.victim_lines) &&
	       !(g->needs & COUNTER_NEEDS_WRONG_PATH && !core_has_wrong_paths(cfg)) &&
	       !(g->needs & COUNTER_NEEDS_WAYS && !core_predicts_ways(cfg)) &&
	       !(g->needs & COUNTER_NEEDS_L3 && !cfg->l3.size) &&
	       !(g->needs & COUNTER_NEEDS_DRAM && cfg->memory.kind != MEMORY_DRAM);
}

const char *counter_name(const struct counter_source *s, size_t n)
{
	return s->row[n].name + strlen(s->group[s->row[n].group].prefix);
}

void counter_whole_name(const struct counter_source *s, size_t n, char text[COUNTER_NAME])
{
	snprintf(text, COUNTER_NAME, "%s%s.%s", s->within, s->group[s->row[n].group].name, counter_name(s, n));
}

struct counter_values counter_values(const struct core_stats *s, const struct memsys_stats *m,
				     const struct bpred_stats *b)
{
	return (struct counter_values){
		{[COUNTERS_CORE] = (const uint64_t *)s,
		 [COUNTERS_MEMORY] = (const uint64_t *)m,
		 [COUNTERS_BRANCH] = (const uint64_t *)b},
	};
}

bool counter_next(const struct core_config *cfg, unsigned *source, size_t *n)
{
	for (++*n; *source < COUNTER_SOURCES; ++*source, *n = 0) {
		const struct counter_source *s = &counter_sources[*source];

		for (; *n < s->count; ++*n) {
			const struct counter_group *g = &s->group[s->row[*n].group];

			if (counter_group_used(g, cfg) && strcmp(g->name, "host") != 0)
				return true;
		}
	}
	return false;
}
