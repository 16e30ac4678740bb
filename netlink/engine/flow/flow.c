#include "flow.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "../../../psim/base/heap.h"
#include "../../../psim/base/mem.h"
#include "../../../psim/base/rng.h"
#include "../../topology/kind.h"
#include "../nic_rates.h"
#include "flow_state.h"

#define NOTHING UINT32_MAX

enum {
	STREAM_ROUTES = 0x464c,
	SPREAD_MOST = 8,
	PATH_MORE = 3, /* besides links of the network: memory at both ends, and pacing */
};

/* The message's key in a log. */
static uint64_t flow_log_key(const struct flow_message *x)
{
	return (uint64_t)x->m.src << 32 | (uint32_t)x->number;
}

/* ---- events: a binary heap by (time, kind, message number) ---- */

static bool flow_engine_before(const struct flow_event *a, const struct flow_event *b)
{
	return a->time_ps != b->time_ps ? a->time_ps < b->time_ps : a->order < b->order;
}

HEAP(events, struct flow_event, flow_engine_before)

static int flow_engine_push(struct net_engine *n, int64_t time_ps, enum flow_event_kind kind, uint32_t slot,
			    struct err *e)
{
	struct flow_event x = {time_ps, (uint64_t)kind << 62 | n->messages.at[slot].number, slot};

	if (vec_reserve(&n->events, 1, e))
		return -1;
	events_push(n->events.at, n->events.count++, x);
	return 0;
}

static int64_t first_event(const struct net_engine *n)
{
	return n->events.count ? n->events.at[0].time_ps : NET_TIME_NEVER;
}

static enum flow_event_kind flow_engine_kind_of(const struct flow_event *x)
{
	return (enum flow_event_kind)(x->order >> 62);
}

/* ---- creation ---- */

static void flow_engine_destroy(struct net_engine *n)
{
	if (!n)
		return;
	fluid_finish(&n->fluid);
	vec_finish(&n->events);
	vec_finish(&n->messages);
	vec_finish(&n->pacing);
	free(n->turns);
	free(n->classes);
	free(n->sample);
	free(n->path);
	free(n);
}

/* The links between NICs and routers are no faster than the DMA. */
static void limit_nics(const struct topology *t, double dma, double *capacity)
{
	for (size_t i = 0; i < (size_t)t->nodes * t->nics; i++) {
		capacity[t->inject[i]] = fmin(capacity[t->inject[i]], dma);
		capacity[t->eject[i]] = fmin(capacity[t->eject[i]], dma);
	}
}

/* Makes the network's links, then two links for the memory of each node: its reads and its writes. */
static int flow_engine_make_links(struct net_engine *n, const struct net_setup *s, struct err *e)
{
	static const enum fluid_rule rules[] = {
		[FLOW_MAXMIN] = FLUID_MAXMIN,
		[FLOW_N] = FLUID_ITERATE,
		[FLOW_F] = FLUID_FAIR,
		[FLOW_N_LITERAL] = FLUID_LITERAL,
	};
	const struct topology *t = n->topology;
	const struct nic_rates rates = nic_rates(s->config, t);
	const uint32_t links = t->links + 2 * t->nodes;
	double *capacity = mem_alloc(links, sizeof(*capacity), e);
	int status;

	if (!capacity)
		return -1;
	for (uint32_t i = 0; i < t->links; i++)
		capacity[i] = t->class[t->link[i].class].bytes_per_s;
	for (uint32_t i = t->links; i < links; i++)
		capacity[i] = rates.memory;
	limit_nics(t, rates.dma, capacity);
	n->memory = t->links;
	/* the paper's modes share a link by its number of flows, so a memory that NICs cannot fill would delay them */
	n->share_memory = s->config->flow.mode == FLOW_MAXMIN || nic_memory_caps(&rates);
	status = fluid_init(&n->fluid, rules[s->config->flow.mode], s->config->flow.th, capacity, links, e);
	n->fluid.check = s->check;
	free(capacity);
	return status;
}

static struct net_engine *flow_engine_create(const struct net_setup *s, struct err *e)
{
	const struct net_router_params *r = &s->config->router;
	struct net_engine *n = mem_alloc(1, sizeof(*n), e);

