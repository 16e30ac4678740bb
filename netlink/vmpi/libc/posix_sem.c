/* Semaphores of a rank's threads, in the memory that the C library gives them. */
#define _GNU_SOURCE /* sem_clockwait */
#include "posix_threads.h"

#include <errno.h>
#include <limits.h>
#include <semaphore.h>
#include <string.h>

struct semaphore {
	unsigned value;
};
_Static_assert(sizeof(struct semaphore) <= sizeof(sem_t), "the C library's memory is enough");

static int sem_failed(int error)
{
	errno = error;
	return -1;
}

static int sem_take(sem_t *memory, long long ns)
{
	struct semaphore *s = (struct semaphore *)(void *)memory;

	posix_turn(THREAD_sem_wait);
	if (ns != 0)
		posix_cancel_point();
	if (s->value) {
		s->value--;
		return 0;
	}
	if (ns == 0) {
		posix_pause(THREAD_sem_wait);
		return EAGAIN;
	}
	/* who posts hands the unit over */
	return posix_wait_cancelled(s, THREAD_sem_wait, ns) ? 0 : ETIMEDOUT;
}

WEAK int sem_init(sem_t *s, int shared, unsigned value)
{
	(void)shared;
	if (value > SEM_VALUE_MAX)
		return sem_failed(EINVAL);
	memset(s, 0, sizeof(*s));
	((struct semaphore *)(void *)s)->value = value;
	return 0;
}

WEAK int sem_destroy(sem_t *s)
{
	(void)s;
	return 0;
}

WEAK int sem_wait(sem_t *s)
{
	POSIX_PLACE();
	return sem_take(s, -1);
}

WEAK int sem_trywait(sem_t *s)
{
	int ret;

	POSIX_PLACE();
	ret = sem_take(s, 0);
	return ret ? sem_failed(ret) : 0;
}

WEAK int sem_clockwait(sem_t *s, clockid_t clock, const struct timespec *time)
{
	long long ns;
	int ret;

	POSIX_PLACE();
	if (!posix_until(clock, time, &ns))
		return sem_failed(EINVAL);
	ret = sem_take(s, ns);
	return ret ? sem_failed(ETIMEDOUT) : 0;
}

WEAK int sem_timedwait(sem_t *s, const struct timespec *time)
{
	return sem_clockwait(s, CLOCK_REALTIME, time);
}

WEAK int sem_post(sem_t *memory)
{
	struct semaphore *s = (struct semaphore *)(void *)memory;
	struct posix_thread *next;

	POSIX_PLACE();
	posix_turn(THREAD_sem_post);
	next = posix_first(s);
	if (next)
		posix_wake(next);
	else
		s->value++;
	return 0;
}

WEAK int sem_getvalue(sem_t *s, int *value)
{
	*value = (int)((struct semaphore *)(void *)s)->value;
	return 0;
}
