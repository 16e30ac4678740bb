/*
 * The check by sets of destinations that a routing does not distinguish.
 *
 * A set fixes the index of some dimensions and has all indices of the open ones. A routing knows its destination by
 * msg_dest_dim only. So a call that reads fixed dimensions only answers for the whole set; otherwise the set is split
 * by the first open dimension that was read. A state is a place with a set whose messages all pass there.
 *
 * The result is exact: it is that of single destinations, or none, and then those are followed one by one. None is for
 * routings whose answer to a repeated call differs, for mistakes, which are reported for the first destination, for
 * loops, for next hops of different length that sets do not distinguish, and where states are about as many as pairs.
 */
#include <stdlib.h>
#include <string.h>

#include "../../psim/base/hash.h"
#include "../../psim/base/mem.h"
#include "../../psim/base/vec.h"
#include "wormhole_check_state.h"

#define NONE NETWORK_NONE
enum {
	STATES_MAX = 1 << 22, /* at a time: 300 MB */
	STATES_FEW = 1 << 16, /* are no loss, even if pairs are fewer */
	REPEATED = 4096,      /* first states whose call is repeated; of the others one in REPEATED_EACH */
	REPEATED_EACH = 8,
	FLAT = 0, /* the shape of a set whose destinations are equally far */
};

struct state {
	uint32_t place;
	uint32_t base;    /* node: the set's destination with index 0 in the open dimensions */
	uint32_t first;   /* of those that follow, in `next` */
	uint32_t links;   /* to the nearest destination; while it is measured: the next of those that follow */
	uint32_t shape;   /* how much farther the others are, a number that equal functions share */
	uint32_t most;    /* links to the farthest */
	uint64_t sum;     /* of the links to all */
	uint8_t open;     /* dimensions, a bit each */
	uint8_t split;    /* 1 + the dimension by which those that follow divide the set; 0: they are its next places */
	uint8_t measured; /* 0 no, 1 in progress, 2 yes */
};

struct part { /* of a shape: the destinations with one index of a dimension */
	uint32_t farther, shape;
};
struct shape {
	uint32_t dim, first, count, hash; /* parts */
};

struct numbers vec_of(uint32_t);

struct sets {
	struct check *c;
	const struct network_kind *kind; /* of the destinations */
	uint32_t first_node;             /* of that kind */
	uint32_t stride[NETWORK_DIMS_MAX];
	size_t divided[NETWORK_DIMS_MAX]; /* [dimension]: states of one source where a set is divided by it first */
	size_t most_states;
	struct vec_of(struct state) states;
	struct numbers next, stack;
	struct numbers table, shape_table; /* both tables: 1 + number, by hash; sizes are powers of two */
	struct vec_of(struct shape) shapes;
	struct vec_of(struct part) parts;
};

/* Makes an empty table of at least twice `count` places. */
static int table_make(struct sets *s, struct numbers *t, size_t count)
{
	size_t size = 1024;

	while (size < 2 * count)
		size *= 2;
	t->count = 0;
	if (vec_reserve(t, size, s->c->e))
		return -1;
	memset(t->at, 0, size * sizeof(*t->at));
	t->count = size;
	return 0;
}

/* ---- states ---- */

static uint64_t state_hash(const struct state *x)
{
	return hash_low(hash_low((uint64_t)x->place << 32 | x->base) + x->open);
}

static int states_rehash(struct sets *s)
{
	if (table_make(s, &s->table, 2 * s->states.count + 1))
		return -1;
	for (uint32_t k = 0; k < s->states.count; k++) {
		size_t at = state_hash(&s->states.at[k]) & (s->table.count - 1);

		while (s->table.at[at])
			at = (at + 1) & (s->table.count - 1);
		s->table.at[at] = k + 1;
	}
	return 0;
}

/* Adds a state, unless it is known, to those that follow the present one; 0, or -1. */
static int follows(struct sets *s, const struct state *x)
{
	uint32_t *next = vec_push(&s->next, s->c->e);
	size_t at = state_hash(x) & (s->table.count - 1);

	if (!next)
		return -1;
	for (; s->table.at[at]; at = (at + 1) & (s->table.count - 1)) {
		const struct state *y = &s->states.at[s->table.at[at] - 1];

		if (y->place == x->place && y->base == x->base && y->open == x->open) {
			*next = s->table.at[at] - 1;
			return 0;
		}
	}
	*next = (uint32_t)s->states.count;
	struct state *new = s->states.count < s->most_states ? vec_push(&s->states, s->c->e) : NULL;
	if (!new)
		return -1;
	*new = *x;
	s->table.at[at] = *next + 1;
	return 2 * s->states.count > s->table.count ? states_rehash(s) : 0;
}

