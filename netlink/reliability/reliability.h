/*
 * Time to solution on a machine whose nodes fail: a program computes, writes a checkpoint every so often, and goes on
 * from the last one after a failure ([reliability], reliability_params.def). docs/models/reliability.md has the
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

/* Returns whether nodes fail. */
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

/* A program, in s. */
struct reliability_work {
	double mtbf, shape, checkpoint, restart, interval, work;
};

/* Returns the expected time if failures are exponential (Daly 2006), in s. */
double reliability_expected(const struct reliability_work *w);

/* Returns the time of a trial, whose failures are drawn by seed and number; infinite: it does not end. */
double reliability_trial(const struct reliability_work *w, uint64_t seed, uint64_t trial);

/* Results of all trials, in s. */
struct reliability_times {
	double mean, error; /* half of the 95 % interval of the mean */
	bool endless;       /* a trial has no end: the program hardly advances between failures */
};
/* 0, or -1 with `e`: memory is short. */
int reliability_run(const struct reliability_work *w, uint64_t seed, unsigned trials, struct reliability_times *out,
		    struct err *e);

#endif
