/* Programs with a mistake that ranks.check=yes finds: the argument is its number. On 2 ranks. */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
	int which = argc > 1 ? atoi(argv[1]) : 0, rank, in[4] = {0}, out[4];
	double number = 1;
	MPI_Request request;
	MPI_Comm copy;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	switch (which) {
	case 1: MPI_Bcast(in, 1, MPI_INT, rank, MPI_COMM_WORLD); break;
	case 2: MPI_Allreduce(in, out, 1, MPI_INT, rank ? MPI_SUM : MPI_MAX, MPI_COMM_WORLD); break;
	case 3: MPI_Allreduce(in, out, 1 + rank, MPI_INT, MPI_SUM, MPI_COMM_WORLD); break;
	case 4:
		if (rank)
			MPI_Barrier(MPI_COMM_WORLD);
		else
			MPI_Bcast(in, 0, MPI_INT, 0, MPI_COMM_WORLD);
		break;
	case 5: MPI_Bcast(in, 1, rank ? MPI_FLOAT : MPI_INT, 0, MPI_COMM_WORLD); break;
	case 6:
		if (rank)
			MPI_Recv(in, 2, MPI_INT, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		else
			MPI_Send(&number, 1, MPI_DOUBLE, 1, 3, MPI_COMM_WORLD);
		break;
	case 7:
		if (!rank)
			MPI_Send(in, 1, MPI_INT, 1, 3, MPI_COMM_WORLD);
		break;
	case 8:
		if (rank)
			MPI_Irecv(in, 1, MPI_INT, 0, 3, MPI_COMM_WORLD, &request);
		else
			MPI_Send(in, 1, MPI_INT, 1, 3, MPI_COMM_WORLD);
		break;
	case 9: MPI_Comm_dup(MPI_COMM_WORLD, &copy); break;
	case 10: return 0;
	default: /* none: bytes may be received as any type, and types of one kind and length are alike */
		if (rank)
			MPI_Recv(in, 2, MPI_BYTE, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		else
			MPI_Send(in, 2, MPI_CHAR, 1, 3, MPI_COMM_WORLD);
		MPI_Allreduce(in, out, 1, rank ? MPI_INT : MPI_INT32_T, MPI_SUM, MPI_COMM_WORLD);
	}
	MPI_Barrier(MPI_COMM_WORLD);
	return MPI_Finalize();
}
