/*
 * Results on disk: a SQLite database, one row a point, one transaction a row.
 *
 * What is there was simulated to its end; a run that is killed loses the points that were being
 * simulated and nothing else. The key is what a result depends on, so no point can be there twice,
 * several studies can share a file, and a later version of the program does not take an earlier
 * one's results for its own. docs/psim-explore.md describes the tables.
 */
#ifndef PSIM_ENERGY_EXPLORE_STORE_H
#define PSIM_ENERGY_EXPLORE_STORE_H

#include "plan.h"

struct store;

/*
 * Opens a file of results; with `create` it is made if it is not there. NULL on error:
 * STATUS_BAD_INPUT if it is something else, STATUS_FAILED if it cannot be opened or made.
 * A process made by fork must not use it.
 */
struct store *store_open(const char *path, bool create, struct err *e);
int store_close(struct store *s, struct err *e); /* NULL is allowed */

/* Fills in the figures of all points that are there. */
int store_load(struct store *s, struct plan *p, struct err *e);

/*
 * Keeps a point's figures, with its trace and every parameter's value, for which the study is
 * configured. A point that is there stays as it is.
 */
int store_save(struct store *s, const struct plan *p, const struct plan_point *point, struct err *e);

#endif
