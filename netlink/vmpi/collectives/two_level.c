/*
 * Operations in two levels: within each node to or from its leader, the first rank there, and among the leaders, as
 * MPICH does where a node has several ranks (MPIR_Bcast_intra_smp and its like, src/mpi/coll). Each level takes the
 * algorithm that the configuration selects for its ranks.
 */
#include "algorithms.h"
#include "node_groups.h"

#include <limits.h>

/* A level: the operation among some of its ranks. `rank`: number of the running rank among them. */
static struct collective level_among(const struct collective *c, const int *members, int count, int rank)
{
	struct collective s = *c;

	s.members = members;
	s.size = count;
	s.rank = rank;
	s.root = 0;
	s.segment = 0;
	return s;
}

/* The ranks of the running rank's node. */
static struct collective level_within(const struct collective *c, const struct comm_nodes *g)
{
	int n = g->node_of[c->rank], first = g->begin[n], i = first;

	while (g->rank[i] != c->rank)
		i++;
	return level_among(c, &g->rank[first], g->begin[n + 1] - first, i - first);
}

/* The leaders, if the running rank is one. */
static struct collective leaders(const struct collective *c, const struct comm_nodes *g)
{
	return level_among(c, g->leader, g->count, g->node_of[c->rank]);
}

static bool leads(const struct collective *c, const struct comm_nodes *g)
{
	return g->leader[g->node_of[c->rank]] == c->rank;
}

static void run_level(enum collective_op op, struct collective *s)
{
	if (s->size > 1)
		s->v->collective->run(op, s);
}

static int two_level_barrier(struct collective *c)
{
	const struct comm_nodes *g = node_groups(c);
	struct collective node = level_within(c, g), lead = leaders(c, g);

	node.recv = NULL;
	node.recv_count = 0;
	node.recv_type = VMPI_BYTE;
	for (int i = 1; !node.rank && i < node.size; i++)
		collective_recv(&node, NULL, 0, VMPI_BYTE, i);
	if (node.rank)
		collective_send(&node, NULL, 0, VMPI_BYTE, 0);
	else
		run_level(COLLECTIVE_BARRIER, &lead);
	run_level(COLLECTIVE_BCAST, &node);
	return VMPI_SUCCESS;
}

/* A root that does not lead sends to its leader first. */
static int two_level_bcast(struct collective *c)
{
	const struct comm_nodes *g = node_groups(c);
	struct collective node = level_within(c, g), lead = leaders(c, g);
	int to = g->leader[g->node_of[c->root]];

	if (c->rank == c->root && to != c->root)
		collective_send(c, c->recv, c->recv_count, c->recv_type, to);
	if (c->rank == to && to != c->root)
		collective_recv(c, c->recv, c->recv_count, c->recv_type, c->root);
	lead.root = g->node_of[c->root];
	if (leads(c, g))
		run_level(COLLECTIVE_BCAST, &lead);
	run_level(COLLECTIVE_BCAST, &node);
	return VMPI_SUCCESS;
}

/* Reduces to each node's leader, in `into`. */
static void reduce_within(const struct collective *c, struct collective *node, void *into)
{
	node->recv = into;
	if (node->rank && c->send == VMPI_IN_PLACE)
		node->send = c->recv;
	if (!node->rank && into != c->recv && c->send == VMPI_IN_PLACE)
		node->send = c->recv;
	if (node->size > 1)
		run_level(COLLECTIVE_REDUCE, node);
	else if (node->send != VMPI_IN_PLACE)
		collective_copy(node, node->send, c->recv_count, c->recv_type, into, c->recv_count, c->recv_type);
}

static int two_level_allreduce(struct collective *c)
{
	const struct comm_nodes *g = node_groups(c);
	struct collective node = level_within(c, g), lead = leaders(c, g), again = node;

	reduce_within(c, &node, c->recv);
	lead.send = VMPI_IN_PLACE;
	if (leads(c, g))
		run_level(COLLECTIVE_ALLREDUCE, &lead);
	run_level(COLLECTIVE_BCAST, &again);
	return VMPI_SUCCESS;
}

