/*
 * The loop of the engine: events in order, and what a packet does in a router. It joins the queue for its output,
 * is a candidate when it is first there, and goes when output, input and credit let it.
 *
 * Everything here is made twice: `plain`, for the usual configuration (fixed ways, queues per output, first come
 * first served, one packet an input, no log of packets, at most 64 slots a router), in which most questions have
 * one answer; and with all of them asked.
 */
#include "credit.h"

#define INLINE static inline __attribute__((always_inline))

static void try_any(struct net_engine *n, uint32_t l, int64_t now);

/* ---- a packet comes in ---- */
INLINE int64_t key_of(const struct net_engine *n, const struct packet *p, const bool plain)
{
	int64_t before = !plain && n->arbitration == ARBITRATION_OLDEST ? p->born : p->ready;

	return before << VC_BITS | (!plain && p->reserved ? VC_RESERVED : p->vc);
}

/* Packet `p` is first of its queue at `slot`: a candidate for link `o`. */
INLINE void become_candidate(struct net_engine *n, uint32_t o, uint32_t p, unsigned slot, const bool plain)
{
	struct packet_candidate *c = &n->candidate[n->link[o].candidates + slot];

	c->key = key_of(n, PACKET(n, p), plain);
	c->first = c->last = p;
	*packet_mask(n, o, plain ? 0 : slot / 64) |= UINT64_C(1) << slot % 64;
}

/* Looks at `l` as soon as it may be free: now, if nothing else comes before that at this instant. */
static void look_soon(struct net_engine *n, uint32_t l, int64_t time)
{
	int64_t now = n->present;

	if (time > now || n->link[l].wake_at <= now ||
	    !calendar_is_next(&n->calendar, now, event_key(EVENT_TRY, l)))
		packet_wake(n, l, time);
	else
		try_any(n, l, now);
}

/*
 * Packet `p`, come over link `l`, joins the queue for its output; its head is ready at `ready`, its
 * next step is known. If it is the first of its queue its output will look at it as soon as it may go;
 * `ahead`: that is not before its present event is done.
 */
INLINE void join(struct net_engine *n, uint32_t l, uint32_t p, unsigned in_vc, bool ahead, const bool plain)
{
	const struct packet_link *link = &n->link[l];
	struct packet *packet = PACKET(n, p);
	uint32_t o = packet->out, *first, *last;
	struct packet_link *out = &n->link[o];
	struct packet_candidate *c;
	unsigned slot = link->in_slot + in_vc;
	int64_t time = packet->ready;

	c = &n->candidate[out->candidates + slot];
	first = &c->first;
	last = &c->last;
	if (!plain) {
		out->queued += packet->bytes;
		if (n->per_vc) {
			struct packet_queue *q = &n->queue[(size_t)link->in_port * n->vcs + in_vc];

			first = &q->first;
			last = &q->last;
		}
	}
	if (*first) {
		PACKET(n, *last)->next = p;
		*last = p;
		return;
	}
	*first = *last = p;
	become_candidate(n, o, p, slot, plain);
	time = out->free_at > time ? out->free_at : time;
	if ((plain || n->one_packet) && n->input[link->in_port].free_at > time)
		time = n->input[link->in_port].free_at;
	if (plain || ahead)
		packet_wake(n, o, time);
	else
		look_soon(n, o, time);
}

/* The head of the first packet under way on link `l` is ready at its end: only where ways depend on traffic. */
static void arrive(struct net_engine *n, uint32_t l, int64_t now)
{
	struct packet_link *link = &n->link[l];
	uint32_t p = link->first;
	struct packet *packet = PACKET(n, p);
	unsigned in_vc = packet->vc;

	link->first = packet->next;
	packet->next = 0;
	packet_find_step(n, packet, l, now);
	join(n, l, p, in_vc, false, false);
}

/*
 * Packet `p` starts on link `l` at `start`, now or a little later; its end leaves at `end`. The caller has
 * taken its credit. Where ways do not depend on traffic it joins its next queue at once, for when it will be ready.
 */
