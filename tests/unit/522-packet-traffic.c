/* The packet engine under load: saturation, fairness, head-of-line blocking, stuck networks. */
#include "tap.h"

#include <stdio.h>
#include <string.h>

#include "packet_run.h"

enum { PACKET_NS = 512 }; /* a full packet of 2048 bytes on a link of 4 GB/s */

static void send_nic(struct run *r, uint32_t id, uint32_t src, uint32_t dst, int32_t nic, uint64_t packets)
{
	struct net_message m = {.id = id, .src = src, .dst = dst, .nic = nic, .bytes = packets * 2016};

	run_message(r, 0, &m);
}

/* Ring of 8, everybody sends 100 packets to the one 3 further on: packets' times on a link. */
static double ring_of_eight(const char *engine)
{
	struct run *r = run_new("dims=8", engine);
	double packets;

	for (uint32_t i = 0; i < 8; i++)
		run_send(r, 0, i, (i + 3) % 8, 100 * 2016);
	packets = (double)run_end(r) / 1e3 / PACKET_NS;
	run_free(r);
	return packets;
}

/*
 * Each link carries what three nodes send, 300 packets. With buffers that hold everything a link is idle only
 * while nothing has come for it: the way of the first and last packets adds less than 5 %.
 */
static void a_ring_that_is_shared_by_three_takes_three_times_as_long(void)
{
	CHECK_F64(ring_of_eight("router.vc_buffer=10MiB router.input_port=unlimited"), 307.5, 7.5);
}

/*
 * First come, first served with four packets a VC it does not: who comes first is served first, an injection FIFO's
 * packets have come long ago, and they fill the buffers that those on their way need. That is what pacing is against.
 */
static void small_buffers_make_a_crowded_ring_slow_and_pacing_heals_it(void)
{
	static const char first_come[] = "router.vc_buffer=8KiB router.input_port=one_packet router.arbitration=fcfs";
	struct run *r = run_new("dims=8", first_come);
	double crowded = ring_of_eight(first_come);

	CHECK(crowded > 400);
	for (uint32_t i = 0; i < 8; i++) {
		/* three share a link: two packets' pause behind each */
		struct net_message m = {.id = i,
					.src = i,
					.dst = (i + 3) % 8,
					.bytes = 100 * 2016,
					.gap_ps = 2 * PACKET_NS * INT64_C(1000)};

		run_message(r, 0, &m);
	}
	/* the last of 100 packets begins 99 x 3 packets' times after the first */
	CHECK_F64((double)run_end(r) / 1e3 / PACKET_NS, 99 * 3 + 3, 3);
	run_free(r);
}

/*
 * 4 x 4 mesh, the left half's 8 nodes send 50 packets each to the node 2 columns to the right: 4 links cross the
 * middle, and each carries its row's 100 packets.
 */
static void a_bisection_carries_its_links_bandwidth(void)
{
	struct run *r = run_new("kind=mesh dims=4x4", "");
	double packets;

	for (uint32_t y = 0; y < 4; y++)
		for (uint32_t x = 0; x < 2; x++)
			run_send(r, 0, 4 * y + x, 4 * y + x + 2, 50 * 2016);
	packets = (double)run_end(r) / 1e3 / PACKET_NS;
	/* three or so links of way, and 100 packets over the link in the middle */
	CHECK(packets >= 100);
	CHECK(packets <= 103);
	run_free(r);
}

/*
 * A line of 4 nodes; 0, 1 and 2 send 60 packets each to 3. With arbitration in turn at each router, the last link
 * serves node 2 half the time, and of the other half node 1 gets half (the parking lot, Dally and
 * Towles 2004, section 15.4.1): node 2 is done when 120 packets are through, node 1 at about 180 - 0, node 0 last.
 */
static void in_turn_is_fair_to_inputs_and_not_to_nodes(void)
{
	struct run *r = run_new("kind=mesh dims=4", "router.arbitration=round_robin nic.fifo=8192");
	double done[3];

	for (uint32_t i = 0; i < 3; i++)
		send_nic(r, i, i, 3, 0, 60);
	run_end(r);
	for (uint32_t i = 0; i < 3; i++)
		done[i] = (double)run_delivered(r, i) / 1e3 / PACKET_NS;
	CHECK_F64(done[2], 120, 4);
	/* then 60 packets of 0 and 1 are left in equal shares but for the 30 that came meanwhile: 1 of 45 has 15 */
	CHECK_F64(done[1], 180, 4);
	CHECK_F64(done[0], 180, 4);
	run_free(r);
}

/*
 * The same with the oldest packet first and room for one packet in each NIC: a packet that has come from far
 * is older than the one that a NIC has just made, so the far node is served first.
 */
