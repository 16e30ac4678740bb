/* Two results side by side: what differs, and by how much. */
#ifndef PSIM_REPORT_COMPARE_H
#define PSIM_REPORT_COMPARE_H

#include "../base/report/report.h"
#include "result.h"

struct compare_options {
	double within_percent; /* numbers that differ by no more are the same */
	const char *only;      /* names that begin so, at a '.' or the end; NULL: all */
	bool without_rows;     /* leave numbered rows of tables to compare_rows */
	bool as_text;          /* numbers as texts of six digits: for a report that people read */
};

/* Number of values of `a` that the options let be compared. */
size_t compare_count(const struct result *a, const struct compare_options *options);

/*
 * Adds to `r` the table "differences": name, value in a and in b, b / a, change in
 * percent of a's, unit; in a's order, then what only b has. What says who ran it
 * and how (the groups run and host, the file of the trace) is left out.
 * Returns the number of rows.
 */
size_t compare_results(const struct result *a, const struct result *b, const struct compare_options *options,
		       struct report *r);

/*
 * Numbered rows ("ranks.12.time"): adds the tables "rows", a line for each column that changed, and "largest", the
 * rows in which it changed most, if there are any. Returns the number of values that differ. `r` NULL: only counts.
 */
size_t compare_rows(const struct result *a, const struct result *b, const struct compare_options *options,
		    struct report *r);

/* Is it the report of a processor's run, of one core or of a chip? */
bool compare_has_short(const struct result *x);

/*
 * Adds the table "runs": for each of two such reports (NaN where one lacks a figure) the program, time, IPC, GFlop/s,
 * share of the peak, energy, power and area, and how many times faster than the first it is. `files`: their names.
 */
void compare_short(const struct result x[2], const char *const files[2], struct report *r);

#endif
