/*
 * The minimum of many levels, each of which may be lowered or raised.
 *
 * A tree of minima over the links 0 … count-1 with eight links a node; each row is an array. Most levels are lowered
 * and never read again, which costs one comparison. Raising the minimum costs one node a row. Levels are not
 * negative.
 */
#ifndef PSIM_NETLINK_FLOW_LOWEST_H
#define PSIM_NETLINK_FLOW_LOWEST_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>

#include "../../../psim/base/err.h"

enum { LOWEST_WAYS = 8, LOWEST_ROWS = 11 };

struct lowest {
	unsigned rows;            /* at least 1; the last one is one node */
	double *row[LOWEST_ROWS]; /* row[0]: of each link, infinite: none; in whole nodes */
};

/* Makes room for `count` links when none has a level. 0, or -1 with `e` if memory is short. */
int lowest_resize(struct lowest *x, uint32_t count, struct err *e);
void lowest_finish(struct lowest *x);

static inline double lowest_of_node(const double *at)
{
	double a = at[0] < at[1] ? at[0] : at[1], b = at[2] < at[3] ? at[2] : at[3];
	double c = at[4] < at[5] ? at[4] : at[5], d = at[6] < at[7] ? at[6] : at[7];

	a = a < b ? a : b;
	c = c < d ? c : d;
	return a < c ? a : c;
}

/* The lowest level; infinite if no link has one. */
static inline double lowest_level(const struct lowest *x)
{
	return lowest_of_node(x->row[x->rows - 1]);
}

/* The first link with the lowest level; at least one must have a level. */
static inline uint32_t lowest_link(const struct lowest *x)
{
	double level = lowest_level(x);
	uint32_t i = 0;

	for (unsigned row = x->rows; row--;) {
		i *= LOWEST_WAYS;
		while (x->row[row][i] != level)
			i++;
	}
	return i;
}

/* Lowers a link's level, if the new one is lower. */
static inline void lowest_lower(struct lowest *x, uint32_t link, double level)
{
	for (unsigned row = 0; row < x->rows && level < x->row[row][link]; row++, link /= LOWEST_WAYS)
		x->row[row][link] = level;
}

/* Raises a link's level; infinite: none. */
static inline void lowest_raise(struct lowest *x, uint32_t link, double level)
{
	for (unsigned row = 0; row < x->rows && level != x->row[row][link]; row++) {
		x->row[row][link] = level;
		link /= LOWEST_WAYS;
		level = lowest_of_node(x->row[row] + (size_t)link * LOWEST_WAYS);
	}
}

/* Removes a link's level; the tree is valid only when none is left. */
static inline void lowest_clear(struct lowest *x, uint32_t link)
{
	for (unsigned row = 0; row < x->rows && !isinf(x->row[row][link]); row++, link /= LOWEST_WAYS)
		x->row[row][link] = HUGE_VAL;
}

#endif
