/*
 * The event loop and the router. A packet joins the queue for its output, becomes a candidate when it is first in
 * the queue, and departs when output, input and credit allow.
 *
 * The code is compiled once for each `loop`: in the usual configurations most conditions are constant.
 */
#include "ahead.h"

static void try_any(struct net_engine *n, uint32_t l, int64_t now);

/* ---- arrival ---- */
/* Returns whether the next step of a packet is in its path, whatever the traffic. */
INLINE bool knows_step(const struct net_engine *n, enum packet_loop loop)
{
	return is_plain(loop) || (n->no_choice && n->fixed_routes);
}

INLINE int64_t key_of(const struct net_engine *n, const struct packet *p, enum packet_loop loop)
{
	bool oldest = is_default(loop) || (loop == LOOP_ANY && n->arbitration == ARBITRATION_OLDEST);
	int64_t before = oldest ? p->born : p->ready;

	return before << VC_BITS | (!is_plain(loop) && p->reserved ? VC_RESERVED : p->vc);
}

/* Makes `packet`, row `p`, first of its queue at `slot`, the candidate `c` for link `out`. */
INLINE void become_candidate(struct net_engine *n, struct packet_link *out, struct packet_candidate *c,
			     const struct packet *packet, uint32_t p, unsigned slot, enum packet_loop loop)
{
	c->key = key_of(n, packet, loop);
	c->first = c->last = p;
	*(is_plain(loop) ? &out->mask : packet_mask(n, packet->out, slot / 64)) |= UINT64_C(1) << slot % 64;
}

/* Schedules an arbitration of `l` as soon as it may be free: now, if no other event of this instant precedes. */
static void schedule_arbitration(struct net_engine *n, uint32_t l, int64_t time)
{
	int64_t now = n->present;

	if (time > now || n->link[l].wake_at <= now || !calendar_is_next(&n->calendar, now, event_key(EVENT_TRY, l)))
		packet_wake(n, l, time);
	else
		try_any(n, l, now);
}

/* Adds `bytes`, which may wrap around to subtract, to those that wait for VC `vc` of link `l`. */
INLINE void count_waiting(struct net_engine *n, uint32_t l, unsigned vc, uint32_t bytes)
{
	n->rare[l].queued += bytes;
	n->waiting[(size_t)l * n->vcs + vc] += bytes;
}

/*
 * Enqueues `packet`, row `p`, received over `link`, for its output. Its head is ready at `ready`, and its next step is
 * known. The first packet of a queue schedules an arbitration; `ahead`: `ready` is not before the end of the present
 * event.
 */
INLINE void enqueue(struct net_engine *n, const struct packet_link *link, struct packet *packet, uint32_t p,
		    unsigned in_vc, bool ahead, enum packet_loop loop)
{
	uint32_t *first, *last;
	struct packet_link *out = &n->link[packet->out];
	struct packet_candidate *c;
	unsigned slot = link->in_slot + in_vc;
	int64_t time = packet->ready;

	c = &n->candidate[out->candidates + slot];
	first = &c->first;
	last = &c->last;
	if (!is_plain(loop)) {
		count_waiting(n, packet->out, packet->vc, packet->bytes);
		if (__builtin_expect(n->congestion != NULL, 0))
			packet_queue_grew(n, packet);
		if (n->per_vc) {
			struct packet_queue *q = &n->queue[(size_t)n->rare[link - n->link].in_port * n->vcs + in_vc];

			first = &q->first;
			last = &q->last;
		}
	}
	if (*first) {
		PACKET(n, *last)->next = p;
		*last = p;
		return;
	}
	if (!is_plain(loop))
		*first = *last = p;
	become_candidate(n, out, c, packet, p, slot, loop);
	time = out->free_at > time ? out->free_at : time;
	if (one_packet(n, loop) && n->input_free[n->rare[link - n->link].in_port] > time)
		time = n->input_free[n->rare[link - n->link].in_port];
	if (is_plain(loop) || ahead)
		packet_wake(n, packet->out, time);
	else
		schedule_arbitration(n, packet->out, time);
}

void packet_count_waiting(struct net_engine *n, uint32_t l, unsigned vc, uint32_t bytes)
{
	count_waiting(n, l, vc, bytes);
}

