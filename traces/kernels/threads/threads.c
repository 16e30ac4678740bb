/* threads WHAT ARGUMENT...: threads that share memory.
 *   share TURNS APART THREADS          each adds to a word, APART bytes from the next; 0: all to one
 *   lock TURNS INSIDE OUTSIDE THREADS  a turn: a loop of INSIDE with a lock, one of OUTSIDE without
 *   join LOOP                          the first thread runs a loop after the second has
 *   barrier, count, event LOOP         the first loops, the second divides; they meet, or the first broadcasts */
#include <pthread.h>
#include <stdlib.h>

#include "psim_region.h"

static char words[8192] __attribute__((aligned(8192)));
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t go = PTHREAD_COND_INITIALIZER;
static pthread_barrier_t all;
static long argument[4], sum;
static int arrived, ready;
static char what;

static void run(long n)
{
	if (n > 0)
		__asm__ volatile("1: subcc %0, 1, %0\n\tbne 1b\n\tnop" : "+r"(n) : : "cc");
}

static void add(volatile long *word)
{
	pthread_barrier_wait(&all);
	for (long n = 0; n < argument[0]; n++)
		*word = *word + 1;
	pthread_barrier_wait(&all);
}

static void add_locked(void)
{
	pthread_barrier_wait(&all);
	for (long n = 0; n < argument[0]; n++) {
		pthread_mutex_lock(&lock);
		sum++;
		run(argument[1]);
		pthread_mutex_unlock(&lock);
		run(argument[2]);
	}
	pthread_barrier_wait(&all);
}

static void meet(int first)
{
	if (what == 'b') {
		pthread_barrier_wait(&all);
		return;
	}
	pthread_mutex_lock(&lock);
	if (what == 'e' ? first : ++arrived == 2) {
		ready = 1;
		pthread_cond_broadcast(&go);
	}
	while (!ready)
		pthread_cond_wait(&go, &lock);
	pthread_mutex_unlock(&lock);
}

static void *other(void *number)
{
	long x = 1;

	if (what == 's')
		add((volatile long *)&words[(long)number * argument[1]]);
	else if (what == 'l')
		add_locked();
	else if (what == 'j')
		run(argument[0]);
	else {
		for (long n = 0; n < argument[0]; n++) /* few instructions, many cycles */
			__asm__ volatile("sdivx %0, 1, %0" : "+r"(x));
		meet(0);
	}
	return NULL;
}

int main(int argc, char *argv[])
{
	pthread_t thread[64];

	what = argv[1][0];
	for (int n = 2; n < argc; n++)
		argument[n - 2] = atol(argv[n]);
	long threads = what == 's' ? argument[2] : what == 'l' ? argument[3] : 2;
	pthread_barrier_init(&all, NULL, threads);
	psim_region_begin("work");
	for (long n = 1; n < threads; n++)
		pthread_create(&thread[n], NULL, other, (void *)n);
	if (what == 's' || what == 'l')
		other(NULL);
	else if (what == 'j') {
		pthread_join(thread[1], NULL);
		run(argument[0]);
	} else {
		run(4 * argument[0]);
		meet(1);
	}
	psim_region_end("work");
	for (long n = 1; n < threads && what != 'j'; n++)
		pthread_join(thread[n], NULL);
	return 0;
}
