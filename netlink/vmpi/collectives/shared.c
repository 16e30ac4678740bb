/*
 * Operations in the memory of a node: its ranks meet, and the operation among them takes the time of a file
 * (mpi.node_times), since each library has code of its own there that sends no messages. Among the nodes, `leaders`
 * ranks of each (mpi.leaders) reduce a part of the data each (M. Bayatpour et al., "Scalable reduction collectives with
 * data partitioning-based multi-leader design", SC 2017), by the algorithm that the configuration selects.
 */
#include <string.h>

#include "../../times/times.h"
#include "algorithms.h"
#include "node_groups.h"
#include "../vmpi_config.h"

static const char *const shared_ops[] = {"barrier", "bcast", "reduce", "allreduce"};

static bool known_op(const char *name)
{
	for (unsigned i = 0; i < sizeof(shared_ops) / sizeof(shared_ops[0]); i++)
		if (strcmp(name, shared_ops[i]) == 0)
			return true;
	return false;
}

int collective_shared_create(struct vmpi *v, struct err *e)
{
	const char *path = v->cfg->mpi.node_times;
	const struct times *t;

	if (!*path)
		return 0;
	t = v->collective->node_times = times_read(path, e);
	if (!t)
		return -1;
	for (unsigned i = 0; i < times_count(t); i++)
		if (!known_op(times_name(times_at_index(t, i))))
			return err_set(e, STATUS_BAD_INPUT,
				       "%s: table %s: expected barrier, bcast, reduce or allreduce", path,
				       times_name(times_at_index(t, i)));
	return 0;
}

static const struct times_table *table_of(const struct collective *c, const char *name)
{
	return c->v->collective->node_times ? times_find(c->v->collective->node_times, name) : NULL;
}

/* The node of the running rank: its ranks of the communicator, and the rank's place among them. */
struct node {
	const struct comm_nodes *g;
	const int *ranks;
	int count, place, number;
};

static struct node node_of(const struct collective *c)
{
	const struct comm_nodes *g = node_groups(c);
	int n = g->node_of[c->rank];
	struct node s = {.g = g, .ranks = &g->rank[g->begin[n]], .count = g->begin[n + 1] - g->begin[n], .number = n};

	while (s.ranks[s.place] != c->rank)
		s.place++;
	return s;
}

/* The operation among a node's ranks takes its time, on the running rank. */
static void shared_passes(const struct collective *c, const struct node *s, const char *name)
{
	struct vmpi *v = c->v;

	if (s->count > 1 && !v->setup.kind->timeless)
		rank_busy(v, v->current, times_at(table_of(c, name), s->count, (double)c->bytes));
}

/* The first rank combines what the others have with what is in `sum`; the others leave `own` and go on. */
static void shared_gather(struct collective *c, const struct node *s, const void *own, void *sum)
{
	void *came;

	if (s->place) {
		collective_share(c, own, c->recv_count, c->recv_type, s->ranks[0]);
		return;
	}
	came = s->count > 1 ? collective_buffer(c, sum, c->recv_count, c->recv_type) : NULL;
	for (int i = 1; i < s->count; i++) {
		collective_take(c, came, c->recv_count, c->recv_type, s->ranks[i]);
		collective_apply(c, came, sum, c->recv_count);
	}
	collective_free(c, came, c->recv_type);
}

/* The first rank hands `buf` to all others of its node but `except`. */
static void shared_hand_out(struct collective *c, const struct node *s, void *buf, int count, VMPI_Datatype type,
			    int except)
{
	if (s->place && c->rank != except)
		collective_take(c, buf, count, type, s->ranks[0]);
	for (int i = 1; !s->place && i < s->count; i++)
		if (s->ranks[i] != except)
			collective_share(c, buf, count, type, s->ranks[i]);
}