void packet_renew_candidate(struct net_engine *n, uint32_t l, unsigned slot)
{
	struct packet_candidate *c = &n->candidate[n->link[l].candidates + slot];
	uint64_t *mask = packet_mask(n, l, slot / 64), bit = UINT64_C(1) << slot % 64;
	int64_t ready;

	*mask &= ~bit;
	if (!c->first)
		return;
	*mask |= bit;
	c->key = key_of(n, PACKET(n, c->first), LOOP_ANY);
	ready = PACKET(n, c->first)->ready;
	ready = n->link[l].free_at > ready ? n->link[l].free_at : ready;
	packet_wake(n, l, ready > n->present ? ready : n->present);
}

void packet_join(struct net_engine *n, uint32_t p, unsigned slot)
{
	struct packet *packet = PACKET(n, p);
	struct packet_candidate *c = &n->candidate[n->link[packet->out].candidates + slot];

	packet->next = 0;
	count_waiting(n, packet->out, packet->vc, packet->bytes);
	if (c->first)
		PACKET(n, c->last)->next = p;
	else
		c->first = p;
	c->last = p;
	packet_renew_candidate(n, packet->out, slot);
}

/* The head of the first packet in flight on link `l` is ready at the link's end, where its next link is chosen. */
INLINE void arrive(struct net_engine *n, uint32_t l, int64_t now, enum packet_loop loop)
{
	struct packet_link *link = &n->link[l];
	struct packet_link_rare *rare = &n->rare[l];
	uint32_t p = rare->first;
	struct packet *packet = PACKET(n, p);
	unsigned in_vc = packet->from_vc;

	if (loop == LOOP_ANY && n->changes.all && (!p || packet->ready > now)) /* it has got another path */
		return;
	rare->first = packet->next;
	link->in_flight = rare->first != 0;
	packet->next = 0;
	if (knows_step(n, loop)) {
		packet_find_nic(n, packet);
		if (!n->any_ejection) /* for the packets of its message that follow */
			PATH(n, packet->path)[packet->step - 1] = packet->out << VC_BITS;
	} else {
		packet_find_step(n, packet, l, now);
	}
	enqueue(n, link, packet, p, in_vc, false, loop);
}

static void arrive_default(struct net_engine *n, uint32_t l, int64_t now)
{
	arrive(n, l, now, LOOP_DEFAULT);
}

static void arrive_one_packet(struct net_engine *n, uint32_t l, int64_t now)
{
	arrive(n, l, now, LOOP_ONE_PACKET);
}

static void arrive_any(struct net_engine *n, uint32_t l, int64_t now)
{
	arrive(n, l, now, LOOP_ANY);
}

static void packet_events_arrive(struct net_engine *n, uint32_t l, int64_t now)
{
	switch (n->loop) {
	case LOOP_DEFAULT:
	case LOOP_DEFAULT_DIVIDED: arrive_default(n, l, now); break;
	case LOOP_ONE_PACKET: arrive_one_packet(n, l, now); break;
	default: arrive_any(n, l, now);
	}
}

/* `packet`, row `p`, joins its next queue when its head is ready. */
static void join_later(struct net_engine *n, struct packet_link *link, const struct packet *packet, uint32_t p)
{
	uint32_t l = (uint32_t)(link - n->link);
	struct packet_link_rare *rare = &n->rare[l];

	if (link->in_flight)
		PACKET(n, rare->last)->next = p;
	else
		rare->first = p;
	rare->last = p;
	link->in_flight = true;
	packet_event(n, packet->ready, EVENT_ARRIVE, l);
}

/*
 * Returns whether a packet with a path, on its way over `link` to its last router, cannot join a queue there at once:
 * that router chooses the NIC of a message when its first packet is ready, with nic.receive = any of each packet, and
 * packets of a link join in their order.
 */
INLINE bool waits_for_nic(const struct net_engine *n, const struct packet_link *link, const struct packet *packet)
{
	return n->chooses_nic && (link->in_flight || packet->vc == VC_CHOSEN);
}

/*
 * `packet`, row `p`, has left over `link`. If its next link does not depend on traffic it joins that queue at once, to
 * be ready later.
 */
