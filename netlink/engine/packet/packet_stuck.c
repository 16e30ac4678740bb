/*
 * Deadlock: no event is left and messages are in flight. Then the first packet of every queue waits for credit of a
 * buffer whose first packet waits in turn. Following these dependences leads to a cycle, which is reported.
 */
#include <inttypes.h>
#include <stdio.h>

#include "../../topology/topology_names.h"
#include "packet_state.h"

/* The buffer of `vc` at the end of `link`. */
struct place {
	uint32_t link;
	unsigned vc;
};

/* The next packet out of a buffer, which waits for credit; 0: none. */
static uint32_t first_waiting(const struct net_engine *n, struct place at)
{
	const struct topology *t = n->t;
	const struct packet_link *in = &n->link[at.link];
	unsigned slot = in->in_slot + at.vc;

	if (in->role == LINK_EJECT || at.vc >= packet_slots(n, at.link))
		return 0;
	for (uint32_t i = t->out_first[in->to]; i < t->out_first[in->to + 1]; i++) {
		const struct packet_link *out = &n->link[t->out_link[i]];
		uint32_t p = n->candidate[out->candidates + slot].first;

		if (p && !PACKET(n, p)->reserved)
			return p;
	}
	return 0;
}

static struct place packet_stuck_wanted(const struct net_engine *n, uint32_t p)
{
	return (struct place){PACKET(n, p)->out, PACKET(n, p)->vc};
}

/* Any packet that waits in a router. */
static uint32_t any_waiting(const struct net_engine *n)
{
	for (uint32_t l = 0; l < n->t->links; l++)
		for (unsigned v = 0; v < n->vcs; v++) {
			uint32_t p = first_waiting(n, (struct place){l, v});

			if (p)
				return p;
		}
	return 0;
}

static int packet_stuck_describe(const struct net_engine *n, struct place first, uint32_t packets, struct err *e)
{
	char text[900] = "";
	size_t used = 0;
	struct place at = first;
	unsigned shown = 0, length = 0;

	do {
		uint32_t p = first_waiting(n, at);
		const struct topology_link *link = &n->t->link[at.link];
		const struct packet_message *m = MESSAGE(n, PACKET(n, p)->message);
		char name[LINK_NAME_MAX], src[ROUTER_NAME_MAX], dst[ROUTER_NAME_MAX];

		if (shown < 6 && used < sizeof(text) - 100)
			used += (size_t)snprintf(
				text + used, sizeof(text) - used,
				"%slink %s (%s) VC %u holds a packet from node %s to %s", shown++ ? "; " : "",
				topology_link_name(n->t, at.link, name), n->t->class[link->class].name, at.vc,
				topology_node_name(n->t, m->src, src), topology_node_name(n->t, m->dst, dst));
		length++;
		at = packet_stuck_wanted(n, p);
	} while (at.link != first.link || at.vc != first.vc);
	return err_set(e, STATUS_STUCK,
		       "the network is deadlocked with %" PRIu32
		       " packets: %u buffers wait for each other in a cycle: %s%s",
		       packets, length, text, shown < length ? " …" : "");
}

int packet_stuck(const struct net_engine *n, struct err *e)
{
	uint32_t p = any_waiting(n);
	struct place at = {0};

	if (!p)
		return err_set(e, STATUS_FAILED,
			       "packet engine: %" PRIu64 " messages are in flight, but no packet waits",
			       n->total.messages - n->total.messages_done);
	/* after as many steps as there are buffers it is on the cycle */
	for (uint64_t i = 0; i <= (uint64_t)n->t->links * n->vcs && p; i++) {
		at = packet_stuck_wanted(n, p);
		p = first_waiting(n, at);
	}
	if (!p)
		return err_set(e, STATUS_FAILED, "packet engine: a packet waits for link %" PRIu32 ", which is free",
			       at.link);
	return packet_stuck_describe(n, at, n->packets.used, e);
}
