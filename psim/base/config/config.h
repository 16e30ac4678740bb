/*
 * Configuration from parameter rows.
 *
 * A room lists its parameters in a `.def` file, one row a parameter:
 *
 *     SECTION(core, "out-of-order core")
 *     P(rob_entries, UINT, "64", 1, 1024, "entries", "reorder buffer")
 *     E(gating, "ideal", "ideal|partial|none", "clock gating")
 *     END(core)
 *
 * and includes it twice: once to make the struct that the simulation reads,
 * once to make the table below. From the table come the parser, the range
 * check, the echo in every result, `--list-params` and the manual's table.
 *
 * An INI file may say `inherit = other.ini` before its first section (a path
 * relative to the file itself); later values win; unknown sections and keys,
 * values out of range and lines over 200 characters are errors with file and
 * line, and a near name is proposed. `section.key=value` overrides.
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
	PARAM_DELAY, /* struct clocked  "60 ns", "120 cycles"; ns. A number without a unit is refused */
	PARAM_FLOW,  /* struct clocked  "8 GB/s", "4 B/cycle"; GB/s. The same */
	PARAM_BOOL,  /* bool            true|false, yes|no, on|off, 1|0 */
	PARAM_ENUM,  /* unsigned: position in `choices` */
	PARAM_TEXT,  /* char[PARAM_TEXT_MAX] */
};
enum {
	PARAM_TEXT_MAX = 128,
	PARAM_AUTO = -1, /* TIME, RATE: value of "auto", which rows take whose default it is */
};

/* A quantity that is given in time, or in cycles of the clock of whoever reads it. */
struct clocked {
	double value; /* ns, GB/s; cycles, bytes a cycle */
	bool in_cycles;
};

/* The C types that go with the above, for the struct made from the rows. */
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

struct param {
	const char *section, *key;
	enum param_type type;
	const char *initial; /* default, as it would stand in a file */
	double min, max;     /* inclusive; ignored for BOOL, ENUM, TEXT; of DELAY and FLOW in either unit */
	const char *choices; /* ENUM: "a|b|c", else NULL */
	const char *unit;    /* "" if none */
	const char *doc;     /* one line */
	size_t offset;       /* in the struct that the rows made */
};

struct config_table {
	const char *section, *doc; /* rows of one section stand together */
	const struct param *params;
	unsigned count;
};

struct config; /* tables, the structs they fill, and where each value came from */

/* An empty configuration; destroy accepts NULL. */
struct config *config_create(void);
void config_destroy(struct config *c);

/*
 * Adds `count` rows that fill `target` (owned by the caller, must outlive `c`),
 * and sets every default. A default that does not parse is a bug.
 */
void config_add(struct config *c, const struct param *params, unsigned count, void *target);

/* 0, or -1 with `e` if `c` is NULL or memory was short for a row that was added. */
int config_is_whole(const struct config *c, struct err *e);

/* Documents a section for --list-params and the echo. */
void config_describe(struct config *c, const char *section, const char *doc);

/*
 * A section whose keys are the user's own: each becomes a row of type TEXT, shown by config_visit after all
 * others. With `paths` what a file says is relative to the folder of that file.
 */
void config_add_open(struct config *c, const char *section, const char *doc, bool paths);

/*
 * Reads an INI file (and what it inherits) over the present values. What is not found beside the user, or beside the
 * file that inherits it, is looked for by config_find.
 */
int config_read(struct config *c, const char *path, struct err *e);

/* Applies one `section.key=value`; `origin` names the place in messages ("-p"). */
int config_override(struct config *c, const char *assignment, const char *origin, struct err *e);

/*
 * Where the present value of section.key came from: "file.ini:12", "-p", or
 * "default". Owned by `c`. For messages of cross-field checks.
 */
const char *config_origin(const struct config *c, const char *section, const char *key);

/*
 * Which keys are read, and when: a table, one row a rule, that ends with a row of NULL.
 *
 *     { "router.credit_delay nic.fifo", "engine.kind=packet" },
 *     { "link.*", "engine.kind=packet|flow, engine.kind=linear linear.bandwidth=auto" },
 *     { "mpi.*", "?program" },
 *
 * Commas stand between alternatives, blanks between terms that hold together, bars between values; KEY!=VALUE is the
 * opposite; ?NAME and !NAME are facts that the program tells. A key is used where all rules that name it hold.
 */
struct config_use {
	const char *keys, *when;
	bool typed; /* of the command line alone: files may be for several programs */
};

/*
 * A fact for these rules; where it is against a key `why` is said of it: "with --pattern". Texts are borrowed. Of
 * what is not told, and of keys that the program has not, a rule takes for granted that it holds. -1 with `e` when
 * memory is short.
 */
int config_fact(struct config *c, const char *name, bool value, const char *why, struct err *e);

/*
 * Calls `fn` for keys that were given and that nothing reads: `keys` are those of one source for one reason,
 * `several` tells if more than one, `place` is that of the first. Returns the number of calls. Not those of a file
 * that says `unused = allowed` before its first section, which is for files that serve several kinds of runs.
 */
typedef void config_unused_fn(void *user, const char *place, const char *keys, bool several, const char *why);
/* Of many settings of one configuration: notes what the present one reads, so that it is not unused later. */
void config_note_used(struct config *c, const struct config_use *uses);
unsigned config_unused(const struct config *c, const struct config_use *uses, config_unused_fn *fn, void *user);

/* Visits every row in order with its present value as it would stand in a file. */
typedef void config_visit_fn(void *user, const struct param *p, const char *value, const char *origin);
void config_visit(const struct config *c, config_visit_fn *fn, void *user);

/* Writes all present values as an INI file that can be read back. */
void config_dump(const struct config *c, FILE *out);

/* Writes a table of all parameters: name, default, range, unit, meaning. */
void config_list(const struct config *c, FILE *out);

#endif
