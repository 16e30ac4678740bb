/*
 * y = A x for a sparse matrix in compressed rows: each element has a column number, a value,
 * and an element of x at an arbitrary address.
 *
 *     spmv [ROWS [PER_ROW]]     default 500 rows, 7 elements each on average (1 to 13)
 *
 * Compares every element of y with integer arithmetic.
 */
#include "spmv_check.h"

static int spmv(const struct spmv_matrix *a, const double *restrict x, double *restrict y, void *work)
{
	(void)work;
	for (int r = 0; r < a->n; r++) {
		double sum = 0;

		for (int i = a->start[r]; i < a->start[r + 1]; i++)
			sum += a->value[i] * x[a->column[i]];
		y[r] = sum;
	}
	return 0;
}

int main(int argc, char *argv[])
{
	return spmv_main("spmv", argc, argv, NULL, spmv);
}
