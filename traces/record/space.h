/*
 * The address space of a guest: areas (what may be accessed how) and pages (what is there).
 *
 * Areas are kept in a sorted array; a page of 8 KiB is allocated, zeroed, on
 * its first access, so a large sparse mapping costs nothing. The processor
 * reaches pages through `cpu_memory.page` and caches the translations; every
 * change of an area makes it forget them.
 *
 * Owned by the guest. Nothing here prints; host memory running out is noted in
 * `exhausted` and looks like a fault to the guest.
 */
#ifndef PSIM_RECORD_SPACE_H
#define PSIM_RECORD_SPACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../../isa/cpu.h"

enum { SPACE_READ = 1, SPACE_WRITE = 2, SPACE_EXEC = 4 }; /* as PROT_READ, PROT_WRITE, PROT_EXEC */

#define SPACE_PAGE ((uint64_t)1 << CPU_PAGE_BITS)
/* User addresses end here: the lower half of the 44-bit space (SPARC64 V, US-III). */
#define SPACE_TOP ((uint64_t)1 << 43)
/* Where mappings without a wish begin, the stack first; as qemu-user 7.2 has it. */
#define SPACE_MAP_BASE 0x4000000000u

struct space_area {
	uint64_t start, end; /* whole pages */
	unsigned prot;       /* SPACE_* */
};

struct space_page; /* see space.c */

struct space {
	struct cpu_memory cpu_memory; /* first: the processor holds its address */
	struct cpu *cpu;              /* whose translations must be forgotten */
	struct space_area *areas;
	unsigned count, capacity;
	struct space_page ***root; /* radix tree over page numbers */
	uint8_t **chunks;          /* host memory of pages, 2 MiB each */
	unsigned chunk_count, chunk_capacity, chunk_used;
	uint8_t *free_pages;    /* list through the pages' first bytes */
	uint64_t mapped, limit; /* bytes in areas, and how many there may be */
	bool exhausted;         /* the host had no memory for a page or an area */
	bool remapped;          /* an executable area changed; the caller resets it */
};

/* Empty memory for `cpu`, at most `limit` bytes of areas. Returns -1 without host memory. */
int space_init(struct space *m, struct cpu *cpu, uint64_t limit);
void space_finish(struct space *m);

/*
 * Makes [start, start + length) an area of zeros with these rights; what was
 * there is gone. Start and length are whole pages. Returns 0, or -1 if the range
 * leaves the address space or the limit is passed.
 */
int space_map(struct space *m, uint64_t start, uint64_t length, unsigned prot);

/* Removes areas and pages in the range (holes are allowed). 0 or -1 as above. */
int space_unmap(struct space *m, uint64_t start, uint64_t length);

/* Changes rights; -1 if part of the range is not mapped. */
int space_protect(struct space *m, uint64_t start, uint64_t length, unsigned prot);

/* Moves the pages of one area range to a new, unmapped place of the same length. */
int space_move(struct space *m, uint64_t from, uint64_t to, uint64_t length);

/* Forgets the contents: the range reads as zeros (MADV_DONTNEED). */
void space_clear(struct space *m, uint64_t start, uint64_t length);

/* Lowest free range of `length` bytes at or above `from`; 0 if there is none. */
uint64_t space_find_free(const struct space *m, uint64_t from, uint64_t length);

/* The area that holds `address`, or NULL. */
const struct space_area *space_area_at(const struct space *m, uint64_t address);

/* Whether the whole range is mapped with at least these rights. */
bool space_allows(const struct space *m, uint64_t start, uint64_t length, unsigned prot);

/*
 * Host address of `address` if it may be accessed so, and in *left the bytes
 * from there to the end of the page. NULL: a fault.
 */
uint8_t *space_host(struct space *m, uint64_t address, unsigned prot, size_t *left);

/* Copies; -1 on a fault (what was copied before it stays). */
int space_read(struct space *m, uint64_t address, void *to, size_t size);
int space_write(struct space *m, uint64_t address, const void *from, size_t size);

/* Writes whatever the rights: for loading a program. The range must be mapped. */
int space_load(struct space *m, uint64_t address, const void *from, size_t size);

/* Copies a string with its NUL; returns its length, or -1 on a fault or if it does not fit. */
long space_read_string(struct space *m, uint64_t address, char *to, size_t size);

/* Big-endian values. Loads return 0 and set *fault on a fault; stores return 0 or -1. */
uint64_t space_read64(struct space *m, uint64_t address, bool *fault);
uint32_t space_read32(struct space *m, uint64_t address, bool *fault);
int space_write64(struct space *m, uint64_t address, uint64_t value);
int space_write32(struct space *m, uint64_t address, uint32_t value);

#endif
