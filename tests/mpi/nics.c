/*
 * Patterns in which what a network interface sends first is what counts; rank 0 prints the microseconds of the
 * last rank, of each repetition. With bsim.h.
 *
 *     nics pair BYTES SKEW           ranks 2k and 2k + 1 exchange; all but rank 0 begin SKEW seconds later
 *     nics stream BYTES MESSAGES     rank 0 sends so many at once to rank 1
 *     nics halo BYTES X Y Z REPEAT   six neighbours on a torus of ranks, receives first, all at once
 *     nics behind BYTES              rank 0 sends BYTES to rank 1, 100 us later 8 to rank 2, which prints their time
 *     nics spread BYTES REPEAT SKEW  each to each, all at once; rank r begins r x SKEW seconds later
 *     nics alltoall BYTES
 *     nics allreduce BYTES
 *     nics mixed BYTES               computation, messages of all sizes, to itself, far away, to one
 */
#include <mpi.h>

#include <bsim.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int me, ranks;
static double began;

static void begin(double skew)
{
	MPI_Barrier(MPI_COMM_WORLD);
	began = MPI_Wtime();
	if (skew > 0)
		BSIM_Add_time(skew);
}

static void end(void)
{
	double mine = MPI_Wtime() - began, most;

	MPI_Reduce(&mine, &most, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
	if (!me)
		printf("%.1f\n", most * 1e6);
}

static void pair(int bytes, double skew)
{
	begin(me ? skew : 0);
	MPI_Sendrecv(NULL, bytes, MPI_BYTE, me ^ 1, 0, NULL, bytes, MPI_BYTE, me ^ 1, 0, MPI_COMM_WORLD,
		     MPI_STATUS_IGNORE);
	end();
}

static void stream(int bytes, int messages)
{
	MPI_Request q[64];
	int n = me < 2 ? messages : 0;

	begin(0);
	for (int i = 0; i < n; i++)
		if (me)
			MPI_Irecv(NULL, bytes, MPI_BYTE, 0, i, MPI_COMM_WORLD, &q[i]);
		else
			MPI_Isend(NULL, bytes, MPI_BYTE, 1, i, MPI_COMM_WORLD, &q[i]);
	MPI_Waitall(n, q, MPI_STATUSES_IGNORE);
	end();
}

/* The rank beside this one in direction 0 … 5 of a torus of x * y * z ranks. */
static int beside(int direction, const int *size)
{
	int at[3] = {me % size[0], me / size[0] % size[1], me / size[0] / size[1]}, d = direction / 2;

	at[d] = (at[d] + (direction % 2 ? size[d] - 1 : 1)) % size[d];
	return at[0] + size[0] * (at[1] + size[1] * at[2]);
}

static void halo(int bytes, const int *size, int repeat)
{
	while (repeat--) {
		MPI_Request q[12];

		begin(0);
		for (int d = 0; d < 6; d++)
			MPI_Irecv(NULL, bytes, MPI_BYTE, beside(d ^ 1, size), d, MPI_COMM_WORLD, &q[d]);
		for (int d = 0; d < 6; d++)
			MPI_Isend(NULL, bytes, MPI_BYTE, beside(d, size), d, MPI_COMM_WORLD, &q[6 + d]);
		MPI_Waitall(12, q, MPI_STATUSES_IGNORE);
		end();
	}
}

static void behind(int bytes)
{
	MPI_Request q[2];

	begin(0);
	if (!me) {
		MPI_Isend(NULL, bytes, MPI_BYTE, 1, 0, MPI_COMM_WORLD, &q[0]);
		BSIM_Add_time(100e-6);
		MPI_Isend(NULL, 8, MPI_BYTE, 2, 0, MPI_COMM_WORLD, &q[1]);
		MPI_Waitall(2, q, MPI_STATUSES_IGNORE);
	} else if (me < 3) {
		MPI_Recv(NULL, me == 1 ? bytes : 8, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	}
	if (me == 2)
		printf("%.1f\n", (MPI_Wtime() - began) * 1e6 - 100);
}

static void spread(int bytes, int repeat, double skew)
{
	MPI_Request *q = malloc(2 * (size_t)ranks * sizeof(*q));

	while (repeat--) {
		int n = 0;

		begin(me * skew);
		for (int i = 1; i < ranks; i++)
			MPI_Irecv(NULL, bytes, MPI_BYTE, (me + ranks - i) % ranks, 0, MPI_COMM_WORLD, &q[n++]);
		for (int i = 1; i < ranks; i++)
			MPI_Isend(NULL, bytes, MPI_BYTE, (me + i) % ranks, 0, MPI_COMM_WORLD, &q[n++]);
		MPI_Waitall(n, q, MPI_STATUSES_IGNORE);
		end();
	}
	free(q);
}

static void collective(int bytes, int alltoall)
{
	begin(0);
	if (alltoall)
		MPI_Alltoall(NULL, bytes, MPI_BYTE, NULL, bytes, MPI_BYTE, MPI_COMM_WORLD);
	else
		MPI_Allreduce(NULL, NULL, bytes, MPI_BYTE, MPI_BOR, MPI_COMM_WORLD);
	end();
}

static void mixed(int bytes)
{
	begin(me * 1e-6);
	MPI_Sendrecv(NULL, bytes, MPI_BYTE, me, 0, NULL, bytes, MPI_BYTE, me, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	for (int far = 1; far < ranks; far *= 2)
		for (int size = 8; size <= 32 * bytes; size *= 64)
			MPI_Sendrecv(NULL, size, MPI_BYTE, (me + far) % ranks, 0, NULL, size, MPI_BYTE,
				     (me + ranks - far) % ranks, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	spread(bytes, 1, 0);
	for (int i = 0; i < 4; i++)
		MPI_Gather(NULL, bytes, MPI_BYTE, NULL, bytes, MPI_BYTE, 0, MPI_COMM_WORLD);
	end();
}

int main(int argc, char *argv[])
{
	const char *what = argc > 2 ? argv[1] : "";
	int bytes = argc > 2 ? atoi(argv[2]) : 0;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &me);
	MPI_Comm_size(MPI_COMM_WORLD, &ranks);
	if (!strcmp(what, "pair") && argc == 4)
		pair(bytes, atof(argv[3]));
	else if (!strcmp(what, "stream") && argc == 4)
		stream(bytes, atoi(argv[3]) < 64 ? atoi(argv[3]) : 64);
	else if (!strcmp(what, "halo") && argc == 7)
		halo(bytes, (int[]){atoi(argv[3]), atoi(argv[4]), atoi(argv[5])}, atoi(argv[6]));
	else if (!strcmp(what, "mixed"))
		mixed(bytes);
	else if (!strcmp(what, "behind"))
		behind(bytes);
	else if (!strcmp(what, "spread") && argc == 5)
		spread(bytes, atoi(argv[3]), atof(argv[4]));
	else if (!strcmp(what, "alltoall") || !strcmp(what, "allreduce"))
		collective(bytes, what[3] == 't');
	else
		MPI_Abort(MPI_COMM_WORLD, 2);
	MPI_Finalize();
	return 0;
}
