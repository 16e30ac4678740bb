/* What a core counts: statistics, the cycle stack's causes, profile, use of structures, regions. */
#ifndef PSIM_CORE_ACCOUNTS_H
#define PSIM_CORE_ACCOUNTS_H

#include "core.h"
#include "uop.h"

struct region_track {
	struct core_region r;
	struct core_stats at_entry;
	struct activity activity_at_entry;
};
struct region_mark { /* between feed and commit, in program order */
	uint32_t region;
	bool begin;
	uint64_t seq; /* the instruction that it stands before */
};

struct accounts {
	struct core_stats stats;
	unsigned committed;      /* instructions, in this cycle */
	uint64_t last_commit;    /* cycle of it */
	enum stall refill_cause; /* what emptied the pipeline, and until when that is why slots are empty */
	uint64_t refill_until;
	uint32_t static_count, static_size;
	struct core_profile *profile;
	/* lanes of 16 bits, added to the statistics before they can overflow */
	uint64_t dispatch_lanes, commit_lanes;
	unsigned lane_insns; /* dispatched since */
	/* and use of the window and of the stations: */
	uint64_t near_sum[1 + RS_WORDS];       /* words summed as they are, over `near_cycles`: window, stations */
	unsigned near_cycles, near_limit;      /* a lane overflows after near_limit */
	struct lane_sum far_sum[1 + RS_WORDS]; /* in wider lanes, over `far_cycles` before those */
	uint64_t far_cycles;
	uint64_t next_interval;
	uint64_t first_position; /* of the trace, when the core was made */
	struct region_track *regions;
	unsigned region_count, region_size;
	struct region_mark *marks;
	unsigned mark_head, mark_count, mark_size;
};

#endif
