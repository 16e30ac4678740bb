/* Internal to isa: access to the array for the semantic functions. */
#ifndef PSIM_ISA_EXEC_SIMD_H
#define PSIM_ISA_EXEC_SIMD_H

#include "exec.h"
#include "simd_array.h"

/* Ends an instruction with TRAP_SIMD and records the fault. */
enum cpu_trap simd_trap(struct cpu *c, enum simd_fault fault, uint64_t value);

/* A location in the array; `pe` is valid for SIMD_WINDOW_PE only. */
struct simd_place {
	enum simd_window window;
	unsigned pe;
	uint32_t offset;
};

/*
 * Translates a window address for an access of `size` bytes into `at`. Faults if the PE or the
 * memory does not exist, or the address is misaligned.
 */
enum cpu_trap simd_find(struct cpu *c, uint64_t ea, unsigned size, struct simd_place *at);

/* exec_transfer.c: whether the access races an outstanding transfer on these bytes. */
bool simd_race_slow(const struct simd_array *a, const struct simd_place *at, unsigned size, bool write);

static inline bool simd_race(const struct simd_array *a, const struct simd_place *at, unsigned size, bool write)
{
	return at->offset < a->busy_high && at->offset + size > a->busy_low && simd_race_slow(a, at, size, write);
}

/* The doubleword that holds `offset`. */
static inline uint64_t *simd_word(const struct simd_array *a, unsigned pe, uint32_t offset)
{
	return a->sbm + (size_t)(offset >> 3) * a->pes + pe;
}

/* A register's row: its doubles in all PEs. */
static inline uint64_t *simd_row(struct simd_array *a, unsigned number)
{
	return a->d[number >> 1];
}

#endif
