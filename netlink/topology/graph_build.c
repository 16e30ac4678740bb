#include "graph_build.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../../psim/base/hash.h"
#include "../../psim/base/mem.h"
#include "topology_plan.h"

enum { NAME_CHARS = 63, CLASSES_MAX = 1000, EDGES_MAX = 1 << 26 };

static const char *name_of_vertex(const struct graph_reader *r, uint32_t v)
{
	return name_table_text(&r->names, r->vertices.at[v].name);
}

/* ---- vertices ---- */

/* Before vertices are sorted, their numbers are those of their names. */
uint32_t graph_find_vertex(const struct graph_reader *r, const char *name)
{
	return name_table_find(&r->names, name);
}

uint32_t graph_vertex_of(struct graph_reader *r, const char *name)
{
	uint32_t number = name_table_find(&r->names, name);
	struct graph_vertex *v;

	if (number != NAME_NONE)
		return number;
	for (const char *at = name; *at; at++)
		if (iscntrl((unsigned char)*at))
			return lines_wrong(&r->lines, "control character 0x%02x in a name, expected text",
					   (unsigned char)*at),
			       NAME_NONE;
	if (strlen(name) > NAME_CHARS)
		return lines_wrong(&r->lines, "%.20s…: a name of %zu letters, expected at most %d", name, strlen(name),
				   NAME_CHARS),
		       NAME_NONE;
	if (r->vertices.count == GRAPH_ROUTERS_MAX)
		return lines_wrong(&r->lines, "too many vertices, expected at most %d", GRAPH_ROUTERS_MAX), NAME_NONE;
	v = vec_push(&r->vertices, r->lines.err);
	number = v ? name_table_add(&r->names, name, r->lines.err) : NAME_NONE;
	if (number != NAME_NONE)
		*v = (struct graph_vertex){.name = number, .hosts = r->hosts};
	return number;
}

/* ---- edges ---- */

static size_t graph_build_pair_place(const struct graph_reader *r, const struct graph_edge *e)
{
	uint64_t low = e->from < e->to ? e->from : e->to, high = e->from < e->to ? e->to : e->from;

	return hash_low(low << 32 | high) & (r->pairs - 1);
}

/* Returns the slot of the edge between the same two vertices, or the empty slot for it. */
static uint32_t *pair_of(const struct graph_reader *r, const struct graph_edge *e)
{
	size_t i = graph_build_pair_place(r, e);

	for (; r->pair[i]; i = (i + 1) & (r->pairs - 1)) {
		const struct graph_edge *x = &r->edges.at[r->pair[i] - 1];

		if ((x->from == e->from && x->to == e->to) || (x->from == e->to && x->to == e->from))
			break;
	}
	return &r->pair[i];
}

static int graph_build_more_pairs(struct graph_reader *r)
{
	size_t pairs = r->pairs ? 2 * r->pairs : 1024;
	uint32_t *larger = mem_alloc(pairs, sizeof(*larger), r->lines.err);

	if (!larger)
		return -1;
	free(r->pair);
	r->pair = larger;
	r->pairs = pairs;
	for (uint32_t i = 0; i < r->edges.count; i++)
		*pair_of(r, &r->edges.at[i]) = i + 1;
	return 0;
}

static int class_of_name(struct graph_reader *r, const char *name)
{
	struct graph_class_name *c;

	for (size_t i = 0; i < r->classes.count; i++)
		if (!strcmp(r->classes.at[i].text, name))
			return (int)i;
	if (!*name)
		return lines_wrong(&r->lines, "a class without a name, expected 1 to %d letters",
				   TOPOLOGY_NAME_MAX - 1);
	for (const char *at = name; *at; at++)
		if (iscntrl((unsigned char)*at))
			return lines_wrong(&r->lines, "control character 0x%02x in a class, expected text",
					   (unsigned char)*at);
	if (strlen(name) >= TOPOLOGY_NAME_MAX)
		return lines_wrong(&r->lines, "class %.20s…: a name of %zu letters, expected at most %d", name,
				   strlen(name), TOPOLOGY_NAME_MAX - 1);
	if (!strcmp(name, "inject") || !strcmp(name, "eject"))
		return lines_wrong(&r->lines, "class %s: that of the links of nodes, expected another name", name);
	if (r->classes.count == CLASSES_MAX)
		return lines_wrong(&r->lines, "too many classes of links, expected at most %d", CLASSES_MAX);
	c = vec_push(&r->classes, r->lines.err);
	if (!c)
		return -1;
	strcpy(c->text, name);
	return (int)r->classes.count - 1;
}

