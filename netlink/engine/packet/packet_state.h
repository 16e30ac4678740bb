/*
 * The rows of the packet engine: links, virtual channels, candidates, NICs, packets, messages. Everything is an array
 * addressed by index; 0 is no packet, message or credit.
 *
 *        NIC of the source         router                       router                NIC of the destination
 *
 *      messages of a NIC      input port, VC 0, 1 ...
 *     [m][m] -> packets --link--> [ | | ] \
 *                                 [ | | ]  > candidates --link--> [ | | ] > candidates --link--> memory -> notice
 *     [m]    -> packets --link--> [ | | ] /  of an output         buffer of the
 *                                 [ | | ]                         output's end
 *               <------------- credit, bytes of the buffer that are free again
 *
 * A link is an output of the vertex that it leaves. The buffer at its end, with a part for each virtual channel (VC),
 * is an input of the vertex that it leads to. A packet starts on a link if the buffer behind it has credit for it.
 *
 * candidate   a packet that may go next: in a router one for each (output, slot), where slots are numbered by input
 *             port, then by VC. The arbiter of an output chooses among them.
 * path        with fixed routing: the links and VCs of a message, found once. Each packet has an index into it.
 * route       with adaptive routing: the 16 bytes of a packet from which its router offers steps.
 * in flight   between the start of a packet on a link and the readiness of its head at the end. The next link of a
 *             packet with a path is known before; that of others is chosen when they are ready.
 * booking     an input that serves one packet at a time is booked by the candidate that has its next turn.
 * ending      a time at which a message has left its source, or is in memory: the engine's notice to its caller.
 * partition   what one of several processes has of the network: packets leave to other partitions and come from them.
 *
 * A hop touches one row of each kind, and a row is a cache line or a part of one. The rows contain what every hop
 * reads; properties shared by many links (`kind`) and what few hops read (`rare`) are separate.
 */
#ifndef PSIM_NETLINK_PACKET_STATE_H
#define PSIM_NETLINK_PACKET_STATE_H

#include <stddef.h>

#include "../../../psim/base/sum128.h"
#include "../../../psim/base/vec.h"
#include "../../topology/topology.h"
#include "../../../psim/base/calendar.h"
#include "../net_config.h"
#include "../changes.h"
#include "../engine.h"
#include "../link_loads.h"
#include "../traffic_classes.h"
#include "../../log/log.h"

/* Capacity of an unbounded buffer, bytes. */
#define PACKET_UNBOUNDED (INT64_MAX / 4)

/* The last time of events, ps: 30 hours. Candidates' keys have times << VC_BITS, of what is ready later too. */
#define PACKET_TIME_MOST (INT64_C(3) << 55)

/*
 * Kinds of events, in their order within an instant; the key is (kind << INDEX_BITS) + index: of a link; of a node for
 * SENT and DELIVERED. A key never contains a row of a pool, which depends on history.
 */
enum event_kind { EVENT_ARRIVE, EVENT_SEND, EVENT_ACK, EVENT_TRY, EVENT_SENT, EVENT_DELIVERED };
enum {
	INDEX_BITS = 29,
	INDEX_MASK = (1 << INDEX_BITS) - 1,
	VC_BITS = 6, /* in a candidate's key */
	VC_MASK = (1 << VC_BITS) - 1,
	VCS_MAX = VC_MASK, /* the last value means that credit is reserved */
	VC_RESERVED = VC_MASK,
	VC_CHOSEN = VC_MASK, /* in a path's last step: the last router chooses the NIC */
	NIC_CHOSEN = UINT16_MAX,
	LATENCY_CLASSES = 256,
	NIC_CONTROL_VC = 1,          /* on a link from a NIC: its FIFO for handshakes */
	CACHE_LINE = 64,             /* bytes */
	CREDIT_MOST = (1 << 30) - 1, /* bytes of a pending credit */
	ARRAYS_MAX = 8,
	GUESSES = 16, /* predicted packets; a power of two */
};

enum link_role { LINK_INJECT, LINK_ROUTERS, LINK_EJECT };

/* Traffic that a link has carried. */
struct packet_carried {
	int64_t busy_ps;
	uint64_t bytes, packets;
};

