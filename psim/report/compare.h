/* Compares results: which values differ, and by how much. */
#ifndef PSIM_REPORT_COMPARE_H
#define PSIM_REPORT_COMPARE_H

#include "../base/report/report.h"
#include "result.h"

struct compare_options {
	double within_percent; /* numbers that differ by no more count as equal */
	const char *only;      /* names that begin with it, up to a '.' or the end; NULL: all */
	bool without_rows;     /* leave numbered rows of tables to compare_rows */
	bool as_text;          /* numbers as texts of six digits, for a report that people read */
};

/* Returns the number of values of `a` that the options select. */
size_t compare_count(const struct result *a, const struct compare_options *options);

/* Reports that one comparison takes, at most; their columns are a, b, c … */
enum { COMPARE_MAX = 16 };

/*
 * Adds to `r` the table "differences": name, value in each of the `count` results, then of two b / a and the change
 * in percent of a's, of more the change from the first that is largest; and the unit. What is configured comes first,
 * then the rest in the first result's order, then values that later ones have alone. Values that identify a run (the
 * groups run and host, the file of the trace) are left out. Returns the number of rows; `r` NULL: only counts.
 */
size_t compare_results(const struct result *x, unsigned count, const struct compare_options *options, struct report *r);

/*
 * Compares numbered rows ("ranks.12.time"): adds the tables "rows", a line for each column that
 * changed, and "largest", the rows in which it changed most, if there are any. Returns the number
 * of values that differ. `r` NULL: only counts.
 */
size_t compare_rows(const struct result *a, const struct result *b, const struct compare_options *options,
		    struct report *r);

/* Runs whose figures are comparable: of psim, of one core or of a chip; of nsim and bsim. */
enum compare_kind { COMPARE_OTHER, COMPARE_PROCESSOR, COMPARE_SYSTEM };

enum compare_kind compare_kind_of(const struct result *x);

/* The kind that all have; COMPARE_OTHER: they differ, or one is no run. */
enum compare_kind compare_kind_of_all(const struct result *x, unsigned count);

/*
 * Adds the table "runs" of `count` reports of one kind (NaN where one lacks a figure). Of processors: the program,
 * time, IPC, GFlop/s, share of the peak, energy, power and area, and the speedup over the first. Of systems: the file,
 * time, its mean parts, messages, use of the link that is used most, energy, power and the speedup. `files`: names.
 */
void compare_short(const struct result *x, unsigned count, char *const *files, struct report *r);

/*
 * Adds the tables "time_parts" and "energy_parts" of reports of one kind: the seconds of each part of the machine and
 * the joules of each unit, in each report; of two also the difference and its share of the whole one. The last row,
 * "all", is the run's time and energy; the rows before it add up to it.
 *
 * Of systems, parts of the time are those of the critical path (table bounds), and of the energy those of power_parts.
 * Of processors, a part's time is its commit slots over all commit slots, times the run's time. Of several cores it
 * is the mean over the cores; "ended" is the time in which a core has completed, and others have not. A table is left
 * out where a report lacks its source. `as_text`, for people: in one unit for all columns, and without a table whose
 * parts are the same.
 */
void compare_parts_side(const struct result *x, unsigned count, bool as_text, struct report *r);

/*
 * Adds, for the page that shows them, a group for each of `count` reports of systems, a, b, c …, with what the page
 * draws of one run: bounds, waits, ranks over time, power and network over time.
 */
void compare_runs_whole(const struct result *x, unsigned count, char *const *files, struct report *r);

/*
 * Adds the table spread, if all reports have the spread of several runs (psim --runs): the change of each figure's mean
 * since the first report, its interval, and whether it is beyond the spread.
 */
void compare_spread(const struct result *x, unsigned count, char *const *files, struct report *r);

#endif
