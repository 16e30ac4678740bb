/* Builds the rows of an engine from its topology. */
#define _DEFAULT_SOURCE /* madvise */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "../../../psim/base/mem.h"
#include "../../topology/kind.h"
#include "../nic_rates.h"
#include "packet_state.h"

enum {
	BIG_BYTES = 1 << 21, /* beyond this size, rows exceed a second-level cache */
	KINDS_MAX = 4096,
	HUGE_PAGE = 1 << 21,
};

/*
 * Allocates `count` zeroed rows of `size` bytes, aligned to a cache line; *memory is what to free. Large arrays request
 * huge pages, because accesses are random.
 */
static void *take_aligned(size_t count, size_t size, void **memory, struct err *e)
{
	size_t align = count * size < HUGE_PAGE ? CACHE_LINE : HUGE_PAGE, bytes = count * size;
	char *at = mem_alloc(count + (align + size - 1) / size, size, e);

	*memory = at;
	if (!at)
		return NULL;
	at += (align - (uintptr_t)at % align) % align;
	if (align == HUGE_PAGE)
		madvise(at, bytes, MADV_HUGEPAGE);
	return at;
}

static bool has_common_factor(uint64_t a, uint64_t b)
{
	while (b) {
		uint64_t rest = a % b;

		a = b;
		b = rest;
	}
	return a != 1;
}

/* A permutation of [first, end), for tests: multiplies by an odd number that has no factor in common with the size. */
static uint32_t shuffled(uint64_t seed, uint32_t i, uint32_t first, uint32_t end)
{
	uint64_t size = end - first, step = seed % size | 1;

	while (has_common_factor(step, size))
		step += 2;
	return first + (uint32_t)(((i - first) * step + seed / size) % size);
}

uint32_t packet_pool_grow(struct net_engine *n, struct packet_pool *p)
{
	uint32_t room = p->count ? p->count * 2 : 256;
	void *memory = NULL;
	char *at = p->count < UINT32_MAX / 2 ? take_aligned(room, p->size, &memory, NULL) : NULL;

	if (!at) {
		n->short_of_memory = true;
		return 0;
	}
	if (p->at)
		memcpy(at, p->at, (size_t)p->count * p->size);
	free(p->memory);
	p->at = at;
	p->memory = memory;
	if (!p->count)
		p->count = 1; /* index 0 is unused */
	for (uint32_t k = room; k-- > p->count;) {
		uint32_t i = n->shuffle ? shuffled(n->shuffle, k, p->count, room) : k;

		*(uint32_t *)(at + (size_t)i * p->size) = p->free;
		p->free = i;
	}
	p->count = room;
	return p->free;
}

/* Allocates an array that counts as the network's own memory and is freed with it. */
static void *layout_take(struct net_engine *n, size_t count, size_t size, struct err *e)
{
	if (n->arrays == ARRAYS_MAX)
		bug("packet engine: more than %d arrays", ARRAYS_MAX);
	n->bytes_fixed += (uint64_t)count * size;
	return take_aligned(count ? count : 1, size, &n->memory[n->arrays++], e);
}

static uint64_t rate_of(double bytes_per_s)
{
	return (uint64_t)llround(65536e12 / bytes_per_s);
}

static enum link_role role_of(const struct topology *t, uint32_t l)
{
	if (t->link[l].from < t->nodes)
		return LINK_INJECT;
	return t->link[l].to < t->nodes ? LINK_EJECT : LINK_ROUTERS;
}

int64_t packet_capacity(const struct net_engine *n, uint32_t l, unsigned vc)
{
	switch (n->link[l].role) {
	case LINK_INJECT: return !vc || (n->control_own && vc == NIC_CONTROL_VC) ? n->fifo : 0;
	case LINK_EJECT: return vc ? 0 : n->receive_fifo;
	default: return n->buffer;
	}
}

