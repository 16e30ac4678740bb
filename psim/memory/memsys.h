/*
 * Caches, TLBs, memory: computes when an access is done.
 *
 * The core requests an access in the cycle in which it reaches the cache, and
 * gets the cycle in which its data is ready. A data access is refused if it has no
 * translation yet, or needs a miss buffer of L1D and none is free: it reserves
 * nothing, and gets the cycle of the next attempt. So requests enter L2 in
 * the order of time. An accepted access reserves every resource on its way (miss
 * buffer, L2 port, memory channel) at once, for the time of its use. The hierarchy
 * has no clock: skipped cycles cost nothing, and do not change results. `now` must
 * not decrease from call to call.
 *
 * Model: set-associative, LRU, write-back, write-allocate L1I, L1D; L2
 * inclusive of both; lines in flight merge later requests; dirty victims take
 * bandwidth on their way down. Addresses are the guest's virtual ones (a
 * trace has no physical ones): see docs/models/memory.md.
 *
 * Times, exactly (tests/unit/304-memsys.c has a test for each):
 *   translation   known at t = now if the micro-TLB has the page; at
 *                 now + tlb.main_latency if the main TLB has it; else
 *                 tlb.walk_latency later, one reload at a time in each TLB. An
 *                 access to a page being reloaded waits for that reload. A data
 *                 access is refused until t; a fetch continues at t.
 *   L1 hit        ready = t; of a load with l1d.way_prediction, l1d.way_latency later if the line is not in the way
 *                 that its set used last.
 *   L1 miss       takes a miss buffer at t1 = t, and keeps it until the line is at
 *                 L1. If none is free, a data access is refused until the first
 *                 is free; a fetch waits for it (t1 > t).
 *   L2 hit        the line takes the channel between L2 and L1 at l2.bandwidth
 *                 from s >= t1, is at L1 in cycle s + l2.latency, and
 *                 ready = s + l2.latency + l1d.fill_latency (L1I: no such term).
 *   L2 miss       has an L2 miss buffer at t2 >= t1, keeps it until the line is
 *                 at L2; takes the memory channel at memory.bandwidth
 *                 from s2 >= t2; is at L2 in cycle s2 + memory.latency, and
 *                 continues as an L2 hit (t1 = s2 + memory.latency).
 *   victim cache  has the line: L1D and it swap, without a miss buffer, and ready = t + l1d.victim_latency, or when the
 *                 line has arrived if it is on its way.
 *   merged        an earlier access requested the line: ready with it.
 *   write-back    from L1: takes the channel right after the line that replaces it.
 *                 From L2: waits in one of l2.writeback_buffers, from the arrival of the
 *                 new line on, until the memory channel is idle. If all are occupied
 *                 when one more arrives, the oldest is written before later reads.
 *   with an L3    each core has an L2. An L2 miss continues at L3 at t2: a hit takes the channel between L3 and L2 at
 *                 l3.bandwidth from s3 >= t2, is at L2 in cycle s3 + l3.latency. A miss has an L3 miss buffer at
 *                 t3 >= t2, until the line is at L3, s2 + memory.latency, and continues as a hit. Lines that L2
 *                 evicts take the channel to L3 from the arrival of the new line on.
 * Alone, a load that misses L1 has its data l2.latency + fill_latency later, one
 * that misses L2 another memory.latency later. The tags change at the request:
 * from then on the set has the new line instead of the victim.
 */
#ifndef PSIM_MEMORY_MEMSYS_H
#define PSIM_MEMORY_MEMSYS_H

#include <stdint.h>

#include "../machine/core_config.h"

/*
 * Several cores: each has a memsys of its own (TLBs, L1, prefetcher); L2 with its
 * miss buffers, the channel from L2 to the L1s, and the memory channel are one
 * chip_memory. Calls of all cores together must come with non-decreasing `now`.
 * Programs of different cores share nothing: the number of the core is part of
 * every address, so that equal addresses are different lines, and two cores that run the
 * same program have two copies of it. Cores that run threads of one program (memsys_share) share
 * their lines, and their L1Ds are coherent (coherence.c), by a directory at L2:
 *   dirty in another L1D   the line leaves that at s >= t, the cycle in which L2 has the request, and not before it
 *                 has arrived there. It takes the channel between L1 and L2, and is at L2 in cycle
 *                 s + coherence.latency; from there the requester's way is that of an L2 hit. A read leaves it clean in
 *                 both L1Ds, a write removes it from the other.
 *   a write of a line that other L1Ds have clean   invalidates them: L2 may give it in cycle t + coherence.latency.
 *   upgrade       a write that hits a clean line which other L1Ds have: takes a miss buffer of L1D at t, and may
 *                 write in cycle t + coherence.latency + l2.latency. No data moves. Later accesses to the line wait
 *                 for it.
 * Lines that are only read cost nothing; nor does a write of a clean line that no other L1D has.
 */
