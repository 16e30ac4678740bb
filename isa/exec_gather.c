/*
 * Gather and scatter: loads and stores of all PEs from and to their own SBM, each at an index of its own. All PEs are
 * checked before one of them changes.
 */
#include "exec_array.h"
#include "exec_memory.h"

struct places {
	uint32_t offset[SIMD_PES_MAX];
	uint64_t ea; /* rs1 */
};

/* Finds where each PE accesses `size` bytes. `single`: the index is one. */
static enum cpu_trap find_places(struct cpu *c, const struct insn *i, bool single, bool store, struct places *p)
{
	struct simd_array *a = c->array;
	struct simd_place at = {.window = SIMD_WINDOW_PE};
	unsigned size = i->size;
	uint64_t room;

	NEED_UNIT(c, GATHER);
	p->ea = c->r[i->rs1];
	if (p->ea - SIMD_ALL_BASE >= SIMD_PE_STRIDE)
		return simd_trap(c, SIMD_FAULT_GATHER_BASE, p->ea);
	enum cpu_trap trap = simd_find(c, p->ea, size, &at);
	if (trap != TRAP_NONE)
		return trap;
	at.window = SIMD_WINDOW_PE;
	room = (a->sbm_bytes - at.offset) / size;
	for (unsigned k = 0; k < a->pes; k++) {
		uint64_t index = operand(a, i->rs2, k, single);

		if (index >= room)
			return simd_trap(c, SIMD_FAULT_GATHER_INDEX, index);
		p->offset[k] = (uint32_t)(p->ea - SIMD_ALL_BASE) + (uint32_t)index * size;
		at.pe = k;
		at.offset = p->offset[k];
		if (unlikely(simd_race(a, &at, size, store)))
			return simd_trap(c, store ? SIMD_FAULT_RACE_WRITE : SIMD_FAULT_RACE_READ, p->ea);
	}
	return TRAP_NONE;
}

static enum cpu_trap gather(struct cpu *c, const struct insn *i, bool single)
{
	struct simd_array *a = c->array;
	uint64_t *row = simd_row(a, i->rd);
	struct places p;
	enum cpu_trap trap = find_places(c, i, single, false, &p);

	if (trap != TRAP_NONE)
		return trap;
	for (unsigned k = 0; k < a->pes; k++) {
		uint64_t value = simd_array_peek(a, k, p.offset[k], i->size);

		row[k] = i->size == 8 ? value : with_half(row[k], i->rd, (uint32_t)value);
	}
	log_ea(c, p.ea);
	return TRAP_NONE;
}

static enum cpu_trap scatter(struct cpu *c, const struct insn *i, bool single)
{
	struct simd_array *a = c->array;
	struct places p;
	enum cpu_trap trap = find_places(c, i, single, true, &p);

	if (trap != TRAP_NONE)
		return trap;
	for (unsigned k = 0; k < a->pes; k++)
		simd_array_poke(a, k, p.offset[k], i->size, operand(a, i->rd, k, i->size == 4));
	log_ea(c, p.ea);
	return TRAP_NONE;
}

#define ACCESS(name, access, single) \
	X(name) \
	{ \
		return access(c, i, single); \
	}

ACCESS(gatherd, gather, true)
ACCESS(gathers, gather, true)
ACCESS(gatherxd, gather, false)
ACCESS(gatherxs, gather, false)
ACCESS(scatterd, scatter, true)
ACCESS(scatters, scatter, true)
ACCESS(scatterxd, scatter, false)
ACCESS(scatterxs, scatter, false)
