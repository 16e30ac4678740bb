#include "routes.h"

#include <assert.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "../../psim/base/mem.h"
#include "../../psim/base/rng.h"
#include "down.h"
#include "layers.h"

enum {
	HOPS_MAX = 63,      /* virtual channels of an engine */
	FAR = 255,          /* no way: bytes of up_down */
	EXACT_MAX = 4096,   /* routers from all of which the diameter is searched */
	SOURCES = 32,       /* from which it is bounded else */
	LAYERED_MAX = 4096, /* routers whose pairs are put in layers */
};
#define NONE UINT32_MAX

struct routes {
	uint32_t routers;
	uint32_t *home;             /* [node] */
	uint32_t *first, *to, *out; /* links between routers: to[first[v] …] is the neighbour, out[…] the link */
	uint32_t diameter;          /* or a bound of it */
	size_t stride;              /* bytes of a column of `mod3` */
	uint8_t *mod3;              /* [destination][router]: the distance modulo 3, 2 bits */
	uint32_t *order;            /* up_down: [router], its place in a search from the root: up is to a lower one */
	uint8_t *legal;             /* up_down: [destination][router][phase]: links to go; FAR: none */
	uint8_t *layer;             /* layered: [source][destination], the channel of their path */
	_Atomic uint8_t *known;     /* [destination]: 1: its column of mod3, 2: of legal */
	pthread_mutex_t lock;       /* guards the three below, while a column is made */
	uint32_t *queue, *seen;     /* seen: [router], the search that reached it */
	uint32_t search, reached;   /* reached: routers in `queue` */
};

struct __attribute__((may_alias)) routes_state {
	uint32_t between; /* router at the end of the first leg */
	uint32_t seed;    /* selects among equal paths */
	uint32_t dst;     /* router */
	uint16_t hops;    /* links to go, ejection included */
	uint8_t vc;       /* of the next link */
	uint8_t leg;      /* enum leg, or enum phase */
};
static_assert(sizeof(struct routes_state) == ROUTE_STATE_BYTES, "fills the state of a route");

enum phase { MAY_RISE, MUST_FALL };

static struct routes_state *routes_state_of(struct route *r)
{
	return (struct routes_state *)(void *)r->state;
}

static const struct routes_state *routes_state_read(const struct route *r)
{
	return (const struct routes_state *)(const void *)r->state;
}

/* ---- columns ---- */

static unsigned column_get(const uint8_t *column, uint32_t v)
{
	return column[v / 4] >> v % 4 * 2 & 3;
}

/* Fills a column; returns the greatest distance. */
static uint32_t search_from(struct routes *x, uint32_t root, uint8_t *column)
{
	uint32_t count = 1, end = 1, far = 0;

	x->search++;
	x->queue[0] = root;
	x->seen[root] = x->search;
	for (uint32_t at = 0; at < count; at++) {
		uint32_t v = x->queue[at];

		if (at == end) {
			far++;
			end = count;
		}
		if (column)
			column[v / 4] |= (uint8_t)(far % 3 << v % 4 * 2);
		for (uint32_t i = x->first[v]; i < x->first[v + 1]; i++)
			if (x->seen[x->to[i]] != x->search) {
				x->seen[x->to[i]] = x->search;
				x->queue[count++] = x->to[i];
			}
	}
	x->reached = count;
	return far;
}

/* The column of distances to `dst`, made if it is not known. */
static const uint8_t *column_of(const struct topology *t, uint32_t dst)
{
	struct routes *x = t->private_data;
	uint8_t *column = x->mod3 + dst * x->stride;

	if (!(atomic_load_explicit(&x->known[dst], memory_order_acquire) & 1)) {
		pthread_mutex_lock(&x->lock);
		if (!(x->known[dst] & 1)) {
			search_from(x, dst, column);
			atomic_fetch_or_explicit(&x->known[dst], 1, memory_order_release);
		}
		pthread_mutex_unlock(&x->lock);
	}
	return column;
}

static bool is_up(const struct routes *x, uint32_t from, uint32_t to)
{
	return x->order[to] < x->order[from];
}

