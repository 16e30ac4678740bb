/* psim --sample: the long parts, a further run of the same trace. Internal to the program. */
#ifndef PSIM_APP_SAMPLE_RUN_H
#define PSIM_APP_SAMPLE_RUN_H

#include "../core/chip.h"
#include "../segments/sampling.h"

/*
 * Simulates the long parts beside `plan`, whose units are `sample`, of the trace at `path` behind its first `skip`
 * instructions, if it is long enough for them. `step` is called with the cycles so far; false ends it without a result.
 * 0, or -1 with `e`.
 */
int sample_run_long(const struct core_config *cfg, const char *path, uint64_t skip, const struct chip_options *options,
		    const struct core_sample *sample, bool (*step)(void *user, uint64_t cycles), void *user,
		    struct sample_long *out, struct err *e);

#endif
