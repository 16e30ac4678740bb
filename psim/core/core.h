/*
 * The processor model: a trace in, cycles out.
 *
 * A trace-driven, cycle-accurate model of a SPARC64-V-like out-of-order core:
 * fetch groups and instruction buffer, branch history and return stack, in-order
 * decode and dispatch to reservation stations, oldest-ready select with
 * speculative wake-up of load consumers and their replay, two address pipes
 * with store-to-load forwarding, in-order commit. docs/models/pipeline.md describes it.
 *
 * Ownership: core_create borrows the configuration and the trace reader, which
 * must outlive the core. Two cores can live in one process.
 */
#ifndef PSIM_CORE_CORE_H
#define PSIM_CORE_CORE_H

#include <stdbool.h>
#include <stdint.h>

#include "../../energy/energy.h"
#include "../../traces/trace.h"
#include "../bpred/bpred_stats.h"
#include "segment_plan.h"
#include "../machine/core_config.h"
#include "core_hooks.h"
#include "../memory/memsys.h"
#include "sample_plan.h"
#include "stall.h"

/* Structures whose use is summed (level.def). */
enum level {
#define L(name, label, entries, doc) LEVEL_##name,
#include "level.def"
#undef L
	LEVEL_COUNT
};

/* Classes of instructions in the counters: enum insn_class, then the same for SIMD instructions. */
enum { CORE_CLASSES = 2 * CLASS_COUNT };

struct core_stats {
#define S(group, name, unit, doc) uint64_t name;
#include "stats.def"
#undef S
	uint64_t occupancy[LEVEL_COUNT];       /* entries in use, summed over cycles */
	uint64_t lost[STALL_COUNT];            /* empty commit slots by cause */
	uint64_t committed[CORE_CLASSES];      /* program instructions by class */
	uint64_t selected_class[CORE_CLASSES]; /* selections by class, replays and trap handlers included */
};

struct core;
struct pipe_trace;
struct bpred;
struct memsys;

struct core_options {
	struct chip_memory *memory; /* L2 and memory shared with other cores (chip.h); NULL: private. Borrowed */
	/*
	 * Simulates only this region; NULL: the whole trace. Borrowed. The rest of the trace, like the parts that a
	 * trace marks as warming, warms caches, TLBs and branch prediction functionally (warm.h).
	 */
	const char *region;
	/*
	 * Simulates the parts of this plan alone; NULL: all. Borrowed. Excludes `region`; regions are not counted
	 * then.
	 */
	const struct sample_plan *sample;
	/*
	 * With `sample`, whose units are chosen, and a trace of what is simulated alone: sets the state before each
	 * part of that, instead of warming up, and *counted, the instructions of the whole trace before it
	 * (warm_states.h). 0, or -1 with `e`. NULL: none.
	 */
	int (*enter)(void *user, struct memsys *m, struct bpred *b, uint64_t *counted, struct err *e);
	void *enter_user;
	/* Simulates a segment in each of several processes: segments.h; NULL: all. Borrowed. Excludes `sample`. */
	const struct segment_plan *segments;
	/* Called after each million warming instructions with their number; false ends the run. May be NULL. */
	bool (*on_warm)(void *user, uint64_t instructions);
	void *warm_user;
	/*
	 * Ascending positions in the trace, `stop_count`. Where fetch reaches one, `gate` returns whether it goes on;
	 * else the core stops there, with an empty pipeline and store buffer, until chip.c lets it go on. With *marks,
	 * `section_left` is called when what is before the position has committed; true ends the core's turn, since
	 * another core may have become the next one. Borrowed.
	 */
	const uint64_t *stops;
	size_t stop_count;
	bool (*gate)(void *user, unsigned core, uint64_t position, bool *marks);
	bool (*section_left)(void *user, unsigned core, uint64_t now);
	void *gate_user;
	unsigned number; /* of the core */
	/* The rooms above the core that it calls; NULL: none. Borrowed */
	const struct core_hooks *hooks;
	bool details; /* counts core_detail of each instruction; simulates all in detail (no memo) */
	bool check;   /* verify invariants each cycle, and that commit order equals the trace */
	bool no_skip; /* simulate every cycle one by one (results are the same) */
	/*
	 * Bytes for memoised transitions (hooks->replay); 0: every cycle is simulated in detail. Results are the same.
	 * Ignored with `check`, `no_skip`, `pipe_trace` and `details`, and with more than 255 transfers of an array.
	 */
	uint64_t memo_bytes;
	uint64_t memo_check;           /* each such known transition is simulated too and compared; 0: none */
	struct pipe_trace *pipe_trace; /* records the pipeline's stages; may be NULL. Borrowed */
	/* Called each `interval` cycles (0: never) with the counts so far; may be NULL. */
	uint64_t interval;
	void (*on_interval)(void *user, const struct core *c);
	void *user;
};

