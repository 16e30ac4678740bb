/* Calls that a trace cannot have are computation: how many there were, in the trace and in a note. */
#include "traced_calls.h"

#include <inttypes.h>
#include <stdlib.h>

#include "../../psim/base/message_line.h"

static const char *const whats[UNRECORDED_WHATS] = {
	[UNRECORDED_COMM] = "calls on communicators of such calls",
	[UNRECORDED_WINDOW] = "calls on windows of such calls",
	[UNRECORDED_START] = "starts of requests of such calls",
	[UNRECORDED_MESSAGE] = "receives of messages of such calls",
	[UNRECORDED_CANCEL] = "cancelled sends",
};

static uint64_t *counts; /* by call, then by enum unrecorded; of all ranks in the end */

static void count_call(unsigned what)
{
	if (!counts)
		counts = calloc(unrecorded_calls + UNRECORDED_WHATS, sizeof(*counts));
	if (counts)
		counts[what]++;
	else
		call_refused("memory is short");
}

void call_unrecorded(unsigned call)
{
	if (call_begins())
		count_call(call);
}

void call_dropped(enum unrecorded what)
{
	if (!call_is_dropped())
		count_call(unrecorded_calls + what);
	drop_call();
}

/* The most frequent one that is left; then its count is 0. Returns the count, 0 if none is left. */
static uint64_t take_most(const char **name)
{
	unsigned most = 0;
	uint64_t count;

	for (unsigned n = 1; n < unrecorded_calls + UNRECORDED_WHATS; n++)
		if (counts[n] > counts[most])
			most = n;
	*name = most < unrecorded_calls ? unrecorded_names[most] : whats[most - unrecorded_calls];
	count = counts[most];
	counts[most] = 0;
	return count;
}

static struct {
	uint64_t calls;
	unsigned kinds;
	char text[400]; /* the most frequent ones */
} note;

static void add_to_note(const char *name, uint64_t count, size_t *length)
{
	note.calls += count;
	note.kinds++;
	if (*length < sizeof(note.text) - 60)
		*length += (size_t)snprintf(note.text + *length, sizeof(note.text) - *length, "%s%s (%" PRIu64 ")",
					    *length ? ", " : "", name, count);
	else if (*length < sizeof(note.text))
		*length += (size_t)snprintf(note.text + *length, sizeof(note.text) - *length, ", …");
}

/* The lines of the first rank, which has all counts. */
static char *write_lines(void)
{
	size_t size = 0, length = 0;
	const char *name;
	char *lines = NULL;
	uint64_t count;
	FILE *out = open_memstream(&lines, &size);

	if (!out)
		return NULL;
	while ((count = take_most(&name)) > 0) {
		fprintf(out, "lacks %" PRIu64 " %s\n", count, name);
		add_to_note(name, count, &length);
	}
	if (fclose(out) == 0)
		return lines;
	free(lines);
	return NULL;
}

char *unrecorded_lines(void)
{
	unsigned all = unrecorded_calls + UNRECORDED_WHATS;
	uint64_t *own = counts ? counts : calloc(all, sizeof(*own)), *sums = calloc(all, sizeof(*sums));
	char *lines = NULL;
	int rank;

	if (!own || !sums)
		abort(); /* the other ranks wait for this one's counts */
	PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
	PMPI_Reduce(own, sums, (int)all, MPI_UINT64_T, MPI_SUM, 0, MPI_COMM_WORLD);
	free(own);
	counts = sums;
	if (!rank)
		lines = write_lines();
	free(sums);
	counts = NULL;
	return lines;
}

void unrecorded_note(const char *file)
{
	if (note.calls)
		message("nsim-record: note: %" PRIu64 " calls are computation in %s: %s", note.calls, file, note.text);
}