unsigned packet_slots(const struct net_engine *n, uint32_t l)
{
	if (n->one_packet || n->per_vc)
		return n->vcs;
	if (n->link[l].role == LINK_INJECT)
		return n->control_own ? NIC_CONTROL_VC + 1 : 1;
	return n->classes * n->class_vcs;
}

/* Returns the kind of link `l`, new or shared. -1 with `e`: too many kinds. */
static int layout_kind_of(struct net_engine *n, uint32_t l, unsigned slots, struct err *e)
{
	const struct topology_class *class = &n->t->class[n->t->link[l].class];
	struct packet_link_kind kind = {
		.rate = rate_of(class->bytes_per_s),
		.credit_delay = class->cable_ps + n->config->router.credit_delay,
		/* a head traverses the switch, and is ready in the next router after RC, VA and SA */
		.delay = class->cable_ps,
		.class = n->t->link[l].class,
		.slots = (uint16_t)slots,
		.words = (uint16_t)((slots + 63) / 64),
		.role = n->link[l].role,
	};
	unsigned i = 0;

	if (kind.role != LINK_INJECT)
		kind.delay += n->config->router.flit_transfer + n->config->router.switch_delay;
	if (kind.role != LINK_EJECT)
		kind.delay += n->stages;
	while (i < n->kinds &&
	       (n->kind[i].class != kind.class || n->kind[i].role != kind.role || n->kind[i].slots != kind.slots))
		i++;
	if (i == KINDS_MAX)
		return err_set(e, STATUS_USAGE, "packet engine: too many kinds of links, expected at most %d",
			       KINDS_MAX);
	if (i == n->kinds)
		n->kind[n->kinds++] = kind;
	return (int)i;
}

/* Fills the row of link `l`, except for its kind, its slot and the place of its candidates. */
static void lay_link(struct net_engine *n, uint32_t l)
{
	const struct topology *t = n->t;
	const struct topology_link *at = &t->link[l];
	struct packet_link *link = &n->link[l];

	link->wake_at = NET_TIME_NEVER;
	link->role = (uint8_t)role_of(t, l);
	link->to = at->to;
	n->rare[l].in_port = t->in_first[at->to] + at->in_port;
	n->rare[l].in_first = t->in_first[at->from];
	for (unsigned v = 0; v < n->vcs; v++) {
		struct packet_vc *vc = &n->vc[(size_t)l * n->vcs + v];

		vc->back_at[0] = vc->back_at[1] = NET_TIME_NEVER;
		vc->credit = packet_capacity(n, l, v);
	}
}

/* Numbers the slots of vertex `v`, one for each VC of an input that packets use, and finds the kinds of its links. */
static int lay_slots(struct net_engine *n, uint32_t v, struct err *e)
{
	const struct topology *t = n->t;
	unsigned slots = 0;

	for (uint32_t i = t->in_first[v]; v >= t->nodes && i < t->in_first[v + 1]; i++) {
		n->link[t->in_link[i]].in_slot = (uint16_t)slots;
		slots += packet_slots(n, t->in_link[i]);
		if (slots > UINT16_MAX)
			return err_set(e, STATUS_USAGE,
				       "packet engine: a router of %" PRIu32
				       " inputs with %u virtual channels each, expected at most %u virtual channels "
				       "per router",
				       t->in_first[v + 1] - t->in_first[v], n->vcs, UINT16_MAX);
	}
	slots += v >= t->nodes && n->changes.all; /* packets in the router's memory */
	for (uint32_t i = t->out_first[v]; i < t->out_first[v + 1]; i++) {
		int kind = layout_kind_of(n, t->out_link[i], slots, e);

		if (kind < 0)
			return -1;
		n->link[t->out_link[i]].kind = (uint16_t)kind;
	}
	return 0;
}

