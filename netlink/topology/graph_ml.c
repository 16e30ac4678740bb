/*
 * GraphML (U. Brandes et al., "GraphML progress report", Graph Drawing 2001): one graph, undirected. Keys named "nodes"
 * of vertices, "class" and "back" of edges are read; other data is passed over.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "graph_build.h"
#include "xml_read.h"

enum { ML_ID_CHARS = 64, ML_TEXT_CHARS = 64, ML_KEYS_MAX = 64 };

/* Facts that a <data> gives. */
enum graph_ml_fact { ML_NOTHING, ML_NODES, ML_CLASS, ML_BACK, ML_FACT_COUNT };

struct graph_ml_key {
	char id[ML_ID_CHARS];
	enum graph_ml_fact fact;
	char value[ML_TEXT_CHARS]; /* its default; "": none */
};

struct graph_ml {
	struct graph_reader *r;
	unsigned keys;
	struct graph_ml_key key[ML_KEYS_MAX];
	unsigned graphs;
	bool in_graph;
	bool is_directed;
	/* the present <node> or <edge> */
	char node[ML_ID_CHARS], from[ML_ID_CHARS], to[ML_ID_CHARS];
	char value[ML_FACT_COUNT][ML_TEXT_CHARS];
	char *text; /* where the present <data> or <default> goes; NULL: nowhere */
	size_t length;
};

static int copy_id(struct graph_ml *g, char *to, const char *const *attributes, const char *name, const char *element)
{
	const char *value = xml_attribute(attributes, name);

	if (!value || !*value)
		return lines_wrong(&g->r->lines, "<%s> without %s, expected one", element, name);
	if (strlen(value) >= ML_ID_CHARS)
		return lines_wrong(&g->r->lines, "%s of <%s>: a name of %zu letters, expected at most %d", name,
				   element, strlen(value), ML_ID_CHARS - 1);
	strcpy(to, value);
	return 0;
}

static int begin_key(struct graph_ml *g, const char *const *attributes)
{
	const char *name = xml_attribute(attributes, "attr.name"), *of = xml_attribute(attributes, "for");
	struct graph_ml_key *k = &g->key[g->keys];
	bool of_node = !of || !strcmp(of, "node") || !strcmp(of, "all");
	bool of_edge = !of || !strcmp(of, "edge") || !strcmp(of, "all");

	if (g->keys == ML_KEYS_MAX)
		return lines_wrong(&g->r->lines, "too many keys, expected at most %d", ML_KEYS_MAX);
	if (copy_id(g, k->id, attributes, "id", "key"))
		return -1;
	for (unsigned i = 0; i < g->keys; i++)
		if (!strcmp(g->key[i].id, k->id))
			return lines_wrong(&g->r->lines, "repeated key %s", k->id);
	k->fact = ML_NOTHING;
	if (name && of_node && !strcmp(name, "nodes"))
		k->fact = ML_NODES;
	else if (name && of_edge && !strcmp(name, "class"))
		k->fact = ML_CLASS;
	else if (name && of_edge && !strcmp(name, "back"))
		k->fact = ML_BACK;
	g->keys++;
	return 0;
}

static int begin_graph(struct graph_ml *g, const char *const *attributes)
{
	const char *directed = xml_attribute(attributes, "edgedefault");

	if (g->in_graph)
		return lines_wrong(&g->r->lines, "a graph in a graph, expected one graph");
	if (g->graphs++)
		return lines_wrong(&g->r->lines, "a second graph, expected one");
	g->in_graph = true;
	g->is_directed = directed && !strcmp(directed, "directed");
	return 0;
}

static int begin_edge(struct graph_ml *g, const char *const *attributes)
{
	const char *directed = xml_attribute(attributes, "directed");

	if (directed ? !strcmp(directed, "true") : g->is_directed)
		return lines_wrong(&g->r->lines, "a directed edge, expected undirected ones");
	if (copy_id(g, g->from, attributes, "source", "edge"))
		return -1;
	return copy_id(g, g->to, attributes, "target", "edge");
}

/* Forgets the data of the previous vertex or edge: each begins with the defaults. */
static void begin_facts(struct graph_ml *g)
{
	memset(g->value, 0, sizeof(g->value));
	for (unsigned i = 0; i < g->keys; i++)
		strcpy(g->value[g->key[i].fact], g->key[i].value);
}

static int begin_data(struct graph_ml *g, const char *const *attributes)
{
	char id[ML_ID_CHARS];

	if (copy_id(g, id, attributes, "key", "data"))
		return -1;
	for (unsigned i = 0; i < g->keys; i++)
		if (!strcmp(g->key[i].id, id)) {
			bool of_node = g->key[i].fact == ML_NODES;

			if (g->key[i].fact != ML_NOTHING && (of_node ? *g->node : *g->from))
				g->text = g->value[g->key[i].fact];
			g->length = 0;
			return 0;
		}
	return lines_wrong(&g->r->lines, "data of key %s, which is unknown: expected one of the keys before", id);
}

