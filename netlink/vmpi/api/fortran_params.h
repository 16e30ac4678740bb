/*
 * Calls and their parameters as Fortran has them, for the programs that generate its modules. Included once by each:
 * it holds their table.
 */
#ifndef PSIM_VMPI_FORTRAN_PARAMS_H
#define PSIM_VMPI_FORTRAN_PARAMS_H

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define ARGUMENT_TYPE(name) name /* the prefix is added to the text */
#include "call_arguments.h"

struct call {
	const char *result, *name, *params;
};
static const struct call calls[] = {
#define CALL(result, name, params, doc, trace) {#result, #name, params},
#include "calls.def"
#undef CALL
};
enum { CALLS = sizeof(calls) / sizeof(calls[0]) };

/* Those with large counts that stubs_large.c has; calls.def has a few more. */
static const struct call large_calls[] = {
#define LARGE(name, params) {"int", #name "_c", params},
#include "calls_large.def"
};
enum { LARGE_CALLS = sizeof(large_calls) / sizeof(large_calls[0]) };

/*
 * Those of stubs_fortran_objects.c: MPI-1's calls with addresses as default integers, attributes, whose values are
 * integers, and one that gives a pointer back.
 */
static const char *const left_out[] = {
	"Type_hvector",       "Type_struct",       "Type_extent",   "Type_lb",       "Type_ub",
	"Type_hindexed",      "Address",           "Buffer_detach", "Keyval_create", "Comm_create_keyval",
	"Type_create_keyval", "Win_create_keyval", "Attr_put",      "Attr_get",      "Comm_set_attr",
	"Type_set_attr",      "Win_set_attr",      "Comm_get_attr", "Type_get_attr", "Win_get_attr",
	"Grequest_start",     "Aint_add",          "Aint_diff",
};

enum param_kind {
	VALUE,    /* integer, a handle too */
	REAL,     /* double */
	ADDRESS,  /* Aint */
	INTEGERS, /* one or an array, by reference: as in C */
	ADDRESSES,
	CHOICE, /* a buffer */
	STATUS, /* one or an array */
	TEXT_IN,
	TEXT_OUT,
	FUNCTION,
	ABSENT, /* argc, argv: not in Fortran */
};

enum { PARAMS_MAX = 16, NAME_CHARS = 32 };
struct param {
	char name[NAME_CHARS];
	char function[NAME_CHARS]; /* its type, of FUNCTION */
	enum param_kind kind;
	bool constant;
	char type[NAME_CHARS]; /* of C, without the prefix: int, Comm ... */
};

static bool one_of(const char *name, const char *const *names)
{
	for (; *names; names++)
		if (strcmp(name, *names) == 0)
			return true;
	return false;
}

static bool has(const char *text, size_t length, const char *word)
{
	const char *at = strstr(text, word);

	return at && at + strlen(word) <= text + length;
}

/* One parameter of a list, of `length` characters. */
static struct param read_param(const char *text, size_t length)
{
	struct param p = {.constant = has(text, length, "const ")};
	bool pointer = has(text, length, "*") || has(text, length, "[");
	const char *bracket = memchr(text, '[', length);
	size_t end = bracket ? (size_t)(bracket - text) : length, start = end;

	while (start && (isalnum((unsigned char)text[start - 1]) || text[start - 1] == '_'))
		start--;
	snprintf(p.name, sizeof(p.name), "%.*s", (int)(end - start), text + start);
	if (strcmp(p.name, "argc") == 0 || strcmp(p.name, "argv") == 0)
		p.kind = ABSENT;
	else if (has(text, length, "_function *"))
		p.kind = FUNCTION;
	else if (has(text, length, "void *"))
		p.kind = CHOICE;
	else if (has(text, length, "Status *"))
		p.kind = STATUS;
	else if (has(text, length, "char *"))
		p.kind = p.constant ? TEXT_IN : TEXT_OUT;
	else if (has(text, length, "Aint") || has(text, length, "Count") || has(text, length, "Offset"))
		p.kind = pointer ? ADDRESSES : ADDRESS;
	else if (has(text, length, "double"))
		p.kind = REAL;
	else
		p.kind = pointer ? INTEGERS : VALUE;
	for (const char *at = text + strspn(text, " "); at < text + length; at += strcspn(at, " ") + 1)
		if (strncmp(at, "const ", 6) != 0) {
			snprintf(p.type, sizeof(p.type), "%.*s", (int)strcspn(at, " "), at);
			break;
		}
	if (p.kind == FUNCTION) {
		while (*text == ' ')
			text++;
		snprintf(p.function, sizeof(p.function), "%.*s", (int)strcspn(text, " "), text);
	}
	return p;
}

