#include "wake_flow.h"

static bool has_written(const struct wake_flow *f, unsigned place, uint64_t address)
{
	bool found = f->of[place].atomic == address;

	for (unsigned n = 0; n < FLOW_STORES; n++)
		found |= f->of[place].store[n] == address;
	return found;
}

void wake_flow_load(struct wake_flow *f, unsigned place, uint64_t address)
{
	for (unsigned n = 0; n < GUEST_THREADS; n++)
		if (n != place && has_written(f, n, address))
			f->of[place].seen |= (uint64_t)1 << n;
}

void wake_flow_store(struct wake_flow *f, unsigned place, uint64_t address)
{
	f->of[place].store[f->of[place].stores++ % FLOW_STORES] = address;
}

void wake_flow_atomic(struct wake_flow *f, unsigned place, uint64_t address)
{
	wake_flow_load(f, place, address);
	f->of[place].atomic = address;
}

bool wake_flow_wakes(struct wake_flow *f, unsigned from, unsigned to)
{
	const uint64_t bit = (uint64_t)1 << to;
	bool seen = f->of[from].seen & bit;

	f->of[from].seen &= ~bit;
	f->of[to].atomic = 0;
	for (unsigned n = 0; n < FLOW_STORES; n++)
		f->of[to].store[n] = 0;
	return seen;
}
