/*
 * Messages take l + s/w, plus a time for each link between routers. `auto` values are derived from the network: the
 * stages of the routers on the path ([router] route … switch_delay, as in the flow engine), the mean time of flight
 * of the links between routers, and the least bandwidth of links ([link]), DMA and memory ([nic]).
 */
#include <math.h>
#include <stdlib.h>

#include "../../../psim/base/mem.h"
#include "../net_config.h"
#include "../nic_rates.h"
#include "analytic.h"

struct line {
	int64_t latency_ps, hop_ps;
	double ps_per_byte;
};
struct linear {
	struct line between, within;
};

static int64_t linear_delay(const void *model, const struct topology *t, uint32_t src, uint32_t dst, uint64_t bytes)
{
	const struct linear *m = model;
	const struct line *l = src == dst ? &m->within : &m->between;
	int64_t ps = analytic_transfer(bytes, l->ps_per_byte) + l->latency_ps;

	return l->hop_ps ? ps + l->hop_ps * topology_distance(t, src, dst) : ps;
}

/* The least bandwidth of all links. */
static double narrowest_link(const struct topology *t)
{
	double least = (double)INFINITY;

	for (unsigned i = 0; i < t->classes; i++)
		if (t->class[i].links && t->class[i].bytes_per_s < least)
			least = t->class[i].bytes_per_s;
	return least;
}

/* Mean time of flight between two routers, and of both cables between NIC and router. */
struct cables {
	int64_t routers_ps, nics_ps;
};

static struct cables mean_cables(const struct topology *t)
{
	struct cables c = {0};
	double sum = 0;
	uint32_t links = 0;

	for (uint32_t i = 0; i < t->links; i++) {
		const struct topology_link *l = &t->link[i];

		if (l->from < t->nodes || l->to < t->nodes)
			continue;
		sum += (double)t->class[l->class].cable_ps;
		links++;
	}
	if (links)
		c.routers_ps = llrint(sum / links);
	if (t->nodes)
		c.nics_ps =
			t->class[t->link[t->inject[0]].class].cable_ps + t->class[t->link[t->eject[0]].class].cable_ps;
	return c;
}

/* Latency and bandwidth between nodes: as configured, or those of a message on an idle network. */
static struct line line_between(const struct net_setup *setup)
{
	const struct net_linear_params *p = &setup->config->linear;
	const struct net_router_params *r = &setup->config->router;
	const struct nic_rates nic = nic_rates(setup->config, setup->topology);
	int64_t router = r->route + r->vc_allocation + r->switch_allocation + r->flit_transfer + r->switch_delay;
	struct cables cables = mean_cables(setup->topology);
	struct line line = {p->latency, p->hop, 1e12 / p->bandwidth};

	if (p->hop == PARAM_AUTO)
		line.hop_ps = p->latency == PARAM_AUTO ? router + cables.routers_ps : 0;
	if (p->latency == PARAM_AUTO)
		line.latency_ps = router + cables.nics_ps;
	if (p->bandwidth < 0)
		line.ps_per_byte = 1e12 / fmin(narrowest_link(setup->topology), fmin(nic.dma, nic.memory));
	return line;
}

static struct line line_within(const struct net_setup *setup, const struct line *between)
{
	const struct net_config *c = setup->config;
	double bandwidth = c->linear.local_bandwidth;

	if (bandwidth < 0)
		bandwidth = c->linear.bandwidth < 0 ? nic_rates(c, setup->topology).memory : 0;
	return bandwidth > 0 ? (struct line){c->linear.local_latency, 0, 1e12 / bandwidth} : *between;
}

/* The bandwidth at which a byte takes `ps_per_byte`, rounded so that it never takes less. */
static double bandwidth_of(double ps_per_byte)
{
	double bandwidth = 1e12 / ps_per_byte;

	while (1e12 / bandwidth < ps_per_byte)
		bandwidth = nextafter(bandwidth, 0);
	return bandwidth;
}

/*
 * Resources of a node that [node] does not configure: NICs as fast as a message or as in the network, and memory as
 * fast as a local message.
 */
static struct analytic_node node_of(const struct linear *m, const struct net_setup *setup)
{
	const struct net_config *c = setup->config;
	const struct topology *t = setup->topology;
	const struct nic_rates nic = nic_rates(c, t);
	struct analytic_node node = analytic_node(setup);

	if (c->linear.sends == LINEAR_AT_ONCE)
		return node;
	if (!(node.nic > 0)) {
		node.nic = bandwidth_of(m->between.ps_per_byte);
		node.nics = t->nics;
		if (c->linear.bandwidth < 0)
			node.nic = fmax(node.nic, nic.nics / t->nics);
		if (c->linear.bandwidth < 0 && nic_memory_caps(&nic)) {
			node.nic = nic.memory; /* all NICs wait for it */
			node.nics = 1;
		}
	}
	if (!(node.memory > 0))
		node.memory = bandwidth_of(m->within.ps_per_byte);
	/* a message is out before the next one's first byte can be in flight, by at least what that one gains */
	node.ordered = node.nics == 1 && 1e12 / node.nic >= m->between.ps_per_byte &&
		       1e12 / node.memory >= m->within.ps_per_byte;
	return node;
}

static struct net_engine *linear_create(const struct net_setup *setup, struct err *e)
{
	struct linear *m = mem_alloc(1, sizeof(*m), e);
	struct analytic_node node;

	if (!m)
		return NULL;
	m->between = line_between(setup);
	m->within = line_within(setup, &m->between);
	node = node_of(m, setup);
	/* unless the NIC is slower than a message, its first byte comes no sooner than an empty message */
	if (!(node.nic > 0) || 1e12 / node.nic <= m->between.ps_per_byte)
		node.least_ps = m->between.latency_ps + m->between.hop_ps;
	return analytic_create(setup, &node, linear_delay, m, free, e);
}

const struct net_engine_kind net_linear = {
	.name = "linear",
	.doc = "a message takes latency + hops + bytes / bandwidth; messages of a node leave and arrive one after the "
	       "other",
	.create = linear_create,
	ANALYTIC_FUNCTIONS,
};
