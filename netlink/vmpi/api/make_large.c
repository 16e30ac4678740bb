/*
 * Generates stubs_large.c, the calls with large counts, of calls_large.def and calls.def at build time. Parameters are
 * converted by their types in the two rows:
 *   Count before its Datatype, int    elements, which may become one of a type made for the call
 *   Count or Aint, int                has to fit
 *   list of Count or Aint, of int     has to fit, number by number
 *   pointer to one, of another type   a copy, which is copied back
 * A reduction and a persistent collective need the number of elements itself, so theirs has to fit.
 */
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define ARGUMENT_TYPE(name) name /* the prefix is added to the text */
#include "call_arguments.h"

struct row {
	const char *name, *params;
};
static const struct row small_rows[] = {
#define CALL(result, name, params, doc, trace) {#name, params},
#include "calls.def"
#undef CALL
};
static const struct row large_rows[] = {
#define LARGE(name, params) {#name, params},
#include "calls_large.def"
};
enum { SMALL = sizeof(small_rows) / sizeof(small_rows[0]), LARGES = sizeof(large_rows) / sizeof(large_rows[0]) };

enum { PARAMS_MAX = 16, TEXT = 64 };
enum how { AS_IT_IS, CAST, ELEMENTS, FITS, LIST, COPY };
struct param {
	char type[TEXT], name[TEXT];
	enum how how;
};
struct wrapper {
	const char *name, *params;
	struct param p[PARAMS_MAX], to[PARAMS_MAX];
	unsigned count;
	bool neighbor, rooted, request, together;
};

/* The types of a list of parameters, each up to its name: "const Count *". */
static unsigned read_parameters(const char *text, struct param *p)
{
	unsigned count = 0;

	while (*text && count < PARAMS_MAX) {
		size_t length, start;

		text += strspn(text, " ");
		length = start = strcspn(text, ",");
		while (start && (isalnum((unsigned char)text[start - 1]) || text[start - 1] == '_'))
			start--;
		snprintf(p[count].name, TEXT, "%.*s", (int)(length - start), text + start);
		while (start && text[start - 1] == ' ')
			start--;
		snprintf(p[count++].type, TEXT, "%.*s", (int)start, text);
		text += length + (text[length] == ',');
	}
	return count;
}

static bool has_param(const struct wrapper *s, const char *type, const char *name)
{
	for (unsigned i = 0; i < s->count; i++)
		if (strcmp(s->p[i].type, type) == 0 && (!name || strcmp(s->p[i].name, name) == 0))
			return true;
	return false;
}

static bool is_address(const char *type)
{
	return strncmp(type, "Aint", 4) == 0 || strncmp(type, "const Aint", 10) == 0;
}

static enum how conversion(const struct wrapper *s, unsigned i)
{
	const char *type = s->p[i].type, *to = s->to[i].type;
	bool exact = has_param(s, "Op", NULL) ? !has_param(s, "Win", NULL) : s->together && has_param(s, "Info", NULL);

	if (strcmp(type, to) == 0)
		return AS_IT_IS;
	if (!strchr(type, '*') && is_address(to))
		return AS_IT_IS;
	if (!strchr(type, '*'))
		return !exact && i + 1 < s->count && strcmp(s->p[i + 1].type, "Datatype") == 0 &&
				       strcmp(s->p[i + 1].name, "oldtype") != 0
			       ? ELEMENTS
			       : FITS;
	if (strncmp(type, "const ", 6) == 0)
		return is_address(to) ? CAST : LIST;
	return COPY;
}

/* 0; or -1: the rows do not fit. */
static int read_wrapper(const struct row *large, struct wrapper *s)
{
	char other[TEXT];
	const struct row *small = NULL;

	*s = (struct wrapper){.name = large->name, .params = large->params};
	snprintf(other, sizeof(other), "%s_x", large->name);
	for (unsigned k = 0; k < 2; k++) /* the call with _x, if there is one, has counts of 64 bits */
		for (unsigned i = 0; i < SMALL; i++)
			if (strcmp(small_rows[i].name, k ? other : large->name) == 0)
				small = &small_rows[i];
	s->count = read_parameters(large->params, s->p);
	if (!small || read_parameters(small->params, s->to) != s->count) {
		fprintf(stderr, "make_large: %s: expected a row of calls.def with as many parameters\n", large->name);
		return -1;
	}
	s->name = small->name;
	s->neighbor = strstr(large->name, "eighbor_") != NULL;
	s->rooted = has_param(s, "int", "root");
	s->request = has_param(s, "Request *", "request");
	s->together = has_param(s, "Comm", "comm") && !has_param(s, "int", "tag") && !has_param(s, "int", "disp_unit");
	for (unsigned i = 0; i < s->count; i++)
		s->p[i].how = conversion(s, i);
	return 0;
}

/* Types with the prefix. */
static void print_prefixed(const char *text)
{
	for (const char *at = text; *at; at++) {
		bool begins = at == text || !(isalnum((unsigned char)at[-1]) || at[-1] == '_');

		printf("%s%c", begins && isupper((unsigned char)*at) ? "MPI_" : "", *at);
	}
}

