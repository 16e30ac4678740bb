/*
 * Reductions whose result is scattered over the ranks: by a reduction at rank 0 and a scatter, or pairwise: R.
 * Thakur, R. Rabenseifner, W. Gropp, IJHPCA 19(1), 2005, 4.6.
 */
#include "algorithms.h"
#include "reduction_blocks.h"

/* Arguments: send_type is recv_type; send_counts and send_displs describe the parts. */
static int reduce_scatterv(struct collective *c)
{
	struct collective part = *c;
	int64_t at, total = 0;
	int own = collective_send_part(c, c->rank, &at);
	const void *from = c->send == VMPI_IN_PLACE ? c->recv : c->send;
	void *whole;

	for (int i = 0; i < c->size; i++)
		total += collective_send_part(c, i, &at);
	whole = collective_buffer(c, from, total, c->recv_type);
	part.root = 0;
	part.send = from;
	part.recv = whole;
	part.recv_count = (int)total;
	part.recv_counts = NULL;
	part.bytes = total * type_find(&c->v->types, c->recv_type)->size;
	part.send_counts = NULL;
	collective_run(COLLECTIVE_REDUCE, &part);
	part.send_counts = c->send_counts;
	part.bytes = c->bytes;
	part.send = whole;
	part.recv = c->recv;
	part.recv_count = own;
	collective_run(COLLECTIVE_SCATTER, &part);
	collective_free(c, whole, c->recv_type);
	return VMPI_SUCCESS;
}

static int64_t cost_reduce_scatterv(const struct collective *c)
{
	int64_t total = cost_total(c);

	return cost_tree(c, total) + cost_linear(c, total / c->size) + cost_rounds(c) * cost_combine(c, total);
}

const struct collective_algorithm reduce_scatter_reduce_scatterv = {
	COLLECTIVE_REDUCE_SCATTER, "reduce_scatterv",    "reduce to rank 0, then scatter",
	reduce_scatterv,           cost_reduce_scatterv, NULL,
};

/* In round k each rank sends the part of rank + k to it, and combines its own part with the data of rank - k. */
static int pairwise_reduce_scatter(struct collective *c)
{
	const void *from = c->send == VMPI_IN_PLACE ? c->recv : c->send;
	int64_t own_at, at;
	int own = collective_send_part(c, c->rank, &own_at);
	void *sum = collective_buffer(c, from, own, c->recv_type),
	     *other = collective_buffer(c, from, own, c->recv_type);

	collective_copy(c, collective_at(c, from, own_at, c->recv_type), own, c->recv_type, sum, own, c->recv_type);
	for (int k = 1; k < c->size; k++) {
		int to = (c->rank + k) % c->size, count = collective_send_part(c, to, &at);

		collective_sendrecv(c, collective_at(c, from, at, c->recv_type), count, c->recv_type, to, other, own,
				    c->recv_type, (c->rank - k + c->size) % c->size);
		collective_combine(c, other, sum, own);
	}
	collective_copy(c, sum, own, c->recv_type, c->recv, own, c->recv_type);
	collective_free(c, sum, c->recv_type);
	collective_free(c, other, c->recv_type);
	return VMPI_SUCCESS;
}

static int64_t reduce_scatter_cost_in_pairs(const struct collective *c)
{
	return cost_pairwise(c, cost_total(c) / c->size) + cost_combine(c, cost_total(c));
}

const struct collective_algorithm reduce_scatter_pairwise = {
	COLLECTIVE_REDUCE_SCATTER,
	"pairwise",
	"ranks - 1 rounds: in round k the part of rank + k is sent to it",
	pairwise_reduce_scatter,
	reduce_scatter_cost_in_pairs,
	operation_commutes,
};

/* ---- in parts ---- */

/* Copies all of the rank's data to a buffer that the reduction overwrites. */
static void reduce_scatter_begin(struct collective *c, struct parts *p)
{
	const void *from = c->send == VMPI_IN_PLACE ? c->recv : c->send;
	int64_t total;
	void *all;

	*p = (struct parts){.c = c, .ranks = c->size, .own_parts = true};
	total = parts_at_rank(p, c->size);
	all = collective_buffer(c, from, total, c->recv_type);
	collective_copy(c, from, (int)total, c->recv_type, all, (int)total, c->recv_type);
	parts_begin(p, c, all, from, total, 0);
	p->own_parts = true;
}

static int reduce_scatter_end(struct collective *c, struct parts *p, bool has_own)
{
	int64_t at;
	int own = collective_send_part(c, c->rank, &at);

	if (has_own)
		collective_copy(c, collective_at(c, p->data, at, c->recv_type), own, c->recv_type, c->recv, own,
				c->recv_type);
	collective_free(c, p->data, c->recv_type);
	parts_end(p);
	return VMPI_SUCCESS;
}

/* The first of two folded ranks ends with both parts, and sends the second its own. */
static int recursive_halving(struct collective *c)
{
	struct parts p;
	int number;
	int64_t at;

	reduce_scatter_begin(c, &p);
	number = parts_number(&p);
	parts_fold(&p, (int)parts_at_rank(&p, c->size));
	if (number < 0) {
		parts_unfold(&p, c->recv, collective_send_part(c, c->rank, &at));
		return reduce_scatter_end(c, &p, false);
	}
	parts_halve(&p, number);
	if (number < p.rest) {
		int count = collective_send_part(c, c->rank + 1, &at);

		parts_unfold(&p, collective_at(c, p.data, at, c->recv_type), count);
	}
	return reduce_scatter_end(c, &p, true);
}

static int ring_reduce_scatter(struct collective *c)
{
	struct parts p;

	reduce_scatter_begin(c, &p);
	parts_ring(&p);
	return reduce_scatter_end(c, &p, true);
}

static int64_t cost_recursive_halving(const struct collective *c)
{
	int64_t total = cost_total(c);

	return cost_fold_halving(c, total) + cost_unfold(c, total / c->size) + cost_combine(c, total);
}

static int64_t reduce_scatter_cost_of_ring(const struct collective *c)
{
	return cost_ring(c, cost_total(c) / c->size);
}

const struct collective_algorithm reduce_scatter_recursive_halving = {
	COLLECTIVE_REDUCE_SCATTER, "recursive_halving",    "log2(ranks) exchanges of halves",
	recursive_halving,         cost_recursive_halving, operation_commutes,
};
const struct collective_algorithm reduce_scatter_ring = {
	COLLECTIVE_REDUCE_SCATTER,
	"ring",
	"ranks - 1 rounds: each part moves from neighbour to neighbour",
	ring_reduce_scatter,
	reduce_scatter_cost_of_ring,
	operation_commutes,
};
