/*
 * Sorts N pseudo-random integers: branches that are unpredictable.
 *
 *     quicksort N     default 10000
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "psim_region.h"

static void sort(uint32_t *v, long low, long high)
{
	while (low < high) {
		uint32_t pivot = v[low + (high - low) / 2];
		long i = low, j = high;
		while (i <= j) {
			while (v[i] < pivot)
				i++;
			while (v[j] > pivot)
				j--;
			if (i <= j) {
				uint32_t t = v[i];
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
	long n = argc > 1 ? atol(argv[1]) : 10000;
	uint32_t *v = n > 0 ? malloc((size_t)n * sizeof(*v)) : NULL, x = 12345;
	if (!v)
		return 2;
	for (long i = 0; i < n; i++) { /* xorshift32 (Marsaglia, 2003) */
		x ^= x << 13;
		x ^= x >> 17;
		x ^= x << 5;
		v[i] = x;
	}
	psim_region_begin("sort");
	sort(v, 0, n - 1);
	psim_region_end("sort");
	for (long i = 1; i < n; i++)
		if (v[i - 1] > v[i])
			return 1;
	printf("quicksort %ld: sorted, smallest %u, largest %u\n", n, v[0], v[n - 1]);
	return 0;
}
