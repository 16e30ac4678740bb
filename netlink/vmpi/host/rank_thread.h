/*
 * Threads of ranks (POSIX threads of programs): tasks on clocks and stacks of their own, with the rank's variables but
 * for those of each thread (_Thread_local). A thread runs until it waits. Calls by which threads synchronize let all
 * others catch up first, so that they act in the order of time. What threads synchronize with, mutexes and the like, is
 * in the program (../libc), which needs only the functions of calls.def here.
 */
#ifndef PSIM_VMPI_RANK_THREAD_H
#define PSIM_VMPI_RANK_THREAD_H

#include "world.h"

struct thread {
	struct stacks stack; /* one */
	void (*entry)(void *own);
	void *own; /* the program's */
};

/* Makes the context of a thread before its first step. 0, or -1 with v->err. */
int thread_begin(struct vmpi *v, struct rank *r);
/* Frees a thread after its stack is left. */
void thread_finish(struct vmpi *v, struct rank *r);
/* Frees what threads hold when a run ends early. */
void threads_finish(struct vmpi *v);

/* Lets a thread that is not of main sleep so many nanoseconds, or until vmpi_thread_wake; false: beyond all limits. */
bool thread_sleep(struct vmpi *v, struct rank *r, long long ns);

/* Stops all threads of a rank, that of main included, wherever they are: none of them runs again. */
void threads_stop(struct vmpi *v, uint32_t rank);

/* The thread of a rank after `r` (NULL: the first one); NULL: there are no more. */
struct rank *thread_next(const struct vmpi *v, uint32_t rank, const struct rank *r);

/* The copy of thread-local variables that it runs with. */
static inline uint32_t thread_locals_of(const struct vmpi *v, const struct rank *r)
{
	return __builtin_expect(rank_is_task(v, r), 0) && r->thread ? r->index : r->world;
}

#endif
