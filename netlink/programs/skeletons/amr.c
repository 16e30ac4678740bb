/*
 * Skeleton of an explicit code on a block-structured mesh that is refined as it runs, after Parthenon (P. Grete et al.,
 * "Parthenon - a performance portable block-structured adaptive mesh refinement framework", 2023; its Mesh::
 * LoadBalancingAndAdaptiveMeshRefinement). README.md says what is kept and what is not.
 *
 *     amr ROOT BLOCK VALUES CYCLES [NAME=VALUE]...
 *
 * ROOT blocks along each side of the coarsest mesh, BLOCK zones along each side of a block, VALUES numbers of a zone
 * that neighbours need. Names: ghosts=4 layers; stages=2 of a cycle; blocks= in all, those of the coarsest mesh unless
 * given; refined=0 of the coarsest mesh, a ball that has all other blocks; x, y, z=0.5: where its middle is; created=0
 * and destroyed=0 blocks in a cycle. Where both are 0, the mesh stays as it is.
 *
 * Times are of the machine's section [skeleton]: zone_rate, zones a second in a stage, 1e6; message_time of a block's
 * message to another rank, at each end; if the mesh changes, list_time of each block of the mesh, make_time of each
 * that a rank receives or creates, own_time of each that a rank has: all 0 unless given.
 */
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "amr_curve.h"
#include "bsim.h"
#include "lmpi.h"

enum { DIMENSIONS = 3, NEIGHBOURS = 26, LEAVES = 8, LOCATION_BYTES = 56, TAG_MOVE = NEIGHBOURS };

/* Blocks that a rank gets from another one when the mesh has changed, or gives to it. */
struct transfer {
	int other, gives;
	double blocks;
};

struct amr {
	long root, block, values, cycles, ghosts, stages;
	double blocks, refined, created, destroyed, middle[DIMENSIONS];
	int rank, ranks;
	int neighbours[NEIGHBOURS], lengths[NEIGHBOURS]; /* ranks, and the numbers that each gets */
	double messages;                                 /* of blocks, to other ranks in an exchange */
	double own, made; /* blocks of this rank; those that it receives or creates in a cycle */
	struct transfer *transfers;
	LMPI_Request *requests; /* of the transfers */
	int count, room;
	double seconds, regridding;
};

/* Sets a value by its NAME=VALUE; returns 1 if the name is unknown or the value no number. */
static int option(struct amr *a, const char *text)
{
	const struct {
		const char *name;
		double *number;
		long *whole;
	} options[] = {
		{"ghosts=", NULL, &a->ghosts},   {"stages=", NULL, &a->stages},   {"blocks=", &a->blocks, NULL},
		{"refined=", &a->refined, NULL}, {"created=", &a->created, NULL}, {"destroyed=", &a->destroyed, NULL},
		{"x=", &a->middle[0], NULL},     {"y=", &a->middle[1], NULL},     {"z=", &a->middle[2], NULL}};

	for (size_t i = 0; i < sizeof(options) / sizeof(options[0]); i++) {
		const char *begin = text + strlen(options[i].name);
		char *end;
		double value;

		if (strncmp(text, options[i].name, strlen(options[i].name)))
			continue;
		value = strtod(begin, &end);
		if (end == begin || *end || !(value >= 0 && value < 1e12))
			return 1;
		if (options[i].number)
			*options[i].number = value;
		else
			*options[i].whole = value <= 1000 ? (long)value : -1;
		return 0;
	}
	return 1;
}

/* Reads the arguments; returns 1 if they describe no mesh. */
static int arguments(struct amr *a, int argc, char *argv[])
{
	long *numbers[] = {&a->root, &a->block, &a->values, &a->cycles};
	double coarsest, finer;

	if (argc < 5)
		return 1;
	for (int i = 1; i < argc; i++) {
		char *end;

		if (i > 4 && option(a, argv[i]))
			return 1;
		if (i > 4)
			continue;
		*numbers[i - 1] = strtol(argv[i], &end, 10);
		if (*end || *numbers[i - 1] < 1 || *numbers[i - 1] > 1000000)
			return 1;
	}
	coarsest = (double)a->root * (double)a->root * (double)a->root;
	if (a->blocks == 0)
		a->blocks = coarsest;
	finer = a->blocks - coarsest;
	for (int d = 0; d < DIMENSIONS; d++)
		if (a->middle[d] >= 1)
			return 1;
	return a->root > CURVE_MAX || a->ghosts < 1 || a->stages < 1 || finer < 0 || a->refined > coarsest ||
	       (a->refined < 1) != (finer == 0) || a->destroyed > finer || (finer == 0 && a->created > 0);
}

/* Returns whether a message of a rank's blocks is more than a message can have. */
static int too_large(const struct amr *a)
{
	double side = (double)(a->block + 2 * a->ghosts);

	return (a->blocks / a->ranks + 1) * side * side * side * (double)a->values > INT_MAX;
}

