/*
 * Barriers. Dissemination: D. Hensgen, R. Finkel, U. Manber, "Two algorithms for barrier synchronization", Int. J.
 * Parallel Programming 17(1), 1988: in round k each rank signals rank + 2^k.
 */
#include "algorithms.h"
#include "reduction_blocks.h"

static int dissemination(struct collective *c)
{
	for (int distance = 1; distance < c->size; distance *= 2) {
		int to = (c->rank + distance) % c->size, from = (c->rank - distance + c->size) % c->size;

		collective_sendrecv(c, NULL, 0, VMPI_BYTE, to, NULL, 0, VMPI_BYTE, from);
	}
	return VMPI_SUCCESS;
}

static int64_t cost_dissemination(const struct collective *c)
{
	int64_t time = 0;

	for (int k = 1; k < c->size; k *= 2)
		time += cost_shift(c, k, 0);
	return time;
}

/* Pairs exchange. Ranks beyond a power of two signal a neighbour first and are signalled last. */
static int recursive_doubling_barrier(struct collective *c)
{
	struct parts p;
	int number;

	c->recv_type = VMPI_BYTE;
	parts_begin(&p, c, NULL, NULL, 0, 0);
	number = parts_number(&p);
	parts_fold(&p, 0);
	for (int mask = 1; number >= 0 && mask < p.n; mask *= 2)
		parts_exchange(&p, number ^ mask);
	parts_unfold(&p, NULL, 0);
	parts_end(&p);
	return VMPI_SUCCESS;
}

static int64_t barrier_cost_doubled(const struct collective *c)
{
	return cost_fold_same(c, 0) + cost_unfold(c, 0);
}

const struct collective_algorithm barrier_recursive_doubling = {
	COLLECTIVE_BARRIER,         "recursive_doubling", "log2(ranks) pairwise exchanges",
	recursive_doubling_barrier, barrier_cost_doubled, NULL,
};
const struct collective_algorithm barrier_dissemination = {
	COLLECTIVE_BARRIER, "dissemination",    "log2(ranks) rounds: in round k each rank notifies rank + 2^k",
	dissemination,      cost_dissemination, NULL,
};

/* Signals go up and down a binomial tree. */
static int tree(struct collective *c)
{
	int mask = 1;

	for (; mask < c->size && !(c->rank & mask); mask *= 2)
		if (c->rank + mask < c->size)
			collective_recv(c, NULL, 0, VMPI_BYTE, c->rank + mask);
	if (c->rank) {
		collective_send(c, NULL, 0, VMPI_BYTE, c->rank - mask);
		collective_recv(c, NULL, 0, VMPI_BYTE, c->rank - mask);
	}
	for (mask /= 2; mask; mask /= 2)
		if (c->rank + mask < c->size)
			collective_send(c, NULL, 0, VMPI_BYTE, c->rank + mask);
	return VMPI_SUCCESS;
}

static int64_t cost_tree_barrier(const struct collective *c)
{
	return 2 * cost_tree(c, 0);
}

const struct collective_algorithm barrier_tree = {
	COLLECTIVE_BARRIER, "tree", "up and down a binomial tree", tree, cost_tree_barrier, NULL,
};
