/* Calls: windows and their synchronization (MPI 3.1, 11.2 and 11.5). The operations are in calls_onesided.c. */
#include <stdlib.h>
#include <string.h>

#include "../../../psim/base/mem.h"
#include "../collectives/collective.h"
#include "window_calls.h"

struct window *window_enter(struct vmpi *v, enum call_id call, VMPI_Win win, struct window_part **p, int *ret)
{
	struct window *w = window_find(v, win);

	rank_enter(v, call);
	*ret = VMPI_SUCCESS;
	if (w)
		*p = &w->part[comm_local(v, w->comm)];
	else
		*ret = rank_error(v, VMPI_COMM_WORLD, VMPI_ERR_WIN, "unknown window %d", win);
	return w;
}

bool window_exists(const struct vmpi *v, int win)
{
	return window_find(v, win) != NULL;
}

int *window_errhandler(struct vmpi *v, int win)
{
	struct window *w = window_find(v, win);

	return w ? &w->part[comm_local(v, w->comm)].errhandler : NULL;
}

bool window_attribute(struct vmpi *v, int win, int keyval, void **value)
{
	struct window *w = window_find(v, win);
	struct window_part *p = &w->part[comm_local(v, w->comm)];

	switch (keyval) {
	case VMPI_WIN_BASE: *value = p->base; return true;
	case VMPI_WIN_SIZE: *value = &p->size; return true;
	case VMPI_WIN_DISP_UNIT: *value = &p->disp_unit; return true;
	case VMPI_WIN_CREATE_FLAVOR: *value = &p->flavor; return true;
	case VMPI_WIN_MODEL: *value = &p->model; return true;
	default: return false;
	}
}

int *window_hints(struct vmpi *v, int win)
{
	struct window *w = window_find(v, win);

	return w ? &w->part[comm_local(v, w->comm)].hints : NULL;
}

/* ---- making ---- */

/* Checks the arguments of a call that makes a window; returns VMPI_SUCCESS, or a VMPI_ERR_… after reporting it. */
static int check_window(struct vmpi *v, VMPI_Comm comm, VMPI_Info info, const struct window_part *part)
{
	const struct comm *c = comm_find(&v->comms, comm);

	if (!c || c->remote)
		return rank_error(v, VMPI_COMM_WORLD, VMPI_ERR_COMM, "communicator %d: expected an intracommunicator",
				  comm);
	if (part->size < 0)
		return rank_error(v, comm, VMPI_ERR_SIZE, "size %ld: expected 0 or more", (long)part->size);
	if (info != VMPI_INFO_NULL && !info_find(&v->mpi.infos, info))
		return rank_error(v, comm, VMPI_ERR_INFO, "unknown info object %d", info);
	if (part->disp_unit < 1)
		return rank_error(v, comm, VMPI_ERR_DISP, "unit of %d bytes: expected 1 or more", part->disp_unit);
	return VMPI_SUCCESS;
}

/*
 * Makes a window of this kind: the window, or NULL, with what the call returns in *ret. The part's
 * memory is the caller's to set before the ranks meet again.
 */
static struct window *make_window(struct vmpi *v, VMPI_Comm comm, VMPI_Info info, const struct window_part *part,
				  VMPI_Win *win, int *ret)
{
	struct window *w;
	struct window_part *p;
	VMPI_Comm own;

	*ret = check_window(v, comm, info, part);
	if (*ret == VMPI_SUCCESS)
		*ret = comm_split_ranks(v, comm, 0, (int)comm_local(v, comm), &own);
	if (*ret != VMPI_SUCCESS)
		return NULL;
	*win = window_of_comm(v, own);
	w = *win ? window_find(v, *win) : NULL;
	if (!w) {
		rank_stop(v);
		*ret = VMPI_ERR_OTHER;
		return NULL;
	}
	p = &w->part[comm_local(v, own)];
	*p = *part;
	p->model = VMPI_WIN_UNIFIED;
	p->errhandler = ERRHANDLER_FATAL;
	p->wait_target = -1;
	hints_take(v, &p->hints, info);
	return w;
}

/* The part is complete: all ranks may use it when they have met. */
static void meet_at_window(struct vmpi *v, const struct window *w)
{
	remote_window_part(v, w, comm_local(v, w->comm));
	collective_barrier(v, w->comm);
}

