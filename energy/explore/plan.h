/*
 * The points of a study: every combination with every trace, each identified by what its result
 * depends on: the values of all parameters (a hash), the content of the trace (its CRC-32), and
 * the version of the program.
 */
#ifndef PSIM_ENERGY_EXPLORE_PLAN_H
#define PSIM_ENERGY_EXPLORE_PLAN_H

#include "figures.h"
#include "study.h"

struct plan_file {
	char *path, *program;
	uint32_t checksum;
	uint64_t length; /* instructions */
	unsigned pes;    /* of the array that it was recorded with, and bytes of SBM of each */
	uint32_t sbm_bytes;
};

struct plan_point {
	uint32_t combination, trace, file; /* trace: of the study; file: of the plan */
	uint32_t cores;                    /* that run the trace */
	bool skipped;                      /* its combination does not fit: never run */
	bool known;                        /* `figures` are there */
	struct figures figures;
};

/* A combination that does not fit, and why. */
struct plan_skip {
	size_t combination;
	char *why;
};

struct plan {
	struct study *study; /* borrowed */
	uint64_t *hash;      /* of each combination's configuration; 0 of one that is skipped */
	struct plan_skips vec_of(struct plan_skip) skips;
	struct plan_files vec_of(struct plan_file) files;
	struct plan_point *points; /* combination by combination, in each the traces in order */
	size_t count;
	size_t live; /* points that are not skipped */
};

/*
 * Configures every combination, so that each mistake shows before anything runs, and opens every
 * trace once. A combination whose values do not go together, of which a trace was recorded with another array, or
 * which is beyond the node (energy_check_speed), is skipped; a study of which nothing is left is a mistake. NULL
 * on error. `study` must outlive the plan. Free with plan_destroy.
 */
struct plan *plan_create(struct study *study, struct err *e);
void plan_destroy(struct plan *p); /* NULL is allowed */

/* Points whose figures are known, and the instructions of the others. */
size_t plan_known(const struct plan *p);
uint64_t plan_work(const struct plan *p);

#endif
