/* Threads of a rank: beginning, ending and joining. */
#define _GNU_SOURCE /* pthread_tryjoin_np, pthread_clockjoin_np */
#include "posix_threads.h"

#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

enum { STACK_LEAST = 16 << 10 };

/* It is there where threads have objects of C++ of their own (thread_exit.c). */
extern void thread_exit_run(void) __attribute__((weak));

static struct posix_thread main_thread = {.number = 1};
static struct posix_thread *waiting; /* in order */
static int others, started;

struct posix_thread *posix_self(void)
{
	struct posix_thread *t = vmpi_gate.v ? vmpi_gate.calls->thread_own(vmpi_gate.v) : NULL;

	return t ? t : &main_thread;
}

bool posix_has_others(void)
{
	return others > 0;
}

void posix_turn(enum thread_call call)
{
	if (others)
		vmpi_gate.calls->thread_turn(vmpi_gate.v, (int)call);
}

void posix_pause(enum thread_call call)
{
	if (vmpi_gate.v)
		vmpi_gate.calls->thread_turn(vmpi_gate.v, (int)call);
}

/* ---- waiting ---- */

static void leave_list(struct posix_thread *t)
{
	struct posix_thread **at = &waiting;

	while (*at && *at != t)
		at = &(*at)->next;
	if (*at)
		*at = t->next;
	t->object = NULL;
}

bool posix_wait(const void *object, enum thread_call call, long long ns)
{
	struct posix_thread *t = posix_self(), **at = &waiting;
	bool woken;

	if (!vmpi_gate.v) /* a constructor, before there are ranks */
		abort();
	while (*at)
		at = &(*at)->next;
	*at = t;
	t->next = NULL;
	t->object = object;
	t->handle = vmpi_gate.calls->thread_handle(vmpi_gate.v);
	woken = vmpi_gate.calls->thread_park(vmpi_gate.v, (int)call, ns);
	if (!woken)
		leave_list(t);
	return woken;
}

struct posix_thread *posix_first(const void *object)
{
	struct posix_thread *t = waiting;

	while (t && t->object != object)
		t = t->next;
	return t;
}

void posix_wake(struct posix_thread *t)
{
	leave_list(t);
	vmpi_gate.calls->thread_wake(vmpi_gate.v, t->handle);
}

bool posix_until(clockid_t clock, const struct timespec *time, long long *ns)
{
	struct timespec now;

	if (time->tv_nsec < 0 || time->tv_nsec >= 1000000000)
		return false;
	clock_gettime(clock, &now);
	*ns = (long long)(time->tv_sec - now.tv_sec) * 1000000000 + (time->tv_nsec - now.tv_nsec);
	if (*ns < 0)
		*ns = 0;
	return true;
}

/* ---- the end of a thread ---- */

__attribute__((noreturn)) static void end_thread(struct posix_thread *t)
{
	struct posix_thread *first;

	if (thread_exit_run)
		thread_exit_run();
	posix_end_values();
	posix_turn(THREAD_pthread_exit);
	if (t == &main_thread) {
		/* the rank ends with its last thread */
		while (others)
			posix_wait(&others, THREAD_pthread_exit, -1);
		exit(0);
	}
	t->ended = true;
	if (--others == 0 && (first = posix_first(&others)))
		posix_wake(first);
	if ((first = posix_first(t)))
		posix_wake(first);
	if (t->detached) {
		free(t->values);
		free(t);
	}
	vmpi_gate.calls->thread_end(vmpi_gate.v);
	abort();
}

/* siglongjmp of a buffer that, without its mask of signals, is shorter than the type says. */
extern void jump(void *buffer, int value) __asm__("siglongjmp");

/* Goes to the latest function of pthread_cleanup_push, which comes back to __pthread_unwind_next. */
static void run_cleanups(struct posix_thread *t)
{
	__pthread_unwind_buf_t *b = t->cleanups;

	if (!b)
		end_thread(t);
	t->cleanups = b->__pad[0];
	jump(b->__cancel_jmp_buf, 1);
}

WEAK void __pthread_register_cancel(__pthread_unwind_buf_t *b)
{
	struct posix_thread *t = posix_self();

	b->__pad[0] = t->cleanups;
	t->cleanups = b;
}

WEAK void __pthread_unregister_cancel(__pthread_unwind_buf_t *b)
{
	posix_self()->cleanups = b->__pad[0];
}

WEAK __attribute__((noreturn)) void __pthread_unwind_next(__pthread_unwind_buf_t *b)
{
	(void)b;
	run_cleanups(posix_self());
	abort();
}

void posix_exit(struct posix_thread *t, void *result)
{
	t->result = result;
	t->uncancelled = true;
	run_cleanups(t);
	abort();
}

WEAK __attribute__((noreturn)) void pthread_exit(void *result)
{
	POSIX_PLACE();
	posix_exit(posix_self(), result);
}

