/*
 * Directives that make loops slower: the comment on a directive's line is what psim-record says of it; the compiler
 * says it of `constant` and `members`, too. A call takes 23000 cycles the first time and 2900 later, bytes that move a
 * quarter of a cycle each, a transfer 40 more; an instruction of the scalar loop a cycle, a line of 64 bytes 45 if it
 * comes from memory. Messages have two digits, of what takes more than 1.25 times as long.
 */
#include <stdio.h>

#define LEAF __attribute__((noipa)) static

struct point {
	double x, y, z, w;
};

static double a[1 << 16], b[1 << 16];
static struct point p[10000];

/* 3 * 40 instructions; 640 bytes. */
LEAF void constant(void)
{
#pragma omp simd // 1 run: about 23000 cycles, the scalar loop alone 120
	for (int i = 0; i < 40; i++)
		a[i] = 2 * a[i];
}

/*
 * 11 runs of 3 * 100 instructions: 3300. The loops together store to a place twice, so that 11 calls follow the first:
 * 23000 + 11 * 2900 + 11 * 1600 / 4 + 11 * 6 * 40 = 61940, as b is fetched and a stored in three phases.
 */
LEAF void often(int n, int times)
{
	for (int t = 0; t < times; t++)
#pragma omp simd // 12 runs, 1 of them on the scalar core ...: about 62000 cycles, the scalar loop alone 3300
		for (int i = 0; i < n; i++)
			a[i + t] = 2 * b[i];
}

/*
 * Lanes that depend on each other: 5 loops of 3 * 200 instructions. The calls of all loops together and of the first
 * one take 23000 + 2900 cycles; then the function runs as without the plugin.
 */
LEAF void refused(int n, int times)
{
	for (int t = 0; t < times; t++)
#pragma omp simd // 2 runs, 2 of them on the scalar core ...: about 29000 cycles, the scalar loop alone 3000
		for (int i = 0; i < n; i++)
			a[i + 1] = 2 * a[i];
}

/* Two of four members, x from y: 32 bytes of each of 10000 move twice, for 3 instructions. */
LEAF void members(int n)
{
#pragma omp simd // if its data are in caches ...: 1 run: about 180000 cycles, ... alone 30000, ... memory 480000
	for (int i = 0; i < n; i++)
		p[i].x = 2 * p[i].y;
}

/* 9 * 6000 instructions, 8 bytes each of a and b: 24000 + 23000 cycles are less than 54000. */
LEAF void well(int n)
{
#pragma omp simd
	for (int i = 0; i < n; i++)
		a[i] = ((b[i] + 1) * b[i] + 2) * b[i] * (b[i] - 3) * (b[i] + 4) - b[i];
}

int main(void)
{
	constant();
	often(100, 11);
	refused(200, 5);
	members(10000);
	well(6000);
	printf("slow: 0 wrong\n");
	return 0;
}
