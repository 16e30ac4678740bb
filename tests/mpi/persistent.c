/* Calls of MPI 4 (persistent collectives, Isendrecv), cancelled sends, a message by several types. At least 3 ranks. */
#include "check.h"

enum { ROUNDS = 3, BLOCK = 2, LONG = 60000 };

struct arrays {
	int *from, *to, *counts, *places;
	MPI_Datatype *types;
	MPI_Aint *bytes;
};

static struct arrays arrays_of(int size)
{
	size_t n = (size_t)size;
	struct arrays a = {malloc(n * BLOCK * sizeof(int)),  malloc(n * BLOCK * sizeof(int)),
			   malloc(n * sizeof(int)),          malloc(n * sizeof(int)),
			   malloc(n * sizeof(MPI_Datatype)), malloc(n * sizeof(MPI_Aint))};

	for (int i = 0; i < size; i++) {
		a.counts[i] = BLOCK;
		a.places[i] = i * BLOCK;
		a.types[i] = MPI_INT;
		a.bytes[i] = (MPI_Aint)i * BLOCK * (MPI_Aint)sizeof(int);
	}
	return a;
}

static void free_arrays(struct arrays *a)
{
	free(a->from);
	free(a->to);
	free(a->counts);
	free(a->places);
	free(a->types);
	free(a->bytes);
}

static void fill(const struct checks *c, struct arrays *a, int round)
{
	for (int i = 0; i < c->size * BLOCK; i++) {
		a->from[i] = round * 100000 + c->rank * 1000 + i;
		a->to[i] = -1;
	}
}

/* Runs a persistent operation, and counts the values that are not what the round's sum of ranks or places makes. */
static void run(struct checks *c, struct arrays *a, MPI_Request request, int values,
		int (*expected)(const struct checks *c, int round, int i))
{
	for (int round = 0; round < ROUNDS; round++) {
		int bad = 0;

		fill(c, a, round);
		MPI_Start(&request);
		MPI_Wait(&request, MPI_STATUS_IGNORE);
		CHECK(c, request != MPI_REQUEST_NULL);
		for (int i = 0; i < values; i++)
			bad += a->to[i] != expected(c, round, i);
		CHECK(c, bad == 0);
	}
	MPI_Request_free(&request);
	CHECK(c, request == MPI_REQUEST_NULL);
}

/* `to` of rank r, where each rank's `from` is round * 100000 + rank * 1000 + place. */
static int of_all(const struct checks *c, int round, int i)
{
	(void)c;
	return round * 100000 + i / BLOCK * 1000 + i % BLOCK;
}

static int of_all_to_me(const struct checks *c, int round, int i)
{
	return round * 100000 + i / BLOCK * 1000 + c->rank * BLOCK + i % BLOCK;
}

static int of_root(const struct checks *c, int round, int i)
{
	return round * 100000 + c->rank * BLOCK + i;
}

static int sum_below(const struct checks *c, int ranks, int round, int i)
{
	(void)c;
	return ranks * (round * 100000 + i) + 1000 * (ranks * (ranks - 1) / 2);
}

static int sum_of_all(const struct checks *c, int round, int i)
{
	return sum_below(c, c->size, round, i);
}

static int sum_up_to_me(const struct checks *c, int round, int i)
{
	return sum_below(c, c->rank + 1, round, i);
}

static int sum_before_me(const struct checks *c, int round, int i)
{
	return sum_below(c, c->rank, round, i);
}

static int my_part_of_the_sum(const struct checks *c, int round, int i)
{
	return sum_below(c, c->size, round, c->rank * BLOCK + i);
}

/* In a ring: of the rank before, then of the rank behind. */
static int of_neighbors(const struct checks *c, int round, int i)
{
	int rank = (c->rank + (i < BLOCK ? c->size - 1 : 1)) % c->size;

	return round * 100000 + rank * 1000 + i % BLOCK;
}

