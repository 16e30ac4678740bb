/*
 * A run of a program, or of traffic, on a simulated machine: what nsim and bsim share. Their mains name what
 * differs (struct run_program); all else, from options to report, is here. Part of the mains: it prints.
 */
#ifndef PSIM_NETLINK_RUN_H
#define PSIM_NETLINK_RUN_H

#include "../../analysis/analysis.h"
#include "../../power/power_bins.h"
#include "../../reliability/failure_times.h"
#include "../../topology/down.h"
#include "../../topology/topology_names.h"
#include "../../traffic/traffic.h"
#include "../../vmpi/replay/replay.h"
#include "../../vmpi/vmpi.h"
#include "job_list.h"
#include "load_curve.h"
#include "run_inputs.h"
#include "run_machine.h"
#include "run_outputs.h"
#include "selections.h"

/* Texts of places in the program, by address: a table of open addressing. */
struct run_place {
	const void *where; /* NULL: unused */
	char *text;
};
struct run_places {
	struct run_place *at;
	uint32_t count, room; /* room: a power of two */
};

/* Facts on programs that have ended: whether their ranks read clocks in no time, files that they opened. */
struct run_ended {
	bool timeless;
	uint64_t files;
};

/* Waits of all ranks in a call. */
struct run_power_call {
	const char *call;
	uint64_t waits;
	int64_t waited, asleep; /* ps */
};

/* A call that sends, and its place in the program. */
struct run_call {
	const char *call;
	const void *where;
};

struct run {
	struct run_inputs in;
	struct run_machine machine;
	struct run_outputs out;
	struct vmpi *vmpi;       /* a program, or … */
	struct traffic *traffic; /* … traffic without one */
	struct replay *replay;   /* of the ranks of `vmpi`, in place of a program; NULL: none */
	struct traffic_result *result;
	struct jobs *jobs;             /* side by side; NULL: none */
	struct load_curve *curve;      /* of several runs of `traffic`; NULL: none */
	struct selections *selections; /* of --interval; NULL: none */
	struct checkpoint checkpoint;  /* points of the curve, or selections, that are done */
	struct window_counts parallel; /* of a program on several processes */
	struct err repeats;            /* why one process repeats it, or, if they have not begun, runs it */
	bool not_begun;
	struct err late;  /* of what costs no report: it ends the program behind that; without a status: none */
	bool interrupted; /* a signal to any of them ended it */
	struct vmpi_written written;                      /* by them, before one process repeats it */
	struct exchange *joined;                          /* processes that mpirun has started; NULL: this one alone */
	struct analysis *analysis;                        /* NULL: no --critical-path, --picture, --html */
	struct run_ended ended;                           /* of the programs of jobs */
	struct vec_of(struct run_power_call) power_calls; /* with [power] */
	struct power_bins power_bins;                     /* with --power-series or --power-picture */
	struct run_places places;                         /* of the ranks' states in the logs */
	struct vec_of(struct run_call) calls;             /* of --hot-links */
	struct vmpi_observer observer;
	struct vmpi_skeleton skeleton;
};

/* Runs the program from start to end; returns the exit status. */
int run_main(const struct run_program *program, int argc, char *argv[]);

/* ---- run_simulate.c: runs a program or a pattern on the network. 0, or -1 with `e` ---- */
int run_program(struct run *run, int argc, char *argv[], struct err *e);
int run_traffic(struct run *run, struct err *e);
/*
 * Gets run->machine.owner, the process of each vertex, and the processes, *x. 0; 1: it cannot be divided, and this
 * process, which has noted why, is alone; -1 with `e`.
 */
int run_processes(struct run *run, struct exchange **x, struct err *e);
/* Prints the warnings that are new; at the end of a complete run also those on all of it. */
void run_warn(struct run *run, bool at_end);
void run_warn_left(const struct run *run); /* where a signal has ended a rank without calls */
/* Begins to record the program's calls, if that is wished. 0, or -1 with `e`. */
int run_record(struct run *run, struct err *e);
/* Completes the pattern file, if it is requested, when all ranks have their last times. */
void run_end_pattern(const struct run *run);
/* Opens the trace of --replay, for the ranks of -n or of the machine. NULL with `e`. */
struct replay *run_open_replay(const struct run *run, struct err *e);
/* Ends the processes' use of `x`, and makes a new engine for one process. 0, or -1 with `e`. */
int run_alone_again(struct run *run, struct err *e);

/* ---- run_log.c: events of ranks for the logs ---- */
void run_log_start(struct run *run);
void run_places_finish(struct run_places *p);

/* ---- run_partitions.c: a program on several processes ---- */
/*
 * Runs the program of `setup` on the processes; returns in the first one. 0: done; 1: nothing is done, run it on one
 * process; -1 with `e`.
 */
int run_partitions(struct run *run, struct vmpi_setup *setup, int argc, char *argv[], struct err *e);

/* run_pattern.c: reports keys that the pattern does not read. 0, or -1 with `e`: --strict. */
int run_check_pattern(const struct run *run, const struct traffic *t, struct err *e);