int vmpi_Win_create(struct vmpi *v, void *base, VMPI_Aint size, int disp_unit, VMPI_Info info, VMPI_Comm comm,
		    VMPI_Win *win)
{
	struct window_part part = {
		.base = base, .size = size, .disp_unit = disp_unit, .flavor = VMPI_WIN_FLAVOR_CREATE};
	struct window *w;
	int ret;

	rank_enter(v, CALL_Win_create);
	w = make_window(v, comm, info, &part, win, &ret);
	if (w)
		meet_at_window(v, w);
	return ret;
}

int vmpi_Win_create_dynamic(struct vmpi *v, VMPI_Info info, VMPI_Comm comm, VMPI_Win *win)
{
	struct window_part part = {.disp_unit = 1, .flavor = VMPI_WIN_FLAVOR_DYNAMIC};
	struct window *w;
	int ret;

	rank_enter(v, CALL_Win_create_dynamic);
	w = make_window(v, comm, info, &part, win, &ret);
	if (w)
		meet_at_window(v, w);
	return ret;
}

int vmpi_Win_allocate(struct vmpi *v, VMPI_Aint size, int disp_unit, VMPI_Info info, VMPI_Comm comm, void *baseptr,
		      VMPI_Win *win)
{
	struct window_part part = {.size = size, .disp_unit = disp_unit, .flavor = VMPI_WIN_FLAVOR_ALLOCATE};
	struct window_part *p;
	struct window *w;
	int ret;

	rank_enter(v, CALL_Win_allocate);
	w = make_window(v, comm, info, &part, win, &ret);
	if (!w)
		return ret;
	p = &w->part[comm_local(v, w->comm)];
	p->base = mem_alloc(size ? (size_t)size : 1, 1, &v->err);
	if (!p->base)
		rank_stop(v);
	p->own_memory = true;
	*(void **)baseptr = p->base;
	meet_at_window(v, w);
	return VMPI_SUCCESS;
}

/* Ranks that share memory are on one node: their parts follow each other. */
static void place_shared(struct vmpi *v, struct window *w)
{
	size_t total = 0;
	char *at;

	if (w->shared)
		return;
	for (uint32_t i = 0; i < w->size; i++)
		total += (size_t)w->part[i].size;
	w->shared = at = mem_alloc(total ? total : 1, 1, &v->err);
	if (!at)
		rank_stop(v);
	for (uint32_t i = 0; i < w->size; i++) {
		w->part[i].base = w->part[i].size ? at : NULL;
		at += w->part[i].size;
	}
}

int vmpi_Win_allocate_shared(struct vmpi *v, VMPI_Aint size, int disp_unit, VMPI_Info info, VMPI_Comm comm,
			     void *baseptr, VMPI_Win *win)
{
	struct window_part part = {.size = size, .disp_unit = disp_unit, .flavor = VMPI_WIN_FLAVOR_SHARED};
	const struct comm *c = comm_find(&v->comms, comm);
	struct window *w;
	int ret;

	rank_enter(v, CALL_Win_allocate_shared);
	for (uint32_t i = 0; c && !c->self && i < c->group->size; i++)
		if (v->ranks[group_world(c->group, i)].node != v->current->node)
			return rank_error(v, comm, VMPI_ERR_RMA_SHARED,
					  "ranks on several nodes, expected those of one: Comm_split_type");
	w = make_window(v, comm, info, &part, win, &ret);
	if (!w)
		return ret;
	collective_barrier(v, w->comm);
	place_shared(v, w);
	*(void **)baseptr = w->part[comm_local(v, w->comm)].base;
	return VMPI_SUCCESS;
}

int vmpi_Win_shared_query(struct vmpi *v, VMPI_Win win, int rank, VMPI_Aint *size, int *disp_unit, void *baseptr)
{
	int ret;
	struct window_part *p;
	const struct window *w = window_enter(v, CALL_Win_shared_query, win, &p, &ret);

	if (!w)
		return ret;
	if (p->flavor != VMPI_WIN_FLAVOR_SHARED)
		return rank_error_by(v, p->errhandler, win, VMPI_ERR_RMA_FLAVOR,
				     "window %d has no shared memory, expected one of Win_allocate_shared", win);
	if (rank != VMPI_PROC_NULL && (rank < 0 || (uint32_t)rank >= w->size))
		return rank_error_by(v, p->errhandler, win, VMPI_ERR_RANK, "rank %d: expected 0 to %u", rank,
				     w->size - 1);
	p = &w->part[rank < 0 ? 0 : rank];
	for (uint32_t i = 0; rank == VMPI_PROC_NULL && !p->size && i < w->size; i++)
		p = &w->part[i]; /* the first with memory */
	*size = p->size;
	*disp_unit = p->disp_unit;
	*(void **)baseptr = p->base;
	return VMPI_SUCCESS;
}

