/*
 * The shares of routes among which packets choose: a max-min allocation by repeated water filling.
 *
 * The routes of a message are flows of one group, whose weights add up to the message's. Each round fills the links
 * (fluid_maxmin.c), then moves weight from routes with congested links to the others, in proportion to the inverse of
 * their cost. This is the adaptive water filling of P. Namyar et al., "Solving max-min fair resource allocations
 * quickly on large graphs" (NSDI 2024), except that weights follow congestion instead of rates. A message that its NIC
 * limits then leaves a full link to those that have no other route, as packets do, which avoid full queues. The cost of
 * a route is its highest congestion times its links, like the rule of packets (A. Singh's UGAL, 2005).
 *
 * Rates follow each start. After ends of such messages rates and weights wait until an eighth of them have ended, or a
 * sixteenth of the time since the last start has passed: what is found again is nearly the whole network.
 */
#include <math.h>

#include "../../topology/kind.h"
#include "flow_state.h"

enum {
	ROUNDS_MANY = 6, /* if half of the messages are new */
	/*
	 * The same where the other routes are drawn, UGAL: no more are needed to come as near to packets, on
	 * permutations of seeds 100 to 149 of docs/accuracy/flows.md.
	 */
	ROUNDS_DRAWN = 2,
	ROUNDS = 1,
	SELDOM = 8,
	PATIENCE = 16,
};

static const double COST_LEAST = 0.02;   /* of an idle route */
static const double SHARE_LEAST = 0.002; /* of the message's weight: a route can be found again */
static const double STEP_LEAST = 0.01;   /* smaller changes of a share are not made */

/* The number of links of a route between its NICs', which all routes have, and memories. */
static uint32_t links_between(const struct net_engine *n, const uint32_t *path, uint32_t hops)
{
	while (hops > 2 && path[hops - 1] >= n->topology->links)
		hops--;
	return hops - 2;
}

/*
 * The congestion of a link: its load, or if it is full how many times slower than their NICs, of `nic` bytes a second,
 * messages are on it. `weight`: of a message.
 */
static double congestion(const struct fluid_link *link, double nic, double weight)
{
	return isinf(link->level) ? link->load / link->capacity : fmax(1, nic / (link->level * weight));
}

/* The highest congestion of links. */
static double congestion_of(const struct fluid_link *link, const uint32_t *path, uint32_t links, double nic,
			    double weight)
{
	double level = (double)INFINITY, most = 0;

	for (uint32_t i = 0; i < links; i++)
		level = link[path[i]].level < level ? link[path[i]].level : level;
	if (!isinf(level))
		return fmax(1, nic / (level * weight));
	for (uint32_t i = 0; i < links; i++) {
		double load = link[path[i]].load / link[path[i]].capacity;

		most = load > most ? load : most;
	}
	return most;
}

/*
 * The cost of a route: its links times its congestion, that of the first link whose queue is shown to packets elsewhere
 * (UGAL-G), or if there is none the highest.
 */
static double cost_of_route(const struct net_engine *n, uint32_t flow, double weight)
{
	uint32_t hops, shown = 1;
	const uint32_t *path = fluid_path(&n->fluid, &n->fluid.flow.at[flow], &hops);
	uint32_t links = links_between(n, path, hops);
	double nic = n->fluid.link[path[0]].capacity, most;

	while (n->shows && shown <= links && !n->shown[path[shown]])
		shown++;
	if (n->shows && shown <= links)
		most = congestion(&n->fluid.link[path[shown]], nic, weight);
	else
		most = congestion_of(n->fluid.link, path + 1, links, nic, weight);
	return fmax(most, COST_LEAST) * (links + 1);
}

/* Moves weight between the routes of a message; sets *changed if it does. */
static int balance_routes(struct net_engine *n, uint32_t first, bool *changed, struct err *e)
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
		*to = fmax(f->given.at[flow].weight / cost_of_route(n, flow, whole), 1e-12 * whole);
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
		if (n->fluid.group.at[i].rate > 0 && balance_routes(n, n->fluid.group.at[i].first, changed, e))
			return -1;
	return 0;
}

void flow_wait(struct net_engine *n)
{
	if (!n->ended++)
		n->wait_ps = n->now_ps + (n->now_ps - n->begun_ps) / PATIENCE;
}

bool flow_is_due(const struct net_engine *n)
{
	return fluid_changed(&n->fluid) && (n->due || n->ended * SELDOM >= n->chosen || n->now_ps >= n->wait_ps);
}

static unsigned rounds_of(const struct net_engine *n)
{
	if (n->changes < n->chosen / 2)
		return ROUNDS;
	return n->topology->routing->random ? ROUNDS_DRAWN : ROUNDS_MANY;
}

int flow_balance(struct net_engine *n, struct err *e)
{
	bool balance = n->chosen && n->changes * SELDOM >= n->chosen, changed = true;
	unsigned rounds = rounds_of(n);

	if (!flow_is_due(n))
		return 0;
	/* congestion is known, but not of those that start */
	if ((n->fluid.started.count || !balance) && fluid_solve(&n->fluid, n->now_ps, e))
		return -1;
	n->due = false;
	n->ended = 0;
	n->wait_ps = NET_TIME_NEVER;
	if (!balance)
		return 0;
	n->changes = 0;
	while (changed && rounds--) {
		changed = false;
		if (balance_all(n, &changed, e) || fluid_solve(&n->fluid, n->now_ps, e))
			return -1;
	}
	return 0;
}
