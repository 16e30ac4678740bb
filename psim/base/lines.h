/*
 * Lines of a text file, of limited length and number: a device that never ends, or a file that is no text, is an error
 * and no endless loop.
 */
#ifndef PSIM_BASE_LINES_H
#define PSIM_BASE_LINES_H

#include <stdint.h>
#include <stdio.h>

#define LINES_BYTES_MAX (UINT64_C(1) << 30) /* of all lines together */

struct lines {
	FILE *in;
	uint64_t bytes; /* until now */
	char why[80];   /* what was wrong with the line; "": nothing */
};

/*
 * The next line in `text`, with its end, as fgets has it. NULL: the file has ended or cannot be read (ferror tells),
 * or l->why says what is wrong: a zero byte, more than `size` - 2 characters, more than LINES_BYTES_MAX in all.
 */
char *lines_next(struct lines *l, char *text, int size);

#endif
