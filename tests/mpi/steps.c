/* A halo, a reduction and a message, with computation between them and named events: write-pattern.t. */
#include <mpi.h>

int main(int argc, char **argv)
{
	static double a[4000], b[4000];
	int rank, size, token = 0;
	MPI_Request q[4];

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	for (int step = 0; step < 3; step++) {
		int right = (rank + 1) % size, left = (rank + size - 1) % size;

#ifdef MPI_SIMULATED
		MPI_Event(step ? "next \"step\"" : "begin");
		MPI_Add_time(1e-6 * (1 + rank % 3));
#endif
		MPI_Irecv(a, 2000, MPI_DOUBLE, left, 0, MPI_COMM_WORLD, &q[0]);
		MPI_Irecv(b, 2000, MPI_DOUBLE, right, 1, MPI_COMM_WORLD, &q[1]);
		MPI_Isend(a + 2000, 2000, MPI_DOUBLE, right, 0, MPI_COMM_WORLD, &q[2]);
		MPI_Isend(b + 2000, 2000, MPI_DOUBLE, left, 1, MPI_COMM_WORLD, &q[3]);
		MPI_Waitall(4, q, MPI_STATUSES_IGNORE);
		MPI_Allreduce(a, b, 1000, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
		if (rank == 0)
			MPI_Send(&token, 1, MPI_INT, 1, 7, MPI_COMM_WORLD);
		else if (rank == 1)
			MPI_Recv(&token, 1, MPI_INT, MPI_ANY_SOURCE, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#ifdef MPI_SIMULATED
		MPI_Add_time(1e-7 * rank);
#endif
	}
	MPI_Finalize();
	return 0;
}
