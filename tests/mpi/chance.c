/*
 * A program by chance. The first argument is a seed, the second one how the program ends. Ranks of one seed draw the
 * same rounds: shifts, a rank that takes what comes, collective operations of all ranks and of two halves, one-sided
 * writes. Each rank draws its own computation. A rank that fails aborts, crashes, sends to nobody, waits for ever,
 * leaves, or exceeds the time limit.
 */
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 12, WORDS = 4000, RANKS = 64, KINDS = 9 };

struct chance {
	uint64_t seed;
	int rank, size;
	uint64_t sum; /* of all that came, in the order in which it came */
	uint32_t *in, *out;
	MPI_Comm half;
};

/* A number below `below` of two places: SplitMix64. */
static int draw(uint64_t seed, uint64_t a, uint64_t b, int below)
{
	uint64_t z = (seed * 1000003 + a) * 1000003 + b + 0x9e3779b97f4a7c15U;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
	return (int)((z ^ (z >> 31)) % (uint64_t)below);
}

static void came(struct chance *c, int from, int words)
{
	for (int i = 0; i < words; i++)
		c->sum = c->sum * 31 + c->in[i] + (uint64_t)from;
}

static void compute(const struct chance *c, int round, int most_ns)
{
	MPI_Add_time(1e-9 * draw(c->seed, 100 + (uint64_t)c->rank, (uint64_t)round, most_ns));
}

/* To a rank further on; the receive is posted before or after computation, and waited for, or polled. */
static void shift(struct chance *c, int round, int words)
{
	int by = draw(c->seed, 2, (uint64_t)round, c->size), to = (c->rank + by) % c->size;
	int from = (c->rank + c->size - by) % c->size, late = draw(c->seed, 3, (uint64_t)round, 2), done = 0;
	MPI_Request q[2];

	if (!late)
		MPI_Irecv(c->in, words, MPI_UNSIGNED, from, round, MPI_COMM_WORLD, &q[0]);
	MPI_Isend(c->out, words, MPI_UNSIGNED, to, round, MPI_COMM_WORLD, &q[1]);
	compute(c, round, 3000);
	if (late)
		MPI_Irecv(c->in, words, MPI_UNSIGNED, from, round, MPI_COMM_WORLD, &q[0]);
	for (int i = 0; round % 2 && !done; i++) {
		MPI_Testall(2, q, &done, MPI_STATUSES_IGNORE);
		compute(c, 1000 * round + i, 800);
		c->sum += (uint64_t)i;
	}
	if (!done)
		MPI_Waitall(2, q, MPI_STATUSES_IGNORE);
	came(c, from, words);
}

/* Everybody to one, who takes messages as they come, and prints from whom. */
static void funnel(struct chance *c, int round, int words)
{
	int root = draw(c->seed, 4, (uint64_t)round, c->size);
	MPI_Status status;

	if (c->rank != root) {
		MPI_Send(c->out, words, MPI_UNSIGNED, root, round, MPI_COMM_WORLD);
		return;
	}
	printf("round %d, rank %d gets from", round, root);
	for (int i = 1; i < c->size; i++) {
		MPI_Recv(c->in, words, MPI_UNSIGNED, MPI_ANY_SOURCE, round, MPI_COMM_WORLD, &status);
		came(c, status.MPI_SOURCE, words);
		printf(" %d", status.MPI_SOURCE);
	}
	printf(" at %.9f\n", MPI_Wtime());
}

