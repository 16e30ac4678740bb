/* Makes the rows of an engine from its topology. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "../../../psim/base/mem.h"
#include "../../topology/kind.h"
#include "state.h"

/* What stands for no bound. */
#define UNBOUNDED (INT64_MAX / 4)
enum { BIG_BYTES = 1 << 21 }; /* of rows: beyond a second-level cache */

uint32_t packet_pool_grow(struct net_engine *n, struct packet_pool *p)
{
	uint32_t room = p->room ? p->room * 2 : 256;
	char *at = p->room < UINT32_MAX / 2 ? mem_resize(p->at, room, p->size, NULL) : NULL;

	if (!at) {
		n->short_of_memory = true;
		return 0;
	}
	p->at = at;
	p->room = room;
	if (!p->count)
		p->count = 1; /* 0 is no row */
	for (uint32_t i = room; i-- > p->count;) {
		*(uint32_t *)(at + (size_t)i * p->size) = p->free;
		p->free = i;
	}
	p->count = room;
	return p->free;
}

/* An array that counts as the network's own memory. */
static void *take(struct net_engine *n, size_t count, size_t size, struct err *e)
{
	n->bytes_fixed += (uint64_t)count * size;
	return mem_alloc(count ? count : 1, size, e);
}

static uint64_t rate_of(double bytes_per_s)
{
	return (uint64_t)llround(65536e12 / bytes_per_s);
}

static enum link_role role_of(const struct topology *t, uint32_t l)
{
	if (t->link[l].from < t->nodes)
		return LINK_INJECT;
	return t->link[l].to < t->nodes ? LINK_EJECT : LINK_ROUTERS;
}

int64_t packet_capacity(const struct net_engine *n, uint32_t l, unsigned vc)
{
	switch (n->link[l].role) {
	case LINK_INJECT: return !vc || (n->control_own && vc == NIC_CONTROL_VC) ? n->fifo : 0;
	case LINK_EJECT: return vc ? 0 : n->receive_fifo;
	default: return n->buffer;
	}
}

/* The row of link `l`, but for where its candidates are. */
static void lay_link(struct net_engine *n, uint32_t l)
{
	const struct topology *t = n->t;
	const struct topology_link *at = &t->link[l];
	struct packet_link *link = &n->link[l];

	link->wake_at = NET_TIME_NEVER;
	link->rate = rate_of(t->class[at->class].bytes_per_s);
	link->role = (uint8_t)role_of(t, l);
	link->class = at->class;
	link->to = at->to;
	link->in_slot = (uint16_t)(at->in_port * n->vcs);
	link->in_port = t->in_first[at->to] + at->in_port;
	link->in_first = t->in_first[at->from];
	link->credit_delay = t->class[at->class].cable_ps + n->config->router.credit_delay;
	/* the head leaves a router through the switch, and is ready in the next after RC, VA and SA */
	link->delay = t->class[at->class].cable_ps;
	if (link->role != LINK_INJECT)
		link->delay += n->config->router.flit_transfer + n->config->router.switch_delay;
	if (link->role != LINK_EJECT)
		link->delay += n->stages;
	for (unsigned v = 0; v < n->vcs; v++) {
		struct packet_vc *vc = &n->vc[(size_t)l * n->vcs + v];

		vc->back_at = NET_TIME_NEVER;
		vc->credit = packet_capacity(n, l, v);
	}
}

/* Rows of candidates and bit maps: every output of a router has one for every slot. */
static int lay_candidates(struct net_engine *n, struct err *e)
{
	const struct topology *t = n->t;
	uint64_t candidates = 0, words = 0;
	unsigned most = 1;

	for (uint32_t l = 0; l < t->links; l++) {
		uint32_t from = t->link[l].from;
		unsigned slots = (t->in_first[from + 1] - t->in_first[from]) * n->vcs;

		if (n->link[l].role == LINK_INJECT)
			continue;
		if (slots > UINT16_MAX || candidates + slots > UINT32_MAX)
			return err_set(e, STATUS_USAGE,
			               "packet engine: a router of %u inputs with %u virtual channels each, "
			               "expected at most %u in all",
			               slots / n->vcs, n->vcs, UINT16_MAX);
		n->link[l].candidates = (uint32_t)candidates;
		n->link[l].mask = (uint32_t)words;
		n->link[l].slots = (uint16_t)slots;
		n->link[l].words = (uint16_t)((slots + 63) / 64);
		candidates += slots;
		words += (slots + 63) / 64;
		if (slots > most)
			most = slots;
	}
	n->candidate = take(n, candidates, sizeof *n->candidate, e);
	n->mask = take(n, words, sizeof *n->mask, e);
	n->slot_port = take(n, most, sizeof *n->slot_port, e);
	if (!n->candidate || !n->mask || !n->slot_port)
		return -1;
	for (unsigned s = 0; s < most; s++)
		n->slot_port[s] = (uint16_t)(s / n->vcs);
	return 0;
}

