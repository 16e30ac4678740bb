/*
 * Threads of ranks: what they synchronize with, and calls of MPI by all of them at a time. On virtual ranks they take
 * the times to which the sleeps add up.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <time.h>
#include <unistd.h>

#include "check.h"

enum { THREADS = 4, ROUNDS = 50, BIG = 40000 };

struct work {
	struct checks *c;
	int id, result;
	MPI_Comm comm;
};

/* Real readers may come one after the other, where the machine is busy. */
#ifdef MPI_SIMULATED
enum { READERS_LEAST = 2 };
#else
enum { READERS_LEAST = 1 };
#endif

/* Real ranks take longer than they sleep. */
static int took(double from, double seconds)
{
	double time = MPI_Wtime() - from;

#ifdef MPI_SIMULATED
	return time >= seconds - 1e-9 && time <= seconds + 1e-4;
#else
	return time >= seconds - 1e-3;
#endif
}

static void run_all(struct checks *c, struct work *w, void *(*function)(void *))
{
	pthread_t id[THREADS];

	for (int i = 0; i < THREADS; i++) {
		w[i] = (struct work){.c = c, .id = i};
		CHECK(c, pthread_create(&id[i], NULL, function, &w[i]) == 0);
	}
	for (int i = 0; i < THREADS; i++) {
		void *result = NULL;

		CHECK(c, pthread_join(id[i], &result) == 0);
		CHECK(c, result == &w[i]);
	}
}

/* ---- locks ---- */

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t nested = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static pthread_spinlock_t spin;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static int counter, spun, readers, most_readers;

static void *add(void *arg)
{
	struct work *w = arg;

	for (int i = 0; i < ROUNDS; i++) {
		int before;

		pthread_mutex_lock(&mutex);
		before = counter;
		if (i % 8 == w->id)
			sched_yield(); /* another one waits here */
		counter = before + 1;
		pthread_mutex_unlock(&mutex);
		pthread_spin_lock(&spin);
		before = spun;
		sched_yield();
		spun = before + 1;
		pthread_spin_unlock(&spin);
	}
	return arg;
}

/* One at a time sleeps 10 ms: 40 ms. */
static void *sleep_locked(void *arg)
{
	pthread_mutex_lock(&nested);
	pthread_mutex_lock(&nested);
	pthread_mutex_unlock(&nested);
	usleep(10000);
	pthread_mutex_unlock(&nested);
	return arg;
}

/* Two writers one after the other, two readers at once: 30 ms. */
static void *read_or_write(void *arg)
{
	struct work *w = arg;

	if (w->id < 2) {
		pthread_rwlock_wrlock(&rwlock);
		counter = 7;
		usleep(10000);
		counter = 0;
	} else {
		usleep(1000);
		pthread_rwlock_rdlock(&rwlock);
		w->result = counter;
		pthread_mutex_lock(&mutex);
		readers++;
		most_readers = readers > most_readers ? readers : most_readers;
		pthread_mutex_unlock(&mutex);
		usleep(10000);
		pthread_mutex_lock(&mutex);
		readers--;
		pthread_mutex_unlock(&mutex);
	}
	pthread_rwlock_unlock(&rwlock);
	return arg;
}

static void locks(struct checks *c)
{
	struct work w[THREADS];
	pthread_mutexattr_t kind;
	pthread_mutex_t checked;
	struct timespec until;
	double from;

	pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
	counter = 0;
	run_all(c, w, add);
	CHECK(c, counter == THREADS * ROUNDS && spun == THREADS * ROUNDS);
	from = MPI_Wtime();
	run_all(c, w, sleep_locked);
	CHECK(c, took(from, 0.04));
	counter = 0; /* real readers may come before the writers */
	from = MPI_Wtime();
	run_all(c, w, read_or_write);
	CHECK(c, took(from, 0.03));
	CHECK(c, most_readers >= READERS_LEAST && readers == 0 && w[2].result == 0 && w[3].result == 0);
	pthread_mutexattr_init(&kind);
	pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_ERRORCHECK);
	pthread_mutex_init(&checked, &kind);
	CHECK(c, pthread_mutex_lock(&checked) == 0);
	CHECK(c, pthread_mutex_lock(&checked) == EDEADLK);
	CHECK(c, pthread_mutex_trylock(&checked) == EBUSY);
	CHECK(c, pthread_mutex_unlock(&checked) == 0);
	CHECK(c, pthread_mutex_unlock(&checked) == EPERM);
	CHECK(c, pthread_mutex_destroy(&checked) == 0);
	pthread_mutex_lock(&mutex);
	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_nsec += 5000000;
	until.tv_sec += until.tv_nsec / 1000000000;
	until.tv_nsec %= 1000000000;
	from = MPI_Wtime();
	CHECK(c, pthread_mutex_timedlock(&mutex, &until) == ETIMEDOUT);
	CHECK(c, took(from, 0.005));
	pthread_mutex_unlock(&mutex);
}

