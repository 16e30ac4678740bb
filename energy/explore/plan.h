/*
 * The points of a study: every combination with every trace. A point is identified by what
 * determines its result: the values of all parameters (a hash), the content of the trace (its
 * CRC-32), and the version of the program.
 */
#ifndef PSIM_ENERGY_EXPLORE_PLAN_H
#define PSIM_ENERGY_EXPLORE_PLAN_H

#include "figures.h"
#include "paired.h"
#include "point_units.h"
#include "study.h"

struct plan_file {
	char *path, *program;
	uint32_t checksum;
	uint64_t length; /* instructions */
	unsigned pes;    /* of the array of the recording, and bytes of SBM of each */
	uint32_t sbm_bytes;
	/* units of a study that samples (estimates.h): */
	struct sample_plan units; /* no units: its points are simulated whole. `chosen` is owned */
	char units_text[POINT_UNITS_TEXT_MAX];
	size_t sampled, anchors; /* points */
	bool anchors_all;        /* all anchors are chosen */
	bool estimated;          /* the anchors are known, and so is: */
	struct paired_trust trust[UNIT_FIGURES];
};

struct plan_point {
	uint32_t combination, trace, file; /* trace: index in the study; file: index in the plan */
	uint32_t cores;                    /* number of cores that run the trace */
	bool skipped;                      /* its combination is invalid: never run */
	bool elsewhere;                    /* another share of the study has it: not run here */
	bool left_out;                     /* its combination is not chosen: neither run nor reported */
	bool known;                        /* `figures` are those of the whole run */
	bool failed;                       /* not known, and this run could not simulate it */
	bool idle_array;                   /* the machine has an array, which the trace does not use */
	bool of_other_version;             /* not known, but another version of the program has simulated it */
	bool sampled;                      /* simulated by units, and an estimate unless it is whole */
	bool may_anchor;                   /* of those among which anchors are chosen, by: */
	uint64_t lot;                      /* its place in the draw */
	bool anchor;                       /* sampled, and simulated whole too: others are estimated from it */
	bool wide;                         /* sampled, with an interval beyond the bound: to be simulated whole */
	bool estimated;                    /* `figures` are estimates */
	struct figures figures;
	struct point_units units; /* of a sampled point; owned */
};

/* An invalid combination, and the reason. */
struct plan_skip {
	size_t combination;
	char *why;
};

enum { POINT_DOUBT_MAX = 320 };

struct plan {
	struct study *study; /* borrowed */
	uint64_t *hash;      /* of each combination's configuration; 0 if it is skipped */
	struct plan_skips vec_of(struct plan_skip) skips;
	struct plan_files vec_of(struct plan_file) files;
	struct plan_point *points; /* by combination, then by trace */
	size_t count;
	size_t live;                   /* points that are neither skipped nor left out */
	size_t doubted, first_doubted; /* combinations beyond the range of the models; the first of them, and why */
	char doubt[POINT_DOUBT_MAX];
};

/* Counts what is missing as failed: this run does not try it again. */
void plan_give_up(struct plan *p);

/*
 * Configures every combination, so that mistakes are reported before anything runs, and opens
 * every trace once. Skips a combination whose values contradict each other, whose traces were
 * recorded with another array, or that is beyond the node (energy_check_speed); a study without
 * combinations left is an error. Returns NULL on error. `study` must outlive the plan. Free
 * with plan_destroy.
 */
struct plan *plan_create(struct study *study, struct err *e);
void plan_destroy(struct plan *p); /* NULL is allowed */

/*
 * Divides the points among `count` machines: this one runs those of share `number`, 1 to `count`. A point's share
 * depends on its configuration and trace alone.
 */
void plan_share(struct plan *p, uint64_t number, uint64_t count);

/* Leaves out the points of the combinations that are not `chosen`; the others are in again. */
void plan_choose(struct plan *p, const bool *chosen);

/*
 * Skips the combinations with a run that is a runaway (figures_runaway), as invalid ones. Returns how many, and sets
 * *first to the first of them; or -1 with `e`, also where nothing is left of the study.
 */
int plan_skip_runaways(struct plan *p, struct plan_skip *first, struct err *e);

/* Returns whether the units of a point, or its whole trace, are still to be simulated, if it is at all. */
bool plan_lacks_units(const struct plan_point *point);
bool plan_lacks_whole(const struct plan_point *point);

/* Returns whether the point is to be simulated: its figures are unknown, it is chosen, and it belongs to this share. */
bool plan_missing(const struct plan_point *point);

/* Returns whether the point's figures are known and belong to the study's results. */
bool plan_has(const struct plan_point *point);

/* Number of points that have figures; of those that are missing, of these by another version; their instructions. */
size_t plan_known(const struct plan *p);
size_t plan_missing_count(const struct plan *p);
size_t plan_other_version_count(const struct plan *p);
uint64_t plan_work(const struct plan *p);
/* Number of live points whose machine has a SIMD array that their trace does not use. */
size_t plan_idle_arrays(const struct plan *p);

#endif
