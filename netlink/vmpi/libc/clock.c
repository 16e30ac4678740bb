/* Clocks and sleeps: the rank's time, unless the simulator says that the host's counts (ranks.clock). */
#define _GNU_SOURCE /* usleep */
#include "sleeping.h"

#include <errno.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

/* It is there where the program has threads (posix_cancel.c): a sleep ends with its thread. */
extern int posix_sleep(long long ns) __attribute__((weak));

/* The clocks that count from 1970; all others count from the start of the run. */
static bool of_day(clockid_t clock)
{
	return clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE || clock == CLOCK_TAI;
}

static int host_sleep(clockid_t clock, int flags, const struct timespec *wanted, struct timespec *left)
{
	int (*host)(clockid_t clock, int flags, const struct timespec *wanted, struct timespec *left);

	host_function("clock_nanosleep", &host);
	return host(clock, flags, wanted, left);
}

static int host_clock(clockid_t clock, struct timespec *t)
{
	int (*host)(clockid_t clock, struct timespec * t);

	host_function("clock_gettime", &host);
	return host(clock, t);
}

WEAK int clock_gettime(clockid_t clock, struct timespec *t)
{
	/* what the loader calls runs before the program has a rank */
	long long ns = vmpi_gate.v ? vmpi_gate.calls->virtual_clock(vmpi_gate.v, of_day(clock)) : -1;

	if (ns < 0)
		return host_clock(clock, t);
	*t = (struct timespec){ns / NANOSECONDS, ns % NANOSECONDS};
	return 0;
}

WEAK int gettimeofday(struct timeval *restrict t, void *restrict zone)
{
	struct timespec now;

	(void)zone;
	clock_gettime(CLOCK_REALTIME, &now);
	*t = (struct timeval){now.tv_sec, now.tv_nsec / 1000};
	return 0;
}

WEAK time_t time(time_t *t)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	if (t)
		*t = now.tv_sec;
	return now.tv_sec;
}

WEAK int timespec_get(struct timespec *t, int base)
{
	return base == TIME_UTC && clock_gettime(CLOCK_REALTIME, t) == 0 ? base : 0;
}

WEAK clock_t clock(void)
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return now.tv_sec * CLOCKS_PER_SEC + now.tv_nsec / (NANOSECONDS / CLOCKS_PER_SEC);
}

/* ---- sleeps ---- */

/* Returns whether the rank has slept: its clock is the host's otherwise. */
static bool rank_slept(long long ns)
{
	if (!vmpi_gate.v)
		return false;
	return posix_sleep ? posix_sleep(ns) : vmpi_gate.calls->virtual_sleep(vmpi_gate.v, ns);
}

bool clock_is_virtual(void)
{
	return vmpi_gate.v && vmpi_gate.calls->virtual_sleep(vmpi_gate.v, 0);
}

bool clock_ns(const struct timespec *t, long long *ns)
{
	if (t->tv_sec < 0 || t->tv_nsec < 0 || t->tv_nsec >= NANOSECONDS)
		return false;
	if (__builtin_mul_overflow(t->tv_sec, NANOSECONDS, ns) || __builtin_add_overflow(*ns, t->tv_nsec, ns))
		*ns = __LONG_LONG_MAX__;
	return true;
}

enum slept clock_sleep(long long ns, long long *left)
{
	long long next;

	*left = 0;
	while (vmpi_gate.v && timers_next && (next = timers_next()) >= 0 && next < ns) {
		if (!rank_slept(next))
			return SLEPT_NOT;
		ns -= next;
		if (!timers_deliver())
			continue;
		*left = ns;
		return SLEPT_LESS;
	}
	return rank_slept(ns) ? SLEPT_WHOLE : SLEPT_NOT;
}

WEAK int clock_nanosleep(clockid_t clock, int flags, const struct timespec *wanted, struct timespec *left)
{
	bool until = flags & TIMER_ABSTIME;
	struct timespec now = {0};
	long long ns, to = 0, rest;
	enum slept slept;

	if (!clock_ns(wanted, &ns))
		return EINVAL;
	if (until)
		clock_gettime(clock, &now);
	clock_ns(&now, &to);
	slept = clock_sleep(ns > to ? ns - to : 0, &rest);
	if (slept == SLEPT_NOT)
		return host_sleep(clock, flags, wanted, left);
	if (left && !until)
		*left = (struct timespec){rest / NANOSECONDS, rest % NANOSECONDS};
	return slept == SLEPT_LESS ? EINTR : 0;
}

WEAK int nanosleep(const struct timespec *wanted, struct timespec *left)
{
	int error = clock_nanosleep(CLOCK_MONOTONIC, 0, wanted, left);

	if (error)
		errno = error;
	return error ? -1 : 0;
}

WEAK unsigned sleep(unsigned seconds)
{
	struct timespec wanted = {.tv_sec = (time_t)seconds}, left = {0};

	if (nanosleep(&wanted, &left) == 0)
		return 0;
	return (unsigned)left.tv_sec + (left.tv_nsec >= NANOSECONDS / 2); /* as the host's, the nearest */
}

WEAK int usleep(useconds_t microseconds)
{
	struct timespec wanted = {microseconds / 1000000, (long)(microseconds % 1000000) * 1000};

	return nanosleep(&wanted, NULL);
}
