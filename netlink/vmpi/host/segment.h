/* Writable segments of loaded files. */
#ifndef PSIM_VMPI_SEGMENT_H
#define PSIM_VMPI_SEGMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct segment {
	uintptr_t base, start, end;
	uintptr_t zeroes;                   /* from here to the end the file has no values: .bss */
	uintptr_t relocated;                /* the end of what the loader makes read-only after relocation */
	size_t thread_module, thread_bytes; /* thread-local variables (PT_TLS); 0: none */
};

/*
 * Finds the writable segment of the file that is loaded at s->base, without the part that the loader makes read-only
 * after relocation (RELRO). False: no such file.
 */
bool segment_find(struct segment *s);

#endif