/* NULL and `e` if memory is short or the trace is damaged at its start. */
struct core *core_create(const struct core_config *cfg, struct trace_reader *trace, const struct core_options *options,
			 struct err *e);
void core_destroy(struct core *c); /* NULL is allowed */

/*
 * Checks that the machine has the array that a trace was recorded with: `pes` PEs of `sbm_bytes` each.
 * A trace with 0 PEs runs on every machine. 0, or -1 with `e` (STATUS_USAGE). core_create checks it too.
 */
int core_check_array(const struct core_config *cfg, unsigned pes, uint32_t sbm_bytes, struct err *e);

/*
 * Runs until `limit` more cycles have passed or the trace has ended and the
 * pipeline is empty. Returns 1 if there is more to do, 0 at the end, < 0 with
 * `e` where the trace is damaged or the core made no progress (STATUS_STUCK,
 * with the state of the pipeline's head in the message).
 */
int core_run(struct core *c, uint64_t limit, struct err *e);

/* The part of the machine that forbids replay, which has at most `most_transfers`. */
enum replay_bar { REPLAY_BAR_NONE, REPLAY_BAR_TRANSFERS, REPLAY_BAR_GATED, REPLAY_BAR_STRIDE, REPLAY_BAR_WRONG_PATH };
enum replay_bar core_replay_bar(const struct core_config *cfg, unsigned most_transfers);

/* Instructions so far that were used for functional warming only. */
uint64_t core_warmed(const struct core *c);

/* Counters so far; valid until core_destroy. */
const struct core_stats *core_stats(const struct core *c);
/* Size of a structure in entries; 0: the machine has no such structure. */
uint64_t core_level_entries(const struct core_config *cfg, enum level level);
const struct memsys_stats *core_memsys_stats(const struct core *c);
const struct bpred_stats *core_bpred_stats(const struct core *c);
/* As memsys_buffers. No core of the chip may have passed cycle `now`. */
void core_memsys_buffers(const struct core *c, uint64_t now, struct mem_buffers *out);

/* The energy model's view: dimensions of this core, and counts so far. */
void core_energy_machine(const struct core_config *cfg, struct energy_machine *out);
void core_activity(const struct core *c, struct activity *out);

/* Regions of interest entered so far, in order of first appearance. */
struct core_region {
	const char *name;
	uint64_t entries;        /* times entered */
	unsigned depth;          /* nesting now; a region is counted from its outermost entry */
	struct core_stats stats; /* sums over all entries */
	struct memsys_stats memory;
	struct bpred_stats branch;
	struct activity activity; /* of these */
};
unsigned core_region_count(const struct core *c);
/* Copies region `n`. An open entry is counted up to the present cycle. */
void core_region(const struct core *c, unsigned n, struct core_region *out);

/* A sample's measurements. Instructions of parts that the trace marks as warming are not part of it. */
struct core_sample {
	const struct sample_counts *unit;      /* the head, then the units; valid until the next core_run */
	uint64_t count;                        /* with the head */
	struct sample_counts whole;            /* of the trace, without cycles */
	uint64_t simulated;                    /* instructions simulated */
	const struct core_region *head, *rest; /* sums over the head, and over the units */
	const struct core_region *each;        /* counts of each, if the plan keeps them; chosen units have no head */
};
void core_sample(const struct core *c, struct core_sample *out);

/*
 * The profile: static instructions in the order of first appearance, each with its number of
 * commits and the empty commit slots charged to it while it was the oldest.
 */
struct core_profile {
	uint64_t pc, committed, lost;
	const struct insn *insn;
};
uint32_t core_profile_count(const struct core *c);
void core_profile(const struct core *c, uint32_t n, struct core_profile *out);

/* More of a static instruction, in a core with the option `details`. */
enum { CORE_DETAIL_LEVELS = 4 }; /* L1D, L2, memory, L3 */
struct core_detail {
	uint64_t lost[STALL_COUNT];         /* core_profile's lost slots by cause */
	uint64_t latency, timed;            /* cycles from selection to that of a consumer at the earliest; how often */
	uint64_t level[CORE_DETAIL_LEVELS]; /* loads by the level that served them; forwarded ones are in the first */
	uint64_t mispredicted;              /* control transfers, times */
};
/* Counts of instruction `n`; NULL without the option. Valid until the next core_run. */
const struct core_detail *core_detail(const struct core *c, uint32_t n);

#endif
