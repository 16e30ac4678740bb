/*
 * Build tool: reads the patterns and operand words of sparc_v9.def, simd.def and alias.def,
 * checks them, and writes table.c: the same rows as masks and numbers (table.h), and the
 * decoder's index.
 *
 *     isa-gen table.c                         writes the table
 *     isa-gen --check PATTERN READS WRITES    checks a row that is not in the table
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "table.h"

struct source {
	const char *name, *mnemonic, *pattern, *format_name, *reads, *writes, *function;
	unsigned class, format, flags;
};

static const struct source sources[OP_COUNT] = {
	{.name = "ILLEGAL",
	 .mnemonic = "unknown",
	 .pattern = "",
	 .format_name = "NONE",
	 .reads = "",
	 .writes = "",
	 .function = "illegal",
	 .class = CLASS_ILLEGAL},
#define I(op, mnemonic, pattern, format, class, reads, writes, flags, function) \
	[OP_##op] = {#op, mnemonic, pattern, #format, reads, writes, #function, CLASS_##class, FORMAT_##format, flags},
#include "sparc_v9.def"
#include "simd.def"
#undef I
};

/* The opcodes that act on the array while the SIMD mode bit is set. */
static const bool acts_on_array[OP_COUNT] = {
#define W(op) [OP_##op] = true,
#include "simd_v9.def"
#undef W
};

static const struct alias_source {
	enum opcode op;
	const char *mnemonic, *pattern;
	unsigned format;
} alias_sources[] = {
#define A(op, mnemonic, pattern, format) {OP_##op, mnemonic, pattern, FORMAT_##format},
#include "alias.def"
#undef A
};

enum { ALIAS_COUNT = sizeof(alias_sources) / sizeof(alias_sources[0]) };

static struct table_row rows[OP_COUNT];

static _Noreturn void gen_fail(const char *name, const char *what, const char *text)
{
	bool simd = false;

	for (unsigned op = OP_SIMD_FIRST; op < OP_COUNT; op++)
		simd |= sources[op].name && strcmp(sources[op].name, name) == 0;
	fprintf(stderr, "%s: %s: %s \"%s\"\n", simd ? "simd.def" : "sparc_v9.def", name, what, text);
	exit(1);
}

/* ---- patterns ---- */

/* Parses one pattern character, for bit `bit`. */
static void parse_letter(struct table_row *r, const char *name, char c, uint32_t bit)
{
	static const char letters[] = "dstuionmbhecrkapvf";
	static const uint8_t fields[] = {
		FIELD_RD,    FIELD_RS1, FIELD_RS2,   FIELD_RS3,     FIELD_I,   FIELD_IMM,
		FIELD_IMM,   FIELD_IMM, FIELD_IMM,   FIELD_IMM,     FIELD_ASI, FIELD_COND,
		FIELD_RCOND, FIELD_CC,  FIELD_ANNUL, FIELD_PREDICT, FIELD_PR,  FIELD_RD,
	};
	const char *at = strchr(letters, c);

	if (c == '0' || c == '1') {
		r->mask |= bit;
		r->match |= c == '1' ? bit : 0;
		return;
	}
	if (!at)
		gen_fail(name, "unknown letter in the pattern", (const char[]){c, 0});
	r->field[fields[at - letters]] |= bit;
	if (c == 'o' || c == 'm')
		r->imm = IMM_SIGNED;
	else if (c == 'n')
		r->imm = IMM_UNSIGNED;
	else if (c == 'b')
		r->imm = IMM_BRANCH;
	else if (c == 'h')
		r->imm = IMM_SETHI;
	else if (c == 'f')
		r->prefetch_function = true;
	/* after i, operand 2 is rs2 or the immediate; with rs2, m has an ASI too */
	if ((c == 'o' || c == 'n' || c == 'm') && r->field[FIELD_I] && bit <= 1 << 4)
		r->field[FIELD_RS2] |= bit;
	if (c == 'm' && bit > 1 << 4)
		r->field[FIELD_ASI] |= bit;
}

static void parse_pattern(struct table_row *r, const struct source *s)
{
	unsigned n = 0;

	for (const char *p = s->pattern; *p; p++)
		if (*p != ' ' && n++ < 32)
			parse_letter(r, s->name, *p, (uint32_t)1 << (32 - n));
	if (n != 32)
		gen_fail(s->name, "expected a pattern of 32 bits, not", s->pattern);
}

/* ---- operand words ---- */

