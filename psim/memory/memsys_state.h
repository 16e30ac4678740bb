/*
 * The memory system's state, and the interface between its two halves: memsys.c (public functions,
 * TLBs, L1; private to a core) requests lines from memsys_l2.c (L2, memory, prefetches; shared
 * by the chip). Used by the files of this folder alone; quick_access.h has what others read of it inline.
 *
 * Internal addresses are those of the calls, exclusive-ored with the core's `space`.
 */
#ifndef PSIM_MEMORY_MEMSYS_STATE_H
#define PSIM_MEMORY_MEMSYS_STATE_H

#include "cache_tagged.h"
#include "channel.h"
#include "dram.h"
#include "memsys.h"
#include "prefetch.h"
#include "tlb.h"

struct level1 {
	struct cache cache;
	struct mshr mshr;
	uint64_t fill_latency;
	uint64_t way_latency; /* of a line that is not in the predicted way; 0: all ways are read at once */
	bool perfect;
	bool data;
};

/*
 * Write-backs from L2 to memory: the cycles from which each may start, in order. A write-back is
 * ready when the line that replaces it has arrived. Up to `buffers` ready ones wait for an idle
 * channel; when one more is ready, the oldest is written before later reads.
 */
struct write_backs {
	uint64_t *ready; /* a ring */
	unsigned first, count, mask, buffers;
};

/* The memory that the cores of a chip share: L2, its channel to their L1, main memory. */
struct level3;
struct chip_memory {
	struct cache l2;
	struct mshr l2_mshr;
	struct channel l2_channel, memory_channel;
	struct write_backs write_backs;
	uint64_t l1i_time, l1d_time; /* of a line on the channel from L2 to L1, in parts of a cycle */
	uint64_t memory_time;        /* of a line on the memory channel */
	uint64_t memory_latency;     /* in cycles */
	struct dram *dram;           /* instead of the memory channel; or NULL */
	uint64_t dram_busy_until;    /* up to which cycles with reads under way have been counted */
	/* the cores, for L2 to include the L1 of each */
	struct memsys *core[CHIP_CORES_MAX];
	unsigned cores;
	unsigned prefetch_turn; /* the core whose prefetcher has the first claim to a miss buffer */
	/*
	 * With an L3 each core has a chip_memory of its own for its L2. `shared` is that of all, which has main memory;
	 * both have the L3. NULL without.
	 */
	struct chip_memory *shared;
	struct level3 *l3;
	bool far; /* a miss of L2 goes to memory of banks and rows, or to L3 */
};

/* memory.kind = dram: a line for which L1D holds a miss buffer, as its accesses are refused until its time is known. */
struct held_line {
	uint64_t line, since;
	uint64_t until; /* cycle of the next attempt */
	bool missed;    /* it was not in L2, and is requested from memory for it */
	bool wants;     /* a miss buffer of L2 */
	bool wrong;     /* its first access is on a wrong path */
};

/* The private part of a core. */
struct memsys {
	struct tlb itlb, dtlb;
	struct level1 l1i, l1d;
	struct wrong_lines *wrong; /* wrong_lines.c; NULL without fetch.wrong_path */
	struct cache victims;      /* of L1D: victims.c; without lines if there is no victim cache */
	struct held_line *held;    /* of l1d */
	unsigned held_count;
	unsigned number;                /* in the chip */
	struct dram_counts dram_before; /* which its counters have */
	struct prefetcher prefetcher;
	uint64_t wanted_since;                 /* cycle of the prefetcher's last access */
	unsigned bank_word_shift, banks_shift; /* log2 of bank_bytes, banks */
	uint64_t space;                        /* exclusive-ored with each address, so that programs share no line */
	bool l1_pairs;                         /* both L1s are pairs (cache.h), with lines as long as L2's */
	bool shares;                           /* another core has the same space: memsys_share */
	struct chip_memory *chip;              /* with L2, which is its own if there is an L3 */
	struct chip_memory *owned;             /* the chip's, of a core without others; or NULL */
	const struct core_config *cfg;
	struct memsys_stats stats;
	struct memsys_warmed warmed;
};

