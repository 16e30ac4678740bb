#include "wormhole_check_state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../psim/base/mem.h"
#include "routing.h"
#include "guard.h"

#define NONE NETWORK_NONE

/* ---- enumeration of answers ---- */
struct predicates {
	unsigned evaluated; /* in this call */
	uint32_t answers;   /* bit k: the answer to question k is no */
	bool partial;       /* more questions than are tried */
	struct check_question asked[CHECK_QUESTIONS_MAX];
};

/* The same question has the same answer within a call. */
static bool answer(struct routing_view *v, char word, int32_t port, int32_t vc)
{
	struct predicates *q = v->user;
	unsigned k = 0;

	while (k < q->evaluated && (q->asked[k].word != word || q->asked[k].port != port || q->asked[k].vc != vc))
		k++;
	if (k == CHECK_QUESTIONS_MAX) {
		q->partial = true;
		return true;
	}
	if (k == q->evaluated)
		q->asked[q->evaluated++] = (struct check_question){word, port, vc, !(q->answers >> k & 1)};
	return q->asked[k].yes;
}
static bool any_phys(struct routing_view *v, int32_t port)
{
	return answer(v, 'p', port, -1);
}
static bool any_virt(struct routing_view *v, int32_t port, int32_t vc)
{
	return answer(v, 'v', port, vc);
}

/* Room is enumerated as freedom is: one place, or none. */
static int32_t any_room(struct routing_view *v, int32_t port, int32_t vc)
{
	return answer(v, 'r', port, vc);
}
static bool any_trail(struct routing_view *v)
{
	return answer(v, 't', -1, -1);
}

uint32_t check_place_resource(const struct check *c, uint32_t place)
{
	if (place >= c->vcs)
		return c->n->nodes[place - c->vcs];
	return c->n->inputs[c->n->outputs[c->link_of[place]].peer].resource;
}

void check_place_name(const struct check *c, uint32_t place, char *text, unsigned size)
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

int check_wrong(const struct check *c, uint32_t place, uint32_t dest, const char *what)
{
	char here[192], there[192], by[192];
	uint32_t r = check_place_resource(c, place);

	network_resource_name(c->n, r, here, sizeof(here));
	network_resource_name(c->n, c->n->nodes[dest], there, sizeof(there));
	check_place_name(c, place, by, sizeof(by));
	return err_set(c->e, STATUS_BAD_INPUT, "%s:%d: routing of %s%s%s%s, for a message to %s, %s", c->n->file,
		       c->n->kinds[c->n->resources[r].kind].route_line, here, place < c->vcs ? " (from " : "",
		       place < c->vcs ? by : "", place < c->vcs ? ")" : "", there, what);
}

uint32_t check_channel(const struct check *c, uint32_t place, int32_t port, int32_t vc)
{
	return c->first_vc[c->n->resources[check_place_resource(c, place)].first_output + (uint32_t)port] +
	       (uint32_t)vc;
}

/* Adds the place that `choice` leads to; 0, or -1 with the error. */
static int note_choice(struct check *c, uint32_t place, uint32_t dest, struct routing_choice choice,
		       uint32_t *next_hops, unsigned *count)
{
	const struct network_resource *r = &c->n->resources[check_place_resource(c, place)];
	char text[160];

	if (choice.port == ROUTE_END)
		return check_wrong(c, place, dest, "comes to its end, expected route or retry");
	if (choice.port < 0 || (uint32_t)choice.port >= r->outputs || choice.vc < 0 || choice.vc >= r->vcs) {
		snprintf(text, sizeof(text), "names output %d, virtual channel %d; expected 0 to %d and 0 to %d",
			 choice.port, choice.vc, (int)r->outputs - 1, r->vcs - 1);
		return check_wrong(c, place, dest, text);
	}
	uint32_t to = check_channel(c, place, choice.port, choice.vc);
	if (choice.escape && !c->graph) {
		c->escape[to] = true;
		c->escape_choices++;
	}
	for (unsigned w = 0; w < *count; w++)
		if (next_hops[w] == to)
			return 0;
	if (*count == NEXT_HOPS_MAX)
		return check_wrong(c, place, dest, "leaves more than 256 ways");
	next_hops[(*count)++] = to;
	return 0;
}