static const struct word {
	const char *text;
	uint8_t from, unit, width, kind;
} words[] = {
	{"rs1", FROM_RS1, REG_R, 1, KIND_INT},      {"rs2", FROM_RS2, REG_R, 1, KIND_INT},
	{"op2", FROM_OP2, REG_R, 1, KIND_INT},      {"rd", FROM_RD, REG_R, 1, KIND_INT},
	{"rdp", FROM_RD, REG_R, 1, KIND_INT},       {"f1", FROM_RS1, REG_F, 1, KIND_SINGLE},
	{"f2", FROM_RS2, REG_F, 1, KIND_SINGLE},    {"f3", FROM_RS3, REG_F, 1, KIND_SINGLE},
	{"fd", FROM_RD, REG_F, 1, KIND_SINGLE},     {"d1", FROM_RS1, REG_F, 2, KIND_DOUBLE},
	{"d2", FROM_RS2, REG_F, 2, KIND_DOUBLE},    {"d3", FROM_RS3, REG_F, 2, KIND_DOUBLE},
	{"dd", FROM_RD, REG_F, 2, KIND_DOUBLE},     {"s1", FROM_RS1, REG_S, 2, KIND_PE},
	{"s2", FROM_RS2, REG_S, 2, KIND_PE},        {"s3", FROM_RS3, REG_S, 2, KIND_PE},
	{"sd", FROM_RD, REG_S, 2, KIND_PE},         {"h2", FROM_RS2, REG_S, 1, KIND_SINGLE},
	{"hd", FROM_RD, REG_S, 1, KIND_SINGLE},     {"q1", FROM_RS1, REG_F, 4, KIND_QUAD},
	{"q2", FROM_RS2, REG_F, 4, KIND_QUAD},      {"qd", FROM_RD, REG_F, 4, KIND_QUAD},
	{"o7", FROM_UNIT, REG_R + 15, 1, KIND_INT}, {"ccr", FROM_CC, REG_CCR, 1, KIND_INT},
	{"fcc", FROM_FCC, REG_FCC, 1, KIND_INT},    {"fccs", FROM_UNIT, REG_FCC, 4, KIND_INT},
	{"asi", FROM_ASI, REG_ASI, 1, KIND_INT},    {"y", FROM_UNIT, REG_Y, 1, KIND_INT},
	{"gsr", FROM_UNIT, REG_GSR, 1, KIND_INT},   {"fprs", FROM_UNIT, REG_FPRS, 1, KIND_INT},
	{"fsr", FROM_UNIT, REG_FSR, 1, KIND_INT},
};

static const struct word *find_word(const char *name, const char *text)
{
	for (size_t k = 0; k < sizeof(words) / sizeof(words[0]); k++)
		if (strcmp(words[k].text, text) == 0)
			return &words[k];
	gen_fail(name, "unknown operand", text);
}

static void add_operand(struct table_row *r, const char *name, const struct word *w, struct operand *list,
			uint8_t *count, unsigned max, bool address)
{
	unsigned fields = strcmp(w->text, "rdp") == 0 ? 2 : 1;

	for (unsigned k = 0; k < fields; k++) {
		if (*count == max)
			gen_fail(name, "too many operands at", w->text);
		list[(*count)++] = (struct operand){
			.from = k ? FROM_RD_ODD : w->from,
			.unit = w->unit,
			.width = w->width,
			.address = address,
		};
	}
	if (w->from <= FROM_RS3) {
		if (!r->field[w->from])
			gen_fail(name, "the pattern has no field for", w->text);
		r->kind[w->from] = w->kind;
	}
	/* %asi is an operand of a load or store only if i=1; of rd %asi always */
	if (w->from == FROM_ASI && !r->field[FIELD_ASI])
		list[*count - 1].from = FROM_UNIT;
}

static void parse_operands(struct table_row *r, const struct source *s, const char *text, bool reads)
{
	char copy[64], *save = NULL;
	bool address = false;

	if (strlen(text) >= sizeof(copy))
		gen_fail(s->name, "too many operands", text);
	strcpy(copy, text);
	for (char *t = strtok_r(copy, " ", &save); t; t = strtok_r(NULL, " ", &save)) {
		size_t n = strlen(t);

		if (*t == '[') {
			address = true;
			t++, n--;
		}
		bool last = n && t[n - 1] == ']';
		if (last)
			t[n - 1] = 0;
		if (*t == 'm') {
			r->size = (uint8_t)atoi(t + 1);
			r->flags |= reads ? INSN_LOAD : INSN_STORE;
		} else if (reads) {
			add_operand(r, s->name, find_word(s->name, t), r->src, &r->nsrc, ROW_MAX_SRC, address);
		} else {
			add_operand(r, s->name, find_word(s->name, t), r->dst, &r->ndst, ROW_MAX_DST, false);
		}
		if (last)
			address = false;
	}
}

/* ---- checks ---- */

