/*
 * Calls of which a trace has few rows, between three ranks: matched probes, communicators that a request or their group
 * makes, and calls that no trace has. tests/cli/record-mpi.t records it.
 */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

enum { RANKS = 3, BYTES = 1000 };

/* Rank 0 sends two messages to each other rank, which receives them by matched probes. */
static void probes(int rank)
{
	char data[BYTES] = "";
	MPI_Message message;
	MPI_Request request;
	MPI_Status status;
	int found = 0;

	for (int to = 1; !rank && to < RANKS; to++)
		for (int tag = 5; tag < 7; tag++)
			MPI_Send(data, BYTES, MPI_CHAR, to, tag, MPI_COMM_WORLD);
	if (!rank)
		return;
	MPI_Mprobe(MPI_ANY_SOURCE, 6, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
	MPI_Mrecv(data, BYTES, MPI_CHAR, &message, MPI_STATUS_IGNORE);
	while (!found)
		MPI_Improbe(0, MPI_ANY_TAG, MPI_COMM_WORLD, &found, &message, &status);
	MPI_Imrecv(data, BYTES, MPI_CHAR, &message, &request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	MPI_Mprobe(MPI_PROC_NULL, 1, MPI_COMM_WORLD, &message, &status);
	MPI_Mrecv(data, 0, MPI_CHAR, &message, &status);
}

/* A duplicate that a request makes; a communicator of ranks 2 and 0, without rank 1. */
static void communicators(int rank)
{
	const int members[] = {2, 0};
	MPI_Comm copy, two;
	MPI_Group all, group;
	MPI_Request request;

	MPI_Comm_idup(MPI_COMM_WORLD, &copy, &request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	MPI_Barrier(copy);
	MPI_Comm_group(MPI_COMM_WORLD, &all);
	MPI_Group_incl(all, 2, members, &group);
	if (rank != 1) {
		MPI_Comm_create_group(MPI_COMM_WORLD, group, 3, &two);
		MPI_Bcast(&rank, 1, MPI_INT, 0, two);
		MPI_Comm_free(&two);
	}
	MPI_Group_free(&group);
	MPI_Group_free(&all);
	MPI_Comm_free(&copy);
}

/* Two groups that talk as groups, which no trace has, and become one, which traces have. */
static void groups(int rank)
{
	MPI_Comm half, both, one;
	int number = 7;
	MPI_Request request;

	MPI_Comm_split(MPI_COMM_WORLD, rank == 1, rank, &half);
	MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, rank == 1 ? 0 : 1, 9, &both);
	MPI_Barrier(both);
	if (rank == 1)
		MPI_Send(&number, 1, MPI_INT, 0, 4, both);
	else if (!rank)
		MPI_Recv(&number, 1, MPI_INT, 0, 4, both, MPI_STATUS_IGNORE);
	MPI_Ibarrier(both, &request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	MPI_Intercomm_merge(both, rank == 1, &one);
	MPI_Barrier(one);
	MPI_Comm_free(&one);
	MPI_Comm_free(&both);
	MPI_Comm_free(&half);
}

/* Collective operations that no trace has. */
static void collectives(void)
{
	const int dims[] = {RANKS}, periods[] = {1};
	int counts[RANKS] = {1, 1, 1}, places[RANKS] = {0, 4, 8}, from[RANKS] = {1, 2, 3}, to[RANKS];
	MPI_Datatype types[RANKS] = {MPI_INT, MPI_INT, MPI_INT};
	MPI_Comm ring;
	MPI_Request request;

	MPI_Alltoallw(from, counts, places, types, to, counts, places, types, MPI_COMM_WORLD);
	MPI_Cart_create(MPI_COMM_WORLD, 1, dims, periods, 0, &ring);
	for (int n = 0; n < 2; n++)
		MPI_Neighbor_allgather(from, 1, MPI_INT, to, 1, MPI_INT, ring);
	MPI_Ineighbor_allgather(from, 1, MPI_INT, to, 1, MPI_INT, ring, &request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	MPI_Comm_free(&ring);
}

/* Calls of MPI 4.0: those that MPI_VERSION has. */
static void newest(int rank)
{
#if MPI_VERSION >= 4
	char data[BYTES] = "", got[BYTES];
	int sum = 0, one = 1;
	MPI_Request request;

	MPI_Isendrecv(data, BYTES, MPI_CHAR, (rank + 1) % RANKS, 8, got, BYTES, MPI_CHAR, (rank + RANKS - 1) % RANKS, 8,
		      MPI_COMM_WORLD, &request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	MPI_Allreduce_init(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
	for (int n = 0; n < 2; n++) {
		MPI_Start(&request);
		MPI_Wait(&request, MPI_STATUS_IGNORE);
	}
	MPI_Request_free(&request);
	MPI_Bcast_c(data, BYTES, MPI_CHAR, 0, MPI_COMM_WORLD);
	if (sum != RANKS)
		MPI_Abort(MPI_COMM_WORLD, 1);
#else
	(void)rank;
#endif
}

int main(int argc, char **argv)
{
	int rank, spawns = argc > 1 && strcmp(argv[1], "spawn") == 0;
	MPI_Comm children, parent;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_get_parent(&parent);
	if (parent == MPI_COMM_NULL) {
		probes(rank);
		communicators(rank);
		groups(rank);
		collectives();
		newest(rank);
		if (spawns) {
			MPI_Comm_spawn(argv[0], MPI_ARGV_NULL, 1, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &children,
				       MPI_ERRCODES_IGNORE);
			MPI_Barrier(children);
			MPI_Comm_disconnect(&children);
		}
	} else {
		MPI_Barrier(parent);
		MPI_Comm_disconnect(&parent);
	}
	MPI_Barrier(MPI_COMM_WORLD);
	return MPI_Finalize();
}
