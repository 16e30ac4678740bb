/* Internal to isa: operands of the PEs, for the files that execute on all of them. */
#ifndef PSIM_ISA_EXEC_ARRAY_H
#define PSIM_ISA_EXEC_ARRAY_H

#include "exec_simd.h"

/* The single number `n` of a PE, in the double `d` that holds it. */
static inline uint32_t half(uint64_t d, unsigned n)
{
	return (uint32_t)(d >> (~n & 1) * 32);
}

/* The double with `value` in the place of that single. */
static inline uint64_t with_half(uint64_t d, unsigned n, uint32_t value)
{
	unsigned shift = (~n & 1) * 32;

	return (d & ~(0xffffffffull << shift)) | (uint64_t)value << shift;
}

/* The operand of PE `k` as right-aligned bits. */
static inline uint64_t operand(struct simd_array *a, unsigned n, unsigned k, bool single)
{
	uint64_t d = simd_row(a, n)[k];

	return single ? half(d, n) : d;
}

/* The beginning of an operation that `unit` does: ends the instruction if the PEs have none. */
#define NEED_UNIT(c, unit) \
	do { \
		if (unlikely(!((c)->array->units & SIMD_UNIT_##unit))) \
			return simd_trap(c, SIMD_FAULT_NO_##unit, (c)->array->units); \
	} while (0)

#endif
