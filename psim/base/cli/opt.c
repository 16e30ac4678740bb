#define _GNU_SOURCE /* getopt_long */
#include "opt.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../near.h"
#include "../message_line.h"
#include "opt_files.h"
#include "progress.h"
#include "../config/config_files.h"
#include "../report/out.h"
#include "../version.h"

static void add_option_rows(struct opt_rows *rows, const struct opt *row, unsigned count)
{
	if (rows->count + count > OPT_ROWS_MAX)
		bug("more than %d options", OPT_ROWS_MAX);
	for (unsigned i = 0; i < count; i++)
		rows->row[rows->count++] = row[i];
}

static void collect_rows(const struct opt_program *p, struct opt_rows *rows, struct opt_asked *asked)
{
	struct opt_common *c = p->common;
	const bool files = p->groups & OPT_FILES;
	const struct opt config[] = {
		{"config", 'c', "FILE", "read parameters from an INI file; may be repeated, later ones win",
		 OPT_READS_EACH, &c->config_files},
		{"param", 'p', "SECTION.KEY=VALUE", "set one parameter, after all files; may be repeated", OPT_LIST,
		 &c->overrides},
		{"strict", 0, NULL, "report a given parameter that nothing reads as an error instead of a warning",
		 OPT_FLAG, &c->strict},
		{"list-params", 0, NULL, "list every parameter with default, range, unit, source and meaning", OPT_FLAG,
		 &asked->list_params},
		{"list-configs", 0, NULL, "list the configurations that come with the program, for --config", OPT_FLAG,
		 &asked->list_configs},
		{"dump-config", 0, NULL, "print the configuration as an INI file that can be read back", OPT_FLAG,
		 &asked->dump_config},
	};
	const struct opt output[] = {
		{"output", 'o', "FILE", "write the result to FILE instead of standard output", OPT_WRITES, &c->output},
		{"format", 'f', "text|json|csv|html", "format of the result; html: a page for a browser", OPT_CHOICE,
		 &c->format},
		{"json", 0, NULL, "the same as --format json", OPT_FLAG, &asked->json},
		{"csv", 0, "FILE",
		 files ? "write the result as CSV, also beside the others" : "the same as --format csv --output FILE",
		 OPT_WRITES, &asked->csv},
		{"html", 0, "FILE",
		 files ? "write the result as a page, also beside the others"
		       : "the same as --format html --output FILE",
		 OPT_WRITES, &asked->html},
	};
	const struct opt run[] = {
		{"quiet", 'q', NULL, "no progress line", OPT_FLAG, &c->quiet},
		{"verbose", 'v', NULL, "print a full report instead of a short one", OPT_FLAG, &c->verbose},
		{"check", 0, NULL, "check invariants while running (slower)", OPT_FLAG, &c->check},
	};
	const struct opt always[] = {
		{"help", 'h', NULL, "show this help", OPT_FLAG, &asked->help},
		{"man", 0, NULL, "print the manual page: pipe it to man -l -", OPT_FLAG, &asked->man},
		{"version", 'V', NULL, "show the version", OPT_FLAG, &asked->version},
		{"list-options", 0, NULL, NULL, OPT_FLAG, &asked->list_options},
	};

	rows->count = 0;
	add_option_rows(rows, p->rows, p->row_count);
	rows->own = rows->count;
	if (p->groups & OPT_CONFIG)
		add_option_rows(rows, config, sizeof(config) / sizeof(config[0]));
	if (p->groups & OPT_OUTPUT)
		add_option_rows(rows, output, sizeof(output) / sizeof(output[0]));
	if (p->groups & OPT_RUN)
		add_option_rows(rows, run, sizeof(run) / sizeof(run[0]));
	add_option_rows(rows, always, sizeof(always) / sizeof(always[0]));
}

