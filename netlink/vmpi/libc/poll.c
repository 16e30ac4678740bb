/*
 * Waits for descriptors, with a time that passes on the rank's clock: descriptors are examined at the beginning and at
 * the end of that time, when all other ranks have caught up. Without a time the host waits, as in read.
 */
#define _GNU_SOURCE /* ppoll, epoll_pwait2 */
#include "sleeping.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/select.h>

enum { MILLISECOND = 1000000 };

/* One call, and the host's with a time of its own: so many nanoseconds, -1 without end. */
struct poll_call {
	int (*host)(struct poll_call *a, long long ns);
	const sigset_t *mask; /* NULL: it stays */
	struct pollfd *descriptors;
	nfds_t count;
	fd_set *sets[3], before[3]; /* of select; the sets NULL: none */
	struct epoll_event *events;
	int epoll, most;
};

/* Waits as far as the rank's clock counts. *done: the result holds; otherwise the host waits. */
static int poll_virtual(struct poll_call *a, long long ns, enum thread_call call, bool *done)
{
	long long left;
	int ready;

	*done = true;
	vmpi_gate.calls->thread_turn(vmpi_gate.v, (int)call); /* a loop of such calls goes on in time */
	ready = a->host(a, 0);
	if (ready || !ns)
		return ready;
	if (ns < 0 ? signal_sleep(-1) : clock_sleep(ns, &left) == SLEPT_LESS) {
		errno = EINTR;
		return -1;
	}
	*done = ns >= 0;
	if (ns < 0)
		return 0;
	vmpi_gate.calls->thread_turn(vmpi_gate.v, (int)call);
	return a->host(a, 0);
}

static int poll_wait(struct poll_call *a, long long ns, enum thread_call call)
{
	bool done = false, called;
	sigset_t before;
	int ret = 0;

	if (!clock_is_virtual())
		return a->host(a, ns);
	called = a->mask && signals_mask(a->mask, &before);
	if (called) {
		errno = EINTR;
		ret = -1;
	} else {
		ret = poll_virtual(a, ns, call, &done);
	}
	if (!called && !done)
		ret = a->host(a, ns);
	if (a->mask)
		signals_mask(&before, NULL);
	return ret;
}

static int not_a_time(void)
{
	errno = EINVAL;
	return -1;
}

static const struct timespec *to_timespec(long long ns, struct timespec *t)
{
	*t = (struct timespec){ns / NANOSECONDS, ns % NANOSECONDS};
	return ns < 0 ? NULL : t;
}

/* ---- poll ---- */

static int ask_poll(struct poll_call *a, long long ns)
{
	int (*host)(struct pollfd * descriptors, nfds_t count, const struct timespec *time, const sigset_t *mask);
	struct timespec t;

	host_function("ppoll", &host);
	return host(a->descriptors, a->count, to_timespec(ns, &t), NULL);
}

WEAK int ppoll(struct pollfd *descriptors, nfds_t count, const struct timespec *time, const sigset_t *mask)
{
	struct poll_call a = {.host = ask_poll, .mask = mask, .descriptors = descriptors, .count = count};
	long long ns = -1;

	if (time && !clock_ns(time, &ns))
		return not_a_time();
	return poll_wait(&a, ns, THREAD_poll);
}

WEAK int poll(struct pollfd *descriptors, nfds_t count, int milliseconds)
{
	struct timespec t;

	return ppoll(descriptors, count, to_timespec((long long)milliseconds * MILLISECOND, &t), NULL);
}

/* Programs that are compiled with _FORTIFY_SOURCE call these. */
WEAK int __poll_chk(struct pollfd *descriptors, nfds_t count, int milliseconds, size_t size)
{
	(void)size;
	return poll(descriptors, count, milliseconds);
}

WEAK int __ppoll_chk(struct pollfd *descriptors, nfds_t count, const struct timespec *time, const sigset_t *mask,
		     size_t size)
{
	(void)size;
	return ppoll(descriptors, count, time, mask);
}

/* ---- select ---- */

/* The host clears the sets: each time they are those of the call. */
static int ask_select(struct poll_call *a, long long ns)
{
	int (*host)(int most, fd_set *read, fd_set *write, fd_set *other, const struct timespec *time,
		    const sigset_t *mask);
	struct timespec t;

	for (int i = 0; i < 3; i++)
		if (a->sets[i])
			*a->sets[i] = a->before[i];
	host_function("pselect", &host);
	return host(a->most, a->sets[0], a->sets[1], a->sets[2], to_timespec(ns, &t), NULL);
}

WEAK int pselect(int most, fd_set *restrict read, fd_set *restrict write, fd_set *restrict other,
		 const struct timespec *restrict time, const sigset_t *restrict mask)
{
	struct poll_call a = {.host = ask_select, .mask = mask, .sets = {read, write, other}, .most = most};
	long long ns = -1;

	if ((time && !clock_ns(time, &ns)) || most < 0 || most > FD_SETSIZE)
		return not_a_time();
	for (int i = 0; i < 3; i++)
		if (a.sets[i])
			a.before[i] = *a.sets[i];
	return poll_wait(&a, ns, THREAD_select);
}

WEAK int select(int most, fd_set *restrict read, fd_set *restrict write, fd_set *restrict other,
		struct timeval *restrict time)
{
	struct timespec t = {0};
	int ready;

	if (time)
		t = (struct timespec){time->tv_sec + time->tv_usec / 1000000, time->tv_usec % 1000000 * 1000};
	ready = pselect(most, read, write, other, time ? &t : NULL, NULL);
	if (time && ready == 0) /* as Linux does: what is left of it */
		*time = (struct timeval){0};
	return ready;
}

/* ---- epoll ---- */

static int ask_epoll(struct poll_call *a, long long ns)
{
	int (*host)(int epoll, struct epoll_event *events, int most, int milliseconds);
	long long milliseconds = ns < 0 ? -1 : ns / MILLISECOND + (ns % MILLISECOND != 0);

	host_function("epoll_wait", &host);
	return host(a->epoll, a->events, a->most, milliseconds > __INT_MAX__ ? __INT_MAX__ : (int)milliseconds);
}

WEAK int epoll_pwait2(int epoll, struct epoll_event *events, int most, const struct timespec *time,
		      const sigset_t *mask)
{
	struct poll_call a = {.host = ask_epoll, .mask = mask, .events = events, .epoll = epoll, .most = most};
	long long ns = -1;

	if (time && !clock_ns(time, &ns))
		return not_a_time();
	return poll_wait(&a, ns, THREAD_epoll_wait);
}

WEAK int epoll_pwait(int epoll, struct epoll_event *events, int most, int milliseconds, const sigset_t *mask)
{
	struct timespec t;

	return epoll_pwait2(epoll, events, most, to_timespec((long long)milliseconds * MILLISECOND, &t), mask);
}

WEAK int epoll_wait(int epoll, struct epoll_event *events, int most, int milliseconds)
{
	return epoll_pwait(epoll, events, most, milliseconds, NULL);
}
