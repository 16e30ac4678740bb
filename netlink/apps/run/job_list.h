/*
 * Jobs: several programs or patterns side by side on one network, --job more than once. Each has its own ranks, on
 * nodes of its own. All run together, and each runs alone on the same nodes for comparison.
 */
#ifndef PSIM_NETLINK_JOBS_H
#define PSIM_NETLINK_JOBS_H

#include <stdbool.h>

#include "../../../psim/base/report/report.h"

struct run;
struct jobs;

/*
 * Reads the words of --job, allocates nodes, and sets run->jobs, and run->machine's ranks and nodes, those of all jobs
 * one after the other. The network is there. 0, or -1 with `e`.
 */
int jobs_make(struct run *run, struct err *e);

/* Runs each job alone, in processes of their own, then all together on run->machine.engine. 0, or -1 with `e`. */
int jobs_run(struct run *run, struct err *e);

/* Adds the tables "jobs", "job_latency", "job_bandwidth" and "job_links". */
void jobs_report(const struct run *run, struct report *r);

/* Returns the time at which the last of them ended, together, ps. */
int64_t jobs_end_time(const struct jobs *j);

/* Returns whether a job is a pattern; whether one injects at a load. */
bool jobs_have_pattern(const struct jobs *j);
bool jobs_have_load(const struct jobs *j);

void jobs_destroy(struct jobs *j); /* NULL is allowed */

#endif
