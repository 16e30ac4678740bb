/* Groups and communicators: comm.h. */
#include "comm.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "../../../psim/base/hash.h"
#include "../../../psim/base/mem.h"
#include "comm_nodes.h"
#include "comm_split.h"
#include "comm_table.h"

void comm_nodes_destroy(struct comm_nodes *n)
{
	if (!n)
		return;
	free(n->node_of);
	free(n->begin);
	free(n->rank);
	free(n->leader);
	free(n);
}

/* ---- groups ---- */

struct group *group_create(uint32_t size, uint32_t *world, struct err *e)
{
	struct group *g = mem_alloc(1, sizeof(*g), e);

	if (!g) {
		free(world);
		return NULL;
	}
	*g = (struct group){.users = 1, .size = size, .world = world};
	return g;
}

void group_drop(struct group *g)
{
	assert(!g || g->users);
	if (!g || --g->users)
		return;
	free(g->world);
	free(g->sorted);
	free(g);
}

static int by_world(const void *a, const void *b)
{
	const struct group_place *p = a, *q = b;

	return (p->world > q->world) - (p->world < q->world);
}

int64_t group_local(struct group *g, uint32_t world)
{
	struct group_place key = {.world = world}, *found;

	if (!g->world)
		return world < g->size ? (int64_t)world : -1;
	if (!g->size)
		return -1;
	if (!g->sorted) {
		g->sorted = mem_alloc(g->size, sizeof(*g->sorted), NULL);
		if (!g->sorted)
			return -1;
		for (uint32_t i = 0; i < g->size; i++)
			g->sorted[i] = (struct group_place){g->world[i], i};
		qsort(g->sorted, g->size, sizeof(*g->sorted), by_world);
	}
	found = bsearch(&key, g->sorted, g->size, sizeof(key), by_world);
	return found ? (int64_t)found->local : -1;
}

int group_handle(struct comms *c, struct group *g, struct err *e)
{
	int handle = 0;

	/* handles are reused, so that programs that make groups in a loop keep the table short */
	for (int i = HANDLE_GROUP_EMPTY + 1; i < c->group_count && c->group_count == c->group_room && !handle; i++)
		if (!c->group[i])
			handle = i;
	if (!handle && c->group_count == c->group_room) {
		struct group **group = mem_resize(c->group, (size_t)c->group_room * 2, sizeof(*group), e);

		if (!group)
			return 0;
		c->group = group;
		c->group_room *= 2;
	}
	if (!handle)
		handle = c->group_count++;
	c->group[handle] = g;
	g->users++;
	return handle;
}

struct group *group_find(const struct comms *c, int handle)
{
	return handle > 0 && handle < c->group_count ? c->group[handle] : NULL;
}

void group_release(struct comms *c, int handle)
{
	if (handle <= HANDLE_GROUP_EMPTY || !group_find(c, handle))
		return;
	group_drop(c->group[handle]);
	c->group[handle] = NULL;
}

/* ---- communicators ---- */

static void cart_destroy(struct cart *cart)
{
	if (!cart)
		return;
	free(cart->size);
	free(cart->periodic);
	free(cart);
}

void graph_destroy(struct graph *g)
{
	if (!g)
		return;
	free(g->in_at);
	free(g->in);
	free(g->in_weight);
	free(g->out_at);
	free(g->out);
	free(g->out_weight);
	free(g);
}

static void comm_destroy(struct comm *c)
{
	if (!c)
		return;
	comm_forget_tables(c);
	comm_forget_splits(c);
	group_drop(c->group);
	group_drop(c->remote);
	cart_destroy(c->cart);
	free(c->tasks_of);
	comm_nodes_destroy(c->nodes);
	free(c->errhandlers);
	graph_destroy(c->graph);
	comm_drop_edges(c);
	comm_forget_groups(c);
	free(c->names);
	free(c);
}

uint32_t comm_ranks_here(const struct comms *c, const struct group *g)
{
	uint32_t count = 0;

	if (!c->is_here)
		return g->size;
	for (uint32_t i = 0; i < g->size; i++)
		count += c->is_here[group_world(g, i)];
	return count;
}

int comm_handle_by_key(const struct comms *c, uint64_t key)
{
	for (int i = 1; i < c->comm_count; i++)
		if (c->comm[i] && c->comm[i]->key == key)
			return i;
	return 0;
}

struct comm *comm_by_key(const struct comms *c, uint64_t key)
{
	return comm_find(c, comm_handle_by_key(c, key));
}

uint64_t comm_split_key(uint64_t of, uint32_t number, int color)
{
	return hash_mix(hash_mix(hash_spread(of) + number) + (uint32_t)color);
}

