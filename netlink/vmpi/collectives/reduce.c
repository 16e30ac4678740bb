/*
 * Reductions at root. Binomial: the tree of bcast.c, upwards. Ordered: in rank order, for operations that do not
 * commute.
 */
#include "algorithms.h"

static int binomial_reduce(struct collective *c)
{
	int relative = (c->rank - c->root + c->size) % c->size;
	const void *like = c->send ? c->send : c->recv;
	void *sum = c->rank == c->root ? c->recv : collective_buffer(c, like, c->recv_count, c->recv_type);
	void *other = collective_buffer(c, like, c->recv_count, c->recv_type);

	if (c->send != VMPI_IN_PLACE)
		collective_copy(c, c->send, c->recv_count, c->recv_type, sum, c->recv_count, c->recv_type);
	for (int mask = 1; mask < c->size; mask *= 2) {
		if (relative & mask) {
			collective_send(c, sum, c->recv_count, c->recv_type, (c->rank - mask + c->size) % c->size);
			break;
		}
		if (relative + mask >= c->size)
			continue;
		collective_recv(c, other, c->recv_count, c->recv_type, (c->rank + mask) % c->size);
		collective_combine(c, other, sum, c->recv_count);
	}
	if (c->rank != c->root)
		collective_free(c, sum, c->recv_type);
	collective_free(c, other, c->recv_type);
	return VMPI_SUCCESS;
}

/* Reduces from the last rank to the first: sum = x[i] op sum. */
static int ordered(struct collective *c)
{
	const void *own = c->send == VMPI_IN_PLACE ? c->recv : c->send;
	void *sum, *other;

	if (c->rank != c->root) {
		collective_send(c, own, c->recv_count, c->recv_type, c->root);
		return VMPI_SUCCESS;
	}
	sum = collective_buffer(c, own, c->recv_count, c->recv_type);
	other = collective_buffer(c, own, c->recv_count, c->recv_type);
	for (int i = c->size - 1; i >= 0; i--) {
		void *to = i == c->size - 1 ? sum : other;

		if (i == c->rank)
			collective_copy(c, own, c->recv_count, c->recv_type, to, c->recv_count, c->recv_type);
		else
			collective_recv(c, to, c->recv_count, c->recv_type, i);
		if (to == other)
			collective_combine(c, other, sum, c->recv_count);
	}
	collective_copy(c, sum, c->recv_count, c->recv_type, c->recv, c->recv_count, c->recv_type);
	collective_free(c, sum, c->recv_type);
	collective_free(c, other, c->recv_type);
	return VMPI_SUCCESS;
}

static int64_t reduce_cost_binomial(const struct collective *c)
{
	return cost_tree(c, c->bytes) + cost_rounds(c) * cost_combine(c, c->bytes);
}

static int64_t cost_ordered(const struct collective *c)
{
	return (c->size - 1) * (cost_hop(c, 1, c->bytes) + c->v->overhead + cost_combine(c, c->bytes));
}

const struct collective_algorithm reduce_binomial = {
	COLLECTIVE_REDUCE, "binomial",           "binomial tree; commutative operations",
	binomial_reduce,   reduce_cost_binomial, operation_commutes,
};
const struct collective_algorithm reduce_ordered = {
	COLLECTIVE_REDUCE, "ordered",    "the root combines the data of all ranks in rank order",
	ordered,           cost_ordered, NULL,
};
