/*
 * Short windows of the pipeline from all of a run, for pictures of places that are known at its end only, as the
 * hottest loops are. The windows have equal distances in time: when all are full, every other one is dropped and the
 * distance doubles, so the run's length need not be known.
 */
#ifndef PSIM_VIEW_VIEW_SAMPLES_H
#define PSIM_VIEW_VIEW_SAMPLES_H

#include "pipeview_stages.h"

enum { VIEW_SAMPLES = 32, VIEW_SAMPLE_LENGTH = 96 }; /* windows, instructions of each */

/* A committed instruction and its stages. */
struct view_kept {
	struct view_record record; /* `insn` is the core's */
	struct view_stages stages;
};

struct view_samples;

/* NULL and `e` without memory. */
struct view_samples *view_samples_create(struct err *e);
void view_samples_destroy(struct view_samples *s); /* NULL is allowed */

/* Returns whether view_samples_add is due for this committed instruction. */
bool view_samples_want(struct view_samples *s, const struct view_record *r);
void view_samples_add(struct view_samples *s, const struct view_record *r, const struct view_stages *stages);

/*
 * The window with the most instructions in [from, to), of several the one next to the middle of the run. Returns its
 * instructions from the first at `from` on, or if that is not there from the first in [from, to) on, and stores their
 * number; NULL and 0 if no window has one.
 */
const struct view_kept *view_samples_of(const struct view_samples *s, uint64_t from, uint64_t to, unsigned *count);

#endif
