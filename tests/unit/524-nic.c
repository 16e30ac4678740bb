/* The order in which NICs send, and which NIC sends: netlink/engine/packet/nic.c, queue.c. */
#include "tap.h"

#include <stdlib.h>
#include <string.h>

#include "net_maker.h"

/*
 * Links of 1 GB/s: a packet of 2048 bytes, 2016 of them payload, takes 2.048 us. 1 MiB are 520 of them and one of
 * 256 + 32 bytes: 1065.248 us. From NIC to NIC there are two cables of 10 ns and a router of 4 x 4 + 78 ns: 94 ns,
 * and cables to the NICs of no length.
 */
#define CROSSBAR "kind=crossbar dims=8 link.bandwidth=1GB/s"
enum { MIB = 1048576, PACKET = 2048000, MIB_PS = 1065248000, WAY = 94000, CONNECTIONS = 300, EACH = 4 };

/* The time at which message `id` is there; the others before it are forgotten. */
static int64_t arrival(struct net_made *m, uint32_t id)
{
	char wanted[32];
	const char *text;

	snprintf(wanted, sizeof(wanted), "DELIVERED %u at ", id);
	do {
		text = net_next(m);
		REQUIRE(strcmp(text, "nothing") != 0);
	} while (strncmp(text, wanted, strlen(wanted)) != 0);
	return atoll(text + strlen(wanted));
}

/* A handshake before each of four messages to four nodes: each has a NIC of its own all the same. */
static void handshakes_do_not_count_in_the_choice_of_a_nic(void)
{
	static const char *const engines[] = {"packet", "flow"};

	for (unsigned e = 0; e < 2; e++) {
		struct net_made m = net_must(engines[e], CROSSBAR " nics=4", "");

		for (uint32_t i = 0; i < 4; i++) {
			net_send_control(&m, 0, 10 + i, 0, 1 + i, 0);
			net_send(&m, 1000000, i, 0, 1 + i, MIB);
		}
		CHECK(net_finish(&m) < 1000000 + MIB_PS + 2 * PACKET);
		net_unmake(&m);
	}
}

/* Four nodes to one with four NICs, each by its NIC 0: they come in by four. */
static void nics_receive_in_turn(void)
{
	static const char *const engines[] = {"packet", "flow"};

	for (unsigned e = 0; e < 2; e++) {
		struct net_made m = net_must(engines[e], CROSSBAR " nics=4", "nic.select=first");
		struct net_made same = net_must(engines[e], CROSSBAR " nics=4", "nic.select=first nic.receive=same");

		for (uint32_t i = 0; i < 4; i++) {
			net_send(&m, 0, i, 1 + i, 0, MIB);
			net_send(&same, 0, i, 1 + i, 0, MIB);
		}
		CHECK(net_finish(&m) < MIB_PS + 2 * PACKET);
		CHECK(net_finish(&same) > 4 * (int64_t)MIB * 1000);
		net_unmake(&m);
		net_unmake(&same);
	}
}

/* The packets that NIC `nic` of node 0 has received. */
static uint64_t received(struct net_made *m, unsigned nic)
{
	struct report *report = report_create();
	struct err e = {0};
	char *text = NULL, line[40], *at;
	size_t size;
	FILE *file = open_memstream(&text, &size);
	uint64_t packets;

	REQUIRE(report != NULL && file != NULL);
	m->kind->report(m->engine, report);
	CHECK_I64(report_write(report, REPORT_CSV, file, &e), 0);
	fclose(file);
	snprintf(line, sizeof(line), "nodes,received,%u,", nic);
	at = strstr(text, line);
	REQUIRE(at != NULL);
	packets = strtoull(at + strlen(line), NULL, 10);
	free(text);
	report_destroy(report);
	return packets;
}

/*
 * A ring: node 4, four links away, sends three packets; 10 ns later node 1, one link away, sends one, which is the
 * first to arrive. The NIC of the next message is the third one, and a handshake uses its sender's.
 */
static void the_last_router_gives_nics_their_turns(void)
{
	static const char *const settings[] = {"nic.select=first", "nic.select=first router.queues=per_vc",
					       "nic.select=first router.input_port=one_packet router.arbitration=fcfs"};

	for (unsigned i = 0; i < 3; i++) {
		struct net_made m = net_must("packet", "dims=8 nics=4 link.bandwidth=1GB/s", settings[i]);

		net_send(&m, 0, 1, 4, 0, 3 * 2016);
		net_send(&m, 10000, 2, 1, 0, 100);
		net_send_control(&m, 20000, 3, 2, 0, 0);
		net_send(&m, 100000000, 4, 2, 0, 2 * 2016);
		net_finish(&m);
		CHECK_U64(received(&m, 0), 2);
		CHECK_U64(received(&m, 1), 3);
		CHECK_U64(received(&m, 2), 2);
		CHECK_U64(received(&m, 3), 0);
		net_unmake(&m);
	}
}

/* Repeated, so that rows are reused; posted in any order, by two ranks. */
static void sends_of_one_instant_keep_their_order(void)
{
	struct net_made m = net_must("packet", CROSSBAR, "nic.service=fcfs");

	for (int64_t wave = 0; wave < 4; wave++) {
		int64_t now = wave * 100000000, first;

		net_send_between(&m, now, 3, 0, 1, 2016, 2, 7);
		net_send_between(&m, now, 4, 0, 2, 2016, 2, 8);
		net_send_between(&m, now, 1, 0, 3, 2016, 1, 9);
		net_send_between(&m, now, 2, 0, 4, 2016, 1, 9);
		first = arrival(&m, 1);
		CHECK_I64(first, now + PACKET + WAY);
		for (uint32_t i = 2; i <= 4; i++)
			CHECK_I64(arrival(&m, i), first + (i - 1) * PACKET);
	}
	net_unmake(&m);
}

