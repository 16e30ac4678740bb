/* Loops that stay scalar: the comment on the directive's line or on the statement's line is the message. */
#include <complex.h>
#include <math.h>

void gather(int n, double *a, const double *b, const int *at)
{
#pragma omp simd
	for (int i = 0; i < n; i++)
		a[i] = b[at[i]]; // a subscript that is loaded in the loop, for which PEs need -fpsim-units=gather
}

void row(int n, double *a, const double *b, const int *start)
{
#pragma omp simd
	for (int i = 0; i < n; i++) {
		double s = 0;

		for (int k = start[i]; k < start[i + 1]; k++) // an inner loop whose bounds are loaded
			s += b[k];
		a[i] = s;
	}
}

void divide(int n, double *a, const double *b)
{
#pragma omp simd
	for (int i = 0; i < n; i++)
		a[i] = 1 / b[i]; // a division or square root, for which PEs need -fpsim-units=divide
}

void call(int n, double *a, const double *b)
{
#pragma omp simd
	for (int i = 0; i < n; i++)
		a[i] = sin(b[i]); // call of
}

void compare(int n, double *a, const double *b)
{
#pragma omp simd
	for (int i = 0; i < n; i++)
		if (b[i] > 0) // a condition inside the loop
			a[i] = b[i];
}

void long_doubles(int n, long double *a, const long double *b)
{
#pragma omp simd
	for (int i = 0; i < n; i++)
		a[i] = 2 * b[i]; // a real number of more than 8 bytes
}

void integers(int n, int *a, const int *b)
{
#pragma omp simd
	for (int i = 0; i < n; i++)
		a[i] = 2 * b[i]; // arithmetic with integers that are data, for which PEs need -fpsim-units=integer
}

void one_place(int n, double *a, const double *b)
{
#pragma omp simd
	for (int i = 0; i < n; i++)
		*a = b[i]; // every iteration stores to the same place
}

void read_first(int n, double a[n][8], const double *b, double *restrict t)
{
#pragma omp simd
	for (int i = 0; i < n; i++) {
		for (int k = 0; k < 8; k++)
			a[i][k] = t[k];
		for (int k = 0; k < 8; k++)
			t[k] = b[8 * i + k]; // every iteration stores to the same place
	}
}

void read_more(int n, int m, double a[n][m], const double *b, double *restrict t)
{
#pragma omp simd
	for (int i = 0; i < n; i++) {
		for (int k = 0; k < m - 1; k++)
			t[k] = b[8 * i + k]; // every iteration stores to the same place
		for (int k = 0; k < m; k++)
			a[i][k] = t[k];
	}
}

void number(long n, long m, double *a)
{
#pragma omp simd
	for (long i = 0; i < n; i++)
		a[i] = (double)(m * i); // a real value comes from the number of the iteration
}

double last(int n, double *a, const double *b)
{
	double t = 0;
#pragma omp simd lastprivate(t) // the last iteration's value of a variable is used after the loop
	for (int i = 0; i < n; i++) {
		t = 2 * b[i];
		a[i] = t + 1;
	}
	return t;
}

int last_index(int n, int m, double *a, const double *b, const int *from)
{
	int k = 0;
#pragma omp simd lastprivate(k) // the last iteration's value of a variable is used after the loop
	for (int i = 0; i < n; i++) {
		k = from[i];
		a[i] = 2 * b[i];
	}
	return k;
}

void shrinking(int n, int m, double *a, const double *b)
{
#pragma omp simd
	for (int i = 0; i < n; i++)
		for (int j = 0; j < n - i; j++) // the number of iterations differs between the PEs
			a[i * m + j] = b[j];
}

void growing_sum(int n, double *a, const double *b)
{
#pragma omp simd // the number of iterations differs between the PEs
	for (int i = 0; i < n; i++) {
		double s = 0;

		for (int j = 0; j < i; j++)
			s += b[j];
		a[i] = s;
	}
}

void quotient(int n, double complex *a, const double complex *b)
{
#pragma omp simd
	for (int i = 0; i < n; i++)
		a[i] = 1 / b[i]; // division of complex numbers, which the array has not
}
