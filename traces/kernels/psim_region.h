/*
 * Marks a region of interest in a guest program.
 *
 *     psim_region_begin("dgemm");
 *     …
 *     psim_region_end("dgemm");
 *
 * psim-record writes both into the trace, and with --region NAME it records only that region.
 * Regions nest. On any SPARC-V9 machine and in any other simulator the marker is two or three
 * instructions without effect: the name's address in %o0 and a sethi to %g0. On other
 * architectures it is empty.
 *
 * The name is a string of 1 to 255 bytes, the same in both calls.
 */
#ifndef PSIM_REGION_H
#define PSIM_REGION_H

/* sethi's 22 bits: 'PS' and a byte before it. traces/record/blocks.h has the same numbers. */
#define PSIM_REGION_BEGIN 0x2b5053
#define PSIM_REGION_END 0x2e5053

#if defined(__sparc__) && defined(__arch64__)
#define PSIM_REGION_MARK(name, magic) \
	do { \
		register const char *psim_region_name __asm__("o0") = (name); \
		__asm__ volatile("sethi %1, %%g0" : : "r"(psim_region_name), "i"(magic) : "memory"); \
	} while (0)
#else
#define PSIM_REGION_MARK(name, magic) ((void)(name))
#endif

/* Begins the region of this name. */
static inline void psim_region_begin(const char *name)
{
	PSIM_REGION_MARK(name, PSIM_REGION_BEGIN);
}

/* Ends the region of this name. */
static inline void psim_region_end(const char *name)
{
	PSIM_REGION_MARK(name, PSIM_REGION_END);
}

#endif
