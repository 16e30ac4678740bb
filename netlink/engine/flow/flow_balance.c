/*
 * The shares of ways among which packets choose: a max-min allocation by repeated water filling.
 *
 * The ways of a message are flows of one group, whose weights add up to the message's. Each round fills the links
 * (fluid_maxmin.c), then moves weight from ways with congested links to the others, in proportion to the inverse of
 * their cost. This is the adaptive water filling of P. Namyar et al., "Solving max-min fair resource allocations
 * quickly on large graphs" (NSDI 2024), except that weights follow congestion instead of rates. A message that its NIC
 * limits then leaves a full link to those that have no other way, as packets do, which avoid full queues. The cost of
 * a way is its highest congestion times its links, like the rule of packets (A. Singh's UGAL, 2005).
 *
 * Rates follow each change; weights only when an eighth of the messages have come or gone since the last rounds.
 */
#include <math.h>

#include "flow_state.h"

enum {
	ROUNDS_MANY = 6, /* if half of the messages are new */
	ROUNDS = 1,
	SELDOM = 8,
};

static const double COST_LEAST = 0.02;   /* of an idle way */
static const double SHARE_LEAST = 0.002; /* of the message's weight: a way can be found again */
static const double STEP_LEAST = 0.01;   /* smaller changes of a share are not made */

/* How congested a link is: its load, or if it is full how many times slower than their NICs messages are on it. */
static double congestion(const struct net_engine *n, uint32_t link, double nic, double weight)
{
	const struct fluid_link *l = &n->fluid.link[link];

	if (isinf(l->level))
		return l->load / l->capacity;
	return fmax(1, nic / (l->level * weight));
}

static double cost_of_way(const struct net_engine *n, uint32_t flow, double weight)
{
	uint32_t hops, links = 1;
	const uint32_t *path = fluid_path(&n->fluid, &n->fluid.flow.at[flow], &hops);
	double nic = n->fluid.link[path[0]].capacity, most = COST_LEAST;

	/* without the links of NICs, which all ways have, and memories */
	for (; links + 1 < hops && path[links + 1] < n->topology->links; links++)
		most = fmax(most, congestion(n, path[links], nic, weight));
	return most * links;
}

/* Moves weight between the ways of a message; sets *changed if it does. */
static int balance_ways(struct net_engine *n, uint32_t first, bool *changed, struct err *e)
{
	const struct fluid *f = &n->fluid;
	double whole = n->messages.at[f->amount.at[first].tag].weight, sum = 0;
	size_t i = 0;

	if (f->given.at[first].next == FLUID_ALONE)
		return 0;
	n->cost.count = 0;
	for (uint32_t flow = first; flow != FLUID_ALONE; flow = f->given.at[flow].next) {
		double *to = vec_push(&n->cost, e);

		if (!to)
			return -1;
		*to = fmax(f->given.at[flow].weight / cost_of_way(n, flow, whole), 1e-12 * whole);
		sum += *to;
	}
	for (uint32_t flow = first; flow != FLUID_ALONE; flow = f->given.at[flow].next) {
		double to = fmax(n->cost.at[i++] / sum, SHARE_LEAST) * whole, by = to - f->given.at[flow].weight;

		if (fabs(by) < STEP_LEAST * whole)
			continue;
		*changed = true;
		flow_plan(n, flow, by / whole);
		if (fluid_weigh(&n->fluid, flow, to, e))
			return -1;
	}
	return 0;
}

static int balance_all(struct net_engine *n, bool *changed, struct err *e)
{
	for (size_t i = 0; i < n->fluid.group.count; i++)
		if (n->fluid.group.at[i].rate > 0 && balance_ways(n, n->fluid.group.at[i].first, changed, e))
			return -1;
	return 0;
}

int flow_balance(struct net_engine *n, struct err *e)
{
	unsigned rounds = n->changes >= n->chosen / 2 ? ROUNDS_MANY : ROUNDS;
	bool changed = true;

	if (fluid_solve(&n->fluid, n->now_ps, e))
		return -1;
	if (!n->chosen || n->changes * SELDOM < n->chosen)
		return 0;
	n->changes = 0;
	while (changed && rounds--) {
		changed = false;
		if (balance_all(n, &changed, e) || fluid_solve(&n->fluid, n->now_ps, e))
			return -1;
	}
	return 0;
}
