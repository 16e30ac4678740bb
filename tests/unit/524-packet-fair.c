/*
 * Nobody waits for ever in the packet engine: crossing streams, short packets before long ones, shifts out of step,
 * all-to-all on every network. All of it under --check, which knows the bound (docs/models/packet-engine.md).
 */
#include "tap.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "packet_run.h"
#include "psim/base/rng.h"

enum { PACKET_PS = 512000 }; /* a full packet of 2048 bytes on a link of 4 GB/s */

static const char *const routers[] = {
	"",
	"router.arbitration=fcfs",
	"router.arbitration=round_robin",
	"router.queues=per_vc",
	"router.input_port=one_packet",
	"router.input_port=one_packet router.arbitration=fcfs",
	"router.input_port=one_packet router.arbitration=round_robin",
	"router.input_port=one_packet router.arbitration=fcfs router.patience=0",
	"router.input_port=one_packet router.arbitration=fcfs router.queues=per_vc",
};

/*
 * Streams from 0 to 1 and from 2 to 3, and a message of a handshake from 0 to 3, which shares its input with one
 * stream and its output with the other; the two are never free at the same instant. Alone it takes 94 ns and 32
 * bytes' 8 ns. It waits for at most one packet in the NIC. In the router, with unlimited inputs, for the packet on
 * the output; with one an input for `patience` + 2. (patience = 4.)
 */
static void a_packet_crosses_two_busy_streams(void)
{
	for (unsigned i = 0; i < TAP_COUNT(routers); i++) {
		bool unlimited = !strstr(routers[i], "one_packet");
		struct run *r = run_new("kind=crossbar dims=4", routers[i]);
		struct net_message m = {.id = 2, .src = 0, .dst = 3, .control = true};
		int64_t began = 500 * INT64_C(1000000), took;

		run_send(r, 0, 0, 1, 4000 * 2016);
		run_send(r, PACKET_PS / 2, 2, 3, 4000 * 2016);
		run_message(r, began, &m);
		run_end(r);
		took = run_delivered(r, 2) - began;
		CHECK(took <= 102000 + PACKET_PS * (unlimited ? 2 : 1 + 4 + 2));
		/* and the streams lose no more than that packet and what waited for it */
		CHECK(run_now(r) <= 4000 * (int64_t)PACKET_PS + 102000 + 8 * PACKET_PS);
		run_free(r);
	}
}

/*
 * Mesh of 3, the last NIC at a quarter of the speed, buffers of one full packet: 3000 short packets of 48 bytes on
 * their way from 0 to 2 always leave less credit than the full packet from 1 to 2 needs. When it comes at most 2048
 * bytes are in the buffer beyond and, first come, first served, as many (42 packets) before it in the router: at 1 ns
 * a byte 4.1 us, then its own 2.05 us and the way, 2 x 94 + 10 ns. A credit goes back and forth for each of the 42:
 * 20 ns, and what is lost between. The short ones take 144 us.
 */
static void short_packets_do_not_keep_a_long_one_from_its_credit(void)
{
	for (unsigned i = 0; i < TAP_COUNT(routers); i++) {
		struct net_message m = {.src = 0, .dst = 2, .nic = 0, .bytes = 16};
		char engine[200];
		struct run *r;

		snprintf(engine, sizeof(engine), "router.vc_buffer=2048 nic.receive_fifo=2048 %s", routers[i]);
		r = run_new("kind=mesh dims=3 link.bandwidth=4GB/s link.nic_bandwidth=1GB/s", engine);
		for (m.id = 0; m.id < 3000; m.id++)
			run_message(r, 0, &m);
		m = (struct net_message){.id = 3000, .src = 1, .dst = 2, .nic = 0, .bytes = 2016};
		run_message(r, 20000000, &m);
		run_end(r);
		CHECK(run_delivered(r, 3000) - 20000000 < 12000000);
		run_free(r);
	}
}

/* With router.credits = any they do: in that network the long packet goes when the short ones' 144 us are over. */
static void credit_that_any_packet_takes_starves_a_long_one(void)
{
	for (unsigned i = 0; i < TAP_COUNT(routers); i++) {
		struct net_message m = {.src = 0, .dst = 2, .nic = 0, .bytes = 16};
		char engine[200];
		struct run *r;

		snprintf(engine, sizeof(engine), "router.vc_buffer=2048 nic.receive_fifo=2048 router.credits=any %s",
			 routers[i]);
		r = run_new("kind=mesh dims=3 link.bandwidth=4GB/s link.nic_bandwidth=1GB/s", engine);
		for (m.id = 0; m.id < 3000; m.id++)
			run_message(r, 0, &m);
		m = (struct net_message){.id = 3000, .src = 1, .dst = 2, .nic = 0, .bytes = 2016};
		run_message(r, 20000000, &m);
		run_end(r);
		CHECK(run_delivered(r, 3000) > 140000000);
		run_free(r);
	}
}

/*
 * A crossbar of 32; each node sends 32 packets to all others, to the next first, and begins 100 ns after the one
 * before it. No link carries more than 31 x 32 packets, so that is the bound; what is lost to chance stays below a
 * tenth.
 */
