#include "wormhole_check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../psim/base/mem.h"
#include "routing.h"
#include "guard.h"

#define NONE NETWORK_NONE
enum { PREDICATES_MAX = 10, WAYS_MAX = 256 };

/* The search over places of a head: a virtual channel, or, numbered after these, the source of a node. */
struct check {
	const struct network *n;
	uint32_t vcs, places;
	uint32_t *first_vc, *link_of; /* [output]; [virtual channel] */
	/* dependences: for each virtual channel a bit set of those that a head in it may request */
	uint64_t *after;
	unsigned words; /* 64-bit words of each set */
	/* for one destination */
	uint32_t *seen, *order, *distance;
	uint32_t *walk, *place_in_order;
	uint32_t *ways, *way_first; /* paths of order[k]: ways[way_first[k] … way_first[k+1]-1] */
	size_t ways_room;
	bool fixed;
	struct check_result *out;
	struct err *e;
};

/* ---- enumeration of answers ---- */
struct predicates {
	unsigned evaluated; /* in this call */
	uint32_t answers;   /* bit k: the answer to question k is no */
};

static bool answer(struct routing_view *v)
{
	struct predicates *q = v->user;
	unsigned k = q->evaluated++;

	return k >= PREDICATES_MAX || !(q->answers >> k & 1);
}
static bool any_phys(struct routing_view *v, int32_t port)
{
	(void)port;
	return answer(v);
}
static bool any_virt(struct routing_view *v, int32_t port, int32_t vc)
{
	(void)port, (void)vc;
	return answer(v);
}

/* Room is enumerated as freedom is: one place, or none. */
static int32_t any_room(struct routing_view *v, int32_t port, int32_t vc)
{
	(void)port, (void)vc;
	return answer(v);
}

static uint32_t place_resource(const struct check *c, uint32_t place)
{
	if (place >= c->vcs)
		return c->n->nodes[place - c->vcs];
	return c->n->inputs[c->n->outputs[c->link_of[place]].peer].resource;
}

static void wormhole_check_place_name(const struct check *c, uint32_t place, char *text, unsigned size)
{
	if (place >= c->vcs) {
		network_resource_name(c->n, c->n->nodes[place - c->vcs], text, size);
		return;
	}
	uint32_t o = c->link_of[place];
	network_channel_name(c->n, true, o, text, size);
	if (c->n->resources[c->n->outputs[o].resource].vcs > 1) {
		size_t used = strlen(text);
		snprintf(text + used, size - used, "#v(%u)", place - c->first_vc[o]);
	}
}

static int wormhole_check_wrong(const struct check *c, uint32_t place, uint32_t dest, const char *what)
{
	char here[192], there[192], by[192];
	uint32_t r = place_resource(c, place);

	network_resource_name(c->n, r, here, sizeof(here));
	network_resource_name(c->n, c->n->nodes[dest], there, sizeof(there));
	wormhole_check_place_name(c, place, by, sizeof(by));
	return err_set(c->e, STATUS_BAD_INPUT, "%s:%d: routing of %s%s%s%s, for a message to %s, %s", c->n->file,
		       c->n->kinds[c->n->resources[r].kind].route_line, here, place < c->vcs ? " (come by " : "",
		       place < c->vcs ? by : "", place < c->vcs ? ")" : "", there, what);
}

/* Adds the place that `choice` leads to; 0, or -1 with the error. */
static int note_choice(struct check *c, uint32_t place, uint32_t dest, struct routing_choice choice, uint32_t *ways,
		       unsigned *count)
{
	const struct network_resource *r = &c->n->resources[place_resource(c, place)];
	char text[160];

	if (choice.port == ROUTE_END)
		return wormhole_check_wrong(c, place, dest, "comes to its end, expected route or retry");
	if (choice.port < 0 || (uint32_t)choice.port >= r->outputs || choice.vc < 0 || choice.vc >= r->vcs) {
		snprintf(text, sizeof(text), "names output %d, virtual channel %d; expected 0 to %d and 0 to %d",
			 choice.port, choice.vc, (int)r->outputs - 1, r->vcs - 1);
		return wormhole_check_wrong(c, place, dest, text);
	}
	uint32_t to = c->first_vc[r->first_output + (uint32_t)choice.port] + (uint32_t)choice.vc;
	for (unsigned w = 0; w < *count; w++)
		if (ways[w] == to)
			return 0;
	if (*count == WAYS_MAX)
		return wormhole_check_wrong(c, place, dest, "leaves more than 256 ways");
	ways[(*count)++] = to;
	return 0;
}