struct packet_link {
	int64_t free_at; /* when the output becomes free */
	int64_t wake_at; /* next arbitration; NET_TIME_NEVER: none scheduled */
	uint64_t mask;   /* bit map of slots with a candidate: the first 64, others in net_engine.more */
	struct packet_carried carried;
	uint32_t candidates; /* first row of its candidates; of an injection link: its NIC */
	uint32_t to;         /* vertex */
	uint16_t in_slot;    /* slot of its VC 0 at its end */
	uint16_t kind;
	uint8_t role;
	bool leaves;    /* it leads to another partition of a divided network */
	bool in_flight; /* it has packets in flight whose next link is chosen when they are ready */
};
_Static_assert(sizeof(struct packet_link) == CACHE_LINE, "a link is a cache line");

/* The part of a link that few hops read. */
struct packet_link_rare {
	uint32_t first, last; /* the packets in flight, if it is `in_flight`, in order */
	uint32_t in_first;    /* first input port of the router that it leaves */
	uint32_t in_port;     /* the input port at its end */
	uint32_t queued;      /* bytes of packets that wait for it; with adaptive routing, or if any NIC may receive */
	uint16_t in_turn;     /* slot served last (round robin) */
};

/* Properties that many links share. */
struct packet_link_kind {
	int64_t delay;                /* from the start of the head to its readiness at the other end */
	uint64_t rate;                /* ps a byte, in 65536ths */
	int64_t credit_delay;         /* of a credit's return */
	uint16_t class, slots, words; /* slots of its candidates, and 64-bit words of their bit map */
	uint8_t role;
};

struct packet_vc {
	int64_t credit;          /* free bytes behind the link, without pending credits */
	int64_t back_at[2];      /* when the next pending credits return, in order; NET_TIME_NEVER: none */
	uint32_t back;           /* bytes of the first */
	uint32_t back_next : 30; /* bytes of the second */
	uint32_t more : 1;       /* further ones are in net_engine.later */
	uint32_t starved : 1;    /* in VC 0 of a link: a candidate waits for credit, and none is pending */
};
_Static_assert(sizeof(struct packet_vc) == 32, "two virtual channels are a cache line");
struct packet_credit {
	int64_t time;
	uint32_t bytes, next;
};

/*
 * A packet that may go next; with router.queues = per_output also the packets behind it. Valid if the bit map has
 * it.
 */
struct packet_candidate {
	int64_t key; /* priority in the upper bits, smaller first; its output VC in the lower VC_BITS */
	uint32_t first, last;
};
_Static_assert(sizeof(struct packet_candidate) == 16, "four candidates are a cache line");

/* router.input_port = one_packet: a booking of an input's next turn. */
struct packet_booking {
	int64_t key;   /* of the booked packet */
	uint32_t link; /* 1 + the link whose candidate it is; 0: not booked */
};
struct packet_queue { /* a buffer with router.queues = per_vc */
	uint32_t first, last;
};

struct packet {
	_Alignas(CACHE_LINE) int64_t ready; /* when its head is ready here */
	int64_t tail;                       /* when its tail is */
	int64_t born;
	uint32_t next;
	uint32_t message;
	uint32_t out;   /* link it waits for */
	uint32_t bytes; /* on the link, in whole flits */
	uint32_t path;  /* row of its message's path; with adaptive routing, of its own route */
	uint32_t step;  /* fixed paths: index in the path of the step in `then` */
	uint32_t then;  /* fixed paths: link << VC_BITS | vc after `out`, or PATH_END */
	uint32_t from;  /* link over which it came */
	uint16_t vc;    /* input VC; in a router, output VC. Not of 8 bits: such a store may change anything in C */
	uint16_t from_vc, from_kind;
	uint16_t reserved : 1; /* it has its credit already */
	uint16_t class : 3;    /* of traffic */
	uint16_t own_path : 1; /* `path` is the packet's, not its message's: it has come from another partition */
	uint16_t transit : 1;  /* it waits in its router's memory, and holds no buffer: packet_changes.c */
	uint16_t abroad : 7;   /* 1 + the partition in which `from` begins, if it is another one */
	uint16_t marked : 1;   /* it has joined a queue that was too long: congestion.c */
};
_Static_assert(sizeof(struct packet) == CACHE_LINE, "a packet is a cache line");

