/* The state of jobs; private to jobs*.c. */
#ifndef PSIM_NETLINK_JOBS_STATE_H
#define PSIM_NETLINK_JOBS_STATE_H

#include "../../engine/share.h"
#include "../../mapping/allocate.h"
#include "../../traffic/traffic.h"
#include "../../vmpi/collectives/collective.h"
#include "../../vmpi/vmpi.h"
#include "job_list.h"

enum { JOB_WORDS = 64, JOB_TEXT = 1000 };

/* The result of a job in a run. It has no pointers: the process of a job alone writes it for another one. */
struct job_result {
	bool complete;
	int64_t time_ps; /* until its last rank ended; of a job without an end: that of the run */
	struct share_counts counts;
};

/* Left by the process of a job alone. */
struct job_alone {
	struct job_result result;
	struct err err;
	bool good;
};

struct job {
	unsigned number; /* from 1 on */
	char text[JOB_TEXT], name[JOB_TEXT];
	const char *place, *pattern; /* in `text`; pattern NULL: a program */
	bool background;             /* repeats until all other jobs have ended */
	int argc;
	char *argv[JOB_WORDS]; /* the program and its arguments, in `text` */
	uint8_t class;         /* of traffic */
	uint32_t ranks, first_rank;
	struct allocation nodes;
	uint32_t *node_of; /* [ranks] */
	struct traffic *traffic;
	struct job_result together;
	struct collective_uses uses; /* of a program, together */
	struct job_alone *alone;     /* shared with the process that runs it */
	double *carried;             /* [links]: likewise, bytes alone; NULL: the engine does not know */
};

struct jobs {
	unsigned count;
	struct job *job;
	void *shared; /* memory of all `alone` and `carried` */
	size_t shared_bytes;
	bool complete;
};

/*
 * jobs_together.c: runs `count` jobs on a new engine, up to `end_ps`, or until all of them have ended, or only those
 * with an end are left. `result[i]` is that of the i-th. `out`: of the ranks' output. 0, or -1 with `e`.
 */
int jobs_together(struct run *run, struct net_engine *engine, struct job *const *jobs, unsigned count, int64_t end_ps,
		  struct job_result *const *result, FILE *out, struct err *e);

/* jobs_alone.c: runs each job alone, up to `end_ps`: those that are `background`, or the others. 0, or -1 with `e`. */
int jobs_alone(struct run *run, bool background, int64_t end_ps, struct err *e);

#endif
