/*
 * Calls: intercommunicators (MPI 3.1, 6.6). Each of the two groups has a communicator struct of its own, of the same
 * context, and a hidden communicator of the group alone. To make them, each group splits, its leaders meet over
 * messages, the first leader there makes everything that both groups need, and then informs its group.
 */
#include <stdlib.h>

#include "../../../psim/base/mem.h"
#include "../collectives/collective.h"
#include "object_calls.h"

/* Tags of leaders' messages, above those of nonblocking collectives. */
enum { MEETING_TAGS = 1 << 30 };

/* Two leaders that meet: each puts down something and takes up the other's. */
struct meeting {
	struct meeting *next;
	uint32_t ctx, leader[2]; /* world ranks; leader[0] came first */
	int tag, taken;
	void *brought[2];
};

/*
 * Meets rank `peer` of `comm`; the messages represent the exchange of the groups. Returns what it brought, NULL if
 * memory is short (the run has failed).
 */
static void *meet(struct vmpi *v, VMPI_Comm comm, int peer, int tag, void *bring)
{
	const struct comm *c = comm_find(&v->comms, comm);
	uint32_t own = rank_index(v, v->current), other = group_world(comm_peers(c), (uint32_t)peer), ctx = c->ctx;
	struct collective exchange = {.v = v, .comm = comm, .tag = MEETING_TAGS + tag};
	struct meeting *m = v->meetings, **link = &v->meetings;
	void *result;

	while (m && (m->ctx != ctx || m->tag != tag || m->leader[0] != other || m->leader[1] != own || m->brought[1]))
		m = m->next;
	if (m) {
		m->brought[1] = bring;
	} else {
		m = mem_alloc(1, sizeof(*m), &v->err);
		if (!m) {
			rank_fail(v);
			return NULL;
		}
		*m = (struct meeting){v->meetings, ctx, {own, other}, tag, 0, {bring, NULL}};
		v->meetings = m;
	}
	collective_sendrecv(&exchange, NULL, 1, VMPI_INT, peer, NULL, 1, VMPI_INT, peer);
	result = m->brought[m->leader[0] == own];
	if (++m->taken == 2) {
		while (*link != m)
			link = &(*link)->next;
		*link = m->next;
		free(m);
	}
	return result;
}

void meetings_finish(struct vmpi *v)
{
	while (v->meetings) {
		struct meeting *m = v->meetings;

		v->meetings = m->next;
		free(m);
	}
}

/* The group's ranks wait for the leader. */
static void tell_group(struct vmpi *v, VMPI_Comm local, int leader)
{
	struct collective c = {.v = v,
			       .comm = local,
			       .rank = (int)comm_local(v, local),
			       .size = (int)comm_find(&v->comms, local)->group->size,
			       .root = leader,
			       .recv_count = 1,
			       .send_type = VMPI_INT,
			       .recv_type = VMPI_INT,
			       .bytes = 4};

	collective_run(COLLECTIVE_BCAST, &c);
}

/* Makes one side of a pair; 0 with v->err. */
static int make_inter_side(struct vmpi *v, VMPI_Comm local, VMPI_Comm remote, uint32_t ctx)
{
	int handle = comm_create(&v->comms, comm_find(&v->comms, local)->group, &v->err);
	struct comm *c = handle ? comm_find(&v->comms, handle) : NULL;

	if (!c)
		return 0;
	c->remote = comm_find(&v->comms, remote)->group;
	c->remote->users++;
	c->local_comm = local;
	if (ctx)
		c->ctx = ctx;
	comm_find(&v->comms, local)->pair = handle;
	return comm_inherit_errors(c, comm_find(&v->comms, local), &v->err) < 0 ? 0 : handle;
}

/* Makes the intercommunicator of two hidden communicators, unless the other leader has. */
static void make_pair(struct vmpi *v, VMPI_Comm local, VMPI_Comm remote)
{
	int handle = comm_find(&v->comms, local)->pair;

	if (handle)
		return;
	handle = make_inter_side(v, local, remote, 0);
	if (!handle || !make_inter_side(v, remote, local, comm_find(&v->comms, handle)->ctx))
		rank_fail(v);
}

