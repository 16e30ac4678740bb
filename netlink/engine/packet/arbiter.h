/*
 * Output arbitration: grants a link to the first candidate, in the order of the arbitration, that is ready, has
 * credit and whose input is free.
 *
 * Two rules ensure fairness. A younger packet takes no credit for which an older one of its virtual channel waits
 * (unless router.credits = any). And if an input sends one packet at a time, an output that has passed over a packet
 * `router.patience` times because its input was busy books the input's next turn (booking.c).
 *
 * packet_events.c includes this and compiles it once for each loop; checks and booking use `turn_of`.
 */
#ifndef PSIM_NETLINK_PACKET_ARBITER_H
#define PSIM_NETLINK_PACKET_ARBITER_H

#include "credit.h"
#include "packet_partitions.h"

#ifndef INLINE /* meson.build has another with sanitizers */
#define INLINE static inline __attribute__((always_inline))
#endif

INLINE bool is_plain(enum packet_loop loop)
{
	return loop != LOOP_ANY;
}

/* Oldest first, unlimited inputs. */
INLINE bool is_default(enum packet_loop loop)
{
	return loop == LOOP_DEFAULT || loop == LOOP_DEFAULT_DIVIDED;
}

/* Returns whether this engine is a partition of a divided network. */
INLINE bool is_divided(const struct net_engine *n, enum packet_loop loop)
{
	return loop == LOOP_DEFAULT_DIVIDED || (loop == LOOP_ANY && n->divided);
}

INLINE bool one_packet(const struct net_engine *n, enum packet_loop loop)
{
	return loop == LOOP_ONE_PACKET || (loop == LOOP_ANY && n->one_packet);
}

/* Returns whether credit is reserved for the first packet (router.credits = in_order). */
INLINE bool credit_is_kept(const struct net_engine *n, enum packet_loop loop)
{
	return is_default(loop) || !n->credits_any;
}

/* The priority of `slot` at link `l`: smaller values first; ties go to the lower slot. */
INLINE int64_t turn_of(const struct net_engine *n, const struct packet_link *link, unsigned slot, enum packet_loop loop)
{
	if (loop == LOOP_ANY && n->arbitration == ARBITRATION_ROUND_ROBIN)
		return (int64_t)slot + (slot > n->rare[link - n->link].in_turn ? 0 : n->kind[link->kind].slots);
	return n->candidate[link->candidates + slot].key & ~(int64_t)VC_MASK;
}

/* Returns whether the candidate of `one` precedes that of `two`. */
INLINE bool is_before(const struct net_engine *n, const struct packet_link *link, unsigned one, unsigned two,
		      enum packet_loop loop)
{
	int64_t a = turn_of(n, link, one, loop), b = turn_of(n, link, two, loop);

	return a < b || (a == b && one < two);
}

/* When the packet of candidate `c` is ready. */
INLINE int64_t ready_of(const struct net_engine *n, const struct packet_candidate *c, enum packet_loop loop)
{
	return loop == LOOP_ONE_PACKET ? c->key >> VC_BITS : PACKET(n, c->first)->ready;
}

/*
 * The first ready candidate of link `l` whose VC is not `closed` and that follows the candidate of slot `after` in
 * order (< 0: among all), of traffic class `class` (< 0: of any). < 0: none; `again`: when another one becomes ready.
 */
INLINE int first_ready(const struct net_engine *n, const struct packet_link *link, int64_t now, uint64_t closed,
		       int after, int class, int64_t *again, enum packet_loop loop)
{
	const struct packet_candidate *row = &n->candidate[link->candidates];
	unsigned words = is_plain(loop) ? 1 : n->kind[link->kind].words;
	int64_t best = INT64_MAX;
	int found = -1;

	for (unsigned w = 0; w < words; w++) {
		uint64_t bits = is_plain(loop) ? link->mask : *packet_mask(n, (uint32_t)(link - n->link), w);

		for (; bits; bits &= bits - 1) {
			unsigned slot = w * 64 + (unsigned)__builtin_ctzll(bits);
			int64_t turn = turn_of(n, link, slot, loop), ready;

			if (turn >= best)
				continue;
			if (!is_plain(loop) && class >= 0 && PACKET(n, row[slot].first)->class != class)
				continue;
			ready = ready_of(n, &row[slot], loop);
			if (ready > now) {
				*again = ready < *again ? ready : *again;
				continue;
			}
			if (closed >> (row[slot].key & VC_MASK) & 1)
				continue;
			if (after >= 0 && !is_before(n, link, (unsigned)after, slot, loop))
				continue;
			best = turn;
			found = (int)slot;
		}
	}
	return found;
}

/*
 * Returns whether candidate `c` of the link whose VC rows begin at `vcs` has credit, and `spare` bytes more; if not,
 * records the time from which it may have.
 */
