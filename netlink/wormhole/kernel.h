/*
 * The wormhole kernel: moves flits of messages over the links of a described network, clock by
 * clock.
 *
 * A link carries one flit a clock, or in the flit_clocks of its class (network.h). Each virtual
 * channel of a link has a buffer of `buffer_flits` at the link's end. The head of a message calls
 * the routing function of its present resource for an output and a virtual channel, waits until that
 * is free (first come, first served), and holds it until `release_clocks` after the tail has passed;
 * the other flits follow. Virtual channels share a link round robin.
 *
 * The order within a clock: messages that arrive are delivered (kernel_arrivals), then the client
 * may post others. Heads without an output call their routing functions, in the order in which they
 * arrived. Each link moves at most one flit. With `credit_clocks` 0 a flit may move into a place
 * that is freed in the same clock, so a worm of 1-flit buffers moves as a whole, as in INSPIRE;
 * with more, credits travel back, as in a router.
 *
 * Without load a flit that is sent in clock 0 passes its first link in inject_clocks + the link's clocks. In each
 * switch a head then waits route_clocks + grant_clocks (at least switch_clocks), and takes output_clocks + the next
 * link's clocks.
 *
 * Switching: `wormhole`; `cut_through`: a head moves only where the whole message has room;
 * `store_and_forward`: and only when all of it has arrived.
 *
 * Switch allocation is one of two. Serial: links are served one after the other, with another first
 * link each clock, so that a link idles only if no flit can use it. `islip`, as in hardware: each
 * link grants one input and each input accepts one link, both round robin, and a grant that is not
 * accepted is lost (one iteration; N. McKeown, IEEE/ACM ToN 7(2), 1999).
 *
 * Idle links and resources cost no time: the kernel visits only links with a message bound to them,
 * and skips clocks without events.
 *
 * Sources: INSPIRE (section 2.3); W. Dally, C. Seitz, IEEE TC C-36(5), 1987; router delays as in
 * BookSim 2 (N. Jiang et al., ISPASS 2013).
 */
#ifndef PSIM_NETLINK_WORMHOLE_KERNEL_H
#define PSIM_NETLINK_WORMHOLE_KERNEL_H

#include <stdbool.h>
#include <stdint.h>

#include "../../psim/base/choice.h"
#include "network.h"

#define CLOCK_NEVER UINT64_MAX

#define KERNEL_SWITCHINGS(C) \
	C(SWITCH_WORMHOLE, "wormhole") \
	C(SWITCH_CUT_THROUGH, "cut_through") \
	C(SWITCH_STORE_AND_FORWARD, "store_and_forward")
enum kernel_switching { KERNEL_SWITCHINGS(CHOICE_ID) };

struct kernel_params {
	uint32_t flit_bytes;       /* bytes that a link carries in a clock: the size of a flit */
	uint32_t buffer_flits;     /* of each virtual channel */
	uint32_t link_clocks;      /* 1 or more */
	uint32_t node_link_clocks; /* of a link between a node and a switch; 0: link_clocks */
	uint32_t inject_clocks;    /* in a node, from a flit's leaving its queue to entering the link */
	uint32_t route_clocks;     /* from the head's arrival at the front of its buffer to its routing */
	uint32_t switch_clocks;    /* from any flit's arrival to its first move */
	uint32_t grant_clocks;     /* from virtual channel allocation of a head to its first move */
	uint32_t output_clocks;    /* in a switch, from leaving its buffer to entering the link */
	uint32_t credit_clocks;  /* 0: a place is free again in the clock in which its flit leaves; see kernel_create */
	uint32_t release_clocks; /* from the clock after the tail has passed to the virtual channel's release */
	bool one_per_input;      /* an input channel sends at most one flit a clock through the switch */
	bool islip;              /* one iteration of request, grant and accept instead of serial service */
	enum kernel_switching switching;
	bool phys_idle;    /* swt_phys_free: no flit passed in the clock before; else: a virtual channel is free */
	bool links_differ; /* in their clocks, flits on some take several: kernel_create finds it */
	uint64_t watchdog_clocks; /* stuck if messages are under way and no flit moved for this long; 0: never */
};

/* A message that arrived, for the kernel's client; valid until the next call. */
struct kernel_delivery {
	uint32_t message;         /* as kernel_post returned it; may be reused from now on */
	uint32_t src, dst, bytes; /* nodes */
	uint64_t created, injected, head_at, tail_at;
	uint64_t tag; /* the sender's */
};
struct kernel_client {
	void *user;
	void (*deliver)(void *user, const struct kernel_delivery *d);
	void (*sent)(void *user, uint32_t src,
		     uint64_t tag); /* called when its last flit leaves the source; may be NULL */
};

struct kernel;

/*
 * NULL and `e` where memory is short or parameters are inconsistent (STATUS_USAGE). Borrows `n`.
 *
 * A credit takes credit_clocks over a link of link_clocks, and over a node's link as many clocks more or less as a
 * flit. A flit that its node takes returns its credit on its arrival.
 */
struct kernel *kernel_create(const struct network *n, const struct kernel_params *p, const struct kernel_client *client,
			     struct err *e);
void kernel_destroy(struct kernel *k); /* NULL is allowed */

/*
 * Queues a message for `dst` at its source in the present clock. At least 1 byte; src and dst are
 * different node numbers. Returns the message's number, or < 0 with `e` if memory is short.
 */
int kernel_post(struct kernel *k, uint32_t src, uint32_t dst, uint32_t bytes, uint64_t tag, struct err *e);

/* Return the present clock, and the next one with an event if no message is posted (CLOCK_NEVER: none). */
uint64_t kernel_now(const struct kernel *k);
uint64_t kernel_next(const struct kernel *k);

/* Delivers messages that arrive in the present clock; call once a clock, before kernel_step. */
void kernel_arrivals(struct kernel *k);

/* Advances to `clock` (not before now) without simulating; no event may be due before it. */
void kernel_skip_to(struct kernel *k, uint64_t clock);

/*
 * Simulates the present clock and advances to the next. < 0 with `e`: a routing function named a
 * channel that does not exist, or ended without a decision (STATUS_BAD_INPUT); no flit moved for
 * `watchdog_clocks` (STATUS_STUCK, with the waiting channels).
 */
int kernel_step(struct kernel *k, struct err *e);

struct kernel_counts {
	uint64_t flit_hops, posted, delivered, routed, routing_calls; /* routing_calls: of routing functions */
	uint64_t in_flight;                                           /* messages posted but not delivered */
	uint64_t queued_flits; /* flits of these that have not left their source */
};
const struct kernel_counts *kernel_counts(const struct kernel *k);

/* Return the clocks in which flits occupied the link that begins at `output`, and those in which a channel was held. */
uint64_t kernel_link_busy(const struct kernel *k, uint32_t output);
uint64_t kernel_vc_held(const struct kernel *k, uint32_t output, uint32_t vc);

/* Resets the counts of links and channels (after a warm-up). */
void kernel_reset_counts(struct kernel *k);

/*
 * Checks conservation: flits in buffers, credits and owners agree with the messages under way. 0,
 * or -1 with `e`.
 */
int kernel_check(const struct kernel *k, struct err *e);

#endif
