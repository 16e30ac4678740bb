/*
 * Communicators that two groups make together: intercommunicators, their splits, and what they are merged to (MPI 3.1,
 * 6.6). The leader of each group deposits its half in all processes before it meets the other one. Both halves together
 * are all that a process needs to make the communicators of its ranks, which exist before any rank leaves the call.
 */
#include <stdlib.h>
#include <string.h>

#include "../../../psim/base/mem.h"
#include "comm_split.h"

struct half_kept {
	struct half_kept *next;
	struct group_half *half;
};

size_t comm_half_bytes(const struct group_half *h)
{
	return sizeof(*h) + (size_t)h->size * (h->kind == HALF_SPLIT ? 3 : 1) * sizeof(h->list[0]);
}

struct group_half *comm_half(const struct comm *local, enum half_kind kind, const struct split_sync *split,
			     struct err *e)
{
	uint32_t size = local->group->size;
	struct group_half *h = mem_alloc(sizeof(*h) + (size_t)size * 3 * sizeof(h->list[0]), 1, e);

	if (!h)
		return NULL;
	*h = (struct group_half){.local = local->key, .kind = kind, .size = size, .number = split ? split->number : 0};
	for (uint32_t i = 0; i < size; i++) {
		h->list[i] = group_world(local->group, i);
		if (kind != HALF_SPLIT)
			continue;
		h->list[size + i] = (uint32_t)split->color[i];
		h->list[2 * (size_t)size + i] = (uint32_t)split->key[i];
	}
	return h;
}

static int color_of(const struct group_half *h, uint32_t i)
{
	return (int)h->list[h->size + i];
}

/* ---- pairs ---- */

/* A group, with its hidden communicator's key and its ranks. */
struct side {
	uint64_t key;
	const uint32_t *world;
	uint32_t size;
};

static struct group *group_of(const struct comms *c, const struct side *s, struct err *e)
{
	struct comm *hidden = comm_by_key(c, s->key);
	uint32_t *world;

	if (hidden) {
		hidden->group->users++;
		return hidden->group;
	}
	world = mem_alloc(s->size, sizeof(*world), e);
	if (!world)
		return NULL;
	memcpy(world, s->world, s->size * sizeof(*world));
	return group_create(s->size, world, e);
}

/* Makes the intercommunicator of group `a` if it has ranks here; *ctx is that of both sides, 0: none yet. */
static int make_inter_side(struct comms *c, const struct side *a, const struct side *b, uint32_t *ctx, struct err *e)
{
	int hidden = comm_handle_by_key(c, a->key), handle;
	struct comm *local = comm_find(c, hidden), *inter;

	if (!local)
		return 0;
	handle = comm_create(c, local->group, e);
	inter = comm_find(c, handle);
	if (!inter || !(inter->remote = group_of(c, b, e)))
		return -1;
	inter->key = comm_split_key(a->key ^ b->key, 0, 0);
	inter->local_comm = hidden;
	if (*ctx)
		inter->ctx = *ctx;
	*ctx = inter->ctx;
	local->pair = handle;
	return comm_inherit_errors(inter, local, e);
}

static int make_pair(struct comms *c, const struct side *a, const struct side *b, struct err *e)
{
	uint32_t ctx = 0;

	return make_inter_side(c, a, b, &ctx, e) < 0 || make_inter_side(c, b, a, &ctx, e) < 0 ? -1 : 0;
}

/* ---- splits ---- */

struct wanted {
	int key;
	uint32_t local, world;
};

static int by_wanted(const void *a, const void *b)
{
	const struct wanted *p = a, *q = b;

	if (p->key != q->key)
		return p->key < q->key ? -1 : 1;
	return p->local < q->local ? -1 : p->local > q->local;
}

/* The ranks of a colour in their order, allocated; *size is 0 if there are none. */
static uint32_t *ranks_of_color(const struct group_half *h, int color, uint32_t *size, struct err *e)
{
	struct wanted *wanted = mem_alloc(h->size, sizeof(*wanted), e);
	uint32_t *world = mem_alloc(h->size, sizeof(*world), e), n = 0;

	*size = 0;
	if (!wanted || !world) {
		free(wanted);
		free(world);
		return NULL;
	}
	for (uint32_t i = 0; i < h->size; i++)
		if (color_of(h, i) == color)
			wanted[n++] = (struct wanted){(int)h->list[2 * (size_t)h->size + i], i, h->list[i]};
	qsort(wanted, n, sizeof(*wanted), by_wanted);
	for (uint32_t i = 0; i < n; i++)
		world[i] = wanted[i].world;
	free(wanted);
	*size = n;
	return world;
}

