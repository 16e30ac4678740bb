/*
 * Caches, TLBs, memory: answers when an access is done.
 *
 * The core asks for an access in the cycle in which it reaches the cache, and
 * gets the cycle in which its data is there. A data access that has no
 * translation yet, or needs a miss buffer of L1D and finds none, is refused: it
 * reserves nothing, and learns the cycle in which it may ask again. So requests
 * enter L2 in the order of time, and wait where they wait. For one that is
 * accepted every resource on the way (miss buffer, L2 port, memory channel) is
 * reserved at once for the time it will be used. The hierarchy needs no clock of
 * its own, skipped cycles cost nothing, and results do not depend on them. Calls
 * must come with non-decreasing `now`.
 *
 * Model: set-associative, LRU, write-back, write-allocate L1I, L1D; L2
 * inclusive of both; lines in flight merge later requests; dirty victims take
 * bandwidth on their way down. Addresses are the guest's virtual ones (a
 * trace has no physical ones): see docs/psim.md.
 *
 * Times, exactly (tests/unit/304-memsys.c has a test for each):
 *   translation   known at t = now where the micro-TLB has the page; at
 *                 now + tlb.main_latency where the main TLB has it; else
 *                 tlb.walk_latency later, one reload at a time in each TLB. An
 *                 access to a page on its way waits for that one. A data access
 *                 is refused until t; a fetch goes on from there.
 *   L1 hit        ready = t.
 *   L1 miss       takes a miss buffer at t1 = t, and keeps it until the line is at
 *                 L1. Without a free one a data access is refused until the first
 *                 is free; a fetch waits for it (t1 > t).
 *   L2 hit        the line takes the channel between L2 and L1 at l2.bandwidth
 *                 from s >= t1, is at L1 in cycle s + l2.latency, and
 *                 ready = s + l2.latency + l1d.fill_latency (L1I: no such term).
 *   L2 miss       has an L2 miss buffer at t2 >= t1, keeps it until the line is
 *                 at L2; takes the memory channel at memory.bandwidth
 *                 from s2 >= t2; is at L2 in cycle s2 + memory.latency, and goes
 *                 on from there as on an L2 hit (t1 = s2 + memory.latency).
 *   merged        the line is on its way: ready = when it is.
 *   write-back    of L1: a line on the channel, right after the one that
 *                 replaces it. Of L2: from the arrival of the new line on it waits in one of
 *                 l2.writeback_buffers until the memory channel is idle; if they are
 *                 all taken when one more comes, the oldest goes, before later reads.
 * Alone, a load that misses L1 has its data l2.latency + fill_latency later, one
 * that misses L2 another memory.latency later. The tags change at the request:
 * a victim is gone, and its set has the new line, from then on.
 */
#ifndef PSIM_CORE_MEMSYS_H
#define PSIM_CORE_MEMSYS_H

#include <stdint.h>

#include "core_config.h"

/*
 * Several cores: each has a memsys of its own (TLBs, L1, stream prefetcher); L2 with its
 * miss buffers, the channel from L2 to the L1s, and the memory channel are one
 * chip_memory. Calls of all cores together must come with non-decreasing `now`.
 * Programs of different cores share nothing: the number of the core is part of
 * every address, so that equal addresses are different lines. Two cores that run the
 * same program have two copies of it; sharing between them is not modelled.
 */
struct memsys;
struct chip_memory;

enum { CHIP_CORES_LOG2 = 6, CHIP_CORES_MAX = 1 << CHIP_CORES_LOG2 };

/* Where an access was answered; for the cycle stack and the statistics. */
enum mem_level { MEM_L1, MEM_L2, MEM_MEMORY, MEM_LEVEL_COUNT };

/* Why an access was not accepted. */
enum mem_refusal {
	MEM_ACCEPTED,
	MEM_NO_PAGE,   /* its translation is on its way: ask again in cycle `ready`, MEM_TRANSLATED */
	MEM_NO_BUFFER, /* ask again in cycle `ready`, in which the first miss buffer is free */
};

struct mem_answer {
	uint64_t ready;       /* cycle in which the data is at the core's side of L1 (hit: now) */
	enum mem_level level; /* the farthest level on the way; a merged miss has that of its line */
	uint8_t refused;      /* enum mem_refusal; if so, nothing but `ready` counts */
	bool hit;             /* L1 hit and translation at once: the pipelined case */
	bool tlb_bound;       /* of a fetch: translation took at least as long as what came after it, and not nothing */
};

