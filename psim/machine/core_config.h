/* The processor model's configuration: one struct from params.def. */
#ifndef PSIM_MACHINE_CORE_CONFIG_H
#define PSIM_MACHINE_CORE_CONFIG_H

#include "../../energy/gating.h"
#include "../base/choice.h"
#include "../base/config/config.h"

#define CONFIG_ROWS "psim/machine/params.def"
#define CONFIG_SECTION(name) name##_params
struct core_config {
#include "../base/config/config_struct.h"
};

/* Choices of parameters. Those of energy.gating are in gating.h. */
#define SHARINGS(C) \
	C(SHARING_THREADS, "threads") \
	C(SHARING_ALL, "all") \
	C(SHARING_NONE, "none")
#define WRONG_PATHS(C) \
	C(WRONG_PATH_NONE, "none") \
	C(WRONG_PATH_FETCH, "fetch") \
	C(WRONG_PATH_LOADS, "loads")
#define BPRED_KINDS(C) \
	C(BPRED_BRHIS, "brhis") \
	C(BPRED_GSHARE, "gshare") \
	C(BPRED_TAGE, "tage") \
	C(BPRED_PERCEPTRON, "perceptron") \
	C(BPRED_NOT_TAKEN, "not_taken") \
	C(BPRED_PERFECT, "perfect")
#define TARGET_KINDS(C) \
	C(TARGETS_LAST, "last") \
	C(TARGETS_CACHE, "target_cache") \
	C(TARGETS_ITTAGE, "ittage")
#define REPLACEMENTS(C) \
	C(REPLACEMENT_LRU, "lru") \
	C(REPLACEMENT_SRRIP, "srrip") \
	C(REPLACEMENT_DRRIP, "drrip") \
	C(REPLACEMENT_PLRU, "plru") \
	C(REPLACEMENT_RANDOM, "random")
#define WAY_PREDICTIONS(C) \
	C(WAYS_ALL, "none") \
	C(WAYS_MRU, "mru")
#define INCLUSIONS(C) \
	C(INCLUSION_ALL, "inclusive") \
	C(INCLUSION_NONE, "exclusive") \
	C(INCLUSION_SOME, "neither")
#define L3_NETWORKS(C) \
	C(L3_CROSSBAR, "crossbar") \
	C(L3_RING, "ring") \
	C(L3_MESH, "mesh")
#define PREFETCHERS(C) \
	C(PREFETCHER_STREAM, "stream") \
	C(PREFETCHER_BEST_OFFSET, "best_offset") \
	C(PREFETCHER_NEXT_LINE, "next_line") \
	C(PREFETCHER_AMPM, "ampm") \
	C(PREFETCHER_STRIDE, "stride")
#define MEMORY_KINDS(C) \
	C(MEMORY_CHANNEL, "channel") \
	C(MEMORY_DRAM, "dram")
#define DRAM_MAPPINGS(C) \
	C(DRAM_ROW_BANK_COLUMN, "row_bank_column") \
	C(DRAM_ROW_COLUMN_BANK, "row_column_bank") \
	C(DRAM_BANK_ROW_COLUMN, "bank_row_column") \
	C(DRAM_PERMUTED, "permuted")
#define DRAM_PAGES(C) \
	C(DRAM_OPEN, "open") \
	C(DRAM_CLOSED, "closed")
#define DRAM_SCHEDULERS(C) \
	C(DRAM_FIRST_READY, "first_ready") \
	C(DRAM_BANKS_IN_TURN, "banks_in_turn")
#define DISAMBIGUATIONS(C) \
	C(DISAMBIGUATION_CONSERVATIVE, "conservative") \
	C(DISAMBIGUATION_WAIT_TABLE, "wait_table") \
	C(DISAMBIGUATION_STORE_SETS, "store_sets") \
	C(DISAMBIGUATION_ORACLE, "oracle")
#define SIMD_DIVIDES(C) \
	C(SIMD_DIVIDE_NONE, "none") \
	C(SIMD_DIVIDE_SHARED, "shared") \
	C(SIMD_DIVIDE_PE, "pe")
enum sharing { SHARINGS(CHOICE_ID) SHARING_COUNT };
enum bpred_choice { BPRED_KINDS(CHOICE_ID) BPRED_KIND_COUNT };
enum target_choice { TARGET_KINDS(CHOICE_ID) TARGET_KIND_COUNT };
enum replacement { REPLACEMENTS(CHOICE_ID) REPLACEMENT_COUNT };
enum way_prediction { WAY_PREDICTIONS(CHOICE_ID) WAY_PREDICTION_COUNT };
enum l3_network { L3_NETWORKS(CHOICE_ID) L3_NETWORK_COUNT };
enum inclusion { INCLUSIONS(CHOICE_ID) INCLUSION_COUNT };
enum wrong_path_choice { WRONG_PATHS(CHOICE_ID) WRONG_PATH_COUNT };
enum prefetcher_choice { PREFETCHERS(CHOICE_ID) PREFETCHER_COUNT };
enum memory_kind { MEMORY_KINDS(CHOICE_ID) MEMORY_KIND_COUNT };
enum dram_mapping { DRAM_MAPPINGS(CHOICE_ID) DRAM_MAPPING_COUNT };
enum dram_page { DRAM_PAGES(CHOICE_ID) DRAM_PAGE_COUNT };
enum dram_scheduler_choice { DRAM_SCHEDULERS(CHOICE_ID) DRAM_SCHEDULER_COUNT };
enum simd_divide { SIMD_DIVIDES(CHOICE_ID) SIMD_DIVIDE_COUNT };
enum disambiguation { DISAMBIGUATIONS(CHOICE_ID) DISAMBIGUATION_COUNT };

/* Adds all sections to `c`, filling `target`, and sets the defaults. */
void core_config_add(struct config *c, struct core_config *target);

/* A delay in whole cycles of the core, rounded up; a bandwidth in bytes per cycle of the core. */
uint64_t core_cycles(const struct core_config *cfg, const struct clocked *delay);
double core_bytes_per_cycle(const struct core_config *cfg, const struct clocked *flow);

/* Returns whether fetch follows wrong paths: a perfect predictor has none. */
static inline bool core_has_wrong_paths(const struct core_config *cfg)
{
	return cfg->fetch.wrong_path != WRONG_PATH_NONE && cfg->bpred.kind != BPRED_PERFECT;
}

/* Returns whether a level-1 cache reads one way first. */
static inline bool core_predicts_ways(const struct core_config *cfg)
{
	return cfg->l1i.way_prediction != WAYS_ALL || cfg->l1d.way_prediction != WAYS_ALL;
}

/* The most bytes a cycle of memory of either kind. */
double core_memory_bytes_per_cycle(const struct core_config *cfg);
/* The cycles of a read from memory that finds its bank closed, and nothing before it. */
uint64_t core_memory_cycles(const struct core_config *cfg);

/*
 * The steps between core `core` and slice `slice` of L3, one way. Core n is at slice n modulo their count. A mesh is as
 * close to a square as the count of slices allows, its rows not shorter than its columns.
 */
unsigned core_l3_steps(const struct l3_params *p, unsigned core, unsigned slice);

/* The conditions under which parameters are read: uses.def. */
extern const struct config_use core_config_uses[];

/* Checks the rules between fields, after all files are read. 0, or -1 with the place of the offending value. */
int core_config_check(const struct config *c, const struct core_config *v, struct err *e);

#endif