/* The steps of -1, 0 and 1 to a neighbour; the opposite of i is NEIGHBOURS - 1 - i. Returns in how many dimensions. */
static int direction(int i, int step[DIMENSIONS])
{
	int code = i < NEIGHBOURS / 2 ? i : i + 1, far = 0;

	for (int d = 0; d < DIMENSIONS; d++, code /= 3) {
		step[d] = code % 3 - 1;
		far += step[d] != 0;
	}
	return far;
}

/*
 * Neighbours on a periodic grid of ranks, as near to a cube as may be, and what each gets. The blocks of a rank are a
 * cube of `side`: a face of it has side^2 blocks, each of which sends to the nine blocks beyond that are opposite.
 */
static void find_neighbours(struct amr *a)
{
	int dims[DIMENSIONS] = {0}, periods[DIMENSIONS] = {1, 1, 1}, at[DIMENSIONS];
	double side = fmax(cbrt(a->blocks / a->ranks), 1), less = side - 1, n = (double)a->block, g = (double)a->ghosts;
	const double zones[] = {0, side * side * n * n * g + 4 * side * less * n * g * g + 4 * less * less * g * g * g,
				side * n * g * g + 2 * less * g * g * g, g * g * g};
	LMPI_Comm grid;

	LMPI_Dims_create(a->ranks, DIMENSIONS, dims);
	LMPI_Cart_create(LMPI_COMM_WORLD, DIMENSIONS, dims, periods, 0, &grid);
	LMPI_Cart_get(grid, DIMENSIONS, dims, periods, at);
	for (int i = 0; i < NEIGHBOURS; i++) {
		int step[DIMENSIONS], place[DIMENSIONS], far = direction(i, step);

		for (int d = 0; d < DIMENSIONS; d++)
			place[d] = (at[d] + step[d] + dims[d]) % dims[d];
		LMPI_Cart_rank(grid, place, &a->neighbours[i]);
		a->lengths[i] = (int)ceil(zones[far] * (double)a->values);
		if (a->neighbours[i] != a->rank)
			a->messages += pow(side + 2 * less, DIMENSIONS - far);
	}
}

/* Notes what this rank gets from another one, or gives to it. Returns 1 if there is no memory. */
static int note(struct amr *a, int other, int gives, double blocks)
{
	if (blocks <= 0 || other == a->rank)
		return 0;
	if (a->count == a->room) {
		struct transfer *more = realloc(a->transfers, (size_t)(2 * a->room + 8) * sizeof(*more));

		if (!more)
			return 1;
		a->transfers = more;
		a->room = 2 * a->room + 8;
	}
	a->transfers[a->count++] = (struct transfer){other, gives, blocks};
	a->made += gives ? 0 : blocks;
	return 0;
}

/* Finds the blocks of this rank, and what of them a cycle moves. Returns 1 if there is no memory. */
static int find_transfers(struct amr *a)
{
	struct curve c = {.root = a->root, .ranks = a->ranks, .blocks = a->blocks, .added = a->created - a->destroyed};
	double (*const begins[])(const struct curve *, int) = {curve_before, curve_after};
	int failed;

	memcpy(c.middle, a->middle, sizeof(c.middle));
	failed = curve_make(&c, a->refined);
	for (int gives = 0; gives < 2 && !failed; gives++) {
		double from = begins[!gives](&c, a->rank), to = begins[!gives](&c, a->rank + 1);

		for (int r = curve_owner(&c, from, gives); r < a->ranks && begins[gives](&c, r) < to && !failed; r++)
			failed = note(a, r, gives,
				      fmin(to, begins[gives](&c, r + 1)) - fmax(from, begins[gives](&c, r)));
	}
	if (!failed) {
		double from = curve_before(&c, a->rank), to = curve_before(&c, a->rank + 1);

		a->own = to - from;
		a->made += a->created * (curve_share(&c, to) - curve_share(&c, from));
		a->requests = malloc((size_t)(a->count + 1) * sizeof(*a->requests));
		failed = !a->requests;
	}
	curve_free(&c);
	return failed;
}

/* All blocks send the layers that their neighbours need; those of a rank to another are one message. */
static void exchange(const struct amr *a)
{
	LMPI_Request requests[2 * NEIGHBOURS];
	int count = 0;

	BSIM_Add_time(2 * a->messages * BSIM_Parameter("message_time", 0));
	for (int sends = 0; sends < 2; sends++)
		for (int i = 0; i < NEIGHBOURS; i++) {
			if (a->neighbours[i] == a->rank)
				continue;
			if (sends)
				LMPI_Isend(NULL, a->lengths[i], LMPI_DOUBLE, a->neighbours[i], i, LMPI_COMM_WORLD,
					   &requests[count++]);
			else
				LMPI_Irecv(NULL, a->lengths[i], LMPI_DOUBLE, a->neighbours[i], NEIGHBOURS - 1 - i,
					   LMPI_COMM_WORLD, &requests[count++]);
		}
	LMPI_Waitall(count, requests, LMPI_STATUSES_IGNORE);
}

