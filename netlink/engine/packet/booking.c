/*
 * router.input_port = one_packet: an input that sends to one output is busy for the others. A free output grants
 * another packet meanwhile; after `router.patience` such grants it books the input's next turn and waits for it. So
 * two busy streams that a packet has to cross cannot starve it. If several outputs book one input the one with the
 * oldest packet wins. An output waits for an input only while that is busy, for the time of a packet, so bookings
 * cannot form a cycle.
 */
#include "arbiter.h"

/* The next turn of an input is decided: wakes all other outputs with a packet there at `at`. */
static void unbook(struct net_engine *n, uint32_t port, int64_t at)
{
	struct packet_booking *b = &n->booking[port];
	const struct topology *t = n->t;
	uint32_t router = t->link[b->link - 1].from;
	unsigned first = (port - t->in_first[router]) * n->vcs;

	n->books[b->link - 1] = 0;
	b->link = 0;
	for (uint32_t i = t->out_first[router]; i < t->out_first[router + 1]; i++) {
		uint32_t o = t->out_link[i];

		for (unsigned s = first; s < first + n->vcs; s++)
			if (*packet_mask(n, o, s / 64) >> s % 64 & 1)
				packet_wake(n, o, at);
	}
}

static void book(struct net_engine *n, uint32_t l, uint32_t port, int64_t key, int64_t now)
{
	struct packet_booking *b = &n->booking[port];

	if (b->link && b->link != l + 1) {
		n->books[b->link - 1] = 0;
		packet_wake(n, b->link - 1, now); /* it need not wait for this input */
	}
	if (n->books[l] && n->books[l] != port + 1)
		unbook(n, n->books[l] - 1, now);
	*b = (struct packet_booking){.key = key, .link = l + 1};
	n->books[l] = port + 1;
}

bool packet_booked_by_older(const struct net_engine *n, uint32_t l, unsigned slot)
{
	const struct packet_link *link = &n->link[l];
	const struct packet_booking *b = &n->booking[packet_port(n, l, slot)];

	return b->link && b->link != l + 1 && b->key <= n->candidate[link->candidates + slot].key;
}

enum packet_input_answer packet_ask_input(struct net_engine *n, uint32_t l, unsigned slot, int64_t now, int64_t *again)
{
	const struct packet_link *link = &n->link[l];
	uint32_t port = packet_port(n, l, slot), row = link->candidates + slot;
	int64_t free_at = n->input_free[port];
	bool theirs = n->booking[port].link && packet_booked_by_older(n, l, slot);

	if (free_at <= now)
		return theirs ? INPUT_NO : INPUT_YES; /* the output that releases the booking wakes the others */
	*again = free_at < *again ? free_at : *again;
	if (theirs || n->passed[row] < n->patience)
		return INPUT_NO;
	book(n, l, port, n->candidate[row].key, now);
	return INPUT_BOOKED;
}

/* Returns whether the ready candidate of `slot` waits for anything except credit. */
static bool only_waits_for_input(struct net_engine *n, uint32_t l, unsigned slot, int64_t now)
{
	const struct packet_link *link = &n->link[l];
	const struct packet_candidate *c = &n->candidate[link->candidates + slot];
	int64_t never = 0;

	if (n->input_free[packet_port(n, l, slot)] <= now && !packet_booked_by_older(n, l, slot))
		return false;
	return has_credit(n, &n->vc[(size_t)l * n->vcs], c, 0, now, &never, LOOP_ANY);
}

void packet_passed_over(struct net_engine *n, uint32_t l, unsigned slot, int64_t now)
{
	const struct packet_link *link = &n->link[l];
	int64_t never = 0;
	int at = -1;

	while ((at = first_ready(n, link, now, 0, at, -1, &never, LOOP_ANY)) >= 0 && at != (int)slot) {
		uint8_t *passed = &n->passed[link->candidates + (unsigned)at];

		if (*passed < UINT8_MAX && only_waits_for_input(n, l, (unsigned)at, now))
			(*passed)++;
	}
}

void packet_input_taken(struct net_engine *n, uint32_t l, uint32_t port, int64_t now, int64_t end)
{
	uint32_t holder = n->booking[port].link;

	if (n->books[l] && n->books[l] != port + 1)
		unbook(n, n->books[l] - 1, now);
	if (!holder)
		return;
	unbook(n, port, end);
	if (holder != l + 1)
		packet_wake(n, holder - 1, now);
}

/*
 * router.arbitration = round_robin, where the next in turn need not be the oldest: is there an older candidate of
 * the same VC without enough credit, which has priority for it?
 */
bool packet_takes_from_older(struct net_engine *n, uint32_t l, unsigned slot, int64_t now)
{
	const struct packet_link *link = &n->link[l];
	const struct packet_candidate *row = &n->candidate[link->candidates], *c = &row[slot];
	int64_t again = 0;
	int at = -1;

	while ((at = first_ready(n, link, now, 0, at, -1, &again, LOOP_ANY)) >= 0)
		if ((row[at].key & VC_MASK) == (c->key & VC_MASK) && row[at].key < c->key &&
		    !has_credit(n, &n->vc[(size_t)l * n->vcs], &row[at], 0, now, &again, LOOP_ANY))
			return true;
	return false;
}