/* The number of elements of the lists: of a datatype's dimensions or blocks, or one a rank. */
static void print_lengths(const struct wrapper *s)
{
	if (!s->together) {
		printf("\tMPI_Count recv_ = %s, send_ = recv_;\n\n", has_param(s, "int", "ndims") ? "ndims" : "count");
		return;
	}
	for (unsigned k = 0; k < 2; k++)
		printf("\tMPI_Count %s_ = vmpi_gate.calls->large_count_parts(vmpi_gate.v, comm, %s, %d);\n",
		       k ? "recv" : "send", s->rooted ? "root" : "0",
		       !s->neighbor ? s->rooted
		       : k          ? 3
				    : 2);
	printf("\n");
	if (strstr(s->params, "sendcounts") && !s->rooted && !s->neighbor)
		printf("\tif (sendbuf == MPI_IN_PLACE)\n\t\tsend_ = 0;\n");
}

static bool is_sent(const char *name)
{
	return strncmp(name, "send", 4) == 0 || strcmp(name, "sdispls") == 0;
}

/* Lists of Aint are of the same bytes as those of Count. */
static void print_lists(const struct wrapper *s)
{
	unsigned lists[2] = {0, 0};

	for (unsigned i = 0; i < s->count; i++)
		if (s->p[i].how == LIST)
			lists[!is_sent(s->p[i].name)]++;
	if (!(lists[0] + lists[1]))
		return;
	printf("\tlarge_room(&l, %u * send_ + %u * recv_, %d);\n", lists[0], lists[1], s->request);
	for (unsigned i = 0; i < s->count; i++)
		if (s->p[i].how == LIST)
			printf("\tint *%s_ = large_list(&l, (const MPI_Count *)(const void *)%s, %s_);\n", s->p[i].name,
			       s->p[i].name, is_sent(s->p[i].name) ? "send" : "recv");
}

static void print_converted(const struct wrapper *s)
{
	for (unsigned i = 0; i < s->count; i++) {
		const char *name = s->p[i].name;

		if (s->p[i].how == ELEMENTS)
			printf("\tint %s_ = large_elements(&l, %s, &%s);\n", name, name, s->p[i + 1].name);
		else if (s->p[i].how == FITS)
			printf("\tint %s_ = large_int(&l, %s);\n", name, name);
		else if (s->p[i].how == COPY)
			printf("\t%s %s_ = (%s)*%s;\n", is_address(s->to[i].type) ? "MPI_Aint" : "int", name,
			       is_address(s->to[i].type) ? "MPI_Aint" : "int", name);
	}
}

static void print_arguments(const struct wrapper *s)
{
	for (unsigned i = 0; i < s->count; i++)
		switch (s->p[i].how) {
		case AS_IT_IS: printf(", %s", s->p[i].name); break;
		case CAST: printf(", (const MPI_Aint *)(const void *)%s", s->p[i].name); break;
		case COPY: printf(", &%s_", s->p[i].name); break;
		case ELEMENTS:
		case FITS:
		case LIST: printf(", %s_", s->p[i].name); break;
		}
}

static void print_large(const struct row *row, const struct wrapper *s)
{
	bool lists = false;

	for (unsigned i = 0; i < s->count; i++)
		lists = lists || s->p[i].how == LIST;
	printf("int PMPI_%s_c(", row->name);
	print_prefixed(s->params);
	printf(")\n{\n\tlarge_place(__builtin_return_address(0));\n\n"
	       "\tstruct large l = {.name = \"%s\", .comm = %s};\n",
	       s->name, has_param(s, "Comm", "comm") ? "comm" : "MPI_COMM_WORLD");
	if (lists)
		print_lengths(s);
	print_converted(s);
	print_lists(s);
	printf("\n\tif (l.ret == MPI_SUCCESS)\n\t\tl.ret = vmpi_gate.calls->%s(vmpi_gate.v", s->name);
	print_arguments(s);
	printf(");\n");
	for (unsigned i = 0; i < s->count; i++)
		if (s->p[i].how == COPY)
			printf("\t*%s = %s_;\n", s->p[i].name, s->p[i].name);
	printf("\treturn large_end(&l, %s);\n}\n", s->request ? "request" : "NULL");
	for (const char *const *prefix = (const char *const[]){"MPI", "MGEN", "LMPI", NULL}; *prefix; prefix++)
		printf("extern __typeof__(PMPI_%s_c) %s_%s_c __attribute__((weak, alias(\"PMPI_%s_c\")));\n", row->name,
		       *prefix, row->name, row->name);
}

int main(void)
{
	struct wrapper s;

	printf("/* Calls with large counts. Made from calls_large.def. */\n#include \"stubs_large.h\"\n\n"
	       "const void *vmpi_large_where;\n\n");
	for (unsigned i = 0; i < LARGES; i++) {
		if (read_wrapper(&large_rows[i], &s))
			return 1;
		print_large(&large_rows[i], &s);
	}
	return 0;
}