/* Begins the next set of answers: the last true one of the evaluated questions becomes false. False: none is left. */
static bool next_answers(struct predicates *q)
{
	unsigned k = q->evaluated;

	while (k > 0 && q->answers >> (k - 1) & 1)
		k--;
	if (k)
		q->answers = (q->answers & ((1u << (k - 1)) - 1)) | 1u << (k - 1);
	return k > 0;
}

/*
 * Calls the routing with all answers. Adds the next places to `next_hops`; or, if `judged`, judges each call by them.
 */
static int try_answers(struct check *c, struct routing_view *v, struct check_call *call, uint32_t *next_hops,
		       bool judged)
{
	const struct network *n = c->n;
	const struct network_kind *kind = &n->kinds[n->resources[v->resource].kind];
	struct predicates q; /* questions are set as they come */

	q.answers = 0;
	q.partial = false;
	v->user = &q;
	do {
		q.evaluated = 0;
		guard_enter("the routing of", n->file, kind->route_line, n, v->resource);
		struct routing_choice choice = kind->route(v, network_place(n, v->resource));
		guard_leave();
		c->out->calls++;
		if (v->wrong.word)
			return routing_check_words(n, v, c->e);
		if (judged) {
			call->to = choice.port == ROUTE_RETRY ? NONE
							      : check_channel(c, call->place, choice.port, choice.vc);
			call->asked = q.asked;
			call->asked_count = q.evaluated;
			if (escape_channel_judge(c, call))
				return -1;
		} else if (choice.port != ROUTE_RETRY &&
			   note_choice(c, call->place, call->dest, choice, next_hops, &call->hop_count)) {
			return -1;
		}
	} while (next_answers(&q));
	c->out->partial |= q.partial;
	return 0;
}

int check_next_hops(struct check *c, uint32_t place, uint32_t dest, unsigned open, unsigned *named, uint32_t *next_hops)
{
	const struct network *n = c->n;
	struct check_call call = {.place = place, .dest = dest, .next_hops = next_hops};
	struct routing_view v = {.dest_node = dest,
				 .resource = check_place_resource(c, place),
				 .in_port = -1,
				 .in_vc = -1,
				 .bytes = 1,
				 .phys_free = any_phys,
				 .virt_free = any_virt,
				 .virt_room = any_room,
				 .trail_move = any_trail,
				 .open = open};

	routing_view_limits(&v, n);
	if (place < c->vcs) {
		uint32_t o = c->link_of[place];
		v.in_port = (int32_t)(n->outputs[o].peer - n->resources[v.resource].first_input);
		v.in_vc = (int32_t)(place - c->first_vc[o]);
	}
	if (try_answers(c, &v, &call, next_hops, false))
		return -1;
	*named = v.named;
	if (!call.hop_count)
		return check_wrong(c, place, dest, "returns retry, whatever is free");
	if (c->graph && try_answers(c, &v, &call, next_hops, true))
		return -1;
	return (int)call.hop_count;
}

/* ---- the paths to one destination ---- */

bool check_ends_here(const struct check *c, uint32_t place, uint32_t dest)
{
	return place < c->vcs && check_place_resource(c, place) == c->n->nodes[dest];
}

/* Returns whether next places differ by more than the virtual channel of a link from or to a node. */
static bool chooses(const struct check *c, const uint32_t *next_hops, unsigned count)
{
	const struct network *n = c->n;
	uint32_t link = c->link_of[next_hops[0]];
	bool at_node = n->node_of[n->outputs[link].resource] != NONE ||
		       n->node_of[n->inputs[n->outputs[link].peer].resource] != NONE;

	for (unsigned w = 1; w < count; w++)
		if (!at_node || c->link_of[next_hops[w]] != link)
			return true;
	return false;
}

void check_note(struct check *c, uint32_t place, const uint32_t *next_hops, unsigned count)
{
	const struct network_resource *r = &c->n->resources[check_place_resource(c, place)];

	c->out->adaptive |= count > 1;
	c->out->chooses |= chooses(c, next_hops, count);
	for (unsigned w = 0; w < count && place < c->vcs; w++) {
		uint32_t bit = next_hops[w] - c->first_vc[r->first_output];

		c->after[(size_t)place * c->words + bit / 64] |= 1ull << bit % 64;
	}
}

