/* Marks and windows (netlink/engine/packet/congestion.c): times by hand, and the closed form of a queue. */
#include "tap.h"

#include <math.h>
#include <stdio.h>

#include "packet_run.h"
#include "psim/base/report/report.h"

/*
 * Links of 1 GB/s: a packet of 2048 bytes, 2016 of them payload, takes 2.048 us. From NIC to NIC there are two cables
 * and a router: 94 ns without cables. An acknowledgement takes as long.
 */
#define CROSSBAR "kind=crossbar dims=8 link.bandwidth=1GB/s"
enum { PACKET = 2048000, WAY = 94000, PAYLOAD = 2016, WIRE = 2048 };

static double reported(const struct run *r, const char *name)
{
	struct report *report = report_create();
	double x = -1;

	net_packet.report(run_engine(r), report);
	CHECK(report_number(report, name, &x));
	report_destroy(report);
	return x;
}

/* With one packet under way each waits for the acknowledgement of the one before. Two are enough here. */
static void a_window_waits_for_acknowledgements(void)
{
	struct run *one = run_new(CROSSBAR, "nic.window=2KiB"), *two = run_new(CROSSBAR, "nic.window=4KiB");

	run_send(one, 0, 0, 1, 10 * PAYLOAD);
	run_send(two, 0, 0, 1, 10 * PAYLOAD);
	CHECK_I64(run_end(one), 10 * (PACKET + WAY) + 9 * WAY);
	CHECK_I64(run_end(two), 10 * PACKET + WAY);
	run_free(one);
	run_free(two);
}

/* Cables of 10 us: 8 packets start in each round, of a packet and both ways. */
static void a_window_divides_by_the_round_trip(void)
{
	struct run *r = run_new(CROSSBAR " link.nic_cable=10us", "nic.window=16KiB");
	const int64_t way = WAY + 2 * 10000000, round = PACKET + 2 * way;

	run_send(r, 0, 0, 1, 24 * PAYLOAD);
	CHECK_I64(run_end(r), 2 * round + 8 * PACKET + way);
	run_free(r);
}

/* Windows are of pairs: another receiver does not wait, and messages of a pair keep their order. */
static void a_closed_window_stops_its_receiver_alone(void)
{
	struct run *r = run_new(CROSSBAR " link.nic_cable=10us", "nic.window=2KiB");
	const int64_t way = WAY + 2 * 10000000;
	uint32_t first = run_send(r, 0, 0, 1, 2 * PAYLOAD), other = run_send(r, 0, 0, 2, PAYLOAD);
	uint32_t second = run_send(r, 0, 0, 1, PAYLOAD);

	run_end(r);
	CHECK_I64(run_delivered(r, other), 2 * PACKET + way);
	CHECK_I64(run_delivered(r, first), 2 * (PACKET + way) + way);
	CHECK_I64(run_delivered(r, second), 3 * (PACKET + way) + 2 * way);
	run_free(r);
}

/*
 * Three senders of eight packets each keep 24 packets under way: 24 packet times pass from the start of one to its
 * acknowledgement. Where windows are constant that is the queue, whatever the length of the messages.
 */
static void constant_windows_give_the_queue(void)
{
	struct run *r = run_new(CROSSBAR, "nic.window=16KiB");

	for (uint32_t src = 0; src < 3; src++)
		run_send(r, 0, src, 7, 500 * PAYLOAD);
	run_end(r);
	CHECK_F64(reported(r, "network.packet_latency_max"), (24 * (double)PACKET - WAY) / 1e12, 1e-15);
	CHECK_F64(reported(r, "congestion.marked"), 0, 0);
	CHECK_F64(reported(r, "congestion.window_least"), 8 * WIRE, 0);
	CHECK_F64(reported(r, "congestion.pairs"), 3, 0);
	run_free(r);
}

/*
 * DCTCP's closed form (M. Alizadeh et al., SIGCOMM 2010, 3.3): the queue of N flows is between Q = K + N packets and
 * Q - sqrt(2 N (C RTT + K)) / 2. Probes of a third node see it. N = 2, K = 16, C RTT = 20: 18 and 12. A probe waits for
 * the packet that is on the link too, and the window grows by whole packets: one packet more at either end.
 */
