/*
 * Adaptive routing of a description, on engines of packets and flows.
 *
 * A routing function answers for one state of its channels. The engine wants all choices, to select one by its queues
 * and credits. So the function is called with all channels free, again with the one free no longer that it chose, and
 * so on, until it waits: it says retry, or chooses a channel that is not free. The steps are in the description's
 * order of preference, which decides between equal queues. Each of these calls is one of those that network_check
 * makes, so what it proves (wormhole_check.h) is true of packets, which whole buffers hold.
 */
#include <string.h>

#include "described_state.h"

enum {
	TAKEN_MAX = 256, /* the check allows no more ways of one place */
	TRIED_NODES = 32,
};

/* The channels of a router that are not free. */
struct taken {
	unsigned count;
	struct {
		int32_t port, vc;
	} at[TAKEN_MAX];
};

static bool is_taken(const struct taken *x, int32_t port, int32_t vc)
{
	for (unsigned i = 0; i < x->count; i++)
		if (x->at[i].port == port && x->at[i].vc == vc)
			return true;
	return false;
}

static bool virt_free(struct routing_view *v, int32_t port, int32_t vc)
{
	return !is_taken(v->user, port, vc);
}
static bool phys_free(struct routing_view *v, int32_t port)
{
	for (int32_t vc = 0; vc < v->vcs; vc++)
		if (virt_free(v, port, vc))
			return true;
	return false;
}
static int32_t virt_room(struct routing_view *v, int32_t port, int32_t vc)
{
	return virt_free(v, port, vc);
}
static bool trail_move(struct routing_view *v)
{
	(void)v;
	return true;
}

/* Adds a step to the first `count`; if all places are taken it replaces the last one, so that which waits is there. */
static unsigned add_step(struct route_step *steps, unsigned count, struct route_step step)
{
	for (unsigned i = 0; i < count; i++)
		if (steps[i].link == step.link && steps[i].vc == step.vc) {
			steps[i].escape |= step.escape;
			return count;
		}
	count -= count == ROUTE_STEPS_MAX;
	steps[count] = step;
	return count + 1;
}

void described_adaptive_start(const struct topology *t, uint32_t src, uint32_t dst, uint64_t key, struct route *r)
{
	(void)t, (void)src, (void)dst, (void)key;
	memset(r->state, 0, sizeof(r->state));
}

unsigned described_adaptive_next(const struct topology *t, uint32_t router, uint32_t in_link, unsigned in_vc,
				 const struct route *r, struct route_step *steps)
{
	const struct described *d = t->private_data;
	struct taken taken;
	struct routing_view v = {.user = &taken,
				 .phys_free = phys_free,
				 .virt_free = virt_free,
				 .virt_room = virt_room,
				 .trail_move = trail_move};
	unsigned count = 0;

	if (((const struct described_state *)(const void *)r->state)->hops == DESCRIBED_HOPS_MAX)
		described_lost(d, r->dst);
	if (d->net->nodes[r->dst] == d->resource_of[router - t->nodes]) {
		steps[0] = (struct route_step){.link = t->eject[r->dst], .hops = 1, .escape = true};
		return 1;
	}
	taken.count = 0;
	described_view(t, router, in_link, in_vc, r->dst, &v);
	for (;;) {
		struct routing_choice c = described_choice(d, &v, count > 0);

		if (c.port == ROUTE_RETRY || is_taken(&taken, c.port, c.vc) || taken.count == TAKEN_MAX)
			return count;
		struct route_step step = described_step(t, &v, c);

		step.hops = 1; /* equal for all: queues alone decide */
		step.escape = !d->escapes || c.escape || t->link[step.link].to < t->nodes;
		count = add_step(steps, count, step);
		taken.at[taken.count].port = c.port;
		taken.at[taken.count++].vc = c.vc;
	}
}

void described_adaptive_take(const struct topology *t, uint32_t router, const struct route_step *step, struct route *r)
{
	(void)t, (void)router, (void)step;
	((struct described_state *)(void *)r->state)->hops++;
}

/* Returns whether two calls differ for a packet in the router at the end of `link`; sets its first step. */
static bool varies(const struct topology *t, uint32_t link, unsigned vc, const struct route *r, struct route_step *step)
{
	struct route_step steps[2][ROUTE_STEPS_MAX];
	unsigned count[2];

	for (unsigned call = 0; call < 2; call++)
		count[call] = described_adaptive_next(t, t->link[link].to, link, vc, r, steps[call]);
	*step = steps[0][0];
	for (unsigned i = 0; i < count[0] && count[0] == count[1]; i++)
		if (steps[0][i].link != steps[1][i].link || steps[0][i].vc != steps[1][i].vc)
			return true;
	return count[0] != count[1];
}

/* Follows the first choices from `src` to `dst`; returns whether the routing varies, with the router in *where. */
static bool path_varies(const struct topology *t, uint32_t src, uint32_t dst, uint32_t *where)
{
	struct route_step step = {.link = t->inject[src]};
	struct route r = {.dst = dst};

	described_adaptive_start(t, src, dst, 0, &r);
	while (t->link[step.link].to >= t->nodes) {
		*where = t->link[step.link].to;
		if (varies(t, step.link, step.vc, &r, &step))
			return true;
		described_adaptive_take(t, *where, &step, &r);
	}
	return false;
}

int described_adaptive_check(const struct topology *t, struct err *e)
{
	const struct described *d = t->private_data;
	const struct network *n = d->net;
	uint32_t by = t->nodes / TRIED_NODES + 1, where = 0;
	char here[192];

	for (uint32_t src = 0; src < t->nodes; src += by)
		for (uint32_t dst = 0; dst < t->nodes; dst += by) {
			if (!path_varies(t, src, dst, &where))
				continue;
			uint32_t resource = d->resource_of[where - t->nodes];

			network_resource_name(n, resource, here, sizeof(here));
			return err_set(e, STATUS_BAD_INPUT,
				       "%s:%d: adaptive routing of %s gives the same question another answer, expected "
				       "one that depends on its message and on free channels alone",
				       n->file, n->kinds[n->resources[resource].kind].route_line, here);
		}
	return 0;
}