static int take_count(const struct opt *row, const char *text, struct err *e)
{
	static const struct {
		char letter;
		uint64_t factor;
	} suffixes[] = {{'k', 1000}, {'M', 1000000}, {'G', 1000000000}};
	uint64_t factor = 1, value;
	char *end;

	errno = 0;
	value = strtoull(text, &end, 0);
	for (unsigned i = 0; i < sizeof(suffixes) / sizeof(suffixes[0]); i++)
		if (end[0] == suffixes[i].letter && !end[1]) {
			factor = suffixes[i].factor;
			end++;
			break;
		}
	if (!isdigit((unsigned char)text[0]) || *end || end == text)
		return err_set(e, STATUS_USAGE, "--%s %s: not a number, expected digits and perhaps k, M or G",
			       row->name, text);
	if (errno || value > UINT64_MAX / factor)
		return err_set(e, STATUS_USAGE, "--%s %s: too large, expected less than 2^64", row->name, text);
	*(uint64_t *)row->target = value * factor;
	return 0;
}

static int take_choice(const struct opt *row, const char *text, struct err *e)
{
	size_t n = strlen(text);
	unsigned position = 0;

	for (const char *c = row->argument; c; position++) {
		size_t length = strcspn(c, "|");

		if (length == n && !strncmp(c, text, n)) {
			*(unsigned *)row->target = position;
			return 0;
		}
		c = c[length] ? c + length + 1 : NULL;
	}
	return err_set(e, STATUS_USAGE, "--%s: unknown value '%s', expected one of %s", row->name, text, row->argument);
}

static int take_option(const struct opt *row, char *text, struct err *e)
{
	struct opt_list *list = row->target;

	switch (row->type) {
	case OPT_FLAG: *(bool *)row->target = true; return 0;
	case OPT_TEXT:
	case OPT_WRITES:
	case OPT_READS: *(const char **)row->target = text ? text : ""; return 0;
	case OPT_COUNT: return take_count(row, text, e);
	case OPT_CHOICE: return take_choice(row, text, e);
	case OPT_LIST:
	case OPT_READS_EACH:
		if (list->count == OPT_LIST_MAX)
			return err_set(e, STATUS_USAGE, "--%s: given too often, expected at most %d times", row->name,
				       OPT_LIST_MAX);
		list->item[list->count++] = text;
		return 0;
	}
	bug("option type %d", (int)row->type);
}

/* Writes the message for getopt_long's answer '?' or ':'. */
static int misuse(const struct opt_rows *rows, int answer, const char *word, struct err *e)
{
	size_t length = strcspn(word, "=");
	struct near n;
	char name[64];

	/* optopt is a row's number for a long option, a letter, or 0 for an unknown long option */
	if (answer == ':' && optopt >= 256)
		return err_set(e, STATUS_USAGE, "option --%s: missing argument, expected %s",
			       rows->row[optopt - 256].name, rows->row[optopt - 256].argument);
	if (answer == ':')
		return err_set(e, STATUS_USAGE, "option -%c: missing argument, expected one", optopt);
	if (optopt >= 256)
		return err_set(e, STATUS_USAGE, "option %s: unexpected argument, expected none", word);
	if (optopt)
		return err_set(e, STATUS_USAGE, "unknown option -%c, expected one of --help", optopt);
	snprintf(name, sizeof(name), "%.*s", (int)(length > 60 ? 60 : length), word);
	n = near_start(name + 2);
	for (unsigned i = 0; i < rows->count; i++)
		if (!strncmp(rows->row[i].name, n.word, strlen(n.word)) && *n.word)
			return err_set(e, STATUS_USAGE, "ambiguous option %s, expected one of --help", name);
	for (unsigned i = 0; i < rows->count; i++)
		if (rows->row[i].doc)
			near_offer(&n, rows->row[i].name);
	if (n.best)
		return err_set(e, STATUS_USAGE, "unknown option %s, did you mean --%s?", name, n.best);
	return err_set(e, STATUS_USAGE, "unknown option %s, expected one of --help", name);
}

/* The two forms in which getopt_long wants the same rows. */
struct descriptions {
	struct option longs[OPT_ROWS_MAX + 1];
	char shorts[2 * OPT_ROWS_MAX + 3];
};

static int argument_of(const struct opt *row)
{
	if (!row->argument)
		return no_argument;
	return row->argument[0] == '[' ? optional_argument : required_argument;
}