static void shifts_out_of_step_keep_their_bandwidth(void)
{
	for (unsigned i = 0; i < TAP_COUNT(routers); i++) {
		double bound = 31 * 32 * (double)PACKET_PS;
		char engine[200];
		struct run *r;

		snprintf(engine, sizeof(engine), "nic.service=fcfs %s", routers[i]); /* message by message */
		r = run_new("kind=crossbar dims=32", engine);
		for (uint32_t k = 0; k < 32; k++)
			for (uint32_t p = 1; p < 32; p++)
				run_send(r, k * INT64_C(100000), k, (k + p) % 32, 32 * 2016);
		/* where one that is blocked blocks others nothing of the kind holds */
		CHECK((double)run_end(r) < (strstr(routers[i], "per_vc") ? 2 : 1.1) * bound + 31 * 100000);
		run_free(r);
	}
}

/*
 * All-to-all, PACKETS to each other. The time of the busiest link is a bound for any router. One shift after the
 * other, every node p further in the p-th one, takes the sum of the busiest links of each: no more should it take if
 * nobody waits for the others' shifts. (Ways are fixed on these networks.)
 */
enum { PACKETS = 16, NODES_MAX = 128 };

struct bounds {
	int64_t all, shifts;
};

static struct bounds bounds_of(const struct topology *t)
{
	uint32_t *load = calloc(2 * t->links, sizeof(*load)), *one = load + t->links, links[64], most = 0, sum = 0;

	REQUIRE(load != NULL);
	for (uint32_t p = 1; p < t->nodes; p++) {
		uint32_t busiest = 0;

		memset(one, 0, t->links * sizeof(*one));
		for (uint32_t k = 0; k < t->nodes; k++)
			for (unsigned n = topology_path(t, k, (k + p) % t->nodes, 0, links, 64); n-- > 0;) {
				one[links[n]]++;
				load[links[n]]++;
			}
		for (uint32_t l = 0; l < t->links; l++)
			busiest = one[l] > busiest ? one[l] : busiest;
		sum += busiest;
	}
	for (uint32_t l = 0; l < t->links; l++)
		most = load[l] > most ? load[l] : most;
	free(load);
	return (struct bounds){(int64_t)most * PACKETS * PACKET_PS, (int64_t)sum * PACKETS * PACKET_PS};
}

/* Each node's own order of the others: R. Fisher, F. Yates. */
static void draw_order(uint32_t order[NODES_MAX], uint32_t nodes, uint32_t seed)
{
	for (uint32_t i = 0; i < nodes; i++)
		order[i] = i;
	for (uint32_t i = nodes - 1; i; i--) {
		uint32_t k = (uint32_t)rng_below(seed, 1, i, i + 1), x = order[i];

		order[i] = order[k];
		order[k] = x;
	}
}

static int64_t all_to_all(struct run *r, bool random)
{
	uint32_t nodes = run_topology(r)->nodes, order[NODES_MAX];

	REQUIRE(nodes <= NODES_MAX);
	for (uint32_t k = 0; k < nodes; k++) {
		draw_order(order, nodes, k);
		for (uint32_t p = 0; p < nodes; p++) {
			uint32_t to = random ? order[p] : (k + p) % nodes;

			if (to != k)
				run_send(r, 0, k, to, PACKETS * 2016);
		}
	}
	return run_end(r);
}

/*
 * 2 us for the first and last packets. In random order a NIC's first message waits behind others at its destination,
 * and those behind it with it; by chance two or three want the same one, so a factor of 2 of the bound.
 */
static void all_to_all_is_near_its_bound_on_every_network(void)
{
	static const char *const networks[] = {
		"kind=torus dims=4x4",         "kind=torus dims=5x5",          "kind=torus dims=8x8",
		"kind=torus dims=4x4x4",       "kind=torus dims=16",           "kind=mesh dims=4x4",
		"kind=mesh dims=8x4",          "kind=tofu dims=2x2x1",         "kind=crossbar dims=32",
		"kind=hypercube dims=2^5",     "kind=hyper_crossbar dims=6x6", "kind=fat_tree dims=4x4x4",
		"kind=fat_tree dims=8x8 up=4", "kind=dragonfly dims=2x4x2",
	};

	for (unsigned i = 0; i < TAP_COUNT(networks); i++)
		for (int random = 0; random < 2; random++) {
			struct run *r = run_new(networks[i], "");
			struct bounds bound = bounds_of(run_topology(r));
			int64_t took = all_to_all(r, random);

			CHECK(took >= bound.all);
			CHECK((double)took < (random ? 2 * (double)bound.all : (double)bound.shifts) + 2e6);
			run_free(r);
		}
}

