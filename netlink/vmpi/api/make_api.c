/*
 * Generates code from calls.def and constants.def at build time:
 *   make_api MPI|MGEN|LMPI   the header for programs with that prefix
 *   make_api BSIM            the header of skeletons, for use with any of these
 *   make_api calls           prototypes and the table of functions that the simulator implements
 *   make_api gate            the same from the program's side, for the stubs
 *   make_api stubs           the functions linked into programs, which call through that table
 *   make_api blocking        collective operations that block: the nonblocking ones without a request
 *   make_api table           the calls as a table for docs/vmpi.md
 */
#include <ctype.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum kind {
	OF_MPI,     /* has each of the prefixes MPI, MGEN, LMPI */
	OF_BSIM,    /* has its own, which is part of the name */
	OF_SYSTEM,  /* of the C library: no prefix, does not return */
	OF_LIBRARY, /* of the C library, with state of its own: netlink/vmpi/libc has the function */
};
struct call {
	const char *result, *name, *params, *doc;
	enum kind kind;
};
static const struct call calls[] = {
#define CALL(result, name, params, doc) {#result, #name, params, doc, OF_MPI},
#define BSIM(result, name, params, doc) {#result, "BSIM_" #name, params, doc, OF_BSIM},
#define SYSTEM(name, params, doc) {"void", #name, params, doc, OF_SYSTEM},
#define LIBRARY(result, name, params, doc) {#result, #name, params, doc, OF_LIBRARY},
#include "calls.def"
#undef CALL
#undef BSIM
#undef SYSTEM
#undef LIBRARY
};
enum { CALLS = sizeof(calls) / sizeof(calls[0]) };

static const char *const type_names[] = {
	"Comm", "Group", "Datatype", "Op", "Request", "Info", "Errhandler", "Status", "Aint", "User_function",
};

/* Does the identifier of `length` characters at `at` need the prefix? */
static bool is_type(const char *at, size_t length)
{
	for (size_t i = 0; i < sizeof(type_names) / sizeof(type_names[0]); i++)
		if (strlen(type_names[i]) == length && strncmp(at, type_names[i], length) == 0)
			return true;
	return false;
}

