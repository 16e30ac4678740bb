/*
 * The record of ChampSim (struct input_instr of its inc/trace_instruction.h, without load_type): instruction pointer,
 * is_branch, branch_taken, 2 destination and 4 source registers, 2 destination and 4 source addresses. ChampSim infers
 * the kind of a branch from its registers (inc/instruction.h): 6 is the stack pointer, 25 the flags, 26 the instruction
 * pointer, 0 none.
 */
#include "champsim.h"

#include <stdio.h>
#include <string.h>

enum { DESTINATIONS = 2, SOURCES = 4, RECORD = 64 };
enum { STACK_POINTER = 6, FLAGS = 25, INSTRUCTION_POINTER = 26 };

/* Registers of SPARC, from FIRST on: globals; locals and ins of 8 windows; doubles; the others. */
enum { FIRST = 32, GLOBALS = 8, WINDOWED = EXECUTED_WINDOWS * 16, DOUBLES = 32 };

struct record {
	uint64_t ip;
	uint8_t is_branch, taken;
	uint8_t destination[DESTINATIONS], source[SOURCES];
	uint64_t written, read; /* address of the access; 0: none */
};

static void put64(uint8_t *at, uint64_t value)
{
	for (unsigned n = 0; n < 8; n++)
		at[n] = (uint8_t)(value >> 8 * n);
}

static void put(FILE *out, const struct record *r)
{
	uint8_t b[RECORD] = {0};

	put64(b, r->ip);
	b[8] = r->is_branch;
	b[9] = r->taken;
	memcpy(b + 10, r->destination, DESTINATIONS);
	memcpy(b + 12, r->source, SOURCES);
	put64(b + 16, r->written);
	put64(b + 32, r->read);
	fwrite(b, sizeof(b), 1, out);
}

/*
 * The number of a register unit in window `w`. The outs of a window are the ins of the next one, so windows that a
 * program uses at a time have numbers of their own.
 */
static uint8_t number_of(unsigned unit, unsigned w)
{
	if (unit == REG_CCR)
		return FLAGS;
	if (unit < REG_R + 8)
		return (uint8_t)(FIRST + unit);
	if (unit < REG_R + 16) /* outs */
		return (uint8_t)(FIRST + GLOBALS + (w + 1) % EXECUTED_WINDOWS * 16 + (unit - 8));
	if (unit < REG_R + 32) /* locals, ins */
		return (uint8_t)(FIRST + GLOBALS + w % EXECUTED_WINDOWS * 16 + (unit < 24 ? unit - 8 : unit - 24));
	if (unit < REG_F + 64)
		return (uint8_t)(FIRST + GLOBALS + WINDOWED + (unit - REG_F) / 2);
	return (uint8_t)(FIRST + GLOBALS + WINDOWED + DOUBLES + (unit - REG_CCR));
}

/* Adds the registers of `list` to `to`, each once, as far as there is room. */
static void registers(const struct reg_ref *list, unsigned count, unsigned window, uint8_t *to, unsigned size)
{
	unsigned used = 0;

	for (unsigned n = 0; n < count; n++)
		for (unsigned k = 0; k < list[n].width; k++) {
			const uint8_t number = number_of(list[n].unit + k, window);

			if (used < size && !memchr(to, number, used))
				to[used++] = number;
		}
}

/* A control transfer: the registers from which ChampSim infers its kind, in front of those that it reads. */
static void transfer(const struct insn *i, unsigned window, struct record *r)
{
	uint8_t *source = r->source, *destination = r->destination;

	r->is_branch = 1;
	*destination++ = INSTRUCTION_POINTER;
	if (i->flags & (INSN_CALL | INSN_RETURN))
		*destination++ = *source++ = STACK_POINTER;
	if (i->flags & (INSN_CALL | INSN_COND))
		*source++ = INSTRUCTION_POINTER;
	if (i->flags & (INSN_COND | INSN_INDIRECT) && !(i->flags & INSN_RETURN))
		registers(i->src, i->nsrc, window, source, (unsigned)(r->source + SOURCES - source));
}

void champsim_write(void *out, const struct executed_insn *x, bool taken, uint64_t next)
{
	const struct insn *i = x->insn;
	struct record r = {.ip = x->pc, .taken = taken};

	(void)next;
	if (i->flags & INSN_CTI) {
		transfer(i, x->window, &r);
	} else {
		registers(i->src, i->nsrc, x->window, r.source, SOURCES);
		registers(i->dst, i->ndst, executed_window_of_results(x), r.destination, DESTINATIONS);
	}
	if (i->flags & (INSN_LOAD | INSN_PREFETCH))
		r.read = x->address;
	if (i->flags & INSN_STORE)
		r.written = x->address;
	put(out, &r);
}
