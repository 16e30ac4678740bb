#include "flow.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../../../psim/base/heap.h"
#include "../../../psim/base/mem.h"
#include "../../topology/kind.h"
#include "../nic_rates.h"
#include "flow_state.h"

#define NOTHING UINT32_MAX

uint64_t flow_log_key(const struct flow_message *x)
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
	slots_finish(&n->messages);
	vec_finish(&n->pacing);
	free(n->turns);
	free(n->classes);
	free(n->sample);
	free(n->path);
	free(n->part);
	free(n->place);
	free(n->planned);
	free(n->shown);
	free(n->local);
	free(n->shared);
	vec_finish(&n->media);
	free(n->flowing);
	free(n->by_link);
	vec_finish(&n->route_links);
	net_changes_finish(&n->network);
	vec_finish(&n->cost);
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
		capacity[i] = t->class[t->link[i].class].fat ? FLOW_FAT : t->class[t->link[i].class].bytes_per_s;
	for (uint32_t i = t->links; i < links; i++)
		capacity[i] = rates.memory;
	limit_nics(t, rates.dma, capacity);
	n->memory = t->links;
	/* the paper's modes share a link by its number of flows, so a memory that NICs cannot fill would delay them */
	n->share_memory = nic_memory_caps(&rates);
	status = fluid_init(&n->fluid, rules[s->config->flow.mode], s->config->flow.th, capacity, links, e);
	n->fluid.check = s->check;
	free(capacity);
	return status;
}

/* A flow ends: what it has carried over a link. */
static void count_load(void *user, uint32_t slot, uint32_t row, double bytes)
{
	const struct net_engine *n = user;
	const struct net_message *m = &n->messages.at[slot].m;
	uint32_t link = flow_link_of(n, row);

	if (link != FLOW_NO_LINK)
		net_loads_add(n->loads, &(struct net_load){link, m->from, m->to, (uint32_t)m->mark, bytes});
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
	n->wait_ps = NET_TIME_NEVER;
	n->totals.least_ps = INT64_MAX;
	n->router_ps = r->route + r->vc_allocation + r->switch_allocation + r->flit_transfer + r->switch_delay;
	n->routes = n->topology->fixed_routes      ? ROUTES_ONE
		    : n->topology->routing->choice ? ROUTES_CHOSEN
						   : ROUTES_SPREAD;
	if (n->routes != ROUTES_ONE && s->config->flow.mode != FLOW_MAXMIN) {
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
	n->loads = s->loads;
	n->log = s->log;
	n->sample_at = n->log ? net_log_next_sample(n->log) : NET_TIME_NEVER;
	n->classes = mem_alloc(s->topology->classes, sizeof(*n->classes), e);
	n->turns = mem_alloc(s->topology->nodes, sizeof(*n->turns), e);
	n->local = mem_alloc(s->topology->nodes, sizeof(*n->local), e);
	n->path = mem_alloc(2 * FLUID_PATH_MAX + FLOW_PATH_MORE, sizeof(*n->path), e); /* each may share a bandwidth */
	n->part = mem_alloc(FLUID_PATH_MAX + FLOW_PATH_MORE, sizeof(*n->part), e);
	n->planned = mem_alloc(s->topology->links, sizeof(*n->planned), e);
	n->shown = mem_alloc(s->topology->links, sizeof(*n->shown), e);
	n->place = mem_alloc(s->topology->links, sizeof(*n->place), e);
	n->sample = mem_alloc(s->topology->classes, sizeof(*n->sample), e);
	if (!n->classes || !n->sample || !n->turns || !n->path || !n->part || !n->place || !n->local || !n->planned ||
	    !n->shown || net_changes_begin(&n->network, s->changes, e) || flow_engine_make_links(n, s, e) ||
	    flow_shared_make(n, e)) {
		flow_engine_destroy(n);
		return NULL;
	}
	n->fluid.carries = n->loads ? count_load : NULL;
	n->fluid.user = n;
	return n;
}

/* ---- sending ---- */

static int flow_engine_send(struct net_engine *n, int64_t time_ps, const struct net_message *m, struct err *e)
{
	uint32_t slot = slots_take(&n->messages, e);
	struct flow_message *x;

	if (slot == SLOT_NONE)
		return -1;
	x = &n->messages.at[slot];
	*x = (struct flow_message){.m = *m, .number = n->totals.messages, .sent_ps = time_ps, .pace = NOTHING};
	time_ps += n->config->flow.overhead;
	if (n->config->flow.latency == FLOW_LATENCY_BEFORE) {
		int links = flow_find_route(n, x, 0, 1, e);

		if (links < 0)
			return -1;
		time_ps += m->src == m->dst ? 0 : flow_path_latency(n, n->path, (unsigned)links);
	}
	if (flow_engine_push(n, time_ps, EVENT_START, slot, e))
		return -1;
	n->totals.messages++;
	n->totals.bytes += m->bytes;
	n->totals.local += m->src == m->dst;
	return 0;
}

/* ---- advancing ---- */

int flow_engine_sent(struct net_engine *n, uint32_t slot, struct err *e)
{
	int64_t latency = n->messages.at[slot].latency_ps;

	if (flow_engine_push(n, n->now_ps, EVENT_SENT, slot, e))
		return -1;
	return flow_engine_push(n, n->now_ps + latency, EVENT_DELIVERED, slot, e);
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
			slots_give(&n->messages, x.slot);
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

		flow_forget_routes(n, flow);
		fluid_end(&n->fluid, n->now_ps, flow);
		any = true;
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
		if ((n->network.next_ps <= n->now_ps && flow_change(n, e)) || begin_all(n, e))
			return -1;
		if (first_event(n) <= n->now_ps)
			continue; /* notices of empty messages */
		if (until_ps <= n->now_ps)
			return 0;
		if (flow_balance(n, e))
			return -1;
		end = next_end(n);
		next = first_event(n) < end ? first_event(n) : end;
		next = n->wait_ps < next ? n->wait_ps : next;
		next = n->network.next_ps < next ? n->network.next_ps : next;
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

	if (n->fluid.flows && flow_is_due(n))
		return n->now_ps;
	end = next_end(n);
	end = n->fluid.flows && n->wait_ps < end ? n->wait_ps : end;
	/* a change of the network may raise rates */
	end = n->fluid.flows && n->network.next_ps < end ? n->network.next_ps : end;
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

static void flow_engine_carried(const struct net_engine *n, double *bytes)
{
	for (uint32_t l = 0; l < n->topology->links; l++)
		bytes[l] = n->fluid.link[l].carried;
}

const struct net_engine_kind net_flow = {
	.name = "flow",
	.doc = "messages are fluid flows that share links: exact max-min fairness, or modes N and F",
	.links = true,
	.create = flow_engine_create,
	.destroy = flow_engine_destroy,
	.send = flow_engine_send,
	.next_time = flow_engine_next_time,
	.advance = flow_engine_advance,
	.report = flow_report,
	.verify = flow_engine_verify,
	.carried = flow_engine_carried,
	.media = flow_media,
	.doubt = flow_doubt,
};