/* Divides the set of state `k` by the index of an open dimension. A source sends nothing to itself. */
static int sets_split(struct sets *s, uint32_t k, unsigned dim)
{
	struct state x = s->states.at[k];
	uint32_t own = x.place < s->c->vcs ? NONE : x.place - s->c->vcs;

	s->states.at[k].split = (uint8_t)(dim + 1);
	x.open &= (uint8_t) ~(1u << dim);
	for (int64_t index = 0; index < s->kind->size[dim]; index++, x.base += s->stride[dim])
		if ((x.open || x.base != own) && follows(s, &x))
			return -1;
	return 0;
}

/* Returns whether node `node` is in the set of `x`. */
static bool set_has(const struct sets *s, const struct state *x, uint32_t node)
{
	const struct network *n = s->c->n;

	if (node < s->first_node || node - s->first_node >= s->kind->count)
		return false;
	const int32_t *a = network_place(n, n->nodes[node]), *b = network_place(n, n->nodes[x->base]);
	for (unsigned d = 0; d < s->kind->dims; d++)
		if (!(x->open >> d & 1) && a[d] != b[d])
			return false;
	return true;
}

/* Adds the places to which the routing sends the set of state `k`, or its parts. 0, or -1: not by sets. */
static int routed(struct sets *s, uint32_t k)
{
	struct state x = s->states.at[k];
	struct check *c = s->c;
	uint32_t next_hops[NEXT_HOPS_MAX], again[NEXT_HOPS_MAX];
	unsigned named = 0;
	int count = check_next_hops(c, x.place, x.base, x.open, &named, next_hops);

	if (count < 0)
		return -1;
	if (named)
		return sets_split(s, k, named - 1);
	if ((k < REPEATED || k % REPEATED_EACH == 0) &&
	    (check_next_hops(c, x.place, x.base, x.open, &named, again) != count || named ||
	     memcmp(next_hops, again, (size_t)count * sizeof(*next_hops))))
		return -1;
	check_note(c, x.place, next_hops, (unsigned)count);
	for (int w = 0; w < count; w++) {
		x.place = next_hops[w];
		if (follows(s, &x))
			return -1;
	}
	return 0;
}

/* The open dimension by which a set is divided first; `open` is not 0. */
static unsigned first_dimension(const struct sets *s, unsigned open)
{
	unsigned best = (unsigned)__builtin_ctz(open);

	for (unsigned d = best + 1; d < s->kind->dims; d++)
		if (open >> d & 1 && s->divided[d] < s->divided[best])
			best = d;
	return best;
}

static int sets_expand(struct sets *s, uint32_t k)
{
	const struct check *c = s->c;
	struct state *x = &s->states.at[k];
	uint32_t node = c->n->node_of[check_place_resource(c, x->place)];

	x->first = (uint32_t)s->next.count;
	if (node == NONE || !set_has(s, x, node))
		return routed(s, k);
	if (!x->open)
		return 0; /* it has arrived */
	return sets_split(s, k, first_dimension(s, x->open));
}

/* Finds all states that a set to `base` from each of `sources` nodes can reach. 0, or -1: not by sets. */
static int visit(struct sets *s, uint32_t base, unsigned open, uint32_t sources)
{
	struct state x = {.base = base, .open = (uint8_t)open};

	s->states.count = s->next.count = 0;
	if (table_make(s, &s->table, sources))
		return -1;
	for (uint32_t n = 0; n < sources; n++) {
		x.place = s->c->vcs + n;
		if ((open || n != base) && follows(s, &x))
			return -1;
	}
	for (uint32_t k = 0; k < s->states.count; k++)
		if (sets_expand(s, k))
			return -1;
	return 0;
}

/* ---- distances ---- */