static void check_overlap(const struct table_row *r, const char *name, unsigned others)
{
	for (unsigned op = 1; op < others; op++)
		if (((r->match ^ rows[op].match) & r->mask & rows[op].mask) == 0)
			gen_fail(name, "overlaps with", sources[op].name);
}

static bool fp_class(unsigned class)
{
	return (class >= CLASS_FP_MOVE && class <= CLASS_VIS) || class == CLASS_FP_LOAD || class == CLASS_FP_STORE;
}

static void parse_row(struct table_row *r, const struct source *s)
{
	r->class = (uint8_t)s->class;
	r->format = (uint8_t)s->format;
	r->flags = s->flags;
	r->mode = s->flags & INSN_SIMD ? MODE_SET : fp_class(s->class) ? MODE_CLEAR : MODE_SAME;
	parse_pattern(r, s);
	parse_operands(r, s, s->reads, true);
	parse_operands(r, s, s->writes, false);
	if (!*s->function)
		gen_fail(s->name, "no function", "");
}

/* Parses all rows; checks each against those above it. */
static void parse_rows(void)
{
	for (unsigned op = 1; op < OP_COUNT; op++) {
		parse_row(&rows[op], &sources[op]);
		if (acts_on_array[op])
			rows[op].mode = MODE_BOTH;
		check_overlap(&rows[op], sources[op].name, op);
	}
}

/* ---- writing ---- */

static void write_operands(FILE *f, const char *name, const struct operand *list, unsigned count)
{
	if (!count)
		return;
	fprintf(f, " .%s = {", name);
	for (unsigned k = 0; k < count; k++)
		fprintf(f, "{%u, %u, %u, %d}, ", list[k].from, list[k].unit, list[k].width, list[k].address);
	fprintf(f, "},");
}

static void write_rows(FILE *f)
{
	fprintf(f, "const struct table_row table_rows[OP_COUNT] = {\n");
	for (unsigned op = 1; op < OP_COUNT; op++) {
		const struct table_row *r = &rows[op];

		fprintf(f, "\t[OP_%s] = {.mask = 0x%08x, .match = 0x%08x, .field = {", sources[op].name, r->mask,
			r->match);
		for (unsigned k = 0; k < FIELD_COUNT; k++)
			fprintf(f, "0x%x, ", r->field[k]);
		fprintf(f,
			"},\n\t\t.flags = 0x%x, .class = %u, .format = %u, .size = %u, .imm = %u,"
			" .mode = %u, .kind = {%u, %u, %u, %u}, .prefetch_function = %d,\n",
			r->flags, r->class, r->format, r->size, r->imm, r->mode, r->kind[0], r->kind[1], r->kind[2],
			r->kind[3], r->prefetch_function);
		fprintf(f, "\t\t.nsrc = %u, .ndst = %u, .first_alias = %u, .alias_count = %u,", r->nsrc, r->ndst,
			r->first_alias, r->alias_count);
		write_operands(f, "src", r->src, r->nsrc);
		write_operands(f, "dst", r->dst, r->ndst);
		fprintf(f, "},\n");
	}
	fprintf(f, "};\n\n");
}

static void write_listing(FILE *f)
{
	fprintf(f, "const struct insn_row table_listing[OP_COUNT] = {\n");
	for (unsigned op = 0; op < OP_COUNT; op++) {
		const struct source *s = &sources[op];

		fprintf(f, "\t{\"%s\", \"%s\", \"%s\", \"%s\", \"%s\", \"%s\", \"%s\", %u, ", s->name, s->mnemonic,
			s->pattern, s->format_name, s->reads, s->writes, s->function, s->class);
		fprintf(f, "0x%08x, 0x%08x, 0x%x},\n", rows[op].mask, rows[op].match, rows[op].flags);
	}
	fprintf(f, "};\n\n");
}

/* The aliases of one opcode are contiguous in alias.def. */
static void write_aliases(FILE *f)
{
	fprintf(f, "const struct table_alias table_aliases[] = {\n");
	for (unsigned k = 0; k < ALIAS_COUNT; k++) {
		const struct alias_source *a = &alias_sources[k];
		struct table_row *r = &rows[a->op];
		uint32_t mask = 0, match = 0, same = 0;
		unsigned n = 0;

		for (const char *p = a->pattern; *p; p++) {
			uint32_t bit = (uint32_t)1 << (31 - n % 32);

			if (*p == ' ')
				continue;
			mask |= *p == '0' || *p == '1' ? bit : 0;
			match |= *p == '1' ? bit : 0;
			same |= *p == 'D' ? bit : 0;
			n++;
		}
		if (n != 32)
			gen_fail(sources[a->op].name, "expected an alias pattern of 32 bits, not", a->pattern);
		if ((r->match ^ match) & r->mask & mask)
			gen_fail(sources[a->op].name, "alias does not match its opcode:", a->pattern);
		if (r->alias_count && r->first_alias + r->alias_count != k)
			gen_fail(sources[a->op].name, "aliases are not contiguous:", a->pattern);
		if (!r->alias_count++)
			r->first_alias = (uint16_t)k;
		fprintf(f, "\t{0x%08x, 0x%08x, %d, %d, %u, \"%s\"},\n", mask, match, same >> 14 == 0x1f, same == 0x1f,
			a->format, a->mnemonic);
	}
	fprintf(f, "};\n\n");
}

