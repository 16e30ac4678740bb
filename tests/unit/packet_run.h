/* Runs the packet engine on a network from lines of parameters, and checks it as it goes. */
#ifndef PSIM_TESTS_PACKET_RUN_H
#define PSIM_TESTS_PACKET_RUN_H

#include "netlink/log/log.h"
#include "netlink/engine/packet/packet.h"

struct run;

/*
 * A network as topology_maker.h reads it, and parameters of the engine with their sections: "nic.fifo=0
 * router.queues=per_vc". The test ends if it cannot be made.
 */
struct run *run_new(const char *topology, const char *engine);
void run_free(struct run *r); /* verifies the run */

/* The same with a log, which `setup` describes except for the network. */
struct run *run_new_logged(const char *topology, const char *engine, const struct net_log_setup *setup);
/* The same, with or without a log; `shuffle` permutes the engine's rows. */
struct run *run_new_shuffled(const char *topology, const char *engine, const struct net_log_setup *setup,
			     uint64_t shuffle);
struct net_log *run_log(const struct run *r);

/* Send at a time. A message of run_send has its own number and NIC 0. */
void run_message(struct run *r, int64_t time_ps, const struct net_message *m);
uint32_t run_send(struct run *r, int64_t time_ps, uint32_t src, uint32_t dst, uint64_t bytes);

/* Runs until no message is in flight; returns the time of the last delivery. The test ends at a deadlock. */
int64_t run_end(struct run *r);

/* The same for runs that may deadlock: 0, or -1 with `e`. */
int run_to_end(struct run *r, struct err *e);

int64_t run_now(const struct run *r);  /* time of the last delivery */
int64_t run_sent(const struct run *r); /* time of the last NET_SENT */
int64_t run_delivered(const struct run *r,
		      uint32_t id); /* time of the delivery of message id < 4096; -1: not delivered */
struct net_packet_counts run_counts(const struct run *r);
const struct net_engine *run_engine(const struct run *r);
const struct topology *run_topology(const struct run *r);

#endif
