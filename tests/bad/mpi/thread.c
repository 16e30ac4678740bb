/* A thread of a rank that sends, where MPI_Init_thread has provided MPI_THREAD_FUNNELED. */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>

static void *work(void *unused)
{
	int main_thread = -1;

	MPI_Is_thread_main(&main_thread);
	printf("main thread: %d\n", main_thread);
	fflush(stdout);
	MPI_Send(&main_thread, 1, MPI_INT, 0, 0, MPI_COMM_SELF);
	return unused;
}

int main(int argc, char **argv)
{
	pthread_t thread;
	int provided = -1;

	MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
	printf("provided: %d\n", provided == MPI_THREAD_FUNNELED);
	pthread_create(&thread, NULL, work, NULL);
	pthread_join(thread, NULL);
	MPI_Finalize();
	return 0;
}
