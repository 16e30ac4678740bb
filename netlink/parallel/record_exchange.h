/*
 * Exchanges: how the processes of one run give each other records.
 *
 * All processes call exchange_step at the same places of the run. A step delivers what each has put for each other
 * one, and reduces a few numbers over all of them. Two kinds of processes:
 *
 * - forked from the first one, which therefore has made all that they read. They exchange records through shared
 *   memory, and wait for each other with futexes (forked_exchange.c).
 * - started by an MPI's mpirun, on one host or several. Each makes all of it, from the same command and files
 *   (mpi_exchange.c).
 *
 * If a process fails, all of them end at the next step, and the first process gets the error of the failing one with
 * the lowest number: the same in each run.
 */
#ifndef PSIM_NETLINK_RECORD_EXCHANGE_H
#define PSIM_NETLINK_RECORD_EXCHANGE_H

#include <stddef.h>
#include <stdint.h>

#include "../../psim/base/err.h"
#include "mpi_launch.h"

enum { EXCHANGE_MOST = 64 }; /* number of processes */

struct exchange;

/* Numbers of a process; after a step the minima and sums over all processes. */
struct exchange_values {
	int64_t least[4];
	uint64_t sum[3];
};

/* Creates an exchange of 1 to EXCHANGE_MOST processes, which are not forked yet. NULL with `e` if memory is short. */
struct exchange *exchange_create(unsigned processes, struct err *e);

/*
 * Joins the processes that an MPI of this kind has started with this one (mpi_launch.h); all of them call it once. NULL
 * with `e`: this build has no module for it, or it cannot be loaded; there are more than EXCHANGE_MOST.
 */
struct exchange *exchange_join(enum mpi_kind kind, struct err *e);

void exchange_destroy(struct exchange *x); /* NULL is allowed; in the first process */

/*
 * Passes a signal that requests the end on to the other processes, once a run; for signal handlers too. A process that
 * waits in the exchange passes on what `wanted` returns, if that is not 0.
 */
void exchange_pass_signal(struct exchange *x, int signal);
void exchange_watch_signals(struct exchange *x, int (*wanted)(void));

unsigned exchange_processes(const struct exchange *x);
unsigned exchange_me(const struct exchange *x); /* number of this process; the first is 0 */

/*
 * Forks the other processes, unless they are there, and returns in each of them. 0, or -1 with `e` in the first
 * process, which then is alone.
 */
int exchange_begin(struct exchange *x, struct err *e);

/*
 * Returns room for a record of `bytes` for process `to`, which gets it in the next step; aligned to 8 bytes. NULL if
 * memory is short.
 */
void *exchange_put(struct exchange *x, unsigned to, size_t bytes);

/*
 * Delivers all records and reduces `values`. 0, or -1 with `e` in the first process if another one has failed or died;
 * others do not return then.
 */
int exchange_step(struct exchange *x, struct exchange_values *values, struct err *e);

/*
 * Returns the records that process `from` put for this one before the last step, in order; each begins at a multiple
 * of 8 bytes.
 */
const void *exchange_got(const struct exchange *x, unsigned from, size_t *bytes);

/*
 * Ends all processes after a failure of this one with `e`. Returns -1 in the first process, with the error to report;
 * does not return in others. If the exchange has ended already, only returns -1.
 */
int exchange_fail(struct exchange *x, struct err *e);

/*
 * Ends the exchange after the last step: returns in the first process when all others have ended; does not return in
 * these.
 */
int exchange_end(struct exchange *x, struct err *e);

#endif