int graph_add_edge(struct graph_reader *r, const char *from, const char *to, const char *class, const char *back)
{
	struct graph_edge x = {.line = r->lines.number}, *place;
	int there = class_of_name(r, class), returns = there < 0 ? -1 : class_of_name(r, back);
	uint32_t *pair;

	if (returns < 0 || (x.from = graph_vertex_of(r, from)) == NAME_NONE ||
	    (x.to = graph_vertex_of(r, to)) == NAME_NONE)
		return -1;
	x.class = (uint16_t)there;
	x.back = (uint16_t)returns;
	if (x.from == x.to)
		return lines_wrong(&r->lines, "an edge from %s to itself, expected another vertex", from);
	if (2 * r->edges.count >= r->pairs && graph_build_more_pairs(r) < 0)
		return -1;
	pair = pair_of(r, &x);
	if (*pair)
		return lines_wrong(&r->lines, "repeated edge of %s and %s, first in line %" PRIu32, from, to,
				   r->edges.at[*pair - 1].line);
	if (r->edges.count == EDGES_MAX)
		return lines_wrong(&r->lines, "too many edges, expected at most %d", EDGES_MAX);
	place = vec_push(&r->edges, r->lines.err);
	if (!place)
		return -1;
	*place = x;
	*pair = (uint32_t)r->edges.count;
	return 0;
}

/* ---- nodes ---- */

int graph_set_hosts(struct graph_reader *r, const char *name, const char *count)
{
	uint32_t v = graph_vertex_of(r, name);
	struct graph_vertex *x;

	if (v == NAME_NONE)
		return -1;
	x = &r->vertices.at[v];
	if (strspn(count, "0123456789") != strlen(count) || strlen(count) > 5 || atoi(count) > GRAPH_HOSTS_MAX)
		return lines_wrong(&r->lines, "%.20s nodes of %s, expected 0 to %d", count, name, GRAPH_HOSTS_MAX);
	if (x->hosts_line)
		return lines_wrong(&r->lines, "nodes of %s given twice, first in line %" PRIu32, name, x->hosts_line);
	x->hosts = (uint32_t)atoi(count);
	x->hosts_line = r->lines.number;
	return 0;
}

/* ---- the whole ---- */

/* Returns whether all names are numbers that fit, in the form in which they are counted. */
static bool are_numbers(const struct graph_reader *r)
{
	for (uint32_t v = 0; v < r->vertices.count; v++) {
		const char *name = name_of_vertex(r, v);

		if (strspn(name, "0123456789") != strlen(name) || strlen(name) > 9 || (*name == '0' && name[1]))
			return false;
	}
	return true;
}

struct numbered {
	uint32_t number, vertex;
};

static int graph_build_by_number(const void *a, const void *b)
{
	const struct numbered *x = a, *y = b;

	return (x->number > y->number) - (x->number < y->number);
}

