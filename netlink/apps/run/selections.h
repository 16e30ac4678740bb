/*
 * --interval: the program under each selection of collective algorithms that a library may have, and the least and most
 * of the run's times. Each selection but the configured one runs in a process of its own, before the run itself. What
 * its ranks print, and the simulator's files, are dropped; files that the program opens are written by each run. Each
 * reads standard input from the same place.
 */
#ifndef PSIM_NETLINK_SELECTIONS_H
#define PSIM_NETLINK_SELECTIONS_H

#include "../../../psim/base/err.h"
#include "../../../psim/base/report/report.h"

struct run;
struct selections;

/*
 * Runs the program, argv[first] and its arguments, under the other selections. `whole` does a run from inputs to files;
 * it is called in the new processes. NULL with `e`: STATUS_USAGE if there is nothing to compare, or the program reads
 * what only one run can read. A selection that fails leaves the run itself to say why.
 */
struct selections *selections_run(struct run *run, int first, int argc, char *argv[],
				  int (*whole)(struct run *run, int first, int argc, char *argv[], struct err *e),
				  struct err *e);
/* After the run: 0, or -1 with `e`: a selection has failed. */
int selections_check(const struct selections *s, struct err *e);
void selections_destroy(struct selections *s); /* NULL is allowed */

/*
 * Adds the table "selections" and the group "selections_interval", unless a selection has failed; `seconds` are those
 * of the run itself.
 */
void selections_report(const struct selections *s, double seconds, struct report *r);

#endif
