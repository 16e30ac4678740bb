/* Loads, stores and atomics in the primary address space. */
#include "exec.h"
#include "exec_memory.h"
#include "simd.h"

/* p = host address of an aligned datum at ea; returns from the function for a SIMD window or a trap. */
#define TRANSLATE(p, ea, size, access) \
	if (unlikely((ea) & ((size)-1))) \
		return mem_fault(c, ea, TRAP_ALIGNMENT); \
	(p) = access(c, ea); \
	if (unlikely(!(p))) \
	return window_access(c, i, ea)

#define LOAD(name, bits, type) \
	X(name) \
	{ \
		uint64_t ea = effective_address(c, i); \
		const uint8_t *p; \
		TRANSLATE(p, ea, bits / 8, mem_read); \
		set_r(c, i->rd, (uint64_t)(type)get_be##bits(p)); \
		log_ea(c, ea); \
		return TRAP_NONE; \
	}

#define SIGNED(bits) int64_t)(int##bits##_t

LOAD(ldub, 8, uint64_t)
LOAD(lduh, 16, uint64_t)
LOAD(lduw, 32, uint64_t)
LOAD(ldx, 64, uint64_t)
LOAD(ldsb, 8, SIGNED(8))
LOAD(ldsh, 16, SIGNED(16))
LOAD(ldsw, 32, SIGNED(32))

#define STORE(name, bits) \
	X(name) \
	{ \
		uint64_t ea = effective_address(c, i); \
		uint8_t *p; \
		TRANSLATE(p, ea, bits / 8, mem_write); \
		put_be##bits(p, c->r[i->rd]); \
		log_ea(c, ea); \
		return TRAP_NONE; \
	}

STORE(stb, 8)
STORE(sth, 16)
STORE(stw, 32)
STORE(stx, 64)

/* The even register gets the word at the lower address. */
X(ldd)
{
	uint64_t ea = effective_address(c, i);
	const uint8_t *p;

	TRANSLATE(p, ea, 8, mem_read);
	c->r[i->rd + 1] = get_be32(p + 4);
	set_r(c, i->rd, get_be32(p));
	log_ea(c, ea);
	return TRAP_NONE;
}

X(std)
{
	uint64_t ea = effective_address(c, i);
	uint8_t *p;

	TRANSLATE(p, ea, 8, mem_write);
	put_be32(p, c->r[i->rd]);
	put_be32(p + 4, c->r[i->rd + 1]);
	log_ea(c, ea);
	return TRAP_NONE;
}

X(ldstub)
{
	uint64_t ea = effective_address(c, i);
	uint8_t *p;

	TRANSLATE(p, ea, 1, mem_write);
	log_atomic(c, ea, *p);
	set_r(c, i->rd, *p);
	*p = 0xff;
	return TRAP_NONE;
}

X(swap)
{
	uint64_t ea = effective_address(c, i), old;
	uint8_t *p;

	TRANSLATE(p, ea, 4, mem_write);
	old = get_be32(p);
	put_be32(p, c->r[i->rd]);
	set_r(c, i->rd, old);
	log_atomic(c, ea, old);
	return TRAP_NONE;
}

X(ldf)
{
	uint64_t ea = effective_address(c, i);
	const uint8_t *p;

	TRANSLATE(p, ea, 4, mem_read);
	set_f(c, i->rd, (uint32_t)get_be32(p));
	log_ea(c, ea);
	return TRAP_NONE;
}

X(stf)
{
	uint64_t ea = effective_address(c, i);
	uint8_t *p;

	TRANSLATE(p, ea, 4, mem_write);
	put_be32(p, get_f(c, i->rd));
	log_ea(c, ea);
	return TRAP_NONE;
}

/*
 * Doubles and quads need word alignment only: the processor traps if the address is no multiple
 * of 8 or 16, and Linux emulates the access by words. Each word can be on another page.
 */
static enum cpu_trap load_words(struct cpu *c, uint64_t ea, unsigned doubles, uint64_t *to)
{
	uint64_t word[4];

	if (ea & 3)
		return mem_fault(c, ea, TRAP_ALIGNMENT);
	for (unsigned k = 0; k < 2 * doubles; k++) {
		const uint8_t *p = mem_read(c, ea + 4 * k);

		if (!p)
			return mem_fault(c, ea + 4 * k, TRAP_ACCESS);
		word[k] = get_be32(p);
	}
	for (unsigned k = 0; k < doubles; k++)
		to[k] = word[2 * k] << 32 | word[2 * k + 1];
	return TRAP_NONE;
}

static enum cpu_trap store_words(struct cpu *c, uint64_t ea, unsigned doubles, const uint64_t *from)
{
	uint8_t *p[4];

	if (ea & 3)
		return mem_fault(c, ea, TRAP_ALIGNMENT);
	for (unsigned k = 0; k < 2 * doubles; k++) {
		p[k] = mem_write(c, ea + 4 * k);
		if (!p[k])
			return mem_fault(c, ea + 4 * k, TRAP_ACCESS);
	}
	for (unsigned k = 0; k < doubles; k++) {
		put_be32(p[2 * k], from[k] >> 32);
		put_be32(p[2 * k + 1], from[k]);
	}
	return TRAP_NONE;
}

enum cpu_trap mem_load_double(struct cpu *c, uint64_t ea, uint64_t *value)
{
	const uint8_t *p = likely(!(ea & 7)) ? mem_read(c, ea) : NULL;

	if (unlikely(!p))
		return load_words(c, ea, 1, value);
	*value = get_be64(p);
	return TRAP_NONE;
}

X(lddf)
{
	uint64_t ea = effective_address(c, i), value;
	const uint8_t *p = likely(!(ea & 7)) ? mem_read(c, ea) : NULL;
	enum cpu_trap trap;

	if (likely(p)) {
		value = get_be64(p);
	} else if (simd_in_window(ea)) {
		return window_access(c, i, ea);
	} else {
		trap = load_words(c, ea, 1, &value);
		if (trap != TRAP_NONE)
			return trap;
	}
	set_d(c, i->rd, value);
	log_ea(c, ea);
	return TRAP_NONE;
}

X(stdf)
{
	uint64_t ea = effective_address(c, i), value = get_d(c, i->rd);
	uint8_t *p = likely(!(ea & 7)) ? mem_write(c, ea) : NULL;
	enum cpu_trap trap;

	if (likely(p)) {
		put_be64(p, value);
	} else if (simd_in_window(ea)) {
		return window_access(c, i, ea);
	} else {
		trap = store_words(c, ea, 1, &value);
		if (trap != TRAP_NONE)
			return trap;
	}
	log_ea(c, ea);
	return TRAP_NONE;
}

X(ldqf)
{
	uint64_t ea = effective_address(c, i), value[2];
	enum cpu_trap trap;

	trap = load_words(c, ea, 2, value);
	if (trap != TRAP_NONE)
		return trap;
	set_d(c, i->rd, value[0]);
	set_d(c, i->rd + 2, value[1]);
	log_ea(c, ea);
	return TRAP_NONE;
}

X(stqf)
{
	uint64_t ea = effective_address(c, i);
	enum cpu_trap trap;

	trap = store_words(c, ea, 2, c->d + i->rd / 2);
	if (trap == TRAP_NONE)
		log_ea(c, ea);
	return trap;
}

X(ldfsr)
{
	uint64_t ea = effective_address(c, i), old = cpu_fsr(c);
	const uint8_t *p;

	TRANSLATE(p, ea, 4, mem_read);
	cpu_set_fsr(c, (old & ~FSR_LOW_WRITABLE) | (get_be32(p) & FSR_LOW_WRITABLE));
	log_ea(c, ea);
	return TRAP_NONE;
}

X(ldxfsr)
{
	uint64_t ea = effective_address(c, i);
	const uint8_t *p;

	TRANSLATE(p, ea, 8, mem_read);
	cpu_set_fsr(c, get_be64(p));
	log_ea(c, ea);
	return TRAP_NONE;
}

/* A store of FSR clears ftt. */
X(stfsr)
{
	uint64_t ea = effective_address(c, i);
	uint8_t *p;

	TRANSLATE(p, ea, 4, mem_write);
	put_be32(p, cpu_fsr(c));
	c->fsr &= ~FSR_FTT;
	log_ea(c, ea);
	return TRAP_NONE;
}

X(stxfsr)
{
	uint64_t ea = effective_address(c, i);
	uint8_t *p;

	TRANSLATE(p, ea, 8, mem_write);
	put_be64(p, cpu_fsr(c));
	c->fsr &= ~FSR_FTT;
	log_ea(c, ea);
	return TRAP_NONE;
}

X(prefetch)
{
	log_ea(c, effective_address(c, i));
	return TRAP_NONE;
}

X(prefetcha)
{
	return x_prefetch(c, i);
}