/* The leader of root's node has the result last; a root that does not lead gets it from there. */
static int two_level_reduce(struct collective *c)
{
	const struct comm_nodes *g = node_groups(c);
	struct collective node = level_within(c, g), lead = leaders(c, g);
	int to = g->leader[g->node_of[c->root]];
	bool own = c->rank == c->root;
	void *sum = own ? c->recv
			: collective_buffer(c, c->send && c->send != VMPI_IN_PLACE ? c->send : c->recv, c->recv_count,
					    c->recv_type);

	reduce_within(c, &node, sum);
	lead.recv = sum;
	lead.send = c->rank == to ? VMPI_IN_PLACE : sum;
	lead.root = g->node_of[c->root];
	if (leads(c, g))
		run_level(COLLECTIVE_REDUCE, &lead);
	if (c->rank == to && !own)
		collective_send(c, sum, c->recv_count, c->recv_type, c->root);
	if (own && to != c->root)
		collective_recv(c, sum, c->recv_count, c->recv_type, to);
	if (!own)
		collective_free(c, sum, c->recv_type);
	return VMPI_SUCCESS;
}

/* Parts of a node's ranks are consecutive: the leaders gather whole nodes. */
static int two_level_allgather(struct collective *c)
{
	const struct comm_nodes *g = node_groups(c);
	struct collective node = level_within(c, g), lead = leaders(c, g), all = node;
	int64_t part = c->recv_count;
	int each = c->size / g->count, first = g->leader[g->node_of[c->rank]];

	node.recv = collective_at(c, c->recv, first * part, c->recv_type);
	node.uniform = true;
	if (c->send == VMPI_IN_PLACE) {
		node.send = collective_at(c, c->recv, c->rank * part, c->recv_type);
		node.send_count = c->recv_count;
		node.send_type = c->recv_type;
		if (!node.rank)
			node.send = VMPI_IN_PLACE;
	}
	c->v->collective->run(COLLECTIVE_GATHER, &node);
	lead.send = VMPI_IN_PLACE;
	lead.recv_count = (int)(each * part);
	lead.bytes *= each;
	if (leads(c, g))
		run_level(COLLECTIVE_ALLGATHER, &lead);
	all.recv_count = (int)(c->size * part);
	all.bytes *= c->size;
	run_level(COLLECTIVE_BCAST, &all);
	return VMPI_SUCCESS;
}

static bool levels_commute(const struct collective *c)
{
	return operation_commutes(c) && node_groups_levels(c);
}

static bool levels_even(const struct collective *c)
{
	return node_groups_levels(c) && node_groups(c)->even && (int64_t)c->size * c->recv_count < INT_MAX;
}

const struct collective_algorithm barrier_two_level = {
	COLLECTIVE_BARRIER, "two_level", "within nodes and among their first ranks",
	two_level_barrier,  NULL,        node_groups_levels,
};
const struct collective_algorithm bcast_two_level = {
	COLLECTIVE_BCAST, "two_level", "among the first ranks of nodes, then within nodes",
	two_level_bcast,  NULL,        node_groups_levels,
};
const struct collective_algorithm reduce_two_level = {
	COLLECTIVE_REDUCE, "two_level", "within nodes, then among their first ranks; commutative operations",
	two_level_reduce,  NULL,        levels_commute,
};
const struct collective_algorithm allreduce_two_level = {
	COLLECTIVE_ALLREDUCE, "two_level", "within nodes, among their first ranks, and back; commutative operations",
	two_level_allreduce,  NULL,        levels_commute,
};
const struct collective_algorithm allgather_two_level = {
	COLLECTIVE_ALLGATHER,
	"two_level",
	"to the first ranks of nodes, among them, and back; nodes with as many consecutive ranks each",
	two_level_allgather,
	NULL,
	levels_even,
};
