/*
 * Events of windows and one-sided operations. A window of a trace has a size and no memory. What the line may not do is
 * refused here, with the line; the window's own errors are returned, and end the run with the line, too.
 */
#include <limits.h>
#include <string.h>

#include "../../../psim/base/mem.h"
#include "../message/mpi_window.h"
#include "replay_call.h"

enum { RANK_NONE = -1, RANK_ALL = -2 };

#define SIZE_ANY (INT64_MAX / 2)

/* ---- what lines have ---- */

void replay_read_window(struct replay_call *c, const char *text)
{
	long long id = replay_number_at(c, text, NULL, 0, INT_MAX, "win");

	for (size_t i = c->r->windows.count; i-- > 0;)
		if (c->r->windows.at[i].id == id) {
			c->win = c->r->windows.at[i].handle;
			return;
		}
	replay_wrong(c, "win=%lld: unknown, expected one of the rank's windows", id);
}

/* The window of the line, and the rank's part. Calls that are no operations block. */
static struct window *window_of_line(const struct replay_call *c, bool operation, struct window_part **p)
{
	struct window *w = window_find(c->v, c->win);

	if (!w)
		replay_wrong(c, "no win=NUMBER, expected that of the window");
	if (c->request && !operation)
		replay_wrong(c, "req= of an event that blocks, expected none");
	*p = &w->part[comm_local(c->v, w->comm)];
	return w;
}

/* Word `i`: a rank of the window, or one of these words. */
static int window_rank(const struct replay_call *c, unsigned i, const struct window *w, const char *word, int value)
{
	if (word && i < c->words && strcmp(c->word[i], word) == 0)
		return value;
	return (int)replay_number(c, i, 0, (long long)w->size - 1, "rank");
}

/* Ends the run if the call returned an error. */
static int returned(const struct replay_call *c, int ret)
{
	char text[VMPI_MAX_ERROR_STRING];
	int length;

	if (ret == VMPI_SUCCESS)
		return ret;
	vmpi_Error_string(c->v, ret, text, &length);
	replay_wrong(c, "%s", text);
}

/* ---- windows ---- */

int replay_window(struct replay_call *c)
{
	bool any = c->words && strcmp(c->word[0], "any") == 0;
	int64_t size = any ? SIZE_ANY : replay_number(c, 0, 0, SIZE_ANY, "size of the window");
	struct replay_rank *r = c->r;
	struct vmpi *v = c->v;
	struct replay_comm *made;
	VMPI_Win win;
	int ret;

	if (c->made < 0)
		replay_wrong(c, "no new=NUMBER, expected that of the window");
	if (c->request)
		replay_wrong(c, "req= of an event that blocks, expected none");
	ret = vmpi_Win_create(v, NULL, size, 1, VMPI_INFO_NULL, c->comm, &win);
	if (ret)
		return ret;
	vmpi_Win_set_errhandler(v, win, VMPI_ERRORS_RETURN);
	made = vec_push(&r->windows, &v->err);
	if (!made)
		rank_stop(v);
	*made = (struct replay_comm){c->made, win};
	return ret;
}

int replay_window_free(struct replay_call *c)
{
	struct replay_rank *r = c->r;
	struct window_part *p;
	VMPI_Win win = c->win;

	window_of_line(c, false, &p);
	for (size_t i = 0; i < r->windows.count; i++)
		if (r->windows.at[i].handle == win) {
			memmove(&r->windows.at[i], &r->windows.at[i + 1],
				(--r->windows.count - i) * sizeof(*r->windows.at));
			break;
		}
	return returned(c, vmpi_Win_free(c->v, &win));
}

/* ---- operations ---- */

struct replay_access {
	int rank;
	VMPI_Aint at;
	struct replay_part part;
};

static struct replay_access access_of_line(struct replay_call *c)
{
	struct window_part *p;
	const struct window *w = window_of_line(c, true, &p);
	struct replay_access a = {.rank = window_rank(c, 0, w, "none", RANK_NONE),
				  .at = replay_number(c, 1, 0, SIZE_ANY, "displacement"),
				  .part = replay_part_at(c, 2, false)};
	int64_t bytes = a.part.count * type_find(&c->v->types, a.part.type)->size, size;