/* An access in the hierarchy. */
struct request {
	uint64_t now; /* cycle of the call: no later call is earlier */
	uint64_t t;   /* cycle >= now in which it reaches the present level */
	uint64_t address;
	bool prefetch;
	bool own;    /* to write: no other L1D may keep the line */
	bool missed; /* held_line */
	bool waited; /* it has been refused, as L2 did not have the line yet */
};

struct arrival {
	uint64_t at;
	enum mem_level level;
	bool trigger; /* of the prefetcher: L2 lacked the line, or it is the first use of a prefetched one */
};

/* The cycle in which a request of cycle `t` gets a miss buffer. */
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
 * Uses a FILL_PENDING line by a request that reaches it at r->t. Returns the cycle in which it is usable;
 * *ret_prefetched: this is the first use of a prefetched line. The line stays FILL_PENDING unless it has
 * arrived by the cycle of the call: a later request may reach it earlier than this one.
 */
static inline uint64_t use_pending_fill(struct cache *c, size_t i, const struct request *r, bool *ret_prefetched)
{
	uint64_t fill = c->fill[i], at = fill_cycle(fill);

	*ret_prefetched = fill_prefetched(fill);
	c->fill[i] = fill_word(at, fill_level(fill), false);
	if (at <= r->now)
		c->tag[i] &= ~(uint64_t)LINE_FILL_PENDING;
	return at > r->t ? at : r->t;
}

/* Fills an absent line into L1, with a miss buffer from r->t on; returns the cycle in which it is usable. */
struct arrival l1i_fill(struct memsys *m, const struct request *r);
struct arrival l1d_fill(struct memsys *m, const struct request *r, unsigned flags);

/* Requests the lines that prefetchers want and could have requested before cycle `now`. */
void l2_request_prefetches(struct memsys *m, uint64_t now);

/*
 * The next line that a prefetcher wants and could have requested before cycle `now`: *ret_at is the cycle of that.
 * NULL: none. l2_take_prefetch marks it as requested.
 */
struct memsys *l2_next_prefetch(const struct chip_memory *chip, uint64_t now, uint64_t *ret_at);
uint64_t l2_take_prefetch(struct memsys *m);

/* Inserts a line that L2 lacks, which arrives in cycle `at`; `ahead`: for the prefetcher. */
void l2_insert(struct memsys *m, uint64_t now, uint64_t at, uint64_t address, bool ahead);

/* Makes a cache of these parameters. 0, or -1 where memory is short. */
int l2_init(struct cache *c, const struct l2_params *p);
/* The L2 of one core, in front of the L3 of `shared`; NULL where memory is short. */
struct chip_memory *chip_memory_create_l2(const struct core_config *cfg, struct chip_memory *shared);
/* Removes an L2 line's lines from L1 of core `m`, dirty ones over the channel from cycle `t` on. Was one dirty? */
bool l2_clear_l1(struct memsys *m, uint64_t now, uint64_t t, uint64_t line);
/* Returns what has the main memory of `m`, and the cores of its chip. */
static inline struct chip_memory *memsys_shared(const struct memsys *m)
{
	return m->chip->shared ? m->chip->shared : m->chip;
}
static inline unsigned memsys_cores(const struct memsys *m)
{
	return memsys_shared(m)->cores;
}
/* Reserves the memory channel for a line, not before cycle `t`; returns the cycle in which it starts. */
uint64_t l2_take_memory(struct chip_memory *chip, uint64_t now, uint64_t t);
/* Adds the write-back to memory of a dirty line of core `number`, ready in cycle `ready`. */
void l2_add_write_back(struct chip_memory *chip, uint64_t ready, uint64_t line, unsigned number);

/* ---- memsys_l3.c: an L3 of all cores, with L2s of their own ---- */

/* Makes the L3 of `chip`, which is that of all cores. 0, or -1 where memory is short. */
int l3_create(struct chip_memory *chip, const struct core_config *cfg);
void l3_destroy(struct level3 *l3);
/*
 * Reads the line of `r`, which L2 lacks, into L2, with a miss buffer of that from cycle `t` on. Returns its arrival,
 * and the level that served it. `ahead`: for the prefetcher.
 */
struct arrival l3_read(struct memsys *m, const struct request *r, uint64_t t, bool ahead);
/* memsys_transfer. */
struct mem_line l3_transfer(struct memsys *m, uint64_t now, uint64_t earliest, uint64_t address, bool write,
			    bool whole);