/* program_run.c: drops what this process prints from now on. 0, or -1 with `e`. */
int run_mute(struct err *e);
/* run_ended.c: returns whether a signal ended the run early, to this process or to another one of the run. */
bool run_interrupted(const struct run *run);

/* ---- run_analysis.c: the critical path, if it is requested ---- */
int run_analysis_start(struct run *run, struct err *e);
int run_analysis_between(struct run *run, struct err *e); /* between two calls of vmpi_run */
int run_analysis_finish(struct run *run, struct err *e);
/* Adds what is requested of it: of --critical-path, and for a page. 0, or -1 with `e`. */
int run_analysis_report(const struct run *run, struct report *r, struct err *e);

/*
 * run_checkpoint.c: begins the checkpoint of --checkpoint, and reads its parts, which also depend on the program's
 * words, argv[first] and on. One run is kept as a whole: where its file is there, this process becomes that run, and
 * run_step returns. 0, or -1 with `e`: a file of another run, or a run that cannot be kept.
 */
int run_checkpoint_begin(struct run *run, int first, int argc, char *const argv[], struct err *e);
/* progress_step of the outermost loop, which also keeps one run. False: a signal ends it. */
bool run_step(struct run *run, struct progress *p, uint64_t done, const char *note);

/* ---- run_links.c: what links have carried ---- */
/*
 * Returns by link what it has carried, media once (engine.h); `first`: and the first link of its medium; NULL: not
 * needed. Free both. NULL with `e` if memory is short. The engine knows what links have carried.
 */
double *run_carried(const struct run *run, uint32_t **first, struct err *e);
/* Returns the time that bytes take at a link's bandwidth; 0: messages do not share it. */
double run_link_seconds(const struct topology *t, uint32_t link, double bytes);
/* Returns the time of the run, ps; 0: it has several. */
int64_t run_time(const struct run *run);
/* Finds the link that is used most, and what a link in use has on average. `name`: its name. 0, or -1 with `e`. */
int run_find_links(const struct run *run, struct bound_links *links, char name[LINK_NAME_MAX], struct err *e);
/* Adds the group "link_use". */
void run_report_link_use(const struct bound_links *l, double seconds, struct report *r);

/* ---- run_loads.c: who loads the hottest links, with --hot-links ---- */
/* vmpi_observer.origin: the number of a call, from 1 on; 0: unknown, memory is short. */
uint64_t run_call_mark(void *user, const char *call, const void *where);
/* Adds the tables "hot_links" and "hot_link_…". 0, or -1 with `e`. */
int run_loads_report(const struct run *run, struct report *r, struct err *e);

/* ---- run_notes.c: on stderr, and in the report ---- */
/* Before the run, unless it is quiet: parts that it does not use, and bounds by default. */
void run_notes(const struct run *run);
/* Adds the table "notes": the same, and bounds that are configured. */
void run_report_notes(const struct run *run, struct report *r);
/* Keeps what notes need of a program's ranks that have ended, a job's. */
void run_program_ended(struct run *run, const struct vmpi *v);
/*
 * After the run, unless it is quiet: what took no time, what a protocol lacks, and, on several processes, too few
 * events a window.
 */
void run_note_end(const struct run *run);
/* After traffic: warns of a measured window whose figures do not hold. */
void run_warn_window(const struct run *run);

/* ---- link_energy.c: adds the table "link_energy", if the engine knows what links carry. 0, or -1 with `e` ---- */
int link_energy_report(const struct run *run, struct report *r, struct err *e);

/* ---- run_power.c: the energy of the run, if [power] has figures ---- */
/* Counts a wait; a call for which memory is short is left out. */
void run_power_waited(struct run *run, const struct vmpi_waited *w);
/* Returns whether power over time is requested. */
bool run_power_over_time(const struct run *run);
/* Draws it to the file of --power-picture. 0, or -1 with `e`. */
int run_power_draw(const struct run *run, struct err *e);
/* Forgets the waits, before the program is repeated. */
void run_power_forget(struct run *run);
/* Adds the group "power" and its tables. 0, or -1 with `e`. */
int run_power_report(const struct run *run, struct report *r, struct err *e);
/* Returns the energy of the run, J; 0: it has none, or memory is short. */
double run_power_joules(const struct run *run);

/* ---- run_cost.c: the cost of the machine, if [cost] has prices ---- */
/* Adds the group "cost" and its parts. 0, or -1 with `e`. */
int run_cost_report(const struct run *run, struct report *r, struct err *e);

/* ---- run_reliability.c: time to solution, if nodes fail. 0, or -1 with `e` ---- */
/* Before the run: a configured work can be computed. */
int run_reliability_check(const struct run *run, struct err *e);
/* Adds the group "reliability". */
int run_reliability_report(const struct run *run, struct report *r, struct err *e);

/* ---- run_report.c ---- */
/* Writes the report, and checks expectations if the run was complete. 0, or -1 with `e`. */
int run_report(struct run *run, int argc, char *argv[], struct err *e);

#endif