/* Moves vertices to the order of their numbers. */
static int sort_vertices(struct graph_reader *r, struct err *e)
{
	size_t count = r->vertices.count;
	struct numbered *order;
	struct graph_vertex *sorted;
	uint32_t *now;

	if (!are_numbers(r))
		return 0;
	order = mem_alloc(count + 1, sizeof(*order), e);
	sorted = mem_alloc(count + 1, sizeof(*sorted), e);
	now = mem_alloc(count + 1, sizeof(*now), e);
	for (uint32_t v = 0; order && sorted && now && v < count; v++)
		order[v] = (struct numbered){(uint32_t)atoi(name_of_vertex(r, v)), v};
	if (order && sorted && now) {
		qsort(order, count, sizeof(*order), graph_build_by_number);
		for (uint32_t v = 0; v < count; v++) {
			sorted[v] = r->vertices.at[order[v].vertex];
			now[order[v].vertex] = v;
		}
		for (size_t i = 0; i < count; i++)
			r->vertices.at[i] = sorted[i];
		for (size_t i = 0; i < r->edges.count; i++) {
			r->edges.at[i].from = now[r->edges.at[i].from];
			r->edges.at[i].to = now[r->edges.at[i].to];
		}
	}
	free(order);
	free(sorted);
	free(now);
	return order && sorted && now ? 0 : -1;
}

static uint32_t root_of(uint32_t *above, uint32_t v)
{
	while (above[v] != v)
		v = above[v] = above[above[v]];
	return v;
}

/* Checks that a way leads from the first vertex to every other: sets of vertices that edges join. */
static int check_connected(const struct graph_reader *r, struct err *e)
{
	uint32_t *above = mem_alloc(r->vertices.count, sizeof(*above), e);
	int result = above ? 0 : -1;

	for (uint32_t v = 0; above && v < r->vertices.count; v++)
		above[v] = v;
	for (size_t i = 0; above && i < r->edges.count; i++)
		above[root_of(above, r->edges.at[i].from)] = root_of(above, r->edges.at[i].to);
	for (uint32_t v = 1; above && v < r->vertices.count && !result; v++)
		if (root_of(above, v) != root_of(above, 0))
			result = err_set(e, STATUS_BAD_INPUT, "%s: no way from %s to %s, expected a connected graph",
					 r->lines.name, name_of_vertex(r, 0), name_of_vertex(r, v));
	free(above);
	return result;
}

static int count_nodes(const struct graph_reader *r, struct graph_file *f, struct err *e)
{
	uint64_t nodes = 0;

	f->hosts = mem_alloc(r->vertices.count + 1, sizeof(*f->hosts), e);
	if (!f->hosts)
		return -1;
	for (uint32_t v = 0; v < r->vertices.count; v++)
		nodes += f->hosts[v] = r->vertices.at[v].hosts;
	if (!nodes || nodes > PLAN_NODES_MAX)
		return err_set(e, STATUS_BAD_INPUT, "%s: %" PRIu64 " nodes, expected 1 to %d", r->lines.name, nodes,
			       PLAN_NODES_MAX);
	f->nodes = (uint32_t)nodes;
	return 0;
}

int graph_build_finish(struct graph_reader *r, struct graph_file *f, struct err *e)
{
	if (!r->vertices.count)
		return err_set(e, STATUS_BAD_INPUT, "%s: no vertex in it, expected edges", r->lines.name);
	if (sort_vertices(r, e) || check_connected(r, e) || count_nodes(r, f, e))
		return -1;
	f->name_at = mem_alloc(r->vertices.count, sizeof(*f->name_at), e);
	if (!f->name_at)
		return -1;
	for (uint32_t v = 0; v < r->vertices.count; v++)
		f->name_at[v] = r->names.at.at[r->vertices.at[v].name];
	f->names = r->names.text.at;
	r->names.text.at = NULL;
	f->vertices = (uint32_t)r->vertices.count;
	f->edges = (uint32_t)r->edges.count;
	f->classes = (unsigned)r->classes.count;
	f->edge = r->edges.at;
	f->class = (void *)r->classes.at;
	r->edges.at = NULL;
	r->classes.at = NULL;
	return 0;
}

void graph_build_drop(struct graph_reader *r)
{
	vec_finish(&r->vertices);
	vec_finish(&r->edges);
	vec_finish(&r->classes);
	name_table_finish(&r->names);
	free(r->pair);
}