/* The same, where each neighbour gets a part of its own: that before the rank has sent its second one to the rank. */
static int parts_of_neighbors(const struct checks *c, int round, int i)
{
	int rank = (c->rank + (i < BLOCK ? c->size - 1 : 1)) % c->size;

	return round * 100000 + rank * 1000 + (i < BLOCK ? BLOCK : 0) + i % BLOCK;
}

static void roots(struct checks *c, struct arrays *a)
{
	MPI_Comm world = MPI_COMM_WORLD;
	MPI_Info none = MPI_INFO_NULL;
	MPI_Request request;
	int all = c->size * BLOCK, root = c->rank == 0;

	MPI_Gather_init(a->from, BLOCK, MPI_INT, a->to, BLOCK, MPI_INT, 0, world, none, &request);
	run(c, a, request, root ? all : 0, of_all);
	MPI_Gatherv_init(a->from, BLOCK, MPI_INT, a->to, a->counts, a->places, MPI_INT, 0, world, none, &request);
	run(c, a, request, root ? all : 0, of_all);
	MPI_Scatter_init(a->from, BLOCK, MPI_INT, a->to, BLOCK, MPI_INT, 0, world, none, &request);
	run(c, a, request, BLOCK, of_root);
	MPI_Scatterv_init(a->from, a->counts, a->places, MPI_INT, a->to, BLOCK, MPI_INT, 0, world, none, &request);
	run(c, a, request, BLOCK, of_root);
	MPI_Reduce_init(a->from, a->to, BLOCK, MPI_INT, MPI_SUM, 0, world, none, &request);
	run(c, a, request, root ? BLOCK : 0, sum_of_all);
}

static void all_to_all(struct checks *c, struct arrays *a)
{
	MPI_Comm world = MPI_COMM_WORLD;
	MPI_Info none = MPI_INFO_NULL;
	MPI_Request request;
	int all = c->size * BLOCK;

	MPI_Allgather_init(a->from, BLOCK, MPI_INT, a->to, BLOCK, MPI_INT, world, none, &request);
	run(c, a, request, all, of_all);
	MPI_Allgatherv_init(a->from, BLOCK, MPI_INT, a->to, a->counts, a->places, MPI_INT, world, none, &request);
	run(c, a, request, all, of_all);
	MPI_Alltoall_init(a->from, BLOCK, MPI_INT, a->to, BLOCK, MPI_INT, world, none, &request);
	run(c, a, request, all, of_all_to_me);
	MPI_Alltoallv_init(a->from, a->counts, a->places, MPI_INT, a->to, a->counts, a->places, MPI_INT, world, none,
			   &request);
	run(c, a, request, all, of_all_to_me);
	for (int i = 0; i < c->size; i++)
		a->places[i] *= (int)sizeof(int);
	MPI_Alltoallw_init(a->from, a->counts, a->places, a->types, a->to, a->counts, a->places, a->types, world, none,
			   &request);
	run(c, a, request, all, of_all_to_me);
	for (int i = 0; i < c->size; i++)
		a->places[i] /= (int)sizeof(int);
}

static void reductions(struct checks *c, struct arrays *a)
{
	MPI_Comm world = MPI_COMM_WORLD;
	MPI_Info none = MPI_INFO_NULL;
	MPI_Request request;

	MPI_Allreduce_init(a->from, a->to, BLOCK, MPI_INT, MPI_SUM, world, none, &request);
	run(c, a, request, BLOCK, sum_of_all);
	MPI_Scan_init(a->from, a->to, BLOCK, MPI_INT, MPI_SUM, world, none, &request);
	run(c, a, request, BLOCK, sum_up_to_me);
	MPI_Exscan_init(a->from, a->to, BLOCK, MPI_INT, MPI_SUM, world, none, &request);
	run(c, a, request, c->rank ? BLOCK : 0, sum_before_me);
	MPI_Reduce_scatter_init(a->from, a->to, a->counts, MPI_INT, MPI_SUM, world, none, &request);
	run(c, a, request, BLOCK, my_part_of_the_sum);
	MPI_Reduce_scatter_block_init(a->from, a->to, BLOCK, MPI_INT, MPI_SUM, world, none, &request);
	run(c, a, request, BLOCK, my_part_of_the_sum);
}

