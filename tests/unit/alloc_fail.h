/*
 * Makes the k-th allocation of the code under test fail.
 *
 * Every unit test is linked so that malloc, calloc and realloc called from our
 * libraries (not those inside shared libraries) pass through here. The usual
 * test tries k = 1, 2, 3 … until the function gets through without failing:
 *
 *     for (unsigned k = 1; ; k++) {
 *         alloc_fail_at(k);
 *         r = thing_create(&e);
 *         if (!alloc_fail_end()) break;      // fewer than k allocations: all tried
 *         CHECK(r == NULL); …                // failed cleanly
 *     }
 */
#ifndef PSIM_TESTS_ALLOC_FAIL_H
#define PSIM_TESTS_ALLOC_FAIL_H

/* From now on, the k-th allocation (1 is the next one) returns NULL. */
void alloc_fail_at(unsigned k);

/* Ends the failing; returns 1 if an allocation failed, 0 if there were fewer than k. */
int alloc_fail_end(void);

#endif
