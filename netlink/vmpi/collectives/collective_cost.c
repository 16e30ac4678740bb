/* Predicted times of algorithms: collective_cost.h. */
#include "../host/hosts.h"
#include "collective_cost.h"

#include <stdlib.h>

#include "../../../psim/base/hash.h"
#include "../../../psim/base/mem.h"
#include "../../engine/alone.h"
#include "algorithms.h"
#include "../vmpi_config.h"

/*
 * Rounds are simulated whole up to TOGETHER_MOST ranks. Beyond, one message stands for a round, because simulating
 * it would take longer than many programs.
 */
enum { KNOWN = 1024, TOGETHER_MOST = 4096 };

enum pattern { ALONE, SHIFT, EXCHANGE };

struct known {
	uint32_t ctx;
	const int *members;
	enum pattern pattern;
	int distance;
	int64_t bytes, ps; /* ps 0: unknown */
};

struct cost_network {
	struct alone *alone;
	struct alone_pair *pairs;
	struct known known[KNOWN];
};

void cost_network_destroy(struct cost_network *n)
{
	if (!n)
		return;
	alone_destroy(n->alone);
	free(n->pairs);
	free(n);
}

static struct cost_network *network(struct vmpi *v)
{
	struct cost_network *n = v->collective->network;

	if (n)
		return n;
	n = v->collective->network = mem_alloc(1, sizeof(*n), &v->err);
	if (n) {
		n->alone = alone_create(v->setup.alone ? v->setup.alone : v->setup.kind, v->setup.net, &v->err);
		n->pairs = mem_alloc(TOGETHER_MOST, sizeof(*n->pairs), &v->err);
	}
	if (!n || !n->alone || !n->pairs)
		rank_stop(v);
	return n;
}

static uint32_t world_rank(const struct collective *c, int rank)
{
	const struct comm *comm = comm_find(&c->v->comms, c->comm);

	if (c->members)
		rank = c->members[rank];
	return comm->self ? c->v->current->world : group_world(comm->group, (uint32_t)rank);
}

static void collective_cost_add_pair(const struct collective *c, struct alone_pair *pair, int from, int to)
{
	uint32_t src = world_rank(c, from), dst = world_rank(c, to);

	*pair = (struct alone_pair){c->v->ranks[src].node, c->v->ranks[dst].node, src, dst};
}

/* Writes all messages of a round, or only the first. */
static uint32_t collective_cost_fill(const struct collective *c, struct alone_pair *pairs, enum pattern pattern,
				     int distance)
{
	uint32_t n = 0;

	for (int i = 0; i < (pattern == ALONE ? 1 : c->size); i++) {
		int to = pattern == EXCHANGE ? i ^ distance : (i + distance) % c->size;

		if (to < c->size)
			collective_cost_add_pair(c, &pairs[n++], i, to);
	}
	return n;
}

/* Time until the last data of a pattern arrive. */
static int64_t collective_cost_delivered(const struct collective *c, enum pattern pattern, int distance, int64_t bytes)
{
	struct vmpi *v = c->v;
	uint32_t ctx = comm_find(&v->comms, c->comm)->ctx, count;
	struct cost_network *n;
	struct known *k;
	uint64_t between;

	if (!v->setup.net || c->size < 2)
		return 0;
	n = network(v);
	if (c->size > TOGETHER_MOST)
		pattern = ALONE;
	distance %= c->size;
	between = (uint64_t)ctx << 32 | (uint64_t)(uint32_t)distance << 2 | pattern;
	k = &n->known[hash_two(between, (uint64_t)bytes) & (KNOWN - 1)];
	if (k->ps && k->ctx == ctx && k->members == c->members && k->pattern == pattern && k->distance == distance &&
	    k->bytes == bytes)
		return k->ps;
	count = collective_cost_fill(c, n->pairs, pattern, distance);
	*k = (struct known){ctx, c->members, pattern, distance, bytes, 0};
	k->ps = alone_measure_together(n->alone, n->pairs, count, (uint64_t)bytes, &v->err);
	if (k->ps < 0)
		rank_stop(v);
	return k->ps;
}

/* Rank 0 and its partner at a distance stand for all of a round: returns whether they are on one node. */
static bool cost_within(const struct collective *c, int distance)
{
	return c->v->protocol && hosts_within(c->v, world_rank(c, 0), world_rank(c, distance % c->size));
}

/* Returns whether a message's data wait for the receive. */
static bool cost_waits(const struct collective *c, int distance, int64_t bytes)
{
	return protocol_waits(hosts_way(c->v, cost_within(c, distance), (uint64_t)bytes));
}

/* Processor times of a sender and of a receiver. */
static int64_t cost_send(const struct collective *c, int distance, int64_t bytes)
{
	return c->v->overhead + hosts_send_ps(c->v, cost_within(c, distance), (uint64_t)bytes);
}

static int64_t cost_receive(const struct collective *c, int distance, int64_t bytes)
{
	return hosts_receive_ps(c->v, cost_within(c, distance), (uint64_t)bytes);
}

