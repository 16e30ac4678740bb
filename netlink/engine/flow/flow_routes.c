/*
 * The routes of a message where the routing leaves several.
 *
 * A random routing draws a path for each packet, whatever the load: links carry the shares of the paths drawn here.
 * Each path that can be drawn is followed once, or some of them if they are many. An
 * adaptive routing offers steps from router to router. The routes of a message are found one after the other, each over
 * the steps whose links have the least traffic planned, so a message of eight routes joins the shortest queue eight
 * times.
 */
#include "flow_state.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "../../../psim/base/rng.h"

enum {
	STREAM_ROUTES = 0x464c,
	STREAM_CHOICES,
	KEYS_MOST = 1024,
	ROUTES_MOST = 128, /* of a random message */
	DRAWS = 512,       /* packets that draw one of them */
};

int64_t flow_path_latency(const struct net_engine *n, const uint32_t *path, unsigned links)
{
	const struct topology *t = n->topology;
	int64_t sum = ((int64_t)links - 1) * n->router_ps;

	for (unsigned i = 0; i < links; i++)
		sum += t->class[t->link[path[i]].class].cable_ps;
	return sum;
}

/*
 * Chooses a step for route `route` of `routes`: that with the least planned traffic times links to go, as packets do
 * with queues. If lengths differ (UGAL), the first route is the shortest, and the others are the longer ones;
 * flow_balance gives each its share.
 */
static const struct route_step *flow_choose_step(const struct net_engine *n, const struct route_step *steps,
						 unsigned count, unsigned route, unsigned routes)
{
	const struct route_step *best = steps;
	double least = (double)INFINITY;

	for (unsigned i = 0; i < count; i++) {
		const struct fluid_link *link = &n->fluid.link[steps[i].link];
		double how = n->planned[steps[i].link] / link->capacity * (steps[i].hops ? steps[i].hops : 1);

		if (routes > 1 && steps[i].hops != steps[0].hops)
			return &steps[route ? count - 1 : 0];
		if (steps[i].escape && !steps[0].escape)
			break; /* the escape's link is among the others */
		if (how < least * (1 - 1e-9)) {
			least = how;
			best = &steps[i];
		}
	}
	return best;
}

/* Notes the links whose queues the steps show instead of their own. */
static void show_queues(struct net_engine *n, const struct route_step *steps, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		if (steps[i].sees)
			n->shows = n->shown[steps[i].sees - 1] = true;
}

/* Writes the links of a path to n->path; 0: it exceeds the buffer. */
static unsigned flow_choose_path(struct net_engine *n, const struct net_message *m, uint64_t key, unsigned route,
				 unsigned routes)
{
	const struct topology *t = n->topology;
	uint32_t link = t->inject[(size_t)m->src * t->nics];
	struct route_step steps[ROUTE_STEPS_MAX];
	unsigned links = 0, vc = 0;
	struct route r;

	n->seen = FLUID_PATH_MAX;
	topology_route_start(t, m->src, m->dst, key, &r);
	while (links < FLUID_PATH_MAX) {
		uint32_t router = t->link[link].to;
		const struct route_step *step = steps;
		unsigned count;

		n->path[links++] = link;
		if (router < t->nodes)
			return links;
		count = topology_route_next(t, router, link, vc, &r, steps);
		if (count > 1) {
			show_queues(n, steps, count);
			step = flow_choose_step(n, steps, count, route, routes);
			n->seen = steps[0].hops == steps[1].hops ? links : n->seen;
		}
		topology_route_take(t, router, step, &r);
		link = step->link;
		vc = step->vc;
	}
	return 0;
}

static int too_long(const struct net_message *m, struct err *e)
{
	return err_set(e, STATUS_FAILED,
		       "flow: path from node %" PRIu32 " to %" PRIu32 " too long, expected at most %d links", m->src,
		       m->dst, FLUID_PATH_MAX);
}

static uint64_t route_key_of(const struct net_engine *n, const struct flow_message *x, unsigned route)
{
	return rng_u64(n->seed, STREAM_ROUTES, x->number * KEYS_MOST + route);
}

int flow_find_route(struct net_engine *n, const struct flow_message *x, unsigned route, unsigned routes, struct err *e)
{
	const struct net_message *m = &x->m;
	uint64_t key = route_key_of(n, x, route);
	unsigned links;

	if (m->src == m->dst)
		return 0; /* memory only */
	if (!topology_reaches(n->topology, m->src, m->dst))
		return net_no_route(n->topology, m->src, m->dst, n->now_ps, e);
	links = n->routes == ROUTES_CHOSEN ? flow_choose_path(n, m, key, route, routes)
					   : topology_path(n->topology, m->src, m->dst, key, n->path, FLUID_PATH_MAX);
	return links ? (int)links : too_long(m, e);
}

int flow_keep_route(struct net_engine *n, unsigned links, struct err *e)
{
	for (unsigned k = 0; k < n->route_count; k++) {
		struct flow_route *known = &n->route[k];

		if (known->links == links &&
		    !memcmp(n->route_links.at + known->first, n->path, links * sizeof(*n->path))) {
			known->times++;
			return 0;
		}
	}
	if (vec_reserve(&n->route_links, links, e))
		return -1;
	n->route[n->route_count++] = (struct flow_route){(uint32_t)n->route_links.count, links, n->seen, 1};
	memcpy(n->route_links.at + n->route_links.count, n->path, links * sizeof(*n->path));
	n->route_links.count += links;
	return 0;
}

void flow_forget_routes(struct net_engine *n, uint32_t flow)
{
	const struct fluid *f = &n->fluid;
	double weight = n->messages.at[f->amount.at[flow].tag].weight;

	if (f->given.at[flow].group == FLUID_ALONE) {
		n->due = true;
		return;
	}
	n->chosen--;
	n->changes++;
	flow_wait(n);
	for (; flow != FLUID_ALONE; flow = f->given.at[flow].next)
		flow_plan(n, flow, -f->given.at[flow].weight / weight);
}

