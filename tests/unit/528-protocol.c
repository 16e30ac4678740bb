/* Hosts in front of an engine: netlink/protocol, netlink/engine/protocol. */
#include "tap.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "alloc_fail.h"
#include "folder.h"
#include "net_maker.h"
#include "netlink/protocol/protocol.h"

/* The engine: 10 us and 10 ns a byte, messages beside each other. */
#define LINE "linear.latency=10us linear.bandwidth=100MB/s linear.sends=at_once"

static const char hosts[] = "message-protocol 1 # of a test\n"
			    "between\n"
			    "0 buffered 1us 2us 3us+1GB/s 5us\n"
			    "1000 eager 500ns+500MB/s 0 4us 0\n"
			    "1MiB rendezvous 0 7ns 0 0\n"
			    "to 2MiB\n"
			    "\n"
			    "within\n"
			    "0 eager 0 0 1us 2us\n";

static struct protocol *read_text(const char *text, struct err *e)
{
	FILE *f = fopen(in_folder("protocol"), "w");
	struct protocol *p;

	REQUIRE(f != NULL);
	fputs(text, f);
	fclose(f);
	p = protocol_read(in_folder("protocol"), e);
	remove(in_folder("protocol"));
	return p;
}

static struct protocol *protocol_must(const char *text)
{
	struct err e = {0};
	struct protocol *p = read_text(text, &e);

	CHECK_STR(e.text, "");
	REQUIRE(p != NULL);
	return p;
}

static void segments_hold_from_their_size_on(void)
{
	struct protocol *p = protocol_must(hosts);
	static const struct {
		uint64_t bytes, from;
	} cases[] = {{0, 0}, {999, 0}, {1000, 1000}, {1048575, 1000}, {1048576, 1048576}, {1000000000, 1048576}};
	const struct protocol_segment *s;
	unsigned count;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		CHECK_U64(protocol_find(p, PROTOCOL_BETWEEN, cases[i].bytes)->from, cases[i].from);
	s = protocol_segments(p, PROTOCOL_BETWEEN, &count);
	CHECK_U64(count, 3);
	CHECK_I64(protocol_ps(&s[0], &s[0].delay, 0), 3000000);
	CHECK_I64(protocol_ps(&s[0], &s[0].delay, 250), 3250000); /* 1 ns a byte */
	CHECK_I64(protocol_ps(&s[1], &s[1].send, 1000), 500000);  /* at the first size: what the file says */
	CHECK_I64(protocol_ps(&s[1], &s[1].send, 3000), 4500000); /* 2000 bytes more, 2 ns each */
	CHECK_I64(protocol_ps(&s[2], &s[2].receive, 1 << 30), 7000);
	CHECK_U64(protocol_upto(p, PROTOCOL_BETWEEN), 2097152);
	CHECK_U64(protocol_upto(p, PROTOCOL_WITHIN), 0);
	CHECK_U64(protocol_rendezvous(p), 1048576);
	protocol_destroy(p);
}

static void a_table_may_be_missing(void)
{
	struct protocol *p = protocol_must("message-protocol 1\nwithin\n0 eager 0 0 0 0\n");
	unsigned count;

	CHECK(protocol_find(p, PROTOCOL_BETWEEN, 5) == NULL);
	CHECK(protocol_segments(p, PROTOCOL_BETWEEN, &count) == NULL);
	CHECK_U64(count, 0);
	CHECK_U64(protocol_rendezvous(p), UINT64_MAX);
	protocol_destroy(p);
}

static struct net_made made(const struct protocol *p)
{
	struct net_made m = net_must("linear", "kind=torus dims=4x4", LINE);

	net_hosts(&m, p);
	return m;
}

/* A message of 100 bytes takes 10 us + 100 x 10 ns, and is delayed by 3 us + 100 x 1 ns. */
static void gaps_hold_messages_back_and_delays_follow(void)
{
	struct protocol *p = protocol_must(hosts);
	struct net_made m = made(p);

	net_send(&m, 0, 1, 0, 5, 100);
	net_send(&m, 0, 2, 0, 6, 100);         /* begins behind the gap, at 5 us */
	net_send(&m, 0, 3, 1, 6, 100);         /* another node */
	net_send(&m, 20000000, 4, 0, 5, 1000); /* the next segment: 10 + 10 + 4 us */
	CHECK_STR(net_next(&m), "SENT 1 at 0");
	CHECK_STR(net_next(&m), "SENT 3 at 0");
	CHECK_STR(net_next(&m), "SENT 2 at 5000000");
	CHECK_STR(net_next(&m), "DELIVERED 1 at 14100000");
	CHECK_STR(net_next(&m), "DELIVERED 3 at 14100000");
	CHECK_STR(net_next(&m), "DELIVERED 2 at 19100000");
	CHECK_STR(net_next(&m), "SENT 4 at 20000000");
	CHECK_STR(net_next(&m), "DELIVERED 4 at 44000000");
	CHECK_STR(net_next(&m), "nothing");
	net_unmake(&m);
	protocol_destroy(p);
}

