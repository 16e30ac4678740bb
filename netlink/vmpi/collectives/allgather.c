/*
 * Allgather. Ring: in round k each rank forwards the part that it received in round k - 1. Recursive doubling and
 * Bruck's algorithm: R. Thakur, R. Rabenseifner, W. Gropp, IJHPCA 19(1), 2005, 4.1.
 */

#include "algorithms.h"

static void allgather_own_part(struct collective *c)
{
	int64_t at;
	int count = collective_recv_part(c, c->rank, &at);

	if (c->send == VMPI_IN_PLACE)
		return;
	collective_copied(c, 1, count * type_find(&c->v->types, c->recv_type)->size);
	collective_copy(c, c->send, c->send_count, c->send_type, collective_at(c, c->recv, at, c->recv_type), count,
			c->recv_type);
}

static int ring_allgather(struct collective *c)
{
	int to = (c->rank + 1) % c->size, from = (c->rank - 1 + c->size) % c->size;

	allgather_own_part(c);
	for (int round = 0; round < c->size - 1; round++) {
		int sends = (c->rank - round + c->size) % c->size, receives = (sends - 1 + c->size) % c->size;
		int64_t send_at, recv_at;
		int send_count = collective_recv_part(c, sends, &send_at);
		int recv_count = collective_recv_part(c, receives, &recv_at);

		collective_sendrecv(c, collective_at(c, c->recv, send_at, c->recv_type), send_count, c->recv_type, to,
				    collective_at(c, c->recv, recv_at, c->recv_type), recv_count, c->recv_type, from);
	}
	return VMPI_SUCCESS;
}

static int64_t allgather_cost_of_ring(const struct collective *c)
{
	return cost_ring(c, cost_total(c) / c->size);
}

static int64_t allgather_cost_doubled(const struct collective *c)
{
	return cost_doubling(c, c->bytes);
}

static int64_t allgather_cost_of_bruck(const struct collective *c)
{
	return cost_bruck(c, c->bytes) + cost_copies(c, 1, c->bytes) + cost_copies(c, 2, c->size * c->bytes);
}

static int64_t cost_neighbor_exchange(const struct collective *c)
{
	return cost_exchange(c, 1, c->bytes) + (c->size / 2 - 1) * cost_exchange(c, 1, 2 * c->bytes);
}

/* Posts all sends and receives at once, beginning with rank + 1. */
static int spread_allgather(struct collective *c)
{
	VMPI_Request *requests = scratch_take(c->v, (size_t)c->size * 2, sizeof(*requests));
	int64_t own_at, at;
	int own = collective_recv_part(c, c->rank, &own_at), n = 0;

	allgather_own_part(c);
	for (int k = 1; k < c->size; k++) {
		int from = (c->rank - k + c->size) % c->size, count = collective_recv_part(c, from, &at);

		requests[n++] =
			collective_irecv(c, collective_at(c, c->recv, at, c->recv_type), count, c->recv_type, from);
		requests[n++] = collective_isend(c, collective_at(c, c->recv, own_at, c->recv_type), own, c->recv_type,
						 (c->rank + k) % c->size);
	}
	collective_wait(c, requests, n);
	scratch_give(c->v, requests);
	return VMPI_SUCCESS;
}

static int64_t allgather_cost_begun(const struct collective *c)
{
	return cost_spread(c, cost_total(c) / c->size);
}

const struct collective_algorithm allgather_spread = {
	COLLECTIVE_ALLGATHER, "spread", "all sends and receives start at once, rank + 1 first", spread_allgather,
	allgather_cost_begun, NULL,
};
const struct collective_algorithm allgatherv_spread = {
	COLLECTIVE_ALLGATHERV, "spread", "all sends and receives start at once, rank + 1 first", spread_allgather,
	allgather_cost_begun,  NULL,
};
const struct collective_algorithm allgather_ring = {
	COLLECTIVE_ALLGATHER,
	"ring",
	"ranks - 1 rounds: each rank forwards the part received last to its neighbour",
	ring_allgather,
	allgather_cost_of_ring,
	NULL,
};
const struct collective_algorithm allgatherv_ring = {
	COLLECTIVE_ALLGATHERV,
	"ring",
	"ranks - 1 rounds: each rank forwards the part received last to its neighbour",
	ring_allgather,
	allgather_cost_of_ring,
	NULL,
};

/*
 * Pairs of neighbours exchange their parts, then each rank exchanges two parts at a time with either neighbour in
 * turn: J. Chen et al., "Performance evaluation of allgather algorithms on terascale Linux cluster with fast
 * ethernet", HPC Asia 2005.
 */