int vmpi_Win_attach(struct vmpi *v, VMPI_Win win, void *base, VMPI_Aint size)
{
	int ret;
	struct window_part *p;
	const struct window *w = window_enter(v, CALL_Win_attach, win, &p, &ret);
	struct window_region *r;

	if (!w)
		return ret;
	if (p->flavor != VMPI_WIN_FLAVOR_DYNAMIC)
		return rank_error_by(v, p->errhandler, win, VMPI_ERR_RMA_FLAVOR,
				     "window %d: expected one of Win_create_dynamic", win);
	r = vec_push(&p->regions, &v->err);
	if (!r)
		rank_stop(v);
	*r = (struct window_region){base, size};
	remote_window_region(v, w, comm_local(v, w->comm), base, size);
	return VMPI_SUCCESS;
}

int vmpi_Win_detach(struct vmpi *v, VMPI_Win win, const void *base)
{
	int ret;
	struct window_part *p;
	const struct window *w = window_enter(v, CALL_Win_detach, win, &p, &ret);

	if (!w)
		return ret;
	for (size_t i = 0; i < p->regions.count; i++)
		if (p->regions.at[i].base == base) {
			p->regions.at[i] = p->regions.at[--p->regions.count];
			remote_window_region(v, w, comm_local(v, w->comm), base, -1);
			return VMPI_SUCCESS;
		}
	return rank_error_by(v, p->errhandler, win, VMPI_ERR_RMA_ATTACH, "memory that is not attached");
}

/* All operations of the rank are done at their targets. */
static void flush_window(struct vmpi *v, struct window_part *p, int64_t target, bool local)
{
	window_wait(v, p, window_flushed, target, local);
}

int vmpi_Win_free(struct vmpi *v, VMPI_Win *win)
{
	int ret;
	struct window_part *p;
	struct window *w = window_enter(v, CALL_Win_free, *win, &p, &ret);
	VMPI_Comm comm;

	if (!w || (ret = attributes_delete_all(v, OBJECT_WIN, *win)))
		return ret;
	if (p->held_count != p->grants || p->all_held || p->accessed || p->exposed)
		return rank_error_by(v, p->errhandler, *win, VMPI_ERR_RMA_SYNC, "window %d is in use", *win);
	flush_window(v, p, -1, false);
	comm = w->comm;
	info_release(&v->mpi.infos, p->hints);
	p->hints = 0;
	collective_barrier(v, comm);
	window_release(v, *win);
	comm_drop(v, comm);
	*win = VMPI_WIN_NULL;
	return VMPI_SUCCESS;
}

int vmpi_Win_get_group(struct vmpi *v, VMPI_Win win, VMPI_Group *group)
{
	int ret;
	struct window_part *p;
	const struct window *w = window_enter(v, CALL_Win_get_group, win, &p, &ret);

	if (!w)
		return ret;
	*group = group_handle(&v->comms, comm_find(&v->comms, w->comm)->group, &v->err);
	if (!*group)
		rank_stop(v);
	return VMPI_SUCCESS;
}

int vmpi_Win_set_name(struct vmpi *v, VMPI_Win win, const char *name)
{
	int ret;
	struct window_part *p;

	if (window_enter(v, CALL_Win_set_name, win, &p, &ret))
		snprintf(p->name, sizeof(p->name), "%s", name);
	return ret;
}

int vmpi_Win_get_name(struct vmpi *v, VMPI_Win win, char *name, int *resultlen)
{
	int ret;
	struct window_part *p;

	if (window_enter(v, CALL_Win_get_name, win, &p, &ret))
		*resultlen = snprintf(name, VMPI_MAX_OBJECT_NAME, "%s", p->name);
	return ret;
}

/* ---- fences ---- */

