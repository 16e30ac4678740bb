/*
 * Who loads which link: bytes by link, pair of ranks, and call. Engines add what a link carries; the owner reads the
 * rows after the run. A row is made when its link first carries bytes of its pair and call, up to LOADS_MOST rows.
 */
#ifndef PSIM_NETLINK_ENGINE_LOADS_H
#define PSIM_NETLINK_ENGINE_LOADS_H

#include <stddef.h>
#include <stdint.h>

#include "../../psim/base/err.h"

enum { LOADS_MOST = 4 << 20 }; /* 100 MB of rows; what has no row is the rest of its link */

struct net_load {
	uint32_t link;
	uint32_t from, to; /* ranks */
	uint32_t call;     /* net_message.mark, the caller's number of the call */
	double bytes;      /* with headers, where the engine has some */
};

struct net_loads;

struct net_loads *net_loads_create(struct err *e);
void net_loads_destroy(struct net_loads *l); /* NULL is allowed */

/* Link `at->link` has carried at->bytes more. */
void net_loads_add(struct net_loads *l, const struct net_load *at);

/* Returns the rows, in the order in which they were made; *count of them. */
const struct net_load *net_loads_rows(const struct net_loads *l, size_t *count);

/* 0, or -1 with `e`: memory was short, and rows are missing. */
int net_loads_check(const struct net_loads *l, struct err *e);

#endif
