/*
 * Messages that arrived before their receiver waited for them: a count for each (receiver, sender)
 * with any. Open addressing, linear probing.
 */
#ifndef PSIM_NETLINK_TRAFFIC_BALANCE_H
#define PSIM_NETLINK_TRAFFIC_BALANCE_H

#include <stdbool.h>
#include <stdint.h>

#include "../../psim/base/err.h"

struct balance_entry {
	uint64_t key;   /* receiver << 32 | sender */
	uint64_t count; /* 0: free */
};

struct balance { /* empty: all zero */
	struct balance_entry *at;
	uint64_t room, used; /* room: 0 or a power of two */
};

void balance_finish(struct balance *b);

/* Counts a message from `src` to `dst`. 0, or -1 with `e` if memory is short. */
int balance_add(struct balance *b, uint32_t dst, uint32_t src, struct err *e);

/* Removes one; false if there is none. */
bool balance_take(struct balance *b, uint32_t dst, uint32_t src);

#endif
