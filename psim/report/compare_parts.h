/* Shared by the files of a comparison. */
#ifndef PSIM_REPORT_COMPARE_PARTS_H
#define PSIM_REPORT_COMPARE_PARTS_H

#include "compare.h"

/* Returns the name behind "core3." of a report of several cores, or the name itself. */
const char *compare_of_core(const char *name);

bool compare_is_compared(const char *name, const struct compare_options *options);
bool compare_differ(const struct result_value *a, const struct result_value *b, double within);

/* The figure `name` of the whole run: of group "core", or of "chip" where there are several cores. NaN: none. */
double compare_whole(const struct result *x, const char *name);

/* The figure `name` of a run of nsim or bsim: of group "program", or of traffic "network". NaN: none. */
double compare_system(const struct result *x, const char *name);

/* b / a; 1 for 0 / 0, infinite for anything else over 0. */
double compare_ratio(double a, double b);

/*
 * Returns whether `name` is a value of a numbered row, "ranks.12.time". Then *table is the length
 * of "ranks", *column the offset of "time".
 */
bool compare_row_parts(const char *name, size_t *table, size_t *column);

#endif
