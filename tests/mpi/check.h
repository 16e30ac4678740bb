/* Checks in MPI programs: the same source runs under nsim and under a real MPI, which checks the checks. */
#ifndef PSIM_TESTS_MPI_CHECK_H
#define PSIM_TESTS_MPI_CHECK_H

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct checks {
	int rank, size, bad;
};

#define CHECK(c, condition) check_that((c), (condition), #condition, __FILE__, __LINE__)

static inline void check_that(struct checks *c, int holds, const char *what, const char *file, int line)
{
	if (holds)
		return;
	c->bad++;
	fprintf(stderr, "%s:%d: rank %d: %s does not hold\n", file, line, c->rank, what);
}

static inline void checks_begin(struct checks *c, int *argc, char ***argv)
{
	MPI_Init(argc, argv);
	c->bad = 0;
	MPI_Comm_rank(MPI_COMM_WORLD, &c->rank);
	MPI_Comm_size(MPI_COMM_WORLD, &c->size);
}

/* Rank 0 prints the result; returns the exit status. */
static inline int checks_end(struct checks *c, const char *name)
{
	int all = 0;

	MPI_Allreduce(&c->bad, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
	if (c->rank == 0 && all == 0)
		printf("%s: all checks hold on %d ranks\n", name, c->size);
	else if (c->rank == 0)
		printf("%s: %d checks failed\n", name, all);
	MPI_Finalize();
	return all != 0;
}

#endif
