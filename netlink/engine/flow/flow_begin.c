/* The start of a message: its NICs, routes, weight, memory and pacing; then it flows. */
#include "flow_state.h"

#include <math.h>
#include <string.h>

#define NOTHING UINT32_MAX

/*
 * The share of a link that routes among which packets choose can fill: where a router offers several steps, and where
 * it offers one. Packets choose by the queues of one router, so their routes meet in bursts and full buffers behind it;
 * max-min knows neither. Calibrated on the permutations of seeds 0 to 25 of docs/accuracy/flows.md.
 */
static const double USABLE = 0.92, USABLE_FORCED = 0.8;

/* Returns the link of a node's `nics` links with the fewest flows; the first of equals. */
static unsigned emptiest(const struct net_engine *n, const uint32_t *links, unsigned nics)
{
	unsigned best = 0;

	for (unsigned i = 1; i < nics; i++)
		if (n->fluid.link[links[i]].count < n->fluid.link[links[best]].count)
			best = i;
	return best;
}

static unsigned source_nic(struct net_engine *n, const struct net_message *m)
{
	unsigned nics = n->topology->nics;

	if (m->nic != NET_NIC_ANY)
		return (unsigned)m->nic % nics;
	switch (n->config->nic.select) {
	case NIC_SELECT_FIRST: return 0;
	case NIC_SELECT_SHORTEST: return emptiest(n, n->topology->inject + (size_t)m->src * nics, nics);
	default: return n->turns[m->src].nic[m->control]++ % nics;
	}
}

/* The NICs of a message: at its source and its destination. */
struct nics {
	unsigned from, to;
};

static struct nics choose_nics(struct net_engine *n, const struct flow_message *x)
{
	const struct topology *t = n->topology;
	struct nics nics = {0, 0};

	if (x->m.src == x->m.dst || t->nics == 1)
		return nics;
	nics.from = nics.to = source_nic(n, &x->m);
	if (n->config->nic.receive == NIC_RECEIVE_ANY)
		nics.to = emptiest(n, t->eject + (size_t)x->m.dst * t->nics, t->nics);
	else if (n->config->nic.receive == NIC_RECEIVE_IN_TURN && !x->m.control)
		nics.to = n->turns[x->m.dst].receive++ % t->nics;
	return nics;
}

static void put_nics(struct net_engine *n, const struct flow_message *x, struct nics nics, unsigned links)
{
	const struct topology *t = n->topology;

	if (x->m.src == x->m.dst || t->nics == 1)
		return;
	n->path[0] = t->inject[(size_t)x->m.src * t->nics + nics.from];
	n->path[links - 1] = t->eject[(size_t)x->m.dst * t->nics + nics.to];
}

/* The delay behind the last byte on the path in n->path. */
static int64_t latency_after(const struct net_engine *n, const struct flow_message *x, unsigned links)
{
	if (n->config->flow.latency != FLOW_LATENCY_AFTER || x->m.src == x->m.dst)
		return 0;
	return flow_path_latency(n, n->path, links);
}

static uint64_t packets_of(const struct net_engine *n, const struct net_message *m)
{
	return m->bytes / n->config->nic.mtu + 1;
}

/* The number of routes to try, at least a packet each. */
static unsigned routes_of(const struct net_engine *n, const struct net_message *m)
{
	uint64_t packets = packets_of(n, m);

	return packets < FLOW_ROUTES_MOST ? (unsigned)packets : FLOW_ROUTES_MOST;
}

/* Bytes of a message on links: its payload, or packets of whole flits with their headers. */
static double wire_bytes(const struct net_engine *n, uint64_t bytes)
{
	const struct net_nic_params *nic = &n->config->nic;
	uint64_t payload = nic->mtu - nic->header, full = bytes / payload, rest = bytes % payload;
	uint64_t flit = n->config->router.flit, flits;

	if (!n->config->flow.headers)
		return (double)bytes;
	flits = full * ((nic->mtu + flit - 1) / flit);
	if (rest)
		flits += (rest + nic->header + flit - 1) / flit;
	return (double)flits * (double)flit;
}

/* The least bandwidth of the fat pipes on the message's path: it does not share them. Infinite: there are none. */
static double least_fat(const struct net_engine *n, unsigned links)
{
	const struct topology *t = n->topology;
	double least = (double)INFINITY;

	for (unsigned i = 0; i < links; i++) {
		const struct topology_class *class = &t->class[t->link[n->path[i]].class];

		if (class->fat)
			least = fmin(least, class->bytes_per_s);
	}
	return least;
}

/*
 * Gives a message with gaps, or over fat pipes, a link of its own, which limits its rate: to a packet per packet time
 * plus gap, and to the pipes' bandwidth.
 */
