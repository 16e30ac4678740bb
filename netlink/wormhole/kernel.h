/*
 * The wormhole kernel: flits of messages move over the links of a described
 * network, clock by clock.
 *
 * A link carries one flit a clock. Each virtual channel of a link has a buffer
 * of `buffer_flits` at the link's end. The head of a message asks the routing
 * function of the resource in which it stands for an output and a virtual
 * channel, waits until that is free (first come, first served), and holds it
 * until the tail has passed (and `release_clocks` longer); the other flits follow. Virtual channels that
 * share a link take turns (round robin).
 *
 * One clock, in this order: messages that arrive now are delivered
 * (kernel_arrivals), then the client may post others; the routing functions of heads without an
 * output are asked, in the order in which the heads
 * arrived; each link moves at most one flit. With `credit_clocks` 0 a flit may move into a
 * place that is left in the same clock, so a worm of 1-flit buffers moves as a
 * whole, as in INSPIRE; with more, credits travel back, as in a router.
 *
 * Switching: `wormhole`; `cut_through`: a head moves only where the whole
 * message has room; `store_and_forward`: and only when all of it has arrived.
 *
 * Who moves, where several can: links are served one after the other, beginning with another one
 * each clock, so that a link is idle only where nothing can go over it; or, as in hardware, each link grants one
 * input, each input accepts one link, both in turns, and what is granted and not accepted is lost (`islip`,
 * one iteration; N. McKeown, IEEE/ACM ToN 7(2), 1999).
 *
 * Idle links and resources cost nothing: only links with a message bound to
 * them are visited, and clocks in which nothing can happen are skipped.
 *
 * Sources: INSPIRE (section 2.3); W. Dally, C. Seitz, IEEE TC C-36(5), 1987;
 * router delays as in BookSim 2 (N. Jiang et al., ISPASS 2013).
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
	uint32_t flit_bytes;     /* bytes that a link carries in a clock: the size of a flit */
	uint32_t buffer_flits;   /* of each virtual channel */
	uint32_t link_clocks;    /* 1 or more */
	uint32_t route_clocks;   /* from a head's coming to the front of its buffer to its routing */
	uint32_t switch_clocks;  /* from any flit's arrival to its first move */
	uint32_t grant_clocks;   /* from a head's getting its virtual channel to its first move */
	uint32_t output_clocks;  /* in a switch, from leaving its buffer to entering the link */
	uint32_t credit_clocks;  /* 0: a place is free in the clock in which it is left */
	uint32_t release_clocks; /* from the clock behind the tail's passing to the virtual channel's being free */
	bool one_per_input;      /* an input channel sends at most one flit a clock through the switch */
	bool islip; /* one round of requests, grants and acceptances instead of serving whatever can move */
	enum kernel_switching switching;
	bool phys_idle;           /* swt_phys_free: no flit passed in the clock before; else: a virtual
	                   channel is not held */
	uint64_t watchdog_clocks; /* messages under way and no flit moved for so long: stuck; 0:
	                             never */
};

/* What arrived, for whoever drives the kernel; valid until the next call. */
struct kernel_delivery {
	uint32_t message;         /* as kernel_post returned it; may be used again after this */
	uint32_t src, dst, bytes; /* nodes */
	uint64_t created, injected, head_at, tail_at;
	uint64_t tag; /* the poster's */
};
struct kernel_client {
	void *user;
	void (*deliver)(void *user, const struct kernel_delivery *d);
	void (*sent)(void *user, uint32_t src, uint64_t tag); /* its last flit leaves the source now; may be NULL */
};

struct kernel;

/* NULL and `e`: memory short, or parameters that do not fit (STATUS_USAGE). Borrows `n`. */
struct kernel *kernel_create(const struct network *n, const struct kernel_params *p, const struct kernel_client *client,
			     struct err *e);
void kernel_destroy(struct kernel *k); /* NULL is allowed */

/*
 * A message for `dst`, made now: waits in its source's queue. Bytes from 1; src and
 * dst are node numbers and differ. < 0 with `e` if memory is short.
 */
int kernel_post(struct kernel *k, uint32_t src, uint32_t dst, uint32_t bytes, uint64_t tag, struct err *e);

/* Present clock; the next in which anything can happen without new messages (CLOCK_NEVER: none). */
uint64_t kernel_now(const struct kernel *k);
uint64_t kernel_next(const struct kernel *k);

/* Delivers what arrives in the present clock; before kernel_step, once a clock. */
void kernel_arrivals(struct kernel *k);

/* Goes to `clock` (not before now) without simulating: nothing may be due before it. */
void kernel_skip_to(struct kernel *k, uint64_t clock);

/*
 * Simulates the present clock and goes to the next. < 0 with `e`: a routing
 * function named a channel that is not there, or ended without a word
 * (STATUS_BAD_INPUT); no flit moved for `watchdog_clocks` (STATUS_STUCK, with who waits for what).
 */
int kernel_step(struct kernel *k, struct err *e);

struct kernel_counts {
	uint64_t flit_hops, posted, delivered, routed, asked; /* asked: calls of routing functions */
	uint64_t in_flight;                                   /* messages posted and not delivered */
	uint64_t queued_flits;                                /* of them flits that have not left their source */
};
const struct kernel_counts *kernel_counts(const struct kernel *k);

/* Flits that passed over the link that begins at `output`, and clocks in which its virtual channel
 * was held. */
uint64_t kernel_link_flits(const struct kernel *k, uint32_t output);
uint64_t kernel_vc_held(const struct kernel *k, uint32_t output, uint32_t vc);

/* Forgets the counts of links and channels (after a warm-up). */
void kernel_reset_counts(struct kernel *k);

/*
 * Conservation: flits in buffers, credits and holders agree with the messages
 * under way. 0, or -1 with `e`.
 */
int kernel_check(const struct kernel *k, struct err *e);

#endif
