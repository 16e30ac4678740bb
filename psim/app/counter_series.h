/* psim's option --counters-csv: all counters of a core over time. Internal to the program. */
#ifndef PSIM_APP_COUNTER_SERIES_H
#define PSIM_APP_COUNTER_SERIES_H

#include "../base/report/out.h"
#include "../core/core.h"

struct counter_series {
	const char *path;        /* NULL: not requested */
	bool sampled;            /* a row is a unit, or what is between two */
	struct out *out;         /* NULL before and after the run */
	struct core_stats stats; /* at the end of the last row, as the next two */
	struct memsys_stats memory;
	struct bpred_stats branch;
};

/* Opens the file, if it is requested, and writes the names of the columns. 0, or -1 with `e`. Before: `sampled`. */
int counter_series_open(struct counter_series *s, const struct core_config *cfg, struct err *e);

/* Writes a row: what the counters have grown by since the last one. */
void counter_series_row(struct counter_series *s, const struct core *c, const struct core_config *cfg);

/*
 * Writes the last row, if cycles have passed since the one before it; of a sample, all rows. Renames the file. 0, or -1
 * with `e`.
 */
int counter_series_close(struct counter_series *s, const struct core *c, const struct core_config *cfg, struct err *e);

#endif
