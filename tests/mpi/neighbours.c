/*
 * Neighbours that are one rank: grids that are periodic with 1 or 2 ranks in a dimension, and graphs with repeated
 * edges. In a grid a block arrives as Sendrecv with the ranks of Cart_shift delivers it (MPI 4.1, 8.6); in a graph the
 * messages between two ranks arrive in the order of the lists of edges.
 *
 * With the argument `blocking` only the blocking calls are compared: those of OpenMPI 4.1 follow the standard, and its
 * nonblocking ones do not. MPICH 4.0 delivers alltoallv, alltoallw and repeated edges the other way round.
 */
#include "check.h"

#if defined(MPI_SIMULATED) || MPI_VERSION >= 4
#define HAS_PERSISTENT 1
#else
#define HAS_PERSISTENT 0
#endif

enum { MOST = 8, ROOM = MOST * (MOST + 1) };
enum call { ALLGATHER, ALLGATHERV, ALLTOALL, ALLTOALLV, ALLTOALLW, CALLS };
enum form { BLOCKING, NONBLOCKING, PERSISTENT, FORMS = HAS_PERSISTENT ? 3 : 2 };
static const char *const names[] = {"allgather", "allgatherv", "alltoall", "alltoallv", "alltoallw"};
static const char *const forms[] = {"blocking", "nonblocking", "persistent"};

/* Blocks to and from neighbours. The lengths of v and w differ: block i that is sent has i + 1 numbers. */
struct blocks {
	MPI_Comm comm;
	int forms, in;
	int from[MOST];                         /* the place of the received block in the list of its sender */
	int send[ROOM], first[MOST], one[ROOM]; /* blocks; their first numbers alone; expected: the sender's numbers */
	int count[MOST], place[MOST], got_count[MOST], got_place[MOST];
	MPI_Aint bytes[MOST], got_bytes[MOST];
	MPI_Datatype types[MOST];
	int each[ROOM], all[ROOM]; /* expected of alltoall, of alltoallv */
};

static void prepare(struct blocks *b, int rank)
{
	for (int i = 0; i < MOST; i++) {
		b->count[i] = i + 1;
		b->place[i] = MOST * i;
		b->bytes[i] = MOST * i * (MPI_Aint)sizeof(int);
		b->got_count[i] = b->from[i] + 1;
		b->got_place[i] = MOST * i;
		b->got_bytes[i] = b->bytes[i];
		b->types[i] = MPI_INT;
		b->first[i] = 1000 * rank + 10 * i;
		for (int k = 0; k < MOST; k++)
			b->send[MOST * i + k] = 1000 * rank + 10 * i + k;
	}
	for (int i = 0; i < ROOM; i++)
		b->one[i] = b->each[i] = b->all[i] = -1;
}

static void begin(const struct blocks *b, enum call call, int *got, MPI_Request *r)
{
	const int *counts = b->got_count, *at = b->got_place;
	int ones[MOST];

	for (int i = 0; i < MOST; i++)
		ones[i] = 1;
	switch (call) {
	case ALLGATHER: MPI_Ineighbor_allgather(b->first, 1, MPI_INT, got, 1, MPI_INT, b->comm, r); break;
	case ALLGATHERV: MPI_Ineighbor_allgatherv(b->first, 1, MPI_INT, got, ones, at, MPI_INT, b->comm, r); break;
	case ALLTOALL: MPI_Ineighbor_alltoall(b->first, 1, MPI_INT, got, 1, MPI_INT, b->comm, r); break;
	case ALLTOALLV:
		MPI_Ineighbor_alltoallv(b->send, b->count, b->place, MPI_INT, got, counts, at, MPI_INT, b->comm, r);
		break;
	default:
		MPI_Ineighbor_alltoallw(b->send, b->count, b->bytes, b->types, got, counts, b->got_bytes, b->types,
					b->comm, r);
	}
	MPI_Wait(r, MPI_STATUS_IGNORE);
}

static void block(const struct blocks *b, enum call call, int *got)
{
	const int *counts = b->got_count, *at = b->got_place;
	int ones[MOST];

	for (int i = 0; i < MOST; i++)
		ones[i] = 1;
	switch (call) {
	case ALLGATHER: MPI_Neighbor_allgather(b->first, 1, MPI_INT, got, 1, MPI_INT, b->comm); break;
	case ALLGATHERV: MPI_Neighbor_allgatherv(b->first, 1, MPI_INT, got, ones, at, MPI_INT, b->comm); break;
	case ALLTOALL: MPI_Neighbor_alltoall(b->first, 1, MPI_INT, got, 1, MPI_INT, b->comm); break;
	case ALLTOALLV:
		MPI_Neighbor_alltoallv(b->send, b->count, b->place, MPI_INT, got, counts, at, MPI_INT, b->comm);
		break;
	default:
		MPI_Neighbor_alltoallw(b->send, b->count, b->bytes, b->types, got, counts, b->got_bytes, b->types,
				       b->comm);
	}
}

