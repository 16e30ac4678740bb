/*
 * Threads of a rank, as POSIX has them. The simulator starts threads, lets them wait, and wakes them. What they wait
 * for is here, among the rank's own variables: one thread runs at a time, and another one only where that one waits.
 *
 * A call that depends on others, as locks do, takes its turn first: all that happens before its time has happened then.
 * A rank with one thread needs no turns.
 */
#ifndef VMPI_LIBC_POSIX_THREADS_H
#define VMPI_LIBC_POSIX_THREADS_H

#include <pthread.h>
#include <stdbool.h>
#include <time.h>

#include "gate.h"
#include "libc_state.h"

struct posix_thread {
	int number;                /* 1: the thread of main */
	long long handle;          /* for the simulator */
	const void *object;        /* that it waits for */
	bool writes;               /* as the writer of a lock */
	struct posix_thread *next; /* that waits */
	void *(*function)(void *);
	void *argument, *result;
	bool detached, ended;
	bool uncancelled; /* pthread_setcancelstate: PTHREAD_CANCEL_DISABLE */
	bool asynchronous;
	bool cancelled;   /* pthread_cancel has named it */
	bool at_point;    /* waits or sleeps where a cancelled thread ends */
	bool interrupted; /* by pthread_cancel, there */
	void **values;    /* by key; NULL: none yet */
	void *cleanups;   /* the latest pthread_cleanup_push */
};

/* Notes the place of a call in the program, for messages. */
#define POSIX_PLACE() (vmpi_gate.where = __builtin_return_address(0))

struct posix_thread *posix_self(void);

/* Returns whether the rank has other threads, for which calls take turns. */
bool posix_has_others(void);

void posix_turn(enum thread_call call);

/* The same where a rank with one thread takes its time, too: a loop of attempts would never end. */
void posix_pause(enum thread_call call);

/* Waits for posix_wake of this object; false: not within `ns`, if that is not negative. */
bool posix_wait(const void *object, enum thread_call call, long long ns);

/* The same where a cancelled thread ends; while it waits, or before. */
bool posix_wait_cancelled(const void *object, enum thread_call call, long long ns);

/* Such a wait in two steps: what the thread has to do before it ends goes between them. */
bool posix_wait_at_point(const void *object, enum thread_call call, long long ns);
void posix_end_if_interrupted(void);

/* Ends the running thread if it is cancelled. */
void posix_cancel_point(void);

/* Sleeps as `virtual_sleep` of the simulator, as long as the thread is not cancelled. */
int posix_sleep(long long ns);

/* Ends a thread, the running one, with the functions of pthread_cleanup_push. */
__attribute__((noreturn)) void posix_exit(struct posix_thread *t, void *result);

/* The first thread that waits for an object; NULL: there is none. */
struct posix_thread *posix_first(const void *object);
void posix_wake(struct posix_thread *t);

/* Nanoseconds until a time of a clock, 0 if that is over. False: it is no time. */
bool posix_until(clockid_t clock, const struct timespec *time, long long *ns);

/* The mutex and its like: what takes no turn, for conditions. Returns 0, or an errno. */
int posix_lock(pthread_mutex_t *m, enum thread_call call, long long ns);
int posix_unlock(pthread_mutex_t *m);

/* Calls the destructors of the running thread's values. */
void posix_end_values(void);

#endif