/* Searches backwards from `root`, over pairs of a router and a phase. */
static void search_legal(struct routes *x, uint32_t root, uint8_t *legal)
{
	uint32_t count = 2;

	memset(legal, FAR, 2 * (size_t)x->routers);
	legal[2 * root] = legal[2 * root + 1] = 0;
	x->queue[0] = 2 * root + MUST_FALL;
	x->queue[1] = 2 * root + MAY_RISE;
	for (uint32_t at = 0; at < count; at++) {
		uint32_t v = x->queue[at] / 2, phase = x->queue[at] % 2;
		uint8_t next = (uint8_t)(legal[x->queue[at]] + 1);

		for (uint32_t i = x->first[v]; i < x->first[v + 1]; i++) {
			uint32_t from = x->to[i];
			bool up = is_up(x, from, v);

			/* a link up leads from MAY_RISE to it, a link down from either to MUST_FALL */
			if (up != (phase == MAY_RISE))
				continue;
			for (unsigned p = MAY_RISE; p <= (up ? MAY_RISE : MUST_FALL); p++)
				if (legal[2 * from + p] == FAR) {
					legal[2 * from + p] = next;
					x->queue[count++] = 2 * from + p;
				}
		}
	}
}

static const uint8_t *legal_of(const struct topology *t, uint32_t dst)
{
	struct routes *x = t->private_data;
	uint8_t *legal = x->legal + 2 * (size_t)dst * x->routers;

	if (!(atomic_load_explicit(&x->known[dst], memory_order_acquire) & 2)) {
		pthread_mutex_lock(&x->lock);
		if (!(x->known[dst] & 2)) {
			search_legal(x, dst, legal);
			atomic_fetch_or_explicit(&x->known[dst], 2, memory_order_release);
		}
		pthread_mutex_unlock(&x->lock);
	}
	return legal;
}

static uint32_t routes_toward(const struct topology *t, uint32_t at, uint32_t end, uint32_t seed);

/* ---- making ---- */

static int routes_make_links(struct routes *x, const struct topology *t, struct err *e)
{
	uint32_t count = 0;

	x->home = mem_alloc(t->nodes, sizeof(*x->home), e);
	x->first = mem_alloc((size_t)x->routers + 1, sizeof(*x->first), e);
	x->to = mem_alloc((size_t)t->links + 1, sizeof(*x->to), e);
	x->out = mem_alloc((size_t)t->links + 1, sizeof(*x->out), e);
	if (!x->home || !x->first || !x->to || !x->out)
		return -1;
	for (uint32_t node = 0; node < t->nodes; node++)
		x->home[node] = t->link[t->inject[(size_t)node * t->nics]].to - t->nodes;
	for (uint32_t v = 0; v < x->routers; v++) {
		for (uint32_t i = t->out_first[t->nodes + v]; i < t->out_first[t->nodes + v + 1]; i++) {
			uint32_t link = t->out_link[i];

			if (t->link[link].to < t->nodes || (t->down && t->down->link[link]))
				continue;
			x->to[count] = t->link[link].to - t->nodes;
			x->out[count++] = link;
		}
		x->first[v + 1] = count;
	}
	return 0;
}

/* Twice the radius of each part of a network that has several, from its first router: the most. */
static uint32_t bound_of_parts(struct routes *x, const struct topology *t)
{
	uint32_t known = 0, most = 0;

	for (uint32_t v = 0; v < x->routers; v++) {
		uint32_t part = t->down->part[t->nodes + v], far;

		if (part == DOWN_NONE || part < known) /* parts are numbered in the order of their first routers */
			continue;
		known = part + 1;
		far = search_from(x, v, NULL);
		most = far > most ? far : most;
	}
	return 2 * most;
}

/* The diameter of a network of some size; of a larger one twice the least radius that some searches find. */
static void find_diameter(struct routes *x, const struct topology *t)
{
	uint32_t sources = x->routers <= EXACT_MAX ? x->routers : SOURCES, least = NONE, most = 0;

	if (t->down && sources < x->routers) {
		x->diameter = bound_of_parts(x, t);
		return;
	}
	for (uint32_t i = 0; i < sources; i++) {
		uint32_t far = search_from(x, (uint32_t)((uint64_t)i * x->routers / sources), NULL);

		least = far < least ? far : least;
		most = far > most ? far : most;
	}
	x->diameter = sources == x->routers ? most : 2 * least;
}

static uint32_t degree(const struct routes *x, uint32_t v)
{
	return x->first[v + 1] - x->first[v];
}

/* The root of each part: the first of its routers with the most links. NULL with `e`. */
static uint32_t *find_roots(const struct routes *x, const struct topology *t, uint32_t *parts, struct err *e)
{
	uint32_t *root;

	*parts = t->down ? t->down->parts : 1;
	root = mem_alloc(*parts + (size_t)1, sizeof(*root), e);
	for (uint32_t p = 0; root && p < *parts; p++)
		root[p] = NONE;
	for (uint32_t v = 0; root && v < x->routers; v++) {
		uint32_t part = t->down ? t->down->part[t->nodes + v] : 0;

		if (part != DOWN_NONE && (root[part] == NONE || degree(x, v) > degree(x, root[part])))
			root[part] = v;
	}
	return root;
}

