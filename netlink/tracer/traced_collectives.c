/* Collective operations, blocking and not, and calls that a trace cannot have. */
#include "traced_calls.h"

/* ---- calls with events ---- */

#define COLLECTIVE(name, begin, arguments, doc)
#define TRACED(name, begin, arguments, doc, start, event, ...) \
	int MPI_##name(WITHOUT_COMMA(PARAMETERS(arguments))) \
	{ \
		bool written = call_begins(); \
\
		if (written) { \
			struct collective_args a = GATHERED(arguments); \
\
			put_collective(event_begins(#event), NULL, &a); \
			event_ends(); \
		} \
		return call_over(written, PMPI_##name(WITHOUT_COMMA(NAMES(arguments)))); \
	} \
	int MPI_##begin(WITHOUT_COMMA(PARAMETERS(arguments)), MPI_Request *request) \
	{ \
		bool written = call_begins(); \
		FILE *out = NULL; \
		int ret; \
\
		if (written) { \
			struct collective_args a = GATHERED(arguments); \
\
			put_collective(out = event_begins(#event), NULL, &a); \
		} \
		ret = PMPI_##begin(WITHOUT_COMMA(NAMES(arguments)), request); \
		if (written) { \
			put_request(out, *request); \
			event_ends(); \
		} \
		return call_over(written, ret); \
	}
#include "../vmpi/api/collective_calls.def"
#undef COLLECTIVE

/* ---- what a trace cannot have ---- */

#define REFUSED(name, params, args) \
	int MPI_##name params \
	{ \
		if (call_begins()) \
			call_refused("MPI_" #name ": a trace cannot have this call"); \
		return call_over(false, PMPI_##name args); \
	}
REFUSED(Mprobe, (int source, int tag, MPI_Comm comm, MPI_Message *message, MPI_Status *status),
	(source, tag, comm, message, status))
REFUSED(Improbe, (int source, int tag, MPI_Comm comm, int *flag, MPI_Message *message, MPI_Status *status),
	(source, tag, comm, flag, message, status))
REFUSED(Comm_idup, (MPI_Comm comm, MPI_Comm *new, MPI_Request *request), (comm, new, request))
REFUSED(Comm_create_group, (MPI_Comm comm, MPI_Group group, int tag, MPI_Comm *new), (comm, group, tag, new))
REFUSED(Intercomm_create, (MPI_Comm local, int leader, MPI_Comm peer, int remote, int tag, MPI_Comm *new),
	(local, leader, peer, remote, tag, new))
REFUSED(Comm_spawn,
	(const char *command, char *argv[], int most, MPI_Info info, int root, MPI_Comm comm, MPI_Comm *new,
	 int errors[]),
	(command, argv, most, info, root, comm, new, errors))
#define COLLECTIVE(name, begin, arguments, doc) \
	REFUSED(name, (WITHOUT_COMMA(PARAMETERS(arguments))), (WITHOUT_COMMA(NAMES(arguments)))) \
	REFUSED(begin, (WITHOUT_COMMA(PARAMETERS(arguments)), MPI_Request * request), \
		(WITHOUT_COMMA(NAMES(arguments)), request))
#define TRACED(name, ...)
#include "../vmpi/api/collective_calls.def"
#undef COLLECTIVE