/* Finds all next places of a head to `dest` in `place`. Returns their number, or < 0. */
static int all_ways(struct check *c, uint32_t place, uint32_t dest, uint32_t *ways)
{
	const struct network *n = c->n;
	uint32_t resource = place_resource(c, place);
	const struct network_kind *kind = &n->kinds[n->resources[resource].kind];
	struct predicates q = {0};
	struct routing_view v = {.dest_node = dest,
				 .resource = resource,
				 .in_port = -1,
				 .in_vc = -1,
				 .bytes = 1,
				 .user = &q,
				 .phys_free = any_phys,
				 .virt_free = any_virt,
				 .virt_room = any_room,
				 .trail_move = answer};
	const int32_t *here = network_place(n, resource);
	unsigned count = 0;

	routing_view_limits(&v, n);
	if (place < c->vcs) {
		uint32_t o = c->link_of[place];
		v.in_port = (int32_t)(n->outputs[o].peer - n->resources[resource].first_input);
		v.in_vc = (int32_t)(place - c->first_vc[o]);
	}
	for (q.answers = 0;;) {
		q.evaluated = 0;
		guard_enter("the routing of", n->file, kind->route_line, n, resource);
		struct routing_choice choice = kind->route(&v, here);
		guard_leave();
		if (routing_check_words(n, &v, c->e))
			return -1;
		if (choice.port != ROUTE_RETRY && note_choice(c, place, dest, choice, ways, &count))
			return -1;
		/* next set of answers: the last true one of the evaluated predicates becomes false */
		unsigned k = q.evaluated > PREDICATES_MAX ? PREDICATES_MAX : q.evaluated;
		while (k > 0 && q.answers >> (k - 1) & 1)
			k--;
		if (!k)
			break;
		q.answers = (q.answers & ((1u << (k - 1)) - 1)) | 1u << (k - 1);
	}
	if (!count)
		return wormhole_check_wrong(c, place, dest, "returns retry, whatever is free");
	return (int)count;
}

/* ---- the paths to one destination ---- */

static bool ends_here(const struct check *c, uint32_t place, uint32_t dest)
{
	return place < c->vcs && place_resource(c, place) == c->n->nodes[dest];
}

/*
 * Reports paths that depend on free channels where the description must have one path, unless only
 * the virtual channel of a link from or to a node differs.
 */
static int check_fixed(const struct check *c, uint32_t place, uint32_t dest, const uint32_t *ways, unsigned count)
{
	const struct network *n = c->n;
	uint32_t link = c->link_of[ways[0]];
	bool at_node = n->node_of[n->outputs[link].resource] != NONE ||
		       n->node_of[n->inputs[n->outputs[link].peer].resource] != NONE;
	char a[200], b[200], text[480];

	for (unsigned w = 1; w < count; w++) {
		if (at_node && c->link_of[ways[w]] == link)
			continue;
		wormhole_check_place_name(c, ways[0], a, sizeof(a));
		wormhole_check_place_name(c, ways[w], b, sizeof(b));
		snprintf(text, sizeof(text),
			 "depends on what is free, %s or %s; expected one way: only wormhole simulators choose", a, b);
		return wormhole_check_wrong(c, place, dest, text);
	}
	return 0;
}

static int wormhole_check_visit(struct check *c, uint32_t dest, uint32_t mark, uint32_t *count)
{
	size_t used = 0;

	for (uint32_t k = 0; k < *count; k++) {
		uint32_t place = c->order[k];
		c->way_first[k] = (uint32_t)used;
		if (ends_here(c, place, dest))
			continue;
		if (used + WAYS_MAX > c->ways_room) {
			uint32_t *more = mem_resize(c->ways, 2 * c->ways_room + WAYS_MAX, sizeof(*more), c->e);
			if (!more)
				return -1;
			c->ways = more;
			c->ways_room = 2 * c->ways_room + WAYS_MAX;
		}
		int ways = all_ways(c, place, dest, c->ways + used);
		if (ways < 0 || (c->fixed && check_fixed(c, place, dest, c->ways + used, (unsigned)ways)))
			return -1;
		c->out->adaptive |= ways > 1;
		for (int w = 0; w < ways; w++) {
			uint32_t to = c->ways[used + (size_t)w];
			if (place < c->vcs) {
				const struct network_resource *r = &c->n->resources[place_resource(c, place)];
				uint32_t bit = to - c->first_vc[r->first_output];
				c->after[(size_t)place * c->words + bit / 64] |= 1ull << bit % 64;
			}
			if (c->seen[to] != mark) {
				c->seen[to] = mark;
				c->order[(*count)++] = to;
			}
		}
		used += (size_t)ways;
	}
	c->way_first[*count] = (uint32_t)used;
	return 0;
}