int vmpi_Intercomm_create(struct vmpi *v, VMPI_Comm local_comm, int local_leader, VMPI_Comm peer_comm,
			  int remote_leader, int tag, VMPI_Comm *newcomm)
{
	const struct comm *c = comm_find(&v->comms, local_comm);
	VMPI_Comm local, *other;
	int ret;

	rank_enter(v, CALL_Intercomm_create);
	rank_needs_all(v, "an intercommunicator");
	if (!c || c->remote)
		return rank_error(v, VMPI_COMM_WORLD, VMPI_ERR_COMM, "communicator %d: expected an intracommunicator",
				  local_comm);
	if (local_leader < 0 || (uint32_t)local_leader >= c->group->size)
		return rank_error(v, local_comm, VMPI_ERR_RANK, "leader %d: expected 0 to %u", local_leader,
				  c->group->size - 1);
	if ((int)comm_local(v, local_comm) == local_leader) {
		const struct comm *p = comm_find(&v->comms, peer_comm);

		if (!p)
			return rank_error(v, local_comm, VMPI_ERR_COMM, "unknown peer communicator %d", peer_comm);
		if (remote_leader < 0 || (uint32_t)remote_leader >= comm_peers(p)->size)
			return rank_error(v, local_comm, VMPI_ERR_RANK, "remote leader %d: expected 0 to %u",
					  remote_leader, comm_peers(p)->size - 1);
	}
	ret = comm_split_all(v, local_comm, 0, (int)comm_local(v, local_comm), &local);
	if (ret)
		return ret;
	if ((int)comm_local(v, local) == local_leader) {
		other = meet(v, peer_comm, remote_leader, tag, &local);
		make_pair(v, local, *other);
	}
	tell_group(v, local, local_leader);
	*newcomm = comm_find(&v->comms, local)->pair;
	return VMPI_SUCCESS;
}

/* The new communicator of the ranks of this colour; 0: none. */
static int by_color(const struct split_sync *m, uint32_t size, int color)
{
	for (uint32_t i = 0; i < size; i++)
		if (m->color[i] == color)
			return m->handle[i];
	return 0;
}

/* A leader's part of its group's split. */
struct half {
	struct split_sync *split;
	struct comm *comm;
};

/* Makes the intercommunicators of all colours that both groups have. */
static void make_rank_pairs(struct vmpi *v, const struct half *own, const struct half *other)
{
	for (uint32_t i = 0; i < own->comm->group->size; i++) {
		int color = own->split->color[i];
		int remote = color < 0 ? 0 : by_color(other->split, other->comm->group->size, color);

		if (remote)
			make_pair(v, own->split->handle[i], remote);
	}
}

/*
 * Splits both groups by colour. The hidden communicator's split keeps colours and handles until all ranks have left it,
 * which no leader does before it has met the other.
 */
int inter_split(struct vmpi *v, VMPI_Comm inter, int color, int key, VMPI_Comm *newcomm)
{
	VMPI_Comm local = comm_find(&v->comms, inter)->local_comm;
	struct half own = {NULL, comm_find(&v->comms, local)}, *other;
	uint32_t rank = comm_local(v, local);
	int mine;

	own.split = comm_split_sync(own.comm, rank, &v->err);
	if (!own.split) {
		rank_fail(v);
		return VMPI_ERR_OTHER;
	}
	own.split->color[rank] = color;
	own.split->key[rank] = key;
	collective_barrier(v, local);
	if (!own.split->made && comm_split_create(&v->comms, own.comm, own.split, &v->err) < 0) {
		rank_fail(v);
		return VMPI_ERR_OTHER;
	}
	if (rank == 0) {
		other = meet(v, inter, 0, 0, &own);
		make_rank_pairs(v, &own, other);
		/* the other leader may still read this one's half, which is on its stack */
		meet(v, inter, 0, 1, &own);
	}
	tell_group(v, local, 0);
	mine = own.split->handle[rank];
	*newcomm = mine ? comm_find(&v->comms, mine)->pair : VMPI_COMM_NULL;
	comm_split_leave(own.comm, own.split);
	return VMPI_SUCCESS;
}

/* ---- merging ---- */

