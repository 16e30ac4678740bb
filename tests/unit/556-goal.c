/*
 * GOAL schedules: netlink/vmpi/replay. Every expected time is a sum of the constants below: a send of n bytes takes O
 * on its CPU, has left n x W after that and arrives L later.
 */
#include "tap.h"

#include <string.h>
#include <unistd.h>

#include "netlink/vmpi/replay/replay.h"
#include "vmpi_world.h"

/* ps: overhead of a call; latency; time of a byte; a nanosecond */
enum { O = 200, L = 10000, W = 3, NS = 1000 };
enum { RANKS_MOST = 4 };

struct goal_case {
	double slow; /* 0: as 1 */
	/* results */
	enum vmpi_end end;
	struct err e;
	int64_t time[RANKS_MOST], computed, waited; /* of rank 0 */
	uint64_t taken, all;                        /* operations, for progress */
};

/* Writes the bytes to a file, and opens that. */
static struct replay *open_bytes(const void *data, size_t size, struct err *e)
{
	char path[] = "/tmp/psim-goal-XXXXXX";
	int fd = mkstemp(path);
	struct replay *p = NULL;

	if (fd >= 0 && write(fd, data, size) == (ssize_t)size)
		p = replay_open(path, 0, NULL, e);
	if (fd >= 0)
		close(fd);
	unlink(path);
	return p;
}

static void run_bytes(struct goal_case *c, const void *data, size_t size)
{
	static const struct fake_times times = {.latency = L, .per_byte = W};
	struct replay *p = open_bytes(data, size, &c->e);
	struct world w;

	REQUIRE(p != NULL);
	world_start(&w);
	w.cfg.mpi.overhead = O;
	w.cfg.mpi.eager = 1000;
	w.cfg.machine.slowdown = c->slow > 0 ? c->slow : 1;
	world_run(&w, &times, replay_ranks(p), replay_body, p);
	c->end = w.end;
	c->e = w.e;
	for (uint32_t i = 0; i < replay_ranks(p) && i < RANKS_MOST; i++)
		c->time[i] = vmpi_rank_time(w.v, i);
	c->computed = w.v->ranks[0].computed;
	c->waited = w.v->ranks[0].waited;
	CHECK(replay_taken(p, &c->taken, &c->all));
	CHECK_STR(replay_unit(p), "operations");
	world_finish(&w);
	replay_destroy(p);
}

/* Runs two ranks with these operations. */
static struct goal_case run_two(struct goal_case c, const char *first, const char *second)
{
	char text[2000];

	snprintf(text, sizeof(text), "num_ranks 2\n\nrank 0 {\n%s}\n\nrank 1 {\n%s}\n", first, second);
	run_bytes(&c, text, strlen(text));
	return c;
}

static struct goal_case two(const char *first, const char *second)
{
	return run_two((struct goal_case){0}, first, second);
}

static void a_message_waits_for_what_it_requires(void)
{
	struct goal_case c = two("a: calc 5\nb: send 100b to 1 tag 3\nb requires a\n", "a: recv 100b from 0 tag 3\n");

	CHECK_U64(c.end, VMPI_DONE);
	CHECK_I64(c.time[0], 5 * NS + O + 100 * W);
	CHECK_I64(c.time[1], 5 * NS + O + 100 * W + L);
	CHECK_U64(c.taken, 3);
	CHECK_U64(c.all, 3);
}

static void cpus_compute_side_by_side(void)
{
	struct goal_case c = two("a: calc 5\nb: calc 7 cpu 1\nc: calc 1\nc requires a\nc requires b\n",
				 "a: calc 5\nb: calc 7\nc: calc 1\nc requires a\nc requires b\n");

	CHECK_I64(c.time[0], 8 * NS);
	CHECK_I64(c.time[1], 13 * NS);
	CHECK_I64(c.computed, 8 * NS);
}

