/* Begin and end of a run that is traced, and the facts of lines. */
#define _DEFAULT_SOURCE /* on_exit */
#include "traced_calls.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../psim/base/message_line.h"
#include "../../psim/base/report/out.h"
#include "trace_part.h"
#include "traced_requests.h"

static struct {
	char file[4096];
	struct trace_part part;
	struct traced_requests *requests;
	const char *refused; /* the call, or the reason, for which there is no trace */
	struct err why;
	bool lost;        /* the trace was not written */
	bool begun;       /* MPI_Init was called */
	bool sessions;    /* MPI_Session_init was called */
	bool spawned;     /* by a program that is traced: its ranks are not those of the trace */
	bool dropped;     /* the present call is no event */
	pthread_t thread; /* that called MPI_Init */
	unsigned depth;   /* of calls within calls */
	off_t event;      /* where the present event begins */
} tracer;

/* ---- begin and end ---- */

/* The trace's file: NSIM_TRACE, or nsim.trace; from the root on, as the program may go to another folder. */
static int choose_file(void)
{
	const char *name = getenv("NSIM_TRACE");
	char folder[sizeof(tracer.file)];
	int count;

	if (!name || !*name)
		name = "nsim.trace";
	if (*name == '/')
		folder[0] = '\0';
	else if (!getcwd(folder, sizeof(folder)))
		return -1;
	count = snprintf(tracer.file, sizeof(tracer.file), "%s%s%s", folder, *folder ? "/" : "", name);
	if (count < (int)sizeof(tracer.file) - 16)
		return 0;
	errno = ENAMETOOLONG;
	return -1;
}

static void begin_trace(void)
{
	MPI_Comm parent = MPI_COMM_NULL;
	int rank;

	tracer.begun = true;
	PMPI_Comm_get_parent(&parent);
	tracer.spawned = parent != MPI_COMM_NULL;
	if (tracer.spawned)
		return;
	PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
	tracer.thread = pthread_self();
	tracer.requests = traced_requests_create();
	if (!tracer.requests || comms_begin() != MPI_SUCCESS)
		tracer.refused = "memory is short";
	else if (choose_file() < 0 || trace_part_begin(&tracer.part, tracer.file, rank) < 0)
		tracer.refused = strerror(errno);
	else if (!rank && out_can_create(tracer.file, &tracer.why) < 0)
		tracer.refused = tracer.why.text;
}

int MPI_Init(int *argc, char ***argv)
{
	int ret = PMPI_Init(argc, argv);

	if (ret == MPI_SUCCESS)
		begin_trace();
	return ret;
}

int MPI_Init_thread(int *argc, char ***argv, int required, int *provided)
{
	int ret = PMPI_Init_thread(argc, argv, required, provided);

	if (ret == MPI_SUCCESS)
		begin_trace();
	return ret;
}

#if MPI_VERSION >= 4
int MPI_Session_init(MPI_Info info, MPI_Errhandler errhandler, MPI_Session *session)
{
	tracer.sessions = true;
	return PMPI_Session_init(info, errhandler, session);
}
#endif