static int wormhole_check_visit(struct check *c, uint32_t dest, uint32_t mark, uint32_t *count)
{
	size_t used = 0;
	unsigned named;

	for (uint32_t k = 0; k < *count; k++) {
		uint32_t place = c->order[k];
		c->hop_first[k] = (uint32_t)used;
		if (check_ends_here(c, place, dest))
			continue;
		if (used + NEXT_HOPS_MAX > c->hops_room) {
			uint32_t *more =
				mem_resize(c->next_hops, 2 * c->hops_room + NEXT_HOPS_MAX, sizeof(*more), c->e);
			if (!more)
				return -1;
			c->next_hops = more;
			c->hops_room = 2 * c->hops_room + NEXT_HOPS_MAX;
		}
		int next_hops = check_next_hops(c, place, dest, 0, &named, c->next_hops + used);
		if (next_hops < 0)
			return -1;
		check_note(c, place, c->next_hops + used, (unsigned)next_hops);
		for (int w = 0; w < next_hops; w++) {
			uint32_t to = c->next_hops[used + (size_t)w];
			if (c->seen[to] != mark) {
				c->seen[to] = mark;
				c->order[(*count)++] = to;
			}
		}
		used += (size_t)next_hops;
	}
	c->hop_first[*count] = (uint32_t)used;
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
			place = c->next_hops[c->hop_first[c->place_in_order[place]]];
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
		c->distance[c->order[k]] = check_ends_here(c, c->order[k], dest) ? 0 : NONE;
		c->place_in_order[c->order[k]] = k;
	}
	changed = c->hop_first[count] > count; /* some place has more than one path */
	if (!changed)
		measure_single(c, count);
	while (changed) {
		changed = false;
		for (uint32_t k = count; k-- > 0;) {
			uint32_t place = c->order[k];
			for (uint32_t w = c->hop_first[k]; w < c->hop_first[k + 1]; w++) {
				uint32_t d = c->distance[c->next_hops[w]];
				if (d != NONE && d + 1 < c->distance[place]) {
					c->distance[place] = d + 1;
					changed = true;
				}
			}
		}
	}
	for (uint32_t k = 0; k < count; k++)
		if (c->distance[c->order[k]] == NONE)
			return check_wrong(c, c->order[k], dest, "never brings it there");
	return 0;
}

