/* Writes the calls of a recording as an OTF2 archive (docs/formats/replay-format.md). */
#ifndef PSIM_VMPI_OTF2_WRITE_H
#define PSIM_VMPI_OTF2_WRITE_H

#include <stddef.h>
#include <stdint.h>

#include "../../../psim/base/err.h"

struct vmpi;
struct archive_writer;

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
	const char *name;                        /* of the call */
	uint32_t call;                           /* its number among all calls */
	const char *line;                        /* its event in a trace, without the rank */
	const struct archive_received *received; /* in the order in which it finished them */
	size_t received_count;
};

/* Begins an archive in `folder`, which is made. NULL with `e`. */
struct archive_writer *archive_writer_create(const char *folder, struct vmpi *v, struct err *e);

/* Writes a call. 0, or -1 with `e`. */
int archive_write_call(struct archive_writer *w, const struct archive_call *call, struct err *e);

/* The rank has ended. */
void archive_write_end(struct archive_writer *w, uint32_t rank, int64_t time);

/* The rank's request has this number in lines from now on. */
int archive_write_request(struct archive_writer *w, uint32_t rank, uint32_t number, uint32_t request, struct err *e);

/* Completes the archive and frees the writer, also on failure. 0, or -1 with `e`. */
int archive_writer_finish(struct archive_writer *w, struct err *e);

#endif
