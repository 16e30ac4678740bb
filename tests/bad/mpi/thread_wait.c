/*
 * Threads that wait for ever, each for the mutex of the other (argument 1); for a message that nobody sends (2); with a
 * signal (3) and a stack (4) that threads here do not have; in a crash (5).
 */
#include <mpi.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static pthread_mutex_t mutex[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};

static void *lock_both(void *first)
{
	int i = *(int *)first;

	pthread_mutex_lock(&mutex[i]);
	usleep(1000);
	pthread_mutex_lock(&mutex[1 - i]);
	return first;
}

static void *receive(void *buffer)
{
	MPI_Recv(buffer, 1, MPI_INT, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	return buffer;
}

static void *deep(void *arg)
{
	volatile char room[1 << 16];

	room[0] = *(char *)arg;
	return room[0] == 9 ? arg : deep((void *)(char *)&room[0]);
}

static void *crash(void *arg)
{
	*(volatile int *)16 = 1;
	return arg;
}

int main(int argc, char **argv)
{
	static void *(*const functions[])(void *) = {lock_both, lock_both, receive, receive, deep, crash};
	int which = argc > 1 ? atoi(argv[1]) : 1, numbers[2] = {0, 1}, provided;
	pthread_t threads[2];

	MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, functions[which], &numbers[i]);
	if (which == 3)
		pthread_kill(threads[0], SIGUSR1);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	MPI_Finalize();
	return 0;
}
