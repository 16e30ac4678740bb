/* Configurations: what holds for each that was read. */
#ifndef PSIM_TESTS_FUZZ_CONFIG_H
#define PSIM_TESTS_FUZZ_CONFIG_H

#include "psim/base/config/config.h"

/* Aborts if what `c` dumps is not read, or is not dumped the same again, by `again`: of the same tables, and fresh. */
void fuzz_config_reads_back(const struct config *c, struct config *again);

#endif
