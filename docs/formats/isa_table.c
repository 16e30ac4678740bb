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

/* Prints a class; neighbours of one stem are `fadd{s,d}`. */
static void print_class(unsigned class, const char *doc)
{
	const char *between = "";

	printf("| %s |%s%s | ", insn_class_name[class], *doc ? " " : "", doc);
	for (unsigned op = next_of(class, 0), next; op < OP_COUNT; op = next) {
		const char *first = insn_row(op)->mnemonic;
		size_t stem = 0;

		next = next_of(class, op);
		if (next < OP_COUNT)
			stem = shared_stem(first, insn_row(next)->mnemonic);
		if (!stem) {
			printf("%s`%s`", between, first);
		} else {
			printf("%s`%.*s{%s", between, (int)stem, first, first + stem);
			for (; next < OP_COUNT && shared_stem(first, insn_row(next)->mnemonic) == stem;
			     next = next_of(class, next))
				printf(",%s", insn_row(next)->mnemonic + stem);
			printf("}`");
		}
		between = " ";
	}
	printf(" |\n");
}

int main(void)
{
	printf("# Instructions\n\n"
	       "The class determines unit and latency. `fadd{s,d}` is `fadds` and `faddd`; `{cond}` and the like are\n"
	       "conditions. `ninja isa-docs` makes this page from the %d rows of `isa/sparc_v9.def` and "
	       "`isa/simd.def`\n"
	       "([isa.md](../develop/isa.md)).\n\n"
	       "| class | note | instructions |\n|---|---|---|\n",
	       OP_COUNT - 1);
#define C(name, doc) print_class(CLASS_##name, doc);
#include "isa/class.def"
#undef C
	return 0;
}
