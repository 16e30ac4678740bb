/* --check: conservation. Recomputes from the rows what the engine updates incrementally. */
#include <inttypes.h>
#include <stdlib.h>

#include "../../../psim/base/mem.h"
#include "arbiter.h"

/* Adds the bytes of packets that occupy the buffer of (link, vc): in flight, or in the queue behind it. */
static void add_under_way(const struct net_engine *n, int64_t *held, uint64_t *packets)
{
	for (uint32_t i = 0; i < packet_links_here(n); i++) {
		uint32_t l = packet_link_here(n, i);

		for (uint32_t p = n->rare[l].first; p; p = PACKET(n, p)->next) {
			held[(size_t)l * n->vcs + PACKET(n, p)->vc] += PACKET(n, p)->bytes;
			(*packets)++;
		}
	}
}

static void add_queue(const struct net_engine *n, uint32_t first, uint32_t in_link, unsigned vc, int64_t *held,
		      uint64_t *packets)
{
	for (uint32_t p = first; p; p = PACKET(n, p)->next) {
		const struct packet *packet = PACKET(n, p);

		held[(size_t)in_link * n->vcs + vc] += packet->bytes;
		if (packet->reserved)
			held[(size_t)packet->out * n->vcs + packet->vc] += packet->bytes;
		(*packets)++;
	}
}

static void add_waiting(const struct net_engine *n, int64_t *held, uint64_t *packets)
{
	const struct topology *t = n->t;

	if (!n->packets.used)
		return;
	for (uint32_t i = 0; i < packet_links_here(n); i++) {
		uint32_t l = packet_link_here(n, i);
		const struct packet_link *link = &n->link[l];
		uint32_t from = t->link[l].from;

		for (uint32_t in = t->in_first[from]; link->role != LINK_INJECT && in < t->in_first[from + 1]; in++)
			for (unsigned v = 0; !n->per_vc && v < packet_slots(n, t->in_link[in]); v++)
				add_queue(n, n->candidate[link->candidates + n->link[t->in_link[in]].in_slot + v].first,
					  t->in_link[in], v, held, packets);
	}
	for (uint32_t l = 0; n->changes.all && l < t->links; l++)
		if (n->link[l].role != LINK_INJECT)
			for (uint32_t p = n->candidate[n->link[l].candidates + packet_transit_slot(n, l)].first; p;
			     p = PACKET(n, p)->next)
				(*packets)++;
	for (uint32_t i = 0; i < packet_links_here(n); i++) {
		uint32_t l = packet_link_here(n, i);

		for (unsigned v = 0; n->per_vc && n->link[l].role != LINK_EJECT && v < n->vcs; v++)
			add_queue(n, n->queue[(size_t)n->rare[l].in_port * n->vcs + v].first, l, v, held, packets);
	}
}

static int verify_credits(const struct net_engine *n, const int64_t *held, struct err *e)
{
	for (uint32_t i = 0; i < packet_links_here(n); i++) {
		uint32_t l = packet_link_here(n, i);

		for (unsigned v = 0; v < n->vcs && !n->link[l].leaves; v++) {
			const struct packet_vc *at = &n->vc[(size_t)l * n->vcs + v];
			int64_t sum = packet_credit_in_all(n, at) + held[(size_t)l * n->vcs + v];

			if (sum != packet_capacity(n, l, v) || at->credit < 0)
				return err_set(e, STATUS_FAILED,
					       "packet engine: link %" PRIu32 ", virtual channel %u: %" PRId64
					       " bytes of credit and %" PRId64 " in all, expected %" PRId64,
					       l, v, at->credit, sum, packet_capacity(n, l, v));
		}
	}
	return 0;
}

/* Returns whether (l, slot) is in the map exactly if it has a candidate, with the key of that packet. */
static bool candidate_right(const struct net_engine *n, uint32_t l, unsigned slot)
{
	const struct packet_candidate *c = &n->candidate[n->link[l].candidates + slot];
	const struct packet *p;

	if (!(*packet_mask(n, l, slot / 64) >> slot % 64 & 1))
		return !c->first;
	if (!c->first)
		return false;
	p = PACKET(n, c->first);
	return p->out == l && (c->key & VC_MASK) == (p->reserved ? VC_RESERVED : p->vc) &&
	       c->key >> VC_BITS == (n->arbitration == ARBITRATION_OLDEST ? p->born : p->ready);
}

/* Returns whether it waits for an input that another link has booked, and that will wake it. */
static bool waits_for_booking(const struct net_engine *n, uint32_t l)
{
	const struct packet_link *link = &n->link[l];

	for (unsigned s = 0; n->one_packet && s < n->kind[link->kind].slots; s++)
		if (n->candidate[link->candidates + s].first && packet_booked_by_older(n, l, s))
			return true;
	return false;
}

