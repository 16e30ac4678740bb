/* Independent pieces of work, done by several threads: their results must not depend on how many. */
#ifndef PSIM_NETLINK_MAPPING_JOBS_H
#define PSIM_NETLINK_MAPPING_JOBS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "../../psim/base/err.h"

/* How a search is watched and ended early. Shared by its threads. */
struct jobs_watch {
	bool (*going)(void *user, uint64_t done); /* asked now and then by the caller's thread; NULL */
	void *user;
	bool alone;       /* jobs run on the caller's thread: set by jobs_run */
	atomic_bool stop; /* jobs end early, with what they have */
	atomic_uint_fast64_t done;
};

/*
 * Calls job(user, 0 … count-1, e) on up to `threads` threads (of 1: the caller's), in this order, but
 * not one after the other; what is not begun when watch->stop is set is left out, but for
 * job 0. 0, or -1 with the error of the lowest job that failed.
 */
int jobs_run(unsigned count, unsigned threads, int (*job)(void *user, unsigned index, struct err *e), void *user,
	     struct jobs_watch *watch, struct err *e);

/* Called by jobs now and then: counts work as done. False: end early. */
bool jobs_step(struct jobs_watch *watch, uint64_t more);

#endif