static void describe(const struct opt_program *p, const struct opt_rows *rows, struct descriptions *d)
{
	char *s = d->shorts;

	*s++ = p->stop_at_operand ? '+' : ':';
	if (p->stop_at_operand)
		*s++ = ':';
	for (unsigned i = 0; i < rows->count; i++) {
		const struct opt *row = &rows->row[i];

		d->longs[i] = (struct option){row->name, argument_of(row), NULL, (int)i + 256};
		if (row->letter)
			*s++ = row->letter;
		if (row->letter && row->argument)
			*s++ = ':';
	}
	*s = '\0';
	d->longs[rows->count] = (struct option){0};
}

static const struct opt *row_of(const struct opt_rows *rows, int answer)
{
	if (answer >= 256)
		return &rows->row[answer - 256];
	for (unsigned i = 0; i < rows->count; i++)
		if (rows->row[i].letter == answer)
			return &rows->row[i];
	bug("option answer %d", answer);
}

static int read_options(const struct opt_program *p, const struct opt_rows *rows, struct opt_asked *asked, int argc,
			char *argv[], struct err *e)
{
	struct descriptions d;

	describe(p, rows, &d);
	optind = 0; /* glibc: resets the scanner */
	opterr = 0;
	for (;;) {
		int answer = getopt_long(argc, argv, d.shorts, d.longs, NULL);

		if (answer == -1)
			return 0;
		if (answer == '?' || answer == ':')
			return misuse(rows, answer, argv[optind > 1 ? optind - 1 : 1], e);
		if (take_option(row_of(rows, answer), optarg, e))
			return -1;
		if (asked->json) /* as --format json at this place: the last one counts */
			p->common->format = REPORT_JSON;
		asked->json = false;
	}
}

static int check_operands(const struct opt_program *p, int count, struct err *e)
{
	const char *expected = *p->operands ? p->operands : "none";

	if (count >= (int)p->min_operands && count <= (int)p->max_operands)
		return 0;
	if (!count)
		return err_set(e, STATUS_USAGE, "no operand, expected %s: see %s --help", expected, p->name);
	return err_set(e, STATUS_USAGE, "%d operand%s, expected %s: see %s --help", count, count == 1 ? "" : "s",
		       expected, p->name);
}

static int read_config(const struct opt_program *p, struct err *e)
{
	const struct opt_common *c = p->common;

	for (unsigned i = 0; i < c->config_files.count; i++)
		if (config_read(p->config, c->config_files.item[i], e))
			return -1;
	for (unsigned i = 0; i < c->overrides.count; i++)
		if (config_override(p->config, c->overrides.item[i], "-p", e))
			return -1;
	return p->config_check ? p->config_check(p->config, p->config_user, e) : 0;
}

struct unused {
	const char *program;
	bool strict;
	struct err *err; /* with --strict: receives the first unused key */
};

static void report_unused(void *user, const char *place, const char *keys, bool several, const char *why)
{
	const struct unused *u = user;
	const char *verb = several ? "are" : "is";

	if (!u->strict)
		message("%s: warning: %s: %s %s not used %s", u->program, place, keys, verb, why);
	else if (u->err->status == STATUS_DONE)
		err_set(u->err, STATUS_USAGE, "%s: %s %s not used %s, expected keys that are (--strict)", place, keys,
			verb, why);
}

static void report_old_name(void *user, const char *place, const char *section, const char *old, const char *present)
{
	const char *program = user;

	message("%s: note: %s: %s.%s is called %s.%s; the name of the last release is accepted until the next one",
		program, place, section, old, section, present);
}

int opt_unused(const char *program, const struct config *config, const struct config_use *uses, bool strict,
	       struct err *e)
{
	struct unused u = {program, strict, e};

	*e = (struct err){0};
	config_old_names(config, report_old_name, (void *)program);
	return config_unused(config, uses, report_unused, &u) && strict ? -1 : 0;
}

/* Flushes stdout; its error is the only one that is left at this point. */
static int finish_output(struct err *e)
{
	return out_check(stdout, "standard output", e);
}