/* Every place has one path: follows it to a place with known distance, and back. */
static void measure_single(struct check *c, uint32_t count)
{
	uint32_t *walk = c->walk;

	for (uint32_t k = 0; k < count; k++) {
		uint32_t place = c->order[k], length = 0;
		while (c->distance[place] == NONE &&
		       length < count) { /* visits every place of a cycle once; it keeps NONE */
			walk[length++] = place;
			place = c->ways[c->way_first[c->place_in_order[place]]];
		}
		if (c->distance[place] == NONE)
			continue;
		for (uint32_t rest = c->distance[place]; length;)
			c->distance[walk[--length]] = ++rest;
	}
}

/*
 * Computes the distance to `dest` from each place by the shortest path. A place from which no path
 * ends at `dest` is a mistake. Where places have several paths, relaxes until nothing changes:
 * paths are short.
 */
static int wormhole_check_measure(struct check *c, uint32_t dest, uint32_t count)
{
	bool changed;

	for (uint32_t k = 0; k < count; k++) {
		c->distance[c->order[k]] = ends_here(c, c->order[k], dest) ? 0 : NONE;
		c->place_in_order[c->order[k]] = k;
	}
	changed = c->way_first[count] > count; /* some place has more than one path */
	if (!changed)
		measure_single(c, count);
	while (changed) {
		changed = false;
		for (uint32_t k = count; k-- > 0;) {
			uint32_t place = c->order[k];
			for (uint32_t w = c->way_first[k]; w < c->way_first[k + 1]; w++) {
				uint32_t d = c->distance[c->ways[w]];
				if (d != NONE && d + 1 < c->distance[place]) {
					c->distance[place] = d + 1;
					changed = true;
				}
			}
		}
	}
	for (uint32_t k = 0; k < count; k++)
		if (c->distance[c->order[k]] == NONE)
			return wormhole_check_wrong(c, c->order[k], dest, "never brings it there");
	return 0;
}

static int one_destination(struct check *c, uint32_t dest, double *sum)
{
	uint32_t count = 0, mark = dest + 1;

	for (uint32_t s = 0; s < c->n->node_count; s++)
		if (s != dest)
			c->order[count++] = c->vcs + s;
	if (wormhole_check_visit(c, dest, mark, &count) || wormhole_check_measure(c, dest, count))
		return -1;
	for (uint32_t s = 0; s < c->n->node_count; s++) {
		if (s == dest)
			continue;
		uint32_t links = c->distance[c->vcs + s];
		*sum += links;
		if (links > c->out->most_links)
			c->out->most_links = links;
	}
	return 0;
}

/* ---- cycles ---- */

static uint32_t next_after(const struct check *c, uint32_t place, uint32_t from)
{
	const struct network_resource *r = &c->n->resources[place_resource(c, place)];
	uint32_t first = r->outputs ? c->first_vc[r->first_output] : 0;

	for (uint32_t bit = from; bit < c->words * 64; bit++) {
		uint64_t rest = c->after[(size_t)place * c->words + bit / 64] >> bit % 64;
		if (!rest) {
			bit |= 63;
			continue;
		}
		return first + bit + (uint32_t)__builtin_ctzll(rest);
	}
	return NONE;
}

static void report_cycle(struct check *c, const uint32_t *stack, uint32_t from, uint32_t depth)
{
	size_t used = 0, size = sizeof(c->out->cycle);

	c->out->cyclic = true;
	for (uint32_t k = from; k < depth && used < size; k++) {
		char name[192];
		if (k - from == 12 && depth - from > 13) {
			used += (size_t)snprintf(c->out->cycle + used, size - used, " -> … (%u more)", depth - k);
			break;
		}
		wormhole_check_place_name(c, stack[k], name, sizeof(name));
		used += (size_t)snprintf(c->out->cycle + used, size - used, "%s%s", k > from ? " -> " : "", name);
	}
	if (used < size)
		snprintf(c->out->cycle + used, size - used, " -> the first");
}

