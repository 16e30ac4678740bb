/* The file of a checkpoint, for the files that write and read it: docs/formats/checkpoint-format.md. */
#ifndef PSIM_BASE_CHECKPOINT_FILE_H
#define PSIM_BASE_CHECKPOINT_FILE_H

#include <string.h>

#include "../digest.h"

#define CHECKPOINT_FIRST_LINE "psim-checkpoint 1"
/* The last line of the text: an image is behind it, of a run that is kept as a whole. */
#define CHECKPOINT_IMAGE_LINE "image"
enum { CHECKPOINT_LINE_MAX = 512, CHECKPOINT_WORDS = 8 /* in a line */ };

/* Adds a line, without its end, to the digest of all lines but the last one. */
static inline void checkpoint_line_add(struct digest *d, const char *line)
{
	digest_add(d, hash_bytes(HASH_BYTES, line, strlen(line)));
}

#endif
