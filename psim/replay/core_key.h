/*
 * A core's timing state as canonical words: times are relative to the present cycle, slots to the oldest
 * instruction, and state without effect on later cycles is omitted. Two states with equal keys and equal
 * answers (transcript.h) behave alike, at any time and place of a program.
 *
 * The key omits region marks and the profile, which do not affect timing.
 *
 * core_restore is the inverse: with the addresses of the accesses in flight, which the key omits too, the key is the
 * whole state. A transfer's addresses, its further lines and those in transit but the first are outside
 * (struct transfer_requests). tests/unit/328-core-restore.c verifies it.
 */
#ifndef PSIM_REPLAY_CORE_KEY_H
#define PSIM_REPLAY_CORE_KEY_H

#include <stddef.h>
#include <stdint.h>

#include "../core/transcript.h"

struct core;

struct core_key {
	uint32_t *words;
	size_t count, size; /* in words; count is even */
};

/* Writes the key of `c`, between two cycles. 0, or -1: no memory, or a cycle is 2^32 ahead. */
int core_key_make(const struct core *c, struct core_key *k);
void core_key_finish(struct core_key *k);
/*
 * A hash of a small part of the key, without making it: cores with equal keys have equal signatures, and those with
 * different keys seldom have.
 */
uint32_t core_signature(const struct core *c);

/* Addresses of the accesses in flight: of window and fetch queue; of the store buffer; of the prefetch queue. */
struct addresses {
	struct address_queue window, stores, prefetches;
	/* with an array: of the PEs' store buffer; the number of the oldest transfer that has not ended */
	struct address_queue sbm_stores;
	uint64_t transfer;
};
/* Gives `c` the state of the key in its present cycle. Events of the trace, memory and counters are not changed. */
void core_restore(struct core *c, const uint32_t *key, const struct addresses *a);

#endif
