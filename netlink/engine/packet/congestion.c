/*
 * Congestion control at the ends: a window on the bytes that a NIC has under way to a node, which marks make smaller.
 * The rule is DCTCP's (M. Alizadeh et al., SIGCOMM 2010; RFC 8257). A packet is marked if the queue of its output is
 * longer than router.mark when it joins it. A NIC averages the share of marked bytes of rounds, each as long as what
 * is under way at its begin needs. It takes half of that average off its window when a mark comes back, once a round
 * trip, and adds a packet after a round without marks.
 *
 * An acknowledgement is no packet. It leaves when its packet is in memory, and takes the time of a head over the idle
 * path back. Handshakes with a queue of their own (nic.control = own) have no window.
 */
#include <stdlib.h>

#include "../../../psim/base/heap.h"
#include "../../../psim/base/mem.h"
#include "../../topology/down.h"
#include "../../topology/topology_names.h"
#include "packet_state.h"

enum { PAIRS_FIRST = 64, PATH_FIRST = 128 };

/* A NIC and a node to which it sends. Its bytes count whole flits, with headers. */
struct packet_pair {
	uint32_t link, dst; /* injection link of the NIC */
	int64_t back_ps;    /* time of an acknowledgement */
	uint64_t sent, acknowledged;
	uint64_t round;                      /* the round ends when so many bytes are acknowledged */
	uint64_t round_acknowledged, marked; /* bytes in this round */
	uint64_t cut;         /* bytes sent before the last cut: until they are acknowledged none follows */
	double window, share; /* bytes; average share of marked bytes */
};

struct packet_ack {
	int64_t time;
	uint64_t order;
	uint32_t pair, bytes;
	bool marked;
};

struct packet_congestion {
	struct vec_of(struct packet_pair) pairs;
	uint32_t *at, mask;                    /* hash table: 1 + index of a pair, or 0 */
	struct vec_of(struct packet_ack) acks; /* a heap */
	uint64_t acks_made, marked, cuts;
	double least; /* the smallest window so far */
	uint32_t queue_most, queue_link;
};

static bool congestion_sooner(const struct packet_ack *a, const struct packet_ack *b)
{
	return a->time != b->time ? a->time < b->time : a->order < b->order;
}

HEAP(acks, struct packet_ack, congestion_sooner)

int packet_congestion_begin(struct net_engine *n, struct err *e)
{
	if (!n->config->nic.window)
		return 0;
	n->congestion = mem_alloc(1, sizeof(*n->congestion), e);
	if (!n->congestion)
		return -1;
	n->congestion->least = (double)n->config->nic.window;
	return 0;
}

void packet_congestion_destroy(struct packet_congestion *c)
{
	if (!c)
		return;
	vec_finish(&c->pairs);
	vec_finish(&c->acks);
	free(c->at);
	free(c);
}

/* ---- pairs ---- */

/* The place of a pair in the table, or an empty one. */
static uint32_t pair_place(const struct packet_congestion *c, uint32_t link, uint32_t dst)
{
	uint32_t i = (uint32_t)(((uint64_t)link << 32 | dst) * UINT64_C(0x9e3779b97f4a7c15) >> 32) & c->mask;

	while (c->at[i] && (c->pairs.at[c->at[i] - 1].link != link || c->pairs.at[c->at[i] - 1].dst != dst))
		i = (i + 1) & c->mask;
	return i;
}

/* Makes room for one more pair. */
static bool pair_reserve(struct packet_congestion *c)
{
	uint32_t room = c->at ? c->mask + 1 : 0, *old = c->at;

	if (2 * (c->pairs.count + 1) <= room)
		return true;
	room = room ? 2 * room : PAIRS_FIRST;
	c->at = mem_alloc(room, sizeof(*c->at), NULL);
	if (!c->at) {
		c->at = old;
		return false;
	}
	free(old);
	c->mask = room - 1;
	for (uint32_t i = 0; i < c->pairs.count; i++)
		c->at[pair_place(c, c->pairs.at[i].link, c->pairs.at[i].dst)] = i + 1;
	return true;
}

