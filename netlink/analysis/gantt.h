/*
 * Activity of a few ranks over time, as shares of small intervals, in bounded memory. Without a
 * window intervals begin short and double whenever the run has more of them than GANTT_COLUMNS.
 */
#ifndef PSIM_ANALYSIS_GANTT_H
#define PSIM_ANALYSIS_GANTT_H

#include <stdbool.h>
#include <stdint.h>

#include "../../psim/base/err.h"

enum { GANTT_COLUMNS = 512, GANTT_RANKS_MAX = 64 };
enum gantt_kind { GANTT_WORK, GANTT_WAIT, GANTT_KINDS };

struct gantt {
	uint32_t first, ranks;  /* ranks shown; ranks 0: none */
	bool fixed;             /* a window: times outside do not count */
	int64_t from, interval; /* ps */
	int64_t *cell;          /* [rank][column][kind]: ps */
};

/*
 * Initialises for at most GANTT_RANKS_MAX ranks. `to` > `from`; INT64_MAX: no window. 0, or -1 with
 * `e`; call gantt_finish in any case.
 */
int gantt_init(struct gantt *g, uint32_t first, uint32_t ranks, int64_t from, int64_t to, struct err *e);
void gantt_finish(struct gantt *g);

/* Adds the activity of a rank between `from` and `to`; ignores other ranks than the selected ones. */
void gantt_add(struct gantt *g, uint32_t rank, int64_t from, int64_t to, enum gantt_kind kind);

static inline int64_t gantt_at(const struct gantt *g, uint32_t rank, uint32_t column, enum gantt_kind kind)
{
	return g->cell[((uint64_t)(rank - g->first) * GANTT_COLUMNS + column) * GANTT_KINDS + kind];
}

#endif
