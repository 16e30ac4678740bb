/*
 * The rows of the packet engine: links, virtual channels, candidates, NICs, packets, messages.
 * Everything is an array addressed by index; 0 is no packet, message or credit.
 *
 * A link belongs to the vertex that it leaves: that one's output. The buffer at its end, with a
 * part for each virtual channel (VC), is an input of the vertex it leads to. In a
 * router the packets that may go next are candidates, one for each (output, slot), where
 * slot = input port * vcs + vc.
 */
#ifndef PSIM_NETLINK_PACKET_STATE_H
#define PSIM_NETLINK_PACKET_STATE_H

#include "../../topology/topology.h"
#include "../config.h"
#include "../engine.h"
#include "../log.h"
#include "../schedule.h"

/* Kinds of events, in their order within an instant; the key is (kind << INDEX_BITS) + index. */
enum event_kind { EVENT_ARRIVE, EVENT_SEND, EVENT_TRY, EVENT_SENT, EVENT_DELIVERED };
enum {
	INDEX_BITS = 29,
	VC_BITS = 6, /* of a candidate's key */
	VC_MASK = (1 << VC_BITS) - 1,
	VCS_MAX = VC_MASK, /* the last one says that credit is reserved */
	VC_RESERVED = VC_MASK,
	LATENCY_CLASSES = 256,
	NIC_CONTROL_VC = 1, /* of a link from a NIC: its FIFO for control messages */
};

enum link_role { LINK_INJECT, LINK_ROUTERS, LINK_EJECT };

struct packet_link {
	_Alignas(16) int64_t free_at; /* when the output is free; 16: rows of 128 bytes */
	int64_t wake_at;  /* when it will be looked at next; NET_TIME_NEVER if not */
	uint64_t rate;    /* ps a byte, in 65536ths */
	int64_t delay;    /* from the start of the head to when it is ready at the other end */
	uint32_t first, last; /* packets under way, in order */
	uint32_t candidates;  /* where its row of candidates begins */
	uint32_t mask;        /* and its words of the bit map of slots that have one */
	uint16_t words, slots;
	uint8_t role;
	bool starved;     /* a candidate waits for credit that nothing under way will bring */
	uint16_t in_turn; /* slot that was served last (round robin) */
	uint16_t nic;     /* of links to and from nodes: number of the NIC */
	uint32_t to;      /* vertex */
	uint16_t in_slot; /* of its VC 0 there */
	uint16_t class;
	uint32_t in_port; /* row of that input port, in input_free */
	uint32_t in_first; /* row of the first input port of the router that it leaves */
	int64_t credit_delay; /* from the other end back */
	uint32_t queued;  /* bytes of packets that wait for it */
	int64_t busy_ps;
	uint64_t bytes, packets;
};

struct packet_vc {
	int64_t credit;   /* bytes free behind the link, those that come back later aside */
	int64_t back_at;  /* when the next ones come back; NET_TIME_NEVER: none do */
	uint32_t back;    /* bytes */
	uint32_t more;    /* list of those behind them */
};
struct packet_credit {
	int64_t time;
	uint32_t bytes, next;
};

/* A packet that may go next, and with router.queues = per_output those behind it. */
struct packet_candidate {
	int64_t key; /* the less the sooner, in the upper bits; the VC it goes to in the lower VC_BITS */
	int64_t ready; /* when its head is ready here */
	uint32_t first, last;
};
struct packet_queue { /* a buffer with router.queues = per_vc */
	uint32_t first, last;
};

struct packet {
	int64_t ready; /* when its head is ready here */
	int64_t tail;  /* when its end is */
	int64_t born;
	uint32_t next;
	uint32_t message;
	uint32_t out;    /* link it waits for */
	uint32_t bytes;  /* on the link: whole flits */
	uint8_t vc;      /* of the link it came by; in a router, of that it goes to */
	bool reserved;   /* it has its credit already */
	uint16_t step;   /* of its message's way */
	uint32_t route;  /* row of its own route, where ways are not fixed */
};

struct packet_message {
	uint64_t left;     /* payload that is not in a packet yet */
	int64_t gap;
	int64_t begin;     /* when it was sent */
	int64_t end;       /* when what came of it is in memory */
	uint32_t id, src, dst, next;
	uint32_t packets;  /* not yet arrived */
	uint32_t way;      /* row of its way, while packets take it */
	uint32_t serial;   /* for random ways */
	int32_t nic;
	bool control;
	uint64_t bytes;
};

struct packet_nic { /* [node * nics + nic], like topology->inject */
	uint32_t first, last; /* messages to send */
	uint32_t control_first, control_last; /* and with nic.control = own those of handshakes */
	int64_t ready_at;     /* pacing: no packet before */
	uint64_t waiting;     /* bytes not yet in packets */
	uint64_t packets;     /* received */
};

struct packet_node {
	int64_t read_free, write_free; /* memory */
	uint32_t in_turn;              /* NIC of the last message that named none */
};

/* A list of free rows in an array that grows. */
struct packet_pool {
	void *at;
	uint32_t free, count, room, used, used_most;
	uint32_t size;
};

struct packet_totals {
	uint64_t events, tries, router_hops, packets_made, packets_done, messages, messages_done;
	uint64_t bytes_made, bytes_done; /* payload */
	uint64_t wire_made, wire_done; /* header and whole flits included */
};

