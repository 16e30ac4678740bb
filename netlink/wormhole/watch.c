/* Diagnoses a network in which no flit moves: which channels wait for which. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernel_state.h"

/* Returns the virtual channel for which `c` waits, or NONE. */
static uint32_t waits_for(const struct kernel *k, uint32_t c)
{
	if (k->channel[c].wanted != NONE)
		return k->channel[c].wanted;
	return k->channel[c].output;
}

static void wormhole_watch_name_of(const struct kernel *k, uint32_t c, char *text, unsigned size)
{
	const struct channel *x = &k->channel[c];

	if (c >= k->vc_count) {
		network_resource_name(k->net, x->resource, text, size);
		return;
	}
	network_channel_name(k->net, true, x->link, text, size);
	if (k->link[x->link].vcs > 1) {
		size_t used = strlen(text);
		snprintf(text + used, size - used, "#v(%u)", c - k->link[x->link].first_vc);
	}
}

/* Returns a channel on a cycle of waiting that is reachable from `c`, or NONE. */
static uint32_t cycle_from(const struct kernel *k, uint32_t c)
{
	uint32_t slow = c, fast = c;

	do {
		for (int n = 0; n < 2; n++) {
			fast = waits_for(k, fast);
			if (fast == NONE)
				return NONE;
		}
		slow = waits_for(k, slow);
	} while (slow != fast);
	return slow;
}

static void wormhole_watch_describe_cycle(const struct kernel *k, uint32_t c, char *text, size_t size)
{
	size_t used = 0;
	uint32_t x = c;
	unsigned n = 0;

	do {
		char name[192];
		wormhole_watch_name_of(k, x, name, sizeof(name));
		used += (size_t)snprintf(text + used, size - used, "%s%s", n ? " -> " : "", name);
		x = waits_for(k, x);
	} while (x != c && ++n < 16 && used < size);
	if (used < size)
		snprintf(text + used, size - used, x == c ? " -> the first" : " -> …");
}

int kernel_stuck(const struct kernel *k, struct err *e)
{
	char text[800];
	unsigned long long waiting = k->counts.in_flight;

	for (uint32_t c = 0; c < k->channel_count; c++) {
		bool full = c >= k->vc_count ? k->queue_first[c - k->vc_count] != NONE : k->channel[c].count != 0;
		uint32_t on = full ? cycle_from(k, c) : NONE;
		if (on == NONE)
			continue;
		wormhole_watch_describe_cycle(k, on, text, sizeof(text));
		return err_set(e, STATUS_STUCK,
			       "%s: clock %llu: deadlock, %llu messages cannot move; each waits "
			       "for the next: %s",
			       k->net->file, (unsigned long long)k->now, waiting, text);
	}
	for (size_t h = 0; h < k->heads.count; h++) {
		uint32_t c = k->heads.at[h];
		wormhole_watch_name_of(k, c, text, sizeof(text));
		return err_set(e, STATUS_STUCK,
			       "%s: clock %llu: %llu messages cannot move; "
			       "the routing of %s returns retry every time",
			       k->net->file, (unsigned long long)k->now, waiting, text);
	}
	return err_set(e, STATUS_STUCK, "%s: clock %llu: %llu messages cannot move", k->net->file,
		       (unsigned long long)k->now, waiting);
}
