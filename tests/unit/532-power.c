/* Energy of a run (netlink/power): each term alone, by its closed form, and links by class. */
#include "tap.h"

#include <string.h>

#include "netlink/power/power.h"
#include "netlink/power/power_bins.h"
#include "topology_maker.h"

/* A machine and what it does in 2 s. */
static const struct power_activity activity = {
	.seconds = 2,
	.nodes = 4,
	.nics = 8,
	.routers = 3,
	.busy_s = 5,
	.wait_s = 7,
	.sleep_s = 3,
	.model_j = 11,
	.memory_bytes = 1e9,
	.nic_bytes = 2e9,
	.router_bytes = 4e9,
	.link_j = 13,
	.link_idle_j = 17,
};

static void each_term_is_its_closed_form(void)
{
	/* a figure of 10: W times s, W times parts times s, or pJ a bit of bytes of 8 bits */
	static const struct {
		size_t field;
		enum power_term term;
		double joules;
	} rows[] = {
		{offsetof(struct power_power_params, compute), POWER_compute, 10 * 5.0},
		{offsetof(struct power_power_params, wait), POWER_wait, 10 * (7.0 - 3.0)},
		{offsetof(struct power_power_params, sleep), POWER_sleep, 10 * 3.0},
		{offsetof(struct power_power_params, memory), POWER_memory, 10 * 4 * 2.0},
		{offsetof(struct power_power_params, memory_bit), POWER_memory_bits, 1e9 * 8 * 10e-12},
		{offsetof(struct power_power_params, nic), POWER_nics, 10 * 8 * 2.0},
		{offsetof(struct power_power_params, nic_bit), POWER_nic_bits, 2e9 * 8 * 10e-12},
		{offsetof(struct power_power_params, node), POWER_nodes, 10 * 4 * 2.0},
		{offsetof(struct power_power_params, router), POWER_routers, 10 * 3 * 2.0},
		{offsetof(struct power_power_params, router_bit), POWER_router_bits, 4e9 * 8 * 10e-12},
	};

	for (unsigned i = 0; i < TAP_COUNT(rows); i++) {
		struct power_config c = {.power = {.supply = 1}};
		struct power_result x;

		CHECK(!power_given(&c));
		*(double *)((char *)&c.power + rows[i].field) = 10;
		CHECK(power_given(&c));
		power_evaluate(&c, &activity, &x);
		CHECK_F64(x.term[rows[i].term], rows[i].joules, 1e-12);
		/* models and links have their joules already */
		CHECK_F64(x.machine, rows[i].joules + 11 + 13 + 17, 1e-9);
		CHECK_F64(x.total, x.machine, 0);
	}
}

static void supply_and_cooling_follow_the_machine(void)
{
	struct power_config c = {.power = {.node = 10, .supply = 0.8, .cooling = 0.5}};
	struct power_activity a = {.seconds = 2, .nodes = 4};
	struct power_result x;

	/* 80 J, from 100 J of the grid, and 50 J that carry these away */
	power_evaluate(&c, &a, &x);
	CHECK_F64(x.machine, 80, 1e-12);
	CHECK_F64(x.supply, 20, 1e-12);
	CHECK_F64(x.cooling, 50, 1e-12);
	CHECK_F64(x.total, 150, 1e-12);
}

/* A crossbar of four nodes: a link to and from the router for each. 1 GB/s at 2 pJ a bit: 16 mW. */
static void links_sleep_or_do_not(void)
{
	struct topology *t = topology_must("kind=crossbar dims=4 link.bandwidth=1GB/s link.energy=2");
	double bytes[8] = {0}, routers, nics;
	struct power_config c = {.power = {.link_idle = 1}};
	struct power_links x, half;

	REQUIRE(t->links == 8);
	bytes[t->inject[0]] = 5e8;
	bytes[t->eject[1]] = 5e8;
	power_count_links(&c, t, t->link[t->inject[0]].class, bytes, 2, 1, &x);
	CHECK_U64(x.links, 4);
	CHECK_F64(x.watts, 4 * 0.016, 1e-15);
	CHECK_F64(x.carried_j, 5e8 * 8 * 2e-12, 1e-15);
	CHECK_F64(x.carried_j + x.idle_j, 4 * 0.016 * 2, 1e-15); /* as if all had data all the time */

	c.power.link_idle = 0;
	power_count_links(&c, t, t->link[t->inject[0]].class, bytes, 2, 1, &half);
	CHECK_F64(half.carried_j, x.carried_j, 0);
	CHECK_F64(half.idle_j, 0, 0);

	c.power.link_idle = 0.25;
	power_count_links(&c, t, t->link[t->inject[0]].class, bytes, 2, 1, &half);
	CHECK_F64(half.idle_j, x.idle_j / 4, 1e-15);

	/* half of the machine counts: half of the power, all of the bits */
	c.power.link_idle = 1;
	power_count_links(&c, t, t->link[t->inject[0]].class, bytes, 2, 0.5, &half);
	CHECK_F64(half.carried_j + half.idle_j, 4 * 0.016, 1e-15);

	/* an engine that does not know what links carry */
	power_count_links(&c, t, t->link[t->inject[0]].class, NULL, 2, 1, &half);
	CHECK_F64(half.idle_j, 4 * 0.016 * 2, 1e-15);

	power_count_bytes(t, bytes, &routers, &nics);
	CHECK_F64(routers, 5e8, 0);
	CHECK_F64(nics, 1e9, 0);
	topology_destroy(t);
}

