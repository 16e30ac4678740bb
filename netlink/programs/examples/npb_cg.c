/*
 * The messages of the conjugate gradient benchmark of the NAS Parallel Benchmarks (NPB 3, MPI), without its
 * arithmetic: one outer iteration is 25 steps and a residual, each with a sum over the rows of a grid of ranks
 * and a transposition; ranks are a power of two, and columns twice the rows where that is no square.
 * D. Bailey et al., "The NAS Parallel Benchmarks", NAS RNR-94-007, and the paper of NPB 2.0, NAS-95-020.
 *   npb_cg.so [CLASS [ITERATIONS]]      class B, 1 iteration
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { STEPS = 25, PARTNERS_MAX = 31 };

struct part {
	int rank, rows, columns, row, column;
	int row_size, column_size; /* elements of this rank's share of a vector */
	int half;     /* elements sent in a transposition: all, or half if there are twice as many columns as rows */
	int exchange; /* partner of the transposition */
	int partners;
	int partner[PARTNERS_MAX];
	int sends[PARTNERS_MAX], receives[PARTNERS_MAX];
};

/* Returns the order of the matrix; 0: unknown class. */
static int order_of(char class)
{
	switch (class) {
	case 'S': return 1400;
	case 'W': return 7000;
	case 'A': return 14000;
	case 'B': return 75000;
	case 'C': return 150000;
	case 'D': return 1500000;
	default: return 0;
	}
}

/* Returns the number of elements of part `i` of `n`; the first parts have one more. */
static int share(int n, int parts, int i)
{
	return n / parts + (i < n % parts);
}

/* Sets the partners of a sum along the row, at distances of half the columns, a quarter, … one. */
static void find_partners(struct part *p)
{
	for (int width = p->columns; width > 1; width /= 2) {
		int i = p->partners++;

		p->partner[i] = p->row * p->columns + (p->column + width / 2) % width + p->column / width * width;
		p->sends[i] = p->receives[i] = p->half;
	}
	/* the last partner, with which the sum begins, gets the other half */
	if (p->rows != p->columns && p->partners)
		p->sends[p->partners - 1] = p->row_size - p->half;
}

static void begin(struct part *p, int n)
{
	int size;

	MPI_Comm_rank(MPI_COMM_WORLD, &p->rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	for (p->rows = 1; p->rows * p->rows * 4 <= size; p->rows *= 2)
		;
	p->columns = size / p->rows;
	p->row = p->rank / p->columns;
	p->column = p->rank % p->columns;
	p->row_size = share(n, p->rows, p->row);
	/* with twice as many columns as rows, a column's share is half of a row's */
	if (p->columns == p->rows) {
		p->column_size = share(n, p->columns, p->column);
		p->half = p->row_size;
		p->exchange = p->rank % p->rows * p->rows + p->rank / p->rows;
	} else {
		int whole = share(n, p->rows, p->column / 2);

		p->column_size = p->column % 2 ? whole / 2 : (whole + 1) / 2;
		p->half = p->rank % 2 ? p->row_size / 2 : (p->row_size + 1) / 2;
		p->exchange = 2 * (p->rank / 2 % p->rows * p->rows + p->rank / 2 / p->rows) + p->rank % 2;
	}
	find_partners(p);
}

static void swap(int partner, int sends, int receives)
{
	MPI_Request request;

	MPI_Irecv(NULL, receives, MPI_DOUBLE, partner, 1, MPI_COMM_WORLD, &request);
	MPI_Send(NULL, sends, MPI_DOUBLE, partner, 1, MPI_COMM_WORLD);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
}

/* Product of the matrix and a vector: sums along the rows, then the transposition. */
static void multiply(const struct part *p)
{
	for (int i = p->partners - 1; i >= 0; i--)
		swap(p->partner[i], p->sends[i], p->receives[i]);
	if (p->partners)
		swap(p->exchange, p->half, p->column_size);
}

static void sum_numbers(const struct part *p, int numbers)
{
	for (int i = 0; i < p->partners; i++)
		swap(p->partner[i], numbers, numbers);
}

static void iterate(const struct part *p)
{
	sum_numbers(p, 1); /* rho */
	for (int step = 0; step < STEPS; step++) {
		multiply(p);
		sum_numbers(p, 1); /* p.q */
		sum_numbers(p, 1); /* rho */
	}
	multiply(p); /* the residual */
	sum_numbers(p, 1);
	sum_numbers(p, 2); /* zeta */
}

int main(int argc, char **argv)
{
	char class = argc > 1 ? argv[1][0] : 'B';
	int iterations = argc > 2 ? atoi(argv[2]) : 1, size, n = order_of(class);
	struct part p = {0};

	MPI_Init(&argc, &argv);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	if (!n || size & (size - 1)) {
		fprintf(stderr, "npb_cg: class %c on %d ranks: expected S, W, A, B, C or D on a power of two\n", class,
			size);
		MPI_Abort(MPI_COMM_WORLD, 1);
	}
	begin(&p, n);
	for (int i = 0; i < iterations; i++)
		iterate(&p);
	MPI_Finalize();
	return 0;
}
