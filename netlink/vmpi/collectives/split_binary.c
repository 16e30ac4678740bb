/*
 * Broadcast by a split binary tree: the two halves of the data go down root's two subtrees in pieces, then each rank
 * of one subtree exchanges halves with a rank of the other. J. Pjesivac-Grbovic et al., "Performance analysis of MPI
 * collective operations", Cluster Computing 10(2), 2007.
 */
#include "algorithms.h"

/* A subtree. Ranks are relative to root: 1 … left form one subtree, the others the other. Each is a binary heap. */
struct half {
	int side, at, left;
	int64_t first, count; /* elements of the subtree's half */
};

static int split_binary_rank_at(const struct collective *c, int i)
{
	return (i + c->root) % c->size;
}

static struct half split_binary_place_of(const struct collective *c, int i)
{
	struct half p = {.left = c->size / 2};

	p.side = i > p.left;
	p.at = i - 1 - (p.side ? p.left : 0);
	p.first = p.side ? c->recv_count / 2 : 0;
	p.count = p.side ? c->recv_count - c->recv_count / 2 : c->recv_count / 2;
	return p;
}

static int ranks_of_side(const struct collective *c, int side)
{
	return side ? c->size - 1 - c->size / 2 : c->size / 2;
}

/* Address and count of piece `i` of `pieces` of a half. */
static void piece_of(struct collective *c, const struct half *p, int64_t i, int64_t pieces, void **at, int *count)
{
	int64_t first = p->count * i / pieces;

	*at = collective_at(c, c->recv, p->first + first, c->recv_type);
	*count = (int)(p->count * (i + 1) / pieces - first);
}

static int64_t split_binary_pieces_of(const struct collective *c)
{
	int64_t half = c->bytes / 2 + 1, piece = c->segment ? c->segment : half;

	return (half + piece - 1) / piece;
}

static void from_root(struct collective *c)
{
	int64_t pieces = split_binary_pieces_of(c);

	for (int64_t i = 0; i < pieces; i++)
		for (int side = 0; side < 2; side++) {
			struct half p = split_binary_place_of(c, side ? c->size / 2 + 1 : 1);
			void *at;
			int count;

			if (!ranks_of_side(c, side))
				continue;
			piece_of(c, &p, i, pieces, &at, &count);
			collective_send(c, at, count, c->recv_type,
					split_binary_rank_at(c, side ? c->size / 2 + 1 : 1));
		}
}

static void down(struct collective *c, const struct half *p)
{
	int64_t pieces = split_binary_pieces_of(c);
	int first = p->side ? p->left + 1 : 1, parent = p->at ? first + (p->at - 1) / 2 : 0;

	for (int64_t i = 0; i < pieces; i++) {
		void *at;
		int count;

		piece_of(c, p, i, pieces, &at, &count);
		collective_recv(c, at, count, c->recv_type, split_binary_rank_at(c, parent));
		for (int k = 2 * p->at + 1; k <= 2 * p->at + 2; k++)
			if (k < ranks_of_side(c, p->side))
				collective_send(c, at, count, c->recv_type, split_binary_rank_at(c, first + k));
	}
}

/* Exchanges the halves. The left subtree may have one rank more, which gets its other half from root. */
static void split_binary_exchange(struct collective *c, int i)
{
	struct half own = split_binary_place_of(c, i), other = split_binary_place_of(c, own.side ? 1 : c->size / 2 + 1);
	int left = c->size / 2, peer = own.side ? i - left : i + left;
	void *mine = collective_at(c, c->recv, own.first, c->recv_type);
	void *theirs = collective_at(c, c->recv, other.first, c->recv_type);

	if (peer < c->size)
		collective_sendrecv(c, mine, (int)own.count, c->recv_type, split_binary_rank_at(c, peer), theirs,
				    (int)other.count, c->recv_type, split_binary_rank_at(c, peer));
	else
		collective_recv(c, theirs, (int)other.count, c->recv_type, c->root);
}

static int run_split_binary(struct collective *c)
{
	int i = (c->rank - c->root + c->size) % c->size, left = c->size / 2;
	struct half p = split_binary_place_of(c, i), second = split_binary_place_of(c, left + 1);

	if (c->size < 2)
		return VMPI_SUCCESS;
	if (i) {
		down(c, &p);
		split_binary_exchange(c, i);
		return VMPI_SUCCESS;
	}
	from_root(c);
	if (c->size % 2 == 0)
		collective_send(c, collective_at(c, c->recv, second.first, c->recv_type), (int)second.count,
				c->recv_type, split_binary_rank_at(c, left));
	return VMPI_SUCCESS;
}

static int split_binary(struct collective *c)
{
	return bcast_by_elements(c, run_split_binary);
}

const struct collective_algorithm bcast_split_binary = {
	COLLECTIVE_BCAST,
	"split_binary",
	"halves down two binary trees, then exchanged; in segments if an MPI library's selection has them",
	split_binary,
	NULL,
	NULL,
};
