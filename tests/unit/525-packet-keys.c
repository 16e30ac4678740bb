/*
 * The packet engine orders simultaneous events by what they are: a run gives the same notices and the same report
 * whatever rows its messages and packets are in, in whatever order nodes send at one instant, and whether logs are
 * written.
 */
#include "tap.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "netlink/log/log.h"
#include "packet_run.h"
#include "psim/base/rng.h"

enum { MESSAGES = 400, INSTANTS = 12, NODES_MOST = 72 };

/* A message of node `src`; each node's are in order of time. */
static struct net_message message(uint32_t nodes, uint32_t nics, uint32_t i)
{
	uint64_t size = rng_below(7, 2, i, 4);
	struct net_message m = {
		.id = i,
		.src = (uint32_t)rng_below(7, 0, i, nodes),
		.dst = (uint32_t)rng_below(7, 1, i, nodes),
		.nic = rng_below(7, 3, i, 2) ? NET_NIC_ANY : (int32_t)rng_below(7, 4, i, nics),
		.bytes = size ? rng_below(7, 5, i, size == 1 ? 100 : 9000) : 0,
		.control = rng_below(7, 6, i, 5) == 0,
	};

	m.from = m.src;
	m.to = m.dst;
	return m;
}

static int64_t time_of(uint32_t i)
{
	return (int64_t)(i / (MESSAGES / INSTANTS)) * 700000;
}

/* Sends all messages; `shuffle`: picks the next node at random, of which the order is kept. */
static void send_all(struct run *r, uint64_t shuffle)
{
	const struct topology *t = run_topology(r);
	bool gone[MESSAGES] = {false};

	for (uint32_t k = 0; k < MESSAGES; k++) {
		struct net_message m;
		uint32_t i = shuffle ? (uint32_t)rng_below(shuffle, 0, k, MESSAGES) : k;

		while (gone[i])
			i = (i + 1) % MESSAGES;
		m = message(t->nodes, t->nics, i);
		for (uint32_t j = 0; j < i; j++)
			if (!gone[j] && message(t->nodes, t->nics, j).src == m.src) {
				i = j;
				m = message(t->nodes, t->nics, i);
			}
		gone[i] = true;
		run_message(r, time_of(i), &m);
	}
}

/* Notices and report of a run, as text. */
static char *outcome(const char *network, const char *engine, bool logged, uint64_t shuffle)
{
	struct net_log_setup log = {.series = true, .chrome = logged ? tmpfile() : NULL, .packets = true};
	struct run *r = run_new_shuffled(network, engine, logged ? &log : NULL, shuffle);
	struct report *report = report_create();
	struct net_notice out[16];
	struct err e = {0};
	char *text = NULL;
	size_t size;
	FILE *file = open_memstream(&text, &size);
	int count;

	REQUIRE(run_topology(r)->nodes <= NODES_MOST && file != NULL && report != NULL);
	send_all(r, shuffle);
	while ((count = net_packet.advance((struct net_engine *)(uintptr_t)run_engine(r), NET_TIME_NEVER, out, 16,
					   &e)) > 0)
		for (int i = 0; i < count; i++)
			fprintf(file, "%lld %u %d\n", (long long)out[i].time_ps, out[i].id, (int)out[i].kind);
	CHECK_STR(e.text, "");
	net_packet.report(run_engine(r), report);
	CHECK_I64(report_write(report, REPORT_JSON, file, &e), 0);
	report_destroy(report);
	fclose(file);
	run_free(r);
	if (log.chrome)
		fclose(log.chrome);
	return text;
}

static const struct {
	const char *network, *engine;
} cases[] = {
	{"dims=4x4", ""},
	{"dims=4x2x2 nics=2", ""},
	{"dims=4x4 nics=4", "nic.receive=any nic.select=shortest"},
	{"dims=4x4", "router.input_port=one_packet router.arbitration=fcfs router.vc_buffer=4KiB"},
	{"dims=4x4", "router.arbitration=round_robin router.queues=per_vc nic.service=fcfs"},
	{"kind=mesh dims=8 nics=2", "nic.control=in_order nic.dma=1GB/s"},
	{"kind=torus dims=4x4 ties=random routing=adaptive", ""},
	{"kind=hypercube dims=2x2x2x2 routing=valiant", ""},
	{"kind=dragonfly dims=2x4x2 routing=ugal", ""},
};

static void no_result_depends_on_rows_calls_or_logs(void)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char *plain = outcome(cases[i].network, cases[i].engine, false, 0);

		CHECK(strlen(plain) > MESSAGES);
		for (uint64_t shuffle = 0; shuffle < 4; shuffle++) {
			char *other = outcome(cases[i].network, cases[i].engine, shuffle % 2 == 0,
					      shuffle * 0x9e3779b97f4a7c15U);

			CHECK_STR(other, plain);
			free(other);
		}
		free(plain);
	}
}

static const struct tap_test tests[] = {
	{"notices and reports do not depend on rows, on the order of calls or on logs",
	 no_result_depends_on_rows_calls_or_logs},
};

int main(void)
{
	return tap_main("keys of simultaneous events", tests, TAP_COUNT(tests));
}