static bool in_identifier(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* Prints C text with the prefix before our types. */
static void print_types(const char *text, const char *prefix)
{
	while (*text) {
		size_t length = 0;

		while (in_identifier(text[length]))
			length++;
		if (length && is_type(text, length))
			printf("%s_", prefix);
		if (!length)
			length = 1;
		printf("%.*s", (int)length, text);
		text += length;
	}
}

/* ", a, b, c": the names in a list of parameters. */
static void print_names(const char *params)
{
	if (strcmp(params, "void") == 0)
		return;
	while (*params) {
		size_t length = strcspn(params, ","), end = length, start;
		const char *bracket = memchr(params, '[', length);

		if (bracket)
			end = (size_t)(bracket - params);
		start = end;
		while (start && in_identifier(params[start - 1]))
			start--;
		printf(", %.*s", (int)(end - start), params + start);
		params += length + (params[length] == ',');
	}
}

/* A hash of the rows: programs compiled with other rows are rejected. */
static uint32_t list_version(void)
{
	uint32_t hash = 2166136261U; /* FNV-1a */

	for (unsigned i = 0; i < CALLS; i++)
		for (const char *text = calls[i].name; text; text = text == calls[i].name ? calls[i].params : NULL)
			for (const char *c = text; *c; c++)
				hash = (hash ^ (unsigned char)*c) * 16777619U;
	return hash;
}

static void print_constants(const char *prefix)
{
	unsigned number = 1;

#define TYPE(name, ctype, class) printf("#define %s_" #name " ((%s_Datatype)%u)\n", prefix, prefix, number++);
#include "constants.def"
#undef TYPE
#define ALIAS(name, of) printf("#define %s_" #name " %s_" #of "\n", prefix, prefix);
#include "constants.def"
#undef ALIAS
	number = 1;
#define OP(name, doc) printf("#define %s_" #name " ((%s_Op)%u) /* " doc " */\n", prefix, prefix, number++);
#include "constants.def"
#undef OP
#define CONST(name, ctype, value) \
	{ \
		printf("#define %s_" #name " ", prefix); \
		if (strcmp(#ctype, "int") == 0) { \
			printf("(" #value ")\n"); \
		} else { \
			printf("(("); \
			print_types(#ctype, prefix); \
			printf(")" #value ")\n"); \
		} \
	}
#include "constants.def"
#undef CONST
	number = 0;
#define ERROR(name, doc) printf("#define %s_" #name " %u /* " doc " */\n", prefix, number++);
#include "constants.def"
#undef ERROR
}

static void print_types_and_constants(const char *prefix)
{
	const char *const handles[] = {"Comm", "Group", "Datatype", "Op", "Request", "Info", "Errhandler"};

	for (unsigned i = 0; i < sizeof(handles) / sizeof(handles[0]); i++)
		printf("typedef int %s_%s;\n", prefix, handles[i]);
	printf("typedef long %s_Aint;\n", prefix);
	printf("typedef long long %s_Count, %s_Offset;\n", prefix, prefix);
	printf("typedef struct %s_Status {\n\tint %s_SOURCE, %s_TAG, %s_ERROR;\n\tint cancelled_;\n"
	       "\tlong long bytes_;\n} %s_Status;\n",
	       prefix, prefix, prefix, prefix, prefix);
	printf("typedef void %s_User_function(void *in, void *inout, int *count, %s_Datatype *datatype);\n\n", prefix,
	       prefix);
	print_constants(prefix);
	printf("\n");
}

static void print_header(const char *prefix)
{
	printf("/* Calls of programs that run on virtual ranks: docs/vmpi.md. Made from calls.def. */\n");
	printf("#ifndef VMPI_%s_H\n#define VMPI_%s_H\n\n", prefix, prefix);
	printf("#include <stddef.h>\n\n"); /* NULL is a buffer without data */
	printf("#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n#define %s_SIMULATED 1\n\n", prefix);
	print_types_and_constants(prefix);
	for (unsigned i = 0; i < CALLS; i++) {
		if (calls[i].kind != OF_MPI)
			continue;
		printf("/* %s */\n%s %s_%s(", calls[i].doc, calls[i].result, prefix, calls[i].name);
		print_types(calls[i].params, prefix);
		printf(");\n");
	}
	if (strcmp(prefix, "MPI") != 0)
		printf("\n/* the program, written by the user */\nint %s_Main(int argc, char **argv);\n", prefix);
	printf("\n#ifdef __cplusplus\n}\n#endif\n\n#endif\n");
}

static void print_bsim(void)
{
	printf("/* Calls of program skeletons: docs/bsim.md. Made from calls.def. */\n"
	       "#ifndef VMPI_BSIM_H\n#define VMPI_BSIM_H\n\n"
	       "#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n");
	for (unsigned i = 0; i < CALLS; i++)
		if (calls[i].kind == OF_BSIM)
			printf("/* %s */\n%s %s(%s);\n", calls[i].doc, calls[i].result, calls[i].name, calls[i].params);
	printf("\n#ifdef __cplusplus\n}\n#endif\n\n#endif\n");
}

static void print_members(const char *prefix)
{
	printf("struct vmpi;\nenum { VMPI_CALLS_VERSION = 0x%08x };\nstruct vmpi_calls {\n",
	       (unsigned)list_version() >> 1);
	for (unsigned i = 0; i < CALLS; i++) {
		printf("\t%s (*%s)(struct vmpi *v%s", calls[i].result, calls[i].name,
		       strcmp(calls[i].params, "void") == 0 ? "" : ", ");
		if (strcmp(calls[i].params, "void") != 0)
			print_types(calls[i].params, prefix);
		printf(");\n");
	}
	printf("};\n\n/* In the program's data; the simulator fills it when it loads the program. */\n"
	       "struct vmpi_gate {\n\tint version;\n\tstruct vmpi *v;\n\tconst struct vmpi_calls *calls;\n"
	       "\tconst void *where; /* the place of the last call */\n};\n\n");
}

static void print_calls(void)
{
	printf("/* What programs may call, as the simulator sees it. Made from calls.def. */\n");
	printf("#ifndef VMPI_CALLS_H\n#define VMPI_CALLS_H\n\n");
	print_types_and_constants("VMPI");
	print_members("VMPI");
	for (unsigned i = 0; i < CALLS; i++) {
		bool none = strcmp(calls[i].params, "void") == 0;

		printf("/* %s */\n%s vmpi_%s(struct vmpi *v%s", calls[i].doc, calls[i].result, calls[i].name,
		       none ? "" : ", ");
		if (!none)
			print_types(calls[i].params, "VMPI");
		printf(");\n");
	}
	printf("\n#endif\n");
}

static void print_stub(const struct call *c)
{
	bool ends = c->kind == OF_SYSTEM;

	printf("%s%s %s%s(", ends ? "__attribute__((noreturn)) " : "", c->result, c->kind == OF_MPI ? "MPI_" : "",
	       c->name);
	print_types(c->params, "MPI");
	printf(")\n{\n\tvmpi_gate.where = __builtin_return_address(0);\n\t%svmpi_gate.calls->%s(vmpi_gate.v",
	       strcmp(c->result, "void") == 0 ? "" : "return ", c->name);
	print_names(c->params);
	printf(");\n%s}\n", ends ? "\t__builtin_unreachable();\n" : "");
	if (c->kind != OF_MPI)
		return;
	printf("extern __typeof__(MPI_%s) MGEN_%s __attribute__((alias(\"MPI_%s\")));\n", c->name, c->name, c->name);
	printf("extern __typeof__(MPI_%s) LMPI_%s __attribute__((alias(\"MPI_%s\")));\n", c->name, c->name, c->name);
}

static void print_gate(void)
{
	printf("/* How stubs reach the simulator. Made from calls.def. */\n"
	       "#ifndef VMPI_GATE_H\n#define VMPI_GATE_H\n\n#include \"bsim.h\"\n#include \"mpi.h\"\n\n");
	print_members("MPI");
	printf("extern struct vmpi_gate vmpi_gate __attribute__((visibility(\"default\")));\n\n#endif\n");
}

static void print_stubs(void)
{
	printf("/* Linked into programs: leads their calls to the simulator. Made from calls.def. */\n"
	       "#include \"gate.h\"\n\nstruct vmpi_gate vmpi_gate = {VMPI_CALLS_VERSION, 0, 0, 0};\n\n");
	for (unsigned i = 0; i < CALLS; i++)
		if (calls[i].kind != OF_LIBRARY)
			print_stub(&calls[i]);
}

static void print_blocking(void)
{
	static const struct {
		const char *name, *begin, *params;
	} collectives[] = {
#define COLLECTIVE(name, begin, params, doc) {#name, #begin, params},
#include "collective_calls.def"
#undef COLLECTIVE
	};

	printf("/* Collective operations that block. Made from collective_calls.def. */\n"
	       "#include <stddef.h>\n\n#include \"calls.h\"\n");
	for (unsigned i = 0; i < sizeof(collectives) / sizeof(collectives[0]); i++) {
		printf("\nint vmpi_%s(struct vmpi *v, ", collectives[i].name);
		print_types(collectives[i].params, "VMPI");
		printf(")\n{\n\treturn vmpi_%s(v", collectives[i].begin);
		print_names(collectives[i].params);
		printf(", NULL);\n}\n");
	}
}

static void print_table(void)
{
	printf("| call | what it does |\n|---|---|\n");
	for (unsigned i = 0; i < CALLS; i++)
		if (calls[i].kind != OF_SYSTEM && calls[i].kind != OF_LIBRARY)
			printf("| `%s` | %s |\n", calls[i].name, calls[i].doc);
}

int main(int argc, char *argv[])
{
	const char *what = argc == 2 ? argv[1] : "";

	if (strcmp(what, "calls") == 0)
		print_calls();
	else if (strcmp(what, "gate") == 0)
		print_gate();
	else if (strcmp(what, "stubs") == 0)
		print_stubs();
	else if (strcmp(what, "blocking") == 0)
		print_blocking();
	else if (strcmp(what, "table") == 0)
		print_table();
	else if (strcmp(what, "BSIM") == 0)
		print_bsim();
	else if (strcmp(what, "MPI") == 0 || strcmp(what, "MGEN") == 0 || strcmp(what, "LMPI") == 0)
		print_header(what);
	else
		return 2;
	return 0;
}