/* Depth-first search of the dependences; `seen`: 0 new, 1 on the stack, 2 done. */
static void wormhole_check_find_cycle(struct check *c)
{
	uint32_t *stack = c->order, *bit = c->distance;

	memset(c->seen, 0, c->places * sizeof(*c->seen));
	for (uint32_t root = 0; root < c->vcs; root++) {
		uint32_t depth = 0;
		if (c->seen[root])
			continue;
		stack[depth++] = root;
		c->seen[root] = 1;
		bit[root] = 0;
		while (depth) {
			uint32_t at = stack[depth - 1], to = next_after(c, at, bit[at]);
			if (to == NONE) {
				c->seen[at] = 2;
				depth--;
				continue;
			}
			const struct network_resource *r = &c->n->resources[place_resource(c, at)];
			bit[at] = to - c->first_vc[r->first_output] + 1;
			if (c->seen[to] == 1) {
				uint32_t from = depth;
				while (stack[--from] != to)
					;
				report_cycle(c, stack, from, depth);
				return;
			}
			if (!c->seen[to]) {
				c->seen[to] = 1;
				bit[to] = 0;
				stack[depth++] = to;
			}
		}
	}
}

static int tables_make(struct check *c)
{
	const struct network *n = c->n;
	uint32_t most = 1;

	for (uint32_t o = 0; o < n->output_count; o++)
		c->vcs += n->resources[n->outputs[o].resource].vcs;
	c->places = c->vcs + n->node_count;
	for (uint32_t r = 0; r < n->resource_count; r++)
		if (n->resources[r].outputs * n->resources[r].vcs > most)
			most = n->resources[r].outputs * n->resources[r].vcs;
	c->words = (most + 63) / 64;
	c->first_vc = mem_alloc(n->output_count + 1, sizeof(*c->first_vc), c->e);
	c->link_of = mem_alloc(c->vcs + 1, sizeof(*c->link_of), c->e);
	c->after = mem_alloc((size_t)c->vcs * c->words + 1, sizeof(*c->after), c->e);
	c->seen = mem_alloc(c->places + 1, sizeof(*c->seen), c->e);
	c->order = mem_alloc(c->places + 1, sizeof(*c->order), c->e);
	c->distance = mem_alloc(c->places + 1, sizeof(*c->distance), c->e);
	c->walk = mem_alloc(c->places + 1, sizeof(*c->walk), c->e);
	c->place_in_order = mem_alloc(c->places + 1, sizeof(*c->place_in_order), c->e);
	c->way_first = mem_alloc(c->places + 2, sizeof(*c->way_first), c->e);
	if (!c->first_vc || !c->link_of || !c->after || !c->seen || !c->order || !c->distance || !c->walk ||
	    !c->place_in_order || !c->way_first)
		return -1;
	for (uint32_t o = 0, v = 0; o < n->output_count; o++) {
		c->first_vc[o] = v;
		for (unsigned k = 0; k < n->resources[n->outputs[o].resource].vcs; k++)
			c->link_of[v++] = o;
	}
	return 0;
}

int network_check(const struct network *n, const struct check_options *o, struct check_result *out, struct err *e)
{
	struct check c = {.n = n, .fixed = o && o->fixed, .out = out, .e = e};
	uint32_t step = o && o->step ? o->step : 1, followed = 0;
	double sum = 0;
	int result;

	*out = (struct check_result){0};
	result = tables_make(&c);
	for (uint32_t d = 0; d < n->node_count && !result; d += step, followed++)
		result = one_destination(&c, d, &sum);
	if (!result) {
		out->mean_links = sum / ((double)followed * (n->node_count - 1));
		wormhole_check_find_cycle(&c);
	}
	free(c.first_vc);
	free(c.link_of);
	free(c.after);
	free(c.seen);
	free(c.order);
	free(c.distance);
	free(c.walk);
	free(c.place_in_order);
	free(c.way_first);
	free(c.ways);
	return result;
}