static void neighbors(struct checks *c, struct arrays *a)
{
	int dims[1] = {c->size}, periods[1] = {1};
	MPI_Info none = MPI_INFO_NULL;
	MPI_Request request;
	MPI_Comm ring;

	MPI_Cart_create(MPI_COMM_WORLD, 1, dims, periods, 0, &ring);
	MPI_Neighbor_allgather_init(a->from, BLOCK, MPI_INT, a->to, BLOCK, MPI_INT, ring, none, &request);
	run(c, a, request, 2 * BLOCK, of_neighbors);
	MPI_Neighbor_allgatherv_init(a->from, BLOCK, MPI_INT, a->to, a->counts, a->places, MPI_INT, ring, none,
				     &request);
	run(c, a, request, 2 * BLOCK, of_neighbors);
	MPI_Neighbor_alltoall_init(a->from, BLOCK, MPI_INT, a->to, BLOCK, MPI_INT, ring, none, &request);
	run(c, a, request, 2 * BLOCK, parts_of_neighbors);
	MPI_Neighbor_alltoallv_init(a->from, a->counts, a->places, MPI_INT, a->to, a->counts, a->places, MPI_INT, ring,
				    none, &request);
	run(c, a, request, 2 * BLOCK, parts_of_neighbors);
	MPI_Neighbor_alltoallw_init(a->from, a->counts, a->bytes, a->types, a->to, a->counts, a->bytes, a->types, ring,
				    none, &request);
	run(c, a, request, 2 * BLOCK, parts_of_neighbors);
	MPI_Comm_free(&ring);
}

