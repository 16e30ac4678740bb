/* Matching: order of messages that overtake each other in the network, wildcards, payload. vmpi/message/match.c */
#include "tap.h"

#include <string.h>

#include "vmpi_world.h"

/* Messages of 40 bytes take so long that all sent after them arrive before. */
static const struct fake_times overtaking = {.latency = 1000, .per_byte = 1, .slow_bytes = 40, .slower = 1000000};

static void run(struct world *w, uint32_t ranks, vmpi_body *body, void *user)
{
	world_start(w);
	world_run(w, &overtaking, ranks, body, user);
}

/* Ten ints (40 bytes), then one: both fit the receives. */
static int overtake(struct vmpi *v, uint32_t rank, void *user)
{
	int x[10] = {0};
	VMPI_Request requests[2];
	VMPI_Status status;

	(void)user;
	if (rank == 0) {
		x[0] = 1;
		vmpi_Isend(v, x, 10, VMPI_INT, 1, 5, VMPI_COMM_WORLD, &requests[0]);
		x[0] = 2;
		vmpi_Isend(v, x, 1, VMPI_INT, 1, 5, VMPI_COMM_WORLD, &requests[1]);
		vmpi_Waitall(v, 2, requests, NULL);
		return 0;
	}
	vmpi_Recv(v, x, 10, VMPI_INT, VMPI_ANY_SOURCE, VMPI_ANY_TAG, VMPI_COMM_WORLD, &status);
	CHECK_I64(x[0], 1);
	CHECK_I64(status.bytes_, 40);
	vmpi_Recv(v, x, 10, VMPI_INT, 0, 5, VMPI_COMM_WORLD, &status);
	CHECK_I64(x[0], 2);
	CHECK_I64(status.bytes_, 4);
	/* both have come with the slow one: it was sent at O, its 40 bytes leave at + 40 */
	CHECK_I64(v->current->now, v->cfg->mpi.overhead + 40 + 1000 + 1000000 + v->cfg->mpi.overhead);
	return 0;
}

static void messages_take_their_turns_though_the_network_reorders(void)
{
	struct world w;

	run(&w, 2, overtake, NULL);
	CHECK_U64(w.end, VMPI_DONE);
	CHECK_U64(pool_used(&w.v->msg.messages), 0);
	CHECK_U64(pool_used(&w.v->msg.requests), 0);
	world_finish(&w);
}

/* A slow message of one communicator holds up none of another. */
static int apart(struct vmpi *v, uint32_t rank, void *user)
{
	int x[10] = {0}, big[10] = {7};
	VMPI_Comm other;
	VMPI_Request request;

	(void)user;
	vmpi_Comm_dup(v, VMPI_COMM_WORLD, &other);
	if (rank == 0) {
		vmpi_Isend(v, big, 10, VMPI_INT, 1, 5, VMPI_COMM_WORLD, &request);
		vmpi_Send(v, x, 1, VMPI_INT, 1, 5, other);
		vmpi_Wait(v, &request, NULL);
	} else {
		int64_t before = v->current->now;

		vmpi_Recv(v, x, 10, VMPI_INT, 0, 5, other, NULL);
		CHECK(v->current->now - before < 1000000);
		vmpi_Recv(v, x, 10, VMPI_INT, 0, 5, VMPI_COMM_WORLD, NULL);
		CHECK_I64(x[0], 7);
		CHECK(v->current->now - before >= 1000000);
	}
	vmpi_Comm_free(v, &other);
	return 0;
}

static void communicators_keep_messages_apart(void)
{
	struct world w;

	run(&w, 2, apart, NULL);
	CHECK_U64(w.end, VMPI_DONE);
	world_finish(&w);
}

/* A send carries what the buffer held at the call. */
static int change(struct vmpi *v, uint32_t rank, void *user)
{
	int x = 5;
	VMPI_Request request;

	(void)user;
	if (rank == 0) {
		vmpi_Isend(v, &x, 1, VMPI_INT, 1, 0, VMPI_COMM_WORLD, &request);
		x = 6;
		vmpi_Wait(v, &request, NULL);
	} else {
		vmpi_Recv(v, &x, 1, VMPI_INT, 0, 0, VMPI_COMM_WORLD, NULL);
		CHECK_I64(x, 5);
	}
	return 0;
}

static void the_payload_is_copied_at_the_send(void)
{
	struct world w;

	run(&w, 2, change, NULL);
	CHECK_U64(w.end, VMPI_DONE);
	world_finish(&w);
}

/* 3000 receives posted in one order, sent in another: the lists grow and keep their order. */
enum { MANY = 3000 };

static int many(struct vmpi *v, uint32_t rank, void *user)
{
	static VMPI_Request requests[2][MANY];
	static int x[2][MANY];
	int bad = 0;

	(void)user;
	for (int i = 0; i < MANY; i++) {
		int tag = rank == 0 ? i : i * 7 % MANY; /* 7 and 3000 have no common factor */

		if (rank == 0)
			vmpi_Irecv(v, &x[0][i], 1, VMPI_INT, i % 2 ? 1 : VMPI_ANY_SOURCE, tag, VMPI_COMM_WORLD,
				   &requests[0][i]);
		x[1][i] = rank ? i * 7 % MANY : x[1][i];
		if (rank == 1)
			vmpi_Isend(v, &x[1][i], 1, VMPI_INT, 0, tag, VMPI_COMM_WORLD, &requests[1][i]);
	}
	vmpi_Waitall(v, MANY, requests[rank], NULL);
	for (int i = 0; i < MANY && rank == 0; i++)
		bad += x[0][i] != i;
	CHECK_I64(bad, 0);
	return 0;
}

static void thousands_of_receives_find_their_messages(void)
{
	struct world w;

	run(&w, 2, many, NULL);
	CHECK_U64(w.end, VMPI_DONE);
	CHECK_U64(w.v->ranks[0].matches.count, 0);
	CHECK_U64(w.v->ranks[1].matches.count, 0);
	world_finish(&w);
}

/* Nobody sends: an error that says so, in every rank's state. */
static int wait_for_ever(struct vmpi *v, uint32_t rank, void *user)
{
	(void)user;
	if (rank)
		vmpi_Recv(v, NULL, 0, VMPI_INT, 0, 0, VMPI_COMM_WORLD, NULL);
	return 0;
}

static void a_run_that_is_stuck_says_so(void)
{
	struct world w;

	run(&w, 3, wait_for_ever, NULL);
	CHECK_U64(w.end, VMPI_FAILED);
	CHECK_U64(w.e.status, STATUS_STUCK);
	CHECK_STR(w.e.text, "the program is deadlocked: 2 of 3 ranks wait forever");
	world_finish(&w);
}

static const struct tap_test tests[] = {
	{"messages take their turns though the network reorders them",
	 messages_take_their_turns_though_the_network_reorders},
	{"communicators keep messages apart", communicators_keep_messages_apart},
	{"the payload is copied at the send", the_payload_is_copied_at_the_send},
	{"thousands of receives find their messages", thousands_of_receives_find_their_messages},
	{"a run that is stuck says so", a_run_that_is_stuck_says_so},
};

int main(void)
{
	return tap_main("matching of messages", tests, TAP_COUNT(tests));
}
