/*
 * Gather and scatter. Linear: root exchanges with each rank, also parts of different lengths. Binomial: up or down a
 * tree, for short parts of equal length.
 */

#include "algorithms.h"

static int gather_gather(struct collective *c)
{
	VMPI_Request *requests;
	int n = 0;

	if (c->rank != c->root) {
		collective_send(c, c->send, c->send_count, c->send_type, c->root);
		return VMPI_SUCCESS;
	}
	requests = scratch_take(c->v, (size_t)c->size, sizeof(*requests));
	for (int i = 0; i < c->size; i++) {
		int64_t at;
		int count = collective_recv_part(c, i, &at);
		void *to = collective_at(c, c->recv, at, c->recv_type);

		if (i != c->root)
			requests[n++] = collective_irecv(c, to, count, c->recv_type, i);
		else if (c->send != VMPI_IN_PLACE)
			collective_copy(c, c->send, c->send_count, c->send_type, to, count, c->recv_type);
	}
	collective_wait(c, requests, n);
	scratch_give(c->v, requests);
	return VMPI_SUCCESS;
}

static int gather_scatter(struct collective *c)
{
	VMPI_Request *requests;
	int n = 0;

	if (c->rank != c->root) {
		collective_recv(c, c->recv, c->recv_count, c->recv_type, c->root);
		return VMPI_SUCCESS;
	}
	requests = scratch_take(c->v, (size_t)c->size, sizeof(*requests));
	for (int i = 0; i < c->size; i++) {
		int64_t at;
		int count = collective_send_part(c, i, &at);
		const void *from = collective_at(c, c->send, at, c->send_type);

		if (i != c->root)
			requests[n++] = collective_isend(c, from, count, c->send_type, i);
		else if (c->recv != VMPI_IN_PLACE)
			collective_copy(c, from, count, c->send_type, c->recv, c->recv_count, c->recv_type);
	}
	collective_wait(c, requests, n);
	scratch_give(c->v, requests);
	return VMPI_SUCCESS;
}

static int64_t cost_at_once(const struct collective *c)
{
	return cost_to_one(c, c->bytes);
}

static int64_t cost_one_by_one(const struct collective *c)
{
	return cost_linear(c, c->bytes);
}

static int64_t gather_cost_binomial(const struct collective *c)
{
	return cost_tree_parts(c, (double)c->bytes);
}

const struct collective_algorithm gather_linear = {
	COLLECTIVE_GATHER, "linear", "each rank sends to the root", gather_gather, cost_at_once, NULL,
};
const struct collective_algorithm scatter_linear = {
	COLLECTIVE_SCATTER, "linear", "the root sends to each rank", gather_scatter, cost_one_by_one, NULL,
};

static bool one_length(const struct collective *c)
{
	return c->uniform;
}

/* Number of ranks in the subtree of the rank at `relative`, including it. */
static int gather_subtree(const struct collective *c, int relative)
{
	int mask = 1;

	while (mask < c->size && !(relative & mask))
		mask *= 2;
	return relative + mask < c->size ? mask : c->size - relative;
}

static int gather_tree(struct collective *c)
{
	int relative = (c->rank - c->root + c->size) % c->size, ranks = gather_subtree(c, relative), mask;
	bool root = c->rank == c->root;
	VMPI_Datatype type = root ? c->recv_type : c->send_type;
	int64_t part = root ? c->recv_count : c->send_count;
	void *all = collective_buffer(c, root ? c->recv : c->send, ranks * part, type);
	const void *own = c->send == VMPI_IN_PLACE ? collective_at(c, c->recv, c->rank * part, type) : c->send;

	collective_copy(c, own, c->send == VMPI_IN_PLACE ? c->recv_count : c->send_count,
			c->send == VMPI_IN_PLACE ? c->recv_type : c->send_type, all, (int)part, type);
	for (mask = 1; mask < c->size && !(relative & mask); mask *= 2) {
		int from = relative + mask;

		if (from < c->size)
			collective_recv(c, collective_at(c, all, mask * part, type),
					(int)(gather_subtree(c, from) * part), type, (c->rank + mask) % c->size);
	}
	if (!root)
		collective_send(c, all, (int)(ranks * part), type, (c->rank - mask + c->size) % c->size);
	for (int i = 0; root && i < c->size; i++)
		collective_copy(c, collective_at(c, all, i * part, type), (int)part, type,
				collective_at(c, c->recv, (c->root + i) % c->size * part, type), (int)part, type);
	collective_free(c, all, type);
	return VMPI_SUCCESS;
}

static int scatter_tree(struct collective *c)
{
	int relative = (c->rank - c->root + c->size) % c->size, ranks = gather_subtree(c, relative), mask = 1;
	bool root = c->rank == c->root;
	VMPI_Datatype type = root ? c->send_type : c->recv_type;
	int64_t part = root ? c->send_count : c->recv_count;
	void *all = collective_buffer(c, root ? c->send : c->recv, ranks * part, type);

	for (int i = 0; root && i < c->size; i++)
		collective_copy(c, collective_at(c, c->send, (c->root + i) % c->size * part, type), (int)part, type,
				collective_at(c, all, i * part, type), (int)part, type);
	while (mask < c->size && !(relative & mask))
		mask *= 2;
	if (!root)
		collective_recv(c, all, (int)(ranks * part), type, (c->rank - mask + c->size) % c->size);
	for (mask /= 2; mask; mask /= 2) {
		int to = relative + mask;

		if (to < c->size)
			collective_send(c, collective_at(c, all, mask * part, type),
					(int)(gather_subtree(c, to) * part), type, (c->rank + mask) % c->size);
	}
	if (c->recv != VMPI_IN_PLACE)
		collective_copy(c, all, (int)part, type, c->recv, c->recv_count, c->recv_type);
	collective_free(c, all, type);
	return VMPI_SUCCESS;
}

const struct collective_algorithm gather_binomial = {
	COLLECTIVE_GATHER, "binomial",           "up a binomial tree; for short parts",
	gather_tree,       gather_cost_binomial, one_length,
};
const struct collective_algorithm scatter_binomial = {
	COLLECTIVE_SCATTER, "binomial",           "down a binomial tree; for short parts",
	scatter_tree,       gather_cost_binomial, one_length,
};