static int pace(struct net_engine *n, struct flow_message *x, unsigned links, struct err *e)
{
	bool local = x->m.src == x->m.dst;
	uint32_t first = local ? n->memory + x->m.src : n->path[0];
	double fat = local ? (double)INFINITY : least_fat(n, links);
	double bandwidth = fmin(n->fluid.link[first].capacity, fat), packet = (double)n->config->nic.mtu;
	double rate = packet / (packet / bandwidth + (double)(x->m.gap_ps > 0 ? x->m.gap_ps : 0) * 1e-12);

	x->pace = NOTHING;
	if (x->m.gap_ps <= 0 && isinf(fat))
		return 0;
	if (n->pacing.count) {
		x->pace = n->pacing.at[--n->pacing.count];
		fluid_set_capacity(&n->fluid, x->pace, rate);
		return 0;
	}
	if (fluid_add_link(&n->fluid, rate, e) || vec_reserve(&n->pacing, n->fluid.links, e))
		return -1;
	x->pace = n->fluid.links - 1;
	return 0;
}

/*
 * The message's weight on links: with flow.share = latency the inverse of its first path's; within a node as over one
 * router, since its latency is 0.
 */
static double weight_of(const struct net_engine *n, const struct flow_message *x, unsigned links)
{
	const struct topology *t = n->topology;
	int64_t latency;

	if (n->config->flow.share != FLOW_SHARE_LATENCY || n->config->flow.latency == FLOW_LATENCY_NONE)
		return 1;
	if (x->m.src == x->m.dst)
		latency = n->router_ps + t->class[t->link[t->inject[0]].class].cable_ps +
			  t->class[t->link[t->eject[0]].class].cable_ps;
	else
		latency = flow_path_latency(n, n->path, links);
	return latency > 0 ? 1e12 / (double)latency : 1;
}

/* Adds the links of the ends' memories and of the message's pacing to the path. */
static unsigned add_ends(struct net_engine *n, const struct flow_message *x, unsigned links)
{
	bool always = n->share_memory || x->m.src == x->m.dst;

	if (always || n->local[x->m.src])
		n->path[links++] = n->memory + x->m.src;
	if (always || n->local[x->m.dst])
		n->path[links++] = n->memory + n->topology->nodes + x->m.dst;
	if (x->pace != NOTHING)
		n->path[links++] = x->pace;
	return links;
}

/* Adds the memory's link to the flows of the NICs' links. */
static int share_memory_among(struct net_engine *n, const uint32_t *links, uint32_t memory, struct err *e)
{
	for (unsigned nic = 0; nic < n->topology->nics; nic++)
		for (uint32_t k = 0; k < n->fluid.link[links[nic]].count; k++)
			if (fluid_extend(&n->fluid, n->now_ps, n->fluid.link[links[nic]].member[k].flow, memory, e))
				return -1;
	return 0;
}

/* The node's first message within it: from now on all flows of the node share its memory with such. */
static int flow_share_node(struct net_engine *n, uint32_t node, struct err *e)
{
	const struct topology *t = n->topology;
	size_t first = (size_t)node * t->nics;

	if (n->local[node] || n->share_memory || n->config->flow.mode != FLOW_MAXMIN)
		return 0;
	n->local[node] = true;
	if (share_memory_among(n, t->inject + first, n->memory + node, e))
		return -1;
	return share_memory_among(n, t->eject + first, n->memory + t->nodes + node, e);
}

/* Starts a message on its only route, which is in n->path. */
static int begin_one(struct net_engine *n, uint32_t slot, unsigned links, struct err *e)
{
	struct flow_message *x = &n->messages.at[slot];
	double size = x->bytes;
	uint32_t flow;

	x->weight = weight_of(n, x, links);
	links = flow_shared_add(n, links, add_ends(n, x, links));
	return fluid_start(&n->fluid, n->now_ps, size, x->weight, n->path, links, slot, &flow, e);
}

/* Starts a message on all routes of a random routing: links in n->path, shares in n->part. */
static int begin_spread(struct net_engine *n, uint32_t slot, unsigned links, struct err *e)
{
	struct flow_message *x = &n->messages.at[slot];
	double size = x->bytes;
	uint32_t flow;
	unsigned all;

	x->weight = n->config->flow.share == FLOW_SHARE_LATENCY && x->latency_ps > 0 ? 1e12 / (double)x->latency_ps : 1;
	all = add_ends(n, x, links);
	for (; links < all; links++)
		n->part[links] = 1;
	return fluid_start_part(&n->fluid, n->now_ps, size, x->weight, n->path, n->part, all, slot, NULL, &flow, e);
}

/*
 * Collects the routes that packets may choose, the first of which is in n->path: among them a route found several times
 * has several shares. n->place counts how many of them pass a link.
 */
