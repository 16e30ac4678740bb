/*
 * The rows of the packet engine: links, virtual channels, candidates, NICs, packets, messages.
 * Everything is an array addressed by index; 0 is no packet, message or credit.
 *
 * A link belongs to the vertex that it leaves: that one's output. The buffer at its end, with a
 * part for each virtual channel (VC), is an input of the vertex it leads to. In a
 * router the packets that may go next are candidates, one for each (output, slot), where
 * slot = input port * vcs + vc.
 *
 * A hop touches one row of each kind, and a row is a cache line or a part of one: what is looked at
 * in each hop stands in the rows, what is the same for many links (`kind`) or only counted (`carried`) apart.
 */
#ifndef PSIM_NETLINK_PACKET_STATE_H
#define PSIM_NETLINK_PACKET_STATE_H

#include "../../../psim/base/vec.h"
#include "../../topology/topology.h"
#include "../../../psim/base/calendar.h"
#include "../net_config.h"
#include "../engine.h"
#include "../../log/log.h"

/* Bytes of a buffer that has no bound. */
#define PACKET_UNBOUNDED (INT64_MAX / 4)

/* Kinds of events, in their order within an instant; the key is (kind << INDEX_BITS) + index. */
enum event_kind { EVENT_ARRIVE, EVENT_SEND, EVENT_TRY, EVENT_SENT, EVENT_DELIVERED };
enum {
	INDEX_BITS = 29,
	INDEX_MASK = (1 << INDEX_BITS) - 1,
	VC_BITS = 6, /* of a candidate's key */
	VC_MASK = (1 << VC_BITS) - 1,
	VCS_MAX = VC_MASK, /* the last one says that credit is reserved */
	VC_RESERVED = VC_MASK,
	LATENCY_CLASSES = 256,
	NIC_CONTROL_VC = 1, /* of a link from a NIC: its FIFO for control messages */
	CACHE_LINE = 64,    /* bytes */
	ARRAYS_MAX = 16,
	GUESSES = 8, /* events that are looked ahead after their packet is known; a power of two */
};

enum link_role { LINK_INJECT, LINK_ROUTERS, LINK_EJECT };

struct packet_link {
	int64_t free_at;      /* when the output is free */
	int64_t wake_at;      /* when it will be looked at next; NET_TIME_NEVER if not */
	uint64_t mask;        /* slots that have a candidate: the first 64, others in net_engine.more */
	uint32_t candidates;  /* where its row of candidates begins */
	uint32_t in_first;    /* first input port of the router that it leaves; of an injection link: its NIC */
	uint32_t in_port;     /* the input at its end */
	uint32_t to;          /* vertex */
	uint32_t first, last; /* packets under way, in order; only where ways depend on traffic */
	uint32_t queued;      /* bytes of packets that wait for it; likewise, or where any NIC receives */
	uint16_t in_slot;     /* of its VC 0 at its end */
	uint16_t in_turn;     /* slot that was served last (round robin) */
	uint16_t kind;
	uint8_t role;
};
_Static_assert(sizeof(struct packet_link) == CACHE_LINE, "a link is a cache line");

/* What many links have in common. */
struct packet_link_kind {
	int64_t delay;                /* from the start of the head to when it is ready at the other end */
	uint64_t rate;                /* ps a byte, in 65536ths */
	int64_t credit_delay;         /* from the other end back */
	uint16_t class, slots, words; /* slots of its candidates, and 64-bit words of their map */
	uint8_t role;
};

/* What a link has carried. */
struct packet_carried {
	int64_t busy_ps;
	uint64_t bytes, packets;
};

/* An input port of a router or a node. */
struct packet_input {
	int64_t free_at; /* router.input_port = one_packet: when the packet that leaves it is through */
	uint32_t vc;     /* row of VC 0 of the link that ends there */
	uint32_t kind;   /* of that link */
};

