/* Names of calls, with the prefix of the program: rows of ../api/calls.def. */
#include "loaded.h"
#include "world.h"

static const char *const call_names[CALL_COUNT + 1][CALL_PREFIXES] = {
#define CALL(result, name, params, doc, trace) {"MPI_" #name, "MGEN_" #name, "LMPI_" #name},
#define BSIM(result, name, params, doc) {"BSIM_" #name, "BSIM_" #name, "BSIM_" #name},
#define SYSTEM(name, params, doc) {#name, #name, #name},
#include "../api/calls.def"
#undef CALL
#undef BSIM
#undef SYSTEM
#define THREAD(name) {#name, #name, #name},
#include "../api/thread_calls.def"
#undef THREAD
	{"the program", "the program", "the program"},
};

const char *call_name(const struct vmpi *v, enum call_id call)
{
	return call_names[call][v->loaded->prefix];
}

const char *call_mpi_name(enum call_id call)
{
	return call_names[call][CALLS_MPI];
}
