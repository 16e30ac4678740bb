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

/* Writes the split of `parent` that has given the caller `comm`, MPI_COMM_NULL for none. */
static void put_split(MPI_Comm parent, MPI_Comm comm)
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

/* A call that makes a communicator: the split is written behind it. Its time is no computation. */
#define TRACED_SPLIT(name, params, args, parent) \
	int MPI_##name params \
	{ \
		bool written = call_begins(); \
		int ret; \
\
		if (written) \
			gap_ends(); \
		ret = PMPI_##name args; \
		call_over(written, ret); \
		written = call_begins(); \
		if (written && ret == MPI_SUCCESS) \
			put_split(parent, *new); \
		return call_over(written, ret); \
	}

TRACED_SPLIT(Comm_dup, (MPI_Comm comm, MPI_Comm *new), (comm, new), comm)
TRACED_SPLIT(Comm_dup_with_info, (MPI_Comm comm, MPI_Info info, MPI_Comm *new), (comm, info, new), comm)
TRACED_SPLIT(Comm_create, (MPI_Comm comm, MPI_Group group, MPI_Comm *new), (comm, group, new), comm)
TRACED_SPLIT(Comm_split, (MPI_Comm comm, int color, int rank, MPI_Comm *new), (comm, color, rank, new), comm)
TRACED_SPLIT(Comm_split_type, (MPI_Comm comm, int type, int rank, MPI_Info info, MPI_Comm *new),
	     (comm, type, rank, info, new), comm)
TRACED_SPLIT(Cart_create, (MPI_Comm comm, int ndims, const int dims[], const int periods[], int reorder, MPI_Comm *new),
	     (comm, ndims, dims, periods, reorder, new), comm)
TRACED_SPLIT(Cart_sub, (MPI_Comm comm, const int remain[], MPI_Comm *new), (comm, remain, new), comm)
TRACED_SPLIT(Graph_create, (MPI_Comm comm, int nodes, const int index[], const int edges[], int reorder, MPI_Comm *new),
	     (comm, nodes, index, edges, reorder, new), comm)
TRACED_SPLIT(Dist_graph_create_adjacent,
	     (MPI_Comm comm, int in, const int sources[], const int in_weights[], int out, const int destinations[],
	      const int out_weights[], MPI_Info info, int reorder, MPI_Comm *new),
	     (comm, in, sources, in_weights, out, destinations, out_weights, info, reorder, new), comm)
TRACED_SPLIT(Dist_graph_create,
	     (MPI_Comm comm, int n, const int sources[], const int degrees[], const int destinations[],
	      const int weights[], MPI_Info info, int reorder, MPI_Comm *new),
	     (comm, n, sources, degrees, destinations, weights, info, reorder, new), comm)
