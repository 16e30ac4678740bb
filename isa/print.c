/*
 * The disassembler: prints mnemonic and operands as format.def lays them out, in the syntax of
 * binutils' objdump, with the synthetic instructions of alias.def.
 */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "table.h"

struct text {
	char *at;
	size_t size, length; /* length: without the terminator, truncated characters included */
};

/* an instruction and its context */
struct view {
	const struct table_row *row;
	const struct insn *insn;
	uint64_t pc;
};

__attribute__((format(printf, 2, 3))) static void print_put(struct text *t, const char *format, ...)
{
	bool room = t->length < t->size;
	va_list args;
	int n;

	va_start(args, format);
	n = vsnprintf(room ? t->at + t->length : NULL, room ? t->size - t->length : 0, format, args);
	va_end(args);
	t->length += n > 0 ? (size_t)n : 0;
}

/* ---- mnemonics ---- */

static const char *condition_name(const struct view *v)
{
	static const char *const icc[16] = {"n", "e",  "le", "l",  "leu", "cs", "neg", "vs",
					    "a", "ne", "g",  "ge", "gu",  "cc", "pos", "vc"};
	static const char *const fcc[16] = {"n", "ne", "lg", "ul", "l",   "ug", "g",   "u",
					    "a", "e",  "ue", "ge", "uge", "le", "ule", "o"};
	const struct insn *i = v->insn;

	if (i->cond == 8 && i->flags & INSN_CTI)
		return ""; /* b, fb */
	return (i->cc < 4 ? fcc : icc)[i->cond & 15];
}

static void put_mnemonic(struct text *t, const struct view *v, const char *mnemonic)
{
	static const char *const rcond[8] = {"", "e", "lez", "lz", "", "ne", "gz", "gez"};
	static const char *const brcond[8] = {"", "z", "lez", "lz", "", "nz", "gz", "gez"};
	const char *brace = strchr(mnemonic, '{');
	uint32_t predict = v->row->field[FIELD_PREDICT];
	bool annul = v->insn->flags & INSN_ANNUL;
	bool not_taken = predict && !(v->insn->word & predict);

	print_put(t, "%.*s", (int)strcspn(mnemonic, "{"), mnemonic);
	if (!brace)
		return;
	if (strcmp(brace, "{rcond}") == 0)
		print_put(t, "%s", rcond[v->insn->cond & 7]);
	else if (strcmp(brace, "{brcond}") == 0)
		print_put(t, "%s", brcond[v->insn->cond & 7]);
	else
		print_put(t, "%s", condition_name(v));
	print_put(t, "%s%s%s", annul ? ",a" : "", not_taken ? ",pn" : "", annul || not_taken ? " " : "");
}

/* ---- operands: one function for each {field} of format.def ---- */

static void put_int_register(struct text *t, unsigned number)
{
	print_put(t, "%s", reg_name(REG_R + number));
}

static void print_put_register(struct text *t, const struct view *v, enum field field, unsigned number)
{
	unsigned kind = v->row->kind[field];
	bool pe = kind == KIND_PE || v->insn->flags & INSN_SIMD;

	print_put(t, "%s", reg_name((kind == KIND_INT ? REG_R : pe ? REG_S : REG_F) + number));
}

static void put_rd(struct text *t, const struct view *v)
{
	print_put_register(t, v, FIELD_RD, v->insn->rd);
}

static void put_rs1(struct text *t, const struct view *v)
{
	print_put_register(t, v, FIELD_RS1, v->insn->rs1);
}

static void put_rs2(struct text *t, const struct view *v)
{
	print_put_register(t, v, FIELD_RS2, v->insn->rs2);
}

static void put_rs3(struct text *t, const struct view *v)
{
	print_put_register(t, v, FIELD_RS3, v->insn->rs3);
}

static void put_imm(struct text *t, const struct view *v)
{
	print_put(t, v->insn->imm <= 9 ? "%" PRId32 : "0x%" PRIx32, v->insn->imm);
}

static void put_hex(struct text *t, const struct view *v)
{
	print_put(t, "%#" PRIx32, (uint32_t)v->insn->imm);
}

