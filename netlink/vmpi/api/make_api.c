/*
 * Generates code from calls.def and constants.def at build time:
 *   make_api MPI|MGEN|LMPI   the header for programs with that prefix
 *   make_api BSIM            the header of skeletons, for use with any of these
 *   make_api calls           prototypes and the table of functions that the simulator implements
 *   make_api gate            the same from the program's side, for the stubs
 *   make_api stubs           the functions linked into programs, which call through that table
 *   make_api blocking        collective operations that block: the nonblocking ones without a request
 */
#include <ctype.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define ARGUMENT_TYPE(name) name /* the prefix is added to the text */
#include "call_arguments.h"

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
#define CALL(result, name, params, doc, trace) {#result, #name, params, doc, OF_MPI},
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

/* Calls with large counts, which make_large makes of others. */
static const struct large_call {
	const char *name, *params;
} large_calls[] = {
#define LARGE(name, params) {#name, params},
#include "calls_large.def"
};

static const char *const type_names[] = {
	"Comm",
	"Group",
	"Datatype",
	"Op",
	"Request",
	"Info",
	"Errhandler",
	"Status",
	"Aint",
	"User_function",
	"Win",
	"File",
	"Message",
	"Count",
	"Offset",
	"Copy_function",
	"Delete_function",
	"Handler_function",
	"Comm_copy_attr_function",
	"Comm_delete_attr_function",
	"Type_copy_attr_function",
	"Type_delete_attr_function",
	"Win_copy_attr_function",
	"Win_delete_attr_function",
	"Comm_errhandler_function",
	"Win_errhandler_function",
	"File_errhandler_function",
	"Datarep_conversion_function",
	"Datarep_extent_function",
	"Grequest_query_function",
	"Grequest_free_function",
	"Grequest_cancel_function",
};

/* Returns whether the identifier of `length` characters at `at` needs the prefix. */
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

/* Types of the program's functions. */
static void print_function_types(const char *prefix)
{
	static const char *const objects[][2] = {{"Comm", "Comm"}, {"Type", "Datatype"}, {"Win", "Win"}};
	static const char *const handlers[][2] = {{"Comm", "Comm"}, {"Win", "Win"}, {"File", "File"}};
	const char *p = prefix;

	for (unsigned i = 0; i < 3; i++)
		printf("typedef int %s_%s_copy_attr_function(%s_%s object, int keyval, void *extra_state, void *value, "
		       "void *copy, int *flag);\n"
		       "typedef int %s_%s_delete_attr_function(%s_%s object, int keyval, void *value, "
		       "void *extra_state);\n",
		       p, objects[i][0], p, objects[i][1], p, objects[i][0], p, objects[i][1]);
	for (unsigned i = 0; i < 3; i++)
		printf("typedef void %s_%s_errhandler_function(%s_%s *object, int *code, ...);\n"
		       "typedef %s_%s_errhandler_function %s_%s_errhandler_fn;\n",
		       p, handlers[i][0], p, handlers[i][1], p, handlers[i][0], p, handlers[i][0]);
	printf("typedef %s_Comm_copy_attr_function %s_Copy_function;\n"
	       "typedef %s_Comm_delete_attr_function %s_Delete_function;\n"
	       "typedef %s_Comm_errhandler_function %s_Handler_function;\n",
	       p, p, p, p, p, p);
	printf("typedef int %s_Grequest_query_function(void *extra_state, %s_Status *status);\n"
	       "typedef int %s_Grequest_free_function(void *extra_state);\n"
	       "typedef int %s_Grequest_cancel_function(void *extra_state, int complete);\n",
	       p, p, p, p);
	printf("typedef int %s_Datarep_conversion_function(void *userbuf, %s_Datatype datatype, int count, "
	       "void *filebuf, %s_Offset position, void *extra_state);\n"
	       "typedef int %s_Datarep_extent_function(%s_Datatype datatype, %s_Aint *extent, void *extra_state);\n",
	       p, p, p, p, p, p);
}

