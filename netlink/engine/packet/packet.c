/* The engine's interface: sending, advancing, notices. */
#include "packet.h"

#include <inttypes.h>
#include <stdlib.h>

#include "../../../psim/base/mem.h"
#include "packet_partitions.h"

enum { CHECK_EVENTS = 1000 }; /* --check: minimum of events between two checks */

static void packet_engine_destroy(struct net_engine *n)
{
	if (!n)
		return;
	calendar_finish(&n->calendar);
	for (unsigned i = 0; i < n->arrays; i++)
		free(n->memory[i]);
	free(n->packets.memory);
	free(n->messages.memory);
	free(n->credits.memory);
	free(n->routes.memory);
	free(n->paths.memory);
	free(n->notices.at);
	free(n->connections.at);
	vec_finish(&n->due);
	vec_finish(&n->late);
	net_changes_finish(&n->changes);
	packet_partitions_destroy(n->divided);
	packet_congestion_destroy(n->congestion);
	free(n);
}

static struct net_engine *packet_engine_create(const struct net_setup *setup, struct err *e)
{
	struct net_engine *n = mem_alloc(1, sizeof(*n), e);

	if (!n)
		return NULL;
	n->t = setup->topology;
	n->config = setup->config;
	n->log = setup->log;
	n->sample_at = n->log ? net_log_next_sample(n->log) : NET_TIME_NEVER;
	n->loads = setup->loads;
	n->log_packets = n->log && net_log_wants_packets(n->log);
	n->watches = n->log_packets || n->loads;
	n->seed = setup->seed;
	n->check = setup->check;
	n->shuffle = setup->shuffle;
	n->bytes_fixed = sizeof(*n);
	if (net_changes_begin(&n->changes, setup->changes, e) < 0 || packet_congestion_begin(n, e) < 0 ||
	    packet_layout(n, e) < 0) {
		packet_engine_destroy(n);
		return NULL;
	}
	/* so that checks take a few times as long as the run itself */
	n->check_every = setup->check ? CHECK_EVENTS + n->t->links / 4 * n->vcs : UINT64_MAX;
	n->check_at = n->check_every;
	return n;
}

static int packet_memory(const struct net_engine *n, struct err *e)
{
	if (n->lost.status) {
		if (e)
			*e = n->lost;
		return -1;
	}
	if (n->short_of_memory || n->calendar.short_of_memory)
		return mem_short(e);
	return 0;
}

static int packet_engine_send(struct net_engine *n, int64_t time_ps, const struct net_message *m, struct err *e)
{
	uint64_t room = n->config->nic.mtu - n->config->nic.header;
	uint64_t packets = m->bytes ? (m->bytes + room - 1) / room : 1;
	uint32_t i;

	if (time_ps < n->present)
		bug("a message for %" PRId64 " ps when it is %" PRId64 " ps", time_ps, n->present);
	if (m->src >= n->t->nodes || m->dst >= n->t->nodes || m->nic >= (int32_t)n->nics || m->nic < NET_NIC_ANY ||
	    m->class >= n->classes)
		bug("a message from node %" PRIu32 " NIC %" PRId32 " to %" PRIu32, m->src, m->nic, m->dst);
	if (packets > UINT32_MAX)
		return err_set(e, STATUS_FAILED, "a message of %" PRIu64 " bytes, expected at most 2^32 packets",
			       m->bytes);
	i = packet_pool_take(n, &n->messages);
	if (!i)
		return mem_short(e);
	if (i >> INDEX_BITS)
		return err_set(e, STATUS_FAILED, "too many concurrent messages, expected at most 2^%d", INDEX_BITS);
	*MESSAGE(n, i) = (struct packet_message){
		.left = m->bytes,
		.bytes = m->bytes,
		.gap = m->gap_ps,
		.begin = time_ps,
		.id = m->id,
		.src = m->src,
		.dst = m->dst,
		.nic = m->nic,
		.packets = (uint32_t)packets,
		.order = n->node[m->src].sent++,
		.control = m->control,
		.class = m->class,
		.from = m->from,
		.to = m->to,
		.mark = m->mark,
	};
	if (n->divided && n->divided->partition.owner[m->dst] != n->divided->partition.me)
		MESSAGE(n, i)->packets++; /* the row stays until NET_SENT */
	n->total.messages++;
	if (!packet_send_at(n, i, time_ps))
		return mem_short(e);
	return packet_memory(n, e);
}

/* With no message in flight there will be no notice; wake-ups of idle links produce none. */
static int64_t packet_engine_next_time(const struct net_engine *n)
{
	int64_t next;

	if (n->notices.given < n->notices.count)
		return n->notices.at[n->notices.given].time_ps;
	if (n->total.messages == n->total.messages_done)
		return NET_TIME_NEVER;
	next = calendar_time(&n->calendar);
	next = n->changes.next_ps < next ? n->changes.next_ps : next; /* packets may go on elsewhere */
	return next > n->present && next < NET_TIME_NEVER ? next : n->present;
}

static void add_notice(struct net_engine *n, int64_t now, uint32_t i, enum net_notice_kind kind)
{
	struct packet_notices *notices = &n->notices;

	if (notices->count == notices->room) {
		uint32_t room = notices->room ? 2 * notices->room : 64;
		struct net_notice *at = mem_resize(notices->at, room, sizeof(*at), NULL);

		if (!at) {
			n->short_of_memory = true;
			return;
		}
		notices->at = at;
		notices->room = room;
	}
	notices->at[notices->count++] = (struct net_notice){.time_ps = now, .id = MESSAGE(n, i)->id, .kind = kind};
}

