#include "allocate.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../psim/base/input.h"
#include "../../psim/base/lines.h"
#include "../../psim/base/mem.h"
#include "../../psim/base/rng.h"

enum { STREAM_ALLOCATION = 0x414c };

/* An allocation that is under way. */
struct allocating {
	struct allocation *a;
	uint32_t wanted; /* 0: all that the place has */
	unsigned job;
	const struct topology *t;
	uint16_t *taken;
	const char *place;
};

/* ---- helpers ---- */

/* Reads a number up to `most` at *text and moves *text behind it; false if there is none. */
static bool allocate_number(const char **text, uint32_t most, uint32_t *value)
{
	char *end;
	unsigned long v;

	if (**text < '0' || **text > '9')
		return false;
	errno = 0;
	v = strtoul(*text, &end, 10);
	if (errno || v > most)
		return false;
	*text = end;
	*value = (uint32_t)v;
	return true;
}

/* Reads the whole of an argument as a number; without one, `initial`. 0, or -1 with `e`. */
static int allocate_argument(const struct allocating *w, const char *text, uint32_t most, uint32_t initial,
			     uint32_t *value, struct err *e)
{
	const char *at = text;

	*value = initial;
	if (!text || (allocate_number(&at, most, value) && !*at))
		return 0;
	return err_set(e, STATUS_USAGE, "place=%s: expected a number from 0 to %" PRIu32, w->place, most);
}

static int take_node(struct allocating *w, uint32_t node, struct err *e)
{
	if (w->taken[node] == ALLOCATE_DOWN)
		return err_set(e, STATUS_USAGE, "place=%s: node %" PRIu32 " is down, expected one that is up", w->place,
			       node);
	if (w->taken[node] == w->job)
		return err_set(e, STATUS_USAGE, "place=%s: node %" PRIu32 " is there twice", w->place, node);
	if (w->taken[node])
		return err_set(e, STATUS_USAGE, "place=%s: node %" PRIu32 " is job %u's, expected a free one", w->place,
			       node, w->taken[node]);
	w->taken[node] = (uint16_t)w->job;
	w->a->node[w->a->count++] = node;
	return 0;
}

static uint32_t nodes_free(const struct allocating *w)
{
	uint32_t left = 0;

	for (uint32_t i = 0; i < w->t->nodes; i++)
		left += !w->taken[i];
	return left;
}

static int too_few(const struct allocating *w, uint32_t have, struct err *e)
{
	return err_set(e, STATUS_USAGE, "place=%s: %" PRIu32 " nodes of %" PRIu32 " are free, expected %" PRIu32,
		       w->place, have, w->t->nodes, w->wanted);
}

static int needs_count(const struct allocating *w, struct err *e)
{
	return w->wanted ? 0 : err_set(e, STATUS_USAGE, "place=%s: expected n=RANKS too", w->place);
}

/* ---- places ---- */

static int place_linear(struct allocating *w, const char *argument, struct err *e)
{
	uint32_t first, left = 0;

	if (needs_count(w, e) < 0 || allocate_argument(w, argument, w->t->nodes - 1, 0, &first, e) < 0)
		return -1;
	for (uint32_t i = first; i < w->t->nodes; i++)
		left += !w->taken[i];
	if (left < w->wanted)
		return too_few(w, left, e);
	for (uint32_t i = first; w->a->count < w->wanted; i++)
		if (!w->taken[i] && take_node(w, i, e) < 0)
			return -1;
	return 0;
}

/* Draws without replacement: Fisher and Yates's shuffle, as far as nodes are needed. */
static int place_random(struct allocating *w, const char *argument, struct err *e)
{
	uint32_t seed, left = nodes_free(w), *node, count = 0;
	int ret = 0;

	if (needs_count(w, e) < 0 || allocate_argument(w, argument, UINT32_MAX, 1, &seed, e) < 0)
		return -1;
	if (left < w->wanted)
		return too_few(w, left, e);
	node = mem_alloc(left, sizeof(*node), e);
	if (!node)
		return -1;
	for (uint32_t i = 0; i < w->t->nodes; i++)
		if (!w->taken[i])
			node[count++] = i;
	for (uint32_t i = 0; i < w->wanted && !ret; i++) {
		uint32_t k = i + (uint32_t)rng_below(seed, STREAM_ALLOCATION, i, left - i), x = node[k];

		node[k] = node[i];
		ret = take_node(w, x, e);
	}
	free(node);
	return ret;
}