int vmpi_Win_fence(struct vmpi *v, int assert, VMPI_Win win)
{
	int ret;
	struct window_part *p;
	const struct window *w = window_enter(v, CALL_Win_fence, win, &p, &ret);

	if (!w)
		return ret;
	rank_busy(v, v->current, v->overhead);
	flush_window(v, p, -1, false);
	collective_barrier(v, w->comm);
	p->fenced = !(assert &VMPI_MODE_NOSUCCEED);
	return VMPI_SUCCESS;
}

/* ---- post, start, complete, wait ---- */

/* Sends a control message to each rank of a group. */
static int send_to_group(struct vmpi *v, VMPI_Win win, const struct window_part *p, const struct group *g,
			 enum window_op_kind kind)
{
	struct group *all = comm_find(&v->comms, window_find(v, win)->comm)->group;

	for (uint32_t i = 0; i < g->size; i++) {
		int64_t local = group_local(all, group_world(g, i));

		if (local < 0)
			return rank_error_by(v, p->errhandler, win, VMPI_ERR_GROUP,
					     "the group has a rank that the window has not");
		rank_busy(v, v->current, v->overhead);
		window_op_start(v, window_op_make(v, win, kind, (uint32_t)local));
	}
	return VMPI_SUCCESS;
}

static int enter_group(struct vmpi *v, enum call_id call, VMPI_Group group, VMPI_Win win, struct window_part **p,
		       struct group **g)
{
	int ret;

	*g = group_find(&v->comms, group);
	if (!window_enter(v, call, win, p, &ret))
		return ret;
	return *g ? VMPI_SUCCESS : rank_error_by(v, (*p)->errhandler, win, VMPI_ERR_GROUP, "unknown group %d", group);
}

int vmpi_Win_post(struct vmpi *v, VMPI_Group group, int assert, VMPI_Win win)
{
	struct window_part *p = NULL;
	struct group *g;
	int ret = enter_group(v, CALL_Win_post, group, win, &p, &g);

	if (ret)
		return ret;
	if (p->exposed)
		return rank_error_by(v, p->errhandler, win, VMPI_ERR_RMA_SYNC, "posted twice, without Win_wait");
	p->exposed = g;
	g->users++;
	return assert &VMPI_MODE_NOCHECK ? VMPI_SUCCESS : send_to_group(v, win, p, g, WINDOW_POST);
}

/* Returns whether all ranks of the group that the rank accesses have posted. */
static bool all_posted(const struct vmpi *v, struct window_part *p)
{
	const struct window *w = window_find(v, p->wait_window);
	struct group *all = comm_find(&v->comms, w->comm)->group;

	for (uint32_t i = 0; i < p->accessed->size; i++) {
		int64_t local = group_local(all, group_world(p->accessed, i));

		if (!p->posted || local < 0 || !p->posted[local])
			return false;
	}
	return true;
}

int vmpi_Win_start(struct vmpi *v, VMPI_Group group, int assert, VMPI_Win win)
{
	struct window_part *p = NULL;
	struct group *g;
	int ret = enter_group(v, CALL_Win_start, group, win, &p, &g);
	struct group *all;

	if (ret)
		return ret;
	if (p->accessed)
		return rank_error_by(v, p->errhandler, win, VMPI_ERR_RMA_SYNC, "started twice, without Win_complete");
	p->accessed = g;
	g->users++;
	rank_busy(v, v->current, v->overhead);
	if (assert & VMPI_MODE_NOCHECK)
		return VMPI_SUCCESS;
	p->wait_window = win;
	window_wait(v, p, all_posted, -1, false);
	all = comm_find(&v->comms, window_find(v, win)->comm)->group;
	for (uint32_t i = 0; i < g->size; i++)
		p->posted[group_local(all, group_world(g, i))]--;
	return VMPI_SUCCESS;
}

int vmpi_Win_complete(struct vmpi *v, VMPI_Win win)
{
	int ret;
	struct window_part *p;

	if (!window_enter(v, CALL_Win_complete, win, &p, &ret))
		return ret;
	if (!p->accessed)
		return rank_error_by(v, p->errhandler, win, VMPI_ERR_RMA_SYNC,
				     "no access epoch, expected Win_start before");
	flush_window(v, p, -1, false);
	ret = send_to_group(v, win, p, p->accessed, WINDOW_COMPLETE);
	group_drop(p->accessed);
	p->accessed = NULL;
	return ret;
}