/* A status of Fortran is an array of the same bytes, one of mpi_f08 the same type. */
static void print_status_conversions(const char *p)
{
	static const char *const forms[][3] = {
		{"c2f", "Status", "Fint"},         {"f2c", "Fint", "Status"},       {"c2f08", "Status", "F08_status"},
		{"f082c", "F08_status", "Status"}, {"f2f08", "Fint", "F08_status"}, {"f082f", "F08_status", "Fint"},
	};

	printf("typedef %s_Status %s_F08_status;\nenum { %s_F_STATUS_SIZE = sizeof(%s_Status) / sizeof(%s_Fint), "
	       "%s_F_SOURCE = 0, %s_F_TAG, %s_F_ERROR };\n",
	       p, p, p, p, p, p, p, p);
	for (unsigned i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
		printf("static __inline__ int %s_Status_%s(const %s_%s *from, %s_%s *to)\n"
		       "{\n\t__builtin_memcpy(to, from, sizeof(%s_Status));\n\treturn %s_SUCCESS;\n}\n",
		       p, forms[i][0], p, forms[i][1], p, forms[i][2], p, p);
		if (strcmp(p, "MPI") == 0)
			printf("#define PMPI_Status_%s MPI_Status_%s\n", forms[i][0], forms[i][0]);
	}
}

/* Handles are the same numbers in C and in Fortran. */
static void print_conversions(const char *p)
{
	static const char *const handles[][2] = {
		{"Comm", "Comm"},       {"Type", "Datatype"}, {"Group", "Group"},
		{"Request", "Request"}, {"File", "File"},     {"Win", "Win"},
		{"Op", "Op"},           {"Info", "Info"},     {"Errhandler", "Errhandler"},
		{"Message", "Message"},
	};

	printf("typedef int %s_Fint;\n", p);
	for (unsigned i = 0; i < sizeof(handles) / sizeof(handles[0]); i++)
		printf("#define %s_%s_c2f(handle) ((%s_Fint)(handle))\n#define %s_%s_f2c(handle) ((%s_%s)(handle))\n",
		       p, handles[i][0], p, p, handles[i][0], p, handles[i][1]);
	for (unsigned i = 0; strcmp(p, "MPI") == 0 && i < sizeof(handles) / sizeof(handles[0]); i++)
		printf("#define PMPI_%s_c2f MPI_%s_c2f\n#define PMPI_%s_f2c MPI_%s_f2c\n", handles[i][0], handles[i][0],
		       handles[i][0], handles[i][0]);
	print_status_conversions(p);
}

/* A status of programs is one type with each prefix, as handles are: a program may mix the prefixes. */
static void print_status(const char *prefix)
{
	static const char *const members[] = {"SOURCE", "TAG", "ERROR"};
	bool program = strcmp(prefix, "VMPI") != 0, own = strcmp(prefix, "MPI") == 0 || !program;

	if (program)
		printf("#ifndef VMPI_STATUS\n#define VMPI_STATUS\n");
	printf("struct %s {\n\tint %s_SOURCE, %s_TAG, %s_ERROR;\n\tint cancelled_;\n\tlong long bytes_;\n};\n",
	       program ? "vmpi_status" : "VMPI_Status", program ? "MPI" : prefix, program ? "MPI" : prefix,
	       program ? "MPI" : prefix);
	if (program)
		printf("#endif\n");
	printf("typedef struct %s %s_Status;\n", program ? "vmpi_status" : "VMPI_Status", prefix);
	for (unsigned i = 0; i < 3 && !own; i++)
		printf("#define %s_%s MPI_%s\n", prefix, members[i], members[i]);
}

static void print_types_and_constants(const char *prefix)
{
	const char *const handles[] = {"Comm", "Group",      "Datatype", "Op",   "Request",
				       "Info", "Errhandler", "Win",      "File", "Message"};

	for (unsigned i = 0; i < sizeof(handles) / sizeof(handles[0]); i++)
		printf("typedef int %s_%s;\n", prefix, handles[i]);
	printf("typedef long %s_Aint;\n", prefix);
	printf("typedef long long %s_Count, %s_Offset;\n", prefix, prefix);
	print_status(prefix);
	print_function_types(prefix);
	printf("typedef void %s_User_function(void *in, void *inout, int *count, %s_Datatype *datatype);\n\n", prefix,
	       prefix);
	print_constants(prefix);
	printf("\n");
}