static void collective(struct chance *c, int round, int words, MPI_Comm comm)
{
	int size, root, part;
	MPI_Request q;

	MPI_Comm_size(comm, &size);
	root = draw(c->seed, 5, (uint64_t)round, size);
	part = words / size + 1;
	switch (draw(c->seed, 6, (uint64_t)round, 6)) {
	case 0:
		memcpy(c->in, c->out, (size_t)words * sizeof(*c->in));
		MPI_Bcast(c->in, words, MPI_UNSIGNED, root, comm);
		break;
	case 1: MPI_Allreduce(c->out, c->in, words, MPI_UNSIGNED, MPI_SUM, comm); break;
	case 2: MPI_Alltoall(c->out, part, MPI_UNSIGNED, c->in, part, MPI_UNSIGNED, comm); break;
	case 3: MPI_Allgather(c->out, part, MPI_UNSIGNED, c->in, part, MPI_UNSIGNED, comm); break;
	case 4:
		MPI_Iallreduce(c->out, c->in, words, MPI_UNSIGNED, MPI_MAX, comm, &q);
		compute(c, round, 5000);
		MPI_Wait(&q, MPI_STATUS_IGNORE);
		break;
	default: MPI_Reduce_scatter_block(c->out, c->in, part, MPI_UNSIGNED, MPI_SUM, comm); words = part;
	}
	came(c, root, words < size * part ? words : size * part);
}

/* Writes to a neighbour's window between fences. */
static void put(struct chance *c, int round, int words)
{
	MPI_Win win;

	MPI_Win_create(c->in, (MPI_Aint)(WORDS + RANKS) * 4, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
	MPI_Win_fence(0, win);
	MPI_Put(c->out, words, MPI_UNSIGNED, (c->rank + 1 + round) % c->size, 0, words, MPI_UNSIGNED, win);
	MPI_Win_fence(0, win);
	MPI_Win_free(&win);
	came(c, 0, words);
}

static void play(struct chance *c, int round)
{
	int kind = draw(c->seed, 1, (uint64_t)round, KINDS);
	int words = draw(c->seed, 7, (uint64_t)round, kind < 4 ? WORDS : WORDS / 8);

	compute(c, round, 5000);
	MPI_Set_gap(draw(c->seed, 9, (uint64_t)round, 4) ? 0 : 100e-9);
	if (kind < 3)
		shift(c, round, words);
	else if (kind == 3)
		funnel(c, round, words / 8);
	else if (kind < 6)
		collective(c, round, words, MPI_COMM_WORLD);
	else if (kind < 8)
		collective(c, round, words, c->half);
	else
		put(c, round, words);
}

/* Fails in this way. */
static void fail(struct chance *c, const char *how)
{
	if (!strcmp(how, "abort"))
		MPI_Abort(MPI_COMM_WORLD, 7);
	if (!strcmp(how, "crash"))
		*(volatile int *)0 = 1;
	if (!strcmp(how, "error"))
		MPI_Send(c->out, 1, MPI_INT, c->size, 3, MPI_COMM_WORLD);
	if (!strcmp(how, "stuck"))
		MPI_Recv(c->in, 1, MPI_INT, MPI_ANY_SOURCE, 9999, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	if (!strcmp(how, "leave"))
		exit(3);
	if (!strcmp(how, "late"))
		MPI_Add_time(1);
}

int main(int argc, char **argv)
{
	struct chance c = {.seed = argc > 1 ? (uint64_t)atoi(argv[1]) : 1};
	const char *how = argc > 2 ? argv[2] : "well";
	int who, when;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &c.rank);
	MPI_Comm_size(MPI_COMM_WORLD, &c.size);
	if (c.size > RANKS)
		MPI_Abort(MPI_COMM_WORLD, 1);
	c.in = calloc(WORDS + RANKS, sizeof(*c.in));
	c.out = calloc(WORDS + RANKS, sizeof(*c.out));
	for (int i = 0; i < WORDS + RANKS; i++)
		c.out[i] = (uint32_t)(c.rank * 7919 + i);
	MPI_Comm_split(MPI_COMM_WORLD, draw(c.seed, 8, (uint64_t)c.rank, 2), -c.rank, &c.half);
	who = draw(c.seed, 10, 0, c.size);
	when = draw(c.seed, 10, 1, ROUNDS);
	for (int round = 0; round < ROUNDS; round++) {
		if (c.rank == who && round == when)
			fail(&c, how);
		play(&c, round);
	}
	printf("rank %d: %016llx at %.9f\n", c.rank, (unsigned long long)c.sum, MPI_Wtime());
	MPI_Comm_free(&c.half);
	MPI_Finalize();
	free(c.in);
	free(c.out);
	return !strcmp(how, "status") && c.rank >= who ? c.rank + 1 : 0;
}
