/*
 * Mutexes, spin locks and locks of readers and writers. A mutex has the C library's fields, so that its initializers
 * give the kinds of mutexes; the other two have fields of their own in the memory that the library gives them.
 */
#define _GNU_SOURCE /* pthread_mutex_clocklock */
#include "posix_threads.h"

#include <errno.h>
#include <string.h>

enum { KIND_MASK = 3 };

/* ---- mutexes ---- */

int posix_lock(pthread_mutex_t *m, enum thread_call call, long long ns)
{
	struct __pthread_mutex_s *d = &m->__data;
	int kind = d->__kind & KIND_MASK, self = posix_has_others() || d->__lock ? posix_self()->number : 1;

	if (d->__lock && d->__owner == self && kind == PTHREAD_MUTEX_RECURSIVE) {
		d->__count++;
		return 0;
	}
	if (d->__lock && d->__owner == self && kind == PTHREAD_MUTEX_ERRORCHECK)
		return EDEADLK;
	if (!d->__lock) {
		d->__lock = 1;
		d->__owner = self;
		return 0;
	}
	if (ns == 0)
		return EBUSY;
	/* who unlocks it hands it over */
	return posix_wait(m, call, ns) ? 0 : ETIMEDOUT;
}

int posix_unlock(pthread_mutex_t *m)
{
	struct __pthread_mutex_s *d = &m->__data;
	int kind = d->__kind & KIND_MASK;
	struct posix_thread *next;

	if ((kind == PTHREAD_MUTEX_RECURSIVE || kind == PTHREAD_MUTEX_ERRORCHECK) &&
	    (!d->__lock || d->__owner != posix_self()->number))
		return EPERM;
	if (d->__count) {
		d->__count--;
		return 0;
	}
	next = posix_first(m);
	if (next) {
		d->__owner = next->number;
		posix_wake(next);
	} else {
		d->__lock = d->__owner = 0;
	}
	return 0;
}

WEAK int pthread_mutex_init(pthread_mutex_t *m, const pthread_mutexattr_t *attributes)
{
	int kind = PTHREAD_MUTEX_DEFAULT;

	memset(m, 0, sizeof(*m));
	if (attributes)
		pthread_mutexattr_gettype(attributes, &kind);
	m->__data.__kind = kind;
	return 0;
}

WEAK int pthread_mutex_destroy(pthread_mutex_t *m)
{
	return m->__data.__lock ? EBUSY : 0;
}

WEAK int pthread_mutex_lock(pthread_mutex_t *m)
{
	POSIX_PLACE();
	posix_turn(THREAD_pthread_mutex_lock);
	return posix_lock(m, THREAD_pthread_mutex_lock, -1);
}

WEAK int pthread_mutex_trylock(pthread_mutex_t *m)
{
	int ret;

	POSIX_PLACE();
	posix_turn(THREAD_pthread_mutex_lock);
	ret = posix_lock(m, THREAD_pthread_mutex_lock, 0);
	if (ret == EBUSY) /* a loop of attempts takes time */
		posix_pause(THREAD_pthread_mutex_lock);
	return ret == EDEADLK ? EBUSY : ret;
}

WEAK int pthread_mutex_clocklock(pthread_mutex_t *m, clockid_t clock, const struct timespec *time)
{
	long long ns;
	int ret;

	POSIX_PLACE();
	posix_turn(THREAD_pthread_mutex_lock);
	if (!posix_until(clock, time, &ns))
		return EINVAL;
	ret = posix_lock(m, THREAD_pthread_mutex_lock, ns);
	return ret == EBUSY ? ETIMEDOUT : ret;
}

WEAK int pthread_mutex_timedlock(pthread_mutex_t *m, const struct timespec *time)
{
	return pthread_mutex_clocklock(m, CLOCK_REALTIME, time);
}

WEAK int pthread_mutex_unlock(pthread_mutex_t *m)
{
	POSIX_PLACE();
	posix_turn(THREAD_pthread_mutex_unlock);
	return posix_unlock(m);
}

/* ---- spin locks ---- */

WEAK int pthread_spin_init(pthread_spinlock_t *l, int shared)
{
	(void)shared;
	*l = 0;
	return 0;
}

WEAK int pthread_spin_destroy(pthread_spinlock_t *l)
{
	(void)l;
	return 0;
}

WEAK int pthread_spin_lock(pthread_spinlock_t *l)
{
	POSIX_PLACE();
	posix_turn(THREAD_pthread_spin_lock);
	if (*l)
		posix_wait((const void *)l, THREAD_pthread_spin_lock, -1);
	*l = 1;
	return 0;
}

