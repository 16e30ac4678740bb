/*
 * All-to-all of messages without data; the algorithm is that of [mpi] collective_alltoall.
 *   alltoall.so [BYTES A RANK [TIMES]]
 */
#include <stdio.h>
#include <stdlib.h>

#include "mgen.h"

int MGEN_Main(int argc, char **argv)
{
	int bytes = argc > 1 ? atoi(argv[1]) : 4, times = argc > 2 ? atoi(argv[2]) : 1, rank;

	MGEN_Comm_rank(MGEN_COMM_WORLD, &rank);
	for (int i = 0; i < times; i++)
		MGEN_Alltoall(NULL, bytes, MGEN_BYTE, NULL, bytes, MGEN_BYTE, MGEN_COMM_WORLD);
	if (rank == 0)
		printf("all-to-all, %d bytes: rank 0 took %.6f ms each\n", bytes, MGEN_Wtime() / times * 1e3);
	return 0;
}
