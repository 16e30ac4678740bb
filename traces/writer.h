/* Internal to the writer: members in writer_file.c, chunks and prediction in writer.c. */
#ifndef PSIM_TRACES_WRITER_H
#define PSIM_TRACES_WRITER_H

#include <zlib.h>

#include "../psim/base/report/out.h"
#include "format.h"

struct writer_file {
	struct out *out;
	z_stream deflater;
	bool deflater_ready;
	unsigned version;    /* of the format */
	struct bytes packed; /* the current member */
	uint32_t sequence, checksum;
	uint64_t offset; /* bytes written */
	struct trace_index index;
};

/* Opens the output. On failure the caller calls writer_file_abort. */
int writer_file_open(struct writer_file *f, const char *path, struct err *e);

/*
 * Deflates `content` and writes it as one member; `at` as in struct member, `insns` those of a
 * DATA member.
 */
int writer_file_member(struct writer_file *f, enum member_kind kind, uint64_t at, uint32_t insns,
		       const struct bytes *content, struct err *e);

/* Renames the file to its final name. Frees everything, also on failure. */
int writer_file_close(struct writer_file *f, struct err *e);

/* Removes the file and frees everything. */
void writer_file_abort(struct writer_file *f);

#endif
