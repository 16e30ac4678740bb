/* Routers: packets come in, choose an output, and go when output, input and credit let them. */
#include "state.h"

void packet_take_credits(struct net_engine *n, struct packet_vc *v, int64_t now)
{
	while (v->back_at <= now) {
		uint32_t i = v->more;

		v->credit += v->back;
		v->back_at = NET_TIME_NEVER;
		if (!i)
			return;
		v->back_at = CREDIT(n, i)->time;
		v->back = CREDIT(n, i)->bytes;
		v->more = CREDIT(n, i)->next;
		packet_pool_give(&n->credits, i);
	}
}

/* Puts a credit behind those that come back before it. */
static __attribute__((noinline)) void queue_credit(struct net_engine *n, struct packet_vc *v, uint32_t bytes,
                                                   int64_t time)
{
	uint32_t i = packet_pool_take(n, &n->credits), *at = &v->more;

	if (!i)
		return;
	if (time < v->back_at) { /* a short packet may leave an input before a long one that began sooner */
		*CREDIT(n, i) = (struct packet_credit){ .time = v->back_at, .bytes = v->back };
		v->back_at = time;
		v->back = bytes;
	} else {
		*CREDIT(n, i) = (struct packet_credit){ .time = time, .bytes = bytes };
	}
	while (*at && CREDIT(n, *at)->time <= CREDIT(n, i)->time)
		at = &CREDIT(n, *at)->next;
	CREDIT(n, i)->next = *at;
	*at = i;
}

/* The credit has the way back to go: the cable, and what router.credit_delay says. */
void packet_return_credit(struct net_engine *n, uint32_t l, unsigned vc, uint32_t bytes, int64_t time)
{
	struct packet_vc *v = &n->vc[(size_t)l * n->vcs + vc];
	struct packet_link *link = &n->link[l];

	time += link->credit_delay;
	if (v->back_at <= n->present && !v->more) { /* nobody has asked for it */
		v->credit += v->back;
		v->back_at = NET_TIME_NEVER;
	}
	if (v->back_at == NET_TIME_NEVER) {
		v->back_at = time;
		v->back = bytes;
	} else {
		queue_credit(n, v, bytes, time);
	}
	if (link->starved)
		packet_wake(n, l, time);
}

/* ---- a packet comes in ---- */
/*
 * How much stands in the way of a packet that takes link `o` on `vc`: bytes that wait for the link and bytes
 * beyond it, times the links that are still to go (A. Singh's UGAL, 2005, with what a router sees itself).
 */
static uint64_t obstacle(struct net_engine *n, const struct route_step *step, int64_t now)
{
	const struct packet_link *link = &n->link[step->link];
	struct packet_vc *v = &n->vc[(size_t)step->link * n->vcs + step->vc];
	uint64_t beyond = link->role == LINK_ROUTERS ? (uint64_t)(n->buffer - packet_credit_now(n, v, now)) : 0;

	return (link->queued + beyond) * (step->hops ? step->hops : 1);
}

/* Takes one of several steps; of those that must not be waited for alone, one with credit, which it reserves. */
static const struct route_step *choose_step(struct net_engine *n, const struct route_step *steps, unsigned count,
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
		best = escape ? escape : steps; /* a routing that offers no escape is free of deadlock by its VCs */
	if (!best->escape && escape) {
		n->vc[(size_t)best->link * n->vcs + best->vc].credit -= packet->bytes;
		packet->reserved = true;
	}
	return best;
}

/* The ejection link for a packet: of the NIC with its sender's number, or of the one with the least to do. */
static uint32_t choose_ejection(const struct net_engine *n, uint32_t first, const struct packet_message *m)
{
	const uint32_t *eject = &n->t->eject[(size_t)m->dst * n->nics];
	uint32_t best = first;

	if (n->nics == 1)
		return first;
	if (n->config->nic.receive == NIC_RECEIVE_SAME)
		return eject[m->nic];
	for (unsigned i = 0; i < n->nics; i++) {
		const struct packet_link *a = &n->link[eject[i]], *b = &n->link[best];

		if (a->queued < b->queued || (a->queued == b->queued && a->free_at < b->free_at))
			best = eject[i];
	}
	return best;
}

