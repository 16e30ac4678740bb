/*
 * Arrays that stay in the buffer memories within a region of target data. The comment on a directive has, for each run
 * on 16 PEs, how many bytes move and how many need not; behind "back" is what the line or the region's end writes back.
 */
#include <stdio.h>

#define LEAF __attribute__((noipa))

enum { LONG = 1600, N = 96, TALL = 256, WIDE = 600, ROWS = 34, COLUMNS = 66 };

static double a[LONG], b[LONG], c[LONG], d[LONG], e[LONG];
static float fa[LONG], fb[LONG], fc[LONG];
static double m[N][N], x[N], y[N], v[N], w[N];
static double t[TALL][WIDE], of_t[WIDE], sums[TALL];
static double grid[ROWS][COLUMNS], new_grid[ROWS][COLUMNS], old_grid[ROWS][COLUMNS];
static int turn; /* a store to it keeps a loop outside of the nest in it */

// clang-format off

/* a, b and c are 12800 bytes each. r is stored to before it is read, so it is not fetched; the end forgets it. */
LEAF static void chain(int n, int times, double *restrict p, double *restrict q, double *restrict r)
{
#pragma omp target data map(tofrom : p[0:n]) map(to : q[0:n]) map(alloc : r[0:n])
	{
		for (int t = 0; t < times; t++) {
#pragma omp simd // 25600 0 0 38400
			for (int i = 0; i < n; i++)
				r[i] = p[i] + 2 * q[i];
#pragma omp simd // 0 25600 0 38400
			for (int i = 0; i < n; i++)
				p[i] = r[i] - 3 * q[i];
		}
	}
} // back 12800

/* Singles are 6396 bytes each, of an odd number of lanes that begins in the middle of 8 bytes. */
LEAF static void singles(int n, int times, float *restrict p, float *restrict q, float *restrict r)
{
#pragma omp target data map(tofrom : p[0:n]) map(to : q[0:n]) map(alloc : r[0:n])
	{
		for (int t = 0; t < times; t++) {
#pragma omp simd // 12792 0 0 19188
			for (int i = 0; i < n; i++)
				r[i] = p[i] + 2 * q[i];
#pragma omp simd // 0 12792 0 19188
			for (int i = 0; i < n; i++)
				p[i] = r[i] - 3 * q[i];
		}
	}
} // back 6396

/* The same from enter to exit. What target update brings back, memory gets. */
LEAF static void entered(int n, int times, double *restrict p, double *restrict q, double *restrict r)
{
#pragma omp target enter data map(to : p[0:n], q[0:n]) \
	map(alloc : r[0:n])
	for (int t = 0; t < times; t++) {
#pragma omp simd // 25600 0 0 38400
		for (int i = 0; i < n; i++)
			r[i] = p[i] + 2 * q[i];
#pragma omp simd // 0 25600 0 38400
		for (int i = 0; i < n; i++)
			p[i] = r[i] - 3 * q[i];
	}
#pragma omp target update from(r[0:n])
#pragma omp target exit data map(from : p[0:n]) map(release : q, r)
} // back 25600

/* Only p stays. */
LEAF static void one(int n, int times, double *restrict p, double *restrict q)
{
#pragma omp target data map(tofrom : p[0:n])
	for (int t = 0; t < times; t++) {
		turn = t;
#pragma omp simd // 25600 0 12800 25600
		for (int i = 0; i < n; i++)
			p[i] = p[i] + 2 * q[i];
	}
} // back 12800

/* The matrix, 1228800 bytes, moves through what p leaves: 4 lanes at a time, since 8 do not fit twice. */
LEAF static void large(int times, double f[TALL][WIDE], double *p, double *q)
{
#pragma omp target data map(tofrom : p[0:TALL]) map(to : q[0:WIDE])
	for (int t = 0; t < times; t++) {
		turn = t;
#pragma omp simd // 1230848 0 1228800 4096
		for (int i = 0; i < TALL; i++) {
			double s = 0;
			for (int j = 0; j < WIDE; j++)
				s += f[i][j] * q[j];
			p[i] = p[i] + s;
		}
	}
} // back 2048

/*
 * The inner points are 32 rows of 512 bytes, two rows a PE; with their neighbours they are four rows of 528. Rows of
 * g stay where they were stored to; those with neighbours are fetched from memory.
 */
LEAF static void smooth(int times, double u[ROWS][COLUMNS], double g[ROWS][COLUMNS])
{
#pragma omp target data map(tofrom : u[0:ROWS]) map(alloc : g[0:ROWS])
	for (int s = 0; s < times; s++) {
#pragma omp simd collapse(2) // 33792 0 50176 16384
		for (int i = 1; i < ROWS - 1; i++)
			for (int j = 1; j < COLUMNS - 1; j++)
				g[i][j] = u[i - 1][j] + u[i + 1][j] - u[i][j - 1] - u[i][j + 1];
#pragma omp simd collapse(2) // 0 16384 0 16384
		for (int i = 1; i < ROWS - 1; i++)
			for (int j = 1; j < COLUMNS - 1; j++)
				u[i][j] = g[i][j];
	}
} // back 16384

