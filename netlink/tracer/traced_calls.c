/* The calls of MPI that rows of ../vmpi/api/calls.def make; unrecorded.py makes those that a trace cannot have. */
#include "traced_calls.h"

#include <string.h>

#define CALL(...)
#define TRACED_CALL(name, arguments) int MPI_##name(WITHOUT_COMMA(PARAMETERS(arguments)))
#define REAL_CALL(name, arguments) PMPI_##name(WITHOUT_COMMA(NAMES(arguments)))

#define EVENT(name, arguments, doc, event, words) SYNCHRONOUS(name, arguments, event, true, words)
#define SYNC(name, arguments, doc, event, happens, words) \
	SYNCHRONOUS(name, arguments, event, happens, words; put_window(out, host, win))
#define SYNCHRONOUS(name, arguments, event, happens, words) \
	TRACED_CALL(name, arguments) \
	{ \
		bool written = call_begins() && (happens); \
		LINE_HOST host = NULL; \
\
		if (written) { \
			FILE *out = event_begins(event); \
			words; \
			event_ends(); \
		} \
		return call_over(written, REAL_CALL(name, arguments)); \
	}

#define SYNC_BEGUN(name, arguments, doc, event, happens, words) \
	BEGUN(name, arguments, doc, event, words; put_window(out, host, win))
#define BEGUN(name, arguments, doc, event, words) \
	TRACED_CALL(name, arguments) \
	{ \
		bool written = call_begins(); \
		LINE_HOST host = NULL; \
		const char *word = event; \
		FILE *out = NULL; \
		off_t from = 0; \
		int ret; \
\
		if (written) { \
			out = event_begins(word); \
			from = ftello(out) - (off_t)strlen(word) - 1; \
			words; \
		} \
		ret = REAL_CALL(name, arguments); \
		if (written) \
			request_begins(word, from, *request); \
		return call_over(written, ret); \
	}

/* A persistent request's event is noted, for its starts. The call's time counts as computation. */
#define PREPARED(name, arguments, doc, event, words) \
	TRACED_CALL(name, arguments) \
	{ \
		bool written = call_begins(); \
		int ret = REAL_CALL(name, arguments); \
		LINE_HOST host = NULL; \
		FILE *out = written ? kept_begins(event) : NULL; \
\
		if (out) { \
			words; \
			kept_ends(*request); \
		} \
		return call_over(false, ret); \
	}

#define WAIT(name, arguments, doc, count, requests) \
	TRACED_CALL(name, arguments) \
	{ \
		bool written = call_begins(); \
\
		if (written && note_requests(count, requests)) \
			put_wait(count, NULL); \
		return call_over(written, REAL_CALL(name, arguments)); \
	}

/* A call whose event is known behind it: its time is no computation. */
#define MAKES(name, arguments, before, made, event) \
	TRACED_CALL(name, arguments) \
	{ \
		bool written = call_begins(); \
		int ret; \
\
		if (written) { \
			before; \
			gap_ends(); \
		} \
		ret = REAL_CALL(name, arguments); \
		if (ret == MPI_SUCCESS) \
			made; \
		call_over(written, ret); \
		written = call_begins(); \
		if (written && ret == MPI_SUCCESS) \
			event; \
		return call_over(written, ret); \
	}
#define SPLIT(name, arguments, doc) MAKES(name, arguments, comm_checked(comm), (void)0, put_split(comm, *newcomm))
#define GROUP_MADE(name, arguments) MAKES(name, arguments, (void)0, (void)0, put_group_made(*newcomm))
#define WINDOW(name, arguments, doc, size, unit) \
	MAKES(name, arguments, comm_checked(comm), number_window(comm, *win, unit, (size) < 0), \
	      put_made(comm, *win, size))
#define WAIT_SOME(name, arguments, doc, count, requests, finished, indices) \
	MAKES(name, arguments, note_requests(count, requests), (void)0, put_wait(finished, indices))

/* The time of a test counts as computation, whatever it finds. */
#define TEST(name, arguments, doc, count, requests, finished, indices) \
	TRACED_CALL(name, arguments) \
	{ \
		bool written = call_begins() && note_requests(count, requests); \
		int ret = REAL_CALL(name, arguments), done = ret == MPI_SUCCESS ? (finished) : 0; \
\
		if (written && done) \
			put_wait(done, indices); \
		return call_over(written && done, ret); \
	}

#define REFUSED(...)

// clang-format off
SPLIT(Dist_graph_create, (COMM, comm)(NUMBER, n)(NUMBERS, sources)(NUMBERS, degrees)(NUMBERS, destinations)
	(NUMBERS, weights)(INFO, info)(NUMBER, reorder)(NEW_COMM, newcomm), "")
GROUP_MADE(Comm_create_group, (COMM, comm)(GROUP, group)(TAG, tag)(NEW_COMM, newcomm))
GROUP_MADE(Intercomm_merge, (COMM, comm)(NUMBER, high)(NEW_COMM, newcomm))
// clang-format on

/* Persistent collective operations of MPI 4.0: each start is the operation. */
#if MPI_VERSION >= 4
#define GATHER_WORDS(arguments) put_collective(out, host, &(const struct collective_args)GATHERED(arguments))
#define COLLECTIVE(...)
#define TRACED(name, begin, arguments, doc, start, event, ...) \
	PREPARED(name##_init, arguments(INFO, info)(REQUEST, request), doc, #event, GATHER_WORDS(arguments))
#include "../vmpi/api/collective_calls.def"
#undef COLLECTIVE
#undef GATHER_WORDS
#endif
#include "../vmpi/api/calls.def"