void flow_plan(struct net_engine *n, uint32_t flow, double share)
{
	uint32_t hops;
	const uint32_t *path = fluid_path(&n->fluid, &n->fluid.flow.at[flow], &hops);

	for (uint32_t i = 0; i < hops; i++)
		if (path[i] < n->topology->links)
			n->planned[path[i]] += share;
}

/* The paths of a message that are found so far. */
struct flow_spread {
	unsigned count;       /* of different links, the first one included */
	uint32_t first, last; /* links */
	int64_t latency_ps;   /* the longest */
};

/* Adds the links of a drawn path, between those of the NICs, with `share`; returns the new number of links. */
static unsigned add_share(struct net_engine *n, const uint32_t *path, unsigned links, double share, unsigned count)
{
	for (unsigned i = 1; i + 1 < links; i++) {
		uint32_t link = path[i];

		if (!n->place[link]) {
			n->path[count] = link;
			n->part[count] = 0;
			n->place[link] = count++;
		}
		n->part[n->place[link]] += share;
	}
	return count;
}

/* Adds a path that is written behind the other links; false: `links` is 0, it did not fit. */
static bool add_path(struct net_engine *n, unsigned links, double share, struct flow_spread *to)
{
	const uint32_t *path = n->path + to->count;
	int64_t took;

	if (!links)
		return false;
	took = flow_path_latency(n, path, links);
	to->latency_ps = took > to->latency_ps ? took : to->latency_ps;
	to->first = path[0];
	to->last = path[links - 1];
	to->count = add_share(n, path, links, share, to->count);
	return true;
}

/*
 * Each packet draws one of the routes. Of more packets than DRAWS the deviations from equal shares are those of so
 * many, but smaller, by the root of the ratio.
 */
static void draw_shares(const struct net_engine *n, const struct flow_message *x, uint64_t packets, unsigned routes,
			double *share)
{
	enum { WORDS = 4, HALVES = 2 * WORDS };
	unsigned draws = packets < DRAWS ? (unsigned)packets : DRAWS;
	double scatter = sqrt((double)draws / (double)packets);

	for (unsigned route = 0; route < routes; route++)
		share[route] = (1 - scatter) / routes;
	for (unsigned draw = 0; draw < draws; draw += HALVES) {
		struct rng_words words = rng_philox(
			(struct rng_words){{draw, (uint32_t)x->number, (uint32_t)(x->number >> 32), STREAM_CHOICES}},
			(uint32_t)n->seed, (uint32_t)(n->seed >> 32));

		for (unsigned i = 0; i < HALVES && draw + i < draws; i++)
			share[(words.word[i / 2] >> 16 * (i % 2) & 0xffff) * routes >> 16] += scatter / draws;
	}
}

/*
 * The number of route `route` of the message's choices: if there are more choices than routes, one drawn from each of
 * as many equal parts of them.
 */
static uint32_t choice_of(const struct net_engine *n, const struct flow_message *x, unsigned route, unsigned routes,
			  uint32_t choices)
{
	if (routes == choices)
		return route;
	return (uint32_t)(((uint64_t)route * choices +
			   rng_below(n->seed, STREAM_ROUTES, x->number * KEYS_MOST + route, choices)) /
			  routes);
}

static bool find_choices(struct net_engine *n, const struct flow_message *x, uint64_t packets, unsigned most,
			 struct flow_spread *to)
{
	uint32_t choices = topology_choices(n->topology);
	unsigned routes = choices < most ? choices : most;
	double share[ROUTES_MOST];

	draw_shares(n, x, packets, routes, share);
	for (unsigned route = 0; route < routes; route++) {
		unsigned links;

		if (share[route] <= 0)
			continue;
		links = topology_choose(n->topology, x->m.src, x->m.dst, choice_of(n, x, route, routes, choices),
					n->path + to->count, FLUID_PATH_MAX - to->count);
		if (!add_path(n, links, share[route], to))
			return false;
	}
	return true;
}

static bool find_draws(struct net_engine *n, const struct flow_message *x, uint64_t packets, unsigned most,
		       struct flow_spread *to)
{
	unsigned draws = packets < most ? (unsigned)packets : most;

	for (unsigned draw = 0; draw < draws; draw++) {
		unsigned links = topology_path(n->topology, x->m.src, x->m.dst, route_key_of(n, x, draw),
					       n->path + to->count, FLUID_PATH_MAX - to->count);

		if (!add_path(n, links, 1.0 / draws, to))
			return false;
	}
	return true;
}

int flow_find_spread(struct net_engine *n, const struct flow_message *x, uint64_t packets, int64_t *latency,
		     struct err *e)
{
	struct flow_spread to;
	bool fits = false;

	if (!topology_reaches(n->topology, x->m.src, x->m.dst))
		return net_no_route(n->topology, x->m.src, x->m.dst, n->now_ps, e);
	for (unsigned most = ROUTES_MOST; most && !fits; most /= 2) { /* fewer where so many are too many links */
		to = (struct flow_spread){.count = 1};
		fits = topology_choices(n->topology) ? find_choices(n, x, packets, most, &to)
						     : find_draws(n, x, packets, most, &to);
		for (unsigned i = 1; i < to.count; i++)
			n->place[n->path[i]] = 0;
	}
	if (!fits)
		return too_long(&x->m, e);
	*latency = to.latency_ps;
	n->path[0] = to.first;
	n->path[to.count] = to.last;
	n->part[0] = n->part[to.count] = 1;
	return (int)to.count + 1;
}