INLINE void depart(struct net_engine *n, uint32_t l, uint32_t p, int64_t start, int64_t end, const bool plain)
{
	struct packet_link *link = &n->link[l];
	struct packet_carried *carried = &n->carried[l];
	struct packet *packet = PACKET(n, p);
	int64_t delay = n->kind[link->kind].delay;
	unsigned in_vc = packet->vc;

	packet->next = 0;
	packet->tail = end + delay;
	packet->ready = start + delay;
	link->free_at = end;
	carried->busy_ps += end - start;
	carried->bytes += packet->bytes;
	carried->packets++;
	if (!plain && n->log_packets)
		net_log_packet(n->log, l, start, end, MESSAGE(n, packet->message)->serial);
	if (link->role == LINK_EJECT) { /* nothing is decided there: no event */
		packet_deliver(n, l, p, packet->ready);
	} else if (plain) {
		packet->out = packet->then >> VC_BITS;
		packet->vc = packet->then & VC_MASK;
		packet->then = WAY(n, packet->way)[++packet->step];
		join(n, l, p, in_vc, true, true);
	} else if (n->no_choice) {
		packet_find_step(n, packet, l, start);
		join(n, l, p, in_vc, true, false);
	} else {
		if (link->first)
			PACKET(n, link->last)->next = p;
		else
			link->first = p;
		link->last = p;
		packet_event(n, packet->ready, EVENT_ARRIVE, l);
	}
}

/* ---- a link looks for a packet ---- */
struct choice {
	int slot;      /* < 0: none */
	int64_t again; /* when to look again, if nothing else happens */
};

/* Is there credit for candidate `c` on link `l`? Notes when there may be. */
INLINE bool has_credit(struct net_engine *n, uint32_t l, const struct packet_candidate *c, int64_t now,
                       int64_t *again, const bool plain)
{
	unsigned vc = c->key & VC_MASK;
	struct packet_vc *v = &n->vc[(size_t)l * n->vcs + vc];

	if (!plain && vc == VC_RESERVED)
		return true;
	if (packet_credit_now(n, v, now) >= n->mtu_wire || v->credit >= PACKET(n, c->first)->bytes)
		return true;
	if (v->back_at[0] == NET_TIME_NEVER)
		n->vc[(size_t)l * n->vcs].starved = 1;
	else if (v->back_at[0] < *again)
		*again = v->back_at[0];
	return false;
}

/*
 * The candidate that goes next over link `l`: of those that are ready, whose input is free and that have
 * credit the one with the least key, or the first one after that which was served last.
 */
INLINE struct choice choose_candidate(struct net_engine *n, uint32_t l, int64_t now, const bool plain)
{
	const struct packet_link *link = &n->link[l];
	const struct packet_candidate *row = &n->candidate[link->candidates];
	const struct packet_input *input = &n->input[link->in_first];
	const uint16_t *slot_port = n->slot_port;
	unsigned words = plain ? 1 : n->kind[link->kind].words;
	struct choice choice = { -1, NET_TIME_NEVER };
	int64_t best = INT64_MAX;

	n->vc[(size_t)l * n->vcs].starved = 0;
	for (unsigned w = 0; w < words; w++) {
		for (uint64_t bits = *packet_mask(n, l, w); bits; bits &= bits - 1) {
			unsigned slot = w * 64 + (unsigned)__builtin_ctzll(bits);
			int64_t before = row[slot].key & ~(int64_t)VC_MASK, ready = before >> VC_BITS, free_at;

			if (!plain && n->arbitration == ARBITRATION_ROUND_ROBIN)
				before = (int64_t)slot + (slot > link->in_turn ? 0 : n->kind[link->kind].slots);
			if (before >= best)
				continue;
			if (!plain && n->arbitration == ARBITRATION_OLDEST)
				ready = PACKET(n, row[slot].first)->ready;
			free_at = input[slot_port[slot]].free_at;
			free_at = ready > free_at ? ready : free_at;
			if (free_at > now) {
				choice.again = free_at < choice.again ? free_at : choice.again;
				continue;
			}
			if (!has_credit(n, l, &row[slot], now, &choice.again, plain))
				continue;
			best = before;
			choice.slot = (int)slot;
		}
	}
	return choice;
}

