/* Lists of edges: refused with one line, or a network on which ways end where they should, of every routing. */
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "fuzz_file.h"
#include "netlink/topology/kind.h"

enum { NODES_MAX = 300, LINKS_MAX = 4000 };

static void follow_ways(const struct topology *t)
{
	for (uint32_t src = 0; src < t->nodes; src += 7)
		for (uint32_t dst = 0; dst < t->nodes; dst += 5) {
			uint32_t links[2000];
			unsigned n = topology_path(t, src, dst, src ^ dst, links, 2000);

			if (n < 2 || t->link[links[0]].from != src || t->link[links[n - 1]].to != dst)
				abort();
			if (t->routing->minimal && n - 2 != topology_distance(t, src, dst))
				abort();
		}
}

static void try_routing(const char *path, const char *routing)
{
	struct topology_config v;
	struct topology *t;
	struct err e = {0};
	unsigned count;
	const struct topology_kind *const *kinds = topology_kinds(&count);

	topology_config_add(NULL, &v);
	while (strcmp(kinds[v.topology.kind]->name, "graph") != 0)
		v.topology.kind = (v.topology.kind + 1) % count;
	strncpy(v.topology.file, path, sizeof(v.topology.file) - 1);
	strncpy(v.topology.routing, routing, sizeof(v.topology.routing) - 1);
	t = topology_create(&v, &e);
	if (!t && (!*e.text || strchr(e.text, '\n')))
		abort();
	if (t && t->nodes < NODES_MAX && t->links < LINKS_MAX)
		follow_ways(t);
	topology_destroy(t);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const routings[] = {"minimal", "ecmp",    "random",  "adaptive",
					       "up_down", "layered", "valiant", "ugal"};
	const char *path = fuzz_file("a.graph", data, size);

	for (unsigned i = 0; i < sizeof(routings) / sizeof(routings[0]); i++)
		try_routing(path, routings[i]);
	return 0;
}
