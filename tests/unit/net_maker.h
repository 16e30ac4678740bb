/* An engine on a network for tests, from lines of parameters. */
#ifndef PSIM_TESTS_NET_MAKER_H
#define PSIM_TESTS_NET_MAKER_H

#include "netlink/engine/net_config.h"
#include "netlink/engine/engine.h"
#include "netlink/log/log.h"

struct net_made {
	struct topology *topology;
	struct net_config config;
	const struct net_engine_kind *kind;
	const struct protocol *protocol; /* of hosts in front of the engine: net_hosts; NULL: none */
	struct net_engine *engine;       /* created at the first send */
	struct net_log *log;             /* log for the engine, owned by the caller; NULL: none */
};

/*
 * `network` as topology_must takes it; `parameters`: "flow.mode=f nic.mtu=1000" with blanks
 * between; values without blanks. Checks are on. The test ends if it cannot be made.
 */
struct net_made net_must(const char *engine, const char *network, const char *parameters);
void net_unmake(struct net_made *m);

/* Puts hosts in front of the engine, before the first send; `protocol` is borrowed. */
void net_hosts(struct net_made *m, const struct protocol *protocol);

/* Sends a message and checks that this succeeds. */
void net_send(struct net_made *m, int64_t time_ps, uint32_t id, uint32_t src, uint32_t dst, uint64_t bytes);

/* The same between two ranks that share a node. */
void net_send_between(struct net_made *m, int64_t time_ps, uint32_t id, uint32_t src, uint32_t dst, uint64_t bytes,
		      uint32_t from, uint32_t to);

/* Sends a message of a handshake. */
void net_send_control(struct net_made *m, int64_t time_ps, uint32_t id, uint32_t src, uint32_t dst, uint64_t bytes);

/* Returns the next notice, which must exist, as "SENT 3 at 1000000" (ps), in a static buffer. */
const char *net_next(struct net_made *m);

/* Runs to the end, checks that nothing was lost, and returns the time of the last notice. */
int64_t net_finish(struct net_made *m);

#endif