/* What a requester that asks again knows of its access. */
enum mem_known {
	MEM_TRANSLATED = 1, /* its page: it has waited for the translation, and keeps it */
	MEM_ASKED = 2,      /* of a store: it is the one that had its line brought ahead */
};

struct memsys_stats {
#define S(group, name, unit, doc) uint64_t name;
#include "memsys_stats.def"
#undef S
};

/* NULL and `e` where memory is short. `cfg` must outlive it. */
struct chip_memory *chip_memory_create(const struct core_config *cfg, struct err *e);
void chip_memory_destroy(struct chip_memory *chip); /* NULL is allowed; after the cores on it */

/* For a core on `chip` (CHIP_CORES_MAX at most), which must outlive it; NULL: on one of its own. */
struct memsys *memsys_create(const struct core_config *cfg, struct chip_memory *chip, struct err *e);
void memsys_destroy(struct memsys *m);

/* Instruction fetch of the group at `address`; a group lies in one line. */
struct mem_answer memsys_fetch(struct memsys *m, uint64_t now, uint64_t address);
/* A load, or the read of an atomic, at its Ps stage. */
struct mem_answer memsys_load(struct memsys *m, uint64_t now, uint64_t address, unsigned size);
/* The same load, which was refused, asks again; `known`: flags of enum mem_known. */
struct mem_answer memsys_load_again(struct memsys *m, uint64_t now, uint64_t address, unsigned size, unsigned known);
/*
 * A committed store leaves the store buffer: ready = when its line accepts it
 * (a hit: now). Translates like a load, unless that is done.
 */
struct mem_answer memsys_store(struct memsys *m, uint64_t now, uint64_t address, unsigned size, unsigned known);
/*
 * A store's address is known: asks for its line ahead of the write. Accepted: the line
 * is there or on its way; `hit` if it was so before.
 */
struct mem_answer memsys_store_ahead(struct memsys *m, uint64_t now, uint64_t address, unsigned known);
/*
 * A software prefetch into L1D: nobody waits for it, but it may be refused like a load, and
 * ask again. Dropped if neither TLB has its page, unless it is `strong`: on UltraSPARC a
 * PREFETCH that misses the TLB is a NOP (UltraSPARC User's Manual, 5.3.5.1), and SPARC64 V
 * is taken to do the same; the strong ones of JPS1 translate like a load. Whether it is for reads
 * or writes makes no difference, as cores share no lines.
 */
struct mem_answer memsys_prefetch(struct memsys *m, uint64_t now, uint64_t address, bool strong, unsigned known);
/*
 * A line between memory and SBM, whose `address` is its first byte; the request
 * leaves at `earliest` >= now. A line that L2 has is read there, after L1D wrote
 * it back if it is newer, over the channel between L2 and L1. One that is written
 * leaves L2 and L1; where it is dirty there, and not written `whole`, L2 writes it
 * to memory first.
 */
struct mem_line {
	uint64_t arrival; /* at the other end */
	uint64_t next;    /* cycle from which the next line can be asked for */
};
struct mem_line memsys_transfer(struct memsys *m, uint64_t now, uint64_t earliest, uint64_t address, bool write,
				bool whole);
/*
 * Functional warming (warm.h): what a fetch of a line, a load or store, a software prefetch, and a line of a
 * transfer leave in TLBs, caches and stream prefetcher. Takes no time, counts nothing, needs no `now`.
 */
void memsys_warm_fetch(struct memsys *m, uint64_t address);
void memsys_warm_data(struct memsys *m, uint64_t address, bool write);
void memsys_warm_prefetch(struct memsys *m, uint64_t address);
void memsys_warm_transfer(struct memsys *m, uint64_t address, bool write);

/*
 * Do two accesses of one cycle conflict in L1D's banks? Same bank, different word
 * of that bank. (Same word is one read for both.) Sizes are at least 1.
 */
bool memsys_bank_conflict(const struct memsys *m, uint64_t a, unsigned a_size, uint64_t b, unsigned b_size);

/* What was counted so far; owned by `m`, and counts on. */
const struct memsys_stats *memsys_stats(const struct memsys *m);

/*
 * Miss buffers in use or reserved, summed over the cycles before `now`, which is not before any call's. L2's are the
 * chip's.
 */
struct mem_buffers {
	uint64_t l1i, l1d, l2;
};
void memsys_buffers(const struct memsys *m, uint64_t now, struct mem_buffers *out);

/*
 * Does what must always hold hold: every line of L1 in L2, no line twice, order
 * of reservations, counts of one level and the next? Looks at every line. 0, or -1 with `e`.
 */
int memsys_check(const struct memsys *m, struct err *e);

#endif
