/* Creation, destruction, counters and checks of a kernel. */
#include <stdlib.h>
#include <string.h>

#include "../../psim/base/mem.h"
#include "kernel_state.h"

static int params_check(const struct network *n, const struct kernel_params *p, struct err *e)
{
	if (!p->flit_bytes || !p->buffer_flits || !p->link_clocks)
		return err_set(e, STATUS_USAGE, "flit bytes, buffer flits and link clocks: expected at least 1 each");
	uint32_t most = p->node_link_clocks > p->link_clocks ? p->node_link_clocks : p->link_clocks, least;

	least = p->node_link_clocks && p->node_link_clocks < p->link_clocks ? p->node_link_clocks : p->link_clocks;
	for (uint32_t c = 0; c < n->class_count; c++) {
		const struct network_class *x = &n->classes[c];
		uint32_t clocks = (x->clocks ? x->clocks : most) + x->flit_clocks - 1;

		most = clocks > most ? clocks : most;
		least = x->clocks && x->clocks < least ? x->clocks : least;
	}
	/* the wheel holds a flit's way to the next move, and the way of its credit back from a node */
	if (most + p->inject_clocks + p->output_clocks + p->route_clocks + p->switch_clocks + p->grant_clocks >=
		    WHEEL_SIZE ||
	    (p->credit_clocks && 2 * most + p->inject_clocks + p->output_clocks + p->credit_clocks >= WHEEL_SIZE) ||
	    p->release_clocks + 1 >= WHEEL_SIZE)
		return err_set(e, STATUS_USAGE, "hop too long, expected at most %d clocks", WHEEL_SIZE - 1);
	if (p->credit_clocks && p->credit_clocks + least <= p->link_clocks)
		return err_set(
			e, STATUS_USAGE,
			"credit_clocks of %u: a link is %u clocks shorter than link_clocks, expected more than these",
			p->credit_clocks, p->link_clocks - least);
	if (p->islip && !p->credit_clocks)
		return err_set(
			e, STATUS_USAGE,
			"allocation islip: expected credit_clocks of at least 1, since it decides before flits move");
	if (p->buffer_flits > 1 << 16)
		return err_set(e, STATUS_USAGE, "buffers of %u flits, expected at most %d", p->buffer_flits, 1 << 16);
	return 0;
}

static int arrays_make(struct kernel *k, struct err *e)
{
	const struct network *n = k->net;

	for (uint32_t o = 0; o < n->output_count; o++)
		k->vc_count += n->resources[n->outputs[o].resource].vcs;
	k->channel_count = k->vc_count + n->node_count;
	k->channel = mem_alloc(k->channel_count, sizeof(*k->channel), e);
	k->link = mem_alloc(n->output_count, sizeof(*k->link), e);
	k->flits = mem_alloc((size_t)k->vc_count * k->p.buffer_flits, sizeof(*k->flits), e);
	k->queue_first = mem_alloc(n->node_count, sizeof(*k->queue_first), e);
	k->queue_last = mem_alloc(n->node_count, sizeof(*k->queue_last), e);
	k->active = mem_alloc(n->output_count, sizeof(*k->active), e);
	k->input_used = mem_alloc(n->output_count, sizeof(*k->input_used), e);
	k->chosen = mem_alloc(n->output_count, sizeof(*k->chosen), e);
	k->grants = mem_alloc(n->output_count, sizeof(*k->grants), e);
	if (!k->channel || !k->link || !k->flits || !k->queue_first || !k->queue_last || !k->active || !k->input_used ||
	    !k->chosen || !k->grants)
		return -1;
	return 0;
}

static void channel_make(struct kernel *k, uint32_t c, uint32_t link, uint32_t resource)
{
	k->channel[c] = (struct channel){.owner = NONE,
					 .feeder = NONE,
					 .output = NONE,
					 .wanted = NONE,
					 .wait_next = NONE,
					 .wait_first = NONE,
					 .wait_last = NONE,
					 .link = link,
					 .resource = resource,
					 .credit = k->p.buffer_flits};
	if (link != NONE)
		k->channel[c].ring = k->flits + (size_t)c * k->p.buffer_flits;
}

static void links_make(struct kernel *k)
{
	const struct network *n = k->net;
	uint32_t c = 0;

	for (uint32_t o = 0; o < n->output_count; o++) {
		uint32_t from = n->outputs[o].resource, to = n->inputs[n->outputs[o].peer].resource;
		bool at_node = (n->node_of[from] == NONE) != (n->node_of[to] == NONE);
		const struct network_class *class = n->outputs[o].class ? &n->classes[n->outputs[o].class - 1] : NULL;
		uint32_t clocks = at_node ? k->p.node_link_clocks : k->p.link_clocks;
		uint32_t flit_clocks = class ? class->flit_clocks : 1;

		clocks = class && class->clocks ? class->clocks : clocks;
		k->p.links_differ |= clocks != k->p.link_clocks || flit_clocks > 1;
		k->link[o] = (struct link){.clocks = clocks + flit_clocks - 1,
					   .flit_clocks = flit_clocks,
					   .first_vc = c,
					   .vcs = n->resources[n->outputs[o].resource].vcs,
					   .to = to,
					   .sink = n->node_of[to]};
		for (unsigned v = 0; v < k->link[o].vcs; v++)
			channel_make(k, c++, o, to);
	}
	for (uint32_t s = 0; s < n->node_count; s++) {
		channel_make(k, c++, NONE, n->nodes[s]);
		k->queue_first[s] = k->queue_last[s] = NONE;
	}
}

