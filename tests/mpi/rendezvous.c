/*
 * Long messages, whose data move from buffer to buffer: contiguous ones, rows of a matrix into columns and back, from
 * and into the program's variables, where one buffer is sent and received at once, and where requests are freed.
 */
#include "check.h"

enum { SIDE = 300, WORDS = SIDE * SIDE, TAG = 5 };

static int variable[WORDS];

static int value(int rank, int i)
{
	return 1000000 * rank + i;
}

static void fill(int *words, int rank)
{
	for (int i = 0; i < WORDS; i++)
		words[i] = value(rank, i);
}

static int is_of(const int *words, int rank)
{
	for (int i = 0; i < WORDS; i++)
		if (words[i] != value(rank, i))
			return 0;
	return 1;
}

static int is_transposed(const int *words, int rank)
{
	for (int i = 0; i < WORDS; i++)
		if (words[i] != value(rank, i % SIDE * SIDE + i / SIDE))
			return 0;
	return 1;
}

int main(int argc, char **argv)
{
	struct checks c;
	int right, left, *out = malloc(WORDS * sizeof(int)), *in = malloc(WORDS * sizeof(int)),
			 *turned = malloc(WORDS * sizeof(int));
	MPI_Datatype column, columns;
	MPI_Request requests[2];
	MPI_Status status;

	checks_begin(&c, &argc, &argv);
	right = (c.rank + 1) % c.size;
	left = (c.rank + c.size - 1) % c.size;
	MPI_Type_vector(SIDE, 1, SIDE, MPI_INT, &column);
	MPI_Type_create_resized(column, 0, sizeof(int), &columns);
	MPI_Type_commit(&columns);
	fill(out, c.rank);
	/* late receives, then late sends */
	for (int late = 0; late < 2; late++) {
		memset(in, 0, WORDS * sizeof(int));
		if (late)
			MPI_Irecv(in, WORDS, MPI_INT, left, TAG, MPI_COMM_WORLD, &requests[0]);
		MPI_Isend(out, WORDS, MPI_INT, right, TAG, MPI_COMM_WORLD, &requests[1]);
		if (!late)
			MPI_Irecv(in, WORDS, MPI_INT, left, TAG, MPI_COMM_WORLD, &requests[0]);
		MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
		CHECK(&c, is_of(in, left));
	}
	MPI_Sendrecv(out, WORDS, MPI_INT, right, 0, turned, SIDE, columns, left, 0, MPI_COMM_WORLD, &status);
	CHECK(&c, is_transposed(turned, left));
	MPI_Sendrecv(turned, SIDE, columns, left, 0, in, WORDS, MPI_INT, right, 0, MPI_COMM_WORLD, &status);
	CHECK(&c, is_of(in, c.rank)); /* back again: in row order */
	MPI_Sendrecv(turned, SIDE, columns, left, 0, in, SIDE, columns, right, 0, MPI_COMM_WORLD, &status);
	CHECK(&c, is_transposed(in, c.rank));
	/* the program's variables are each rank's own */
	MPI_Sendrecv(out, WORDS, MPI_INT, right, 0, variable, WORDS, MPI_INT, left, 0, MPI_COMM_WORLD, &status);
	CHECK(&c, is_of(variable, left));
	MPI_Sendrecv(variable, WORDS, MPI_INT, left, 0, in, WORDS, MPI_INT, right, 0, MPI_COMM_WORLD, &status);
	CHECK(&c, is_of(in, c.rank));
	MPI_Sendrecv_replace(in, WORDS, MPI_INT, right, 0, left, 0, MPI_COMM_WORLD, &status);
	CHECK(&c, is_of(in, left));
	/* a buffer of a freed request stays until its message has arrived */
	MPI_Irecv(in, WORDS, MPI_INT, left, TAG, MPI_COMM_WORLD, &requests[0]);
	MPI_Isend(out, WORDS, MPI_INT, right, TAG, MPI_COMM_WORLD, &requests[1]);
	MPI_Request_free(&requests[1]);
	MPI_Wait(&requests[0], &status);
	CHECK(&c, is_of(in, left));
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_Type_free(&column);
	MPI_Type_free(&columns);
	free(out);
	free(in);
	free(turned);
	return checks_end(&c, "rendezvous");
}