/* An operation among the ranks of this place, of all nodes: `count` elements from `first` on. */
static void shared_among(enum collective_op op, struct collective *c, const struct node *s, int64_t first, int count)
{
	struct collective a = *c;
	int *members;

	if (s->g->count < 2)
		return;
	members = scratch_take(c->v, (size_t)s->g->count, sizeof(*members));
	for (int n = 0; n < s->g->count; n++)
		members[n] = s->g->rank[s->g->begin[n] + s->place];
	a.members = members;
	a.size = s->g->count;
	a.rank = s->number;
	a.segment = 0;
	a.root = op == COLLECTIVE_BCAST || op == COLLECTIVE_REDUCE ? s->g->node_of[c->root] : 0;
	if (op == COLLECTIVE_ALLREDUCE) {
		a.send = VMPI_IN_PLACE;
		a.recv = collective_at(c, c->recv, first, c->recv_type);
		a.recv_count = a.send_count = count;
		a.bytes = (int64_t)count * (int64_t)type_find(&c->v->types, c->recv_type)->size;
	}
	c->v->collective->run(op, &a);
	scratch_give(c->v, members);
}

static int shared_barrier(struct collective *c)
{
	struct node s = node_of(c);

	c->recv = NULL;
	c->recv_count = 0;
	c->recv_type = VMPI_BYTE;
	shared_gather(c, &s, NULL, NULL);
	if (!s.place) {
		shared_passes(c, &s, "barrier");
		shared_among(COLLECTIVE_BARRIER, c, &s, 0, 0);
	}
	shared_hand_out(c, &s, NULL, 0, VMPI_BYTE, -1);
	return VMPI_SUCCESS;
}

static int shared_bcast(struct collective *c)
{
	struct node s = node_of(c);
	bool of_root = s.number == s.g->node_of[c->root];

	if (c->rank == c->root && s.place)
		collective_share(c, c->recv, c->recv_count, c->recv_type, s.ranks[0]);
	if (s.place == 0 && of_root && c->rank != c->root)
		collective_take(c, c->recv, c->recv_count, c->recv_type, c->root);
	if (!s.place) {
		shared_among(COLLECTIVE_BCAST, c, &s, 0, 0);
		shared_passes(c, &s, "bcast");
	}
	shared_hand_out(c, &s, c->recv, c->recv_count, c->recv_type, c->root);
	return VMPI_SUCCESS;
}

static int shared_reduce(struct collective *c)
{
	struct node s = node_of(c);
	const void *own = c->send == VMPI_IN_PLACE ? c->recv : c->send;
	bool root = c->rank == c->root, first = !s.place;
	void *sum = root ? c->recv : first ? collective_buffer(c, own, c->recv_count, c->recv_type) : NULL;
	struct collective level = *c;

	if (first && own != sum)
		collective_copy(c, own, c->recv_count, c->recv_type, sum, c->recv_count, c->recv_type);
	shared_gather(c, &s, own, sum);
	if (first) {
		shared_passes(c, &s, "reduce");
		level.recv = sum;
		level.send = s.number == s.g->node_of[c->root] ? VMPI_IN_PLACE : sum;
		shared_among(COLLECTIVE_REDUCE, &level, &s, 0, 0);
		if (s.number == s.g->node_of[c->root] && !root)
			collective_share(c, sum, c->recv_count, c->recv_type, c->root);
		if (!root)
			collective_free(c, sum, c->recv_type);
	} else if (root) {
		collective_take(c, c->recv, c->recv_count, c->recv_type, s.ranks[0]);
	}
	return VMPI_SUCCESS;
}

/* Leaders of a node: no more than its fewest ranks, nor than there are elements. */
static int count_leaders(const struct collective *c, const struct comm_nodes *g)
{
	int n = (int)c->v->cfg->mpi.leaders;

	for (int i = 0; i < g->count; i++)
		if (g->begin[i + 1] - g->begin[i] < n)
			n = g->begin[i + 1] - g->begin[i];
	return g->count < 2 || c->recv_count < 1 ? 1 : c->recv_count < n ? c->recv_count : n;
}

