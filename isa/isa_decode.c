/*
 * The decoder: finds a word's row, extracts its fields, and adds what depends on their values.
 *
 * Reserved fields must be zero, and reserved values (rcond 0 and 4, prefetch functions 5 to 15,
 * quad registers that are no multiple of four, privileged registers that V9 does not define)
 * make the word OP_ILLEGAL. V9 leaves the effect of a nonzero reserved field to
 * the implementation; the decoder rejects it rather than execute a word without a meaning.
 */
#include <string.h>

#include "table.h"

enum { COND_NEVER = 0, COND_ALWAYS = 8 };

const char *const insn_class_name[CLASS_COUNT] = {
#define C(name, doc) #name,
#include "class.def"
#undef C
};

const struct insn_row *insn_row(enum opcode op)
{
	return &table_listing[op < OP_COUNT ? op : OP_ILLEGAL];
}

/* Gathers the bits of `word` under `mask` into the low bits. */
static uint32_t isa_decode_gather(uint32_t word, uint32_t mask)
{
	uint32_t value = 0;
	unsigned n = 0;

	while (mask) {
		unsigned low = (unsigned)__builtin_ctz(mask);
		unsigned run = (unsigned)__builtin_ctz(~(mask >> low));
		uint32_t ones = ((uint32_t)1 << run) - 1;

		value |= ((word >> low) & ones) << n;
		n += run;
		mask &= ~(ones << low);
	}
	return value;
}

static int32_t sign_extend(uint32_t value, unsigned bits)
{
	uint32_t sign = (uint32_t)1 << (bits - 1);

	return (int32_t)((value ^ sign) - sign);
}

static unsigned isa_decode_find(uint32_t word)
{
	unsigned key = (word >> 30) << 6 | ((word >> 19) & 63);
	const uint16_t *op = table_candidates + table_index[table_block[key]][(word >> 5) & 63];

	while (*op != OP_ILLEGAL && (word & table_rows[*op].mask) != table_rows[*op].match)
		op++;
	return *op;
}

/* Converts a five-bit field to a register number. Returns false if there is no such register. */
static bool register_number(uint32_t field, enum reg_kind kind, uint8_t *number)
{
	*number = (uint8_t)field;
	if (kind == KIND_DOUBLE || kind == KIND_QUAD || kind == KIND_PE)
		*number = (uint8_t)((field & 0x1e) | (field & 1) << 5);
	return kind != KIND_QUAD || (field & 2) == 0;
}

static bool decode_registers(const struct table_row *r, struct insn *i)
{
	static const uint8_t shift[] = {25, 14, 0, 9};
	uint8_t *const number[] = {&i->rd, &i->rs1, &i->rs2, &i->rs3};
	bool ok = true;

	for (unsigned f = FIELD_RD; f <= FIELD_RS3; f++) {
		/* the bits of an immediate are no rs2 */
		bool imm = f == FIELD_RS2 && i->flags & INSN_IMM && r->imm != IMM_NONE;

		if (!r->field[f] || imm)
			continue;
		ok &= register_number((i->word >> shift[f]) & 31, r->kind[f], number[f]);
	}
	return ok;
}

static bool decode_immediate(const struct table_row *r, struct insn *i)
{
	uint32_t mask = r->field[FIELD_IMM], value = isa_decode_gather(i->word, mask);
	unsigned bits = (unsigned)__builtin_popcount(mask);

	/* i=0: the bits above rs2 are reserved, or the ASI */
	if (r->field[FIELD_I] && !(i->flags & INSN_IMM)) {
		i->asi = (uint8_t)isa_decode_gather(i->word, r->field[FIELD_ASI]);
		return (value & ~0x1fu) == 0 || r->field[FIELD_ASI];
	}
	switch ((enum imm_kind)r->imm) {
	case IMM_SIGNED: i->imm = sign_extend(value, bits); break;
	case IMM_UNSIGNED: i->imm = (int32_t)value; break;
	case IMM_BRANCH: /* in words; a call's 30 bits wrap at 2^31 bytes as its target does */
		i->imm = (int32_t)((uint32_t)sign_extend(value, bits) << 2);
		break;
	case IMM_SETHI: i->imm = (int32_t)(value << 10); break;
	case IMM_NONE: /* cas: with %asi the field of the immediate ASI is reserved */
		i->asi = (uint8_t)isa_decode_gather(i->word, r->field[FIELD_ASI]);
		return i->asi == 0 || !r->field[FIELD_I];
	}
	return true;
}