/* ---- beginning and joining ---- */

static void enter_thread(void *own)
{
	struct posix_thread *t = own;

	t->result = t->function(t->argument);
	t->uncancelled = true;
	end_thread(t);
}

WEAK int pthread_create(pthread_t *id, const pthread_attr_t *attributes, void *(*function)(void *), void *argument)
{
	struct posix_thread *t;
	int state = PTHREAD_CREATE_JOINABLE, ret;
	size_t stack = 0;

	POSIX_PLACE();
	if (!vmpi_gate.v)
		return EAGAIN;
	if (attributes &&
	    (pthread_attr_getdetachstate(attributes, &state) || pthread_attr_getstacksize(attributes, &stack)))
		return EINVAL;
	t = calloc(1, sizeof(*t));
	if (!t)
		return EAGAIN;
	*t = (struct posix_thread){.number = 2 + started++, .function = function, .argument = argument};
	t->detached = state == PTHREAD_CREATE_DETACHED;
	ret = vmpi_gate.calls->thread_start(vmpi_gate.v, enter_thread, t,
					    (long long)(stack && stack < STACK_LEAST ? STACK_LEAST : stack),
					    &t->handle);
	if (ret) {
		free(t);
		return ret;
	}
	others++;
	*id = (pthread_t)t;
	return 0;
}

static int join_thread(pthread_t id, void **result, long long ns)
{
	struct posix_thread *t = (struct posix_thread *)id;

	if (t == posix_self())
		return EDEADLK;
	if (t->detached)
		return EINVAL;
	posix_turn(THREAD_pthread_join);
	if (ns != 0)
		posix_cancel_point();
	if (!t->ended && ns == 0)
		return EBUSY;
	if (!t->ended && !posix_wait_cancelled(t, THREAD_pthread_join, ns))
		return ETIMEDOUT;
	if (result)
		*result = t->result;
	if (t != &main_thread) {
		free(t->values);
		free(t);
	}
	return 0;
}

WEAK int pthread_join(pthread_t id, void **result)
{
	POSIX_PLACE();
	return join_thread(id, result, -1);
}

WEAK int pthread_tryjoin_np(pthread_t id, void **result)
{
	POSIX_PLACE();
	return join_thread(id, result, 0);
}

WEAK int pthread_clockjoin_np(pthread_t id, void **result, clockid_t clock, const struct timespec *time)
{
	long long ns;
	int ret;

	POSIX_PLACE();
	if (!posix_until(clock, time, &ns))
		return EINVAL;
	ret = join_thread(id, result, ns);
	return ret == EBUSY ? ETIMEDOUT : ret;
}

WEAK int pthread_timedjoin_np(pthread_t id, void **result, const struct timespec *time)
{
	return pthread_clockjoin_np(id, result, CLOCK_REALTIME, time);
}

WEAK int pthread_detach(pthread_t id)
{
	struct posix_thread *t = (struct posix_thread *)id;

	if (t->detached)
		return EINVAL;
	t->detached = true;
	if (t->ended) {
		free(t->values);
		free(t);
	}
	return 0;
}

WEAK pthread_t pthread_self(void)
{
	return (pthread_t)posix_self();
}

/* ---- turns without waiting ---- */

WEAK int sched_yield(void)
{
	POSIX_PLACE();
	posix_pause(THREAD_sched_yield);
	return 0;
}

/* ---- what the simulator does not do, and what has no meaning for it ---- */

WEAK int pthread_kill(pthread_t id, int signal)
{
	(void)id;
	POSIX_PLACE();
	if (signal)
		vmpi_gate.calls->thread_refuse(vmpi_gate.v, THREAD_pthread_kill, "expected no signals between threads");
	return 0;
}

WEAK int pthread_setaffinity_np(pthread_t id, size_t size, const cpu_set_t *set)
{
	(void)id;
	(void)size;
	(void)set;
	return 0;
}

WEAK int pthread_getaffinity_np(pthread_t id, size_t size, cpu_set_t *set)
{
	(void)id;
	return sched_getaffinity(0, size, set) < 0 ? errno : 0;
}

WEAK int pthread_setname_np(pthread_t id, const char *name)
{
	(void)id;
	return strlen(name) < 16 ? 0 : ERANGE;
}

WEAK int pthread_getname_np(pthread_t id, char *name, size_t size)
{
	(void)id;
	if (!size)
		return ERANGE;
	*name = '\0';
	return 0;
}

WEAK int pthread_setschedparam(pthread_t id, int policy, const struct sched_param *p)
{
	(void)id;
	(void)policy;
	(void)p;
	return 0;
}

WEAK int pthread_getschedparam(pthread_t id, int *policy, struct sched_param *p)
{
	(void)id;
	*policy = SCHED_OTHER;
	*p = (struct sched_param){0};
	return 0;
}
