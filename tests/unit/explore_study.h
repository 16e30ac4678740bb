/* A study in a file of its own, for the tests of the explorer. */
#ifndef PSIM_TESTS_EXPLORE_STUDY_H
#define PSIM_TESTS_EXPLORE_STUDY_H

#include "energy/explore/plan.h"

/*
 * Writes `text` to a new file under /tmp and opens it as a study; SAMPLES in the text becomes the
 * folder of the recorded samples. NULL with `e` on a mistake in it. The file is removed at once.
 */
struct study *explore_study(const char *text, struct err *e);

#endif
