/* Cost of a machine (netlink/cost): amounts of parts by hand, and their prices. */
#include "tap.h"

#include <string.h>

#include "netlink/cost/cost.h"
#include "topology_maker.h"

/*
 * A torus of 4 x 4 with two NICs a node: each router has 4 links to others and 2 to its node. 16 x 6 ports, 16 x 4 / 2
 * cables between routers, 32 to nodes; 64 cables of 2 GB/s.
 */
static void amounts_are_those_of_the_network(void)
{
	struct topology *t = topology_must("kind=torus dims=4x4 nics=2 link.bandwidth=2GB/s");
	struct cost_amounts a;

	cost_count(t, 16, 64, &a);
	CHECK_F64(a.nodes, 16, 0);
	CHECK_F64(a.processors, 64, 0);
	CHECK_F64(a.nics, 32, 0);
	CHECK_F64(a.routers, 16, 0);
	CHECK_F64(a.ports, 96, 0);
	CHECK_F64(a.cables, 32, 0);
	CHECK_F64(a.rate, 128, 0);
	/* a quarter of the nodes has a quarter of the network */
	cost_count(t, 4, 4, &a);
	CHECK_F64(a.nics, 8, 0);
	CHECK_F64(a.routers, 4, 0);
	CHECK_F64(a.cables, 8, 0);
	CHECK_F64(a.rate, 32, 1e-12);
	topology_destroy(t);
}

/* Each price alone: the cost is that of its part. */
static void each_price_has_its_amount(void)
{
	const struct cost_amounts a = {
		.nodes = 2, .processors = 3, .nics = 5, .routers = 7, .ports = 11, .cables = 13, .rate = 17};
	struct cost_config c = {.cost = {.node = 10,
					 .rank = 20,
					 .nic = 30,
					 .router = 40,
					 .port = 50,
					 .cable = 60,
					 .node_cable = 70,
					 .rate = 80}};
	const double expected[COST_TERMS] = {20, 60, 150, 280, 550, 780, 350, 1360};
	const struct cost_config none = {.cost = {.node = 0}};

	for (enum cost_term n = 0; n < COST_TERMS; n++) {
		struct cost_part part = cost_part(&c, &a, n);

		CHECK_F64(part.count * part.price, expected[n], 0);
	}
	CHECK_STR(cost_part(&c, &a, COST_node_cables).name, "node_cables");
	CHECK(cost_given(&c));
	CHECK(!cost_given(&none));
}

static const struct tap_test tests[] = {
	{"amounts are those of the network", amounts_are_those_of_the_network},
	{"each price has its amount", each_price_has_its_amount},
};

int main(void)
{
	return tap_main("cost", tests, TAP_COUNT(tests));
}
