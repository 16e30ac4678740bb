/*
 * Each layer keeps its links in a topological order of the dependences. A dependence that agrees with the order is
 * added at once; another one moves the links between its ends (D. Pearce, P. Kelly, "A dynamic topological sort
 * algorithm for directed acyclic graphs", ACM JEA 11, 2006), or closes a cycle.
 */
#include "layers.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>

#include "../../psim/base/mem.h"
#include "../../psim/base/vec.h"

#define NO_EDGE UINT32_MAX

struct layer_edge {
	uint32_t from, to;
	uint32_t next_out, next_in; /* of the lists of `from` and `to` */
};

struct layer {
	uint32_t *place;    /* [link]: in the order */
	uint32_t *out, *in; /* [link]: first edge of its list */
	struct vec_of(struct layer_edge) edge;
};

struct layers {
	uint32_t links;
	unsigned most;
	struct vec_of(struct layer) layer;
	uint8_t *seen;            /* [link]: in this search */
	uint32_t *ahead, *behind; /* links found by it */
	uint32_t aheads, behinds;
	uint32_t *places;
};

struct layers *layers_create(uint32_t links, unsigned most, struct err *e)
{
	struct layers *l = mem_alloc(1, sizeof(*l), e);

	if (!l)
		return NULL;
	*l = (struct layers){.links = links, .most = most};
	l->seen = mem_alloc((size_t)links + 1, 1, e);
	l->ahead = mem_alloc((size_t)links + 1, sizeof(*l->ahead), e);
	l->behind = mem_alloc((size_t)links + 1, sizeof(*l->behind), e);
	l->places = mem_alloc((size_t)links + 1, sizeof(*l->places), e);
	if (l->seen && l->ahead && l->behind && l->places)
		return l;
	layers_destroy(l);
	return NULL;
}

void layers_destroy(struct layers *l)
{
	if (!l)
		return;
	for (size_t i = 0; i < l->layer.count; i++) {
		free(l->layer.at[i].place);
		free(l->layer.at[i].out);
		free(l->layer.at[i].in);
		vec_finish(&l->layer.at[i].edge);
	}
	vec_finish(&l->layer);
	free(l->seen);
	free(l->ahead);
	free(l->behind);
	free(l->places);
	free(l);
}

unsigned layers_count(const struct layers *l)
{
	return (unsigned)l->layer.count;
}

static int open_layer(struct layers *l, struct err *e)
{
	struct layer *x = l->layer.count < l->most ? vec_push(&l->layer, e) : NULL;

	if (l->layer.count == l->most && !x)
		return err_set(e, STATUS_USAGE, "more than %u layers of virtual channels, expected fewer", l->most);
	if (!x)
		return -1;
	*x = (struct layer){0};
	x->place = mem_alloc((size_t)l->links + 1, sizeof(*x->place), e);
	x->out = mem_alloc((size_t)l->links + 1, sizeof(*x->out), e);
	x->in = mem_alloc((size_t)l->links + 1, sizeof(*x->in), e);
	if (!x->place || !x->out || !x->in)
		return -1;
	for (uint32_t i = 0; i < l->links; i++) {
		x->place[i] = i;
		x->out[i] = x->in[i] = NO_EDGE;
	}
	return 0;
}

static bool has_edge(const struct layer *x, uint32_t from, uint32_t to)
{
	for (uint32_t i = x->out[from]; i != NO_EDGE; i = x->edge.at[i].next_out)
		if (x->edge.at[i].to == to)
			return true;
	return false;
}

static void note_link(struct layers *l, uint32_t link, uint32_t *list, uint32_t *count)
{
	if (l->seen[link])
		return;
	l->seen[link] = 1;
	list[(*count)++] = link;
}

/* Searches the links that depend on `to`, up to the place of `from`. Returns whether `from` is among them: a cycle. */
static bool search_ahead(struct layers *l, const struct layer *x, uint32_t from, uint32_t to)
{
	l->aheads = 0;
	note_link(l, to, l->ahead, &l->aheads);
	for (uint32_t at = 0; at < l->aheads; at++)
		for (uint32_t i = x->out[l->ahead[at]]; i != NO_EDGE; i = x->edge.at[i].next_out) {
			uint32_t link = x->edge.at[i].to;

			if (link == from)
				return true;
			if (x->place[link] < x->place[from])
				note_link(l, link, l->ahead, &l->aheads);
		}
	return false;
}

