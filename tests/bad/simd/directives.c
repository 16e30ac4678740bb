/*
 * Directives that are wrong, for psim-record --check-simd: the comment on the directive's line is what it says. Each of
 * 16 PEs has some lanes, one after the other; the values that other PEs store are not there yet.
 */
#include <stdio.h>

#define LEAF __attribute__((noipa))

static float f[272];
static double x[2048], y[2048], m[256][16], s[256];

/*
 * 1504 lanes, 94 a PE: all read what was there before, 0, and store 1 in a[500] to a[2003]. In scalar order so do the
 * first 500; the next ones store 2, the last four 3 or more: 1004 differ.
 */
LEAF static void further(int n, double *a)
{
#pragma omp simd // the directive is wrong: the array stores 1 at 0x..., scalar order 2; 1004 differ
	for (int i = 0; i < n; i++)
		a[i + 500] = a[i] + 1;
}

/* The row before is another lane's: 255 lanes, of which a kernel computes several at a time. Rows 2 to 255 differ. */
LEAF static void rows(int n, double a[n][16])
{
#pragma omp simd // the directive is wrong: the array stores 1 at 0x..., scalar order 2; 4064 differ
	for (int i = 1; i < n; i++)
		for (int j = 0; j < 16; j++)
			a[i][j] = a[i - 1][j] + 1;
}

/* Lane i reads what lane i - 16 stores, another PE with 15 of them: all but the first 16 of 240 differ. */
LEAF static void aliased(int n, double *to, const double *from)
{
#pragma omp simd // the directive is wrong: the array stores 1 at 0x..., scalar order 2; 224 differ
	for (int i = 0; i < n; i++)
		to[i] = from[i] + 1;
}

/* Each PE has 16 of 256 lanes; lane i reads what lane i - 16 stores, another PE: all but the first 16 differ. */
LEAF static void singles(int n, float *to, const float *from)
{
#pragma omp simd // the directive is wrong: the array stores 1 at 0x..., scalar order 2; 240 differ
	for (int i = 0; i < n; i++)
		to[i] = from[i] + 1;
}

/* Right: even elements from odd ones. */
LEAF static void pairs(int n, double *a)
{
#pragma omp simd
	for (int i = 0; i < n; i++)
		a[2 * i] = 2 * a[2 * i + 1];
}

/* Right, though the arrays overlap: the second half from the first. */
LEAF static void halves(int n, double *to, const double *from)
{
#pragma omp simd
	for (int i = 0; i < n; i++)
		to[i] = from[i] + 1;
}

int main(void)
{
	long bad = 0;

	further(1504, x);
	for (int i = 0; i < 2004; i++)
		bad += x[i] != i / 500;
	rows(256, m);
	for (int i = 0; i < 256; i++)
		bad += m[i][3] != i;
	aliased(240, s + 16, s);
	for (int i = 0; i < 256; i++)
		bad += s[i] != i / 16;
	singles(256, f + 16, f);
	for (int i = 0; i < 272; i++)
		bad += f[i] != i / 16;
	pairs(1024, y);
	halves(1024, y + 1024, y);
	for (int i = 0; i < 2048; i++)
		bad += y[i] != (i < 1024 ? 0 : 1);
	printf("directives: %ld wrong\n", bad);
	return bad != 0;
}
