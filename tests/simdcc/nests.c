/*
 * Nests that psim-cc puts on the array, compared element by element with the same loops without the directive. Small
 * integers: every sum is exact. `shift` depends on its order, so it is left to the scalar core at run time.
 */
#include <complex.h>
#include <stdio.h>
#include <stdlib.h>

#define LEAF __attribute__((noipa))

enum { N = 45, NX = 30, NY = 20, NZ = 12 };

static double a[N][N + 1], b[N][N], c[N][N], r[N][N];
static double complex za[N][N], zb[N][N], zc[N][N], zr[N][N];
static double g[NZ][NY][NX], h[NZ][NY][NX];
LEAF static void gemm(int n, int m, double a[n][m + 1], double b[m][n], double c[n][n])
{
#pragma omp simd
	for (int i = 0; i < n; i++)
		for (int j = 0; j < n; j++) {
			double s = 0;
			for (int k = 0; k < m; k++)
				s += a[i][k] * b[k][j];
			c[i][j] = s;
		}
}
LEAF static void gemm_in_place(int n, int m, double a[n][m + 1], double b[m][n], double c[n][n])
{
#pragma omp simd
	for (int i = 0; i < n; i++)
		for (int j = 0; j < n; j++)
			for (int k = 0; k < m; k++)
				c[i][j] += a[i][k] * b[k][j];
}
/* Two inner loops on one array: the first scales, over fewer columns, the second adds. */
LEAF static void gemm_scaled(int n, int m, double f, double a[n][m + 1], double b[m][n], double c[n][n])
{
#pragma omp simd
	for (int i = 0; i < n; i++) {
		for (int j = 0; j < n - 2; j++)
			c[i][j] *= f;
		for (int k = 0; k < m; k++)
			for (int j = 0; j < n; j++)
				c[i][j] += a[i][k] * b[k][j];
	}
}
LEAF static void gemm_columns(int n, int m, double a[n][m + 1], double b[m][n], double c[n][n])
{
#pragma omp simd
	for (int j = 0; j < n; j++)
		for (int i = 0; i < n; i++)
			for (int k = 0; k < m; k++)
				c[i][j] += a[i][k] * b[k][j];
}
LEAF static double dot(int n, const double *x, const double *y)
{
	double s = 0;
#pragma omp simd reduction(+ : s)
	for (int i = 0; i < n; i++)
		s += x[i] * y[i];
	return s;
}
LEAF static double total(int n, int m, double x[n][m])
{
	double s = 0;
#pragma omp simd reduction(+ : s)
	for (int i = 0; i < n; i++)
		for (int j = 0; j < m; j++)
			s += x[i][j];
	return s;
}
LEAF static void zgemm(int n, double complex a[n][n], double complex b[n][n], double complex c[n][n])
{
#pragma omp simd
	for (int i = 0; i < n; i++)
		for (int j = 0; j < n; j++) {
			double complex s = 0;
			for (int k = 0; k < n; k++)
				s += a[i][k] * b[k][j];
			c[i][j] = s;
		}
}
LEAF static void stencil(int nx, int ny, int nz, double u[nz][ny][nx], double v[nz][ny][nx], double c0, double c1)
{
	for (int z = 1; z < nz - 1; z++)
#pragma omp simd
		for (int y = 1; y < ny - 1; y++)
			for (int x = 1; x < nx - 1; x++)
				v[z][y][x] = c0 * u[z][y][x] + c1 * (u[z][y][x - 1] + u[z][y][x + 1] + u[z][y - 1][x] +
								     u[z][y + 1][x] + u[z - 1][y][x] + u[z + 1][y][x]);
}
/* Both loops have the directive: the outer one is distributed. */
LEAF static void nested(int n, int m, double y[n][m], double x[n][m])
{
#pragma omp simd
	for (int i = 0; i < n; i++) {
#pragma omp simd
		for (int j = 0; j < m; j++)
			y[i][j] = 3 * x[i][j];
	}
}
LEAF static void triangular(int n, double a[n][n + 1], double c[n][n])
{
#pragma omp simd
	for (int i = 0; i < n; i++)
		for (int j = 0; j < n; j++)
			for (int k = j; k < n; k++)
				c[i][j] += a[i][k];
}
/* Rows from those below, which are not changed yet: two loops go through the rows. */
LEAF static void in_place(int n, double a[n][n + 1], double c[n][n])
{
	for (int i = 0; i < n; i++)
#pragma omp simd
		for (int j = 0; j < n; j++) {
			for (int k = i + 1; k < n; k++)
				c[i][j] += a[k][i] * c[k][j];
			c[i][j] *= 2;
		}
}
/* In two lanes of a PE, elements of a lane are two apart; in one lane, at the end, they would be one apart. */
LEAF static void every_other(int n, int m, double *to, const double *from, int back)
{
	for (int o = 0; o < n; o++)
#pragma omp simd
		for (int i = 7; i >= 0; i--) {
			double s = 0;
			for (int j = 1; j < m; j += 2)
				s += from[j + o + back * i + 8];
			to[2 * i + 16 * o] = s;
		}
}

