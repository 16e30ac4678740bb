#include "graph_file.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../../psim/base/input.h"
#include "../../psim/base/lines.h"
#include "../../psim/base/mem.h"
#include "../../psim/base/vec.h"
#include "topology_plan.h"

enum { LINE_CHARS = 300, NAME_CHARS = 63, CLASSES_MAX = 1000, HOSTS_MAX = 60000, EDGES_MAX = 1 << 26 };
#define NONE UINT32_MAX

struct vertex {
	size_t name; /* its place in the text of names */
	uint32_t hosts;
	uint32_t hosts_line; /* 0: not given */
};
struct class_name {
	char text[TOPOLOGY_NAME_MAX];
};

struct graph_reader {
	struct lines lines;
	uint32_t hosts; /* of a vertex of which the file says nothing */
	struct vec_of(struct vertex) vertices;
	struct vec_of(struct graph_edge) edges;
	struct vec_of(struct class_name) classes;
	struct vec_of(char) names;
	uint32_t *slot; /* hash table of vertices by their names: number + 1 */
	size_t slots;   /* a power of two */
	uint32_t *pair; /* the same of edges by their ends */
	size_t pairs;
};

static const char *graph_file_name_of(const struct graph_reader *r, uint32_t v)
{
	return r->names.at + r->vertices.at[v].name;
}

/* ---- vertices ---- */

static uint64_t hash_name(const char *name)
{
	uint64_t h = 14695981039346656037u; /* FNV-1a */

	for (; *name; name++)
		h = (h ^ (unsigned char)*name) * 1099511628211u;
	return h ^ h >> 29;
}

static uint32_t *slot_of(const struct graph_reader *r, const char *name)
{
	size_t i = hash_name(name) & (r->slots - 1);

	while (r->slot[i] && strcmp(graph_file_name_of(r, r->slot[i] - 1), name) != 0)
		i = (i + 1) & (r->slots - 1);
	return &r->slot[i];
}

static int more_slots(struct graph_reader *r)
{
	size_t slots = r->slots ? 2 * r->slots : 1024;
	uint32_t *larger = mem_alloc(slots, sizeof(*larger), r->lines.err);

	if (!larger)
		return -1;
	free(r->slot);
	r->slot = larger;
	r->slots = slots;
	for (uint32_t v = 0; v < r->vertices.count; v++)
		*slot_of(r, graph_file_name_of(r, v)) = v + 1;
	return 0;
}

/* Returns the vertex of that name, new or known; NONE with the error. */
static uint32_t vertex_of(struct graph_reader *r, const char *name)
{
	size_t length = strlen(name);
	struct vertex *v;
	uint32_t *slot;

	if (length > NAME_CHARS)
		return lines_wrong(&r->lines, "%.20s…: a name of %zu letters, expected at most %d", name, length,
				   NAME_CHARS),
		       NONE;
	if (2 * r->vertices.count >= r->slots && more_slots(r) < 0)
		return NONE;
	slot = slot_of(r, name);
	if (*slot)
		return *slot - 1;
	if (r->vertices.count == GRAPH_ROUTERS_MAX)
		return lines_wrong(&r->lines, "too many vertices, expected at most %d", GRAPH_ROUTERS_MAX), NONE;
	if (vec_reserve(&r->names, length + 1, r->lines.err) || !(v = vec_push(&r->vertices, r->lines.err)))
		return NONE;
	*v = (struct vertex){r->names.count, r->hosts, 0};
	memcpy(r->names.at + r->names.count, name, length + 1);
	r->names.count += length + 1;
	*slot = (uint32_t)r->vertices.count;
	return *slot - 1;
}

/* ---- edges ---- */

static size_t graph_file_pair_place(const struct graph_reader *r, const struct graph_edge *e)
{
	uint64_t low = e->from < e->to ? e->from : e->to, high = e->from < e->to ? e->to : e->from;
	uint64_t h = (low << 32 | high) * 0x9e3779b97f4a7c15u;

	return (h ^ h >> 32) & (r->pairs - 1);
}

/* Returns the slot of the edge between the same two vertices, or the empty slot for it. */
static uint32_t *pair_of(const struct graph_reader *r, const struct graph_edge *e)
{
	size_t i = graph_file_pair_place(r, e);

	for (; r->pair[i]; i = (i + 1) & (r->pairs - 1)) {
		const struct graph_edge *x = &r->edges.at[r->pair[i] - 1];

		if ((x->from == e->from && x->to == e->to) || (x->from == e->to && x->to == e->from))
			break;
	}
	return &r->pair[i];
}

static int graph_file_more_pairs(struct graph_reader *r)
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
	struct class_name *c;

	for (size_t i = 0; i < r->classes.count; i++)
		if (!strcmp(r->classes.at[i].text, name))
			return (int)i;
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