/* Starts the same operation twice. */
static void keep(const struct blocks *b, enum call call, int *got)
{
#if HAS_PERSISTENT
	const int *counts = b->got_count, *at = b->got_place;
	int ones[MOST];
	MPI_Info none = MPI_INFO_NULL;
	MPI_Request r;

	for (int i = 0; i < MOST; i++)
		ones[i] = 1;
	switch (call) {
	case ALLGATHER: MPI_Neighbor_allgather_init(b->first, 1, MPI_INT, got, 1, MPI_INT, b->comm, none, &r); break;
	case ALLGATHERV:
		MPI_Neighbor_allgatherv_init(b->first, 1, MPI_INT, got, ones, at, MPI_INT, b->comm, none, &r);
		break;
	case ALLTOALL: MPI_Neighbor_alltoall_init(b->first, 1, MPI_INT, got, 1, MPI_INT, b->comm, none, &r); break;
	case ALLTOALLV:
		MPI_Neighbor_alltoallv_init(b->send, b->count, b->place, MPI_INT, got, counts, at, MPI_INT, b->comm,
					    none, &r);
		break;
	default:
		MPI_Neighbor_alltoallw_init(b->send, b->count, b->bytes, b->types, got, counts, b->got_bytes, b->types,
					    b->comm, none, &r);
	}
	for (int i = 0; i < 2; i++) {
		MPI_Start(&r);
		MPI_Wait(&r, MPI_STATUS_IGNORE);
	}
	MPI_Request_free(&r);
#else
	(void)b;
	(void)call;
	(void)got;
#endif
}

/* All calls in the first `b->forms` forms. Allgathers send the first number of block 0. */
static void compare(struct checks *c, const struct blocks *b, const char *topology)
{
	for (int call = 0; call < CALLS; call++)
		for (int form = 0; form < b->forms; form++) {
			int got[ROOM], bad = 0;
			const int *packed = call == ALLGATHER ? b->one : b->each;

			for (int i = 0; i < ROOM; i++)
				got[i] = -1;
			if (form == BLOCKING) {
				block(b, (enum call)call, got);
			} else if (form == NONBLOCKING) {
				MPI_Request r;

				begin(b, (enum call)call, got, &r);
			} else {
				keep(b, (enum call)call, got);
			}
			for (int i = 0; i < ROOM; i++) {
				int spread = i % MOST == 0 && i / MOST < b->in ? b->one[i / MOST] : -1;
				int wanted = call == ALLGATHERV                      ? spread
					     : call == ALLGATHER || call == ALLTOALL ? packed[i]
										     : b->all[i];

				bad += got[i] != wanted;
			}
			if (bad) {
				fprintf(stderr, "%s: %s %s: rank %d: %d numbers differ\n", topology, forms[form],
					names[call], c->rank, bad);
				c->bad++;
			}
		}
}

/* Sends block `sent` to `to`; the one of `from`, which has the same place there, becomes the received block `got`. */
static void shift(struct blocks *b, int sent, int to, int got, int from)
{
	MPI_Sendrecv(&b->first[0], 1, MPI_INT, to, 1, &b->one[got], 1, MPI_INT, from, 1, b->comm, MPI_STATUS_IGNORE);
	MPI_Sendrecv(&b->first[sent], 1, MPI_INT, to, 2, &b->each[got], 1, MPI_INT, from, 2, b->comm,
		     MPI_STATUS_IGNORE);
	MPI_Sendrecv(&b->send[MOST * sent], sent + 1, MPI_INT, to, 3, &b->all[MOST * got], sent + 1, MPI_INT, from, 3,
		     b->comm, MPI_STATUS_IGNORE);
}