INLINE bool has_credit(struct net_engine *n, struct packet_vc *vcs, const struct packet_candidate *c, uint32_t spare,
		       int64_t now, int64_t *again, enum packet_loop loop)
{
	unsigned vc = c->key & VC_MASK;
	struct packet_vc *v = &vcs[vc];

	if (!is_plain(loop) && vc == VC_RESERVED)
		return true;
	if (packet_credit_now(n, v, now) >= (int64_t)n->mtu_wire + spare ||
	    v->credit >= (int64_t)PACKET(n, c->first)->bytes + spare)
		return true;
	if (v->back_at[0] == NET_TIME_NEVER)
		vcs->starved = 1;
	else if (v->back_at[0] < *again)
		*again = v->back_at[0];
	return false;
}

struct choice {
	int slot;      /* < 0: none */
	int64_t again; /* when to arbitrate again, unless another event does */
};

/* The slot in `bits`, not 0, whose candidate's packet was born first; the lower one of two. */
INLINE unsigned oldest_of(const struct packet_candidate *row, uint64_t bits)
{
	unsigned best = (unsigned)__builtin_ctzll(bits);
	int64_t least = row[best].key | VC_MASK;

	while (bits &= bits - 1) {
		unsigned slot = (unsigned)__builtin_ctzll(bits);
		int64_t turn = row[slot].key | VC_MASK;

		best = turn < least ? slot : best;
		least = turn < least ? turn : least;
	}
	return best;
}

/*
 * Arbitrates a link whose candidates' inputs are free: grants it to the oldest that is ready and has credit, and keeps
 * the credit of a VC for the first that wants it. Only the packets of candidates that come into question are read.
 */
INLINE struct choice choose_oldest(struct net_engine *n, const struct packet_link *link, struct packet_vc *vcs,
				   int64_t now, enum packet_loop loop)
{
	const struct packet_candidate *row = &n->candidate[link->candidates];
	struct choice choice = {-1, NET_TIME_NEVER};
	uint64_t closed = 0;

	for (uint64_t bits = link->mask; bits;) {
		unsigned slot = oldest_of(row, bits), vc = row[slot].key & VC_MASK;
		int64_t ready = PACKET(n, row[slot].first)->ready;

		if (ready > now) {
			choice.again = ready < choice.again ? ready : choice.again;
		} else if (!(closed >> vc & 1)) {
			if (has_credit(n, vcs, &row[slot], 0, now, &choice.again, loop)) {
				choice.slot = (int)slot;
				break;
			}
			closed |= UINT64_C(1) << vc;
		}
		bits &= ~(UINT64_C(1) << slot);
	}
	return choice;
}

/* Arbitrates `link`, whose VC rows begin at `vcs`, among the packets of one traffic class; < 0: of any. */
INLINE struct choice choose_in_order(struct net_engine *n, const struct packet_link *link, struct packet_vc *vcs,
				     int64_t now, int class, enum packet_loop loop)
{
	const struct packet_candidate *row = &n->candidate[link->candidates];
	uint32_t l = (uint32_t)(link - n->link);
	struct choice choice = {-1, NET_TIME_NEVER};
	uint64_t closed = 0; /* VCs whose first candidate lacks credit */
	uint64_t claimed =
		0; /* VCs whose first candidate waits for its input; VC_RESERVED: candidates that need no credit */
	int slot = -1;

	while ((slot = first_ready(n, link, now, closed, slot, class, &choice.again, loop)) >= 0) {
		uint64_t vc = UINT64_C(1) << (row[slot].key & VC_MASK);
		uint32_t spare = one_packet(n, loop) && claimed & vc && credit_is_kept(n, loop) ? n->mtu_wire : 0;

		if (!has_credit(n, vcs, &row[slot], spare, now, &choice.again, loop)) {
			closed |= credit_is_kept(n, loop) ? vc : 0;
			continue;
		}
		if (!is_plain(loop) && n->arbitration == ARBITRATION_ROUND_ROBIN && !n->credits_any &&
		    packet_takes_from_older(n, l, (unsigned)slot, now))
			continue;
		if (one_packet(n, loop)) {
			enum packet_input_answer answer = packet_ask_input(n, l, (unsigned)slot, now, &choice.again);

			if (answer == INPUT_BOOKED)
				return choice;
			if (answer == INPUT_NO) {
				claimed |= vc;
				continue;
			}
			if (claimed)
				packet_passed_over(n, l, (unsigned)slot, now);
		}
		choice.slot = slot;
		break;
	}
	return choice;
}

/* classes.c: the same, class by class. */
struct choice packet_choose_by_class(struct net_engine *n, const struct packet_link *link, struct packet_vc *vcs,
				     int64_t now);

/* Arbitrates `link`, whose VC rows begin at `vcs`. */
INLINE struct choice choose_candidate(struct net_engine *n, const struct packet_link *link, struct packet_vc *vcs,
				      int64_t now, enum packet_loop loop)
{
	vcs->starved = 0;
	if (is_default(loop))
		return choose_oldest(n, link, vcs, now, loop);
	if (!is_plain(loop) && n->classes > 1 && link->role == LINK_ROUTERS)
		return packet_choose_by_class(n, link, vcs, now);
	return choose_in_order(n, link, vcs, now, -1, loop);
}

#endif
