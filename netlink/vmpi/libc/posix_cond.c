/* Conditions and barriers, in the memory that the C library gives them; those that it initializes are zero. */
#define _GNU_SOURCE /* pthread_cond_clockwait */
#include "posix_threads.h"

#include <errno.h>
#include <string.h>

/* ---- conditions ---- */

struct condition {
	clockid_t clock; /* of times until which one waits; 0: CLOCK_REALTIME */
};
_Static_assert(sizeof(struct condition) <= sizeof(pthread_cond_t) && CLOCK_REALTIME == 0,
	       "the C library's memory is enough");

WEAK int pthread_cond_init(pthread_cond_t *memory, const pthread_condattr_t *attributes)
{
	struct condition *c = (struct condition *)(void *)memory;

	memset(memory, 0, sizeof(*memory));
	if (attributes)
		pthread_condattr_getclock(attributes, &c->clock);
	return 0;
}

WEAK int pthread_cond_destroy(pthread_cond_t *c)
{
	(void)c;
	return 0;
}

/* Between the mutex and the condition no other thread runs. */
static int condition_wait(pthread_cond_t *c, pthread_mutex_t *m, long long ns)
{
	bool woken;
	int ret;

	posix_turn(THREAD_pthread_cond_wait);
	posix_cancel_point();
	ret = posix_unlock(m);
	if (ret)
		return ret;
	woken = posix_wait_at_point(c, THREAD_pthread_cond_wait, ns);
	ret = posix_lock(m, THREAD_pthread_cond_wait, -1);
	posix_end_if_interrupted();
	return ret ? ret : woken ? 0 : ETIMEDOUT;
}

WEAK int pthread_cond_wait(pthread_cond_t *c, pthread_mutex_t *m)
{
	POSIX_PLACE();
	return condition_wait(c, m, -1);
}

WEAK int pthread_cond_clockwait(pthread_cond_t *c, pthread_mutex_t *m, clockid_t clock, const struct timespec *time)
{
	long long ns;

	POSIX_PLACE();
	return posix_until(clock, time, &ns) ? condition_wait(c, m, ns) : EINVAL;
}

WEAK int pthread_cond_timedwait(pthread_cond_t *c, pthread_mutex_t *m, const struct timespec *time)
{
	return pthread_cond_clockwait(c, m, ((struct condition *)(void *)c)->clock, time);
}

WEAK int pthread_cond_signal(pthread_cond_t *c)
{
	struct posix_thread *t;

	POSIX_PLACE();
	posix_turn(THREAD_pthread_cond_signal);
	if ((t = posix_first(c)))
		posix_wake(t);
	return 0;
}

WEAK int pthread_cond_broadcast(pthread_cond_t *c)
{
	struct posix_thread *t;

	POSIX_PLACE();
	posix_turn(THREAD_pthread_cond_broadcast);
	while ((t = posix_first(c)))
		posix_wake(t);
	return 0;
}

/* ---- barriers ---- */

struct barrier {
	unsigned count, come;
};
_Static_assert(sizeof(struct barrier) <= sizeof(pthread_barrier_t), "the C library's memory is enough");

WEAK int pthread_barrier_init(pthread_barrier_t *memory, const pthread_barrierattr_t *attributes, unsigned count)
{
	(void)attributes;
	if (!count)
		return EINVAL;
	memset(memory, 0, sizeof(*memory));
	((struct barrier *)(void *)memory)->count = count;
	return 0;
}

WEAK int pthread_barrier_destroy(pthread_barrier_t *b)
{
	(void)b;
	return 0;
}

WEAK int pthread_barrier_wait(pthread_barrier_t *memory)
{
	struct barrier *b = (struct barrier *)(void *)memory;
	struct posix_thread *t;

	POSIX_PLACE();
	posix_turn(THREAD_pthread_barrier_wait);
	if (++b->come < b->count) {
		posix_wait(b, THREAD_pthread_barrier_wait, -1);
		return 0;
	}
	b->come = 0;
	while ((t = posix_first(b)))
		posix_wake(t);
	return PTHREAD_BARRIER_SERIAL_THREAD;
}