/* Takes the candidate of `slot` off link `l`; the next of its queue takes its place. */
INLINE uint32_t take_candidate(struct net_engine *n, uint32_t l, unsigned slot, uint32_t port, const bool plain)
{
	struct packet_candidate *c = &n->candidate[n->link[l].candidates + slot];
	uint32_t p = c->first, next = PACKET(n, p)->next;

	if (!plain)
		n->link[l].queued -= PACKET(n, p)->bytes;
	if ((plain || !n->per_vc) && next) {
		c->first = next;
		c->key = key_of(n, PACKET(n, next), plain);
		__builtin_prefetch(PACKET(n, PACKET(n, next)->next)); /* for the next time: queues are long */
		return p;
	}
	c->first = 0;
	*packet_mask(n, l, plain ? 0 : slot / 64) &= ~(UINT64_C(1) << slot % 64);
	if (!plain && n->per_vc) {
		n->queue[(size_t)port * n->vcs + slot % n->vcs].first = next;
		if (next)
			become_candidate(n, PACKET(n, next)->out, next, slot, false);
	}
	return p;
}

INLINE bool has_candidates(const struct net_engine *n, uint32_t l, const bool plain)
{
	if (n->link[l].mask)
		return true;
	for (unsigned w = 1; !plain && w < n->kind[n->link[l].kind].words; w++)
		if (*packet_mask(n, l, w))
			return true;
	return false;
}

/* router.queues = per_vc: the packet that is first now in a queue of input `port` is looked at when it may go. */
static void look_at_next(struct net_engine *n, uint32_t l, uint32_t port, uint32_t queue, int64_t now)
{
	uint32_t next = n->queue[queue].first, o;
	int64_t at;

	if (!next || PACKET(n, next)->out == l)
		return;
	o = PACKET(n, next)->out;
	at = n->link[o].free_at;
	if (n->one_packet && n->input[port].free_at > at)
		at = n->input[port].free_at;
	if (PACKET(n, next)->ready > at)
		at = PACKET(n, next)->ready;
	packet_wake(n, o, at > now ? at : now);
}

/* The candidate of `slot` goes over link `l`. */
INLINE void go(struct net_engine *n, uint32_t l, unsigned slot, int64_t now, const bool plain)
{
	struct packet_link *link = &n->link[l];
	unsigned in = n->slot_port[slot], vc = slot - in * n->vcs;
	uint32_t port = link->in_first + in, p = take_candidate(n, l, slot, port, plain);
	struct packet_input *input = &n->input[port];
	struct packet *packet = PACKET(n, p);
	int64_t end = now + transfer_ps(n->kind[link->kind].rate, packet->bytes);

	if (end < packet->tail) /* a slow link before a fast one: the end cannot leave before it has come */
		end = packet->tail;
	if (plain || !packet->reserved)
		n->vc[(size_t)l * n->vcs + packet->vc].credit -= packet->bytes;
	if (!plain) {
		packet->reserved = false;
		link->in_turn = (uint16_t)slot;
	}
	if (plain || n->one_packet)
		input->free_at = end;
	packet_return_credit(n, input->vc, vc, packet->bytes, end + n->kind[input->kind].credit_delay);
	n->total.router_hops += link->role == LINK_ROUTERS;
	depart(n, l, p, now, end, plain);
	if (has_candidates(n, l, plain))
		packet_wake(n, l, end);
	if (!plain && n->per_vc)
		look_at_next(n, l, port, port * n->vcs + vc, now);
}

INLINE void try_link(struct net_engine *n, uint32_t l, int64_t now, const bool plain)
{
	struct packet_link *link = &n->link[l];
	struct choice choice;

	n->total.tries++;
	if (link->role == LINK_INJECT) {
		struct packet_start made = packet_inject(n, l, now);

		if (made.packet)
			depart(n, l, made.packet, made.start, made.end, plain);
		return;
	}
	if (link->free_at > now) {
		packet_wake(n, l, link->free_at);
		return;
	}
	choice = choose_candidate(n, l, now, plain);
	if (choice.slot >= 0)
		go(n, l, (unsigned)choice.slot, now, plain);
	else if (choice.again != NET_TIME_NEVER)
		packet_wake(n, l, choice.again);
}

