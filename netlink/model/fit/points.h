/*
 * The points that a model is fitted to: values of the variables in a run, and the result. From
 * psim's JSON reports, or from a table.
 */
#ifndef PSIM_NETLINK_POINTS_H
#define PSIM_NETLINK_POINTS_H

#include "../../../psim/base/vec.h"
#include "../model_parts.h"

struct json_t;

enum { CACHES = 2 }; /* L1D, L2 */

struct point {
	double values[MODEL_VARIABLES_MAX]; /* of the variables */
	double result;
	bool held_out;              /* excluded from the fit */
	double data_kib;            /* data that the run touches, in lines; 0: unknown */
	double fetched_kib[CACHES]; /* lines of data that each cache has fetched; 0: unknown */
	char *file;                 /* source; owned */
	char *checksum;             /* of the simulated trace, "" if unknown; owned */
	char *program;              /* "psim 0.1.0 (1a2b3c4)", "" if unknown; owned */
};

struct points {
	struct vec_of(struct point) list;
	struct variables variables;
	char value_name[MODEL_TEXT_MAX], unit[MODEL_TEXT_MAX];
	struct json_t *config;                  /* the reports' configuration, NULL if there is none; owned */
	bool config_mixed;                      /* the reports' configurations differ: `config` is the first one's */
	char config_difference[MODEL_TEXT_MAX]; /* the first parameter that differed */
};

/* Selects a value of a report or table. */
struct points_choice {
	const char *region; /* NULL: the whole run */
	const char *value;  /* with a region its column, else the report's name or the table's
	                       column; NULL: seconds */
	const char
		*others[MODEL_QUANTITIES + 1]; /* columns of a table that are no sizes, but other values; NULL: none */
	bool mixed_config;                     /* accept reports of different configurations */
};

void points_finish(struct points *p);

/* Returns whether the operand is a point, n=64:FILE; otherwise it is a table. */
bool points_is_assignment(const char *operand);

/*
 * Adds "n=64,m=2:FILE", a psim report. The first one defines the variables, every other must give
 * the same. 0, or -1 with `e`.
 */
int points_add_report(struct points *p, const struct points_choice *choice, const char *operand, struct err *e);

/*
 * Adds the rows of a table: comma-separated, the first line names the columns. A column "file"
 * names reports (relative to the table's folder), and the others are variables; without it the
 * value is column `choice->value`, else the last one. A column
 * "data_kib" has the KiB of data that a run touches. Lines that begin with # are comments.
 */
int points_add_table(struct points *p, const struct points_choice *choice, const char *path, struct err *e);

/* Adds the report `file` with the variables at `values`. */
int points_add(struct points *p, const struct points_choice *choice, const double *values, const char *file,
	       struct err *e);

/*
 * Reads "n=64,m=2": the value of every variable, in any order. The first text defines the
 * variables. 0, or -1 with `e` (STATUS_USAGE).
 */
int points_read_values(struct points *p, const char *text, size_t length, double *values, struct err *e);

/* Reads a finite number; 0, or -1 with `e` (STATUS_BAD_INPUT, without a place). */
int points_number(const char *text, size_t length, double *value, struct err *e);

/*
 * Holds out the points that meet a condition, "n=512", "n>400", "n<=64". Returns their number, or
 * -1 with `e`.
 */
int points_hold_out(struct points *p, const char *condition, struct err *e);

#endif