/*
 * Orders the routers by a search from a root, in each part of the network by itself. Its depth bounds the ways of
 * up_down.
 */
static int make_order(struct routes *x, const struct topology *t, struct err *e)
{
	uint32_t parts, *root = find_roots(x, t, &parts, e), depth = 0;

	x->order = mem_alloc(x->routers, sizeof(*x->order), e);
	x->legal = x->order ? mem_alloc(2 * (size_t)x->routers, x->routers, e) : NULL;
	for (uint32_t p = 0; root && x->legal && p < parts; p++) {
		uint32_t far = root[p] == NONE ? 0 : search_from(x, root[p], NULL);

		depth = far > depth ? far : depth;
		for (uint32_t i = 0; root[p] != NONE && i < x->reached; i++)
			x->order[x->queue[i]] = i;
	}
	free(root);
	if (!root || !x->legal)
		return -1;
	if (2 * depth >= FAR)
		return err_set(e, STATUS_USAGE, "routing up_down: %" PRIu32 " links from the root, expected at most %d",
			       depth, FAR / 2);
	return 0;
}

static int set_channels(struct topology *t, const struct routes *x, struct err *e)
{
	uint32_t hops = x->diameter * t->routing->legs;

	if (hops > HOPS_MAX)
		return err_set(e, STATUS_USAGE,
			       "routing %s: paths of %" PRIu32
			       " links need as many virtual channels, expected at most %d: routing up_down needs one",
			       t->routing->name, hops, HOPS_MAX);
	t->vcs = hops ? hops : 1;
	return 0;
}

/* Writes the links of the path of `layered` between two routers; their number. */
static unsigned layered_path(const struct topology *t, uint32_t from, uint32_t end, uint32_t *path)
{
	unsigned count = 0;

	while (from != end) {
		path[count] = routes_toward(t, from, end, end);
		from = t->link[path[count++]].to - t->nodes;
	}
	return count;
}

/* Returns whether a path leads between two routers: what is down may make parts. */
static bool routes_joined(const struct topology *t, uint32_t from, uint32_t end)
{
	const uint32_t *part = t->down ? t->down->part + t->nodes : NULL;

	return !part || (part[from] == part[end] && part[from] != DOWN_NONE);
}

/* Puts the paths between all routers with nodes in layers, in the order of their ends. */
static int put_in_layers(const struct topology *t, struct routes *x, struct layers *l, uint32_t *path,
			 const bool *has_nodes, struct err *e)
{
	for (uint32_t end = 0; end < x->routers; end++)
		for (uint32_t from = 0; has_nodes[end] && from < x->routers; from++) {
			int layer = 0;

			if (has_nodes[from] && from != end && routes_joined(t, from, end))
				layer = layers_add(l, path, layered_path(t, from, end, path), e);
			if (layer < 0)
				return -1;
			x->layer[(size_t)from * x->routers + end] = (uint8_t)layer;
		}
	return 0;
}

static int make_layers(struct topology *t, struct routes *x, struct err *e)
{
	uint32_t *path = mem_alloc((size_t)x->routers + 1, sizeof(*path), e);
	bool *has_nodes = mem_alloc((size_t)x->routers + 1, sizeof(*has_nodes), e);
	struct layers *l = layers_create(t->links, HOPS_MAX, e);
	int result = -1;

	if (x->routers > LAYERED_MAX) {
		err_set(e, STATUS_USAGE, "%" PRIu32 " routers, expected at most %d: routing minimal has no bound",
			x->routers, LAYERED_MAX);
	} else if (path && has_nodes && l && (x->layer = mem_alloc(x->routers, x->routers, e))) {
		for (uint32_t node = 0; node < t->nodes; node++)
			has_nodes[x->home[node]] = true;
		result = put_in_layers(t, x, l, path, has_nodes, e);
		t->vcs = layers_count(l) ? layers_count(l) : 1;
	}
	layers_destroy(l);
	free(has_nodes);
	free(path);
	if (result)
		err_prefix(e, "routing layered");
	return result;
}

