/* Loops without a directive: the comment on a line is its message with -fpsim-auto -fpsim-report. */

/* Data are in caches from the second time on: 24 bytes take 6 cycles to transfer, and 5 instructions less. */
void repeated(int n, int times, double *a, const double *b, double *restrict c, double s)
{
	for (int t = 0; t < times; t++) {
		c[t] = a[0];
		for (int i = 0; i < n; i++) // not on the array: it is not expected to be faster there
			a[i] += s * b[i];   // not on the array: every iteration stores to the same place
	}
}

/* Once, the data come from memory on either way. */
void once(int n, double *a, const double *b, double s)
{
	for (int i = 0; i < n; i++) // on the array
		a[i] += s * b[i];
}

/* Each element of a and c is used n times. */
void product(int n, int times, double c[n][n], double a[n][n], double b[n][n])
{
	for (int t = 0; t < times; t++)
		for (int i = 0; i < n; i++) // on the array
			for (int k = 0; k < n; k++)
				for (int j = 0; j < n; j++)
					c[i][j] += a[i][k] * b[k][j]; // not on the array: every
}

/* 500 instructions, of 20000 at least. */
void few(double *a, const double *b, double s)
{
	for (int i = 0; i < 100; i++) // not on the array: it is not expected to be faster there
		a[i] += s * b[i];
}

/* 500000 instructions. */
void many(double *a, const double *b, double s)
{
	for (int i = 0; i < 100000; i++) // on the array
		a[i] += s * b[i];
}

/* The loop around becomes the inner one: y moves once. The outer loop alone would sum over the PEs. */
void columns(int n, double a[n][n], const double *x, double *y)
{
	for (int i = 0; i < n; i++)
		for (int j = 0; j < n; j++)     // on the array: 8 at a time, outside of 1 loop around it
			y[j] += a[i][j] * x[i]; // not on the array: every iteration stores to the same place
}

/* Rows add to their own element and to all columns: first one, then the other. */
void divided(int n, double a[n][n], const double *x, double *restrict t, double *restrict y)
{
	for (int i = 0; i < n; i++) { // on the array, 2 nests: 8 at a time; 2 arrays dealt, 1 broadcast, 0 sums; then 8
		t[i] = 0;
		for (int j = 0; j < n; j++)
			t[i] += a[i][j] * x[j];
		for (int j = 0; j < n; j++)
			y[j] += a[i][j] * t[i];
	}
}

/* Columns that a later row reads: not one after the other. */
void undivided(int n, double a[n][n], double *restrict t, double *restrict y)
{
	for (int i = 0; i < n; i++) {
		t[i] = 0;
		for (int j = 0; j < n; j++)
			t[i] += a[i][j] * y[j]; // not on the array: every iteration stores to the same place
		for (int j = 0; j < n; j++)     // not on the array: it is not expected to be faster there
			y[j] += a[i][j] * t[i]; // not on the array: every iteration stores to the same place
	}
}

/* A loop without an end has no statement of its own. */
void for_ever(double *a, int n) // not on the array: a loop with no exit or more than one
{
	for (;;)
		for (int i = 0; i < n; i++) // not on the array: it is not expected to be faster there
			a[i] += 1;
}
