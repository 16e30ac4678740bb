/* Contents of an image, read and checked. */
#ifndef PSIM_BASE_IMAGE_READ_H
#define PSIM_BASE_IMAGE_READ_H

#include "image_state.h"

/* Data in the file: memory, or the contents of a file. */
struct image_piece {
	uint64_t to, bytes, at; /* address, or offset in the file that is filled; bytes; offset in the image's file */
	uint64_t descriptor;    /* of contents */
};

struct image_contents {
	struct image_state state;
	struct image_files files;
	struct vec_of(struct image_area) areas;   /* by address; they do not overlap */
	struct vec_of(struct image_piece) pages;  /* by address, each in an area */
	struct vec_of(struct image_piece) pieces; /* of files */
};

/* Reads all records, the rest of `in`. 0, or -1 with `e`. */
int image_read(FILE *in, const char *name, struct image_contents *c, struct err *e);
void image_contents_finish(struct image_contents *c);

#endif
