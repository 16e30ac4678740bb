/*
 * Generates the Fortran interface from calls.def and constants.def at build time:
 *   make_fortran MPI|LMPI    the module of that prefix: constants, and interfaces of all calls
 *   make_fortran mpif        mpif.h, of fixed and free form: constants
 *   make_fortran stubs       the functions that gfortran calls (mpi_send_, lmpi_send_ …)
 *
 * Arguments are passed by reference, the lengths of strings after all others, and an error code last (optional with
 * the module). Choice buffers are of any type and rank (NO_ARG_CHECK).
 */
#include "fortran_params.h"

/* ---- constants ---- */

/* A line of a module, or of mpif.h, where lines begin in column 7. */
static void print_constant(const char *prefix, bool fixed, const char *name, long value)
{
	if (fixed)
		printf("      integer %s_%s\n      parameter (%s_%s=%ld)\n", prefix, name, prefix, name, value);
	else
		printf("  integer, parameter :: %s_%s = %ld\n", prefix, name, value);
}

struct number {
	const char *name;
	long value;
};

static const struct number types[] = {
	{"", 0},
#define TYPE(name, ctype, class) {#name, 0},
#include "constants.def"
#undef TYPE
};

static long type_number(const char *name)
{
	for (size_t i = 1; i < sizeof(types) / sizeof(types[0]); i++)
		if (strcmp(types[i].name, name) == 0)
			return (long)i;
	return 0;
}

static void fortran_print_types(const char *prefix, bool fixed)
{
	for (size_t i = 1; i < sizeof(types) / sizeof(types[0]); i++)
		print_constant(prefix, fixed, types[i].name, (long)i);
#define ALIAS(name, of) print_constant(prefix, fixed, #name, type_number(#of));
#include "constants.def"
#undef ALIAS
}

