/*
 * Timers that send signals (alarm, setitimer, timer_create), on the rank's clock. The simulator calls `timers_due` in
 * the rank's first call after a timer's time; a sleep ends at it.
 */
#define _GNU_SOURCE /* SIGEV_THREAD_ID */
#include "sleeping.h"

#include <errno.h>
#include <sys/time.h>
#include <unistd.h>

/* The first three are those of setitimer: ITIMER_REAL, ITIMER_VIRTUAL, ITIMER_PROF. */
enum { ITIMERS = 3, TIMERS = 35, MICROSECONDS = 1000000 };
static struct timer {
	bool used;
	clockid_t clock;          /* of absolute times */
	int signal;               /* 0: none */
	long long next, interval; /* ns of the rank's clock; next 0: it is off */
	long long overruns;       /* times of which it has not sent the signal */
} timers[TIMERS];

static long long timers_clock(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (long long)t.tv_sec * NANOSECONDS + t.tv_nsec;
}

static struct timer *first_timer(void)
{
	struct timer *first = NULL;

	for (int i = 0; i < TIMERS; i++)
		if (timers[i].next && (!first || timers[i].next < first->next))
			first = &timers[i];
	return first;
}

static void timers_due(void)
{
	timers_deliver();
}

static void arm(void)
{
	const struct timer *first = first_timer();

	if (first && !clock_is_virtual())
		vmpi_gate.calls->thread_refuse(vmpi_gate.v, THREAD_setitimer, "expected ranks.clock=virtual");
	vmpi_gate.calls->timer_at(vmpi_gate.v, first ? first->next : -1, timers_due);
}

long long timers_next(void)
{
	const struct timer *first = first_timer();
	long long now = first ? timers_clock() : 0;

	return !first ? -1 : first->next > now ? first->next - now : 0;
}

bool timers_deliver(void)
{
	bool called = false;
	struct timer *t;
	long long now;

	vmpi_gate.calls->timer_at(vmpi_gate.v, -1, timers_due); /* reading the clock is a call */
	now = timers_clock();
	while ((t = first_timer()) && t->next <= now) {
		t->overruns = t->interval ? (now - t->next) / t->interval : 0;
		t->next = t->interval ? t->next + (t->overruns + 1) * t->interval : 0;
		arm(); /* the handler may jump */
		if (t->signal && signals_deliver(t->signal))
			called = true;
	}
	arm();
	return called;
}

/* Until its next time, and its interval; `next` 0: it is off. */
static void timer_set(struct timer *t, long long next, long long interval)
{
	t->interval = interval;
	t->overruns = 0;
	t->next = next ? timers_clock() + next : 0;
	arm();
}

static long long timer_left(const struct timer *t)
{
	long long now = t->next ? timers_clock() : 0;

	return !t->next ? 0 : t->next > now ? t->next - now : 1;
}

/* ---- one of each kind ---- */

static struct timer *of_kind(int which)
{
	static const int signals[ITIMERS] = {SIGALRM, SIGVTALRM, SIGPROF};

	if (which < 0 || which >= ITIMERS)
		return NULL;
	timers[which].signal = signals[which];
	return &timers[which];
}

static struct timeval to_timeval(long long ns)
{
	return (struct timeval){ns / NANOSECONDS, ns % NANOSECONDS / 1000};
}

static bool from_timeval(const struct timeval *t, long long *ns)
{
	struct timespec s = {t->tv_sec, t->tv_usec * 1000};

	return t->tv_usec >= 0 && t->tv_usec < MICROSECONDS && clock_ns(&s, ns);
}

WEAK int getitimer(__itimer_which_t which, struct itimerval *value)
{
	const struct timer *t = of_kind((int)which);

	if (!t) {
		errno = EINVAL;
		return -1;
	}
	*value = (struct itimerval){to_timeval(t->interval), to_timeval(timer_left(t))};
	return 0;
}

WEAK int setitimer(__itimer_which_t which, const struct itimerval *restrict value, struct itimerval *restrict before)
{
	long long next = 0, interval = 0;
	struct timer *t = of_kind((int)which);

	if (!t ||
	    (value && (!from_timeval(&value->it_value, &next) || !from_timeval(&value->it_interval, &interval)))) {
		errno = EINVAL;
		return -1;
	}
	if (before)
		getitimer(which, before);
	timer_set(t, next, interval);
	return 0;
}

WEAK unsigned alarm(unsigned seconds)
{
	struct timer *t = of_kind(ITIMER_REAL);
	long long left = timer_left(t), rounded = (left + NANOSECONDS / 2) / NANOSECONDS;

	timer_set(t, (long long)seconds * NANOSECONDS, 0);
	return (unsigned)(left && !rounded ? 1 : rounded);
}

WEAK useconds_t ualarm(useconds_t microseconds, useconds_t interval)
{
	struct timer *t = of_kind(ITIMER_REAL);
	long long left = timer_left(t);

	timer_set(t, microseconds * 1000LL, interval * 1000LL);
	return (useconds_t)(left / 1000);
}

/* ---- any number ---- */

static struct timer *of_id(timer_t id)
{
	size_t i = (size_t)id;

	if (i >= ITIMERS && i < TIMERS && timers[i].used)
		return &timers[i];
	errno = EINVAL;
	return NULL;
}

WEAK int timer_create(clockid_t clock, struct sigevent *restrict event, timer_t *restrict id)
{
	if (event && event->sigev_notify == SIGEV_THREAD)
		vmpi_gate.calls->thread_refuse(vmpi_gate.v, THREAD_timer_create,
					       "expected a timer that sends a signal, not SIGEV_THREAD");
	for (size_t i = ITIMERS; i < TIMERS; i++)
		if (!timers[i].used) {
			timers[i] = (struct timer){.used = true, .clock = clock, .signal = SIGALRM};
			if (event)
				timers[i].signal = event->sigev_notify == SIGEV_NONE ? 0 : event->sigev_signo;
			*id = (timer_t)i;
			return 0;
		}
	errno = EAGAIN;
	return -1;
}

WEAK int timer_delete(timer_t id)
{
	struct timer *t = of_id(id);

	if (!t)
		return -1;
	*t = (struct timer){0};
	arm();
	return 0;
}

static struct itimerspec timer_state(const struct timer *t)
{
	long long left = timer_left(t);

	return (struct itimerspec){{t->interval / NANOSECONDS, t->interval % NANOSECONDS},
				   {left / NANOSECONDS, left % NANOSECONDS}};
}

WEAK int timer_gettime(timer_t id, struct itimerspec *value)
{
	const struct timer *t = of_id(id);

	if (t)
		*value = timer_state(t);
	return t ? 0 : -1;
}

WEAK int timer_settime(timer_t id, int flags, const struct itimerspec *restrict value,
		       struct itimerspec *restrict before)
{
	struct timer *t = of_id(id);
	long long next, interval, now = 0;
	struct timespec clock;

	if (!t)
		return -1;
	if (!clock_ns(&value->it_value, &next) || !clock_ns(&value->it_interval, &interval)) {
		errno = EINVAL;
		return -1;
	}
	if (before)
		*before = timer_state(t);
	if (next && flags & TIMER_ABSTIME) {
		clock_gettime(t->clock, &clock);
		clock_ns(&clock, &now);
		next = next > now ? next - now : 1;
	}
	timer_set(t, next, interval);
	return 0;
}

WEAK int timer_getoverrun(timer_t id)
{
	const struct timer *t = of_id(id);

	return !t ? -1 : t->overruns < __INT_MAX__ ? (int)t->overruns : __INT_MAX__;
}
