/* What psim-explore says of its results: tables of a report, and one CSV line a point. */
#ifndef PSIM_ENERGY_EXPLORE_TABLES_H
#define PSIM_ENERGY_EXPLORE_TABLES_H

#include <stdio.h>

#include "../../psim/base/report/report.h"
#include "designs.h"

/* The group "study": its file, parameters, traces, points and how many of them are known. */
void tables_study(const struct plan *p, struct report *r);

/*
 * The table "best": by each criterion the design that is best, and its figures. `prefix` ("dgemm_"
 * or "") stands before a table's name, `over` in its meaning. 0, or -1 with `e` without memory.
 */
int tables_best(const struct plan *p, const struct designs *d, const char *prefix, const char *over, struct report *r,
		struct err *e);

/* The table "pareto": the designs of the front, by time; otherwise like tables_best. */
int tables_pareto(const struct plan *p, const struct designs *d, const char *prefix, const char *over, struct report *r,
		  struct err *e);

/*
 * A header and a line for each known point in order of the plan: trace, the parameters that vary,
 * and every figure, in base units and exact.
 */
int tables_csv(const struct plan *p, FILE *out, struct err *e);

#endif
