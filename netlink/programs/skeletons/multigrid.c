/*
 * Skeleton of a multigrid solver on a regular grid: V cycles (W. Briggs, V. Henson, S. McCormick, "A Multigrid
 * Tutorial", 2000). Each coarser grid has an eighth of the points, and in the end there are fewer than ranks. README.md
 * says what is kept and what is not.
 *
 *     multigrid NX NY NZ CYCLES [NAME=VALUE]...
 *
 * Each rank has NX x NY x NZ points of the finest grid. The ranks are a grid as near to a cube as may be, periodic.
 * Names: stencil=7 or 27 points; sweeps=1 of smoothing on each way; levels=: down to one point, unless given; sums=1:
 * numbers that all ranks add up, one by one, after a cycle, as the Krylov solver around it does. Where a grid has
 * fewer points than ranks, some ranks have one each, and the others wait. Seconds come from the rate multigrid_rate,
 * operations a second, 1e9, of the machine's section [skeleton]: two operations for each entry of a stencil.
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bsim.h"
#include "lmpi.h"

enum { DIMENSIONS = 3, DIRECTIONS = 27, MIDDLE = 13, LEVELS_MAX = 40, TAG_DOWN = DIRECTIONS, TAG_UP };

struct multigrid {
	long size[DIMENSIONS], cycles, stencil, sweeps, levels, sums;
	int rank, dims[DIMENSIONS], at[DIMENSIONS];
	LMPI_Comm grid;
	double rate;
};

/* A level as a rank has it. */
struct level {
	int takes_part, stride[DIMENSIONS]; /* ranks from one that takes part to the next */
	long points[DIMENSIONS];
	int owner; /* the rank that has this rank's points of the level */
};

static long whole(const char *text)
{
	char *end;
	long n = strtol(text, &end, 10);

	return *text && !*end && n <= 1000000 ? n : -1;
}

/* Reads the arguments; returns 1 if they describe no solver. */
static int arguments(struct multigrid *m, int argc, char *argv[])
{
	const struct {
		const char *name;
		long *value;
	} names[] = {{"stencil=", &m->stencil}, {"sweeps=", &m->sweeps}, {"levels=", &m->levels}, {"sums=", &m->sums}};
	long *const first[] = {&m->size[0], &m->size[1], &m->size[2], &m->cycles};

	if (argc < 5)
		return 1;
	for (int i = 1; i < argc; i++) {
		size_t n = 0, count = sizeof(names) / sizeof(names[0]);

		if (i < 5) {
			*first[i - 1] = whole(argv[i]);
			continue;
		}
		while (n < count && strncmp(argv[i], names[n].name, strlen(names[n].name)))
			n++;
		if (n == count)
			return 1;
		*names[n].value = whole(argv[i] + strlen(names[n].name));
	}
	for (int i = 0; i < 4; i++)
		if (*first[i] < 1)
			return 1;
	return (m->stencil != 7 && m->stencil != 27) || m->sweeps < 0 || m->levels < 0 || m->levels > LEVELS_MAX ||
	       m->sums < 0;
}

static int rank_at(const struct multigrid *m, const int at[DIMENSIONS])
{
	int rank;

	LMPI_Cart_rank(m->grid, at, &rank);
	return rank;
}

/* Returns this rank's part of level `l`: points halved to one, then only ranks at multiples of a stride have any. */
static struct level level_of(const struct multigrid *m, int l)
{
	struct level found = {.takes_part = 1};
	int at[DIMENSIONS];

	for (int d = 0; d < DIMENSIONS; d++) {
		long size = m->size[d], stride = 1;

		for (int i = 0; i < l; i++) {
			stride *= size == 1 && stride < m->dims[d] ? 2 : 1;
			size = (size + 1) / 2;
		}
		found.points[d] = size;
		found.stride[d] = (int)stride;
		at[d] = m->at[d] - m->at[d] % (int)stride;
		found.takes_part &= at[d] == m->at[d];
	}
	found.owner = rank_at(m, at);
	return found;
}

/* Returns whether the whole grid of a level is one point. */
static int is_last(const struct multigrid *m, int l)
{
	struct level v = level_of(m, l);

	for (int d = 0; d < DIMENSIONS; d++)
		if (v.points[d] > 1 || v.stride[d] < m->dims[d])
			return 0;
	return 1;
}

static double points(const struct level *v)
{
	return (double)v->points[0] * (double)v->points[1] * (double)v->points[2];
}

/* Returns the next rank that takes part in a direction, three digits of -1, 0 and 1; sets the numbers that it gets. */
static int next(const struct multigrid *m, const struct level *v, int direction, int *numbers, int *far)
{
	int at[DIMENSIONS];

	*numbers = 1;
	*far = 0;
	for (int d = 0; d < DIMENSIONS; d++, direction /= 3) {
		int step = direction % 3 - 1, last = (m->dims[d] - 1) / v->stride[d] * v->stride[d];

		at[d] = m->at[d] + step * v->stride[d];
		at[d] = at[d] < 0 ? last : at[d] > last ? 0 : at[d];
		*far += step != 0;
		*numbers *= step ? 1 : (int)v->points[d];
	}
	return rank_at(m, at);
}

