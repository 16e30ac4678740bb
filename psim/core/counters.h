/* A core counts: statistics, profile, cycle stack, regions, segments. */
#ifndef PSIM_CORE_COUNTERS_H
#define PSIM_CORE_COUNTERS_H

#include "core.h"
#include "uop.h"

struct region_track {
	struct core_region r;
	struct core_stats at_entry;
	struct memsys_stats memory_at_entry;
	struct bpred_stats branch_at_entry;
};
struct region_mark { /* a mark that has been read but not committed, in program order */
	uint32_t region;
	bool begin;
	uint64_t seq;   /* the instruction that follows it */
	uint64_t place; /* instructions of the trace before it; those that warm up alone are none */
};

#define REGION_UNIT UINT32_MAX          /* the region of marks around a unit of the sample */
#define REGION_SECTION (UINT32_MAX - 1) /* of marks behind a critical section */
#define REGION_SEGMENT (UINT32_MAX - 2) /* of marks at sync points of segments */
struct units {
	struct core_region head, rest; /* sums over the head, and over the units behind it */
	struct region_track now;       /* at the begin of the present one */
	struct sample_counts begin;
	uint64_t first; /* of the present unit */
	struct sample_counts warmed,
		begin_warmed;       /* counts of warming at the begin of the present unit, and of the last */
	struct sample_counts *list; /* the head, then the units; one is free for each one begun */
	struct core_region *each;   /* the counts of each, as many, if they are kept; else NULL */
	uint64_t count, size;
};

/* Counts, of which the energy model's view is made. */
struct counts {
	const struct core_config *cfg;
	bool array; /* the program uses the SIMD array */
	struct core_stats stats;
	struct memsys_stats memory;
	struct bpred_stats branch;
};

struct segment_counts {             /* with core_options.segments */
	struct counts before;       /* at the last record: */
	uint64_t *profile;          /* commits and lost slots of `profile_count` instructions */
	struct core_detail *detail; /* with core_options.details, those of as many */
	uint32_t profile_count;
	uint64_t warmed; /* instructions warmed up */
	uint64_t *words; /* the record, segments.h */
	size_t count;
	bool made;     /* it has not been taken */
	uint64_t *row; /* the last row over time */
};

/* Statistics, and counts of static instructions. */
struct counters {
	struct core_stats stats;
	uint32_t static_count, static_size;
	struct core_profile *profile;
	struct core_detail *detail; /* as large; NULL without the option */
	/* lanes of 16 bits, added to the statistics before they can overflow */
	uint64_t dispatch_lanes, commit_lanes;
	unsigned lane_insns; /* instructions dispatched since then */
	bool each;           /* each instruction is counted on its own: a pipe trace, details, wrong paths */
	uint64_t next_interval;
	uint64_t first_position; /* the trace's position at core_create */
};

/* State of the cycle stack between cycles. */
struct cycle_stack {
	unsigned committed;      /* instructions committed in this cycle */
	uint64_t last_commit;    /* cycle of the last commit */
	enum stall refill_cause; /* why the pipeline was emptied: the cause of empty slots before refill_until */
	uint64_t refill_until;
	uint64_t stalls_until; /* stalls of dispatch have been counted up to this cycle: cycle_stack_note_stalls */
};

/* Regions of interest, and units of the sample. */
struct regions {
	struct region_track *list;
	unsigned count, size;
	struct region_mark *marks;
	unsigned mark_head, mark_count, mark_size;
	struct units units;
};

#endif