static bool group_is_free(const struct allocating *w, uint32_t group, uint32_t size)
{
	for (uint32_t i = 0; i < size; i++)
		if (w->taken[group * size + i])
			return false;
	return true;
}

static int place_group(struct allocating *w, const char *argument, struct err *e)
{
	const struct topology *t = w->t;
	uint32_t groups = t->dimensions ? t->dims[t->dimensions - 1] : 0, first, size;

	if (t->dimensions < 2 || groups < 2 || t->nodes % groups)
		return err_set(e, STATUS_USAGE, "place=%s: the network has no groups, expected linear, random or list",
			       w->place);
	size = t->nodes / groups;
	if (allocate_argument(w, argument, groups - 1, 0, &first, e) < 0)
		return -1;
	if (!w->wanted)
		w->wanted = size;
	for (uint32_t g = first; g < groups && w->a->count < w->wanted; g++)
		for (uint32_t i = 0; group_is_free(w, g, size) && i < size; i++)
			w->a->node[w->a->count++] = g * size + i;
	if (w->a->count < w->wanted)
		return err_set(e, STATUS_USAGE,
			       "place=%s: %" PRIu32 " nodes are in free groups of %" PRIu32 ", expected %" PRIu32,
			       w->place, w->a->count, size, w->wanted);
	w->a->count = w->wanted;
	for (uint32_t i = 0; i < w->wanted; i++)
		w->taken[w->a->node[i]] = (uint16_t)w->job;
	return 0;
}

/* Reads "AxBxC": as many sizes as the network has. NULL: it is none; else what follows. */
static const char *read_box(const struct allocating *w, const char *text, uint32_t *size)
{
	for (unsigned d = 0; d < w->t->dimensions; d++) {
		if (d && *text++ != 'x')
			return NULL;
		if (!allocate_number(&text, w->t->dims[d], &size[d]) || !size[d])
			return NULL;
	}
	return text;
}

/* Reads "@X,Y,Z", the box's first node, inside the network. */
static bool read_corner(const struct allocating *w, const char *text, const uint32_t *size, uint32_t *corner)
{
	for (unsigned d = 0; d < w->t->dimensions; d++)
		if (*text++ != (d ? ',' : '@') || !allocate_number(&text, w->t->dims[d] - size[d], &corner[d]))
			return false;
	return !*text;
}

/* The i-th node of the box. */
static uint32_t node_of_box(const struct allocating *w, const uint32_t *corner, const uint32_t *size, uint32_t i)
{
	uint32_t at[ALLOCATE_DIMENSIONS];

	for (unsigned d = 0; d < w->t->dimensions; i /= size[d++])
		at[d] = corner[d] + i % size[d];
	return topology_node_at(w->t, at);
}

/* Finds the first box whose nodes are free, by its corner's number. */
static bool find_box(const struct allocating *w, const uint32_t *size, uint32_t nodes, uint32_t *corner)
{
	for (uint32_t first = 0; first < w->t->nodes; first++) {
		bool fits = true;

		topology_coordinates(w->t, first, corner);
		for (unsigned d = 0; d < w->t->dimensions; d++)
			fits = fits && corner[d] + size[d] <= w->t->dims[d];
		for (uint32_t i = 0; fits && i < nodes; i++)
			fits = !w->taken[node_of_box(w, corner, size, i)];
		if (fits)
			return true;
	}
	return false;
}

static int place_subtorus(struct allocating *w, const char *argument, struct err *e)
{
	const struct topology *t = w->t;
	uint32_t *size = w->a->dims, corner[ALLOCATE_DIMENSIONS], nodes = 1;
	const char *rest;

	if (!t->dimensions || t->dimensions > ALLOCATE_DIMENSIONS)
		return err_set(e, STATUS_USAGE, "place=%s: the network is no grid, expected linear, random or list",
			       w->place);
	rest = argument ? read_box(w, argument, size) : NULL;
	if (!rest || (*rest && !read_corner(w, rest, size, corner)))
		return err_set(e, STATUS_USAGE,
			       "place=%s: expected subtorus:AxB…[@X,Y,…], a box inside the network's %u dimensions",
			       w->place, t->dimensions);
	for (unsigned d = 0; d < t->dimensions; d++)
		nodes *= size[d];
	if (w->wanted && w->wanted != nodes)
		return err_set(e, STATUS_USAGE, "place=%s: %" PRIu32 " nodes, expected %" PRIu32, w->place, nodes,
			       w->wanted);
	if (!*rest && !find_box(w, size, nodes, corner))
		return err_set(e, STATUS_USAGE, "place=%s: no such box is free", w->place);
	for (uint32_t i = 0; i < nodes; i++)
		if (take_node(w, node_of_box(w, corner, size, i), e) < 0)
			return -1;
	w->a->dimensions = t->dimensions;
	return 0;
}

