/* The engine's interface: messages in, time on, notices out. */
#include "packet.h"

#include <inttypes.h>
#include <stdlib.h>

#include "../../../psim/base/mem.h"
#include "state.h"

static void destroy(struct net_engine *n)
{
	if (!n)
		return;
	schedule_finish(&n->schedule);
	free(n->link);
	free(n->vc);
	free(n->candidate);
	free(n->mask);
	free(n->input_free);
	free(n->queue);
	free(n->slot_port);
	free(n->nic);
	free(n->node);
	free(n->packets.at);
	free(n->messages.at);
	free(n->credits.at);
	free(n->routes.at);
	free(n->ways.at);
	free(n->notices.at);
	free(n);
}

static struct net_engine *create(const struct net_setup *setup, struct err *e)
{
	struct net_engine *n = mem_alloc(1, sizeof *n, e);

	if (!n)
		return NULL;
	n->t = setup->topology;
	n->config = setup->config;
	n->log = setup->log;
	n->sample_at = n->log ? net_log_next_sample(n->log) : NET_TIME_NEVER;
	n->log_packets = n->log && net_log_wants_packets(n->log);
	n->seed = setup->seed;
	n->check = setup->check;
	n->bytes_fixed = sizeof *n;
	if (packet_layout(n, e) < 0) {
		destroy(n);
		return NULL;
	}
	return n;
}

static int packet_memory(const struct net_engine *n, struct err *e)
{
	if (n->short_of_memory || n->schedule.short_of_memory || n->schedule.calendar.short_of_memory)
		return mem_short(e);
	return 0;
}

static int send(struct net_engine *n, int64_t time_ps, const struct net_message *m, struct err *e)
{
	uint64_t room = n->config->nic.mtu - n->config->nic.header;
	uint64_t packets = m->bytes ? (m->bytes + room - 1) / room : 1;
	uint32_t i;

	if (time_ps < n->present)
		bug("a message for %" PRId64 " ps when it is %" PRId64 " ps", time_ps, n->present);
	if (m->src >= n->t->nodes || m->dst >= n->t->nodes || m->nic >= (int32_t)n->nics || m->nic < NET_NIC_ANY)
		bug("a message from node %" PRIu32 " NIC %" PRId32 " to %" PRIu32, m->src, m->nic, m->dst);
	if (packets > UINT32_MAX)
		return err_set(e, STATUS_FAILED, "a message of %" PRIu64 " bytes, expected at most 2^32 packets",
		               m->bytes);
	i = packet_pool_take(n, &n->messages);
	if (!i)
		return mem_short(e);
	if (i >> INDEX_BITS)
		return err_set(e, STATUS_FAILED, "more than 2^%d messages at a time", INDEX_BITS);
	*MESSAGE(n, i) = (struct packet_message){
		.left = m->bytes, .bytes = m->bytes, .gap = m->gap_ps, .begin = time_ps, .id = m->id, .src = m->src,
		.dst = m->dst, .nic = m->nic, .packets = (uint32_t)packets, .serial = n->serial++,
		.control = m->control,
	};
	n->total.messages++;
	schedule_push(&n->schedule, time_ps, event_key(EVENT_SEND, i));
	return packet_memory(n, e);
}

/* Where nothing is under way no notice comes; a look at a link that has nothing to send is no notice either. */
static int64_t next_time(const struct net_engine *n)
{
	int64_t next;

	if (n->notices.given < n->notices.count)
		return n->notices.at[n->notices.given].time_ps;
	if (n->total.messages == n->total.messages_done)
		return NET_TIME_NEVER;
	next = schedule_time(&n->schedule);
	return next < NET_TIME_NEVER ? next : n->present;
}

static void note(struct net_engine *n, int64_t now, uint32_t i, enum net_notice_kind kind)
{
	struct packet_notices *notices = &n->notices;

	if (notices->count == notices->room) {
		uint32_t room = notices->room ? 2 * notices->room : 64;
		struct net_notice *at = mem_resize(notices->at, room, sizeof *at, NULL);

		if (!at) {
			n->short_of_memory = true;
			return;
		}
		notices->at = at;
		notices->room = room;
	}
	notices->at[notices->count++] = (struct net_notice){ .time_ps = now, .id = MESSAGE(n, i)->id, .kind = kind };
}

const struct net_message *packet_as_sent(const struct packet_message *m, struct net_message *out)
{
	*out = (struct net_message){ .id = m->id, .src = m->src, .dst = m->dst, .nic = m->nic, .bytes = m->bytes,
		                     .gap_ps = m->gap, .control = m->control };
	return out;
}

static void delivered(struct net_engine *n, int64_t now, uint32_t i)
{
	const struct packet_message *m = MESSAGE(n, i);

	note(n, now, i, NET_DELIVERED);
	if (n->log)
		net_log_delivered(n->log, now, m->serial, packet_as_sent(m, &(struct net_message){ 0 }));
	n->message_latency[packet_latency_class(now - m->begin)]++;
	n->latency_sum += now - m->begin;
	if (now - m->begin > n->latency_most)
		n->latency_most = now - m->begin;
	n->last_delivery = now;
	n->total.messages_done++;
	packet_pool_give(&n->messages, i);
}

