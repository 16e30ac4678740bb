/*
 * Laplace's equation on a square, by Jacobi's iteration on a grid of ranks. The boundary is x + y, which is
 * also the solution: the error must fall. Checked against the same iteration on one rank's grid.
 *   jacobi.so [POINTS A SIDE [ITERATIONS]]
 */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

struct part {
	MPI_Comm grid;
	MPI_Datatype column;
	int rank, n;
	int rows, columns, top, left; /* own points, and their first position in the whole grid */
	int up, down, west, east;
	double *now, *next; /* own points with a border of one point */
};

static double *at(const struct part *p, double *u, int row, int column)
{
	return &u[row * (p->columns + 2) + column];
}

/* Returns the first of `n` items of part `i` of `parts`. */
static int first_of(int n, int parts, int i)
{
	return (int)((long)n * i / parts);
}

static void begin(struct part *p, int n)
{
	int dims[2] = {0, 0}, periods[2] = {0, 0}, coords[2], size;
	size_t points;

	MPI_Comm_size(MPI_COMM_WORLD, &size);
	MPI_Dims_create(size, 2, dims);
	MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 1, &p->grid);
	MPI_Comm_rank(p->grid, &p->rank);
	MPI_Cart_coords(p->grid, p->rank, 2, coords);
	MPI_Cart_shift(p->grid, 0, 1, &p->up, &p->down);
	MPI_Cart_shift(p->grid, 1, 1, &p->west, &p->east);
	p->n = n;
	p->top = first_of(n, dims[0], coords[0]);
	p->left = first_of(n, dims[1], coords[1]);
	p->rows = first_of(n, dims[0], coords[0] + 1) - p->top;
	p->columns = first_of(n, dims[1], coords[1] + 1) - p->left;
	points = (size_t)(p->rows + 2) * (size_t)(p->columns + 2);
	p->now = malloc(points * sizeof(double));
	p->next = malloc(points * sizeof(double));
	MPI_Type_vector(p->rows, 1, p->columns + 2, MPI_DOUBLE, &p->column);
	MPI_Type_commit(&p->column);
	for (int i = 0; i < p->rows + 2; i++)
		for (int k = 0; k < p->columns + 2; k++) {
			int row = p->top + i, column = p->left + k;
			int border = row == 0 || column == 0 || row == n + 1 || column == n + 1;

			*at(p, p->now, i, k) = *at(p, p->next, i, k) = border ? row + column : 0;
		}
}

/* Receives borders from the neighbours: rows as contiguous data, columns with a vector datatype. */
static void exchange(struct part *p)
{
	double *u = p->now;
	MPI_Request requests[8];

	MPI_Irecv(at(p, u, 0, 1), p->columns, MPI_DOUBLE, p->up, 0, p->grid, &requests[0]);
	MPI_Irecv(at(p, u, p->rows + 1, 1), p->columns, MPI_DOUBLE, p->down, 0, p->grid, &requests[1]);
	MPI_Irecv(at(p, u, 1, 0), 1, p->column, p->west, 0, p->grid, &requests[2]);
	MPI_Irecv(at(p, u, 1, p->columns + 1), 1, p->column, p->east, 0, p->grid, &requests[3]);
	MPI_Isend(at(p, u, 1, 1), p->columns, MPI_DOUBLE, p->up, 0, p->grid, &requests[4]);
	MPI_Isend(at(p, u, p->rows, 1), p->columns, MPI_DOUBLE, p->down, 0, p->grid, &requests[5]);
	MPI_Isend(at(p, u, 1, 1), 1, p->column, p->west, 0, p->grid, &requests[6]);
	MPI_Isend(at(p, u, 1, p->columns), 1, p->column, p->east, 0, p->grid, &requests[7]);
	MPI_Waitall(8, requests, MPI_STATUSES_IGNORE);
}

/* Performs one iteration; returns the largest error of all ranks. */
static double iterate(struct part *p)
{
	double error = 0, all, *swap;

	exchange(p);
	for (int i = 1; i <= p->rows; i++)
		for (int k = 1; k <= p->columns; k++) {
			double u = (*at(p, p->now, i - 1, k) + *at(p, p->now, i + 1, k) + *at(p, p->now, i, k - 1) +
				    *at(p, p->now, i, k + 1)) /
				   4;

			*at(p, p->next, i, k) = u;
			error = fmax(error, fabs(u - (p->top + i + p->left + k)));
		}
	swap = p->now;
	p->now = p->next;
	p->next = swap;
	MPI_Allreduce(&error, &all, 1, MPI_DOUBLE, MPI_MAX, p->grid);
	return all;
}

/* Performs the same iterations on one rank; returns the error after `iterations`. */
static double alone(int n, int iterations)
{
	struct part p = {.grid = MPI_COMM_SELF,
			 .up = MPI_PROC_NULL,
			 .down = MPI_PROC_NULL,
			 .west = MPI_PROC_NULL,
			 .east = MPI_PROC_NULL,
			 .n = n,
			 .rows = n,
			 .columns = n};
	size_t points = (size_t)(n + 2) * (size_t)(n + 2);
	double error = 0;

	p.now = malloc(points * sizeof(double));
	p.next = malloc(points * sizeof(double));
	MPI_Type_contiguous(1, MPI_DOUBLE, &p.column);
	MPI_Type_commit(&p.column);
	for (int i = 0; i < n + 2; i++)
		for (int k = 0; k < n + 2; k++)
			*at(&p, p.now, i, k) = *at(&p, p.next, i, k) =
				i == 0 || k == 0 || i == n + 1 || k == n + 1 ? i + k : 0;
	for (int i = 0; i < iterations; i++)
		error = iterate(&p);
	MPI_Type_free(&p.column);
	free(p.now);
	free(p.next);
	return error;
}

int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 32, iterations = argc > 2 ? atoi(argv[2]) : 50, bad = 0;
	double error = 0, first = 0;
	struct part p;

	MPI_Init(&argc, &argv);
	begin(&p, n);
	for (int i = 0; i < iterations; i++) {
		error = iterate(&p);
		first = i ? first : error;
	}
	if (p.rank == 0) {
		bad = error != alone(n, iterations) || (iterations > 1 && error >= first);
		printf("%d x %d points, %d iterations: error %.12f, %s\n", n, n, iterations, error,
		       bad ? "WRONG" : "right");
	}
	MPI_Type_free(&p.column);
	MPI_Comm_free(&p.grid);
	free(p.now);
	free(p.next);
	MPI_Finalize();
	return bad;
}
