/*
 * The memory system's state and the way between its two halves: memsys.c (what
 * the core calls, TLBs, L1) asks memsys_l2.c (L2, memory, stream prefetch) for
 * lines. Used by memsys*.c alone.
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

struct memsys {
	struct tlb itlb, dtlb;
	struct level1 l1i, l1d;
	struct cache l2;
	struct mshr l2_mshr;
	struct channel l2_channel, memory_channel;
	struct prefetcher prefetcher;
	unsigned bank_word_shift, banks_shift; /* log2 of bank_bytes, banks */
	const struct core_config *cfg;
	struct memsys_stats stats;
};

/* What is known of an access on its way through the hierarchy. */
struct request {
	uint64_t now;     /* cycle of the call: no later call is earlier */
	uint64_t t;       /* cycle >= now in which it reaches the level at hand */
	uint64_t address;
	bool prefetch;    /* nobody waits for it */
};

struct arrival {
	uint64_t at;
	enum mem_level level;
};

/* The cycle in which a request that comes at `t` has a miss buffer. */
static inline uint64_t wait_for_buffer(const struct mshr *m, uint64_t t,
                                       uint64_t *waits, uint64_t *wait_cycles)
{
	uint64_t free_at = mshr_free_at(m);

	if (free_at <= t)
		return t;
	++*waits;
	*wait_cycles += free_at - t;
	return free_at;
}

/* First use of a FRESH line at `t`: returns when it is usable, says whether a prefetch brought it. */
static inline uint64_t use_fresh(struct cache *c, size_t i, uint64_t t, bool *ret_prefetched)
{
	uint64_t fill = c->fill[i];

	*ret_prefetched = fill_prefetched(fill);
	c->fill[i] = fill_word(fill_cycle(fill), fill_level(fill), false);
	if (fill_cycle(fill) > t)
		return fill_cycle(fill);
	c->tag[i] &= ~(uint64_t)LINE_FRESH;
	return t;
}

/*
 * L1 asks for the absent line of `r`, with a miss buffer of its own from r->t on:
 * when the line is at L1, and from where it came. `ret_start`: the cycle in which
 * its transfer starts.
 */
struct arrival l2_read(struct memsys *m, const struct request *r, bool data, uint64_t *ret_start);

/* L1D's dirty line goes to L2, over the channel from `t` on at the earliest. */
void l2_write_back(struct memsys *m, uint64_t now, uint64_t t, uint64_t line);

/* The stream prefetcher sees a data access to L2, and fetches what it wants within the page. */
void l2_stream_prefetch(struct memsys *m, const struct request *r);

#endif
