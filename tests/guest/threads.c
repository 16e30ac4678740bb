/* Threads: a lock, a barrier, a condition, a variable of each thread, sleeping, signals, results. */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <time.h>

enum { THREADS = 8, ROUNDS = 1000 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t turned = PTHREAD_COND_INITIALIZER;
static pthread_barrier_t barrier;
static long sum, turn;
static __thread long mine;
static volatile sig_atomic_t signalled;

static void on_signal(int number)
{
	signalled = number == SIGUSR1 ? (int)mine : -1;
}

/* Each adds its number ROUNDS times, then they print in the order of their numbers. */
static void *work(void *number)
{
	mine = *(long *)number;
	for (int i = 0; i < ROUNDS; i++) {
		pthread_mutex_lock(&lock);
		sum += mine;
		pthread_mutex_unlock(&lock);
	}
	pthread_barrier_wait(&barrier);
	pthread_mutex_lock(&lock);
	while (turn != mine)
		pthread_cond_wait(&turned, &lock);
	printf("thread %ld of %ld\n", mine, sum);
	turn++;
	pthread_cond_broadcast(&turned);
	pthread_mutex_unlock(&lock);
	*(long *)number = mine * mine;
	return number;
}

static void *sleeper(void *flag)
{
	struct timespec t = {0, 20000000};

	nanosleep(&t, NULL);
	*(volatile int *)flag = 1;
	return NULL;
}

/* Waits for a signal that its maker sends. */
static void *waiter(void *number)
{
	struct timespec t = {0, 1000000};

	mine = *(long *)number;
	pthread_barrier_wait(&barrier);
	while (!signalled)
		nanosleep(&t, NULL);
	return NULL;
}

int main(void)
{
	pthread_t thread[THREADS];
	long number[THREADS], squares = 0;
	struct timespec late = {1, 0};
	int flag = 0;

	pthread_barrier_init(&barrier, NULL, THREADS);
	for (long n = 0; n < THREADS; n++) {
		number[n] = n;
		if (n > 0 && pthread_create(&thread[n], NULL, work, &number[n]) != 0)
			return 1;
	}
	work(&number[0]);
	for (int n = 1; n < THREADS; n++) {
		void *result;

		pthread_join(thread[n], &result);
		squares += *(long *)result;
	}
	printf("squares %ld\n", squares);

	pthread_create(&thread[0], NULL, sleeper, &flag);
	pthread_join(thread[0], NULL);
	printf("slept: %d\n", flag);

	pthread_mutex_lock(&lock);
	printf("timed out: %d\n", pthread_cond_timedwait(&turned, &lock, &late) != 0);
	pthread_mutex_unlock(&lock);

	signal(SIGUSR1, on_signal);
	pthread_barrier_destroy(&barrier);
	pthread_barrier_init(&barrier, NULL, 2);
	number[1] = 42;
	pthread_create(&thread[1], NULL, waiter, &number[1]);
	pthread_barrier_wait(&barrier);
	pthread_kill(thread[1], SIGUSR1);
	pthread_join(thread[1], NULL);
	printf("signalled: %d\n", signalled);
	return 0;
}
