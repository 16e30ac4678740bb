/* Writes the calls of a recording as an OTF2 archive (docs/formats/replay-format.md). */
#ifndef PSIM_VMPI_OTF2_WRITE_H
#define PSIM_VMPI_OTF2_WRITE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../../../psim/base/err.h"

struct archive_writer;
struct group;

/* A message that a call has received, and the handle of its request. */
struct archive_received {
	uint32_t request;
	int source, tag;
	uint64_t bytes;
};

/* A call that has ended. */
struct archive_call {
	uint32_t rank;
	int64_t from, to;                        /* ps */
	uint32_t call;                           /* enum call_id */
	const char *line;                        /* its event in a trace, without the rank */
	uint32_t request;                        /* handle of the request of the line */
	uint64_t made;                           /* key of the communicator or window of the line's new= */
	struct group *group;                     /* of that communicator; NULL: it is known by its key */
	const struct archive_received *received; /* in the order in which it finished them */
	size_t received_count;
};

/* Rank `rank`, of which each is placed once, is on a node of this number and name. */
void archive_writer_place(struct archive_writer *w, uint32_t rank, uint32_t node, const char *name);

/* Begins an archive of `ranks` ranks in `folder`, which is made. NULL with `e`. */
struct archive_writer *archive_writer_create(const char *folder, uint32_t ranks, struct err *e);

/* Writes a call. 0, or -1 with `e`: the writer fails at its end too. */
int archive_write_call(struct archive_writer *w, const struct archive_call *call, struct err *e);

/* The rank has ended. */
void archive_write_end(struct archive_writer *w, uint32_t rank, int64_t time);

/* Completes the archive, or removes it (not `keep`), and frees the writer, also on failure. 0, or -1 with `e`. */
int archive_writer_finish(struct archive_writer *w, bool keep, struct err *e);

#endif
