/*
 * Compares our disassembly with objdump's.
 *
 *     compare            reads `objdump -d` from stdin, prints lines that differ
 *     compare --words N  writes an assembly file with N words for each row of
 *                        sparc_v9.def: fields random (the same in every run) or extreme
 *
 * Of objdump's lines the comparison leaves out what is not in the word: symbol
 * names behind addresses, and the "! address" comment that it makes of a sethi
 * and the instruction after it. Exit status 0: no difference but the known ones.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "isa/insn.h"

/* ---- known differences: objdump prints such words, we do otherwise on purpose ---- */

static unsigned op3(uint32_t word)
{
	return word >> 30 << 6 | (word >> 19 & 63);
}

static bool ldd_with_odd_rd(uint32_t w)
{
	/* ldd 03, std 07 and their alternate forms */
	return (op3(w) & ~0x14u) == 0xc3 && w >> 25 & 1;
}

static bool quad_with_wrong_register(uint32_t w)
{
	const unsigned bits[] = {26, 15, 1};
	bool memory = (op3(w) & ~0x14u) == 0xe2;
	bool fpop = op3(w) == 0xb4 || op3(w) == 0xb5;

	for (unsigned k = 0; k < (memory ? 1u : 3u); k++)
		if ((memory || fpop) && w >> bits[k] & 1)
			return true;
	return false;
}

static bool prefetch_reserved(uint32_t w)
{
	unsigned fcn = w >> 25 & 31;

	return (op3(w) & ~0x10u) == 0xed && fcn >= 5 && fcn <= 15;
}

static bool block_with_wrong_register(uint32_t w)
{
	/* ldda 33, stda 37 of FP registers */
	return (op3(w) & ~4u) == 0xf3 && (w >> 25 & 14) != 0;
}

static bool stqa_without_asi_register(uint32_t w)
{
	return op3(w) == 0xf6 && !(w & 1 << 13);
}

static bool ret_into_a_register(uint32_t w)
{
	return op3(w) == 0xb8 && (w >> 25 & 31) != 0 && (w & 0x3fff) == 0x2008;
}

static bool trap_on_xcc(uint32_t w)
{
	return op3(w) == 0xba && w & 1 << 13 && w & 1 << 12;
}

static bool trap_number_above_127(uint32_t w)
{
	return op3(w) == 0xba && w & 1 << 13 && w & 1 << 7;
}

static bool other_privileged_register(uint32_t w)
{
	unsigned number = op3(w) == 0xaa ? w >> 14 & 31 : w >> 25 & 31;

	return op3(w) == 0xaa ? number == 15 || number == 16
			      : op3(w) == 0xb2 && (number == 15 || number == 16 || number == 31);
}

static bool twin_load(uint32_t w)
{
	static const uint8_t asis[] = {0x22, 0x23, 0x24, 0x26, 0x27, 0x2a, 0x2b,
				       0x2c, 0x2e, 0x2f, 0xe2, 0xe3, 0xea, 0xeb};

	if (op3(w) != 0xd3 || w & 1 << 13)
		return false;
	return memchr(asis, (int)(w >> 5 & 0xff), sizeof(asis)) != NULL;
}

static const struct exception {
	bool (*applies)(uint32_t word);
	bool refused; /* our text is "unknown" */
	const char *reason;
} exceptions[] = {
	{ldd_with_odd_rd, true, "integer ldd/std of an odd register: V9 makes it illegal"},
	{quad_with_wrong_register, true, "quad register that is no multiple of four: V9 makes it invalid"},
	{prefetch_reserved, true, "prefetch function 5 to 15: V9 makes it illegal"},
	{block_with_wrong_register, true, "block transfer not from %f0, 16, 32 or 48: JPS1 makes it illegal"},
	{stqa_without_asi_register, false, "objdump does not know stqa with an immediate ASI"},
	{ret_into_a_register, false, "objdump prints ret and retl although rd is written"},
	{trap_on_xcc, false, "objdump takes the cc bits of a trap on %xcc as part of the number"},
	{other_privileged_register, true, "%fq and %gl are not V9's, %ver is not written"},
	{twin_load, false, "ldtxa: 16-byte loads of later chips"},
	{trap_number_above_127, true, "V9's trap number has seven bits"},
};

enum { EXCEPTION_COUNT = sizeof(exceptions) / sizeof(exceptions[0]) };

/* ---- objdump's text ---- */

