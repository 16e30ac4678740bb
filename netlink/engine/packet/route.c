/* Adaptive routing: the step that a packet takes depends on what its router observes. */
#include "arbiter.h"

/*
 * The congestion of `step`: bytes that wait for the link plus bytes beyond it, in the VCs that the step counts,
 * times the remaining links (A. Singh's UGAL, 2005). The router uses its own queues (J. Kim et al.'s UGAL-L, ISCA
 * 2008) or, if the step names another link, that link's queue (their UGAL-G).
 */
INLINE uint64_t obstacle(struct net_engine *n, const struct route_step *step, int64_t now)
{
	uint32_t seen = step->sees ? step->sees - 1 : step->link;
	const struct packet_link *link = &n->link[seen];
	size_t vcs = (size_t)seen * n->vcs;
	bool all = step->counts == COUNTS_ALL_VCS;
	unsigned first = all ? 0 : step->vc, end = all ? n->vcs : step->vc + 1u;
	uint64_t bytes = step->counts == COUNTS_VC ? n->waiting[vcs + step->vc] : n->rare[seen].queued;

	for (unsigned vc = first; vc < end && link->role == LINK_ROUTERS; vc++)
		bytes += (uint64_t)(n->buffer - packet_credit_now(n, &n->vc[vcs + vc], now));
	return bytes * (step->hops ? step->hops : 1);
}

/* Chooses one of several steps; among those that may not wait alone, one with credit, which it reserves. */
INLINE const struct route_step *route_choose_step(struct net_engine *n, const struct route_step *steps, unsigned count,
						  struct packet *packet, int64_t now)
{
	const struct route_step *best = NULL, *escape = NULL;
	uint64_t least = UINT64_MAX;

	for (unsigned i = 0; i < count; i++) {
		const struct route_step *s = &steps[i];
		struct packet_vc *v = &n->vc[(size_t)s->link * n->vcs + s->vc];
		uint64_t how;

		if (s->escape && !escape)
			escape = s;
		if (!s->escape && packet_credit_now(n, v, now) < packet->bytes)
			continue;
		how = obstacle(n, s, now);
		if (how < least) {
			least = how;
			best = s;
		}
	}
	if (!best)
		best = escape ? escape : steps; /* a routing without escape channels avoids deadlock by its VCs */
	if (!best->escape && escape) {
		n->vc[(size_t)best->link * n->vcs + best->vc].credit -= packet->bytes;
		packet->reserved = true;
	}
	return best;
}

uint32_t packet_next_nic(const struct net_engine *n, uint32_t *in_turn)
{
	uint32_t nic = *in_turn;

	*in_turn = nic + 1 < n->nics ? nic + 1 : 0;
	return nic;
}

/* The ejection link of a packet whose head is ready: of its message's NIC, or of the least loaded NIC. */
static uint32_t choose_ejection(struct net_engine *n, struct packet_message *m)
{
	const uint32_t *eject = &n->t->eject[(size_t)m->dst * n->nics];
	uint32_t best = eject[0];

	if (!n->any_ejection) {
		if (m->eject == NIC_CHOSEN)
			m->eject = (uint16_t)packet_next_nic(n, &n->node[m->dst].receive_in_turn);
		return eject[m->eject];
	}
	for (unsigned i = 0; i < n->nics; i++) {
		uint32_t a = n->rare[eject[i]].queued, b = n->rare[best].queued;

		if (a < b || (a == b && n->link[eject[i]].free_at < n->link[best].free_at))
			best = eject[i];
	}
	return best;
}

void packet_find_nic(struct net_engine *n, struct packet *packet)
{
	packet->out = choose_ejection(n, MESSAGE(n, packet->message));
	packet->vc = 0;
}

/* The next step of a packet without a fixed path, of several classes: the routing knows the VCs of one. */
__attribute__((noinline)) static struct route_step next_of_class(struct net_engine *n, struct packet *packet,
								 uint32_t l, int64_t now)
{
	const unsigned own = packet->class * n->class_vcs; /* the first VC of its class */
	const unsigned in_vc = packet->vc - (n->link[l].role == LINK_ROUTERS ? own : 0);
	struct route *route = ROUTE(n, packet->path);
	struct route_step steps[ROUTE_STEPS_MAX], taken;
	const struct route_step *step = steps;
	unsigned count = topology_route_next(n->t, n->link[l].to, l, in_vc, route, steps);

	for (unsigned i = 0; i < count; i++)
		steps[i].vc = (uint16_t)(steps[i].vc + own);
	if (count > 1)
		step = route_choose_step(n, steps, count, packet, now);
	taken = *step;
	taken.vc = (uint16_t)(step->vc - own);
	topology_route_take(n->t, n->link[l].to, &taken, route);
	return *step;
}

void packet_find_step_at(struct net_engine *n, struct packet *packet, uint32_t router, uint32_t l, int64_t now)
{
	struct route_step steps[ROUTE_STEPS_MAX];
	const struct route_step *step = steps;

	if (n->fixed_routes) {
		packet->out = packet->then >> VC_BITS;
		packet->vc = packet->then & VC_MASK;
		packet->then = PATH(n, packet->path)[++packet->step];
	} else {
		struct route *route = ROUTE(n, packet->path);
		unsigned count;

		if (n->classes > 1) {
			steps[0] = next_of_class(n, packet, l, now);
		} else {
			count = topology_route_next(n->t, router, l, packet->vc, route, steps);
			if (count > 1)
				step = route_choose_step(n, steps, count, packet, now);
			topology_route_take(n->t, router, step, route);
		}
		packet->out = step->link;
		packet->vc = (uint8_t)step->vc;
	}
	if (n->link[packet->out].role != LINK_EJECT)
		return;
	packet->vc = 0;
	if (n->nics > 1)
		packet_find_nic(n, packet);
}

void packet_find_step(struct net_engine *n, struct packet *packet, uint32_t l, int64_t now)
{
	packet_find_step_at(n, packet, n->link[l].to, l, now);
}
