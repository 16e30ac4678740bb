/*
 * Windows: processes simulate a run in steps of virtual time that are short enough that nothing in one partition
 * changes another partition within a step (conservative synchronization: K. Chandy, J. Misra 1979; in windows: B.
 * Lubachevsky 1989).
 *
 * A window begins with the earliest event of all partitions and has the length that the engine says: the lookahead.
 * Each process simulates its partition to the end of the window; then records are exchanged.
 */
#ifndef PSIM_NETLINK_WINDOW_H
#define PSIM_NETLINK_WINDOW_H

#include <stdbool.h>

#include "../../psim/base/vec.h"
#include "../engine/engine.h"
#include "record_exchange.h"

/* Driver of the engine, which sends its messages and receives its notices. */
struct window_driver {
	/* Simulates to `until` (inclusive). 0, or -1 with `e`; sets `*stop` to end the run early. */
	int (*advance)(void *user, int64_t until, bool *stop, struct err *e);
	/* Returns the time of the driver's own next event; NET_TIME_NEVER: none. */
	int64_t (*next)(void *user);
	/*
	 * Returns whether this partition waits for others before the end of the window: after an exchange it gets the
	 * same end again, as all others. NULL: never.
	 */
	bool (*held)(void *user);
	/* Sets *id, the number here of a message from another partition. 0, or -1 with `e`. */
	int (*name)(void *user, const struct net_message *m, uint32_t *id, struct err *e);
	/* Takes the driver's records of another process, before the engine takes its own. NULL: there are none. */
	int (*take)(void *user, unsigned from, const void *records, size_t bytes, struct err *e);
	void *user;
};

struct window_setup {
	struct exchange *exchange; /* begun: the caller is one of its processes */
	const uint16_t *owner;     /* [vertices of the network]: domain.h */
	const struct net_engine_kind *kind;
	struct net_engine *engine; /* engine divided by window_divide */
	struct window_driver driver;
	struct vec_of(char) own[EXCHANGE_MOST]; /* window.c: the driver's records of this window */
	int64_t widen;                          /* for tests: added to each window; above 0 gives wrong results */
	int64_t most;     /* of the driver: windows are not longer; 0: the engine's lookahead is enough */
	uint64_t done;    /* of the driver: its progress here, for a line of progress */
	uint64_t others;  /* window.c: that of the other partitions at the end of the last window */
	bool held;        /* window.c: a partition has not reached the end of the window */
	int64_t soonest;  /* window.c: earliest effect of the records that this process put in this window */
	int64_t until;    /* window.c: the window's end, inclusive */
	bool late;        /* window.c: a record of the driver has an effect before that */
	uint64_t records; /* window.c: records put so far */
};

/* Cost of the run: the same in all processes but for their own events and the host's times. */
struct window_counts {
	unsigned processes; /* 0: no windows */
	uint64_t windows;
	uint64_t narrow;              /* windows shorter than the engine's longest */
	uint64_t events, events_most; /* events of the engine: all; of the process that had most */
	uint64_t events_longest;      /* the sum over all windows of the events of the process that had most there */
	uint64_t records;
	uint64_t events_own; /* of this process */
	/* host times of this process */
	double busy_s, exchange_s; /* simulating; exchanging, which includes waiting */
	double exchange_least_s;   /* the fastest exchange */
	bool stopped;              /* a driver ended the run early */
};

/*
 * Divides a new engine that can be divided (partitions->whole); each process calls it after exchange_begin. `setup`
 * must outlive the run. 0, or -1 with `e`.
 */
int window_divide(struct window_setup *setup, struct err *e);

/* Frees what a setup holds at the end. */
void window_finish(struct window_setup *setup);

/*
 * Returns room for a record of the driver, of `bytes`, for process `to`, which takes it at the end of the window;
 * aligned to 8 bytes, valid until the next call. NULL if memory is short.
 */
void *window_put(struct window_setup *setup, unsigned to, size_t bytes);

/* The driver's records of this window have an effect at `time`, at the soonest: the next window begins no later. */
void window_soon(struct window_setup *setup, int64_t time);

/* Runs until no partition has an event. 0, or -1 with `e`, in the first process only. */
int window_run(struct window_setup *setup, struct window_counts *counts, struct err *e);

/* Adds the counters of all other processes to the engine of the first one. 0, or -1 with `e`, as window_run. */
int window_gather(const struct window_setup *setup, struct err *e);

/* Adds the group "parallel" and the table "parallel_estimate". */
void window_report(const struct window_counts *c, struct report *r);

#endif