static int graph_ml_start(void *user, const char *element, const char *const *attributes)
{
	struct graph_ml *g = user;

	if (!strcmp(element, "platform"))
		return lines_wrong(&g->r->lines,
				   "a platform of SimGrid, expected GraphML: topology.kind = platform reads it");
	if (!strcmp(element, "hyperedge") || !strcmp(element, "port"))
		return lines_wrong(&g->r->lines, "<%s>, expected vertices and edges between two of them", element);
	if (!strcmp(element, "key"))
		return begin_key(g, attributes);
	if (!strcmp(element, "default") && g->keys && !g->in_graph) {
		g->text = g->key[g->keys - 1].value;
		g->length = 0;
		return 0;
	}
	if (!strcmp(element, "graph"))
		return begin_graph(g, attributes);
	if (!strcmp(element, "node") || !strcmp(element, "edge")) {
		if (!g->in_graph || *g->node || *g->from)
			return lines_wrong(&g->r->lines, "<%s> at this place, expected it in a graph", element);
		begin_facts(g);
		return *element == 'n' ? copy_id(g, g->node, attributes, "id", "node") : begin_edge(g, attributes);
	}
	if (!strcmp(element, "data"))
		return begin_data(g, attributes);
	return 0;
}

/* Removes spaces at the ends of what <data> gives. */
static void trim(char *text)
{
	size_t from = strspn(text, " \t\r\n"), length = strlen(text + from);

	memmove(text, text + from, length + 1);
	while (length && strchr(" \t\r\n", text[length - 1]))
		text[--length] = '\0';
}

static int end_node(struct graph_ml *g)
{
	const char *hosts = g->value[ML_NODES];

	uint32_t v = graph_find_vertex(g->r, g->node);

	if (v != NAME_NONE && g->r->vertices.at[v].declared)
		return lines_wrong(&g->r->lines, "repeated node %s", g->node);
	v = v == NAME_NONE ? graph_vertex_of(g->r, g->node) : v; /* edges may come before their ends */
	if (v == NAME_NONE || (*hosts && graph_set_hosts(g->r, g->node, hosts)))
		return -1;
	g->r->vertices.at[v].declared = true;
	*g->node = '\0';
	return 0;
}

static int end_edge(struct graph_ml *g)
{
	const char *class = *g->value[ML_CLASS] ? g->value[ML_CLASS] : "link";

	if (graph_add_edge(g->r, g->from, g->to, class, *g->value[ML_BACK] ? g->value[ML_BACK] : class))
		return -1;
	*g->from = '\0';
	return 0;
}

static int graph_ml_end(void *user, const char *element)
{
	struct graph_ml *g = user;

	if (!strcmp(element, "data") || !strcmp(element, "default")) {
		if (g->text)
			trim(g->text);
		g->text = NULL;
		return 0;
	}
	if (!strcmp(element, "graph"))
		g->in_graph = false;
	if (!strcmp(element, "node"))
		return end_node(g);
	return !strcmp(element, "edge") ? end_edge(g) : 0;
}

static int graph_ml_text(void *user, const char *text, size_t length)
{
	struct graph_ml *g = user;

	if (!g->text)
		return 0;
	if (g->length + length >= ML_TEXT_CHARS)
		return lines_wrong(&g->r->lines, "a text of more than %d characters, expected fewer",
				   ML_TEXT_CHARS - 1);
	memcpy(g->text + g->length, text, length);
	g->length += length;
	g->text[g->length] = '\0';
	return 0;
}

/* Refuses vertices that only edges name: a mistake in a name would be a router. */
static int expect_declared(const struct graph_reader *r)
{
	for (uint32_t v = 0; v < r->vertices.count; v++)
		if (!r->vertices.at[v].declared)
			return err_set(r->lines.err, STATUS_BAD_INPUT,
				       "%s: an edge of node %s, expected <node id=\"%s\"/> too", r->lines.name,
				       name_table_text(&r->names, v), name_table_text(&r->names, v));
	return 0;
}

int graph_ml_read(struct graph_reader *r)
{
	static const struct xml_handlers handlers = {graph_ml_start, graph_ml_end, graph_ml_text};
	struct graph_ml g = {.r = r};

	if (xml_read(&r->lines, &handlers, &g))
		return -1;
	if (!g.graphs)
		return err_set(r->lines.err, STATUS_BAD_INPUT, "%s: no graph in it, expected GraphML", r->lines.name);
	return expect_declared(r);
}
