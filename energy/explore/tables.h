/* The results of psim-explore: tables of a report, and one CSV line per point. */
#ifndef PSIM_ENERGY_EXPLORE_TABLES_H
#define PSIM_ENERGY_EXPLORE_TABLES_H

#include <stdio.h>

#include "../../psim/base/report/report.h"
#include "convergence.h"
#include "sensitivity.h"

/* Adds the group "study": its file, parameters, traces, and points. */
void tables_study(const struct plan *p, struct report *r);

/* Adds the table "sample", if the study samples: what was simulated of each trace, and how far estimates are off. */
void tables_sample(const struct plan *p, struct report *r);

/* Adds the group "conditions": how many designs satisfy all conditions. */
void tables_conditions(size_t known, size_t feasible, struct report *r);

/* Adds the table "search": the steps of a search, with what it had after each. */
void tables_search(const struct convergence *c, const char *by, struct report *r);

/* The columns of tables of designs. */
struct tables_columns {
	bool figure[COLUMN_COUNT];
	bool *param; /* of each parameter that varies; owned */
};

/* All columns: of the formats that programs read, and of the page. Returns 0, or -1 with `e` if memory is exhausted. */
int tables_columns_all(const struct study *s, struct tables_columns *c, struct err *e);
/* The usual columns of a text: of each axis what it is named by, the criteria, and the objectives of the front. */
int tables_columns_usual(const struct study *s, const struct objectives *front, struct tables_columns *c,
			 struct err *e);
/*
 * Reads "seconds,power_w,l1d.size", or "all". Without a parameter among them, those of the usual columns. Returns 0,
 * or -1 with `e` (STATUS_USAGE).
 */
int tables_columns_read(const struct study *s, const char *text, struct tables_columns *c, struct err *e);
/* Checks that a text has room for the columns. Returns 0, or -1 with `e` (STATUS_USAGE). */
int tables_columns_check(const struct study *s, const struct tables_columns *c, struct err *e);
void tables_columns_finish(struct tables_columns *c);

/*
 * Adds the table "best": the best design by each criterion, with its figures. `prefix`
 * ("dgemm_" or "") precedes the table's name; `over` is part of its description. Returns 0, or
 * -1 with `e` if memory is exhausted.
 */
int tables_best(const struct plan *p, const struct designs *d, const struct tables_columns *c, const char *prefix,
		const char *over, struct report *r, struct err *e);

/* Adds the table "pareto": the designs of the front, by time; `by`: its objectives; otherwise like tables_best. */
int tables_pareto(const struct plan *p, const struct designs *d, const struct tables_columns *c, const char *prefix,
		  const char *over, const char *by, struct report *r, struct err *e);

/* Adds the table "designs": all designs, and whether each is on the front; otherwise like tables_best. */
int tables_designs(const struct plan *p, const struct designs *d, const struct tables_columns *c, const char *prefix,
		   const char *over, const char *by, struct report *r, struct err *e);

/*
 * Adds the table "sensitivity": for each criterion the axes, the largest change first; names are like those of
 * tables_best.
 */
void tables_sensitivity(const struct study *s, const struct sensitivity *x, const char *prefix, const char *over,
			struct report *r);

/*
 * Writes a header and one line per known point in the plan's order: trace, the parameters that
 * vary, and every figure, in base units and exact.
 */
int tables_csv(const struct plan *p, FILE *out, struct err *e);

/* Adds the table "figures": every figure of a point and column of designs, with its unit and meaning. */
void tables_figures(struct report *r);

#endif
