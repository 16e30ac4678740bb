/* qsort, malloc of all sizes, realloc, calloc: a heap that grows and shrinks. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COUNT = 3000, BLOCKS = 200 };

static int by_value(const void *a, const void *b)
{
	uint32_t x, y;
	memcpy(&x, a, sizeof(x));
	memcpy(&y, b, sizeof(y));
	return (x > y) - (x < y);
}

static uint32_t next(uint32_t *x)
{
	*x ^= *x << 13;
	*x ^= *x >> 17;
	return *x ^= *x << 5;
}

int main(void)
{
	uint32_t x = 2463534242u, sum = 0;
	uint32_t *v = calloc(COUNT, sizeof(*v));
	unsigned char *block[BLOCKS] = {0};
	size_t size[BLOCKS] = {0};
	for (int i = 0; i < COUNT; i++)
		v[i] = next(&x);
	qsort(v, COUNT, sizeof(*v), by_value);
	for (int i = 1; i < COUNT; i++)
		if (v[i - 1] > v[i])
			return 1;
	for (int round = 0; round < 3000; round++) {
		unsigned k = next(&x) % BLOCKS;
		size_t want = next(&x) % (round % 50 ? 2000 : 400000);
		for (size_t i = 0; i < size[k]; i += 97)
			if (block[k][i] != (unsigned char)k)
				return 2;
		block[k] = realloc(block[k], want + 1);
		memset(block[k], (int)k, want + 1);
		size[k] = want + 1;
		sum = sum * 31 + (uint32_t)want;
	}
	for (int k = 0; k < BLOCKS; k++)
		free(block[k]);
	free(v);
	printf("sorted, sum %08x\n", sum);
	return 0;
}
