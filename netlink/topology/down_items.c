/* Items that are down, by their names. */
#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../psim/base/mem.h"
#include "../../psim/base/rng.h"
#include "down.h"
#include "topology_names.h"

enum item_kind { ITEM_LINK, ITEM_ROUTER, ITEM_NODE, ITEM_SHARE };
struct item {
	enum item_kind kind;
	const char *name; /* of a router or node */
	double share;
	uint64_t seed;
};

static bool starts_with(const char *text, const char *word)
{
	return !strncmp(text, word, strlen(word));
}

/* Reads "SHARE[:SEED]". */
static int item_read_share(const char *text, struct item *x, struct err *e)
{
	char *end;

	x->kind = ITEM_SHARE;
	x->seed = 1;
	x->share = strtod(text, &end);
	if (end == text || (*end && *end != ':') || !isfinite(x->share))
		return err_set(e, STATUS_USAGE,
			       "%s: expected a link A-B, router:R, node:N or a share of the links SHARE:SEED", text);
	if (!(x->share > 0 && x->share <= 1))
		return err_set(e, STATUS_USAGE, "%s: a share of %g, expected above 0 to 1", text, x->share);
	if (!*end)
		return 0;
	if (strspn(end + 1, "0123456789") != strlen(end + 1) || !end[1] || strlen(end + 1) > 18)
		return err_set(e, STATUS_USAGE, "%s: seed '%s', expected a number of up to 18 digits", text, end + 1);
	x->seed = strtoull(end + 1, NULL, 10);
	return 0;
}

static int item_read(const char *text, struct item *x, struct err *e)
{
	*x = (struct item){.kind = ITEM_LINK};
	if (strlen(text) > DOWN_ITEM_MAX)
		return err_set(e, STATUS_USAGE, "%.20s…: an item of %zu letters, expected at most %d", text,
			       strlen(text), DOWN_ITEM_MAX);
	if (starts_with(text, "router:") || starts_with(text, "node:")) {
		x->kind = *text == 'r' ? ITEM_ROUTER : ITEM_NODE;
		x->name = strchr(text, ':') + 1;
		return *x->name
			       ? 0
			       : err_set(e, STATUS_USAGE, "%s: expected a %.*s", text, (int)(x->name - text - 1), text);
	}
	return strchr(text, '-') && strchr(text, '-') != text ? 0 : item_read_share(text, x, e);
}

/* ---- lists ---- */

/* Copies the next item of a list, whose items end at commas and blanks; false: there is none. */
static bool next_item(const char **at, char item[DOWN_ITEM_MAX + 2])
{
	size_t length;

	*at += strspn(*at, ", \t");
	length = strcspn(*at, ", \t");
	snprintf(item, DOWN_ITEM_MAX + 2, "%.*s", (int)(length > DOWN_ITEM_MAX + 1 ? DOWN_ITEM_MAX + 1 : length), *at);
	*at += length;
	return length > 0;
}

static bool list_is_none(const char *list)
{
	return !*list || !strcmp(list, "none");
}

int down_check(const char *list, bool *round, struct err *e)
{
	char text[DOWN_ITEM_MAX + 2];
	unsigned count = 0;
	struct item x;

	*round = false;
	if (list_is_none(list))
		return 0;
	for (; next_item(&list, text); count++) {
		if (item_read(text, &x, e) < 0)
			return -1;
		*round |= x.kind != ITEM_NODE;
	}
	return count ? 0 : err_set(e, STATUS_USAGE, "no item, expected none or a link, router, node or share");
}

int down_take_list(struct topology_down *d, const struct topology *t, const char *list, struct err *e)
{
	char text[DOWN_ITEM_MAX + 2];

	while (!list_is_none(list) && next_item(&list, text))
		if (down_take(d, t, text, false, e) < 0)
			return -1;
	return 0;
}

/* ---- names ---- */

