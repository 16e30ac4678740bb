/* The packet engine alone: times of single packets and messages, worked out by hand. */
#include "tap.h"

#include "packet_run.h"

/*
 * Defaults: a router takes RC + VA + SA = 12 ns, then ST + switch = 82 ns; a cable 10 ns; 250 ps a byte on
 * links of 4 GB/s, on NICs too. A packet of h hops goes through h + 1 routers and h cables; its
 * end is one packet's link time behind its head.
 */
static int64_t zero_load(unsigned hops, unsigned wire_bytes)
{
	return (int64_t)(hops + 1) * 94000 + (int64_t)hops * 10000 + (int64_t)wire_bytes * 250;
}

static void the_time_of_a_packet_grows_by_a_router_and_a_cable_a_hop(void)
{
	struct run *r = run_new("dims=8x8", "");

	for (unsigned x = 1; x <= 4; x++)
		for (unsigned y = 0; y <= 4; y++) {
			int64_t begin = run_now(r) + 1000000;

			run_send(r, begin, 0, x + 8 * y, 100); /* 100 + 32 bytes: 9 flits, 144 bytes */
			CHECK_I64(run_end(r) - begin, zero_load(x + y, 144));
		}
	run_free(r);
}

static void the_time_of_a_packet_grows_by_its_flits(void)
{
	struct run *r = run_new("dims=8x8", "");
	static const struct {
		unsigned bytes, wire;
	} sizes[] = {
		{0, 32}, {1, 48}, {16, 48}, {17, 64}, {1000, 1040}, {2016, 2048},
	};

	for (unsigned i = 0; i < TAP_COUNT(sizes); i++) {
		int64_t begin = run_now(r) + 1000000;

		run_send(r, begin, 9, 12, sizes[i].bytes);
		CHECK_I64(run_end(r) - begin, zero_load(3, sizes[i].wire));
	}
	run_free(r);
}

static void packets_of_a_message_follow_each_other_without_a_gap(void)
{
	struct run *r = run_new("dims=8x8", "");

	/* 10 full packets and one of 1 byte: 10 x 2048 + 48 bytes on the link, the last head 10 x 512 ns behind */
	run_send(r, 0, 0, 2, 10 * 2016 + 1);
	CHECK_I64(run_end(r), zero_load(2, 10 * 2048 + 48));
	CHECK_U64(run_counts(r).packets, 11);
	CHECK_U64(run_counts(r).router_hops, 22);
	run_free(r);
}

static void pacing_puts_its_gap_behind_each_packet(void)
{
	struct run *r = run_new("dims=8x8", "");
	struct net_message m = {.id = 1, .src = 0, .dst = 2, .bytes = 4 * 2016, .gap_ps = 700000};

	run_message(r, 0, &m);
	CHECK_I64(run_end(r), zero_load(2, 4 * 2048) + 3 * 700000);
	run_free(r);
}

static void a_message_has_left_when_the_nic_has_read_it(void)
{
	struct run *r = run_new("dims=8x8", "");

	run_send(r, 5000, 0, 2, 2 * 2016); /* two packets of 512 ns */
	run_end(r);
	CHECK_I64(run_sent(r), 5000 + 2 * 512000);
	run_free(r);
}

static void a_message_within_a_node_is_a_copy_in_memory(void)
{
	struct run *r = run_new("dims=8x8", "");

	run_send(r, 5000, 3, 3, 1000000); /* 62.5 ps a byte */
	CHECK_I64(run_end(r), 5000 + 62500000);
	run_free(r);
}

static void slow_memory_bounds_what_a_node_sends(void)
{
	struct run *r = run_new("dims=8x8 nics=4", "nic.memory=2GB/s nic.receive_fifo=0");

	/* four NICs, a packet of 2048 bytes each: the memory reads one after the other, 1024 ns each; in the
	 * other nodes each is written as it comes */
	for (uint32_t k = 0; k < 4; k++) {
		static const uint32_t to[] = {1, 7, 8, 56};
		struct net_message m = {.id = k, .src = 0, .dst = to[k], .nic = (int32_t)k, .bytes = 2016};

		run_message(r, 0, &m);
	}
	CHECK_I64(run_end(r), 2 * 94000 + 10000 + 4 * 1024000);
	run_free(r);
}

static void a_link_carries_its_bandwidth(void)
{
	struct run *r = run_new("dims=4x1 nics=2", "");

	/* two messages of 100 packets over one link: 200 packets of 512 ns, whoever goes first */
	for (uint32_t k = 0; k < 2; k++) {
		struct net_message m = {.id = k, .src = 0, .dst = 1, .nic = (int32_t)k, .bytes = 100 * 2016};

		run_message(r, 0, &m);
	}
	CHECK_I64(run_end(r), zero_load(1, 200 * 2048));
	run_free(r);
}

static const struct tap_test tests[] = {
	{"the time of a packet grows by a router and a cable a hop",
	 the_time_of_a_packet_grows_by_a_router_and_a_cable_a_hop},
	{"the time of a packet grows by its flits", the_time_of_a_packet_grows_by_its_flits},
	{"packets of a message follow each other without a gap", packets_of_a_message_follow_each_other_without_a_gap},
	{"pacing puts its gap behind each packet", pacing_puts_its_gap_behind_each_packet},
	{"a message has left when the NIC has read it", a_message_has_left_when_the_nic_has_read_it},
	{"a message within a node is a copy in memory", a_message_within_a_node_is_a_copy_in_memory},
	{"slow memory bounds what a node sends", slow_memory_bounds_what_a_node_sends},
	{"a link carries its bandwidth", a_link_carries_its_bandwidth},
};

int main(void)
{
	return tap_main("packet engine", tests, TAP_COUNT(tests));
}
