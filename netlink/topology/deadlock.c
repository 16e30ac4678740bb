/*
 * The channel dependency graph of a routing: a vertex for each (link, VC), an edge where a packet
 * that holds the first may wait for the second. A graph without a cycle proves freedom from
 * deadlock (W. Dally, C. Seitz, IEEE Trans. Comp. 36(5), 1987). An adaptive routing needs this for
 * its escape channels only, with an edge also where a packet crosses other channels between two of
 * them (J. Duato, IEEE TPDS 4(12), 1993: extended dependences).
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../psim/base/hash.h"
#include "../../psim/base/mem.h"
#include "../../psim/base/vec.h"
#include "kind.h"

enum { KEYS = 32, SHOWN = 16 };
#define NO_CHANNEL UINT32_MAX

/* A packet's position on its path. */
struct place {
	uint32_t router, in_link;
	uint32_t in_vc, held; /* held: the last escape channel, or NO_CHANNEL */
	struct route route;
};

/* Open-addressed hash set of items of `size` bytes, none of them all zero. */
struct set {
	size_t size, count, room; /* room: a power of two */
	unsigned char *at;
};

struct search {
	const struct topology *t;
	struct set places, edges; /* an edge: two channels, each plus 1 */
	struct vec_of(struct place) stack;
	struct err *err;
};

static uint64_t deadlock_hash(const unsigned char *item, size_t size)
{
	uint64_t h = HASH_GOLDEN;

	for (size_t i = 0; i < size; i += 4) {
		uint32_t word;

		memcpy(&word, item + i, 4);
		h = hash_low(h ^ word);
	}
	return h;
}

/* Returns the item's slot, or the empty slot for it. */
static unsigned char *slot(const struct set *s, const void *item)
{
	static const unsigned char zero[sizeof(struct place)];
	size_t i = deadlock_hash(item, s->size);

	for (;; i++) {
		unsigned char *p = s->at + (i & (s->room - 1)) * s->size;

		if (!memcmp(p, item, s->size) || !memcmp(p, zero, s->size))
			return p;
	}
}

static int deadlock_grow(struct set *s, struct err *e)
{
	struct set larger = {s->size, s->count, s->room ? 2 * s->room : 1024, NULL};
	static const unsigned char zero[sizeof(struct place)];

	larger.at = mem_alloc(larger.room, larger.size, e);
	if (!larger.at)
		return -1;
	for (size_t i = 0; i < s->room; i++) {
		const unsigned char *item = s->at + i * s->size;

		if (memcmp(item, zero, s->size) != 0)
			memcpy(slot(&larger, item), item, s->size);
	}
	free(s->at);
	*s = larger;
	return 0;
}

/* Returns 1 if the item is new, 0 if it was present, -1 with `e`. */
static int deadlock_add(struct set *s, const void *item, struct err *e)
{
	unsigned char *p;

	if (2 * s->count >= s->room && deadlock_grow(s, e))
		return -1;
	p = slot(s, item);
	if (!memcmp(p, item, s->size))
		return 0;
	memcpy(p, item, s->size);
	s->count++;
	return 1;
}

static void clear(struct set *s)
{
	if (s->count)
		memset(s->at, 0, s->room * s->size);
	s->count = 0;
}

static uint32_t channel(const struct search *s, const struct route_step *step)
{
	return step->link * s->t->vcs + step->vc;
}

/* Adds the edge to the channel of `step`, and pushes the place that the step leads to. */
static int deadlock_follow(struct search *s, const struct place *at, const struct route_step *step)
{
	uint32_t to = s->t->link[step->link].to;
	struct place next = *at, *place;
	int new;

	if (to < s->t->nodes)
		return 0;
	if (step->vc >= s->t->vcs)
		return err_set(s->err, STATUS_USAGE, "routing %s uses virtual channel %u, expected less than %u",
			       s->t->routing->name, step->vc, s->t->vcs);
	if (step->escape) {
		uint32_t edge[2] = {at->held + 1, channel(s, step) + 1};

		if (at->held != NO_CHANNEL && deadlock_add(&s->edges, edge, s->err) < 0)
			return -1;
		next.held = channel(s, step);
	}
	topology_route_take(s->t, at->router, step, &next.route);
	next.router = to;
	next.in_link = step->link;
	next.in_vc = step->vc;
	new = deadlock_add(&s->places, &next, s->err);
	if (new <= 0)
		return new;
	place = vec_push(&s->stack, s->err);
	if (!place)
		return -1;
	*place = next;
	return 0;
}

static int deadlock_visit(struct search *s, const struct place *at)
{
	struct route_step steps[ROUTE_STEPS_MAX];
	unsigned n = topology_route_next(s->t, at->router, at->in_link, at->in_vc, &at->route, steps);
	bool escape = false;

	for (unsigned i = 0; i < n; i++) {
		escape |= steps[i].escape;
		if (deadlock_follow(s, at, &steps[i]))
			return -1;
	}
	if (escape)
		return 0;
	return err_set(s->err, STATUS_USAGE,
		       "routing %s offers a packet to node %u no channel to wait for at router %u", s->t->routing->name,
		       at->route.dst, at->router - s->t->nodes);
}

