/*
 * Ends of messages. A node has a list of those whose end is known, for what it sends and for what it receives, and an
 * event for each. So events have keys of nodes, and of several messages that end at once at one node the first is the
 * one whose last packet was first to leave its NIC, or the last router: whatever rows they are in.
 */
#include "packet_state.h"

void packet_will_end(struct net_engine *n, uint32_t i, enum net_notice_kind kind)
{
	struct packet_message *m = MESSAGE(n, i);
	uint32_t node = kind == NET_SENT ? m->src : m->dst, *at;
	struct packet_endings *list = &n->node[node].endings[kind];

	packet_event(n, m->at[kind], kind == NET_SENT ? EVENT_SENT : EVENT_DELIVERED, node);
	m->then[kind] = 0;
	at = &list->first;
	if (*at && MESSAGE(n, list->last)->at[kind] <= m->at[kind])
		at = &MESSAGE(n, list->last)->then[kind];
	while (*at && MESSAGE(n, *at)->at[kind] <= m->at[kind])
		at = &MESSAGE(n, *at)->then[kind];
	m->then[kind] = *at;
	*at = i;
	if (!m->then[kind])
		list->last = i;
}

uint32_t packet_take_ending(struct net_engine *n, uint32_t node, enum net_notice_kind kind)
{
	struct packet_endings *list = &n->node[node].endings[kind];
	uint32_t i = list->first;

	list->first = MESSAGE(n, i)->then[kind];
	return i;
}
