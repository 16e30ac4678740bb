/*
 * Directives that make loops slower: the comment on a directive's line is what psim-record says of it; the compiler
 * says it of `constant` and `members`, too. A call takes 23000 cycles the first time and 2900 later, bytes that move a
 * quarter of a cycle each, an instruction of the scalar loop a cycle. Messages have two digits, of what takes more than
 * twice as long.
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
 * 23000 + 11 * 2900 + 11 * 1600 / 4 = 59300.
 */
LEAF void often(int n, int times)
{
	for (int t = 0; t < times; t++)
#pragma omp simd // 12 runs, 1 of them on the scalar core ...: about 59000 cycles, the scalar loop alone 3300
		for (int i = 0; i < n; i++)
			a[i + t] = 2 * b[i];
}

/* Lanes that depend on each other: 5 loops of 3 * 200 instructions, and calls of 23000 + 5 * 2900 = 37500 cycles. */
LEAF void refused(int n, int times)
{
	for (int t = 0; t < times; t++)
#pragma omp simd // 6 runs, 6 of them on the scalar core ...: about 41000 cycles, the scalar loop alone 3000
		for (int i = 0; i < n; i++)
			a[i + 1] = 2 * a[i];
}

/* Two of four members, x from y: 32 bytes of each of 10000 move twice, for 3 instructions. */
LEAF void members(int n)
{
#pragma omp simd // 1 run: about 180000 cycles, the scalar loop alone 30000
	for (int i = 0; i < n; i++)
		p[i].x = 2 * p[i].y;
}

/* 10 * 3000 instructions, 8 bytes each of a and b: 12000 + 23000 cycles are less than twice 39000. */
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
	well(3000);
	printf("slow: 0 wrong\n");
	return 0;
}