/* Finds the number that `text` of `length` letters is, below `count`. */
static bool find_numbered(const char *text, size_t length, uint32_t count, uint32_t *number)
{
	if (!length || length > 9 || strspn(text, "0123456789") < length || (*text == '0' && length > 1))
		return false;
	*number = (uint32_t)strtoul(text, NULL, 10);
	return *number < count;
}

/* Finds the router, a vertex, of that name. */
static bool find_router(const struct topology *t, const char *text, size_t length, uint32_t *router)
{
	bool found = false;

	if (!t->router_names.text) {
		found = find_numbered(text, length, t->routers, router);
		*router += t->nodes;
		return found;
	}
	for (uint32_t r = 0; r < t->routers && !found; r++) {
		const char *name = t->router_names.text + t->router_names.at[r];

		found = strlen(name) == length && !memcmp(name, text, length);
		*router = t->nodes + r;
	}
	return found;
}

static int no_router(const struct topology *t, const char *item, const char *name, struct err *e)
{
	char first[ROUTER_NAME_MAX], last[ROUTER_NAME_MAX];

	return err_set(e, STATUS_USAGE, "%s: no router %.64s, expected one of %" PRIu32 " routers, %s to %s", item,
		       name, t->routers, topology_router_name(t, t->nodes, first),
		       topology_router_name(t, t->nodes + t->routers - 1, last));
}

static int no_node(const struct topology *t, const char *item, const char *name, struct err *e)
{
	char first[ROUTER_NAME_MAX], last[ROUTER_NAME_MAX];

	return err_set(e, STATUS_USAGE, "%s: no node %s, expected %s to %s", item, name,
		       topology_node_name(t, 0, first), topology_node_name(t, t->nodes - 1, last));
}

/* Finds the ends of a link A-B, where names may have hyphens. 0, or -1 with `e`. */
static int find_ends(const struct topology *t, const char *item, uint32_t ends[2], struct err *e)
{
	const char *hyphen = strchr(item, '-');
	unsigned ways = 0;

	for (const char *at = hyphen; at; at = strchr(at + 1, '-')) {
		uint32_t a, b;

		if (!find_router(t, item, (size_t)(at - item), &a) || !find_router(t, at + 1, strlen(at + 1), &b))
			continue;
		ends[0] = a;
		ends[1] = b;
		ways++;
	}
	if (ways > 1)
		return err_set(e, STATUS_USAGE, "%s: the names of several pairs of routers, expected another name",
			       item);
	if (!ways && !strchr(hyphen + 1, '-')) {
		char name[DOWN_ITEM_MAX + 2];

		snprintf(name, sizeof(name), "%.*s", (int)(hyphen - item), item);
		return no_router(t, item, find_router(t, name, strlen(name), &ends[0]) ? hyphen + 1 : name, e);
	}
	return ways ? 0 : err_set(e, STATUS_USAGE, "%s: expected the names of two routers, A-B", item);
}

/* ---- one item ---- */

static int wrong_state(const char *item, bool up, struct err *e)
{
	if (up)
		return err_set(e, STATUS_USAGE, "%s: it is up, expected what has failed before", item);
	return err_set(e, STATUS_USAGE, "%s: it is down already, expected what is up", item);
}

/* Writes the neighbours of a router, some of them. */
static void say_neighbours(const struct topology *t, uint32_t router, char *text, size_t size)
{
	size_t used = 0;

	text[0] = '\0';
	for (uint32_t i = t->out_first[router]; i < t->out_first[router + 1] && used < size; i++) {
		uint32_t to = t->link[t->out_link[i]].to;
		char name[ROUTER_NAME_MAX];

		if (to >= t->nodes)
			used += (size_t)snprintf(text + used, size - used, "%s%s", used ? ", " : "",
						 topology_router_name(t, to, name));
	}
	if (used >= size)
		snprintf(text + size - 6, 6, ", …");
}

