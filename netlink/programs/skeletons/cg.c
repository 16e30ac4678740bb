/*
 * Skeleton of the conjugate gradient benchmark CG of the NAS Parallel Benchmarks (Bailey et al., RNR-94-007; NPB 3.4,
 * the MPI version). README.md says what is kept and what is not.
 *
 *     cg CLASS|NA,NONZER,NITER
 *
 * CLASS: S W A B C D E. The number of ranks is a power of two. Seconds of a product with the matrix come from the model
 * spmv(rows, nonzeros), or, where the machine has none, from the rate spmv_rate, operations a second, of its section
 * [skeleton]; vectors' operations take vector_rate.
 */
#include <stdio.h>
#include <stdlib.h>

#include "bsim.h"
#include "lmpi.h"

enum { INNER = 25, TAG_REDUCE = 1, TAG_TRANSPOSE, TAG_SUM };

struct cg {
	long na, nonzer, iterations;
	int rows, columns, log_columns; /* grid of ranks; columns are as many as rows, or twice as many */
	int row, column, rank, transposed;
	double product, vector; /* seconds of a product; of a vector operation with 2 operations per element */
};

static const struct {
	char name;
	long na, nonzer, iterations;
} classes[] = {
	/* npbparams.h */
	{'S', 1400, 7, 15},    {'W', 7000, 8, 15},      {'A', 14000, 11, 15},    {'B', 75000, 13, 75},
	{'C', 150000, 15, 75}, {'D', 1500000, 21, 100}, {'E', 9000000, 26, 100},
};

static int choose(struct cg *c, const char *text)
{
	char name, end;

	for (size_t i = 0; i < sizeof(classes) / sizeof(classes[0]); i++)
		if (sscanf(text, "%c%c", &name, &end) == 1 && name == classes[i].name) {
			c->na = classes[i].na;
			c->nonzer = classes[i].nonzer;
			c->iterations = classes[i].iterations;
			return 0;
		}
	return sscanf(text, "%ld,%ld,%ld%c", &c->na, &c->nonzer, &c->iterations, &end) != 3 || c->na < 1 ||
	       c->nonzer < 1 || c->iterations < 1;
}

/* setup_proc_info of cg.f: the grid, and the partner of a rank in the transposition of a vector. */
static int arrange(struct cg *c, int ranks)
{
	int power = 0;

	while (1 << power < ranks)
		power++;
	if (1 << power != ranks)
		return 1;
	c->rows = 1 << power / 2;
	c->columns = ranks / c->rows;
	c->log_columns = power - power / 2;
	c->row = c->rank / c->columns;
	c->column = c->rank % c->columns;
	c->transposed = c->rows == c->columns
				? c->column * c->columns + c->row
				: 2 * ((c->rank / 2 % c->rows) * c->rows + c->rank / 2 / c->rows) + c->rank % 2;
	return 0;
}

static void swap_with(long doubles, int other, int tag)
{
	LMPI_Request request;

	LMPI_Irecv(NULL, (int)doubles, LMPI_DOUBLE, other, tag, LMPI_COMM_WORLD, &request);
	LMPI_Send(NULL, (int)doubles, LMPI_DOUBLE, other, tag, LMPI_COMM_WORLD);
	LMPI_Wait(&request, LMPI_STATUS_IGNORE);
}

/* Sums along the row of the grid, for a vector's part or one number, at distances of powers of two. */
static void sum(const struct cg *c, long doubles, int tag)
{
	for (int bit = 1; bit < c->columns; bit *= 2)
		swap_with(doubles, c->row * c->columns + (c->column ^ bit), tag);
}

/* q = A p: the local product, sums over the row, then the transposition for the next product. */
static void product(const struct cg *c)
{
	BSIM_Phase("product");
	BSIM_Add_time(c->product);
	BSIM_Phase("sum");
	sum(c, c->na / c->rows, TAG_REDUCE);
	if (c->log_columns > 0)
		swap_with(c->na / c->columns, c->transposed, TAG_TRANSPOSE);
}

static void inner_product(const struct cg *c)
{
	BSIM_Phase("inner product");
	BSIM_Add_time(c->vector);
	sum(c, 1, TAG_SUM);
}

static void conj_grad(const struct cg *c)
{
	inner_product(c);
	for (int i = 0; i < INNER; i++) {
		product(c);
		inner_product(c);
		BSIM_Add_time(2 * c->vector); /* z, r */
		inner_product(c);
		BSIM_Add_time(c->vector); /* p */
	}
	product(c);
	inner_product(c);
}

int LMPI_Main(int argc, char *argv[])
{
	struct cg c = {0};
	int ranks;
	double nonzeros, rows, flops;

	LMPI_Comm_rank(LMPI_COMM_WORLD, &c.rank);
	LMPI_Comm_size(LMPI_COMM_WORLD, &ranks);
	if (argc != 2 || choose(&c, argv[1])) {
		if (c.rank == 0)
			fprintf(stderr, "cg: expected a class, one of S W A B C D E, or NA,NONZER,NITER\n");
		return 1;
	}
	if (arrange(&c, ranks)) {
		if (c.rank == 0)
			fprintf(stderr, "cg: the number of ranks is %d, expected a power of two\n", ranks);
		return 1;
	}
	/* The benchmark counts operations with nonzer (nonzer + 1) elements per row. */
	nonzeros = (double)c.na * (double)(c.nonzer * (c.nonzer + 1)) / ranks;
	rows = (double)c.na / c.rows;
	c.product = BSIM_Has_model("spmv") ? BSIM_Time("spmv", 2, (double[]){rows, nonzeros})
					   : 2 * nonzeros / BSIM_Parameter("spmv_rate", 5e8);
	c.vector = 2 * (double)c.na / c.columns / BSIM_Parameter("vector_rate", 1e9);
	for (long i = 0; i < c.iterations; i++) {
		conj_grad(&c);
		inner_product(&c);
		inner_product(&c);
	}
	flops = 2.0 * (double)c.iterations * (double)c.na *
		(3.0 + (double)(c.nonzer * (c.nonzer + 1)) + INNER * (5.0 + (double)(c.nonzer * (c.nonzer + 1))) + 3.0);
	if (c.rank == 0) {
		BSIM_Flops(flops);
		printf("cg %s: %.6g s, %.4g GFlop/s\n", argv[1], LMPI_Wtime(), flops / LMPI_Wtime() / 1e9);
	}
	return 0;
}
