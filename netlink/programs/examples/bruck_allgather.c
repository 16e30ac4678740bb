/*
 * Bruck's allgather, messages only: fig. 7 of S. Sano, K. Kise, "Task Mapping Method for Mesh/Torus
 * Connection Network", as an MGEN program.
 *   bruck_allgather.so
 */
#include <stdio.h>

#include "mgen.h"

#define DATA_SIZE 2048
#define MGEN_TAG0 0

int MGEN_Main(int argc, char **argv)
{
	int my_rank, comm_size, dist;

	(void)argc;
	(void)argv;
	MGEN_Comm_rank(MGEN_COMM_WORLD, &my_rank);
	MGEN_Comm_size(MGEN_COMM_WORLD, &comm_size);
	for (dist = 1; dist < comm_size; dist <<= 1) {
		MGEN_Request req1, req2;
		MGEN_Status status;

		MGEN_Irecv(NULL, dist * DATA_SIZE, MGEN_BYTE, (my_rank + comm_size - dist) % comm_size, MGEN_TAG0,
			   MGEN_COMM_WORLD, &req1);
		MGEN_Isend(NULL, dist * DATA_SIZE, MGEN_BYTE, (my_rank + dist) % comm_size, MGEN_TAG0, MGEN_COMM_WORLD,
			   &req2);
		MGEN_Wait(&req1, &status);
		MGEN_Wait(&req2, &status);
	}
	return 0;
}
