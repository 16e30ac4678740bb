/*
 * A study: parameters with their values, and traces.
 *
 *     title = Window and width         ; before the first section
 *     base = ../sparc64v.ini           ; may be repeated; later values win
 *     runs = 5                         ; of each point (psim --runs; of systems, seeds)
 *     sample = auto                    ; in place of runs: most points by units of the trace (estimates.h)
 *     simulator = bsim                 ; before base: a study of systems (point_kind.h), with [programs]
 *
 *     [set]                            ; the same for all points
 *     tlb.perfect = yes
 *     [sweep]                          ; crossed: every value with every other
 *     core.rob_entries = 16..256*2
 *     [pair width]                     ; these vary together, position by position
 *     decode.width = 2, 4, 8
 *     core.commit_width = 2, 4, 8
 *     [traces]
 *     dgemm = ../../traces/samples/dgemm.trace.gz
 *     simd = simd-{core.fp_pipes}.trace.gz   ; the parameter's value in the name
 *     [weights]
 *     dgemm = 3                        ; counts three times
 *     [limits]
 *     power_w = 60                     ; at most; of gflops and ipc at least
 *
 * Paths are relative to the study. A combination is one value of each axis, numbered with the last
 * axis running fastest. docs/programs/psim-explore.md describes the file to users.
 */
#ifndef PSIM_ENERGY_EXPLORE_STUDY_H
#define PSIM_ENERGY_EXPLORE_STUDY_H

#include "../../psim/machine/core_config.h"
#include "values.h"

enum { STUDY_POINTS_MAX = 100000, STUDY_LABEL_MAX = 512, STUDY_RUNS_MAX = 1000 };

struct study_param {
	const struct param *param; /* a row of psim's parameter table */
	unsigned line;
	struct values values;
};

/* Parameters that vary together, with equally many values: one, or those of a [pair]. */
struct study_axis {
	char *name; /* name of the pair; NULL in a sweep */
	unsigned line;
	struct study_params vec_of(struct study_param) params;
};

struct study_trace {
	char *name, *path; /* path: as written, relative to the study */
	unsigned line;
	double weight; /* in means and sums over traces; 1 unless set in [weights] */
};

/* A limit of a figure as it is written; where.h reads it. */
struct study_limit {
	char *name, *value;
	unsigned line;
};
struct point_kind;    /* point_kind.h: what simulates a point */
struct system_config; /* system_point.h */

struct study {
	char *path, *title;
	uint64_t runs;         /* of each point, all but the first perturbed; 1 unless set */
	char *sample;          /* "auto" or "U/W" (point_units.h); NULL: all points are simulated whole */
	struct config *config; /* the processor of the current combination */
	const struct point_kind *kind;
	struct core_config core;      /* of a study of chips */
	struct system_config *system; /* of a study of systems; owned */
	struct study_axes vec_of(struct study_axis) axes;
	struct study_traces vec_of(struct study_trace) traces;
	struct study_limits vec_of(struct study_limit) limits;
	size_t combinations; /* 1 without axes */
};

/*
 * Reads and validates a study: names, every single value, equal lengths in pairs. Returns NULL
 * on error. Free with study_close.
 */
struct study *study_open(const char *path, struct err *e);
void study_close(struct study *s); /* NULL is allowed */

/* Number of values of an axis; of combinations from one of its values to the next, everything else equal. */
size_t study_axis_length(const struct study_axis *a);
size_t study_axis_step(const struct study *s, size_t axis);

/*
 * Returns whether a text names the values of an axis by its n-th parameter: by the first, and by each that differs
 * where those before it do not. In [pair prefetch] prefetch.kind may differ where prefetch.enabled is "yes".
 */
bool study_axis_shows(const struct study_axis *a, size_t n);

/* Writes the values of these parameters at a position of the axis, with blanks between them. */
void study_axis_value(const struct study_axis *a, size_t position, char text[STUDY_LABEL_MAX]);

/* The position on an axis of a combination. */
size_t study_axis_position(const struct study *s, size_t axis, size_t combination);

/* Number of parameters that vary, and the n-th of them. */
size_t study_param_count(const struct study *s);
const struct study_param *study_param(const struct study *s, size_t n);

/* The value of the n-th parameter in a combination; owned by `s`. */
const char *study_value(const struct study *s, size_t combination, size_t n);

/*
 * Sets s->config and s->core to the processor of a combination and checks the rules between its
 * parameters. Returns 0, or -1 with `e`, which names the values.
 */
int study_configure(struct study *s, size_t combination, struct err *e);

/* Writes "core.rob_entries=64 decode.width=4" for messages; "base" if nothing varies. */
void study_label(const struct study *s, size_t combination, char text[STUDY_LABEL_MAX]);

/*
 * Returns the path of a trace for the configured processor, with {section.key} replaced by
 * values. The caller frees it; NULL and `e` if memory is exhausted.
 */
char *study_trace_path(const struct study *s, const struct study_trace *t, struct err *e);

#endif
