/*
 * Cancelling of threads. A cancelled thread ends where it waits for a condition, a semaphore or the end of a thread,
 * where it sleeps, and in pthread_testcancel. Who has been woken otherwise goes on to the next such point, so that no
 * signal and no unit of a semaphore gets lost.
 */
#include "posix_threads.h"

#include <errno.h>

static bool ends(const struct posix_thread *t)
{
	return t->cancelled && !t->uncancelled;
}

void posix_cancel_point(void)
{
	struct posix_thread *t = posix_self();

	if (ends(t))
		posix_exit(t, PTHREAD_CANCELED);
}

bool posix_wait_at_point(const void *object, enum thread_call call, long long ns)
{
	struct posix_thread *t = posix_self();
	bool woken;

	posix_cancel_point();
	t->at_point = true;
	woken = posix_wait(object, call, ns);
	t->at_point = false;
	return woken;
}

void posix_end_if_interrupted(void)
{
	struct posix_thread *t = posix_self();

	if (t->interrupted)
		posix_exit(t, PTHREAD_CANCELED);
}

bool posix_wait_cancelled(const void *object, enum thread_call call, long long ns)
{
	bool woken = posix_wait_at_point(object, call, ns);

	posix_end_if_interrupted();
	return woken;
}

int posix_sleep(long long ns)
{
	struct posix_thread *t = posix_self();
	int virtual;

	posix_cancel_point();
	t->at_point = true;
	virtual = vmpi_gate.calls->virtual_sleep(vmpi_gate.v, ns);
	t->at_point = false;
	posix_end_if_interrupted();
	return virtual;
}

/* It wakes a thread at such a point: one that sleeps is in no list. */
static void interrupt(struct posix_thread *t)
{
	t->interrupted = true;
	if (t->object)
		posix_wake(t);
	else
		vmpi_gate.calls->thread_wake(vmpi_gate.v, t->handle);
}

WEAK int pthread_cancel(pthread_t id)
{
	struct posix_thread *t = (struct posix_thread *)id;

	POSIX_PLACE();
	posix_turn(THREAD_pthread_cancel);
	if (t->ended || t->cancelled)
		return 0;
	t->cancelled = true;
	if (t->asynchronous && t == posix_self())
		posix_cancel_point();
	if (t->at_point && !t->uncancelled)
		interrupt(t);
	return 0;
}

WEAK void pthread_testcancel(void)
{
	POSIX_PLACE();
	posix_turn(THREAD_pthread_cancel);
	posix_cancel_point();
}

WEAK int pthread_setcancelstate(int state, int *old)
{
	struct posix_thread *t = posix_self();

	if (state != PTHREAD_CANCEL_ENABLE && state != PTHREAD_CANCEL_DISABLE)
		return EINVAL;
	if (old)
		*old = t->uncancelled ? PTHREAD_CANCEL_DISABLE : PTHREAD_CANCEL_ENABLE;
	t->uncancelled = state == PTHREAD_CANCEL_DISABLE;
	return 0;
}

/* A thread of either type ends at the same points, but for one that cancels itself. */
WEAK int pthread_setcanceltype(int type, int *old)
{
	struct posix_thread *t = posix_self();

	if (type != PTHREAD_CANCEL_DEFERRED && type != PTHREAD_CANCEL_ASYNCHRONOUS)
		return EINVAL;
	if (old)
		*old = t->asynchronous ? PTHREAD_CANCEL_ASYNCHRONOUS : PTHREAD_CANCEL_DEFERRED;
	t->asynchronous = type == PTHREAD_CANCEL_ASYNCHRONOUS;
	return 0;
}