	if (a.rank == RANK_NONE) {
		a.rank = VMPI_PROC_NULL;
		return a;
	}
	size = w->part[a.rank].size;
	if (!window_accessible(c->v, w, p, (uint32_t)a.rank))
		replay_wrong(c, "no access to rank %d, expected fence, start or lock before", a.rank);
	if (bytes && (bytes > size || a.at > size - bytes))
		replay_wrong(c, "%lld bytes from byte %lld: outside of the window of rank %d, which has %lld bytes",
			     (long long)bytes, (long long)a.at, a.rank, (long long)size);
	return a;
}

int replay_put(struct replay_call *c)
{
	struct replay_access a = access_of_line(c);
	int n = a.part.count;
	VMPI_Datatype t = a.part.type;

	if (c->request)
		return returned(c, vmpi_Rput(c->v, NULL, n, t, a.rank, a.at, n, t, c->win, c->request));
	return returned(c, vmpi_Put(c->v, NULL, n, t, a.rank, a.at, n, t, c->win));
}

int replay_get(struct replay_call *c)
{
	struct replay_access a = access_of_line(c);
	int n = a.part.count;
	VMPI_Datatype t = a.part.type;

	if (c->request)
		return returned(c, vmpi_Rget(c->v, NULL, n, t, a.rank, a.at, n, t, c->win, c->request));
	return returned(c, vmpi_Get(c->v, NULL, n, t, a.rank, a.at, n, t, c->win));
}

int replay_accumulate(struct replay_call *c)
{
	struct replay_access a = access_of_line(c);
	int n = a.part.count;
	VMPI_Datatype t = a.part.type;

	if (c->request)
		return returned(
			c, vmpi_Raccumulate(c->v, NULL, n, t, a.rank, a.at, n, t, VMPI_REPLACE, c->win, c->request));
	return returned(c, vmpi_Accumulate(c->v, NULL, n, t, a.rank, a.at, n, t, VMPI_REPLACE, c->win));
}

int replay_get_accumulate(struct replay_call *c)
{
	struct replay_access a = access_of_line(c);
	int n = a.part.count;
	VMPI_Datatype t = a.part.type;

	if (c->request)
		return returned(c, vmpi_Rget_accumulate(c->v, NULL, n, t, NULL, n, t, a.rank, a.at, n, t, VMPI_REPLACE,
							c->win, c->request));
	return returned(c, vmpi_Get_accumulate(c->v, NULL, n, t, NULL, n, t, a.rank, a.at, n, t, VMPI_REPLACE, c->win));
}

/* ---- synchronization ---- */

int replay_fence(struct replay_call *c)
{
	struct window_part *p;

	window_of_line(c, false, &p);
	return returned(c, vmpi_Win_fence(c->v, 0, c->win));
}

/* Ranks of a group, "0,2,5" or "none": their world ranks in `world`, which has room for all. Their number. */
static uint32_t read_group(struct replay_call *c, const struct group *all, uint32_t *world)
{
	int *seen = replay_hold(c, all->size);
	const char *at = c->word[0];
	uint32_t n = 0;

	if (strcmp(at, "none") == 0)
		return 0;
	for (;;) {
		uint32_t rank = (uint32_t)replay_number_at(c, at, &at, 0, (long long)all->size - 1, "rank");

		if (seen[rank]++)
			replay_wrong(c, "rank %u twice, expected ranks once each", rank);
		world[n++] = group_world(all, rank);
		if (!*at)
			return n;
		if (*at++ != ',')
			replay_wrong(c, "'%.40s' behind a rank, expected ranks as in 0,2,5", at - 1);
	}
}

VMPI_Group replay_group(struct replay_call *c, const struct group *all)
{
	int *ranks = replay_hold(c, all->size);
	uint32_t n = read_group(c, all, (uint32_t *)(void *)ranks), *world;
	struct vmpi *v = c->v;
	struct group *g;
	VMPI_Group handle;

	world = mem_alloc(n ? n : 1, sizeof(*world), &v->err);
	if (!world)
		replay_short(c);
	memcpy(world, ranks, n * sizeof(*world));
	g = group_create(n, world, &v->err);
	handle = g ? group_handle(&v->comms, g, &v->err) : 0;
	group_drop(g);
	if (!handle)
		replay_short(c);
	return handle;
}