struct packet_message {
	uint64_t left; /* payload not yet in packets */
	int64_t gap;
	int64_t at[2];    /* [enum net_notice_kind]: when the packets made so far have left, and are in memory */
	uint32_t then[2]; /* the next message of its node's list of endings */
	uint32_t packets; /* not yet arrived */
	uint32_t path;    /* row of its path, while packets use it */
	uint32_t src, dst, next;
	uint32_t from, to; /* ranks; with the NIC they identify the connection */
	uint32_t behind;   /* next message of its connection: queue.c */
	uint32_t tail;     /* in the first message of a NIC's only connection: its last message; else 0 */
	uint32_t order;    /* among the messages that its node sends: for random paths, and at one instant */
	int32_t nic;
	uint16_t eject; /* NIC that receives it; NIC_CHOSEN: not chosen yet, or for each packet */
	bool control;
	uint8_t class; /* of traffic */
	uint32_t id;
	int64_t begin; /* time of sending */
	uint64_t bytes;
	uint64_t mark; /* the caller's */
	uint32_t home; /* of a packet that passes through this partition: its message's row at the source */
	bool foreign;  /* from another partition */
};

_Static_assert(sizeof(struct packet_message) == 2 * CACHE_LINE && offsetof(struct packet_message, next) < CACHE_LINE,
	       "what each packet reads of its message is a cache line");

struct packet_nic {           /* [node * nics + nic], like topology->inject */
	uint32_t first, last; /* queue of messages; with nic.service = in_turn the first of each connection */
	uint32_t control_first, control_last; /* with nic.control = own: queue of handshakes */
	int64_t ready_at;                     /* pacing: no packet before */
	uint64_t waiting;                     /* bytes not yet in packets */
};

/* Messages of a node whose end is known, by time; of one time in the order in which the times became known. */
struct packet_endings {
	uint32_t first, last;
};

struct packet_node {
	_Alignas(CACHE_LINE) int64_t read_free;
	int64_t write_free;               /* when the memory is free, for reads and for writes */
	struct packet_endings endings[2]; /* [enum net_notice_kind] */
	uint32_t sent;                    /* messages so far */
	uint32_t in_turn;                 /* round robin: NIC of the next message that names none */
	uint32_t control_in_turn;         /* likewise of the next handshake */
	uint32_t receive_in_turn;         /* NIC that receives the next data message */
};

/* A message to be sent; at one instant in order of ranks, then in order of sending. */
struct packet_due {
	int64_t time;
	uint64_t order; /* rank << 32 | order of the message */
	uint32_t message;
};

/* Specialized versions of the event loop. */
enum packet_loop {
	LOOP_ANY, /* general: no condition is constant */
	/* fixed paths, queues per output, no log of packets, at most 64 slots a router, and: */
	LOOP_DEFAULT,         /* oldest first, unlimited inputs */
	LOOP_DEFAULT_DIVIDED, /* the same in a partition of a network */
	LOOP_ONE_PACKET,      /* first come, first served, one packet an input */
};

/* An array of rows that grows, with a free list. */
struct packet_pool {
	void *at, *memory; /* `at` is aligned within `memory` */
	uint32_t free, count, used, used_most;
	uint32_t size;
};

/* Prefetching: the packet that `link` will probably send. */
struct packet_guess {
	const struct packet_link *link; /* NULL: unknown */
	uint32_t packet;
};

struct packet_totals {
	uint64_t events, tries, packets_made, packets_done, messages, messages_done;
	uint64_t bytes_made, bytes_done; /* payload */
	uint64_t wire_made, wire_done;   /* including headers, in whole flits */
};

struct net_engine {
	const struct topology *t;
	const struct net_config *config;
	struct net_log *log;
	int64_t sample_at; /* the log's next sample; NET_TIME_NEVER: none */
	struct net_loads *loads;
	bool log_packets, watches; /* watches: log_packets, or loads */
	uint64_t seed;
	bool control_own; /* NICs send handshakes from VC 1 of their link */
	bool in_turn;     /* NICs serve connections packet by packet */
	bool one_packet, per_vc, short_of_memory;
	bool credits_any; /* a packet of lower priority may take credit for which another one waits */
	bool check;
	enum packet_loop loop;
	bool fixed_routes; /* one path between two nodes, planned once a message */
	bool chooses_nic;  /* the last router chooses the NIC that receives each data message, or each packet */
	bool any_ejection; /* the latter */
	bool big;          /* larger than the cache: prefetching pays */
	bool no_choice;    /* paths do not depend on traffic: no event when a packet arrives, but for VC_CHOSEN */
	unsigned arbitration, vcs, nics;
	unsigned patience;
	unsigned classes, class_vcs; /* of traffic; virtual channels of each, those of the routing */
	bool weighted;
	uint32_t class_weight[TRAFFIC_CLASSES_MAX];
	uint64_t *class_tag, *class_now; /* [link * classes + class], [link]: classes.c; with several classes */
	int64_t stages;                  /* RC + VA + SA */
	int64_t buffer, fifo, receive_fifo;
	uint32_t mtu_wire; /* of a full packet */
	uint64_t dma_rate, memory_rate;
	int64_t present;
	uint64_t check_at, check_every; /* --check: events at the next full check, between checks; UINT64_MAX: never */
	struct calendar calendar;

