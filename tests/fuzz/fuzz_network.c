/*
 * Descriptions of networks, a line `section.key=value` each: refused with one line, or, if it is
 * small, made, and its ways end where they should.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "netlink/topology/topology_plan.h"

enum { NODES_MAX = 300, LINKS_MAX = 4000 };

/* More than this would only take time. */
static int is_small(const struct topology_config *v)
{
	struct plan p;
	uint64_t nodes = v->topology.nics;

	if (plan_make(&p, v, NULL))
		return 0;
	if (!strcmp(p.kind->name, "tofu"))
		nodes *= 12;
	if (!strcmp(p.kind->name, "hyperx") || !strcmp(p.kind->name, "jellyfish") || !strcmp(p.kind->name, "slim_fly"))
		nodes *= v->topology.concentration;
	if (!strcmp(p.kind->name, "slim_fly"))
		nodes *= 2 * p.dim[0];
	if (!strcmp(p.kind->name, "dragonfly"))
		nodes *= v->topology.groups ? v->topology.groups : p.dim[1] * p.dim[2] + 1;
	if (!strcmp(p.kind->name, "dragonfly_plus"))
		nodes *= v->topology.groups ? v->topology.groups : p.dim[2] * p.dim[3] + 1;
	if (strcmp(v->topology.up, "full") != 0 && strlen(v->topology.up) > 5)
		return 0;
	for (unsigned d = 0; d < p.dims; d++) {
		nodes *= p.dim[d];
		if (nodes > NODES_MAX)
			return 0;
	}
	return 1;
}

static void try_network(const struct topology_config *v)
{
	struct err e;
	struct topology *t = topology_create(v, &e);

	if (!t) {
		if (e.status != STATUS_USAGE && e.status != STATUS_FAILED && e.status != STATUS_BAD_INPUT)
			abort();
		return;
	}
	for (uint32_t src = 0; src < t->nodes && t->links < LINKS_MAX; src += 7)
		for (uint32_t dst = 0; dst < t->nodes; dst += 5) {
			uint32_t links[2000];
			unsigned n = topology_path(t, src, dst, src ^ dst, links, 2000);

			if (n < 2 || t->link[links[0]].from != src || t->link[links[n - 1]].to != dst)
				abort();
			if (t->routing->minimal && n - 2 != topology_distance(t, src, dst))
				abort();
		}
	topology_destroy(t);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct config *c = config_create();
	struct topology_config v;
	char text[2000], *save;
	struct err e = {0};

	topology_config_add(c, &v);
	size = size < sizeof(text) - 1 ? size : sizeof(text) - 1;
	memcpy(text, data, size);
	text[size] = '\0';
	for (char *line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save))
		if (config_override(c, line, "-p", &e) && (e.status != STATUS_USAGE || strchr(e.text, '\n')))
			abort();
	if (topology_config_check(c, &v, &e)) {
		if (e.status != STATUS_USAGE || !*e.text || strchr(e.text, '\n'))
			abort();
	} else if (is_small(&v)) {
		try_network(&v);
	}
	config_destroy(c);
	return 0;
}
