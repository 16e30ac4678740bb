/*
 * Configuration from parameter rows.
 *
 * A folder lists its parameters in a `.def` file, one row a parameter:
 *
 *     SECTION(core, "out-of-order core")
 *     P(rob_entries, UINT, "64", 1, 1024, "entries", "reorder buffer")
 *     E(gating, "ideal", "ideal|partial|none", "clock gating")
 *     END(core)
 *     SOURCE(core, "rob_entries", PAPER, "Table 1")
 *
 * and includes it twice: once for the struct that the simulation reads, once for the table below.
 * The table drives the parser, the range check, the echo in every result, `--list-params` and the
 * manual's table.
 *
 * An INI file may say `inherit = other.ini` before its first section (a path relative to the file
 * itself); later values win. Unknown sections and keys, values out of range and lines over 200
 * characters are errors with file and line, and the nearest name is proposed. `section.key=value`
 * overrides.
 */
#ifndef PSIM_BASE_CONFIG_H
#define PSIM_BASE_CONFIG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "../err.h"

enum param_type {
	PARAM_UINT,  /* unsigned        "64" */
	PARAM_SIZE,  /* uint64_t bytes  "128 KiB", "6 MiB", "64" */
	PARAM_REAL,  /* double          "0.25", "1e-3" */
	PARAM_FREQ,  /* double, hertz   "2 GHz" */
	PARAM_RATE,  /* double, bytes/s "4 GB/s", "10 Gbit/s", "154 MB/s"; prefixes are decimal, KiB/s binary */
	PARAM_TIME,  /* int64_t, ps     "10 ns", "1.5 us", "4 ps" */
	PARAM_DELAY, /* struct clocked  "60 ns", "120 cycles"; ns. The unit is required */
	PARAM_FLOW,  /* struct clocked  "8 GB/s", "4 B/cycle"; GB/s. The unit is required */
	PARAM_BOOL,  /* bool            true|false, yes|no, on|off, 1|0 */
	PARAM_ENUM,  /* unsigned: position in `choices` */
	PARAM_TEXT,  /* char[PARAM_TEXT_MAX] */
	PARAM_PATH,  /* the same; a file's value is relative to the folder of that file, and made so when it is read */
};
enum {
	PARAM_TEXT_MAX = 512,
	PARAM_AUTO = -1, /* TIME, RATE: value of "auto", accepted by rows with that default */
};

/* A quantity given in time, or in cycles of the reader's clock. */
struct clocked {
	double value; /* ns or GB/s; cycles or bytes a cycle */
	bool in_cycles;
};

/* The C types of the above, for the struct made from the rows. */
#define PARAM_CTYPE_UINT(f) unsigned f
#define PARAM_CTYPE_SIZE(f) uint64_t f
#define PARAM_CTYPE_REAL(f) double f
#define PARAM_CTYPE_FREQ(f) double f
#define PARAM_CTYPE_RATE(f) double f
#define PARAM_CTYPE_TIME(f) int64_t f
#define PARAM_CTYPE_DELAY(f) struct clocked f
#define PARAM_CTYPE_FLOW(f) struct clocked f
#define PARAM_CTYPE_BOOL(f) bool f
#define PARAM_CTYPE_TEXT(f) char f[PARAM_TEXT_MAX]
#define PARAM_CTYPE_PATH(f) char f[PARAM_TEXT_MAX]

struct param {
	const char *section, *key;
	enum param_type type;
	const char *initial; /* default, in the syntax of a file */
	double min, max;     /* inclusive; ignored for BOOL, ENUM, TEXT, PATH; of DELAY and FLOW in either unit */
	const char *choices; /* ENUM: "a|b|c", else NULL */
	const char *unit;    /* "" if none */
	const char *doc;     /* one line */
	size_t offset;       /* in the struct made from the rows */
};

struct config_table {
	const char *section, *doc; /* rows of one section are adjacent */
	const struct param *params;
	unsigned count;
};

struct config; /* tables, the structs they fill, and where each value came from */

/* An empty configuration; destroy accepts NULL. */
struct config *config_create(void);
void config_destroy(struct config *c);

/*
 * Adds `count` rows that fill `target` (owned by the caller, must outlive `c`), and sets every
 * default. A default that does not parse is a bug.
 */
void config_add(struct config *c, const struct param *params, unsigned count, void *target);

/* Checks that all rows were added: 0, or -1 with `e` if `c` is NULL or memory was short. */
int config_is_whole(const struct config *c, struct err *e);

/* Where a default comes from. */
enum source_kind {
	SOURCE_NONE,
	SOURCE_PAPER,     /* the paper whose model it is */
	SOURCE_PUBLISHED, /* another document */
	SOURCE_ASSUMED,   /* no published figure was found */
	SOURCE_OURS,      /* a choice of the model or the program, not a property of a machine */
};

/*
 * States the source of the defaults of `keys`: names with blanks between, or "*", all of the section that have none.
 * `text` says more, or is ""; it is borrowed. A key that the section does not have, or that has a source, is a bug.
 */
