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

/* Length of what two mnemonics share, if they differ in the precision at their end: `s`, `d` or none; else 0. */
static size_t shared_stem(const char *a, const char *b)
{
	size_t n = 0;

	while (a[n] && a[n] == b[n])
		n++;
	return strlen(a + n) <= 1 && strlen(b + n) <= 1 && strspn(a + n, "sd") == strlen(a + n) &&
			       strspn(b + n, "sd") == strlen(b + n)
		       ? n
		       : 0;
}

/* Returns the next row of the class after `op` that is not repeated, or OP_COUNT. */
static unsigned next_of(unsigned class, unsigned op)
{
	do
		op++;
	while (op < OP_COUNT && (insn_row(op)->class != class || is_repeated(op)));
	return op;
}

/* Prints a class; neighbours of two precisions are `fadd{s,d}`. */
static void print_class(unsigned class, const char *doc)
{
	const char *between = "";

	printf("| %s | %s | ", insn_class_name[class], doc);
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
	       "`ninja isa-docs` makes this page from the %d rows of `isa/sparc_v9.def` and `isa/simd.def`, which\n"
	       "[isa.md](../develop/isa.md) explains. The class determines unit and latency. `fadd{s,d}` is `fadds`\n"
	       "and `faddd`; `{cond}` and the like are conditions.\n\n"
	       "| class | what | instructions |\n|---|---|---|\n",
	       OP_COUNT - 1);
#define C(name, doc) print_class(CLASS_##name, doc);
#include "isa/class.def"
#undef C
	return 0;
}
