/* Calls: communicators that a group alone makes, or that ranks make without blocking. */
#include <stdlib.h>

#include "../../../psim/base/mem.h"
#include "../collectives/collective.h"
#include "object_calls.h"

/* Tags of messages that make communicators, above those of nonblocking collectives and of calls_inter.c. */
enum { GROUP_TAGS = 3 << 29 };

/* A communicator that the first rank of a group has made, and that the others have not all taken. */
struct group_comm {
	struct group_comm *next;
	uint32_t ctx, leader, left; /* context of the old one; world rank; ranks */
	int tag, handle;
};

static struct group_comm *made_by(const struct vmpi *v, uint32_t ctx, uint32_t leader, int tag)
{
	struct group_comm *m = v->group_comms;

	while (m && (m->ctx != ctx || m->leader != leader || m->tag != tag))
		m = m->next;
	return m;
}

static void leave_group_comm(struct vmpi *v, struct group_comm *m)
{
	struct group_comm **link = &v->group_comms;

	if (--m->left)
		return;
	while (*link != m)
		link = &(*link)->next;
	*link = m->next;
	free(m);
}

void group_comms_finish(struct vmpi *v)
{
	while (v->group_comms) {
		v->group_comms->left = 1;
		leave_group_comm(v, v->group_comms);
	}
}

/* A binomial tree over the group, to its first rank or from it. `rank` is the caller's in the group. */
static void along_tree(struct collective *c, struct group *g, struct group *all, bool down)
{
	int bits[32], levels = 0, parent = -1;

	for (int bit = 1; bit < c->size; bit <<= 1) {
		if (c->rank & bit) {
			parent = c->rank & ~bit;
			break;
		}
		if (c->rank + bit < c->size)
			bits[levels++] = c->rank + bit;
	}
	if (down && parent >= 0)
		collective_recv(c, NULL, 1, VMPI_INT, (int)group_local(all, group_world(g, (uint32_t)parent)));
	for (int i = 0; i < levels; i++) {
		int child = (int)group_local(all, group_world(g, (uint32_t)bits[down ? levels - 1 - i : i]));

		if (down)
			collective_send(c, NULL, 1, VMPI_INT, child);
		else
			collective_recv(c, NULL, 1, VMPI_INT, child);
	}
	if (!down && parent >= 0)
		collective_send(c, NULL, 1, VMPI_INT, (int)group_local(all, group_world(g, (uint32_t)parent)));
}

static void lead(struct vmpi *v, const struct comm *old, struct group *g, int tag)
{
	struct group_comm *m = mem_alloc(1, sizeof(*m), &v->err);
	int handle = m ? comm_create(&v->comms, g, &v->err) : 0;

	if (!handle || comm_inherit_errors(comm_find(&v->comms, handle), old, &v->err) < 0) {
		free(m);
		rank_fail(v);
		return;
	}
	*m = (struct group_comm){v->group_comms, old->ctx, group_world(g, 0), g->size, tag, handle};
	v->group_comms = m;
}

int vmpi_Comm_create_group(struct vmpi *v, VMPI_Comm comm, VMPI_Group group, int tag, VMPI_Comm *newcomm)
{
	struct comm *c = comm_find(&v->comms, comm);
	struct group *g = group_find(&v->comms, group);
	struct rank *r = rank_enter(v, CALL_Comm_create_group);
	struct collective tree = {.v = v, .comm = comm, .tag = GROUP_TAGS + (tag & (GROUP_TAGS / 4))};
	struct group_comm *m;

	rank_needs_all(v, "a communicator of a group alone");
	if (!c || c->remote)
		return rank_error(v, VMPI_COMM_WORLD, VMPI_ERR_COMM, "communicator %d: expected an intracommunicator",
				  comm);
	if (!g)
		return rank_error(v, comm, VMPI_ERR_GROUP, "unknown group %d", group);
	*newcomm = VMPI_COMM_NULL;
	tree.rank = (int)group_local(g, rank_index(v, r));
	tree.size = (int)g->size;
	if (tree.rank < 0)
		return g->size ? rank_error(v, comm, VMPI_ERR_GROUP, "the caller is not in the group") : VMPI_SUCCESS;
	for (uint32_t i = 0; !c->self && i < g->size; i++)
		if (group_local(c->group, group_world(g, i)) < 0)
			return rank_error(v, comm, VMPI_ERR_GROUP, "rank %u of the group is not in the communicator",
					  i);
	along_tree(&tree, g, c->group, false);
	if (tree.rank == 0)
		lead(v, c, g, tag);
	along_tree(&tree, g, c->group, true);
	m = made_by(v, c->ctx, group_world(g, 0), tag);
	*newcomm = m->handle;
	leave_group_comm(v, m);
	return VMPI_SUCCESS;
}

/* ---- without blocking ---- */

/* Runs in a task: the ranks meet, and the first makes the communicator. */
static int idup_body(struct collective *c)
{
	struct vmpi *v = c->v;
	struct comm *of = comm_find(&v->comms, c->comm);
	struct collective barrier = *c;

	barrier.body = NULL;
	collective_run(COLLECTIVE_BARRIER, &barrier);
	if (!c->split->made && comm_split_create(&v->comms, of, c->split, &v->err) < 0)
		rank_fail(v);
	*c->made = c->split->handle[c->rank];
	comm_split_leave(of, c->split);
	return VMPI_SUCCESS;
}

int vmpi_Comm_idup(struct vmpi *v, VMPI_Comm comm, VMPI_Comm *newcomm, VMPI_Request *request)
{
	struct comm *c = comm_find(&v->comms, comm);
	struct rank *r = rank_enter(v, CALL_Comm_idup);
	struct collective body = {.v = v, .request = request, .comm = comm, .body = idup_body, .made = newcomm};

	if (!c)
		return rank_error(v, VMPI_COMM_WORLD, VMPI_ERR_COMM, "unknown communicator %d", comm);
	if (c->self || c->remote) {
		int ret = vmpi_Comm_dup(v, comm, newcomm);

		*request = (VMPI_Request)request_general(v, NULL);
		request_complete(v, (uint32_t)*request, r->now, NULL);
		return ret;
	}
	body.rank = (int)comm_local(v, comm);
	body.size = (int)c->group->size;
	body.send_type = body.recv_type = VMPI_BYTE;
	body.split = comm_split_sync(c, (uint32_t)body.rank, &v->err);
	if (!body.split)
		rank_fail(v);
	comm_split_put(v, c, body.split, (uint32_t)body.rank, 0, body.rank);
	return collective_start(COLLECTIVE_BARRIER, &body);
}