/* A grid of the first ranks. */
static void grid(struct checks *c, int forms, int dimensions, const int *sizes, const int *periodic)
{
	struct blocks b = {.forms = forms};
	int ranks = 1, rank;
	char name[64];
	MPI_Comm some;

	for (int i = 0; i < dimensions; i++)
		ranks *= sizes[i];
	MPI_Comm_split(MPI_COMM_WORLD, c->rank < ranks ? 0 : MPI_UNDEFINED, 0, &some);
	if (some == MPI_COMM_NULL)
		return;
	MPI_Cart_create(some, dimensions, sizes, periodic, 0, &b.comm);
	MPI_Comm_rank(b.comm, &rank);
	b.in = 2 * dimensions;
	for (int i = 0; i < b.in; i++)
		b.from[i] = i ^ 1;
	prepare(&b, rank);
	for (int i = 0; i < dimensions; i++) {
		int before, after;

		MPI_Cart_shift(b.comm, i, 1, &before, &after);
		shift(&b, 2 * i, before, 2 * i + 1, after);
		shift(&b, 2 * i + 1, after, 2 * i, before);
	}
	snprintf(name, sizeof(name), "grid of %d dimensions, %d ranks, %d in the first", dimensions, ranks, sizes[0]);
	compare(c, &b, name);
	MPI_Comm_free(&b.comm);
	MPI_Comm_free(&some);
}

/* Two edges to the next rank, one to the rank itself, one more to the next rank; in a distributed graph of `ranks`. */
static void graph(struct checks *c, int forms, int ranks, int adjacent)
{
	struct blocks b = {.forms = forms};
	int rank = c->rank, next = (rank + 1) % ranks, before = (rank + ranks - 1) % ranks;
	int to[4] = {next, next, rank, next}, from[4] = {before, before, rank, before}, degree = 4;
	int in[4], in_weights[4], out[4], out_weights[4], weights[4] = {5, 6, 7, 8}, order[MOST] = {0};
	MPI_Comm some;

	MPI_Comm_split(MPI_COMM_WORLD, c->rank < ranks ? 0 : MPI_UNDEFINED, 0, &some);
	if (some == MPI_COMM_NULL)
		return;
	if (adjacent)
		MPI_Dist_graph_create_adjacent(some, 4, from, weights, 4, to, weights, MPI_INFO_NULL, 0, &b.comm);
	else
		MPI_Dist_graph_create(some, 1, &rank, &degree, to, weights, MPI_INFO_NULL, 0, &b.comm);
	MPI_Dist_graph_neighbors(b.comm, 4, in, in_weights, 4, out, out_weights);
	b.in = 4;
	/* the k-th edge from a rank in the list of its target is the k-th one to it in the list of the source */
	for (int i = 0; i < 4; i++) {
		int nth = 0, k = 0, theirs[4];

		for (int j = 0; j < i; j++)
			nth += in[j] == in[i];
		/* the list of every rank has the same form, moved by its number */
		for (int j = 0; j < 4; j++)
			theirs[j] = (out[j] - rank + in[i] + ranks) % ranks;
		while (k < 4 && (theirs[k] != rank || nth-- > 0))
			k++;
		order[i] = k;
		CHECK(c, k < 4 && (adjacent || in_weights[i] == out_weights[k]));
	}
	memcpy(b.from, order, sizeof(order));
	prepare(&b, rank);
	for (int i = 0; i < 4; i++) {
		b.one[i] = 1000 * in[i];
		b.each[i] = 1000 * in[i] + 10 * order[i];
		for (int k = 0; k <= order[i]; k++)
			b.all[MOST * i + k] = 1000 * in[i] + 10 * order[i] + k;
	}
	compare(c, &b, adjacent ? "adjacent graph" : "graph");
	MPI_Comm_free(&b.comm);
	MPI_Comm_free(&some);
}

int main(int argc, char **argv)
{
	static const int sizes[][3] = {{1, 1, 1}, {2, 1, 1}, {3, 1, 1}, {1, 2, 1}, {2, 2, 1},
				       {3, 2, 1}, {2, 3, 1}, {1, 1, 3}, {2, 1, 3}, {3, 1, 2}};
	int forms = argc > 1 && strcmp(argv[1], "blocking") == 0 ? BLOCKING + 1 : FORMS;
	struct checks c;

	checks_begin(&c, &argc, &argv);
	for (unsigned i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++)
		for (int periodic = 0; periodic < 8; periodic++) {
			int wraps[3] = {periodic & 1, periodic >> 1 & 1, periodic >> 2};

			for (int dimensions = 1; dimensions <= 3; dimensions++)
				grid(&c, forms, dimensions, sizes[i], wraps);
		}
	for (int ranks = 3; ranks <= 6; ranks++) {
		graph(&c, forms, ranks, 0);
		graph(&c, forms, ranks, 1);
	}
	return checks_end(&c, "neighbours");
}