/* Two operations that are started together, and one that blocks in between. */
static void together(struct checks *c)
{
	int value = -1, sum = 0, own = c->rank;
	MPI_Request both[2];

	MPI_Bcast_init(&value, 1, MPI_INT, 1, MPI_COMM_WORLD, MPI_INFO_NULL, &both[0]);
	MPI_Barrier_init(MPI_COMM_WORLD, MPI_INFO_NULL, &both[1]);
	for (int round = 0; round < ROUNDS; round++) {
		value = c->rank == 1 ? 7 + round : -1;
		MPI_Startall(2, both);
		MPI_Allreduce(&own, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
		MPI_Waitall(2, both, MPI_STATUSES_IGNORE);
		CHECK(c, value == 7 + round && sum == c->size * (c->size - 1) / 2);
	}
	MPI_Request_free(&both[0]);
	MPI_Request_free(&both[1]);
}

/* A ring of short and of long messages. */
static void pairs(struct checks *c)
{
	int next = (c->rank + 1) % c->size, before = (c->rank + c->size - 1) % c->size;
	int lengths[] = {1, LONG}, *out = malloc(LONG * sizeof(int)), *in = malloc(LONG * sizeof(int));

	for (int k = 0; k < 2; k++) {
		MPI_Request request;
		MPI_Status status;
		int count = 0;

		for (int i = 0; i < lengths[k]; i++)
			out[i] = c->rank + i;
		MPI_Isendrecv(out, lengths[k], MPI_INT, next, 5, in, LONG, MPI_INT, before, 5, MPI_COMM_WORLD,
			      &request);
		MPI_Wait(&request, &status);
		MPI_Get_count(&status, MPI_INT, &count);
		CHECK(c, status.MPI_SOURCE == before && status.MPI_TAG == 5 && count == lengths[k]);
		CHECK(c, in[0] == before && in[lengths[k] - 1] == before + lengths[k] - 1);
		MPI_Isendrecv_replace(out, lengths[k], MPI_INT, next, 6, before, 6, MPI_COMM_WORLD, &request);
		MPI_Wait(&request, &status);
		CHECK(c, out[0] == before && out[lengths[k] - 1] == before + lengths[k] - 1);
	}
	MPI_Barrier(MPI_COMM_WORLD);
	free(out);
	free(in);
}

/* Sends that nobody receives, short and long, are cancelled; a later one with the same tag is not. */
static void cancelled(struct checks *c)
{
	int lengths[] = {1, LONG}, *data = calloc(LONG, sizeof(int)), value = 3, flag = 0;

	for (int k = 0; k < 2; k++) {
		MPI_Request request;
		MPI_Status status;

		if (c->rank == 0) {
			MPI_Issend(data, lengths[k], MPI_INT, 1, 8, MPI_COMM_WORLD, &request);
			MPI_Cancel(&request);
			MPI_Wait(&request, &status);
			MPI_Test_cancelled(&status, &flag);
			CHECK(c, flag);
			value = 40 + k;
			MPI_Send(&value, 1, MPI_INT, 1, 9, MPI_COMM_WORLD);
			MPI_Send(&value, 1, MPI_INT, 1, 8, MPI_COMM_WORLD);
		} else if (c->rank == 1) {
			MPI_Recv(&value, 1, MPI_INT, 0, 9, MPI_COMM_WORLD, &status);
			value = 0;
			MPI_Recv(&value, 1, MPI_INT, 0, 8, MPI_COMM_WORLD, &status);
			MPI_Get_count(&status, MPI_INT, &flag);
			CHECK(c, value == 40 + k && flag == 1);
		}
		MPI_Barrier(MPI_COMM_WORLD);
	}
	free(data);
}

/* A broadcast of LONG integers: the root has every second of its array, others have them in a row, or in pairs. */
static void other_types(struct checks *c)
{
	int *data = calloc(2 * LONG, sizeof(int)), bad = 0, mine = c->rank % 3;
	MPI_Datatype second, pair;

	MPI_Type_vector(LONG / 4, 1, 2, MPI_INT, &second);
	MPI_Type_create_resized(second, 0, LONG / 2 * (MPI_Aint)sizeof(int), &second);
	MPI_Type_commit(&second);
	MPI_Type_contiguous(2, MPI_INT, &pair);
	MPI_Type_commit(&pair);
	for (int i = 0; c->rank == 0 && i < LONG; i++)
		data[2 * i] = i;
	if (mine == 0)
		MPI_Bcast(data, 4, second, 0, MPI_COMM_WORLD);
	else
		MPI_Bcast(data, mine == 1 ? LONG : LONG / 2, mine == 1 ? MPI_INT : pair, 0, MPI_COMM_WORLD);
	for (int i = 0; i < LONG; i++)
		bad += data[mine == 0 ? 2 * i : i] != i;
	CHECK(c, bad == 0);
	MPI_Type_free(&second);
	MPI_Type_free(&pair);
	free(data);
}

/* The value of a key, cut to the room that is there; the room that it needs comes back, with its end. */
static void info_strings(struct checks *c)
{
	MPI_Info info;
	char value[16] = "as before";
	int room = 4, flag = 0;

	MPI_Info_create(&info);
	MPI_Info_set(info, "key", "abcdefg");
	MPI_Info_get_string(info, "key", &room, value, &flag);
	CHECK(c, flag && room == 8 && strcmp(value, "abc") == 0);
	MPI_Info_get_string(info, "key", &room, value, &flag);
	CHECK(c, flag && room == 8 && strcmp(value, "abcdefg") == 0);
	room = 0;
	MPI_Info_get_string(info, "key", &room, value, &flag);
	CHECK(c, flag && room == 8 && strcmp(value, "abcdefg") == 0);
	room = 5;
	MPI_Info_get_string(info, "other", &room, value, &flag);
	CHECK(c, !flag && room == 5);
	MPI_Info_free(&info);
}

int main(int argc, char **argv)
{
	struct checks c;
	struct arrays a;

	checks_begin(&c, &argc, &argv);
	a = arrays_of(c.size);
	roots(&c, &a);
	all_to_all(&c, &a);
	reductions(&c, &a);
	neighbors(&c, &a);
	together(&c);
	pairs(&c);
	cancelled(&c);
	other_types(&c);
	info_strings(&c);
	free_arrays(&a);
	return checks_end(&c, "persistent");
}
