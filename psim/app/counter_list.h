/* The counters of a core with the names that the report has, for tables of all counters. Internal to the program. */
#ifndef PSIM_APP_COUNTER_LIST_H
#define PSIM_APP_COUNTER_LIST_H

#include "../core/core.h"

enum counter_source_id { COUNTERS_CORE, COUNTERS_MEMORY, COUNTERS_BRANCH, COUNTER_SOURCES };

struct counter_group {
	const char *name, *prefix,
		*doc;   /* the report omits the prefix of a counter's name; doc NULL: printed elsewhere */
	unsigned needs; /* COUNTER_NEEDS_* */
};
enum {
	COUNTER_NEEDS_ARRAY = 1,
	COUNTER_NEEDS_CORES = 2,
	COUNTER_NEEDS_DRAM = 4,
	COUNTER_NEEDS_L3 = 8,
	COUNTER_NEEDS_VICTIMS = 16,
	COUNTER_NEEDS_WAYS = 32,
	COUNTER_NEEDS_WRONG_PATH = 64,
};

struct counter_row {
	unsigned group;
	const char *name, *unit, *doc;
};

/* The rows of a .def file, in the order of its struct, of which each member is a uint64_t. */
struct counter_source {
	const char *within; /* "memory.": what the report has in front of a group's name */
	const struct counter_group *group;
	const struct counter_row *row;
	size_t group_count, count;
};
extern const struct counter_source counter_sources[COUNTER_SOURCES];

/* Returns whether the machine has what the group counts. */
bool counter_group_used(const struct counter_group *g, const struct core_config *cfg);

/* The name of counter `n` in its group of the report. */
const char *counter_name(const struct counter_source *s, size_t n);

enum { COUNTER_NAME = 80 }; /* size of a text */
/* Writes the whole name of counter `n`, as --expect takes it: "memory.l1d.load_misses". */
void counter_whole_name(const struct counter_source *s, size_t n, char text[COUNTER_NAME]);

/* Counts at one time, borrowed; [COUNTERS_CORE] is a struct core_stats, and so on. */
struct counter_values {
	const uint64_t *of[COUNTER_SOURCES];
};
struct counter_values counter_values(const struct core_stats *s, const struct memsys_stats *m,
				     const struct bpred_stats *b);

/* The next counter behind (*source, *n) that this machine has; begin with COUNTERS_CORE and SIZE_MAX. False: none. */
bool counter_next(const struct core_config *cfg, unsigned *source, size_t *n);

#endif
