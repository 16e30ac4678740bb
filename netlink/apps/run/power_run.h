/* The energy of a run on its way into the report: run_power.c, run_power_series.c. */
#ifndef PSIM_NETLINK_POWER_RUN_H
#define PSIM_NETLINK_POWER_RUN_H

#include "program_run.h"

/* A run, and what of it is counted. */
struct power_run {
	const struct run *run;
	const struct power_config *config;
	int64_t end_ps;
	double share;    /* of the network */
	double *bytes;   /* by link; NULL: the engine does not know */
	double *media;   /* the same, once of links that share a bandwidth: the first of them has all */
	uint32_t *first; /* the first of them, by link */
	struct power_activity a;
	struct power_result x;
	double flops;
};

/* Counts what `p->run` did. 0, or -1 with `e`. Free p->bytes, p->media and p->first. */
int power_run_count(struct power_run *p, struct err *e);

/* ---- run_power_series.c: power over time, if it is requested. 0, or -1 with `e` ---- */
/* Adds the table "series_power". */
int power_series_report(const struct power_run *p, struct report *r, struct err *e);
/* Draws the same. */
int power_series_draw(const struct power_run *p, FILE *out, struct err *e);

#endif
