/*
 * Kernels with unpredictable branches around loads, for wrong_paths.py: join SIZE REPETITIONS probes a hash table with
 * keys of which half are there; bfs SIZE REPETITIONS walks a random graph of SIZE nodes by breadth.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "psim_region.h"

enum { MOST = 1 << 18, EDGES = 8 };

static uint64_t seed = 88172645463325252u;
static uint32_t table[2 * MOST], key[MOST], edge[MOST][EDGES], queue[MOST], level[MOST];
static long sum;

/* Marsaglia, "Xorshift RNGs", Journal of Statistical Software 8(14), 2003. */
static uint64_t draw(void)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return seed >> 16;
}

static uint32_t slot_of(uint32_t k, uint32_t mask)
{
	return (uint32_t)(k * 2654435761u >> 7) & mask;
}

/* Twice as many places as keys; key 0 is none. */
static void make_join(long n)
{
	uint32_t mask = (uint32_t)(2 * n - 1);

	for (long i = 0; i < n; i++) {
		uint32_t k = (uint32_t)draw() | 1, s = slot_of(k, mask);

		while (table[s])
			s = (s + 1) & mask;
		table[s] = k;
		key[i] = draw() & 1 ? k : (uint32_t)draw() & ~1u;
	}
	for (long i = n - 1; i > 0; i--) {
		long j = (long)(draw() % (uint64_t)(i + 1));
		uint32_t k = key[i];

		key[i] = key[j];
		key[j] = k;
	}
}

static void join(long n)
{
	uint32_t mask = (uint32_t)(2 * n - 1);

	for (long i = 0; i < n; i++) {
		uint32_t s = slot_of(key[i], mask);

		while (table[s] && table[s] != key[i])
			s = (s + 1) & mask;
		if (table[s])
			sum += i;
	}
}

static void make_bfs(long n)
{
	for (long i = 0; i < n; i++)
		for (unsigned k = 0; k < EDGES; k++)
			edge[i][k] = (uint32_t)(draw() % (uint64_t)n);
}

static void bfs(long n)
{
	long head = 0, tail = 1;

	memset(level, 0, (size_t)n * sizeof(*level));
	level[0] = 1;
	queue[0] = 0;
	while (head < tail) {
		uint32_t from = queue[head++];

		for (unsigned k = 0; k < EDGES; k++)
			if (!level[edge[from][k]]) {
				level[edge[from][k]] = level[from] + 1;
				queue[tail++] = edge[from][k];
			}
	}
	sum += tail;
}

int main(int argc, char *argv[])
{
	long n = argc > 3 ? atol(argv[2]) : 0, repetitions = argc > 3 ? atol(argv[3]) : 0;
	int joins = argc > 1 && !strcmp(argv[1], "join");

	if (n < 2 || n > MOST || n & (n - 1) || (!joins && (argc < 2 || strcmp(argv[1], "bfs") != 0))) {
		fprintf(stderr, "paths: expected join or bfs, SIZE, a power of two up to %d, and REPETITIONS\n", MOST);
		return 2;
	}
	if (joins)
		make_join(n);
	else
		make_bfs(n);
	psim_region_begin("kind");
	for (long r = 0; r < repetitions; r++)
		if (joins)
			join(n);
		else
			bfs(n);
	psim_region_end("kind");
	printf("%ld\n", sum);
	return 0;
}
