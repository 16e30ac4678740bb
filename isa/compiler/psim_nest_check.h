/*
 * psim-record --check-simd: a nest runs on the array first, then in scalar order, and what both have stored is compared
 * (psim_nest_check.c). Guest code, internal to the routine that runs nests.
 */
#ifndef PSIM_NEST_CHECK_H
#define PSIM_NEST_CHECK_H

#include <stdbool.h>

/* Result of psim_nest_run if the scalar loop has to run, and psim_nest_compare to be called behind it. */
enum { NEST_COMPARE = -1 };

/* Returns whether psim-record checks: it says so in the environment. */
bool check_wanted(void);

/* Returns whether a nest is being checked; loops inside of it run in scalar order. */
bool check_open(void);

/*
 * Notes that a nest stores to bytes `from` to `to`, numbers of `size` bytes, and keeps a copy of them. False without
 * memory, or if some of them have been noted as numbers of another size.
 */
bool check_range(long from, long to, long size);

/*
 * The nest has run on the array: keeps what it has stored, and puts back what was there before. `place` is the
 * directive's; `doubt` why the directive was believed, or NULL; `regrouped`: sums may be rounded otherwise.
 */
void check_array_ran(const char *place, const char *doubt, bool regrouped);

/* Forgets the nest, which did not run on the array. */
void check_cancel(void);

/* Notes a number of `size` bytes that a PE has stored at `to`, for check_changes_apply. */
void check_change(long to, const void *stored, long size);

/* Stores all that was noted. False if memory did not suffice for all. */
bool check_changes_apply(void);

/* Compares what the array has stored with what the scalar order has; called by the compiled nest behind its loop. */
void psim_nest_compare(void);

#endif
