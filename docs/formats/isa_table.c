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

static void print_class(unsigned class, const char *doc)
{
	const char *between = "";

	printf("| %s | %s | ", insn_class_name[class], doc);
	for (unsigned op = 1; op < OP_COUNT; op++) {
		if (insn_row(op)->class != class || is_repeated(op))
			continue;
		printf("%s`%s`", between, insn_row(op)->mnemonic);
		between = " ";
	}
	printf(" |\n");
}

int main(void)
{
	printf("# Instructions\n\n"
	       "Made from `isa/sparc_v9.def` and `isa/simd.def` by `ninja isa-docs`; do not edit. These files have "
	       "the\n"
	       "pattern, operands and function of each of the %d instructions; [isa.md](../develop/isa.md) explains "
	       "them.\n"
	       "The class determines unit and latency (`psim --list-params`). `{cond}` and the like are conditions.\n\n"
	       "| class | what | instructions |\n|---|---|---|\n",
	       OP_COUNT - 1);
#define C(name, doc) print_class(CLASS_##name, doc);
#include "isa/class.def"
#undef C
	return 0;
}
