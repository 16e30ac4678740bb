/*
 * Reads lines of a text file, with limits on length and total size: an endless device or a binary
 * file gives an error instead of an endless loop.
 */
#ifndef PSIM_BASE_LINES_H
#define PSIM_BASE_LINES_H

#include <stdint.h>
#include <stdio.h>

#define LINES_BYTES_MAX (UINT64_C(1) << 30) /* of all lines together */

struct lines {
	FILE *in;
	uint64_t bytes; /* read so far */
	char why[80];   /* what is wrong with the line; "": nothing */
};

/*
 * Reads the next line into `text`, with its newline, as fgets does. Returns NULL at the end of the
 * file, on a read error (ferror is set), or where l->why says what is wrong: a zero byte, more than
 * `size` - 2 characters, more than LINES_BYTES_MAX in all.
 */
char *lines_next(struct lines *l, char *text, int size);

#endif