/* The intercommunicator of a colour, if both groups have it. */
static int split_color(struct comms *c, const struct group_half *a, const struct group_half *b, int color,
		       struct err *e)
{
	struct side x = {.key = comm_split_key(a->local, a->number, color)},
		    y = {.key = comm_split_key(b->local, b->number, color)};
	uint32_t *one = ranks_of_color(a, color, &x.size, e), *two = ranks_of_color(b, color, &y.size, e);
	int ret = one && two ? 0 : -1;

	x.world = one;
	y.world = two;
	if (ret == 0 && y.size)
		ret = make_pair(c, &x, &y, e);
	free(one);
	free(two);
	return ret;
}

static int by_color(const void *a, const void *b)
{
	const int *p = a, *q = b;

	return (*p > *q) - (*p < *q);
}

static int split_halves(struct comms *c, const struct group_half *a, const struct group_half *b, struct err *e)
{
	int *colors = mem_alloc((size_t)a->size + 1, sizeof(*colors), e), ret = colors ? 0 : -1;
	uint32_t n = 0;

	for (uint32_t i = 0; colors && i < a->size; i++)
		if (color_of(a, i) >= 0)
			colors[n++] = color_of(a, i);
	if (n)
		qsort(colors, n, sizeof(*colors), by_color);
	for (uint32_t i = 0; i < n && ret == 0; i++)
		if (!i || colors[i] != colors[i - 1])
			ret = split_color(c, a, b, colors[i], e);
	free(colors);
	return ret;
}

/* ---- merging ---- */

/* The ranks of a half find the merged communicator in their split. */
static int give_merged(struct comms *c, const struct group_half *h, int handle, struct err *e)
{
	struct comm *local = comm_by_key(c, h->local);
	struct split_sync *m = local ? comm_split_at(local, h->number, e) : NULL;

	if (!m)
		return local ? -1 : 0;
	m->handle[0] = handle;
	m->made = true;
	return 0;
}

/* The communicator of both groups, that with `high` last; of equals, that with the lower first rank first. */
static int merge_halves(struct comms *c, const struct group_half *a, const struct group_half *b, struct err *e)
{
	bool swap = a->high != b->high ? a->high > b->high : a->list[0] > b->list[0];
	const struct group_half *first = swap ? b : a, *last = swap ? a : b;
	uint32_t size = a->size + b->size, *world = mem_alloc(size, sizeof(*world), e);
	struct group *g;
	int handle;

	if (!world)
		return -1;
	memcpy(world, first->list, first->size * sizeof(*world));
	memcpy(world + first->size, last->list, last->size * sizeof(*world));
	g = group_create(size, world, e);
	if (!g)
		return -1;
	if (c->is_here && !comm_ranks_here(c, g)) {
		group_drop(g);
		return 0;
	}
	handle = comm_create(c, g, e);
	group_drop(g);
	if (!handle)
		return -1;
	comm_find(c, handle)->key =
		comm_split_key(first->local ^ comm_split_key(last->local, last->number, 1), first->number, 1);
	return give_merged(c, a, handle, e) < 0 || give_merged(c, b, handle, e) < 0 ? -1 : 0;
}

/* ---- meeting ---- */

static int join_halves(struct comms *c, const struct group_half *a, const struct group_half *b, struct err *e)
{
	struct side x = {a->local, a->list, a->size}, y = {b->local, b->list, b->size};

	switch ((enum half_kind)a->kind) {
	case HALF_CREATE: return make_pair(c, &x, &y, e);
	case HALF_SPLIT: return split_halves(c, a, b, e);
	default: return merge_halves(c, a, b, e);
	}
}

static bool belong_together(const struct group_half *a, const struct group_half *b)
{
	return a->peer == b->peer && a->kind == b->kind && a->tag == b->tag && a->leader == b->other &&
	       a->other == b->leader;
}

int comm_put_half(struct comms *c, const struct group_half *h, struct err *e)
{
	struct half_kept **link = &c->halves, *k;
	int ret;

	while (*link && !belong_together((*link)->half, h))
		link = &(*link)->next;
	k = *link;
	if (k) {
		ret = join_halves(c, k->half, h, e);
		*link = k->next;
		free(k->half);
		free(k);
		return ret;
	}
	k = mem_alloc(1, sizeof(*k), e);
	if (!k || !(k->half = mem_alloc(comm_half_bytes(h), 1, e))) {
		free(k);
		return -1;
	}
	memcpy(k->half, h, comm_half_bytes(h));
	k->next = c->halves;
	c->halves = k;
	return 0;
}

void comm_forget_halves(struct comms *c)
{
	while (c->halves) {
		struct half_kept *k = c->halves;

		c->halves = k->next;
		free(k->half);
		free(k);
	}
}
