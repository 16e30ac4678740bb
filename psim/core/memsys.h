/*
 * Caches, TLBs, memory: answers when an access is done.
 *
 * The core asks once for each access, at the cycle in which it reaches the
 * cache, and gets the cycle in which its data is there. Every resource on the
 * way (miss buffer, L2 port, memory channel) is reserved at once for the time
 * it will be used, so the hierarchy needs no clock of its own, skipped cycles
 * cost nothing, and results do not depend on them. Calls must come with
 * non-decreasing `now`.
 *
 * Model: set-associative, LRU, write-back, write-allocate L1I, L1D; L2
 * inclusive of both; lines in flight merge later requests; dirty victims take
 * bandwidth on their way down. Addresses are the guest's virtual ones (a
 * trace has no physical ones): see docs/psim.md.
 */
#ifndef PSIM_CORE_MEMSYS_H
#define PSIM_CORE_MEMSYS_H

#include <stdint.h>

#include "config.h"

struct memsys;

/* Where an access was answered; for the cycle stack and the statistics. */
enum mem_level { MEM_L1, MEM_L2, MEM_MEMORY, MEM_LEVEL_COUNT };

struct mem_answer {
	uint64_t ready;       /* cycle in which the data is at the core's side of L1 (hit: now) */
	enum mem_level level; /* the farthest level on the way; a merged miss has that of its line */
	bool hit;             /* L1 hit and translation at once: the pipelined case */
	bool tlb_miss;        /* the micro-TLB missed */
};

struct memsys_stats {
#define S(name, unit, doc) uint64_t name;
#include "memsys_stats.def"
#undef S
};

/* NULL and `e` where memory is short. `cfg` must outlive it. */
struct memsys *memsys_create(const struct core_config *cfg, struct err *e);
void memsys_destroy(struct memsys *m);

/* Instruction fetch of the group at `address`. */
struct mem_answer memsys_fetch(struct memsys *m, uint64_t now, uint64_t address);
/* A load, or the read of an atomic, at its Ps stage. */
struct mem_answer memsys_load(struct memsys *m, uint64_t now, uint64_t address, unsigned size);
/* A committed store leaves the store buffer: ready = when its line accepts it. */
struct mem_answer memsys_store(struct memsys *m, uint64_t now, uint64_t address, unsigned size);
/* A software prefetch: never waits; ignored if no miss buffer is free. */
void memsys_prefetch(struct memsys *m, uint64_t now, uint64_t address, bool write);
/*
 * Do two accesses of one cycle conflict in L1D's banks? Same bank, different word
 * of that bank. (Same word is one read for both.)
 */
bool memsys_bank_conflict(const struct memsys *m, uint64_t a, unsigned a_size, uint64_t b, unsigned b_size);

const struct memsys_stats *memsys_stats(const struct memsys *m);

#endif