/*
 * Mesh 3 x 2, y at an eighth of x, buffers of two packets. From 600 ns on node 0 sends a packet to 4, by way of 1 and
 * the slow link, and two to 2. Node 1's two NICs have sent three packets each to 2 before. The packet for 4 is in
 * router 1 at 600 + 12 + 104 = 716 ns and leaves its buffer for 4096 ns: its credit is back at 4822. The first one
 * for 2 goes behind six others, at 12 + 6 x 512 = 3084 at the latest, and its credit is back before, at 3084 + 512 +
 * 10 = 3606 ns: then the second one goes, for which only the later credit was under way when it came. Two links of
 * 104 ns, and 594.
 */
static void the_credit_that_is_back_first_counts(void)
{
	struct run *r = run_new("kind=mesh dims=3x2 nics=2 link.bandwidth=4GB/s,0.5GB/s link.nic_bandwidth=4GB/s",
				"router.vc_buffer=4096");
	struct net_message m = {.src = 1, .dst = 2, .bytes = 3 * 2016};

	for (m.id = 0; m.id < 2; m.id++) {
		m.nic = (int32_t)m.id;
		run_message(r, 0, &m);
	}
	run_message(r, 600000, &(struct net_message){.id = 2, .src = 0, .dst = 4, .bytes = 2016});
	run_message(r, 600000, &(struct net_message){.id = 3, .src = 0, .dst = 2, .bytes = 2 * 2016});
	run_end(r);
	CHECK(run_delivered(r, 3) <= 3606000 + 2 * 104000 + 594000);
	CHECK(run_delivered(r, 2) > 4822000);
	run_free(r);
}

/* One of several words by chance. */
static const char *draw(uint64_t seed, uint64_t stream, const char *const *words, unsigned count)
{
	return words[rng_below(seed, stream, 0, count)];
}
#define DRAW(seed, stream, ...) \
	draw(seed, stream, (const char *const[]){__VA_ARGS__}, \
	     sizeof((const char *const[]){__VA_ARGS__}) / sizeof(const char *))

/*
 * Any network, any router, messages of any size: the rules hold, nothing is lost, nobody is stuck, no link is idle
 * that could send. (Short packets and links of several speeds give their credits back out of order.)
 */
static void rules_hold_whatever_the_router(void)
{
	for (uint64_t seed = 0; seed < 120; seed++) {
		char engine[300], network[200];
		struct run *r;
		uint32_t nodes;

		snprintf(network, sizeof(network), "%s nics=%s link.nic_bandwidth=%s",
			 DRAW(seed, 1, "kind=torus dims=5x4", "kind=torus dims=4x4 routing=adaptive",
			      "kind=torus dims=5x3x2 routing=ugal", "kind=mesh dims=4x4 routing=valiant",
			      "kind=hypercube dims=2^4 routing=adaptive", "kind=fat_tree dims=4x4 routing=adaptive",
			      "kind=dragonfly dims=2x4x1 routing=ugal_global", "kind=crossbar dims=12"),
			 DRAW(seed, 2, "1", "2"), DRAW(seed, 3, "1GB/s", "4GB/s", "8GB/s"));
		snprintf(engine, sizeof(engine),
			 "router.arbitration=%s router.input_port=%s router.queues=%s router.patience=%s "
			 "router.vc_buffer=%s nic.fifo=%s nic.receive_fifo=%s router.flit=%s router.credits=%s",
			 DRAW(seed, 4, "oldest", "fcfs", "round_robin"), DRAW(seed, 5, "one_packet", "unlimited"),
			 DRAW(seed, 6, "per_output", "per_vc"), DRAW(seed, 7, "0", "1", "4"),
			 DRAW(seed, 8, "2048", "6144", "16384"), DRAW(seed, 9, "0", "2048", "65536"),
			 DRAW(seed, 10, "0", "2048"), DRAW(seed, 11, "1", "16", "64"),
			 DRAW(seed, 12, "in_order", "any"));
		r = run_new(network, engine);
		nodes = run_topology(r)->nodes;
		for (uint32_t i = 0; i < 40 * nodes; i++) {
			struct net_message m = {.id = i, .src = i % nodes, .nic = NET_NIC_ANY};

			m.dst = (uint32_t)rng_below(seed, 20, i, i % 5 ? nodes : 2);
			m.bytes = rng_below(seed, 21, i, i % 3 ? 100 : 7000);
			m.control = m.bytes < 10;
			run_message(r, (int64_t)rng_below(seed, 22, i, 40000000), &m);
		}
		run_end(r);
		run_free(r);
	}
}

static const struct tap_test tests[] = {
	{"a packet crosses two busy streams", a_packet_crosses_two_busy_streams},
	{"short packets do not keep a long one from its credit", short_packets_do_not_keep_a_long_one_from_its_credit},
	{"credit that any packet takes starves a long one", credit_that_any_packet_takes_starves_a_long_one},
	{"the credit that is back first counts", the_credit_that_is_back_first_counts},
	{"rules hold whatever the router", rules_hold_whatever_the_router},
	{"all-to-all is near its bound on every network", all_to_all_is_near_its_bound_on_every_network},
	{"shifts out of step keep their bandwidth", shifts_out_of_step_keep_their_bandwidth},
};

int main(void)
{
	return tap_main("packets: nobody waits for ever", tests, TAP_COUNT(tests));
}