/* Follows all paths of one packet. */
static int deadlock_explore(struct search *s, uint32_t src, uint32_t dst, uint64_t key)
{
	uint32_t inject = s->t->inject[src * s->t->nics];
	struct place first = {.router = s->t->link[inject].to, .in_link = inject, .held = NO_CHANNEL};
	struct place *place;

	clear(&s->places);
	topology_route_start(s->t, src, dst, key, &first.route);
	place = vec_push(&s->stack, s->err);
	if (!place)
		return -1;
	*place = first;
	while (s->stack.count) {
		struct place at = s->stack.at[--s->stack.count];

		if (deadlock_visit(s, &at))
			return -1;
	}
	return 0;
}

/* The edges sorted by their first channel. */
struct dependences {
	uint32_t channels, *first, *to;
	uint32_t *parent; /* predecessor in the search for a cycle */
	uint8_t *colour;  /* 0 unseen, 1 on the present path, 2 done */
	uint32_t *at;     /* the next edge to follow */
};

static int sort_edges(const struct search *s, struct dependences *d)
{
	uint32_t(*edge)[2] = (void *)s->edges.at;

	d->first = mem_alloc((size_t)d->channels + 2, sizeof(*d->first), s->err);
	d->to = mem_alloc(s->edges.count + 1, sizeof(*d->to), s->err);
	d->parent = mem_alloc(d->channels, sizeof(*d->parent), s->err);
	d->colour = mem_alloc(d->channels, 1, s->err);
	d->at = mem_alloc(d->channels, sizeof(*d->at), s->err);
	if (!d->first || !d->to || !d->parent || !d->colour || !d->at)
		return -1;
	for (size_t i = 0; i < s->edges.room; i++)
		if (edge[i][0])
			d->first[edge[i][0] + 1]++;
	for (uint32_t c = 2; c < d->channels + 2; c++)
		d->first[c] += d->first[c - 1];
	for (size_t i = 0; i < s->edges.room; i++)
		if (edge[i][0])
			d->to[d->first[edge[i][0]]++] = edge[i][1] - 1;
	for (uint32_t c = 0; c < d->channels; c++)
		d->at[c] = d->first[c];
	return 0;
}

/*
 * Returns a channel on a cycle that is reachable from `root`, with `parent` set along the cycle;
 * NO_CHANNEL if there is none.
 */
static uint32_t deadlock_find_cycle(struct dependences *d, uint32_t root)
{
	uint32_t c = root;

	d->parent[root] = NO_CHANNEL;
	d->colour[root] = 1;
	while (c != NO_CHANNEL) {
		uint32_t to;

		if (d->at[c] == d->first[c + 1]) {
			d->colour[c] = 2;
			c = d->parent[c];
			continue;
		}
		to = d->to[d->at[c]++];
		if (d->colour[to] == 1) {
			d->parent[to] = c;
			return to;
		}
		if (d->colour[to] == 0) {
			d->colour[to] = 1;
			d->parent[to] = c;
			c = to;
		}
	}
	return NO_CHANNEL;
}

/*
 * Writes the cycle, "router 0 +x vc 0, router 1 +x vc 0", each channel waiting for the next.
 * Overwrites the edges.
 */
static int deadlock_describe_cycle(const struct search *s, const struct dependences *d, uint32_t on)
{
	uint32_t *next = d->at, c = on;
	unsigned count = 0;
	char text[900];
	size_t n = 0;

	do {
		next[d->parent[c]] = c;
		c = d->parent[c];
		count++;
	} while (c != on);
	for (unsigned i = 0; i < count && i < SHOWN && n < sizeof(text); i++, c = next[c]) {
		const struct topology_link *l = &s->t->link[c / s->t->vcs];
		char name[ROUTER_NAME_MAX];

		n += (size_t)snprintf(text + n, sizeof(text) - n, "%srouter %s %s vc %u", i ? ", " : "",
				      topology_router_name(s->t, l->from, name), s->t->class[l->class].name,
				      c % s->t->vcs);
	}
	return err_set(s->err, STATUS_USAGE, "routing %s of this %s may deadlock: %u channels wait in a cycle: %s%s",
		       s->t->routing->name, topology_name(s->t), count, text, count > SHOWN ? ", …" : "");
}

static int check_cycles(const struct search *s)
{
	struct dependences d = {.channels = s->t->links * s->t->vcs};
	int result = s->edges.count ? sort_edges(s, &d) : 0;

	for (uint32_t c = 0; !result && s->edges.count && c < d.channels; c++) {
		uint32_t on = d.colour[c] ? NO_CHANNEL : deadlock_find_cycle(&d, c);

		if (on != NO_CHANNEL)
			result = deadlock_describe_cycle(s, &d, on);
	}
	free(d.first);
	free(d.to);
	free(d.parent);
	free(d.colour);
	free(d.at);
	return result;
}

int topology_check_deadlock(const struct topology *t, struct err *e)
{
	struct search s = {.t = t, .places.size = sizeof(struct place), .edges.size = 2 * sizeof(uint32_t), .err = e};
	uint64_t keys = t->random ? KEYS : 1;
	int result = 0;

	for (uint32_t src = 0; src < t->nodes && !result; src++)
		for (uint32_t dst = 0; dst < t->nodes && !result; dst++)
			for (uint64_t key = 0; key < keys && !result && topology_reaches(t, src, dst); key++)
				result = deadlock_explore(&s, src, dst, key);
	if (!result)
		result = check_cycles(&s);
	free(s.places.at);
	free(s.edges.at);
	vec_finish(&s.stack);
	return result;
}
