#include "timeline_cells.h"

#include <stdlib.h>

#include "../../psim/base/mem.h"

enum { CELLS_INTERVAL_FIRST = 1000 };

int cells_init(struct cells *c, uint32_t rows, uint32_t columns, uint32_t kinds, struct err *e)
{
	*c = (struct cells){.rows = rows, .columns = columns, .kinds = kinds, .interval = CELLS_INTERVAL_FIRST};
	c->at = mem_alloc((size_t)rows * columns, kinds * sizeof(*c->at), e);
	return c->at ? 0 : -1;
}

void cells_finish(struct cells *c)
{
	free(c->at);
	*c = (struct cells){0};
}

/* Doubles the interval: combines pairs of columns. */
static void cells_widen(struct cells *c)
{
	const uint64_t half = c->columns / 2, kinds = c->kinds;

	c->interval *= 2;
	for (uint64_t r = 0; r < c->rows; r++) {
		int64_t *row = &c->at[r * c->columns * kinds];

		for (uint64_t i = 0; i < half * kinds; i++)
			row[i] = row[2 * (i / kinds) * kinds + i % kinds] +
				 row[(2 * (i / kinds) + 1) * kinds + i % kinds];
		for (uint64_t i = half * kinds; i < c->columns * kinds; i++)
			row[i] = 0;
	}
}

void cells_add(struct cells *c, uint32_t row, int64_t from, int64_t to, uint32_t kind)
{
	while ((to - 1) / c->interval >= c->columns)
		cells_widen(c);
	for (int64_t i = from / c->interval; i * c->interval < to; i++) {
		int64_t begin = i * c->interval, end = begin + c->interval;

		begin = begin > from ? begin : from;
		end = end < to ? end : to;
		c->at[((uint64_t)row * c->columns + (uint64_t)i) * c->kinds + kind] += end - begin;
	}
}
