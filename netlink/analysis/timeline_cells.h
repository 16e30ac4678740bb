/*
 * Activity over time as shares of cells: a row for each rank or group of ranks, and a bounded number of columns, whose
 * interval begins short and doubles whenever the run has more of them. Sums are exact, so they do not depend on the
 * order in which ranks add.
 */
#ifndef PSIM_ANALYSIS_TIMELINE_CELLS_H
#define PSIM_ANALYSIS_TIMELINE_CELLS_H

#include <stdint.h>

#include "../../psim/base/err.h"

struct cells {
	uint32_t rows, columns, kinds;
	int64_t interval; /* ps */
	int64_t *at;      /* [row][column][kind]: ps */
};

/* Begins with columns of 1 ns. 0, or -1 with `e`; call cells_finish in any case. */
int cells_init(struct cells *c, uint32_t rows, uint32_t columns, uint32_t kinds, struct err *e);
void cells_finish(struct cells *c);

/* Adds the time between `from` and `to`. */
void cells_add(struct cells *c, uint32_t row, int64_t from, int64_t to, uint32_t kind);

static inline int64_t cells_at(const struct cells *c, uint32_t row, uint32_t column, uint32_t kind)
{
	return c->at[((uint64_t)row * c->columns + column) * c->kinds + kind];
}

#endif