struct memsys;
struct chip_memory;
struct digest;
struct state_walk;

enum { CHIP_CORES_LOG2 = 6, CHIP_CORES_MAX = 1 << CHIP_CORES_LOG2 };

/* The level that served an access; for the cycle stack and the statistics. */
enum mem_level { MEM_L1, MEM_L2, MEM_L3, MEM_MEMORY, MEM_LEVEL_COUNT };

/* Why an access was not accepted. */
enum mem_refusal {
	MEM_ACCEPTED,
	MEM_NO_PAGE,   /* translation pending: repeat it in cycle `ready`, with MEM_TRANSLATED */
	MEM_NO_BUFFER, /* no free miss buffer before cycle `ready`: repeat it then */
	MEM_QUEUED,    /* memory.kind = dram: its line is requested, and not at L2 before `ready`: repeat it then */
};

struct mem_answer {
	uint64_t ready; /* cycle in which the core can use the data (hit: now) */
	/* what else is known, MEM_HOW_BITS bits in these places, so that it is copied as a whole */
	unsigned level : 4;     /* enum mem_level: the farthest level accessed; for a merged miss, that of its line */
	unsigned refused : 4;   /* enum mem_refusal; if refused, only `ready` is valid */
	unsigned hit : 1;       /* L1 hit, translated without delay: the pipelined case */
	unsigned tlb_bound : 1; /* a fetch: translation took time, and no less than the rest */
};
enum { MEM_HIT_AT = 8, MEM_HOW_BITS = 10 };

/* State that a requester passes when it repeats a refused access. */
enum mem_known {
	MEM_TRANSLATED = 1, /* it has waited for its translation, and keeps it */
	MEM_REQUESTED = 2,  /* a store that requested its line ahead of the write */
};

struct memsys_stats {
#define S(group, name, unit, doc) uint64_t name;
#include "memsys_stats.def"
#undef S
};

/* NULL and `e` where memory is short. `cfg` must outlive it. */
struct chip_memory *chip_memory_create(const struct core_config *cfg, struct err *e);
void chip_memory_destroy(struct chip_memory *chip); /* NULL is allowed; after the cores on it */

/*
 * Makes the memory system of one core. `chip` takes CHIP_CORES_MAX cores and must outlive them; NULL: the
 * core has a chip_memory of its own.
 */
struct memsys *memsys_create(const struct core_config *cfg, struct chip_memory *chip, struct err *e);
void memsys_destroy(struct memsys *m);
/* Before the first access: gives `m` the memory of `first` on the same chip: both run threads of one program. */
void memsys_share(struct memsys *m, struct memsys *first);

/* Fetches the group at `address`, which is within one line. */
struct mem_answer memsys_fetch(struct memsys *m, uint64_t now, uint64_t address);
/* Requests a load, or the read of an atomic, at its Ps stage. */
struct mem_answer memsys_load(struct memsys *m, uint64_t now, uint64_t address, unsigned size);
/* Repeats a refused load; `known`: flags of enum mem_known. */
struct mem_answer memsys_load_again(struct memsys *m, uint64_t now, uint64_t address, unsigned size, unsigned known);
/*
 * Writes a committed store from the store buffer: ready = when its line accepts it
 * (a hit: now). Translates as a load does, unless `known` says that it has.
 */
struct mem_answer memsys_store(struct memsys *m, uint64_t now, uint64_t address, unsigned size, unsigned known);
/*
 * Requests the line of a store with a known address ahead of the write. If accepted, the line
 * is present or requested; `hit` if it already was.
 */
struct mem_answer memsys_store_prefetch(struct memsys *m, uint64_t now, uint64_t address, unsigned known);
/*
 * Requests a software prefetch into L1D, which may be refused as a load, and repeated.
 * Dropped if neither TLB has its page, unless it is `strong`: on UltraSPARC a
 * PREFETCH that misses the TLB is a NOP (UltraSPARC User's Manual, 5.3.5.1), and SPARC64 V
 * is assumed to do the same; the strong ones of JPS1 translate as a load does. A prefetch for
 * writes is the same as one for reads.
 */