/* The next step of a packet, come over link `l`, whose way is not planned. */
static void find_step(struct net_engine *n, struct packet *packet, uint32_t l, int64_t now)
{
	struct route_step steps[ROUTE_STEPS_MAX];
	const struct route_step *step = steps;
	struct route *route = ROUTE(n, packet->route);
	uint32_t router = n->link[l].to;
	unsigned count = topology_route_next(n->t, router, l, packet->vc, route, steps);

	if (count > 1)
		step = choose_step(n, steps, count, packet, now);
	topology_route_take(n->t, router, step, route);
	packet->out = step->link;
	packet->vc = (uint8_t)step->vc;
}

/* Which way a packet, come over link `l`, goes on: sets its `out` and `vc`. */
static inline void choose_way(struct net_engine *n, struct packet *packet, uint32_t l, int64_t now)
{
	const struct packet_message *m = MESSAGE(n, packet->message);

	if (n->fixed_ways) {
		uint32_t way = WAY(n, m->way)[packet->step++];

		packet->out = way >> VC_BITS;
		packet->vc = way & VC_MASK;
	} else {
		find_step(n, packet, l, now);
	}
	if (n->link[packet->out].role == LINK_EJECT) {
		packet->out = choose_ejection(n, packet->out, m);
		packet->vc = 0;
	}
}

static inline void set_candidate(const struct net_engine *n, struct packet_candidate *c, const struct packet *p)
{
	int64_t before = n->arbitration == ARBITRATION_OLDEST ? p->born : p->ready;

	c->key = before << VC_BITS | (p->reserved ? VC_RESERVED : p->vc);
	c->ready = p->ready;
}

/* Looks at `l` as soon as it may be free: now, if nothing else comes before that at this instant. */
static void look_soon(struct net_engine *n, uint32_t l, int64_t time)
{
	struct packet_link *link = &n->link[l];
	int64_t now = n->present;

	if (time > now || link->wake_at <= now || !schedule_is_next(&n->schedule, event_key(EVENT_TRY, l)))
		packet_wake(n, l, time);
	else
		packet_try(n, l, now);
}

/* Packet `p` is first of its queue at `slot`: a candidate for its output. */
static inline void become_candidate(struct net_engine *n, uint32_t p, unsigned slot)
{
	struct packet *packet = PACKET(n, p);
	struct packet_link *out = &n->link[packet->out];
	struct packet_candidate *c = &n->candidate[out->candidates + slot];

	set_candidate(n, c, packet);
	c->first = c->last = p;
	n->mask[out->mask + slot / 64] |= UINT64_C(1) << slot % 64;
}

/*
 * Packet `p`, come over link `l`, joins the queue for its output; its head is ready at `ready`, its
 * next step is known. If it is the first of its queue its output will look at it as soon as it may go;
 * `ahead`: that is not before its present event is done.
 */
static inline void join(struct net_engine *n, uint32_t l, uint32_t p, unsigned in_vc, bool ahead)
{
	struct packet_link *link = &n->link[l], *out;
	struct packet *packet = PACKET(n, p);
	unsigned slot = link->in_slot + in_vc;
	uint32_t *first, *last;
	int64_t time = packet->ready;

	out = &n->link[packet->out];
	out->queued += packet->bytes;
	if (n->per_vc) {
		struct packet_queue *q = &n->queue[(size_t)link->in_port * n->vcs + in_vc];

		first = &q->first;
		last = &q->last;
	} else {
		struct packet_candidate *c = &n->candidate[out->candidates + slot];

		first = &c->first;
		last = &c->last;
	}
	if (*first) {
		PACKET(n, *last)->next = p;
		*last = p;
		return;
	}
	*first = *last = p;
	become_candidate(n, p, slot);
	time = out->free_at > time ? out->free_at : time;
	if (n->one_packet && n->input_free[link->in_port] > time)
		time = n->input_free[link->in_port];
	if (ahead)
		packet_wake(n, packet->out, time);
	else
		look_soon(n, packet->out, time);
}

