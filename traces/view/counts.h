/*
 * Executions of each static block, from which the instruction mix and the functions follow.
 * Each run updates one counter; the rest is computed at the end.
 */
#ifndef PSIM_TRACES_VIEW_COUNTS_H
#define PSIM_TRACES_VIEW_COUNTS_H

#include "../../psim/base/report/report.h"
#include "../../psim/base/vec.h"
#include "../trace.h"

struct block_count {
	const struct trace_block *block; /* NULL if not seen */
	uint64_t runs;
	uint64_t branch_pc; /* of a conditional branch at its end, or 0 */
};

struct counts {
	struct vec_of(struct block_count) blocks; /* by id */
	uint64_t insns, runs;
	uint64_t conditional, taken; /* branches whose outcome is known */
	uint64_t pending_pc;         /* conditional branch whose outcome the next run determines, or 0 */
};

/* Initialize with {0}; counts_finish frees. */
int counts_add(struct counts *c, const struct trace_block *block, struct err *e);
void counts_finish(struct counts *c);

/* Notes that the next run does not follow the last one (a part was skipped). */
static inline void counts_gap(struct counts *c)
{
	c->pending_pc = 0;
}

/* Add the groups "mix" and "functions" to a report; -1 with `e` if memory is exhausted. */
int counts_report_mix(const struct counts *c, struct report *r, struct err *e);
int counts_report_functions(const struct counts *c, const struct trace_info *info, unsigned top, struct report *r,
			    struct err *e);

#endif
