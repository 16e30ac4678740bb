/*
 * Items that are down, and fail or are repaired afterwards: each refused with one line, or a network on which ways are
 * up and end where they should.
 */
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "netlink/topology/down.h"
#include "netlink/topology/kind.h"

static void check_error(const struct err *e)
{
	if (!*e->text || strchr(e->text, '\n'))
		abort();
}

static void follow_ways(const struct topology *t)
{
	for (uint32_t src = 0; src < t->nodes; src++)
		for (uint32_t dst = 0; dst < t->nodes; dst++) {
			uint32_t links[200];
			unsigned n;

			if (!topology_reaches(t, src, dst))
				continue;
			n = topology_path(t, src, dst, src ^ dst, links, 200);
			if (n < 2 || t->link[links[0]].from != src || t->link[links[n - 1]].to != dst)
				abort();
			for (unsigned i = 0; t->down && i < n; i++)
				if (t->down->link[links[i]])
					abort();
		}
}

/* Fails each item of the text, or repairs it if it is down; the networks between are followed. */
static void change(const struct topology *t, char *text)
{
	const struct topology *before = t;
	struct topology *last = NULL;
	char *rest, *item = strtok_r(text, ",", &rest);

	for (unsigned i = 0; item && i < 8; item = strtok_r(NULL, ",", &rest), i++) {
		struct err e = {0};
		struct topology_down *d = down_copy(before, &e);
		bool taken = d && (down_take(d, t, item, false, &e) == 0 || down_take(d, t, item, true, &e) == 0);
		struct topology *next = taken ? topology_without(t, d, &e) : NULL;

		if (!taken) {
			check_error(&e);
			down_destroy(d);
			continue;
		}
		if (!next) {
			check_error(&e);
			continue;
		}
		follow_ways(next);
		topology_destroy(last);
		before = last = next;
	}
	topology_destroy(last);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const routings[] = {"minimal", "up_down", "valiant"};
	struct topology_config v;
	struct err e = {0};
	struct topology *t;
	char text[400];
	bool round;

	if (!size || size >= sizeof(text))
		return 0;
	topology_config_add(NULL, &v);
	memcpy(text, data + 1, size - 1);
	text[size - 1] = '\0';
	strcpy(v.topology.dims, "3x3");
	strcpy(v.topology.routing, routings[data[0] % 3]);
	strcpy(v.topology.down, text);
	t = down_check(text, &round, &e) < 0 ? NULL : topology_create(&v, &e);
	if (!t)
		check_error(&e);
	else
		follow_ways(t);
	topology_destroy(t);
	strcpy(v.topology.down, "none");
	v.links_fail = true;
	t = topology_create(&v, &e);
	if (t)
		change(t, text);
	topology_destroy(t);
	return 0;
}