int routes_make(struct topology *t, struct err *e)
{
	struct routes *x = mem_alloc(1, sizeof(*x), e);

	if (!x)
		return -1;
	pthread_mutex_init(&x->lock, NULL);
	t->private_data = x;
	x->routers = t->routers;
	x->stride = (t->routers + 3) / 4;
	/* the host gives no memory to columns that nobody reads */
	x->mod3 = mem_alloc(x->routers, x->stride, e);
	x->known = mem_alloc(x->routers, sizeof(*x->known), e);
	x->queue = mem_alloc(2 * (size_t)x->routers, sizeof(*x->queue), e);
	x->seen = mem_alloc(x->routers, sizeof(*x->seen), e);
	if (!x->mod3 || !x->known || !x->queue || !x->seen || routes_make_links(x, t, e))
		return -1;
	if (!t->routing->legs)
		return t->vcs = 1, make_order(x, t, e);
	if (t->kind->diameter)
		x->diameter = t->kind->diameter;
	else
		find_diameter(x, t);
	return t->routing->layered ? make_layers(t, x, e) : set_channels(t, x, e);
}

void routes_destroy(void *private_data)
{
	struct routes *x = private_data;

	pthread_mutex_destroy(&x->lock);
	free(x->home);
	free(x->first);
	free(x->to);
	free(x->out);
	free(x->mod3);
	free(x->order);
	free(x->legal);
	free(x->layer);
	free((void *)x->known);
	free(x->queue);
	free(x->seen);
	free(x);
}

/* ---- paths ---- */

/* Returns the first entry from `i` on of router `v`'s links that is a link nearer to the end of the column. */
static uint32_t nearer(const struct routes *x, const uint8_t *column, uint32_t v, uint32_t i)
{
	unsigned wanted = (column_get(column, v) + 2) % 3;

	while (i < x->first[v + 1] && column_get(column, x->to[i]) != wanted)
		i++;
	return i;
}

/* The column gives the distance modulo 3: a path that goes nearer by each link counts it. */
static unsigned links_to(const struct topology *t, uint32_t from, uint32_t end)
{
	const struct routes *x = t->private_data;
	const uint8_t *column = column_of(t, end);
	unsigned count = 0;

	while (from != end) {
		from = x->to[nearer(x, column, from, x->first[from])];
		count++;
	}
	return count;
}

unsigned routes_distance(const struct topology *t, uint32_t src, uint32_t dst)
{
	const struct routes *x = t->private_data;

	return links_to(t, x->home[dst], x->home[src]); /* the same both ways: reports have few sources */
}

static uint32_t mixed(uint32_t a, uint32_t b)
{
	uint64_t h = ((uint64_t)a << 32 | b) * 0xff51afd7ed558ccdu;

	h ^= h >> 33;
	return (uint32_t)((h * 0xc4ceb9fe1a85ec53u) >> 32);
}

/* Returns which of `count` equal links a packet takes at a router. */
static uint32_t pick(uint32_t seed, uint32_t at, uint32_t count)
{
	return (uint32_t)((uint64_t)mixed(seed, at) * count >> 32);
}

/* Returns the link from router `at` towards `end` that the seed selects. */
static uint32_t routes_toward(const struct topology *t, uint32_t at, uint32_t end, uint32_t seed)
{
	const struct routes *x = t->private_data;
	const uint8_t *column = column_of(t, end);
	uint32_t count = 0, i;

	for (i = nearer(x, column, at, x->first[at]); i < x->first[at + 1]; i = nearer(x, column, at, i + 1))
		count++;
	count = pick(seed, at, count);
	for (i = nearer(x, column, at, x->first[at]); count--;)
		i = nearer(x, column, at, i + 1);
	return x->out[i];
}

static void routes_start(const struct topology *t, uint32_t src, uint32_t dst, uint32_t seed, struct route *r)
{
	const struct routes *x = t->private_data;
	struct routes_state *s = routes_state_of(r);

	*s = (struct routes_state){.dst = x->home[dst], .seed = seed};
	s->hops = (uint16_t)(links_to(t, x->home[src], s->dst) + 1);
}

void routes_start_minimal(const struct topology *t, uint32_t src, uint32_t dst, uint64_t key, struct route *r)
{
	(void)key;
	routes_start(t, src, dst, dst, r);
}

void routes_start_layered(const struct topology *t, uint32_t src, uint32_t dst, uint64_t key, struct route *r)
{
	const struct routes *x = t->private_data;
	struct routes_state *s = routes_state_of(r);

	(void)key;
	routes_start(t, src, dst, x->home[dst], r);
	s->vc = x->layer[(size_t)x->home[src] * x->routers + s->dst];
}

