/*
 * Sorts N pointers to records by the records' keys: as quicksort, but each comparison loads at an arbitrary address.
 *
 *     pointersort N     default 5000
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "psim_region.h"

struct record {
	uint32_t key, rest[7];
};

static void sort(struct record **v, long low, long high)
{
	while (low < high) {
		uint32_t pivot = v[low + (high - low) / 2]->key;
		long i = low, j = high;
		while (i <= j) {
			while (v[i]->key < pivot)
				i++;
			while (v[j]->key > pivot)
				j--;
			if (i <= j) {
				struct record *t = v[i];
				v[i++] = v[j];
				v[j--] = t;
			}
		}
		sort(v, low, j);
		low = i;
	}
}

int main(int argc, char *argv[])
{
	long n = argc > 1 ? atol(argv[1]) : 5000;
	struct record *records = n > 0 ? calloc((size_t)n, sizeof(*records)) : NULL;
	struct record **v = records ? malloc((size_t)n * sizeof(*v)) : NULL;
	uint32_t x = 12345;
	if (!v)
		return 2;
	for (long i = 0; i < n; i++) { /* xorshift32 (Marsaglia, 2003) */
		x ^= x << 13;
		x ^= x >> 17;
		x ^= x << 5;
		records[i].key = x;
		v[i] = &records[i];
	}
	psim_region_begin("sort");
	sort(v, 0, n - 1);
	psim_region_end("sort");
	for (long i = 1; i < n; i++)
		if (v[i - 1]->key > v[i]->key)
			return 1;
	printf("pointersort %ld: sorted, smallest %u, largest %u\n", n, v[0]->key, v[n - 1]->key);
	return 0;
}
