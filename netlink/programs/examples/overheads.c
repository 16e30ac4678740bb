/*
 * Processor times of messages between ranks 0 and 1, LogP's o_s and o_r, by delays: each rank does nothing for DELAY_US
 * between a call that begins a message and the one that ends it, so that the network has done its part meanwhile
 * (D. Culler and others, "Assessing fast network interfaces", IEEE Micro 16(1), 1996). What the calls take is the
 * processor's. Runs under any MPI:
 *
 *     overheads BYTES...     prints bytes,send_us,receive_us
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { REPEATS = 20, DELAY_US = 2000 };

static double clock_s; /* of a call of MPI_Wtime */

static void measure_clock(void)
{
	double begin = MPI_Wtime();

	for (int i = 0; i < 1000; i++)
		MPI_Wtime();
	clock_s = (MPI_Wtime() - begin) / 1001;
}

static void delay(double us)
{
	double end = MPI_Wtime() + us * 1e-6;

	while (MPI_Wtime() < end)
		;
}

/* The time in both calls of a message to or from the other rank. */
static double times_of(int rank, char *data, int bytes)
{
	MPI_Request request;
	double begin = MPI_Wtime(), calls;

	if (rank == 0)
		MPI_Isend(data, bytes, MPI_BYTE, 1, 1, MPI_COMM_WORLD, &request);
	else
		MPI_Irecv(data, bytes, MPI_BYTE, 0, 1, MPI_COMM_WORLD, &request);
	calls = MPI_Wtime() - begin - clock_s;
	delay(DELAY_US);
	begin = MPI_Wtime();
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	return calls + (MPI_Wtime() - begin - clock_s);
}

/* The mean of REPEATS messages; the receiver is ready first. */
static double mean_of(int rank, char *data, int bytes)
{
	double sum = 0;

	for (int i = 0; i < REPEATS; i++) {
		MPI_Barrier(MPI_COMM_WORLD);
		if (rank == 0)
			delay(DELAY_US / 10.0);
		sum += rank < 2 ? times_of(rank, data, bytes) : 0; /* others take part in the barrier alone */
	}
	return sum / REPEATS;
}

int main(int argc, char **argv)
{
	int rank;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	measure_clock();
	if (rank == 0)
		printf("bytes,send_us,receive_us\n");
	for (int i = 1; i < argc; i++) {
		char *end, *data;
		long bytes = strtol(argv[i], &end, 10);
		double mine, other;

		if (end == argv[i] || *end || bytes < 0 || bytes > 1 << 30) {
			fprintf(stderr, "overheads: %s: expected bytes, 0 to 2^30\n", argv[i]);
			MPI_Abort(MPI_COMM_WORLD, 2);
		}
		data = calloc((size_t)bytes + 1, 1);
		if (!data)
			MPI_Abort(MPI_COMM_WORLD, 1);
		mine = mean_of(rank, data, (int)bytes);
		if (rank == 1)
			MPI_Send(&mine, 1, MPI_DOUBLE, 0, 2, MPI_COMM_WORLD);
		if (rank == 0) {
			MPI_Recv(&other, 1, MPI_DOUBLE, 1, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
			printf("%ld,%.4f,%.4f\n", bytes, mine * 1e6, other * 1e6);
		}
		free(data);
	}
	return MPI_Finalize();
}
