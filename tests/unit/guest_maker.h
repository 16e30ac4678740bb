/* Tiny programs for tests of the recorder: a few instruction words in an ELF file. */
#ifndef PSIM_TESTS_GUEST_MAKER_H
#define PSIM_TESTS_GUEST_MAKER_H

#include <stdint.h>

#include "traces/record/guest.h"
#include "traces/trace.h"

enum {
	GUEST_MAKER_PATH = 64,
	GUEST_MAKER_BASE = 0x100000, /* address of the first word; the segment may be written */
};

/* Writes the program to a temporary file, whose name goes to `path`. */
void guest_maker_write(char path[GUEST_MAKER_PATH], const uint32_t *words, unsigned count);

/*
 * Makes a guest of the program, with an array of `pes` PEs of 8 KiB, 0: without, and removes the file. The test fails
 * if that fails.
 */
struct guest *guest_maker_load(const uint32_t *words, unsigned count, unsigned pes);

/* Returns the name of an empty temporary file. */
void guest_maker_temporary(char path[GUEST_MAKER_PATH]);

/* Opens a trace and unlinks it. The test fails if the trace cannot be read. */
struct trace_reader *guest_maker_open(const char *path);

/* The last words of many programs: %g1 = 1 (exit), system call. %o0 is the status. */
#define GUEST_EXIT 0x82102001u, 0x91d0206du

#endif
