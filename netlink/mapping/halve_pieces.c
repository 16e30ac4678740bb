/* Halves of a graph in several pieces that cut none of them: a sum of sizes that fits (dynamic programming). */
#include <string.h>

#include "../../psim/base/rng.h"
#include "halve.h"

/* Pieces x vertices. The sums of larger graphs are so many that multilevel halves are as good. */
#define SUMS_MAX ((uint64_t)1 << 24)

enum { OFF_MAX = 2 }; /* vertices beyond the bounds, which refinement then moves */

/*
 * Numbers the pieces, from a random vertex on, in h->place[vertex], and counts their vertices in
 * h->trail[piece]. Returns their number.
 */
static uint32_t find_pieces(struct halve *h, const struct halve_level *l)
{
	uint32_t pieces = 0, from = (uint32_t)rng_below(h->seed, HALVE_LEVELS_MAX, 0, l->vertices);

	memset(h->locked, 0, l->vertices);
	for (uint32_t i = 0; i < l->vertices; i++) {
		uint32_t head = 0, tail = 0, v = (from + i) % l->vertices;

		if (h->locked[v])
			continue;
		h->locked[v] = 1;
		h->queue[tail++] = v;
		while (head < tail) {
			uint32_t u = h->queue[head++];

			h->place[u] = pieces;
			for (size_t k = l->first[u]; k < l->first[u + 1]; k++)
				if (!h->locked[l->other[k]]) {
					h->locked[l->other[k]] = 1;
					h->queue[tail++] = l->other[k];
				}
		}
		h->trail[pieces++] = tail;
	}
	return pieces;
}

/* Sets last[sum], up to `high`: 1 + the piece with which the pieces before it make this sum; 0: none do. */
static void find_sums(const uint32_t *size, uint32_t pieces, uint32_t high, uint32_t *last)
{
	memset(last, 0, ((size_t)high + 1) * sizeof(*last));
	for (uint32_t i = 0; i < pieces; i++) {
		for (uint32_t sum = high; sum > size[i]; sum--)
			if (!last[sum] && last[sum - size[i]])
				last[sum] = i + 1;
		if (size[i] <= high && !last[size[i]])
			last[size[i]] = i + 1;
	}
}

/* Returns the sum nearest to the bounds that pieces make; 0: none near. */
static uint32_t nearest_sum(const uint32_t *last, uint32_t low, uint32_t high)
{
	uint32_t sum = low + (high - low) / 2;

	while (sum < high && !last[sum])
		sum++;
	while (sum > low && !last[sum])
		sum--;
	for (uint32_t off = 1; !last[sum] && off <= OFF_MAX; off++)
		if (low > off && last[low - off])
			sum = low - off;
		else if (last[high + off])
			sum = high + off;
	return last[sum] ? sum : 0;
}

bool halve_pieces(struct halve *h, uint32_t low, uint32_t high)
{
	const struct halve_level *l = &h->level[0];
	uint32_t pieces = find_pieces(h, l), *last = h->heap[0], sum;

	if (pieces < 2 || !low || high + OFF_MAX > l->vertices || (uint64_t)pieces * l->vertices > SUMS_MAX)
		return false;
	find_sums(h->trail, pieces, high + OFF_MAX, last);
	sum = nearest_sum(last, low, high);
	if (!sum)
		return false;
	memset(h->best, 1, pieces);
	while (sum) {
		uint32_t piece = last[sum] - 1;

		h->best[piece] = 0;
		sum -= h->trail[piece];
	}
	for (uint32_t v = 0; v < l->vertices; v++)
		l->side[v] = h->best[h->place[v]];
	return true;
}
