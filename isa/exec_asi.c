/*
 * Loads, stores and atomics with an alternate space that user code may name. Primary and
 * secondary context are the same process under Linux.
 *
 *     80 P  81 S  82 PNF  83 SNF  88 PL  89 SL  8A PNFL  8B SNFL
 *     C0..C5, C8..CD  partial stores   D0..D3, D8..DB  short FP
 *     E0 E1  block commit stores       F0 F1 F8 F9     block
 *
 * 8 in the low digit is little-endian; no-fault loads (2) of unmapped addresses return 0. SPARC
 * V9 manual 8.3.2; JPS1 Commonality A.4, A.26, A.42 and A.58.
 */
#include "exec.h"
#include "exec_memory.h"
#include "simd.h"

enum { ASI_LITTLE = 8, ASI_NO_FAULT = 2, ASI_BLOCK_COMMIT = 0xe0 };

static inline unsigned asi_of(const struct cpu *c, const struct insn *i)
{
	return i->flags & INSN_IMM ? c->asi : i->asi;
}

static inline bool asi_plain(unsigned asi)
{
	return (asi & ~0x0bu) == 0x80;
}

static inline bool asi_partial(unsigned asi)
{
	return (asi & ~0x0fu) == 0xc0 && (asi & 7) < 6;
}

static inline bool asi_short(unsigned asi)
{
	return (asi & ~0x0bu) == 0xd0;
}

static inline bool asi_block(unsigned asi)
{
	return (asi & ~0x09u) == 0xf0;
}

/* The trap for an ASI that is privileged or not defined for this instruction. */
static enum cpu_trap bad_asi(struct cpu *c, unsigned asi, uint64_t ea)
{
	return mem_fault(c, ea, asi < 0x80 ? TRAP_PRIVILEGED_ACTION : TRAP_ACCESS);
}

static uint64_t get_sized(const uint8_t *p, unsigned size, bool little)
{
	uint64_t value = 0;

	for (unsigned k = 0; k < size; k++)
		value = value << 8 | p[little ? size - 1 - k : k];
	return value;
}

static void put_sized(uint8_t *p, unsigned size, bool little, uint64_t value)
{
	for (unsigned k = 0; k < size; k++)
		p[little ? k : size - 1 - k] = (uint8_t)(value >> 8 * k);
}

/*
 * Loads `count` data of `size` bytes each from consecutive addresses, aligned to `align`. Logs
 * nothing.
 */
static enum cpu_trap load_plain(struct cpu *c, const struct insn *i, unsigned size, unsigned count, unsigned align,
				uint64_t *value)
{
	uint64_t ea = effective_address(c, i), got[4];
	unsigned asi = asi_of(c, i);

	if (ea & (align - 1))
		return mem_fault(c, ea, TRAP_ALIGNMENT);
	if (!asi_plain(asi))
		return bad_asi(c, asi, ea);
	for (unsigned k = 0; k < count; k++) {
		const uint8_t *p = mem_read(c, ea + k * size);

		if (!p && (!(asi & ASI_NO_FAULT) || simd_in_window(ea)))
			return mem_fault(c, ea + k * size, TRAP_ACCESS);
		got[k] = p ? get_sized(p, size, asi & ASI_LITTLE) : 0;
	}
	for (unsigned k = 0; k < count; k++)
		value[k] = got[k];
	return TRAP_NONE;
}

static enum cpu_trap store_plain(struct cpu *c, const struct insn *i, unsigned size, unsigned count, unsigned align,
				 const uint64_t *value)
{
	uint64_t ea = effective_address(c, i);
	unsigned asi = asi_of(c, i);
	uint8_t *p[4];

	if (ea & (align - 1))
		return mem_fault(c, ea, TRAP_ALIGNMENT);
	if (!asi_plain(asi) || (asi & ASI_NO_FAULT))
		return bad_asi(c, asi, ea);
	for (unsigned k = 0; k < count; k++) {
		p[k] = mem_write(c, ea + k * size);
		if (!p[k])
			return mem_fault(c, ea + k * size, TRAP_ACCESS);
	}
	for (unsigned k = 0; k < count; k++)
		put_sized(p[k], size, asi & ASI_LITTLE, value[k]);
	log_ea(c, ea);
	return TRAP_NONE;
}

