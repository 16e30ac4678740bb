/*
 * All-reduce by two binary trees of all ranks, each of which carries half of the data, up to its root and down again,
 * in pieces (P. Sanders, J. Speck, J. L. Träff, "Two-tree algorithms for full bandwidth broadcast, reduction and
 * scan", Parallel Computing 35(12), 2009; S. Jeaugey, "Massively scale your deep learning training with NCCL 2.4",
 * 2019). Inner ranks of one tree are leaves of the other, so each rank sends and receives as much up and down as the
 * data have.
 *
 * The first tree is in order: rank 0 is the root, odd ranks are leaves. The second is its mirror image for an even
 * number of ranks, else the first shifted by one, so that odd ranks are inner ones.
 */
#include "algorithms.h"
#include "scratch.h"

enum { TREES = 2, CHILDREN = 2, LANE_SHIFT = TASK_TAG_BITS };
enum { PIECE_LEAST = 4096, PIECES_MOST = 256, WINDOW = 2 };

/* Sends of a lane, in their order. */
struct lane {
	struct collective c; /* with a tag of its own */
	VMPI_Request *sent;
	int begun, ended, most; /* most: under way at a time */
};

/* A rank's place in a tree, and its half of the data. */
struct half_tree {
	struct lane up, down;
	int parent, child[CHILDREN];                          /* -1: none */
	int64_t first, count;                                 /* elements */
	void *came[CHILDREN];                                 /* data of the children */
	VMPI_Request *from[CHILDREN], *above;                 /* by piece */
	int pieces, got[CHILDREN], got_above, summed, passed; /* pieces so far: passed to the children */
};

/* ---- trees ---- */

/* The neighbours of place `i` of `n` in the tree in order; -1: none. */
static void in_order(int i, int n, int *parent, int child[CHILDREN])
{
	int bit = 1, low;

	while (i ? !(i & bit) : bit < n)
		bit *= 2;
	low = bit / 2;
	*parent = -1;
	if (i)
		*parent = ((i ^ bit) | bit * 2) < n ? (i ^ bit) | bit * 2 : i ^ bit;
	child[0] = i && low ? i - low : -1;
	while (low && i + low >= n)
		low /= 2;
	child[1] = low ? i + low : -1;
}

/* The rank at a place of a tree, which is also the place of a rank for a mirror image. */
static int tree_rank(const struct collective *c, int tree, int place)
{
	if (place < 0 || tree == 0)
		return place;
	return c->size % 2 ? (place + 1) % c->size : c->size - 1 - place;
}

static int tree_place(const struct collective *c, int tree)
{
	if (tree == 0)
		return c->rank;
	return c->size % 2 ? (c->rank - 1 + c->size) % c->size : c->size - 1 - c->rank;
}

static void lane_begin(struct lane *l, struct collective *c, int number, size_t sends, int most)
{
	*l = (struct lane){.c = *c, .most = most, .sent = scratch_take(c->v, sends, sizeof(*l->sent))};
	l->c.tag |= number << LANE_SHIFT;
}

static void half_begin(struct half_tree *h, struct collective *c, int tree, int pieces)
{
	int64_t half = c->recv_count / TREES;

	*h = (struct half_tree){.pieces = pieces,
				.first = tree ? half : 0,
				.count = tree ? c->recv_count - half : half,
				.above = scratch_take(c->v, (size_t)pieces, sizeof(*h->above))};
	lane_begin(&h->up, c, 1 + 2 * tree, (size_t)pieces, WINDOW);
	lane_begin(&h->down, c, 2 + 2 * tree, (size_t)pieces * CHILDREN, WINDOW * CHILDREN);
	in_order(tree_place(c, tree), c->size, &h->parent, h->child);
	h->parent = tree_rank(c, tree, h->parent);
	for (int k = 0; k < CHILDREN; k++) {
		h->child[k] = tree_rank(c, tree, h->child[k]);
		h->came[k] = h->child[k] < 0 ? NULL : collective_buffer(c, c->recv, h->count, c->recv_type);
		h->from[k] = scratch_take(c->v, (size_t)pieces, sizeof(*h->from[k]));
	}
}

static void half_end(struct half_tree *h, struct collective *c)
{
	for (int k = 0; k < CHILDREN; k++) {
		collective_free(c, h->came[k], c->recv_type);
		scratch_give(c->v, h->from[k]);
	}
	scratch_give(c->v, h->above);
	scratch_give(c->v, h->up.sent);
	scratch_give(c->v, h->down.sent);
}

/* ---- pieces ---- */

/* A piece of a half: its first element in the data, and its elements. */
static int piece_at(const struct half_tree *h, int piece, int64_t *first)
{
	int64_t from = h->count * piece / h->pieces;

	*first = h->first + from;
	return (int)(h->count * (piece + 1) / h->pieces - from);
}

/* Posts the receives of all pieces. The result of a piece replaces what the rank has sent up: none can come before. */
static void post_all(struct half_tree *h, struct collective *c)
{
	for (int i = 0; i < h->pieces; i++) {
		int64_t first;
		int count = piece_at(h, i, &first);

		for (int k = 0; k < CHILDREN; k++)
			if (h->child[k] >= 0)
				h->from[k][i] = collective_irecv(
					&h->up.c, collective_at(c, h->came[k], first - h->first, c->recv_type), count,
					c->recv_type, h->child[k]);
		if (h->parent >= 0)
			h->above[i] = collective_irecv(&h->down.c, collective_at(c, c->recv, first, c->recv_type),
						       count, c->recv_type, h->parent);
	}
}

