/*
 * Generates the module mpi_f08 from calls.def and constants.def at build time (MPI 3.1, 17.1.2):
 *   make_f08 module    types of handles, constants, and interfaces of all calls
 *   make_f08 stubs     comparison of handles
 *
 * A handle is a type with one integer, and a status has the layout of C's. Both are passed by reference, so the calls
 * are those of the module mpi.
 */
#include "fortran_params.h"

static const char *const f08_handles[] = {"Comm", "Group",      "Datatype", "Op",   "Request",
					  "Info", "Errhandler", "Win",      "File", "Message"};
enum { F08_HANDLES = sizeof(f08_handles) / sizeof(f08_handles[0]) };

static bool is_handle(const char *type)
{
	for (unsigned i = 0; i < F08_HANDLES; i++)
		if (strcmp(type, f08_handles[i]) == 0)
			return true;
	return false;
}

/* ---- types and constants ---- */

static void f08_types(void)
{
	for (unsigned i = 0; i < F08_HANDLES; i++)
		printf("  type, bind(C) :: MPI_%s\n    integer(c_int) :: MPI_VAL = 0\n  end type\n", f08_handles[i]);
	printf("  type, bind(C) :: MPI_Status\n    integer(c_int) :: MPI_SOURCE, MPI_TAG, MPI_ERROR\n"
	       "    integer(c_int), private :: cancelled_\n    integer(c_long_long), private :: bytes_\n  end type\n");
	for (unsigned k = 0; k < 2; k++) {
		printf("  interface operator(%s)\n", k ? "/=" : "==");
		for (unsigned i = 0; i < F08_HANDLES; i++)
			printf("    function vmpi_f08_%s_%u(a, b)\n      import\n      type(MPI_%s), intent(in) :: a, "
			       "b\n"
			       "      logical :: vmpi_f08_%s_%u\n    end function\n",
			       k ? "ne" : "eq", i, f08_handles[i], k ? "ne" : "eq", i);
		printf("  end interface\n");
	}
}

static void f08_handle(const char *type, const char *name, long value)
{
	printf("  type(MPI_%s), parameter :: MPI_%s = MPI_%s(%ld)\n", type, name, type, value);
}

static void f08_datatypes(void)
{
	static const struct {
		const char *name;
	} types[] = {
		{""},
#define TYPE(name, ctype, class) {#name},
#include "constants.def"
#undef TYPE
	};
	static const struct {
		const char *name, *of;
	} aliases[] = {
#define ALIAS(name, of) {#name, #of},
#include "constants.def"
#undef ALIAS
	};

	for (size_t i = 1; i < sizeof(types) / sizeof(types[0]); i++) {
		f08_handle("Datatype", types[i].name, (long)i);
		for (size_t k = 0; k < sizeof(aliases) / sizeof(aliases[0]); k++)
			if (strcmp(aliases[k].of, types[i].name) == 0)
				f08_handle("Datatype", aliases[k].name, (long)i);
	}
}

static void f08_constant(const char *type, const char *name, long value)
{
	if (is_handle(type))
		f08_handle(type, name, value);
	else if (!strchr(type, '*'))
		printf("  integer%s, parameter :: MPI_%s = %ld\n", strcmp(type, "int") ? "(8)" : "", name, value);
}

