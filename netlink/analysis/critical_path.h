/*
 * The critical path of a run: the chain of computation, calls and messages that ends with the last
 * rank. Its length is the run's time. Shortening work off the path does not shorten the run;
 * shortening work on it does, until another chain is the longest.
 */
#ifndef PSIM_ANALYSIS_PATH_H
#define PSIM_ANALYSIS_PATH_H

#include "record.h"

/* Composition of a part of the path, ps. */
struct path_share {
	int64_t work, overhead, flight;
};

/* A stretch on `rank` if `wait` is 0, else the cause that ended wait number `wait` - 1 of `rank`. */
struct path_step {
	int64_t from, to;
	uint32_t rank, origin; /* origin: rank on which it began; the rank itself in stretches */
	uint32_t wait;
	uint32_t phase;
};

struct path {
	struct path_step *step; /* in order of time; each begins where the previous one ends */
	size_t steps, room;
	uint32_t last; /* rank at its end */
	struct path_share sum;
	struct path_share *rank;  /* of each rank; flights belong to the rank that waited */
	struct path_share *phase; /* of each phase of the record */
	int64_t *site;            /* of each site: computation or flights */
	uint64_t *site_count;
	uint64_t overheads; /* stretches with overhead */
};

/* Returns whether the cause that ended this wait began on its own rank. */
static inline bool path_is_own(const struct record *r, const struct wait_row *w)
{
	uint8_t kind = r->site[w->site].kind;

	return kind == SITE_PHASE || vmpi_cause_is_own((enum vmpi_cause_kind)kind);
}

/*
 * Finds the path that ends with rank `last` at `end`. 0, or -1 with `e`: memory is short, or the
 * rows are inconsistent (a cause after its effect). Call path_finish in any case.
 */
int path_find(struct path *p, const struct record *r, uint32_t last, int64_t end, struct err *e);
void path_finish(struct path *p);

#endif
