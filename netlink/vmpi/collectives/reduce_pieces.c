/*
 * Pipelined reductions at root: a rank combines and forwards one piece while it receives the next. Data go down a
 * chain from the last rank, or up a binary tree whose inner nodes combine their two children's data. Ranks are
 * relative to root.
 */
#include "algorithms.h"

struct tree {
	int parent, child[2]; /* relative to root; -1: none */
};

static void reduce_pieces_of(struct collective *c, const struct tree *t, void *sum, void *other, int64_t piece)
{
	int64_t pieces = piece ? (c->bytes + piece - 1) / piece : 1;
	VMPI_Request sent = VMPI_REQUEST_NULL;

	for (int64_t i = 0; i < pieces; i++) {
		int64_t first = c->recv_count * i / pieces;
		int count = (int)(c->recv_count * (i + 1) / pieces - first);
		void *own = collective_at(c, sum, first, c->recv_type);
		void *came = collective_at(c, other, first, c->recv_type);

		for (int k = 0; k < 2; k++)
			if (t->child[k] >= 0) {
				collective_recv(c, came, count, c->recv_type, (t->child[k] + c->root) % c->size);
				collective_combine(c, came, own, count);
			}
		if (t->parent < 0)
			continue;
		if (sent != VMPI_REQUEST_NULL)
			collective_wait(c, &sent, 1);
		sent = collective_isend(c, own, count, c->recv_type, (t->parent + c->root) % c->size);
	}
	if (sent != VMPI_REQUEST_NULL)
		collective_wait(c, &sent, 1);
}

static int reduce_pieces_run(struct collective *c, const struct tree *t, int64_t piece)
{
	const void *like = c->send ? c->send : c->recv;
	void *sum = c->rank == c->root ? c->recv : collective_buffer(c, like, c->recv_count, c->recv_type);
	void *other = collective_buffer(c, like, c->recv_count, c->recv_type);

	if (c->send != VMPI_IN_PLACE)
		collective_copy(c, c->send, c->recv_count, c->recv_type, sum, c->recv_count, c->recv_type);
	reduce_pieces_of(c, t, sum, other, piece);
	if (c->rank != c->root)
		collective_free(c, sum, c->recv_type);
	collective_free(c, other, c->recv_type);
	return VMPI_SUCCESS;
}

static int reduce_pieces_chain(struct collective *c)
{
	int i = (c->rank - c->root + c->size) % c->size;
	struct tree t = {i - 1, {i + 1 < c->size ? i + 1 : -1, -1}};

	return reduce_pieces_run(c, &t, c->segment ? c->segment : cost_chain_piece(c, c->bytes));
}

static int binary(struct collective *c)
{
	int i = (c->rank - c->root + c->size) % c->size, left = 2 * i + 1;
	struct tree t = {i ? (i - 1) / 2 : -1, {left < c->size ? left : -1, left + 1 < c->size ? left + 1 : -1}};

	return reduce_pieces_run(c, &t, c->segment ? c->segment : c->bytes);
}

static int64_t reduce_pieces_cost_of_chain(const struct collective *c)
{
	return cost_chain(c, c->bytes, cost_chain_piece(c, c->bytes)) + cost_combine(c, c->bytes);
}

const struct collective_algorithm reduce_chain = {
	COLLECTIVE_REDUCE,
	"chain",
	"chain from the last rank to the root, in segments sized for the network",
	reduce_pieces_chain,
	reduce_pieces_cost_of_chain,
	operation_commutes,
};
const struct collective_algorithm reduce_binary = {
	COLLECTIVE_REDUCE,
	"binary",
	"up a binary tree, in segments if an MPI library's selection has them",
	binary,
	NULL,
	operation_commutes,
};