#define LOAD(name, size, type) \
	X(name) \
	{ \
		uint64_t value; \
		enum cpu_trap trap = load_plain(c, i, size, 1, size, &value); \
		if (trap != TRAP_NONE) \
			return trap; \
		log_ea(c, effective_address(c, i)); \
		set_r(c, i->rd, (uint64_t)(type)value); \
		return TRAP_NONE; \
	}

#define SIGNED(bits) int64_t)(int##bits##_t

LOAD(lduba, 1, uint64_t)
LOAD(lduha, 2, uint64_t)
LOAD(lduwa, 4, uint64_t)
LOAD(ldxa, 8, uint64_t)
LOAD(ldsba, 1, SIGNED(8))
LOAD(ldsha, 2, SIGNED(16))
LOAD(ldswa, 4, SIGNED(32))

/* The even register holds the word at the lower address, in little-endian spaces too. */
X(ldda)
{
	uint64_t value[2];
	enum cpu_trap trap = load_plain(c, i, 4, 2, 8, value);

	if (trap != TRAP_NONE)
		return trap;
	log_ea(c, effective_address(c, i));
	c->r[i->rd + 1] = value[1];
	set_r(c, i->rd, value[0]);
	return TRAP_NONE;
}

X(stba)
{
	return store_plain(c, i, 1, 1, 1, &c->r[i->rd]);
}

X(stha)
{
	return store_plain(c, i, 2, 1, 2, &c->r[i->rd]);
}

X(stwa)
{
	return store_plain(c, i, 4, 1, 4, &c->r[i->rd]);
}

X(stxa)
{
	return store_plain(c, i, 8, 1, 8, &c->r[i->rd]);
}

X(stda)
{
	return store_plain(c, i, 4, 2, 8, &c->r[i->rd]);
}

/* ---- atomics ---- */

/* Translates ea for an aligned read and write of `size` bytes. */
static enum cpu_trap translate_atomic(struct cpu *c, uint64_t ea, unsigned asi, unsigned size, uint8_t **p)
{
	if (ea & (size - 1))
		return mem_fault(c, ea, TRAP_ALIGNMENT);
	if (!asi_plain(asi) || (asi & ASI_NO_FAULT))
		return bad_asi(c, asi, ea);
	*p = mem_write(c, ea);
	return *p ? TRAP_NONE : mem_fault(c, ea, TRAP_ACCESS);
}

X(ldstuba)
{
	uint64_t ea = effective_address(c, i);
	uint8_t *p;
	enum cpu_trap trap = translate_atomic(c, ea, asi_of(c, i), 1, &p);

	if (trap != TRAP_NONE)
		return trap;
	log_atomic(c, ea, *p);
	set_r(c, i->rd, *p);
	*p = 0xff;
	return TRAP_NONE;
}

X(swapa)
{
	uint64_t ea = effective_address(c, i), old;
	unsigned asi = asi_of(c, i);
	uint8_t *p;
	enum cpu_trap trap = translate_atomic(c, ea, asi, 4, &p);

	if (trap != TRAP_NONE)
		return trap;
	old = get_sized(p, 4, asi & ASI_LITTLE);
	put_sized(p, 4, asi & ASI_LITTLE, c->r[i->rd]);
	set_r(c, i->rd, old);
	log_atomic(c, ea, old);
	return TRAP_NONE;
}

/* Swaps rd and memory if memory equals rs2; rd gets the old value in any case. */
static enum cpu_trap compare_and_swap(struct cpu *c, const struct insn *i, unsigned size)
{
	uint64_t ea = c->r[i->rs1], old, expected = c->r[i->rs2];
	unsigned asi = asi_of(c, i);
	uint8_t *p;
	enum cpu_trap trap = translate_atomic(c, ea, asi, size, &p);

