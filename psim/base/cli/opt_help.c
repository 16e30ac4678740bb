#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "opt_rows.h"
#include "../version.h"

enum { HELP_COLUMN = 36 };

static void print_row(const struct opt *row, FILE *out)
{
	int n;

	if (row->letter)
		n = fprintf(out, "  -%c, --%s", row->letter, row->name);
	else
		n = fprintf(out, "      --%s", row->name);
	if (row->argument)
		n += fprintf(out, row->argument[0] == '[' ? "%s" : " %s", row->argument);
	if (n > HELP_COLUMN - 2) {
		fputc('\n', out);
		n = 0;
	}
	fprintf(out, "%*s%s\n", HELP_COLUMN - n, "", row->doc);
}

void opt_print_list(const struct opt_rows *rows, FILE *out)
{
	for (unsigned i = 0; i < rows->count; i++) {
		const struct opt *row = &rows->row[i];

		if (row->doc)
			fprintf(out, "--%s\t-%.1s\t%s\t%s\n", row->name, &row->letter,
				row->argument ? row->argument : "-", row->doc);
	}
}

static void print_example(const char *line, size_t n, FILE *out)
{
	fprintf(out, "  %.*s\n", (int)n, line);
}

static void each_line(const char *text, void (*print)(const char *, size_t, FILE *), FILE *out)
{
	while (text && *text) {
		size_t n = strcspn(text, "\n");

		print(text, n, out);
		text += n + (text[n] == '\n');
	}
}

void opt_print_help(const struct opt_program *p, const struct opt_rows *rows, FILE *out)
{
	fprintf(out, "usage: %s [OPTION]...%s%s\n%s\n", p->name, *p->operands ? " " : "", p->operands, p->summary);
	for (unsigned i = 0; i < rows->count; i++) {
		if (!i && rows->own)
			fputs("\noptions:\n", out);
		if (i == rows->own)
			fputs("\ncommon options:\n", out);
		if (rows->row[i].doc)
			print_row(&rows->row[i], out);
	}
	if (p->examples) {
		fputs("\nexamples:\n", out);
		each_line(p->examples, print_example, out);
	}
	fputs("\nexit status: 0 done, 1 run failed, 2 usage or configuration, 3 bad input file,\n"
	      "4 simulated program stuck, 5 an expected figure missed\n",
	      out);
}

/* Prints text so that troff finds no commands in it. */
static void print_roff(const char *text, size_t n, FILE *out)
{
	if (n && (*text == '.' || *text == '\''))
		fputs("\\&", out);
	for (size_t i = 0; i < n; i++) {
		if (text[i] == '\\')
			fputs("\\e", out);
		else if (text[i] == '-')
			fputs("\\-", out);
		else
			fputc(text[i], out);
	}
}

static void roff(const char *text, FILE *out)
{
	print_roff(text, strlen(text), out);
}

static void man_row(const struct opt *row, FILE *out)
{
	fputs(".TP\n", out);
	if (row->letter)
		fprintf(out, "\\fB\\-%c\\fR, ", row->letter);
	fputs("\\fB\\-\\-", out);
	roff(row->name, out);
	fputs("\\fR", out);
	if (row->argument) {
		fputs(" \\fI", out);
		roff(row->argument, out);
		fputs("\\fR", out);
	}
	fputc('\n', out);
	roff(row->doc, out);
	fputc('\n', out);
}

static void man_example(const char *line, size_t n, FILE *out)
{
	print_roff(line, n, out);
	fputc('\n', out);
}

void opt_print_man(const struct opt_program *p, const struct opt_rows *rows, FILE *out)
{
	fprintf(out, ".TH \"%s\" 1 \"\" \"psim %s\" \"psim\"\n.SH NAME\n", p->name, version_number());
	roff(p->name, out);
	fprintf(out, " \\- ");
	print_roff(p->summary, strcspn(p->summary, ".:"), out); /* the first clause */
	fputs("\n.SH SYNOPSIS\n\\fB", out);
	roff(p->name, out);
	fputs("\\fR [\\fIOPTION\\fR]... ", out);
	roff(p->operands, out);
	fputs("\n.SH DESCRIPTION\n", out);
	roff(p->summary, out);
	fputs("\n.SH OPTIONS\n", out);
	for (unsigned i = 0; i < rows->count; i++)
		if (rows->row[i].doc)
			man_row(&rows->row[i], out);
	if (p->examples) {
		fputs(".SH EXAMPLES\n.nf\n", out);
		each_line(p->examples, man_example, out);
		fputs(".fi\n", out);
	}
	fputs(".SH EXIT STATUS\n0 done, 1 run failed (I/O, memory), 2 usage or configuration, 3 "
	      "bad input file,\n"
	      "4 simulated program or network stuck, 5 an expected figure missed.\n",
	      out);
}