/* Returns the time of a head over the idle path from node `from` to node `to`; -1: memory is short. */
static int64_t idle_time(const struct net_engine *n, uint32_t from, uint32_t to)
{
	unsigned room = PATH_FIRST, count = 0;
	uint32_t *links = NULL;
	int64_t sum = 0;

	while (!count) {
		free(links);
		links = mem_alloc(room, sizeof(*links), NULL);
		if (!links)
			return -1;
		count = topology_path(n->t, from, to, 0, links, room);
		room *= 2;
	}
	for (unsigned i = 0; i < count; i++)
		sum += n->kind[n->link[links[i]].kind].delay;
	free(links);
	return sum;
}

/* Returns the pair of message `m`; NULL: memory is short. */
static struct packet_pair *congestion_pair(struct net_engine *n, const struct packet_message *m)
{
	struct packet_congestion *c = n->congestion;
	uint32_t link = n->t->inject[(size_t)m->src * n->nics + (uint32_t)m->nic], place;
	struct packet_pair *pair;
	int64_t back;

	if (!pair_reserve(c)) {
		n->short_of_memory = true;
		return NULL;
	}
	place = pair_place(c, link, m->dst);
	if (c->at[place])
		return &c->pairs.at[c->at[place] - 1];
	back = idle_time(n, m->dst, m->src);
	pair = back < 0 ? NULL : vec_push(&c->pairs, NULL);
	if (!pair) {
		n->short_of_memory = true;
		return NULL;
	}
	/* the average begins at 1 (RFC 8257, 3.3) */
	*pair = (struct packet_pair){
		.link = link, .dst = m->dst, .back_ps = back, .window = (double)n->config->nic.window, .share = 1};
	c->at[place] = (uint32_t)c->pairs.count;
	return pair;
}

/* ---- sending ---- */

/* Returns whether the next packet of message `i` may go: one may always be under way. */
static bool window_is_open(struct net_engine *n, uint32_t i)
{
	const struct packet_message *m = MESSAGE(n, i);
	const struct packet_pair *pair = congestion_pair(n, m);
	uint64_t room = n->config->nic.mtu - n->config->nic.header, payload = m->left < room ? m->left : room;
	uint64_t bytes = packet_wire_bytes(n, payload + n->config->nic.header), under_way;

	if (!pair)
		return false;
	under_way = pair->sent - pair->acknowledged;
	return !under_way || (double)(under_way + bytes) <= pair->window;
}

uint32_t packet_window_turn(struct net_engine *n, struct packet_nic *nic)
{
	uint32_t begin = nic->first;

	do {
		uint32_t i = nic->first;

		if (window_is_open(n, i))
			return i;
		if (!n->in_turn || i == nic->last)
			return 0;
		nic->first = MESSAGE(n, i)->next;
		MESSAGE(n, i)->next = 0;
		MESSAGE(n, nic->last)->next = i;
		nic->last = i;
	} while (nic->first != begin);
	return 0;
}

void packet_window_sent(struct net_engine *n, const struct packet_message *m, uint32_t bytes)
{
	struct packet_pair *pair = congestion_pair(n, m);

	if (pair)
		pair->sent += bytes;
}

/* ---- queues ---- */

void packet_queue_grew(struct net_engine *n, struct packet *packet)
{
	struct packet_congestion *c = n->congestion;
	uint32_t queued = n->rare[packet->out].queued;

	if (queued > c->queue_most) {
		c->queue_most = queued;
		c->queue_link = packet->out;
	}
	if (n->config->router.mark && queued > n->config->router.mark && !packet->marked) {
		packet->marked = true;
		c->marked++;
	}
}

/* ---- acknowledgements ---- */

