/* A run of psim-record as its options have it: the program, its traces, what is said of them. */
#ifndef PSIM_RECORD_SESSION_H
#define PSIM_RECORD_SESSION_H

#include <stdbool.h>
#include <stdint.h>

#include "../../psim/base/cli/opt.h"

/* Values of the options of the same names; sizes and `sbm` in bytes. */
struct record_settings {
	const char *name, *output, *from, *log_path, *sbm_text, *units;
	struct opt_list env, regions;
	uint64_t skip, max, warm_up, seed, stack, memory, processors, pes, sbm;
	bool no_trace, check_simd, host_time, sandbox, quiet, verbose;
	unsigned fma, unit_bits; /* enum simd_unit */
};

/*
 * Checks the options and runs the program args[0], whose place its name takes; `args` has `count` elements. Messages
 * are `program`'s. Returns the exit status.
 */
int record_program(const struct opt_program *program, struct record_settings *o, char **args, unsigned count);

#endif