/* Begins an epoch with the ranks of the line's group. */
static int begin_epoch(struct replay_call *c, int (*call)(struct vmpi *v, VMPI_Group group, int assert, VMPI_Win win))
{
	struct window_part *p;
	const struct window *w = window_of_line(c, false, &p);
	struct vmpi *v = c->v;
	VMPI_Group handle = replay_group(c, comm_find(&v->comms, w->comm)->group);
	int ret;

	ret = call(v, handle, c->unchecked ? VMPI_MODE_NOCHECK : 0, c->win);
	group_release(&v->comms, handle);
	return returned(c, ret);
}

int replay_post(struct replay_call *c)
{
	struct window_part *p;

	window_of_line(c, false, &p);
	if (p->exposed)
		replay_wrong(c, "post twice, expected window_wait before");
	return begin_epoch(c, vmpi_Win_post);
}

int replay_start(struct replay_call *c)
{
	struct window_part *p;

	window_of_line(c, false, &p);
	if (p->accessed)
		replay_wrong(c, "start twice, expected complete before");
	return begin_epoch(c, vmpi_Win_start);
}

int replay_complete(struct replay_call *c)
{
	struct window_part *p;

	window_of_line(c, false, &p);
	if (!p->accessed)
		replay_wrong(c, "complete, expected start before");
	return returned(c, vmpi_Win_complete(c->v, c->win));
}

int replay_window_wait(struct replay_call *c)
{
	struct window_part *p;

	window_of_line(c, false, &p);
	if (!p->exposed)
		replay_wrong(c, "window_wait, expected post before");
	return returned(c, vmpi_Win_wait(c->v, c->win));
}

int replay_lock(struct replay_call *c)
{
	struct window_part *p;
	const struct window *w = window_of_line(c, false, &p);
	int rank = window_rank(c, 0, w, NULL, 0);
	bool shared = strcmp(c->word[1], "shared") == 0;

	if (!shared && strcmp(c->word[1], "exclusive") != 0)
		replay_wrong(c, "lock '%.40s': expected shared or exclusive", c->word[1]);
	if (p->all_held || (p->held && p->held[rank]))
		replay_wrong(c, "rank %d is locked already, expected unlock before", rank);
	return returned(c, vmpi_Win_lock(c->v, shared ? VMPI_LOCK_SHARED : VMPI_LOCK_EXCLUSIVE, rank,
					 c->unchecked ? VMPI_MODE_NOCHECK : 0, c->win));
}

int replay_unlock(struct replay_call *c)
{
	struct window_part *p;
	const struct window *w = window_of_line(c, false, &p);
	int rank = window_rank(c, 0, w, NULL, 0);

	if (!p->held || !p->held[rank])
		replay_wrong(c, "rank %d is not locked, expected lock before", rank);
	return returned(c, vmpi_Win_unlock(c->v, rank, c->win));
}

int replay_lock_all(struct replay_call *c)
{
	struct window_part *p;

	window_of_line(c, false, &p);
	if (p->all_held)
		replay_wrong(c, "lock_all twice, expected unlock_all before");
	return returned(c, vmpi_Win_lock_all(c->v, c->unchecked ? VMPI_MODE_NOCHECK : 0, c->win));
}

int replay_unlock_all(struct replay_call *c)
{
	struct window_part *p;

	window_of_line(c, false, &p);
	if (!p->all_held)
		replay_wrong(c, "unlock_all, expected lock_all before");
	return returned(c, vmpi_Win_unlock_all(c->v, c->win));
}

static int flush_rank(struct replay_call *c)
{
	struct window_part *p;
	const struct window *w = window_of_line(c, false, &p);

	if (!p->all_held && !p->held)
		replay_wrong(c, "no lock, expected lock or lock_all before");
	return window_rank(c, 0, w, "all", RANK_ALL);
}

int replay_flush(struct replay_call *c)
{
	int rank = flush_rank(c);

	return returned(c, rank == RANK_ALL ? vmpi_Win_flush_all(c->v, c->win) : vmpi_Win_flush(c->v, rank, c->win));
}

int replay_flush_local(struct replay_call *c)
{
	int rank = flush_rank(c);

	return returned(c, rank == RANK_ALL ? vmpi_Win_flush_local_all(c->v, c->win)
					    : vmpi_Win_flush_local(c->v, rank, c->win));
}
