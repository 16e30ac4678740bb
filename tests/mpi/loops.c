/*
 * Loops that never end, one row each: local calls, host code without calls, sleeps, threads. Rank 0 runs the loop that
 * the argument names; the others wait for it, or with `all` they run it too. `list` prints the names. A rank in its
 * loop has made the file of the last argument. Each loop ends at the first signal, with the report of the run.
 */
#define _GNU_SOURCE
#include <mpi.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static int number, flag, value, sum;
static long long count;
static char text[4096];
static double seconds;
static volatile double work;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static MPI_Request request = MPI_REQUEST_NULL, pending, all[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
static MPI_Status status;
static MPI_Group group;
static MPI_Datatype type;
static MPI_Aint address;
static MPI_Info info;
static MPI_Comm self;
static MPI_Op op;
static struct timespec now, nap = {0, 1000};

static void on_data(MPI_Comm *comm, int *code, ...)
{
	(void)comm;
	(void)code;
}

static MPI_Errhandler handler;

#define WORLD MPI_COMM_WORLD
#define LOOPS \
	/* environment */ \
	LOOP(Initialized, MPI_Initialized(&flag)) \
	LOOP(Finalized, MPI_Finalized(&flag)) \
	LOOP(Query_thread, MPI_Query_thread(&flag)) \
	LOOP(Is_thread_main, MPI_Is_thread_main(&flag)) \
	LOOP(Wtime, seconds += MPI_Wtime()) \
	LOOP(Wtick, seconds += MPI_Wtick()) \
	LOOP(Get_processor_name, MPI_Get_processor_name(text, &number)) \
	LOOP(Get_version, MPI_Get_version(&number, &flag)) \
	LOOP(Error_string, MPI_Error_string(0, text, &number)) \
	LOOP(Get_address, MPI_Get_address(&value, &address)) \
	LOOP(Aint_add, address = MPI_Aint_add(address, 1)) \
	LOOP(Alloc_mem, (MPI_Alloc_mem(8, MPI_INFO_NULL, &address), MPI_Free_mem((void *)address))) \
	/* communicators, groups, types, objects */ \
	LOOP(Comm_rank, MPI_Comm_rank(WORLD, &number)) \
	LOOP(Comm_size, MPI_Comm_size(WORLD, &number)) \
	LOOP(Comm_compare, MPI_Comm_compare(WORLD, MPI_COMM_SELF, &number)) \
	LOOP(Comm_group, (MPI_Comm_group(WORLD, &group), MPI_Group_free(&group))) \
	LOOP(Comm_dup, (MPI_Comm_dup(MPI_COMM_SELF, &self), MPI_Comm_free(&self))) \
	LOOP(Comm_test_inter, MPI_Comm_test_inter(WORLD, &flag)) \
	LOOP(Topo_test, MPI_Topo_test(WORLD, &flag)) \
	LOOP(Comm_get_attr, MPI_Comm_get_attr(WORLD, MPI_TAG_UB, &address, &flag)) \
	LOOP(Comm_get_name, MPI_Comm_get_name(WORLD, text, &number)) \
	LOOP(Type_size, MPI_Type_size(MPI_INT, &number)) \
	LOOP(Type_contiguous, (MPI_Type_contiguous(3, MPI_INT, &type), MPI_Type_free(&type))) \
	LOOP(Pack_size, MPI_Pack_size(1, MPI_INT, WORLD, &number)) \
	LOOP(Pack, (number = 0, MPI_Pack(&value, 1, MPI_INT, text, 64, &number, WORLD))) \
	LOOP(Op_create, (MPI_Op_create((MPI_User_function *)(void *)on_data, 1, &op), MPI_Op_free(&op))) \
	LOOP(Info_create, (MPI_Info_create(&info), MPI_Info_set(info, "a", "b"), MPI_Info_free(&info))) \
	LOOP(Errhandler, (MPI_Comm_create_errhandler(on_data, &handler), MPI_Errhandler_free(&handler))) \
	LOOP(Reduce_local, MPI_Reduce_local(&value, &sum, 1, MPI_INT, MPI_SUM)) \
	LOOP(Dims_create, (memset(all, 0, sizeof(all)), MPI_Dims_create(6, 2, (int *)all))) \
	/* messages */ \
	LOOP(Isend, MPI_Isend(&value, 1, MPI_INT, 0, 1, WORLD, &pending)) \
	LOOP(Ibsend, MPI_Ibsend(&value, 1, MPI_INT, 0, 1, WORLD, &pending)) \
	LOOP(Issend, MPI_Issend(&value, 1, MPI_INT, 0, 1, WORLD, &pending)) \
	LOOP(Irecv, MPI_Irecv(&value, 1, MPI_INT, 0, 2, WORLD, &pending)) \
	LOOP(Bsend, MPI_Bsend(&value, 1, MPI_INT, 0, 1, WORLD)) \
	LOOP(Send_init, (MPI_Send_init(&value, 1, MPI_INT, 0, 1, WORLD, &request), MPI_Request_free(&request))) \
	LOOP(Cancel, (MPI_Irecv(&value, 1, MPI_INT, 0, 2, WORLD, &request), MPI_Cancel(&request), \
		      MPI_Wait(&request, &status))) \
	LOOP(Send_nobody, MPI_Send(&value, 1, MPI_INT, MPI_PROC_NULL, 1, WORLD)) \
	LOOP(Recv_nobody, MPI_Recv(&value, 1, MPI_INT, MPI_PROC_NULL, 1, WORLD, &status)) \
	LOOP(Sendrecv_self, MPI_Sendrecv(&value, 1, MPI_INT, 0, 3, &sum, 1, MPI_INT, 0, 3, WORLD, &status)) \
	LOOP(Get_count, MPI_Get_count(&status, MPI_INT, &number)) \
	LOOP(Iprobe, MPI_Iprobe(MPI_ANY_SOURCE, 4, WORLD, &flag, &status)) \
	LOOP(Improbe, MPI_Improbe(MPI_ANY_SOURCE, 4, WORLD, &flag, &(MPI_Message){0}, &status)) \
	LOOP(Wait, MPI_Wait(&request, &status)) \
	LOOP(Test, MPI_Test(&request, &flag, &status)) \
	LOOP(Testall, MPI_Testall(2, all, &flag, MPI_STATUSES_IGNORE)) \
	LOOP(Testany, MPI_Testany(2, all, &number, &flag, &status)) \
	LOOP(Testsome, MPI_Testsome(2, all, &number, &flag, MPI_STATUSES_IGNORE)) \
	LOOP(Waitall, MPI_Waitall(2, all, MPI_STATUSES_IGNORE)) \
	LOOP(Request_get_status, MPI_Request_get_status(request, &flag, &status)) \
	LOOP(Barrier_self, MPI_Barrier(MPI_COMM_SELF)) \
	LOOP(Ibarrier, (MPI_Ibarrier(MPI_COMM_SELF, &request), MPI_Test(&request, &flag, &status))) \
	LOOP(Add_time, MPI_Add_time(0)) \
	LOOP(Random, seconds += MPI_Random()) \
	LOOP(Event, MPI_Event("again")) \
	/* no calls */ \
	LOOP(nothing, (void)0) \
	LOOP(compute, work = work * 1.5 + 1) \
	LOOP(malloc, free(malloc((size_t)(++count % 100000)))) \
	LOOP(memset, memset(text, (int)++count, sizeof(text))) \
	LOOP(snprintf, snprintf(text, sizeof(text), "%g", work)) \
	LOOP(printf, printf("%s", "")) \
	LOOP(getpid, getpid()) \
	LOOP(rand, value += rand()) \
	/* clocks and sleeps */ \
	LOOP(clock_gettime, clock_gettime(CLOCK_MONOTONIC, &now)) \
	LOOP(time, count += time(NULL)) \
	LOOP(usleep, usleep(1)) \
	LOOP(nanosleep, nanosleep(&nap, NULL)) \
	LOOP(pause, pause()) \
	/* locks and turns */ \
	LOOP(mutex, (pthread_mutex_lock(&mutex), pthread_mutex_unlock(&mutex))) \
	LOOP(sched_yield, sched_yield())

static const char *const names[] = {
#define LOOP(name, statement) #name,
	LOOPS
#undef LOOP
};

static const char *name, *told;

static void tell(void)
{
	FILE *f = fopen(told, "w");

	if (f) {
		fputs(name, f);
		fclose(f);
	}
}

static void run(void)
{
	tell();
#define LOOP(title, statement) \
	if (strcmp(name, #title) == 0) \
		for (;;) { \
			statement; \
			__asm__ volatile("" ::: "memory"); \
		}
	LOOPS
#undef LOOP
}

static void *in_thread(void *none)
{
	run();
	return none;
}

int main(int argc, char **argv)
{
	const char *where = argc > 2 ? argv[2] : "";
	pthread_t thread;
	int rank, level;

	name = argc > 1 ? argv[1] : "list";
	told = argv[argc - 1];
	if (strcmp(name, "list") == 0) {
		for (unsigned i = 0; i < sizeof(names) / sizeof(names[0]); i++)
			puts(names[i]);
		return 0;
	}
	if (strcmp(where, "ignores") == 0) {
		sigset_t every;

		sigfillset(&every);
		sigprocmask(SIG_BLOCK, &every, NULL);
		signal(SIGINT, SIG_IGN);
		sigaction(SIGTERM, &(struct sigaction){.sa_handler = SIG_IGN}, NULL);
	}
	if (strcmp(where, "alone") == 0) /* without a call of MPI before */
		run();
	MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
	MPI_Comm_rank(WORLD, &rank);
	if (strcmp(where, "thread") == 0 && pthread_create(&thread, NULL, in_thread, NULL) == 0)
		pthread_join(thread, NULL);
	if (rank == 0 || strcmp(where, "all") == 0)
		run();
	MPI_Barrier(WORLD);
	fprintf(stderr, "%s: no such loop, or it has ended\n", name);
	return MPI_Finalize();
}
