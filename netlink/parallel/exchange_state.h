/* An exchange and its transport; private to this folder. */
#ifndef PSIM_NETLINK_EXCHANGE_STATE_H
#define PSIM_NETLINK_EXCHANGE_STATE_H

#include <stdbool.h>

#include "../../psim/base/vec.h"
#include "record_exchange.h"

/* Data that each process gives all others in a round. */
struct published {
	struct exchange_values values;
	uint32_t failed; /* a process that has failed, the one with the lowest number; EXCHANGE_MOST: none */
	bool more;       /* further rounds are needed */
};

struct bytes vec_of(char);

/* Records of another process; valid until the next round. */
struct got {
	const void *at;
	size_t bytes;
};

/* How rounds reach other processes. */
struct exchange_transport {
	/* Starts the processes. 0, or -1 with `e` in the first process. */
	int (*begin)(struct exchange *x, struct err *e);
	/*
	 * Reduces `mine` over all processes, and delivers records from byte `done` of each `out` on, as many as it can;
	 * none if a process has failed; sets `got`. Returns the number of bytes of an `out` that it can deliver; -1
	 * with `e` in the first process if another one has died: the exchange has ended then.
	 */
	int64_t (*round)(struct exchange *x, size_t done, struct published *mine, struct err *e);
	/* Gets the error of a process that has failed in the last round; all processes call it. */
	void (*error_of)(struct exchange *x, unsigned process, struct err *e);
	/* Ends all; `failed`: after a failure. Returns in the first process, does not return in others. */
	void (*end)(struct exchange *x, bool failed);
	void (*destroy)(struct exchange *x);
	void (*pass_signal)(struct exchange *x, int signal); /* NULL: the launcher signals all */
};

struct exchange {
	unsigned me, processes;
	bool ended;
	struct err failure;  /* of this process */
	int (*wanted)(void); /* the signal that has requested the end, 0: none; NULL: none is passed on */
	struct bytes out[EXCHANGE_MOST], in[EXCHANGE_MOST];
	struct got got[EXCHANGE_MOST]; /* of the last step: in `in`, or where the transport has it */
	const struct exchange_transport *transport;
	void *state; /* of the transport */
};

/* Adds what another process has published. */
void exchange_reduce(struct published *all, const struct published *other);

/* State of a transport. NULL with `e`: memory; a module that cannot be loaded. */
void *forked_exchange_create(unsigned processes, struct err *e);
void *mpi_exchange_create(enum mpi_kind kind, unsigned *me, unsigned *processes, struct err *e);

extern const struct exchange_transport forked_exchange, mpi_exchange;

#endif