static int64_t collective_cost_message(const struct collective *c, enum pattern pattern, int distance, int64_t bytes)
{
	const struct vmpi *v = c->v;
	int64_t time = collective_cost_delivered(c, pattern, distance, bytes);

	if (cost_waits(c, distance, bytes))
		time += 2 * collective_cost_delivered(c, ALONE, distance, (int64_t)v->cfg->mpi.control_bytes);
	return time;
}

/* The time that a message's data add to an empty message. */
static int64_t collective_cost_transfer(const struct collective *c, enum pattern pattern, int distance, int64_t bytes)
{
	return collective_cost_delivered(c, pattern, distance, bytes) -
	       collective_cost_delivered(c, pattern, distance, 0);
}

/* Interval between consecutive messages of a rank. */
static int64_t collective_cost_next(const struct collective *c, int distance, int64_t bytes)
{
	int64_t time = collective_cost_transfer(c, ALONE, distance, bytes), call = cost_send(c, distance, bytes);

	return time > call ? time : call;
}

int64_t cost_hop(const struct collective *c, int distance, int64_t bytes)
{
	return cost_send(c, distance, bytes) + collective_cost_message(c, ALONE, distance, bytes) +
	       cost_receive(c, distance, bytes);
}

int64_t cost_shift(const struct collective *c, int distance, int64_t bytes)
{
	return c->v->overhead + cost_send(c, distance, bytes) + collective_cost_message(c, SHIFT, distance, bytes) +
	       cost_receive(c, distance, bytes);
}

int64_t cost_exchange(const struct collective *c, int distance, int64_t bytes)
{
	return c->v->overhead + cost_send(c, distance, bytes) + collective_cost_message(c, EXCHANGE, distance, bytes) +
	       cost_receive(c, distance, bytes);
}

/* ---- rounds ---- */

int64_t cost_doubling(const struct collective *c, int64_t bytes)
{
	int64_t time = 0;

	for (int k = 1; 2 * k <= c->size; k *= 2)
		time += cost_exchange(c, k, bytes * k);
	return time;
}

int64_t cost_halving(const struct collective *c, int64_t bytes)
{
	int64_t time = 0;
	int half = 1;

	while (4 * half <= c->size)
		half *= 2;
	for (int k = 1; 2 * k <= c->size; k *= 2)
		time += cost_exchange(c, half / k, bytes / 2 / k);
	return time;
}

int64_t cost_same(const struct collective *c, int64_t bytes)
{
	int64_t time = 0;

	for (int k = 1; 2 * k <= c->size; k *= 2)
		time += cost_exchange(c, k, bytes);
	return time;
}

int64_t cost_bruck(const struct collective *c, int64_t bytes)
{
	int64_t time = 0;

	for (int k = 1; k < c->size; k *= 2)
		time += cost_shift(c, k, bytes * (k < c->size - k ? k : c->size - k));
	return time;
}

int64_t cost_ring(const struct collective *c, int64_t bytes)
{
	return (c->size - 1) * cost_shift(c, 1, bytes);
}

/* Time of searching the receives of all other ranks, as many as are left in the mean (mpi.search). */
static int64_t cost_search(const struct collective *c)
{
	return c->v->search * (c->size - 2) / 4;
}

/* The mean over distances 1, 2, 4 … approximates the mean over all distances. */
int64_t cost_pairwise(const struct collective *c, int64_t bytes)
{
	int64_t time = 0;
	int n = 0;

	for (int k = 1; k < c->size; k *= 2, n++)
		time += cost_shift(c, k, bytes);
	return n ? time / n * (c->size - 1) : 0;
}

int64_t cost_spread(const struct collective *c, int64_t bytes)
{
	int64_t wire = 0,
		calls = c->v->overhead + cost_send(c, c->size / 2, bytes) + cost_receive(c, c->size / 2, bytes);
	int n = 0;

	if (c->size < 2)
		return 0;
	calls += cost_search(c);
	for (int k = 1; k < c->size; k *= 2, n++)
		wire += collective_cost_transfer(c, SHIFT, k, bytes);
	wire /= n;
	return c->v->overhead + (c->size - 2) * (wire > calls ? wire : calls) + c->v->overhead +
	       collective_cost_message(c, SHIFT, c->size / 2, bytes);
}

/* ---- trees and chains ---- */

/*
 * The time of a node whose subtree has `ranks`. It serves its children in sequence, the largest subtree first. A
 * message has `part` bytes for each rank of the subtree, and `whole` in any case.
 */
static int64_t collective_cost_subtree(const struct collective *c, int ranks, int64_t whole, double part)
{
	int64_t time = 0, begun = 0;
	int mask = 1;

	while (mask * 2 < ranks)
		mask *= 2;
	for (; mask && ranks > 1; mask /= 2) {
		int below = mask < ranks ? (ranks - mask < mask ? ranks - mask : mask) : 0;
		int64_t bytes = whole + (int64_t)(part * below), done;

		if (!below)
			continue;
		done = begun + cost_hop(c, mask, bytes) + collective_cost_subtree(c, below, whole, part);
		time = done > time ? done : time;
		begun += collective_cost_next(c, mask, bytes);
		ranks = mask;
	}
	return time;
}