static void oldest_first_favours_those_from_far(void)
{
	double done[3];

	struct run *r = run_new("kind=mesh dims=4", "router.arbitration=oldest nic.fifo=2048");

	for (uint32_t i = 0; i < 3; i++)
		send_nic(r, i, i, 3, 0, 60);
	run_end(r);
	for (uint32_t i = 0; i < 3; i++)
		done[i] = (double)run_delivered(r, i) / 1e3 / PACKET_NS;
	CHECK(done[0] < done[1] && done[1] < done[2]);
	CHECK_F64(done[2], 182, 3); /* 180 packets over the last link, a router's 12 ns between some */
	run_free(r);
}

/*
 * Head-of-line blocking on a line of three nodes. Both NICs of node 1 send 20 packets to 2 at time 0: the link 1 to 2
 * carries one at a time from 12 ns on, and those that wait get more. At 5120 ns node 0 sends a packet to 2 and one to
 * 1 behind it. The first is ready in router 1 at 5120 + 12 + 104 = 5236 ns; before it came 11 packets of node 1's NIC
 * 0 (12 + 512 k ns) and 10 of NIC 1, which has to wait for memory (140 + 512 k ns): it goes at 12 + 21 x 512 = 10764
 * ns and has left the buffer 512 ns later, at 11276 ns. The second one is ready at 5748 ns.
 */
static int64_t time_behind_a_blocked_packet(const char *engine)
{
	char all[100];
	struct run *r;
	struct net_message to_2 = {.id = 2, .src = 0, .dst = 2, .bytes = 2016};
	struct net_message to_1 = {.id = 3, .src = 0, .dst = 1, .bytes = 2016};
	int64_t time;

	snprintf(all, sizeof(all), "router.arbitration=fcfs router.input_port=one_packet %s", engine);
	r = run_new("kind=mesh dims=3 nics=2", all);
	send_nic(r, 0, 1, 2, 0, 20);
	send_nic(r, 1, 1, 2, 1, 20);
	run_message(r, 5120000, &to_2);
	run_message(r, 5120000, &to_1);
	run_end(r);
	time = run_delivered(r, 3);
	run_free(r);
	return time;
}

static void a_packet_waits_for_the_one_before_it_only_with_one_fifo(void)
{
	/* through the switch, 82 ns, and its end 512 ns later */
	CHECK_I64(time_behind_a_blocked_packet("router.queues=per_output"), 5748000 + 82000 + 512000);
	CHECK_I64(time_behind_a_blocked_packet("router.queues=per_vc"), 11276000 + 82000 + 512000);
}

/* Four nodes of a ring without dateline, each sends far more than the buffers hold to the opposite one. */
static void a_ring_without_a_dateline_gets_stuck_and_says_where(void)
{
	struct run *r = run_new("dims=4 ties=positive dateline=none", "router.vc_buffer=2048 nic.fifo=2048");
	struct err e = {0};

	for (uint32_t i = 0; i < 4; i++)
		run_send(r, 0, i, (i + 2) % 4, 50 * 2016);
	CHECK_I64(run_to_end(r, &e), -1);
	CHECK_I64(e.status, STATUS_STUCK);
	CHECK(strstr(e.text, "4 buffers wait for each other in a cycle") != NULL);
	CHECK(strstr(e.text, "+x") != NULL);
	run_free(r);
}

static void the_dateline_keeps_the_same_ring_going(void)
{
	struct run *r = run_new("dims=4 ties=positive", "router.vc_buffer=2048 nic.fifo=2048");

	for (uint32_t i = 0; i < 4; i++)
		run_send(r, 0, i, (i + 2) % 4, 50 * 2016);
	/* each link carries two nodes' 50 packets */
	CHECK((double)run_end(r) / 1e3 / PACKET_NS >= 100);
	run_free(r);
}

/* Buffers of one packet on a long way: the credit needs the round trip, so a packet goes each round. */
static void small_buffers_bound_throughput_by_the_credits_round_trip(void)
{
	struct run *r = run_new("kind=mesh dims=3", "router.vc_buffer=2048 nic.fifo=0 router.credit_delay=300ns");

	/*
	 * Link 0 to 1 has one packet's buffer at 1: a packet starts, its head is ready 104 ns later and leaves at
	 * once over the link 1 to 2, its end 512 ns behind; the credit needs 10 + 300 ns: 104 + 512 + 310 = 926 ns
	 * for each packet, 9 rounds before the tenth starts. The link 1 to 2 has the same round. Then the tenth's
	 * way.
	 */
	run_send(r, 0, 0, 2, 10 * 2016);
	CHECK_I64(run_end(r), 9 * 926000 + 3 * 94000 + 2 * 10000 + 512000);
	run_free(r);
}

