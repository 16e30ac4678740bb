/*
 * Calls: intercommunicators (MPI 3.1, 6.6). Each of the two groups has a communicator struct of its own, of the same
 * context, and a hidden communicator of the group alone. To make them, each group splits, its leaders meet over
 * messages, and each then informs its group. What they bring is in ../objects/comm_halves.c.
 */
#include <stdlib.h>

#include "../../../psim/base/mem.h"
#include "../collectives/collective.h"
#include "../message/run_checks.h"
#include "object_calls.h"

/* Tags of leaders' messages, above those of nonblocking collectives. */
enum { MEETING_TAGS = 1 << 30 };

/*
 * The leader of the hidden communicator `local` brings its half, NULL if memory is short, and meets rank `peer` of
 * `comm`, which brings the other one; the messages represent their exchange.
 */
static void meet(struct vmpi *v, VMPI_Comm comm, int peer, int tag, struct group_half *h)
{
	const struct comm *c = comm_find(&v->comms, comm);
	struct collective exchange = {.v = v, .comm = comm, .tag = MEETING_TAGS + tag};
	int ret = -1;

	if (h) {
		h->peer = c->key;
		h->leader = v->current->world;
		h->other = group_world(comm_peers(c), (uint32_t)peer);
		h->tag = tag;
		remote_half(v, h);
		ret = comm_put_half(&v->comms, h, &v->err);
	}
	free(h);
	if (ret < 0)
		rank_stop(v);
	if (v->checks)
		check_made(v);
	collective_sendrecv(&exchange, NULL, 1, VMPI_INT, peer, NULL, 1, VMPI_INT, peer);
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

int vmpi_Intercomm_create(struct vmpi *v, VMPI_Comm local_comm, int local_leader, VMPI_Comm peer_comm,
			  int remote_leader, int tag, VMPI_Comm *newcomm)
{
	const struct comm *c = comm_find(&v->comms, local_comm);
	VMPI_Comm local;
	int ret;

	rank_enter(v, CALL_Intercomm_create);
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
	if ((int)comm_local(v, local) == local_leader)
		meet(v, peer_comm, remote_leader, tag,
		     comm_half(comm_find(&v->comms, local), HALF_CREATE, NULL, &v->err));
	tell_group(v, local, local_leader);
	*newcomm = comm_find(&v->comms, local)->pair;
	return VMPI_SUCCESS;
}

/* The split of the hidden communicator `c` that the running rank has reached. */
static struct split_sync *reach_split(struct vmpi *v, struct comm *c, uint32_t rank)
{
	struct split_sync *m = comm_split_sync(c, rank, &v->err);

	if (!m)
		rank_stop(v);
	return m;
}

/*
 * Splits both groups by colour. The hidden communicator's split keeps colours and handles until all ranks have left it,
 * which no leader does before it has met the other.
 */
int inter_split(struct vmpi *v, VMPI_Comm inter, int color, int key, VMPI_Comm *newcomm)
{
	VMPI_Comm local = comm_find(&v->comms, inter)->local_comm;
	struct comm *own = comm_find(&v->comms, local);
	uint32_t rank = comm_local(v, local);
	struct split_sync *m = reach_split(v, own, rank);
	int mine;

	if (!m)
		return VMPI_ERR_OTHER;
	comm_split_put(v, own, m, rank, color, key);
	collective_barrier(v, local);
	if (!m->made && comm_split_create(&v->comms, own, m, &v->err) < 0)
		rank_stop(v);
	if (rank == 0)
		meet(v, inter, 0, 0, comm_half(own, HALF_SPLIT, m, &v->err));
	tell_group(v, local, 0);
	mine = m->handle[rank];
	*newcomm = mine ? comm_find(&v->comms, mine)->pair : VMPI_COMM_NULL;
	comm_split_leave(own, m);
	return VMPI_SUCCESS;
}

/* ---- merging ---- */

int vmpi_Intercomm_merge(struct vmpi *v, VMPI_Comm intercomm, int high, VMPI_Comm *newcomm)
{
	const struct comm *c = comm_find(&v->comms, intercomm);
	struct comm *own;
	struct split_sync *m;
	struct group_half *h;
	uint32_t rank;

	rank_enter(v, CALL_Intercomm_merge);
	if (!c || !c->remote)
		return rank_error(v, VMPI_COMM_WORLD, VMPI_ERR_COMM, "communicator %d: expected an intercommunicator",
				  intercomm);
	own = comm_find(&v->comms, c->local_comm);
	rank = comm_local(v, c->local_comm);
	m = reach_split(v, own, rank);
	if (!m)
		return VMPI_ERR_OTHER;
	if (rank == 0) {
		h = comm_half(own, HALF_MERGE, m, &v->err);
		if (h)
			h->high = high != 0;
		meet(v, intercomm, 0, 0, h);
	}
	tell_group(v, c->local_comm, 0);
	*newcomm = m->handle[0];
	comm_split_leave(own, m);
	if (comm_inherit_errors(comm_find(&v->comms, *newcomm), c, &v->err) < 0)
		rank_stop(v);
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
		rank_stop(v);
	return VMPI_SUCCESS;
}
