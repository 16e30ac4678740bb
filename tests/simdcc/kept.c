/* Directives that keep data on a device: the comment on a line is its message. Loops in them run on the array. */

// clang-format off
void twice(int n, double *a, const double *b, double *c)
{
#pragma omp target data map(to : b[0:n]) map(from : a[0:n]) // no data are kept in the array: each loop transfers
	{
#pragma omp simd // on the array
		for (int i = 0; i < n; i++)
			a[i] = 2 * b[i];
#pragma omp target simd map(to : b[0:n]) map(from : c[0:n]) // on the array
		for (int i = 0; i < n; i++)
			c[i] = 3 * b[i];
	}
}

void begin(int n, double *a)
{
#pragma omp  target	enter data map(to : a[0:n]) // no data are kept in the array: each loop transfers
}

void end(int n, double *a)
{
#pragma omp target exit data map(from : a[0:n])
}
