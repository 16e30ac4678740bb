/* Broadcasts. Binomial tree: R. Thakur, R. Rabenseifner, W. Gropp, "Optimization of collective
 * communication operations in MPICH", IJHPCA 19(1), 2005, 4.2, whose thresholds for long messages
 * are those here; scatter and allgather: R. van de Geijn, "On global combine operations", JPDC
 * 22(2), 1994. */
#include <limits.h>

#include "algorithms.h"

static int binomial_bcast(struct collective *c)
{
	int relative = (c->rank - c->root + c->size) % c->size, mask = 1;

	for (; mask < c->size; mask *= 2)
		if (relative & mask) {
			collective_recv(c, c->recv, c->recv_count, c->recv_type, (c->rank - mask + c->size) % c->size);
			break;
		}
	for (mask /= 2; mask; mask /= 2)
		if (relative + mask < c->size)
			collective_send(c, c->recv, c->recv_count, c->recv_type, (c->rank + mask) % c->size);
	return VMPI_SUCCESS;
}

static int64_t bcast_cost_binomial(const struct collective *c)
{
	return cost_tree(c, c->bytes);
}

const struct collective_algorithm bcast_binomial = {
	COLLECTIVE_BCAST, "binomial",          "binomial tree: the number of ranks with the data doubles in each round",
	binomial_bcast,   bcast_cost_binomial, NULL,
};

/*
 * Ranks may describe the same data by different types, so algorithms that cut a message cut it between basic elements,
 * whose number is the same on all ranks; between bytes if they are of several kinds.
 */
int bcast_by_elements(struct collective *c, int (*run)(struct collective *c))
{
	const struct type *t = type_find(&c->v->types, c->recv_type);
	VMPI_Datatype unit = t->basic ? t->basic : VMPI_BYTE;
	int64_t count = c->recv_count * t->size / type_find(&c->v->types, t->size ? unit : VMPI_BYTE)->size;
	struct collective f = *c;
	int ret;

	if (c->recv_type == unit || count > INT_MAX)
		return run(c);
	f.recv_type = unit;
	f.recv_count = (int)count;
	if (t->dense)
		return run(&f);
	f.recv = collective_buffer(c, c->recv, count, unit);
	if (c->rank == c->root)
		collective_copy(c, c->recv, c->recv_count, c->recv_type, f.recv, f.recv_count, unit);
	ret = run(&f);
	if (c->rank != c->root)
		collective_copy(c, f.recv, f.recv_count, unit, c->recv, c->recv_count, c->recv_type);
	collective_free(c, f.recv, unit);
	return ret;
}

/* First element of block `i`, where the message is cut into one block a rank. */
static int block_at(const struct collective *c, int i)
{
	return (int)((int64_t)c->recv_count * i / c->size);
}

static void *block_of(struct collective *c, int i)
{
	return collective_at(c, c->recv, block_at(c, i), c->recv_type);
}

/*
 * Scatters blocks down a binomial tree: the rank at `relative`, with a subtree of n ranks, receives n blocks
 * beginning at its own.
 */
static void scatter_blocks(struct collective *c, int relative)
{
	int mask = 1;

	for (; mask < c->size; mask *= 2)
		if (relative & mask) {
			int end = relative + mask < c->size ? relative + mask : c->size;

			collective_recv(c, block_of(c, relative), block_at(c, end) - block_at(c, relative),
					c->recv_type, (c->rank - mask + c->size) % c->size);
			break;
		}
	for (mask /= 2; mask; mask /= 2) {
		int first = relative + mask, end = first + mask < c->size ? first + mask : c->size;

		if (first < c->size)
			collective_send(c, block_of(c, first), block_at(c, end) - block_at(c, first), c->recv_type,
					(c->rank + mask) % c->size);
	}
}

static int run_scatter_allgather(struct collective *c)
{
	int relative = (c->rank - c->root + c->size) % c->size;
	int to = (c->rank + 1) % c->size, from = (c->rank - 1 + c->size) % c->size;

	scatter_blocks(c, relative);
	for (int round = 0; round < c->size - 1; round++) {
		int sends = (relative - round + c->size) % c->size, receives = (sends - 1 + c->size) % c->size;

		collective_sendrecv(c, block_of(c, sends), block_at(c, sends + 1) - block_at(c, sends), c->recv_type,
				    to, block_of(c, receives), block_at(c, receives + 1) - block_at(c, receives),
				    c->recv_type, from);
	}
	return VMPI_SUCCESS;
}