void routes_start_ecmp(const struct topology *t, uint32_t src, uint32_t dst, uint64_t key, struct route *r)
{
	(void)key;
	routes_start(t, src, dst, mixed(src, dst), r);
}

void routes_start_random(const struct topology *t, uint32_t src, uint32_t dst, uint64_t key, struct route *r)
{
	routes_start(t, src, dst, mixed((uint32_t)key, (uint32_t)(key >> 32)), r);
}

/* Sends a packet via router `between`, unless that is an end of its path or cannot be reached. */
static void routes_go_via(const struct topology *t, uint32_t src, uint32_t dst, uint32_t between, struct route *r,
			  enum leg leg)
{
	const struct routes *x = t->private_data;
	struct routes_state *s = routes_state_of(r);
	uint32_t from = x->home[src];
	bool cut_off = t->down && !topology_reaches(t, t->nodes + from, t->nodes + between);

	routes_start(t, src, dst, mixed(between, dst), r);
	if (between == from || between == s->dst || from == s->dst || cut_off)
		s->vc = t->routing->choice ? (uint8_t)x->diameter : 0;
	else {
		s->between = between;
		s->leg = (uint8_t)leg;
		s->hops = (uint16_t)(links_to(t, from, between) + links_to(t, between, s->dst) + 1);
	}
}

static uint32_t routes_between(const struct topology *t, uint64_t key)
{
	return (uint32_t)rng_below(key, 1, 0, t->routers);
}

void routes_start_valiant(const struct topology *t, uint32_t src, uint32_t dst, uint64_t key, struct route *r)
{
	routes_go_via(t, src, dst, routes_between(t, key), r, LEG_FIRST);
}

void routes_start_ugal(const struct topology *t, uint32_t src, uint32_t dst, uint64_t key, struct route *r)
{
	routes_go_via(t, src, dst, routes_between(t, key), r, LEG_OPEN);
}

uint32_t routes_choices(const struct topology *t)
{
	return t->routers;
}

unsigned routes_choose(const struct topology *t, uint32_t src, uint32_t dst, uint32_t choice, uint32_t *links,
		       unsigned max)
{
	struct route r = {.dst = dst};

	routes_go_via(t, src, dst, choice, &r, LEG_FIRST);
	return route_walk(t, src, &r, links, max);
}

static struct route_step routes_step(const struct routes_state *s, uint32_t link)
{
	return (struct route_step){.link = link, .vc = s->vc, .hops = s->hops, .escape = true};
}

/* A minimal path where packets choose begins with the channel behind those of a first leg. */
static struct route_step straight_step(const struct topology *t, uint32_t at, const struct routes_state *s)
{
	const struct routes *x = t->private_data;
	struct routes_state minimal = *s;

	minimal.hops = (uint16_t)(links_to(t, at, s->dst) + 1);
	minimal.vc = (uint8_t)x->diameter;
	return routes_step(&minimal, routes_toward(t, at, s->dst, s->seed));
}

unsigned routes_next(const struct topology *t, uint32_t router, uint32_t in_link, unsigned in_vc, const struct route *r,
		     struct route_step *steps)
{
	const struct routes_state *s = routes_state_read(r);
	uint32_t at = router - t->nodes;
	unsigned count = 0;

	(void)in_link;
	(void)in_vc;
	if (s->leg == LEG_LAST && at == s->dst) {
		steps[0] = route_eject(t, r);
		return 1;
	}
	if (s->leg == LEG_OPEN)
		steps[count++] = straight_step(t, at, s);
	steps[count++] = routes_step(s, routes_toward(t, at, s->leg == LEG_LAST ? s->dst : s->between, s->seed));
	return count;
}

unsigned routes_next_adaptive(const struct topology *t, uint32_t router, uint32_t in_link, unsigned in_vc,
			      const struct route *r, struct route_step *steps)
{
	const struct routes_state *s = routes_state_read(r);
	const struct routes *x = t->private_data;
	uint32_t at = router - t->nodes;
	const uint8_t *column;
	unsigned count = 0;

	(void)in_link;
	(void)in_vc;
	if (at == s->dst) {
		steps[0] = route_eject(t, r);
		return 1;
	}
	column = column_of(t, s->dst);
	for (uint32_t i = nearer(x, column, at, x->first[at]); i < x->first[at + 1] && count < ROUTE_STEPS_MAX;
	     i = nearer(x, column, at, i + 1))
		steps[count++] = routes_step(s, x->out[i]);
	return count;
}

