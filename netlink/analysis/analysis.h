/*
 * What a performance engineer asks of a run: its critical path through ranks and messages, who
 * waited for whom, how evenly the work lies. Whoever runs virtual ranks makes an analysis, passes
 * on what vmpi_observer tells, calls analysis_between now and then, and adds its report to that of
 * the run.
 *
 * Memory: 32 bytes for each wait that lasted and 24 for each stretch of computation between waits,
 * until there are 4 million of them; from then on what no path can reach any more is dropped
 * whenever they have doubled.
 */
#ifndef PSIM_ANALYSIS_ANALYSIS_H
#define PSIM_ANALYSIS_ANALYSIS_H

#include "../vmpi/vmpi.h"

struct analysis_setup {
	uint32_t ranks;
	const uint32_t *node_of; /* of each rank; borrowed, like all of these */
	const struct vmpi_config *config;
	const struct net_engine_kind *kind; /* of the network: to see what messages alone would take */
	struct net_setup net;
	/* of the picture over time, at most 64 ranks, or it has none; to_ps INT64_MAX: all of the
	 * run */
	bool picture;
	int64_t from_ps, to_ps;
	uint32_t first_rank, last_rank;
};

struct analysis;

struct analysis *analysis_create(const struct analysis_setup *setup, struct err *e);
void analysis_destroy(struct analysis *a); /* NULL is allowed */

/* What vmpi_observer tells. */
void analysis_computed(struct analysis *a, uint32_t rank, int64_t from, int64_t to, const void *where);
void analysis_waited(struct analysis *a, const struct vmpi_waited *w);
void analysis_phase(struct analysis *a, uint32_t rank, int64_t time, const char *name);

/* Between two calls of vmpi_run. 0, or -1 with `e`: memory is short. */
int analysis_between(struct analysis *a, const struct vmpi *v, struct err *e);

/*
 * Finds the path that ends with the last rank: its length is the run's time. Once, after the run or
 * where it was cut off. 0, or -1 with `e`.
 */
int analysis_finish(struct analysis *a, const struct vmpi *v, struct err *e);

/* Computation on that path, ps, after analysis_finish. */
int64_t analysis_computation(const struct analysis *a);

/* Adds, after analysis_finish, the groups "critical_path", "efficiency", "waiting" and their
 * tables. */
void analysis_report(const struct analysis *a, const struct vmpi *v, struct report *r);

/* Writes the picture as SVG, after analysis_finish; an error shows when `out` is closed. */
void analysis_picture(const struct analysis *a, const struct vmpi *v, FILE *out);

#endif
