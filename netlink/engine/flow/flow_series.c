/* Samples for the log: bytes carried by links, and their time with a flow. */
#include <string.h>

#include "flow_state.h"

static void add_flow(const struct net_engine *n, uint32_t slot)
{
	const struct topology *t = n->topology;
	double bytes = fluid_sent(&n->fluid, slot, n->sample_at);
	const struct fluid_flow *flow = &n->fluid.flow.at[slot];
	const double *part = &n->fluid.part.at[flow->path + 1];
	uint32_t hops;
	const uint32_t *path = fluid_path(&n->fluid, flow, &hops);

	for (uint32_t i = 0; i < hops; i++) {
		if (n->flowing && path[i] < flow_rows(n))
			n->flowing[path[i]] += bytes * part[i];
		else if (path[i] < t->links) /* others are memories, and limits of single messages */
			n->classes[t->link[path[i]].class].bytes += bytes * part[i];
	}
}

/*
 * Adds what flows carry by link. A link that shares a bandwidth has the bytes of all of them, so that its throughput is
 * that of the medium.
 */
static void add_flowing(const struct net_engine *n)
{
	const struct topology *t = n->topology;

	for (uint32_t i = 0; i < t->links; i++) {
		uint32_t row = n->shared && n->shared[i] ? n->shared[i] : i;

		n->classes[t->link[i].class].bytes += n->flowing[row];
		if (n->by_link)
			n->by_link[i] = (uint64_t)(n->fluid.link[row].carried + n->flowing[row] + 0.5);
	}
	memset(n->flowing, 0, flow_rows(n) * sizeof(*n->flowing));
}

static void flow_series_take(struct net_engine *n)
{
	const struct topology *t = n->topology;
	const struct fluid *f = &n->fluid;

	memset(n->classes, 0, t->classes * sizeof(*n->classes));
	for (uint32_t i = 0; i < t->links; i++) {
		const struct fluid_link *link = &f->link[n->shared && n->shared[i] ? n->shared[i] : i];
		struct flow_class *class = &n->classes[t->link[i].class];

		class->bytes += link->carried;
		class->busy_ps += (double)link->busy_ps;
		if (link->count)
			class->busy_ps += (double)(n->sample_at - link->busy_since);
	}
	for (size_t i = 0; i < f->flow.count; i++)
		if (f->amount.at[i].used)
			add_flow(n, (uint32_t)i);
	if (n->flowing)
		add_flowing(n);
	for (unsigned c = 0; c < t->classes; c++) {
		n->sample[c].bytes = (sum128)(n->classes[c].bytes * (double)NET_LOG_BYTE + 0.5);
		n->sample[c].busy_ps = (sum128)(n->classes[c].busy_ps + 0.5);
	}
	net_log_sample(n->log, n->sample, NULL, NULL, n->by_link);
	n->sample_at = net_log_next_sample(n->log);
}

void flow_samples(struct net_engine *n, int64_t before_ps)
{
	while (n->sample_at < before_ps && before_ps != NET_TIME_NEVER)
		flow_series_take(n);
}
