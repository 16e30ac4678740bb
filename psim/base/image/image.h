/*
 * The image of a process: its memory, registers, open files and signal actions in a file, from which another process
 * of the same program continues. It covers all that a run holds, without a list of its structs: engines, ranks with
 * their stacks, libraries, random numbers, outputs in progress.
 *
 *     struct image m;
 *     image_begin(&m);                            // early
 *     if (image_prepare(e) < 0)                   // what this process cannot keep is refused
 *         …
 *     switch (image_save(&m, fd, e)) {            // returns a second time in the process that continues
 *     case IMAGE_WRITTEN: …
 *     case IMAGE_CONTINUES: …
 *     }
 *     image_continue(in, name, e);                // in another process: returns only if it fails
 *
 * The process is one thread, without children or connections. A continued process has the environment, the limits, the
 * standard descriptors and the working folder of its own start. The environment is not in the file.
 *
 * Who can write an image decides what the process that continues from it does: image_continue takes files of its own
 * user alone. It needs Linux on x86-64 and glibc. docs/formats/checkpoint-format.md describes the file.
 */
#ifndef PSIM_BASE_IMAGE_H
#define PSIM_BASE_IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "../err.h"

/* Identity of a file. */
struct image_identity {
	uint64_t device, inode;
};

enum { IMAGE_INHERITED = 1024 };
struct image {
	struct image_identity standard[3]; /* of the descriptors at the begin */
	bool inherited[IMAGE_INHERITED];   /* other descriptors that were open then: they are no part of the run */
	void *letter; /* memory that holds the environment of a continued process; NULL: not continued */
	size_t letter_bytes;
	bool foreign_code; /* the run does not use the system's code for programs of this process */
};

enum image_saved { IMAGE_FAILED = -1, IMAGE_WRITTEN, IMAGE_CONTINUES };

/* Notes which files others have opened for this process: before it opens one that the run needs. */
void image_begin(struct image *m);
/* Prepares this process for images. 0, or -1 with `e`: STATUS_USAGE where the system or the build has none. */
int image_prepare(struct err *e);

/* Returns a hash of the instructions that this processor has: libraries choose their code by them. */
uint64_t image_processor(void);

/*
 * Writes the image to `fd`, at its position; `fd` itself is not part of it. IMAGE_CONTINUES: this is the process that
 * continues from it, in which `fd` is closed. IMAGE_FAILED with `e`: the process stays as it is.
 */
int image_save(struct image *m, int fd, struct err *e);

/*
 * Replaces this process by that of the image, which is the rest of `in`. Returns -1 with `e` where that cannot be:
 * STATUS_BAD_INPUT if the file is damaged, or another user can write it. `name` is the file's, for messages.
 */
int image_continue(FILE *in, const char *name, struct err *e);

#endif
