/*
 * Views of files (MPI 3.1, 13.3): which bytes of a file a rank sees, as one stream. A view begins at a displacement and
 * repeats the stretches of its filetype, an extent apart.
 */
#ifndef PSIM_VMPI_FILE_VIEW_H
#define PSIM_VMPI_FILE_VIEW_H

#include "datatype.h"

/* Consecutive bytes of a filetype. */
struct file_stretch {
	int64_t at, bytes;
	int64_t before; /* bytes of the stretches before it */
};

struct file_view {
	int64_t disp;                  /* bytes */
	struct type *etype, *filetype; /* held */
	int64_t unit;                  /* bytes of an etype in the file */
	int64_t size, extent;          /* bytes of a filetype */
	struct file_stretch *stretch;
	size_t stretches;
	bool external; /* data are in external32 */
};

/* Makes a view and holds its types. 0, or -1 with `e`: memory is short, or there are more than 2^26 stretches. */
int file_view_create(struct file_view *w, int64_t disp, struct type *etype, struct type *filetype, bool external,
		     struct err *e);
void file_view_finish(struct file_view *w);

/*
 * Finds byte `at` of the stream, 0 or more: sets its place in the file and how many of `bytes` follow each other there.
 * -1: the place is negative or beyond 2^63.
 */
int file_view_find(const struct file_view *w, int64_t at, int64_t bytes, int64_t *place, int64_t *length);

/* Etypes of the stream, the last of which may be incomplete, that a file of this size has. */
int64_t file_view_etypes(const struct file_view *w, int64_t file_bytes);

#endif