/* Lists the opcodes that match a word with these key bits. */
static unsigned candidates(unsigned key, unsigned low, uint16_t *list)
{
	uint32_t word = (uint32_t)(key >> 6) << 30 | (uint32_t)(key & 63) << 19 | low << 5;
	uint32_t bits = 0xc1f807e0;
	unsigned n = 0;

	for (unsigned op = 1; op < OP_COUNT; op++)
		if (((word ^ rows[op].match) & rows[op].mask & bits) == 0)
			list[n++] = (uint16_t)op;
	list[n++] = OP_ILLEGAL;
	return n;
}

struct list_pool {
	uint16_t item[OP_COUNT * 4];
	unsigned count;
};

/* Returns the position of the list in the pool; appends it if it is new. */
static unsigned pool_add(struct list_pool *p, const uint16_t *list, unsigned n)
{
	for (unsigned at = 0; at + n <= p->count; at++)
		if (memcmp(p->item + at, list, n * sizeof(*list)) == 0)
			return at;
	if (p->count + n > sizeof(p->item) / sizeof(p->item[0]))
		gen_fail("index", "too many candidate lists", "");
	memcpy(p->item + p->count, list, n * sizeof(*list));
	p->count += n;
	return p->count - n;
}

static void write_index(FILE *f)
{
	static struct list_pool pool;
	static uint16_t block[256][64];
	unsigned blocks = 0;
	uint8_t of_key[256];

	for (unsigned key = 0; key < 256; key++) {
		unsigned b = 0;

		for (unsigned low = 0; low < 64; low++) {
			uint16_t list[OP_COUNT];
			unsigned n = candidates(key, low, list);

			block[blocks][low] = (uint16_t)pool_add(&pool, list, n);
		}
		while (memcmp(block[b], block[blocks], sizeof(block[b])) != 0)
			b++;
		of_key[key] = (uint8_t)b;
		if (b == blocks)
			blocks++;
	}
	fprintf(f, "const uint8_t table_block[256] = {");
	for (unsigned k = 0; k < 256; k++)
		fprintf(f, "%s%u,", k % 16 ? " " : "\n\t", of_key[k]);
	fprintf(f, "\n};\n\nconst uint16_t table_index[][64] = {\n");
	for (unsigned b = 0; b < blocks; b++) {
		fprintf(f, "\t{");
		for (unsigned k = 0; k < 64; k++)
			fprintf(f, "%u, ", block[b][k]);
		fprintf(f, "},\n");
	}
	fprintf(f, "};\n\nconst uint16_t table_candidates[] = {");
	for (unsigned k = 0; k < pool.count; k++)
		fprintf(f, "%s%u,", k % 16 ? " " : "\n\t", pool.item[k]);
	fprintf(f, "\n};\n");
}

static int write_table(const char *path)
{
	FILE *f = fopen(path, "w");

	if (!f) {
		perror(path);
		return 1;
	}
	fprintf(f, "/* Written by isa/gen.c from sparc_v9.def, simd.def and alias.def. */\n"
		   "#include \"table.h\"\n\n");
	write_aliases(f);
	write_rows(f);
	write_listing(f);
	write_index(f);
	if (fclose(f) != 0) {
		perror(path);
		return 1;
	}
	return 0;
}

int main(int argc, char **argv)
{
	if (argc == 2) {
		parse_rows();
		return write_table(argv[1]);
	}
	if (argc == 5 && strcmp(argv[1], "--check") == 0) {
		struct source s = {
			.name = "NEW", .pattern = argv[2], .reads = argv[3], .writes = argv[4], .function = "new"};
		struct table_row r = {0};

		parse_rows();
		parse_row(&r, &s);
		check_overlap(&r, s.name, OP_COUNT);
		printf("mask 0x%08x, match 0x%08x\n", r.mask, r.match);
		return 0;
	}
	fprintf(stderr, "usage: isa-gen table.c | isa-gen --check PATTERN READS WRITES\n");
	return 2;
}
