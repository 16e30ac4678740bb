/* Source lines of a program's code, where it has debugging information and we have libdw. */
#ifndef PSIM_RECORD_SOURCE_LINE_H
#define PSIM_RECORD_SOURCE_LINE_H

#include <stddef.h>
#include <stdint.h>

/*
 * "kernel.c:42" of a code address in the ELF file at `path`, without folders; of an
 * inlined function "vector.h:7 in kernel.c:42", from the inside out;
 * "" if nobody knows. At most size - 1 characters.
 */
void source_line(const char *path, uint64_t address, char *buffer, size_t size);

#endif
