/*
 * Paired comparison of two machines by the same units of a trace: a ratio of sums, and its error.
 *
 * What units of a trace have in common (a phase, a cold cache) makes them differ among each other much more than it
 * makes two machines differ in a unit. So the ratio of two machines is known better than either of them.
 */
#ifndef PSIM_ENERGY_EXPLORE_PAIRED_H
#define PSIM_ENERGY_EXPLORE_PAIRED_H

#include <stddef.h>

struct paired {
	double ratio; /* of the sums, a to b */
	double error; /* its standard error, relative */
};

/*
 * Compares a[count] with b[count], 2 or more units, of which the sums are above 0. The error is that of a ratio
 * estimator, from a's residuals about the ratio: W. Cochran, Sampling techniques, 1977, section 2.11. Units are as
 * independent draws, which is on the safe side of one at a random place in each of equal periods (chapter 5).
 */
struct paired paired_ratio(const double *a, const double *b, size_t count);

/*
 * The errors of checks, relative: the root mean square, the largest without its sign, and Student's t. They hold for
 * further estimates too.
 */
struct paired_trust {
	double spread, largest, t;
};

/*
 * Takes off[count], the relative errors of estimates whose exact figures are known: what units lack of the whole is
 * about the same in all estimates, however alike the machines are. `t` is that of a 95 % interval; two checks that are
 * each other's reference say one thing, so there are half as many degrees of freedom as checks.
 */
struct paired_trust paired_trust(const double *off, size_t count);

/*
 * Half the 95 % interval, relative, of a ratio with this standard error: of its variance, and of what the checks are
 * off; at least what the worst check is off, since errors may have long tails. The checks' own sampling errors are in
 * both, which is on the safe side.
 */
double paired_half(const struct paired_trust *t, double error);

#endif