	struct packet_link *link;
	struct packet_link_rare *rare; /* [link] */
	struct packet_link_kind *kind;
	struct packet_vc *vc; /* [link * vcs + vc] */
	uint32_t *waiting;    /* [link * vcs + vc]: bytes of packets that wait for it; only with adaptive routing */
	uint32_t *later;      /* [link * vcs + vc]: list of pending credits from the third on */
	struct packet_candidate *candidate;
	uint64_t *more;             /* bit maps of slots from 64 on */
	uint32_t *more_first;       /* [link]: first word in `more`; NULL if no router has so many slots */
	struct packet_queue *queue; /* [input port * vcs + vc], with router.queues = per_vc */
	uint16_t *slot_port;        /* input port of a slot, where all inputs have as many slots */
	/* router.input_port = one_packet, booking.c: */
	int64_t *input_free;            /* [input port], by topology->in_first: when the departing packet has left */
	struct packet_booking *booking; /* [input port] */
	uint32_t *books;                /* [link]: 1 + the input that it has booked; 0: none */
	uint8_t *passed;                /* [candidate]: number of times it was passed over because its input was busy */
	uint16_t *watched;              /* --check: the same, recomputed; else NULL */
	struct packet_nic *nic;
	struct packet_node *node;
	unsigned kinds;
	uint64_t bytes_fixed;
	void *memory[ARRAYS_MAX]; /* these arrays, before alignment */
	unsigned arrays;
	uint64_t shuffle;                  /* net_setup.shuffle */
	struct packet_partitions *divided; /* NULL: the engine has the whole network */

	struct packet_pool packets, messages, credits, routes, paths;
	unsigned path_steps; /* maximal steps of a path */

	struct packet_notices {
		struct net_notice *at;
		uint32_t count, given, room;
	} notices;
	/* messages to be sent: in order from due_next on, and a heap of those that were added out of order (nic.c) */
	struct vec_of(struct packet_due) due, late;
	size_t due_next;
	struct packet_connections {
		uint32_t *at, mask, used;
	} connections; /* hash table of each connection's last message: queue.c */
	struct packet_guess guess[GUESSES];
	struct packet_totals total;
	uint64_t message_latency[LATENCY_CLASSES], packet_latency[LATENCY_CLASSES];
	int64_t latency_most, packet_latency_most;
	sum128 latency_sum, packet_latency_sum; /* ps */
	int64_t last_delivery;
	struct err broken; /* --check: the first violated rule of arbitration; status 0 if none */
	struct err lost;   /* the first message without a route; status 0 if none */
	struct net_run_changes changes;
	struct packet_congestion *congestion; /* windows, congestion.c; NULL: none */
};

/* Rounds up to whole flits. */
static inline uint32_t packet_wire_bytes(const struct net_engine *n, uint64_t bytes)
{
	uint64_t flit = n->config->router.flit;

	return (uint32_t)((bytes + flit - 1) / flit * flit);
}

/* The message's key in a log. */
static inline uint64_t packet_log_key(const struct packet_message *m)
{
	return (uint64_t)m->src << 32 | m->order;
}

#define PACKET(n, i) (&((struct packet *)(n)->packets.at)[i])
#define MESSAGE(n, i) (&((struct packet_message *)(n)->messages.at)[i])
#define CREDIT(n, i) (&((struct packet_credit *)(n)->credits.at)[i])
#define ROUTE(n, i) (&((struct route *)(n)->routes.at)[i])
/* A step of a path, the number (link << VC_BITS) + vc. PATH_END follows the last one; 0 is a step over link 0. */
#define PATH_END UINT32_MAX
#define PATH(n, i) (&((uint32_t *)(n)->paths.at)[(size_t)(i) * (n)->path_steps])

/* Allocates a row; 0 if memory is short (and sets the flag). */
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

/* Transfer time on a link or in a memory. */
static inline int64_t transfer_ps(uint64_t rate, uint32_t bytes)
{
	return (int64_t)((rate * bytes + 32768) >> 16);
}

