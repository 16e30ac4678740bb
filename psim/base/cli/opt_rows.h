/*
 * The rows of one command line, the program's own and the common ones: opt.c parses them,
 * opt_help.c prints them.
 */
#ifndef PSIM_BASE_OPT_ROWS_H
#define PSIM_BASE_OPT_ROWS_H

#include "opt.h"

enum { OPT_ROWS_MAX = 96 };

/* Options that answer and end the program. */
struct opt_asked {
	bool help, version, list_options, list_params, list_configs, dump_config, json, man;
	const char *html, *csv;
};

struct opt_rows {
	struct opt row[OPT_ROWS_MAX];
	unsigned count, own; /* the first `own` are the program's */
};

/* Print the answers to --help and --man: text for a terminal, a page in man(7) macros. */
void opt_print_help(const struct opt_program *p, const struct opt_rows *rows, FILE *out);
void opt_print_man(const struct opt_program *p, const struct opt_rows *rows, FILE *out);

/* Prints the answer to --list-options: a line an option, of name, letter, argument ("-": none) and meaning, by tabs. */
void opt_print_list(const struct opt_rows *rows, FILE *out);

#endif
