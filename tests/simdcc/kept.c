/* Directives that keep data on a device: the comment on a line is its message. */

// clang-format off
void twice(int n, double *a, const double *b, double *c)
{
#pragma omp target data map(to : b[0:n]) map(from : a[0:n])
	{
#pragma omp simd // on the array: 8 at a time; 2 arrays dealt, 0 broadcast, 0 sums; arrays stay in the block of line 6
		for (int i = 0; i < n; i++)
			a[i] = 2 * b[i];
#pragma omp target simd map(to : b[0:n]) map(from : c[0:n]) // on the array
		for (int i = 0; i < n; i++)
			c[i] = 3 * b[i];
	}
}

void begin(int n, double *a)
{
#pragma omp  target	enter data map(to : a[0:n]) // 'a' does not stay in the array: expected target exit data for it
}

void end(int n, double *a)
{
#pragma omp target exit data map(from : a[0:n])
}

/* a has its end in another block. */
void half(int n, double *a, double *b)
{
#pragma omp target enter data map(to : a[0:n], b[0:n]) // 'a' does not stay in the array: expected target exit
#pragma omp simd // on the array: 8 at a time; 2 arrays dealt, 0 broadcast, 0 sums; 1 array stays in the block of line
	for (int i = 0; i < n; i++)
		a[i] = 2 * b[i];
	if (n > 0) {
#pragma omp target exit data map(from : a[0:n])
	}
#pragma omp target exit data map(from : b[0:n])
}

void names(int n, double *a, double *b)
{
#pragma omp target data map(both : a[0:n]) // map: unknown type 'both', expected to, from, tofrom, alloc
	{
#pragma omp target data map(to : a[0:n], x) // map: no loop on the array uses 'x'
		{
#pragma omp simd // on the array: 8 at a time; 2 arrays dealt, 0 broadcast, 0 sums; 1 array stays in the block of line
			for (int i = 0; i < n; i++)
				a[i] = 2 * b[i];
		}
	}
}

/* The scalar core in a block: a statement, a loop, a call. */
void between(int n, double *a, double *b, void (*f)(void))
{
#pragma omp target data map(tofrom : a[0:n])
	for (int t = 0; t < n; t++) {
#pragma omp simd // on the array: 8 at a time; 1 arrays dealt, 0 broadcast, 0 sums; arrays stay in the block of line
		for (int i = 0; i < n; i++)
			a[i] = 2 * a[i];
		b[t] = 1; // the scalar core may use what stays in the buffer memories: such an array is written back
		for (int i = 0; i < n; i++)
			b[i] = b[i] + i; // the scalar core may use what stays in the buffer memories: all
#pragma omp simd // on the array: 8 at a time; 1 arrays dealt, 0 broadcast, 0 sums; arrays stay in the block of line
		for (int i = 0; i < n; i++)
			a[i] = 3 * a[i];
		f(); // the scalar core may use what stays in the buffer memories: all is written back
	}
#pragma omp simd // on the array: 8 at a time; 1 arrays dealt, 0 broadcast, 0 sums
	for (int i = 0; i < n; i++)
		b[i] = 2 * b[i];
}
