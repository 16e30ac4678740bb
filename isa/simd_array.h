/*
 * State of the SIMD array: the contents of the PEs, and the outstanding transfers.
 *
 * The caller owns the structure and the buffer memories and sets cpu.array; a processor without
 * an array has no SIMD instructions. The mode bit is cpu.simd.
 *
 * The interpreter executes in program order and completes a transfer when it is issued. It
 * records the transfer until an sxwait covers it, to detect accesses that would race it on
 * hardware (simd_fault.def).
 */
#ifndef PSIM_ISA_SIMD_ARRAY_H
#define PSIM_ISA_SIMD_ARRAY_H

#include "simd.h"

/* Why an instruction of the extension fails with TRAP_SIMD. */
enum simd_fault {
	SIMD_FAULT_NONE,
#define S(name, shows, text) SIMD_FAULT_##name,
#include "simd_fault.def"
#undef S
	SIMD_FAULT_COUNT
};

/* what a message prints after its text */
enum simd_shows { SIMD_SHOWS_ADDRESS, SIMD_SHOWS_NUMBER };

enum { SIMD_OUTSTANDING_MAX = 1024 };

struct simd_outstanding {
	struct simd_transfer transfer;
	uint64_t memory, window; /* addresses of its first piece */
	bool put;                /* to memory */
};

struct simd_array {
	unsigned pes;
	uint32_t sbm_bytes;
	unsigned units;       /* enum simd_unit; simd_array_init sets none */
	bool used;            /* an instruction or an access of the extension was executed */
	uint8_t fault;        /* enum simd_fault of the last TRAP_SIMD, */
	uint64_t fault_value; /* the address or number of the fault */

	uint8_t fcc[4][SIMD_PES_MAX]; /* each PE's fcc0 to fcc3, as in FSR: 0 equal, 1 less, 2 greater, 3 unordered */
	/* by register, then by PE: an instruction processes a row; PEs beyond `pes` are zero */
	uint64_t d[SIMD_REGISTERS][SIMD_PES_MAX];
	/* by doubleword, then by PE: word w of PE k is sbm[w * pes + k], as a number */
	uint64_t *sbm;

	/* transfers that no sxwait has covered yet, the oldest at `first` */
	unsigned first, count;
	uint32_t busy_low, busy_high; /* bounds of the offsets of all of them; empty: low >= high */
	struct simd_outstanding outstanding[SIMD_OUTSTANDING_MAX];
};

/* The size of `sbm` in bytes. */
static inline uint64_t simd_array_bytes(unsigned pes, uint32_t sbm_bytes)
{
	return (uint64_t)pes * sbm_bytes;
}

/*
 * Sets registers to zero and removes all transfers. The caller owns `sbm`, simd_array_bytes
 * zero bytes. The size must be valid (simd_size_valid).
 */
void simd_array_init(struct simd_array *a, unsigned pes, uint32_t sbm_bytes, uint64_t *sbm);

/* The text of `fault`, and what a message prints after it. */
const char *simd_fault_text(enum simd_fault fault);
enum simd_shows simd_fault_shows(enum simd_fault fault);

/* For inspection: 1, 2, 4 or 8 aligned bytes of the memory of a PE. */
uint64_t simd_array_peek(const struct simd_array *a, unsigned pe, uint32_t offset, unsigned size);
void simd_array_poke(struct simd_array *a, unsigned pe, uint32_t offset, unsigned size, uint64_t value);

#endif
