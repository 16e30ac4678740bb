/* Loops that stay scalar on PEs with all units: comments as in refused.c. */
#include <stdint.h>

void scatter(int n, double *a, const double *b, const int *at)
{
#pragma omp simd
	for (int i = 0; i < n; i++)
		a[at[i]] = b[i]; // a store by a subscript that is loaded: PEs do not share their results
}

void histogram(int n, int *a, const int *at)
{
#pragma omp simd
	for (int i = 0; i < n; i++)
		a[at[i]]++; // a store by a subscript that is loaded: PEs do not share their results
}

void own(int n, double *a, const int *at)
{
#pragma omp simd
	for (int i = 0; i < n; i++)
		a[i] = 2 * a[at[i]]; // an array that is stored to and read by subscripts that are data
}

void unknown(int n, double *a, const double *b, const int *x, const int *y)
{
#pragma omp simd
	for (int i = 0; i < n; i++)
		a[i] = b[x[i] + y[i]]; // a subscript that is computed from data, and whose range is not known
}

void beside(int n, int w, double *a, const double *b, const int *at)
{
#pragma omp simd
	for (int i = 0; i < n; i++)
		a[i] = b[w * i + at[i]]; // a subscript that is loaded, beside the number of the iteration
}

void quotients(int n, int *a, const int *b)
{
#pragma omp simd
	for (int i = 0; i < n; i++)
		a[i] = b[i] / 3; // an integer that the array does not compute: from a quotient
}

void bytes(int n, unsigned char *a, const unsigned char *b)
{
#pragma omp simd
	for (int i = 0; i < n; i++)
		a[i] = b[i] ^ 1; // an integer of fewer than 4 bytes
}

void real(int n, double *a, const uint64_t *b)
{
#pragma omp simd
	for (int i = 0; i < n; i++)
		a[i] = (double)b[i]; // a real number from an unsigned integer of 64 bits
}

void written_rows(int n, double *a, const double *b, const int *start)
{
#pragma omp simd
	for (int i = 0; i < n; i++)
		for (int k = start[i]; k < start[i + 1]; k++)
			a[k] = 2 * b[k]; // a store by a subscript that is loaded: PEs do not share their results
}