/* All ranks get the numbers of blocks to be refined and to be merged, then where these are. */
static void agree(const struct amr *a)
{
	const double flagged[] = {a->created / LEAVES, a->destroyed};

	for (int i = 0; i < 2; i++)
		LMPI_Allgather(NULL, 1, LMPI_INT, NULL, 1, LMPI_INT, LMPI_COMM_WORLD);
	for (int i = 0; i < 2; i++) {
		int bytes = (int)ceil(flagged[i] * LOCATION_BYTES / a->ranks);

		if (bytes > 0)
			LMPI_Allgather(NULL, bytes, LMPI_BYTE, NULL, bytes, LMPI_BYTE, LMPI_COMM_WORLD);
	}
}

/* Each rank gets its new part of the curve, with ghosts, from the ranks that had it. */
static void move(struct amr *a)
{
	double side = (double)(a->block + 2 * a->ghosts), numbers = side * side * side * (double)a->values;

	for (int i = 0; i < a->count; i++) {
		const struct transfer *t = &a->transfers[i];

		if (t->gives)
			LMPI_Isend(NULL, (int)(t->blocks * numbers), LMPI_DOUBLE, t->other, TAG_MOVE, LMPI_COMM_WORLD,
				   &a->requests[i]);
		else
			LMPI_Irecv(NULL, (int)(t->blocks * numbers), LMPI_DOUBLE, t->other, TAG_MOVE, LMPI_COMM_WORLD,
				   &a->requests[i]);
	}
	BSIM_Add_time(a->made * BSIM_Parameter("make_time", 0));
	LMPI_Waitall(a->count, a->requests, LMPI_STATUSES_IGNORE);
}

static void regrid(struct amr *a)
{
	double begin = LMPI_Wtime();

	BSIM_Phase("flags");
	agree(a);
	if (a->created > 0 || a->destroyed > 0) {
		BSIM_Phase("lists");
		BSIM_Add_time(a->blocks * BSIM_Parameter("list_time", 0));
		BSIM_Phase("move");
		move(a);
		BSIM_Phase("rebuild");
		BSIM_Add_time(a->own * BSIM_Parameter("own_time", 0));
		exchange(a);
	}
	a->regridding += LMPI_Wtime() - begin;
}

static void run(struct amr *a)
{
	double zones = (double)a->block * (double)a->block * (double)a->block;
	double stage_seconds = a->own * zones / BSIM_Parameter("zone_rate", 1e6), begin = LMPI_Wtime();

	for (long cycle = 0; cycle < a->cycles; cycle++) {
		for (long stage = 0; stage < a->stages; stage++) {
			BSIM_Phase("fluxes");
			BSIM_Add_time(stage_seconds);
			BSIM_Phase("ghosts");
			exchange(a);
		}
		regrid(a);
		BSIM_Phase("time step");
		LMPI_Allreduce(NULL, NULL, 1, LMPI_DOUBLE, LMPI_MIN, LMPI_COMM_WORLD);
	}
	a->seconds = LMPI_Wtime() - begin;
}

int LMPI_Main(int argc, char *argv[])
{
	struct amr a = {.ghosts = 4, .stages = 2, .middle = {0.5, 0.5, 0.5}};
	int failed;

	LMPI_Comm_rank(LMPI_COMM_WORLD, &a.rank);
	LMPI_Comm_size(LMPI_COMM_WORLD, &a.ranks);
	if (arguments(&a, argc, argv)) {
		if (a.rank == 0)
			fprintf(stderr,
				"amr: expected ROOT BLOCK VALUES CYCLES [ghosts=|stages=|blocks=|refined=|"
				"created=|destroyed=|x=|y=|z=NUMBER]..., with refined blocks if any are finer\n");
		return 1;
	}
	if (too_large(&a)) {
		if (a.rank == 0)
			fprintf(stderr, "amr: the blocks of a rank have more than %d numbers\n", INT_MAX);
		return 1;
	}
	find_neighbours(&a);
	failed = find_transfers(&a);
	if (failed)
		fprintf(stderr, "amr: rank %d: no memory\n", a.rank);
	else
		run(&a);
	if (!failed && a.rank == 0)
		printf("amr: %ld cycles of %.6g blocks, %.4g us a cycle, %.4g us of it to change the mesh\n", a.cycles,
		       a.blocks, a.seconds / (double)a.cycles * 1e6, a.regridding / (double)a.cycles * 1e6);
	free(a.transfers);
	free(a.requests);
	return failed;
}