/* Cuts the "\t! ..." comment and the " <symbol>", and gives bare addresses their 0x. */
static void normalise(char *text, char *out, size_t size)
{
	char *comment = strstr(text, "\t!"), *symbol;
	size_t start;

	if (comment)
		*comment = 0;
	symbol = strstr(text, " <");
	if (!symbol) {
		snprintf(out, size, "%s", text);
		return;
	}
	*symbol = 0;
	start = strlen(text);
	while (start && strchr("0123456789abcdef", text[start - 1]))
		start--;
	if (start > 1 && text[start - 1] == 'x')
		snprintf(out, size, "%s", text);
	else
		snprintf(out, size, "%.*s0x%s", (int)start, text, text + start);
}

static bool known(uint32_t word, const char *ours, unsigned long count[EXCEPTION_COUNT])
{
	bool refused = strcmp(ours, "unknown") == 0;

	for (unsigned k = 0; k < EXCEPTION_COUNT; k++)
		if (exceptions[k].refused == refused && exceptions[k].applies(word)) {
			count[k]++;
			return true;
		}
	return false;
}

/* "   4c:\t81 c3 e0 08 \tretl " */
static bool parse_line(char *line, uint64_t *pc, uint32_t *word, char **text)
{
	unsigned b[4];
	int used = 0;

	line[strcspn(line, "\n")] = 0;
	if (sscanf(line, " %" SCNx64 ":\t%x %x %x %x %n", pc, &b[0], &b[1], &b[2], &b[3], &used) < 5)
		return false;
	*word = b[0] << 24 | b[1] << 16 | b[2] << 8 | b[3];
	*text = line + used;
	return used > 0;
}

static int compare(void)
{
	unsigned long words = 0, bad = 0, count[EXCEPTION_COUNT] = {0};
	char line[1024], theirs[1024], ours[256], *text;
	uint64_t pc;
	uint32_t word;

	while (fgets(line, sizeof(line), stdin)) {
		struct insn i;

		if (!parse_line(line, &pc, &word, &text))
			continue;
		words++;
		normalise(text, theirs, sizeof(theirs));
		insn_decode(word, &i);
		insn_print(&i, pc, ours, sizeof(ours));
		if (strcmp(ours, theirs) == 0 || known(word, ours, count))
			continue;
		if (bad++ < 20)
			printf("%08" PRIx32 "  ours \"%s\"  objdump \"%s\"\n", word, ours, theirs);
	}
	for (unsigned k = 0; k < EXCEPTION_COUNT; k++)
		if (count[k])
			printf("%lu known: %s\n", count[k], exceptions[k].reason);
	printf("%lu words, %lu differ\n", words, bad);
	return bad || !words ? 1 : 0;
}

/* ---- words ---- */

static uint64_t next_random(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

/*
 * Fills the fields of a row: with random bits, or each with one of the values
 * at which the printed form changes.
 */
static uint32_t fill(const struct insn_row *row, bool extreme, uint64_t *random)
{
	static const uint32_t special[] = {0, 0, 1, 8, 9, 10, 15, 31, 0xffffffff, 0xfffffff7};
	bool imm = next_random(random) >> 40 & 1;
	const char *p = row->pattern + strlen(row->pattern);
	uint32_t word = 0, value = 0;
	unsigned bit = 0, in_field = 0;
	char field = 0;

	while (p-- > row->pattern) {
		if (*p == ' ')
			continue;
		if (*p != field) {
			uint64_t r = next_random(random) >> 20;

			field = *p;
			in_field = 0;
			value = extreme ? special[r % 10] : (uint32_t)r;
		}
		bool one = value >> in_field++ & 1;

		if (*p == '0' || *p == '1')
			one = *p == '1';
		else if (*p == 'i')
			one = imm;
		else if (((*p == 'o' || *p == 'n') && !imm && bit > 4 && strchr(row->pattern, 'i')) ||
			 (*p == 'e' && imm))
			one = false; /* reserved there */
		word |= (uint32_t)one << bit++;
	}
	return word;
}

static int write_words(unsigned each)
{
	uint64_t random = 0x9e3779b97f4a7c15;

	/* objdump knows nothing of the SIMD extension */
	for (unsigned op = 1; op < OP_SIMD_FIRST; op++)
		for (unsigned k = 0; k < each; k++)
			printf(".word 0x%08" PRIx32 "\n", fill(insn_row(op), k & 1, &random));
	return 0;
}

int main(int argc, char **argv)
{
	if (argc == 1)
		return compare();
	if (argc == 3 && strcmp(argv[1], "--words") == 0 && atoi(argv[2]) > 0)
		return write_words((unsigned)atoi(argv[2]));
	fprintf(stderr, "usage: compare [--words N] <objdump's output\n");
	return 2;
}
