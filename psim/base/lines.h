/*
 * Reads lines of a text file, with limits on length and total size: an endless device or a binary
 * file gives an error instead of an endless loop.
 */
#ifndef PSIM_BASE_LINES_H
#define PSIM_BASE_LINES_H

#include <stdint.h>
#include <stdio.h>

#include "err.h"

#define LINES_BYTES_MAX (UINT64_C(1) << 30) /* of all lines together */

struct lines {
	FILE *in;
	const char *name; /* of the file, in messages of lines_read and lines_wrong; borrowed */
	struct err *err;  /* receives these messages */
	uint32_t number;  /* of the last line that lines_read returned, from 1; 0: none yet */
	uint64_t bytes;   /* read so far */
	char why[80];     /* what is wrong with the line; "": nothing */
};

/*
 * Reads the next line into `text`, with its newline, as fgets does. Returns NULL at the end of the
 * file, on a read error (ferror is set), or where l->why says what is wrong: a zero byte, more than
 * `size` - 2 characters, more than LINES_BYTES_MAX in all.
 */
char *lines_next(struct lines *l, char *text, int size);

/* Reads the next line as lines_next, and counts it: 1; 0 at the end of the file; -1 with l->err. */
int lines_read(struct lines *l, char *text, int size);

/* Fails with STATUS_BAD_INPUT at the last line: "NAME:LINE: text". Returns -1. */
__attribute__((format(printf, 2, 3))) int lines_wrong(const struct lines *l, const char *format, ...);

#endif