/* Returns whether the L2 of another core that shares lines with `m` has the line. */
bool l3_shared(const struct memsys *m, uint64_t address);
/*
 * coherence_take for a line that L2 of `m` has in cycle `t`: other L2s lose it if `r` owns it, over L3. Returns the
 * cycle in which L2 may go on.
 */
uint64_t l3_own(struct memsys *m, const struct request *r, uint64_t t);

/* ---- l3_directory.c: which L2s may have which lines ---- */

/* Makes the directory of the chip's L3. 0, or -1 where memory is short. */
int l3_directory_create(struct level3 *l3, const struct core_config *cfg);
/*
 * L2 of `m` gets a line: the directory has an entry of it. Returns the line whose entry that displaces, which must
 * leave all L2s; or L3_NO_LINE.
 */
enum { L3_NO_LINE = LINE_FLAGS };
uint64_t l3_directory_enter(struct memsys *m, uint64_t line);
/* An L2 has lost a line: its entry ends if no L2 has the line. */
void l3_directory_leave(struct memsys *m, uint64_t line);
/* NULL, or a line whose entry is wrong, *ret_line, and why. */
const char *l3_directory_check(const struct memsys *m, uint64_t *ret_line);

/* ---- memsys_l3_warm.c, and what it uses of memsys_warm.c ---- */

bool memsys_warm_forget(struct chip_memory *chip, uint64_t tag);

/* L2 of `m` lacks a line, and gets it; returns whether it is dirty. */
bool l3_warm_read(struct memsys *m, uint64_t address);
/* L2 of `m` has evicted a line, which was dirty there or in L1. */
void l3_warm_victim(struct memsys *m, uint64_t line, bool dirty);
/* Other L2s lose a line that `m` writes; or have it clean. */
void l3_warm_take(struct memsys *m, uint64_t address, bool write);
/* memsys_warm_transfer. */
void l3_warm_transfer(struct memsys *m, uint64_t address, bool write);

/* ---- memsys_dram.c: memory.kind = dram ---- */

/* 0, or -1 where memory is short. */
int memsys_dram_create(struct chip_memory *chip, const struct core_config *cfg);
/* Simulates memory and prefetchers up to cycle `now`. */
void memsys_dram_settle(struct chip_memory *chip, uint64_t now);
/*
 * L1D lacks the line of `r`: returns MEM_ACCEPTED if it may be filled now, and L2 has it; else why not, and
 * *ret_until. Requests it from memory.
 */
enum mem_refusal memsys_dram_request(struct memsys *m, struct request *r, uint64_t *ret_until);
/* The miss buffer of L1D for the line of `r` is free from cycle `until` on. Returns: a wrong path requested it. */
bool memsys_dram_filled(struct memsys *m, const struct request *r, uint64_t until);
/* The first cycle in which a miss buffer of L1D may be free. */
uint64_t memsys_dram_buffer_at(const struct memsys *m, uint64_t now);
/* Counts a read that begins in cycle `t`, and one that does not wait any more. */
void memsys_dram_read_begins(struct chip_memory *chip, uint64_t t);
void memsys_dram_read_known(struct memsys *m, uint64_t t, uint64_t arrival);
/* Reads or writes a line at once: for instructions and for SBM. */
struct dram_served memsys_dram_serve(struct memsys *m, uint64_t now, uint64_t t, uint64_t address, bool write);
/* NULL, or what is wrong. */
const char *memsys_dram_check(const struct memsys *m);

/* Adds core `m` to the chip, which has room for CHIP_CORES_MAX; returns its address space. */
uint64_t chip_memory_join(struct chip_memory *chip, struct memsys *m);

/* Writes L1D's dirty line back to L2, over the channel, not before cycle `t`; returns the cycle in which it starts. */
uint64_t l2_write_back(struct memsys *m, uint64_t now, uint64_t t, uint64_t line);

/* ---- victims.c: the victim cache of L1D ---- */

static inline bool has_victims(const struct memsys *m)
{
	return __builtin_expect(m->victims.ways != 0, 0);
}
/*
 * L1D lacks the line of `r`, a load or a store, in a machine with a victim cache. If that has the line, it goes back
 * into L1D with `flags`, and *ret is the answer; else false.
 */
