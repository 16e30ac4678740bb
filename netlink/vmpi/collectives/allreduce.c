/*
 * Reductions whose result all ranks receive. Recursive doubling: R. Thakur, R. Rabenseifner, W. Gropp, IJHPCA 19(1),
 * 2005, 4.5. Of the ranks beyond a power of two every second sends its data to its neighbour first and receives the
 * result last.
 */
#include "algorithms.h"
#include "reduction_blocks.h"

static void allreduce_exchange(struct collective *c, void *other, int peer)
{
	collective_sendrecv(c, c->recv, c->recv_count, c->recv_type, peer, other, c->recv_count, c->recv_type, peer);
	collective_combine(c, other, c->recv, c->recv_count);
}

static int recursive_doubling_allreduce(struct collective *c)
{
	int power = 1, rest, number;
	void *other = collective_buffer(c, c->recv, c->recv_count, c->recv_type);

	while (power * 2 <= c->size)
		power *= 2;
	rest = c->size - power;
	if (c->send != VMPI_IN_PLACE)
		collective_copy(c, c->send, c->recv_count, c->recv_type, c->recv, c->recv_count, c->recv_type);
	number = c->rank < 2 * rest ? c->rank / 2 : c->rank - rest;
	if (c->rank < 2 * rest && c->rank % 2) { /* its neighbour reduces on its behalf */
		collective_send(c, c->recv, c->recv_count, c->recv_type, c->rank - 1);
		collective_recv(c, c->recv, c->recv_count, c->recv_type, c->rank - 1);
		collective_free(c, other, c->recv_type);
		return VMPI_SUCCESS;
	}
	if (c->rank < 2 * rest) {
		collective_recv(c, other, c->recv_count, c->recv_type, c->rank + 1);
		collective_combine(c, other, c->recv, c->recv_count);
	}
	for (int mask = 1; mask < power; mask *= 2) {
		int peer = number ^ mask;

		allreduce_exchange(c, other, peer < rest ? peer * 2 : peer + rest);
	}
	if (c->rank < 2 * rest)
		collective_send(c, c->recv, c->recv_count, c->recv_type, c->rank + 1);
	collective_free(c, other, c->recv_type);
	return VMPI_SUCCESS;
}

static int reduce_bcast(struct collective *c)
{
	struct collective part = *c;

	part.root = 0;
	if (c->send == VMPI_IN_PLACE && c->rank != 0)
		part.send = c->recv;
	collective_run(COLLECTIVE_REDUCE, &part);
	return collective_run(COLLECTIVE_BCAST, &part);
}

static int64_t allreduce_cost_doubled(const struct collective *c)
{
	return cost_fold_same(c, c->bytes) + cost_unfold(c, c->bytes) + cost_rounds(c) * cost_combine(c, c->bytes);
}

static int64_t cost_reduce_bcast(const struct collective *c)
{
	return 2 * cost_tree(c, c->bytes) + cost_rounds(c) * cost_combine(c, c->bytes);
}

const struct collective_algorithm allreduce_recursive_doubling = {
	COLLECTIVE_ALLREDUCE,
	"recursive_doubling",
	"log2(ranks) exchanges of all data; commutative operations",
	recursive_doubling_allreduce,
	allreduce_cost_doubled,
	operation_commutes,
};
const struct collective_algorithm allreduce_reduce_bcast = {
	COLLECTIVE_ALLREDUCE, "reduce_bcast", "reduce to rank 0, then broadcast", reduce_bcast, cost_reduce_bcast, NULL,
};

/* ---- in parts: each rank reduces one part, then all ranks gather all parts ---- */

static void allreduce_begin(struct collective *c)
{
	if (c->send != VMPI_IN_PLACE)
		collective_copy(c, c->send, c->recv_count, c->recv_type, c->recv, c->recv_count, c->recv_type);
}

static int ring_allreduce(struct collective *c)
{
	struct parts p;

	allreduce_begin(c);
	parts_begin(&p, c, c->recv, c->recv, c->recv_count, 0);
	parts_ring(&p);
	parts_ring_all(&p);
	parts_end(&p);
	return VMPI_SUCCESS;
}

static int rabenseifner_allreduce(struct collective *c)
{
	struct parts p;
	int number;

	allreduce_begin(c);
	parts_begin(&p, c, c->recv, c->recv, c->recv_count, 0);
	number = parts_number(&p);
	parts_fold(&p, c->recv_count);
	if (number >= 0) {
		parts_halve(&p, number);
		parts_double(&p, number);
	}
	parts_unfold(&p, c->recv, c->recv_count);
	parts_end(&p);
	return VMPI_SUCCESS;
}

static bool allreduce_enough(const struct collective *c)
{
	return operation_commutes(c) && c->recv_count >= c->size;
}

static int64_t allreduce_cost_rabenseifner(const struct collective *c)
{
	return cost_fold_halving(c, c->bytes) + cost_halving(c, c->bytes) + cost_unfold(c, c->bytes) +
	       cost_combine(c, c->bytes);
}

static int64_t allreduce_cost_of_ring(const struct collective *c)
{
	return 2 * cost_ring(c, c->bytes / c->size) + cost_combine(c, c->bytes);
}

const struct collective_algorithm allreduce_rabenseifner = {
	COLLECTIVE_ALLREDUCE,
	"rabenseifner",
	"reduce-scatter by halving, allgather by doubling; for long data",
	rabenseifner_allreduce,
	allreduce_cost_rabenseifner,
	allreduce_enough,
};
const struct collective_algorithm allreduce_ring = {
	COLLECTIVE_ALLREDUCE,
	"ring",
	"ring: each part makes one round to be reduced, one to be distributed",
	ring_allreduce,
	allreduce_cost_of_ring,
	operation_commutes,
};