static void put_op2(struct text *t, const struct view *v)
{
	if (v->insn->flags & INSN_IMM)
		put_imm(t, v);
	else
		put_int_register(t, v->insn->rs2);
}

static void put_address(struct text *t, const struct view *v)
{
	bool imm = v->insn->flags & INSN_IMM;

	if (imm && v->insn->rs1 == 0 && v->insn->imm != 0) {
		put_imm(t, v);
		return;
	}
	put_int_register(t, v->insn->rs1);
	if (imm ? v->insn->imm == 0 : v->insn->rs2 == 0)
		return;
	print_put(t, " + ");
	put_op2(t, v);
}

static void put_trap(struct text *t, const struct view *v)
{
	bool imm = v->insn->flags & INSN_IMM;

	if (!imm || v->insn->rs1 != 0)
		put_int_register(t, v->insn->rs1);
	if (imm ? v->insn->rs1 != 0 : v->insn->rs2 != 0)
		print_put(t, " + ");
	if (imm || v->insn->rs2 != 0)
		put_op2(t, v);
}

static void put_asi(struct text *t, const struct view *v)
{
	static const char *const names[256] = {
#define A(number, name) [number] = name,
#include "asi.def"
#undef A
	};

	if (v->insn->flags & INSN_IMM)
		print_put(t, "%%asi");
	else if (names[v->insn->asi])
		print_put(t, "#%s", names[v->insn->asi]);
	else
		print_put(t, "(%u)", v->insn->asi);
}

static void put_target(struct text *t, const struct view *v)
{
	print_put(t, "0x%" PRIx64, v->pc + (uint64_t)(int64_t)v->insn->imm);
}

static void put_cc(struct text *t, const struct view *v)
{
	if (v->insn->cc < 4)
		print_put(t, "%s", reg_name(REG_FCC + v->insn->cc));
	else
		print_put(t, "%s", v->insn->cc == 4 ? "%icc" : "%xcc");
}

static void put_cc_unless_first(struct text *t, const struct view *v)
{
	if (v->insn->cc == 0 || v->insn->cc == 4)
		return;
	put_cc(t, v);
	print_put(t, ", ");
}

static void put_prefetch_function(struct text *t, const struct view *v)
{
	static const char *const names[32] = {
		[0] = "n_reads",
		[1] = "one_read",
		[2] = "n_writes",
		[3] = "one_write",
		[4] = "page",
		[16] = "invalidate",
		[17] = "unified",
		[20] = "n_reads_strong",
		[21] = "one_read_strong",
		[22] = "n_writes_strong",
		[23] = "one_write_strong",
	};
	unsigned number = v->insn->rd & 31;

	if (names[number])
		print_put(t, "#%s", names[number]);
	else
		print_put(t, "%u", number);
}

static void put_membar(struct text *t, const struct view *v)
{
	static const struct {
		int bit;
		const char *name;
	} bits[] = {{0x40, "Sync"},   {0x20, "MemIssue"}, {0x10, "Lookaside"}, {8, "StoreStore"},
		    {4, "LoadStore"}, {2, "StoreLoad"},   {1, "LoadLoad"}};
	const char *between = "";

	if (v->insn->imm == 0)
		print_put(t, "0");
	for (size_t k = 0; k < sizeof(bits) / sizeof(bits[0]); k++) {
		if (!(v->insn->imm & bits[k].bit))
			continue;
		print_put(t, "%s#%s", between, bits[k].name);
		between = "|";
	}
}

static void put_state_register(struct text *t, unsigned number)
{
	static const char *const names[32] = {
		[0] = "y",        [2] = "ccr",        [3] = "asi",          [4] = "tick",
		[5] = "pc",       [6] = "fprs",       [16] = "pcr",         [17] = "pic",
		[18] = "dcr",     [19] = "gsr",       [20] = "softint_set", [21] = "softint_clear",
		[22] = "softint", [23] = "tick_cmpr", [24] = "stick",       [25] = "stick_cmpr",
	};

	if (names[number])
		print_put(t, "%%%s", names[number]);
	else
		print_put(t, "%%asr%u", number);
}