bool victims_take(struct memsys *m, const struct request *r, unsigned flags, struct arrival *ret);
/* The same without time: functional warming. */
bool victims_warm(struct memsys *m, uint64_t address, unsigned flags);
/*
 * Inserts a line into L1D, and the line that it displaces into the victim cache. Returns the tag of the line that
 * leaves that, or 0.
 */
uint64_t victims_insert(struct memsys *m, uint64_t address, unsigned flags, uint64_t fill);

/* Removes a line from L1D or its victim cache; returns its tag, or 0. */
static inline uint64_t l1d_remove(struct memsys *m, uint64_t address)
{
	uint64_t tag = cache_remove(&m->l1d.cache, address);

	return has_victims(m) && !tag ? cache_remove(&m->victims, address) : tag;
}
/* Marks a line of L1D or its victim cache as clean; returns whether it was dirty. */
static inline bool l1d_clean(struct memsys *m, uint64_t address)
{
	return cache_clean(&m->l1d.cache, address) || (has_victims(m) && cache_clean(&m->victims, address));
}
/* Returns whether L1D or its victim cache has a line. */
static inline bool l1d_has(const struct memsys *m, uint64_t address)
{
	return cache_find(&m->l1d.cache, address) != CACHE_ABSENT ||
	       (has_victims(m) && cache_find(&m->victims, address) != CACHE_ABSENT);
}

/* ---- wrong_lines.c: lines that wrong paths brought in and displaced ---- */

enum wrong_level { WRONG_L1I, WRONG_L1D, WRONG_L2, WRONG_LEVELS };
/* 0, or -1 where memory is short. */
int wrong_lines_create(struct memsys *m);
void wrong_lines_destroy(struct memsys *m);
void wrong_lines_digest(const struct memsys *m, struct digest *d);
/* The functions below without their test. */
/* Returns whether accesses are on a wrong path; false without fetch.wrong_path. */
bool wrong_lines_active(const struct memsys *m);
/* Sets that; returns what it was. Without fetch.wrong_path: does nothing. */
bool wrong_lines_switch(struct memsys *m, bool wrong);
/* An access of the other path completes a miss of L1D, and of L2 if `missed`, which counts for the present path. */
void wrong_lines_completed(struct memsys *m, bool missed);
void wrong_lines_filled(struct memsys *m, enum wrong_level level, uint64_t address, uint64_t victim, bool demand);
void wrong_lines_found(struct memsys *m, enum wrong_level level, uint64_t address);
/* The group at `address` has been fetched; these bytes have been loaded, or written. `before`: counts before that. */
void wrong_lines_fetched(struct memsys *m, uint64_t address, const struct memsys_stats *before);
void wrong_lines_loaded(struct memsys *m, uint64_t address, unsigned size, const struct mem_answer *a,
			const struct memsys_stats *before);
void wrong_lines_written(struct memsys *m, uint64_t address, unsigned size, const struct mem_answer *a);

/* A cache has got a line, on `demand` or ahead of it, instead of one with the tag `victim`, or 0. */
static inline void note_filled(struct memsys *m, enum wrong_level level, uint64_t address, uint64_t victim, bool demand)
{
	if (__builtin_expect(m->wrong != NULL, 0))
		wrong_lines_filled(m, level, address, victim, demand);
}
/* An access on demand has found a line. */
static inline void note_found(struct memsys *m, enum wrong_level level, uint64_t address)
{
	if (__builtin_expect(m->wrong != NULL, 0))
		wrong_lines_found(m, level, address);
}

/* ---- coherence.c: cores that share lines ---- */

/* Returns whether another L1D has the line. */
bool coherence_shared(const struct memsys *m, uint64_t address);
/*
 * Takes the line of `r`, which is at L2 in cycle `t`, from other L1Ds: a dirty one goes to L2, and all are invalidated
 * if `r` owns it. Returns the cycle in which L2 may go on.
 */
uint64_t coherence_take(struct memsys *m, const struct request *r, uint64_t t);
/* Makes line `i` of L1D, which other L1Ds share and a miss buffer is free for, m's own; returns the cycle of that. */
uint64_t coherence_upgrade(struct memsys *m, const struct request *r, size_t i);
/* Functional warming: what an access of `m` that misses L1D, or writes a clean line, does to other L1Ds. */
void coherence_warm(struct memsys *m, uint64_t address, bool write);

#endif
