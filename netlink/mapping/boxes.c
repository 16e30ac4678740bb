#include "boxes.h"

#include <stdlib.h>

#include "../../psim/base/mem.h"
#include "../topology/grid.h"

enum { SMALLEST = 4, LARGEST = 9 }; /* boxes have 2^4 to 2^9 nodes, if the grid has twice as many */

struct box {
	uint32_t from[GRID_DIMS_MAX], side[GRID_DIMS_MAX];
	unsigned kind, axis, other; /* of the change */
};

enum { MIRROR, HALVES, AXES, KINDS };

int box_move_init(struct box_move *b, uint32_t tasks, struct err *e)
{
	*b = (struct box_move){0};
	b->task = mem_alloc((size_t)tasks + 1, sizeof(*b->task), e);
	b->to = mem_alloc((size_t)tasks + 1, sizeof(*b->to), e);
	b->back = mem_alloc((size_t)tasks + 1, sizeof(*b->back), e);
	return b->task && b->to && b->back ? 0 : -1;
}

void box_move_finish(struct box_move *b)
{
	free(b->task);
	free(b->to);
	free(b->back);
	*b = (struct box_move){0};
}

/* Draws a number below n from the bits of `*random`. */
static uint32_t boxes_draw(uint32_t *random, uint32_t n)
{
	uint32_t result = *random % n;

	*random /= n;
	return result;
}

/* Draws a size, then doublings of random sides, then an origin at a multiple of the sides. */
static bool choose_box(struct box *b, const struct grid *g, const uint32_t random[4])
{
	uint32_t sizes = random[0], doublings = random[1], places = random[2], kinds = random[3];
	uint32_t most = LARGEST;

	while (most && (2u << most) > g->nodes)
		most--;
	if (!most)
		return false;
	sizes = most > SMALLEST ? SMALLEST + boxes_draw(&sizes, most - SMALLEST + 1) : most;
	*b = (struct box){.kind = boxes_draw(&kinds, KINDS), .axis = boxes_draw(&kinds, g->dims)};
	b->other = (b->axis + 1 + boxes_draw(&kinds, g->dims > 1 ? g->dims - 1 : 1)) % g->dims;
	for (unsigned d = 0; d < g->dims; d++)
		b->side[d] = 1;
	for (uint32_t i = 0; i < sizes; i++) {
		unsigned d = boxes_draw(&doublings, g->dims);

		if (2 * b->side[d] <= g->dim[d])
			b->side[d] *= 2;
	}
	for (unsigned d = 0; d < g->dims; d++)
		b->from[d] = boxes_draw(&places, g->dim[d] / b->side[d]) * b->side[d];
	if (b->side[b->axis] == 1)
		return false;
	return b->kind != AXES || (b->other != b->axis && b->side[b->axis] == b->side[b->other]);
}

/* Returns the node to which the change moves a node of the box. */
static uint32_t changed(const struct box *b, const struct grid *g, const uint32_t *at)
{
	uint32_t node = 0;

	for (unsigned d = g->dims; d-- > 0;) {
		uint32_t x = at[d];

		if (d == b->axis)
			x = b->kind == MIRROR   ? b->side[d] - 1 - x
			    : b->kind == HALVES ? x ^ (b->side[d] >> 1)
						: at[b->other];
		else if (b->kind == AXES && d == b->other)
			x = at[b->axis];
		node = node * g->dim[d] + b->from[d] + x;
	}
	return node;
}

static uint32_t unchanged(const struct box *b, const struct grid *g, const uint32_t *at)
{
	uint32_t node = 0;

	for (unsigned d = g->dims; d-- > 0;)
		node = node * g->dim[d] + b->from[d] + at[d];
	return node;
}

bool box_move_choose(struct box_move *b, const struct exchange *x, const bool *excluded, const uint32_t random[4])
{
	const struct grid *g = x->routes.grid;
	uint32_t at[GRID_DIMS_MAX] = {0};
	struct box box;
	unsigned d = 0;

	b->count = 0;
	if (!choose_box(&box, g, random))
		return false;
	while (d < g->dims) {
		uint32_t from = unchanged(&box, g, at), to = changed(&box, g, at), task = x->task[from];

		if (excluded && excluded[from])
			return false;
		if (task != EXCHANGE_EMPTY && to != from) {
			b->task[b->count] = task;
			b->back[b->count] = from;
			b->to[b->count++] = to;
		}
		for (d = 0; d < g->dims && ++at[d] == box.side[d]; d++)
			at[d] = 0;
	}
	return b->count > 0;
}
