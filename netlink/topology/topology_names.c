#include "topology_names.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../psim/base/mem.h"
#include "../../psim/base/report/report.h"
#include "../../psim/base/vec.h"

static const char *name_at(const struct topology_names *names, uint32_t number)
{
	return names->text + names->at[number];
}

bool topology_has_node_names(const struct topology *t)
{
	return t->node_names.text;
}

bool topology_node_named(const struct topology *t, const char *name, uint32_t *ret_node)
{
	for (uint32_t v = 0; t->node_names.text && v < t->nodes; v++)
		if (!strcmp(name_at(&t->node_names, v), name)) {
			*ret_node = v;
			return true;
		}
	return false;
}

const char *topology_node_name(const struct topology *t, uint32_t node, char text[ROUTER_NAME_MAX])
{
	if (t->node_names.text)
		snprintf(text, ROUTER_NAME_MAX, "%s", name_at(&t->node_names, node));
	else
		snprintf(text, ROUTER_NAME_MAX, "%" PRIu32, node);
	return text;
}

const char *topology_router_name(const struct topology *t, uint32_t router, char text[ROUTER_NAME_MAX])
{
	if (t->router_names.text)
		snprintf(text, ROUTER_NAME_MAX, "%s", name_at(&t->router_names, router - t->nodes));
	else
		snprintf(text, ROUTER_NAME_MAX, "%" PRIu32, router - t->nodes);
	return text;
}

const char *topology_vertex_name(const struct topology *t, uint32_t vertex, char text[VERTEX_NAME_MAX])
{
	char name[ROUTER_NAME_MAX];

	if (vertex >= t->nodes)
		return topology_router_name(t, vertex, text);
	snprintf(text, VERTEX_NAME_MAX, "node:%s", topology_node_name(t, vertex, name));
	return text;
}

const char *topology_link_name(const struct topology *t, uint32_t link, char text[LINK_NAME_MAX])
{
	char from[VERTEX_NAME_MAX], to[VERTEX_NAME_MAX];

	if (link < t->named_links)
		snprintf(text, LINK_NAME_MAX, "%s", name_at(&t->link_names, link));
	else
		snprintf(text, LINK_NAME_MAX, "%s-%s", topology_vertex_name(t, t->link[link].from, from),
			 topology_vertex_name(t, t->link[link].to, to));
	return text;
}

const char *topology_medium_name(const struct topology *t, uint32_t link, char text[LINK_NAME_MAX])
{
	const struct topology_class *c = &t->class[t->link[link].class];

	return c->backbone ? c->name : topology_link_name(t, link, text);
}

/* ---- cells ---- */

static bool is_named(const struct topology *t)
{
	return t->node_names.text || t->router_names.text;
}

void report_cell_node(struct report *r, const struct topology *t, uint32_t node)
{
	char name[ROUTER_NAME_MAX];

	if (topology_has_node_names(t))
		report_cell_text(r, topology_node_name(t, node, name));
	else
		report_cell_u64(r, node);
}

void report_cell_vertex(struct report *r, const struct topology *t, uint32_t vertex)
{
	char name[VERTEX_NAME_MAX];

	if (is_named(t))
		report_cell_text(r, topology_vertex_name(t, vertex, name));
	else
		report_cell_u64(r, vertex);
}

void report_cell_link(struct report *r, const struct topology *t, uint32_t link)
{
	char name[LINK_NAME_MAX];

	if (is_named(t))
		report_cell_text(r, topology_link_name(t, link, name));
	else
		report_cell_u64(r, link);
}

/* ---- making ---- */

int topology_names_make(struct topology_names *names, uint32_t count,
			const char *(*name)(const void *from, uint32_t number, char text[ROUTER_NAME_MAX]),
			const void *from, struct err *e)
{
	size_t *at = mem_alloc((size_t)count + 1, sizeof(*at), e);
	struct vec_of(char) text = {0};
	char own[ROUTER_NAME_MAX];
	int ret = at ? 0 : -1;

	for (uint32_t i = 0; i < count && ret == 0; i++) {
		const char *one = name(from, i, own);
		size_t length = strlen(one) + 1;

		at[i] = text.count;
		ret = vec_reserve(&text, length, e);
		if (ret == 0)
			memcpy(text.at + text.count, one, length);
		text.count += length;
	}
	if (ret) {
		free(at);
		vec_finish(&text);
		return -1;
	}
	*names = (struct topology_names){text.at, at};
	return 0;
}

void topology_names_finish(struct topology_names *names)
{
	free((void *)names->text);
	free((void *)names->at);
	*names = (struct topology_names){0};
}
