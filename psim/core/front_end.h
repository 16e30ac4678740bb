/* The front end's part of a core: the feed from the trace, fetch, instruction buffer, decode stages. */
#ifndef PSIM_CORE_FRONT_END_H
#define PSIM_CORE_FRONT_END_H

#include "../base/near.h"
#include "core.h"
#include "uop.h"
#include "warm.h"

enum { EA_MAX = TRACE_ADDRESSES_MAX };

/* ---- fetched instructions, in order, until dispatch ---- */
enum fetched_flag {
	FETCHED_MISPREDICT = 1 << 0, /* commit adds it up as 1 */
	FETCHED_REDIRECT = 1 << 1,   /* the decoder will redirect fetch */
	FETCHED_TRAP_TAKEN = 1 << 2,
};
struct fetched {
	const struct uop *uop;
	uint64_t ea;
	uint64_t flags;
};
struct fetched_times {   /* of a place in the queue, for the view */
	uint64_t fetch;  /* IA */
	uint64_t decode; /* E */
};

struct fetch_group {
	uint32_t count;     /* instructions not yet taken by decode */
	uint64_t available; /* cycle in which E may hold them */
	enum stall cause;   /* why they came no earlier, for an empty pipeline */
};

enum after_slot { SLOT_GO_ON, SLOT_TAKEN, SLOT_BLOCK };
struct fetch_state {
	uint64_t next; /* earliest cycle of the next IA */
	bool blocked;  /* until the mispredicted branch resolves or the decoder redirects */
	uint64_t blocked_since;
	enum stall cause;           /* why the next group comes no earlier */
	enum after_slot after_slot; /* what to do when the delay slot has been fetched */
	uint64_t target_cycle;      /* SLOT_TAKEN: IA of the target */
};

/* ---- the trace, two blocks at a time: the next block shows where a block's last transfer goes ---- */
struct block_use {               /* what the core keeps for a static block */
	struct uop *uops;        /* NULL: not simulated so far */
	struct warm_block *warm; /* NULL: not warmed up with so far */
	struct block_use *older;
};
struct feed_block {
	const struct trace_block *block; /* NULL: none */
	const struct uop *uops;
	bool outside; /* not simulated, but warmed up with */
	uint64_t ea[EA_MAX];
};
struct feed {
	struct trace_reader *reader;
	struct feed_block *now, *next;
	struct feed_block buffer[2];
	uint32_t index, ea_index; /* in `now` */
	bool at_end;              /* of the trace, or of a part that is simulated: `now` lies outside */
	uint64_t simulated;       /* instructions read that are, or will be */
	uint64_t warmed;          /* instructions of blocks outside, up to now */
	/* with a region that alone is simulated: */
	unsigned depth; /* open regions of its name */
	bool found;
	struct near near; /* the name that is most like it */
	char near_name[TRACE_NAME_MAX];
};

struct front_end {
	struct feed feed;
	struct fetch_state fetch;
	uint32_t block_flags; /* flags of the transfer that fetch is about to stop behind */
	struct fetched *fq;
	struct fetched_times *fq_times; /* NULL without a view */
	unsigned fq_head, fq_tail, fq_mask;
	struct fetch_group *groups; /* the instruction buffer */
	unsigned group_head, group_mask, group_count;
	unsigned latch[16]; /* decode stages: instructions held; [0] is E, the last D */
	unsigned latch_sum;
	enum stall decode_cause;  /* cause of the group that decode took last */
	uint64_t *dispatch_stall; /* statistic that a stopped dispatch counts in, or NULL */
	uint64_t blocked_need;    /* what D's oldest needs of the window, and ... */
	uint64_t blocked_guard;   /* the guard bit of what there was too little of; 0: of something else */
	struct uop handler[HANDLER_COUNT];
	struct block_use *block_uses; /* all of them, to free */
};

#endif