/* The part of leader `i`: its first element, and how many there are. */
static int leader_part(const struct collective *c, int i, int leaders, int64_t *first)
{
	*first = (int64_t)c->recv_count * i / leaders;
	return (int)((int64_t)c->recv_count * (i + 1) / leaders - *first);
}

/* The first rank hands parts to the other leaders, and gets their results. */
static void leaders_reduce(struct collective *c, const struct node *s)
{
	int leaders = count_leaders(c, s->g), count;
	int64_t first;

	for (int i = 1; !s->place && i < leaders; i++) {
		count = leader_part(c, i, leaders, &first);
		collective_share(c, collective_at(c, c->recv, first, c->recv_type), count, c->recv_type, s->ranks[i]);
	}
	if (s->place >= leaders)
		return;
	count = leader_part(c, s->place, leaders, &first);
	if (s->place)
		collective_take(c, collective_at(c, c->recv, first, c->recv_type), count, c->recv_type, s->ranks[0]);
	shared_among(COLLECTIVE_ALLREDUCE, c, s, first, count);
	if (s->place)
		collective_share(c, collective_at(c, c->recv, first, c->recv_type), count, c->recv_type, s->ranks[0]);
	for (int i = 1; !s->place && i < leaders; i++) {
		count = leader_part(c, i, leaders, &first);
		collective_take(c, collective_at(c, c->recv, first, c->recv_type), count, c->recv_type, s->ranks[i]);
	}
}

static int shared_allreduce(struct collective *c)
{
	struct node s = node_of(c);
	const void *own = c->send == VMPI_IN_PLACE ? c->recv : c->send;

	if (!s.place && own != c->recv)
		collective_copy(c, own, c->recv_count, c->recv_type, c->recv, c->recv_count, c->recv_type);
	shared_gather(c, &s, own, c->recv);
	if (!s.place)
		shared_passes(c, &s, "allreduce");
	leaders_reduce(c, &s);
	shared_hand_out(c, &s, c->recv, c->recv_count, c->recv_type, -1);
	return VMPI_SUCCESS;
}

/* All of a communicator take part, and one node has several of them. */
static bool nodes_share(const struct collective *c, const char *name)
{
	if (!table_of(c, name) || c->members || c->size < 2 || comm_find(&c->v->comms, c->comm)->self)
		return false;
	return node_groups(c)->count < c->size;
}

static bool can_share_barrier(const struct collective *c)
{
	return nodes_share(c, "barrier");
}

static bool can_share_bcast(const struct collective *c)
{
	return nodes_share(c, "bcast");
}

static bool can_share_reduce(const struct collective *c)
{
	return nodes_share(c, "reduce") && operation_commutes(c);
}

static bool can_share_allreduce(const struct collective *c)
{
	return nodes_share(c, "allreduce") && operation_commutes(c);
}

const struct collective_algorithm barrier_shared = {
	COLLECTIVE_BARRIER, "shared", "within nodes by mpi.node_times, among their first ranks",
	shared_barrier,     NULL,     can_share_barrier,
};
const struct collective_algorithm bcast_shared = {
	COLLECTIVE_BCAST, "shared", "among the first ranks of nodes, then within nodes by mpi.node_times",
	shared_bcast,     NULL,     can_share_bcast,
};
const struct collective_algorithm reduce_shared = {
	COLLECTIVE_REDUCE,
	"shared",
	"within nodes by mpi.node_times, then among their first ranks; commutative operations",
	shared_reduce,
	NULL,
	can_share_reduce,
};
const struct collective_algorithm allreduce_shared = {
	COLLECTIVE_ALLREDUCE,
	"shared",
	"within nodes by mpi.node_times, among mpi.leaders ranks of each, and back; commutative operations",
	shared_allreduce,
	NULL,
	can_share_allreduce,
};