static void take_event(struct net_engine *n, uint32_t key, int64_t now)
{
	uint32_t index = key & ((UINT32_C(1) << INDEX_BITS) - 1);

	n->total.events++;
	switch ((enum event_kind)(key >> INDEX_BITS)) {
	case EVENT_ARRIVE: packet_arrive(n, index, now); break;
	case EVENT_SEND: packet_send(n, index, now); break;
	case EVENT_TRY:
		if (n->link[index].wake_at != now) /* it was looked at before */
			break;
		n->link[index].wake_at = NET_TIME_NEVER;
		packet_try(n, index, now);
		break;
	case EVENT_SENT: note(n, now, index, NET_SENT); break;
	case EVENT_DELIVERED: delivered(n, now, index); break;
	default: bug("event %" PRIx32, key);
	}
}

/* Fetches the rows of link `l` into the cache: a big network's are not there. */
static inline void fetch_link(const struct net_engine *n, uint32_t key)
{
	uint32_t l = key & ((UINT32_C(1) << INDEX_BITS) - 1);

	if (key >> INDEX_BITS != EVENT_TRY)
		return;
	__builtin_prefetch(&n->link[l]);
	__builtin_prefetch((const char *)&n->link[l] + 64);
	__builtin_prefetch(&n->vc[(size_t)l * n->vcs]);
}

/* The same for what a try of a link looks at: its row is in the cache by now. */
static inline void fetch_candidates(const struct net_engine *n, uint32_t key)
{
	const struct packet_link *link = &n->link[key & ((UINT32_C(1) << INDEX_BITS) - 1)];

	if (key >> INDEX_BITS != EVENT_TRY || link->role == LINK_INJECT)
		return;
	__builtin_prefetch(&n->mask[link->mask]);
	__builtin_prefetch(&n->input_free[link->in_first]);
	for (unsigned slot = 0; slot < link->slots && slot < 32; slot += 8)
		__builtin_prefetch(&n->candidate[link->candidates + slot]);
}

/* Looks some events ahead: in this instant, and in the lines of the schedule. */
static void look_ahead(const struct net_engine *n)
{
	const struct schedule *s = &n->schedule;

	if (s->key_at + 8 < s->key_count) {
		fetch_link(n, s->key[s->key_at + 8]);
		fetch_candidates(n, s->key[s->key_at + 3]);
		return;
	}
	for (unsigned k = 0; k < SCHEDULE_LINES; k++) {
		const struct event_line *line = &s->line[k];

		if (line->count > 4) {
			fetch_link(n, line->at[(line->first + 4) & (line->room - 1)].key);
			fetch_candidates(n, line->at[(line->first + 1) & (line->room - 1)].key);
		}
	}
}

/* Hands out notices that wait; their number. */
static int give(struct net_engine *n, struct net_notice *out, unsigned max)
{
	unsigned count = 0;

	while (count < max && n->notices.given < n->notices.count)
		out[count++] = n->notices.at[n->notices.given++];
	return (int)count;
}

static int advance(struct net_engine *n, int64_t until_ps, struct net_notice *out, unsigned max, struct err *e)
{
	int64_t next;
	int given = give(n, out, max);

	if (given)
		return given;
	n->notices.count = n->notices.given = 0;
	while (!n->notices.count && (next = schedule_time(&n->schedule)) <= until_ps && next < NET_TIME_NEVER) {
		while (n->sample_at < next)
			packet_sample(n);
		n->present = next;
		schedule_begin(&n->schedule, next);
		while (schedule_more(&n->schedule)) {
			if (n->big)
				look_ahead(n);
			take_event(n, schedule_pop(&n->schedule), next);
		}
	}
	if (packet_memory(n, e) < 0)
		return -1;
	if (n->notices.count)
		return give(n, out, max);
	if (next == NET_TIME_NEVER && n->total.messages != n->total.messages_done)
		return packet_stuck(n, e);
	if (until_ps != NET_TIME_NEVER)
		n->present = until_ps;
	return 0;
}

static int verify(const struct net_engine *n, struct err *e)
{
	return packet_verify(n, e);
}

struct net_packet_counts net_packet_counts(const struct net_engine *n)
{
	struct net_packet_counts counts = {
		.packets = n->total.packets_made, .router_hops = n->total.router_hops, .events = n->total.events,
		.tries = n->total.tries, .bytes_fixed = n->bytes_fixed, .packets_most = n->packets.used_most,
		.messages_most = n->messages.used_most,
	};
	double links = 0;
	const struct packet_pool *pools[] = { &n->packets, &n->messages, &n->credits, &n->routes, &n->ways };

	for (uint32_t l = 0; l < n->t->links; l++) {
		counts.hops += n->link[l].packets;
		if (n->link[l].role != LINK_ROUTERS)
			continue;
		links++;
		counts.router_links_busy += (double)n->link[l].busy_ps;
	}
	if (links > 0 && n->last_delivery > 0)
		counts.router_links_busy /= links * (double)n->last_delivery;
	for (size_t i = 0; i < sizeof pools / sizeof pools[0]; i++)
		counts.bytes_packets += (uint64_t)pools[i]->room * pools[i]->size;
	for (unsigned k = 0; k < SCHEDULE_LINES; k++)
		counts.bytes_packets += (uint64_t)n->schedule.line[k].room * sizeof *n->schedule.line[k].at;
	counts.bytes_packets += (uint64_t)n->schedule.calendar.node_room * sizeof *n->schedule.calendar.node;
	return counts;
}

const struct net_engine_kind net_packet = {
	.name = "packet",
	.doc = "packets that compete for links and buffers: virtual cut-through with credits",
	.create = create,
	.destroy = destroy,
	.send = send,
	.next_time = next_time,
	.advance = advance,
	.report = packet_report,
	.verify = verify,
};