/* The lowest rank that has no trace, and why; -1: all have one. All ranks call it. */
static int who_refused(char why[256])
{
	int rank, ranks, mine, lowest;

	PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
	PMPI_Comm_size(MPI_COMM_WORLD, &ranks);
	mine = tracer.refused ? rank : ranks;
	PMPI_Allreduce(&mine, &lowest, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
	if (lowest == ranks)
		return -1;
	if (rank == lowest)
		snprintf(why, 256, "%s", tracer.refused);
	PMPI_Bcast(why, 256, MPI_CHAR, lowest, MPI_COMM_WORLD);
	return lowest;
}

static void join_parts(int ranks, const char *lines)
{
	struct err e;

	if (trace_parts_join(tracer.file, ranks, lines, &e) == 0) {
		unrecorded_note(tracer.file);
		return;
	}
	tracer.lost = true;
	message("nsim-record: %s", e.text);
}

/* Ranks of sessions alone, which do not know each other: the first one says that there is no trace. */
static void end_of_sessions(void)
{
	static const char *const names[] = {"PMI_RANK", "PMIX_RANK", "OMPI_COMM_WORLD_RANK"};

	tracer.lost = true;
	for (size_t n = 0; n < sizeof(names) / sizeof(names[0]); n++) {
		const char *rank = getenv(names[n]);

		if (rank && strcmp(rank, "0") != 0)
			return;
	}
	message("nsim-record: MPI_Session_init without MPI_Init, whose ranks a trace has; no trace is written");
}

/* A program that ends well without its trace has failed as a run of nsim-record. */
static void end_without_trace(int status, void *unused)
{
	(void)unused;
	if (tracer.sessions && !tracer.begun)
		end_of_sessions();
	if (status || !tracer.lost)
		return;
	fflush(NULL);
	_exit(STATUS_FAILED);
}

/* Before all other calls of atexit, so that it is the last one. */
__attribute__((constructor)) static void watch_the_end(void)
{
	on_exit(end_without_trace, NULL);
}

/* Ends the trace: the first rank joins all parts, or says why there is none. */
static void end_trace(void)
{
	char why[256] = "", *lines;
	int rank, ranks, refused;

	if (tracer.spawned)
		return;
	PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
	PMPI_Comm_size(MPI_COMM_WORLD, &ranks);
	if (tracer.part.out && trace_part_end(&tracer.part) < 0 && !tracer.refused)
		tracer.refused = strerror(errno);
	refused = who_refused(why); /* after it all parts are closed */
	lines = unrecorded_lines();
	if (refused >= 0) {
		tracer.lost = true;
		if (*tracer.part.name)
			trace_part_remove(tracer.file, rank);
		if (rank == 0)
			message("nsim-record: rank %d: %s; %s is not written", refused, why, tracer.file);
	} else if (rank == 0) {
		join_parts(ranks, lines ? lines : "");
	}
	free(lines);
}

int MPI_Finalize(void)
{
	if (call_begins())
		gap_ends();
	end_trace();
	if (tracer.requests)
		traced_requests_destroy(tracer.requests);
	tracer.requests = NULL;
	return PMPI_Finalize();
}

/* ---- calls ---- */

bool call_begins(void)
{
	if (tracer.depth++ || tracer.refused || !tracer.part.out)
		return false;
	tracer.dropped = false;
	if (!pthread_equal(tracer.thread, pthread_self()))
		call_refused("calls of several threads of a rank have no order in a trace");
	return !tracer.refused;
}

void gap_ends(void)
{
	trace_gap(&tracer.part);
}

FILE *event_begins(const char *word)
{
	trace_line_begin(&tracer.part);
	tracer.event = ftello(tracer.part.out);
	fprintf(tracer.part.out, " %s", word);
	return tracer.part.out;
}

bool erase_event(off_t from, off_t to)
{
	FILE *out = tracer.part.out;

	if (fseeko(out, from, SEEK_SET) < 0)
		return false;
	fprintf(out, "%-*s", (int)(to - from), " compute 0");
	return fseeko(out, 0, SEEK_END) == 0;
}

void event_ends(void)
{
	if (tracer.dropped && !erase_event(tracer.event, ftello(tracer.part.out)))
		call_refused(strerror(errno));
	trace_line_end(&tracer.part);
}

int call_over(bool written, int ret)
{
	tracer.depth--;
	if (written && !tracer.dropped)
		trace_call_over(&tracer.part);
	if (written)
		comms_call_over();
	return ret;
}

void call_refused(const char *why)
{
	if (!tracer.refused)
		tracer.refused = why;
}

void drop_call(void)
{
	tracer.dropped = true;
}

bool call_is_dropped(void)
{
	return tracer.dropped;
}

/* ---- facts of lines ---- */

long long line_type_size(LINE_HOST host, MPI_Datatype type)
{
	int size = 0;

	(void)host;
	if (type != MPI_DATATYPE_NULL)
		PMPI_Type_size(type, &size);
	return size;
}

/* Bytes of the basic elements of a type that has one kind of them; else 1. */
long long line_basic_size(LINE_HOST host, MPI_Datatype type)
{
	int integers, addresses, types, combiner;
	MPI_Datatype inner = MPI_DATATYPE_NULL;
	int *number;
	MPI_Aint *address;
	long long size = 1;

	PMPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner);
	if (combiner == MPI_COMBINER_NAMED)
		return line_type_size(host, type);
	if (types != 1)
		return 1;
	number = malloc((size_t)integers * sizeof(*number) + 1);
	address = malloc((size_t)addresses * sizeof(*address) + 1);
	if (number && address) {
		PMPI_Type_get_contents(type, integers, addresses, types, number, address, &inner);
		size = line_basic_size(host, inner);
		PMPI_Type_get_envelope(inner, &integers, &addresses, &types, &combiner);
		if (combiner != MPI_COMBINER_NAMED)
			PMPI_Type_free(&inner);
	}
	free(number);
	free(address);
	return size;
}

int line_ranks(LINE_HOST host, MPI_Comm comm)
{
	int ranks;

	(void)host;
	PMPI_Comm_size(comm, &ranks);
	return ranks;
}

bool line_is_root(LINE_HOST host, MPI_Comm comm, int root)
{
	int rank;

	(void)host;
	PMPI_Comm_rank(comm, &rank);
	return rank == root;
}

enum line_op line_op(LINE_HOST host, MPI_Op op)
{
	const MPI_Op own[] = {MPI_MAX, MPI_MIN,  MPI_SUM,  MPI_PROD,   MPI_LAND,   MPI_BAND,    MPI_LOR,
			      MPI_BOR, MPI_LXOR, MPI_BXOR, MPI_MAXLOC, MPI_MINLOC, MPI_REPLACE, MPI_NO_OP};
	int commutes = 1;

	(void)host;
	for (size_t n = 0; n < sizeof(own) / sizeof(own[0]); n++)
		if (op == own[n])
			return LINE_OP_OF_MPI;
	PMPI_Op_commutative(op, &commutes);
	return commutes ? LINE_OP_OWN : LINE_OP_ORDERED;
}

/* ---- requests ---- */

uint64_t handle_of(MPI_Request request)
{
	uint64_t handle = 0;

	_Static_assert(sizeof(request) <= sizeof(handle), "a handle is a number or an address");
	memcpy(&handle, &request, sizeof(request));
	return handle;
}

static int64_t put_number(FILE *out, int64_t number)
{
	if (number < 0)
		call_refused("memory is short");
	fprintf(out, " req=%lld", (long long)number);
	return number;
}

int64_t put_request(FILE *out, MPI_Request request)
{
	return tracer.dropped ? -1 : put_number(out, traced_request_add(tracer.requests, handle_of(request)));
}

void put_second_request(FILE *out, MPI_Request request)
{
	if (!tracer.dropped)
		put_number(out, traced_request_add_second(tracer.requests, handle_of(request)));
}

FILE *tracer_part(void)
{
	return tracer.part.out;
}

struct traced_requests *tracer_requests(void)
{
	return tracer.requests;
}