static void fortran_print_constants(const char *prefix, bool fixed)
{
	static const struct number of_fortran[] = {
		/* places in an array that is a Status of mpi.h: three numbers, and three for itself */
		{"SOURCE", 1},       {"TAG", 2},        {"ERROR", 3},       {"STATUS_SIZE", 6},
		{"ADDRESS_KIND", 8}, {"COUNT_KIND", 8}, {"OFFSET_KIND", 8}, {"INTEGER_KIND", 4},
	};
	long number = 1;

	fortran_print_types(prefix, fixed);
#define OP(name, doc) print_constant(prefix, fixed, #name, number++);
#include "constants.def"
#undef OP
	number = 0;
#define ERROR(name, doc) print_constant(prefix, fixed, #name, number++);
#include "constants.def"
#undef ERROR
#define CONST(name, ctype, value) \
	if (!strchr(#ctype, '*')) \
		print_constant(prefix, fixed, #name, value);
#include "constants.def"
#undef CONST
	for (size_t i = 0; i < sizeof(of_fortran) / sizeof(of_fortran[0]); i++)
		print_constant(prefix, fixed, of_fortran[i].name, of_fortran[i].value);
}

/* ---- variables whose addresses are special constants ---- */
static const char *const marks[] = {"BOTTOM",          "IN_PLACE",   "STATUS_IGNORE",
				    "STATUSES_IGNORE", "UNWEIGHTED", "WEIGHTS_EMPTY"};
enum { MARKS = sizeof(marks) / sizeof(marks[0]) };

/* By names of each module's own in the object: a file may use both modules. */
static void print_marks(const char *prefix)
{
	const char *label = strcmp(prefix, "MPI") == 0 ? "vmpi_f_" : "vmpi_fl_";

	for (unsigned i = 0; i < MARKS; i++) {
		bool status = strncmp(marks[i], "STATUS", 6) == 0, all = strncmp(marks[i], "STATUSES", 8) == 0;

		printf("  integer, bind(C, name=\"%s", label);
		print_lower(marks[i]);
		printf("_\") :: %s_%s%s\n", prefix, marks[i],
		       all                             ? "(6, 1)"
		       : status                        ? "(6)"
		       : strchr(marks[i], 'W') != NULL ? "(1)"
						       : "");
	}
}

/* The standard's functions of attributes (stubs_fortran_objects.c). */
static void print_externals(const char *start, const char *prefix)
{
#define CONST(name, ctype, value) \
	if (strstr(#ctype, "_function")) \
		printf("%s%s_%s\n", start, prefix, #name);
#include "constants.def"
#undef CONST
}

static void print_mpif(void)
{
	printf("! Constants of MPI for programs on virtual ranks. Made from constants.def.\n");
	fortran_print_constants("MPI", true);
	for (unsigned i = 0; i < MARKS; i++) {
		bool status = strncmp(marks[i], "STATUS", 6) == 0, all = strncmp(marks[i], "STATUSES", 8) == 0;

		printf("      integer MPI_%s%s\n      common /vmpi_f_", marks[i],
		       all                             ? "(6,1)"
		       : status                        ? "(6)"
		       : strchr(marks[i], 'W') != NULL ? "(1)"
						       : "");
		print_lower(marks[i]);
		printf("/ MPI_%s\n", marks[i]);
	}
	print_externals("      external ", "MPI");
	printf("      integer (kind=8) MPI_AINT_ADD, MPI_AINT_DIFF\n"
	       "      external MPI_AINT_ADD, MPI_AINT_DIFF\n");
	printf("      double precision MPI_WTIME, MPI_WTICK\n      external MPI_WTIME, MPI_WTICK\n");
}

/* ---- the module ---- */

static void print_declaration(const struct call *c, const struct param *p)
{
	bool array = is_array(p);
	const char *type = is_logical(p) ? "logical" : "integer";

	switch (is_unchecked(c, p) ? CHOICE : p->kind) {
	case VALUE: printf("      %s, intent(in) :: %s\n", type, p->name); break;
	case REAL: printf("      double precision, intent(in) :: %s\n", p->name); break;
	case ADDRESS: printf("      integer(8), intent(in) :: %s\n", p->name); break;
	case INTEGERS: printf("      %s :: %s%s\n", type, p->name, array ? "(*)" : ""); break;
	case ADDRESSES: printf("      integer(8) :: %s%s\n", p->name, array ? "(*)" : ""); break;
	case CHOICE:
		printf("!GCC$ ATTRIBUTES NO_ARG_CHECK :: %s\n      type(*), dimension(*) :: %s\n", p->name, p->name);
		break;
	case STATUS: printf("      integer :: %s(%s)\n", p->name, array ? "6, *" : "6"); break;
	case TEXT_IN: printf("      character(len=*), intent(in) :: %s\n", p->name); break;
	case TEXT_OUT: printf("      character(len=*), intent(out) :: %s\n", p->name); break;
	case FUNCTION: printf("      external :: %s\n", p->name); break;
	case ABSENT: break;
	}
}

static void print_interface(const char *prefix, const struct call *c)
{
	struct param p[PARAMS_MAX];
	unsigned count = read_params(c->params, p);
	bool function = strcmp(c->result, "double") == 0;

	open_interface(c, prefix, p, count);
	for (unsigned i = 0; i < count; i++)
		print_declaration(c, &p[i]);
	if (!function)
		printf("      integer, intent(out), optional :: ierror\n");
	printf("    end %s\n", function ? "function" : "subroutine");
}

static void print_interfaces(const char *prefix)
{
	for (unsigned i = 0; i < CALLS; i++)
		if (!skipped(&calls[i]))
			print_interface(prefix, &calls[i]);
}

static void print_module(const char *prefix)
{
	bool profiled = strcmp(prefix, "MPI") == 0; /* the standard's names, which exist with PMPI too */

	printf("! Calls of Fortran programs on virtual ranks: docs/programs/bsim.md. Made from calls.def.\nmodule ");
	print_lower(prefix);
	printf("\n  implicit none\n");
	fortran_print_constants(prefix, false);
	print_marks(prefix);
	print_externals("  external :: ", prefix);
	printf("  interface\n");
	print_interfaces(prefix);
	if (profiled)
		print_interfaces("PMPI");
	printf("  end interface\n");
	if (profiled)
		print_sizeof();
	printf("end module ");
	print_lower(prefix);
	printf("\n");
}

/* ---- the stubs ---- */

static void print_stub_params(const struct param *p, unsigned count, bool function)
{
	static const char *const types_of[] = {
		[VALUE] = "const int *",   [REAL] = "const double *",  [ADDRESS] = "const long *",
		[INTEGERS] = "int *",      [ADDRESSES] = "long *",     [CHOICE] = "void *",
		[STATUS] = "MPI_Status *", [TEXT_IN] = "const char *", [TEXT_OUT] = "char *",
		[FUNCTION] = "void (*",
	};
	const char *comma = "";

	for (unsigned i = 0; i < count; i++)
		if (p[i].kind != ABSENT) {
			printf("%s%s%s%s", comma, types_of[p[i].kind], p[i].name,
			       p[i].kind == FUNCTION ? ")(void)" : "");
			comma = ", ";
		}
	if (!function)
		printf("%sint *ierror", comma);
	for (unsigned i = 0; i < count; i++)
		if (p[i].kind == TEXT_IN || p[i].kind == TEXT_OUT)
			printf(", size_t %s_length", p[i].name);
	if (function && !*comma)
		printf("void");
}

static void print_stub_arguments(const struct call *c, const struct param *p, unsigned count)
{
	bool wrapped = c >= large_calls && c < large_calls + LARGE_CALLS;

	printf(wrapped ? "PMPI_%s("
	       : count ? "vmpi_gate.calls->%s(vmpi_gate.v, "
		       : "vmpi_gate.calls->%s(vmpi_gate.v",
	       c->name);
	for (unsigned i = 0; i < count; i++) {
		printf("%s", i ? ", " : "");
		switch (p[i].kind) {
		case VALUE:
		case REAL:
		case ADDRESS: printf("*%s", p[i].name); break;
		case INTEGERS:
			if (strstr(p[i].name, "weights")) {
				printf("weights_of(%s)", p[i].name);
				break;
			}
			/* an array of triples */
			printf(strcmp(p[i].name, "ranges") ? "%s" : "(int (*)[3])(void *)%s", p[i].name);
			break;
		case ADDRESSES: printf("(void *)(uintptr_t)%s", p[i].name); break;
		case FUNCTION: printf("(MPI_%s *)%s", p[i].function, p[i].name); break;
		case CHOICE: printf("buffer_of(%s)", p[i].name); break;
		case STATUS: printf("status_of(%s)", p[i].name); break;
		case TEXT_IN:
		case TEXT_OUT: printf("%s_text", p[i].name); break;
		case ABSENT: printf("0"); break;
		}
	}
	printf(");\n");
}

/*
 * Converts strings before the call, and strings and positions, which count from 1, after it. The room for a string has
 * its end in C alone.
 */
static void print_stub_texts(const struct param *p, unsigned count, bool before)
{
	bool has_flag = count && strcmp(p[count - 1].name, "flag") == 0; /* whether there is a text */
	bool has_room = false;                                           /* which may be none */

	for (unsigned i = 0; i < count; i++) {
		const char *name = p[i].name;

		if (before && (p[i].kind == TEXT_IN || p[i].kind == TEXT_OUT))
			printf("\tchar %s_text[MPI_MAX_INFO_VAL + 1] = \"\";\n", name);
		if (before && p[i].kind == TEXT_IN)
			printf("\n\t%s(%s, %s_length, %s_text, sizeof(%s_text));\n",
			       strcmp(name, "key") && strcmp(name, "value") ? "text_in" : "word_in", name, name, name,
			       name);
		if (before && strcmp(name, "buflen") == 0)
			printf("\tint room = *buflen;\n\n\tif (room)\n\t\t++*buflen;\n");
		has_room = has_room || strcmp(name, "buflen") == 0;
		if (!before && strcmp(name, "buflen") == 0)
			printf("\tif (*flag || *buflen)\n\t\t--*buflen;\n");
		if (!before && p[i].kind == TEXT_OUT)
			printf("\t%stext_out(%s_text, %s, %s_length);\n",
			       has_room   ? "if (*flag && room)\n\t\t"
			       : has_flag ? "if (*flag)\n\t\t"
					  : "",
			       name, name, name);
		if (!before && strcmp(name, "index") == 0)
			printf("\tif (*index != MPI_UNDEFINED)\n\t\t++*index;\n");
		if (!before && strcmp(name, "indices") == 0)
			printf("\tfor (int i = 0; i < *outcount; i++)\n\t\tindices[i]++;\n");
	}
}

static void fortran_print_stub(const struct call *c)
{
	struct param p[PARAMS_MAX];
	unsigned count = read_params(c->params, p);
	bool function = strcmp(c->result, "double") == 0;

	printf("%s pmpi_", function ? "double" : "void");
	print_lower(c->name);
	printf("_(");
	print_stub_params(p, count, function);
	printf(")\n{\n");
	if (!function)
		printf("\tint code;\n");
	print_stub_texts(p, count, true);
	/* the wrapper of C notes the place */
	printf("\t%s = __builtin_return_address(0);\n\t%s",
	       c >= large_calls && c < large_calls + LARGE_CALLS ? "vmpi_large_where" : "vmpi_gate.where",
	       function ? "return " : "code = ");
	print_stub_arguments(c, p, count);
	print_stub_texts(p, count, false);
	if (!function)
		printf("\tif (ierror)\n\t\t*ierror = code;\n");
	printf("}\n");
	for (unsigned i = 0; i < 2; i++) {
		printf("extern __typeof__(pmpi_");
		print_lower(c->name);
		printf("_) %s_", i ? "lmpi" : "mpi");
		print_lower(c->name);
		printf("_ __attribute__((weak, alias(\"pmpi_");
		print_lower(c->name);
		printf("_\")));\n");
	}
}

static void fortran_print_stubs(void)
{
	printf("/* Linked into Fortran programs: leads their calls to the simulator. Made from calls.def. */\n"
	       "#include <stdint.h>\n\n#include \"gate.h\"\n#include \"stubs_fortran.h\"\n\n");
	for (unsigned i = 0; i < CALLS; i++)
		if (!skipped(&calls[i]))
			fortran_print_stub(&calls[i]);
}

static void fortran_print_large_stubs(void)
{
	printf("/* Linked into Fortran programs: calls with large counts. Made from calls_large.def and calls.def. */\n"
	       "#include <stdint.h>\n\n#include \"gate.h\"\n#include \"stubs_fortran.h\"\n\n");
	for (unsigned i = 0; i < LARGE_CALLS; i++)
		if (small_of(&large_calls[i]))
			fortran_print_stub(&large_calls[i]);
	for (unsigned i = 0; i < CALLS; i++)
		if (is_large(&calls[i]) && small_of(&calls[i]))
			fortran_print_stub(&calls[i]);
}

int main(int argc, char *argv[])
{
	const char *what = argc == 2 ? argv[1] : "";

	if (strcmp(what, "MPI") == 0 || strcmp(what, "LMPI") == 0)
		print_module(what);
	else if (strcmp(what, "mpif") == 0)
		print_mpif();
	else if (strcmp(what, "stubs") == 0)
		fortran_print_stubs();
	else if (strcmp(what, "large") == 0)
		fortran_print_large_stubs();
	else
		return 2;
	return 0;
}