static int take_pair(struct topology_down *d, const struct topology *t, const char *item, bool up, struct err *e)
{
	char near[120], name[ROUTER_NAME_MAX];
	uint32_t ends[2], links = 0;

	if (find_ends(t, item, ends, e) < 0)
		return -1;
	for (unsigned way = 0; way < 2; way++)
		for (uint32_t i = t->out_first[ends[way]]; i < t->out_first[ends[way] + 1]; i++) {
			uint32_t l = t->out_link[i];

			if (t->link[l].to != ends[!way])
				continue;
			if (d->named_link[l] == !up)
				return wrong_state(item, up, e);
			d->named_link[l] = !up;
			links++;
		}
	if (links)
		return 0;
	say_neighbours(t, ends[0], near, sizeof(near));
	return err_set(e, STATUS_USAGE, "%s: no link between these routers, expected a neighbour of %s: %s", item,
		       topology_router_name(t, ends[0], name), near);
}

static int take_vertex(struct topology_down *d, const struct topology *t, const char *item, const struct item *x,
		       bool up, struct err *e)
{
	uint32_t v = 0;

	if (x->kind == ITEM_ROUTER && !find_router(t, x->name, strlen(x->name), &v))
		return no_router(t, item, x->name, e);
	if (x->kind == ITEM_NODE && !topology_node_named(t, x->name, &v) &&
	    !find_numbered(x->name, strlen(x->name), t->nodes, &v))
		return no_node(t, item, x->name, e);
	if (d->named[v] == !up)
		return wrong_state(item, up, e);
	d->named[v] = !up;
	return 0;
}

/* The link that leads back beside `link`: the k-th of those back for the k-th there. LINK_NONE: there is none. */
static uint32_t back_of(const struct topology *t, uint32_t link)
{
	uint32_t from = t->link[link].from, to = t->link[link].to, before = 0;

	for (uint32_t i = t->out_first[from]; t->out_link[i] != link; i++)
		before += t->link[t->out_link[i]].to == to;
	for (uint32_t i = t->out_first[to]; i < t->out_first[to + 1]; i++)
		if (t->link[t->out_link[i]].to == from && !before--)
			return t->out_link[i];
	return LINK_NONE;
}

static void name_cable(struct topology_down *d, const struct topology *t, uint32_t link)
{
	uint32_t back = back_of(t, link);

	d->named_link[link] = 1;
	if (back != LINK_NONE)
		d->named_link[back] = 1;
}

/* Draws a share of the links between routers that are up; both ways of a link are one. */
static int take_share(struct topology_down *d, const struct topology *t, const struct item *x, struct err *e)
{
	uint32_t *link = mem_alloc(t->links + (size_t)1, sizeof(*link), e), count = 0, wanted;

	if (!link)
		return -1;
	for (uint32_t l = 0; l < t->links; l++) {
		uint32_t back;

		if (t->link[l].from < t->nodes || t->link[l].to < t->nodes || d->named_link[l])
			continue;
		back = back_of(t, l);
		if (back == LINK_NONE || back > l)
			link[count++] = l;
	}
	wanted = (uint32_t)lround(x->share * count);
	for (uint32_t i = 0; i < wanted; i++) {
		uint32_t drawn = i + (uint32_t)rng_below(x->seed, 1, i, count - i), l = link[drawn];

		link[drawn] = link[i];
		name_cable(d, t, l);
	}
	free(link);
	return 0;
}

int down_take(struct topology_down *d, const struct topology *t, const char *item, bool up, struct err *e)
{
	struct item x;

	if (item_read(item, &x, e) < 0)
		return -1;
	switch (x.kind) {
	case ITEM_LINK: return take_pair(d, t, item, up, e);
	case ITEM_SHARE:
		if (up)
			return err_set(e, STATUS_USAGE, "%s: a share, expected a link A-B, router:R or node:N", item);
		return take_share(d, t, &x, e);
	default: return take_vertex(d, t, item, &x, up, e);
	}
}