static void a_queue_is_as_long_as_its_closed_form(void)
{
	enum { FLOWS = 2, MARK = 16, PIPE = 20, PROBES = 100 };
	struct run *r = run_new(CROSSBAR " link.nic_cable=9681ns", "nic.window=128KiB router.mark=32KiB");
	const double most = MARK + FLOWS, least = most - sqrt(2. * FLOWS * (PIPE + MARK)) / 2;
	const int64_t way = WAY + 2 * 9681000, idle = way + 48000;
	int64_t at[PROBES];
	uint32_t id[PROBES];

	CHECK_F64((2 * (double)way + PACKET) / PACKET, PIPE, 0.01);
	for (uint32_t src = 0; src < FLOWS; src++)
		run_send(r, 0, src, 7, 5000 * PAYLOAD);
	for (unsigned i = 0; i < PROBES; i++) {
		at[i] = 5000000000 + i * 103000000LL;
		id[i] = run_send(r, at[i], 3, 7, 8);
	}
	run_end(r);
	for (unsigned i = 0; i < PROBES; i++) {
		double queue = (double)(run_delivered(r, id[i]) - at[i] - idle) / PACKET;

		CHECK(queue >= least - 1 && queue <= most + 1);
	}
	run_free(r);
}

/* With a gain of 1 the average is the share of the last round: windows follow single rounds. */
static void the_gain_weighs_the_last_round(void)
{
	static const char *const gains[] = {"0.0625", "1"};
	double seen[2];

	for (unsigned i = 0; i < 2; i++) {
		char parameters[100];
		struct run *r;

		snprintf(parameters, sizeof(parameters), "nic.window=64KiB router.mark=8KiB nic.window_gain=%s",
			 gains[i]);
		r = run_new(CROSSBAR " link.nic_cable=5us", parameters);
		for (uint32_t src = 0; src < 3; src++)
			run_send(r, 0, src, 7, 1000 * PAYLOAD);
		run_end(r);
		seen[i] = reported(r, "congestion.window_mean") + reported(r, "congestion.cuts");
		run_free(r);
	}
	CHECK(seen[0] != seen[1]);
}

/*
 * A line of four routers: nodes 0 and 1 send to 3, which receives from 2 as well, so the link from 2 to 3 is full. A
 * victim from 0 to 2 shares links with two of the three, of which each has a third. Without windows the buffers before
 * the full link are full, 8 packets of each channel, and so is the FIFO of its NIC. With marks the queue is at the full
 * link.
 */
static double victim_waits(const char *parameters)
{
	enum { PROBES = 40 };
	struct run *r = run_new("kind=mesh dims=4 link.bandwidth=1GB/s", parameters);
	int64_t at[PROBES], sum = 0;
	uint32_t id[PROBES];

	for (uint32_t src = 0; src < 3; src++)
		run_send(r, 0, src, 3, 3000 * PAYLOAD);
	for (unsigned i = 0; i < PROBES; i++) {
		struct net_message m = {.id = 1000 + i, .src = 0, .dst = 2, .nic = 0, .bytes = 8, .from = 8, .to = 9};

		id[i] = m.id;
		at[i] = 4000000000 + i * 203000000LL;
		run_message(r, at[i], &m);
	}
	run_end(r);
	for (unsigned i = 0; i < PROBES; i++)
		sum += run_delivered(r, id[i]) - at[i] - (3 * 94000 + 2 * 10000 + 48000);
	run_free(r);
	return (double)sum / PROBES / PACKET;
}

static void a_victim_does_not_wait_behind_an_incast(void)
{
	double without = victim_waits(""), with = victim_waits("nic.window=64KiB router.mark=8KiB");

	CHECK(without > 8);
	CHECK(with < 4);
}

static const struct tap_test tests[] = {
	{"a window waits for acknowledgements", a_window_waits_for_acknowledgements},
	{"a window divides by the round trip", a_window_divides_by_the_round_trip},
	{"a closed window stops its receiver alone", a_closed_window_stops_its_receiver_alone},
	{"constant windows give the queue", constant_windows_give_the_queue},
	{"a queue is as long as its closed form", a_queue_is_as_long_as_its_closed_form},
	{"the gain weighs the last round", the_gain_weighs_the_last_round},
	{"a victim does not wait behind an incast", a_victim_does_not_wait_behind_an_incast},
};

int main(void)
{
	return tap_main("congestion", tests, TAP_COUNT(tests));
}