/* Allocates candidates and bit maps: every output of a router has one for every slot. */
static int lay_candidates(struct net_engine *n, struct err *e)
{
	const struct topology *t = n->t;
	uint64_t candidates = 0, more = 0, most = 1;

	for (uint32_t l = 0; l < t->links; l++) {
		unsigned slots = n->kind[n->link[l].kind].slots;

		if (candidates + slots > UINT32_MAX)
			return err_set(e, STATUS_USAGE,
				       "packet engine: inputs times outputs of all routers, with virtual channels, "
				       "expected at most %" PRIu32,
				       UINT32_MAX);
		n->link[l].candidates = (uint32_t)candidates;
		candidates += slots;
		most = slots > most ? slots : most;
		more += slots > 64 ? (slots - 1) / 64 : 0;
	}
	n->candidate = layout_take(n, candidates, sizeof(*n->candidate), e);
	n->slot_port = layout_take(n, most, sizeof(*n->slot_port), e);
	if (!n->candidate || !n->slot_port)
		return -1;
	for (unsigned s = 0; s < most; s++)
		n->slot_port[s] = (uint16_t)(s / n->vcs);
	if (n->one_packet && !(n->passed = layout_take(n, candidates, sizeof(*n->passed), e)))
		return -1;
	if (n->check && !(n->watched = layout_take(n, candidates, sizeof(*n->watched), e)))
		return -1;
	if (!more)
		return 0;
	n->more = layout_take(n, more, sizeof(*n->more), e);
	n->more_first = layout_take(n, t->links, sizeof(*n->more_first), e);
	if (!n->more || !n->more_first)
		return -1;
	more = 0;
	for (uint32_t l = 0; l < t->links; l++) {
		unsigned slots = n->kind[n->link[l].kind].slots;

		n->more_first[l] = (uint32_t)more;
		more += slots > 64 ? (slots - 1) / 64 : 0;
	}
	return 0;
}

/* Packets take links one by one. */
static int refuse_sharing(const struct net_engine *n, struct err *e)
{
	for (unsigned i = 0; i < n->t->classes; i++) {
		const struct topology_class *class = &n->t->class[i];

		if (class->half_duplex || class->backbone)
			return err_set(e, STATUS_USAGE,
				       "packet engine: links of class %s share one bandwidth: expected engine.kind = "
				       "flow",
				       class->name);
		if (class->fat)
			return err_set(e, STATUS_USAGE,
				       "packet engine: links of class %s are fat pipes, which packets share: expected "
				       "engine.kind = flow",
				       class->name);
	}
	return 0;
}