INLINE void move_on(struct net_engine *n, struct packet_link *link, uint32_t l, struct packet *packet, uint32_t p,
		    enum packet_loop loop)
{
	unsigned in_vc = packet->vc;
	uint32_t then = packet->then;

	packet->from = l;
	packet->from_vc = packet->vc;
	packet->from_kind = link->kind;
	if (knows_step(n, loop)) {
		packet->out = then >> VC_BITS;
		packet->vc = then & VC_MASK;
		packet->then = PATH(n, packet->path)[++packet->step];
		if (packet->then == PATH_END && waits_for_nic(n, link, packet)) {
			packet->vc = (uint16_t)in_vc;
			join_later(n, link, packet, p);
		} else {
			enqueue(n, link, packet, p, in_vc, true, loop);
		}
	} else if (n->no_choice) {
		packet_find_step(n, packet, l, packet->ready);
		enqueue(n, link, packet, p, in_vc, true, LOOP_ANY);
	} else {
		join_later(n, link, packet, p);
	}
}

void packet_arrives(struct net_engine *n, uint32_t l, uint32_t p)
{
	if (n->loop == LOOP_DEFAULT_DIVIDED)
		move_on(n, &n->link[l], l, PACKET(n, p), p, LOOP_DEFAULT);
	else
		move_on(n, &n->link[l], l, PACKET(n, p), p, LOOP_ANY);
}

/* Link `l` carries a packet: for the log, and for the counts of who loads it. */
static void watch_packet(const struct net_engine *n, uint32_t l, const struct packet *packet, int64_t start,
			 int64_t end)
{
	const struct packet_message *m = MESSAGE(n, packet->message);

	if (n->log_packets)
		net_log_packet(n->log, l, start, end, packet_log_key(m));
	if (n->loads)
		net_loads_add(n->loads, &(struct net_load){l, m->from, m->to, (uint32_t)m->mark, packet->bytes});
}

/*
 * Packet `p` starts on `link` at `start`, now or shortly after, and its tail leaves at `end`. The caller has taken
 * its credit. `kind`: the link's.
 */
INLINE void depart(struct net_engine *n, struct packet_link *link, uint32_t l, const struct packet_link_kind *kind,
		   struct packet *packet, uint32_t p, int64_t start, int64_t end, enum packet_loop loop)
{
	struct packet_carried *carried = &link->carried;
	int64_t delay = kind->delay;

	packet->next = 0;
	packet->tail = end + delay;
	packet->ready = start + delay;
	link->free_at = end;
	carried->busy_ps += end - start;
	carried->bytes += packet->bytes;
	carried->packets++;
	if (!is_plain(loop) && n->watches)
		watch_packet(n, l, packet, start, end);
	if (link->role == LINK_EJECT) { /* nothing is arbitrated there: no event */
		packet_deliver(n, l, p, packet->ready);
	} else if (is_divided(n, loop) && link->leaves) {
		packet_away(n, l, p, packet->vc);
	} else {
		move_on(n, link, l, packet, p, loop);
	}
}

/* ---- arbitration and departure ---- */
/* Packet `p`, now the first of its input's queue, becomes a candidate. */
static void next_candidate(struct net_engine *n, uint32_t p, unsigned slot)
{
	struct packet_link *out = &n->link[PACKET(n, p)->out];

	become_candidate(n, out, &n->candidate[out->candidates + slot], PACKET(n, p), p, slot, LOOP_ANY);
}

/* Removes the candidate of `slot` from `link`, row `l`; the next packet of its queue replaces it. */
INLINE uint32_t take_candidate(struct net_engine *n, struct packet_link *link, uint32_t l, unsigned slot, uint32_t port,
			       enum packet_loop loop)
{
	struct packet_candidate *c = &n->candidate[link->candidates + slot];
	uint32_t p = c->first, next = PACKET(n, p)->next;

