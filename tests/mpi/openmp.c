/*
 * Programs with OpenMP: each rank has its own team and settings, also where it waits for another rank in the middle of
 * a loop. With an argument the team has so many threads, which compute; with a second one a thread waits for a message.
 */
#include <omp.h>

#include "check.h"

enum { TURNS = 40 };

static int sum_of(int n)
{
	int sum = 0;

#pragma omp parallel for reduction(+ : sum)
	for (int i = 1; i <= n; i++)
		sum += i;
	return sum;
}

/* Every turn of the loop sends around, and other ranks begin their loops meanwhile. */
static int turns_with_calls(const struct checks *c)
{
	int turns = 0, sum = 0;

#pragma omp parallel
	{
#pragma omp for schedule(dynamic, 3)
		for (int i = 0; i < TURNS + c->rank; i++) {
			int got = -1;

			if (i < TURNS)
				MPI_Sendrecv(&i, 1, MPI_INT, (c->rank + 1) % c->size, i, &got, 1, MPI_INT,
					     (c->rank + c->size - 1) % c->size, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#pragma omp critical
			{
				turns++;
				sum += i < TURNS ? got : 0;
			}
		}
#pragma omp single
		turns += 1000;
	}
	return turns == TURNS + c->rank + 1000 && sum == TURNS * (TURNS - 1) / 2;
}

int main(int argc, char **argv)
{
	int threads = argc > 1 ? atoi(argv[1]) : 0;
	struct checks c;

	checks_begin(&c, &argc, &argv);
	if (threads)
		omp_set_num_threads(threads);
	else
		CHECK(&c, omp_get_max_threads() == 1);
	CHECK(&c, sum_of(1000) == 500500);
	if (argc > 2) {
#pragma omp parallel
#pragma omp master
		MPI_Recv(&threads, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	}
	if (!threads)
		CHECK(&c, turns_with_calls(&c));
	/* settings are the rank's */
	omp_set_num_threads(1 + c.rank % 2);
	MPI_Barrier(MPI_COMM_WORLD);
	CHECK(&c, omp_get_max_threads() == 1 + c.rank % 2);
	CHECK(&c, sum_of(100) == 5050);
	return checks_end(&c, "OpenMP");
}