/* Converts the configuration to the engine's units. */
static int take_parameters(struct net_engine *n, struct err *e)
{
	const struct net_config *c = n->config;
	const struct nic_rates rates = nic_rates(c, n->t);
	uint64_t flit = c->router.flit;

	if (refuse_sharing(n, e) < 0)
		return -1;
	if (c->router.vcs && c->router.vcs != n->t->vcs)
		return err_set(e, STATUS_USAGE,
			       "router.vcs = %u, but the routing uses %u virtual channel%s: expected %u, or 0",
			       c->router.vcs, n->t->vcs, n->t->vcs == 1 ? "" : "s", n->t->vcs);
	n->classes = c->router.classes;
	n->weighted = c->router.class_order == CLASS_WEIGHTED;
	if (traffic_class_weights(c, n->class_weight, e) < 0)
		return -1;
	if (n->classes > 1 && n->classes * n->t->vcs > VCS_MAX)
		return err_set(e, STATUS_USAGE,
			       "router.classes = %u, each with %u virtual channels, expected at most %d in all",
			       n->classes, n->t->vcs, VCS_MAX);
	if (n->t->vcs > VCS_MAX || (n->t->links + 1) >> (INDEX_BITS > 32 - VC_BITS ? 32 - VC_BITS : INDEX_BITS))
		return err_set(e, STATUS_USAGE,
			       "packet engine: %u links with %u virtual channels, expected at most %u with %u",
			       n->t->links, n->t->vcs, 1U << (32 - VC_BITS), VCS_MAX);
	if (n->changes.all && (c->router.queues == QUEUES_PER_VC || c->router.input_port == INPUT_PORT_ONE_PACKET ||
			       n->classes > 1 || c->nic.window))
		return err_set(e, STATUS_USAGE,
			       "links that fail during a run: expected router.queues = per_output, "
			       "router.input_port = unlimited, router.classes = 1 and nic.window = 0");
	n->control_own = c->nic.control == NIC_CONTROL_OWN;
	n->class_vcs = n->t->vcs ? n->t->vcs : 1;
	n->vcs = n->classes * n->class_vcs;
	if (n->control_own && n->vcs <= NIC_CONTROL_VC)
		n->vcs = NIC_CONTROL_VC + 1;
	n->nics = n->t->nics;
	n->in_turn = c->nic.service == NIC_SERVICE_IN_TURN;
	n->stages = c->router.route + c->router.vc_allocation + c->router.switch_allocation;
	n->buffer = (int64_t)c->router.vc_buffer;
	n->fifo = c->nic.fifo ? (int64_t)c->nic.fifo : PACKET_UNBOUNDED;
	n->receive_fifo = c->nic.receive_fifo ? (int64_t)c->nic.receive_fifo : PACKET_UNBOUNDED;
	n->mtu_wire = (uint32_t)((c->nic.mtu + flit - 1) / flit * flit);
	n->dma_rate = rate_of(rates.dma);
	n->memory_rate = rate_of(rates.memory);
	n->arbitration = c->router.arbitration;
	n->patience = c->router.patience;
	n->one_packet = c->router.input_port == INPUT_PORT_ONE_PACKET;
	n->credits_any = c->router.credits == CREDITS_ANY;
	n->per_vc = c->router.queues == QUEUES_PER_VC;
	n->any_ejection = n->nics > 1 && c->nic.receive == NIC_RECEIVE_ANY;
	n->fixed_routes = n->t->fixed_routes;
	n->no_choice = !n->t->routing->choice && !c->nic.window; /* windows: a queue has what has arrived, no more */
	n->chooses_nic = n->nics > 1 && c->nic.receive != NIC_RECEIVE_SAME;
	if (n->chooses_nic && (!n->fixed_routes || n->per_vc))
		n->no_choice = false; /* a queue has packets for all outputs, or the last step is found late */
	return 0;
}

static void size_pools(struct net_engine *n)
{
	n->path_steps = 8;
	n->packets.size = sizeof(struct packet);
	n->messages.size = sizeof(struct packet_message);
	n->credits.size = sizeof(struct packet_credit);
	n->routes.size = sizeof(struct route);
	n->paths.size = (uint32_t)(n->path_steps * sizeof(uint32_t));
}

/* Selects the most specialized loop that fits the configuration. */
static enum packet_loop loop_of(const struct net_engine *n)
{
	if (n->changes.all || !n->fixed_routes || !n->no_choice || n->any_ejection || n->per_vc || n->watches ||
	    n->more || n->classes > 1 || n->congestion)
		return LOOP_ANY;
	if (n->arbitration == ARBITRATION_OLDEST && !n->one_packet && !n->credits_any)
		return LOOP_DEFAULT;
	return n->arbitration == ARBITRATION_FCFS && n->one_packet ? LOOP_ONE_PACKET : LOOP_ANY;
}

/* Places `count` rows of `size` bytes `*used` bytes behind `memory`, on a line of their own, and adds their size. */
static void *lay_array(char *memory, size_t *used, size_t count, size_t size)
{
	char *at = memory ? memory + *used : NULL;

	*used += (count * size + CACHE_LINE - 1) / CACHE_LINE * CACHE_LINE;
	return at;
}

/*
 * Places the arrays whose sizes the topology gives in `memory`, one behind the other, so that huge pages serve all of
 * them. Returns the bytes that they take; NULL: only these.
 */
