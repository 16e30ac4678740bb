/*
 * The kernel's state; private to netlink/wormhole.
 *
 * A virtual channel is a buffer at the end of a link, number first_vc[output] + v. The sources, one
 * for each node, follow the virtual channels. Either can feed a link.
 */
#ifndef PSIM_NETLINK_WORMHOLE_KERNEL_STATE_H
#define PSIM_NETLINK_WORMHOLE_KERNEL_STATE_H

#include "../../psim/base/slots.h"
#include "../../psim/base/vec.h"
#include "kernel.h"
#include "routing.h"

enum { WHEEL_SIZE = 256 };
#define NONE NETWORK_NONE

struct message {
	uint32_t src, dst, bytes, flits;
	uint64_t created, injected, head_at, tag;
	uint32_t sent; /* flits that have left the source */
	uint32_t next; /* in its source's queue */
};

struct flit {
	uint32_t message;
	bool head, tail;
	uint64_t ready; /* clock from which it may move: switch_clocks after its arrival; a head: once in front */
};

struct channel {                        /* a virtual channel or a source */
	struct flit *ring;              /* buffer_flits of them; NULL for a source */
	uint32_t head, count;           /* of the ring */
	uint32_t credit;                /* free places known to its feeder, where credits take time */
	uint32_t owner;                 /* message that holds it, from the head's arrival to its release */
	uint32_t feeder;                /* channel whose front message goes here, or NONE */
	uint32_t output;                /* virtual channel that its own front message holds next, or NONE */
	uint32_t wanted;                /* the output that it was routed to and waits for, or NONE */
	uint32_t wait_next;             /* in the queue of channels that wait for the same one */
	uint32_t wait_first, wait_last; /* queue of channels that wait for this one */
	uint32_t link;                  /* output channel of the network that leads here; NONE for a source */
	uint32_t resource;              /* the resource that holds its flits */
	bool delivers;                  /* the resource is its message's destination and takes all flits */
	uint64_t owned_at, held;        /* statistics */
};

struct link {
	uint32_t first_vc;
	uint16_t vcs, turn;   /* turn: first virtual channel in round-robin order */
	uint16_t bound;       /* number of its virtual channels with a feeder */
	bool listed;          /* among the active links */
	uint32_t clocks;      /* from a flit's entering it to its being in the buffer at its end */
	uint32_t flit_clocks; /* in which a flit occupies it */
	uint64_t idle_from;   /* clock from which it can take a flit, if flits take more than one */
	uint32_t to;          /* resource at its end */
	uint32_t sink;        /* node number of that resource, or NONE */
	uint64_t served;      /* clock in which it was last served, plus 1 */
	uint64_t used;        /* clock in which it last carried a flit, plus 1 */
	uint64_t flits;
};

struct grant {
	uint64_t clock; /* of the grant, plus 1 */
	uint32_t link;  /* to send over */
	uint32_t turn;  /* link that is accepted first */
};

struct timed {         /* an event due at a clock */
	uint32_t what; /* channel or message */
	uint32_t next;
};
enum timed_kind { TIMED_HEAD, TIMED_CREDIT, TIMED_RELEASE, TIMED_ARRIVAL, TIMED_KINDS };

struct kernel {
	const struct network *net;
	struct kernel_params p;
	struct kernel_client client;
	uint64_t now, last_move;
	uint32_t vc_count, channel_count;
	struct channel *channel;
	struct link *link;
	struct flit *flits;
	uint32_t *queue_first, *queue_last; /* messages of each source */
	uint32_t *active;                   /* links with a channel bound to them */
	uint32_t *chosen;                   /* virtual channel that each of them fills next (islip) */
	uint32_t active_count;
	uint64_t *input_used;          /* [link]: clock in which its buffers last sent, plus 1 */
	struct grant *grants;          /* [link]: grants to its buffers (islip) */
	struct vec_of(uint32_t) heads; /* channels with a head without an output in front */
	struct slots_of(struct message) messages;
	struct slots_of(struct timed) timed;
	uint32_t wheel[TIMED_KINDS][WHEEL_SIZE], wheel_last[TIMED_KINDS][WHEEL_SIZE];
	uint32_t due; /* entries on the wheel */
	struct kernel_counts counts;
	uint64_t counts_since;
	struct err *error; /* of the present step */
	bool failed;
};

static inline struct flit *front(const struct channel *c)
{
	return &c->ring[c->head];
}

/* Clocks from a flit's leaving the buffer at the end of `l` to its credit at the sender, which takes a clock of it. */
static inline uint32_t credit_clocks(const struct kernel_params *p, const struct link *l)
{
	return p->credit_clocks + l->clocks - (l->flit_clocks - 1) - p->link_clocks;
}

/*
 * Returns the flits that `c` can still take as its feeder knows: by credits, or the actual number
 * where these take no time.
 */
static inline uint32_t room(const struct kernel_params *p, const struct channel *c)
{
	return p->credit_clocks ? c->credit : p->buffer_flits - c->count;
}

/* Fills `e` with the channels that wait and for what (watch.c). */
int kernel_stuck(const struct kernel *k, struct err *e);

#endif
