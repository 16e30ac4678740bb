/*
 * Dependences that clauses permit, for psim-record --check-simd: the comment on a directive's line is what it says, if
 * it is wrong. safelen(n) permits n iterations at the same time, so that distances from n on are right, and n - 1 is
 * not (OpenMP 5.2, 10.4.1). There, lane n s + k of set s stores 1 + min(s, n - 1 - k) on the array, and in scalar order
 * 1 + (n s + k) / (n - 1), rounded down: the counts are of the lanes where these differ.
 */
#include <stdio.h>
#include <string.h>

#define LEAF __attribute__((noipa)) static

static double a[4096], b[4096], c[4096];
static float f[4096];

LEAF void safe_4_3(int n)
{
#pragma omp simd safelen(4) // the directive is wrong: the array stores 1 at 0x..., scalar order 2; 1018 differ
	for (int i = 0; i < n; i++)
		a[i + 3] = a[i] + 1;
}
LEAF void safe_4_4(int n)
{
#pragma omp simd safelen(4)
	for (int i = 0; i < n; i++)
		a[i + 4] = a[i] + 1;
}
LEAF void safe_4_5(int n)
{
#pragma omp simd safelen(4)
	for (int i = 0; i < n; i++)
		a[i + 5] = a[i] + 1;
}

/* More than there are PEs. */
LEAF void safe_17(int n, int d)
{
#pragma omp simd safelen(17) // the directive is wrong: the array stores 1 at 0x..., scalar order 2; 887 differ
	for (int i = 0; i < n; i++)
		a[i + d] = a[i] + 1;
}
LEAF void safe_17_right(int n, int d)
{
#pragma omp simd safelen(17)
	for (int i = 0; i < n; i++)
		a[i + d] = a[i] + 1;
}

/* Downwards, and of an inner loop: the iterations' distance is that of the rows. */
LEAF void rows_2(int n, double (*to)[16])
{
#pragma omp simd safelen(3) // the directive is wrong: the array stores 1 at 0x..., scalar order 120; 3792 differ
	for (int i = n - 1; i >= 0; i--)
		for (int j = 0; j < 16; j++)
			to[i][j] = to[i + 2][j] + 1;
}
LEAF void rows_3(int n, double (*to)[16])
{
#pragma omp simd safelen(3) simdlen(2)
	for (int i = n - 1; i >= 0; i--)
		for (int j = 0; j < 16; j++)
			to[i][j] = to[i + 3][j] + 1;
}
LEAF void singles_2(int n)
{
#pragma omp simd safelen(3) // the directive is wrong: the array stores 1 at 0x..., scalar order 2; 957 differ
	for (int i = 0; i < n; i++)
		f[i + 2] = f[i] + 1;
}
LEAF void singles_3(int n)
{
#pragma omp simd safelen(3)
	for (int i = 0; i < n; i++)
		f[i + 3] = f[i] + 1;
}

/* One iteration at a time. */
LEAF void alone(int n)
{
#pragma omp simd safelen(1)
	for (int i = 0; i < n; i++)
		a[i + 1] = a[i] + 1;
}
LEAF void unless(int n)
{
#pragma omp simd if (simd : 0)
	for (int i = 0; i < n; i++)
		a[i + 1] = a[i] + 1;
}

/* A statement sees what one above it has stored; not with order(concurrent). */
LEAF void forward(int n)
{
#pragma omp simd
	for (int i = 1; i < n; i++) {
		a[i] = b[i];
		c[i] = a[i - 1] + 1;
	}
}
LEAF void forward_rows(int n, double (*to)[16], double (*of)[16])
{
#pragma omp simd
	for (int i = 1; i < n; i++)
		for (int j = 0; j < 16; j++) {
			to[i][j] = b[i];
			of[i][j] = to[i - 1][j] + 1;
		}
}
LEAF void backward(int n)
{
#pragma omp simd // the directive is wrong: the array stores 1 at 0x..., scalar order 2
	for (int i = 1; i < n; i++) {
		c[i] = a[i - 1] + 1;
		a[i] = b[i];
	}
}
LEAF void concurrent(int n)
{
#pragma omp simd order(concurrent) // the directive is wrong: the array stores 1 at 0x..., scalar order 2
	for (int i = 1; i < n; i++) {
		a[i] = b[i];
		c[i] = a[i - 1] + 1;
	}
}

/* In order. */
LEAF void ordered(int n)
{
#pragma omp simd
	for (int i = 1; i < n; i++) {
		c[i] = b[i] + 1;
#pragma omp ordered simd
		a[i] = a[i - 1] + c[i];
	}
}

/* Sums and the like; the last iteration's value. */
#define REDUCTION(name, type, op, first, statement) \
	LEAF type name(int n) \
	{ \
		type s = first; \
		_Pragma(op) for (int i = 0; i < n; i++) statement; \
		return s; \
	}
