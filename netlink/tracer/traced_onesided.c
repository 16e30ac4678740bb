/* Windows and one-sided operations. A window's number, and the units of all its ranks, are an attribute of it. */
#include "traced_calls.h"

#include <stdlib.h>

struct traced_window {
	int number;
	bool dynamic;
	int unit[]; /* bytes, by rank */
};

static int key = MPI_KEYVAL_INVALID;
static int made; /* windows with a number */

static int drop_window(MPI_Win win, int keyval, void *value, void *extra)
{
	(void)win;
	(void)keyval;
	(void)extra;
	free(value);
	return MPI_SUCCESS;
}

void number_window(MPI_Comm comm, MPI_Win win, int unit, bool dynamic)
{
	struct traced_window *w;
	int ranks;

	if (!comm_is_known(comm))
		return;
	PMPI_Comm_size(comm, &ranks);
	w = malloc(sizeof(*w) + (size_t)ranks * sizeof(*w->unit));
	if (!w)
		abort(); /* the other ranks wait for this one's unit */
	PMPI_Allgather(&unit, 1, MPI_INT, w->unit, 1, MPI_INT, comm);
	w->number = ++made;
	w->dynamic = dynamic;
	if (key == MPI_KEYVAL_INVALID)
		PMPI_Win_create_keyval(MPI_WIN_NULL_COPY_FN, drop_window, &key, NULL);
	PMPI_Win_set_attr(win, key, w);
}

/* NULL: made in a way that has no event. */
static struct traced_window *window_at(MPI_Win win)
{
	void *w = NULL;
	int there = 0;

	if (key != MPI_KEYVAL_INVALID)
		PMPI_Win_get_attr(win, key, &w, &there);
	return there ? w : NULL;
}

/* ---- facts of lines ---- */

int line_window_number(LINE_HOST host, MPI_Win win)
{
	const struct traced_window *w = window_at(win);

	(void)host;
	if (w)
		return w->number;
	call_dropped(UNRECORDED_WINDOW);
	return -1;
}

long long line_window_unit(LINE_HOST host, MPI_Win win, int rank)
{
	const struct traced_window *w = window_at(win);

	(void)host;
	return w && !w->dynamic ? w->unit[rank] : 0;
}

int line_group_size(LINE_HOST host, MPI_Group group)
{
	int ranks;

	(void)host;
	PMPI_Group_size(group, &ranks);
	return ranks;
}

int line_group_rank(LINE_HOST host, MPI_Group group, int i, MPI_Win win)
{
	MPI_Group all;
	int rank;

	(void)host;
	PMPI_Win_get_group(win, &all);
	PMPI_Group_translate_ranks(group, 1, &i, all, &rank);
	PMPI_Group_free(&all);
	return rank;
}

struct line_extent line_extent(LINE_HOST host, MPI_Datatype type)
{
	MPI_Aint lb, extent, lower, bytes;

	(void)host;
	PMPI_Type_get_extent(type, &lb, &extent);
	PMPI_Type_get_true_extent(type, &lower, &bytes);
	return (struct line_extent){.bytes = extent, .lower = lower};
}

/* ---- windows ---- */

void put_made(MPI_Comm comm, MPI_Win win, MPI_Aint bytes)
{
	const struct traced_window *w = window_at(win);
	FILE *out;

	if (!w)
		return;
	out = event_begins("window");
	if (w->dynamic)
		fputs(" any", out);
	else
		fprintf(out, " %ld", (long)bytes);
	fprintf(out, " new=%d", w->number);
	put_comm(out, NULL, comm);
	event_ends();
}

/* A test has taken its time, whatever it found. */
int MPI_Win_test(MPI_Win win, int *flag)
{
	bool written = call_begins();
	int ret = PMPI_Win_test(win, flag);

	written = written && *flag;
	if (written) {
		put_window(event_begins("window_wait"), NULL, win);
		event_ends();
	}
	return call_over(written, ret);
}

int MPI_Win_free(MPI_Win *win)
{
	bool written = call_begins();

	if (written) {
		put_window(event_begins("window_free"), NULL, *win);
		event_ends();
	}
	return call_over(written, PMPI_Win_free(win));
}
