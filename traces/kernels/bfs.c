/*
 * Breadth-first search from vertex 0 through a graph of N vertices with 8 arbitrary edges each, and a ring through
 * all: a queue, look-ups at arbitrary addresses, branches that depend on them.
 *
 *     bfs N     default 4000
 *
 * Checks that it reaches all vertices, that no edge skips a level, and that each vertex has a neighbour one level up.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "psim_region.h"

enum { EDGES = 8, RING = 2, DEGREE = EDGES + RING };
#define UNSEEN UINT32_MAX

/* Returns the number of vertices reached. */
static long search(const uint32_t *edge, uint32_t *level, uint32_t *queue)
{
	long head = 0, tail = 0;

	level[0] = 0;
	queue[tail++] = 0;
	while (head < tail) {
		uint32_t v = queue[head++];

		for (int k = 0; k < DEGREE; k++) {
			uint32_t w = edge[(size_t)v * DEGREE + (size_t)k];

			if (level[w] == UNSEEN) {
				level[w] = level[v] + 1;
				queue[tail++] = w;
			}
		}
	}
	return tail;
}

/* Edges in both directions. */
static void make_edges(uint32_t *edge, long n)
{
	uint64_t x = 88172645463325252u;

	for (long k = 0; k < EDGES; k += 2) { /* to the vertex a step ahead, and back */
		x ^= x << 13;                 /* xorshift64 (Marsaglia, 2003) */
		x ^= x >> 7;
		x ^= x << 17;
		long step = (long)(x % (uint64_t)n);

		for (long v = 0; v < n; v++) {
			edge[v * DEGREE + k] = (uint32_t)((v + step) % n);
			edge[v * DEGREE + k + 1] = (uint32_t)((v + n - step) % n);
		}
	}
	for (long v = 0; v < n; v++) {
		edge[v * DEGREE + EDGES] = (uint32_t)((v + 1) % n);
		edge[v * DEGREE + EDGES + 1] = (uint32_t)((v + n - 1) % n);
	}
}

/* Gives the vertices but the first arbitrary numbers (Fisher and Yates). */
static void renumber(uint32_t *to, const uint32_t *from, uint32_t *name, long n)
{
	uint64_t x = 2463534242u;

	for (long v = 0; v < n; v++)
		name[v] = (uint32_t)v;
	for (long v = n - 1; v > 1; v--) {
		x ^= x << 13;
		x ^= x >> 7;
		x ^= x << 17;
		long k = 1 + (long)(x % (uint64_t)v);
		uint32_t t = name[v];
		name[v] = name[k];
		name[k] = t;
	}
	for (long v = 0; v < n; v++)
		for (long k = 0; k < DEGREE; k++)
			to[(size_t)name[v] * DEGREE + (size_t)k] = name[from[v * DEGREE + k]];
}

static int is_right(const uint32_t *edge, const uint32_t *level, long n)
{
	for (long v = 0; v < n; v++) {
		int below = level[v] == 0;

		if (level[v] == UNSEEN || (level[v] == 0) != (v == 0))
			return 0;
		for (long k = 0; k < DEGREE; k++) {
			uint32_t other = level[edge[v * DEGREE + k]];

			if (other > level[v] + 1 || level[v] > other + 1)
				return 0;
			below |= other + 1 == level[v];
		}
		if (!below)
			return 0;
	}
	return 1;
}

int main(int argc, char *argv[])
{
	long n = argc > 1 ? atol(argv[1]) : 4000;
	if (n < 2 || n > 1 << 24)
		return 2;
	size_t edges = (size_t)n * DEGREE * sizeof(uint32_t);
	uint32_t *plain = malloc(edges), *edge = malloc(edges);
	uint32_t *level = malloc((size_t)n * sizeof(*level)), *queue = malloc((size_t)n * sizeof(*queue));
	if (!plain || !edge || !level || !queue)
		return 1;
	make_edges(plain, n);
	renumber(edge, plain, queue, n);
	for (long v = 0; v < n; v++)
		level[v] = UNSEEN;
	psim_region_begin("search");
	long reached = search(edge, level, queue);
	psim_region_end("search");
	int right = reached == n && is_right(edge, level, n);
	printf("bfs %ld: %ld reached, the last at level %u, %s\n", n, reached, level[queue[reached - 1]],
	       right ? "right" : "wrong");
	return !right;
}