struct net_engine {
	const struct topology *t;
	const struct net_config *config;
	struct net_log *log;
	int64_t sample_at;   /* the log's next sample; NET_TIME_NEVER */
	bool log_packets;
	uint64_t seed;
	bool control_own; /* NICs send handshakes from VC 1 of their link */
	bool check, one_packet, per_vc, short_of_memory;
	bool fixed_ways; /* one way between two nodes: planned once a message */
	bool big;        /* more than the cache holds: worth looking ahead */
	bool no_choice;  /* ways do not depend on traffic: nothing has to happen when a packet arrives */
	unsigned arbitration, vcs, nics;
	int64_t stages;      /* RC + VA + SA */
	int64_t buffer, fifo, receive_fifo;
	uint32_t mtu_wire;   /* of a full packet */
	uint64_t dma_rate, memory_rate;
	int64_t present;
	struct schedule schedule;

	struct packet_link *link;
	struct packet_vc *vc; /* [link * vcs + vc] */
	struct packet_candidate *candidate;
	uint64_t *mask;
	int64_t *input_free;  /* [input port of a router], rows by topology->in_first */
	struct packet_queue *queue; /* [input port * vcs + vc], with router.queues = per_vc */
	uint16_t *slot_port;  /* slot -> input port of a router */
	struct packet_nic *nic;
	struct packet_node *node;
	uint64_t bytes_fixed;

	struct packet_pool packets, messages, credits, routes, ways;
	unsigned way_steps; /* room of a way */

	struct packet_notices { struct net_notice *at; uint32_t count, given, room; } notices;
	struct packet_totals total;
	uint32_t serial;
	uint64_t message_latency[LATENCY_CLASSES], packet_latency[LATENCY_CLASSES];
	int64_t latency_most, latency_sum, packet_latency_most;
	double packet_latency_sum;
	int64_t last_delivery;
};

#define PACKET(n, i) (&((struct packet *)(n)->packets.at)[i])
#define MESSAGE(n, i) (&((struct packet_message *)(n)->messages.at)[i])
#define CREDIT(n, i) (&((struct packet_credit *)(n)->credits.at)[i])
#define ROUTE(n, i) (&((struct route *)(n)->routes.at)[i])
/* A step of a way: link << VC_BITS | vc. */
#define WAY(n, i) (&((uint32_t *)(n)->ways.at)[(size_t)(i) * (n)->way_steps])

/* A free row, 0 where memory is short (and the flag is set). */
uint32_t packet_pool_grow(struct net_engine *n, struct packet_pool *p);

static inline uint32_t packet_pool_take(struct net_engine *n, struct packet_pool *p)
{
	uint32_t i = p->free ? p->free : packet_pool_grow(n, p);

	if (i) {
		p->free = *(uint32_t *)((char *)p->at + (size_t)i * p->size);
		if (++p->used > p->used_most)
			p->used_most = p->used;
	}
	return i;
}

static inline void packet_pool_give(struct packet_pool *p, uint32_t i)
{
	*(uint32_t *)((char *)p->at + (size_t)i * p->size) = p->free;
	p->free = i;
	p->used--;
}

static inline uint32_t event_key(enum event_kind kind, uint32_t index)
{
	return (uint32_t)kind << INDEX_BITS | index;
}

/* Time on a link or in a memory. */
static inline int64_t transfer_ps(uint64_t rate, uint32_t bytes)
{
	return (int64_t)((rate * bytes + 32768) >> 16);
}

/* Has link `o` looked at, at `time` or when it is the earliest such wish. */
static inline void packet_wake(struct net_engine *n, uint32_t o, int64_t time)
{
	if (time < n->link[o].wake_at) {
		n->link[o].wake_at = time;
		schedule_push(&n->schedule, time, event_key(EVENT_TRY, o));
	}
}

/* Takes in the credits that have come back to (link, vc). */
void packet_take_credits(struct net_engine *n, struct packet_vc *v, int64_t now);
static inline int64_t packet_credit_now(struct net_engine *n, struct packet_vc *v, int64_t now)
{
	if (v->back_at <= now)
		packet_take_credits(n, v, now);
	return v->credit;
}

/* Room in the buffer behind link `l` will be free from `time` on; the credit takes its time upstream. */
void packet_return_credit(struct net_engine *n, uint32_t l, unsigned vc, uint32_t bytes, int64_t time);

/* The message as the caller sent it, into `out`; returns `out`. For the log. */
const struct net_message *packet_as_sent(const struct packet_message *m, struct net_message *out);

/* The parts of a packet's life. */
void packet_arrive(struct net_engine *n, uint32_t l, int64_t now);       /* router.c: head is ready behind link l */
void packet_try(struct net_engine *n, uint32_t l, int64_t now);          /* router.c: link l looks for a packet */
void packet_depart(struct net_engine *n, uint32_t l, uint32_t p, int64_t now, int64_t end); /* router.c */
void packet_send(struct net_engine *n, uint32_t m, int64_t now);         /* nic.c: message m goes to a NIC */
void packet_inject(struct net_engine *n, uint32_t l, int64_t now);       /* nic.c: a NIC makes a packet */
void packet_deliver(struct net_engine *n, uint32_t l, uint32_t p, int64_t now); /* nic.c: head is at its node */

/* layout.c */
/* Bytes that the buffer of (link, VC) holds. */
int64_t packet_capacity(const struct net_engine *n, uint32_t l, unsigned vc);
int packet_layout(struct net_engine *n, struct err *e);

/* stuck.c: with nothing left to happen and messages under way, who waits for whom. Returns -1. */
int packet_stuck(const struct net_engine *n, struct err *e);
/* check.c: are credits, buffers and packets what they have to be? */
int packet_verify(const struct net_engine *n, struct err *e);
/* sample.c: tells the log how things are at time `n->sample_at`, and when the next sample is due. */
void packet_sample(struct net_engine *n);
/* report.c */
void packet_report(const struct net_engine *n, struct report *r);
unsigned packet_latency_class(int64_t ps);

#endif