/* ---- conditions, barriers, semaphores ---- */

static pthread_cond_t turned = PTHREAD_COND_INITIALIZER;
static pthread_barrier_t barrier;
static sem_t items, places;
static int turn, serial, box;

/* They take turns in the order of their numbers, the last one first to come. */
static void *wait_turn(void *arg)
{
	struct work *w = arg;

	usleep((useconds_t)(1000 * (THREADS - w->id)));
	pthread_mutex_lock(&mutex);
	while (turn != w->id)
		pthread_cond_wait(&turned, &mutex);
	w->result = turn++;
	pthread_cond_broadcast(&turned);
	pthread_mutex_unlock(&mutex);
	return arg;
}

/* The slowest of each round counts: 3 rounds of 4 ms. */
static void *meet(void *arg)
{
	struct work *w = arg;

	for (int i = 0; i < 3; i++) {
		usleep((useconds_t)(1000 * (1 + (w->id + i) % THREADS)));
		if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD) {
			pthread_mutex_lock(&mutex);
			serial++;
			pthread_mutex_unlock(&mutex);
		}
	}
	return arg;
}

/* Thread 0 makes what the others take. */
static void *pass_on(void *arg)
{
	struct work *w = arg;

	for (int i = 0; i < (w->id ? ROUNDS : (THREADS - 1) * ROUNDS); i++) {
		sem_wait(w->id ? &items : &places);
		if (w->id)
			w->result += box;
		else
			box = i;
		sem_post(w->id ? &places : &items);
	}
	return arg;
}

static void waits(struct checks *c)
{
	struct work w[THREADS];
	struct timespec until;
	double from = MPI_Wtime();
	int sum = 0;

	turn = 0;
	run_all(c, w, wait_turn);
	CHECK(c, turn == THREADS && w[0].result == 0 && w[THREADS - 1].result == THREADS - 1);
	CHECK(c, took(from, 0.004));
	pthread_barrier_init(&barrier, NULL, THREADS);
	from = MPI_Wtime();
	run_all(c, w, meet);
	CHECK(c, took(from, 0.012) && serial == 3);
	pthread_barrier_destroy(&barrier);
	sem_init(&items, 0, 0);
	sem_init(&places, 0, 1);
	run_all(c, w, pass_on);
	for (int i = 1; i < THREADS; i++)
		sum += w[i].result;
	CHECK(c, sum == (THREADS - 1) * ROUNDS * ((THREADS - 1) * ROUNDS - 1) / 2);
	CHECK(c, sem_trywait(&items) == -1 && errno == EAGAIN);
	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec += 1;
	from = MPI_Wtime();
	pthread_mutex_lock(&mutex);
	CHECK(c, pthread_cond_timedwait(&turned, &mutex, &until) == ETIMEDOUT);
	CHECK(c, pthread_mutex_trylock(&mutex) == EBUSY);
	pthread_mutex_unlock(&mutex);
	CHECK(c, took(from, 1));
}

/* ---- what belongs to a thread ---- */

static _Thread_local int own_value;
static pthread_key_t key;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static int destroyed, begun, cleaned;

static void destroy(void *value)
{
	__atomic_fetch_add(&destroyed, *(int *)value, __ATOMIC_SEQ_CST);
}

static void begin_once(void)
{
	usleep(1000);
	begun++;
}

static void clean(void *arg)
{
	__atomic_fetch_add(&cleaned, *(int *)arg, __ATOMIC_SEQ_CST);
}

static void *keep(void *arg)
{
	struct work *w = arg;
	int number = 1;

	pthread_once(&once, begin_once);
	CHECK(w->c, begun == 1 && own_value == 0 && pthread_getspecific(key) == NULL);
	errno = own_value = w->id;
	w->result = 1;
	pthread_setspecific(key, &w->result);
	usleep(1000);
	sched_yield();
	CHECK(w->c, own_value == w->id && errno == w->id && pthread_getspecific(key) == &w->result);
	CHECK(w->c, !pthread_equal(pthread_self(), (pthread_t)0));
	pthread_cleanup_push(clean, &number);
	if (w->id == 1)
		pthread_exit(arg);
	pthread_cleanup_pop(w->id == 2);
	return arg;
}

static void *for_itself(void *arg)
{
	usleep(2000);
	sem_post(arg);
	return NULL;
}

