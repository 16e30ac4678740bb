/* Communicators: each new one is a split of its parent, whatever made it. Its number is an attribute. */
#include "traced_calls.h"

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
	PMPI_Comm_get_attr(comm, key, &number, &there);
	if (there)
		return (int)(intptr_t)number;
	call_refused("a communicator that no split has made");
	return LINE_COMM_NONE;
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
	FILE *out = event_begins("split");
	int rank;

	if (comm == MPI_COMM_NULL) {
		fputs(" none 0", out);
	} else {
		PMPI_Comm_rank(comm, &rank);
		PMPI_Comm_set_attr(comm, key, (void *)(intptr_t)++made);
		fprintf(out, " %d %d new=%d", colour_of(parent, comm), rank, made);
	}
	put_comm(out, NULL, parent);
	event_ends();
}
