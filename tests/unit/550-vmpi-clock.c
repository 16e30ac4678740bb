/* Clocks of virtual ranks: netlink/vmpi. Every expected time is a sum of the constants below. */
#include "tap.h"

#include <string.h>

#include "vmpi_world.h"

/* ps: overhead of a call; latency; time of a byte; */
enum { O = 200, L = 10000, W = 3 };

static const struct fake_times times = {.latency = L, .per_byte = W};

static void start(struct world *w)
{
	world_start(w);
	w->cfg.mpi.overhead = O;
	w->cfg.mpi.clock_overhead = 0;
	w->cfg.mpi.eager = 1000;
}

static int64_t now(struct vmpi *v)
{
	return v->current->now;
}

/* ---- eager and with a handshake ---- */

struct send {
	int bytes;
	int64_t early, late; /* the sender begins at `early`, the receiver at `late` */
	bool synchronous;
	int64_t sent, received;
};

static int send_one(struct vmpi *v, uint32_t rank, void *user)
{
	struct send *s = user;

	rank_busy(v, v->current, rank ? s->late : s->early);
	if (rank == 0) {
		(s->synchronous ? vmpi_Ssend : vmpi_Send)(v, NULL, s->bytes, VMPI_BYTE, 1, 0, VMPI_COMM_WORLD);
		s->sent = now(v);
	} else {
		vmpi_Recv(v, NULL, s->bytes, VMPI_BYTE, 0, 0, VMPI_COMM_WORLD, NULL);
		s->received = now(v);
	}
	return 0;
}

static struct send send_case(struct send s)
{
	struct world w;

	start(&w);
	world_run(&w, &times, 2, send_one, &s);
	CHECK_U64(w.end, VMPI_DONE);
	world_finish(&w);
	return s;
}

static void an_eager_message_takes_overhead_and_the_engines_time(void)
{
	struct send s = send_case((struct send){.bytes = 100});

	CHECK_I64(s.sent, O + 100 * W);         /* the last byte has left */
	CHECK_I64(s.received, O + 100 * W + L); /* the receive was posted at O: earlier */
}

static void a_late_receive_finds_the_message_at_once(void)
{
	struct send s = send_case((struct send){.bytes = 100, .late = 50000});

	CHECK_I64(s.sent, O + 100 * W);
	CHECK_I64(s.received, 50000 + O);
}

static void a_long_message_asks_first(void)
{
	/* 1001 bytes: request and answer of 0 bytes, L each, then the data */
	struct send s = send_case((struct send){.bytes = 1001});

	CHECK_I64(s.sent, O + L + L + 1001 * W);
	CHECK_I64(s.received, O + L + L + 1001 * W + L);
}

static void a_long_message_waits_for_its_receive(void)
{
	/* the answer leaves when the receive is posted, at 50000 + O */
	struct send s = send_case((struct send){.bytes = 1001, .late = 50000});

	CHECK_I64(s.sent, 50000 + O + L + 1001 * W);
	CHECK_I64(s.received, 50000 + O + L + 1001 * W + L);
}

static void a_synchronous_send_waits_for_its_receive_however_short(void)
{
	struct send s = send_case((struct send){.bytes = 10, .late = 50000, .synchronous = true});

	CHECK_I64(s.sent, 50000 + O + L + 10 * W);
	CHECK_I64(s.received, 50000 + O + L + 10 * W + L);
}

static void the_threshold_is_still_eager(void)
{
	CHECK_I64(send_case((struct send){.bytes = 1000}).received, O + 1000 * W + L);
}

/* ---- computation runs ahead ---- */

static int compute(struct vmpi *v, uint32_t rank, void *user)
{
	(void)user;
	vmpi_Add_time(v, 1e-6 * (rank + 1)); /* 1 and 2 us */
	if (rank == 0) {
		vmpi_Recv(v, NULL, 8, VMPI_BYTE, 1, 0, VMPI_COMM_WORLD, NULL);
		CHECK_I64(now(v), 2000000 + O + 8 * W + L);
		CHECK_I64(v->current->waited, 1000000 + 8 * W + L); /* from 1 us + O on */
		CHECK_I64(v->current->computed, 1000000);
	} else {
		vmpi_Send(v, NULL, 8, VMPI_BYTE, 0, 0, VMPI_COMM_WORLD);
	}
	return 0;
}

