/*
 * Platforms of SimGrid. Sums of the routes' links over all ordered pairs are those of SimGrid 3.32, which loaded the
 * same files; that of the torus is 24 x 24 times the mean 1 + 2/3 + 1/2 of rings of 4, 3 and 2.
 */
#include "tap.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "alloc_fail.h"
#include "folder.h"
#include "topology_maker.h"

static void parameters_of(char *to, const char *inner, const char *more)
{
	const char *path = in_folder("a.xml");
	FILE *out = fopen(path, "w");

	REQUIRE(out != NULL);
	fprintf(out,
		"<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
		"<platform version=\"4.1\">\n%s</platform>\n",
		inner);
	fclose(out);
	sprintf(to, "kind=platform file=%s %s", path, more);
}

static struct topology *made(const char *inner)
{
	char parameters[500];

	parameters_of(parameters, inner, "");
	return topology_must(parameters);
}

#define WORLD(inner) "<zone id='world' routing='Full'>\n" inner "</zone>\n"
#define CLUSTER(attributes) \
	WORLD("<cluster id='t' prefix='n-' suffix='.x' speed='1Gf' bw='1GBps' lat='1us' " attributes "/>\n")

/* Links between those of the NICs. */
static unsigned links_of(const struct topology *t, uint32_t src, uint32_t dst)
{
	uint32_t links[70];
	unsigned count = topology_path(t, src, dst, 0, links, 70);

	CHECK(count >= 2 && t->link[links[0]].from == src && t->link[links[count - 1]].to == dst);
	return count - 2;
}

static uint64_t links_of_all(const struct topology *t)
{
	uint64_t sum = 0;

	for (uint32_t src = 0; src < t->nodes; src++)
		for (uint32_t dst = 0; dst < t->nodes; dst++)
			sum += links_of(t, src, dst);
	return sum;
}

static void clusters_route_as_simgrid_does(void)
{
	static const struct {
		const char *platform;
		uint32_t nodes, links;
		uint64_t sum;
	} cases[] = {
		{CLUSTER("radical='0-23' topology='TORUS' topo_parameters='4,3,2'"), 24, 2 * 24 * 3, 1248},
		{CLUSTER("radical='0-15' topology='FAT_TREE' topo_parameters='2;4,4;1,2;1,2'"), 16,
		 2 * (16 + 4 * 2 * 2), 864},
		{CLUSTER("radical='0-11' topology='FAT_TREE' topo_parameters='3;2,3,2;2,2,3;1,1,1' "
			 "sharing_policy='SHARED'"),
		 12, 12 * 2 + 12 * 2 + 8 * 3, 648},
		{CLUSTER("radical='0-119' topology='DRAGONFLY' topo_parameters='3,4;4,3;5,1;2'"), 120,
		 2 * (120 + 3 * 4 * 10 + 3 * 5 * 6 + 3), 75360},
		{CLUSTER("radical='0-5,8,10-12' bb_bw='2.25GBps' bb_lat='500us'"), 10, 2 * 10 + 1, 270},
		{CLUSTER("radical='0-9' sharing_policy='SHARED' bb_bw='150MBps' limiter_link='100MBps' "
			 "bb_sharing_policy='FATPIPE'"),
		 10, 2 * 10 + 1, 450},
	};

	for (unsigned i = 0; i < TAP_COUNT(cases); i++) {
		struct topology *t = made(cases[i].platform);
		struct err e = {.text = ""};

		CHECK_U64(t->nodes, cases[i].nodes);
		CHECK_U64(t->links, cases[i].links + 2 * cases[i].nodes);
		CHECK_U64(links_of_all(t), cases[i].sum);
		topology_check_deadlock(t, &e);
		CHECK_STR(e.text, "");
		topology_destroy(t);
	}
}

/* Two clusters: 42 routes of 192 links, as in SimGrid. On the way back a split link's other half. */
#define TWO \
	WORLD("<cluster id='a' prefix='a-' radical='0-3' suffix='' speed='1Gf' bw='125MBps' lat='50us' " \
	      "bb_bw='2GBps'/>" \
	      "<cluster id='b' prefix='b-' radical='0-2' suffix='' speed='1Gf' bw='250MBps' lat='5us'/>" \
	      "<link id='wan' bandwidth='200MBps' latency='1ms'/>" \
	      "<link id='fat' bandwidth='8Gbps' latency='10us' sharing_policy='FATPIPE'/>" \
	      "<link id='dup' bandwidth='300MBps' latency='10us' sharing_policy='SPLITDUPLEX'/>" \
	      "<zoneRoute src='a' dst='b' gw_src='a-a_router' gw_dst='b-b_router'><link_ctn id='wan'/>" \
	      "<link_ctn id='fat'/><link_ctn id='dup' direction='UP'/></zoneRoute>")