static int neighbor_exchange(struct collective *c)
{
	int pairs = c->size / 2, pair = c->rank / 2, odd = c->rank % 2, have = pair;
	int64_t part = c->recv_count;
	int beside = c->rank ^ 1;

	allgather_own_part(c);
	collective_sendrecv(c, collective_at(c, c->recv, c->rank * part, c->recv_type), (int)part, c->recv_type, beside,
			    collective_at(c, c->recv, beside * part, c->recv_type), (int)part, c->recv_type, beside);
	for (int round = 1; round < pairs; round++) {
		int inner = round % 2 == 0, far = inner ? round / 2 : -(round + 1) / 2;
		int peer = inner ? beside : (c->rank + (odd ? 1 : -1) + c->size) % c->size;
		int came = (pair + (odd ? -far : far) + 2 * pairs) % pairs;

		collective_sendrecv(c, collective_at(c, c->recv, 2 * have * part, c->recv_type), (int)(2 * part),
				    c->recv_type, peer, collective_at(c, c->recv, 2 * came * part, c->recv_type),
				    (int)(2 * part), c->recv_type, peer);
		have = came;
	}
	return VMPI_SUCCESS;
}

static bool is_even(const struct collective *c)
{
	return c->size % 2 == 0;
}

const struct collective_algorithm allgather_neighbor_exchange = {
	COLLECTIVE_ALLGATHER,
	"neighbor_exchange",
	"ranks / 2 rounds: exchanges of two parts with either neighbour in turn; even numbers of ranks",
	neighbor_exchange,
	cost_neighbor_exchange,
	is_even,
};

static int recursive_doubling_allgather(struct collective *c)
{
	allgather_own_part(c);
	for (int mask = 1; mask < c->size; mask *= 2) {
		int peer = c->rank ^ mask, sends = c->rank & ~(mask - 1), receives = peer & ~(mask - 1);
		int count = mask * c->recv_count;

		collective_sendrecv(c, collective_at(c, c->recv, (int64_t)sends * c->recv_count, c->recv_type), count,
				    c->recv_type, peer,
				    collective_at(c, c->recv, (int64_t)receives * c->recv_count, c->recv_type), count,
				    c->recv_type, peer);
	}
	return VMPI_SUCCESS;
}

/*
 * Parts are kept in rank order beginning with the rank's own. Round k receives as many parts from rank + 2^k as are
 * present. In the end they are copied to their places in two pieces, as by MPICH (src/mpi/coll/allgather/
 * allgather_intra_brucks.c).
 */
static int bruck(struct collective *c)
{
	int64_t part = c->recv_count, bytes = part * type_find(&c->v->types, c->recv_type)->size;
	const void *own = c->send == VMPI_IN_PLACE ? collective_at(c, c->recv, c->rank * part, c->recv_type) : c->send;
	void *all = collective_buffer(c, c->recv, c->size * part, c->recv_type);

	collective_copied(c, 1, bytes);
	if (c->send == VMPI_IN_PLACE)
		collective_copy(c, own, c->recv_count, c->recv_type, all, c->recv_count, c->recv_type);
	else
		collective_copy(c, own, c->send_count, c->send_type, all, c->recv_count, c->recv_type);
	for (int have = 1; have < c->size; have *= 2) {
		int more = have < c->size - have ? have : c->size - have;

		collective_sendrecv(c, all, (int)(more * part), c->recv_type, (c->rank - have + c->size) % c->size,
				    collective_at(c, all, have * part, c->recv_type), (int)(more * part), c->recv_type,
				    (c->rank + have) % c->size);
	}
	collective_copied(c, 2, c->size * bytes);
	for (int i = 0; all && i < c->size; i++)
		collective_copy(c, collective_at(c, all, i * part, c->recv_type), c->recv_count, c->recv_type,
				collective_at(c, c->recv, (c->rank + i) % c->size * part, c->recv_type), c->recv_count,
				c->recv_type);
	collective_free(c, all, c->recv_type);
	return VMPI_SUCCESS;
}

const struct collective_algorithm allgather_recursive_doubling = {
	COLLECTIVE_ALLGATHER,         "recursive_doubling",   "log2(ranks) exchanges of doubling size; powers of two",
	recursive_doubling_allgather, allgather_cost_doubled, ranks_power_of_two,
};
const struct collective_algorithm allgather_bruck = {
	COLLECTIVE_ALLGATHER,    "bruck", "log2(ranks) rounds, any number of ranks; for short parts", bruck,
	allgather_cost_of_bruck, NULL,
};