struct mem_answer memsys_prefetch(struct memsys *m, uint64_t now, uint64_t address, bool strong, unsigned known);
/*
 * Transfers the line at `address` between memory and SBM; the request leaves at
 * `earliest` >= now. A read of a line in L2 takes it from there, over the channel
 * between L2 and L1, after L1D has written back newer data. A write removes the line
 * from L2 and L1; a dirty copy that it does not overwrite as a `whole` is written to
 * memory first.
 */
struct mem_line {
	uint64_t arrival; /* at the other end */
	uint64_t next;    /* first cycle in which the next line can be requested */
};
struct mem_line memsys_transfer(struct memsys *m, uint64_t now, uint64_t earliest, uint64_t address, bool write,
				bool whole);
/* Occupies the memory channel for `cycles` cycles, from its first idle time on, as a refresh does. */
void memsys_occupy(struct memsys *m, uint64_t now, uint64_t cycles);
/*
 * With prefetcher_needs_pc, before each data access: the address of its instruction, 0: of none of the program. It
 * holds until the next call.
 */
void memsys_note_pc(struct memsys *m, uint64_t pc);

/*
 * With fetch.wrong_path: from now on, fetches and loads are on a wrong path, or are not. Each core knows lines that its
 * own wrong paths brought in and displaced, as many of a cache as twice its lines, the last ones.
 */
void memsys_wrong_path(struct memsys *m, bool wrong);

/*
 * Functional warming (warm.h): updates TLBs, caches and prefetcher as these accesses do. Takes no time, counts
 * nothing in memsys_stats, needs no `now`. memsys_warm_fetch: the fetch of the code in `from` ... `end` - 1.
 * memsys_warm_data: `count` loads and stores, `write[n]` those that store; addresses of SBM windows access nothing
 * here. The others: a software prefetch, and a line of a transfer.
 */
void memsys_warm_fetch(struct memsys *m, uint64_t from, uint64_t end);
void memsys_warm_data(struct memsys *m, const uint64_t *address, const bool *write, unsigned count);
void memsys_warm_prefetch(struct memsys *m, uint64_t address);
void memsys_warm_transfer(struct memsys *m, uint64_t address, bool write);

/*
 * What warming found, for estimates: lines that L1 requested from L2, lines read from memory, misses of both data
 * TLBs.
 */
struct memsys_warmed {
	uint64_t lines, reads, walks;
};
void memsys_warmed(const struct memsys *m, struct memsys_warmed *out);

/*
 * Walks over what warming changes, of the only core of its memory: contents of caches and TLBs, what the prefetcher has
 * learned. Without what is under way, which is not in a state that warming alone has made. A machine with wrong paths
 * has more.
 */
void memsys_walk(struct memsys *m, const struct state_walk *w);

/*
 * Do two accesses of one cycle conflict in L1D's banks? They do if they use different words
 * of a bank; one read serves both if they use the same word. Sizes are at least 1.
 */
bool memsys_bank_conflict(const struct memsys *m, uint64_t a, unsigned a_size, uint64_t b, unsigned b_size);

/* Counters so far; owned by `m`, and updated by later calls. */
const struct memsys_stats *memsys_stats(const struct memsys *m);

/* Replaces them. */
void memsys_set_stats(struct memsys *m, const struct memsys_stats *s);

/*
 * Miss buffers in use or reserved, summed over the cycles before `now`, which must not precede any call's. L2's are
 * those of the chip.
 */
struct mem_buffers {
	uint64_t l1i, l1d, l2;
};
void memsys_buffers(const struct memsys *m, uint64_t now, struct mem_buffers *out);

/*
 * Adds to `d` what accesses from cycle `now` on depend on; of a core with an L2 of its own, and memory.kind = channel:
 * two runs have the same phase of refresh by chance alone.
 */
void memsys_digest(struct memsys *m, uint64_t now, struct digest *d);

/*
 * Checks invariants: L2 includes every line of L1, no line is present twice, reservations are in
 * order, counts of neighbouring levels agree. Visits every line. 0, or -1 with `e`.
 */
int memsys_check(const struct memsys *m, struct err *e);

#endif
