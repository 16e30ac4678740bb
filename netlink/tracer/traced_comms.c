/* Communicators: what all ranks of a parent make is a split of it, whatever made it. Their numbers are attributes. */
#include "traced_calls.h"

#include <stdlib.h>

static int key = MPI_KEYVAL_INVALID;
static int made; /* communicators with a number */

int comms_begin(void)
{
	return PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &key, NULL);
}

/* The world, the rank's own, or the number that a split gave. */
int line_comm_number(LINE_HOST host, MPI_Comm comm)
{
	void *number;
	int there = 0;

	(void)host;
	if (comm == MPI_COMM_WORLD)
		return LINE_COMM_WORLD;
	if (comm == MPI_COMM_SELF)
		return LINE_COMM_SELF;
	if (comm != MPI_COMM_NULL)
		PMPI_Comm_get_attr(comm, key, &number, &there);
	if (there)
		return (int)(intptr_t)number;
	call_dropped(UNRECORDED_COMM);
	return LINE_COMM_NONE;
}

bool comm_is_known(MPI_Comm comm)
{
	void *number;
	int there = comm == MPI_COMM_WORLD || comm == MPI_COMM_SELF;

	if (!there)
		PMPI_Comm_get_attr(comm, key, &number, &there);
	return there;
}

void comm_checked(MPI_Comm comm)
{
	line_comm_number(NULL, comm);
}

/* Gives the communicator a number, and returns it. */
static int number_comm(MPI_Comm comm, int number)
{
	PMPI_Comm_set_attr(comm, key, (void *)(intptr_t)number);
	return number;
}

/* The rank in `parent` of the first process of `comm`: the same for all of its processes, and for no others. */
static int colour_of(MPI_Comm parent, MPI_Comm comm)
{
	MPI_Group of_parent, of_new;
	int first = 0, colour = 0;

	PMPI_Comm_group(parent, &of_parent);
	PMPI_Comm_group(comm, &of_new);
	PMPI_Group_translate_ranks(of_new, 1, &first, of_parent, &colour);
	PMPI_Group_free(&of_parent);
	PMPI_Group_free(&of_new);
	return colour;
}

void put_split(MPI_Comm parent, MPI_Comm comm)
{
	FILE *out;
	int rank;

	if (!comm_is_known(parent))
		return;
	out = event_begins("split");
	if (comm == MPI_COMM_NULL) {
		fputs(" none 0", out);
	} else {
		PMPI_Comm_rank(comm, &rank);
		fprintf(out, " %d %d new=%d", colour_of(parent, comm), rank, number_comm(comm, ++made));
	}
	put_comm(out, NULL, parent);
	event_ends();
}

/* ---- communicators that ranks make without the others of their parent ---- */

/* Ranks in the world of a communicator's processes; NULL: one is of another world, or memory is short. */
static int *ranks_in_world(MPI_Comm comm, int *ret_count)
{
	MPI_Group world, group;
	int *ranks, *own;
	bool all = true;

	PMPI_Comm_group(MPI_COMM_WORLD, &world);
	PMPI_Comm_group(comm, &group);
	PMPI_Group_size(group, ret_count);
	ranks = calloc((size_t)*ret_count, sizeof(*ranks));
	own = calloc((size_t)*ret_count, sizeof(*own));
	for (int n = 0; own && n < *ret_count; n++)
		own[n] = n;
	if (ranks && own)
		PMPI_Group_translate_ranks(group, *ret_count, own, world, ranks);
	for (int n = 0; ranks && n < *ret_count; n++)
		all = all && ranks[n] != MPI_UNDEFINED;
	PMPI_Group_free(&world);
	PMPI_Group_free(&group);
	free(own);
	if (all)
		return ranks;
	free(ranks);
	return NULL;
}

void put_group_made(MPI_Comm comm)
{
	int count, *ranks;
	FILE *out;

	if (comm == MPI_COMM_NULL)
		return;
	ranks = ranks_in_world(comm, &count);
	if (!ranks) {
		call_dropped(UNRECORDED_COMM);
		return;
	}
	out = event_begins("group");
	for (int n = 0; n < count; n++)
		fprintf(out, "%c%d", n ? ',' : ' ', ranks[n]);
	fprintf(out, " new=%d", number_comm(comm, ++made));
	event_ends();
	free(ranks);
}

/* ---- communicators that a request makes: they have their number when a call has waited for it ---- */

struct begun_comm {
	MPI_Comm *comm;
	int number;
	int64_t request;
	bool ended;
};
static struct begun_comm *begun;
static size_t begun_count;

static void begin_comm(MPI_Comm *comm, int64_t request)
{
	struct begun_comm *more = realloc(begun, (begun_count + 1) * sizeof(*more));

	if (!more) {
		call_refused("memory is short");
		return;
	}
	begun = more;
	begun[begun_count++] = (struct begun_comm){.comm = comm, .number = made, .request = request};
}

void comms_request_ends(int64_t request)
{
	for (size_t n = 0; n < begun_count; n++)
		if (begun[n].request == request)
			begun[n].ended = true;
}

void comms_call_over(void)
{
	size_t kept = 0;

	for (size_t n = 0; n < begun_count; n++) {
		if (begun[n].ended)
			number_comm(*begun[n].comm, begun[n].number);
		else
			begun[kept++] = begun[n];
	}
	begun_count = kept;
}

/* Begins and ends the line of a duplicate. */
static FILE *put_dup(MPI_Comm parent)
{
	FILE *out = event_begins("dup");

	fprintf(out, " new=%d", ++made);
	put_comm(out, NULL, parent);
	return out;
}

static int dup_begun(bool written, int ret, FILE *out, MPI_Comm *newcomm, MPI_Request *request)
{
	int64_t number;

	if (written) {
		number = put_request(out, *request);
		if (number >= 0)
			begin_comm(newcomm, number);
		event_ends();
	}
	return call_over(written, ret);
}

int MPI_Comm_idup(MPI_Comm comm, MPI_Comm *newcomm, MPI_Request *request)
{
	bool written = call_begins();
	FILE *out = written ? put_dup(comm) : NULL;

	return dup_begun(written, PMPI_Comm_idup(comm, newcomm, request), out, newcomm, request);
}

#if MPI_VERSION >= 4
int MPI_Comm_idup_with_info(MPI_Comm comm, MPI_Info info, MPI_Comm *newcomm, MPI_Request *request)
{
	bool written = call_begins();
	FILE *out = written ? put_dup(comm) : NULL;

	return dup_begun(written, PMPI_Comm_idup_with_info(comm, info, newcomm, request), out, newcomm, request);
}
#endif