static int one_destination(struct check *c, uint32_t dest, double *sum)
{
	uint32_t count = 0, mark = dest + 1;

	for (uint32_t s = 0; s < c->n->node_count; s++)
		if (s != dest)
			c->order[count++] = c->vcs + s;
	if (wormhole_check_visit(c, dest, mark, &count))
		return -1;
	if (c->graph)
		return escape_channel_add(c, dest, count);
	if (wormhole_check_measure(c, dest, count))
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

uint32_t check_next_after(const struct check *c, uint32_t place, uint32_t *from)
{
	const struct network_resource *r = &c->n->resources[check_place_resource(c, place)];
	uint32_t first = r->outputs ? c->first_vc[r->first_output] : 0;

	for (uint32_t bit = *from; bit < c->words * 64; bit++) {
		uint64_t rest = c->after[(size_t)place * c->words + bit / 64] >> bit % 64;
		if (!rest) {
			bit |= 63;
			continue;
		}
		bit += (uint32_t)__builtin_ctzll(rest);
		*from = bit + 1;
		return first + bit;
	}
	return NONE;
}

static void report_cycle(struct check *c, const uint32_t *stack, uint32_t from, uint32_t depth)
{
	size_t used = 0, size = sizeof(c->out->cycle);

	c->out->cyclic = true;
	c->out->waits = c->graph ? "escape channels wait for each other" : "virtual channels wait for each other";
	for (uint32_t k = from; k < depth && used < size; k++) {
		char name[192];
		if (k - from == 12 && depth - from > 13) {
			used += (size_t)snprintf(c->out->cycle + used, size - used, " -> … (%u more)", depth - k);
			break;
		}
		check_place_name(c, stack[k], name, sizeof(name));
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
			uint32_t at = stack[depth - 1], to = c->graph ? escape_channel_next(c, at, &bit[at])
								      : check_next_after(c, at, &bit[at]);
			if (to == NONE) {
				c->seen[at] = 2;
				depth--;
				continue;
			}
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
	c->escape = mem_alloc(c->vcs + 1, sizeof(*c->escape), c->e);
	c->seen = mem_alloc(c->places + 1, sizeof(*c->seen), c->e);
	c->order = mem_alloc(c->places + 1, sizeof(*c->order), c->e);
	c->distance = mem_alloc(c->places + 1, sizeof(*c->distance), c->e);
	c->walk = mem_alloc(c->places + 1, sizeof(*c->walk), c->e);
	c->place_in_order = mem_alloc(c->places + 1, sizeof(*c->place_in_order), c->e);
	c->hop_first = mem_alloc(c->places + 2, sizeof(*c->hop_first), c->e);
	if (!c->first_vc || !c->link_of || !c->after || !c->escape || !c->seen || !c->order || !c->distance ||
	    !c->walk || !c->place_in_order || !c->hop_first)
		return -1;
	for (uint32_t o = 0, v = 0; o < n->output_count; o++) {
		c->first_vc[o] = v;
		for (unsigned k = 0; k < n->resources[n->outputs[o].resource].vcs; k++)
			c->link_of[v++] = o;
	}
	return 0;
}

static int interrupted(const struct check *c)
{
	return err_set(c->e, STATUS_FAILED, "%s: the check is interrupted", c->n->file);
}

/* Follows the paths to every step-th destination; returns how many, or -1. */
static int64_t follow_all(struct check *c, const struct check_options *o, uint32_t before, double *sum)
{
	uint32_t nodes = c->n->node_count, step = o && o->step ? o->step : 1;
	int64_t followed = 0;

	for (uint32_t d = 0; d < nodes; d += step, followed++) {
		if (one_destination(c, d, sum))
			return -1;
		if (o && o->tick && !o->tick(o->user, before + d + 1, before + nodes))
			return interrupted(c);
	}
	return followed;
}

/*
 * A cycle of all channels is no deadlock if escape channels keep from it: follows all paths again, now
 * that these are known.
 */
static int check_escapes(struct check *c, const struct check_options *o)
{
	double unused = 0;
	int result;

	*c->out->cycle = '\0';
	c->out->cyclic = false;
	c->out->escapes = true;
	memset(c->seen, 0, c->places * sizeof(*c->seen));
	result = escape_channel_start(c);
	if (!result && follow_all(c, o, c->n->node_count, &unused) < 0 && !c->out->cyclic)
		result = -1;
	if (!result && !c->out->cyclic)
		wormhole_check_find_cycle(c);
	escape_channel_finish(c);
	return result;
}

static void tables_free(struct check *c)
{
	free(c->first_vc);
	free(c->link_of);
	free(c->after);
	free(c->escape);
	free(c->seen);
	free(c->order);
	free(c->distance);
	free(c->walk);
	free(c->place_in_order);
	free(c->hop_first);
	free(c->next_hops);
}

/* Follows the paths to all destinations, by sets of them where that is exact. Returns how many, or -1. */
static int64_t follow_destinations(struct check *c, const struct check_options *o, double *sum)
{
	int by_sets = o && (o->each || o->step > 1) ? 0 : check_by_sets(c, o, sum);

	if (by_sets > 0)
		return c->n->node_count;
	if (by_sets < 0)
		return interrupted(c);
	*sum = 0;
	c->out->most_links = 0;
	return follow_all(c, o, 0, sum);
}

int network_check(const struct network *n, const struct check_options *o, struct check_result *out, struct err *e)
{
	struct check c = {.n = n, .out = out, .e = e};
	int64_t followed = -1;
	double sum = 0;
	int result;

	*out = (struct check_result){0};
	result = tables_make(&c);
	if (!result)
		followed = follow_destinations(&c, o, &sum);
	if (followed > 0) {
		out->mean_links = sum / ((double)followed * (n->node_count - 1));
		wormhole_check_find_cycle(&c);
		if (out->cyclic && c.escape_choices)
			result = check_escapes(&c, o);
	}
	tables_free(&c);
	return followed < 0 ? -1 : result;
}
