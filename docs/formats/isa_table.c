/* Writes docs/formats/isa-table.md to stdout: the execution classes with the instructions of each. */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "isa/insn.h"

/* Returns whether an earlier row of the same class has this mnemonic. */
static bool is_repeated(unsigned op)
{
	const struct insn_row *row = insn_row(op);

	for (unsigned before = 1; before < op; before++)
		if (insn_row(before)->class == row->class && !strcmp(insn_row(before)->mnemonic, row->mnemonic))
			return true;
	return false;
}

/* Returns whether it is an ending of one variant of an instruction: a precision, a size, a form of condition codes. */
static bool is_ending(const char *text)
{
	static const char *const endings[] = {"",  "s",  "d",   "x", "l",  "a",  "cc",
					      "n", "ln", "lcc", "8", "16", "32", "fix"};

	for (size_t i = 0; i < sizeof(endings) / sizeof(endings[0]); i++)
		if (!strcmp(text, endings[i]))
			return true;
	return false;
}

/* Length of what two mnemonics share, if they are of one family or only differ in their endings; else 0. */
static size_t shared_stem(const char *a, const char *b)
{
	static const char *const families[] = {"ld", "st", "fpcmp", "fmul8", "fmuld8"};
	size_t n = 0;

	while (a[n] && a[n] == b[n])
		n++;
	for (size_t i = 0; i < sizeof(families) / sizeof(families[0]); i++)
		if (n >= strlen(families[i]) && !strncmp(a, families[i], strlen(families[i])))
			return strlen(families[i]);
	return n > 2 && is_ending(a + n) && is_ending(b + n) ? n : 0;
}

/* Returns the next row of the class after `op` that is not repeated, or OP_COUNT. */
static unsigned next_of(unsigned class, unsigned op)
{
	do
		op++;
	while (op < OP_COUNT && (insn_row(op)->class != class || is_repeated(op)));
	return op;
}

/* Returns the row's word whose condition has this number; 0: the row has no such condition. */
static uint32_t word_of_condition(const struct insn_row *row, unsigned number)
{
	unsigned bit = 32, lowest = 0, width = 0;

	for (const char *p = row->pattern; *p; p++) {
		bit -= *p != ' ';
		if (*p == 'c' || *p == 'r') {
			lowest = bit;
			width++;
		}
	}
	return number >> width ? 0 : row->match | number << lowest;
}

/* Prints the mnemonic with each of its conditions, as the disassembler names them. */
static void print_conditions(unsigned op)
{
	const struct insn_row *row = insn_row(op);
	const char *between = "";

	for (unsigned number = 0; word_of_condition(row, number); number++) {
		char text[80];
		struct insn i;

		insn_decode(word_of_condition(row, number), &i);
		if (i.opcode != op)
			continue; /* reserved */
		insn_print(&i, 0, text, sizeof(text));
		printf("%s%.*s", between, (int)strcspn(text, ", "), text);
		between = "/";
	}
}

static void print_mnemonic(unsigned op)
{
	if (strchr(insn_row(op)->mnemonic, '{'))
		print_conditions(op);
	else
		printf("%s", insn_row(op)->mnemonic);
}

/* Prints a class; neighbours of one stem are one word, `fadds/faddd`. A search finds each, for it is there in full. */
static void print_class(unsigned class, const char *doc)
{
	printf("| %s |%s%s |", insn_class_name[class], *doc ? " " : "", doc);
	for (unsigned op = next_of(class, 0), next; op < OP_COUNT; op = next) {
		const char *first = insn_row(op)->mnemonic;
		size_t stem;

		printf(" `");
		print_mnemonic(op);
		next = next_of(class, op);
		stem = next < OP_COUNT ? shared_stem(first, insn_row(next)->mnemonic) : 0;
		for (; stem && next < OP_COUNT && shared_stem(first, insn_row(next)->mnemonic) == stem;
		     next = next_of(class, next)) {
			printf("/");
			print_mnemonic(next);
		}
		printf("`");
	}
	printf(" |\n");
}

int main(void)
{
	printf("# Instructions\n\n"
	       "The class determines unit and latency. Variants of an instruction have a `/` between them.\n"
	       "`ninja isa-docs` makes this page from the %d rows of `isa/sparc_v9.def` and `isa/simd.def`\n"
	       "([isa.md](../develop/isa.md)).\n\n"
	       "| class | note | instructions |\n|---|---|---|\n",
	       OP_COUNT - 1);
#define C(name, doc) print_class(CLASS_##name, doc);
#include "isa/class.def"
#undef C
	return 0;
}