static void links_that_are_down_take_nothing(void)
{
	struct topology *t =
		topology_must("kind=mesh dims=3 routing=graph:minimal down=0-1 link.bandwidth=1GB/s link.energy=2");
	struct power_config c = {.power = {.link_idle = 1}};
	double watts = 0;
	struct power_links x;

	for (unsigned class = 0; class < t->classes; class ++) {
		power_count_links(&c, t, class, NULL, 1, 1, &x);
		watts += x.watts;
	}
	/* two ways of the one link that is up, and one in and out of each of three nodes */
	CHECK_F64(watts, (2 + 6) * 0.016, 1e-15);
	topology_destroy(t);
}

/* A ring of 4 routers: 4 links of 16 mW each way. A backbone has 16 mW, a link and that back have 16 mW together. */
static void links_that_share_a_bandwidth_take_its_power(void)
{
	static const struct {
		const char *network;
		double bandwidths; /* between routers */
	} rows[] = {
		{"kind=torus dims=4 link.bandwidth=1GB/s link.energy=2", 8},
		{"kind=torus dims=4 link.bandwidth=1GB/s link.energy=2 link.+x.half_duplex=yes link.-x.half_duplex=yes",
		 4},
		{"kind=torus dims=4 link.bandwidth=1GB/s link.energy=2 link.+x.backbone=yes", 1 + 4},
		{"kind=torus dims=4 link.bandwidth=1GB/s link.energy=2 link.+x.backbone=yes link.-x.backbone=yes", 2},
	};
	struct power_config c = {.power = {.link_idle = 1}};

	for (unsigned i = 0; i < TAP_COUNT(rows); i++) {
		struct topology *t = topology_must(rows[i].network);
		double watts = 0, idle = 0;
		struct power_links x;

		for (unsigned class = 0; class < t->classes; class ++) {
			power_count_links(&c, t, class, NULL, 2, 1, &x);
			watts += x.watts;
			idle += x.idle_j;
		}
		CHECK_F64(watts, (rows[i].bandwidths + 8) * 0.016, 1e-15); /* 8: those of nodes */
		CHECK_F64(idle, 2 * watts, 1e-15);
		topology_destroy(t);
	}
}

/*
 * A second in at most 256 bins of 31.25 ns times a power of two: 2^17 of them are 4.096 ms, and 245 bins. The wait from
 * 1 to 3 ms fills a part of the first one. 10 J of 0.5 s are 81.92 mJ a bin; what is at the end is in the last bin.
 */
static void intervals_double_and_keep_their_sums(void)
{
	const int64_t ms = INT64_C(1000000000), interval = INT64_C(31250) << 17;
	struct power_bins b;
	sum128 sum = 0;
	double joules = 0;

	power_bins_init(&b, 0);
	power_bins_add_time(&b, POWER_STATE_WAIT, ms, 3 * ms);
	power_bins_add_model(&b, 0, 500 * ms, 10, 0);
	power_bins_add_time(&b, POWER_STATE_WAIT, 10 * ms, 1000 * ms);
	power_bins_add_bytes(&b, 1000 * ms, 7);
	REQUIRE(!b.short_of_memory);
	CHECK(b.interval == interval);
	REQUIRE(b.bin.count == 245);
	for (size_t i = 0; i < b.bin.count; i++) {
		sum += b.bin.at[i].ps[POWER_STATE_WAIT];
		joules += b.bin.at[i].model_j;
	}
	CHECK(sum == (sum128)(992 * ms));
	CHECK_F64(joules, 10, 1e-9);
	CHECK(b.bin.at[0].ps[POWER_STATE_WAIT] == (sum128)(2 * ms));
	CHECK(b.bin.at[100].ps[POWER_STATE_WAIT] == (sum128)interval);
	CHECK_F64(b.bin.at[7].model_j, 0.08192, 1e-9);
	power_bins_end(&b, 244);
	REQUIRE(b.bin.count == 244);
	CHECK_F64(b.bin.at[243].message_bytes, 7, 0);
	power_bins_widen(&b, 2 * interval);
	CHECK(b.bin.count == 122 && b.interval == 2 * interval);
	CHECK(b.bin.at[0].ps[POWER_STATE_WAIT] == (sum128)(2 * ms)); /* up to 8.192 ms */
	power_bins_finish(&b);
}

static const struct tap_test tests[] = {
	{"intervals double and keep their sums", intervals_double_and_keep_their_sums},
	{"each term is its closed form", each_term_is_its_closed_form},
	{"supply and cooling follow the machine's parts", supply_and_cooling_follow_the_machine},
	{"links sleep, or do not", links_sleep_or_do_not},
	{"links that are down take nothing", links_that_are_down_take_nothing},
	{"links that share a bandwidth take its power", links_that_share_a_bandwidth_take_its_power},
};

int main(void)
{
	return tap_main("power", tests, TAP_COUNT(tests));
}
