/*
 * Operations that keep to rails: the ranks of the same place in their nodes exchange data between nodes, ranks of a
 * node among themselves, as NCCL does where each GPU has a NIC of its own (NVIDIA, "Doubling all2all performance with
 * NVIDIA Collective Communication Library 2.12", 2022: PXN). Each level takes the algorithm that the configuration
 * selects for its ranks.
 */
#include "algorithms.h"
#include "node_groups.h"

#include <limits.h>

/* The levels of the running rank. */
struct rail {
	int nodes, each, node, place;
	struct collective within, across; /* among the ranks of its node; of its place */
	int *members;                     /* of `across` */
};

static void rail_begin(struct rail *r, struct collective *c)
{
	const struct comm_nodes *g = node_groups(c);

	*r = (struct rail){.nodes = g->count, .each = c->size / g->count, .within = *c, .across = *c};
	r->node = c->rank / r->each;
	r->place = c->rank % r->each;
	r->members = scratch_take(c->v, (size_t)r->nodes, sizeof(*r->members));
	for (int i = 0; i < r->nodes; i++)
		r->members[i] = i * r->each + r->place;
	r->within.members = &g->rank[r->node * r->each];
	r->within.size = r->each;
	r->within.rank = r->place;
	r->across.members = r->members;
	r->across.size = r->nodes;
	r->across.rank = r->node;
	r->within.segment = r->across.segment = 0;
}

static void rail_run(enum collective_op op, struct collective *c, int64_t bytes)
{
	c->bytes = bytes;
	c->v->collective->run(op, c);
}

/* First element of the part of a place. */
static int part_first(const struct collective *c, const struct rail *r, int place)
{
	return (int)((int64_t)c->recv_count * place / r->each);
}

/* ---- all-reduce: reduce-scatter, all-reduce of a part over its rail, all-gather ---- */

static int rails_allreduce(struct collective *c)
{
	struct rail r;
	int64_t size = c->recv_count ? c->bytes / c->recv_count : 0;
	int *counts, *places, own;
	void *part;

	rail_begin(&r, c);
	counts = scratch_take(c->v, 2 * (size_t)r.each, sizeof(*counts));
	places = counts + r.each;
	for (int i = 0; i < r.each; i++) {
		places[i] = part_first(c, &r, i);
		counts[i] = part_first(c, &r, i + 1) - places[i];
	}
	own = counts[r.place];
	part = collective_buffer(c, c->recv, own, c->recv_type);
	r.within.send = c->send == VMPI_IN_PLACE ? c->recv : c->send;
	r.within.send_counts = counts;
	r.within.send_displs = places;
	r.within.recv = part;
	r.within.recv_count = own;
	rail_run(COLLECTIVE_REDUCE_SCATTER, &r.within, (c->recv_count / r.each + 1) * size);
	r.across.send = VMPI_IN_PLACE;
	r.across.recv = part;
	r.across.recv_count = r.across.send_count = own;
	rail_run(COLLECTIVE_ALLREDUCE, &r.across, own * size);
	r.within.send_counts = r.within.send_displs = NULL;
	r.within.send = part;
	r.within.send_count = own;
	r.within.recv = c->recv;
	r.within.recv_counts = counts;
	r.within.recv_displs = places;
	rail_run(COLLECTIVE_ALLGATHERV, &r.within, (c->recv_count / r.each + 1) * size);
	collective_free(c, part, c->recv_type);
	scratch_give(c->v, counts);
	scratch_give(c->v, r.members);
	return VMPI_SUCCESS;
}

/* ---- all-to-all: to the rank of the node that has the destination's place, then over the rail ---- */

/* Copies parts between orders: `to` has, of `slow` x `fast` parts of `from`, the fast ones first. */
static void transpose(struct collective *c, const void *from, VMPI_Datatype from_type, int from_count, void *to,
		      int slow, int fast)
{
	int64_t parts = (int64_t)slow * fast;

	collective_copied(c, parts, parts * from_count * type_find(&c->v->types, from_type)->size);
	for (int i = 0; i < slow; i++)
		for (int k = 0; k < fast; k++)
			collective_copy(c, collective_at(c, from, ((int64_t)i * fast + k) * from_count, from_type),
					from_count, from_type,
					collective_at(c, to, ((int64_t)k * slow + i) * c->recv_count, c->recv_type),
					c->recv_count, c->recv_type);
}

static int rails_alltoall(struct collective *c)
{
	struct rail r;
	void *by_place = collective_buffer(c, c->recv, (int64_t)c->size * c->recv_count, c->recv_type),
	     *came = collective_buffer(c, c->recv, (int64_t)c->size * c->recv_count, c->recv_type);

	rail_begin(&r, c);
	transpose(c, c->send, c->send_type, c->send_count, by_place, r.nodes, r.each);
	r.within.send = by_place;
	r.within.recv = came;
	r.within.send_type = c->recv_type;
	r.within.send_count = r.within.recv_count = r.nodes * c->recv_count;
	rail_run(COLLECTIVE_ALLTOALL, &r.within, c->bytes * r.nodes);
	transpose(c, came, c->recv_type, c->recv_count, by_place, r.each, r.nodes);
	r.across.send = by_place;
	r.across.send_type = c->recv_type;
	r.across.send_count = r.across.recv_count = r.each * c->recv_count;
	rail_run(COLLECTIVE_ALLTOALL, &r.across, c->bytes * r.each);
	collective_free(c, by_place, c->recv_type);
	collective_free(c, came, c->recv_type);
	scratch_give(c->v, r.members);
	return VMPI_SUCCESS;
}

/* Nodes have as many consecutive ranks each. */
static bool has_rails(const struct collective *c)
{
	return node_groups_levels(c) && node_groups(c)->even && (int64_t)c->size * c->recv_count < INT_MAX;
}

static bool rails_commute(const struct collective *c)
{
	return operation_commutes(c) && node_groups_levels(c) && node_groups(c)->even;
}

const struct collective_algorithm allreduce_rails = {
	COLLECTIVE_ALLREDUCE,
	"rails",
	"reduce-scatter within nodes, all-reduce among ranks of the same place, all-gather within nodes",
	rails_allreduce,
	NULL,
	rails_commute,
};
const struct collective_algorithm alltoall_rails = {
	COLLECTIVE_ALLTOALL,
	"rails",
	"within nodes to the rank of the destination's place, then among ranks of the same place",
	rails_alltoall,
	NULL,
	has_rails,
};
