/*
 * One-sided communication that a trace records: each rank's time at the end, printed by the simulator, is the same when
 * the trace is replayed. Short and long operations, ranks that come late, and locks that several ranks want.
 */
#include "check.h"

enum { LONG = 20000 };

/* Computation, so that ranks come at different times. */
static void differ(const struct checks *c)
{
	MPI_Add_time(1e-7 * ((c->rank * 5) % 7));
}

static void fenced(const struct checks *c, MPI_Win win, double *data, int length)
{
	int next = (c->rank + 1) % c->size;
	MPI_Request r;

	differ(c);
	MPI_Win_fence(0, win);
	MPI_Put(data, length, MPI_DOUBLE, next, 0, length, MPI_DOUBLE, win);
	MPI_Get(data, length / 2, MPI_DOUBLE, (c->rank + 2) % c->size, LONG, length / 2, MPI_DOUBLE, win);
	MPI_Accumulate(data, length / 3, MPI_DOUBLE, 0, LONG, length / 3, MPI_DOUBLE, MPI_SUM, win);
	MPI_Get_accumulate(data, 0, MPI_DOUBLE, data, 1, MPI_DOUBLE, 0, LONG, 1, MPI_DOUBLE, MPI_NO_OP, win);
	differ(c);
	MPI_Win_fence(0, win);
	MPI_Irecv(data, LONG, MPI_DOUBLE, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &r);
	MPI_Send(data + LONG, length, MPI_DOUBLE, next, 1, MPI_COMM_WORLD);
	MPI_Put(data, 1, MPI_DOUBLE, next, 2 * LONG - 1, 1, MPI_DOUBLE, win);
	MPI_Wait(&r, MPI_STATUS_IGNORE);
	MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
}

static void locked(const struct checks *c, MPI_Win win, double *data, int length)
{
	double one = 1, old;
	MPI_Request r[2];

	differ(c);
	MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win);
	MPI_Put(data, length, MPI_DOUBLE, 0, 0, length, MPI_DOUBLE, win);
	MPI_Win_flush_local(0, win);
	differ(c);
	MPI_Win_flush(0, win);
	MPI_Get(data, length, MPI_DOUBLE, 0, 0, length, MPI_DOUBLE, win);
	MPI_Win_unlock(0, win);
	MPI_Win_lock(MPI_LOCK_SHARED, c->size - 1, 0, win);
	MPI_Rput(data, length, MPI_DOUBLE, c->size - 1, 0, length, MPI_DOUBLE, win, &r[0]);
	MPI_Rget(data + LONG, length, MPI_DOUBLE, c->size - 1, LONG, length, MPI_DOUBLE, win, &r[1]);
	MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
	MPI_Win_unlock(c->size - 1, win);
	MPI_Win_lock_all(0, win);
	for (int i = 0; i < c->size; i++)
		MPI_Fetch_and_op(&one, &old, MPI_DOUBLE, i, 2 * LONG - 1, MPI_SUM, win);
	MPI_Win_flush_all(win);
	MPI_Win_unlock_all(win);
}

/* Even ranks expose their memory to all odd ones. */
static void posted(const struct checks *c, MPI_Win win, double *data, int length)
{
	int *even = calloc((size_t)c->size, sizeof(int)), *odd = calloc((size_t)c->size, sizeof(int));
	MPI_Group all, exposed, accessing;

	for (int i = 0; i < c->size; i++)
		*(i % 2 ? &odd[i / 2] : &even[i / 2]) = i;
	MPI_Win_get_group(win, &all);
	MPI_Group_incl(all, (c->size + 1) / 2, even, &exposed);
	MPI_Group_incl(all, c->size / 2, odd, &accessing);
	differ(c);
	if (c->rank % 2 == 0) {
		MPI_Win_post(accessing, 0, win);
		differ(c);
		MPI_Win_wait(win);
	} else {
		MPI_Win_start(exposed, 0, win);
		for (int i = 0; i < c->size; i += 2)
			MPI_Put(data, length, MPI_DOUBLE, i, 0, length, MPI_DOUBLE, win);
		MPI_Win_complete(win);
	}
	MPI_Group_free(&all);
	MPI_Group_free(&exposed);
	MPI_Group_free(&accessing);
	free(even);
	free(odd);
}

int main(int argc, char **argv)
{
	double *data = calloc(2 * LONG, sizeof(double)), *memory;
	int lengths[] = {10, LONG};
	struct checks c;
	MPI_Win win;

	checks_begin(&c, &argc, &argv);
	for (int k = 0; k < 2; k++) {
		MPI_Win_allocate(2 * LONG * sizeof(double), sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, &memory,
				 &win);
		fenced(&c, win, data, lengths[k]);
		locked(&c, win, data, lengths[k]);
		posted(&c, win, data, lengths[k]);
		MPI_Win_free(&win);
	}
	free(data);
	checks_end(&c, "traced_windows");
	return 0;
}
