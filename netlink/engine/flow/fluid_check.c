#include "fluid.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "../../../psim/base/mem.h"

static const double slack = 1e-9; /* rounding of sums of up to millions of rates */

/* A link's total rate, and the highest level of its flows. */
struct load {
	double rate, level;
};

static double level(const struct fluid *f, uint32_t slot)
{
	return f->amount.at[slot].rate / f->given.at[slot].weight;
}

static int fluid_check_add_up(const struct fluid *f, struct load *load, struct err *e)
{
	for (uint32_t i = 0; i < f->links; i++) {
		const struct fluid_link *link = &f->link[i];

		for (uint32_t k = 0; k < link->count; k++) {
			uint32_t slot = link->member[k].flow;

			load[i].rate += f->amount.at[slot].rate * f->part.at[link->member[k].crossing];
			load[i].level = fmax(load[i].level, level(f, slot));
		}
		if (f->rule != FLUID_LITERAL && load[i].rate > link->capacity * (1 + slack))
			return err_set(e, STATUS_FAILED,
				       "flows: link %" PRIu32 " carries %.17g bytes/s, expected at most %.17g", i,
				       load[i].rate, link->capacity);
	}
	return 0;
}

static bool has_bottleneck(const struct fluid *f, const struct load *load, uint32_t slot)
{
	uint32_t hops;
	const uint32_t *path = fluid_path(f, &f->flow.at[slot], &hops);

	for (uint32_t k = 0; k < hops; k++) {
		const struct load *on = &load[path[k]];

		if (on->rate >= f->link[path[k]].capacity * (1 - slack) && on->level <= level(f, slot) * (1 + slack))
			return true;
	}
	return false;
}

int fluid_verify(const struct fluid *f, struct err *e)
{
	struct load *load = mem_alloc(f->links, sizeof(*load), e);
	int status = load ? fluid_check_add_up(f, load, e) : -1;

	for (size_t i = 0; !status && f->rule == FLUID_MAXMIN && i < f->flow.count; i++) {
		if (f->amount.at[i].used && !has_bottleneck(f, load, (uint32_t)i))
			status = err_set(e, STATUS_FAILED,
					 "flows: flow %zu at %.17g bytes/s has no full link on which it is among the "
					 "fastest, expected one",
					 i, f->amount.at[i].rate);
	}
	free(load);
	return status;
}