void config_source(struct config *c, const char *section, const char *keys, enum source_kind kind, const char *text);

/* Writes the source of a row's default: "p.42", "assumed, A64FX: 8", "ours"; "" if none was stated. */
void config_source_text(const struct config *c, const struct param *p, char *buffer, size_t size);

/* Documents a section for --list-params and the echo. */
void config_describe(struct config *c, const char *section, const char *doc);

/*
 * Adds a section whose keys are the user's own: each becomes a row of type TEXT, which config_visit
 * shows after all others. With `paths`, values in a file are paths relative to that file's folder.
 */
void config_add_open(struct config *c, const char *section, const char *doc, bool paths);

/*
 * Adds a family of sections. `params` are rows of a section "link.NAME"; [link.anything] is then a section with these
 * rows, made where it is first named. `member` returns the struct that they fill, which must outlive `c`, or NULL with
 * `e` (a name that it refuses). `place` is that of the first key. A key of the command line is link.anything.key.
 * Rules of config_use name the rows link.NAME.key.
 */
typedef void *config_member_fn(void *user, const char *name, const char *place, struct err *e);
void config_add_family(struct config *c, const char *doc, const struct param *params, unsigned count,
		       config_member_fn *member, void *user);

/*
 * Reads an INI file, and those it inherits, over the present values. config_find searches for a file that is neither
 * in the user's folder nor in that of the inheriting file.
 */
int config_read(struct config *c, const char *path, struct err *e);

/* Applies one `section.key=value`; `origin` names the place in messages ("-p"). */
int config_override(struct config *c, const char *assignment, const char *origin, struct err *e);

/*
 * Returns the source of the present value of section.key, for messages of checks across fields:
 * "file.ini:12", "-p", or "default". Owned by `c`.
 */
const char *config_origin(const struct config *c, const char *section, const char *key);

/*
 * When each key is read: a table, one row a rule, that ends with a row of NULL.
 *
 *     { "router.credit_delay nic.fifo", "engine.kind=packet" },
 *     { "link.*", "engine.kind=packet|flow, engine.kind=linear linear.bandwidth=auto" },
 *     { "mpi.*", "?program" },
 *
 * Commas separate alternatives, blanks terms that must all hold, bars values; KEY!=VALUE is the
 * opposite. ?NAME and !NAME are facts that the program states with config_fact. A key is used if
 * all rules that name it hold.
 */
struct config_use {
	const char *keys, *when;
	bool typed; /* applies to the command line only: files may serve several programs */
};

/*
 * States a fact for these rules. `why` explains to the user why a key is unused: "with --pattern".
 * Texts are borrowed. Facts not stated, and keys that the program does not have, count as true. -1
 * with `e` when memory is short.
 */
int config_fact(struct config *c, const char *name, bool value, const char *why, struct err *e);

/*
 * Calls `fn` for given keys that nothing reads. `keys` are those of one source unused for one
 * reason, `several` is whether there are more than one, `place` is that of the first. Returns the
 * number of calls. Keys of a file that says `unused = allowed` before its first section are left
 * out: such a file serves several kinds of runs.
 */
typedef void config_unused_fn(void *user, const char *place, const char *keys, bool several, const char *why);
/*
 * Marks the keys that the present settings read as used, for programs that run several settings of
 * one configuration.
 */
void config_note_used(struct config *c, const struct config_use *uses);
unsigned config_unused(const struct config *c, const struct config_use *uses, config_unused_fn *fn, void *user);

/*
 * Returns the present name of a key that is given by its name in the last release, and keeps a note for
 * config_old_names; `key` itself if the section has it, or nothing has had that name. NULL with `e`: memory is short.
 */
const char *config_present_key(struct config *c, const char *place, const char *section, const char *key,
			       struct err *e);

/* Calls `fn` for each of these notes. */
typedef void config_old_name_fn(void *user, const char *place, const char *section, const char *old,
				const char *present);
void config_old_names(const struct config *c, config_old_name_fn *fn, void *user);

/* Visits every row in order with its present value as a file would say it. */
typedef void config_visit_fn(void *user, const struct param *p, const char *value, const char *origin);
void config_visit(const struct config *c, config_visit_fn *fn, void *user);

/*
 * A hash of all present values: FNV-1a of the lines "section.key=value". Where a value comes from is not part of it.
 */
uint64_t config_hash(const struct config *c);

/*
 * Calls `fn` for each input that the configuration names: the files read so far, those that they inherit, and values
 * that are paths. Returns -1 as soon as a call does, else 0.
 */
typedef int config_input_fn(void *user, const char *path);
int config_each_input(const struct config *c, config_input_fn *fn, void *user);

/* Writes all present values as an INI file that can be read back. */
void config_dump(const struct config *c, FILE *out);

/* Writes a table of all parameters: name, default, range, unit, source, meaning. */
void config_list(const struct config *c, FILE *out);

#endif
