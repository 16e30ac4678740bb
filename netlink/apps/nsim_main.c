/* nsim: runs an MPI program, or traffic, on a simulated network. */
#include "run/program_run.h"

static const char examples[] = "nsimcc -O2 ring.c -o ring.so\n"
			       "nsim -p topology.dims=8x8x8 -n 512 ring.so 1000\n"
			       "nsim -c tofu.ini --engine flow --each-rank --json -o run.json prog.so args\n"
			       "nsim -p mpi.collective_alltoall=pairwise --matrix m.txt --timeline run.json prog.so\n"
			       "nsim -p topology.dims=16x16 --pattern transpose --series";

static const struct run_program nsim = {
	.name = "nsim",
	.operands = "PROGRAM.so [ARGUMENTS]",
	.summary = "Runs an MPI program (compiled by nsimcc), or a traffic pattern, on a simulated "
		   "machine.",
	.examples = examples,
	.traffic = true,
};

int main(int argc, char *argv[])
{
	return run_main(&nsim, argc, argv);
}