/* Exchanges faces, for 27 points also edges and corners; then each point takes its stencil's operations. */
static void visit(const struct multigrid *m, const struct level *v)
{
	LMPI_Request requests[2 * DIRECTIONS];
	int count = 0;

	for (int sends = 0; sends < 2; sends++)
		for (int i = 0; i < DIRECTIONS; i++) {
			int numbers, far, other = next(m, v, i, &numbers, &far);

			if (i == MIDDLE || (m->stencil == 7 && far > 1) || other == m->rank)
				continue;
			if (sends)
				LMPI_Isend(NULL, numbers, LMPI_DOUBLE, other, i, m->grid, &requests[count++]);
			else
				LMPI_Irecv(NULL, numbers, LMPI_DOUBLE, other, DIRECTIONS - 1 - i, m->grid,
					   &requests[count++]);
		}
	LMPI_Waitall(count, requests, LMPI_STATUSES_IGNORE);
	BSIM_Add_time(2 * (double)m->stencil * points(v) / m->rate);
}

/* Ranks that have none of the coarser level send their points of it to its owner, or get them. */
static void hand(const struct multigrid *m, const struct level *fine, const struct level *coarse, int down)
{
	int numbers = (int)points(coarse), at[DIMENSIONS];

	if (!coarse->takes_part) {
		if (down)
			LMPI_Send(NULL, numbers, LMPI_DOUBLE, coarse->owner, TAG_DOWN, m->grid);
		else
			LMPI_Recv(NULL, numbers, LMPI_DOUBLE, coarse->owner, TAG_UP, m->grid, LMPI_STATUS_IGNORE);
		return;
	}
	for (int i = 1; i < 8; i++) {
		int inside = 1;

		for (int d = 0; d < DIMENSIONS; d++) {
			int step = (i >> d & 1) * fine->stride[d];

			at[d] = m->at[d] + step;
			inside &= at[d] < m->dims[d] && (!step || coarse->stride[d] > fine->stride[d]);
		}
		if (inside && down)
			LMPI_Recv(NULL, numbers, LMPI_DOUBLE, rank_at(m, at), TAG_DOWN, m->grid, LMPI_STATUS_IGNORE);
		else if (inside)
			LMPI_Send(NULL, numbers, LMPI_DOUBLE, rank_at(m, at), TAG_UP, m->grid);
	}
}

/* A V cycle from level `l` on, of ranks that take part in it. */
static void cycle(const struct multigrid *m, int l, int last)
{
	struct level fine = level_of(m, l), coarse;

	BSIM_Phase(l == last ? "coarsest" : l ? "coarse" : "finest");
	if (l == last) {
		visit(m, &fine);
		return;
	}
	coarse = level_of(m, l + 1);
	for (long i = 0; i <= m->sweeps; i++) /* the last one is the residual */
		visit(m, &fine);
	hand(m, &fine, &coarse, 1);
	if (coarse.takes_part)
		cycle(m, l + 1, last);
	BSIM_Phase(l ? "coarse" : "finest");
	hand(m, &fine, &coarse, 0);
	for (long i = 0; i < m->sweeps; i++)
		visit(m, &fine);
}

static double run(const struct multigrid *m, int last)
{
	double begin = LMPI_Wtime();

	for (long i = 0; i < m->cycles; i++) {
		cycle(m, 0, last);
		BSIM_Phase("sums");
		for (long s = 0; s < m->sums; s++)
			LMPI_Allreduce(NULL, NULL, 1, LMPI_DOUBLE, LMPI_SUM, m->grid);
	}
	return (LMPI_Wtime() - begin) / (double)m->cycles;
}

int LMPI_Main(int argc, char *argv[])
{
	struct multigrid m = {.stencil = 7, .sweeps = 1, .sums = 1};
	int ranks, last = 0, periods[DIMENSIONS] = {1, 1, 1};
	double seconds;

	LMPI_Comm_rank(LMPI_COMM_WORLD, &m.rank);
	LMPI_Comm_size(LMPI_COMM_WORLD, &ranks);
	if (arguments(&m, argc, argv) || (double)m.size[0] * (double)m.size[1] * (double)m.size[2] > INT_MAX) {
		if (m.rank == 0)
			fprintf(stderr,
				"multigrid: expected NX NY NZ CYCLES [stencil=7|27 or sweeps=|levels=|sums=COUNT]..., "
				"with at most %d points a rank and %d levels\n",
				INT_MAX, LEVELS_MAX);
		return 1;
	}
	LMPI_Dims_create(ranks, DIMENSIONS, m.dims);
	LMPI_Cart_create(LMPI_COMM_WORLD, DIMENSIONS, m.dims, periods, 0, &m.grid);
	LMPI_Cart_get(m.grid, DIMENSIONS, m.dims, periods, m.at);
	m.rate = BSIM_Parameter("multigrid_rate", 1e9);
	while (!is_last(&m, last) && (m.levels == 0 || last < m.levels - 1))
		last++;
	seconds = run(&m, last);
	if (m.rank == 0)
		printf("multigrid: %d levels, %.4g us a cycle\n", last + 1, seconds * 1e6);
	return 0;
}
