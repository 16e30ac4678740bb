/*
 * Sleeps of a rank, and what ends them: the signals of its timers, which are on its own clock. A timer's signal arrives
 * in a sleep, or at the rank's first call after its time.
 */
#ifndef VMPI_LIBC_SLEEPING_H
#define VMPI_LIBC_SLEEPING_H

#include <signal.h>
#include <stdbool.h>
#include <time.h>

#include "gate.h"
#include "libc_state.h"

enum { NANOSECONDS = 1000000000 };

/* How a sleep has ended: not begun, since the host's clock counts (ranks.clock); after its time; by a signal. */
enum slept { SLEPT_NOT, SLEPT_WHOLE, SLEPT_LESS };

/* clock.c: sleeps; *left: nanoseconds after a signal. */
enum slept clock_sleep(long long ns, long long *left);
/* Returns whether the rank's clock counts, so that it sleeps by clock_sleep. */
bool clock_is_virtual(void);
/* Nanoseconds of a time; false: it is none. */
bool clock_ns(const struct timespec *t, long long *ns);

/* timers.c, where the program has timers: nanoseconds until the next one, -1: there is none. */
extern long long timers_next(void) WEAK;
/* Sends the signals of those whose time has come; returns whether a handler was called. */
extern bool timers_deliver(void) WEAK;

/* end_signals.c: sends a signal to the rank itself; returns whether a handler was called. */
bool signals_deliver(int number);
/* Sets the mask as pthread_sigmask with SIG_SETMASK; returns whether a handler was called. */
bool signals_mask(const sigset_t *mask, sigset_t *before);
/* Takes a blocked signal of the set that has arrived; 0: there is none. */
int signals_take(const sigset_t *set);

/* signal_waits.c: sleeps for `ns`, negative: without end, until a handler was called; false: none will be. */
bool signal_sleep(long long ns);

#endif