struct packet_vc {
	int64_t credit;          /* bytes free behind the link, those that come back later aside */
	int64_t back_at[2];      /* when the next ones come back, in order; NET_TIME_NEVER: none do */
	uint32_t back;           /* bytes of the first */
	uint32_t back_next : 31; /* of the second; others behind it are in net_engine.later */
	uint32_t starved : 1;    /* VC 0 of a link: a candidate waits for credit that nothing under way will bring */
};
_Static_assert(sizeof(struct packet_vc) == 32, "two virtual channels are a cache line");
struct packet_credit {
	int64_t time;
	uint32_t bytes, next;
};

/* A packet that may go next, and with router.queues = per_output those behind it. Valid where the map has it. */
struct packet_candidate {
	int64_t key; /* the less the sooner, in the upper bits; the VC it goes to in the lower VC_BITS */
	int64_t ready;
	uint32_t first, last;
};

/* router.input_port = one_packet: the next turn of an input is booked. */
struct packet_booking {
	int64_t key;   /* of the packet that is to go */
	uint32_t link; /* whose candidate it is, and 1; 0: not booked */
};
struct packet_queue { /* a buffer with router.queues = per_vc */
	uint32_t first, last;
};

struct packet {
	_Alignas(CACHE_LINE) int64_t ready; /* when its head is ready here */
	int64_t tail;                       /* when its end is */
	int64_t born;
	uint32_t next;
	uint32_t message;
	uint32_t out;   /* link it waits for */
	uint32_t bytes; /* on the link: whole flits */
	uint32_t way;   /* row of its message's way; where ways are not fixed, of its own route */
	uint32_t step;  /* fixed ways: of the way, the one that is in `then` */
	uint32_t then;  /* fixed ways: link << VC_BITS | vc behind `out` */
	uint8_t vc;     /* of the link it came by; in a router, of that it goes to */
	bool reserved;  /* it has its credit already */
};

struct packet_message {
	uint64_t left; /* payload that is not in a packet yet */
	int64_t gap;
	int64_t end;      /* when what came of it is in memory */
	uint32_t packets; /* not yet arrived */
	uint32_t way;     /* row of its way, while packets take it */
	uint32_t src, dst, next;
	uint32_t from, to; /* ranks: with the NIC, the connection */
	uint32_t behind;   /* the next message of its connection: queue.c */
	uint32_t tail;     /* of the first message of a connection that is alone in its NIC: the last one; else 0 */
	uint32_t serial;   /* for random ways */
	int32_t nic;
	uint16_t eject; /* NIC that receives it, unless the last router chooses */
	bool control;
	uint32_t id;
	int64_t begin; /* when it was sent */
	uint64_t bytes;
};

struct packet_nic {           /* [node * nics + nic], like topology->inject */
	uint32_t first, last; /* messages to send; with nic.service = in_turn the first of each connection */
	uint32_t control_first, control_last; /* and with nic.control = own those of handshakes */
	int64_t ready_at;                     /* pacing: no packet before */
	uint64_t waiting;                     /* bytes not yet in packets */
};

struct packet_node {
	int64_t read_free, write_free; /* memory */
	uint32_t in_turn;              /* NIC of the next message that names none */
	uint32_t control_in_turn;      /* and of the next of a handshake */
	uint32_t receive_in_turn;      /* NIC that receives the next message of data */
};

/* A message that is to be sent: at one instant in the order of ranks, of each in that of its sends. */
struct packet_due {
	int64_t time;
	uint64_t order; /* rank << 32 | number */
	uint32_t message;
};

/* The loops of run.c: what is constant in each. */
enum packet_loop {
	LOOP_ANY, /* all questions are asked */
	/* fixed ways, queues per output, no log of packets, at most 64 slots a router, and: */
	LOOP_DEFAULT,    /* oldest first, unlimited inputs */
	LOOP_ONE_PACKET, /* first come, first served, one packet an input */
};

/* A list of free rows in an array that grows. */
struct packet_pool {
	void *at, *memory; /* `at` is aligned in it */
	uint32_t free, count, used, used_most;
	uint32_t size;
};

/* Looking ahead: what `link` will send, most likely. */
struct packet_guess {
	const struct packet_link *link; /* NULL: not known */
	uint32_t packet;
	uint16_t slot;
};

