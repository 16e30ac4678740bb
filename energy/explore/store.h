/*
 * Results on disk: a SQLite database, one row per point, one transaction per row.
 *
 * A stored point was simulated to its end; a run that is killed loses only the points in
 * progress. The key is what determines a result, so no point is stored twice, several studies
 * can share a file, and a version of the program does not use the results of another one.
 * docs/programs/psim-explore.md describes the tables.
 */
#ifndef PSIM_ENERGY_EXPLORE_STORE_H
#define PSIM_ENERGY_EXPLORE_STORE_H

#include "plan.h"

struct store;

/*
 * Opens a results file; with `create` creates it if it does not exist. Returns NULL on error:
 * STATUS_BAD_INPUT if it is another kind of file, STATUS_FAILED if it cannot be opened or
 * created. A forked process must not use the store.
 */
struct store *store_open(const char *path, bool create, struct err *e);
int store_close(struct store *s, struct err *e); /* NULL is allowed */

/*
 * Loads the figures of all stored points and the units of those that are sampled. Notes those that other versions have
 * simulated.
 */
int store_load(struct store *s, struct plan *p, struct err *e);

/*
 * Stores a point's figures, with its trace and every parameter's value of the configuration
 * that the study is set to. A point that is stored already stays unchanged.
 */
int store_save(struct store *s, const struct plan *p, const struct plan_point *point, struct err *e);

/* Stores a point's units, as store_save its figures. */
int store_save_units(struct store *s, const struct plan *p, const struct plan_point *point, struct err *e);

/*
 * Copies all results of the file `from`. A result that both have must be the same. 0, or -1 with `e`:
 * STATUS_BAD_INPUT if `from` has no results or other ones, STATUS_FAILED if it cannot be read; then nothing is copied.
 */
int store_merge(struct store *s, const char *from, struct err *e);

#endif
