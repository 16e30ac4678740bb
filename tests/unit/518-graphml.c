/* GraphML: the network is that of the list of edges that says the same. */
#include "tap.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "alloc_fail.h"
#include "folder.h"
#include "topology_maker.h"

static const char *write_text(const char *text)
{
	const char *path = in_folder("a.graphml");
	FILE *out = fopen(path, "w");

	REQUIRE(out != NULL);
	fputs(text, out);
	fclose(out);
	return path;
}

static void parameters_of(char *to, const char *text, const char *more)
{
	sprintf(to, "kind=graph file=%s %s", write_text(text), more);
}

static struct topology *made(const char *text, const char *more)
{
	char parameters[500];

	parameters_of(parameters, text, more);
	return topology_must(parameters);
}

#define HEAD \
	"<?xml version=\"1.0\"?>\n<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">" \
	"<key id=\"n\" for=\"node\" attr.name=\"nodes\" attr.type=\"int\"/>" \
	"<key id=\"c\" for=\"edge\" attr.name=\"class\"><default>near</default></key>" \
	"<key id=\"b\" for=\"edge\" attr.name=\"back\"/>" \
	"<key id=\"x\" for=\"all\" attr.name=\"colour\"/><graph edgedefault=\"undirected\">\n"
#define TAIL "</graph></graphml>\n"

static void a_document_is_its_list_of_edges(void)
{
	struct topology *a = made(HEAD "<node id=\"a\"><data key=\"n\"> 2 </data><data key=\"x\">red</data></node>"
				       "<node id=\"b\"><desc>no data</desc></node><node id=\"c\"/>"
				       "<edge source=\"a\" target=\"b\"/>"
				       "<edge source=\"b\" target=\"c\"><data key=\"c\">f&amp;g</data>"
				       "<data key=\"b\">back</data></edge>" TAIL,
				  "concentration=3");
	struct topology *b = made("a b near\nb c f&g back\nnodes a 2\n", "concentration=3");

	CHECK_U64(a->nodes, 8);
	CHECK_U64(a->nodes, b->nodes);
	CHECK_U64(a->links, b->links);
	CHECK_U64(a->classes, 5);
	CHECK_U64(a->classes, b->classes);
	for (unsigned c = 0; c < a->classes; c++)
		CHECK_STR(a->class[c].name, b->class[c].name);
	for (uint32_t l = 0; l < a->links; l++) {
		CHECK_U64(a->link[l].from, b->link[l].from);
		CHECK_U64(a->link[l].to, b->link[l].to);
		CHECK_U64(a->link[l].class, b->link[l].class);
	}
	topology_destroy(a);
	topology_destroy(b);
}

static void complains(const char *text, const char *expected)
{
	char parameters[500], message[600];
	const char *complaint;

	parameters_of(parameters, text, "");
	complaint = topology_complaint(parameters);
	snprintf(message, sizeof(message), "%s:%s", in_folder("a.graphml"), expected);
	CHECK_STR(complaint ? complaint : "none", message);
}

static void mistakes_are_lines(void)
{
	complains(HEAD "<node id=\"a\"/>\n<node id=\"a\"/>" TAIL, "4: repeated node a");
	complains(HEAD "<edge source=\"a\" target=\"b\"/><node id=\"a\"/>" TAIL,
		  " an edge of node b, expected <node id=\"b\"/> too");
	complains(HEAD "<node/>" TAIL, "3: <node> without id, expected one");
	complains(HEAD "<edge source=\"a\"/>" TAIL, "3: <edge> without target, expected one");
	complains(HEAD "<edge source=\"a\" target=\"a\"/>" TAIL,
		  "3: an edge from a to itself, expected another vertex");
	complains(HEAD "<edge source=\"a\" target=\"b\" directed=\"true\"/>" TAIL,
		  "3: a directed edge, expected undirected ones");
	complains(HEAD "<node id=\"a\"><data key=\"y\">1</data></node>" TAIL,
		  "3: data of key y, which is unknown: expected one of the keys before");
	complains(HEAD "<node id=\"a\"><data key=\"n\">x</data></node>" TAIL, "3: x nodes of a, expected 0 to 60000");
	complains(HEAD "<node id=\"a\"><graph/></node>" TAIL, "3: a graph in a graph, expected one graph");
	complains(HEAD "<hyperedge/>" TAIL, "3: <hyperedge>, expected vertices and edges between two of them");
	complains(HEAD "<node id=\"a\"/>", "3: no element found, expected well-formed XML");
	complains(HEAD "<node id=\"a&#10;b\"/>" TAIL, "3: control character 0x0a in a name, expected text");
	complains("<!DOCTYPE g [<!ENTITY a \"b\">]>\n" HEAD TAIL,
		  "1: an entity, expected a document without entities of its own");
	complains("<a/>\n", " no graph in it, expected GraphML");
	complains(HEAD TAIL, " no vertex in it, expected edges");
}

static void short_memory_is_an_error(void)
{
	char parameters[500];

	parameters_of(parameters, HEAD "<node id=\"a\"/><edge source=\"a\" target=\"b\"/><node id=\"b\"/>" TAIL, "");
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
	{"a document is its list of edges", a_document_is_its_list_of_edges},
	{"mistakes are lines", mistakes_are_lines},
	{"short memory is an error", short_memory_is_an_error},
};

int main(void)
{
	int status;

	folder_make();
	status = tap_main("GraphML", tests, TAP_COUNT(tests));
	unlink(in_folder("a.graphml"));
	rmdir(folder);
	return status;
}
