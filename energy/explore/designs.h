/*
 * Comparison of designs: the figures of a combination over its traces, and the designs that no
 * other one dominates.
 */
#ifndef PSIM_ENERGY_EXPLORE_DESIGNS_H
#define PSIM_ENERGY_EXPLORE_DESIGNS_H

#include "plan.h"

/* Combination of the figures of several traces. */
enum design_over {
	OVER_GEOMEAN, /* geometric mean: each trace counts the same, whatever its length */
	OVER_SUM,     /* as if run one after the other */
};

/* The criteria by which designs are compared; less is better. */
enum criterion { CRITERION_time, CRITERION_energy, CRITERION_area, CRITERION_energy_delay, CRITERION_COUNT };

struct criterion_row {
	const char *name, *column, *unit, *doc;
};
extern const struct criterion_row criterion_rows[]; /* CRITERION_COUNT rows */

/* Columns that are no criteria, one row each in columns.def. */
enum extra {
#define X(id, figure, per, rate, better, words) EXTRA_##id,
#include "columns.def"
#undef X
	EXTRA_COUNT
};

/* Numbers of columns: the criteria, then the extra ones. */
enum { COLUMN_COUNT = CRITERION_COUNT + EXTRA_COUNT };
const char *column_name(unsigned column);
/* As people say it: "time" for seconds; of an extra column its name. */
const char *column_short(unsigned column);
const char *column_unit(unsigned column);
/* Another name that people give to a column, "edp"; "": none. */
const char *column_alias(unsigned column);
/* The same in reports of a kind of study, which may have a cost in place of an area. */
struct point_kind;
const char *point_column_name(const struct point_kind *k, unsigned column);
const char *point_column_word(const struct point_kind *k, unsigned column);
const char *point_column_unit(const struct point_kind *k, unsigned column);
/* Returns whether more of it is better. */
bool column_more(unsigned column);
/* As the axis of a picture has it: "energy of off-chip memory". */
const char *column_words(unsigned column);
/* Return whether points of the kind have a figure of figures.def; whether their designs have a column. */
bool point_has_figure(const struct point_kind *k, unsigned figure);
bool point_has_column(const struct point_kind *k, unsigned column);
/* The kind's column of a name of `length` characters, such as "seconds", "time" or "edp"; -1: none. */
int column_find(const struct point_kind *k, const char *name, size_t length);
/* Writes all names that column_find knows, and " (did you mean …?)" if one is near `name`, for messages. */
void column_names(const struct point_kind *k, const char *name, size_t length, char *text, size_t size);
enum { COLUMN_NAMES_MAX = 600 };

/* Whereabouts of a design of a study that samples: on the front of the exact figures or not (front_within.h). */
enum design_within { WITHIN_NO, WITHIN_MAYBE, WITHIN_YES };

struct design {
	size_t combination;
	double value[CRITERION_COUNT];
	double extra[EXTRA_COUNT];
	/* half the 95 % confidence intervals of time and energy over several runs, or of estimates; else 0 */
	double error[2];
	bool front; /* not dominated in time, energy and area */
	enum design_within within;
};

struct designs vec_of(struct design);

double design_column(const struct design *d, unsigned column);

/*
 * Makes the designs of a plan in the order of the combinations, over all traces or (unless
 * NULL) of `trace` alone. Omits a combination with an unknown point. Returns 0, or -1 with `e`.
 */
int designs_make(const struct plan *p, const size_t *trace, enum design_over over, struct designs *out, struct err *e);
void designs_finish(struct designs *d);

/* Traces with floating-point operations: the others are no part of a geometric mean of gflops. */
size_t designs_with_flops(const struct plan *p);

/*
 * Marks the front: the designs that are not dominated. a dominates b if a is no worse in time,
 * energy and area, and better in one of them; equal designs do not dominate each other. Returns
 * 0, or -1 with `e` if memory is exhausted.
 */
int designs_mark_front(struct designs *d, struct err *e);

/* The columns by which a front is found. */
enum { OBJECTIVES_MAX = 8 };
struct objectives {
	unsigned count, column[OBJECTIVES_MAX];
};

/* Reads "seconds,system_j,power_w", columns of a kind of study. 0, or -1 with `e` (STATUS_USAGE). */
int objectives_read(const struct point_kind *k, const char *text, struct objectives *o, struct err *e);
/* Writes "time, energy and power_w", in the words of the study; NULL: of chips. */
void objectives_text(const struct objectives *o, const struct study *s, char *text, size_t size);

/* As designs_mark_front, with these objectives. */
int designs_mark_front_by(struct designs *d, const struct objectives *o, struct err *e);

/* Returns whether `a` is no worse than `b` in the first `count` criteria, and better in one. */
bool design_dominates(const struct design *a, const struct design *b, unsigned count);

/*
 * The least design by `c`, of equal ones the first that none of the others dominates; NULL
 * without designs.
 */
const struct design *designs_best(const struct designs *d, enum criterion c);

#endif