	if (!is_plain(loop))
		count_waiting(n, l, PACKET(n, p)->vc, 0 - PACKET(n, p)->bytes);
	if (one_packet(n, loop))
		n->passed[c - n->candidate] = 0;
	if ((is_plain(loop) || !n->per_vc) && next) {
		c->first = next;
		c->key = key_of(n, PACKET(n, next), loop);
		__builtin_prefetch(PACKET(n, PACKET(n, next)->next)); /* queues are long */
		return p;
	}
	c->first = 0;
	*(is_plain(loop) ? &link->mask : packet_mask(n, l, slot / 64)) &= ~(UINT64_C(1) << slot % 64);
	if (!is_plain(loop) && n->per_vc) {
		n->queue[(size_t)port * n->vcs + slot % n->vcs].first = next;
		if (next)
			next_candidate(n, next, slot);
	}
	return p;
}

INLINE bool has_candidates(const struct net_engine *n, const struct packet_link *link, enum packet_loop loop)
{
	if (link->mask)
		return true;
	for (unsigned w = 1; !is_plain(loop) && w < n->kind[link->kind].words; w++)
		if (*packet_mask(n, (uint32_t)(link - n->link), w))
			return true;
	return false;
}

/* router.queues = per_vc: schedules an arbitration for the new first packet in a queue of input `port`. */
static void schedule_next(struct net_engine *n, uint32_t l, uint32_t port, uint32_t queue, int64_t now)
{
	uint32_t next = n->queue[queue].first, o;
	int64_t at;

	if (!next || PACKET(n, next)->out == l)
		return;
	o = PACKET(n, next)->out;
	at = n->link[o].free_at;
	if (n->one_packet && n->input_free[port] > at)
		at = n->input_free[port];
	if (PACKET(n, next)->ready > at)
		at = PACKET(n, next)->ready;
	packet_wake(n, o, at > now ? at : now);
}

/* Grants `link`, row `l`, whose VC rows begin at `vcs`, to the candidate of `slot` and starts its transmission. */
INLINE void grant(struct net_engine *n, struct packet_link *link, uint32_t l, struct packet_vc *vcs, unsigned slot,
		  int64_t now, enum packet_loop loop)
{
	const struct packet_link_kind *kind = &n->kind[link->kind];
	uint32_t port = 0, p;
	unsigned vc;
	struct packet *packet;
	int64_t end, back;

	if (__builtin_expect(n->check, 0))
		packet_check_turn(n, l, slot, now);
	if (one_packet(n, loop) || (!is_plain(loop) && n->per_vc))
		port = packet_port(n, l, slot);
	p = take_candidate(n, link, l, slot, port, loop);
	packet = PACKET(n, p);
	vc = packet->from_vc;
	end = now + transfer_ps(kind->rate, packet->bytes);
	if (end < packet->tail) /* a slow link before a fast one: the tail cannot leave before it has arrived */
		end = packet->tail;
	if (is_plain(loop) || !packet->reserved)
		vcs[packet->vc].credit -= packet->bytes;
	if (!is_plain(loop)) {
		packet->reserved = false;
		n->rare[l].in_turn = (uint16_t)slot;
		if (n->classes > 1)
			packet_class_served(n, l, packet);
	}
	if (one_packet(n, loop)) {
		n->input_free[port] = end;
		if (n->booking[port].link | n->books[l])
			packet_input_taken(n, l, port, now, end);
	}
	back = end + n->kind[packet->from_kind].credit_delay;
	if (is_divided(n, loop) && packet->abroad) {
		packet_credit_away(n, packet->abroad - 1U, packet->from * n->vcs + vc, packet->bytes, back);
		packet->abroad = 0;
	} else if (!is_plain(loop) && packet->transit) {
		packet->transit = false;
	} else {
		packet_return_credit(n, packet->from, vc, packet->bytes, back);
	}
	depart(n, link, l, kind, packet, p, now, end, loop);
	if (has_candidates(n, link, loop))
		packet_wake(n, l, end);
	if (!is_plain(loop) && n->per_vc)
		schedule_next(n, l, port, port * n->vcs + vc, now);
}

