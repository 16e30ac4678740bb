#include "jobs.h"

#include <pthread.h>
#include <stdlib.h>
#include <time.h>

#include "../../psim/base/mem.h"

enum { PAUSE_NS = 50 * 1000 * 1000, NS_PER_S = 1000 * 1000 * 1000 };

struct queue {
	unsigned count;
	int (*job)(void *user, unsigned index, struct err *e);
	void *user;
	struct jobs_watch *watch;
	atomic_uint next;
	pthread_mutex_t lock; /* guards all members below */
	pthread_cond_t ended; /* signalled when a thread ends */
	unsigned running;
	unsigned failed; /* the lowest; equal to count: none */
	struct err err;
};

static void jobs_note_failure(struct queue *q, unsigned index, const struct err *e)
{
	pthread_mutex_lock(&q->lock);
	if (index < q->failed) {
		q->failed = index;
		q->err = *e;
	}
	pthread_mutex_unlock(&q->lock);
	atomic_store(&q->watch->stop, true);
}

static void *jobs_work(void *user)
{
	struct queue *q = user;

	for (;;) {
		unsigned index = atomic_fetch_add(&q->next, 1);
		struct err e;

		if (index >= q->count || (index && atomic_load(&q->watch->stop)))
			break;
		if (q->job(q->user, index, &e))
			jobs_note_failure(q, index, &e);
	}
	pthread_mutex_lock(&q->lock);
	q->running--;
	pthread_cond_signal(&q->ended);
	pthread_mutex_unlock(&q->lock);
	return NULL;
}

static void ask(struct jobs_watch *w)
{
	if (w->going && !w->going(w->user, atomic_load(&w->done)))
		atomic_store(&w->stop, true);
}

bool jobs_step(struct jobs_watch *watch, uint64_t more)
{
	atomic_fetch_add(&watch->done, more);
	if (watch->alone)
		ask(watch);
	return !atomic_load(&watch->stop);
}

/* Reports progress from the caller's thread while the others work. */
static void watch_others(struct queue *q)
{
	pthread_mutex_lock(&q->lock);
	while (q->running) {
		struct timespec until;

		clock_gettime(CLOCK_REALTIME, &until);
		until.tv_nsec += PAUSE_NS;
		until.tv_sec += until.tv_nsec / NS_PER_S;
		until.tv_nsec %= NS_PER_S;
		pthread_cond_timedwait(&q->ended, &q->lock, &until);
		pthread_mutex_unlock(&q->lock);
		ask(q->watch);
		pthread_mutex_lock(&q->lock);
	}
	pthread_mutex_unlock(&q->lock);
}

/* Runs the jobs on `threads` new threads, or on fewer if the system refuses more. */
static void run_threads(struct queue *q, pthread_t *thread, unsigned threads)
{
	unsigned started = 0;

	q->running = threads;
	while (started < threads && !pthread_create(&thread[started], NULL, jobs_work, q))
		started++;
	pthread_mutex_lock(&q->lock);
	q->running -= threads - started;
	pthread_mutex_unlock(&q->lock);
	if (!started) {
		q->running = 1;
		q->watch->alone = true;
		jobs_work(q);
	}
	watch_others(q);
	for (unsigned i = 0; i < started; i++)
		pthread_join(thread[i], NULL);
}

int jobs_run(unsigned count, unsigned threads, int (*job)(void *user, unsigned index, struct err *e), void *user,
	     struct jobs_watch *watch, struct err *e)
{
	struct queue q = {.count = count, .job = job, .user = user, .watch = watch, .failed = count};
	pthread_t *thread;

	threads = threads < count ? threads : count;
	thread = mem_alloc((size_t)threads + 1, sizeof(*thread), e);
	if (!thread)
		return -1;
	pthread_mutex_init(&q.lock, NULL);
	pthread_cond_init(&q.ended, NULL);
	watch->alone = threads < 2;
	if (watch->alone) {
		q.running = 1;
		jobs_work(&q);
	} else {
		run_threads(&q, thread, threads);
	}
	pthread_cond_destroy(&q.ended);
	pthread_mutex_destroy(&q.lock);
	free(thread);
	if (q.failed == count)
		return 0;
	if (e)
		*e = q.err;
	return -1;
}
