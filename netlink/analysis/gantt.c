#include "gantt.h"

#include <stdlib.h>

#include "../../psim/base/mem.h"

enum { INTERVAL_FIRST = 1000 };

int gantt_init(struct gantt *g, uint32_t first, uint32_t ranks, int64_t from, int64_t to, struct err *e)
{
	*g = (struct gantt){.first = first, .ranks = ranks, .from = from, .interval = INTERVAL_FIRST};
	if (to != INT64_MAX) {
		g->fixed = true;
		g->interval = (to - from + GANTT_COLUMNS - 1) / GANTT_COLUMNS;
	}
	g->cell = mem_alloc((size_t)ranks * GANTT_COLUMNS, GANTT_KINDS * sizeof(*g->cell), e);
	return g->cell ? 0 : -1;
}

void gantt_finish(struct gantt *g)
{
	free(g->cell);
	*g = (struct gantt){0};
}

static int64_t *gantt_cell(struct gantt *g, uint32_t rank, uint32_t column, unsigned kind)
{
	return &g->cell[((uint64_t)rank * GANTT_COLUMNS + column) * GANTT_KINDS + kind];
}

/* Doubles the interval: combines pairs of columns. */
static void gantt_widen(struct gantt *g)
{
	g->interval *= 2;
	for (uint32_t r = 0; r < g->ranks; r++)
		for (uint32_t c = 0; c < GANTT_COLUMNS; c++)
			for (unsigned k = 0; k < GANTT_KINDS; k++)
				*gantt_cell(g, r, c, k) =
					2 * c < GANTT_COLUMNS
						? *gantt_cell(g, r, 2 * c, k) + *gantt_cell(g, r, 2 * c + 1, k)
						: 0;
}

void gantt_add(struct gantt *g, uint32_t rank, int64_t from, int64_t to, enum gantt_kind kind)
{
	if (rank < g->first || rank - g->first >= g->ranks)
		return;
	while (!g->fixed && (to - g->from) / g->interval >= GANTT_COLUMNS)
		gantt_widen(g);
	from = from > g->from ? from - g->from : 0;
	to -= g->from;
	for (int64_t c = from / g->interval; c < GANTT_COLUMNS && c * g->interval < to; c++) {
		int64_t begin = c * g->interval, end = begin + g->interval;

		begin = begin > from ? begin : from;
		end = end < to ? end : to;
		*gantt_cell(g, rank - g->first, (uint32_t)c, kind) += end - begin;
	}
}