struct packet_totals {
	uint64_t events, tries, router_hops, packets_made, packets_done, messages, messages_done;
	uint64_t bytes_made, bytes_done; /* payload */
	uint64_t wire_made, wire_done;   /* header and whole flits included */
};

struct net_engine {
	const struct topology *t;
	const struct net_config *config;
	struct net_log *log;
	int64_t sample_at; /* the log's next sample; NET_TIME_NEVER */
	bool log_packets;
	uint64_t seed;
	bool control_own; /* NICs send handshakes from VC 1 of their link */
	bool in_turn;     /* NICs serve connections packet by packet */
	bool one_packet, per_vc, short_of_memory;
	bool credits_any; /* who is behind in the order may take credit that one before it waits for */
	bool check;
	enum packet_loop loop;
	bool fixed_ways;   /* one way between two nodes: planned once a message */
	bool any_ejection; /* the NIC that receives is chosen at the last router */
	bool big;          /* more than the cache holds: worth looking ahead */
	bool no_choice;    /* ways do not depend on traffic: nothing has to happen when a packet arrives */
	unsigned arbitration, vcs, nics;
	unsigned patience;
	int64_t stages; /* RC + VA + SA */
	int64_t buffer, fifo, receive_fifo;
	uint32_t mtu_wire; /* of a full packet */
	uint64_t dma_rate, memory_rate;
	int64_t present;
	uint64_t check_at, check_every; /* --check: events until all is counted anew; UINT64_MAX: never */
	struct calendar calendar;

	struct packet_link *link;
	struct packet_carried *carried; /* [link] */
	struct packet_link_kind *kind;
	struct packet_vc *vc; /* [link * vcs + vc] */
	uint32_t *waiting;    /* [link * vcs + vc]: bytes of packets that wait for it; where a way is chosen */
	uint32_t *later;      /* [link * vcs + vc]: list of credits that come back third and later */
	struct packet_candidate *candidate;
	uint64_t *more;             /* slots beyond 64 that have a candidate */
	uint32_t *more_first;       /* [link]: where its words of `more` begin; NULL where no router has so many */
	struct packet_input *input; /* rows by topology->in_first */
	struct packet_queue *queue; /* [input port * vcs + vc], with router.queues = per_vc */
	uint16_t *slot_port;        /* slot -> input port of a router */
	/* router.input_port = one_packet, booking.c: */
	struct packet_booking *booking; /* [input port] */
	uint32_t *books;                /* [link]: the input that it has booked, and 1; 0: none */
	uint8_t *passed;                /* [candidate]: how often others went before it because its input was busy */
	uint16_t *watched;              /* --check: the same, counted anew; NULL */
	struct packet_nic *nic;
	struct packet_node *node;
	unsigned kinds;
	uint64_t bytes_fixed;
	void *memory[ARRAYS_MAX]; /* of these arrays, which are aligned in it */
	unsigned arrays;

	struct packet_pool packets, messages, credits, routes, ways;
	unsigned way_steps; /* room of a way */

	struct packet_notices {
		struct net_notice *at;
		uint32_t count, given, room;
	} notices;
	/* what is to be sent: in order, from due_next on; a heap of what came too late for that (nic.c) */
	struct vec_of(struct packet_due) due, late;
	size_t due_next;
	struct packet_connections {
		uint32_t *at, mask, used;
	} connections; /* last message of each: queue.c */
	struct packet_guess guess[GUESSES];
	struct packet_totals total;
	uint32_t serial;
	uint64_t message_latency[LATENCY_CLASSES], packet_latency[LATENCY_CLASSES];
	int64_t latency_most, latency_sum, packet_latency_most;
	double packet_latency_sum;
	int64_t last_delivery;
	struct err broken; /* --check: a rule of arbitration that was broken; its status is 0 if none was */
};

#define PACKET(n, i) (&((struct packet *)(n)->packets.at)[i])
#define MESSAGE(n, i) (&((struct packet_message *)(n)->messages.at)[i])
#define CREDIT(n, i) (&((struct packet_credit *)(n)->credits.at)[i])
#define ROUTE(n, i) (&((struct route *)(n)->routes.at)[i])
/* A step of a way: link << VC_BITS | vc. The one behind the last is 0. */
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