/* 48 bytes on the wire, sent while the NIC sends a packet of the long message: that one's rest, its own, the way. */
static void a_short_message_does_not_wait_for_a_long_one_to_another(void)
{
	struct net_made turn = net_must("packet", CROSSBAR, "");
	struct net_made fcfs = net_must("packet", CROSSBAR, "nic.service=fcfs");

	net_send(&turn, 0, 1, 0, 1, MIB);
	net_send(&turn, 100 * PACKET + 500000, 2, 0, 2, 8);
	CHECK_I64(arrival(&turn, 2), 101 * (int64_t)PACKET + 48000 + WAY);
	CHECK_I64(arrival(&turn, 1), MIB_PS + 48000 + WAY);
	net_send(&fcfs, 0, 1, 0, 1, MIB);
	net_send(&fcfs, 100 * PACKET + 500000, 2, 0, 2, 8);
	CHECK_I64(arrival(&fcfs, 2), MIB_PS + 48000 + WAY);
	net_unmake(&turn);
	net_unmake(&fcfs);
}

/*
 * To the same receiver one after the other; beside them to another one, which gets every other packet as long as
 * it has.
 */
static void messages_of_a_connection_are_sent_one_after_the_other(void)
{
	struct net_made m = net_must("packet", CROSSBAR, "");

	for (uint32_t i = 0; i < 3; i++)
		net_send(&m, 0, i, 0, 1, 20 * 2016);
	net_send(&m, 0, 9, 0, 2, 30 * 2016);
	CHECK_I64(arrival(&m, 0), 39 * PACKET + WAY); /* packets 1, 3 … 39 */
	CHECK_I64(arrival(&m, 9), 60 * PACKET + WAY); /* 2, 4 … 60 */
	CHECK_I64(arrival(&m, 1), 70 * PACKET + WAY); /* ten of 41 … 59, and 61 … 70 */
	CHECK_I64(arrival(&m, 2), 90 * PACKET + WAY);
	net_unmake(&m);
}

/* The ranks of a node have connections of their own. */
static void ranks_have_connections_of_their_own(void)
{
	struct net_made m = net_must("packet", CROSSBAR, "");

	net_send_between(&m, 0, 1, 0, 1, MIB, 0, 4);
	net_send_between(&m, 0, 2, 0, 1, 2016, 1, 4);
	net_send_between(&m, 0, 3, 0, 1, 2016, 0, 5);
	net_send_between(&m, 0, 4, 0, 1, 2016, 0, 4);
	CHECK_I64(arrival(&m, 3), 2 * PACKET + WAY); /* rank 0's before those of rank 1 */
	CHECK_I64(arrival(&m, 2), 3 * PACKET + WAY);
	CHECK(arrival(&m, 4) > MIB_PS);
	net_unmake(&m);
}

/* Some hundreds of connections of random length from two NICs a node: all get through. */
static void many_connections_get_through(void)
{
	struct net_made m = net_must("packet", CROSSBAR " nics=2", "");
	uint32_t random = 1, told = 0;
	const char *text;

	for (uint32_t k = 0; k < EACH; k++)
		for (uint32_t c = 0; c < CONNECTIONS; c++) {
			random = random * 1664525 + 1013904223;
			net_send_between(&m, c * 1000, c * EACH + k, c % 3, 3 + c % 5, random >> 18, c, 2 * c);
		}
	while (strcmp(text = net_next(&m), "nothing") != 0)
		told += *text == 'D';
	CHECK_U64(told, CONNECTIONS * EACH);
	CHECK_I64(net_finish(&m), 0);
	net_unmake(&m);
}

/* On one NIC each in its order: the last byte of one leaves before that of the next. */
static void and_their_order_on_one_nic(void)
{
	struct net_made m = net_must("packet", CROSSBAR, "");
	uint32_t seen[CONNECTIONS] = {0}, random = 7;
	const char *text;

	for (uint32_t k = 0; k < EACH; k++)
		for (uint32_t c = 0; c < CONNECTIONS; c++) {
			random = random * 1664525 + 1013904223;
			net_send_between(&m, k * 3000000, c * EACH + k, c % 3, 3 + c % 5, random >> 18, c, 2 * c);
		}
	while (strcmp(text = net_next(&m), "nothing") != 0) {
		uint32_t id;

		if (sscanf(text, "SENT %u", &id) == 1) {
			CHECK_U64(id % EACH, seen[id / EACH]);
			seen[id / EACH]++;
		}
	}
	for (uint32_t c = 0; c < CONNECTIONS; c++)
		CHECK_U64(seen[c], EACH);
	net_unmake(&m);
}

static const struct tap_test tests[] = {
	{"handshakes do not count in the choice of a NIC", handshakes_do_not_count_in_the_choice_of_a_nic},
	{"NICs receive in turn", nics_receive_in_turn},
	{"the last router gives NICs their turns as messages arrive", the_last_router_gives_nics_their_turns},
	{"sends of one instant keep their order", sends_of_one_instant_keep_their_order},
	{"a short message does not wait for a long one to another",
	 a_short_message_does_not_wait_for_a_long_one_to_another},
	{"messages of a connection are sent one after the other",
	 messages_of_a_connection_are_sent_one_after_the_other},
	{"ranks have connections of their own", ranks_have_connections_of_their_own},
	{"many connections get through", many_connections_get_through},
	{"and keep their order on one NIC", and_their_order_on_one_nic},
};

int main(void)
{
	return tap_main("NICs", tests, TAP_COUNT(tests));
}