/* Slow links before fast ones: a packet cannot leave before its end has come. */
static void a_fast_link_behind_a_slow_one_is_as_slow(void)
{
	struct run *r = run_new("kind=mesh dims=3x3 link.bandwidth=1GB/s,4GB/s link.nic_bandwidth=4GB/s", "");

	/* first along x at 1 GB/s: 2048 ns, then y at 4 GB/s: the end is 2048 ns behind the head all the way */
	run_send(r, 0, 0, 4, 2016);
	CHECK_I64(run_end(r), 3 * 94000 + 2 * 10000 + 2048000);
	run_free(r);
}

static void adaptive_packets_go_round_what_is_busy(void)
{
	struct run *fixed = run_new("kind=mesh dims=4x4 nics=2", "");
	struct run *adaptive = run_new("kind=mesh dims=4x4 nics=2 routing=adaptive", "nic.receive=any");
	struct run *both[] = {fixed, adaptive};
	int64_t end[2];

	/* two messages from node 0 to node 5 (1 right, 1 down): dimension order takes one way for both */
	for (unsigned i = 0; i < 2; i++) {
		send_nic(both[i], 0, 0, 5, 0, 50);
		send_nic(both[i], 1, 0, 5, 1, 50);
		end[i] = run_end(both[i]);
	}
	CHECK(end[0] >= 100 * PACKET_NS * INT64_C(1000));
	CHECK(end[1] <= 60 * PACKET_NS * INT64_C(1000));
	run_free(fixed);
	run_free(adaptive);
}

/*
 * When a control message arrives that node 0 sends to node 1, one link away, at `at_ps`, while it sends data of
 * `packets` packets with a gap.
 */
static int64_t control_among_data(const char *engine, uint64_t packets, int64_t gap_ps, int64_t at_ps)
{
	struct run *r = run_new("kind=mesh dims=2", engine);
	struct net_message data = {.id = 0, .src = 0, .dst = 1, .bytes = packets * 2016, .gap_ps = gap_ps};
	struct net_message control = {.id = 1, .src = 0, .dst = 1, .control = true};
	int64_t at;

	run_message(r, 0, &data);
	run_message(r, at_ps, &control);
	run_end(r);
	at = run_delivered(r, 1);
	run_free(r);
	return at;
}

/*
 * 32 bytes over one link, nothing in the way: 2 x 94 + 10 + 8 = 206 ns. With a queue of its own a message of a
 * handshake begins between the 10th packet and the 11th, and each router sends it on when it has sent
 * the 10th; in order it begins behind the 100th. It does not wait for the gap of data either: at 2 packets' time
 * nothing is in its way, where in order it comes behind the second packet, from 10 to 11, and the gap behind that.
 */
static void handshakes_have_a_queue_of_their_own_or_wait_behind_data(void)
{
	const int64_t packet = PACKET_NS * INT64_C(1000), alone = 206000;

	CHECK_I64(control_among_data("nic.control=own", 100, 0, 10 * packet), 10 * packet + alone);
	CHECK_I64(control_among_data("nic.control=in_order", 100, 0, 10 * packet), 100 * packet + alone);
	CHECK_I64(control_among_data("nic.control=own", 2, 9 * packet, 2 * packet), 2 * packet + alone);
	CHECK_I64(control_among_data("nic.control=in_order", 2, 9 * packet, 2 * packet), 20 * packet + alone);
}

static const struct tap_test tests[] = {
	{"a ring that is shared by three takes three times as long",
	 a_ring_that_is_shared_by_three_takes_three_times_as_long},
	{"small buffers make a crowded ring slow, and pacing heals it",
	 small_buffers_make_a_crowded_ring_slow_and_pacing_heals_it},
	{"a bisection carries its links' bandwidth", a_bisection_carries_its_links_bandwidth},
	{"in turn is fair to inputs and not to nodes", in_turn_is_fair_to_inputs_and_not_to_nodes},
	{"oldest first favours those from far", oldest_first_favours_those_from_far},
	{"a packet waits for the one before it only with one FIFO",
	 a_packet_waits_for_the_one_before_it_only_with_one_fifo},
	{"a ring without a dateline gets stuck and says where", a_ring_without_a_dateline_gets_stuck_and_says_where},
	{"the dateline keeps the same ring going", the_dateline_keeps_the_same_ring_going},
	{"small buffers bound throughput by the credits' round trip",
	 small_buffers_bound_throughput_by_the_credits_round_trip},
	{"a fast link behind a slow one is as slow", a_fast_link_behind_a_slow_one_is_as_slow},
	{"handshakes have a queue of their own, or wait behind data",
	 handshakes_have_a_queue_of_their_own_or_wait_behind_data},
	{"adaptive packets go round what is busy", adaptive_packets_go_round_what_is_busy},
};

int main(void)
{
	return tap_main("packets under load", tests, TAP_COUNT(tests));
}