REDUCTION(plus, double, "omp simd reduction(+: s)", 0, s += b[i])
REDUCTION(minus, double, "omp simd reduction(-: s)", 0, s -= b[i])
REDUCTION(times, double, "omp simd reduction(*: s)", 1, s *= b[i])
REDUCTION(least, double, "omp simd reduction(min: s)", 1, s = b[i] < s ? b[i] : s)
REDUCTION(most, double, "omp simd reduction(max: s)", 1, s = b[i] > s ? b[i] : s)
REDUCTION(all, int, "omp simd reduction(&&: s)", 1, s = s && b[i] > 0)
REDUCTION(any, int, "omp simd reduction(||: s)", 0, s = s || b[i] > 0)
REDUCTION(bits_and, long, "omp simd reduction(&: s)", 3, s &= (long)b[i])
REDUCTION(bits_or, long, "omp simd reduction(|: s)", 2, s |= (long)b[i])
REDUCTION(bits_xor, long, "omp simd reduction(^: s)", 0, s ^= (long)b[i])
REDUCTION(safe_sum, double, "omp simd safelen(4) reduction(+: s)", 0, (s += b[i], a[i + 4] = a[i] + 1))

LEAF double prefix(int n)
{
	double s = 0;

#pragma omp simd reduction(inscan, + : s)
	for (int i = 0; i < n; i++) {
		s += b[i];
#pragma omp scan inclusive(s)
		c[i] = s;
	}
	return s;
}
LEAF double elements(int n)
{
	double s[2] = {0, 0};

#pragma omp simd reduction(+ : s)
	for (int i = 0; i < n; i++)
		s[1] += b[i];
	return s[1];
}
LEAF double last(int n)
{
	double s = 0;

#pragma omp simd lastprivate(s)
	for (int i = 0; i < n; i++) {
		s = b[i] + i;
		c[i] = s;
	}
	return s;
}
LEAF double last_if(int n)
{
	double s = 0;

#pragma omp simd lastprivate(conditional : s)
	for (int i = 0; i < n; i++) {
		if (i < 7)
			s = b[i] + i;
		c[i] = b[i];
	}
	return s;
}
LEAF double linear(int n)
{
	long k = 3;

#pragma omp simd linear(k : 2)
	for (int i = 0; i < n; i++) {
		a[k] = b[i];
		k += 2;
	}
	return (double)k;
}

static long wrong(const char *what, double got, double expected)
{
	memset(a, 0, sizeof(a));
	memset(f, 0, sizeof(f));
	if (got != expected)
		printf("%s: %g, expected %g\n", what, got, expected);
	return got != expected;
}

int main(void)
{
	long bad = 0;

	for (int i = 0; i < 4096; i++)
		b[i] = 1;
#define RUN(call, value, expected) (call, bad += wrong(#call, value, expected))
#define SAME(call, expected) (bad += wrong(#call, call, expected))
	RUN(safe_4_3(1024), a[1026], 342);
	RUN(safe_4_4(1024), a[1027], 256);
	RUN(safe_4_5(1024), a[1028], 205);
	RUN(safe_17(1023, 16), a[1038], 64);
	RUN(safe_17_right(1023, 17), a[1039], 61);
	RUN(safe_17_right(1023, 18), a[1040], 57);
	RUN(rows_2(240, (double(*)[16])a), a[0], 120);
	RUN(rows_3(240, (double(*)[16])a), a[0], 80);
	RUN(singles_2(960), f[961], 480);
	RUN(singles_3(960), f[962], 320);
	RUN(alone(240), a[240], 240);
	RUN(unless(240), a[240], 240);
	RUN(forward(1000), c[999], 2);
	RUN(forward_rows(100, (double(*)[16])a, (double(*)[16])c), c[1599], 2);
	RUN(backward(1000), c[999], 2);
	RUN(concurrent(1000), c[999], 2);
	RUN(ordered(1000), a[999], 1998);
	SAME(plus(1000), 1000);
	SAME(minus(1000), -1000);
	SAME(times(1000), 1);
	SAME(least(1000), 1);
	SAME(most(1000), 1);
	SAME(all(1000), 1);
	SAME(any(1000), 1);
	SAME(bits_and(1000), 1);
	SAME(bits_or(1000), 3);
	SAME(bits_xor(1000), 0);
	SAME(safe_sum(1000), 1000);
	SAME(prefix(1000), 1000);
	SAME(elements(1000), 1000);
	SAME(last(1000), 1000);
	SAME(last_if(1000), 7);
	SAME(linear(1000), 2003);
	printf("permitted: %ld wrong\n", bad);
	return bad != 0;
}
