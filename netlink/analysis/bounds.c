#include "bounds.h"

static int64_t bounds_least(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

int bounds_one_link(const struct bound_figures *f)
{
	const struct bound_links *l = &f->links;

	return l->most_ps > 0 && l->most_ps >= (f->latency + f->transfer + f->contention) / 2 &&
	       l->most_ps / 2 >= l->mean_ps;
}

void bounds_divide(const struct bound_figures *f, int64_t ps[BOUNDS])
{
	int64_t most = bounds_least(f->work, f->most);

	for (int i = 0; i < BOUNDS; i++)
		ps[i] = 0;
	ps[BOUND_COMPUTATION] = bounds_least(f->work, f->mean);
	ps[BOUND_IMBALANCE] = most - bounds_least(most, f->mean);
	ps[BOUND_DEPENDENCE] = f->work - most;
	ps[BOUND_OVERHEAD] = f->overhead;
	ps[BOUND_LATENCY] = f->latency;
	ps[BOUND_BANDWIDTH] = f->transfer - f->copies;
	ps[BOUND_COPIES] = f->copies;
	ps[bounds_one_link(f) ? BOUND_LINK : BOUND_CONTENTION] = f->contention;
	ps[BOUND_COLLECTIVES] = f->together;
}

const char *bound_name(enum bound b)
{
	static const char *const names[] = {
#define B(ID, name, meaning) name,
#include "bounds.def"
	};

	return names[b];
}

const char *bound_meaning(enum bound b)
{
	static const char *const meanings[] = {
#define B(ID, name, meaning) meaning,
#include "bounds.def"
	};

	return meanings[b];
}