static inline unsigned read_params(const char *text, struct param *p)
{
	unsigned count = 0;

	if (strcmp(text, "void") == 0)
		return 0;
	while (*text && count < PARAMS_MAX) {
		size_t length = strcspn(text, ",");

		p[count++] = read_param(text, length);
		text += length + (text[length] == ',');
	}
	return count;
}

/* Returns whether it is one of the calls with large counts, which the module mpi does not have. */
static inline bool is_large(const struct call *c)
{
	size_t length = strlen(c->name);

	return length > 2 && strcmp(c->name + length - 2, "_c") == 0;
}

/* The call of the same name without _c; NULL: there is none that the generators print. */
static inline const struct call *small_of(const struct call *c)
{
	for (unsigned i = 0; i < CALLS; i++) {
		size_t length = strlen(calls[i].name);

		if (strlen(c->name) == length + 2 && strncmp(c->name, calls[i].name, length) == 0) {
			for (size_t k = 0; k < sizeof(left_out) / sizeof(left_out[0]); k++)
				if (strcmp(calls[i].name, left_out[k]) == 0)
					return NULL;
			return &calls[i];
		}
	}
	return NULL;
}

static inline bool skipped(const struct call *c)
{
	if (is_large(c))
		return true;
	for (size_t i = 0; i < sizeof(left_out) / sizeof(left_out[0]); i++)
		if (strcmp(c->name, left_out[i]) == 0)
			return true;
	return false;
}

/*
 * Returns whether the module leaves an argument unchecked: those of operations with two buffers, which do not count for
 * ranks that give IN_PLACE or that are no root, so that programs pass any.
 */
static inline bool is_unchecked(const struct call *c, const struct param *p)
{
	static const char *const words[] = {"count", "displs", "type"};
	bool found = false;

	for (unsigned i = 0; i < 3; i++)
		found = found || strstr(p->name, words[i]);
	return found && strstr(c->params, "sendbuf") &&
	       (p->kind == VALUE || p->kind == INTEGERS || p->kind == ADDRESSES);
}

static inline bool is_logical(const struct param *p)
{
	static const char *const logicals[] = {"flag",    "periods", "remain_dims", "commute",
					       "reorder", "high",    "weighted",    NULL};

	return one_of(p->name, logicals);
}

static inline bool is_array(const struct param *p)
{
	static const char *const arrays[] = {
		"dims",        "coords",   "periods",   "indices",   "ranks2",  "requests",     "statuses",
		"ranges",      "indexes",  "edges",     "neighbors", "sources", "destinations", "sourceweights",
		"destweights", "integers", "addresses", "datatypes", NULL};

	return p->constant || one_of(p->name, arrays);
}

/* Prints the first lines of the interface of a call: its name and the names of its parameters. */
static inline void open_interface(const struct call *c, const char *prefix, const struct param *p, unsigned count)
{
	bool function = strcmp(c->result, "double") == 0;
	const char *comma = "";

	printf("    %s %s_%s(", function ? "double precision function" : "subroutine", prefix, c->name);
	for (unsigned i = 0; i < count; i++)
		if (p[i].kind != ABSENT) {
			printf("%s &\n        %s", comma, p[i].name);
			comma = ",";
		}
	printf("%s%s)\n", function ? "" : comma, function ? "" : " ierror");
}

static inline void print_lower(const char *text)
{
	for (; *text; text++)
		putchar(tolower((unsigned char)*text));
}

/* MPI_SIZEOF, PMPI_SIZEOF: a subroutine for each kind of argument, of any rank (stubs_fortran.c). */
static inline void print_sizeof(void)
{
	static const char *const kinds[] = {"integer(1)", "integer(2)", "integer(4)", "integer(8)",       "real(4)",
					    "real(8)",    "complex(4)", "complex(8)", "character(len=*)", "logical(4)"};
	static const char *const names[] = {"i1", "i2", "i4", "i8", "r4", "r8", "c4", "c8", "ch", "l4"};

	printf("  interface MPI_SIZEOF\n");
	for (unsigned i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		printf("    subroutine vmpi_sizeof_%s(x, size, ierror)\n      %s, intent(in) :: x(..)\n"
		       "      integer, intent(out) :: size\n      integer, intent(out), optional :: ierror\n"
		       "    end subroutine\n",
		       names[i], kinds[i]);
	printf("  end interface MPI_SIZEOF\n  interface PMPI_SIZEOF\n");
	for (unsigned i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		printf("    procedure :: vmpi_sizeof_%s\n", names[i]);
	printf("  end interface PMPI_SIZEOF\n");
}

#endif