/* f is 73728 bytes, p and q are 768. The broadcast of p needs memory up to date, and so does the load of q. */
LEAF static double product(int n, int times, double f[n][n], double *p, double *q)
{
	double sum = 0;
#pragma omp target data map(to : f[0:n][0:n]) map(tofrom : p[0:n], q[0:n])
	for (int t = 0; t < times; t++) {
#pragma omp simd // 73728 0 768 73728
		for (int i = 0; i < n; i++) {
			double s = 0;
			for (int j = 0; j < n; j++)
				s += f[i][j] * p[j];
			q[i] = s;
		}
#pragma omp simd // 768 768 0 1536
		for (int i = 0; i < n; i++)
			p[i] = p[i] - q[i];
		sum += q[t]; // back 768 768
	}
	return sum; // back 768
}

static void product_scalar(int n, int times, double f[n][n], double *p, double *q, double *sum)
{
	*sum = 0;
	for (int t = 0; t < times; t++) {
		for (int i = 0; i < n; i++) {
			double s = 0;
			for (int j = 0; j < n; j++)
				s += f[i][j] * p[j];
			q[i] = s;
		}
		for (int i = 0; i < n; i++)
			p[i] = p[i] - q[i];
		*sum += q[t];
	}
}

/* Returns how many numbers of `singles` are wrong. */
static int check_singles(void)
{
	int wrong;

	for (int i = 0; i < LONG; i++)
		fa[i] = i % 11, fb[i] = i % 4;
	singles(LONG - 1, 2, fa + 1, fb + 1, fc + 1);
	wrong = fa[0] != 0;
	for (int i = 1; i < LONG; i++) /* p + 2 q - 3 q twice */
		wrong += fa[i] != i % 11 - 2 * (i % 4) || fb[i] != i % 4;
	return wrong;
}

/* Returns how many numbers of `smooth` are wrong. */
static int check_smooth(void)
{
	int wrong = 0;

	for (int i = 0; i < ROWS; i++)
		for (int j = 0; j < COLUMNS; j++)
			grid[i][j] = old_grid[i][j] = (i * j) % 5;
	smooth(2, grid, new_grid);
	for (int s = 0; s < 2; s++) {
		for (int i = 1; i < ROWS - 1; i++)
			for (int j = 1; j < COLUMNS - 1; j++)
				new_grid[i][j] = old_grid[i - 1][j] + old_grid[i + 1][j] -
						 old_grid[i][j - 1] - old_grid[i][j + 1];
		for (int i = 1; i < ROWS - 1; i++)
			for (int j = 1; j < COLUMNS - 1; j++)
				old_grid[i][j] = new_grid[i][j];
	}
	for (int i = 0; i < ROWS; i++)
		for (int j = 0; j < COLUMNS; j++)
			wrong += grid[i][j] != old_grid[i][j];
	return wrong;
}

int main(void)
{
	int wrong = 0;
	double sum, expected;

	for (int i = 0; i < LONG; i++) {
		a[i] = d[i] = i % 7;
		b[i] = i % 5;
		e[i] = 0;
	}
	for (int i = 0; i < N; i++) {
		x[i] = v[i] = i % 3;
		for (int j = 0; j < N; j++)
			m[i][j] = (i + j) % 4;
	}
	wrong += check_singles();
	chain(LONG, 2, a, b, c);
	for (int t = 0; t < 2; t++)
		for (int i = 0; i < LONG; i++) {
			e[i] = d[i] + 2 * b[i];
			d[i] = e[i] - 3 * b[i];
		}
	for (int i = 0; i < LONG; i++) /* c is forgotten if the array has it */
		wrong += a[i] != d[i] || (c[i] != e[i] && c[i] != 0);
	entered(LONG, 2, a, b, c);
	for (int t = 0; t < 2; t++)
		for (int i = 0; i < LONG; i++) {
			e[i] = d[i] + 2 * b[i];
			d[i] = e[i] - 3 * b[i];
		}
	one(LONG, 2, a, b);
	for (int i = 0; i < LONG; i++)
		wrong += a[i] != d[i] + 4 * b[i] || c[i] != e[i];
	for (int j = 0; j < WIDE; j++)
		of_t[j] = j % 3;
	for (int i = 0; i < TALL; i++)
		for (int j = 0; j < WIDE; j++)
			t[i][j] = i + (j % 2);
	large(2, t, sums, of_t);
	for (int i = 0; i < TALL; i++) /* 600 numbers are 100 times 0 1 2 0 1 2, of which 1 + 0 + 2 have an odd place */
		wrong += sums[i] != 2 * (600.0 * i + 300);
	wrong += check_smooth();
	sum = product(N, 2, m, x, y);
	product_scalar(N, 2, m, v, w, &expected);
	for (int i = 0; i < N; i++)
		wrong += x[i] != v[i] || y[i] != w[i];
	wrong += sum != expected;
	printf("nests: %d wrong\n", wrong);
	return wrong != 0;
}