static void of_threads(struct checks *c)
{
	struct work w[THREADS];
	pthread_attr_t detached;
	pthread_t id;

	pthread_key_create(&key, destroy);
	own_value = -1;
	run_all(c, w, keep);
	CHECK(c, destroyed == THREADS && begun == 1 && own_value == -1 && cleaned == 2);
	pthread_key_delete(key);
	pthread_attr_init(&detached);
	pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);
	CHECK(c, pthread_create(&id, &detached, for_itself, &items) == 0);
	sem_wait(&items);
	CHECK(c, pthread_join(pthread_self(), NULL) == EDEADLK);
}

/* ---- cancelling ---- */

static pthread_mutex_t held = PTHREAD_MUTEX_INITIALIZER;
static int unlocked;

static void unlock_held(void *arg)
{
	(void)arg;
	unlocked += pthread_mutex_unlock(&held) == 0;
}

static void *wait_for_ever(void *arg)
{
	pthread_mutex_lock(&held);
	pthread_cleanup_push(unlock_held, NULL);
	for (;;)
		pthread_cond_wait(&turned, &held);
	pthread_cleanup_pop(0);
	return arg;
}

static void *sleep_for_ever(void *arg)
{
	for (;;)
		sleep(1000);
	return arg;
}

static void *take_for_ever(void *arg)
{
	for (;;)
		sem_wait(arg);
	return arg;
}

static void *join_for_ever(void *arg)
{
	pthread_join(*(pthread_t *)arg, NULL);
	return arg;
}

/* Disabled until 20 ms, it ends at the test behind. */
static void *later(void *arg)
{
	int old = -1;

	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &old);
	usleep(20000);
	pthread_testcancel();
	*(int *)arg = old == PTHREAD_CANCEL_ENABLE;
	pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &old);
	pthread_testcancel();
	*(int *)arg = -1;
	return arg;
}

static void *cancel_itself(void *arg)
{
	int old = -1;

	pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, &old);
	*(int *)arg = old == PTHREAD_CANCEL_DEFERRED;
	pthread_cancel(pthread_self());
	*(int *)arg = -1;
	return arg;
}

/* Returns the result of a thread that is cancelled 2 ms later. */
static void *cancelled(struct checks *c, pthread_t *id, void *(*function)(void *), void *arg)
{
	void *result = NULL;

	CHECK(c, pthread_create(id, NULL, function, arg) == 0);
	usleep(2000);
	CHECK(c, pthread_cancel(*id) == 0);
	CHECK(c, pthread_join(*id, &result) == 0);
	return result;
}

static void cancels(struct checks *c)
{
	pthread_t id, sleeper;
	double from = MPI_Wtime();
	int flag = 0, value = 0;
	sem_t none;

	sem_init(&none, 0, 0);
	CHECK(c, cancelled(c, &id, wait_for_ever, NULL) == PTHREAD_CANCELED && unlocked == 1);
	CHECK(c, pthread_mutex_trylock(&held) == 0 && pthread_mutex_unlock(&held) == 0);
	CHECK(c, cancelled(c, &id, sleep_for_ever, NULL) == PTHREAD_CANCELED);
	CHECK(c, cancelled(c, &id, take_for_ever, &none) == PTHREAD_CANCELED);
	CHECK(c, sem_post(&none) == 0 && sem_getvalue(&none, &value) == 0 && value == 1);
	CHECK(c, took(from, 0.006));
	/* who joins is cancelled; whom it would have joined may be joined still */
	CHECK(c, pthread_create(&sleeper, NULL, sleep_for_ever, NULL) == 0);
	CHECK(c, cancelled(c, &id, join_for_ever, &sleeper) == PTHREAD_CANCELED);
	CHECK(c, pthread_cancel(sleeper) == 0 && pthread_join(sleeper, NULL) == 0);
	from = MPI_Wtime();
	CHECK(c, cancelled(c, &id, later, &flag) == PTHREAD_CANCELED && flag == 1);
	CHECK(c, took(from, 0.02));
	CHECK(c, cancelled(c, &id, cancel_itself, &value) == PTHREAD_CANCELED && value == 1);
	CHECK(c, pthread_setcancelstate(-5, NULL) == EINVAL && pthread_setcanceltype(-5, NULL) == EINVAL);
}

/* ---- calls by all threads ---- */