	if (!n)
		return NULL;
	n->topology = s->topology;
	n->config = s->config;
	n->seed = s->seed;
	n->free_message = NOTHING;
	n->totals.least_ps = INT64_MAX;
	n->router_ps = r->route + r->vc_allocation + r->switch_allocation + r->flit_transfer + r->switch_delay;
	n->path_max = 64;
	n->spread = n->topology->fixed_ways ? 1 : SPREAD_MOST;
	if (n->spread > 1 && s->config->flow.mode != FLOW_MAXMIN) {
		static const char *const modes[] = {
			[FLOW_N] = "n",
			[FLOW_F] = "f",
			[FLOW_N_LITERAL] = "n-literal",
		};

		err_set(e, STATUS_USAGE,
			"flow.mode = %s uses a single path, expected maxmin with topology.routing = %s",
			modes[s->config->flow.mode], n->topology->routing->name);
		flow_engine_destroy(n);
		return NULL;
	}
	n->log = s->log;
	n->sample_at = n->log ? net_log_next_sample(n->log) : NET_TIME_NEVER;
	n->classes = mem_alloc(s->topology->classes, sizeof(*n->classes), e);
	n->turns = mem_alloc(s->topology->nodes, sizeof(*n->turns), e);
	n->path = mem_alloc(n->path_max + PATH_MORE, sizeof(*n->path), e);
	n->sample = mem_alloc(s->topology->classes, sizeof(*n->sample), e);
	if (!n->classes || !n->sample || !n->turns || !n->path || flow_engine_make_links(n, s, e)) {
		flow_engine_destroy(n);
		return NULL;
	}
	return n;
}

/* ---- sending ---- */

static uint32_t flow_engine_take_message(struct net_engine *n, struct err *e)
{
	uint32_t slot = n->free_message;

	if (slot != NOTHING) {
		n->free_message = n->messages.at[slot].next_free;
		return slot;
	}
	if (vec_reserve(&n->messages, 1, e))
		return NOTHING;
	return (uint32_t)n->messages.count++;
}

static void give_message(struct net_engine *n, uint32_t slot)
{
	n->messages.at[slot].next_free = n->free_message;
	n->free_message = slot;
}

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

/*
 * The congestion that a part meets: messages on a link beyond those it carries at a NIC's full rate, times the
 * remaining links. It corresponds to the queues that packets see (A. Singh's UGAL, 2005). Queues of packets fill
 * from behind, so the first link reflects the others. Flows have no queues, so all links of a path are examined if
 * paths differ in length.
 */
static double beyond(const struct net_engine *n, uint32_t link, double nic)
{
	const struct fluid_link *l = &n->fluid.link[link];
	double many = (l->count + 1.0) / n->spread * nic / l->capacity - 1;

	return many > 1e-9 ? many : 0;
}

/*
 * The largest congestion of the links after `link` on the path that a part continues on, with the first choice at
 * each router.
 */
static double beyond_on_the_way(const struct net_engine *n, uint32_t link, unsigned vc, struct route route, double nic)
{
	const struct topology *t = n->topology;
	struct route_step steps[ROUTE_STEPS_MAX];
	double most = beyond(n, link, nic);

	for (unsigned links = 1; t->link[link].to >= t->nodes && links < n->path_max; links++) {
		uint32_t router = t->link[link].to;

		topology_route_next(t, router, link, vc, &route, steps);
		topology_route_take(t, router, &steps[0], &route);
		link = steps[0].link;
		vc = steps[0].vc;
		most = fmax(most, beyond(n, link, nic));
	}
	return most;
}

/* Returns whether the paths differ in length, so that one is chosen here, permanently (UGAL). */
static bool of_unequal_length(const struct route_step *steps, unsigned count)
{
	for (unsigned i = 1; i < count; i++)
		if (steps[i].hops != steps[0].hops)
			return true;
	return false;
}

/* Returns the least congested step from `router`; the first of equals. */
static const struct route_step *flow_engine_choose_step(const struct net_engine *n, uint32_t router,
							const struct route *route, const struct route_step *steps,
							unsigned count, double nic)
{
	bool whole = of_unequal_length(steps, count);
	const struct route_step *best = steps;
	double least = (double)INFINITY;

	for (unsigned i = 0; i < count; i++) {
		double how = (steps[i].hops ? steps[i].hops : 1);

		if (whole) {
			struct route on = *route;

			topology_route_take(n->topology, router, &steps[i], &on);
			how *= beyond_on_the_way(n, steps[i].link, steps[i].vc, on, nic);
		} else {
			how *= beyond(n, steps[i].link, nic);
		}

		if (how < least) {
			least = how;
			best = &steps[i];
		}
	}
	return best;
}

