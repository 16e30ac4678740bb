/*
 * Performance analysis of a run: its critical path through ranks and messages, waiting by pairs of
 * ranks, load balance. A program that runs virtual ranks makes an analysis, passes on the events of
 * vmpi_observer, calls analysis_between at intervals, and adds the report to that of the run.
 *
 * Memory: 32 bytes for each wait that lasted and 24 for each stretch of computation between waits,
 * up to 4 million of them; from then on rows that no path can reach are dropped whenever their
 * number has doubled.
 */
#ifndef PSIM_ANALYSIS_ANALYSIS_H
#define PSIM_ANALYSIS_ANALYSIS_H

#include "../vmpi/vmpi.h"
#include "bounds.h"

struct analysis_setup {
	uint32_t ranks;
	const uint32_t *node_of; /* of each rank; borrowed, like all of these */
	const struct vmpi_config *config;
	const struct net_engine_kind *kind; /* of the network: for the times of messages alone in it */
	struct net_setup net;
	/* the picture over time: ranks shown, at most 64, if any; to_ps INT64_MAX: all of the run */
	bool picture;
	bool page; /* the same of all ranks, for a page; single states and messages of this window */
	int64_t from_ps, to_ps;
	uint32_t first_rank, last_rank;
};

struct analysis;

struct analysis *analysis_create(const struct analysis_setup *setup, struct err *e);
void analysis_destroy(struct analysis *a); /* NULL is allowed */

/* Events of vmpi_observer. */
void analysis_computed(struct analysis *a, uint32_t rank, int64_t from, int64_t to, const void *where);
void analysis_waited(struct analysis *a, const struct vmpi_waited *w);
void analysis_phase(struct analysis *a, uint32_t rank, int64_t time, const char *name);
void analysis_message(struct analysis *a, const struct vmpi_passing *m); /* for a page */

/*
 * Drops rows that are out of reach. Call between two calls of vmpi_run. 0, or -1 with `e`: memory
 * is short.
 */
int analysis_between(struct analysis *a, const struct vmpi *v, struct err *e);

/*
 * Finds the path that ends with the last rank; its length is the run's time. Call once, after the
 * run or where it was cut off. 0, or -1 with `e`.
 */
int analysis_finish(struct analysis *a, const struct vmpi *v, struct err *e);

/* Returns the computation on that path, ps; call after analysis_finish. */
int64_t analysis_computation(const struct analysis *a);

/* Gives the use of links, which decides whether one of them bounds the run. Call before analysis_report. */
void analysis_links(struct analysis *a, const struct bound_links *links);

/* Adds, after analysis_finish, table "bounds", groups "critical_path", "efficiency", "waiting" and their tables. */
void analysis_report(const struct analysis *a, const struct vmpi *v, struct report *r);

/* Adds, of a page, after analysis_finish, the group "timeline". Call once. 0, or -1 with `e`: memory is short. */
int analysis_page(struct analysis *a, const struct vmpi *v, struct report *r, struct err *e);

/* Writes the picture as SVG, after analysis_finish; closing `out` reports errors. */
void analysis_picture(const struct analysis *a, const struct vmpi *v, FILE *out);

#endif
