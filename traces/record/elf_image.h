/*
 * A SPARC-V9 program file: checks it, loads it into guest memory, reads its symbols.
 *
 * The file is untrusted: sizes, addresses and overlaps of segments are verified before anything
 * is mapped. Read through libelf.
 */
#ifndef PSIM_RECORD_ELF_IMAGE_H
#define PSIM_RECORD_ELF_IMAGE_H

#include "../../psim/base/err.h"
#include "../trace.h"
#include "address_space.h"

enum { ELF_MAX_SEGMENTS = 64 };

struct elf_image {
	uint64_t entry;
	uint64_t phdr_address; /* of the program headers in guest memory, 0 if not loaded */
	unsigned phdr_count;
	uint64_t brk;                 /* first page boundary after the last segment */
	bool stack_exec;              /* the program requests an executable stack */
	bool simd;                    /* its code has a simdon or rdsimd, so it may use the SIMD array */
	uint32_t crc;                 /* CRC-32 of the file */
	struct trace_symbol *symbols; /* functions, ascending by address, one per address */
	unsigned symbol_count;
	char *names; /* storage of symbols[].name */
};

/*
 * Checks the file at `path`, maps its segments in `m` and fills `image` (freed by
 * elf_image_finish). Returns 0, or -1 with a message that names the file and its damaged part.
 */
int elf_image_load(struct elf_image *image, struct address_space *m, const char *path, struct err *e);
void elf_image_finish(struct elf_image *image);

/* The function called `name`, or NULL. */
const struct trace_symbol *elf_symbol_named(const struct elf_image *image, const char *name);

#endif