/* ---- a file ---- */

static int take_range(struct allocating *w, const struct lines *l, const char **text)
{
	uint32_t from, to;
	const char *begin = *text;

	if (!allocate_number(text, w->t->nodes - 1, &from))
		return lines_wrong(l, "%.40s, expected a node from 0 to %" PRIu32, begin, w->t->nodes - 1);
	to = from;
	if (**text == '-' && (++*text, !allocate_number(text, w->t->nodes - 1, &to) || to < from))
		return lines_wrong(l, "%.40s, expected a range of nodes up to %" PRIu32, begin, w->t->nodes - 1);
	if (**text && !strchr(" \t", **text))
		return lines_wrong(l, "%.40s, expected a blank behind a node", begin);
	for (uint32_t i = from; i <= to; i++) {
		if (w->taken[i] == ALLOCATE_DOWN)
			return lines_wrong(l, "node %" PRIu32 " is down, expected one that is up", i);
		if (w->taken[i] && w->taken[i] != w->job)
			return lines_wrong(l, "node %" PRIu32 " is job %u's, expected a free one", i, w->taken[i]);
		if (w->taken[i])
			return lines_wrong(l, "node %" PRIu32 " is there twice", i);
		w->taken[i] = (uint16_t)w->job;
		w->a->node[w->a->count++] = i;
	}
	return 0;
}

static int read_node_list(struct allocating *w, struct lines *l)
{
	char line[4096];
	int more;

	while ((more = lines_read(l, line, sizeof(line))) > 0) {
		const char *at = line;

		line[strcspn(line, "#\r\n")] = '\0';
		for (at += strspn(at, " \t"); *at; at += strspn(at, " \t"))
			if (take_range(w, l, &at) < 0)
				return -1;
	}
	return more;
}

static int place_list(struct allocating *w, const char *argument, struct err *e)
{
	struct lines l = {.name = argument, .err = e};
	int ret;

	if (!argument || !*argument)
		return err_set(e, STATUS_USAGE, "place=%s: expected list:FILE", w->place);
	l.in = input_open(argument);
	if (!l.in)
		return err_set(e, err_errno(STATUS_BAD_INPUT), "%s: cannot open: %s", argument, strerror(errno));
	ret = read_node_list(w, &l);
	fclose(l.in);
	if (ret < 0)
		return -1;
	if (!w->a->count || (w->wanted && w->a->count != w->wanted))
		return err_set(e, STATUS_BAD_INPUT, "%s: %" PRIu32 " nodes, expected %" PRIu32, argument, w->a->count,
			       w->wanted ? w->wanted : 1);
	return 0;
}

/* ---- the table ---- */

static const struct place_kind {
	const char *name;
	int (*place)(struct allocating *w, const char *argument, struct err *e);
} place_kinds[] = {
	{"linear", place_linear},     {"random", place_random}, {"group", place_group},
	{"subtorus", place_subtorus}, {"list", place_list},
};

int allocate(struct allocation *a, const char *place, uint32_t count, unsigned job, const struct topology *t,
	     uint16_t *taken, struct err *e)
{
	struct allocating w = {.a = a, .wanted = count, .job = job, .t = t, .taken = taken, .place = place};
	const char *colon = strchr(place, ':');
	size_t length = colon ? (size_t)(colon - place) : strlen(place);

	*a = (struct allocation){0};
	if (count > t->nodes)
		return err_set(e, STATUS_USAGE, "%" PRIu32 " nodes, expected at most the network's %" PRIu32, count,
			       t->nodes);
	a->node = mem_alloc(t->nodes, sizeof(*a->node), e);
	if (!a->node)
		return -1;
	for (size_t i = 0; i < sizeof(place_kinds) / sizeof(place_kinds[0]); i++)
		if (strlen(place_kinds[i].name) == length && !strncmp(place_kinds[i].name, place, length))
			return place_kinds[i].place(&w, colon ? colon + 1 : NULL, e);
	return err_set(e, STATUS_USAGE, "place=%s: unknown place, expected linear, random, group, subtorus or list",
		       place);
}

void allocation_finish(struct allocation *a)
{
	free(a->node);
	*a = (struct allocation){0};
}
