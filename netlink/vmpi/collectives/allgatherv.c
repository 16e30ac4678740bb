/*
 * Allgather of parts of different lengths in log2(ranks) rounds. Parts are packed in one buffer, in rank order
 * beginning with the rank's own (Bruck) or with rank 0 (recursive doubling). R. Thakur, R. Rabenseifner, W. Gropp,
 * IJHPCA 19(1), 2005, 4.1.
 */

#include "algorithms.h"

/* Offsets of the parts first, first + 1 … in the packed buffer, and the end of the last one. */
static int64_t *places_from(struct collective *c, int first)
{
	int64_t *at = scratch_take(c->v, (size_t)c->size + 1, sizeof(*at)), unused;

	for (int i = 0; i < c->size; i++)
		at[i + 1] = at[i] + collective_recv_part(c, (first + i) % c->size, &unused);
	return at;
}

/* Copies a part between the receive buffer and the packed parts. */
static void move_part(struct collective *c, int rank, void *all, int64_t at, bool out)
{
	int64_t place;
	int count = collective_recv_part(c, rank, &place);
	void *there = collective_at(c, c->recv, place, c->recv_type), *here = collective_at(c, all, at, c->recv_type);

	collective_copy(c, out ? here : there, count, c->recv_type, out ? there : here, count, c->recv_type);
}

static void allgatherv_own_part(struct collective *c, void *all, int64_t at)
{
	int64_t place;
	int count = collective_recv_part(c, c->rank, &place);

	collective_copied(c, 1, count * type_find(&c->v->types, c->recv_type)->size);
	if (c->send == VMPI_IN_PLACE)
		move_part(c, c->rank, all, at, false);
	else
		collective_copy(c, c->send, c->send_count, c->send_type, collective_at(c, all, at, c->recv_type), count,
				c->recv_type);
}

static int allgatherv_finish(struct collective *c, int first, void *all, int64_t *at)
{
	collective_copied(c, c->size, at[c->size] * type_find(&c->v->types, c->recv_type)->size);
	for (int i = 0; all && i < c->size; i++)
		move_part(c, (first + i) % c->size, all, at[i], true);
	collective_free(c, all, c->recv_type);
	scratch_give(c->v, at);
	return VMPI_SUCCESS;
}

static int bruck_allgatherv(struct collective *c)
{
	int64_t *at = places_from(c, c->rank);
	void *all = collective_buffer(c, c->recv, at[c->size], c->recv_type);

	allgatherv_own_part(c, all, 0);
	for (int have = 1; have < c->size; have *= 2) {
		int more = have < c->size - have ? have : c->size - have;

		collective_sendrecv(c, all, (int)at[more], c->recv_type, (c->rank - have + c->size) % c->size,
				    collective_at(c, all, at[have], c->recv_type), (int)(at[have + more] - at[have]),
				    c->recv_type, (c->rank + have) % c->size);
	}
	return allgatherv_finish(c, c->rank, all, at);
}

static int recursive_doubling_allgatherv(struct collective *c)
{
	int64_t *at = places_from(c, 0);
	void *all = collective_buffer(c, c->recv, at[c->size], c->recv_type);

	allgatherv_own_part(c, all, at[c->rank]);
	for (int mask = 1; mask < c->size; mask *= 2) {
		int own = c->rank & ~(mask - 1), peers = own ^ mask;

		collective_sendrecv(c, collective_at(c, all, at[own], c->recv_type), (int)(at[own + mask] - at[own]),
				    c->recv_type, c->rank ^ mask, collective_at(c, all, at[peers], c->recv_type),
				    (int)(at[peers + mask] - at[peers]), c->recv_type, c->rank ^ mask);
	}
	return allgatherv_finish(c, 0, all, at);
}

/* The cost for parts of the mean length, since a round sends several parts. */
static int64_t allgatherv_cost_of_bruck(const struct collective *c)
{
	return cost_bruck(c, cost_total(c) / c->size);
}

static int64_t allgatherv_cost_doubled(const struct collective *c)
{
	return cost_doubling(c, cost_total(c) / c->size);
}

const struct collective_algorithm allgatherv_bruck = {
	COLLECTIVE_ALLGATHERV,    "bruck", "log2(ranks) rounds, any number of ranks; for short parts", bruck_allgatherv,
	allgatherv_cost_of_bruck, NULL,
};
const struct collective_algorithm allgatherv_recursive_doubling = {
	COLLECTIVE_ALLGATHERV,         "recursive_doubling",    "log2(ranks) exchanges of doubling size; powers of two",
	recursive_doubling_allgatherv, allgatherv_cost_doubled, ranks_power_of_two,
};