/* The communicator of both groups, the one with `high` last; of equals, that with the smaller handle first. */
static int make_merged(struct vmpi *v, const struct half *a, const struct half *b)
{
	uint32_t size = a->comm->group->size + b->comm->group->size, n = 0;
	uint32_t *world = mem_alloc(size, sizeof(*world), &v->err);
	struct group *g;
	int handle;

	if (!world)
		return 0;
	for (uint32_t i = 0; i < a->comm->group->size; i++)
		world[n++] = group_world(a->comm->group, i);
	for (uint32_t i = 0; i < b->comm->group->size; i++)
		world[n++] = group_world(b->comm->group, i);
	g = group_create(size, world, &v->err);
	handle = g ? comm_create(&v->comms, g, &v->err) : 0;
	group_drop(g);
	return handle;
}

static void merge_halves(struct vmpi *v, struct half *own, struct half *other)
{
	bool later = own->split->color[0] != other->split->color[0] ? own->split->color[0] > other->split->color[0]
								    : own->comm->ctx > other->comm->ctx;
	int handle;

	if (own->split->made)
		return;
	handle = later ? make_merged(v, other, own) : make_merged(v, own, other);
	if (!handle)
		rank_fail(v);
	own->split->handle[0] = other->split->handle[0] = handle;
	own->split->made = other->split->made = true;
}

int vmpi_Intercomm_merge(struct vmpi *v, VMPI_Comm intercomm, int high, VMPI_Comm *newcomm)
{
	const struct comm *c = comm_find(&v->comms, intercomm);
	struct half own, *other;
	uint32_t rank;

	rank_enter(v, CALL_Intercomm_merge);
	if (!c || !c->remote)
		return rank_error(v, VMPI_COMM_WORLD, VMPI_ERR_COMM, "communicator %d: expected an intercommunicator",
				  intercomm);
	own.comm = comm_find(&v->comms, c->local_comm);
	rank = comm_local(v, c->local_comm);
	own.split = comm_split_sync(own.comm, rank, &v->err);
	if (!own.split) {
		rank_fail(v);
		return VMPI_ERR_OTHER;
	}
	if (rank == 0) {
		own.split->color[0] = high != 0;
		other = meet(v, intercomm, 0, 0, &own);
		merge_halves(v, &own, other);
		meet(v, intercomm, 0, 1, &own);
	}
	tell_group(v, c->local_comm, 0);
	*newcomm = own.split->handle[0];
	comm_split_leave(own.comm, own.split);
	if (comm_inherit_errors(comm_find(&v->comms, *newcomm), c, &v->err) < 0)
		rank_fail(v);
	return VMPI_SUCCESS;
}

/* ---- queries ---- */

static const struct comm *enter_inter_call(struct vmpi *v, enum call_id call, VMPI_Comm comm, bool remote, int *ret)
{
	const struct comm *c = comm_find(&v->comms, comm);

	rank_enter(v, call);
	*ret = VMPI_SUCCESS;
	if (!c || (remote && !c->remote)) {
		*ret = rank_error(v, c ? comm : VMPI_COMM_WORLD, VMPI_ERR_COMM, "communicator %d %s", comm,
				  c ? "is no intercommunicator" : "is unknown");
		return NULL;
	}
	return c;
}

int vmpi_Comm_test_inter(struct vmpi *v, VMPI_Comm comm, int *flag)
{
	int ret;
	const struct comm *c = enter_inter_call(v, CALL_Comm_test_inter, comm, false, &ret);

	if (c)
		*flag = c->remote != NULL;
	return ret;
}

int vmpi_Comm_remote_size(struct vmpi *v, VMPI_Comm comm, int *size)
{
	int ret;
	const struct comm *c = enter_inter_call(v, CALL_Comm_remote_size, comm, true, &ret);

	if (c)
		*size = (int)c->remote->size;
	return ret;
}

int vmpi_Comm_remote_group(struct vmpi *v, VMPI_Comm comm, VMPI_Group *group)
{
	int ret;
	const struct comm *c = enter_inter_call(v, CALL_Comm_remote_group, comm, true, &ret);

	if (!c)
		return ret;
	*group = group_handle(&v->comms, c->remote, &v->err);
	if (!*group)
		rank_fail(v);
	return VMPI_SUCCESS;
}