void packet_arrive(struct net_engine *n, uint32_t l, int64_t now)
{
	struct packet_link *link = &n->link[l];
	uint32_t p = link->first;
	struct packet *packet = PACKET(n, p);
	unsigned in_vc = packet->vc;

	link->first = packet->next;
	packet->next = 0;
	choose_way(n, packet, l, now);
	join(n, l, p, in_vc, false);
}

/*
 * Packet `p` starts on link `l` at `start`, now or a little later; its end leaves at `end`. The caller has
 * taken its credit. Where ways do not depend on traffic it joins its next queue at once, for when it will be ready.
 */
void packet_depart(struct net_engine *n, uint32_t l, uint32_t p, int64_t start, int64_t end)
{
	struct packet_link *link = &n->link[l];
	struct packet *packet = PACKET(n, p);

	packet->next = 0;
	packet->tail = end + link->delay;
	packet->ready = start + link->delay;
	link->free_at = end;
	link->busy_ps += end - start;
	link->bytes += packet->bytes;
	link->packets++;
	if (n->log_packets)
		net_log_packet(n->log, l, start, end, MESSAGE(n, packet->message)->serial);
	if (link->role == LINK_EJECT) { /* nothing is decided there: no event */
		packet_deliver(n, l, p, packet->ready);
	} else if (n->no_choice) {
		unsigned in_vc = packet->vc;

		choose_way(n, packet, l, start);
		join(n, l, p, in_vc, true);
	} else {
		if (link->first)
			PACKET(n, link->last)->next = p;
		else
			link->first = p;
		link->last = p;
		schedule_push(&n->schedule, packet->ready, event_key(EVENT_ARRIVE, l));
	}
}

/* ---- a link looks for a packet ---- */
struct choice {
	int slot;      /* < 0: none */
	int64_t again; /* when to look again, if nothing else happens */
};

/* Is there credit for candidate `c` on link `l`, whose VC has less than a full packet's? Notes when there may be. */
static bool has_credit(struct net_engine *n, uint32_t l, const struct packet_candidate *c, struct choice *choice)
{
	unsigned vc = c->key & VC_MASK;
	const struct packet_vc *v = &n->vc[(size_t)l * n->vcs + vc];

	if (vc == VC_RESERVED || v->credit >= PACKET(n, c->first)->bytes)
		return true;
	if (v->back_at == NET_TIME_NEVER)
		n->link[l].starved = true;
	else if (v->back_at < choice->again)
		choice->again = v->back_at;
	return false;
}

/* The virtual channels of link `l` that have credit for a full packet, as bits. */
static uint64_t vcs_with_credit(struct net_engine *n, uint32_t l, int64_t now)
{
	struct packet_vc *v = &n->vc[(size_t)l * n->vcs];
	uint64_t bits = 0;

	for (unsigned i = 0; i < n->vcs; i++)
		bits |= (uint64_t)(packet_credit_now(n, &v[i], now) >= n->mtu_wire) << i;
	return bits;
}

/*
 * The candidate that goes next over link `l`: of those that are ready, whose input is free and that have
 * credit the one with the least key, or the first one after that which was served last.
 */
static struct choice choose_candidate(struct net_engine *n, uint32_t l, int64_t now)
{
	struct packet_link *link = &n->link[l];
	const struct packet_candidate *row = &n->candidate[link->candidates];
	const int64_t *input_free = n->input_free + link->in_first;
	const uint16_t *slot_port = n->slot_port;
	uint64_t with_credit = vcs_with_credit(n, l, now);
	bool in_turn = n->arbitration == ARBITRATION_ROUND_ROBIN;
	struct choice choice = { -1, NET_TIME_NEVER };
	int64_t best = INT64_MAX;