static inline void packet_event(struct net_engine *n, int64_t time, enum event_kind kind, uint32_t index)
{
	calendar_push(&n->calendar, time, event_key(kind, index));
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
		packet_event(n, time, EVENT_TRY, o);
	}
}

/* Word `w` of the map of slots of link `l` that have a candidate. */
static inline uint64_t *packet_mask(const struct net_engine *n, uint32_t l, unsigned w)
{
	return w ? &n->more[n->more_first[l] + w - 1] : &n->link[l].mask;
}

/* The message as the caller sent it, into `out`; returns `out`. For the log. */
const struct net_message *packet_as_sent(const struct packet_message *m, struct net_message *out);

/* A packet that a NIC has made: when it starts and its end has left. */
struct packet_start {
	uint32_t packet; /* 0: none */
	int64_t start, end;
};

/* The parts of a packet's life. */
/* nic.c: message m is to be sent at `time`; what is due now goes to a NIC, one for each event */
bool packet_send_at(struct net_engine *n, uint32_t m, int64_t time);
void packet_send(struct net_engine *n, int64_t now);
/* queue.c: message m waits in a NIC for its turn, was the NIC idle?; a packet was made of the first one there */
bool packet_queue(struct net_engine *n, struct packet_nic *nic, uint32_t m);
void packet_served(struct net_engine *n, struct packet_nic *nic);
struct packet_start packet_inject(struct net_engine *n, uint32_t l, int64_t now); /* nic.c: a NIC makes a packet */
void packet_deliver(struct net_engine *n, uint32_t l, uint32_t p, int64_t now);   /* nic.c: head is at its node */
void packet_find_step(struct net_engine *n, struct packet *packet, uint32_t l, int64_t now); /* route.c */
void packet_delivered(struct net_engine *n, int64_t now, uint32_t m); /* packet.c: all of message m is there */
void packet_note(struct net_engine *n, int64_t now, uint32_t m, enum net_notice_kind kind); /* packet.c */

/* run.c: everything up to `until`, or the first instant with notices. < 0 with `e`: a check failed. */
int packet_run(struct net_engine *n, int64_t until, struct err *e);

/* booking.c: may the candidate of `slot`, which is first in turn and has credit, have its input? */
enum packet_input_answer {
	INPUT_YES,
	INPUT_NO,     /* others may go; `again`: when it may be free */
	INPUT_BOOKED, /* it gets the next turn, for which the link waits */
};
enum packet_input_answer packet_ask_input(struct net_engine *n, uint32_t l, unsigned slot, int64_t now, int64_t *again);
bool packet_booked_by_older(const struct net_engine *n, uint32_t l, unsigned slot);
/* `slot` goes over `l`, others before it in turn wait for their inputs. */
void packet_passed_over(struct net_engine *n, uint32_t l, unsigned slot, int64_t now);
/* Link `l` has input `port` from `now` until `end`. */
void packet_input_taken(struct net_engine *n, uint32_t l, uint32_t port, int64_t now, int64_t end);
bool packet_takes_from_older(struct net_engine *n, uint32_t l, unsigned slot, int64_t now);

/* layout.c */
/* Bytes that the buffer of (link, VC) holds. */
int64_t packet_capacity(const struct net_engine *n, uint32_t l, unsigned vc);
int packet_layout(struct net_engine *n, struct err *e);

/* stuck.c: with nothing left to happen and messages under way, who waits for whom. Returns -1. */
int packet_stuck(const struct net_engine *n, struct err *e);
/* check.c: may the candidate of `slot` go over link `l` at `now`, before all others? Else n->broken. */
void packet_check_turn(struct net_engine *n, uint32_t l, unsigned slot, int64_t now);
/* check.c: are credits, buffers and packets what they have to be? */
int packet_verify(const struct net_engine *n, struct err *e);
/* sample.c: tells the log how things are at time `n->sample_at`, and when the next sample is due. */
void packet_sample(struct net_engine *n);
/* report.c */
void packet_report(const struct net_engine *n, struct report *r);
unsigned packet_latency_class(int64_t ps);

#endif