void routes_take(const struct topology *t, uint32_t router, const struct route_step *step, struct route *r)
{
	const struct routes *x = t->private_data;
	struct routes_state *s = routes_state_of(r);
	uint32_t to = t->link[step->link].to;

	if (to < t->nodes)
		return;
	s->hops = (uint16_t)(step->hops - 1);
	if (!t->routing->legs) {
		s->leg = is_up(x, router - t->nodes, to - t->nodes) ? MAY_RISE : MUST_FALL;
		return;
	}
	if (s->leg == LEG_OPEN)
		s->leg = step->vc ? LEG_LAST : LEG_FIRST;
	s->vc = (uint8_t)(step->vc + !t->routing->layered);
	if (s->leg == LEG_FIRST && to - t->nodes == s->between)
		s->leg = LEG_LAST;
}

/* ---- up_down ---- */

void routes_start_up_down(const struct topology *t, uint32_t src, uint32_t dst, uint64_t key, struct route *r)
{
	const struct routes *x = t->private_data;
	struct routes_state *s = routes_state_of(r);

	(void)key;
	*s = (struct routes_state){.dst = x->home[dst], .seed = mixed(src, dst), .leg = MAY_RISE};
	s->hops = (uint16_t)(legal_of(t, s->dst)[2 * x->home[src] + MAY_RISE] + 1);
}

/* Returns the first entry from `i` on of router `v`'s links that continues a shortest legal path. */
static uint32_t legal_next(const struct routes *x, const uint8_t *legal, uint32_t v, enum phase phase, uint32_t i)
{
	unsigned wanted = legal[2 * v + phase] - 1u;

	for (; i < x->first[v + 1]; i++) {
		bool up = is_up(x, v, x->to[i]);

		if (!(up && phase == MUST_FALL) && legal[2 * x->to[i] + (up ? MAY_RISE : MUST_FALL)] == wanted)
			break;
	}
	return i;
}

unsigned routes_next_up_down(const struct topology *t, uint32_t router, uint32_t in_link, unsigned in_vc,
			     const struct route *r, struct route_step *steps)
{
	const struct routes_state *s = routes_state_read(r);
	const struct routes *x = t->private_data;
	uint32_t at = router - t->nodes, count = 0, i;
	const uint8_t *legal;

	(void)in_link;
	(void)in_vc;
	if (at == s->dst) {
		steps[0] = route_eject(t, r);
		return 1;
	}
	legal = legal_of(t, s->dst);
	for (i = legal_next(x, legal, at, s->leg, x->first[at]); i < x->first[at + 1];
	     i = legal_next(x, legal, at, s->leg, i + 1))
		count++;
	count = pick(s->seed, at, count);
	for (i = legal_next(x, legal, at, s->leg, x->first[at]); count--;)
		i = legal_next(x, legal, at, s->leg, i + 1);
	steps[0] = routes_step(s, x->out[i]);
	return 1;
}

/* ---- changes of the network ---- */

void routes_restart(const struct topology *t, uint32_t router, uint32_t src, uint32_t dst, uint64_t key,
		    struct route *r)
{
	const struct routes *x = t->private_data;
	struct routes_state *s = routes_state_of(r);
	uint32_t at = router - t->nodes, seed = dst;

	if (t->routing->random)
		seed = mixed((uint32_t)key, (uint32_t)(key >> 32));
	else if (t->routing->start != routes_start_minimal)
		seed = mixed(src, dst);
	*s = (struct routes_state){.dst = x->home[dst], .seed = seed};
	if (t->routing->legs) {
		s->hops = (uint16_t)(links_to(t, at, s->dst) + 1);
		return;
	}
	s->leg = MAY_RISE;
	s->hops = (uint16_t)(legal_of(t, s->dst)[2 * (size_t)at + MAY_RISE] + 1);
}

/*
 * Channels by hops grow along a path, whichever network it was found on, as long as the links to go are no more than
 * were expected. The order of up_down may be another one.
 */
bool routes_continues(const struct topology *t, uint32_t router, const struct route *r)
{
	const struct routes_state *s = routes_state_read(r);
	uint32_t at = router - t->nodes, end = t->nodes + s->dst;

	if (!t->routing->legs || !topology_reaches(t, router, end))
		return false;
	if (s->leg == LEG_LAST)
		return links_to(t, at, s->dst) + 1 <= s->hops;
	if (!topology_reaches(t, router, t->nodes + s->between))
		return false;
	return links_to(t, at, s->between) + links_to(t, s->between, s->dst) + 1 <= s->hops;
}
