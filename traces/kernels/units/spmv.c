/*
 * y = A x for a sparse matrix on PEs that gather: psim-record --units gather.
 *
 *     spmv [ROWS [PER_ROW]]     default 500 rows, 7 elements each on average (1 to 13); any number of PEs
 *
 * Each PE has all of x in its SBM, and looks up what its row needs. The matrix is converted first, outside of the
 * measured region, to slices of as many rows as there are PEs, as in ../simd/spmv.c, whose scalar core looks up the
 * elements: values are dealt double by double, columns two by two.
 *
 * Compares every element of y with integer arithmetic.
 */
#include <stdint.h>

#include "../simd/simd_kernel.h"
#include "../spmv_check.h"

/* Slice s has steps first[s] … first[s + 1] - 1, an even number of them. */
struct slices {
	struct array array;
	long count, *first;
	int32_t *column; /* of steps k and k + 1 of a PE, side by side */
	double *value;
};

static void fill_slice(struct slices *s, const struct spmv_matrix *a, long slice)
{
	long pes = s->array.pes, at = s->first[slice], longest = 0;

	for (long r = slice * pes; r < smaller((slice + 1) * pes, a->n); r++) {
		int length = a->start[r + 1] - a->start[r];
		long pe = r % pes;

		for (long k = 0; k < length; k++) { /* padding: 0 times x[0] */
			long step = at + k;

			s->value[step * pes + pe] = a->value[a->start[r] + k];
			s->column[(step / 2 * pes + pe) * 2 + step % 2] = a->column[a->start[r] + k];
		}
		longest = length > longest ? length : longest;
	}
	s->first[slice + 1] = at + (longest + 1) / 2 * 2;
}

static void *prepare(const struct spmv_matrix *a)
{
	struct slices *s = calloc(1, sizeof(*s));
	size_t most;

	if (!s)
		return NULL;
	s->array = array_here();
	s->count = (a->n + s->array.pes - 1) / s->array.pes;
	most = (size_t)(s->count * s->array.pes * (a->longest + 1));
	s->first = calloc((size_t)s->count + 1, sizeof(*s->first));
	s->column = calloc(most, sizeof(*s->column));
	s->value = calloc(most, sizeof(*s->value));
	if (!s->first || !s->column || !s->value)
		return NULL;
	for (long n = 0; n < s->count; n++)
		fill_slice(s, a, n);
	return s;
}

/* Computes one row in each PE. */
SIMD_FUNCTION static void multiply(long steps, const double *value, const int32_t *column, const double *x, double *y)
{
	double even = 0, odd = 0;

	for (long k = 0; k < steps; k += 2) {
		even += value[k] * simd_gather(x, simd_index(column + k));
		odd += value[k + 1] * simd_gather(x, simd_index(column + k + 1));
	}
	*y = even + odd;
}

/* Gets the values of steps from k0 to k1 to double `at` of each SBM, and their columns behind them. */
static void get_steps(const struct slices *s, long k0, long k1, long at, long most)
{
	long pes = s->array.pes;

	if (k0 == k1)
		return;
	deal_rows(s->value + k0 * pes, at, 1, (k1 - k0) * pes, 1);
	deal_rows((const double *)(s->column + k0 * pes), at + most, 1, (k1 - k0) / 2 * pes, 1);
}

/* Number of slices from i on that fit into `most` steps. */
static long slices_that_fit(const struct slices *s, long i, long most)
{
	long end = i;

	while (end < s->count && s->first[end + 1] - s->first[i] <= most)
		end++;
	return end;
}

/* An SBM has two parts of values, columns and results, then x. */
static int spmv(const struct spmv_matrix *a, const double *restrict x, double *restrict y, void *work)
{
	const struct slices *s = work;
	long pes = s->array.pes, most = (s->array.room - a->n) / 6, part = 0, vector = s->array.room - a->n;

	if (needs_room(s->array, 6L * (a->longest + 2) + a->n))
		return 1;
	most = smaller(most, 65535 / pes) / 2 * 2; /* pieces of a transfer */
	simd_on();
	simd_get(sbm(vector), x, (uint32_t)(8 * a->n));
	get_steps(s, 0, s->first[slices_that_fit(s, 0, most)], 0, most);
	for (long i = 0, end; i < s->count; i = end, part = 3 * most - part) {
		end = slices_that_fit(s, i, most);
		simd_wait(0);
		get_steps(s, s->first[end], s->first[slices_that_fit(s, end, most)], 3 * most - part, most);
		for (long j = i; j < end; j++)
			multiply(s->first[j + 1] - s->first[j], sbm(part + s->first[j] - s->first[i]),
				 (const int32_t *)sbm(part + most) + (s->first[j] - s->first[i]), sbm(vector),
				 sbm(part + 2 * most + j - i));
		collect_rows(y + i * pes, part + 2 * most, 1, smaller(end * pes, a->n) - i * pes, 1);
	}
	simd_wait(0);
	simd_off();
	return 0;
}

int main(int argc, char *argv[])
{
	return spmv_main("spmv", argc, argv, prepare, spmv);
}
