/* Register windows: SAVE, RESTORE, FLUSHW, with the spill and fill of Linux's trap handlers. */
#include "windows.h"

#include <string.h>

#include "exec_memory.h"

enum { STACK_BIAS = 2047, SP = 14, FP = 30, AREA_WORDS = 16 };

static unsigned window_number(const struct cpu *c, unsigned offset)
{
	return (c->cwp + offset) % CPU_WINDOWS;
}

/*
 * Copies 16 registers between words[] and the save area at %sp + 2047. An aligned area of 128
 * bytes can cross a page, an aligned word cannot.
 */
static enum cpu_trap store_area(struct cpu *c, uint64_t area, const uint64_t *words)
{
	if (area % 8)
		return mem_fault(c, area, TRAP_ALIGNMENT);
	for (unsigned k = 0; k < AREA_WORDS; k++) {
		uint8_t *p = mem_write(c, area + 8 * k);

		if (!p)
			return mem_fault(c, area + 8 * k, TRAP_ACCESS);
		put_be64(p, words[k]);
	}
	return TRAP_NONE;
}

static enum cpu_trap load_area(struct cpu *c, uint64_t area, uint64_t *words)
{
	uint64_t new[AREA_WORDS];

	if (area % 8)
		return mem_fault(c, area, TRAP_ALIGNMENT);
	for (unsigned k = 0; k < AREA_WORDS; k++) {
		const uint8_t *p = mem_read(c, area + 8 * k);

		if (!p)
			return mem_fault(c, area + 8 * k, TRAP_ACCESS);
		new[k] = get_be64(p);
	}
	memcpy(words, new, sizeof(new));
	return TRAP_NONE;
}

/* Spills the oldest window: its %sp is the %fp of the window above it. */
static enum cpu_trap spill_oldest(struct cpu *c, uint64_t *area)
{
	unsigned oldest = window_number(c, c->cansave + 2), above = (oldest + 1) % CPU_WINDOWS;
	uint64_t sp = above == c->cwp ? c->r[FP] : c->window[above][FP - 16];
	enum cpu_trap trap;

	*area = sp + STACK_BIAS;
	trap = store_area(c, *area, c->window[oldest]);
	if (trap == TRAP_NONE) {
		c->cansave++;
		c->canrestore--;
	}
	return trap;
}

enum cpu_trap window_spill(struct cpu *c, uint64_t *area)
{
	*area = 0;
	return likely(c->cansave) ? TRAP_NONE : spill_oldest(c, area);
}

enum cpu_trap window_fill(struct cpu *c, uint64_t *area)
{
	enum cpu_trap trap;

	*area = 0;
	if (likely(c->canrestore))
		return TRAP_NONE;
	*area = c->r[FP] + STACK_BIAS;
	trap = load_area(c, *area, c->window[window_number(c, CPU_WINDOWS - 1)]);
	if (trap == TRAP_NONE) {
		c->canrestore++;
		c->cansave--;
	}
	return trap;
}

enum { EIGHT = 8 * sizeof(uint64_t) };

void window_up(struct cpu *c)
{
	unsigned next = window_number(c, 1);

	memcpy(c->window[c->cwp], c->r + 16, 2 * EIGHT);
	memcpy(c->r + 24, c->r + 8, EIGHT);
	memcpy(c->r + 16, c->window[next], EIGHT);
	memcpy(c->r + 8, c->window[(next + 1) % CPU_WINDOWS] + 8, EIGHT);
	c->cwp = next;
	c->cansave--;
	c->canrestore++;
}

void window_down(struct cpu *c)
{
	unsigned previous = window_number(c, CPU_WINDOWS - 1);

	memcpy(c->window[c->cwp], c->r + 16, EIGHT);
	memcpy(c->window[window_number(c, 1)] + 8, c->r + 8, EIGHT);
	memcpy(c->r + 8, c->r + 24, EIGHT);
	memcpy(c->r + 16, c->window[previous], 2 * EIGHT);
	c->cwp = previous;
	c->cansave++;
	c->canrestore--;
}

enum cpu_trap cpu_flush_windows(struct cpu *c, uint64_t *last)
{
	uint64_t area = 0;

	while (c->canrestore) {
		enum cpu_trap trap = spill_oldest(c, &area);

		if (trap != TRAP_NONE)
			return trap;
	}
	if (last)
		*last = area;
	return TRAP_NONE;
}

X(save)
{
	uint64_t sum = c->r[i->rs1] + op2(c, i), area;
	enum cpu_trap trap = window_spill(c, &area);

	if (unlikely(trap != TRAP_NONE))
		return trap;
	window_up(c);
	set_r(c, i->rd, sum);
	log_ea(c, area);
	return TRAP_NONE;
}

X(restore)
{
	uint64_t sum = c->r[i->rs1] + op2(c, i), area;
	enum cpu_trap trap = window_fill(c, &area);

	if (unlikely(trap != TRAP_NONE))
		return trap;
	window_down(c);
	set_r(c, i->rd, sum);
	log_ea(c, area);
	return TRAP_NONE;
}

X(flushw)
{
	uint64_t last;
	enum cpu_trap trap = cpu_flush_windows(c, &last);

	(void)i;
	if (trap == TRAP_NONE)
		log_ea(c, last);
	return trap;
}
