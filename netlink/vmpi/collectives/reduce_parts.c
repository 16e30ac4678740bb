/*
 * Reductions of long data at root: each rank reduces a part, and root gathers the parts. R. Rabenseifner, ICCS 2004;
 * R. Thakur, R. Rabenseifner, W. Gropp, IJHPCA 19(1), 2005, 4.5.
 */
#include "algorithms.h"
#include "reduction_blocks.h"

static bool reduce_parts_enough(const struct collective *c)
{
	return operation_commutes(c) && c->recv_count >= c->size;
}

/* Copies the rank's data to a buffer of its own; root uses its receive buffer. */
static void *reduce_parts_begin(struct collective *c, const void *like)
{
	void *sum = c->rank == c->root ? c->recv : collective_buffer(c, like, c->recv_count, c->recv_type);

	if (c->send != VMPI_IN_PLACE)
		collective_copy(c, c->send, c->recv_count, c->recv_type, sum, c->recv_count, c->recv_type);
	return sum;
}

static int reduce_parts_run(struct collective *c, void (*in_parts)(struct parts *p))
{
	const void *like = c->send ? c->send : c->recv;
	void *sum = reduce_parts_begin(c, like);
	struct parts p;

	parts_begin(&p, c, sum, like, c->recv_count, c->root);
	in_parts(&p);
	parts_end(&p);
	if (c->rank != c->root)
		collective_free(c, sum, c->recv_type);
	return VMPI_SUCCESS;
}

static void halve_and_gather(struct parts *p)
{
	int number = parts_number(p);

	parts_fold(p, p->c->recv_count);
	if (number < 0)
		return;
	parts_halve(p, number);
	parts_gather(p, number);
}

static void ring_and_gather(struct parts *p)
{
	parts_ring(p);
	parts_ring_gather(p);
}

static int reduce_parts_rabenseifner(struct collective *c)
{
	return reduce_parts_run(c, halve_and_gather);
}

static int reduce_parts_ring(struct collective *c)
{
	return reduce_parts_run(c, ring_and_gather);
}

static int64_t reduce_parts_cost_rabenseifner(const struct collective *c)
{
	return cost_fold_halving(c, c->bytes) + cost_tree_parts(c, (double)c->bytes / c->size) +
	       cost_combine(c, c->bytes);
}

static int64_t reduce_parts_cost_of_ring(const struct collective *c)
{
	return cost_ring(c, c->bytes / c->size) + cost_tree_parts(c, (double)c->bytes / c->size) +
	       cost_combine(c, c->bytes);
}

const struct collective_algorithm reduce_rabenseifner = {
	COLLECTIVE_REDUCE,
	"rabenseifner",
	"reduce-scatter by halving, then up a tree; for long data",
	reduce_parts_rabenseifner,
	reduce_parts_cost_rabenseifner,
	reduce_parts_enough,
};
const struct collective_algorithm reduce_ring = {
	COLLECTIVE_REDUCE,
	"ring",
	"reduce-scatter in a ring, then up a tree; for long data",
	reduce_parts_ring,
	reduce_parts_cost_of_ring,
	reduce_parts_enough,
};
