/*
 * Crashes of ranks: while ranks run, SIGSEGV, SIGBUS, SIGFPE, SIGILL and SIGABRT end the run instead of the process,
 * and report the rank, the call or place, and the address. Only one run of a process can be watched at a time. After
 * SIGINT, SIGTERM or SIGHUP, if these signals have handlers (which get the first one), no rank goes on behind its next
 * call, and one that makes none for a second is left where it is; in a run with a time limit, one whose clock does
 * not move for ranks.loop_limit is ended.
 */
#ifndef PSIM_VMPI_CRASH_H
#define PSIM_VMPI_CRASH_H

#include "world.h"

/* Called once a run: if a library that a rank uses calls exit, the run ends instead of the process. */
void crash_watch_exit(void);
void crash_watch(struct vmpi *v);
void crash_unwatch(struct vmpi *v);
/* Fails the run because the clock of `r` has not moved for ranks.loop_limit, `in` a place. */
void crash_stands_still(struct vmpi *v, const struct rank *r, const char *in);
/* Returns whether a signal has requested the run's end since crash_watch(). */
bool crash_end_asked(const struct vmpi *v);

/*
 * Ends the run for a call by another thread of the host than the one that runs the ranks: the stacks and variables of
 * ranks belong to that one. The calling thread waits for the end of the process.
 */
__attribute__((noreturn)) void crash_other_thread(struct vmpi *v, enum call_id call);

#endif
