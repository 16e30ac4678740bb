/* Clocks and sleeps: the rank's time, unless the simulator says that the host's counts (ranks.clock). */
#define _GNU_SOURCE /* RTLD_NEXT, usleep */
#include "kept.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "gate.h"

enum { NANOSECONDS = 1000000000 };

/* It is there where the program has threads (posix_cancel.c): a sleep ends with its thread. */
extern int posix_sleep(long long ns) __attribute__((weak));

/* The clocks that count from 1970; all others count from the start of the run. */
static bool of_day(clockid_t clock)
{
	return clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE || clock == CLOCK_TAI;
}

/* The host's two; by system calls they would bring the threads of a rank (posix_futex.c) into every program. */
static int host_sleep(clockid_t clock, int flags, const struct timespec *wanted, struct timespec *left)
{
	void *found = dlsym(RTLD_NEXT, "clock_nanosleep");
	int (*host)(clockid_t clock, int flags, const struct timespec *wanted, struct timespec *left);

	memcpy(&host, &found, sizeof(host));
	return host(clock, flags, wanted, left);
}

static int host_clock(clockid_t clock, struct timespec *t)
{
	void *found = dlsym(RTLD_NEXT, "clock_gettime");
	int (*host)(clockid_t clock, struct timespec * t);

	memcpy(&host, &found, sizeof(host));
	return host(clock, t);
}

WEAK int clock_gettime(clockid_t clock, struct timespec *t)
{
	/* constructors of the program run before it has a rank */
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

WEAK clock_t clock(void)
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return now.tv_sec * CLOCKS_PER_SEC + now.tv_nsec / (NANOSECONDS / CLOCKS_PER_SEC);
}

/* Returns whether the rank has slept: its clock is the host's otherwise. */
static bool rank_slept(long long ns)
{
	if (!vmpi_gate.v)
		return false;
	return posix_sleep ? posix_sleep(ns) : vmpi_gate.calls->virtual_sleep(vmpi_gate.v, ns);
}

WEAK int clock_nanosleep(clockid_t clock, int flags, const struct timespec *wanted, struct timespec *left)
{
	bool until = flags & TIMER_ABSTIME;
	struct timespec now = {0};
	long long ns;

	if (wanted->tv_sec < 0 || wanted->tv_nsec < 0 || wanted->tv_nsec >= NANOSECONDS)
		return EINVAL;
	if (until)
		clock_gettime(clock, &now);
	ns = (long long)(wanted->tv_sec - now.tv_sec) * NANOSECONDS + wanted->tv_nsec - now.tv_nsec;
	if (!rank_slept(ns > 0 ? ns : 0))
		return host_sleep(clock, flags, wanted, left);
	if (left && !until)
		*left = (struct timespec){0};
	return 0;
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

	return nanosleep(&wanted, &left) < 0 ? (unsigned)left.tv_sec : 0;
}

WEAK int usleep(useconds_t microseconds)
{
	struct timespec wanted = {microseconds / 1000000, (long)(microseconds % 1000000) * 1000};

	return nanosleep(&wanted, NULL);
}
