/*
 * y = A x for a sparse matrix on the SIMD array. All PEs read the same address of their SBMs,
 * so a PE cannot look up x by itself.
 *
 *     spmv [ROWS [PER_ROW]]     default 500 rows, 7 elements each on average (1 to 13); any number of PEs
 *
 * The matrix is converted first, outside of the measured region, to slices of as many rows as
 * there are PEs, each as wide as its longest row (sliced ELLPACK), with the k-th elements of
 * its rows contiguous. Transfers deal the values, double by double; the scalar core looks up
 * the elements of x and writes them into the SBMs; the array multiplies and adds. The look-up
 * takes most of the time.
 *
 * Compares every element of y with integer arithmetic.
 */
#include <stdint.h>

#include "../spmv_check.h"
#include "simd_kernel.h"

/* Slice s has steps first[s] … first[s + 1] - 1; step k has the elements k * pes …, one a row. */
struct slices {
	struct array array;
	long count, *first;
	int *column;
	double *value;
};

static void *prepare(const struct spmv_matrix *a)
{
	struct slices *s = calloc(1, sizeof(*s));
	long pes, at = 0;

	if (!s)
		return NULL;
	s->array = array_here();
	pes = s->array.pes;
	s->count = (a->n + pes - 1) / pes;
	s->first = calloc((size_t)s->count + 1, sizeof(*s->first));
	s->column = calloc((size_t)(s->count * pes * a->longest), sizeof(*s->column));
	s->value = calloc((size_t)(s->count * pes * a->longest), sizeof(*s->value));
	if (!s->first || !s->column || !s->value)
		return NULL;
	for (long i = 0; i < s->count; i++) {
		long longest = 0;

		for (long r = i * pes; r < smaller((i + 1) * pes, a->n); r++) {
			int length = a->start[r + 1] - a->start[r];

			for (long k = 0; k < length; k++) { /* padding: 0 times x[0] */
				s->value[(at + k) * pes + r % pes] = a->value[a->start[r] + k];
				s->column[(at + k) * pes + r % pes] = a->column[a->start[r] + k];
			}
			longest = length > longest ? length : longest;
		}
		at += longest;
		s->first[i + 1] = at;
	}
	return s;
}

/*
 * Gets elements of x for `steps` steps, each PE's into its SBM. Bit patterns: integer loads and
 * stores are scalar.
 */
static void look_up(long steps, long pes, const int *restrict column, const uint64_t *restrict x, long at)
{
	for (long k = 0; k < steps; k++, column += pes) {
		uint64_t *to = sbm_of(0, at + k);

		for (long p = 0; p < pes; p++, to += SIMD_PE_STRIDE / sizeof(*to))
			*to = x[column[p]];
	}
}

/* Computes one row in each PE. */
SIMD_FUNCTION static void multiply(long steps, const double *restrict value, const double *restrict x,
				   double *restrict y)
{
	double sum = 0;

	for (long k = 0; k < steps; k++)
		sum += value[k] * x[k];
	*y = sum;
}

/* Number of slices from i on that fit into `most` steps. */
static long slices_that_fit(const struct slices *s, long i, long most)
{
	long end = i;

	while (end < s->count && s->first[end + 1] - s->first[i] <= most)
		end++;
	return end;
}

static void get_values(const struct slices *s, long i, long end, long at)
{
	long pes = s->array.pes, steps = s->first[end] - s->first[i];

	if (steps > 0)
		deal_rows(s->value + s->first[i] * pes, at, 1, steps * pes, 1);
}

/* An SBM has values of two parts, elements of x of one, and results of one. */
static int spmv(const struct spmv_matrix *a, const double *restrict x, double *restrict y, void *work)
{
	const struct slices *s = work;
	long pes = s->array.pes, most = s->array.room / 5, half = 0;

	most = smaller(most, 65535 / pes); /* pieces of a transfer */
	if (needs_room(s->array, 5L * a->longest))
		return 1;
	simd_on();
	get_values(s, 0, slices_that_fit(s, 0, most), 0);
	for (long i = 0, end; i < s->count; i = end, half = most - half) {
		long k0 = s->first[i], next;

		end = slices_that_fit(s, i, most);
		next = slices_that_fit(s, end, most);
		look_up(s->first[end] - k0, pes, s->column + k0 * pes, (const uint64_t *)x, 2 * most);
		simd_wait(0);
		get_values(s, end, next, most - half);
		for (long j = i; j < end; j++)
			multiply(s->first[j + 1] - s->first[j], sbm(half + s->first[j] - k0),
				 sbm(2 * most + s->first[j] - k0), sbm(3 * most + j - i));
		collect_rows(y + i * pes, 3 * most, 1, smaller(end * pes, a->n) - i * pes, 1);
	}
	simd_wait(0);
	simd_off();
	return 0;
}

int main(int argc, char *argv[])
{
	return spmv_main("spmv", argc, argv, prepare, spmv);
}
