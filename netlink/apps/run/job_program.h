/* A program as a job beside others: its ranks on a view of the shared engine. Private to jobs*.c. */
#ifndef PSIM_NETLINK_JOB_PROGRAM_H
#define PSIM_NETLINK_JOB_PROGRAM_H

#include <limits.h>

#include "jobs_state.h"

struct job_program {
	struct run *run;
	struct vmpi *vmpi; /* NULL: none */
	bool done;
	char *copy;            /* a file of its own, where another job has the same program; NULL: none */
	char folder[PATH_MAX]; /* of the copy; "": none */
};

/* Loads the program. 0, or -1 with `e`; also then job_program_finish is due. */
int job_program_start(struct job_program *p, struct run *run, const struct job *j, const struct net_engine_kind *kind,
		      struct net_engine *view, FILE *out, struct err *e);
/* Takes notices and runs ranks up to `now`. 0, or -1 with `e`. */
int job_program_at(struct job_program *p, int64_t now, struct err *e);
int64_t job_program_next(const struct job_program *p);
bool job_program_over(const struct job_program *p);
int64_t job_program_time(const struct job_program *p);
/* Fails because its ranks wait for ever. -1 with `e`. */
int job_program_stuck(struct job_program *p, struct err *e);
/* Frees it, or, after a failure, leaves the ranks to the run, which says what they wait for. */
void job_program_finish(struct job_program *p);

#endif