/* The number of a shape: that of an equal one, or a new one, whose parts are the last `count`. NONE: no memory. */
static uint32_t shape_number(struct sets *s, unsigned dim, uint32_t count)
{
	uint32_t first = (uint32_t)s->parts.count - count;
	uint64_t hash = hash_low(dim);

	for (uint32_t p = first; p < s->parts.count; p++)
		hash = hash_low(hash + ((uint64_t)s->parts.at[p].farther << 32 | s->parts.at[p].shape));
	if (2 * s->shapes.count + 2 > s->shape_table.count) {
		if (table_make(s, &s->shape_table, 2 * s->shapes.count + 2))
			return NONE;
		for (uint32_t k = 0; k < s->shapes.count; k++) {
			size_t at = s->shapes.at[k].hash & (s->shape_table.count - 1);
			while (s->shape_table.at[at])
				at = (at + 1) & (s->shape_table.count - 1);
			s->shape_table.at[at] = k + 1;
		}
	}
	size_t at = (uint32_t)hash & (s->shape_table.count - 1);
	for (; s->shape_table.at[at]; at = (at + 1) & (s->shape_table.count - 1)) {
		const struct shape *y = &s->shapes.at[s->shape_table.at[at] - 1];

		if (y->hash == (uint32_t)hash && y->dim == dim && y->count == count &&
		    !memcmp(s->parts.at + y->first, s->parts.at + first, count * sizeof(*s->parts.at))) {
			s->parts.count = first;
			return s->shape_table.at[at]; /* 0 is FLAT */
		}
	}
	struct shape *new = vec_push(&s->shapes, s->c->e);
	if (!new)
		return NONE;
	*new = (struct shape){dim, first, count, (uint32_t)hash};
	s->shape_table.at[at] = (uint32_t)s->shapes.count;
	return (uint32_t)s->shapes.count;
}

/* Measures a state from its parts. */
static int measure_split(struct sets *s, struct state *x, const uint32_t *part, uint32_t count)
{
	bool flat = true;

	x->links = count ? s->states.at[part[0]].links : 0;
	x->shape = FLAT;
	for (uint32_t p = 0; p < count; p++) {
		const struct state *y = &s->states.at[part[p]];

		x->sum += y->sum;
		x->most = y->most > x->most ? y->most : x->most;
		flat &= y->links == s->states.at[part[0]].links && y->shape == s->states.at[part[0]].shape;
		x->links = y->links < x->links ? y->links : x->links;
	}
	if (x->place >= s->c->vcs || !count)
		return 0; /* no way leads to a source, so nothing is compared with it */
	if (flat) {
		x->shape = s->states.at[part[0]].shape;
		return 0;
	}
	if (vec_reserve(&s->parts, count, s->c->e))
		return -1;
	for (uint32_t p = 0; p < count; p++) {
		const struct state *y = &s->states.at[part[p]];

		s->parts.at[s->parts.count++] = (struct part){y->links - x->links, y->shape};
	}
	x->shape = shape_number(s, x->split - 1u, count);
	return x->shape == NONE ? -1 : 0;
}

static uint32_t destinations(const struct sets *s, const struct state *x)
{
	uint32_t count = 1;

	for (unsigned d = 0; d < s->kind->dims; d++)
		if (x->open >> d & 1)
			count *= (uint32_t)s->kind->size[d];
	return count;
}

/* Measures a state from its next places: the shortest, if one is for all destinations. 0, or -1: none is. */
static int measure_next_hops(struct sets *s, struct state *x, const uint32_t *way, uint32_t count)
{
	const struct state *best = &s->states.at[way[0]];

	for (uint32_t w = 1; w < count; w++) {
		const struct state *y = &s->states.at[way[w]];

		if (y->shape != best->shape)
			return -1;
		best = y->links < best->links ? y : best;
	}
	x->links = best->links + 1;
	x->most = best->most + 1;
	x->shape = best->shape;
	x->sum = best->sum + destinations(s, x);
	return 0;
}

static uint32_t end_of(const struct sets *s, uint32_t k)
{
	return k + 1 < s->states.count ? s->states.at[k + 1].first : (uint32_t)s->next.count;
}

/* Measures state `k`, whose followers are measured. */
static int measure_one(struct sets *s, uint32_t k)
{
	struct state *x = &s->states.at[k];
	uint32_t count = end_of(s, k) - x->first;

	x->measured = 2;
	x->links = 0;
	x->shape = FLAT;
	if (x->split)
		return measure_split(s, x, s->next.at + x->first, count);
	return count ? measure_next_hops(s, x, s->next.at + x->first, count) : 0;
}