/* A declaration of a call whose name has one prefix and whose types have another. */
static void print_call_as(const struct call *c, const char *name_prefix, const char *prefix)
{
	print_types(c->result, prefix);
	printf(" %s_%s(", name_prefix, c->name);
	print_types(c->params, prefix);
	printf(");\n");
}

static void print_large_calls(const char *prefix)
{
	const char *const names[] = {prefix, "PMPI", "LMPI"};
	unsigned count = strcmp(prefix, "MPI") == 0 ? 3 : 1;

	printf("/* with large counts */\n");
	for (size_t i = 0; i < sizeof(large_calls) / sizeof(large_calls[0]); i++)
		for (unsigned k = 0; k < count; k++) {
			printf("int %s_%s_c(", names[k], large_calls[i].name);
			print_types(large_calls[i].params, prefix);
			printf(");\n");
		}
}

/*
 * mpi.h also has PMPI_ and LMPI_: a program becomes a skeleton by the prefix of its calls alone, its types and
 * constants stay MPI's (K. Inoue et al., 3.2.2).
 */
static void print_header(const char *prefix)
{
	bool standard = strcmp(prefix, "MPI") == 0;

	printf("/* Calls of programs that run on virtual ranks: docs/models/vmpi.md. Made from calls.def. */\n");
	printf("#ifndef VMPI_%s_H\n#define VMPI_%s_H\n\n", prefix, prefix);
	printf("#include <stddef.h>\n\n%s",
	       standard ? "#include \"bsim.h\"\n\n" : ""); /* NULL is a buffer without data */
	printf("#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n#define %s_SIMULATED 1\n\n", prefix);
	print_types_and_constants(prefix);
	print_conversions(prefix);
	for (unsigned i = 0; i < CALLS; i++) {
		if (calls[i].kind != OF_MPI)
			continue;
		printf("/* %s */\n", calls[i].doc);
		print_call_as(&calls[i], prefix, prefix);
		if (standard) {
			print_call_as(&calls[i], "PMPI", prefix);
			print_call_as(&calls[i], "LMPI", prefix);
		}
	}
	print_large_calls(prefix);
	if (standard)
		printf("int MPI_Pcontrol(const int level, ...);\nint PMPI_Pcontrol(const int level, ...);\n");
	else
		printf("\n/* the program, written by the user */\nint %s_Main(int argc, char **argv);\n", prefix);
	printf("\n#ifdef __cplusplus\n}\n#endif\n\n#endif\n");
}

