/*
 * A stencil on a ring of ranks whose work is not even: each step a rank computes, gives its two neighbours their
 * borders and takes theirs; every tenth step all agree on the residual. Every eighth rank has more to do.
 *     imbalance [STEPS [EXCESS PERCENT]]
 */
#include <stdlib.h>

#include "bsim.h"
#include "lmpi.h"

enum { BORDER = 8192 };

static void step(int rank, int size, double work)
{
	int left = (rank + size - 1) % size, right = (rank + 1) % size;
	LMPI_Request q[4];

	LMPI_Irecv(NULL, BORDER, LMPI_BYTE, left, 0, LMPI_COMM_WORLD, &q[0]);
	LMPI_Irecv(NULL, BORDER, LMPI_BYTE, right, 1, LMPI_COMM_WORLD, &q[1]);
	LMPI_Isend(NULL, BORDER, LMPI_BYTE, right, 0, LMPI_COMM_WORLD, &q[2]);
	LMPI_Isend(NULL, BORDER, LMPI_BYTE, left, 1, LMPI_COMM_WORLD, &q[3]);
	BSIM_Add_time(work);
	LMPI_Waitall(4, q, LMPI_STATUSES_IGNORE);
}

int LMPI_Main(int argc, char **argv)
{
	int steps = argc > 1 ? atoi(argv[1]) : 20, rank, size;
	double excess = argc > 2 ? atof(argv[2]) : 30, work = 1e-4;

	LMPI_Comm_rank(LMPI_COMM_WORLD, &rank);
	LMPI_Comm_size(LMPI_COMM_WORLD, &size);
	if (rank % 8 == 5)
		work *= 1 + excess / 100;
	for (int i = 0; i < steps; i++) {
		BSIM_Phase("stencil");
		step(rank, size, work);
		if (i % 10 != 9)
			continue;
		BSIM_Phase("residual");
		BSIM_Add_time(work / 10);
		LMPI_Allreduce(NULL, NULL, 1, LMPI_DOUBLE, LMPI_SUM, LMPI_COMM_WORLD);
	}
	BSIM_Phase("");
	return 0;
}
