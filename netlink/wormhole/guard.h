/*
 * Containment of C code in network descriptions and processing units. Division by zero, wrong
 * addresses, endless recursion and calls that take too long end the run with a message that names
 * the part and its resource. One run at a time can be guarded, since a signal handler finds it only
 * through a global.
 */
#ifndef PSIM_NETLINK_WORMHOLE_GUARD_H
#define PSIM_NETLINK_WORMHOLE_GUARD_H

#include <signal.h>
#include <stdint.h>

#include "network.h"

/* Processor time that one call of a part may take without progress. */
enum { GUARD_SECONDS = 3 };

/* The part that is running. */
struct guard_part {
	const char *what; /* "the routing of"; NULL: no part is running */
	const char *file;
	int line;                  /* 0: unknown */
	const struct network *net; /* NULL: no resource */
	uint32_t resource;
	const struct network *built; /* network whose statements run; NULL: none */
	uint64_t calls;              /* of parts so far */
};

/* NULL outside guard_run. */
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

/* Enters the statements of a description, which build `n`. */
static inline void guard_enter_statements(const struct network *n)
{
	guard_enter("an expression", n->file, 0, NULL, 0);
	if (guarded)
		guarded->built = n;
}

/* Ends guard_run with this error, as a failed part does; the process if nothing is guarded. */
_Noreturn void guard_fail(const struct err *e);

/*
 * Calls `run(arg, e)` and returns its result; or -1 with `e` (STATUS_BAD_INPUT) if a part that it
 * entered failed. State that `run` has begun to change is then undefined: the program should end. A
 * nested call only calls `run`.
 */
int guard_run(int (*run)(void *arg, struct err *e), void *arg, struct err *e);
/* The same in a process that a guarded run has forked: a failure ends this run, not the one of which it is a copy. */
int guard_run_forked(int (*run)(void *arg, struct err *e), void *arg, struct err *e);

#endif