LEAF static void shift(int n, double *x)
{
#pragma omp simd
	for (int i = 1; i < n; i++)
		x[i] = x[i - 1] + 1;
}
LEAF static void backwards(int n, double *x, double *y)
{
#pragma omp simd
	for (int i = n - 1; i >= 0; i--)
		x[i] = y[n - 1 - i];
}
LEAF static int strided(int n, double *x, double *y)
{
	int i;
#pragma omp simd
	for (i = 0; i < n; i += 3)
		x[i] = y[i] * 2;
	return i;
}

static long differ(const double *x, const double *y, long n)
{
	long bad = 0;

	for (long k = 0; k < n; k++)
		bad += x[k] != y[k];
	return bad;
}

static long report(const char *name, long bad)
{
	if (bad)
		printf("%s: %ld wrong\n", name, bad);
	return bad;
}

static void fill(void)
{
	for (int i = 0; i < N; i++)
		for (int j = 0; j < N; j++) {
			a[i][j] = (i * 3 + j) % 7 - 3;
			b[i][j] = (i + 5 * j) % 11 - 5;
			za[i][j] = a[i][j] + I * b[i][j];
			zb[i][j] = b[i][j] - I * a[i][j];
		}
	for (int z = 0; z < NZ; z++)
		for (int y = 0; y < NY; y++)
			for (int x = 0; x < NX; x++)
				g[z][y][x] = (z * 5 + y * 3 + x) % 13;
}

static long products(void)
{
	long bad = 0;

	for (int i = 0; i < N; i++)
		for (int j = 0; j < N; j++)
			for (int k = 0; k < N; k++) {
				r[i][j] += a[i][k] * b[k][j];
				zr[i][j] += za[i][k] * zb[k][j];
			}
	gemm(N, N, a, b, c);
	bad += report("gemm", differ(&r[0][0], &c[0][0], N * N));
	for (int i = 0; i < N; i++)
		for (int j = 0; j < N; j++)
			c[i][j] = 0;
	gemm_in_place(N, N, a, b, c);
	bad += report("gemm_in_place", differ(&r[0][0], &c[0][0], N * N));
	for (int i = 0; i < N; i++)
		for (int j = 0; j < N; j++)
			c[i][j] = 0;
	gemm_columns(N, N, a, b, c);
	bad += report("gemm_columns", differ(&r[0][0], &c[0][0], N * N));
	gemm_scaled(N, N, 2, a, b, c);
	for (int i = 0; i < N; i++)
		for (int j = 0; j < N; j++)
			bad += report("gemm_scaled", c[i][j] != (j < N - 2 ? 3 : 2) * r[i][j]);
	zgemm(N, za, zb, zc);
	return bad + report("zgemm", differ((double *)&zr[0][0], (double *)&zc[0][0], 2 * N * N));
}

struct product {
	int n;
	struct square {
		double *at;
	} * a, *b;
	double *c;
};
/* Pointers and the size are members, which each loop loads; with n = 0 it may not load the others. */
LEAF static void product_of(struct product *p)
{
#pragma omp simd
	for (int i = 0; i < p->n; i++)
		for (int j = 0; j < p->n; j++) {
			p->c[i * p->n + j] = 0;
			for (int k = 0; k < p->n; k++)
				p->c[i * p->n + j] += p->a->at[i * p->n + k] * p->b->at[k * p->n + j];
		}
}
struct point {
	double x, y, z;
};
/* A lane's element has members in any order. */
LEAF static void move(int n, struct point *at, const struct point *speed)
{
#pragma omp simd
	for (int i = 0; i < n; i++) {
		at[i].y += 2 * speed[i].x;
		at[i].z = at[i].x - speed[i].z;
		at[i].x = speed[i].y;
	}
}
/* The same members, but z is that of the next element. */
LEAF static void pass_on(int n, struct point *at)
{
#pragma omp simd
	for (int i = 0; i < n; i++) {
		at[i].x = at[i].y + 1;
		at[i + 1].z = at[i].x + at[i].z;
	}
}