static void send_piece(struct half_tree *h, struct lane *l, int piece, int to)
{
	int64_t first;
	int count = piece_at(h, piece, &first);

	l->sent[l->begun++] = collective_isend(&l->c, collective_at(&l->c, l->c.recv, first, l->c.recv_type), count,
					       l->c.recv_type, to);
}

static bool may_send(const struct lane *l)
{
	return l->begun - l->ended < l->most;
}

/* The next piece of the children's data: combined with the rank's own, up to the parent. False: it cannot yet. */
static bool sum_piece(struct half_tree *h, struct collective *c)
{
	int piece = h->summed, count;
	int64_t first;

	if (piece == h->pieces || (h->parent >= 0 && !may_send(&h->up)))
		return false;
	for (int k = 0; k < CHILDREN; k++)
		if (h->child[k] >= 0 && h->got[k] <= piece)
			return false;
	count = piece_at(h, piece, &first);
	for (int k = 0; k < CHILDREN; k++)
		if (h->child[k] >= 0)
			collective_combine(c, collective_at(c, h->came[k], first - h->first, c->recv_type),
					   collective_at(c, c->recv, first, c->recv_type), count);
	h->summed++;
	if (h->parent >= 0)
		send_piece(h, &h->up, piece, h->parent);
	return true;
}

/* The next piece of the result: down to the children. False: it cannot yet. */
static bool pass_piece(struct half_tree *h)
{
	if (h->passed >= (h->parent < 0 ? h->summed : h->got_above) || !may_send(&h->down))
		return false;
	for (int k = 0; k < CHILDREN; k++)
		if (h->child[k] >= 0)
			send_piece(h, &h->down, h->passed, h->child[k]);
	h->passed++;
	return true;
}

/* ---- what a rank waits for ---- */

enum { WAITED_MOST = TREES * (CHILDREN + 3) };

/* Requests, each the next one of a sequence, of which a number counts the ended ones. */
struct waited {
	VMPI_Request request[WAITED_MOST], *at[WAITED_MOST];
	int *ended[WAITED_MOST];
	int count;
};

static void add_waited(struct waited *w, VMPI_Request *sequence, int *ended, int all)
{
	if (*ended >= all)
		return;
	w->at[w->count] = &sequence[*ended];
	w->request[w->count] = sequence[*ended];
	w->ended[w->count++] = ended;
}

static void add_tree(struct waited *w, struct half_tree *h)
{
	for (int k = 0; k < CHILDREN; k++)
		add_waited(w, h->from[k], &h->got[k], h->child[k] < 0 ? 0 : h->pieces);
	add_waited(w, h->above, &h->got_above, h->parent < 0 ? 0 : h->pieces);
	add_waited(w, h->up.sent, &h->up.ended, h->up.begun);
	add_waited(w, h->down.sent, &h->down.ended, h->down.begun);
}

/* Waits for the next of what can happen; false: all has. */
static bool wait_for_next(struct half_tree h[TREES], struct collective *c)
{
	struct waited w = {.count = 0};
	int i;

	for (int t = 0; t < TREES; t++)
		add_tree(&w, &h[t]);
	if (!w.count)
		return false;
	i = collective_wait_any(c, w.request, w.count);
	*w.at[i] = w.request[i];
	++*w.ended[i];
	return true;
}

/* ---- the algorithm ---- */

/* The pieces that let a half pass the levels of a tree soonest: a message for each piece and each level. */
static int pieces_of(const struct collective *c)
{
	int64_t half = c->bytes / TREES, best = 0, size = c->segment;
	int levels = 0, found = 1;

	while (1 << levels < c->size)
		levels++;
	if (size)
		return (int)(half / size < PIECES_MOST ? half / size + 1 : PIECES_MOST);
	for (int n = 1; n <= PIECES_MOST && (n == 1 || half / n >= PIECE_LEAST); n *= 2) {
		int64_t time = (levels + n - 1) * cost_hop(c, 1, half / n);

		if (n == 1 || time < best) {
			best = time;
			found = n;
		}
	}
	return found;
}

static int double_tree(struct collective *c)
{
	struct half_tree h[TREES];
	int pieces = pieces_of(c);

	if (c->send != VMPI_IN_PLACE)
		collective_copy(c, c->send, c->recv_count, c->recv_type, c->recv, c->recv_count, c->recv_type);
	if (c->size == 1)
		return VMPI_SUCCESS;
	for (int t = 0; t < TREES; t++) {
		half_begin(&h[t], c, t, pieces);
		post_all(&h[t], c);
	}
	do {
		for (int t = 0; t < TREES; t++)
			while (sum_piece(&h[t], c) || pass_piece(&h[t]))
				;
	} while (wait_for_next(h, c));
	for (int t = 0; t < TREES; t++)
		half_end(&h[t], c);
	return VMPI_SUCCESS;
}

const struct collective_algorithm allreduce_double_tree = {
	COLLECTIVE_ALLREDUCE,
	"double_tree",
	"two binary trees, each with half of the data, in pieces; commutative operations",
	double_tree,
	NULL,
	operation_commutes,
};