int64_t cost_tree(const struct collective *c, int64_t bytes)
{
	return collective_cost_subtree(c, c->size, bytes, 0);
}

int64_t cost_tree_parts(const struct collective *c, double bytes)
{
	return collective_cost_subtree(c, c->size, 0, bytes);
}

int64_t cost_linear(const struct collective *c, int64_t bytes)
{
	int middle = c->size / 2;

	return c->size < 2 ? 0 : (c->size - 2) * collective_cost_next(c, middle, bytes) + cost_hop(c, middle, bytes);
}

int64_t cost_to_one(const struct collective *c, int64_t bytes)
{
	int middle = c->size / 2;
	int64_t calls = (c->size - 1) * cost_send(c, middle, bytes), data;

	if (c->size < 2)
		return 0;
	data = cost_hop(c, middle, bytes) + (c->size - 2) * collective_cost_transfer(c, ALONE, middle, bytes);
	return calls > data ? calls : data;
}

int64_t cost_chain(const struct collective *c, int64_t bytes, int64_t piece)
{
	int64_t pieces = piece ? (bytes + piece - 1) / piece : 1, last;

	if (c->size < 2)
		return 0;
	/* a rank in the middle receives and sends each piece; the network limits the interval between pieces */
	last = collective_cost_next(c, 1, piece) + c->v->overhead;
	if (cost_waits(c, 1, piece))
		last = cost_hop(c, 1, piece) + c->v->overhead;
	return (c->size - 1) * cost_hop(c, 1, piece) + (pieces - 1) * last;
}

/* A chain of P ranks takes the time of N + P - 1 pieces. Beyond N = 16 P smaller pieces save at most a sixteenth. */
enum { PIECES_A_RANK = 16 };

int64_t cost_chain_piece(const struct collective *c, int64_t bytes)
{
	int64_t best = bytes, time = cost_chain(c, bytes, bytes), piece = 512;

	while (piece * PIECES_A_RANK * c->size < bytes)
		piece *= 2;
	for (; piece < bytes; piece *= 2) {
		int64_t t = cost_chain(c, bytes, piece);

		if (t < time) {
			time = t;
			best = piece;
		}
	}
	return best;
}

/* ---- ranks beyond a power of two ---- */

/* Additional time of an eager message at a rank that receives another message. */
static int64_t early(const struct collective *c, int64_t bytes)
{
	return cost_waits(c, 1, bytes) ? 0 : collective_cost_transfer(c, ALONE, 1, bytes);
}

/* Rounds of `bytes` each, or of halves of them. Data that arrive before the fold ends delay it. */
static int64_t fold(const struct collective *c, int64_t bytes, bool halves)
{
	int64_t time = cost_hop(c, 1, bytes), begun = 0;

	for (int k = 1; 2 * k <= c->size; k *= 2) {
		int64_t part = halves ? bytes / 2 / k : bytes;

		if (begun < time)
			time += early(c, part);
		begun += cost_exchange(c, k, part);
	}
	return time;
}

int64_t cost_fold_halving(const struct collective *c, int64_t bytes)
{
	return cost_halving(c, bytes) + (ranks_power_of_two(c) ? 0 : fold(c, bytes, true));
}

int64_t cost_fold_same(const struct collective *c, int64_t bytes)
{
	return cost_same(c, bytes) + (ranks_power_of_two(c) ? 0 : fold(c, bytes, false));
}

int64_t cost_unfold(const struct collective *c, int64_t bytes)
{
	return ranks_power_of_two(c) ? 0 : cost_hop(c, 1, bytes);
}

int cost_rounds(const struct collective *c)
{
	int n = 0;

	for (int64_t k = 1; k < c->size; k *= 2)
		n++;
	return n;
}

int64_t cost_combine(const struct collective *c, int64_t bytes)
{
	double rate = c->v->cfg->mpi.combine;

	return rate > 0 ? (int64_t)((double)bytes * 1e12 / rate + 0.5) : 0;
}

int64_t cost_copies(const struct collective *c, int64_t parts, int64_t bytes)
{
	const struct vmpi_config *cfg = c->v->cfg;
	int64_t time = cfg->mpi.copy_part * parts;

	if (!bytes)
		return 0;
	return cfg->mpi.copy > 0 ? time + (int64_t)((double)bytes * 1e12 / cfg->mpi.copy + 0.5) : time;
}

int64_t cost_total(const struct collective *c)
{
	const int *counts = c->recv_counts ? c->recv_counts : c->send_counts;
	int64_t total = 0;

	if (!counts)
		return c->bytes * c->size;
	for (int i = 0; i < c->size; i++)
		total += counts[i];
	return total * type_find(&c->v->types, c->recv_counts ? c->recv_type : c->send_type)->size;
}