/* Returns whether link `l`, which has candidates, will be arbitrated: in time, or when credit or its input is free. */
static bool watched(const struct net_engine *n, uint32_t l)
{
	return n->link[l].wake_at < NET_TIME_NEVER || n->vc[(size_t)l * n->vcs].starved || waits_for_booking(n, l);
}

/* Credit available to candidate `c` at `now`, and whether it suffices. */
static bool enough_credit(const struct net_engine *n, uint32_t l, const struct packet_candidate *c, int64_t now,
			  int64_t *credit)
{
	unsigned vc = c->key & VC_MASK;

	*credit = INT64_MAX;
	if (vc != VC_RESERVED)
		*credit = packet_capacity(n, l, vc) -
			  packet_held(n, &n->vc[(size_t)l * n->vcs + vc], packet_capacity(n, l, vc), now);
	return *credit >= PACKET(n, c->first)->bytes;
}

static bool input_is_free(const struct net_engine *n, uint32_t l, unsigned slot, int64_t now)
{
	return !n->one_packet || (n->input_free[packet_port(n, l, slot)] <= now && !packet_booked_by_older(n, l, slot));
}

/*
 * No link is idle although a packet could have gone since `n->present`, when that instant's arbitrations are done.
 * Links that wait for a booked input have no packet that could go.
 */
static int verify_busy(const struct net_engine *n, struct err *e)
{
	int64_t credit;

	if (!n->packets.used)
		return 0;
	for (uint32_t i = 0; i < packet_links_here(n); i++) {
		uint32_t l = packet_link_here(n, i);
		const struct packet_link *link = &n->link[l];

		if (link->free_at > n->present || (n->one_packet && n->books[l]))
			continue;
		for (unsigned s = 0; s < n->kind[link->kind].slots; s++) {
			const struct packet_candidate *c = &n->candidate[link->candidates + s];

			if (!c->first || PACKET(n, c->first)->ready > n->present ||
			    !input_is_free(n, l, s, n->present) || !enough_credit(n, l, c, n->present, &credit) ||
			    (c->key & VC_MASK) == VC_RESERVED || credit < 2 * (int64_t)n->mtu_wire)
				continue;
			return err_set(e, STATUS_FAILED,
				       "packet engine: link %" PRIu32
				       " is idle, but the packet of slot %u could use it",
				       l, s);
		}
	}
	return 0;
}

/* Returns whether the candidate of `slot` is the first that wants its VC. The first has priority for its credit. */
static bool first_of_its_vc(const struct net_engine *n, uint32_t l, unsigned slot, int64_t now)
{
	const struct packet_link *link = &n->link[l];
	const struct packet_candidate *row = &n->candidate[link->candidates];

	if ((row[slot].key & VC_MASK) == VC_RESERVED)
		return true;
	for (unsigned s = 0; s < n->kind[link->kind].slots; s++)
		if (row[s].first && PACKET(n, row[s].first)->ready <= now &&
		    (row[s].key & VC_MASK) == (row[slot].key & VC_MASK) && is_before(n, link, s, slot, LOOP_ANY))
			return false;
	return true;
}

/* Counts that the candidate of `slot`, which has credit, was passed over: too often? */
static bool passed_too_often(struct net_engine *n, uint32_t l, unsigned slot)
{
	uint16_t *times = &n->watched[n->link[l].candidates + slot];

	if (*times < UINT16_MAX)
		(*times)++;
	return *times > n->patience && !packet_booked_by_older(n, l, slot);
}

/* Returns whether the candidate of `one` has priority over that of `two`. Classes with weights have none. */
static bool class_precedes(const struct net_engine *n, const struct packet_link *link, unsigned one, unsigned two)
{
	const struct packet_candidate *row = &n->candidate[link->candidates];
	unsigned a = PACKET(n, row[one].first)->class, b = PACKET(n, row[two].first)->class;

	if (a == b || link->role != LINK_ROUTERS)
		return is_before(n, link, one, two, LOOP_ANY);
	return !n->weighted && a < b;
}

/*
 * Checks the bound on waiting (docs/models/packet-engine.md) for each packet: none goes before a packet with higher
 * priority that has credit and whose input is free; none goes first more than `router.patience` times because that
 * input is busy; and none takes credit that a packet with higher priority waits for.
 */