static bool all_completed(const struct vmpi *v, struct window_part *p)
{
	(void)v;
	return p->completions >= p->exposed->size;
}

static void end_exposure(struct window_part *p)
{
	p->completions -= p->exposed->size;
	group_drop(p->exposed);
	p->exposed = NULL;
}

int vmpi_Win_wait(struct vmpi *v, VMPI_Win win)
{
	int ret;
	struct window_part *p;

	if (!window_enter(v, CALL_Win_wait, win, &p, &ret))
		return ret;
	if (!p->exposed)
		return rank_error_by(v, p->errhandler, win, VMPI_ERR_RMA_SYNC,
				     "no exposure epoch, expected Win_post before");
	window_wait(v, p, all_completed, -1, false);
	end_exposure(p);
	return VMPI_SUCCESS;
}

int vmpi_Win_test(struct vmpi *v, VMPI_Win win, int *flag)
{
	int ret;
	struct window_part *p;

	if (!window_enter(v, CALL_Win_test, win, &p, &ret))
		return ret;
	if (!p->exposed)
		return rank_error_by(v, p->errhandler, win, VMPI_ERR_RMA_SYNC,
				     "no exposure epoch, expected Win_post before");
	rank_poll(v, v->current);
	*flag = all_completed(v, p);
	if (*flag)
		end_exposure(p);
	return VMPI_SUCCESS;
}

/* ---- locks ---- */

static bool all_granted(const struct vmpi *v, struct window_part *p)
{
	(void)v;
	return p->grants == p->held_count;
}

static void ask_lock(struct vmpi *v, VMPI_Win win, struct window_part *p, uint32_t target, int type)
{
	uint32_t i = window_op_make(v, win, WINDOW_LOCK, target);

	window_op_at(v, i)->lock = (uint8_t)type;
	p->held_count++;
	window_op_start(v, i);
}

static void give_lock(struct vmpi *v, VMPI_Win win, uint32_t target, int type)
{
	uint32_t i = window_op_make(v, win, WINDOW_UNLOCK, target);

	window_op_at(v, i)->lock = (uint8_t)type;
	window_op_start(v, i);
}

enum { LOCK_UNCHECKED = 4 }; /* held by the program's assertion: without messages */

int vmpi_Win_lock(struct vmpi *v, int lock_type, int rank, int assert, VMPI_Win win)
{
	int ret;
	struct window_part *p;
	const struct window *w = window_enter(v, CALL_Win_lock, win, &p, &ret);

	if (!w)
		return ret;
	if (lock_type != VMPI_LOCK_SHARED && lock_type != VMPI_LOCK_EXCLUSIVE)
		return rank_error_by(v, p->errhandler, win, VMPI_ERR_LOCKTYPE,
				     "type of lock %d: expected "
				     "MPI_LOCK_SHARED or MPI_LOCK_EXCLUSIVE",
				     lock_type);
	if (rank == VMPI_PROC_NULL)
		return VMPI_SUCCESS;
	if (rank < 0 || (uint32_t)rank >= w->size)
		return rank_error_by(v, p->errhandler, win, VMPI_ERR_RANK, "rank %d: expected 0 to %u", rank,
				     w->size - 1);
	if (!p->held)
		p->held = mem_alloc(w->size, 1, &v->err);
	if (!p->held)
		rank_stop(v);
	if (p->held[rank] || p->all_held)
		return rank_error_by(v, p->errhandler, win, VMPI_ERR_RMA_SYNC, "rank %d is locked already", rank);
	rank_busy(v, v->current, v->overhead);
	p->held[rank] = (uint8_t)(assert &VMPI_MODE_NOCHECK ? LOCK_UNCHECKED : lock_type);
	if (assert & VMPI_MODE_NOCHECK)
		return VMPI_SUCCESS;
	ask_lock(v, win, p, (uint32_t)rank, lock_type);
	window_wait(v, p, all_granted, -1, false);
	return VMPI_SUCCESS;
}