	if (trap != TRAP_NONE)
		return trap;
	if (size == 4)
		expected = (uint32_t)expected;
	old = get_sized(p, size, asi & ASI_LITTLE);
	if (old == expected)
		put_sized(p, size, asi & ASI_LITTLE, c->r[i->rd]);
	set_r(c, i->rd, old);
	log_atomic(c, ea, old);
	return TRAP_NONE;
}

X(casa)
{
	return compare_and_swap(c, i, 4);
}

X(casxa)
{
	return compare_and_swap(c, i, 8);
}

/* ---- FP ---- */

X(ldfa)
{
	uint64_t value;
	enum cpu_trap trap = load_plain(c, i, 4, 1, 4, &value);

	if (trap != TRAP_NONE)
		return trap;
	log_ea(c, effective_address(c, i));
	set_f(c, i->rd, (uint32_t)value);
	return TRAP_NONE;
}

X(stfa)
{
	uint64_t value = get_f(c, i->rd);

	return store_plain(c, i, 4, 1, 4, &value);
}

/* Translates ea for eight registers: 64 bytes, aligned to 64, so within one page. */
static enum cpu_trap translate_block(struct cpu *c, const struct insn *i, uint64_t ea, enum cpu_access access,
				     uint8_t **p)
{
	if (i->rd % 16)
		return TRAP_ILLEGAL;
	if (ea & 63)
		return mem_fault(c, ea, TRAP_ALIGNMENT);
	*p = access == CPU_READ ? mem_read(c, ea) : mem_write(c, ea);
	return *p ? TRAP_NONE : mem_fault(c, ea, TRAP_ACCESS);
}

static enum cpu_trap load_block(struct cpu *c, const struct insn *i, uint64_t ea, bool little)
{
	uint8_t *p;
	enum cpu_trap trap = translate_block(c, i, ea, CPU_READ, &p);

	if (trap != TRAP_NONE)
		return trap;
	for (unsigned k = 0; k < 8; k++, p += 8)
		set_d(c, i->rd + 2 * k, little ? get_sized(p, 8, true) : get_be64(p));
	log_ea(c, ea);
	return TRAP_NONE;
}

static enum cpu_trap store_block(struct cpu *c, const struct insn *i, uint64_t ea, bool little)
{
	uint8_t *p;
	enum cpu_trap trap = translate_block(c, i, ea, CPU_WRITE, &p);

	if (trap != TRAP_NONE)
		return trap;
	for (unsigned k = 0; k < 8; k++, p += 8) {
		if (little)
			put_sized(p, 8, true, get_d(c, i->rd + 2 * k));
		else
			put_be64(p, get_d(c, i->rd + 2 * k));
	}
	log_ea(c, ea);
	return TRAP_NONE;
}

/* The size in bytes of a short access; the double register gets it zero-extended. */
static inline unsigned short_size(unsigned asi)
{
	return asi & 2 ? 2 : 1;
}

static enum cpu_trap load_short(struct cpu *c, const struct insn *i, uint64_t ea, unsigned asi)
{
	unsigned size = short_size(asi);
	const uint8_t *p;

	if (ea & (size - 1))
		return mem_fault(c, ea, TRAP_ALIGNMENT);
	p = mem_read(c, ea);
	if (!p)
		return mem_fault(c, ea, TRAP_ACCESS);
	set_d(c, i->rd, get_sized(p, size, asi & ASI_LITTLE));
	log_ea(c, ea);
	return TRAP_NONE;
}

static enum cpu_trap store_short(struct cpu *c, const struct insn *i, uint64_t ea, unsigned asi)
{
	unsigned size = short_size(asi);
	uint8_t *p;

	if (ea & (size - 1))
		return mem_fault(c, ea, TRAP_ALIGNMENT);
	p = mem_write(c, ea);
	if (!p)
		return mem_fault(c, ea, TRAP_ACCESS);
	put_sized(p, size, asi & ASI_LITTLE, get_d(c, i->rd));
	log_ea(c, ea);
	return TRAP_NONE;
}