/* Sends to the right and receives from the left, long and short messages, each thread with its tag. */
static void *ring(void *arg)
{
	struct work *w = arg;
	int to = (w->c->rank + 1) % w->c->size, from = (w->c->rank + w->c->size - 1) % w->c->size,
	    length = w->id % 2 ? BIG : 1;
	int *out = malloc(BIG * sizeof(int)), *in = malloc(BIG * sizeof(int)), flag = 1;
	MPI_Status status;
	MPI_Request request;

	MPI_Is_thread_main(&flag);
	CHECK(w->c, !flag);
	for (int i = 0; i < 10; i++) {
		out[0] = out[length - 1] = 100 * w->id + i;
		MPI_Isend(out, length, MPI_INT, to, w->id, MPI_COMM_WORLD, &request);
		if (i % 2)
			MPI_Probe(from, w->id, MPI_COMM_WORLD, &status);
		MPI_Recv(in, length, MPI_INT, from, w->id, MPI_COMM_WORLD, &status);
		MPI_Wait(&request, MPI_STATUS_IGNORE);
		CHECK(w->c, in[length - 1] == 100 * w->id + i && status.MPI_TAG == w->id);
	}
	free(out);
	free(in);
	return arg;
}

static MPI_Comm comms[THREADS];
static MPI_Request requests[THREADS];

/* Collective operations of each thread on its communicator. */
static void *together(void *arg)
{
	struct work *w = arg;
	int sum = 0, one = w->id;
	MPI_Comm dup;

	MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comms[w->id]);
	CHECK(w->c, sum == w->id * w->c->size);
	MPI_Iallreduce(&one, &sum, 1, MPI_INT, MPI_MAX, comms[w->id], &requests[w->id]);
	MPI_Comm_dup(comms[w->id], &dup);
	MPI_Barrier(dup);
	MPI_Comm_free(&dup);
	MPI_Wait(&requests[w->id], MPI_STATUS_IGNORE);
	CHECK(w->c, sum == w->id);
	return arg;
}

/* One thread waits for what another one begins, and takes what yet another one sends. */
static void *wait_for_other(void *arg)
{
	struct work *w = arg;

	if (w->id == 0) {
		MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
	} else if (w->id == 1) {
		usleep(3000);
		MPI_Send(&w->id, 1, MPI_INT, w->c->rank, 77, MPI_COMM_WORLD);
	}
	return arg;
}

static void calls(struct checks *c)
{
	struct work w[THREADS];
	double from;
	int got = 0;

	run_all(c, w, ring);
	for (int i = 0; i < THREADS; i++)
		MPI_Comm_dup(MPI_COMM_WORLD, &comms[i]);
	run_all(c, w, together);
	for (int i = 0; i < THREADS; i++)
		MPI_Comm_free(&comms[i]);
	from = MPI_Wtime();
	MPI_Irecv(&got, 1, MPI_INT, c->rank, 77, MPI_COMM_WORLD, &requests[0]);
	run_all(c, w, wait_for_other);
	CHECK(c, got == 1 && took(from, 0.003));
}

/* ---- windows ---- */

static MPI_Win window;

static void *put_all(void *arg)
{
	struct work *w = arg;

	for (int to = 0; to < w->c->size; to++) {
		int value = 1000 * w->id + w->c->rank;

		MPI_Put(&value, 1, MPI_INT, to, w->id * w->c->size + w->c->rank, 1, MPI_INT, window);
		MPI_Win_flush(to, window);
	}
	return arg;
}

static void one_sided(struct checks *c)
{
	struct work w[THREADS];
	int *memory, wrong = 0;

	MPI_Win_allocate((MPI_Aint)(THREADS * c->size) * (MPI_Aint)sizeof(int), sizeof(int), MPI_INFO_NULL,
			 MPI_COMM_WORLD, &memory, &window);
	MPI_Win_lock_all(0, window);
	run_all(c, w, put_all);
	MPI_Win_unlock_all(window);
	MPI_Barrier(MPI_COMM_WORLD);
	for (int i = 0; i < THREADS * c->size; i++)
		wrong += memory[i] != 1000 * (i / c->size) + i % c->size;
	CHECK(c, wrong == 0);
	MPI_Win_free(&window);
}

int main(int argc, char **argv)
{
	struct checks c = {0};
	int provided = -1, level = -1, flag = 0;

	MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
	MPI_Comm_rank(MPI_COMM_WORLD, &c.rank);
	MPI_Comm_size(MPI_COMM_WORLD, &c.size);
	MPI_Query_thread(&level);
	MPI_Is_thread_main(&flag);
	CHECK(&c, provided == MPI_THREAD_MULTIPLE && level == provided && flag);
	locks(&c);
	waits(&c);
	of_threads(&c);
	cancels(&c);
	calls(&c);
	one_sided(&c);
	return checks_end(&c, "threads");
}