static const struct topology_class *class_at(const struct topology *t, uint32_t link)
{
	return &t->class[t->link[link].class];
}

static void zones_are_joined_by_gateways(void)
{
	struct topology *t = made(TWO);
	uint32_t there[9], back[9];

	CHECK_U64(links_of_all(t), 192);
	CHECK_U64(topology_path(t, 0, 4, 0, there, 9), 8); /* NIC, up, backbone, wan, fat, dup, down, NIC */
	CHECK_U64(topology_path(t, 4, 0, 0, back, 9), 8);
	CHECK_U64(there[2], back[5]);
	CHECK_U64(there[3], back[4]);
	CHECK_U64(there[4], back[3]);
	CHECK_U64(there[5] + 1, back[2]);
	CHECK_F64(class_at(t, there[1])->bytes_per_s, 125e6, 0);
	CHECK_F64(class_at(t, there[3])->bytes_per_s, 200e6, 0);
	CHECK_I64(class_at(t, there[3])->cable_ps, 1000000000);
	CHECK(class_at(t, there[4])->fat && !class_at(t, there[3])->fat);
	CHECK_F64(class_at(t, there[4])->bytes_per_s, 1e9, 0);
	CHECK_STR(class_at(t, there[5])->name, "dup");
	topology_destroy(t);
}

/* A line of three routers, and a shortcut of more links: 0 to 2 over 1 takes 2 + 2 links, directly 5. */
static void neighbours_route_by_the_fewest_links(void)
{
	struct topology *t =
		made("<zone id='w' routing='Floyd'><host id='0' speed='1f'/><host id='1' speed='1f'/>"
		     "<host id='2' speed='1f'/><link id='a' bandwidth='1GBps'/><link id='b' bandwidth='1GBps'/>"
		     "<link id='c' bandwidth='1GBps'/><link id='d' bandwidth='1GBps'/>"
		     "<link id='e' bandwidth='1GBps'/>"
		     "<route src='0' dst='1'><link_ctn id='a'/><link_ctn id='b'/></route>"
		     "<route src='1' dst='2'><link_ctn id='c'/><link_ctn id='d'/></route>"
		     "<route src='0' dst='2' symmetrical='NO'><link_ctn id='a'/><link_ctn id='b'/>"
		     "<link_ctn id='c'/><link_ctn id='d'/><link_ctn id='e'/></route></zone>\n");

	CHECK_U64(links_of(t, 0, 2), 4);
	CHECK_U64(links_of(t, 2, 0), 4);
	CHECK_U64(links_of(t, 1, 0), 2);
	CHECK_U64(t->vcs, 4);
	topology_destroy(t);
}

static void complains(const char *inner, const char *expected)
{
	char parameters[500], message[600];
	const char *complaint;

	parameters_of(parameters, inner, "");
	complaint = topology_complaint(parameters);
	snprintf(message, sizeof(message), "%s:%s", in_folder("a.xml"), expected);
	CHECK_STR(complaint ? complaint : "none", message);
}

#define PAIR(inner) \
	WORLD("<host id='a' speed='1f'/><host id='b' speed='1f'/>\n" \
	      "<link id='l' bandwidth='1GBps' latency='1us'/><link id='s' bandwidth='1GBps' " \
	      "sharing_policy='SPLITDUPLEX'/>\n" inner)

