/*
 * The kernel's state. Internal to engine/wormhole.
 *
 * A virtual channel is a place for flits at the end of a link: number
 * first_vc[output] + v. Behind the virtual channels come the sources, one for each
 * node: what feeds a link is either.
 */
#ifndef PSIM_NETLINK_WORMHOLE_KERNEL_STATE_H
#define PSIM_NETLINK_WORMHOLE_KERNEL_STATE_H

#include "../../psim/base/vec.h"
#include "kernel.h"
#include "routing.h"

enum { WHEEL_SIZE = 256 };
#define NONE NETWORK_NONE

struct message {
	uint32_t src, dst, bytes, flits;
	uint64_t created, injected, head_at, tag;
	uint32_t sent; /* flits that have left the source */
	uint32_t next; /* in its source's queue, or the list of free messages */
};

struct flit {
	uint32_t message;
	bool head, tail;
	uint64_t ready; /* clock in which it may move on: switch_clocks after it came; a head, once it is in front */
};

struct channel {                        /* a virtual channel or a source */
	struct flit *ring;              /* buffer_flits of them; NULL for a source */
	uint32_t head, count;           /* of the ring */
	uint32_t credit;                /* places that its feeder may still fill, where credits take time */
	uint32_t owner;                 /* message that holds it, from its head's coming on */
	uint32_t feeder;                /* channel whose front message goes here, or NONE */
	uint32_t output;                /* virtual channel that its own front message holds next, or NONE */
	uint32_t wanted;                /* the one that it was routed to and waits for, or NONE */
	uint32_t wait_next;             /* in the queue of those who wait for the same one */
	uint32_t wait_first, wait_last; /* the queue of those who wait for this one */
	uint32_t link;                  /* output channel of the network that leads here; of a source NONE */
	uint32_t resource;              /* in which its flits stand */
	bool delivers;                  /* the node at the end is its message's destination and takes all that comes */
	uint64_t owned_at, held;        /* statistics */
};

struct link {
	uint32_t first_vc;
	uint16_t vcs, turn; /* turn: virtual channel that is asked first */
	uint16_t bound;     /* its virtual channels with a feeder */
	bool listed;        /* among the active links */
	uint32_t to;        /* resource at its end */
	uint32_t sink;      /* node number of that resource, or NONE */
	uint64_t served;    /* clock in which it was looked at last, plus 1 */
	uint64_t used;      /* clock in which it carried a flit last, plus 1 */
	uint64_t flits;
};

struct grant {
	uint64_t clock; /* in which it was granted, plus 1 */
	uint32_t link;  /* to send over */
	uint32_t turn;  /* the link that is accepted first */
};

struct timed {         /* something due at a clock */
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
	uint32_t *active;                   /* links with something bound to them */
	uint32_t *chosen;                   /* of each of them the virtual channel to fill next (islip) */
	uint32_t active_count;
	uint64_t *input_used;          /* by link: clock in which its buffers sent, plus 1 */
	struct grant *grants;          /* by link: what its buffers were granted (islip) */
	struct vec_of(uint32_t) heads; /* channels whose front is a head without an output */
	struct vec_of(struct message) messages;
	uint32_t free_message;
	struct vec_of(struct timed) timed;
	uint32_t free_timed;
	uint32_t wheel[TIMED_KINDS][WHEEL_SIZE], wheel_last[TIMED_KINDS][WHEEL_SIZE];
	uint32_t due; /* entries on the wheel */
	struct kernel_counts counts;
	uint64_t counts_since;
	struct err *error; /* of the step under way */
	bool failed;
};

static inline struct flit *front(const struct channel *c)
{
	return &c->ring[c->head];
}

/* Flits that `c` can still take, as its feeder knows: by credits, or as it is where these take no time. */
static inline uint32_t room(const struct kernel_params *p, const struct channel *c)
{
	return p->credit_clocks ? c->credit : p->buffer_flits - c->count;
}

/* watch.c: fills `e` with who waits for what. */
int kernel_stuck(const struct kernel *k, struct err *e);

#endif
