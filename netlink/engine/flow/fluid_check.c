#include "fluid.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "../../../psim/base/mem.h"

static const double slack = 1e-9; /* rounding of sums of up to millions of rates */

/* Of each link: what its flows take together, and the highest level among them. */
struct load {
	double rate, level;
};

static int add_up(const struct fluid *f, struct load *load, struct err *e)
{
	for (uint32_t i = 0; i < f->links; i++) {
		const struct fluid_link *link = &f->link[i];

		for (uint32_t k = 0; k < link->count; k++) {
			const struct fluid_flow *flow = &f->flow.at[link->member[k].flow];

			load[i].rate += flow->rate;
			load[i].level = fmax(load[i].level, flow->level);
		}
		if (load[i].rate > link->capacity * (1 + slack))
			return err_set(e, STATUS_FAILED,
			               "flows: link %" PRIu32 " carries %.17g bytes/s, expected at most %.17g", i,
			               load[i].rate, link->capacity);
	}
	return 0;
}

static bool has_bottleneck(const struct fluid *f, const struct load *load, const struct fluid_flow *flow)
{
	const struct fluid_crossing *c = &f->crossing.at[flow->path];

	for (uint32_t k = 0; k < flow->hops; k++) {
		const struct load *on = &load[c[k].link];

		if (on->rate >= f->link[c[k].link].capacity * (1 - slack) && on->level <= flow->level * (1 + slack))
			return true;
	}
	return false;
}

int fluid_verify(const struct fluid *f, struct err *e)
{
	struct load *load = mem_alloc(f->links, sizeof *load, e);
	int status = load ? add_up(f, load, e) : -1;

	for (size_t i = 0; !status && f->rule == FLUID_MAXMIN && i < f->flow.count; i++) {
		const struct fluid_flow *flow = &f->flow.at[i];

		if (f->amount.at[i].used && !has_bottleneck(f, load, flow))
			status = err_set(e, STATUS_FAILED,
			                 "flows: flow %zu at %.17g bytes/s has no full link on which it is among the "
			                 "fastest, expected one", i, flow->rate);
	}
	free(load);
	return status;
}
