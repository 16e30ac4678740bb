#include "topology_maker.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "netlink/topology/kind.h"
#include "tap.h"

static int assign_all(struct config *c, const char *parameters, struct err *e)
{
	char text[500], *save, *word;

	snprintf(text, sizeof(text), "%s", parameters);
	for (word = strtok_r(text, " ", &save); word; word = strtok_r(NULL, " ", &save)) {
		char one[200];
		size_t name = strcspn(word, "=");

		snprintf(one, sizeof(one), "%s%s", memchr(word, '.', name) ? "" : "topology.", word);
		if (config_override(c, one, "-p", e))
			return -1;
	}
	return 0;
}

struct topology *topology_made(const char *parameters, struct err *e)
{
	struct config *c = config_create();
	struct topology *t = NULL;
	struct topology_config v;

	topology_config_add(c, &v);
	if (!assign_all(c, parameters, e) && !topology_config_check(c, &v, e))
		t = topology_create(&v, e);
	config_destroy(c);
	return t;
}

struct topology *topology_must(const char *parameters)
{
	struct err e = {0};
	struct topology *t = topology_made(parameters, &e);

	if (!t)
		fprintf(stderr, "%s: %s\n", parameters, e.text);
	REQUIRE(t != NULL);
	return t;
}

const char *topology_complaint(const char *parameters)
{
	static struct err e;
	struct topology *t = topology_made(parameters, &e);

	topology_destroy(t);
	return t ? NULL : e.text;
}

unsigned topology_follow(const struct topology *t, uint32_t src, uint32_t dst, uint64_t key)
{
	struct route_step steps[ROUTE_STEPS_MAX];
	uint32_t link = t->inject[src * t->nics], at = t->link[link].to;
	unsigned count = 0, vc = 0, hops = 0;
	struct route r;

	CHECK_U64(t->link[link].from, src);
	topology_route_start(t, src, dst, key, &r);
	while (at >= t->nodes) {
		unsigned n = topology_route_next(t, at, link, vc, &r, steps);

		REQUIRE(n >= 1 && n <= ROUTE_STEPS_MAX);
		REQUIRE(steps[0].link < t->links);
		CHECK(steps[0].vc < t->vcs);
		CHECK(!count || steps[0].hops + 1u == hops);
		hops = steps[0].hops;
		topology_route_take(t, at, &steps[0], &r);
		link = steps[0].link;
		vc = steps[0].vc;
		CHECK_U64(t->link[link].from, at);
		at = t->link[link].to;
		REQUIRE(count++ < 2 * t->routers + 2);
	}
	CHECK_U64(at, dst);
	CHECK_U64(link, t->eject[dst * t->nics]);
	CHECK_U64(hops, 1);
	return count - 1;
}

/* Links between routers from a node's router to all vertices, by breadth-first search. */
static void search(const struct topology *t, uint32_t src, unsigned *far)
{
	uint32_t vertices = t->nodes + t->routers, *queue = malloc(vertices * sizeof(*queue)), head = 0, tail = 0;

	REQUIRE(queue != NULL);
	for (uint32_t v = 0; v < vertices; v++)
		far[v] = ~0u;
	queue[tail++] = t->link[t->inject[src * t->nics]].to;
	far[queue[0]] = 0;
	while (head < tail) {
		uint32_t v = queue[head++];

		for (uint32_t i = t->out_first[v]; i < t->out_first[v + 1]; i++) {
			uint32_t to = t->link[t->out_link[i]].to;

			if (far[to] != ~0u || to < t->nodes)
				continue;
			far[to] = far[v] + 1;
			queue[tail++] = to;
		}
	}
	free(queue);
}

double topology_check_ways(const char *network)
{
	struct topology *t = topology_must(network);
	unsigned *far = malloc((t->nodes + t->routers) * sizeof(*far));
	uint32_t step = t->nodes > 300 ? 64 : 1, sources = 0;
	uint64_t sum = 0;

	REQUIRE(far != NULL);
	for (uint32_t src = 0; src < t->nodes; src += step, sources++) {
		search(t, src, far);
		for (uint32_t dst = 0; dst < t->nodes; dst++) {
			unsigned d = topology_distance(t, src, dst), n = topology_follow(t, src, dst, src * 1000 + dst);

			CHECK_U64(d, far[t->link[t->eject[dst * t->nics]].from]);
			CHECK(t->routing->minimal ? n == d : n >= d);
			sum += d;
		}
	}
	free(far);
	sum = sum * 1000000 / sources / t->nodes;
	topology_destroy(t);
	return (double)sum / 1e6;
}
