/* Calls: communicators that a group alone makes, or that ranks make without blocking. */
#include <stdlib.h>

#include "../../../psim/base/mem.h"
#include "../collectives/collective.h"
#include "../message/run_checks.h"
#include "object_calls.h"

/* Tags of messages that make communicators, above those of nonblocking collectives and of calls_inter.c. */
enum { GROUP_TAGS = 3 << 29 };

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

int vmpi_Comm_create_group(struct vmpi *v, VMPI_Comm comm, VMPI_Group group, int tag, VMPI_Comm *newcomm)
{
	struct comm *c = comm_find(&v->comms, comm);
	struct group *g = group_find(&v->comms, group);
	struct rank *r = rank_enter(v, CALL_Comm_create_group);
	struct collective tree = {.v = v, .comm = comm, .tag = GROUP_TAGS + (tag & (GROUP_TAGS / 4))};
	uint32_t own = r->world;
	int handle;

	if (!c || c->remote)
		return rank_error(v, VMPI_COMM_WORLD, VMPI_ERR_COMM, "communicator %d: expected an intracommunicator",
				  comm);
	if (!g)
		return rank_error(v, comm, VMPI_ERR_GROUP, "unknown group %d", group);
	*newcomm = VMPI_COMM_NULL;
	tree.rank = (int)group_local(g, own);
	tree.size = (int)g->size;
	if (tree.rank < 0)
		return g->size ? rank_error(v, comm, VMPI_ERR_GROUP, "the caller is not in the group") : VMPI_SUCCESS;
	for (uint32_t i = 0; !c->self && i < g->size; i++)
		if (group_local(c->group, group_world(g, i)) < 0)
			return rank_error(v, comm, VMPI_ERR_GROUP, "rank %u of the group is not in the communicator",
					  i);
	/* when the first rank knows that all have come, each process has the communicator */
	handle = c->self ? comm_of_self(v) : comm_of_group(&v->comms, c, g, tag, (uint32_t)tree.rank, &v->err);
	if (!handle)
		rank_stop(v);
	if (v->checks)
		check_made(v);
	along_tree(&tree, g, c->group, false);
	along_tree(&tree, g, c->group, true);
	if (comm_set_errhandler(comm_find(&v->comms, handle), own, comm_errhandler(c, own), &v->err) < 0)
		rank_stop(v);
	*newcomm = handle;
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
		rank_stop(v);
	if (v->checks)
		check_made(v);
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
		int ret = comm_duplicate(v, comm, c, newcomm);

		*request = (VMPI_Request)request_general(v, NULL);
		request_complete(v, (uint32_t)*request, r->now, NULL);
		return ret;
	}
	body.rank = (int)comm_local(v, comm);
	body.size = (int)c->group->size;
	body.send_type = body.recv_type = VMPI_BYTE;
	body.split = comm_split_sync(c, (uint32_t)body.rank, &v->err);
	if (!body.split)
		rank_stop(v);
	comm_split_put(v, c, body.split, (uint32_t)body.rank, 0, body.rank);
	return collective_start(COLLECTIVE_BARRIER, &body);
}
