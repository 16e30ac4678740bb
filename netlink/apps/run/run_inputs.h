/*
 * Inputs of a run: the started program, its options, and the files that they name. Once the run has begun they are
 * constant.
 */
#ifndef PSIM_NETLINK_RUN_INPUTS_H
#define PSIM_NETLINK_RUN_INPUTS_H

#include "../../../psim/base/cli/checkpoint.h"
#include "../../../psim/base/cli/opt.h"
#include "../../log/log.h"
#include "models.h"

#define RANKS_ALL UINT64_MAX

/* Files that a run writes besides the report: O(option, name of the setting with its path, and of the open file). */
#define RUN_OUTPUTS(O) \
	O("--matrix", matrix) \
	O("--timeline", chrome) \
	O("--paje", paje) \
	O("--paraver", paraver) \
	O("--paraver", paraver_meanings) \
	O("--paraver", paraver_rows) \
	O("--picture", picture) \
	O("--write-pattern", write_pattern) \
	O("--write-trace", write_trace) \
	O("--series-picture", series_picture) \
	O("--power-picture", power_picture) \
	O("--svg", curve) \
	O("--network-picture", network_picture)

/* The options. */
struct settings {
	uint64_t ranks, seed; /* RANKS_ALL: without -n, as many as the machine, the mapping or the pattern has */
	uint64_t processes;   /* that simulate together */
	const char *network, *network_args, *graph;
	const char *engine, *time_limit, *pattern, *pattern_file, *replay, *mapping, *write_otf2;
	const char *describe;
	bool each_rank, topology_report, series, log_packets, list_engines, list_collectives, list_patterns;
	bool hot_links, critical_path, parallel_report, interval, power_series;
	bool matrix_of_first, log_of_first; /* the first of several processes writes them */
	bool pattern_of_first, trace_of_first;
	const char *window, *window_ranks;
	const char *load, *name; /* a load curve, and its name */
	bool saturation;
	struct checkpoint_options checkpoint;
	struct opt_list expect, models, parameters, beside, fails, repairs, jobs;
#define OUTPUT(option, name) const char *name;
	RUN_OUTPUTS(OUTPUT)
#undef OUTPUT
};

#define SETTINGS_DEFAULT \
	{ \
		.seed = 1, .ranks = RANKS_ALL, .processes = 1, .checkpoint = {.minutes = CHECKPOINT_MINUTES_DEFAULT } \
	}

/* A program: its name, and its differences from the others. */
struct run_program {
	const char *name, *operands, *summary, *examples;
	bool traffic;       /* also runs traffic without a program */
	const char *engine; /* default engine; NULL: that of the configuration */
	bool skeletons;     /* reports phases, and the host's cost of the run, which differs from run to run */
};

struct run_inputs {
	const struct run_program *program;
	struct settings set;
	struct opt_common common;
	char *paraver_names[2];       /* of the two files beside --paraver */
	struct models *models;        /* models of --model, --set and the configuration */
	struct net_log_window window; /* window of --window and --window-ranks; the whole run without them */
	int64_t time_limit;           /* ps; 0: none */
};

enum { RUN_OPTIONS_MAX = 60 };
/* Makes the options of the program, which set `in`; returns their number. */
unsigned inputs_options(struct run_inputs *in, struct opt rows[RUN_OPTIONS_MAX]);

/* Prints the lists of --list-…; false if none is requested. */
bool inputs_lists(const struct settings *set);

/* Checks combinations of options; `operand` is the MPI program, NULL if none. Reads --time-limit. 0, or -1 with `e`. */
int inputs_check(struct run_inputs *in, const char *operand, struct err *e);

/* --describe: checks that nothing else is requested. 0, or -1 with `e`. */
int inputs_check_describe(struct run_inputs *in, const char *operand, struct err *e);

/* Returns whether one of the jobs is a program. */
bool inputs_have_program(const struct settings *s);

/* Reads a time from 0 up, in ps; a number without a unit is seconds. False: it is none. */
bool inputs_read_time(const char *text, int64_t *ps);

/* Returns whether the report is a page for a browser. */
bool inputs_have_page(const struct run_inputs *in);

/* Returns whether only a part of the run is logged. */
bool inputs_have_window(const struct run_inputs *in);

/* Sets in->window, once the ranks and their nodes are known; keeps `node_of`. 0, or -1 with `e`. */
int inputs_read_window(struct run_inputs *in, uint32_t ranks, const uint32_t *node_of, struct err *e);

/* Frees the members of `in`. */
void inputs_finish(struct run_inputs *in);

#endif
