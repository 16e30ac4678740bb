/* Each list of counts of each collective call has a negative one; the call's number is the argument. */
#include <mpi.h>
#include <stdlib.h>

static int buffer[64], other[64];
static int counts[2] = {1, -2}, good[2] = {1, 1}, places[2] = {0, 1}, bytes[2] = {0, 4};
static MPI_Datatype types[2];

static void call(int number)
{
	switch (number) {
	case 0: MPI_Gatherv(buffer, 1, MPI_INT, other, counts, places, MPI_INT, 0, MPI_COMM_WORLD); break;
	case 1: MPI_Scatterv(buffer, counts, places, MPI_INT, other, 1, MPI_INT, 0, MPI_COMM_WORLD); break;
	case 2: MPI_Allgatherv(buffer, 1, MPI_INT, other, counts, places, MPI_INT, MPI_COMM_WORLD); break;
	case 3: MPI_Alltoallv(buffer, counts, places, MPI_INT, other, good, places, MPI_INT, MPI_COMM_WORLD); break;
	case 4: MPI_Alltoallv(buffer, good, places, MPI_INT, other, counts, places, MPI_INT, MPI_COMM_WORLD); break;
	case 5:
		MPI_Alltoallv(MPI_IN_PLACE, good, places, MPI_INT, other, counts, places, MPI_INT, MPI_COMM_WORLD);
		break;
	case 6: MPI_Alltoallw(buffer, counts, bytes, types, other, good, bytes, types, MPI_COMM_WORLD); break;
	case 7: MPI_Alltoallw(buffer, good, bytes, types, other, counts, bytes, types, MPI_COMM_WORLD); break;
	case 8: MPI_Reduce_scatter(buffer, other, counts, MPI_INT, MPI_SUM, MPI_COMM_WORLD); break;
	}
}

int main(int argc, char *argv[])
{
	MPI_Init(&argc, &argv);
	types[0] = types[1] = MPI_INT;
	call(atoi(argv[1]));
	MPI_Finalize();
	return 0;
}