static void print_bsim(void)
{
	printf("/* Calls of program skeletons: docs/programs/bsim.md. Made from calls.def. */\n"
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
		printf("\t");
		print_types(calls[i].result, prefix);
		printf(" (*%s)(struct vmpi *v%s", calls[i].name, strcmp(calls[i].params, "void") == 0 ? "" : ", ");
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
	printf("/* Calls of programs, as the simulator sees them. Made from calls.def. */\n");
	printf("#ifndef VMPI_CALLS_H\n#define VMPI_CALLS_H\n\n");
	print_types_and_constants("VMPI");
	print_members("VMPI");
	for (unsigned i = 0; i < CALLS; i++) {
		bool none = strcmp(calls[i].params, "void") == 0;

		printf("/* %s */\n", calls[i].doc);
		print_types(calls[i].result, "VMPI");
		printf(" vmpi_%s(struct vmpi *v%s", calls[i].name, none ? "" : ", ");
		if (!none)
			print_types(calls[i].params, "VMPI");
		printf(");\n");
	}
	printf("\n#endif\n");
}

static void print_stub(const struct call *c)
{
	bool ends = c->kind == OF_SYSTEM;

	printf("%s", ends ? "__attribute__((noreturn)) " : "");
	print_types(c->result, "MPI");
	printf(" %s%s(", c->kind == OF_MPI ? "PMPI_" : "", c->name);
	print_types(c->params, "MPI");
	printf(")\n{\n\tvmpi_gate.where = __builtin_return_address(0);\n\t%svmpi_gate.calls->%s(vmpi_gate.v",
	       strcmp(c->result, "void") == 0 ? "" : "return ", c->name);
	print_names(c->params);
	printf(");\n%s}\n", ends ? "\t__builtin_unreachable();\n" : "");
	if (c->kind != OF_MPI)
		return;
	/* a profiler may define the call itself, and call PMPI_… */
	for (unsigned i = 0; i < 3; i++)
		printf("extern __typeof__(PMPI_%s) %s_%s __attribute__((weak, alias(\"PMPI_%s\")));\n", c->name,
		       i == 0   ? "MPI"
		       : i == 1 ? "MGEN"
				: "LMPI",
		       c->name, c->name);
}

static void print_gate(void)
{
	printf("/* Table through which stubs call the simulator. Made from calls.def. */\n"
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
	printf("int PMPI_Pcontrol(const int level, ...)\n{\n\t(void)level;\n\treturn MPI_SUCCESS;\n}\n"
	       "extern __typeof__(PMPI_Pcontrol) MPI_Pcontrol __attribute__((weak, alias(\"PMPI_Pcontrol\")));\n");
}

struct collective_row {
	const char *name, *begin, *params;
};

/* Prints each name in a list of parameters; the format takes its length and text, once or twice. */
static void print_each(const char *params, const char *format)
{
	for (; *params; params += strcspn(params, ","), params += *params == ',') {
		size_t end = strcspn(params, ","), start = end;

		while (start && in_identifier(params[start - 1]))
			start--;
		printf(format, (int)(end - start), params + start, (int)(end - start), params + start);
	}
}

/* The arguments of a persistent operation, its start, and the call that keeps them. */
static void print_persistent(const struct collective_row *c)
{
	printf("\nstruct persistent_%s {\n\tstruct persistent persistent;\n\t", c->name);
	for (const char *p = c->params; *p; p += strcspn(p, ","), p += *p == ',') {
		char one[128];

		snprintf(one, sizeof(one), "%.*s", (int)strcspn(p, ","), p);
		print_types(one, "VMPI");
		printf("; ");
	}
	printf("\n};\nstatic int start_%s(struct vmpi *v, const struct persistent *p, VMPI_Request *request)\n{\n"
	       "\tconst struct persistent_%s *a = (const struct persistent_%s *)p;\n\n\treturn vmpi_%s(v",
	       c->name, c->name, c->name, c->begin);
	print_each(c->params, ", a->%.*s");
	printf(", request);\n}\nint vmpi_%s_init(struct vmpi *v, ", c->name);
	print_types(c->params, "VMPI");
	printf(", VMPI_Info info, VMPI_Request *request)\n{\n"
	       "\tstruct persistent_%s *a = persistent_make(v, CALL_%s_init, comm, sizeof(*a), start_%s, request);\n\n"
	       "\t(void)info;\n\tif (!a)\n\t\treturn VMPI_ERR_COMM;\n",
	       c->name, c->name, c->name);
	print_each(c->params, "\ta->%.*s = %.*s;\n");
	printf("\treturn VMPI_SUCCESS;\n}\n");
}

static void print_blocking(void)
{
	static const struct collective_row collectives[] = {
#define COLLECTIVE(name, begin, arguments, doc) {#name, #begin, PARAMETERS_TEXT(arguments)},
#include "collective_calls.def"
#undef COLLECTIVE
	};

	printf("/* Collective operations that block, and persistent ones. Made from collective_calls.def. */\n"
	       "#include <stddef.h>\n\n#include \"netlink/vmpi/message/message.h\"\n");
	for (unsigned i = 0; i < sizeof(collectives) / sizeof(collectives[0]); i++) {
		printf("\nint vmpi_%s(struct vmpi *v, ", collectives[i].name);
		print_types(collectives[i].params, "VMPI");
		printf(")\n{\n\treturn vmpi_%s(v", collectives[i].begin);
		print_names(collectives[i].params);
		printf(", NULL);\n}\n");
		print_persistent(&collectives[i]);
	}
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
	else if (strcmp(what, "BSIM") == 0)
		print_bsim();
	else if (strcmp(what, "MPI") == 0 || strcmp(what, "MGEN") == 0 || strcmp(what, "LMPI") == 0)
		print_header(what);
	else
		return 2;
	return 0;
}