/* Rank 1 posts its receive, then computes until 20 ns + O; its message arrives at O + 100 W + L = 10.5 ns. */
static void operations_of_a_cpu_take_turns(void)
{
	const char *first = "a: send 100b to 1\nb: recv 100b from 1 tag 1\n";
	struct goal_case c = two(first, "a: recv 100b from 0\nb: calc 20\nc: send 100b to 0 tag 1\nc requires a\n");

	CHECK_I64(c.time[1], O + 20 * NS + O + 100 * W);
	CHECK_I64(c.time[0], O + 20 * NS + O + 100 * W + L);
	c = two(first, "a: recv 100b from 0\nb: calc 20\nc: send 100b to 0 tag 1 cpu 1\nc requires a\n");
	CHECK_I64(c.time[1], O + 20 * NS);
	CHECK_I64(c.time[0], O + 100 * W + L + O + 100 * W + L);
}

static void at_one_time_sends_go_first(void)
{
	struct goal_case c = two("calc 5\nsend 100b to 1\n", "recv 100b from 0\n");

	CHECK_I64(c.time[1], O + 100 * W + L);
	CHECK_I64(c.time[0], O + 5 * NS);
}

static void irequires_waits_for_the_begin(void)
{
	struct goal_case c = two("a: calc 10\nb: calc 3 cpu 1\nc: send 100b to 1 cpu 1\nb irequires a\nc requires b\n",
				 "a: recv 100b from 0\nb: calc 4 cpu 1\nb irequires a\n");

	CHECK_I64(c.time[0], 10 * NS);
	CHECK_I64(c.time[1], 3 * NS + O + 100 * W + L);
	/* the receive begins at once; its end is that of the message */
	c = two("a: recv 100b from 1\nb: calc 30 cpu 1\nb irequires a\n", "send 100b to 0\n");
	CHECK_I64(c.time[0], 30 * NS);
	c = two("a: recv 100b from 1\nb: calc 30 cpu 1\nb requires a\n", "send 100b to 0\n");
	CHECK_I64(c.time[0], O + 100 * W + L + 30 * NS);
}

/* Rank 0 posts a receive until O, computes for 5 ns, then waits until 10.5 ns. */
static void waiting_is_what_no_cpu_computes(void)
{
	struct goal_case c = two("recv 100b from 1\ncalc 5\n", "send 100b to 0\n");

	CHECK_I64(c.time[0], O + 100 * W + L);
	CHECK_I64(c.computed, 5 * NS);
	CHECK_I64(c.waited, 100 * W + L - 5 * NS);
}

static void tags_have_32_bits(void)
{
	/* of the wrong size the second receive would be an error */
	struct goal_case c = two("a: send 100b to 1 tag 5\nb: send 200b to 1 tag 7294967296\nb requires a\n",
				 "recv 200b from 0 tag 3000000000\nrecv 100b from 0 tag 5\n");

	CHECK_U64(c.end, VMPI_DONE);
	CHECK_I64(c.time[1], O + 100 * W + O + 200 * W + L);
	c = two("send 100b to 1 tag 4294967294\n", "recv 100b from -1 tag -1\n");
	CHECK_I64(c.time[1], O + 100 * W + L);
}

static void a_message_may_be_larger_than_an_int(void)
{
	/* above 1000 bytes two messages of the NICs, L each, come before the data */
	struct goal_case c = two("send 3000000001b to 1\n", "recv 3000000001b from 0\n");

	CHECK_I64(c.time[1], O + L + L + INT64_C(3000000001) * W + L);
}

static void a_slow_machine_computes_slowly(void)
{
	struct goal_case c = run_two((struct goal_case){.slow = 2.5}, "calc 4\n", "");

	CHECK_I64(c.time[0], 10 * NS);
	CHECK_I64(c.time[1], 0);
}

static void a_cycle_is_stuck_at_its_line(void)
{
	struct goal_case c = two("a: calc 4\nb: calc 5\nc: calc 6\nb requires c\nc requires b\n", "");

	CHECK_U64(c.end, VMPI_FAILED);
	CHECK_U64(c.e.status, STATUS_STUCK);
	CHECK(strstr(c.e.text, ":5: rank 0: never begins, with 1 more") != NULL);
}

