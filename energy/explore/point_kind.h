/*
 * Kinds of studies: what simulates a point. A kind is a row of functions, in a file of its own; a study names it by
 * `simulator`. A chip runs traces (psim's core), a system programs and traffic (bsim, nsim).
 */
#ifndef PSIM_ENERGY_EXPLORE_POINT_KIND_H
#define PSIM_ENERGY_EXPLORE_POINT_KIND_H

#include "plan.h"
#include "simulate.h"

enum { POINT_IDENTITY_MAX = 64 };

struct point_kind {
	const char *name, *doc;
	const char *section, *input; /* of the study that names what is run: "traces"; one of them: "trace" */
	const char *unit;            /* of a run's progress */
	/* Adds the parameters to s->config. 0, or -1 with `e`: memory is short. */
	int (*config_add)(struct study *s, struct err *e);
	void (*config_free)(struct study *s); /* NULL: nothing is made */
	/* Checks rules between the parameters of a combination. 0, or -1 with `e`. */
	int (*check)(struct study *s, struct err *e);
	/* Checks what else a combination needs: STATUS_USAGE skips it. NULL: nothing. */
	int (*allowed)(const struct study *s, struct err *e);
	/* Returns 1, and writes why, if a combination is beyond the models' range; 0, or -1 with `e`. NULL: never. */
	int (*doubts)(const struct study *s, char text[POINT_DOUBT_MAX], struct err *e);
	const struct config_use *uses; /* when parameters are read */
	/*
	 * Writes what determines results besides parameters and inputs, such as contents of files that parameters name.
	 * NULL: nothing does. 0, or -1 with `e`.
	 */
	int (*identity)(const struct study *s, char text[POINT_IDENTITY_MAX], struct err *e);
	/* Reads what identifies an input: f->path. 0, or -1 with `e`. */
	int (*open)(struct plan_file *f, struct err *e);
	/* Returns whether a path is of a file, relative to the study's folder. */
	bool (*is_file)(const char *path);
	/* Checks that the input fits the combination: STATUS_USAGE skips it. NULL: all do. */
	int (*fits)(const struct study *s, const struct plan_file *f, struct err *e);
	/* Runs the input with s->config. 0, or -1 with `e`. */
	int (*run)(const struct study *s, const struct plan_file *f, const struct simulate_options *o,
		   struct figures *out, struct err *e);
	/* Sets `why`: why a combination with a runaway (figures_runaway) is no design. NULL: none has one. */
	void (*runaway)(const struct study *s, const char *input, struct err *why);
	/* Returns whether points of this kind have a figure. NULL: all do. */
	bool (*has_figure)(unsigned figure);
	const char *cost; /* name of the third criterion in place of an area; NULL: it is the area */
};

/* Returns the kind of that name. NULL and `e` with the names (STATUS_USAGE). */
const struct point_kind *point_kind_find(const char *name, struct err *e);
extern const struct point_kind point_kind_psim, point_kind_bsim, point_kind_nsim;

#endif
