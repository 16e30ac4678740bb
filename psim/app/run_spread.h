/* psim --runs: the spread of a run's figures over perturbed repetitions (perturb.h). Internal to the program. */
#ifndef PSIM_APP_RUN_SPREAD_H
#define PSIM_APP_RUN_SPREAD_H

#include "../base/report/report.h"
#include "../base/spread.h"
#include "side_runs.h"

enum { RUNS_MOST = 1000 };

/* Cycles of the runs of one machine. */
struct spread run_spread_cycles(const struct side_result *result, unsigned count);

/*
 * Adds the group spread: of result[count], of which the first is the unperturbed one, at `frequency`. It notes if that
 * one is beyond the others.
 */
void run_spread_report(const struct side_result *result, unsigned count, double frequency, struct report *r);

#endif
