/*
 * Threads of ISO C (2017, 7.26): those of POSIX by other names. The C library's objects of both kinds have the same
 * memory.
 */
#include "posix_threads.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <threads.h>

_Static_assert(sizeof(mtx_t) >= sizeof(pthread_mutex_t) && sizeof(cnd_t) >= sizeof(pthread_cond_t) &&
		       sizeof(thrd_t) == sizeof(pthread_t) && sizeof(tss_t) == sizeof(pthread_key_t) &&
		       sizeof(once_flag) >= sizeof(pthread_once_t),
	       "objects of ISO C are those of POSIX");

static int to_thrd(int error)
{
	return error == 0           ? thrd_success
	       : error == EBUSY     ? thrd_busy
	       : error == ETIMEDOUT ? thrd_timedout
	       : error == ENOMEM    ? thrd_nomem
				    : thrd_error;
}

/* ---- threads ---- */

struct c11_start {
	thrd_start_t function;
	void *argument;
};

static void *c11_enter(void *own)
{
	struct c11_start s = *(struct c11_start *)own;

	free(own);
	return (void *)(intptr_t)s.function(s.argument);
}

WEAK int thrd_create(thrd_t *id, thrd_start_t function, void *argument)
{
	struct c11_start *s = malloc(sizeof(*s));
	int error;

	if (!s)
		return thrd_nomem;
	*s = (struct c11_start){function, argument};
	error = pthread_create((pthread_t *)id, NULL, c11_enter, s);
	if (error)
		free(s);
	return to_thrd(error);
}

WEAK int thrd_join(thrd_t id, int *result)
{
	void *got = NULL;
	int error = pthread_join((pthread_t)id, &got);

	if (!error && result)
		*result = (int)(intptr_t)got;
	return to_thrd(error);
}

WEAK int thrd_detach(thrd_t id)
{
	return to_thrd(pthread_detach((pthread_t)id));
}

WEAK __attribute__((noreturn)) void thrd_exit(int result)
{
	pthread_exit((void *)(intptr_t)result);
}

WEAK thrd_t thrd_current(void)
{
	return (thrd_t)pthread_self();
}

WEAK void thrd_yield(void)
{
	sched_yield();
}

WEAK int thrd_sleep(const struct timespec *time, struct timespec *left)
{
	int error = clock_nanosleep(CLOCK_MONOTONIC, 0, time, left);

	return error == 0 ? 0 : error == EINTR ? -1 : -2;
}

/* ---- mutexes and conditions ---- */

static pthread_mutex_t *mutex_of(mtx_t *m)
{
	return (pthread_mutex_t *)(void *)m;
}

static pthread_cond_t *cond_of(cnd_t *c)
{
	return (pthread_cond_t *)(void *)c;
}

WEAK int mtx_init(mtx_t *m, int type)
{
	pthread_mutexattr_t attributes;
	int error;

	pthread_mutexattr_init(&attributes);
	pthread_mutexattr_settype(&attributes, type & mtx_recursive ? PTHREAD_MUTEX_RECURSIVE : PTHREAD_MUTEX_NORMAL);
	error = pthread_mutex_init(mutex_of(m), &attributes);
	pthread_mutexattr_destroy(&attributes);
	return to_thrd(error);
}

WEAK void mtx_destroy(mtx_t *m)
{
	pthread_mutex_destroy(mutex_of(m));
}

WEAK int mtx_lock(mtx_t *m)
{
	return to_thrd(pthread_mutex_lock(mutex_of(m)));
}

WEAK int mtx_trylock(mtx_t *m)
{
	return to_thrd(pthread_mutex_trylock(mutex_of(m)));
}

WEAK int mtx_timedlock(mtx_t *restrict m, const struct timespec *restrict time)
{
	return to_thrd(pthread_mutex_timedlock(mutex_of(m), time));
}

WEAK int mtx_unlock(mtx_t *m)
{
	return to_thrd(pthread_mutex_unlock(mutex_of(m)));
}

WEAK int cnd_init(cnd_t *c)
{
	return to_thrd(pthread_cond_init(cond_of(c), NULL));
}

WEAK void cnd_destroy(cnd_t *c)
{
	pthread_cond_destroy(cond_of(c));
}

WEAK int cnd_wait(cnd_t *c, mtx_t *m)
{
	return to_thrd(pthread_cond_wait(cond_of(c), mutex_of(m)));
}

WEAK int cnd_timedwait(cnd_t *restrict c, mtx_t *restrict m, const struct timespec *restrict time)
{
	return to_thrd(pthread_cond_timedwait(cond_of(c), mutex_of(m), time));
}

WEAK int cnd_signal(cnd_t *c)
{
	return to_thrd(pthread_cond_signal(cond_of(c)));
}

WEAK int cnd_broadcast(cnd_t *c)
{
	return to_thrd(pthread_cond_broadcast(cond_of(c)));
}

/* ---- values of threads, functions that are called once ---- */

WEAK int tss_create(tss_t *key, tss_dtor_t destructor)
{
	return to_thrd(pthread_key_create((pthread_key_t *)key, destructor));
}

WEAK void tss_delete(tss_t key)
{
	pthread_key_delete((pthread_key_t)key);
}

WEAK void *tss_get(tss_t key)
{
	return pthread_getspecific((pthread_key_t)key);
}

WEAK int tss_set(tss_t key, void *value)
{
	return to_thrd(pthread_setspecific((pthread_key_t)key, value));
}

WEAK void call_once(once_flag *flag, void (*function)(void))
{
	pthread_once((pthread_once_t *)(void *)flag, function);
}
