/* Complex arithmetic, variadic and structure passing, long doubles through functions. */
#include <complex.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>

struct mixed {
	char c;
	double d;
	float f[3];
	long l;
};

static struct mixed turn(struct mixed m, struct mixed n)
{
	m.d += n.d;
	m.f[1] = n.f[2] - m.f[0];
	m.l ^= n.c;
	return m;
}

static double sum(int n, ...)
{
	va_list ap;
	double s = 0;
	va_start(ap, n);
	for (int i = 0; i < n; i++)
		s += i % 3 == 0 ? va_arg(ap, double) : i % 3 == 1 ? va_arg(ap, int) : (double)va_arg(ap, long double);
	va_end(ap);
	return s;
}

static long double series(int n)
{
	long double s = 0, f = 1;
	for (int i = 1; i <= n; i++) {
		s += 1 / f;
		f *= i;
	}
	return s;
}

int main(void)
{
	double complex z = 1 + 2 * I, w = 1;
	float complex q = 0.5f - 0.25f * I;
	for (int i = 0; i < 10; i++)
		w = w * z / (3 - I) + conj(z);
	printf("%.15g %.15g\n", creal(w), cimag(w));
	printf("%.15g %.15g %.6g\n", creal(cexp(z)), cimag(csqrt(z)), (double)cabsf(q * q));
	struct mixed m = {'a', 1.5, {1, 2, 3}, 77}, n = {'z', 2.25, {4, 5, 6}, -1};
	m = turn(m, n);
	printf("%c %g %g %ld\n", m.c, m.d, (double)m.f[1], m.l);
	printf("%g\n", sum(7, 1.5, 2, 3.5L, 4.5, 5, 6.25L, 7.0));
	printf("%.33Lg %.20Lf %Le\n", series(30), series(5) * -1000, series(2) / 7e300L);
	printf("%Lg %d %d\n", fmodl(1e30L, 7), (int)series(20), series(20) > 2.718L);
	return 0;
}
