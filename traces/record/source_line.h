/* Source lines of a program's code, from its debugging information through libdw. */
#ifndef PSIM_RECORD_SOURCE_LINE_H
#define PSIM_RECORD_SOURCE_LINE_H

#include <stddef.h>
#include <stdint.h>

/*
 * Writes "kernel.c:42" for a code address in the ELF file at `path`, without directories; for
 * an inlined function "vector.h:7 in kernel.c:42", from the inside out; "" if unknown. At most
 * size - 1 characters.
 */
void source_line(const char *path, uint64_t address, char *buffer, size_t size);

#endif
