/*
 * Time to solution on a machine whose nodes and links fail: a program computes, saves its state every so often, and
 * goes on from there after a failure ([reliability], reliability_params.def). docs/models/reliability.md has the
 * formulas.
 */
#ifndef PSIM_NETLINK_RELIABILITY_H
#define PSIM_NETLINK_RELIABILITY_H

#include "../../psim/base/config/config.h"

#define CONFIG_ROWS "netlink/reliability/reliability_params.def"
#define CONFIG_SECTION(name) reliability_##name##_params
struct reliability_config {
#include "../../psim/base/config/config_struct.h"
};

/* Adds the section [reliability] to `c`, filling `target`, and sets the defaults. */
void reliability_config_add(struct config *c, struct reliability_config *target);

/* Returns whether anything fails. */
bool reliability_given(const struct reliability_config *c);

/* 0, or -1 with `e` (STATUS_USAGE) and the place of the offending value. */
int reliability_config_check(const struct config *c, const struct reliability_config *r, struct err *e);

/*
 * Computation between checkpoints of `checkpoint` seconds that takes the least time, on a machine with a failure every
 * `mtbf` seconds. J. W. Young, "A first order approximation to the optimum checkpoint interval", CACM 17(9), 1974;
 * J. T. Daly, "A higher order estimate of the optimum checkpoint interval for restart dumps", FGCS 22(3), 2006.
 */
double reliability_young(double mtbf, double checkpoint);
double reliability_daly(double mtbf, double checkpoint);

/*
 * A program, in s. Its checkpoints are added to its work, or, if `marked`, parts of it: then `mark` are the times in
 * the work at which its state has been saved, in order. Failures are drawn, or, if `listed`, those at the times
 * `failure`.
 */
struct reliability_work {
	double mtbf, shape, restart, work;
	double checkpoint, interval;
	bool marked, listed;
	const double *mark, *failure; /* borrowed */
	size_t marks, failures;
};

/* Returns the expected time if failures are exponential (Daly 2006), in s. */
double reliability_expected(const struct reliability_work *w);

/* Time of a program, in s, and what it is made of: work + saving + repeated + restarting. */
struct reliability_trial {
	double seconds;    /* infinite: it hardly advances between failures */
	double saving;     /* added checkpoints that were completed */
	double repeated;   /* computation and checkpoints that failures have discarded */
	double restarting; /* restarts, those that failed included */
	double failures;
};
/* Runs the program against the failures that are drawn by seed and number. */
struct reliability_trial reliability_trial(const struct reliability_work *w, uint64_t seed, uint64_t trial);

/* Results of all trials, in s. */
struct reliability_times {
	struct reliability_trial mean;
	double error;     /* half of the 95 % interval of the mean time */
	double low, high; /* 5 % of the trials take less, 5 % take more */
	bool endless;     /* a trial has no end: the program hardly advances between failures */
};
/* 0, or -1 with `e`: memory is short. */
int reliability_run(const struct reliability_work *w, uint64_t seed, unsigned trials, struct reliability_times *out,
		    struct err *e);

#endif
