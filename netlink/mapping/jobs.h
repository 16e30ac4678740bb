/* Independent jobs on several threads: their results must not depend on the number of threads. */
#ifndef PSIM_NETLINK_MAPPING_JOBS_H
#define PSIM_NETLINK_MAPPING_JOBS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "../../psim/base/err.h"

/* Progress of a search, and its early end. Shared by its threads. */
struct jobs_watch {
	bool (*going)(void *user,
		      uint64_t done); /* called at intervals by the caller's thread, false: stop; may be NULL */
	void *user;
	bool alone;       /* jobs run on the caller's thread; set by jobs_run */
	atomic_bool stop; /* jobs end early with their present result */
	atomic_uint_fast64_t done;
};

/*
 * Calls job(user, 0 … count-1, e) on up to `threads` threads (1: the caller's), started in this
 * order but concurrent. Jobs not started when watch->stop is set are skipped, except job 0. 0, or
 * -1 with the error of the lowest job that failed.
 */
int jobs_run(unsigned count, unsigned threads, int (*job)(void *user, unsigned index, struct err *e), void *user,
	     struct jobs_watch *watch, struct err *e);

/* Jobs call this at intervals; it counts their work as done. False: end early. */
bool jobs_step(struct jobs_watch *watch, uint64_t more);

#endif