INLINE void try_link(struct net_engine *n, uint32_t l, int64_t now, enum packet_loop loop)
{
	struct packet_link *link = &n->link[l];
	struct packet_vc *vcs;
	struct choice choice;

	n->total.tries++;
	if (link->role == LINK_INJECT) {
		struct packet_start made = packet_inject(n, l, now);

		if (made.packet)
			depart(n, link, l, &n->kind[link->kind], PACKET(n, made.packet), made.packet, made.start,
			       made.end, loop);
		return;
	}
	if (link->free_at > now) {
		packet_wake(n, l, link->free_at);
		return;
	}
	vcs = &n->vc[(size_t)l * n->vcs];
	choice = choose_candidate(n, link, vcs, now, loop);
	if (choice.slot >= 0)
		grant(n, link, l, vcs, (unsigned)choice.slot, now, loop);
	else if (choice.again != NET_TIME_NEVER)
		packet_wake(n, l, choice.again);
}

static void try_any(struct net_engine *n, uint32_t l, int64_t now)
{
	try_link(n, l, now, LOOP_ANY);
}

/* ---- events ---- */
/* Returns whether there are notices. */
INLINE bool take_event(struct net_engine *n, uint32_t key, int64_t now, enum packet_loop loop)
{
	uint32_t index = key & INDEX_MASK;

	n->total.events++;
	if (__builtin_expect(key >> INDEX_BITS == EVENT_TRY, 1)) {
		struct packet_link *link = &n->link[index];

		if (link->wake_at == now) { /* otherwise the event is obsolete */
			link->wake_at = NET_TIME_NEVER;
			try_link(n, index, now, loop);
		}
		return false;
	}
	switch ((enum event_kind)(key >> INDEX_BITS)) {
	case EVENT_ARRIVE: packet_events_arrive(n, index, now); break;
	case EVENT_SEND: packet_send(n, now); break;
	case EVENT_ACK: packet_acknowledged(n, index, now); break;
	case EVENT_SENT: packet_sent(n, now, index); break;
	case EVENT_DELIVERED: packet_delivered(n, now, index); break;
	default: bug("event %u", (unsigned)key);
	}
	return n->notices.count > 0;
}

/* Performs the work that is due before the events of instant `now`. */
static int before_instant(struct net_engine *n, int64_t now, struct err *e)
{
	while (n->sample_at < now)
		packet_sample(n);
	if (n->total.events < n->check_at)
		return 0;
	n->check_at = n->total.events + n->check_every;
	return packet_verify(n, e);
}

INLINE int run(struct net_engine *n, int64_t until, struct err *e, enum packet_loop loop, bool big)
{
	struct calendar *c = &n->calendar;
	int64_t last = -1;

	for (;;) {
		struct event event = calendar_take(c, until);
		int64_t now = event.time;

		if (now == INT64_MAX)
			return 0;
		if (now != last) { /* a new instant */
			if ((n->sample_at < now || n->total.events >= n->check_at) && before_instant(n, now, e) < 0)
				return -1;
			n->present = last = now;
		}
		if (big)
			look_ahead(n, loop);
		if (take_event(n, (uint32_t)event.key, now, loop))
			until = now;
	}
}

static int run_default(struct net_engine *n, int64_t until, struct err *e)
{
	return n->big ? run(n, until, e, LOOP_DEFAULT, true) : run(n, until, e, LOOP_DEFAULT, false);
}

static int run_divided(struct net_engine *n, int64_t until, struct err *e)
{
	return n->big ? run(n, until, e, LOOP_DEFAULT_DIVIDED, true) : run(n, until, e, LOOP_DEFAULT_DIVIDED, false);
}

static int run_one_packet(struct net_engine *n, int64_t until, struct err *e)
{
	return n->big ? run(n, until, e, LOOP_ONE_PACKET, true) : run(n, until, e, LOOP_ONE_PACKET, false);
}

static int run_any(struct net_engine *n, int64_t until, struct err *e)
{
	return n->big ? run(n, until, e, LOOP_ANY, true) : run(n, until, e, LOOP_ANY, false);
}

int packet_run(struct net_engine *n, int64_t until, struct err *e)
{
	switch (n->loop) {
	case LOOP_DEFAULT: return run_default(n, until, e);
	case LOOP_DEFAULT_DIVIDED: return run_divided(n, until, e);
	case LOOP_ONE_PACKET: return run_one_packet(n, until, e);
	default: return run_any(n, until, e);
	}
}