static int add_edge(struct graph_reader *r, const char *from, const char *to, const char *class)
{
	struct graph_edge x = {.line = r->lines.number}, *place;
	int of = class_of_name(r, class);
	uint32_t *pair;

	if (of < 0 || (x.from = vertex_of(r, from)) == NONE || (x.to = vertex_of(r, to)) == NONE)
		return -1;
	x.class = (uint16_t)of;
	if (x.from == x.to)
		return lines_wrong(&r->lines, "an edge from %s to itself, expected another vertex", from);
	if (2 * r->edges.count >= r->pairs && graph_file_more_pairs(r) < 0)
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

/* ---- lines ---- */

/* Handles "nodes VERTEX COUNT". */
static int set_hosts(struct graph_reader *r, const char *name, const char *count)
{
	uint32_t v = vertex_of(r, name);
	struct vertex *x;

	if (v == NONE)
		return -1;
	x = &r->vertices.at[v];
	if (strspn(count, "0123456789") != strlen(count) || strlen(count) > 5 || atoi(count) > HOSTS_MAX)
		return lines_wrong(&r->lines, "%.20s nodes of %s, expected 0 to %d", count, name, HOSTS_MAX);
	if (x->hosts_line)
		return lines_wrong(&r->lines, "nodes of %s given twice, first in line %" PRIu32, name, x->hosts_line);
	x->hosts = (uint32_t)atoi(count);
	x->hosts_line = r->lines.number;
	return 0;
}

static int graph_file_take_line(struct graph_reader *r, char *line)
{
	char *word[5], *rest = NULL;
	unsigned words = 0;

	if (!strchr(line, '\n'))
		return lines_wrong(&r->lines, "the file ends within a line, expected the end of the line");
	for (const char *at = line; *at; at++)
		if (iscntrl((unsigned char)*at) && !isspace((unsigned char)*at))
			return lines_wrong(&r->lines, "control character 0x%02x, expected text", (unsigned char)*at);
	line[strcspn(line, "#\r\n")] = '\0';
	for (char *at = strtok_r(line, " \t", &rest); at && words < 5; at = strtok_r(NULL, " \t", &rest))
		word[words++] = at;
	if (!words)
		return 0;
	if (!strcmp(word[0], "nodes") && words == 3)
		return set_hosts(r, word[1], word[2]);
	if (words < 2 || words > 3 || !strcmp(word[0], "nodes"))
		return lines_wrong(&r->lines, "%u words, expected VERTEX VERTEX [CLASS] or nodes VERTEX COUNT", words);
	return add_edge(r, word[0], word[1], words == 3 ? word[2] : "link");
}

/* ---- the whole ---- */

/* Returns whether all names are numbers that fit, in the form in which they are counted. */
static bool are_numbers(const struct graph_reader *r)
{
	for (uint32_t v = 0; v < r->vertices.count; v++) {
		const char *name = graph_file_name_of(r, v);

		if (strspn(name, "0123456789") != strlen(name) || strlen(name) > 9 || (*name == '0' && name[1]))
			return false;
	}
	return true;
}

struct numbered {
	uint32_t number, vertex;
};

static int graph_file_by_number(const void *a, const void *b)
{
	const struct numbered *x = a, *y = b;

	return (x->number > y->number) - (x->number < y->number);
}

/* Moves vertices to the order of their numbers. */
static int sort_vertices(struct graph_reader *r, struct err *e)
{
	size_t count = r->vertices.count;
	struct numbered *order;
	struct vertex *sorted;
	uint32_t *now;

	if (!are_numbers(r))
		return 0;
	order = mem_alloc(count + 1, sizeof(*order), e);
	sorted = mem_alloc(count + 1, sizeof(*sorted), e);
	now = mem_alloc(count + 1, sizeof(*now), e);
	for (uint32_t v = 0; order && sorted && now && v < count; v++)
		order[v] = (struct numbered){(uint32_t)atoi(graph_file_name_of(r, v)), v};
	if (order && sorted && now) {
		qsort(order, count, sizeof(*order), graph_file_by_number);
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
					 r->lines.name, graph_file_name_of(r, 0), graph_file_name_of(r, v));
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

static int finish_graph(struct graph_reader *r, struct graph_file *f, struct err *e)
{
	if (!r->vertices.count)
		return err_set(e, STATUS_BAD_INPUT, "%s: no edge in it, expected lines VERTEX VERTEX [CLASS]",
			       r->lines.name);
	if (sort_vertices(r, e) || check_connected(r, e) || count_nodes(r, f, e))
		return -1;
	f->name_at = mem_alloc(r->vertices.count, sizeof(*f->name_at), e);
	if (!f->name_at)
		return -1;
	for (uint32_t v = 0; v < r->vertices.count; v++)
		f->name_at[v] = r->vertices.at[v].name;
	f->names = r->names.at;
	r->names.at = NULL;
	f->vertices = (uint32_t)r->vertices.count;
	f->edges = (uint32_t)r->edges.count;
	f->classes = (unsigned)r->classes.count;
	f->edge = r->edges.at;
	f->class = (void *)r->classes.at;
	r->edges.at = NULL;
	r->classes.at = NULL;
	return 0;
}

int graph_file_read(struct graph_file *f, const char *path, uint32_t hosts, struct err *e)
{
	struct graph_reader r = {.lines = {.in = input_open(path), .name = path, .err = e}, .hosts = hosts};
	char line[LINE_CHARS];
	int got;

	*f = (struct graph_file){0};
	if (!r.lines.in)
		return err_set(e, err_errno(STATUS_BAD_INPUT), "%s: cannot open: %s", path, strerror(errno));
	while ((got = lines_read(&r.lines, line, sizeof(line))) > 0)
		if (graph_file_take_line(&r, line) < 0) {
			got = -1;
			break;
		}
	if (!got)
		got = finish_graph(&r, f, e);
	fclose(r.lines.in);
	vec_finish(&r.vertices);
	vec_finish(&r.edges);
	vec_finish(&r.classes);
	vec_finish(&r.names);
	free(r.slot);
	free(r.pair);
	if (got)
		graph_file_finish(f);
	return got;
}

void graph_file_finish(struct graph_file *f)
{
	free(f->edge);
	free(f->hosts);
	free(f->class);
	free(f->names);
	free(f->name_at);
	*f = (struct graph_file){0};
}