static int collect_routes(struct net_engine *n, struct flow_message *x, struct nics nics, unsigned routes, int links,
			  struct err *e)
{
	n->route_count = 0;
	n->route_links.count = 0;
	for (unsigned route = 0; route < routes; route++) {
		int64_t latency;

		if (route)
			links = flow_find_route(n, x, route, routes, e);
		if (links < 0)
			return -1;
		put_nics(n, x, nics, (unsigned)links);
		for (int i = 0; i < links; i++) {
			n->planned[n->path[i]] += 1.0 / routes;
			n->place[n->path[i]]++;
		}
		latency = latency_after(n, x, (unsigned)links);
		x->latency_ps = latency > x->latency_ps ? latency : x->latency_ps;
		if (flow_keep_route(n, (unsigned)links, e))
			return -1;
	}
	return 0;
}

/* Starts one of the collected routes. */
static int begin_route(struct net_engine *n, uint32_t slot, const struct flow_route *route, unsigned routes,
		       uint32_t *group, struct err *e)
{
	const struct flow_message *x = &n->messages.at[slot];
	double size = x->bytes, weight = x->weight * route->times / routes;
	uint32_t flow;
	unsigned all;

	memcpy(n->path, n->route_links.at + route->first, route->links * sizeof(*n->path));
	all = add_ends(n, x, route->links);
	for (unsigned i = 0; i < all; i++) {
		bool among = i < route->links && n->place[n->path[i]] < routes;

		n->part[i] = among ? 1 / (i <= route->seen ? USABLE : USABLE_FORCED) : 1;
	}
	return fluid_start_part(&n->fluid, n->now_ps, size, weight, n->path, n->part, all, slot, group, &flow, e);
}

/* Starts a message on the ways that its packets may choose, the first of which is in n->path. */
static int begin_chosen(struct net_engine *n, uint32_t slot, struct nics nics, int links, struct err *e)
{
	struct flow_message *x = &n->messages.at[slot];
	unsigned routes = routes_of(n, &x->m);
	uint32_t group = FLUID_ALONE;

	x->weight = weight_of(n, x, (unsigned)links);
	if (collect_routes(n, x, nics, routes, links, e))
		return -1;
	for (unsigned k = 0; k < n->route_count; k++)
		if (begin_route(n, slot, &n->route[k], routes, &group, e))
			return -1;
	for (size_t i = 0; i < n->route_links.count; i++)
		n->place[n->route_links.at[i]] = 0;
	n->chosen++;
	n->changes++;
	return 0;
}

int flow_find_first(struct net_engine *n, struct flow_message *x, struct err *e)
{
	unsigned routes = routes_of(n, &x->m);
	int links;

	if (n->routes == ROUTES_SPREAD && x->m.src != x->m.dst) {
		links = flow_find_spread(n, x, packets_of(n, &x->m), &x->latency_ps, e);
		if (n->config->flow.latency != FLOW_LATENCY_AFTER)
			x->latency_ps = 0;
		return links;
	}
	links = flow_find_route(n, x, 0, routes, e);
	if (links >= 0)
		x->latency_ps = latency_after(n, x, (unsigned)links);
	return links;
}

int flow_start(struct net_engine *n, uint32_t slot, unsigned links, struct err *e)
{
	struct flow_message *x = &n->messages.at[slot];
	struct nics nics = {x->from, x->to};

	n->due = true;
	n->begun_ps = n->now_ps;
	put_nics(n, x, nics, links);
	switch (n->routes) {
	case ROUTES_SPREAD: return begin_spread(n, slot, links, e);
	case ROUTES_CHOSEN: return begin_chosen(n, slot, nics, (int)links, e);
	default: return begin_one(n, slot, links, e);
	}
}

int flow_engine_begin(struct net_engine *n, uint32_t slot, struct err *e)
{
	struct flow_message *x = &n->messages.at[slot];
	int links = flow_find_first(n, x, e);
	struct nics nics;

	if (links < 0)
		return -1;
	if (n->log)
		net_log_message(n->log, n->now_ps, flow_log_key(x), &x->m);
	if (!x->m.bytes)
		return flow_engine_sent(n, slot, e);
	n->due = true;
	n->begun_ps = n->now_ps;
	nics = choose_nics(n, x);
	x->from = nics.from;
	x->to = nics.to;
	x->bytes = wire_bytes(n, x->m.bytes);
	put_nics(n, x, nics, (unsigned)links);
	if (pace(n, x, (unsigned)links, e))
		return -1;
	if (x->m.src == x->m.dst)
		return flow_share_node(n, x->m.src, e) ? -1 : begin_one(n, slot, 0, e);
	return flow_start(n, slot, (unsigned)links, e);
}
