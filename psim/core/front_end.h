/* The front end's part of a core: the feed from the trace, fetch, instruction buffer, decode stages. */
#ifndef PSIM_CORE_FRONT_END_H
#define PSIM_CORE_FRONT_END_H

#include "../base/near.h"
#include "segment_plan.h"
#include "core.h"
#include "uop.h"
#include "warm.h"

/* ---- fetched instructions, in order, until dispatch ---- */
enum fetched_flag {
	FETCHED_MISPREDICT = 1 << 0, /* must be 1: commit adds it up */
	FETCHED_REDIRECT = 1 << 1,   /* the decoder will redirect fetch */
	FETCHED_TRAP_TAKEN = 1 << 2,
};
struct fetched {
	const struct uop *uop;
	uint64_t ea;
	uint64_t flags;
};
struct fetched_times {   /* stage cycles of a queue entry, for the pipe trace */
	uint64_t fetch;  /* IA */
	uint64_t decode; /* E */
};

struct fetch_group {
	uint32_t count;     /* instructions not yet taken by decode */
	uint64_t available; /* cycle in which E may hold them */
	enum stall cause;   /* stall cause while the pipeline waits for the group */
};

enum after_slot { SLOT_GO_ON, SLOT_TAKEN, SLOT_BLOCK };
struct fetch_state {
	uint64_t next; /* earliest cycle of the next IA */
	bool blocked;  /* waits for a mispredicted branch or a decoder redirect */
	uint64_t blocked_since;
	enum stall cause;           /* stall cause while the pipeline waits for the next group */
	enum after_slot after_slot; /* action after the delay slot is fetched */
	uint64_t target_cycle;      /* SLOT_TAKEN: IA of the target */
};

/* ---- the trace, two blocks at a time: the next block's address is the target of a block's last transfer ---- */
struct block_use {               /* the core's data for a static block */
	struct uop *uops, *last; /* NULL until the block is simulated */
	struct warm_block *warm; /* NULL until the block is used for warming */
	struct block_use *older;
};
struct feed_block {
	const struct trace_block *block; /* NULL: none */
	const struct uop *uops, *last;
	const uint64_t *ea; /* the reader's: valid until the block after the next one is read */
	bool outside;       /* used for warming only */
	bool warm_up;       /* as the trace says */
};
struct feed {
	struct trace_reader *reader;
	struct feed_block *now, *next;
	struct feed_block buffer[2];
	const struct uop *uop, *last; /* the next instruction of `now`, and its last one */
	const uint64_t *ea;           /* the next address */
	bool at_end;                  /* no block to fetch: the trace has ended, `now` is outside, or stopped */
	bool stopped;                 /* at one of core_options.stops */
	bool waits;                   /* there, for another thread */
	bool whole;                   /* all of the trace is simulated, in one go */
	const uint64_t *stop;         /* those ahead */
	size_t stop_count;
	uint64_t place;     /* instructions before `now` */
	uint64_t simulated; /* instructions read that are simulated, now or later */
	uint64_t warmed;    /* instructions used for warming so far */
	/* with sampling or segments: */
	struct sample_place sample;
	struct segment_place segment;
	uint64_t counted; /* instructions read, without those that the trace marks as warming */
	/* when only one region is simulated: */
	unsigned depth; /* its nesting depth now */
	bool found;
	struct near near; /* the nearest name, for the message when the trace lacks the region */
	char near_name[TRACE_NAME_MAX];
};

struct front_end {
	struct feed feed;
	struct fetch_state fetch;
	uint32_t block_flags; /* flags of the transfer after which fetch will stop */
	struct fetched *fq;
	struct fetched_times *fq_times; /* NULL without a pipe trace */
	unsigned fq_head, fq_tail, fq_mask;
	struct fetch_group *groups; /* the instruction buffer */
	unsigned group_head, group_mask, group_count;
	unsigned latch[16]; /* instructions in each decode stage, from E to D */
	unsigned latch_sum;
	unsigned last;            /* the stage D: its latch. Constant */
	uint64_t quiet_until;     /* no decode, no fetch before it, unless may_dispatch. Saves work; not in the key */
	bool usual;               /* two decode stages, a window of one word, no pipe trace. Constant */
	unsigned refetch;         /* squashed instructions, the youngest of the fetch queue, that are fetched again */
	uint64_t refetch_next;    /* the next IA of these */
	enum stall decode_cause;  /* cause of the last group that decode took */
	uint64_t *dispatch_stall; /* counter of the reason why dispatch stopped, or NULL */
	uint64_t blocked_need;    /* window resources that D's oldest instruction needs */
	uint64_t blocked_guard;   /* guard bit of the one that is short; 0: it waits for something else */
	const struct uop
		*blocked_uop; /* D's oldest instruction, if its stations are full. Saves attempts; not in the key */
	struct uop window_trap[WINDOW_TRAP_COUNT];
	struct block_use *block_uses; /* list of all, for feed_destroy */
	struct uop **static_uop;      /* by number of the static instruction; as large as the profile */
};

#endif