/* Searches the links that `from` depends on, down to the place of `to`. */
static void search_behind(struct layers *l, const struct layer *x, uint32_t from, uint32_t to)
{
	l->behinds = 0;
	note_link(l, from, l->behind, &l->behinds);
	for (uint32_t at = 0; at < l->behinds; at++)
		for (uint32_t i = x->in [l->behind[at]]; i != NO_EDGE; i = x->edge.at[i].next_in)
			if (x->place[x->edge.at[i].from] > x->place[to])
				note_link(l, x->edge.at[i].from, l->behind, &l->behinds);
}

/* Sorts links by their places: insertion, the lists are short. */
static void sort_links(const struct layer *x, uint32_t *list, uint32_t count)
{
	for (uint32_t i = 1; i < count; i++) {
		uint32_t link = list[i], at = i;

		for (; at && x->place[list[at - 1]] > x->place[link]; at--)
			list[at] = list[at - 1];
		list[at] = link;
	}
}

static int compare_layer_places(const void *a, const void *b)
{
	const uint32_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* Gives the links behind `from`, then those ahead of `to`, the places that they all have. */
static void move_links(struct layers *l, struct layer *x)
{
	uint32_t count = 0;

	sort_links(x, l->behind, l->behinds);
	sort_links(x, l->ahead, l->aheads);
	for (uint32_t i = 0; i < l->behinds; i++)
		l->places[count++] = x->place[l->behind[i]];
	for (uint32_t i = 0; i < l->aheads; i++)
		l->places[count++] = x->place[l->ahead[i]];
	qsort(l->places, count, sizeof(*l->places), compare_layer_places);
	for (uint32_t i = 0; i < l->behinds; i++)
		x->place[l->behind[i]] = l->places[i];
	for (uint32_t i = 0; i < l->aheads; i++)
		x->place[l->ahead[i]] = l->places[l->behinds + i];
}

static void forget_search(struct layers *l)
{
	for (uint32_t i = 0; i < l->aheads; i++)
		l->seen[l->ahead[i]] = 0;
	for (uint32_t i = 0; i < l->behinds; i++)
		l->seen[l->behind[i]] = 0;
	l->aheads = l->behinds = 0;
}

/* Returns 1 if the order has the dependence, or can have it; 0: it closes a cycle. */
static int order_dependence(struct layers *l, struct layer *x, uint32_t from, uint32_t to)
{
	bool cycle;

	if (x->place[from] < x->place[to])
		return 1;
	cycle = from == to || search_ahead(l, x, from, to);
	if (!cycle) {
		search_behind(l, x, from, to);
		move_links(l, x);
	}
	forget_search(l);
	return !cycle;
}

static int add_dependence(struct layers *l, struct layer *x, uint32_t from, uint32_t to, struct err *e)
{
	struct layer_edge *edge;

	if (!order_dependence(l, x, from, to))
		return 0;
	edge = vec_push(&x->edge, e);
	if (!edge)
		return -1;
	*edge = (struct layer_edge){from, to, x->out[from], x->in[to]};
	x->out[from] = x->in[to] = (uint32_t)x->edge.count - 1;
	return 1;
}

/* Removes the edges from number `count` on: the newest are first in their lists. */
static void take_back(struct layer *x, size_t count)
{
	while (x->edge.count > count) {
		const struct layer_edge *edge = &x->edge.at[--x->edge.count];

		x->out[edge->from] = edge->next_out;
		x->in[edge->to] = edge->next_in;
	}
}

/* Returns 1 if the layer has the path from now on, 0 if it cannot. */
static int try_layer(struct layers *l, struct layer *x, const uint32_t *path, unsigned count, struct err *e)
{
	size_t edges = x->edge.count;

	for (unsigned i = 0; i + 1 < count; i++) {
		int added = has_edge(x, path[i], path[i + 1]) ? 1 : add_dependence(l, x, path[i], path[i + 1], e);

		if (added <= 0) {
			take_back(x, edges);
			return added;
		}
	}
	return 1;
}

int layers_add(struct layers *l, const uint32_t *path, unsigned count, struct err *e)
{
	for (unsigned i = 0;; i++) {
		int fits;

		if (i == l->layer.count && open_layer(l, e))
			return -1;
		fits = try_layer(l, &l->layer.at[i], path, count, e);
		if (fits)
			return fits < 0 ? -1 : (int)i;
	}
}