static void a_receive_without_its_message_is_stuck(void)
{
	struct goal_case c = two("recv 4b from 1 tag 3\n", "send 4b to 0 tag 4\n");

	CHECK_U64(c.end, VMPI_FAILED);
	CHECK_U64(c.e.status, STATUS_STUCK);
}

/* ---- the binary form, byte for byte ---- */

/* A computation of 5 ns, for which the end of a send waits; the other rank receives. */
static const unsigned char binary[] = {
	/* 0: magic number 4223, 2 ranks, CPUs and NICs up to 0 */
	0x7f, 0x10, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0,
	/* 14: rank 0 from byte 38 to 132, rank 1 to 183; counted from byte 8 */
	38, 0, 0, 0, 0, 0, 0, 0, 132, 0, 0, 0, 0, 0, 0, 0, 132, 0, 0, 0, 0, 0, 0, 0, 183, 0, 0, 0, 0, 0, 0, 0,
	/* 46: 2 operations, 1 root: number 0 */
	2, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0,
	/* 58: calc 5, for whose end one waits, target 0 */
	0, 0, 0, 0, 3, 0, 0, 0, 0, 5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0,
	0, 0,
	/* 97: send 300b to 1 tag 259, which waits for one */
	1, 0, 0, 0, 1, 1, 0, 0, 0, 44, 1, 0, 0, 0, 0, 0, 0, 3, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0,
	0, 0,
	/* 136: target 0 is operation 1 */
	1, 0, 0, 0,
	/* 140: 1 operation, 1 root: number 0 */
	1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0,
	/* 152: recv 300b from any tag 259 */
	0, 0, 0, 0, 2, 255, 255, 255, 255, 44, 1, 0, 0, 0, 0, 0, 0, 3, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
	0, 0, 0, 0, 0};

static void the_binary_form_is_the_same(void)
{
	struct goal_case c = {0};

	run_bytes(&c, binary, sizeof(binary));
	CHECK_U64(c.end, VMPI_DONE);
	CHECK_I64(c.time[0], 5 * NS + O + 300 * W);
	CHECK_I64(c.time[1], 5 * NS + O + 300 * W + L);
}

/* Each byte, changed, and each beginning of the file is refused with a message, or runs. */
static void wrong_bytes_have_a_message(void)
{
	unsigned char data[sizeof(binary)];

	for (size_t i = 0; i < sizeof(binary); i++)
		for (unsigned by = 1; by < 256; by *= 4) {
			struct err e = {0};
			struct replay *p;

			memcpy(data, binary, sizeof(data));
			data[i] = (unsigned char)(data[i] + by);
			p = open_bytes(data, sizeof(data), &e);
			CHECK(p || (*e.text && e.status == STATUS_BAD_INPUT));
			replay_destroy(p);
		}
	for (size_t i = 0; i < sizeof(binary); i++) {
		struct err e = {0};
		struct replay *p = open_bytes(binary, i, &e);

		CHECK(!p && *e.text && e.status == STATUS_BAD_INPUT);
		replay_destroy(p);
	}
}

static const struct tap_test tests[] = {
	{"a message waits for what it requires", a_message_waits_for_what_it_requires},
	{"CPUs compute side by side", cpus_compute_side_by_side},
	{"operations of a CPU take turns", operations_of_a_cpu_take_turns},
	{"at one time sends go before computation", at_one_time_sends_go_first},
	{"irequires waits for the begin", irequires_waits_for_the_begin},
	{"waiting is the time in which no CPU computes", waiting_is_what_no_cpu_computes},
	{"tags have 32 bits", tags_have_32_bits},
	{"a message may be larger than an int", a_message_may_be_larger_than_an_int},
	{"a slow machine computes slowly", a_slow_machine_computes_slowly},
	{"a cycle is stuck at its line", a_cycle_is_stuck_at_its_line},
	{"a receive without its message is stuck", a_receive_without_its_message_is_stuck},
	{"the binary form is the same", the_binary_form_is_the_same},
	{"wrong bytes have a message", wrong_bytes_have_a_message},
};

int main(void)
{
	return tap_main("GOAL schedules", tests, TAP_COUNT(tests));
}
