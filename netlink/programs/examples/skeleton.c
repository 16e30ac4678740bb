/*
 * A skeleton: an iterative solver on a ring of ranks, in blocks of n x n. What it computes is a time, what it
 * sends has a length and no data.
 *     skeleton [ITERATIONS [N]]
 */
#include <stdio.h>
#include <stdlib.h>

#include "bsim.h"
#include "lmpi.h"

int LMPI_Main(int argc, char **argv)
{
	int rank, size, rounds = argc > 1 ? atoi(argv[1]) : 10, n = argc > 2 ? atoi(argv[2]) : 256;
	double block[] = {n};

	LMPI_Comm_rank(LMPI_COMM_WORLD, &rank);
	LMPI_Comm_size(LMPI_COMM_WORLD, &size);
	for (int i = 0; i < rounds; i++) {
		BSIM_Phase("update");
		if (BSIM_Has_model("block"))
			BSIM_Add_model("block", 1, block);
		else
			BSIM_Add_time(2.0 * n * n * n / BSIM_Parameter("flops", 1e9));
		BSIM_Flops(2.0 * n * n * n);
		BSIM_Phase("exchange");
		LMPI_Sendrecv(NULL, n * n, LMPI_DOUBLE, (rank + 1) % size, 0, NULL, n * n, LMPI_DOUBLE,
			      (rank + size - 1) % size, 0, LMPI_COMM_WORLD, LMPI_STATUS_IGNORE);
		BSIM_Phase("residual");
		LMPI_Allreduce(NULL, NULL, 1, LMPI_DOUBLE, LMPI_SUM, LMPI_COMM_WORLD);
	}
	BSIM_Phase("");
	if (rank == 0)
		printf("%d rounds on %d ranks\n", rounds, size);
	return 0;
}
