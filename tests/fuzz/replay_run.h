/* A trace in a file, for targets that make one. */
#ifndef PSIM_TESTS_REPLAY_RUN_H
#define PSIM_TESTS_REPLAY_RUN_H

#include <stdint.h>

/* Opens it for so many ranks, and runs it for a while; aborts unless what is wrong is one line. Returns 0. */
int replay_fuzz(const char *path, uint32_t ranks);

#endif