static void f08_constants(void)
{
	long number = 1;

	f08_datatypes();
#define OP(name, doc) f08_handle("Op", #name, number++);
#include "constants.def"
#undef OP
	number = 0;
#define ERROR(name, doc) f08_constant("int", #name, number++);
#include "constants.def"
#undef ERROR
#define CONST(name, ctype, value) f08_constant(#ctype, #name, (long)(value));
#include "constants.def"
#undef CONST
	printf("  integer, parameter :: MPI_ADDRESS_KIND = 8, MPI_COUNT_KIND = 8, MPI_OFFSET_KIND = 8\n"
	       "  integer, parameter :: MPI_INTEGER_KIND = 4\n"
	       /* places in a status that is an array, as the module mpi has them */
	       "  integer, parameter :: MPI_SOURCE = 1, MPI_TAG = 2, MPI_ERROR = 3, MPI_STATUS_SIZE = 6\n"
	       "  logical, parameter :: MPI_SUBARRAYS_SUPPORTED = .false., MPI_ASYNC_PROTECTS_NONBLOCKING = .false.\n"
	       "  type(MPI_Status), bind(C, name=\"vmpi_f08_status_ignore_\") :: MPI_STATUS_IGNORE\n"
	       "  type(MPI_Status), bind(C, name=\"vmpi_f08_statuses_ignore_\") :: MPI_STATUSES_IGNORE(1)\n"
	       "  integer, bind(C, name=\"vmpi_f08_bottom_\") :: MPI_BOTTOM\n"
	       "  integer, bind(C, name=\"vmpi_f08_in_place_\") :: MPI_IN_PLACE\n"
	       "  integer, bind(C, name=\"vmpi_f08_unweighted_\") :: MPI_UNWEIGHTED(1)\n"
	       "  integer, bind(C, name=\"vmpi_f08_weights_empty_\") :: MPI_WEIGHTS_EMPTY(1)\n");
#define CONST(name, ctype, value) \
	if (strstr(#ctype, "attr_function") || strstr(#ctype, "Copy_f") || strstr(#ctype, "Delete_f")) \
		printf("  external :: MPI_%s\n", #name);
#include "constants.def"
#undef CONST
}

/* ---- interfaces ---- */

/* Forms of the program's own functions. */
static void f08_functions(void)
{
	static const char *const kinds[] = {"Comm", "Win", "File"};

	printf("  abstract interface\n    subroutine MPI_User_function(invec, inoutvec, len, datatype)\n      import\n"
	       "      type(c_ptr), value :: invec, inoutvec\n      integer :: len\n      type(MPI_Datatype) :: "
	       "datatype\n"
	       "    end subroutine\n");
	for (unsigned i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		printf("    subroutine MPI_%s_errhandler_function(handle, error_code)\n      import\n"
		       "      type(MPI_%s) :: handle\n      integer :: error_code\n    end subroutine\n",
		       kinds[i], kinds[i]);
	printf("  end interface\n");
}

static void f08_declaration(const struct param *p)
{
	bool array = is_array(p), handle = is_handle(p->type);
	char type[NAME_CHARS + 16] = "integer";

	if (handle)
		snprintf(type, sizeof(type), "type(MPI_%s)", p->type);
	else if (is_logical(p))
		snprintf(type, sizeof(type), "logical");
	switch (p->kind) {
	case VALUE: printf("      %s, intent(in) :: %s\n", type, p->name); break;
	case REAL: printf("      double precision, intent(in) :: %s\n", p->name); break;
	case ADDRESS: printf("      integer(8), intent(in) :: %s\n", p->name); break;
	case INTEGERS: printf("      %s :: %s%s\n", type, p->name, array ? "(*)" : ""); break;
	case ADDRESSES: printf("      integer(8) :: %s%s\n", p->name, array ? "(*)" : ""); break;
	case CHOICE:
		printf("!GCC$ ATTRIBUTES NO_ARG_CHECK :: %s\n      type(*), dimension(*) :: %s\n", p->name, p->name);
		break;
	case STATUS:
		printf("      type(MPI_Status) :: %s%s\n", p->name, strcmp(p->name, "statuses") ? "" : "(*)");
		break;
	case TEXT_IN: printf("      character(len=*), intent(in) :: %s\n", p->name); break;
	case TEXT_OUT: printf("      character(len=*), intent(out) :: %s\n", p->name); break;
	case FUNCTION: printf("      external :: %s\n", p->name); break;
	case ABSENT: break;
	}
}

/* Returns whether the call gets a descriptor of its buffer, which may be a section of an array. */
static bool takes_section(const struct call *c)
{
	static const char *const names[] = {"Isend",     "Ibsend",     "Issend",     "Irsend",     "Irecv",
					    "Send_init", "Bsend_init", "Ssend_init", "Rsend_init", "Recv_init"};

	for (unsigned i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strcmp(c->name, names[i]) == 0)
			return true;
	return false;
}

static void f08_section_interface(const char *prefix, const struct call *c)
{
	const char *peer = strstr(c->name, "ecv") ? "source" : "dest";

	printf("    subroutine %s_%s(buf, count, datatype, %s, tag, comm, request, ierror) &\n"
	       "        bind(C, name=\"vmpi_f08_",
	       prefix, c->name, peer);
	print_lower(prefix);
	putchar('_');
	print_lower(c->name);
	printf("\")\n      import\n      type(*), dimension(..) :: buf\n"
	       "      integer, intent(in) :: count, %s, tag\n      type(MPI_Datatype), intent(in) :: datatype\n"
	       "      type(MPI_Comm), intent(in) :: comm\n      type(MPI_Request) :: request\n"
	       "      integer, intent(out), optional :: ierror\n    end subroutine\n",
	       peer);
}

static void f08_interface(const char *prefix, const struct call *c)
{
	struct param p[PARAMS_MAX];
	unsigned count = read_params(c->params, p);
	bool function = strcmp(c->result, "double") == 0;

	if (takes_section(c)) {
		f08_section_interface(prefix, c);
		return;
	}
	open_interface(c, prefix, p, count);
	printf("      import\n");
	for (unsigned i = 0; i < count; i++)
		f08_declaration(&p[i]);
	if (!function)
		printf("      integer, intent(out), optional :: ierror\n");
	printf("    end %s\n", function ? "function" : "subroutine");
}

/* Prints the interface of a conversion of a status between a type and an array: their types, and the bounds of each. */
static void f08_conversion(const char *prefix, const char *name, const char *from, const char *to,
			   const char *from_bounds, const char *to_bounds)
{
	printf("    subroutine %s_Status_%s(from, to, ierror)\n      import\n"
	       "      %s, intent(in) :: from%s\n      %s, intent(out) :: to%s\n"
	       "      integer, intent(out), optional :: ierror\n    end subroutine\n",
	       prefix, name, from, from_bounds, to, to_bounds);
}

/* Calls `visit` for each call with large counts. */
static void f08_each_large(const char *prefix, void (*visit)(const char *prefix, const struct call *c))
{
	for (unsigned i = 0; i < LARGE_CALLS; i++)
		if (small_of(&large_calls[i]))
			visit(prefix, &large_calls[i]);
	for (unsigned i = 0; i < CALLS; i++)
		if (is_large(&calls[i]) && small_of(&calls[i]))
			visit(prefix, &calls[i]);
}

/*
 * The name without _c stands for both calls, where the kind of an integer distinguishes them. Aint and Count are of one
 * kind.
 */
static void f08_generic(const char *prefix, const struct call *large)
{
	const struct call *small = small_of(large);
	struct param p[PARAMS_MAX], q[PARAMS_MAX];
	unsigned count = read_params(large->params, p);
	bool differ = false;

	read_params(small->params, q);
	for (unsigned i = 0; i < count; i++)
		differ = differ || p[i].kind != q[i].kind;
	if (differ)
		printf("  interface %s_%s\n    procedure %s_%s, %s_%s\n  end interface\n", prefix, small->name, prefix,
		       small->name, prefix, large->name);
}

/* Calls of one prefix: MPI, PMPI. */
static void f08_interfaces(const char *prefix)
{
	for (unsigned i = 0; i < CALLS; i++)
		if (!skipped(&calls[i]))
			f08_interface(prefix, &calls[i]);
	f08_each_large(prefix, f08_interface);
	printf("    function %s_Aint_add(base, disp)\n      integer(8) :: %s_Aint_add\n"
	       "      integer(8), intent(in) :: base, disp\n    end function\n"
	       "    function %s_Aint_diff(addr1, addr2)\n      integer(8) :: %s_Aint_diff\n"
	       "      integer(8), intent(in) :: addr1, addr2\n    end function\n",
	       prefix, prefix, prefix, prefix);
	f08_conversion(prefix, "f2f08", "integer", "type(MPI_Status)", "(MPI_STATUS_SIZE)", "");
	f08_conversion(prefix, "f082f", "type(MPI_Status)", "integer", "", "(MPI_STATUS_SIZE)");
}

static void f08_module(void)
{
	printf("! Calls of Fortran 2008 programs on virtual ranks: docs/models/vmpi.md. Made from calls.def.\n"
	       "module mpi_f08\n  use, intrinsic :: iso_c_binding, only: c_int, c_long_long, c_ptr\n  implicit none\n"
	       "  private :: c_int, c_long_long, c_ptr\n");
	f08_types();
	f08_constants();
	f08_functions();
	printf("  interface\n");
	f08_interfaces("MPI");
	f08_interfaces("PMPI");
	printf("  end interface\n");
	f08_each_large("MPI", f08_generic);
	f08_each_large("PMPI", f08_generic);
	print_sizeof();
	printf("end module mpi_f08\n");
}

static void f08_stubs(void)
{
	printf("/* Linked into Fortran 2008 programs: comparison of handles. */\n");
	for (unsigned i = 0; i < F08_HANDLES; i++)
		printf("int vmpi_f08_eq_%u_(const int *a, const int *b)\n{\n\treturn *a == *b;\n}\n"
		       "int vmpi_f08_ne_%u_(const int *a, const int *b)\n{\n\treturn *a != *b;\n}\n",
		       i, i);
}

int main(int argc, char *argv[])
{
	if (argc == 2 && strcmp(argv[1], "module") == 0)
		f08_module();
	else if (argc == 2 && strcmp(argv[1], "stubs") == 0)
		f08_stubs();
	else
		return 2;
	return 0;
}