const struct net_message *packet_as_sent(const struct packet_message *m, struct net_message *out)
{
	*out = (struct net_message){.id = m->id,
				    .src = m->src,
				    .dst = m->dst,
				    .nic = m->nic,
				    .bytes = m->bytes,
				    .gap_ps = m->gap,
				    .control = m->control,
				    .class = m->class,
				    .from = m->from,
				    .to = m->to,
				    .mark = m->mark};
	return out;
}

void packet_sent(struct net_engine *n, int64_t now, uint32_t node)
{
	uint32_t i = packet_take_ending(n, node, NET_SENT);

	add_notice(n, now, i, NET_SENT);
	if (n->divided && n->divided->partition.owner[MESSAGE(n, i)->dst] != n->divided->partition.me)
		packet_message_left(n, i);
}

void packet_delivered(struct net_engine *n, int64_t now, uint32_t node)
{
	uint32_t i = packet_take_ending(n, node, NET_DELIVERED);
	const struct packet_message *m = MESSAGE(n, i);

	add_notice(n, now, i, NET_DELIVERED);
	if (n->log)
		net_log_delivered(n->log, now, packet_log_key(m), packet_as_sent(m, &(struct net_message){0}));
	n->message_latency[packet_latency_class(now - m->begin)]++;
	n->latency_sum += (uint64_t)(now - m->begin);
	if (now - m->begin > n->latency_most)
		n->latency_most = now - m->begin;
	n->last_delivery = now;
	n->total.messages_done++;
	if (m->foreign)
		packet_partitions_forget(n, m);
	packet_pool_give(&n->messages, i);
}

/* Returns pending notices and their number. */
static int give(struct net_engine *n, struct net_notice *out, unsigned max)
{
	unsigned count = 0;

	while (count < max && n->notices.given < n->notices.count)
		out[count++] = n->notices.at[n->notices.given++];
	return (int)count;
}

/* Runs to `until`, or to the first instant with notices, with the changes of the network up to then. */
static int run_with_changes(struct net_engine *n, int64_t until, struct err *e)
{
	while (n->changes.next_ps <= until) {
		int64_t change = n->changes.next_ps;

		if (change > 0 && packet_run(n, change - 1, e) < 0)
			return -1;
		if (n->notices.count || n->lost.status)
			return 0;
		n->present = change;
		if (packet_change(n, e) < 0)
			return -1;
	}
	return n->lost.status ? 0 : packet_run(n, until, e);
}

static int packet_engine_advance(struct net_engine *n, int64_t until_ps, struct net_notice *out, unsigned max,
				 struct err *e)
{
	int64_t until = until_ps < PACKET_TIME_MOST ? until_ps : PACKET_TIME_MOST, next;
	int given = give(n, out, max);

	if (given)
		return given;
	n->notices.count = n->notices.given = 0;
	if (run_with_changes(n, until, e) < 0 || packet_memory(n, e) < 0)
		return -1;
	if (n->notices.count)
		return give(n, out, max);
	next = until < until_ps ? calendar_time(&n->calendar) : NET_TIME_NEVER;
	if (next != NET_TIME_NEVER)
		return err_set(
			e, STATUS_FAILED,
			"packet engine: traffic at %.6g s, expected at most %.6g s: flow and linear have later times",
			(double)next / 1e12, (double)PACKET_TIME_MOST / 1e12);
	if (!n->divided && calendar_time(&n->calendar) == NET_TIME_NEVER && n->total.messages != n->total.messages_done)
		return packet_stuck(n, e);
	if (until_ps != NET_TIME_NEVER)
		n->present = until_ps;
	return 0;
}

static int packet_engine_verify(const struct net_engine *n, struct err *e)
{
	return packet_verify(n, e);
}

struct net_packet_counts net_packet_counts(const struct net_engine *n)
{
	struct net_packet_counts counts = {
		.packets = n->total.packets_made,
		.events = n->total.events,
		.tries = n->total.tries,
		.bytes_fixed = n->bytes_fixed,
		.packets_most = n->packets.used_most,
		.messages_most = n->messages.used_most,
	};
	double links = 0;
	const struct packet_pool *pools[] = {&n->packets, &n->messages, &n->credits, &n->routes, &n->paths};

	for (uint32_t l = 0; l < n->t->links; l++) {
		counts.hops += n->link[l].carried.packets;
		if (n->link[l].role != LINK_ROUTERS)
			continue;
		links++;
		counts.router_hops += n->link[l].carried.packets;
		counts.router_links_busy += (double)n->link[l].carried.busy_ps;
	}
	if (links > 0 && n->last_delivery > 0)
		counts.router_links_busy /= links * (double)n->last_delivery;
	for (size_t i = 0; i < sizeof(pools) / sizeof(pools[0]); i++)
		counts.bytes_packets += (uint64_t)pools[i]->count * pools[i]->size;
	counts.bytes_packets += calendar_bytes(&n->calendar);
	return counts;
}

static void packet_engine_carried(const struct net_engine *n, double *bytes)
{
	for (uint32_t l = 0; l < n->t->links; l++)
		bytes[l] = (double)n->link[l].carried.bytes;
}

const struct net_engine_kind net_packet = {
	.name = "packet",
	.doc = "packets compete for links and buffers: virtual cut-through with credits",
	.links = true,
	.create = packet_engine_create,
	.destroy = packet_engine_destroy,
	.send = packet_engine_send,
	.next_time = packet_engine_next_time,
	.advance = packet_engine_advance,
	.report = packet_report,
	.verify = packet_engine_verify,
	.carried = packet_engine_carried,
	.partitions = &packet_partitions,
};