/* Measures all states that state `root` can reach, the last first. 0, or -1: a loop. */
static int sets_measure(struct sets *s, uint32_t root)
{
	uint32_t *place = s->states.at[root].measured ? NULL : vec_push(&s->stack, s->c->e);

	if (!place)
		return s->states.at[root].measured ? 0 : -1;
	*place = root;
	s->states.at[root].measured = 1;
	s->states.at[root].links = s->states.at[root].first;
	while (s->stack.count) {
		uint32_t k = s->stack.at[s->stack.count - 1];
		struct state *x = &s->states.at[k];

		if (x->links == end_of(s, k)) {
			s->stack.count--;
			if (measure_one(s, k))
				return -1;
			continue;
		}
		uint32_t to = s->next.at[x->links++];
		struct state *y = &s->states.at[to];
		if (y->measured == 2)
			continue;
		if (y->measured == 1 || !(place = vec_push(&s->stack, s->c->e)))
			return -1;
		*place = to;
		y->measured = 1;
		y->links = y->first;
	}
	return 0;
}

/* ---- all destinations ---- */

/*
 * Finds out how many states of one source the division by each dimension makes first: the fewest by that which the
 * routing reads first. Returns that dimension; -1: not by sets.
 */
static int leading_dimension(struct sets *s, unsigned open)
{
	size_t count[NETWORK_DIMS_MAX];

	for (unsigned d = 0; d < s->kind->dims; d++) {
		count[d] = SIZE_MAX;
		memset(s->divided, 0xff, sizeof(s->divided));
		s->divided[d] = 0;
		if (open >> d & 1 && !visit(s, s->first_node, open, 1))
			count[d] = s->states.count;
	}
	memcpy(s->divided, count, sizeof(count));
	unsigned best = first_dimension(s, open);
	return count[best] == SIZE_MAX ? -1 : (int)best;
}

/* Follows the messages to `count` destinations, of index 0 and on in the open dimensions. 0, or -1: not by sets. */
static int one_set(struct sets *s, uint32_t base, unsigned open, uint32_t count, double *sum)
{
	const struct network *n = s->c->n;
	size_t pairs = (size_t)count * s->c->places;
	uint32_t roots = n->node_count - (open ? 0 : 1);

	s->most_states = pairs / 4 < STATES_FEW ? STATES_FEW : pairs / 4 < STATES_MAX ? pairs / 4 : STATES_MAX;
	s->shapes.count = s->parts.count = s->shape_table.count = s->stack.count = 0;
	if (visit(s, base, open, n->node_count))
		return -1;
	for (uint32_t k = 0; k < roots; k++) {
		if (sets_measure(s, k))
			return -1;
		*sum += (double)s->states.at[k].sum;
		if (s->states.at[k].most > s->c->out->most_links)
			s->c->out->most_links = s->states.at[k].most;
	}
	return 0;
}

/* Follows the messages to all nodes of a kind, a set for each index of one dimension. 1; 0: not by sets; -1: stopped */
static int one_kind(struct sets *s, const struct check_options *o, double *sum)
{
	unsigned open = 0;
	uint32_t stride = 1;

	for (unsigned d = 0; d < s->kind->dims; d++) {
		s->stride[d] = stride;
		stride *= (uint32_t)s->kind->size[d];
		open |= (unsigned)(s->kind->size[d] > 1) << d;
	}
	s->most_states = STATES_MAX;
	int lead = open & (open - 1) ? leading_dimension(s, open) : -1;
	if (lead < 0)
		return 0;
	uint32_t count = stride / (uint32_t)s->kind->size[lead], done = 0;
	for (int64_t index = 0; index < s->kind->size[lead]; index++) {
		if (one_set(s, s->first_node + (uint32_t)index * s->stride[lead], open & ~(1u << lead), count, sum))
			return 0;
		done += count;
		if (o && o->tick && !o->tick(o->user, s->first_node + done, s->c->n->node_count))
			return -1;
	}
	return 1;
}

int check_by_sets(struct check *c, const struct check_options *o, double *sum)
{
	const struct network *n = c->n;
	struct sets s = {.c = c};
	struct err *e = c->e, mine; /* what goes wrong here is found again, one by one */
	int result = 1;

	c->e = &mine;
	for (uint32_t k = 0; k < n->kind_count && result > 0; k++) {
		if (!n->kinds[k].node)
			continue;
		s.kind = &n->kinds[k];
		s.first_node = n->node_of[s.kind->first];
		result = one_kind(&s, o, sum);
	}
	c->e = e;
	vec_finish(&s.states);
	vec_finish(&s.next);
	vec_finish(&s.table);
	vec_finish(&s.shape_table);
	vec_finish(&s.stack);
	vec_finish(&s.shapes);
	vec_finish(&s.parts);
	return result;
}
