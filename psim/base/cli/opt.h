/*
 * Command lines as all programs share them: option tables, --help, --version, common options,
 * messages and exit statuses. docs/programs/common.md describes them to users.
 *
 * A main lists its own options as rows, names the groups of common options it takes, and calls
 * opt_start before anything else:
 *
 *     const struct opt rows[] = {
 *         {"stats", 0, NULL, "print cache statistics", OPT_FLAG, &stats},
 *         {"stop-after", 'n', "N", "stop after N instructions", OPT_COUNT, &limit},
 *     };
 *     const struct opt_program program = {
 *         .name = "psim", .operands = "TRACE...", .summary = "…", .examples = "…",
 *         .rows = rows, .row_count = 2, .groups = OPT_CONFIG | OPT_OUTPUT | OPT_RUN,
 *         .common = &common, .config = config, .min_operands = 1, .max_operands = 1,
 *     };
 *     int first = opt_start(&program, argc, argv, &status);
 *     if (first < 0)
 *         return status;
 *
 * Unlike the rest of base this file prints, since it is part of the mains.
 */
#ifndef PSIM_BASE_OPT_H
#define PSIM_BASE_OPT_H

#include <stdbool.h>
#include <stdint.h>

#include "../err.h"
#include "../report/report.h"

struct config;
struct config_use;

enum opt_type {
	OPT_FLAG,   /* bool *: becomes true */
	OPT_TEXT,   /* const char **: points into argv */
	OPT_COUNT,  /* uint64_t *: decimal or 0x…, with an optional k, M or G (1000s) */
	OPT_CHOICE, /* unsigned *: position in the row's argument, "text|json|csv" */
	OPT_LIST,   /* struct opt_list *: may be given more than once */
	/* As OPT_TEXT and OPT_LIST, of files: opt_start refuses an output that is an input, or another output. */
	OPT_WRITES,     /* const char **: a file, or folder, that the program writes; "-": standard output */
	OPT_READS,      /* const char **: a file that it reads, or a word with one: NAME=FILE, FILE*FACTOR */
	OPT_READS_EACH, /* struct opt_list *: the same, may be given more than once */
};

struct opt {
	const char *name; /* long name without the dashes */
	char letter;      /* or 0 */
	/*
	 * Placeholder in the help, "FILE"; NULL for a flag; choices "a|b|c"; "[=FILE]" for an OPT_TEXT whose argument
	 * may be missing ("" then), without a letter.
	 */
	const char *argument;
	const char *doc; /* one line; NULL: not in help, manual page and list */
	enum opt_type type;
	void *target; /* written as `type` says; unchanged if the option is not given */
};

/* The arguments of an option that may be repeated, in order. */
enum { OPT_LIST_MAX = 64 };
struct opt_list {
	unsigned count;
	const char *item[OPT_LIST_MAX]; /* point into argv */
};

/* Groups of common options. Every program has -h and -V. */
enum {
	OPT_CONFIG = 1, /* -c FILE, -p SECTION.KEY=VALUE, --strict, --list-params, --list-configs, --dump-config */
	OPT_OUTPUT = 2, /* -o FILE, -f text|json|csv|html, --json, --csv FILE, --html FILE */
	OPT_RUN = 4,    /* -q, -v, --check */
	OPT_FILES = 8,  /* with OPT_OUTPUT: --html and --csv may come beside the result; opt_common.files has them */
};

enum { OPT_FILES_MAX = 3, OPT_OUTPUTS_MAX = 24 };

/* A file that gets the result in a format. */
struct opt_file {
	const char *path;   /* "-": standard output */
	unsigned format;    /* enum report_format */
	const char *option; /* "--html", for messages */
};

/* An output as it was before the run: what opt_fail finds there instead, the run has made. */
struct opt_output {
	const char *path;
	uint64_t device, inode; /* 0: there was none */
};

/* Values of the common options; opt_start sets the defaults. */
struct opt_common {
	struct opt_list config_files, overrides; /* already applied to `config` */
	const char *output;                      /* "-" by default */
	unsigned format;                         /* enum report_format */
	struct opt_file files[OPT_FILES_MAX];    /* the first is `output` with `format` */
	unsigned file_count;
	struct opt_output outputs[OPT_OUTPUTS_MAX]; /* of all options */
	unsigned output_count;
	bool quiet, verbose, check;
	bool strict; /* a key that nothing reads is an error */
};

struct opt_program {
	const char *name;     /* "psim" */
	const char *operands; /* "TRACE..." or "-- PROGRAM [ARGS]", or "" */
	const char *summary;  /* what the program does, in one or two lines */
	const char *examples; /* lines "psim -c a.ini x.trace.gz" for --help; NULL if none */
	const struct opt *rows;
	unsigned row_count;
	unsigned groups;
	struct opt_common *common;
	struct config *config; /* with OPT_CONFIG: the tables */
	unsigned min_operands, max_operands;
	/*
	 * Checks across fields, after files and overrides were read and before --dump-config; NULL
	 * if none. 0, or -1 with `e`.
	 */
	int (*config_check)(const struct config *c, void *user, struct err *e);
	void *config_user;
	/*
	 * Rules for the keys that are read; NULL: all are. Given keys that nothing reads are
	 * reported on stderr, or are an error with --strict.
	 */
	const struct config_use *uses;
	bool stop_at_operand; /* the first operand ends the options: the words after it are its own */
	struct err *failed;   /* takes the error of opt_start, which then prints none; NULL: it prints it */
};

/*
 * Reads the command line, reads and checks the configuration, and answers --help, --version,
 * --list-params, --list-configs, --dump-config on stdout. Returns the index of the first operand in argv (argv is
 * reordered: operands last), or -1 if the program has to end with `*status`. Also makes writing to
 * a closed pipe an error instead of a signal.
 */
int opt_start(const struct opt_program *p, int argc, char *argv[], int *status);

/*
 * Reports the keys of `config` that `uses` finds unused, for programs that do not read them from -c
 * and -p: on stderr, or with `strict` in `e`; and on stderr those that are given by their names in the last release.
 * 0, or -1 with `e`.
 */
int opt_unused(const char *program, const struct config *config, const struct config_use *uses, bool strict,
	       struct err *e);

/* Checks the syntax of every --expect (report_expect_check), before a run. 0, or -1 with `e`. */
int opt_expect_check(const struct opt_list *list, struct err *e);

/*
 * Checks every --expect against the report. Each miss is one line on stderr; the last one is in `e`, for
 * opt_fail. 0, or -1 with `e`.
 */
int opt_expect(const char *program, const struct opt_list *list, const struct report *r, struct err *e);

/*
 * Prints `program: text` on stderr and returns the status of `e`, for main to return. A run that fails, and was not
 * stopped by a signal, leaves nothing, or says so: each output that it has completed is a line more.
 */
int opt_fail(const struct opt_program *p, const struct err *e);

#endif
