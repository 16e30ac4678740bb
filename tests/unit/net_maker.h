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
	struct net_engine *engine; /* made when something is sent */
	struct net_log *log;       /* for it: the caller's; NULL: none */
};

/*
 * `network` as topology_must takes it; `parameters`: "flow.mode=f nic.mtu=1000" with blanks
 * between; values without blanks. Checks are on. The test ends if it cannot be made.
 */
struct net_made net_must(const char *engine, const char *network, const char *parameters);
void net_unmake(struct net_made *m);

/* Sends and checks that it can. */
void net_send(struct net_made *m, int64_t time_ps, uint32_t id, uint32_t src, uint32_t dst, uint64_t bytes);

/* The same, where several share a node: from one of them to another. */
void net_send_between(struct net_made *m, int64_t time_ps, uint32_t id, uint32_t src, uint32_t dst, uint64_t bytes,
		      uint32_t from, uint32_t to);

/* A message of a handshake. */
void net_send_control(struct net_made *m, int64_t time_ps, uint32_t id, uint32_t src, uint32_t dst, uint64_t bytes);

/* The next notice, which must come, as "SENT 3 at 1000000" (ps). Static buffer. */
const char *net_next(struct net_made *m);

/* Goes on to the end; the time of the last notice; checks that nothing was lost. */
int64_t net_finish(struct net_made *m);

#endif
