/* Messages that take l + s/w (and a little for each link, if wanted). */
#include <math.h>
#include <stdlib.h>

#include "../../../psim/base/mem.h"
#include "../config.h"
#include "../delay.h"
#include "../kinds.h"

struct line {
	int64_t latency_ps, hop_ps;
	double ps_per_byte;
};
struct linear {
	struct line between, within;
};

static int64_t linear_delay(const void *model, const struct topology *t, uint32_t src, uint32_t dst,
                            uint64_t bytes)
{
	const struct linear *m = model;
	const struct line *l = src == dst ? &m->within : &m->between;
	double transfer = (double)bytes * l->ps_per_byte;
	int64_t ps = transfer < 0x1p62 ? llrint(transfer) : INT64_C(1) << 62;

	ps += l->latency_ps;
	return l->hop_ps ? ps + l->hop_ps * topology_distance(t, src, dst) : ps;
}

static struct net_engine *create(const struct net_setup *setup, struct err *e)
{
	const struct net_linear_params *p = &setup->config->linear;
	struct linear *m = mem_alloc(1, sizeof *m, e);

	if (!m)
		return NULL;
	m->between = (struct line){p->latency, p->hop, 1e12 / p->bandwidth};
	m->within = m->between;
	if (p->local_bandwidth > 0)
		m->within = (struct line){p->local_latency, 0, 1e12 / p->local_bandwidth};
	return delay_create(setup, linear_delay, m, free, e);
}

const struct net_engine_kind net_linear = {
	.name = "linear",
	.doc = "a message takes latency + bytes / bandwidth, whatever else is under way",
	.create = create,
	DELAY_FUNCTIONS,
};
