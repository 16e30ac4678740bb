/*
 * A partition of the network, where several processes have one each. Hosts add times at a message's ends, so the window
 * is that of the engine below; a message from another process gets its row when that engine needs an id for it.
 */
#include "protocol_state.h"

#include <string.h>

static const char *protocol_whole(const struct net_engine *n, const uint16_t *owner)
{
	return n->kind->partitions->whole(n->below, owner);
}

/* Gives the engine below its id of a message that was sent in another process. */
static int protocol_name(void *user, const struct net_message *m, uint32_t *id, struct err *e)
{
	struct net_engine *n = user;
	struct net_message named = *m;

	if (n->partition.name(n->partition.user, m, &named.id, e) < 0)
		return -1;
	*id = protocol_take_row(n, &named, e);
	if (!*id)
		return -1;
	n->rows.at[*id].sent = true;
	return 0;
}

static void *protocol_put(void *user, unsigned to, int64_t time_ps, size_t bytes)
{
	const struct net_engine *n = user;

	return n->partition.put(n->partition.user, to, time_ps, bytes);
}

static int protocol_divide(struct net_engine *n, const struct net_partition *partition, struct err *e)
{
	struct net_partition below = *partition;

	n->divided = true;
	n->partition = *partition;
	below.put = protocol_put;
	below.name = protocol_name;
	below.user = n;
	return n->kind->partitions->divide(n->below, &below, e);
}

static void protocol_offer(struct net_engine *n, int64_t least[2])
{
	n->kind->partitions->offer(n->below, least);
}

static int64_t protocol_width(struct net_engine *n, int64_t begin, const int64_t least[2])
{
	return n->kind->partitions->width(n->below, begin, least);
}

static uint64_t protocol_engine_events(const struct net_engine *n)
{
	return n->kind->partitions->events(n->below);
}

static int64_t protocol_next(const struct net_engine *n)
{
	int64_t below = n->kind->partitions->next(n->below),
		own = n->events.count ? n->events.at[0].time_ps : NET_TIME_NEVER;

	return below < own ? below : own;
}

static int protocol_take(struct net_engine *n, unsigned from, const void *records, size_t bytes, struct err *e)
{
	return n->kind->partitions->take(n->below, from, records, bytes, e);
}

/* ---- counters: those of the hosts, then those of the engine below, whose size differs between processes ---- */

static size_t protocol_put_counts(const struct net_engine *n, void *out)
{
	if (out)
		memcpy(out, &n->counts, sizeof(n->counts));
	return sizeof(n->counts) + n->kind->partitions->counts(n->below, out ? (char *)out + sizeof(n->counts) : NULL);
}

static void protocol_add_counts(struct net_engine *n, unsigned from, const void *counts)
{
	struct protocol_counts c;

	memcpy(&c, counts, sizeof(c));
	n->kind->partitions->add_counts(n->below, from, (const char *)counts + sizeof(c));
	for (unsigned w = 0; w < PROTOCOL_WHERES; w++) {
		n->counts.messages[w] += c.messages[w];
		n->counts.waited[w] += c.waited[w];
		n->counts.beyond[w] += c.beyond[w];
		n->counts.waited_ps[w] += c.waited_ps[w];
		n->counts.delayed_ps[w] += c.delayed_ps[w];
		if (c.longest[w] > n->counts.longest[w])
			n->counts.longest[w] = c.longest[w];
	}
}

const struct net_engine_partitions protocol_engine_partitions = {
	.whole = protocol_whole,
	.divide = protocol_divide,
	.offer = protocol_offer,
	.width = protocol_width,
	.events = protocol_engine_events,
	.next = protocol_next,
	.take = protocol_take,
	.counts = protocol_put_counts,
	.add_counts = protocol_add_counts,
};
