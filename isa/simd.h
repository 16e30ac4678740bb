/*
 * The SIMD extension as programs see it: limits, address windows, transfers.
 * docs/models/simd-isa.md describes it; simd.def has its instructions.
 */
#ifndef PSIM_ISA_SIMD_H
#define PSIM_ISA_SIMD_H

#include <stdbool.h>
#include <stdint.h>

enum {
	SIMD_PES_MAX = 32,
	SIMD_PES = 16,          /* default number of PEs */
	SIMD_SBM_MIN = 4 << 10, /* bytes of a PE's buffer memory: a power of two */
	SIMD_SBM_MAX = 16 << 20,
	SIMD_SBM = 64 << 10,
	SIMD_REGISTERS = 32,     /* doubles of each PE */
	SIMD_TRANSFER_ALIGN = 8, /* alignment of addresses, pieces and strides */
};

/*
 * The windows through which ordinary loads, stores and transfers access the buffer memories:
 * one for all PEs, then one for each, above every user address. An offset beyond the memory's
 * size is an error.
 */
#define SIMD_ALL_BASE UINT64_C(0x500000000000)
#define SIMD_PE_STRIDE UINT64_C(0x1000000)
#define SIMD_PE_BASE(pe) (SIMD_ALL_BASE + ((uint64_t)(pe) + 1) * SIMD_PE_STRIDE)
#define SIMD_WINDOWS_END SIMD_PE_BASE(SIMD_PES_MAX)

/* Units that PEs may have beside the paper's (psim-record --units): bits of simd_array.units, rdsimd has them. */
enum simd_unit_number {
#define U(name, text) SIMD_UNIT_NUMBER_##name,
#include "simd_unit.def"
#undef U
	SIMD_UNIT_COUNT
};
enum simd_unit {
#define U(name, text) SIMD_UNIT_##name = 1 << SIMD_UNIT_NUMBER_##name,
#include "simd_unit.def"
#undef U
};

enum simd_window { SIMD_WINDOW_NONE, SIMD_WINDOW_ALL, SIMD_WINDOW_PE };

/* Returns the window that holds `ea`, *pe (for SIMD_WINDOW_PE) and *offset in the memory. */
static inline enum simd_window simd_window_of(uint64_t ea, unsigned *pe, uint32_t *offset)
{
	uint64_t at = ea - SIMD_ALL_BASE;

	if (at >= SIMD_WINDOWS_END - SIMD_ALL_BASE)
		return SIMD_WINDOW_NONE;
	*offset = (uint32_t)(at % SIMD_PE_STRIDE);
	if (at < SIMD_PE_STRIDE)
		return SIMD_WINDOW_ALL;
	*pe = (unsigned)(at / SIMD_PE_STRIDE) - 1;
	return SIMD_WINDOW_PE;
}

/* Returns whether `ea` is in any window. */
static inline bool simd_in_window(uint64_t ea)
{
	return ea - SIMD_ALL_BASE < SIMD_WINDOWS_END - SIMD_ALL_BASE;
}

/* Distribution of a transfer's pieces: the asi field of sxget and sxput, insn.asi. */
enum simd_how {
	SIMD_ONE,  /* piece j at offset + j * bytes, in one PE or (get only) the same in all */
	SIMD_DEAL, /* piece j in PE j mod pes, at offset + j / pes * bytes */
};

/*
 * The descriptor of sxget and sxput: bytes of a piece [23:0], number of pieces [39:24], stride
 * between pieces in memory [63:40], signed, in units of 8 bytes.
 */
struct simd_transfer {
	uint32_t bytes, pieces;
	int64_t stride; /* in bytes */
	bool deal;
};

static inline struct simd_transfer simd_transfer_unpack(uint64_t descriptor, unsigned how)
{
	return (struct simd_transfer){
		.bytes = (uint32_t)descriptor & 0xffffff,
		.pieces = (uint32_t)(descriptor >> 24) & 0xffff,
		.stride = (int64_t)(descriptor & ~UINT64_C(0xffffffffff)) / (INT64_C(1) << 37),
		.deal = how == SIMD_DEAL,
	};
}

/* Makes a descriptor. `stride` is a multiple of 8 from -2^26 to 2^26 - 8. */
static inline uint64_t simd_transfer_pack(uint32_t bytes, uint32_t pieces, int64_t stride)
{
	return (bytes & 0xffffff) | (uint64_t)(pieces & 0xffff) << 24 | (uint64_t)(stride / 8) << 40;
}

/* Bytes moved between memory and the array; a piece for all PEs counts once. */
static inline uint64_t simd_transfer_bytes(const struct simd_transfer *t)
{
	return (uint64_t)t->bytes * t->pieces;
}

/* Number of pieces in PE `pe` of `pes`; they are contiguous in its memory. */
static inline uint32_t simd_transfer_share(const struct simd_transfer *t, unsigned pes, unsigned pe)
{
	if (!t->deal)
		return t->pieces;
	return (t->pieces + pes - 1 - pe) / pes;
}

/* Returns whether a size is valid: 1 to 32 PEs, `sbm_bytes` a power of two in its bounds. */
static inline bool simd_size_valid(uint64_t pes, uint64_t sbm_bytes)
{
	return pes >= 1 && pes <= SIMD_PES_MAX && sbm_bytes >= SIMD_SBM_MIN && sbm_bytes <= SIMD_SBM_MAX &&
	       (sbm_bytes & (sbm_bytes - 1)) == 0;
}

#endif