void packet_check_turn(struct net_engine *n, uint32_t l, unsigned slot, int64_t now)
{
	const struct packet_link *link = &n->link[l];
	const struct packet_candidate *row = &n->candidate[link->candidates], *taken = &row[slot];
	bool in_turn = n->arbitration == ARBITRATION_ROUND_ROBIN;
	int64_t credit;

	for (unsigned s = 0; s < n->kind[link->kind].slots; s++) {
		const char *what = NULL;
		bool enough, same;

		if (!row[s].first || PACKET(n, row[s].first)->ready > now || !class_precedes(n, link, s, slot))
			continue;
		enough = enough_credit(n, l, &row[s], now, &credit);
		same = (row[s].key & VC_MASK) == (taken->key & VC_MASK) && (taken->key & VC_MASK) != VC_RESERVED &&
		       !in_turn;
		if (same && !n->credits_any && credit - PACKET(n, taken->first)->bytes < PACKET(n, row[s].first)->bytes)
			what = "its credit is taken";
		else if (!enough || (!n->credits_any && (!first_of_its_vc(n, l, s, now) ||
							 (in_turn && packet_takes_from_older(n, l, s, now)))))
			continue; /* a packet of higher priority has the first claim to the credit */
		else if (input_is_free(n, l, s, now))
			what = "it could go";
		else if (passed_too_often(n, l, s))
			what = "it has waited for its input often enough";
		if (!what || n->broken.status)
			continue;
		err_set(&n->broken, STATUS_FAILED,
			"packet engine: at %" PRId64 " ps link %" PRIu32 " takes the packet of slot %u before that of "
			"slot %u: %s",
			now, l, slot, s, what);
		n->check_at = 0;
	}
	n->watched[link->candidates + slot] = 0;
}

/* Returns whether link `l` has no candidate, and none is marked. */
static bool has_none(const struct net_engine *n, uint32_t l)
{
	const struct packet_link_kind *kind = &n->kind[n->link[l].kind];
	const struct packet_candidate *row = &n->candidate[n->link[l].candidates];
	uint64_t any = 0;

	for (unsigned w = 0; w < kind->words; w++)
		any |= *packet_mask(n, l, w);
	for (unsigned s = 0; s < kind->slots; s++)
		any |= row[s].first;
	return !any;
}

static int verify_candidates(const struct net_engine *n, struct err *e)
{
	for (uint32_t i = 0; i < packet_links_here(n); i++) {
		uint32_t l = packet_link_here(n, i);
		bool any = false;

		if (has_none(n, l)) /* the usual case, quickly */
			continue;
		for (unsigned s = 0; s < n->kind[n->link[l].kind].slots; s++) {
			any = any || n->candidate[n->link[l].candidates + s].first;
			if (!candidate_right(n, l, s))
				return err_set(e, STATUS_FAILED,
					       "packet engine: link %" PRIu32 ": the candidate of slot %u is not "
					       "the first of its queue",
					       l, s);
		}
		if (any && !watched(n, l))
			return err_set(e, STATUS_FAILED, "packet engine: no event is scheduled for link %" PRIu32, l);
	}
	return 0;
}

static int verify_totals(const struct net_engine *n, uint64_t packets, struct err *e)
{
	const struct packet_totals *t = &n->total;
	uint64_t made = t->packets_made;

	if (n->divided && !n->divided->gathered)
		made += n->divided->packets_in - n->divided->packets_out;
	if (packets != made - t->packets_done || packets != n->packets.used)
		return err_set(e, STATUS_FAILED,
			       "packet engine: %" PRIu64 " packets created, %" PRIu64 " arrived, %" PRIu64
			       " in the network, %" PRIu32 " in memory",
			       t->packets_made, t->packets_done, packets, n->packets.used);
	if (t->messages != t->messages_done || (n->divided && !n->divided->gathered))
		return 0;
	if (packets || t->bytes_made != t->bytes_done || t->wire_made != t->wire_done || n->messages.used ||
	    n->routes.used || n->paths.used)
		return err_set(e, STATUS_FAILED,
			       "packet engine: all messages arrived, but %" PRIu64 " packets are left; %" PRIu64
			       " bytes sent, %" PRIu64 " arrived; on links %" PRIu64 ", %" PRIu64,
			       packets, t->bytes_made, t->bytes_done, t->wire_made, t->wire_done);
	return 0;
}

/* Recomputes the sums of the rows. */
static int verify_rows(const struct net_engine *n, uint64_t *packets, struct err *e)
{
	int64_t *held = mem_alloc((size_t)n->t->links * n->vcs, sizeof(*held), e);
	int result;

	if (!held)
		return -1;
	add_under_way(n, held, packets);
	add_waiting(n, held, packets);
	result = verify_credits(n, held, e);
	free(held);
	if (result == 0)
		result = verify_candidates(n, e);
	return result == 0 ? verify_busy(n, e) : result;
}

/* Each process of a divided network verifies the rows of its partition, and the first one then the totals of all. */
int packet_verify(const struct net_engine *n, struct err *e)
{
	uint64_t packets = 0;

	if (n->broken.status) {
		if (e)
			*e = n->broken;
		return -1;
	}
	if (n->divided && n->divided->gathered)
		packets = n->packets.used;
	else if (verify_rows(n, &packets, e) < 0)
		return -1;
	return verify_totals(n, packets, e);
}
