/* Seeds of tests with random cases: the test's own, or those of the environment. A long run finds rare cases. */
#ifndef PSIM_TESTS_SEEDS_H
#define PSIM_TESTS_SEEDS_H

#include <stdbool.h>
#include <stdint.h>

struct seeds {
	uint64_t first, count;
	bool given; /* by the environment */
};

/* Returns seeds 1 to `count`, or those of environment variable `name`, FIRST:COUNT. Another form fails the test. */
struct seeds seeds_of(const char *name, uint64_t count);

/*
 * Runs `compare` with each of seeds_of; it returns how much it compared. Their mean is more than `least`, unless the
 * seeds are fewer than `count`. Given seeds are printed with what they returned, on stderr.
 */
void seeds_run(const char *name, uint64_t count, double (*compare)(uint64_t seed), double least);

#endif