WEAK int pthread_spin_trylock(pthread_spinlock_t *l)
{
	POSIX_PLACE();
	posix_turn(THREAD_pthread_spin_lock);
	if (*l) {
		posix_pause(THREAD_pthread_spin_lock);
		return EBUSY;
	}
	*l = 1;
	return 0;
}

WEAK int pthread_spin_unlock(pthread_spinlock_t *l)
{
	struct posix_thread *next;

	POSIX_PLACE();
	posix_turn(THREAD_pthread_mutex_unlock);
	next = posix_first((const void *)l);
	if (next)
		posix_wake(next);
	else
		*l = 0;
	return 0;
}

/* ---- readers and writers: a reader waits for a writer only where that has the lock ---- */

struct rwlock {
	int readers; /* -1: a writer */
};
_Static_assert(sizeof(struct rwlock) <= sizeof(pthread_rwlock_t), "the C library's memory is enough");

static int rwlock_take(pthread_rwlock_t *memory, bool writes, enum thread_call call, long long ns)
{
	struct rwlock *l = (struct rwlock *)(void *)memory;

	posix_turn(call);
	if (writes ? l->readers == 0 : l->readers >= 0) {
		l->readers = writes ? -1 : l->readers + 1;
		return 0;
	}
	if (ns == 0) {
		posix_pause(call);
		return EBUSY;
	}
	posix_self()->writes = writes;
	return posix_wait(l, call, ns) ? 0 : ETIMEDOUT;
}

WEAK int pthread_rwlock_init(pthread_rwlock_t *l, const pthread_rwlockattr_t *attributes)
{
	(void)attributes;
	memset(l, 0, sizeof(*l));
	return 0;
}

WEAK int pthread_rwlock_destroy(pthread_rwlock_t *l)
{
	return ((struct rwlock *)(void *)l)->readers ? EBUSY : 0;
}

WEAK int pthread_rwlock_rdlock(pthread_rwlock_t *l)
{
	POSIX_PLACE();
	return rwlock_take(l, false, THREAD_pthread_rwlock_rdlock, -1);
}

WEAK int pthread_rwlock_wrlock(pthread_rwlock_t *l)
{
	POSIX_PLACE();
	return rwlock_take(l, true, THREAD_pthread_rwlock_wrlock, -1);
}

WEAK int pthread_rwlock_tryrdlock(pthread_rwlock_t *l)
{
	POSIX_PLACE();
	return rwlock_take(l, false, THREAD_pthread_rwlock_rdlock, 0);
}

WEAK int pthread_rwlock_trywrlock(pthread_rwlock_t *l)
{
	POSIX_PLACE();
	return rwlock_take(l, true, THREAD_pthread_rwlock_wrlock, 0);
}

/* Until a time of the clock. */
static int rwlock_until(pthread_rwlock_t *l, bool writes, clockid_t clock, const struct timespec *time)
{
	enum thread_call call = writes ? THREAD_pthread_rwlock_wrlock : THREAD_pthread_rwlock_rdlock;
	long long ns;
	int ret;

	if (!posix_until(clock, time, &ns))
		return EINVAL;
	ret = rwlock_take(l, writes, call, ns);
	return ret == EBUSY ? ETIMEDOUT : ret;
}

WEAK int pthread_rwlock_clockrdlock(pthread_rwlock_t *l, clockid_t clock, const struct timespec *time)
{
	POSIX_PLACE();
	return rwlock_until(l, false, clock, time);
}

WEAK int pthread_rwlock_timedrdlock(pthread_rwlock_t *l, const struct timespec *time)
{
	POSIX_PLACE();
	return rwlock_until(l, false, CLOCK_REALTIME, time);
}

WEAK int pthread_rwlock_clockwrlock(pthread_rwlock_t *l, clockid_t clock, const struct timespec *time)
{
	POSIX_PLACE();
	return rwlock_until(l, true, clock, time);
}

WEAK int pthread_rwlock_timedwrlock(pthread_rwlock_t *l, const struct timespec *time)
{
	POSIX_PLACE();
	return rwlock_until(l, true, CLOCK_REALTIME, time);
}

WEAK int pthread_rwlock_unlock(pthread_rwlock_t *memory)
{
	struct rwlock *l = (struct rwlock *)(void *)memory;
	struct posix_thread *next;

	POSIX_PLACE();
	posix_turn(THREAD_pthread_rwlock_unlock);
	l->readers = l->readers < 0 ? 0 : l->readers - 1;
	while (l->readers >= 0 && (next = posix_first(l))) {
		if (next->writes && l->readers > 0)
			break;
		l->readers = next->writes ? -1 : l->readers + 1;
		posix_wake(next);
	}
	return 0;
}
