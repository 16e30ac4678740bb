/* Prefix reductions. Linear: each rank combines the result of rank - 1 with its own data and sends it to rank + 1. */
#include "algorithms.h"

static int linear(struct collective *c)
{
	const void *own = c->send == VMPI_IN_PLACE ? c->recv : c->send;
	void *sum = collective_buffer(c, own, c->recv_count, c->recv_type);
	void *before = collective_buffer(c, own, c->recv_count, c->recv_type);

	collective_copy(c, own, c->recv_count, c->recv_type, sum, c->recv_count, c->recv_type);
	if (c->rank > 0) {
		collective_recv(c, before, c->recv_count, c->recv_type, c->rank - 1);
		collective_combine(c, before, sum, c->recv_count);
	}
	if (c->rank + 1 < c->size)
		collective_send(c, sum, c->recv_count, c->recv_type, c->rank + 1);
	if (!c->exclusive || c->rank > 0)
		collective_copy(c, c->exclusive ? before : sum, c->recv_count, c->recv_type, c->recv, c->recv_count,
				c->recv_type);
	collective_free(c, sum, c->recv_type);
	collective_free(c, before, c->recv_type);
	return VMPI_SUCCESS;
}

static int64_t cost_in_order(const struct collective *c)
{
	return (c->size - 1) * cost_hop(c, 1, c->bytes);
}

const struct collective_algorithm scan_linear = {
	COLLECTIVE_SCAN, "linear", "chain from rank to rank", linear, cost_in_order, NULL,
};

/*
 * In round k rank and rank xor 2^k exchange the sums of their groups of 2^k; only data from lower ranks count for
 * the prefix.
 */
static int recursive_doubling_scan(struct collective *c)
{
	const void *own = c->send == VMPI_IN_PLACE ? c->recv : c->send;
	void *group = collective_buffer(c, own, c->recv_count, c->recv_type);
	void *other = collective_buffer(c, own, c->recv_count, c->recv_type);
	void *sum = collective_buffer(c, own, c->recv_count, c->recv_type);
	bool begun = !c->exclusive;

	collective_copy(c, own, c->recv_count, c->recv_type, group, c->recv_count, c->recv_type);
	collective_copy(c, own, c->recv_count, c->recv_type, sum, c->recv_count, c->recv_type);
	for (int mask = 1; mask < c->size; mask *= 2) {
		int peer = c->rank ^ mask;

		if (peer >= c->size)
			continue;
		collective_sendrecv(c, group, c->recv_count, c->recv_type, peer, other, c->recv_count, c->recv_type,
				    peer);
		if (peer > c->rank) { /* group = group op other, in rank order */
			collective_combine(c, group, other, c->recv_count);
			collective_copy(c, other, c->recv_count, c->recv_type, group, c->recv_count, c->recv_type);
			continue;
		}
		if (begun)
			collective_combine(c, other, sum, c->recv_count);
		else
			collective_copy(c, other, c->recv_count, c->recv_type, sum, c->recv_count, c->recv_type);
		begun = true;
		collective_combine(c, other, group, c->recv_count);
	}
	if (begun)
		collective_copy(c, sum, c->recv_count, c->recv_type, c->recv, c->recv_count, c->recv_type);
	collective_free(c, group, c->recv_type);
	collective_free(c, other, c->recv_type);
	collective_free(c, sum, c->recv_type);
	return VMPI_SUCCESS;
}

/* In each round a rank has a partner above or below; the last rank has one in every round. */
static int64_t scan_cost_doubled(const struct collective *c)
{
	int64_t time = 0;

	for (int k = 1; k < c->size; k *= 2)
		time += cost_exchange(c, k, c->bytes);
	return time;
}

const struct collective_algorithm scan_recursive_doubling = {
	COLLECTIVE_SCAN,         "recursive_doubling", "log2(ranks) exchanges",
	recursive_doubling_scan, scan_cost_doubled,    NULL,
};
