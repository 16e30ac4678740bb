/*
 * The address windows of the SIMD array: scalar accesses to the buffer memories
 * of PEs. They are found after the search for a page has failed, so ordinary
 * accesses pay nothing for them.
 */
#include "exec.h"
#include "exec_memory.h"
#include "exec_simd.h"

/* Where in the doubleword at offset & ~7 a datum lies, big-endian: the shift of its lowest bit. */
static inline unsigned shift_of(uint32_t offset, unsigned size)
{
	return 8 * (8 - size - (offset & 7));
}

static inline uint64_t mask_of(unsigned size)
{
	return size == 8 ? ~0ull : (1ull << 8 * size) - 1;
}

uint64_t simd_array_peek(const struct simd_array *a, unsigned pe, uint32_t offset, unsigned size)
{
	return *simd_word(a, pe, offset) >> shift_of(offset, size) & mask_of(size);
}

void simd_array_poke(struct simd_array *a, unsigned pe, uint32_t offset, unsigned size,
		     uint64_t value)
{
	uint64_t *word = simd_word(a, pe, offset), mask = mask_of(size);
	unsigned shift = shift_of(offset, size);

	*word = (*word & ~(mask << shift)) | (value & mask) << shift;
}

enum cpu_trap window_load(struct cpu *c, uint64_t ea, unsigned size, uint64_t *value)
{
	struct simd_array *a = c->array;
	struct simd_place at;
	enum cpu_trap trap;

	if (!a || !simd_in_window(ea))
		return mem_fault(c, ea, TRAP_ACCESS);
	trap = simd_find(c, ea, size, &at);
	if (trap != TRAP_NONE)
		return trap;
	if (at.window == SIMD_WINDOW_ALL)
		return simd_refuse(c, SIMD_FAULT_LOAD_ALL, ea);
	if (unlikely(simd_race(a, &at, size, false)))
		return simd_refuse(c, SIMD_FAULT_RACE_READ, ea);
	*value = simd_array_peek(a, at.pe, at.offset, size);
	return TRAP_NONE;
}

enum cpu_trap window_store(struct cpu *c, uint64_t ea, unsigned size, uint64_t value)
{
	struct simd_array *a = c->array;
	struct simd_place at;
	enum cpu_trap trap;

	if (!a || !simd_in_window(ea))
		return mem_fault(c, ea, TRAP_ACCESS);
	trap = simd_find(c, ea, size, &at);
	if (trap != TRAP_NONE)
		return trap;
	if (unlikely(simd_race(a, &at, size, true)))
		return simd_refuse(c, SIMD_FAULT_RACE_WRITE, ea);
	if (at.window == SIMD_WINDOW_PE) {
		simd_array_poke(a, at.pe, at.offset, size, value);
		return TRAP_NONE;
	}
	for (unsigned k = 0; k < a->pes; k++)
		simd_array_poke(a, k, at.offset, size, value);
	return TRAP_NONE;
}