static void try_any(struct net_engine *n, uint32_t l, int64_t now)
{
	try_link(n, l, now, false);
}

/* ---- looking ahead ---- */
/* How many events ahead the rows are fetched that a hop needs, in the order in which one leads to the next. */
enum { AHEAD_LINK = 13, AHEAD_CANDIDATES = 10, AHEAD_PACKET = 7, AHEAD_NEXT = 4, AHEAD_QUEUE = 2 };

/* The key of the event `ahead` places behind the next one; 0, which looks at no link, where it is in another bucket. */
INLINE uint32_t key_ahead(const struct net_engine *n, unsigned ahead)
{
	const struct calendar *c = &n->calendar;

	return c->now_at + ahead < c->now_count ? (uint32_t)c->now[c->now_at + ahead] : 0;
}

/* The link of that event, if it is one that looks for a packet. */
INLINE const struct packet_link *link_ahead(const struct net_engine *n, unsigned ahead)
{
	uint32_t key = key_ahead(n, ahead);

	return key >> INDEX_BITS == EVENT_TRY ? &n->link[key & INDEX_MASK] : NULL;
}

/* The slot of the packet that will go, most likely; `link` has candidates. */
INLINE unsigned slot_ahead(const struct net_engine *n, const struct packet_link *link)
{
	const struct packet_candidate *row = &n->candidate[link->candidates];
	unsigned best = (unsigned)__builtin_ctzll(link->mask);

	for (uint64_t bits = link->mask; bits; bits &= bits - 1)
		if (row[__builtin_ctzll(bits)].key < row[best].key)
			best = (unsigned)__builtin_ctzll(bits);
	return best;
}

/* What the event itself names. */
INLINE void fetch_first(const struct net_engine *n, uint32_t key)
{
	uint32_t i = key & INDEX_MASK;

	if (key >> INDEX_BITS == EVENT_TRY) {
		__builtin_prefetch(&n->link[i]);
		__builtin_prefetch(&n->vc[(size_t)i * n->vcs]);
		__builtin_prefetch(&n->carried[i]);
	} else if (key >> INDEX_BITS > EVENT_TRY || key >> INDEX_BITS == EVENT_SEND) {
		__builtin_prefetch(MESSAGE(n, i));
	}
}

INLINE void fetch_candidates(const struct net_engine *n, const struct packet_link *link)
{
	if (link->role == LINK_INJECT) {
		__builtin_prefetch(&n->nic[link->in_first]);
		return;
	}
	__builtin_prefetch(&n->input[link->in_first]);
	__builtin_prefetch(&n->input[link->in_first] + 4);
	for (uint64_t bits = link->mask; bits; bits &= bits - 1)
		__builtin_prefetch(&n->candidate[link->candidates + (unsigned)__builtin_ctzll(bits)]);
}

/* The packet that link `l` will send, most likely: noted, for the next steps. */
INLINE void fetch_packet(struct net_engine *n, const struct packet_link *link, struct packet_guess *guess)
{
	guess->link = NULL;
	if (link->role == LINK_INJECT) {
		__builtin_prefetch(MESSAGE(n, n->nic[link->in_first].first));
	} else if (link->mask) {
		guess->slot = (uint16_t)slot_ahead(n, link);
		guess->packet = n->candidate[link->candidates + guess->slot].first;
		guess->link = link;
		__builtin_prefetch(PACKET(n, guess->packet));
	}
}

/* What the packet that goes over `link` leads to: its next link, and who gets its credit; or its message. */
INLINE void fetch_next(const struct net_engine *n, const struct packet_link *link, const struct packet_guess *guess)
{
	const struct packet *packet = PACKET(n, guess->packet);

	if (link->role == LINK_INJECT)
		__builtin_prefetch(&n->node[MESSAGE(n, n->nic[link->in_first].first)->src]);
	if (guess->link != link)
		return;
	__builtin_prefetch(&n->vc[n->input[link->in_first + n->slot_port[guess->slot]].vc]);
	if (link->role == LINK_EJECT) {
		__builtin_prefetch(MESSAGE(n, packet->message));
		__builtin_prefetch(&n->node[link->to]);
	} else {
		__builtin_prefetch(&n->link[packet->then >> VC_BITS]);
		__builtin_prefetch(&WAY(n, packet->way)[packet->step + 1]);
	}
}

