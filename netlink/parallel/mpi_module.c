/* The simulator's calls of MPI: a module for one kind of MPI (mpi_module.h). */
#include "mpi_module.h"

#include <mpi.h>
#include <sched.h>

enum {
	MOST = 256,      /* processes */
	CHUNK = 1 << 28, /* bytes of a message */
};

extern const struct mpi_module psim_mpi_module;

static int mpi_module_begin(int *me, int *processes, int *here)
{
	MPI_Comm host;

	if (MPI_Init(NULL, NULL) != MPI_SUCCESS)
		return -1;
	MPI_Comm_rank(MPI_COMM_WORLD, me);
	MPI_Comm_size(MPI_COMM_WORLD, processes);
	MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &host);
	MPI_Comm_size(host, here);
	MPI_Comm_free(&host);
	return *processes > MOST;
}

/* Requests under way. */
struct requests {
	int count;
	MPI_Request request[2 * MOST];
};

static void post(struct requests *r, const void *out, int out_bytes, void *in, int in_bytes, int p)
{
	if (in_bytes)
		MPI_Irecv(in, in_bytes, MPI_BYTE, p, 0, MPI_COMM_WORLD, &r->request[r->count++]);
	if (out_bytes)
		MPI_Isend(out, out_bytes, MPI_BYTE, p, 0, MPI_COMM_WORLD, &r->request[r->count++]);
}

/* Waits for all; leaves the core to others after `polls`, since there may be fewer cores than processes. */
static void mpi_module_await(struct requests *r, int polls)
{
	MPI_Status status[2 * MOST]; /* gcc warns about MPI_STATUSES_IGNORE of mpich */
	int done = r->count == 0;

	for (int i = 0; !done; i += i < polls) {
		MPI_Testall(r->count, r->request, &done, status);
		if (!done && i == polls)
			sched_yield();
	}
}

static void mpi_module_all_to_all(const void *out, void *in, size_t bytes, int polls)
{
	struct requests r = {0};
	int me, processes;

	MPI_Comm_rank(MPI_COMM_WORLD, &me);
	MPI_Comm_size(MPI_COMM_WORLD, &processes);
	for (int p = 0; p < processes; p++)
		if (p != me)
			post(&r, (const char *)out + (size_t)p * bytes, (int)bytes, (char *)in + (size_t)p * bytes,
			     (int)bytes, p);
	mpi_module_await(&r, polls);
}

/* Length of the piece of a message from `done` on. */
static int piece(size_t bytes, size_t done)
{
	size_t left = bytes > done ? bytes - done : 0;

	return (int)(left < CHUNK ? left : CHUNK);
}

/* Exchanges the pieces from `done` on; returns whether there were any. */
static int deliver_pieces(const void *const *out, const size_t *out_bytes, void *const *in, const size_t *in_bytes,
			  size_t done, int polls)
{
	struct requests r = {0};
	int me, processes;

	MPI_Comm_rank(MPI_COMM_WORLD, &me);
	MPI_Comm_size(MPI_COMM_WORLD, &processes);
	for (int p = 0; p < processes; p++)
		if (p != me)
			post(&r, (const char *)out[p] + done, piece(out_bytes[p], done), (char *)in[p] + done,
			     piece(in_bytes[p], done), p);
	mpi_module_await(&r, polls);
	return r.count;
}

static void mpi_module_deliver(const void *const *out, const size_t *out_bytes, void *const *in, const size_t *in_bytes,
			       int polls)
{
	for (size_t done = 0; deliver_pieces(out, out_bytes, in, in_bytes, done, polls); done += CHUNK)
		;
}

static void mpi_module_broadcast(void *data, size_t bytes, int from)
{
	MPI_Bcast(data, (int)bytes, MPI_BYTE, from, MPI_COMM_WORLD);
}

static void abort_all(int status)
{
	MPI_Abort(MPI_COMM_WORLD, status);
}

static void mpi_module_end(void)
{
	MPI_Finalize();
}

const struct mpi_module psim_mpi_module = {
	.begin = mpi_module_begin,
	.all_to_all = mpi_module_all_to_all,
	.deliver = mpi_module_deliver,
	.broadcast = mpi_module_broadcast,
	.abort = abort_all,
	.end = mpi_module_end,
};