/* Answers --help, --version and similar options. Returns 0 to go on, 1 when answered, -1 with `e`. */
static int answer_first(const struct opt_program *p, const struct opt_rows *rows, const struct opt_asked *asked,
			struct err *e)
{
	if (asked->help)
		opt_print_help(p, rows, stdout);
	else if (asked->man)
		opt_print_man(p, rows, stdout);
	else if (asked->version)
		printf("%s %s\n", p->name, version_text());
	else if (asked->list_options)
		opt_print_list(rows, stdout);
	else if (asked->list_params)
		config_list(p->config, stdout);
	else if (asked->list_configs)
		return config_list_files(p->config, stdout, e) < 0 || finish_output(e) ? -1 : 1;
	else
		return 0;
	return finish_output(e) ? -1 : 1;
}

/* Sets opt_common.files: what the options name, and standard output where they name nothing. 0, or -1. */
static int name_files(const struct opt_program *p, const struct opt_asked *asked, struct err *e)
{
	const struct opt_file more[] = {{asked->html, REPORT_HTML, "--html"}, {asked->csv, REPORT_CSV, "--csv"}};
	struct opt_common *c = p->common;

	c->file_count = 0;
	if (c->format != REPORT_TEXT || strcmp(c->output, "-") != 0 || (!asked->html && !asked->csv))
		c->files[c->file_count++] = (struct opt_file){c->output, c->format, "--output"};
	for (unsigned n = 0; n < 2; n++) {
		if (!more[n].path)
			continue;
		if (c->file_count && !(p->groups & OPT_FILES))
			return err_set(e, STATUS_USAGE, "%s and %s: expected one of them", more[n].option,
				       n && c->files[0].path == asked->html ? "--html"
									    : "--output, --format or --json");
		for (unsigned k = 0; k < c->file_count; k++)
			if (!strcmp(c->files[k].path, more[n].path))
				return err_set(e, STATUS_USAGE, "%s and %s both write to %s, expected different files",
					       c->files[k].option, more[n].option,
					       strcmp(more[n].path, "-") ? more[n].path : "standard output");
		c->files[c->file_count++] = more[n];
	}
	c->output = c->files[0].path;
	c->format = c->files[0].format;
	return 0;
}

static int start_program(const struct opt_program *p, int argc, char *argv[], struct err *e)
{
	struct opt_asked asked = {0};
	struct opt_rows rows;
	int done;

	collect_rows(p, &rows, &asked);
	if (read_options(p, &rows, &asked, argc, argv, e))
		return -1;
	if ((p->groups & OPT_OUTPUT) && name_files(p, &asked, e) < 0)
		return -1;
	if ((p->groups & OPT_CONFIG) && config_is_whole(p->config, e))
		return -1;
	done = answer_first(p, &rows, &asked, e);
	if (done)
		return done;
	if ((p->groups & OPT_CONFIG) && read_config(p, e))
		return -1;
	if (asked.dump_config) {
		config_dump(p->config, stdout);
		return finish_output(e) ? -1 : 1;
	}
	if (check_operands(p, argc - optind, e) || opt_files_check(p, &rows, argv + optind, argc - optind, e))
		return -1;
	if (!(p->groups & OPT_CONFIG) || !p->uses)
		return 0;
	return opt_unused(p->name, p->config, p->uses, p->common->strict, e);
}

/*
 * Opens closed standard descriptors on something whose use fails. Otherwise the next file opened
 * would get the number, and messages for it would go into that file.
 */
static void reserve_descriptors(void)
{
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0 && errno == EBADF &&
		    open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) < 0)
			return; /* using it fails in any case */
}

int opt_start(const struct opt_program *p, int argc, char *argv[], int *status)
{
	struct opt_common unused;
	struct opt_program program = *p;
	struct err e;
	int done;

	if (!program.common)
		program.common = &unused;
	*program.common = (struct opt_common){.output = "-"};
	reserve_descriptors();
	signal(SIGPIPE, SIG_IGN);
	done = start_program(&program, argc, argv, &e);
	if (!done)
		return optind;
	if (done > 0)
		*status = STATUS_DONE;
	else
		*status = p->failed ? (int)e.status : opt_fail(p, &e);
	if (done < 0 && p->failed)
		*p->failed = e;
	return -1;
}

int opt_fail(const struct opt_program *p, const struct err *e)
{
	message("%s: %s", p->name, e->text);
	if (e->status != STATUS_EXPECT && !progress_signal())
		opt_files_tell(p);
	return (int)e->status;
}
