/*
 * Follows a chain of pointers through K KiB in an order that no prefetcher
 * predicts: every load depends on the previous one.
 *
 *     chase K STEPS     default 16384 KiB, 100000 steps
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "psim_region.h"

enum { LINE = 64 };

struct node {
	struct node *next;
	char rest[LINE - sizeof(struct node *)];
};

int main(int argc, char *argv[])
{
	long kib = argc > 1 ? atol(argv[1]) : 16384, steps = argc > 2 ? atol(argv[2]) : 100000;
	long n = kib * 1024 / LINE;
	struct node *node = n > 1 ? aligned_alloc(LINE, (size_t)n * sizeof(*node)) : NULL;
	uint64_t x = 88172645463325252u;
	if (!node)
		return 2;
	for (long i = 0; i < n; i++)
		node[i].next = &node[i];
	for (long i = n - 1; i > 0; i--) { /* Sattolo: one cycle through all nodes */
		x ^= x << 13;
		x ^= x >> 7;
		x ^= x << 17;
		long k = (long)(x % (uint64_t)i);
		struct node *t = node[i].next;
		node[i].next = node[k].next;
		node[k].next = t;
	}
	struct node *at = node;
	psim_region_begin("chase");
	for (long i = 0; i < steps; i++)
		at = at->next;
	psim_region_end("chase");
	printf("chase %ld KiB: after %ld steps at node %ld\n", kib, steps, (long)(at - node));
	return 0;
}