int vmpi_Win_unlock(struct vmpi *v, int rank, VMPI_Win win)
{
	int ret;
	struct window_part *p;
	const struct window *w = window_enter(v, CALL_Win_unlock, win, &p, &ret);

	if (!w || rank == VMPI_PROC_NULL)
		return ret;
	if (rank < 0 || (uint32_t)rank >= w->size)
		return rank_error_by(v, p->errhandler, win, VMPI_ERR_RANK, "rank %d: expected 0 to %u", rank,
				     w->size - 1);
	if (!p->held || !p->held[rank])
		return rank_error_by(v, p->errhandler, win, VMPI_ERR_RMA_SYNC, "rank %d is not locked", rank);
	rank_busy(v, v->current, v->overhead);
	flush_window(v, p, rank, false);
	if (p->held[rank] != LOCK_UNCHECKED)
		give_lock(v, win, (uint32_t)rank, p->held[rank]);
	p->held[rank] = 0;
	return VMPI_SUCCESS;
}

int vmpi_Win_lock_all(struct vmpi *v, int assert, VMPI_Win win)
{
	int ret;
	struct window_part *p;
	const struct window *w = window_enter(v, CALL_Win_lock_all, win, &p, &ret);

	if (!w)
		return ret;
	if (p->all_held)
		return rank_error_by(v, p->errhandler, win, VMPI_ERR_RMA_SYNC, "all ranks are locked already");
	rank_busy(v, v->current, v->overhead);
	p->all_held = true;
	p->all_unchecked = (assert &VMPI_MODE_NOCHECK) != 0;
	for (uint32_t i = 0; !p->all_unchecked && i < w->size; i++)
		ask_lock(v, win, p, i, VMPI_LOCK_SHARED);
	window_wait(v, p, all_granted, -1, false);
	return VMPI_SUCCESS;
}

int vmpi_Win_unlock_all(struct vmpi *v, VMPI_Win win)
{
	int ret;
	struct window_part *p;
	const struct window *w = window_enter(v, CALL_Win_unlock_all, win, &p, &ret);

	if (!w)
		return ret;
	if (!p->all_held)
		return rank_error_by(v, p->errhandler, win, VMPI_ERR_RMA_SYNC,
				     "no locks, expected Win_lock_all before");
	rank_busy(v, v->current, v->overhead);
	flush_window(v, p, -1, false);
	for (uint32_t i = 0; !p->all_unchecked && i < w->size; i++)
		give_lock(v, win, i, VMPI_LOCK_SHARED);
	p->all_held = false;
	return VMPI_SUCCESS;
}

/* ---- flushes ---- */

static int flush_call(struct vmpi *v, enum call_id call, int64_t rank, bool local, VMPI_Win win)
{
	int ret;
	struct window_part *p;
	const struct window *w = window_enter(v, call, win, &p, &ret);

	if (!w || rank == VMPI_PROC_NULL)
		return ret;
	if (rank >= (int64_t)w->size || rank < FLUSH_ALL)
		return rank_error_by(v, p->errhandler, win, VMPI_ERR_RANK, "rank %lld: expected 0 to %u",
				     (long long)rank, w->size - 1);
	if (!p->all_held && !p->held)
		return rank_error_by(v, p->errhandler, win, VMPI_ERR_RMA_SYNC, "no lock, expected Win_lock before");
	rank_poll(v, v->current);
	flush_window(v, p, rank == FLUSH_ALL ? -1 : rank, local);
	return VMPI_SUCCESS;
}

int vmpi_Win_flush(struct vmpi *v, int rank, VMPI_Win win)
{
	return flush_call(v, CALL_Win_flush, rank, false, win);
}

int vmpi_Win_flush_all(struct vmpi *v, VMPI_Win win)
{
	return flush_call(v, CALL_Win_flush_all, FLUSH_ALL, false, win);
}

int vmpi_Win_flush_local(struct vmpi *v, int rank, VMPI_Win win)
{
	return flush_call(v, CALL_Win_flush_local, rank, true, win);
}

int vmpi_Win_flush_local_all(struct vmpi *v, VMPI_Win win)
{
	return flush_call(v, CALL_Win_flush_local_all, FLUSH_ALL, true, win);
}

int vmpi_Win_sync(struct vmpi *v, VMPI_Win win)
{
	int ret;
	struct window_part *p;

	if (!window_enter(v, CALL_Win_sync, win, &p, &ret))
		return ret;
	rank_poll(v, v->current);
	return VMPI_SUCCESS;
}