static size_t lay_rows(struct net_engine *n, char *memory)
{
	size_t links = n->t->links, vcs = links * n->vcs, inputs = n->t->in_first[n->t->nodes + n->t->routers];
	size_t used = 0;

	n->link = lay_array(memory, &used, links, sizeof(*n->link));
	n->vc = lay_array(memory, &used, vcs, sizeof(*n->vc));
	n->node = lay_array(memory, &used, n->t->nodes, sizeof(*n->node));
	n->nic = lay_array(memory, &used, (size_t)n->t->nodes * n->nics, sizeof(*n->nic));
	n->rare = lay_array(memory, &used, links, sizeof(*n->rare));
	n->later = lay_array(memory, &used, vcs, sizeof(*n->later));
	n->waiting = lay_array(memory, &used, vcs, sizeof(*n->waiting));
	n->kind = lay_array(memory, &used, KINDS_MAX, sizeof(*n->kind));
	if (n->per_vc)
		n->queue = lay_array(memory, &used, inputs * n->vcs, sizeof(*n->queue));
	if (n->classes > 1) {
		n->class_tag = lay_array(memory, &used, links * n->classes, sizeof(*n->class_tag));
		n->class_now = lay_array(memory, &used, links, sizeof(*n->class_now));
	}
	if (n->one_packet) {
		n->input_free = lay_array(memory, &used, inputs, sizeof(*n->input_free));
		n->booking = lay_array(memory, &used, inputs, sizeof(*n->booking));
		n->books = lay_array(memory, &used, links, sizeof(*n->books));
	}
	return used;
}

static bool is_elsewhere(const struct net_engine *n, const struct net_partition *partition, uint32_t l)
{
	return partition->owner[n->t->link[l].from] != partition->me &&
	       partition->owner[n->t->link[l].to] != partition->me;
}

/*
 * Gives back the huge pages that have rows of links elsewhere alone: `size` bytes a link. They are zero then. The rows
 * may begin anywhere in a huge page.
 */
static void release_rows(const struct net_engine *n, const struct net_partition *partition, void *rows, size_t size)
{
	const uint32_t links = n->t->links;
	const size_t lead = (uintptr_t)rows % HUGE_PAGE;

	for (uint32_t l = 0, end; l < links && links * size >= 2 * HUGE_PAGE; l = end + 1) {
		size_t first = (lead + l * size + HUGE_PAGE - 1) / HUGE_PAGE, past;

		for (end = l; end < links && is_elsewhere(n, partition, end);)
			end++;
		past = (lead + end * size) / HUGE_PAGE;
		if (first < past)
			madvise((char *)rows - lead + first * HUGE_PAGE, (past - first) * HUGE_PAGE, MADV_DONTNEED);
	}
}

void packet_layout_divide(struct net_engine *n, const struct net_partition *partition)
{
	release_rows(n, partition, n->vc, n->vcs * sizeof(*n->vc));
	release_rows(n, partition, n->later, n->vcs * sizeof(*n->later));
	release_rows(n, partition, n->rare, sizeof(*n->rare));
	if (partition->me)
		release_rows(n, partition, n->link, sizeof(*n->link));
}

int packet_layout(struct net_engine *n, struct err *e)
{
	const struct topology *t = n->t;
	char *memory;

	if (take_parameters(n, e) < 0)
		return -1;
	size_pools(n);
	memory = layout_take(n, lay_rows(n, NULL) / CACHE_LINE, CACHE_LINE, e);
	if (!memory)
		return -1;
	lay_rows(n, memory);
	for (uint32_t l = 0; l < t->links; l++)
		lay_link(n, l);
	for (uint32_t v = 0; v < t->nodes + t->routers; v++)
		if (lay_slots(n, v, e) < 0)
			return -1;
	if (lay_candidates(n, e) < 0)
		return -1;
	for (uint32_t i = 0; i < t->nodes * n->nics; i++)
		n->link[t->inject[i]].candidates = i;
	n->loop = loop_of(n);
	n->big = n->bytes_fixed > BIG_BYTES;
	return calendar_init(&n->calendar, n->big, e);
}