static void mistakes_of_elements_are_lines(void)
{
	complains("<AS id='x'/>\n", "4: <AS> at this place, expected it in a zone");
	complains(WORLD("<AS id='x'/>\n"),
		  "5: <AS> is not read, expected zone, cluster, host, router, link, route or zoneRoute");
	complains("<zone id='x' routing='Vivaldi'/>\n",
		  "4: routing = Vivaldi, expected one of Full, Floyd, Dijkstra, DijkstraCache, Cluster, None");
	complains("<zone id='x' routing='Full'/><zone id='y' routing='Full'/>\n",
		  "4: a second outermost zone y, expected one");
	complains(WORLD(""), " no host in it, expected a platform of SimGrid");
	complains(WORLD("<host id='a'/><host id='a'/>"), "5: a is there twice, expected a name of its own");
	complains(WORLD("<link id='l' bandwidth='10'/>"),
		  "5: bandwidth = 10: expected a number and a unit such as MBps or Gbps");
	complains(WORLD("<link id='l' bandwidth='1GBps' latency='1'/>"),
		  "5: latency = 1: expected a number and a unit such as us or ms");
	complains(WORLD("<link id='l' bandwidth='1GBps' latency='-1us'/>"), "5: latency = -1us: expected 0 to 1 s");
	complains(WORLD("<link id='l' bandwidth='1GBps' sharing_policy='WIFI'/>"),
		  "5: sharing_policy = WIFI, expected one of SHARED, FATPIPE, SPLITDUPLEX");
	complains(WORLD("text"), "5: text between elements, expected none");
}

static void mistakes_of_routes_are_lines(void)
{
	complains(PAIR(""), " route from a to b: no route from a to b in zone world, expected one");
	complains(PAIR("<route src='a' dst='c'/>"), "7: dst = c, expected a member of this zone");
	complains(PAIR("<route src='a' dst='b'><link_ctn id='m'/></route>"),
		  "7: unknown link m, expected one of those before");
	complains(PAIR("<route src='a' dst='b'><link_ctn id='s'/></route>"),
		  "7: link s is SPLITDUPLEX, expected direction UP or DOWN");
	complains(PAIR("<route src='a' dst='b'><link_ctn id='l'/></route>\n<route src='b' dst='a'/>"),
		  "8: a second route from b to a, expected one");
	complains(PAIR("<route src='a' dst='b'><link_ctn id='l'/><link_ctn id='l'/></route>"),
		  " route from a to b: link l twice, expected once");
	complains(PAIR("<zone id='z' routing='None'><host id='c'/></zone><zoneRoute src='a' dst='z'/>"),
		  "7: gw_dst = none, expected a host or router in z");
}

static void mistakes_of_clusters_are_lines(void)
{
	complains(CLUSTER("radical='0-x'"),
		  "5: radical 0-x: expected numbers and ranges, 0-9,12, of at most 4096 hosts");
	complains(CLUSTER("radical='0-5000'"),
		  "5: radical 0-5000: expected numbers and ranges, 0-9,12, of at most 4096 hosts");
	complains(CLUSTER("radical='0-3' topology='TORUS' topo_parameters='3'"),
		  "5: topo_parameters 3: 4 hosts, expected as many as the shape has");
	complains(CLUSTER("radical='0-3' topology='FAT_TREE' topo_parameters='2;4;1;1'"),
		  "5: topo_parameters of a FAT_TREE of 2 levels: expected three lists of as many");
	complains(CLUSTER("radical='0-11' topology='DRAGONFLY' topo_parameters='3,1;2,1;2,1;1'"),
		  "5: topo_parameters of a DRAGONFLY: 3 groups, expected at most the 2 blades of a chassis");
	complains(CLUSTER("radical='0-3' topology='TORUS' topo_parameters='4' limiter_link='1GBps'"),
		  "5: limiter_link of a cluster of topology TORUS, expected none");
}

static void short_memory_is_an_error(void)
{
	char parameters[500];

	parameters_of(parameters, TWO, "");
	for (unsigned k = 1;; k++) {
		struct err e = {0};
		struct topology *t;

		alloc_fail_at(k);
		t = topology_made(parameters, &e);
		if (!alloc_fail_end()) {
			CHECK(t != NULL && k > 8);
			topology_destroy(t);
			return;
		}
		topology_destroy(t);
	}
}

static const struct tap_test tests[] = {
	{"clusters route as SimGrid does", clusters_route_as_simgrid_does},
	{"zones are joined by gateways", zones_are_joined_by_gateways},
	{"neighbours route by the fewest links", neighbours_route_by_the_fewest_links},
	{"mistakes of elements are lines", mistakes_of_elements_are_lines},
	{"mistakes of routes are lines", mistakes_of_routes_are_lines},
	{"mistakes of clusters are lines", mistakes_of_clusters_are_lines},
	{"short memory is an error", short_memory_is_an_error},
};

int main(void)
{
	int status;

	folder_make();
	status = tap_main("platforms", tests, TAP_COUNT(tests));
	unlink(in_folder("a.xml"));
	rmdir(folder);
	return status;
}
