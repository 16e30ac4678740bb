/*
 * Functions whose copy with the calls of the array takes care: what they get, return and are. Each result is a number
 * that its comment works out. Those of `alone` have no copy.
 */
#include <complex.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define LEAF __attribute__((noipa)) static

enum { N = 1024 };
struct pair {
	double first, last;
};
struct many {
	double v[40];
};
static double a[N], b[N];

/* The sum of a. */
static double total(void)
{
	double s = 0;
	for (int i = 0; i < N; i++)
		s += a[i];
	return s;
}

/* Structures by value. */
LEAF struct pair returns_pair(struct pair by, long n)
{
#pragma omp simd
	for (long i = 0; i < n; i++)
		a[i] = b[i] * by.first + by.last;
	return (struct pair){a[0], a[n - 1]};
}

/* In memory, not in registers. */
LEAF struct many returns_many(struct many by, long n)
{
#pragma omp simd
	for (long i = 0; i < n; i++)
		a[i] = b[i] * by.v[39];
	by.v[0] = a[n - 1];
	return by;
}

LEAF double complex returns_complex(double complex z, long n)
{
#pragma omp simd
	for (long i = 0; i < n; i++)
		a[i] = b[i] * creal(z);
	return z + a[n - 1];
}

/* Parameters beyond the registers, of all sizes. */
LEAF char many_parameters(char c, short s, int i1, float f, double d, long l, _Bool t, char e, double x,
			  unsigned char u)
{
#pragma omp simd
	for (long i = 0; i < l; i++)
		a[i] = b[i] * f + d * x;
	return (char)(c + s + i1 + t + e + u);
}

/* A parameter in memory. */
LEAF long address_of(long n, double s)
{
	volatile double *at = &s;
	long *count = &n;
	__asm__ volatile("" : : "r"(count) : "memory");
	*at = *at + 1;
#pragma omp simd
	for (long i = 0; i < n; i++)
		a[i] = b[i] * s;
	return *count;
}

/* Runs its loop in each call. */
LEAF long recursive(long n)
{
#pragma omp simd
	for (long i = 0; i < N; i++)
		a[i] += b[i] * 2;
	return n > 1 ? 1 + recursive(n - 1) : 1;
}

LEAF double reduced(long n)
{
	double s = 0;
#pragma omp simd reduction(+ : s)
	for (long i = 0; i < n; i++)
		s += b[i] * b[i];
	return s;
}

static inline __attribute__((always_inline)) void inlined(long n)
{
#pragma omp simd
	for (long i = 0; i < n; i++)
		a[i] = b[i] * 3;
}

/* Two callers have one counter. */
LEAF int counted(long n)
{
	static int calls;
#pragma omp simd
	for (long i = 0; i < n; i++)
		a[i] = b[i] * 4;
	return ++calls;
}

/* Two returns, one in front of the loop. */
LEAF int leaves_early(long n)
{
	if (n < 10)
		return -1;
#pragma omp simd
	for (long i = 0; i < n; i++)
		a[i] = b[i] * 5;
	return 1;
}

#pragma omp declare simd
LEAF double declared(double x)
{
#pragma omp simd
	for (int i = 0; i < N; i++)
		a[i] = b[i] * 7;
	return x + 1;
}

LEAF int jumps(long n)
{
	static jmp_buf back;
	volatile int times = 0;
	if (setjmp(back) == 0) {
#pragma omp simd
		for (long i = 0; i < n; i++)
			a[i] = b[i] * 8;
		times++;
		longjmp(back, 1);
	}
	return times;
}

/* No copy: arguments that no call can hand on. */
LEAF double alone(int n, ...)
{
	va_list list;
	va_start(list, n);
	double s = va_arg(list, double);
	va_end(list);
#pragma omp simd
	for (int i = 0; i < n; i++)
		a[i] = b[i] * s;
	return s;
}

/* No copy: places of the function's own code. */
LEAF int labels(long n)
{
	static const void *const to[] = {&&one, &&two};
#pragma omp simd
	for (long i = 0; i < n; i++)
		a[i] = b[i] * 9;
	goto *to[n > 10];
one:
	return 1;
two:
	return 2;
}

static int bad, checks;

static void check(const char *what, double got, double expected)
{
	checks++;
	if (got != expected) {
		bad++;
		printf("%s: %g, expected %g\n", what, got, expected);
	}
}

/* All elements of b are 1, so that a loop a = b s has a total of 1024 s. */
int main(void)
{
	struct many m;
	double scale = 6;
	__attribute__((noipa)) void nested(long n) /* of which `scale` is a variable outside */
	{
#pragma omp simd
		for (long i = 0; i < n; i++)
			a[i] = b[i] * scale;
		scale = 0;
	}

	for (int i = 0; i < N; i++)
		b[i] = 1;
	struct pair p = returns_pair((struct pair){2, 3}, N);
	check("returns_pair", p.first + p.last + total(), 2 * 5 + N * 5);
	memset(&m, 0, sizeof m);
	m.v[39] = 4;
	m.v[38] = 11;
	m = returns_many(m, N);
	check("returns_many", m.v[0] + m.v[38] + m.v[39] + total(), 4 + 11 + 4 + N * 4);
	double complex z = returns_complex(2 + 3 * I, N);
	check("returns_complex", creal(z) + 10 * cimag(z) + total(), 4 + 30 + N * 2);
	check("many_parameters", many_parameters(1, 2, 3, 4, 5, N, 1, 6, 2, 7) + total(), 20 + N * 14);
	check("address_of", (double)address_of(N, 2) + total(), N + N * 3);
	memset(a, 0, sizeof a);
	check("recursive", (double)recursive(3) + total(), 3 + N * 6);
	check("reduced", reduced(N), N);
	inlined(N);
	check("inlined", total(), N * 3);
	counted(N);
	check("counted", counted(N) + total(), 2 + N * 4);
	check("leaves_early", leaves_early(9) + leaves_early(N) + total(), N * 5);
	nested(N);
	check("nested", scale + total(), N * 6);
	check("declared", declared(2) + total(), 3 + N * 7);
	check("jumps", jumps(N) + total(), 1 + N * 8);
	check("alone", alone(N, 10.0) + total(), 10 + N * 10);
	check("labels", labels(N) + total(), 2 + N * 9);
	printf("%d nests: %d wrong\n", checks, bad);
	return bad != 0;
}