static void waiting_is_counted_apart_from_computing(void)
{
	struct world w;

	start(&w);
	world_run(&w, &times, 2, compute, NULL);
	CHECK_U64(w.end, VMPI_DONE);
	world_finish(&w);
}

/* A test sees what has arrived by its own time, however far ahead the rank ran. */
static int test_ahead(struct vmpi *v, uint32_t rank, void *user)
{
	VMPI_Request request;
	int flag = -1;

	(void)user;
	if (rank == 1) {
		vmpi_Add_time(v, 1e-6);
		vmpi_Send(v, NULL, 8, VMPI_BYTE, 0, 0, VMPI_COMM_WORLD); /* there at 1000000 + O + 24 + L = 1010224 */
		return 0;
	}
	vmpi_Irecv(v, NULL, 8, VMPI_BYTE, 1, 0, VMPI_COMM_WORLD, &request);
	rank_busy(v, v->current, 1010223 - 1000 - now(v)); /* a test takes 1000 at least */
	vmpi_Test(v, &request, &flag, NULL);
	CHECK_I64(now(v), 1010223);
	CHECK(flag == 0);
	rank_busy(v, v->current, 1);
	vmpi_Test(v, &request, &flag, NULL); /* at 1011224 */
	CHECK(flag == 1 && request == VMPI_REQUEST_NULL);
	CHECK_I64(now(v), 1011224);
	return 0;
}

static void a_test_sees_its_own_present(void)
{
	struct world w;

	start(&w);
	world_run(&w, &times, 2, test_ahead, NULL);
	CHECK_U64(w.end, VMPI_DONE);
	world_finish(&w);
}

/* Waitany takes the message that came first, not the one whose receive was posted first. */
static int wait_any(struct vmpi *v, uint32_t rank, void *user)
{
	VMPI_Request requests[2];
	int index = -1;

	(void)user;
	if (rank > 0) {
		vmpi_Add_time(v, rank == 1 ? 3e-6 : 1e-6);
		vmpi_Send(v, NULL, 0, VMPI_BYTE, 0, 0, VMPI_COMM_WORLD);
		return 0;
	}
	vmpi_Irecv(v, NULL, 0, VMPI_BYTE, 1, 0, VMPI_COMM_WORLD, &requests[0]);
	vmpi_Irecv(v, NULL, 0, VMPI_BYTE, 2, 0, VMPI_COMM_WORLD, &requests[1]);
	vmpi_Waitany(v, 2, requests, &index, NULL);
	CHECK(index == 1);
	CHECK_I64(now(v), 1000000 + O + L);
	vmpi_Waitany(v, 2, requests, &index, NULL);
	CHECK(index == 0);
	CHECK_I64(now(v), 3000000 + O + L);
	return 0;
}

static void waitany_takes_what_came_first(void)
{
	struct world w;

	start(&w);
	world_run(&w, &times, 3, wait_any, NULL);
	CHECK_U64(w.end, VMPI_DONE);
	world_finish(&w);
}

/* ---- collective ---- */

static int barrier(struct vmpi *v, uint32_t rank, void *user)
{
	int64_t *end = user;

	vmpi_Barrier(v, VMPI_COMM_WORLD);
	end[rank] = now(v);
	return 0;
}

static void a_dissemination_barrier_of_8_takes_3_rounds(void)
{
	int64_t end[8];
	struct world w;

	start(&w);
	world_run(&w, &times, 8, barrier, end);
	CHECK_U64(w.end, VMPI_DONE);
	for (int i = 0; i < 8; i++) /* a round: post the receive, send, and the message's time */
		CHECK_I64(end[i], 3 * (2 * O + L));
	world_finish(&w);
}