/* Messages within a node have a table, and gaps, of their own; here 10 us and the delay of 1 us. */
static void a_node_has_two_queues(void)
{
	struct protocol *p = protocol_must(hosts);
	struct net_made m = made(p);

	net_send(&m, 0, 1, 3, 5, 100); /* between: the next one could begin at 5 us */
	net_send(&m, 0, 2, 3, 3, 0);
	net_send(&m, 0, 3, 3, 3, 0); /* at 2 us */
	CHECK_STR(net_next(&m), "SENT 1 at 0");
	CHECK_STR(net_next(&m), "SENT 2 at 0");
	CHECK_STR(net_next(&m), "SENT 3 at 2000000");
	CHECK_STR(net_next(&m), "DELIVERED 2 at 11000000");
	CHECK_STR(net_next(&m), "DELIVERED 3 at 13000000");
	CHECK_STR(net_next(&m), "DELIVERED 1 at 14100000");
	net_unmake(&m);
	protocol_destroy(p);
}

/* A handshake waits for no gap, and makes none; it has the delay of an empty message. */
static void handshakes_pass_the_queue(void)
{
	struct protocol *p = protocol_must(hosts);
	struct net_made m = made(p);

	net_send(&m, 0, 1, 0, 5, 100);
	net_send_control(&m, 0, 2, 0, 6, 0);
	CHECK_STR(net_next(&m), "SENT 1 at 0");
	CHECK_STR(net_next(&m), "SENT 2 at 0");
	CHECK_STR(net_next(&m), "DELIVERED 2 at 13000000");
	CHECK_STR(net_next(&m), "DELIVERED 1 at 14100000");
	net_unmake(&m);
	protocol_destroy(p);
}

/* The time of sending decides, then the sender. */
static void messages_queue_in_order_of_time_and_sender(void)
{
	struct protocol *p = protocol_must(hosts);
	struct net_made m = made(p);

	net_send_between(&m, 9000000, 1, 0, 5, 0, 1, 9);
	net_send_between(&m, 1000000, 2, 0, 5, 0, 3, 9); /* behind rank 2, at 6 us */
	net_send_between(&m, 1000000, 3, 0, 5, 0, 2, 9);
	CHECK_STR(net_next(&m), "SENT 3 at 1000000");
	CHECK_STR(net_next(&m), "SENT 2 at 6000000");
	CHECK_STR(net_next(&m), "SENT 1 at 11000000"); /* 5 us behind the one of rank 3 */
	CHECK_STR(net_next(&m), "DELIVERED 3 at 14000000");
	CHECK_STR(net_next(&m), "DELIVERED 2 at 19000000");
	CHECK_STR(net_next(&m), "DELIVERED 1 at 24000000");
	net_unmake(&m);
	protocol_destroy(p);
}

/* An engine whose table is empty has the times of the engine below, whichever that is. */
static void without_a_table_times_are_those_of_the_engine(void)
{
	static const char *const engines[] = {"packet", "flow", "linear"};

	for (size_t i = 0; i < sizeof(engines) / sizeof(engines[0]); i++) {
		struct protocol *p = protocol_must("message-protocol 1\nwithin\n0 eager 0 0 0 0\n");
		struct net_made plain = net_must(engines[i], "dims=4x4", ""), m = net_must(engines[i], "dims=4x4", "");

		net_hosts(&m, p);
		for (uint32_t k = 0; k < 40; k++) {
			net_send(&plain, k * 100000, k + 1, k % 16, k * 7 % 16, k * 1000);
			net_send(&m, k * 100000, k + 1, k % 16, k * 7 % 16, k * 1000);
		}
		CHECK_I64(net_finish(&m), net_finish(&plain));
		net_unmake(&m);
		net_unmake(&plain);
		protocol_destroy(p);
	}
}

static void short_memory_is_an_error(void)
{
	struct protocol *p = protocol_must(hosts);
	struct net_made m = made(p);
	struct net_setup s = {.topology = m.topology, .config = &m.config, .protocol = p};
	struct net_message x = {.dst = 1, .nic = NET_NIC_ANY};
	bool failed = true;

	for (unsigned k = 1; failed; k++) {
		struct net_engine *n;
		struct err e = {0};
		struct net_notice notice;
		int got = -1;

		alloc_fail_at(k);
		n = m.kind->create(&s, &e);
		if (n)
			got = m.kind->send(n, 0, &x, &e);
		if (n && got == 0)
			got = m.kind->advance(n, 0, &notice, 1, &e);
		failed = alloc_fail_end();
		CHECK(!failed || got < 0);
		CHECK_U64(e.status, failed ? STATUS_FAILED : STATUS_DONE);
		if (n)
			m.kind->destroy(n);
	}
	m.engine = m.kind->create(&s, &(struct err){0});
	net_unmake(&m);
	protocol_destroy(p);
}

static const struct tap_test tests[] = {
	{"segments hold from their size on", segments_hold_from_their_size_on},
	{"a table may be missing", a_table_may_be_missing},
	{"gaps hold messages back and delays follow", gaps_hold_messages_back_and_delays_follow},
	{"a node has two queues", a_node_has_two_queues},
	{"handshakes pass the queue", handshakes_pass_the_queue},
	{"messages queue in order of time and sender", messages_queue_in_order_of_time_and_sender},
	{"without a table times are those of the engine", without_a_table_times_are_those_of_the_engine},
	{"short memory is an error", short_memory_is_an_error},
};

int main(void)
{
	int ret;

	folder_make();
	ret = tap_main("protocol", tests, TAP_COUNT(tests));
	rmdir(folder);
	return ret;
}
