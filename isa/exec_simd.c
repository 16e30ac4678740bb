/*
 * The SIMD extension without arithmetic and transfers: the mode, registers of single PEs, sums,
 * SIMD loads and stores.
 */
#include "exec_simd.h"

#include "exec_memory.h"
#include "fp_bits.h"
#include "fp_slow.h"

void simd_array_init(struct simd_array *a, unsigned pes, uint32_t sbm_bytes, uint64_t *sbm)
{
	*a = (struct simd_array){.pes = pes, .sbm_bytes = sbm_bytes, .sbm = sbm};
}

const char *simd_fault_text(enum simd_fault fault)
{
	static const char *const texts[SIMD_FAULT_COUNT] = {
		[SIMD_FAULT_NONE] = "",
#define S(name, shows, text) [SIMD_FAULT_##name] = text,
#include "simd_fault.def"
#undef S
	};

	return texts[fault];
}

enum simd_shows simd_fault_shows(enum simd_fault fault)
{
	static const uint8_t shows[SIMD_FAULT_COUNT] = {
#define S(name, shows, text) [SIMD_FAULT_##name] = SIMD_SHOWS_##shows,
#include "simd_fault.def"
#undef S
	};

	return shows[fault];
}

enum cpu_trap simd_trap(struct cpu *c, enum simd_fault fault, uint64_t value)
{
	c->array->fault = (uint8_t)fault;
	c->array->fault_value = c->fault_address = value;
	return TRAP_SIMD;
}

enum cpu_trap simd_find(struct cpu *c, uint64_t ea, unsigned size, struct simd_place *at)
{
	struct simd_array *a = c->array;

	a->used = true;
	at->pe = 0;
	at->window = simd_window_of(ea, &at->pe, &at->offset);
	if (at->pe >= a->pes)
		return simd_trap(c, SIMD_FAULT_NO_WINDOW, ea);
	if (at->offset >= a->sbm_bytes)
		return simd_trap(c, SIMD_FAULT_BEYOND, ea);
	if (ea & (size - 1))
		return simd_trap(c, SIMD_FAULT_MISALIGNED, ea);
	return TRAP_NONE;
}

/* ---- the mode ---- */

static enum cpu_trap set_mode(struct cpu *c, bool simd)
{
	if (!c->array)
		return TRAP_ILLEGAL;
	c->array->used = true;
	c->simd = simd;
	return TRAP_NONE;
}

X(simdon)
{
	(void)i;
	return set_mode(c, true);
}

X(simdoff)
{
	(void)i;
	return set_mode(c, false);
}

/* Mode bit [0], PEs [15:8], bytes of each buffer memory [47:16], units [63:48]; 0 without an array. */
X(rdsimd)
{
	const struct simd_array *a = c->array;

	set_r(c, i->rd, a ? (uint64_t)a->units << 48 | (uint64_t)a->sbm_bytes << 16 | a->pes << 8 | c->simd : 0);
	return TRAP_NONE;
}

X(peid)
{
	struct simd_array *a = c->array;
	uint64_t *row = simd_row(a, i->rd);

	for (unsigned k = 0; k < a->pes; k++)
		row[k] = of_double((double)k);
	return TRAP_NONE;
}

/* ---- one PE, all PEs, the partner ---- */

static enum cpu_trap choose_pe(struct cpu *c, const struct insn *i)
{
	if (!c->array)
		return TRAP_ILLEGAL;
	c->array->used = true;
	if (c->r[i->rs1] >= c->array->pes)
		return simd_trap(c, SIMD_FAULT_NO_PE, c->r[i->rs1]);
	return TRAP_NONE;
}

X(pegetd)
{
	enum cpu_trap trap = choose_pe(c, i);

	if (trap == TRAP_NONE)
		set_d(c, i->rd, simd_row(c->array, i->rs2)[c->r[i->rs1]]);
	return trap;
}

X(peputd)
{
	enum cpu_trap trap = choose_pe(c, i);

	if (trap == TRAP_NONE)
		simd_row(c->array, i->rd)[c->r[i->rs1]] = get_d(c, i->rs2);
	return trap;
}

static uint64_t exec_simd_add(const struct cpu *c, uint64_t x, uint64_t y, unsigned *flags)
{
	uint64_t sum = of_double(to_double(x) + to_double(y));

	return likely(plain_d(sum)) ? sum : fp_slow_value(c, OP_FADDD, x, y, 0, flags);
}

/* Sums in a tree: neighbours first, then pairs of neighbours, and so on. */
X(pesumd)
{
	struct simd_array *a = c->array;
	uint64_t x[SIMD_PES_MAX];
	unsigned flags = 0;

	if (!a)
		return TRAP_ILLEGAL;
	a->used = true;
	memcpy(x, simd_row(a, i->rs2), sizeof(x));
	for (unsigned s = 1; s < a->pes; s *= 2)
		for (unsigned k = 0; k + s < a->pes; k += 2 * s)
			x[k] = exec_simd_add(c, x[k], x[k + s], &flags);
	c->fsr |= (uint64_t)flags << 5;
	set_d(c, i->rd, x[0]);
	return TRAP_NONE;
}

