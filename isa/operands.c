/*
 * Operand lists: the registers that an instruction reads and writes, in the units of insn.h,
 * and which of them form an address.
 */
#include "table.h"

/* the kind of transfer of an FP load or store in alternate space (lddfa, stdfa) */
enum transfer { TRANSFER_DOUBLE, TRANSFER_BYTE, TRANSFER_HALF, TRANSFER_PARTIAL, TRANSFER_BLOCK };

/* By ASI: JPS1 Commonality, appendices A.4, A.6, A.58 and L. */
static enum transfer asi_transfer(uint8_t asi)
{
	switch (asi) {
	case 0x70:
	case 0x71:
	case 0x78:
	case 0x79:
	case 0xe0:
	case 0xe1:
	case 0xf0:
	case 0xf1:
	case 0xf8:
	case 0xf9: return TRANSFER_BLOCK;
	case 0xc0:
	case 0xc1:
	case 0xc2:
	case 0xc3:
	case 0xc4:
	case 0xc5:
	case 0xc8:
	case 0xc9:
	case 0xca:
	case 0xcb:
	case 0xcc:
	case 0xcd: return TRANSFER_PARTIAL;
	case 0xd0:
	case 0xd1:
	case 0xd8:
	case 0xd9: return TRANSFER_BYTE;
	case 0xd2:
	case 0xd3:
	case 0xda:
	case 0xdb: return TRANSFER_HALF;
	default: return TRANSFER_DOUBLE;
	}
}

/*
 * The decoder does not know %asi. Programs set it for a run of block transfers (all 104 uses in
 * libc) and name other ASIs directly, so a register that can begin a block is assumed to begin
 * one. A wrong guess adds false dependences; execution uses the value of %asi.
 */
static enum transfer transfer_of(const struct insn *i)
{
	if (i->opcode != OP_LDDFA && i->opcode != OP_STDFA)
		return TRANSFER_DOUBLE;
	if (i->flags & INSN_IMM)
		return i->rd % 16 == 0 ? TRANSFER_BLOCK : TRANSFER_DOUBLE;
	return asi_transfer(i->asi);
}

/* Returns the register units of one operand; width 0 if none. */
static struct reg_ref operands_resolve(const struct table_row *row, const struct operand *o, const struct insn *i)
{
	struct reg_ref ref = {o->unit, o->width};
	/* always and never read no condition code */
	bool constant = row->field[FIELD_COND] && (i->cond == 0 || i->cond == 8);

	switch ((enum from)o->from) {
	case FROM_RD: ref.unit = (uint8_t)(o->unit + i->rd); break;
	case FROM_RD_ODD: ref.unit = (uint8_t)(o->unit + i->rd + 1); break;
	case FROM_RS1: ref.unit = (uint8_t)(o->unit + i->rs1); break;
	case FROM_OP2:
		if (i->flags & INSN_IMM)
			return (struct reg_ref){0, 0};
		ref.unit = (uint8_t)(o->unit + i->rs2);
		break;
	case FROM_RS2: ref.unit = (uint8_t)(o->unit + i->rs2); break;
	case FROM_RS3: ref.unit = (uint8_t)(o->unit + i->rs3); break;
	case FROM_FCC:
		ref.unit = (uint8_t)(o->unit + i->cc);
		ref.width = !constant;
		break;
	case FROM_CC: ref.width = !constant; break;
	case FROM_ASI: ref.width = (i->flags & INSN_IMM) != 0; break;
	case FROM_UNIT: break;
	}
	if (ref.unit == REG_R)
		ref.width = 0; /* %g0 */
	return ref;
}

bool operands_fill(const struct table_row *row, struct insn *out)
{
	enum transfer transfer = transfer_of(out);
	uint8_t block_width = 0;

	if (transfer == TRANSFER_BLOCK) {
		if (out->rd % 16 != 0)
			return false;
		block_width = 16;
		out->size = 64;
	} else if (transfer == TRANSFER_BYTE || transfer == TRANSFER_HALF) {
		out->size = transfer == TRANSFER_BYTE ? 1 : 2;
	}
	for (unsigned k = 0; k < row->nsrc; k++) {
		const struct operand *o = &row->src[k];
		struct reg_ref ref = operands_resolve(row, o, out);
		/* rs2 of a partial store is its mask */
		bool mask = transfer == TRANSFER_PARTIAL && o->from == FROM_OP2;

		if (!ref.width)
			continue;
		if (o->from == FROM_RD && block_width)
			ref.width = block_width;
		if (o->address && !mask)
			out->src_address |= (uint8_t)(1 << out->nsrc);
		out->src[out->nsrc++] = ref;
	}
	for (unsigned k = 0; k < row->ndst; k++) {
		struct reg_ref ref = operands_resolve(row, &row->dst[k], out);

		if (!ref.width)
			continue;
		if (row->dst[k].from == FROM_RD && block_width)
			ref.width = block_width;
		out->dst[out->ndst++] = ref;
	}
	return true;
}

const char *reg_name(unsigned unit)
{
	static const char *const names[REG_COUNT] = {
		"%g0",  "%g1",   "%g2",   "%g3",   "%g4",   "%g5",  "%g6",  "%g7",  "%o0",   "%o1",  "%o2",  "%o3",
		"%o4",  "%o5",   "%sp",   "%o7",   "%l0",   "%l1",  "%l2",  "%l3",  "%l4",   "%l5",  "%l6",  "%l7",
		"%i0",  "%i1",   "%i2",   "%i3",   "%i4",   "%i5",  "%fp",  "%i7",  "%f0",   "%f1",  "%f2",  "%f3",
		"%f4",  "%f5",   "%f6",   "%f7",   "%f8",   "%f9",  "%f10", "%f11", "%f12",  "%f13", "%f14", "%f15",
		"%f16", "%f17",  "%f18",  "%f19",  "%f20",  "%f21", "%f22", "%f23", "%f24",  "%f25", "%f26", "%f27",
		"%f28", "%f29",  "%f30",  "%f31",  "%f32",  "%f33", "%f34", "%f35", "%f36",  "%f37", "%f38", "%f39",
		"%f40", "%f41",  "%f42",  "%f43",  "%f44",  "%f45", "%f46", "%f47", "%f48",  "%f49", "%f50", "%f51",
		"%f52", "%f53",  "%f54",  "%f55",  "%f56",  "%f57", "%f58", "%f59", "%f60",  "%f61", "%f62", "%f63",
		"%ccr", "%fcc0", "%fcc1", "%fcc2", "%fcc3", "%y",   "%gsr", "%asi", "%fprs", "%fsr", "%s0",  "%s1",
		"%s2",  "%s3",   "%s4",   "%s5",   "%s6",   "%s7",  "%s8",  "%s9",  "%s10",  "%s11", "%s12", "%s13",
		"%s14", "%s15",  "%s16",  "%s17",  "%s18",  "%s19", "%s20", "%s21", "%s22",  "%s23", "%s24", "%s25",
		"%s26", "%s27",  "%s28",  "%s29",  "%s30",  "%s31", "%s32", "%s33", "%s34",  "%s35", "%s36", "%s37",
		"%s38", "%s39",  "%s40",  "%s41",  "%s42",  "%s43", "%s44", "%s45", "%s46",  "%s47", "%s48", "%s49",
		"%s50", "%s51",  "%s52",  "%s53",  "%s54",  "%s55", "%s56", "%s57", "%s58",  "%s59", "%s60", "%s61",
		"%s62", "%s63",
	};

	return unit < REG_COUNT ? names[unit] : "%?";
}