/* Chooses a path of an adaptive routing, in the form of topology_path; 0: the path exceeds the buffer. */
static unsigned choose_path(struct net_engine *n, const struct net_message *m, uint64_t key)
{
	const struct topology *t = n->topology;
	uint32_t link = t->inject[(size_t)m->src * t->nics];
	double nic = n->fluid.link[link].capacity;
	struct route_step steps[ROUTE_STEPS_MAX];
	unsigned links = 0, vc = 0;
	struct route route;

	topology_route_start(t, m->src, m->dst, key, &route);
	for (;;) {
		uint32_t router = t->link[link].to;
		const struct route_step *step = steps;
		unsigned count;

		if (links == n->path_max)
			return 0;
		n->path[links++] = link;
		if (router < t->nodes)
			return links;
		count = topology_route_next(t, router, link, vc, &route, steps);
		if (count > 1)
			step = flow_engine_choose_step(n, router, &route, steps, count, nic);
		topology_route_take(t, router, step, &route);
		link = step->link;
		vc = step->vc;
	}
}

/* Finds the path of part `part`, in n->path. Returns its links, 0 within a node, or -1 with `e` if memory is short. */
static int flow_engine_find_path(struct net_engine *n, const struct flow_message *x, unsigned part, struct err *e)
{
	uint64_t key = rng_u64(n->seed, STREAM_ROUTES, x->number * SPREAD_MOST + part);
	unsigned links;

	if (x->m.src == x->m.dst)
		return 0; /* memory only */
	while (!(links = n->spread > 1 ? choose_path(n, &x->m, key)
				       : topology_path(n->topology, x->m.src, x->m.dst, key, n->path, n->path_max))) {
		uint32_t *path;

		if (n->path_max >= FLUID_PATH_MAX)
			return err_set(e, STATUS_FAILED,
				       "flow: path from node %" PRIu32 " to %" PRIu32
				       " too long, expected at most %d links",
				       x->m.src, x->m.dst, FLUID_PATH_MAX);
		path = mem_resize(n->path, 2 * n->path_max + PATH_MORE, sizeof(*path), e);
		if (!path)
			return -1;
		n->path = path;
		n->path_max *= 2;
	}
	return (int)links;
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

static int64_t path_latency(const struct net_engine *n, const struct flow_message *x, unsigned links)
{
	const struct topology *t = n->topology;
	int64_t sum = ((int64_t)links - 1) * n->router_ps;

	if (n->config->flow.latency == FLOW_LATENCY_NONE || x->m.src == x->m.dst)
		return 0;
	for (unsigned i = 0; i < links; i++)
		sum += t->class[t->link[n->path[i]].class].cable_ps;
	return sum;
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

/* Gives a message with gaps a link of its own, which limits its rate to a packet per packet time plus gap. */
static int pace(struct net_engine *n, struct flow_message *x, struct err *e)
{
	uint32_t first = x->m.src == x->m.dst ? n->memory + x->m.src : n->path[0];
	double bandwidth = n->fluid.link[first].capacity, packet = (double)n->config->nic.mtu;
	double rate = packet / (packet / bandwidth + (double)x->m.gap_ps * 1e-12);

	x->pace = NOTHING;
	if (x->m.gap_ps <= 0)
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

static int flow_engine_send(struct net_engine *n, int64_t time_ps, const struct net_message *m, struct err *e)
{
	uint32_t slot = flow_engine_take_message(n, e);
	struct flow_message *x;

	if (slot == NOTHING)
		return -1;
	x = &n->messages.at[slot];
	*x = (struct flow_message){.m = *m, .number = n->totals.messages, .sent_ps = time_ps, .pace = NOTHING};
	time_ps += n->config->flow.overhead;
	if (n->config->flow.latency == FLOW_LATENCY_BEFORE) {
		int links = flow_engine_find_path(n, x, 0, e);

		if (links < 0)
			return -1;
		time_ps += path_latency(n, x, (unsigned)links);
	}
	if (flow_engine_push(n, time_ps, EVENT_START, slot, e))
		return -1;
	n->totals.messages++;
	n->totals.bytes += m->bytes;
	n->totals.local += m->src == m->dst;
	return 0;
}

/* ---- advancing ---- */

/* The last byte has left. */
static int flow_engine_sent(struct net_engine *n, uint32_t slot, struct err *e)
{
	int64_t latency = n->messages.at[slot].latency_ps;

	if (flow_engine_push(n, n->now_ps, EVENT_SENT, slot, e))
		return -1;
	return flow_engine_push(n, n->now_ps + latency, EVENT_DELIVERED, slot, e);
}

/* The part's weight on links: with flow.share = latency within a node as over one router, since its latency is 0. */
static double weight_of(const struct net_engine *n, const struct flow_message *x, int64_t latency)
{
	const struct topology *t = n->topology;

	if (x->m.src == x->m.dst)
		latency = n->router_ps + t->class[t->link[t->inject[0]].class].cable_ps +
			  t->class[t->link[t->eject[0]].class].cable_ps;
	return (n->config->flow.share == FLOW_SHARE_LATENCY && latency > 0 ? 1e12 / (double)latency : 1) / x->parts;
}

/* Starts a part on the path in n->path. */
static int begin_part(struct net_engine *n, uint32_t slot, unsigned links, struct err *e)
{
	struct flow_message *x = &n->messages.at[slot];
	int64_t latency = path_latency(n, x, links);
	double weight = weight_of(n, x, latency), size = wire_bytes(n, x->m.bytes) / x->parts;
	uint32_t flow;

	if (n->config->flow.latency == FLOW_LATENCY_AFTER && latency > x->latency_ps)
		x->latency_ps = latency;
	if (n->share_memory || x->m.src == x->m.dst) {
		n->path[links++] = n->memory + x->m.src;
		n->path[links++] = n->memory + n->topology->nodes + x->m.dst;
	}
	if (x->pace != NOTHING)
		n->path[links++] = x->pace;
	return fluid_start(&n->fluid, n->now_ps, size, weight, n->path, links, slot, &flow, e);
}

/* The number of parts: the paths to try, at least a packet each. */
static uint32_t parts_of(const struct net_engine *n, const struct net_message *m)
{
	uint64_t packets = m->bytes / n->config->nic.mtu + 1;

	if (m->src == m->dst)
		return 1;
	return packets < n->spread ? (uint32_t)packets : n->spread;
}

/* Starts a message; an empty message is complete at once. */
static int flow_engine_begin(struct net_engine *n, uint32_t slot, struct err *e)
{
	struct flow_message *x = &n->messages.at[slot];
	int links = flow_engine_find_path(n, x, 0, e);
	struct nics nics;

	if (links < 0)
		return -1;
	x->latency_ps = n->config->flow.latency == FLOW_LATENCY_AFTER ? path_latency(n, x, (unsigned)links) : 0;
	x->parts = parts_of(n, &x->m);
	if (n->log)
		net_log_message(n->log, n->now_ps, flow_log_key(x), &x->m);
	if (!x->m.bytes)
		return flow_engine_sent(n, slot, e);
	nics = choose_nics(n, x);
	put_nics(n, x, nics, (unsigned)links);
	if (pace(n, x, e))
		return -1;
	for (unsigned part = 0;;) {
		if (begin_part(n, slot, (unsigned)links, e))
			return -1;
		if (++part == x->parts)
			return 0;
		links = flow_engine_find_path(n, x, part, e);
		if (links < 0)
			return -1;
		put_nics(n, x, nics, (unsigned)links);
	}
}

/* Starts the messages of this instant, after its notices. */
static int begin_all(struct net_engine *n, struct err *e)
{
	while (first_event(n) <= n->now_ps && flow_engine_kind_of(&n->events.at[0]) == EVENT_START)
		if (flow_engine_begin(n, events_pop(n->events.at, n->events.count--).slot, e))
			return -1;
	return 0;
}

static void count_delivery(struct net_engine *n, const struct flow_message *x)
{
	struct flow_totals *t = &n->totals;
	int64_t took = n->now_ps - x->sent_ps;

	t->delivered++;
	t->delivered_bytes += x->m.bytes;
	t->sum_ps += (double)took;
	if (took < t->least_ps)
		t->least_ps = took;
	if (took > t->most_ps)
		t->most_ps = took;
}

static unsigned take_notices(struct net_engine *n, struct net_notice *out, unsigned max)
{
	unsigned count = 0;

	while (count < max && first_event(n) <= n->now_ps && flow_engine_kind_of(&n->events.at[0]) != EVENT_START) {
		struct flow_event x = events_pop(n->events.at, n->events.count--);
		bool delivered = flow_engine_kind_of(&x) == EVENT_DELIVERED;

		out[count++] = (struct net_notice){
			.time_ps = n->now_ps,
			.id = n->messages.at[x.slot].m.id,
			.kind = delivered ? NET_DELIVERED : NET_SENT,
		};
		if (delivered) {
			const struct flow_message *m = &n->messages.at[x.slot];

			count_delivery(n, m);
			if (n->log)
				net_log_delivered(n->log, n->now_ps, flow_log_key(m), &m->m);
			give_message(n, x.slot);
		}
	}
	return count;
}

/* Ends drained flows; [flow] resolution delays them to the end of the step. */
static int end_all(struct net_engine *n, struct err *e)
{
	bool any = false;

	while (fluid_next_end(&n->fluid) <= n->now_ps) {
		uint32_t flow = winner_slot(&n->fluid.ends), slot = n->fluid.amount.at[flow].tag;

		fluid_end(&n->fluid, n->now_ps, flow);
		any = true;
		if (--n->messages.at[slot].parts)
			continue;
		if (n->messages.at[slot].pace != NOTHING)
			n->pacing.at[n->pacing.count++] = n->messages.at[slot].pace;
		if (flow_engine_sent(n, slot, e))
			return -1;
	}
	if (any)
		n->last_end_ps = n->now_ps;
	return 0;
}

/* The next end of flows, at least one step after the previous ends. */
static int64_t next_end(const struct net_engine *n)
{
	int64_t end = fluid_next_end(&n->fluid), step = n->last_end_ps + n->config->flow.resolution;

	return end == WINNER_NEVER || end > step ? end : step;
}

static int flow_engine_advance(struct net_engine *n, int64_t until_ps, struct net_notice *out, unsigned max,
			       struct err *e)
{
	for (;;) {
		unsigned count = take_notices(n, out, max);
		int64_t next, end;

		if (count)
			return (int)count;
		if (begin_all(n, e))
			return -1;
		if (first_event(n) <= n->now_ps)
			continue; /* notices of empty messages */
		if (until_ps <= n->now_ps)
			return 0;
		if (fluid_solve(&n->fluid, n->now_ps, e))
			return -1;
		end = next_end(n);
		next = first_event(n) < end ? first_event(n) : end;
		flow_samples(n, next < until_ps ? next : until_ps);
		if (next > until_ps) {
			n->now_ps = until_ps;
			return 0;
		}
		n->now_ps = next;
		if (end <= next && end_all(n, e))
			return -1;
	}
}

static int64_t flow_engine_next_time(const struct net_engine *n)
{
	int64_t end;

	if (n->fluid.flows && fluid_changed(&n->fluid))
		return n->now_ps;
	end = next_end(n);
	return first_event(n) < end ? first_event(n) : end;
}

static int flow_engine_verify(const struct net_engine *n, struct err *e)
{
	const struct flow_totals *t = &n->totals;

	if (t->messages != t->delivered || t->bytes != t->delivered_bytes)
		return err_set(e, STATUS_FAILED,
			       "flow: %" PRIu64 " of %" PRIu64 " messages and %" PRIu64 " of %" PRIu64
			       " bytes delivered, expected all",
			       t->delivered, t->messages, t->delivered_bytes, t->bytes);
	if (n->fluid.flows || n->fluid.counts.starts != n->fluid.counts.ends)
		return err_set(e, STATUS_FAILED, "flow: %" PRIu32 " flows left, expected none", n->fluid.flows);
	return 0;
}

const struct fluid *net_flow_fluid(const struct net_engine *n)
{
	return &n->fluid;
}

const struct net_engine_kind net_flow = {
	.name = "flow",
	.doc = "messages are fluid flows that share links: exact max-min fairness, or modes N and F",
	.create = flow_engine_create,
	.destroy = flow_engine_destroy,
	.send = flow_engine_send,
	.next_time = flow_engine_next_time,
	.advance = flow_engine_advance,
	.report = flow_report,
	.verify = flow_engine_verify,
};
