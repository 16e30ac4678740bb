/*
 * The memory system's state and the way between its two halves: memsys.c (what
 * the core calls, TLBs, L1: a core's own) asks memsys_l2.c (L2, memory: the chip's;
 * stream prefetch) for lines. Used by memsys*.c alone.
 *
 * Addresses inside are those of the calls with the core's `space` in them.
 */
#ifndef PSIM_CORE_MEMSYS_STATE_H
#define PSIM_CORE_MEMSYS_STATE_H

#include "cache.h"
#include "channel.h"
#include "memsys.h"
#include "prefetch.h"
#include "tlb.h"

struct level1 {
	struct cache cache;
	struct mshr mshr;
	uint64_t fill_latency;
	bool perfect;
	bool data;
};

/*
 * Dirty lines of L2 on their way to memory: the cycles from which each may go, in order.
 * Some still wait for the line that replaces them; `buffers` of the others have a place
 * of their own, and leave when no read wants the channel. One more, and the oldest goes first.
 */
struct write_backs {
	uint64_t *ready; /* a ring */
	unsigned first, count, mask, buffers;
};

/* What the cores of a chip share: L2, its way to their L1, memory. */
struct chip_memory {
	struct cache l2;
	struct mshr l2_mshr;
	struct channel l2_channel, memory_channel;
	struct write_backs write_backs;
	uint64_t l1i_time, l1d_time; /* a line's on the channel from L2 to L1, in parts of a cycle */
	uint64_t memory_time;        /* and on the memory channel */
	uint64_t memory_latency;     /* in cycles */
	/* the cores on it: L2 is inclusive of the L1 of each */
	struct memsys *core[CHIP_CORES_MAX];
	unsigned cores;
	unsigned prefetch_turn; /* the core whose streams are next for a miss buffer */
};

/* What a core has of its own. */
struct memsys {
	struct tlb itlb, dtlb;
	struct level1 l1i, l1d;
	struct prefetcher prefetcher;
	uint64_t wanted_since;                 /* cycle of the newest access that the prefetcher saw */
	unsigned bank_word_shift, banks_shift; /* log2 of bank_bytes, banks */
	uint64_t space; /* what makes this program's addresses different from all others': exclusive or */
	struct chip_memory *chip;
	bool owns_chip;
	const struct core_config *cfg;
	struct memsys_stats stats;
};

/* What is known of an access on its way through the hierarchy. */
struct request {
	uint64_t now; /* cycle of the call: no later call is earlier */
	uint64_t t;   /* cycle >= now in which it reaches the level at hand */
	uint64_t address;
	bool prefetch; /* nobody waits for it */
};

struct arrival {
	uint64_t at;
	enum mem_level level;
};

/* The cycle in which a request that comes at `t` has a miss buffer. */
static inline uint64_t wait_for_buffer(const struct mshr *m, uint64_t t, uint64_t *waits, uint64_t *wait_cycles)
{
	uint64_t free_at = mshr_free_at(m);

	if (free_at <= t)
		return t;
	++*waits;
	*wait_cycles += free_at - t;
	return free_at;
}

/*
 * A use of a FRESH line by a request that reaches it at r->t: when it is usable,
 * and whether a prefetch brought it that nobody has used yet. It is settled only
 * when it has come by the cycle of the call: another request may reach it earlier
 * than this one.
 */
static inline uint64_t use_fresh(struct cache *c, size_t i, const struct request *r, bool *ret_prefetched)
{
	uint64_t fill = c->fill[i], at = fill_cycle(fill);

	*ret_prefetched = fill_prefetched(fill);
	c->fill[i] = fill_word(at, fill_level(fill), false);
	if (at <= r->now)
		c->tag[i] &= ~(uint64_t)LINE_FRESH;
	return at > r->t ? at : r->t;
}

/*
 * L1 asks for the absent line of `r`, with a miss buffer of its own from r->t on:
 * when the line is at L1, and from where it came. `ret_start`: the cycle in which
 * its transfer starts.
 */
struct arrival l2_read(struct memsys *m, const struct request *r, bool data, uint64_t *ret_start);

/* L1D's dirty line goes to L2, over the channel from `t` on at the earliest. */
void l2_write_back(struct memsys *m, uint64_t now, uint64_t t, uint64_t line);

/* Adds core `m` to the chip, and returns its address space; at most CHIP_CORES_MAX. */
uint64_t chip_memory_join(struct chip_memory *chip, struct memsys *m);

/* The stream prefetcher sees a data access to L2. What it wants is asked for before a later request. */
void l2_stream_prefetch(struct memsys *m, const struct request *r);

#endif