static void put_how(struct text *t, const struct view *v)
{
	if (v->insn->asi)
		print_put(t, ", deal");
}

static void put_asr_rd(struct text *t, const struct view *v)
{
	put_state_register(t, v->insn->word >> 25 & 31);
}

static void put_asr_rs1(struct text *t, const struct view *v)
{
	put_state_register(t, v->insn->word >> 14 & 31);
}

static void put_privileged_register(struct text *t, unsigned number)
{
	static const char *const names[15] = {
		"tpc", "tnpc", "tstate",  "tt",         "tick",     "tba",      "pstate", "tl",
		"pil", "cwp",  "cansave", "canrestore", "cleanwin", "otherwin", "wstate",
	};

	print_put(t, "%%%s", number < 15 ? names[number] : "ver");
}

static void put_pr_rd(struct text *t, const struct view *v)
{
	put_privileged_register(t, v->insn->word >> 25 & 31);
}

static void put_pr_rs1(struct text *t, const struct view *v)
{
	put_privileged_register(t, v->insn->word >> 14 & 31);
}

static void print_put_field(struct text *t, const struct view *v, const char *name, size_t length)
{
	static const struct {
		const char *name;
		void (*put)(struct text *t, const struct view *v);
	} fields[] = {
		{"rd", put_rd},
		{"rs1", put_rs1},
		{"rs2", put_rs2},
		{"rs3", put_rs3},
		{"op2", put_op2},
		{"imm", put_imm},
		{"hex", put_hex},
		{"address", put_address},
		{"trap", put_trap},
		{"asi", put_asi},
		{"target", put_target},
		{"cc", put_cc},
		{"cc?", put_cc_unless_first},
		{"fcn", put_prefetch_function},
		{"membar", put_membar},
		{"how", put_how},
		{"asr_rd", put_asr_rd},
		{"asr_rs1", put_asr_rs1},
		{"pr_rd", put_pr_rd},
		{"pr_rs1", put_pr_rs1},
	};

	for (size_t k = 0; k < sizeof(fields) / sizeof(fields[0]); k++)
		if (strlen(fields[k].name) == length && !memcmp(fields[k].name, name, length))
			fields[k].put(t, v);
}

static void put_operands(struct text *t, const struct view *v, const char *format)
{
	print_put(t, *format ? "  " : " ");
	while (*format) {
		size_t plain = strcspn(format, "{");

		print_put(t, "%.*s", (int)plain, format);
		format += plain;
		if (*format == '{') {
			size_t length = strcspn(format + 1, "}");

			print_put_field(t, v, format + 1, length);
			format += length + 2;
		}
	}
}

/* The synthetic instruction for the word, or NULL. */
static const struct table_alias *alias_of(const struct view *v)
{
	uint32_t word = v->insn->word, rd = word >> 25 & 31;
	const struct table_alias *a = table_aliases + v->row->first_alias;

	for (unsigned k = 0; k < v->row->alias_count; k++, a++)
		if ((word & a->mask) == a->match && (!a->rs1_is_rd || (word >> 14 & 31) == rd) &&
		    (!a->rs2_is_rd || (word & 31) == rd))
			return a;
	return NULL;
}

size_t insn_print(const struct insn *i, uint64_t pc, char *buffer, size_t size)
{
	static const char *const formats[FORMAT_COUNT] = {
#define F(name, operands) operands,
#include "format.def"
#undef F
	};
	enum opcode op = i->opcode < OP_COUNT ? i->opcode : OP_ILLEGAL;
	struct view v = {.row = &table_rows[op], .insn = i, .pc = pc};
	struct text t = {.at = buffer, .size = size};
	const struct table_alias *alias = alias_of(&v);

	if (op == OP_ILLEGAL)
		print_put(&t, "unknown");
	else if (alias)
		print_put(&t, "%s", alias->mnemonic);
	else
		put_mnemonic(&t, &v, table_listing[op].mnemonic);
	if (op != OP_ILLEGAL)
		put_operands(&t, &v, formats[alias ? alias->format : v.row->format]);
	if (!size)
		return 0;
	return t.length < size ? t.length : size - 1;
}
