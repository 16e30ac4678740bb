/*
 * A run of the kernel with the processing units that feed it.
 *
 * Latency of a message counts from its creation (it may then wait in its PU's queue) to the arrival
 * of its head, as in INSPIRE, so that without load it is the number of links; and also to the
 * arrival of its tail. Messages created between the warm-up and the end are measured; for those
 * still under way at the end the run continues for up to `drain` clocks.
 */
#ifndef PSIM_NETLINK_WORMHOLE_RUN_H
#define PSIM_NETLINK_WORMHOLE_RUN_H

#include "../../psim/base/open_loop.h"
#include "kernel.h"
#include "pu.h"

struct run_params {
	struct kernel_params kernel;
	uint64_t clocks; /* measured; 0: until every PU has ended and all messages have arrived */
	uint64_t warmup; /* before them */
	uint64_t drain;  /* most clocks after them */
	double load;
	uint64_t seed;
	bool check; /* kernel_check every 64 clocks */
	int argc;   /* for pu_init */
	char **argv;
	void *(*pu_init)(struct pu *self, int argc, char **argv);
	struct pu_action (*pu_exec)(struct pu *self, void *variables);
	void *shared; /* what pu_shared returns */
	/* called every few thousand clocks, for progress; returns false to stop. May be NULL. */
	bool (*tick)(void *user, uint64_t clock);
	void *user;
};

struct run_result {
	uint64_t clocks;                      /* simulated, warm-up and drain included */
	uint64_t measured;                    /* clocks of the measured part */
	uint64_t messages, unfinished;        /* measured messages that arrived, and those that did not */
	double tail_latency, network_latency; /* means in clocks; the last from injection to tail */
	/*
	 * Bytes a clock and PU in the measured part, never more accepted than offered, and the latency of heads, with
	 * their errors. Without `batches`, where the measured part has no end or too few messages, errors are NAN and
	 * nothing is known of its steadiness.
	 */
	struct open_loop loop;
	bool batches; /* two messages or more in each tenth of the measured part */
	uint64_t head_least, head_most;
	double head_p50, head_p99; /* at most 0.4 % off */
	double accepted_least;     /* of the sender that is served least, as loop.accepted */
	double fairness; /* J. Jain's index of what senders have got through (R. Jain et al., DEC-TR-301, 1984) */
	struct kernel_counts counts;
	bool interrupted; /* stopped by run_params.tick: the results are those up to then */
};

/* Returns run_params.shared, for PU functions that are no PU file. */
void *pu_shared(const struct pu *self);

/*
 * Runs the network `n` once. 0, or -1 with `e`: the error of kernel_step, or all PUs wait for
 * messages and none is under way (STATUS_STUCK). `visit`, if not NULL, is called with the kernel at
 * the end of the measured part.
 */
int run_network(const struct network *n, const struct run_params *p, struct run_result *out,
		void (*visit)(void *user, const struct kernel *k), void *visit_user, struct err *e);

#endif
