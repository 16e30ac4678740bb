/* A sparse matrix in compressed rows times a vector, for psim-cc on PEs that gather, compare and have integers. */
#include "../spmv_check.h"

static int spmv(const struct spmv_matrix *a, const double *restrict x, double *restrict y, void *work)
{
	const int *start = a->start, *column = a->column;
	const double *value = a->value;

	(void)work;
#pragma omp simd
	for (int r = 0; r < a->n; r++) {
		double sum = 0;

		for (int i = start[r]; i < start[r + 1]; i++)
			sum += value[i] * x[column[i]];
		y[r] = sum;
	}
	return 0;
}

int main(int argc, char *argv[])
{
	return spmv_main("spmv", argc, argv, NULL, spmv);
}
