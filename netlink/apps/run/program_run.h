/*
 * A run of a program, or of traffic, on a simulated machine: what nsim and bsim share. Their mains name what
 * differs (struct run_program); all else, from options to report, is here. Part of the mains: it prints.
 */
#ifndef PSIM_NETLINK_RUN_H
#define PSIM_NETLINK_RUN_H

#include "../../../psim/base/cli/opt.h"
#include "../../../psim/base/report/out.h"
#include "../../analysis/analysis.h"
#include "../../engine/net_config.h"
#include "../../engines/engine_kinds.h"
#include "../../log/log.h"
#include "../../topology/topology_config.h"
#include "../../traffic/pattern_writer.h"
#include "../../traffic/traffic.h"
#include "../../vmpi/vmpi.h"
#include "models.h"

#define RANKS_ALL UINT64_MAX

struct settings {
	uint64_t ranks, seed; /* RANKS_ALL: no -n, as many as the machine, the mapping or the pattern has */
	const char *network, *network_args;
	const char *engine, *time_limit, *pattern, *pattern_file, *mapping, *matrix, *chrome, *paje;
	const char *write_pattern;
	bool each_rank, topology_report, series, log_packets, list_engines, list_collectives, list_patterns;
	bool critical_path;
	const char *window, *window_ranks, *picture, *series_picture;
	struct opt_list expect, models, parameters;
};

/* A program: what it is called, and how it differs from the others. */
struct run_program {
	const char *name, *operands, *summary, *examples;
	bool traffic;       /* runs traffic without a program, too */
	const char *engine; /* where no file and no option names one; NULL: as the configuration has it */
	bool skeletons;     /* reports phases, and what the run cost the host: different in each run */
};

/* The files that a run writes besides the report: O(the open file, option, setting with its path). */
#define RUN_OUTPUTS(O) \
	O(matrix_out, "--matrix", matrix) \
	O(chrome_out, "--timeline", chrome) \
	O(paje_out, "--paje", paje) \
	O(picture_out, "--picture", picture) \
	O(pattern_out, "--write-pattern", write_pattern) \
	O(series_out, "--series-picture", series_picture)

struct run {
	const struct run_program *program;
	struct settings set;
	struct opt_common common;
	struct topology_config topology_config;
	struct net_config net_config;
	struct vmpi_config vmpi_config;
	struct config *config;
	struct topology *topology;
	const struct net_engine_kind *kind;
	struct net_setup net; /* of `engine` */
	struct net_engine *engine;
	struct net_log *log;
	struct models *models;
	struct times *times; /* of collective operations by table; NULL: none are */
	struct analysis *analysis;
	struct net_log_window window; /* of --window and --window-ranks; all of the run without them */
	struct vmpi_skeleton skeleton;
	struct vmpi *vmpi;       /* a program, or … */
	struct traffic *traffic; /* … traffic without one */
	struct traffic_result *result;
	uint32_t ranks, *node_of;
	struct comm_matrix *matrix;
	bool matrix_short; /* memory was short for it */
	struct err matrix_error;
	struct vmpi_observer observer;
	struct out *report_out;
#define OUTPUT(file, option, setting) struct out *file;
	RUN_OUTPUTS(OUTPUT)
#undef OUTPUT
	struct pattern_writer *writer;
	int64_t time_limit;
};

/* The program from beginning to end: what main returns. */
int run_main(const struct run_program *program, int argc, char *argv[]);

/* ---- options.c ---- */
enum { RUN_OPTIONS_MAX = 40 };
/* The options of both programs, for `run`; returns their number. */
unsigned run_options(struct run *run, struct opt rows[RUN_OPTIONS_MAX]);
/* Prints what --list-… ask for; false: nothing. */
bool run_lists(const struct settings *set);

/* ---- files.c ---- */

/* No output may replace what is read, or another output. 0, or -1 with `e`. */
int files_check(const struct run *run, const char *program, struct err *e);
/* Opens all outputs, before the run: a name that cannot be written is told at once. */
int files_open(struct run *run, struct err *e);
/* Ends and closes all but the report. */
int files_close(struct run *run, struct err *e);
/* Of a run that failed: nothing is left behind. */
void files_abort(struct run *run);
/* run->ranks and run->node_of, from -n, the configuration and --mapping. `ranks`: of a pattern file, or 0. */
int place_ranks(struct run *run, uint32_t ranks, struct err *e);

/* ---- analyse.c: the critical path and the window; nothing where they are not asked for ---- */
int analyse_read_window(struct run *run, struct err *e); /* run->window, once the ranks are known */
bool analyse_has_window(const struct run *run);
int analyse_start(struct run *run, struct err *e);
int analyse_between(struct run *run, struct err *e); /* two calls of vmpi_run */
int analyse_finish(struct run *run, struct err *e);
/* The picture, where its file is open. */
void analyse_picture(const struct run *run);
void analyse_report(const struct run *run, struct report *r);

/* ---- simulate.c: a program, or a pattern, on the network ---- */
int run_program(struct run *run, int argc, char *argv[], struct err *e);
int run_traffic(struct run *run, struct err *e);

#endif
