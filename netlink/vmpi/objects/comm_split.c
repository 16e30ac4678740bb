#include "comm_split.h"

#include <stdlib.h>

#include "../../../psim/base/mem.h"

static void split_sync_destroy(struct split_sync *m)
{
	free(m->color);
	free(m->key);
	free(m->handle);
	free(m);
}

void comm_forget_splits(struct comm *c)
{
	while (c->splits) {
		struct split_sync *m = c->splits;

		c->splits = m->next;
		split_sync_destroy(m);
	}
	free(c->splits_of);
}

struct split_sync *comm_split_at(struct comm *c, uint32_t number, struct err *e)
{
	struct split_sync *m;

	for (m = c->splits; m; m = m->next)
		if (m->number == number)
			return m;
	m = mem_alloc(1, sizeof(*m), e);
	if (!m)
		return NULL;
	m->number = number;
	m->color = mem_alloc(c->group->size, sizeof(int), e);
	m->key = mem_alloc(c->group->size, sizeof(int), e);
	m->handle = mem_alloc(c->group->size, sizeof(int), e);
	if (!m->color || !m->key || !m->handle) {
		split_sync_destroy(m);
		return NULL;
	}
	m->next = c->splits;
	c->splits = m;
	return m;
}

struct split_sync *comm_split_sync(struct comm *c, uint32_t local, struct err *e)
{
	if (!c->splits_of) {
		c->splits_of = mem_alloc(c->group->size, sizeof(*c->splits_of), e);
		if (!c->splits_of)
			return NULL;
	}
	return comm_split_at(c, c->splits_of[local]++, e);
}

int comm_split_deposit(struct comms *c, struct comm *of, uint32_t number, uint32_t local, int color, int key,
		       struct err *e)
{
	struct split_sync *m = comm_split_at(of, number, e);

	if (!m)
		return -1;
	m->color[local] = color;
	m->key[local] = key;
	return ++m->come < of->group->size ? 0 : comm_split_create(c, of, m, e);
}

void comm_split_leave(struct comm *c, struct split_sync *m)
{
	struct split_sync **link = &c->splits;

	if (++m->left < c->here)
		return;
	while (*link != m)
		link = &(*link)->next;
	*link = m->next;
	split_sync_destroy(m);
}

struct wish {
	int color, key;
	uint32_t local;
};

static int by_wish(const void *a, const void *b)
{
	const struct wish *p = a, *q = b;

	if (p->color != q->color)
		return p->color < q->color ? -1 : 1;
	if (p->key != q->key)
		return p->key < q->key ? -1 : 1;
	return (p->local > q->local) - (p->local < q->local);
}

/* Makes one communicator for the ranks wish[0 … n-1]. */
static int make_one(struct comms *c, const struct comm *of, struct split_sync *m, const struct wish *wish, uint32_t n,
		    struct err *e)
{
	uint32_t *world = mem_alloc(n, sizeof(*world), e);
	struct group *g;
	int handle;

	if (!world)
		return -1;
	for (uint32_t i = 0; i < n; i++)
		world[i] = group_world(of->group, wish[i].local);
	g = group_create(n, world, e);
	if (g && c->is_here && !comm_ranks_here(c, g)) {
		group_drop(g);
		return 0;
	}
	handle = g ? comm_create(c, g, e) : 0;
	group_drop(g);
	if (handle)
		c->comm[handle]->key = comm_split_key(of->key, m->number, m->color[wish->local]);
	if (!handle || comm_inherit_errors(c->comm[handle], of, e) < 0)
		return -1;
	for (uint32_t i = 0; i < n; i++)
		m->handle[wish[i].local] = handle;
	return 0;
}

int comm_split_create(struct comms *c, struct comm *of, struct split_sync *m, struct err *e)
{
	uint32_t n = of->group->size;
	struct wish *wish = mem_alloc(n, sizeof(*wish), e);
	int ret = 0;

	if (!wish)
		return -1;
	for (uint32_t i = 0; i < n; i++)
		wish[i] = (struct wish){m->color[i], m->key[i], i};
	qsort(wish, n, sizeof(*wish), by_wish);
	for (uint32_t first = 0, end; first < n && ret == 0; first = end) {
		for (end = first + 1; end < n && wish[end].color == wish[first].color; end++)
			;
		if (wish[first].color >= 0)
			ret = make_one(c, of, m, wish + first, end - first, e);
	}
	m->made = true;
	free(wish);
	return ret;
}