/* Schedules an arbitration of link `o` at `time`, unless an earlier one is scheduled. */
static inline void packet_wake(struct net_engine *n, uint32_t o, int64_t time)
{
	if (time < n->link[o].wake_at) {
		n->link[o].wake_at = time;
		packet_event(n, time, EVENT_TRY, o);
	}
}

/* Word `w` of the bit map of link `l`'s slots that have a candidate. */
static inline uint64_t *packet_mask(const struct net_engine *n, uint32_t l, unsigned w)
{
	return w ? &n->more[n->more_first[l] + w - 1] : &n->link[l].mask;
}

/* The input port of `slot` of link `l`, where all inputs have as many slots: one_packet and per_vc. */
static inline uint32_t packet_port(const struct net_engine *n, uint32_t l, unsigned slot)
{
	return n->rare[l].in_first + n->slot_port[slot];
}

/* Writes the message as the caller sent it to `out`, and returns `out`. For the log. */
const struct net_message *packet_as_sent(const struct packet_message *m, struct net_message *out);

/* A packet ends: frees the path that is its own, if any. */
static inline void packet_drop_route(struct net_engine *n, const struct packet *packet)
{
	if (!n->fixed_routes)
		packet_pool_give(&n->routes, packet->path);
	else if (packet->own_path)
		packet_pool_give(&n->paths, packet->path);
}

/* A packet that a NIC has made: when its head starts and its tail has left. */
struct packet_start {
	uint32_t packet; /* 0: none */
	int64_t start, end;
};

/* The stages of a packet's life. */
/* nic.c: sends message m at `time`; passes due messages to a NIC, one an event */
bool packet_send_at(struct net_engine *n, uint32_t m, int64_t time);
uint32_t packet_count(const struct net_engine *n, uint64_t bytes); /* nic.c: packets of a message */
bool packet_widen_routes(struct net_engine *n);                    /* nic.c: doubles the room of paths */
void packet_send(struct net_engine *n, int64_t now);
/* queue.c: message m waits in a NIC for its turn, was the NIC idle?; the first one had its turn, the next one is due */
bool packet_queue(struct net_engine *n, struct packet_nic *nic, uint32_t m);
void packet_served(struct net_engine *n, struct packet_nic *nic);
struct packet_start packet_inject(struct net_engine *n, uint32_t l, int64_t now); /* nic.c: a NIC makes a packet */
void packet_deliver(struct net_engine *n, uint32_t l, uint32_t p, int64_t now);   /* nic.c: the head is at its node */
void packet_find_step(struct net_engine *n, struct packet *packet, uint32_t l, int64_t now); /* route.c */
/* route.c: the same in `router`, where a packet without a path has started again */
void packet_find_step_at(struct net_engine *n, struct packet *packet, uint32_t router, uint32_t l, int64_t now);
void packet_find_nic(struct net_engine *n, struct packet *packet);       /* route.c: in its last router */
uint32_t packet_next_nic(const struct net_engine *n, uint32_t *in_turn); /* route.c: in round-robin order */
/* packet.c: the next message in the list of `node` has left or arrived */
void packet_sent(struct net_engine *n, int64_t now, uint32_t node);
void packet_delivered(struct net_engine *n, int64_t now, uint32_t node);
/* endings.c: message m ends at m->at[kind], with an event; the first of the list, which is removed */
void packet_will_end(struct net_engine *n, uint32_t m, enum net_notice_kind kind);
uint32_t packet_take_ending(struct net_engine *n, uint32_t node, enum net_notice_kind kind);

/* packet_events.c: packet p, whose head has left over link l, joins its next queue, or will when its head is ready */
void packet_arrives(struct net_engine *n, uint32_t l, uint32_t p);
/* packet_events.c: runs to `until`, or to the first instant with notices. < 0 with `e`: a check failed. */
int packet_run(struct net_engine *n, int64_t until, struct err *e);

/* packet_events.c: packet p waits in `slot` of its router for its next link, which is known */
void packet_join(struct net_engine *n, uint32_t p, unsigned slot);
/* The candidate of `slot` is the first of its queue; 0: there is none. */
void packet_renew_candidate(struct net_engine *n, uint32_t l, unsigned slot);
/* The same number as the engine counts: bytes of waiting packets, which may wrap around to subtract. */
void packet_count_waiting(struct net_engine *n, uint32_t l, unsigned vc, uint32_t bytes);

/* packet_changes.c: the network is another one from the present on. 0, or -1 with `e`: memory is short. */
int packet_change(struct net_engine *n, struct err *e);
/* The slot of packets that wait in the memory of the router that link `l` leaves. */
static inline unsigned packet_transit_slot(const struct net_engine *n, uint32_t l)
{
	return n->kind[n->link[l].kind].slots - 1U;
}