static bool decode_condition(const struct table_row *r, struct insn *i)
{
	uint32_t cc = r->field[FIELD_CC], pr = r->field[FIELD_PR];
	bool ok = true;

	i->cond = (uint8_t)isa_decode_gather(i->word, r->field[FIELD_COND] | r->field[FIELD_RCOND]);
	if (r->field[FIELD_RCOND])
		ok = (i->cond & 3) != 0;
	if (r->nsrc && r->src[0].from == FROM_CC)
		i->cc = 4; /* bicc has no cc field */
	if (cc)            /* one bit selects icc or xcc, two bits an fcc */
		i->cc = (uint8_t)(cc & (cc - 1) ? isa_decode_gather(i->word, cc)
						: 4 | isa_decode_gather(i->word, cc) << 1);
	if (pr) {
		uint32_t number = isa_decode_gather(i->word, pr);

		ok = number <= 14 || (number == 31 && i->opcode == OP_RDPR);
	}
	if (r->prefetch_function)
		ok = i->rd <= 4 || i->rd >= 16;
	return ok;
}

static void flags_of_jmpl(struct insn *i)
{
	if (i->rd == 15)
		i->flags |= INSN_CALL;
	else if (i->rd == 0 && (i->flags & INSN_IMM) && i->imm == 8 && (i->rs1 == 15 || i->rs1 == 31))
		i->flags |= INSN_RETURN;
}

/*
 * Sets flags that depend on field values. JPS1 leaves the choice of serializing instructions to
 * the chip. Here they are the membars that a store buffer cannot satisfy by order alone
 * (#StoreLoad, #Lookaside, #MemIssue, #Sync; the other bits do nothing) and `ta`, the
 * system call. The table has the others: atomics, which total store order allows to pass
 * nothing, flush, flushw, loads and stores of the FSR, reads of the tick, writes of %asi,
 * %fprs, %gsr. Y and CCR are renamed.
 */
static void special_cases(struct insn *i)
{
	enum { STORE_LOAD = 0x02, CMASK = 0x70 };
	bool constant = i->cond == COND_NEVER || i->cond == COND_ALWAYS;

	switch (i->opcode) {
	case OP_BICC:
	case OP_BPCC:
	case OP_FBFCC:
	case OP_FBPFCC:
		if (constant)
			i->flags &= ~(uint32_t)INSN_COND;
		break;
	case OP_JMPL: flags_of_jmpl(i); break;
	case OP_SETHI:
		if (i->rd == 0)
			i->class = CLASS_NOP;
		break;
	case OP_MEMBAR:
		if (i->imm & (STORE_LOAD | CMASK))
			i->flags |= INSN_SYNC;
		else
			i->class = CLASS_NOP;
		break;
	case OP_TCC:
		if (i->cond == COND_ALWAYS)
			i->flags |= INSN_SYNC;
		break;
	default: break;
	}
}

/* Returns whether the PEs do a VIS instruction on the path of moves, as the paper's can: clear, set, copy. */
static bool moves_bits(unsigned op)
{
	switch (op) {
	case OP_FZEROD:
	case OP_FZEROS:
	case OP_FONED:
	case OP_FONES:
	case OP_FSRC1D:
	case OP_FSRC1S:
	case OP_FSRC2D:
	case OP_FSRC2S: return true;
	default: return false;
	}
}

/* Replaces the FP registers by those of the PEs, and the class by that of the unit that does it there. */
static void use_array_registers(struct insn *i)
{
	i->flags |= INSN_SIMD;
	if (i->class == CLASS_VIS && !moves_bits(i->opcode))
		i->class = CLASS_SIMD_INT;
	for (unsigned k = 0; k < i->nsrc; k++)
		if (i->src[k].unit >= REG_F && i->src[k].unit < REG_CCR)
			i->src[k].unit += REG_S - REG_F;
	for (unsigned k = 0; k < i->ndst; k++)
		if (i->dst[k].unit >= REG_F && i->dst[k].unit < REG_CCR)
			i->dst[k].unit += REG_S - REG_F;
}

void insn_decode(uint32_t word, struct insn *out)
{
	insn_decode_simd(word, false, out);
}

void insn_decode_simd(uint32_t word, bool simd, struct insn *out)
{
	unsigned op = isa_decode_find(word);
	const struct table_row *r = &table_rows[op];

	memset(out, 0, sizeof(*out));
	out->word = word;
	out->class = CLASS_ILLEGAL;
	if (op == OP_ILLEGAL || r->mode == (simd ? MODE_CLEAR : MODE_SET))
		return;
	out->opcode = (uint16_t)op;
	out->class = r->class;
	out->flags = r->flags;
	out->size = r->size;
	if (word & r->field[FIELD_I])
		out->flags |= INSN_IMM;
	if (word & r->field[FIELD_ANNUL])
		out->flags |= INSN_ANNUL;
	if (decode_registers(r, out) && decode_immediate(r, out) && decode_condition(r, out) && operands_fill(r, out)) {
		special_cases(out);
		if (simd && r->mode == MODE_BOTH)
			use_array_registers(out);
		return;
	}
	memset(out, 0, sizeof(*out));
	out->word = word;
	out->class = CLASS_ILLEGAL;
}
