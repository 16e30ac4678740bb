/*
 * Joins two tables of N rows by their keys: builds a table of chains by hash from the one, looks up the rows of the
 * other, and adds up the products of the values that meet. Half of the look-ups find a row. Loads at arbitrary
 * addresses, chains of 0 to a few rows.
 *
 *     hashjoin N     default 10000
 *
 * Compares the sum and the number of matches with those of a loop over the keys.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "psim_region.h"

struct row {
	uint32_t key, next; /* next: number of the row in the same chain, plus one; 0: none */
	uint64_t value;
};

struct join {
	uint64_t sum;
	long matches;
};

static uint32_t hash(uint32_t key, unsigned bits)
{
	return key * 2654435761u >> (32 - bits);
}

static void build(struct row *rows, long n, uint32_t *head, unsigned bits)
{
	for (long r = 0; r < n; r++) {
		uint32_t *chain = &head[hash(rows[r].key, bits)];

		rows[r].next = *chain;
		*chain = (uint32_t)r + 1;
	}
}

static struct join probe(const struct row *built, const uint32_t *head, unsigned bits, const struct row *rows, long n)
{
	struct join j = {0};

	for (long r = 0; r < n; r++)
		for (uint32_t at = head[hash(rows[r].key, bits)]; at; at = built[at - 1].next)
			if (built[at - 1].key == rows[r].key) {
				j.sum += built[at - 1].value * rows[r].value;
				j.matches++;
				break;
			}
	return j;
}

static void shuffle(struct row *rows, long n, uint64_t x) /* Fisher and Yates, by xorshift64 (Marsaglia, 2003) */
{
	for (long i = n - 1; i > 0; i--) {
		x ^= x << 13;
		x ^= x >> 7;
		x ^= x << 17;
		long k = (long)(x % (uint64_t)(i + 1));
		struct row t = rows[i];
		rows[i] = rows[k];
		rows[k] = t;
	}
}

int main(int argc, char *argv[])
{
	long n = argc > 1 ? atol(argv[1]) : 10000, matches = 0;
	unsigned bits = 1;

	if (n < 2 || n > 1 << 24)
		return 2;
	while (1l << bits < n)
		bits++;
	struct row *a = malloc((size_t)n * sizeof(*a)), *b = malloc((size_t)n * sizeof(*b));
	uint32_t *head = calloc((size_t)1 << bits, sizeof(*head));
	uint64_t sum = 0;
	if (!a || !b || !head)
		return 1;
	for (long r = 0; r < n; r++) { /* even keys in a; each second of b is odd */
		a[r] = (struct row){.key = (uint32_t)(2 * r), .value = (uint64_t)(r % 7)};
		b[r] = (struct row){.key = (uint32_t)(2 * r + r % 2), .value = (uint64_t)(r % 5)};
	}
	for (long r = 0; r < n; r += 2, matches++)
		sum += (uint64_t)(r % 7) * (uint64_t)(r % 5);
	shuffle(a, n, 88172645463325252u);
	shuffle(b, n, 2463534242u);
	psim_region_begin("join");
	build(a, n, head, bits);
	struct join j = probe(a, head, bits, b, n);
	psim_region_end("join");
	printf("hashjoin %ld: %ld matches, sum %llu, %s\n", n, j.matches, (unsigned long long)j.sum,
	       j.matches == matches && j.sum == sum ? "right" : "wrong");
	return j.matches == matches && j.sum == sum ? 0 : 1;
}