int comm_create(struct comms *c, struct group *g, struct err *e)
{
	struct comm *comm;

	if (c->comm_count == c->comm_room) {
		struct comm **at = mem_resize(c->comm, (size_t)c->comm_room * 2, sizeof(*at), e);

		if (!at)
			return 0;
		c->comm = at;
		c->comm_room *= 2;
	}
	comm = mem_alloc(1, sizeof(*comm), e);
	if (!comm)
		return 0;
	*comm = (struct comm){.group = g, .ctx = c->next_ctx, .settings = g->size};
	comm->users = comm->here = comm_ranks_here(c, g);
	c->next_ctx += 2;
	g->users++;
	c->comm[c->comm_count] = comm;
	return c->comm_count++;
}

void comm_release(struct comms *c, int handle)
{
	struct comm *comm = comm_find(c, handle);

	if (!comm || handle <= HANDLE_SELF || --comm->users)
		return;
	comm_destroy(comm);
	c->comm[handle] = NULL;
}

int comms_create(struct comms *c, uint32_t size, struct err *e)
{
	struct group *world, *self, *empty;
	int ret = -1;

	*c = (struct comms){.comm_count = 1, .comm_room = 8, .group_count = 1, .group_room = 8};
	c->comm = mem_alloc((size_t)c->comm_room, sizeof(struct comm *), e);
	c->group = mem_alloc((size_t)c->group_room, sizeof(struct group *), e);
	world = group_create(size, NULL, e);
	self = group_create(1, NULL, e);
	empty = group_create(0, NULL, e);
	if (c->comm && c->group && world && self && empty && comm_create(c, world, e) && comm_create(c, self, e) &&
	    group_handle(c, empty, e)) {
		c->comm[HANDLE_SELF]->self = true;
		c->comm[HANDLE_SELF]->settings = size;
		c->comm[HANDLE_WORLD]->key = HANDLE_WORLD;
		c->comm[HANDLE_SELF]->key = HANDLE_SELF;
		ret = 0;
	}
	group_drop(world);
	group_drop(self);
	group_drop(empty);
	return ret;
}

void comms_finish(struct comms *c)
{
	for (int i = 0; c->comm && i < c->comm_count; i++)
		comm_destroy(c->comm[i]);
	for (int i = 0; c->group && i < c->group_count; i++)
		group_drop(c->group[i]);
	comm_forget_halves(c);
	free(c->comm);
	free(c->group);
	*c = (struct comms){0};
}

int comm_set_cart(struct comm *c, int dimensions, const int *size, const int *periodic, struct err *e)
{
	size_t n = dimensions > 0 ? (size_t)dimensions : 1;
	struct cart *cart = mem_alloc(1, sizeof(*cart), e);

	if (!cart)
		return -1;
	cart->dimensions = dimensions;
	cart->size = mem_alloc(n, sizeof(int), e);
	cart->periodic = mem_alloc(n, sizeof(int), e);
	if (!cart->size || !cart->periodic) {
		cart_destroy(cart);
		return -1;
	}
	for (int i = 0; i < dimensions; i++) {
		cart->size[i] = size[i];
		cart->periodic[i] = periodic[i] != 0;
	}
	c->cart = cart;
	return 0;
}

static int *copy_list(const int *from, size_t n, struct err *e)
{
	int *to = from ? mem_alloc(n + 1, sizeof(*to), e) : NULL;

	if (to && n)
		memcpy(to, from, n * sizeof(*to));
	return to;
}

int graph_copy(const struct comm *from, struct comm *to, struct err *e)
{
	const struct graph *f = from->graph;
	struct graph *g;
	size_t in = (size_t)f->in_at[f->nodes], out = (size_t)f->out_at[f->nodes];

	if (to->graph)
		return 0;
	g = mem_alloc(1, sizeof(*g), e);
	if (!g)
		return -1;
	*g = (struct graph){f->distributed,
			    f->weighted,
			    f->nodes,
			    copy_list(f->in_at, f->nodes + 1, e),
			    copy_list(f->in, in, e),
			    copy_list(f->in_weight, in, e),
			    copy_list(f->out_at, f->nodes + 1, e),
			    copy_list(f->out, out, e),
			    copy_list(f->out_weight, out, e)};
	to->graph = g;
	return g->in_at && g->in && g->out_at && g->out ? 0 : -1;
}

int comm_add_edges(struct comm *c, const struct graph_edge *edges, size_t count, bool weighted, struct err *e)
{
	if (!c->edges && !(c->edges = mem_alloc(1, sizeof(*c->edges), e)))
		return -1;
	if (vec_reserve(&c->edges->list, count, e) < 0)
		return -1;
	if (count)
		memcpy(c->edges->list.at + c->edges->list.count, edges, count * sizeof(*edges));
	c->edges->list.count += count;
	c->edges->weighted |= weighted;
	return 0;
}

void comm_drop_edges(struct comm *c)
{
	if (c->edges)
		vec_finish(&c->edges->list);
	free(c->edges);
	c->edges = NULL;
}