static long structures(double *x, double *y)
{
	struct square of_x = {x}, of_y = {y};
	struct product p = {N, &of_x, &of_y, &r[0][0]}, none = {0, NULL, NULL, NULL};
	struct point *at = (struct point *)x, *speed = (struct point *)y;
	double z[N];
	long bad = 0;

	product_of(&none);
	product_of(&p);
	for (int i = 0; i < N; i++)
		for (int j = 0; j < N; j++) {
			double s = 0;
			for (int k = 0; k < N; k++)
				s += x[i * N + k] * y[k * N + j];
			bad += report("product", r[i][j] != s);
		}
	for (int i = 0; i < N; i++)
		at[i] = (struct point){i, 2 * i, 3}, speed[i] = (struct point){i % 7, i % 5, i % 3};
	move(N - 1, at, speed);
	for (int i = 0; i < N - 1; i++)
		bad += report("move", at[i].x != i % 5 || at[i].y != 2 * i + 2 * (i % 7) || at[i].z != i - i % 3);
	bad += report("the last", at[N - 1].x != N - 1 || at[N - 1].y != 2 * (N - 1) || at[N - 1].z != 3);
	z[0] = at[0].z;
	for (int i = 0; i < N - 1; i++)
		z[i + 1] = at[i].y + 1 + z[i];
	pass_on(N - 1, at);
	for (int i = 0; i < N - 1; i++)
		bad += report("pass on", at[i].x != at[i].y + 1 || at[i].z != z[i]);
	return bad;
}

static long vectors(double *x, double *y)
{
	long bad = 0;
	double s = 0, t = 0;

	for (int i = 0; i < N * N; i++) {
		s += x[i] * y[i];
		t += x[i];
	}
	bad += report("dot", s != dot(N * N, x, y));
	bad += report("total", t != total(N, N, (double(*)[N])x));
	nested(N, N, (double(*)[N])x, (double(*)[N])y);
	for (int i = 0; i < N * N; i++)
		bad += report("nested", x[i] != 3 * y[i]);
	backwards(N * N, x, y);
	for (int i = 0; i < N * N; i++)
		bad += report("backwards", x[i] != y[N * N - 1 - i]);
	for (int i = 0; i < N * N; i++)
		x[i] = -1;
	bad += report("strided's index", strided(N * N, x, y) != N * N);
	for (int i = 0; i < N * N; i++)
		bad += report("strided", x[i] != (i % 3 ? -1 : 2 * y[i]));
	every_other(3, 24, x, y, -1);
	for (int i = 0; i < 24; i++) {
		double s = 0;
		for (int j = 1; j < 24; j += 2)
			s += y[j + i / 8 - i % 8 + 8];
		bad += report("every other", x[2 * i] != s);
	}
	shift(N * N, x);
	for (int i = 1; i < N * N; i++)
		bad += report("shift", x[i] != x[0] + i);
	return bad;
}

static long planes(void)
{
	long bad = 0;

	stencil(NX, NY, NZ, g, h, 2, 3);
	for (int z = 0; z < NZ; z++)
		for (int y = 0; y < NY; y++)
			for (int x = 0; x < NX; x++) {
				int inner = z > 0 && z < NZ - 1 && y > 0 && y < NY - 1 && x > 0 && x < NX - 1;
				double sum = !inner ? 0
						    : g[z][y][x - 1] + g[z][y][x + 1] + g[z][y - 1][x] +
							      g[z][y + 1][x] + g[z - 1][y][x] + g[z + 1][y][x];
				bad += h[z][y][x] != (inner ? 2 * g[z][y][x] + 3 * sum : 0);
			}
	return report("stencil", bad);
}

static long triangle(void)
{
	for (int i = 0; i < N; i++)
		for (int j = 0; j < N; j++) {
			r[i][j] = c[i][j];
			for (int k = j; k < N; k++)
				r[i][j] += a[i][k];
		}
	triangular(N, a, c);
	return report("triangular", differ(&r[0][0], &c[0][0], N * N));
}

static long below(void)
{
	for (int i = 0; i < N; i++)
		for (int j = 0; j < N; j++) {
			c[i][j] = b[i][j];
			r[i][j] = 2 * b[i][j];
			for (int k = i + 1; k < N; k++)
				r[i][j] += 2 * a[k][i] * b[k][j];
		}
	in_place(N, a, c);
	return report("in place", differ(&r[0][0], &c[0][0], N * N));
}

int main(void)
{
	double *x = malloc(N * N * sizeof(*x)), *y = malloc(N * N * sizeof(*y));
	long bad;

	if (!x || !y)
		return 1;
	for (int i = 0; i < N * N; i++)
		x[i] = i % 9 - 4, y[i] = i % 5;
	fill();
	bad = products() + vectors(x, y) + planes() + triangle() + below() + structures(x, y);
	printf("nests: %ld wrong\n", bad);
	return bad != 0;
}
