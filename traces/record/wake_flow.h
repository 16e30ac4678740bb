/*
 * Internal to recorder.c: has a thread that wakes all others at a futex read what they wrote before they waited?
 *
 * If so, it came after them because it had to: the last one at a barrier, whose count the others have changed. If not,
 * it wakes those that happen to wait, as a broadcast does. What counts are the word that an atomic access of the
 * waiting thread used last, and words that it stored while it had a lock; the lock's own words do not count.
 */
#ifndef PSIM_RECORD_WAKE_FLOW_H
#define PSIM_RECORD_WAKE_FLOW_H

#include <stdbool.h>
#include <stdint.h>

#include "guest.h"

enum { FLOW_STORES = 16 }; /* of a section; of more, the last ones */

struct wake_flow {
	struct {
		uint64_t atomic, store[FLOW_STORES]; /* addresses; 0: none */
		unsigned stores;
		uint64_t seen; /* bit n: has read what the thread at place n wrote */
	} of[GUEST_THREADS];
};

/* The thread at `place` executes an atomic access; or a load or store while it has a lock. */
void wake_flow_atomic(struct wake_flow *f, unsigned place, uint64_t address);
void wake_flow_load(struct wake_flow *f, unsigned place, uint64_t address);
void wake_flow_store(struct wake_flow *f, unsigned place, uint64_t address);

/* The thread at `from` ends the waiting of that at `to`; returns whether it has read what that one wrote. */
bool wake_flow_wakes(struct wake_flow *f, unsigned from, unsigned to);

#endif