void packet_acknowledge(struct net_engine *n, const struct packet *packet, const struct packet_message *m, int64_t end)
{
	struct packet_congestion *c = n->congestion;
	const struct packet_pair *pair = congestion_pair(n, m);
	struct packet_ack ack;

	if (!pair || vec_reserve(&c->acks, 1, NULL) < 0) {
		n->short_of_memory = true;
		return;
	}
	ack = (struct packet_ack){.time = end + pair->back_ps,
				  .order = (uint64_t)pair->link << 32 | (c->acks_made++ & UINT32_MAX),
				  .pair = (uint32_t)(pair - c->pairs.at),
				  .bytes = packet->bytes,
				  .marked = packet->marked};
	acks_push(c->acks.at, c->acks.count++, ack);
	packet_event(n, ack.time, EVENT_ACK, pair->link);
}

static void set_window(const struct net_engine *n, struct packet_pair *pair, double window)
{
	double least = n->mtu_wire, most = (double)n->config->nic.window;

	pair->window = window < least ? least : window > most ? most : window;
	if (pair->window < n->congestion->least)
		n->congestion->least = pair->window;
}

/* The first mark since what was under way at the last cut is acknowledged: half of the average off the window. */
static void cut_window(const struct net_engine *n, struct packet_pair *pair)
{
	set_window(n, pair, pair->window * (1 - pair->share / 2));
	pair->cut = pair->sent;
	n->congestion->cuts++;
}

/* The end of a round: its share of marked bytes counts; a packet more if none was marked. */
static void end_round(const struct net_engine *n, struct packet_pair *pair)
{
	double share = (double)pair->marked / (double)pair->round_acknowledged;

	pair->share += n->config->nic.window_gain * (share - pair->share);
	if (!pair->marked)
		set_window(n, pair, pair->window + n->mtu_wire);
	pair->round = pair->sent;
	pair->round_acknowledged = pair->marked = 0;
}

void packet_acknowledged(struct net_engine *n, uint32_t l, int64_t now)
{
	struct packet_congestion *c = n->congestion;
	struct packet_ack ack = acks_pop(c->acks.at, c->acks.count--);
	struct packet_pair *pair = &c->pairs.at[ack.pair];

	if (ack.time != now || pair->link != l)
		bug("an acknowledgement of link %u in the event of link %u", (unsigned)pair->link, (unsigned)l);
	pair->acknowledged += ack.bytes;
	pair->round_acknowledged += ack.bytes;
	pair->marked += ack.marked ? ack.bytes : 0;
	if (ack.marked && pair->acknowledged > pair->cut)
		cut_window(n, pair);
	if (n->config->router.mark && pair->acknowledged >= pair->round)
		end_round(n, pair);
	packet_wake(n, l, now);
}

/* ---- report ---- */

void packet_congestion_report(const struct net_engine *n, struct report *r)
{
	const struct packet_congestion *c = n->congestion;
	char name[LINK_NAME_MAX] = "none";
	double sum = 0;

	for (size_t i = 0; i < c->pairs.count; i++)
		sum += c->pairs.at[i].window;
	report_group(r, "congestion", "windows of the packet engine, and queues");
	report_u64(r, "pairs", c->pairs.count, "", "pairs of a NIC and a node to which it sends, each with a window");
	report_u64(r, "marked", c->marked, "packets", "packets that joined a queue longer than router.mark");
	report_u64(r, "cuts", c->cuts, "", "times that a window became smaller");
	report_f64(r, "window_mean", c->pairs.count ? sum / (double)c->pairs.count : 0, "bytes",
		   "window at the end, mean of the pairs");
	report_f64(r, "window_least", c->least, "bytes", "the smallest window of the run");
	report_u64(r, "queue_most", c->queue_most, "bytes", "the longest queue of an output: packets that wait for it");
	report_text(r, "queue_link", c->queue_most ? topology_link_name(n->t, c->queue_link, name) : name,
		    "link with that queue");
	report_end(r);
}