X(pexd)
{
	struct simd_array *a = c->array;
	uint64_t *to = simd_row(a, i->rd);
	const uint64_t *from = simd_row(a, i->rs2);

	if (a->pes % 2)
		return simd_trap(c, SIMD_FAULT_ODD_PES, a->pes);
	for (unsigned k = 0; k < a->pes; k += 2) {
		uint64_t even = from[k];

		to[k] = from[k + 1];
		to[k + 1] = even;
	}
	return TRAP_NONE;
}

/* ---- loads and stores of all PEs ---- */

static void write_single(struct simd_array *a, unsigned n, unsigned pe, uint64_t value)
{
	unsigned shift = (~n & 1) * 32;
	uint64_t *d = &simd_row(a, n)[pe];

	*d = (*d & ~(0xffffffffull << shift)) | value << shift;
}

/* Loads one value for all PEs, from ordinary memory or the window of one PE. */
static enum cpu_trap load_common(struct cpu *c, uint64_t ea, unsigned size, uint64_t *value)
{
	const uint8_t *p;

	if (simd_in_window(ea))
		return window_load(c, ea, size, value);
	if (size == 8)
		return mem_load_double(c, ea, value);
	if (ea & 3)
		return mem_fault(c, ea, TRAP_ALIGNMENT);
	p = mem_read(c, ea);
	if (!p)
		return mem_fault(c, ea, TRAP_ACCESS);
	*value = get_be32(p);
	return TRAP_NONE;
}

static inline bool in_all_window(uint64_t ea)
{
	return ea - SIMD_ALL_BASE < SIMD_PE_STRIDE;
}

/* Finds where each PE loads from or stores to its own memory. */
static enum cpu_trap find_own(struct cpu *c, uint64_t ea, unsigned size, bool store, struct simd_place *at)
{
	enum cpu_trap trap;

	if (!in_all_window(ea))
		return simd_trap(c, SIMD_FAULT_STORE_SCALAR, ea);
	trap = simd_find(c, ea, size, at);
	if (trap != TRAP_NONE)
		return trap;
	if (unlikely(simd_race(c->array, at, size, store)))
		return simd_trap(c, store ? SIMD_FAULT_RACE_WRITE : SIMD_FAULT_RACE_READ, ea);
	return TRAP_NONE;
}

V(LDDF)
{
	uint64_t ea = effective_address(c, i), *row = simd_row(c->array, i->rd), value;
	struct simd_array *a = c->array;
	struct simd_place at;
	enum cpu_trap trap;

	if (likely(in_all_window(ea))) {
		trap = find_own(c, ea, 8, false, &at);
		if (trap != TRAP_NONE)
			return trap;
		memcpy(row, simd_word(a, 0, at.offset), a->pes * sizeof(*row));
	} else {
		trap = load_common(c, ea, 8, &value);
		if (trap != TRAP_NONE)
			return trap;
		for (unsigned k = 0; k < a->pes; k++)
			row[k] = value;
	}
	log_ea(c, ea);
	return TRAP_NONE;
}

V(LDF)
{
	uint64_t ea = effective_address(c, i), value;
	struct simd_array *a = c->array;
	struct simd_place at;
	bool own = in_all_window(ea);
	enum cpu_trap trap = own ? find_own(c, ea, 4, false, &at) : load_common(c, ea, 4, &value);

	if (trap != TRAP_NONE)
		return trap;
	for (unsigned k = 0; k < a->pes; k++)
		write_single(a, i->rd, k, own ? simd_array_peek(a, k, at.offset, 4) : value);
	log_ea(c, ea);
	return TRAP_NONE;
}

V(STDF)
{
	uint64_t ea = effective_address(c, i), *row = simd_row(c->array, i->rd);
	struct simd_array *a = c->array;
	struct simd_place at;
	enum cpu_trap trap = find_own(c, ea, 8, true, &at);

	if (trap != TRAP_NONE)
		return trap;
	memcpy(simd_word(a, 0, at.offset), row, a->pes * sizeof(*row));
	log_ea(c, ea);
	return TRAP_NONE;
}

V(STF)
{
	uint64_t ea = effective_address(c, i), *row = simd_row(c->array, i->rd);
	struct simd_array *a = c->array;
	struct simd_place at;
	enum cpu_trap trap = find_own(c, ea, 4, true, &at);

	if (trap != TRAP_NONE)
		return trap;
	for (unsigned k = 0; k < a->pes; k++)
		simd_array_poke(a, k, at.offset, 4, row[k] >> (~i->rd & 1) * 32);
	log_ea(c, ea);
	return TRAP_NONE;
}
