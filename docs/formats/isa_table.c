/* Writes docs/formats/isa-table.md to stdout: the rows of isa/sparc_v9.def and simd.def as a table. */
#include <stdio.h>
#include <string.h>

#include "isa/insn.h"

static const char *operands_of(const char *format)
{
	static const struct {
		const char *name, *operands;
	} formats[] = {
#define F(name, operands) {#name, operands},
#include "isa/format.def"
#undef F
	};

	for (size_t k = 0; k < sizeof(formats) / sizeof(formats[0]); k++)
		if (strcmp(formats[k].name, format) == 0)
			return formats[k].operands;
	return "";
}

/* Field names without the braces. */
static void print_plain(const char *text)
{
	for (; *text; text++)
		if (*text != '{' && *text != '}')
			putchar(*text);
}

static void print_flags(unsigned flags)
{
	static const struct {
		unsigned flag;
		const char *name;
	} names[] = {
		{INSN_CTI, "cti"},         {INSN_COND, "cond"},         {INSN_CALL, "call"},
		{INSN_RETURN, "return"},   {INSN_INDIRECT, "indirect"}, {INSN_LOAD, "load"},
		{INSN_STORE, "store"},     {INSN_SYNC, "sync"},         {INSN_SAVE, "save"},
		{INSN_RESTORE, "restore"}, {INSN_FLUSHW, "flushw"},     {INSN_PREFETCH, "prefetch"},
		{INSN_TRAP, "trap"},       {INSN_PRIV, "priv"},         {INSN_SIMD, "simd"},
		{INSN_CROSS, "cross"},     {INSN_MODE, "mode"},         {INSN_TRANSFER, "transfer"},
	};
	const char *between = "";

	for (size_t k = 0; k < sizeof(names) / sizeof(names[0]); k++)
		if (flags & names[k].flag) {
			printf("%s%s", between, names[k].name);
			between = " ";
		}
}

int main(void)
{
	printf("# Instructions\n\n"
	       "Made from `isa/sparc_v9.def` and `isa/simd.def` by `ninja isa-docs`; do not edit. The columns are\n"
	       "explained in [isa.md](../develop/isa.md). %d instructions.\n\n"
	       "| opcode | assembler | pattern | class | reads | writes | flags | function |\n"
	       "|---|---|---|---|---|---|---|---|\n",
	       OP_COUNT - 1);
	for (unsigned op = 1; op < OP_COUNT; op++) {
		const struct insn_row *row = insn_row(op);

		printf("| %s | %s ", row->name, row->mnemonic);
		print_plain(operands_of(row->format));
		printf(" | `%s` | %s | %s | %s | ", row->pattern, insn_class_name[row->class], row->reads, row->writes);
		print_flags(row->flags);
		printf(" | %s |\n", row->function);
	}
	printf("\n# Execution classes\n\n| class | what |\n|---|---|\n");
#define C(name, doc) printf("| %s | %s |\n", #name, doc);
#include "isa/class.def"
#undef C
	return 0;
}
