/* Point to point: modes, order, wildcards, requests. Even number of ranks, at least 4. */
#include "check.h"

enum { BIG = 300000 };

static int next(const struct checks *c)
{
	return (c->rank + 1) % c->size;
}

static int previous(const struct checks *c)
{
	return (c->rank + c->size - 1) % c->size;
}

/* All four modes, short and long (with a handshake). */
static void modes(struct checks *c)
{
	static const int counts[] = {0, 1, 1000, BIG};
	int *out = malloc(BIG * sizeof(int)), *in = malloc(BIG * sizeof(int));
	char *attached = malloc(BIG * sizeof(int) + 1000), *back;
	int size;

	MPI_Buffer_attach(attached, (int)(BIG * sizeof(int) + 1000));
	for (int mode = 0; mode < 4; mode++)
		for (unsigned k = 0; k < 4; k++) {
			int count = counts[k];
			MPI_Request request;
			MPI_Status status;

			for (int i = 0; i < count; i++) {
				out[i] = c->rank * 1000 + i + mode;
				in[i] = -1;
			}
			MPI_Irecv(in, count, MPI_INT, previous(c), mode, MPI_COMM_WORLD, &request);
			MPI_Barrier(MPI_COMM_WORLD); /* for the ready mode */
			if (mode == 0)
				MPI_Send(out, count, MPI_INT, next(c), mode, MPI_COMM_WORLD);
			else if (mode == 1)
				MPI_Bsend(out, count, MPI_INT, next(c), mode, MPI_COMM_WORLD);
			else if (mode == 2)
				MPI_Ssend(out, count, MPI_INT, next(c), mode, MPI_COMM_WORLD);
			else
				MPI_Rsend(out, count, MPI_INT, next(c), mode, MPI_COMM_WORLD);
			MPI_Wait(&request, &status);
			CHECK(c, request == MPI_REQUEST_NULL);
			CHECK(c, status.MPI_SOURCE == previous(c) && status.MPI_TAG == mode);
			MPI_Get_count(&status, MPI_INT, &size);
			CHECK(c, size == count);
			for (int i = 0; i < count; i++)
				if (in[i] != previous(c) * 1000 + i + mode) {
					CHECK(c, in[i] == previous(c) * 1000 + i + mode);
					break;
				}
		}
	MPI_Buffer_detach(&back, &size);
	CHECK(c, back == attached);
	free(attached);
	free(out);
	free(in);
}

typedef int begin_send(const void *buf, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm,
		       MPI_Request *request);

/* The same, nonblocking (way 0), and persistent (1), which is started twice. */
static void begun_mode(struct checks *c, int way, int mode, int count, int *out, int *in)
{
	static begin_send *const begin[2][4] = {
		{MPI_Isend, MPI_Ibsend, MPI_Issend, MPI_Irsend},
		{MPI_Send_init, MPI_Bsend_init, MPI_Ssend_init, MPI_Rsend_init},
	};
	MPI_Request recv, send = MPI_REQUEST_NULL;
	MPI_Status status;
	int got, turns = way + 1;

#ifdef OPEN_MPI /* 4.1 sends wrong data when a long buffered one starts again */
	turns = mode == 1 && count == BIG ? 1 : turns;
#endif
	for (int turn = 0; turn < turns; turn++) {
		out[0] = out[count - 1] = c->rank * 1000 + 10 * mode + turn;
		in[0] = in[count - 1] = -1;
		MPI_Irecv(in, count, MPI_INT, previous(c), mode, MPI_COMM_WORLD, &recv);
		MPI_Barrier(MPI_COMM_WORLD); /* for the ready mode */
		if (turn == 0)
			begin[way][mode](out, count, MPI_INT, next(c), mode, MPI_COMM_WORLD, &send);
		if (way)
			MPI_Start(&send);
		MPI_Wait(&recv, &status);
		MPI_Get_count(&status, MPI_INT, &got);
		CHECK(c, got == count && status.MPI_SOURCE == previous(c) && status.MPI_TAG == mode);
		CHECK(c, in[0] == previous(c) * 1000 + 10 * mode + turn && in[count - 1] == in[0]);
		MPI_Wait(&send, MPI_STATUS_IGNORE);
		CHECK(c, (send == MPI_REQUEST_NULL) == !way);
	}
	if (way)
		MPI_Request_free(&send);
	CHECK(c, send == MPI_REQUEST_NULL);
}