/* The queue that it will join there. */
INLINE void fetch_queue(const struct net_engine *n, const struct packet_link *link, const struct packet_guess *guess)
{
	if (guess->link == link && link->role == LINK_ROUTERS) {
		const struct packet *packet = PACKET(n, guess->packet);
		const struct packet_link *out = &n->link[packet->then >> VC_BITS];

		__builtin_prefetch(&n->candidate[out->candidates + link->in_slot + packet->vc]);
		__builtin_prefetch(&n->input[link->in_port]);
	}
}

/*
 * A big network's rows are not in the cache. Always inlined: gcc takes a function that only fetches for one without
 * effect.
 */
INLINE void look_ahead(struct net_engine *n)
{
	const struct packet_link *link;
	uint32_t at = n->calendar.now_at;

	fetch_first(n, key_ahead(n, AHEAD_LINK));
	if ((link = link_ahead(n, AHEAD_CANDIDATES)) != NULL)
		fetch_candidates(n, link);
	if (!n->fixed_ways)
		return;
	if ((link = link_ahead(n, AHEAD_PACKET)) != NULL)
		fetch_packet(n, link, &n->guess[(at + AHEAD_PACKET) % GUESSES]);
	if ((link = link_ahead(n, AHEAD_NEXT)) != NULL)
		fetch_next(n, link, &n->guess[(at + AHEAD_NEXT) % GUESSES]);
	if ((link = link_ahead(n, AHEAD_QUEUE)) != NULL)
		fetch_queue(n, link, &n->guess[(at + AHEAD_QUEUE) % GUESSES]);
}

/* ---- events ---- */
INLINE void take_event(struct net_engine *n, uint32_t key, int64_t now, const bool plain)
{
	uint32_t index = key & INDEX_MASK;

	n->total.events++;
	if (__builtin_expect(key >> INDEX_BITS == EVENT_TRY, 1)) {
		if (n->link[index].wake_at == now) { /* or it was looked at before */
			n->link[index].wake_at = NET_TIME_NEVER;
			try_link(n, index, now, plain);
		}
		return;
	}
	switch ((enum event_kind)(key >> INDEX_BITS)) {
	case EVENT_ARRIVE: arrive(n, index, now); break;
	case EVENT_SEND: packet_send(n, index, now); break;
	case EVENT_SENT: packet_note(n, now, index, NET_SENT); break;
	case EVENT_DELIVERED: packet_delivered(n, now, index); break;
	default: bug("event %u", (unsigned)key);
	}
}

/* What is due before the events of instant `now`. */
static int before_instant(struct net_engine *n, int64_t now, struct err *e)
{
	while (n->sample_at < now)
		packet_sample(n);
	if (n->total.events < n->check_at)
		return 0;
	n->check_at = n->total.events + n->check_every;
	return packet_verify(n, e);
}

INLINE int run(struct net_engine *n, int64_t until, struct err *e, const bool plain)
{
	struct calendar *c = &n->calendar;
	int64_t now, last = -1;

	while (calendar_peek(c, until, &now)) {
		if (now != last) { /* another instant */
			if (n->notices.count)
				break;
			if ((n->sample_at < now || n->total.events >= n->check_at) && before_instant(n, now, e) < 0)
				return -1;
			n->present = last = now;
		}
		if (n->big)
			look_ahead(n);
		take_event(n, (uint32_t)calendar_pop(c), now, plain);
	}
	return 0;
}

static int run_plain(struct net_engine *n, int64_t until, struct err *e)
{
	return run(n, until, e, true);
}

static int run_any(struct net_engine *n, int64_t until, struct err *e)
{
	return run(n, until, e, false);
}

int packet_run(struct net_engine *n, int64_t until, struct err *e)
{
	return n->plain ? run_plain(n, until, e) : run_any(n, until, e);
}