/*
 * Stores the elements of 1, 2 or 4 bytes of a double whose bit is set in rs2; the highest bit
 * is the most significant element's. The address is rs1 alone.
 */
static enum cpu_trap store_partial(struct cpu *c, const struct insn *i, unsigned asi)
{
	uint64_t ea = c->r[i->rs1], mask = c->r[i->rs2], value = get_d(c, i->rd);
	unsigned element = 1u << (asi & 7) / 2;
	uint8_t *p;

	if (i->flags & INSN_IMM)
		return TRAP_ILLEGAL;
	if (ea & 7)
		return mem_fault(c, ea, TRAP_ALIGNMENT);
	p = mem_write(c, ea);
	if (!p)
		return mem_fault(c, ea, TRAP_ACCESS);
	for (unsigned k = 0; k < 8; k++) { /* byte k from the least significant one */
		if (mask >> k / element & 1)
			p[asi & ASI_LITTLE ? k : 7 - k] = (uint8_t)(value >> 8 * k);
	}
	log_ea(c, ea);
	return TRAP_NONE;
}

X(lddfa)
{
	uint64_t ea = effective_address(c, i), value[2] = {0};
	unsigned asi = asi_of(c, i);
	enum cpu_trap trap;

	if (asi_block(asi))
		return load_block(c, i, ea, asi & ASI_LITTLE);
	if (asi_short(asi))
		return load_short(c, i, ea, asi);
	if (!(ea & 4)) {
		trap = load_plain(c, i, 8, 1, 8, value);
	} else { /* aligned to a word: Linux emulates it by words */
		trap = load_plain(c, i, 4, 2, 4, value);
		value[0] = asi & ASI_LITTLE ? value[0] | value[1] << 32 : value[0] << 32 | value[1];
	}
	if (trap != TRAP_NONE)
		return trap;
	log_ea(c, ea);
	set_d(c, i->rd, value[0]);
	return TRAP_NONE;
}

X(stdfa)
{
	uint64_t ea = effective_address(c, i), d = get_d(c, i->rd);
	unsigned asi = asi_of(c, i);
	bool little = asi & ASI_LITTLE;

	if (asi_block(asi) || (asi & ~1u) == ASI_BLOCK_COMMIT)
		return store_block(c, i, ea, little);
	if (asi_short(asi))
		return store_short(c, i, ea, asi);
	if (asi_partial(asi))
		return store_partial(c, i, asi);
	if (ea & 4) {
		uint64_t word[2] = {little ? d : d >> 32, little ? d >> 32 : d};

		return store_plain(c, i, 4, 2, 4, word);
	}
	return store_plain(c, i, 8, 1, 8, &d);
}

/* A quad is two doubles at ascending addresses; the space's byte order applies within 16 bytes. */
X(ldqfa)
{
	bool little = asi_of(c, i) & ASI_LITTLE;
	uint64_t w[4];
	enum cpu_trap trap;

	trap = load_plain(c, i, 4, 4, 4, w);
	if (trap != TRAP_NONE)
		return trap;
	log_ea(c, effective_address(c, i));
	set_d(c, i->rd, little ? w[3] << 32 | w[2] : w[0] << 32 | w[1]);
	set_d(c, i->rd + 2, little ? w[1] << 32 | w[0] : w[2] << 32 | w[3]);
	return TRAP_NONE;
}

X(stqfa)
{
	bool little = asi_of(c, i) & ASI_LITTLE;
	uint64_t high, low, w[4];

	high = get_d(c, i->rd);
	low = get_d(c, i->rd + 2);
	w[little ? 3 : 0] = high >> 32;
	w[little ? 2 : 1] = high;
	w[little ? 1 : 2] = low >> 32;
	w[little ? 0 : 3] = low;
	return store_plain(c, i, 4, 4, 4, w);
}