static void begun_modes(struct checks *c)
{
	int *out = malloc(BIG * sizeof(int)), *in = malloc(BIG * sizeof(int)), size;
	char *attached = malloc(BIG * sizeof(int) + 1000), *back;

	MPI_Buffer_attach(attached, (int)(BIG * sizeof(int) + 1000));
	for (int way = 0; way < 2; way++)
		for (int mode = 0; mode < 4; mode++)
			for (int count = 1; count <= BIG; count += BIG - 1)
				begun_mode(c, way, mode, count, out, in);
	/* a buffered send is complete without a receive, however long */
	for (int way = 0; way < 2; way++) {
		MPI_Request send;

		out[BIG - 1] = c->rank + way;
		(way ? MPI_Bsend_init : MPI_Ibsend)(out, BIG, MPI_INT, next(c), 5, MPI_COMM_WORLD, &send);
		if (way)
			MPI_Start(&send);
		MPI_Wait(&send, MPI_STATUS_IGNORE);
		out[BIG - 1] = -1;
		MPI_Recv(in, BIG, MPI_INT, previous(c), 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		CHECK(c, in[BIG - 1] == previous(c) + way);
		if (way)
			MPI_Request_free(&send);
		MPI_Barrier(MPI_COMM_WORLD);
	}
	MPI_Buffer_detach(&back, &size);
	CHECK(c, back == attached);
	free(attached);
	free(out);
	free(in);
}

/* Long messages and short ones between two ranks stay in order, also for wildcards. */
static void order(struct checks *c)
{
	enum { MESSAGES = 20 };
	int *data = malloc(BIG * sizeof(int));
	MPI_Status status;

	if (c->rank % 2) {
		for (int i = 0; i < MESSAGES; i++) {
			data[0] = i;
			MPI_Send(data, i % 3 ? 1 : BIG, MPI_INT, c->rank - 1, i % 2, MPI_COMM_WORLD);
		}
	} else {
		for (int i = 0; i < MESSAGES; i++) {
			MPI_Recv(data, BIG, MPI_INT, c->rank + 1, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
			CHECK(c, data[0] == i && status.MPI_TAG == i % 2);
		}
	}
	MPI_Barrier(MPI_COMM_WORLD);
	free(data);
}

/* By tag out of order; the first fitting receive gets the first fitting message. */
static void tags(struct checks *c)
{
	int in[4] = {-1, -1, -1, -1};
	MPI_Request requests[4];
	MPI_Status statuses[4];

	if (c->rank == 0) {
		MPI_Irecv(&in[0], 1, MPI_INT, 1, 7, MPI_COMM_WORLD, &requests[0]);
		MPI_Irecv(&in[1], 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &requests[1]);
		MPI_Irecv(&in[2], 1, MPI_INT, 1, MPI_ANY_TAG, MPI_COMM_WORLD, &requests[2]);
		MPI_Irecv(&in[3], 1, MPI_INT, MPI_ANY_SOURCE, 7, MPI_COMM_WORLD, &requests[3]);
		MPI_Barrier(MPI_COMM_WORLD);
		MPI_Waitall(4, requests, statuses);
		/* messages 10 (tag 5), 11 (tag 7), 12 (tag 7), 13 (tag 6) */
		CHECK(c, in[0] == 11 && in[1] == 10 && in[2] == 12 && in[3] == 14);
		CHECK(c, statuses[1].MPI_TAG == 5 && statuses[2].MPI_TAG == 7 && statuses[3].MPI_SOURCE == 1);
		MPI_Recv(&in[0], 1, MPI_INT, 1, MPI_ANY_TAG, MPI_COMM_WORLD, &statuses[0]);
		CHECK(c, in[0] == 13 && statuses[0].MPI_TAG == 6);
	} else {
		MPI_Barrier(MPI_COMM_WORLD);
		if (c->rank == 1) {
			static const int tag[] = {5, 7, 7, 6, 7};
			MPI_Request sends[5];
			int value[5];

			for (int i = 0; i < 5; i++) {
				value[i] = 10 + i;
				MPI_Isend(&value[i], 1, MPI_INT, 0, tag[i], MPI_COMM_WORLD, &sends[i]);
			}
			MPI_Waitall(5, sends, MPI_STATUSES_IGNORE);
		}
	}
	MPI_Barrier(MPI_COMM_WORLD);
}

/* From anybody: each rank once. */
static void wildcards(struct checks *c)
{
	int value = c->rank, sum = 0;
	MPI_Status status;

	if (c->rank != 0) {
		MPI_Send(&value, 1, MPI_INT, 0, c->rank, MPI_COMM_WORLD);
	} else {
		for (int i = 1; i < c->size; i++) {
			MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
			MPI_Recv(&value, 1, MPI_INT, status.MPI_SOURCE, status.MPI_TAG, MPI_COMM_WORLD, &status);
			CHECK(c, value == status.MPI_SOURCE && value == status.MPI_TAG);
			sum += value;
		}
		CHECK(c, sum == c->size * (c->size - 1) / 2);
	}
	MPI_Barrier(MPI_COMM_WORLD);
}

static void probes(struct checks *c)
{
	int flag = 1, count, polls = 0;
	double data[5] = {0};
	MPI_Status status;

	if (c->rank == 0) {
		MPI_Iprobe(1, 3, MPI_COMM_WORLD, &flag, &status);
		CHECK(c, !flag); /* rank 1 waits for the next message before it sends */
		MPI_Send(NULL, 0, MPI_INT, 1, 0, MPI_COMM_WORLD);
		do {
			MPI_Iprobe(1, 3, MPI_COMM_WORLD, &flag, &status);
			polls++;
		} while (!flag);
		MPI_Get_count(&status, MPI_DOUBLE, &count);
		CHECK(c, count == 5 && polls > 0);
		MPI_Recv(data, 5, MPI_DOUBLE, 1, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		CHECK(c, data[4] == 4.5);
	} else if (c->rank == 1) {
		MPI_Recv(NULL, 0, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		data[4] = 4.5;
		MPI_Send(data, 5, MPI_DOUBLE, 0, 3, MPI_COMM_WORLD);
	}
	MPI_Barrier(MPI_COMM_WORLD);
}

/* Waitany, Waitsome, Test, Testall, Testany, Testsome. */
static void completions(struct checks *c)
{
	enum { N = 6 };
	int in[N], out[N], index, flag = 0, count, indices[2 * N], done = 0, seen = 0;
	MPI_Request requests[2 * N];
	MPI_Status statuses[2 * N], status;

	for (int way = 0; way < 5; way++) {
		for (int i = 0; i < N; i++) {
			in[i] = -1;
			out[i] = c->rank * 100 + i;
			MPI_Irecv(&in[i], 1, MPI_INT, previous(c), i, MPI_COMM_WORLD, &requests[i]);
		}
		for (int i = N; i--;)
			MPI_Isend(&out[i], 1, MPI_INT, next(c), i, MPI_COMM_WORLD, &requests[N + i]);
		done = seen = 0;
		while (way == 0 && done < 2 * N) {
			MPI_Waitany(2 * N, requests, &index, &status);
			CHECK(c, index >= 0 && index < 2 * N && requests[index] == MPI_REQUEST_NULL);
			CHECK(c, index >= N || (status.MPI_TAG == index && status.MPI_SOURCE == previous(c)));
			done++;
		}
		while (way == 1 && done < 2 * N) {
			MPI_Waitsome(2 * N, requests, &count, indices, statuses);
			CHECK(c, count > 0);
			done += count;
		}
		while (way == 2 && !flag)
			MPI_Testall(2 * N, requests, &flag, statuses);
		while (way == 3 && done < 2 * N) {
			MPI_Testany(2 * N, requests, &index, &flag, &status);
			done += flag && index != MPI_UNDEFINED;
		}
		while (way == 4 && done < 2 * N) {
			MPI_Testsome(2 * N, requests, &count, indices, statuses);
			done += count;
		}
		for (int i = 0; i < N; i++)
			seen += in[i] == previous(c) * 100 + i;
		CHECK(c, seen == N);
		MPI_Waitany(2 * N, requests, &index, &status);
		CHECK(c, index == MPI_UNDEFINED);
		MPI_Waitall(2 * N, requests, statuses); /* all null: returns at once */
	}
}

static void persistent(struct checks *c)
{
	int in, out;
	MPI_Request requests[2];

	MPI_Recv_init(&in, 1, MPI_INT, previous(c), 9, MPI_COMM_WORLD, &requests[0]);
	MPI_Send_init(&out, 1, MPI_INT, next(c), 9, MPI_COMM_WORLD, &requests[1]);
	for (int i = 0; i < 5; i++) {
		out = c->rank + i;
		in = -1;
		MPI_Startall(2, requests);
		MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
		CHECK(c, in == previous(c) + i);
		CHECK(c, requests[0] != MPI_REQUEST_NULL);
	}
	MPI_Request_free(&requests[0]);
	MPI_Request_free(&requests[1]);
	CHECK(c, requests[0] == MPI_REQUEST_NULL);
}

/*
 * Request_get_status reports when a request is complete, and leaves it. A synchronous send is not complete before its
 * receive; a receive that is complete has its data.
 */
static void statuses(struct checks *c)
{
	int in[1000], out[1000] = {0}, flag = 1, count = -1, cancelled = 1;
	MPI_Request request = MPI_REQUEST_NULL;
	MPI_Status status;

	MPI_Request_get_status(request, &flag, &status);
	MPI_Get_count(&status, MPI_INT, &count);
	CHECK(c, flag && status.MPI_SOURCE == MPI_ANY_SOURCE && status.MPI_TAG == MPI_ANY_TAG && count == 0);
	out[999] = in[999] = -1 - c->rank;
	if (c->rank % 2) {
		MPI_Recv(NULL, 0, MPI_INT, c->rank - 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		MPI_Irecv(in, 1000, MPI_INT, c->rank - 1, 2, MPI_COMM_WORLD, &request);
		for (flag = 0; !flag;)
			MPI_Request_get_status(request, &flag, &status);
		MPI_Get_count(&status, MPI_INT, &count);
		MPI_Test_cancelled(&status, &cancelled);
		CHECK(c, status.MPI_SOURCE == c->rank - 1 && status.MPI_TAG == 2 && count == 1000 && !cancelled);
		CHECK(c, request != MPI_REQUEST_NULL && in[999] == -c->rank);
		in[999] = 7; /* the data have come, and do not come again */
	} else {
		MPI_Issend(out, 1000, MPI_INT, c->rank + 1, 2, MPI_COMM_WORLD, &request);
		MPI_Request_get_status(request, &flag, MPI_STATUS_IGNORE);
		CHECK(c, !flag && request != MPI_REQUEST_NULL);
		MPI_Send(NULL, 0, MPI_INT, c->rank + 1, 1, MPI_COMM_WORLD);
	}
	MPI_Wait(&request, &status);
	CHECK(c, request == MPI_REQUEST_NULL && (c->rank % 2 == 0 || (in[999] == 7 && status.MPI_TAG == 2)));
}

static void others(struct checks *c)
{
	int in = -1, out = c->rank, both = c->rank, flag, count;
	MPI_Request request;
	MPI_Status status;

	MPI_Sendrecv(&out, 1, MPI_INT, next(c), 1, &in, 1, MPI_INT, previous(c), 1, MPI_COMM_WORLD, &status);
	CHECK(c, in == previous(c) && status.MPI_SOURCE == previous(c));
	MPI_Sendrecv_replace(&both, 1, MPI_INT, next(c), 1, previous(c), 1, MPI_COMM_WORLD, &status);
	CHECK(c, both == previous(c));
	/* to and from nobody */
	in = 77;
	MPI_Sendrecv(&out, 1, MPI_INT, MPI_PROC_NULL, 1, &in, 1, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD, &status);
	MPI_Get_count(&status, MPI_INT, &count);
	CHECK(c, in == 77 && status.MPI_SOURCE == MPI_PROC_NULL && status.MPI_TAG == MPI_ANY_TAG && count == 0);
	/* taken back */
	MPI_Irecv(&in, 1, MPI_INT, next(c), 12345, MPI_COMM_WORLD, &request);
	MPI_Cancel(&request);
	MPI_Wait(&request, &status);
	MPI_Test_cancelled(&status, &flag);
	CHECK(c, flag);
	/* to oneself */
	MPI_Isend(&out, 1, MPI_INT, c->rank, 4, MPI_COMM_WORLD, &request);
	MPI_Recv(&in, 1, MPI_INT, c->rank, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	CHECK(c, in == c->rank);
	MPI_Isend(&out, 1, MPI_INT, 0, 4, MPI_COMM_SELF, &request);
	in = -1;
	MPI_Recv(&in, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_SELF, &status);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	CHECK(c, in == c->rank && status.MPI_SOURCE == 0);
}

int main(int argc, char **argv)
{
	struct checks c;

	checks_begin(&c, &argc, &argv);
	modes(&c);
	begun_modes(&c);
	order(&c);
	tags(&c);
	wildcards(&c);
	probes(&c);
	completions(&c);
	persistent(&c);
	statuses(&c);
	others(&c);
	return checks_end(&c, "point to point");
}
