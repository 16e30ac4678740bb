/* Configuration and graph of networks: netlink/topology/{config,plan,graph,topology}.c. */
#include "tap.h"

#include <string.h>

#include "alloc_fail.h"
#include "netlink/topology/kind.h"
#include "netlink/topology/number_list.h"
#include "topology_maker.h"

static void sizes_have_an_x_between_them(void)
{
	uint32_t v[4] = {0};
	struct err e;

	CHECK_I64(list_sizes("16", v, 4, &e), 1);
	CHECK_U64(v[0], 16);
	CHECK_I64(list_sizes("8x4^2x1", v, 4, &e), 4); /* 8, twice 4, 1 */
	CHECK_U64(v[0], 8);
	CHECK_U64(v[1], 4);
	CHECK_U64(v[2], 4);
	CHECK_U64(v[3], 1);
	CHECK_I64(list_sizes("2^5", v, 4, &e), -1);
	CHECK_STR(e.text, "\"2^5\" has too many sizes, expected at most 4");
}

static void other_sizes_are_refused(void)
{
	static const char *const texts[] = {"",   "x",     "4x", "x4",  "0",        "4x0",         "4,4",
					    "-4", "4 x 4", "2^", "2^0", "16777217", "99999999999", "4x4 "};
	uint32_t v[4];

	for (unsigned i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		CHECK_I64(list_sizes(texts[i], v, 4, NULL), -1);
}

static void values_have_a_comma_between_them(void)
{
	static const struct param row = {.type = PARAM_RATE, .min = 1, .max = 1e12, .unit = "bytes/s"};
	double v[3];
	struct err e;

	CHECK_I64(list_values(&row, "4 GB/s, 2 GB/s ,8e8", v, sizeof(v[0]), 3, &e), 3);
	CHECK_F64(v[0], 4e9, 0);
	CHECK_F64(v[1], 2e9, 0);
	CHECK_F64(v[2], 8e8, 0);
	CHECK_I64(list_values(&row, "1,2,3,4", v, sizeof(v[0]), 3, &e), -1);
	CHECK_I64(list_values(&row, "1,,3", v, sizeof(v[0]), 3, &e), -1);
	CHECK_I64(list_values(&row, "1,", v, sizeof(v[0]), 3, &e), -1);
	CHECK_I64(list_values(&row, "", v, sizeof(v[0]), 3, &e), -1);
}

static void the_parameter_names_the_kinds_in_their_order(void)
{
	unsigned count;
	const struct topology_kind *const *kinds = topology_kinds(&count);
	struct topology_config v;
	struct config *c = config_create();
	struct err e;

	topology_config_add(c, &v);
	for (unsigned i = 0; i < count; i++) {
		char text[80];

		snprintf(text, sizeof(text), "topology.kind=%s", kinds[i]->name);
		CHECK_I64(config_override(c, text, "-p", &e), 0);
		CHECK_U64(v.topology.kind, i);
	}
	config_destroy(c);
}

static void mistakes_have_their_place(void)
{
	CHECK_STR(topology_complaint("kind=torus dims=4x"),
		  "-p: topology.dims: \"4x\" is not a list of sizes, expected for example 16 or 8x8x16 or "
		  "2^10, each from 1 to 16777216");
	CHECK_STR(topology_complaint("kind=torus dims=2^7"),
		  "-p: topology.dims: 2^7: 7 dimensions, expected at most 6");
	CHECK_STR(topology_complaint("kind=torus dims=4096^3"),
		  "-p: topology.dims: 4096^3: too large, expected at most 16777216 nodes");
	CHECK_STR(topology_complaint("kind=torus routing=dimension_ordre"),
		  "-p: topology.routing: torus: unknown routing 'dimension_ordre', expected one of dimension_order, "
		  "adaptive, valiant, ugal; over any graph minimal, ecmp, random, up_down, layered (did you mean "
		  "dimension_order?)");
	CHECK_STR(topology_complaint("kind=torus dims=4x4x4 link.bandwidth=1GB/s,2GB/s"),
		  "-p: link.bandwidth: 2 values, expected one, or one for each of the 3 dimensions "
		  "or levels");
	CHECK_STR(topology_complaint("kind=torus link.cable=10"),
		  "-p: link.cable: \"10\" has no unit, expected one of s, ms, us, ns, ps");
	CHECK_STR(topology_complaint("kind=torus dims=4x4 cabinet=3x4"),
		  "-p: topology.cabinet: 3x4: cabinets of 3 nodes do not fill a dimension of 4, "
		  "expected a "
		  "divisor");
	CHECK_STR(topology_complaint("kind=torus dims=4x4 cabinet=4"),
		  "-p: topology.cabinet: 4: 1 sizes, expected one for each of the 2 dimensions");
}

/* Every link is once in out_link of its beginning and in in_link of its end, at its port. */
static void check_arrays(const struct topology *t)
{
	uint32_t vertices = t->nodes + t->routers;

	CHECK_U64(t->out_first[0], 0);
	CHECK_U64(t->out_first[vertices], t->links);
	CHECK_U64(t->in_first[vertices], t->links);
	for (uint32_t l = 0; l < t->links; l++) {
		const struct topology_link *k = &t->link[l];

		CHECK_U64(t->out_link[t->out_first[k->from] + k->out_port], l);
		CHECK_U64(t->in_link[t->in_first[k->to] + k->in_port], l);
		CHECK(k->out_port < t->out_first[k->from + 1] - t->out_first[k->from]);
		CHECK(k->in_port < t->in_first[k->to + 1] - t->in_first[k->to]);
	}
}

static void the_arrays_agree(void)
{
	static const char *const networks[] = {"kind=torus dims=4x3x2 nics=2", "kind=mesh dims=3x3", "kind=mesh dims=5",
					       "kind=torus dims=1"};

	for (unsigned i = 0; i < sizeof(networks) / sizeof(networks[0]); i++) {
		struct topology *t = topology_must(networks[i]);

		check_arrays(t);
		topology_destroy(t);
	}
	topology_destroy(NULL);
}

static void every_nic_has_a_link_each_way(void)
{
	struct topology *t = topology_must("kind=torus dims=4x4 nics=4 "
					   "link.nic_bandwidth=16GB/s link.nic_cable=1ns");

	/* 16 routers of 4 links, 16 x 4 NICs each way: 64 + 128 */
	CHECK_U64(t->links, 192);
	for (uint32_t node = 0; node < 16; node++)
		for (unsigned nic = 0; nic < 4; nic++) {
			const struct topology_link *in = &t->link[t->inject[node * 4 + nic]];
			const struct topology_link *out = &t->link[t->eject[node * 4 + nic]];

			CHECK(in->from == node && in->to == 16 + node);
			CHECK(in->out_port == nic && in->in_port == 4 + nic);
			CHECK(out->to == node && out->from == 16 + node);
			CHECK(out->in_port == nic && out->out_port == 4 + nic);
			CHECK_F64(t->class[in->class].bytes_per_s, 16e9, 0);
			CHECK_I64(t->class[out->class].cable_ps, 1000);
			CHECK_STR(t->class[in->class].name, "inject");
			CHECK_STR(t->class[out->class].name, "eject");
		}
	topology_destroy(t);
}

/* Links of 4 and 1 GB/s, NICs of 16: behind ports of 2 GB/s 2 and 1, towards nodes 2; from nodes 16. */
static void a_port_limits_the_link_behind_it(void)
{
	struct topology *t = topology_must("kind=mesh dims=3x3 link.bandwidth=4GB/s,1GB/s link.nic_bandwidth=16GB/s "
					   "link.port_bandwidth=2GB/s");

	for (unsigned c = 0; c < t->classes; c++) {
		const struct topology_class *class = &t->class[c];
		double expected = !strcmp(class->name, "inject") ? 16e9 : class->name[1] == 'y' ? 1e9 : 2e9;

		CHECK_F64(class->bytes_per_s, expected, 0);
	}
	topology_destroy(t);
	CHECK_STR(topology_complaint("kind=mesh dims=3 link.port_bandwidth=0.5B/s"),
		  "-p: link.port_bandwidth: 0.5 B/s: expected 0 or at least 1 B/s");
}

static void coordinates_have_the_first_dimension_fastest(void)
{
	struct topology *t = topology_must("kind=torus dims=4x3x2");
	uint32_t c[3];

	REQUIRE(t->dimensions == 3);
	topology_coordinates(t, 17, c); /* 17 = 1 + 4 * (1 + 3 * 1) */
	CHECK_U64(c[0], 1);
	CHECK_U64(c[1], 1);
	CHECK_U64(c[2], 1);
	for (uint32_t node = 0; node < 24; node++) {
		topology_coordinates(t, node, c);
		CHECK_U64(topology_node_at(t, c), node);
	}
	topology_destroy(t);
}

static void a_path_has_injection_and_ejection(void)
{
	struct topology *t = topology_must("kind=torus dims=8");
	uint32_t links[8];

	/* 0 -> 2: in, two links +x, out */
	REQUIRE(topology_path(t, 0, 2, 0, links, 8) == 4);
	CHECK_U64(links[0], t->inject[0]);
	CHECK_U64(t->link[links[1]].to, 8 + 1);
	CHECK_U64(t->link[links[2]].to, 8 + 2);
	CHECK_U64(links[3], t->eject[2]);
	CHECK_U64(topology_path(t, 0, 2, 0, links, 3), 0);
	CHECK_U64(topology_path(t, 5, 5, 0, links, 8), 2);
	topology_destroy(t);
}

static void short_memory_is_an_error(void)
{
	for (unsigned k = 1;; k++) {
		struct topology_config v;
		struct topology *t;
		struct err e;

		topology_config_add(NULL, &v);
		alloc_fail_at(k);
		t = topology_create(&v, &e);
		if (!alloc_fail_end()) {
			REQUIRE(t != NULL);
			topology_destroy(t);
			CHECK(k > 8);
			return;
		}
		CHECK(t == NULL);
		CHECK_U64(e.status, STATUS_FAILED);
		topology_destroy(t);
	}
}

static const struct tap_test tests[] = {
	{"sizes have an x between them", sizes_have_an_x_between_them},
	{"other sizes are refused", other_sizes_are_refused},
	{"values have a comma between them", values_have_a_comma_between_them},
	{"the parameter names the kinds in their order", the_parameter_names_the_kinds_in_their_order},
	{"mistakes have their place and the legal values", mistakes_have_their_place},
	{"links, ports and lists of links agree", the_arrays_agree},
	{"every NIC has a link each way", every_nic_has_a_link_each_way},
	{"a port limits the link behind it", a_port_limits_the_link_behind_it},
	{"coordinates have the first dimension fastest", coordinates_have_the_first_dimension_fastest},
	{"a path has injection and ejection", a_path_has_injection_and_ejection},
	{"short memory is an error", short_memory_is_an_error},
};

int main(void)
{
	return tap_main("topology", tests, TAP_COUNT(tests));
}