/* Rank 0 computes for 50000 ps before it waits, the last rank for 1 ms; the others wait at once. */
static int barrier_beside(struct vmpi *v, uint32_t rank, void *user)
{
	int64_t *end = user;
	VMPI_Request request;
	VMPI_Comm comm;

	vmpi_Comm_dup(v, VMPI_COMM_WORLD, &comm);
	rank_busy(v, v->current, 1000000 - now(v)); /* a time at which all are out of it */
	vmpi_Ibarrier(v, comm, &request);
	CHECK_I64(now(v), 1000000 + O);
	vmpi_Comm_free(v, &comm);
	if (rank == 0)
		vmpi_Add_time(v, 5e-8);
	else if (rank == 7)
		vmpi_Add_time(v, 1e-3);
	vmpi_Wait(v, &request, NULL);
	CHECK(request == VMPI_REQUEST_NULL);
	end[rank] = now(v) - 1000000;
	return 0;
}

/*
 * The call takes O; then three rounds as above go on beside the ranks, whatever they do: a rank that computes
 * for longer has nothing to wait for, and nobody waits for it. Its communicator lives as long as it does.
 */
static void a_nonblocking_barrier_goes_on_beside_the_ranks(void)
{
	int64_t end[8];
	struct world w;

	start(&w);
	world_run(&w, &times, 8, barrier_beside, end);
	CHECK_U64(w.end, VMPI_DONE);
	CHECK_I64(end[0], O + 50000);
	for (int i = 1; i < 7; i++)
		CHECK_I64(end[i], O + 3 * (2 * O + L));
	CHECK_I64(end[7], O + 1000000000);
	CHECK_U64(pool_used(&w.v->tasks), 0);
	world_finish(&w);
}

/* ---- noise, limits ---- */

static int noisy(struct vmpi *v, uint32_t rank, void *user)
{
	(void)user;
	if (rank == 0)
		vmpi_Set_jitter(v, 1e-6, 1e-7); /* 0.1 us each 1 us on average */
	vmpi_Add_time(v, 1e-3);
	return 0;
}

static void noise_takes_its_share(void)
{
	struct world w;

	start(&w);
	world_run(&w, &times, 2, noisy, NULL);
	CHECK_I64(vmpi_rank_time(w.v, 1), 1000000000);
	/* 1000 interruptions of 0.1 us expected, standard deviation sqrt(1000) = 32: within five of them */
	CHECK_F64((double)vmpi_rank_time(w.v, 0), 1.1e9, 5 * 32 * 1e5);
	world_finish(&w);
}

/* The same for all ranks by the configuration; each at times of its own. */
static int computes(struct vmpi *v, uint32_t rank, void *user)
{
	(void)rank;
	(void)user;
	vmpi_Add_time(v, 1e-3);
	return 0;
}

static void noise_of_the_configuration_takes_its_share(void)
{
	struct world w;

	start(&w);
	w.cfg.ranks.noise_interval = 1000000;
	w.cfg.ranks.noise_length = 100000;
	world_run(&w, &times, 2, computes, NULL);
	for (uint32_t i = 0; i < 2; i++)
		CHECK_F64((double)vmpi_rank_time(w.v, i), 1.1e9, 5 * 32 * 1e5);
	CHECK(vmpi_rank_time(w.v, 0) != vmpi_rank_time(w.v, 1));
	world_finish(&w);
}

static const struct tap_test tests[] = {
	{"an eager message takes the overhead and the engine's time",
	 an_eager_message_takes_overhead_and_the_engines_time},
	{"a late receive finds its message at once", a_late_receive_finds_the_message_at_once},
	{"a long message asks first", a_long_message_asks_first},
	{"a long message waits for its receive", a_long_message_waits_for_its_receive},
	{"a synchronous send waits for its receive", a_synchronous_send_waits_for_its_receive_however_short},
	{"a message of the threshold's length is eager", the_threshold_is_still_eager},
	{"waiting is counted apart from computing", waiting_is_counted_apart_from_computing},
	{"a test sees its own present", a_test_sees_its_own_present},
	{"Waitany takes what came first", waitany_takes_what_came_first},
	{"a dissemination barrier of 8 takes 3 rounds", a_dissemination_barrier_of_8_takes_3_rounds},
	{"a nonblocking barrier goes on beside the ranks", a_nonblocking_barrier_goes_on_beside_the_ranks},
	{"noise takes its share of the processor", noise_takes_its_share},
	{"noise of the configuration takes its share", noise_of_the_configuration_takes_its_share},
};

int main(void)
{
	return tap_main("clocks of virtual ranks", tests, TAP_COUNT(tests));
}