struct kernel *kernel_create(const struct network *n, const struct kernel_params *p, const struct kernel_client *client,
			     struct err *e)
{
	struct kernel *k;

	if (params_check(n, p, e) || !(k = mem_alloc(1, sizeof(*k), e)))
		return NULL;
	k->net = n;
	k->p = *p;
	if (!k->p.node_link_clocks)
		k->p.node_link_clocks = p->link_clocks;
	k->client = *client;
	memset(k->wheel, 0xff, sizeof(k->wheel));
	if (arrays_make(k, e)) {
		kernel_destroy(k);
		return NULL;
	}
	links_make(k);
	return k;
}

void kernel_destroy(struct kernel *k)
{
	if (!k)
		return;
	free(k->channel);
	free(k->link);
	free(k->flits);
	free(k->queue_first);
	free(k->queue_last);
	free(k->active);
	free(k->input_used);
	free(k->chosen);
	free(k->grants);
	vec_finish(&k->heads);
	slots_finish(&k->messages);
	slots_finish(&k->timed);
	free(k);
}

uint64_t kernel_now(const struct kernel *k)
{
	return k->now;
}

const struct kernel_counts *kernel_counts(const struct kernel *k)
{
	return &k->counts;
}

uint64_t kernel_link_busy(const struct kernel *k, uint32_t output)
{
	return k->link[output].flits * k->link[output].flit_clocks;
}

uint64_t kernel_vc_held(const struct kernel *k, uint32_t output, uint32_t vc)
{
	const struct channel *c = &k->channel[k->link[output].first_vc + vc];
	uint64_t from = c->owned_at > k->counts_since ? c->owned_at : k->counts_since;

	return c->held + (c->owner != NONE && k->now > from ? k->now - from : 0);
}

void kernel_reset_counts(struct kernel *k)
{
	k->counts_since = k->now;
	for (uint32_t c = 0; c < k->vc_count; c++) {
		k->channel[c].held = 0;
		if (k->channel[c].owner != NONE && k->channel[c].owned_at < k->now)
			k->channel[c].owned_at = k->now;
	}
	for (uint32_t o = 0; o < k->net->output_count; o++)
		k->link[o].flits = 0;
}

static int kernel_make_check_channel(const struct kernel *k, uint32_t c, uint64_t *flits, struct err *e)
{
	const struct channel *x = &k->channel[c];
	char name[192];

	*flits += x->count;
	network_channel_name(k->net, true, x->link, name, sizeof(name));
	if (x->count > k->p.buffer_flits || x->credit > k->p.buffer_flits)
		return err_set(e, STATUS_FAILED, "check: %s has %u flits and %u places free of %u", name, x->count,
			       x->credit, k->p.buffer_flits);
	if (x->owner == NONE ? x->feeder != NONE : x->feeder == NONE && !k->p.release_clocks)
		return err_set(e, STATUS_FAILED, "check: %s is held by a message but not fed, or the reverse", name);
	if (x->feeder != NONE && k->channel[x->feeder].output != c)
		return err_set(e, STATUS_FAILED, "check: %s is fed by a channel that goes elsewhere", name);
	return 0;
}

int kernel_check(const struct kernel *k, struct err *e)
{
	uint64_t buffered = 0, queued = 0, bound = 0, listed = 0;

	for (uint32_t c = 0; c < k->vc_count; c++) {
		if (kernel_make_check_channel(k, c, &buffered, e))
			return -1;
		bound += k->channel[c].owner != NONE;
	}
	for (uint32_t o = 0; o < k->net->output_count; o++)
		listed += k->link[o].bound;
	for (uint32_t s = 0; s < k->net->node_count; s++)
		for (uint32_t m = k->queue_first[s]; m != NONE; m = k->messages.at[m].next)
			queued += k->messages.at[m].flits - k->messages.at[m].sent;
	if (bound != listed)
		return err_set(e, STATUS_FAILED, "check: %llu channels are held, the links count %llu",
			       (unsigned long long)bound, (unsigned long long)listed);
	if (queued != k->counts.queued_flits)
		return err_set(e, STATUS_FAILED, "check: %llu flits wait at their sources, %llu are counted",
			       (unsigned long long)queued, (unsigned long long)k->counts.queued_flits);
	if (!k->counts.in_flight && buffered)
		return err_set(e, STATUS_FAILED, "check: %llu flits in buffers and no message in flight",
			       (unsigned long long)buffered);
	if (k->counts.posted != k->counts.delivered + k->counts.in_flight)
		return err_set(e, STATUS_FAILED, "check: messages were lost or duplicated");
	return 0;
}
