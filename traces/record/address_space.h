/*
 * The address space of a guest: areas (access rights) and pages (contents).
 *
 * Areas are kept in a sorted array. A page of 8 KiB is allocated and zeroed on its first
 * access, so a large sparse mapping costs nothing. The processor accesses pages through
 * `cpu_memory.page` and caches the translations; every change of an area flushes them.
 *
 * Owned by the guest. No function prints; exhausted host memory sets `exhausted` and looks like
 * a fault to the guest.
 */
#ifndef PSIM_RECORD_ADDRESS_SPACE_H
#define PSIM_RECORD_ADDRESS_SPACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../../isa/cpu.h"

enum { SPACE_READ = 1, SPACE_WRITE = 2, SPACE_EXEC = 4 }; /* as PROT_READ, PROT_WRITE, PROT_EXEC */

#define SPACE_PAGE ((uint64_t)1 << CPU_PAGE_BITS)
/* User addresses end here: the lower half of the 44-bit space (SPARC64 V, US-III). */
#define SPACE_TOP ((uint64_t)1 << 43)
/* Start of mappings without a requested address, the stack first; as in qemu-user 7.2. */
#define SPACE_MAP_BASE 0x4000000000u

struct address_space_area {
	uint64_t start, end; /* whole pages */
	unsigned prot;       /* SPACE_* */
};

struct address_space_page; /* address_space.c */

struct address_space {
	struct cpu_memory cpu_memory; /* first, since the processor holds its address */
	struct cpu *cpu;              /* the processor that caches translations */
	struct address_space_area *areas;
	unsigned count, capacity;
	struct address_space_page ***root; /* radix tree over page numbers */
	uint8_t **chunks;                  /* host memory of pages, 2 MiB each */
	unsigned chunk_count, chunk_capacity, chunk_used;
	uint8_t *free_pages;    /* list through the pages' first bytes */
	uint64_t mapped, limit; /* bytes in areas, and their maximum */
	bool exhausted;         /* the host's memory for a page or an area is exhausted */
	bool remapped;          /* an executable area changed; the caller resets it */
};

/*
 * Initializes an empty space for `cpu` with at most `limit` bytes of areas. Returns -1 without
 * host memory.
 */
int address_space_init(struct address_space *m, struct cpu *cpu, uint64_t limit);
void address_space_finish(struct address_space *m);

/*
 * Makes [start, start + length) an area of zeros with these rights, replacing the previous
 * contents. Start and length are whole pages. Returns 0, or -1 if the range leaves the address
 * space or exceeds the limit.
 */
int address_space_map(struct address_space *m, uint64_t start, uint64_t length, unsigned prot);

/* Removes areas and pages in the range (holes are allowed). Returns 0 or -1 as above. */
int address_space_unmap(struct address_space *m, uint64_t start, uint64_t length);

/* Changes rights; returns -1 if part of the range is not mapped. */
int address_space_protect(struct address_space *m, uint64_t start, uint64_t length, unsigned prot);

/* Moves the pages of a range in one area to an unmapped range of the same length. */
int address_space_move(struct address_space *m, uint64_t from, uint64_t to, uint64_t length);

/* Drops the contents: the range reads as zeros (MADV_DONTNEED). */
void address_space_clear(struct address_space *m, uint64_t start, uint64_t length);

/* Lowest free range of `length` bytes at or above `from`; 0 if none. */
uint64_t address_space_find_free(const struct address_space *m, uint64_t from, uint64_t length);

/* The area that contains `address`, or NULL. */
const struct address_space_area *address_space_area_at(const struct address_space *m, uint64_t address);

/* Returns whether the whole range is mapped with at least these rights. */
bool address_space_allows(const struct address_space *m, uint64_t start, uint64_t length, unsigned prot);

/*
 * Returns the host address of `address` if this access is allowed, and in *left the number of
 * bytes to the end of the page. NULL: a fault.
 */
uint8_t *address_space_host(struct address_space *m, uint64_t address, unsigned prot, size_t *left);

/* Copy; return -1 on a fault (bytes copied before it stay). */
int address_space_read(struct address_space *m, uint64_t address, void *to, size_t size);
int address_space_write(struct address_space *m, uint64_t address, const void *from, size_t size);

/* Writes regardless of rights, to load a program. The range must be mapped. */
int address_space_load(struct address_space *m, uint64_t address, const void *from, size_t size);

/* Copies a string with its NUL; returns its length, or -1 on a fault or if it does not fit. */
long address_space_read_string(struct address_space *m, uint64_t address, char *to, size_t size);

/* Big-endian values. Loads return 0 and set *fault on a fault; stores return 0 or -1. */
uint64_t space_read64(struct address_space *m, uint64_t address, bool *fault);
uint32_t space_read32(struct address_space *m, uint64_t address, bool *fault);
int space_write64(struct address_space *m, uint64_t address, uint64_t value);
int space_write32(struct address_space *m, uint64_t address, uint32_t value);

#endif