static int scatter_allgather(struct collective *c)
{
	return bcast_by_elements(c, run_scatter_allgather);
}

/* Gathers the blocks in log2(ranks) exchanges that double; needs a power of two of ranks. */
static int run_scatter_doubling(struct collective *c)
{
	int relative = (c->rank - c->root + c->size) % c->size;

	scatter_blocks(c, relative);
	for (int mask = 1; mask < c->size; mask *= 2) {
		int own = relative & ~(mask - 1), peers = own ^ mask, peer = ((relative ^ mask) + c->root) % c->size;

		collective_sendrecv(c, block_of(c, own), block_at(c, own + mask) - block_at(c, own), c->recv_type, peer,
				    block_of(c, peers), block_at(c, peers + mask) - block_at(c, peers), c->recv_type,
				    peer);
	}
	return VMPI_SUCCESS;
}

static int scatter_doubling(struct collective *c)
{
	return bcast_by_elements(c, run_scatter_doubling);
}

/* A pipelined chain from root: a rank forwards one piece while it receives the next. */
static int in_pieces(struct collective *c, int64_t piece)
{
	int relative = (c->rank - c->root + c->size) % c->size;
	int64_t pieces = piece ? (c->bytes + piece - 1) / piece : 0;
	VMPI_Request sent = VMPI_REQUEST_NULL;

	for (int64_t p = 0; p < pieces; p++) {
		int64_t first = c->recv_count * p / pieces, end = c->recv_count * (p + 1) / pieces;
		void *part = collective_at(c, c->recv, first, c->recv_type);

		if (relative > 0)
			collective_recv(c, part, (int)(end - first), c->recv_type, (c->rank - 1 + c->size) % c->size);
		if (sent != VMPI_REQUEST_NULL)
			collective_wait(c, &sent, 1);
		if (relative + 1 < c->size)
			sent = collective_isend(c, part, (int)(end - first), c->recv_type, (c->rank + 1) % c->size);
	}
	if (sent != VMPI_REQUEST_NULL)
		collective_wait(c, &sent, 1);
	return VMPI_SUCCESS;
}

static int run_pipeline(struct collective *c)
{
	return in_pieces(c, 64 << 10);
}

static int pipeline(struct collective *c)
{
	return bcast_by_elements(c, run_pipeline);
}

static int run_bcast_chain(struct collective *c)
{
	return in_pieces(c, c->segment ? c->segment : cost_chain_piece(c, c->bytes));
}

static int chain_bcast(struct collective *c)
{
	return bcast_by_elements(c, run_bcast_chain);
}

static int64_t cost_ring_allgather(const struct collective *c)
{
	return cost_tree_parts(c, (double)c->bytes / c->size) + cost_ring(c, c->bytes / c->size);
}

static int64_t cost_doubling_allgather(const struct collective *c)
{
	return cost_tree_parts(c, (double)c->bytes / c->size) + cost_doubling(c, c->bytes / c->size);
}

static int64_t bcast_cost_of_chain(const struct collective *c)
{
	return cost_chain(c, c->bytes, cost_chain_piece(c, c->bytes));
}

const struct collective_algorithm bcast_scatter_allgather = {
	COLLECTIVE_BCAST,  "scatter_allgather", "scatter down a tree, then allgather in a ring; for long messages",
	scatter_allgather, cost_ring_allgather, NULL,
};
const struct collective_algorithm bcast_scatter_doubling = {
	COLLECTIVE_BCAST,
	"scatter_doubling",
	"scatter down a tree, then allgather by recursive doubling; powers of two",
	scatter_doubling,
	cost_doubling_allgather,
	ranks_power_of_two,
};
const struct collective_algorithm bcast_chain = {
	COLLECTIVE_BCAST,    "chain", "chain from the root, in segments sized for the network", chain_bcast,
	bcast_cost_of_chain, NULL,
};
const struct collective_algorithm bcast_pipeline = {
	COLLECTIVE_BCAST, "pipeline", "chain from the root, in segments of 64 KiB", pipeline, NULL, NULL,
};
