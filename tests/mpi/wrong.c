/* Programs with a mistake that ranks.check=yes finds: the argument is its number. On 2 ranks. */
#include <mpi.h>
#include <stdlib.h>

/* No mistake: columns of a matrix share no byte, and what is only sent may overlap. */
static void columns(int rank)
{
	int in[6] = {0}, out[6] = {0};
	MPI_Datatype column;
	MPI_Request request[4];

	MPI_Type_vector(3, 1, 2, MPI_INT, &column);
	MPI_Type_commit(&column);
	for (int i = 0; i < 2; i++) {
		MPI_Irecv(in + i, 1, column, 1 - rank, i, MPI_COMM_WORLD, &request[i]);
		MPI_Isend(out, 3, MPI_INT, 1 - rank, i, MPI_COMM_WORLD, &request[2 + i]);
	}
	MPI_Waitall(4, request, MPI_STATUSES_IGNORE);
	MPI_Sendrecv_replace(in, 6, MPI_INT, 1 - rank, 4, 1 - rank, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	MPI_Allreduce(MPI_IN_PLACE, in, 6, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
	MPI_Type_free(&column);
}

/* Buffers that overlap, and a communicator of one rank that stays. */
static void overlaps(int which, int rank)
{
	int in[5] = {0};
	MPI_Request request;
	MPI_Comm copy;

	switch (which) {
	case 11: MPI_Allreduce(in, in, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD); break;
	case 12: MPI_Gather(in + 1, 1, MPI_INT, in, 1, MPI_INT, 1, MPI_COMM_WORLD); break;
	case 13:
		MPI_Sendrecv(in, 3, MPI_INT, 1 - rank, 3, in + 2, 3, MPI_INT, 1 - rank, 3, MPI_COMM_WORLD,
			     MPI_STATUS_IGNORE);
		break;
	case 14:
		MPI_Irecv(in, 3, MPI_INT, 1 - rank, 3, MPI_COMM_WORLD, &request);
		MPI_Send(in + 2, 1, MPI_INT, 1 - rank, 3, MPI_COMM_WORLD);
		MPI_Wait(&request, MPI_STATUS_IGNORE);
		break;
	case 15:
		if (rank)
			MPI_Comm_dup(MPI_COMM_SELF, &copy);
		break;
	}
}

/* A type that lives in another one is freed; that one is not, by the last rank. */
static void pair_of_pairs(int rank)
{
	MPI_Datatype pair, pairs;

	MPI_Type_contiguous(2, MPI_INT, &pair);
	MPI_Type_contiguous(2, pair, &pairs);
	MPI_Type_free(&pair);
	if (!rank)
		MPI_Type_free(&pairs);
}

int main(int argc, char **argv)
{
	int which = argc > 1 ? atoi(argv[1]) : 0, rank, in[5] = {0}, out[4];
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
	case 11:
	case 12:
	case 13:
	case 14:
	case 15: overlaps(which, rank); break;
	case 16: pair_of_pairs(rank); break;
	default:
		columns(rank);
		/* bytes may be received as any type, and types of one kind and length are alike */
		if (rank)
			MPI_Recv(in, 2, MPI_BYTE, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		else
			MPI_Send(in, 2, MPI_CHAR, 1, 3, MPI_COMM_WORLD);
		MPI_Allreduce(in, out, 1, rank ? MPI_INT : MPI_INT32_T, MPI_SUM, MPI_COMM_WORLD);
	}
	MPI_Barrier(MPI_COMM_WORLD);
	return MPI_Finalize();
}
