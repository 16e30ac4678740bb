/*
 * The record of CVP-1 (cvp_trace_reader.h of its kit), little endian: address 8, class 1; of a load or store: address
 * 8, bytes of a register 1; of a branch: taken 1, and if it is, target 8; number of inputs 1, each 1; number of outputs
 * 1, each 1; their values, 8 bytes each of an integer register or the flags, 16 of an FP register. Integer registers
 * are 0 to 31, FP registers 32 to 63, the flags 64. Our traces have no values: they are zero.
 */
#include "cvp.h"

#include <stdio.h>
#include <string.h>

enum cvp_class {
	CVP_ALU,
	CVP_LOAD,
	CVP_STORE,
	CVP_CONDITIONAL,
	CVP_DIRECT,
	CVP_INDIRECT,
	CVP_FP,
	CVP_SLOW_ALU,
};
enum { FP_REGISTERS = 32, FLAGS_REGISTER = 64, LIST = 64, RECORD_MOST = 64 + 18 * LIST };

struct record {
	uint8_t at[RECORD_MOST];
	unsigned size;
};

static void add8(struct record *r, unsigned value)
{
	r->at[r->size++] = (uint8_t)value;
}

static void add64(struct record *r, uint64_t value)
{
	for (unsigned n = 0; n < 8; n++)
		add8(r, (unsigned)(value >> 8 * n & 255));
}

/* The name of a register unit; false: it has none. */
static bool name_of(unsigned unit, uint8_t *ret)
{
	if (unit < REG_F)
		*ret = (uint8_t)unit;
	else if (unit < REG_CCR)
		*ret = (uint8_t)(FP_REGISTERS + (unit - REG_F) / 2);
	else if (unit < REG_Y)
		*ret = FLAGS_REGISTER;
	else
		return false;
	return true;
}

/* The names in a list of registers, each once. Returns their number. */
static unsigned names_of(const struct reg_ref *list, unsigned count, uint8_t names[LIST])
{
	unsigned used = 0;

	for (unsigned n = 0; n < count; n++)
		for (unsigned k = 0; k < list[n].width; k++) {
			uint8_t name;

			if (name_of(list[n].unit + k, &name) && used < LIST && !memchr(names, name, used))
				names[used++] = name;
		}
	return used;
}

static enum cvp_class class_of(const struct insn *i)
{
	if (i->flags & INSN_CTI)
		return i->flags & INSN_COND                       ? CVP_CONDITIONAL
		       : i->flags & (INSN_INDIRECT | INSN_RETURN) ? CVP_INDIRECT
								  : CVP_DIRECT;
	if (i->flags & INSN_LOAD)
		return CVP_LOAD;
	if (i->flags & INSN_STORE)
		return CVP_STORE;
	if (i->class == CLASS_INT_MUL || i->class == CLASS_INT_DIV)
		return CVP_SLOW_ALU;
	return i->class >= CLASS_FP_MOVE && i->class <= CLASS_VIS ? CVP_FP : CVP_ALU;
}

static void add_access(struct record *r, const struct executed_insn *x, unsigned registers)
{
	add64(r, x->address);
	add8(r, registers > 1 ? x->insn->size / registers : x->insn->size);
}

void cvp_write(void *out, const struct executed_insn *x, bool taken, uint64_t next)
{
	const struct insn *i = x->insn;
	const enum cvp_class class = class_of(i);
	uint8_t read[LIST], written[LIST];
	const unsigned reads = names_of(i->src, i->nsrc, read), writes = names_of(i->dst, i->ndst, written);
	struct record r = {.size = 0};

	add64(&r, x->pc);
	add8(&r, class);
	if (class == CVP_LOAD || class == CVP_STORE)
		add_access(&r, x, class == CVP_LOAD ? writes : 1);
	if (class >= CVP_CONDITIONAL && class <= CVP_INDIRECT) {
		add8(&r, taken);
		if (taken)
			add64(&r, next ? next : x->pc + 8);
	}
	add8(&r, reads);
	for (unsigned n = 0; n < reads; n++)
		add8(&r, read[n]);
	add8(&r, writes);
	for (unsigned n = 0; n < writes; n++)
		add8(&r, written[n]);
	for (unsigned n = 0; n < writes; n++)
		for (unsigned k = 0; k < (written[n] >= FP_REGISTERS && written[n] < FLAGS_REGISTER ? 2 : 1); k++)
			add64(&r, 0);
	fwrite(r.at, r.size, 1, out);
}