/* What the configuration says, in the units of the engine. */
static int take_parameters(struct net_engine *n, struct err *e)
{
	const struct net_config *c = n->config;
	uint64_t flit = c->router.flit;

	if (c->router.vcs && c->router.vcs != n->t->vcs)
		return err_set(e, STATUS_USAGE,
		               "router.vcs = %u, but the routing uses %u virtual channel%s: expected %u, or 0",
		               c->router.vcs, n->t->vcs, n->t->vcs == 1 ? "" : "s", n->t->vcs);
	if (n->t->vcs > VCS_MAX || n->t->links >> (INDEX_BITS > 32 - VC_BITS ? 32 - VC_BITS : INDEX_BITS))
		return err_set(e, STATUS_USAGE,
		               "packet engine: %u links with %u virtual channels, expected at most %u with %u",
		               n->t->links, n->t->vcs, 1U << (32 - VC_BITS), VCS_MAX);
	n->control_own = c->nic.control == NIC_CONTROL_OWN;
	n->vcs = n->t->vcs ? n->t->vcs : 1;
	if (n->control_own && n->vcs <= NIC_CONTROL_VC)
		n->vcs = NIC_CONTROL_VC + 1;
	n->nics = n->t->nics;
	n->stages = c->router.route + c->router.vc_allocation + c->router.switch_allocation;
	n->buffer = (int64_t)c->router.vc_buffer;
	n->fifo = c->nic.fifo ? (int64_t)c->nic.fifo : UNBOUNDED;
	n->receive_fifo = c->nic.receive_fifo ? (int64_t)c->nic.receive_fifo : UNBOUNDED;
	n->mtu_wire = (uint32_t)((c->nic.mtu + flit - 1) / flit * flit);
	n->dma_rate = rate_of(c->nic.dma);
	n->memory_rate = rate_of(c->nic.memory);
	n->arbitration = c->router.arbitration;
	n->one_packet = c->router.input_port == INPUT_PORT_ONE_PACKET;
	n->per_vc = c->router.queues == QUEUES_PER_VC;
	return 0;
}

int packet_layout(struct net_engine *n, struct err *e)
{
	const struct topology *t = n->t;
	uint32_t inputs = t->in_first[t->nodes + t->routers];

	if (take_parameters(n, e) < 0)
		return -1;
	n->fixed_ways = t->fixed_ways;
	n->no_choice = !t->routing->choice;
	n->way_steps = 8;
	n->packets.size = sizeof(struct packet);
	n->messages.size = sizeof(struct packet_message);
	n->credits.size = sizeof(struct packet_credit);
	n->routes.size = sizeof(struct route);
	n->ways.size = (uint32_t)(n->way_steps * sizeof(uint32_t));
	n->link = take(n, t->links, sizeof *n->link, e);
	n->vc = take(n, (size_t)t->links * n->vcs, sizeof *n->vc, e);
	n->input_free = take(n, inputs, sizeof *n->input_free, e);
	n->nic = take(n, (size_t)t->nodes * n->nics, sizeof *n->nic, e);
	n->node = take(n, t->nodes, sizeof *n->node, e);
	n->queue = n->per_vc ? take(n, (size_t)inputs * n->vcs, sizeof *n->queue, e) : NULL;
	if (!n->link || !n->vc || !n->input_free || !n->nic || !n->node || (n->per_vc && !n->queue) ||
	    schedule_init(&n->schedule, e) < 0)
		return -1;
	for (uint32_t l = 0; l < t->links; l++)
		lay_link(n, l);
	for (uint32_t i = 0; i < t->nodes * n->nics; i++)
		n->link[t->inject[i]].nic = n->link[t->eject[i]].nic = (uint16_t)(i % n->nics);
	if (lay_candidates(n, e) < 0)
		return -1;
	n->big = n->bytes_fixed > BIG_BYTES;
	return 0;
}