	link->starved = false;
	for (unsigned w = 0; w < link->words; w++) {
		for (uint64_t bits = n->mask[link->mask + w]; bits; bits &= bits - 1) {
			unsigned slot = w * 64 + (unsigned)__builtin_ctzll(bits);
			int64_t key = row[slot].key, before = key >> VC_BITS;
			int64_t free_at = input_free[slot_port[slot]];

			if (in_turn)
				before = slot + (slot > link->in_turn ? 0U : link->slots) - link->in_turn;
			if (before >= best)
				continue;
			free_at = row[slot].ready > free_at ? row[slot].ready : free_at;
			if (free_at > now) {
				choice.again = free_at < choice.again ? free_at : choice.again;
				continue;
			}
			if (!(with_credit >> (key & VC_MASK) & 1) &&
			    !has_credit(n, l, &row[slot], &choice))
				continue;
			best = before;
			choice.slot = (int)slot;
		}
	}
	return choice;
}

/* Takes the candidate of `slot` off link `l`; the next of its queue takes its place. */
static uint32_t take_candidate(struct net_engine *n, uint32_t l, unsigned slot, uint32_t port)
{
	struct packet_link *link = &n->link[l];
	struct packet_candidate *c = &n->candidate[link->candidates + slot];
	uint32_t p = c->first, next = PACKET(n, p)->next;

	link->queued -= PACKET(n, p)->bytes;
	if (!n->per_vc && next) {
		c->first = next;
		set_candidate(n, c, PACKET(n, next));
		return p;
	}
	c->first = c->last = 0;
	n->mask[link->mask + slot / 64] &= ~(UINT64_C(1) << slot % 64);
	if (n->per_vc) {
		n->queue[(size_t)port * n->vcs + slot % n->vcs].first = next;
		if (next)
			become_candidate(n, next, slot);
	}
	return p;
}

static bool has_candidates(const struct net_engine *n, const struct packet_link *link)
{
	for (unsigned w = 0; w < link->words; w++)
		if (n->mask[link->mask + w])
			return true;
	return false;
}

/* The candidate of `slot` goes over link `l`. */
static void go(struct net_engine *n, uint32_t l, unsigned slot, int64_t now)
{
	struct packet_link *link = &n->link[l];
	uint32_t port = link->in_first + n->slot_port[slot];
	uint32_t from = n->t->in_link[port], p = take_candidate(n, l, slot, port);
	struct packet *packet = PACKET(n, p);
	int64_t end = now + transfer_ps(link->rate, packet->bytes);
	uint32_t next;

	if (end < packet->tail) /* a slow link before a fast one: the end cannot leave before it has come */
		end = packet->tail;
	if (!packet->reserved)
		n->vc[(size_t)l * n->vcs + packet->vc].credit -= packet->bytes;
	packet->reserved = false;
	link->in_turn = (uint16_t)slot;
	if (n->one_packet)
		n->input_free[port] = end;
	packet_return_credit(n, from, slot - n->slot_port[slot] * n->vcs, packet->bytes, end);
	n->total.router_hops += link->role == LINK_ROUTERS;
	packet_depart(n, l, p, now, end);
	if (has_candidates(n, link))
		packet_wake(n, l, end);
	if (n->per_vc && (next = n->queue[(size_t)port * n->vcs + slot % n->vcs].first) != 0 &&
	    PACKET(n, next)->out != l) {
		int64_t at = n->link[PACKET(n, next)->out].free_at;

		if (n->one_packet && end > at)
			at = end;
		if (PACKET(n, next)->ready > at)
			at = PACKET(n, next)->ready;
		packet_wake(n, PACKET(n, next)->out, at > now ? at : now);
	}
}

void packet_try(struct net_engine *n, uint32_t l, int64_t now)
{
	struct packet_link *link = &n->link[l];
	struct choice choice;

	n->total.tries++;
	if (link->role == LINK_INJECT) {
		packet_inject(n, l, now);
		return;
	}
	if (link->free_at > now) {
		packet_wake(n, l, link->free_at);
		return;
	}
	choice = choose_candidate(n, l, now);
	if (choice.slot >= 0)
		go(n, l, (unsigned)choice.slot, now);
	else if (choice.again != NET_TIME_NEVER)
		packet_wake(n, l, choice.again);
}