/* nic.c: notes that message `m` has no route from vertex `from`, if so. */
bool packet_has_route(struct net_engine *n, const struct packet_message *m, uint32_t from);

/* booking.c: may the candidate of `slot`, which is first in turn and has credit, use its input? */
enum packet_input_answer {
	INPUT_YES,
	INPUT_NO,     /* others may go; `again`: when it may be free */
	INPUT_BOOKED, /* it has booked the next turn, for which the link waits */
};
enum packet_input_answer packet_ask_input(struct net_engine *n, uint32_t l, unsigned slot, int64_t now, int64_t *again);
bool packet_booked_by_older(const struct net_engine *n, uint32_t l, unsigned slot);
/* `slot` is granted link `l`, while candidates before it wait for their inputs. */
void packet_passed_over(struct net_engine *n, uint32_t l, unsigned slot, int64_t now);
/* Link `l` uses input `port` from `now` to `end`. */
void packet_input_taken(struct net_engine *n, uint32_t l, uint32_t port, int64_t now, int64_t end);
bool packet_takes_from_older(struct net_engine *n, uint32_t l, unsigned slot, int64_t now);

/*
 * congestion.c: windows of pairs of a NIC and a node, with nic.window. 0, or -1 with `e`: memory is short; NULL is
 * allowed.
 */
int packet_congestion_begin(struct net_engine *n, struct err *e);
void packet_congestion_destroy(struct packet_congestion *c);
void packet_congestion_report(const struct net_engine *n, struct report *r);
/* The first message of `nic` from its turn on whose window is open, which becomes its first; 0: none. */
uint32_t packet_window_turn(struct net_engine *n, struct packet_nic *nic);
/* A packet of message `m` is under way; it has joined a queue; it is in memory at `end`. */
void packet_window_sent(struct net_engine *n, const struct packet_message *m, uint32_t bytes);
void packet_queue_grew(struct net_engine *n, struct packet *packet);
void packet_acknowledge(struct net_engine *n, const struct packet *packet, const struct packet_message *m, int64_t end);
/* The next acknowledgement is at the NIC of link `l`. */
void packet_acknowledged(struct net_engine *n, uint32_t l, int64_t now);
/* Returns whether packets of message `m` have a window. */
static inline bool packet_has_window(const struct net_engine *n, const struct packet_message *m)
{
	return __builtin_expect(n->congestion != NULL, 0) && !(m->control && n->control_own);
}

/* classes.c: link `l` takes the packet; with several classes */
void packet_class_served(struct net_engine *n, uint32_t l, const struct packet *packet);

/* layout.c */
/* Capacity of the buffer of (link, VC), bytes. */
int64_t packet_capacity(const struct net_engine *n, uint32_t l, unsigned vc);
/* The number of slots for link `l` in the router at its end: VCs that packets use. */
unsigned packet_slots(const struct net_engine *n, uint32_t l);
int packet_layout(struct net_engine *n, struct err *e);
/*
 * layout.c: gives back memory of rows of links that neither begin nor end in partition->me; nothing may read them
 * again. The first process keeps those of `link`, which reports read.
 */
void packet_layout_divide(struct net_engine *n, const struct net_partition *partition);

/* packet_stuck.c: describes a deadlock, with no event left and messages in flight. Returns -1. */
int packet_stuck(const struct net_engine *n, struct err *e);
/* packet_check.c: may link `l` be granted to the candidate of `slot` at `now`? Otherwise sets n->broken. */
void packet_check_turn(struct net_engine *n, uint32_t l, unsigned slot, int64_t now);
/* packet_check.c: checks credits, buffers and packets. */
int packet_verify(const struct net_engine *n, struct err *e);
/* sample.c: passes the sample of `n->sample_at` to the log, and sets the time of the next. */
void packet_sample(struct net_engine *n);
/* packet_report.c */
void packet_report(const struct net_engine *n, struct report *r);

/* Classes of the latency histogram: four for each doubling. */
static inline unsigned packet_latency_class(int64_t ps)
{
	unsigned bits;

	if (ps < 4)
		return ps < 0 ? 0 : (unsigned)ps;
	bits = 63 - (unsigned)__builtin_clzll((unsigned long long)ps);
	return 4 * (bits - 1) + (unsigned)(ps >> (bits - 2) & 3);
}

#endif
