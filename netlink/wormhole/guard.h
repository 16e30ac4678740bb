/*
 * Containment of the parts of a network description, and of processing units, that are written in C: dividing by zero,
 * wrong addresses, endless recursion and calls that take too long end the run with a message that says which
 * part it was, of which resource. One run at a time is guarded: handlers of signals have no other way to find it.
 */
#ifndef PSIM_NETLINK_WORMHOLE_GUARD_H
#define PSIM_NETLINK_WORMHOLE_GUARD_H

#include <signal.h>
#include <stdint.h>

#include "network.h"

/* Processor time that one call of such a part may take without progress. */
enum { GUARD_SECONDS = 3 };

/* The part that runs. */
struct guard_part {
	const char *what; /* "the routing of"; NULL: none */
	const char *file;
	int line;                  /* 0: not known */
	const struct network *net; /* NULL: of no resource */
	uint32_t resource;
	const struct network *built; /* whose statements run; NULL: none */
	uint64_t calls;              /* of parts until now */
};

/* NULL where nothing is guarded. */
extern struct guard_part *guarded;

static inline void guard_enter(const char *what, const char *file, int line, const struct network *net,
			       uint32_t resource)
{
	struct guard_part *g = guarded;

	if (!g)
		return;
	g->file = file;
	g->line = line;
	g->net = net;
	g->resource = resource;
	g->built = NULL;
	g->calls++;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	g->what = what;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
}

static inline void guard_leave(void)
{
	if (guarded)
		guarded->what = NULL;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
}

/* The statements of a description, which make `n`. */
static inline void guard_enter_statements(const struct network *n)
{
	guard_enter("an expression", n->file, 0, NULL, 0);
	if (guarded)
		guarded->built = n;
}

/*
 * Calls `run(arg, e)` and returns what it returns; or -1 with `e` (STATUS_BAD_INPUT) where a part that it entered went
 * wrong. What `run` has begun then stays as it is: the program should end. Within another guard_run: just calls.
 */
int guard_run(int (*run)(void *arg, struct err *e), void *arg, struct err *e);

#endif
