/*
 * Waits for signals, which a rank's timers send at their times. A rank without timers waits on the host, for a signal
 * that others send to the simulator.
 */
#define _GNU_SOURCE
#include "sleeping.h"

#include <errno.h>
#include <unistd.h>

bool signal_sleep(long long ns)
{
	long long next = timers_next ? timers_next() : -1, left;

	if (ns >= 0)
		return clock_sleep(ns, &left) == SLEPT_LESS;
	while (next >= 0) {
		if (clock_sleep(next + 1, &left) == SLEPT_LESS)
			return true;
		next = timers_next();
	}
	return false;
}

static int fail_interrupted(void)
{
	errno = EINTR;
	return -1;
}

WEAK int pause(void)
{
	int (*host)(void);

	if (signal_sleep(-1))
		return fail_interrupted();
	host_function("pause", &host);
	return host();
}

WEAK int sigsuspend(const sigset_t *mask)
{
	int (*host)(const sigset_t *mask);
	sigset_t before;

	if (signals_mask(mask, &before) || signal_sleep(-1)) {
		signals_mask(&before, NULL);
		return fail_interrupted();
	}
	signals_mask(&before, NULL);
	host_function("sigsuspend", &host);
	return host(mask);
}

/* One of the host's signals of the set that has arrived, -1: none. */
static int host_take(const sigset_t *set, siginfo_t *info)
{
	int (*host)(const sigset_t *set, siginfo_t *info, const struct timespec *time);

	host_function("sigtimedwait", &host);
	return host(set, info, &(struct timespec){0});
}

/* The next blocked signal of the set that arrives within `ns`, or at any time if that is negative. -1 with errno. */
static int wait_for_signal(const sigset_t *set, siginfo_t *info, long long ns)
{
	long long next, left;
	int number;

	for (;;) {
		number = signals_take(set);
		if (number) {
			*info = (siginfo_t){.si_signo = number, .si_code = SI_TIMER};
			return number;
		}
		number = host_take(set, info);
		if (number > 0)
			return number;
		next = timers_next ? timers_next() : -1;
		if (ns >= 0 && (next < 0 || next > ns)) {
			clock_sleep(ns, &left);
			errno = EAGAIN;
			return -1;
		}
		if (next < 0)
			return 0;
		if (ns >= 0)
			ns -= next;
		if (clock_sleep(next + 1, &left) == SLEPT_LESS)
			return fail_interrupted();
	}
}

WEAK int sigtimedwait(const sigset_t *set, siginfo_t *info, const struct timespec *time)
{
	int (*host)(const sigset_t *set, siginfo_t *info, const struct timespec *time), number;
	long long ns = -1;
	siginfo_t own;

	if (time && !clock_ns(time, &ns)) {
		errno = EINVAL;
		return -1;
	}
	if (clock_is_virtual()) {
		number = wait_for_signal(set, info ? info : &own, ns);
		if (number)
			return number;
	}
	host_function("sigtimedwait", &host);
	return host(set, info, time);
}

WEAK int sigwaitinfo(const sigset_t *set, siginfo_t *info)
{
	return sigtimedwait(set, info, NULL);
}

WEAK int sigwait(const sigset_t *set, int *number)
{
	int got = sigtimedwait(set, NULL, NULL);

	if (got > 0)
		*number = got;
	return got > 0 ? 0 : errno;
}
