/*
 * Virtual MPI ranks: a C program, compiled by nsimcc, runs once for each rank in a light context of its
 * own, with a clock of its own; its messages travel through an engine.
 *
 * A rank runs until it has to wait. Its clock may run ahead of the engine's present: what it does until
 * then cannot depend on others. Calls whose result depends on the present (Test, Iprobe …) let the others
 * and the engine catch up first. Ranks go on in order of (clock, rank), the engine before ranks at the same
 * time, so that results do not depend on the host. Time that the program itself computes does not count:
 * Add_time adds what it should.
 */
#ifndef PSIM_VMPI_VMPI_H
#define PSIM_VMPI_VMPI_H

#include <stdbool.h>
#include <stdio.h>

#include "../../psim/base/err.h"
#include "../../psim/base/report/report.h"
#include "../engine/engine.h"
#include "vmpi_choices.h"

struct vmpi;
struct vmpi_config; /* vmpi_config.h */
struct times;       /* engine/table/times.h */

/*
 * Cause of the end of a wait: an event of the waiting rank or of another rank at time `began`. The time from `began`
 * to the end of the wait is communication: messages in flight and their delays.
 */
enum vmpi_cause_kind {
	CAUSE_SENT,                 /* the peer sent; the data have arrived */
	CAUSE_RENDEZVOUS,           /* the peer sent; request, answer, data */
	CAUSE_LATE_RECEIVE,         /* own receive, after the peer's request: answer, data */
	CAUSE_SENDING,              /* own send: the data have left */
	CAUSE_SENDING_RENDEZVOUS,   /* own send: request, answer, data have left */
	CAUSE_SENDING_LATE_RECEIVE, /* the peer's receive, after own request: answer, data have left */
	CAUSE_COLLECTIVE, /* collective operation: the peer arrived last, or a chain of messages began at it */
	CAUSE_COUNT,
};
struct vmpi_cause {
	enum vmpi_cause_kind kind;
	uint32_t peer; /* other rank, of COMM_WORLD */
	int64_t began; /* ps */
	uint64_t bytes;
};
/* Returns whether the cause is an event of the waiting rank itself. */
static inline bool vmpi_cause_is_own(enum vmpi_cause_kind kind)
{
	return kind == CAUSE_LATE_RECEIVE || kind == CAUSE_SENDING || kind == CAUSE_SENDING_RENDEZVOUS;
}

/* A completed wait of more than zero time: from < to. */
struct vmpi_waited {
	uint32_t rank;
	int64_t from, to;
	const char *call;  /* "MPI_Recv": constant */
	const void *where; /* the call's place in the program: vmpi_where_text */
	struct vmpi_cause cause;
};

/* Steps of a rank's communication in program order: sends, and ends of waits for sends and for messages. */
enum vmpi_step_kind { VMPI_STEP_SEND, VMPI_STEP_SENT, VMPI_STEP_RECEIVED };
struct vmpi_step {
	enum vmpi_step_kind kind;
	uint32_t rank, peer; /* ranks of COMM_WORLD; VMPI_STEP_SENT has no peer */
	int64_t time;        /* ps */
	/* fields of a send */
	uint64_t bytes;
	int64_t gap; /* ps */
	int32_t nic;
};

/* States of a rank, for timelines. A rank is in a call, or computes, or neither; within a call it may wait. */
#define VMPI_COMPUTES "compute" /* the name of computation without a model */
enum vmpi_state_kind {
	VMPI_STATE_CALLS,     /* it is in the call `name` */
	VMPI_STATE_COMPUTES,  /* it computes: `name` is the model's, or VMPI_COMPUTES */
	VMPI_STATE_ENDS,      /* it ends what it has begun last */
	VMPI_STATE_WAITS,     /* it begins to wait in its call */
	VMPI_STATE_CONTINUES, /* it waits no more */
	VMPI_STATE_LAST,      /* the rank has ended */
};
struct vmpi_state {
	enum vmpi_state_kind kind;
	uint32_t rank, node;
	int64_t time;      /* ps; never before the engine's present */
	const char *name;  /* lives as long as the run; of the first two kinds */
	const void *where; /* its place in the program: vmpi_where_text; NULL: unknown */
};

/* A message of the program or of a collective operation, when it is sent, and when it is received. */
struct vmpi_passing {
	int64_t time;           /* ps; never before the engine's present */
	uint64_t serial, bytes; /* serial: of the messages of its sender, from 1 on */
	uint32_t src, dst;      /* ranks of COMM_WORLD */
	int32_t tag;
	bool received; /* its data are there, and a receive has matched it */
};

struct vmpi_cost;
/* Callbacks for logs and communication matrices, called as events occur; NULL: not needed. Times are in ps. */
struct vmpi_observer {
	/* a message is sent; ranks of COMM_WORLD */
	void (*sent)(void *user, int64_t time, uint32_t src, uint32_t dst, int tag, uint64_t bytes);
	void (*state)(void *user, const struct vmpi_state *s);
	void (*message)(void *user, const struct vmpi_passing *m);
	/* the rank computed (Add_time); computed and waited are called in the order of each rank's clock */
	void (*computed)(void *user, uint32_t rank, int64_t from, int64_t to, const void *where);
	void (*waited)(void *user, const struct vmpi_waited *w);
	/*
	 * a model (BSIM_Add_model) says more than the time of a computation, in order of the rank's clock. Not
	 * called on several processes
	 */
	void (*modelled)(void *user, int64_t from, int64_t to, const struct vmpi_cost *cost);
	/* the rank enters a phase (BSIM_Phase); "": none. The name lives as long as the run */
	void (*phase)(void *user, uint32_t rank, int64_t time, const char *name);
	/* the program marks a point of the rank's time (Event). The name lives as long as the run */
	void (*event)(void *user, uint32_t rank, int64_t time, const char *name);
	void (*step)(void *user, const struct vmpi_step *s);
	/*
	 * a message of a call begins: returns net_message.mark of what the engine carries for it. Of several processes
	 * none calls it
	 */
	uint64_t (*origin)(void *user, const char *call, const void *where);
	void *user;
};

/*
 * Models and parameters that skeletons read by name (bsim.h); the program that reads files provides them. NULL
 * functions: none exist.
 */
struct vmpi_cost {
	bool has_energy; /* the model says what the processor's energy is */
	double joules, memory_bytes;
};
struct vmpi_skeleton {
	/* returns whether a model of this name exists */
	bool (*has)(void *user, const char *model);
	/*
	 * evaluates a model in seconds; false with the reason in why[size]: unknown model, wrong number of arguments,
	 * no value
	 */
	bool (*time)(void *user, const char *model, int count, const double *arguments, double *seconds, char *why,
		     size_t size);
	/*
	 * evaluates what a model says besides its time, which has been evaluated; false with the reason. NULL: it is
	 * not needed
	 */
	bool (*cost)(void *user, const char *model, const double *arguments, struct vmpi_cost *cost, char *why,
		     size_t size);
	/* reads a parameter; false if none has this name */
	bool (*parameter)(void *user, const char *name, double *value); /* on entry the program's own value */
	void *user;
};

/*
 * The ranks of a partition of the nodes, where several processes simulate one run (netlink/parallel). Each process has
 * all rows of ranks, and runs those of its nodes.
 */
struct vmpi_partition {
	const uint16_t *owner; /* by node: the process of its ranks; borrowed */
	unsigned me, partitions;
	/* Room for a record of `bytes` to process `to`, aligned to 8 bytes; NULL: memory is short. */
	void *(*put)(void *user, unsigned to, size_t bytes);
	/* Records that are put now have no effect in another process before `time`, in ps, and perhaps one then. */
	void (*soon)(void *user, int64_t time);
	/* A signal requests the end of the run in this process: for the others. Called in a signal handler. */
	void (*ends)(void *user, int signal);
	void *user;
};

/*
 * The place of a rank's step, its turn from one wait to the next. One process gives turns in this order; turns with
 * equal times and orders are of one process, and in its order.
 */
struct step_order {
	int64_t time; /* ps */
	uint64_t order;
};
static inline bool step_order_before(const struct step_order *a, const struct step_order *b)
{
	return a->time != b->time ? a->time < b->time : a->order < b->order;
}

/* How the partition of a run in one process ended. */
struct vmpi_ending {
	struct step_order turn; /* in which a rank failed, or the first one that ended with a status */
	struct err err;
	uint32_t ended; /* ranks */
	uint32_t bad;   /* 1 + the rank that ended with a status other than 0; 0: none */
	int32_t abort_status;
	bool failed;     /* at `turn` */
	bool threads;    /* ranks have had threads */
	bool needs_all;  /* what a rank does runs on one process: `err` says what */
	bool alone;      /* one process has to repeat the run, to say why it fails */
	uint64_t checks; /* those of all add up to 0, if collective operations of all ranks agree (ranks.check) */
};

/* Bytes of the ranks' standard output and standard error. */
struct vmpi_written {
	uint64_t out, error;
};

struct topology;

enum { NODE_NAME_MAX = 64 };

struct vmpi_setup {
	const struct vmpi_config *config;
	const struct net_engine_kind *kind; /* kind of `engine`; all pointers of the struct are borrowed */
	struct net_engine *engine;
	const struct net_engine_kind *alone; /* makes engines of `net`, if not `kind` but a view of such one; or NULL */
	const struct net_setup *net; /* setup for making another engine like this one; NULL: messages cost nothing */
	uint32_t ranks, nodes;
	unsigned nics;           /* NICs per node */
	const uint32_t *mapping; /* node of each rank; NULL: from vmpi_place */
	uint64_t seed;
	int64_t time_limit;                   /* ps; 0: none */
	int64_t sleep_after;                  /* ps of a wait, behind which the processor sleeps; 0: it never does */
	const struct vmpi_observer *observer; /* NULL: none */
	const struct vmpi_skeleton *skeleton; /* NULL: none */
	bool check;       /* checks during the run that no clock of a rank or the engine decreases */
	uint64_t shuffle; /* for tests: ready ranks run in a random order of this seed; 0: in order */
	const struct times
		*times; /* times of collective operations by table, named as in collective_ops.def; NULL: none */
	FILE *out;      /* file for the output of the ranks; NULL: stdout */
	/* Names of nodes, of the network that knows them (NODE_NAME_MAX letters at most); NULL: they have numbers. */
	const char *(*node_name)(const struct topology *names, uint32_t node, char *text);
	const struct topology *names;
	/*
	 * Of several processes each calls the observer for the messages that its ranks send; the first one calls it for
	 * all other events of all ranks (phases: only with waits or states).
	 */
	struct vmpi_written written;            /* what an earlier run has written of standard output and error */
	const struct vmpi_partition *partition; /* NULL: this process has all ranks */
};

/* States of a run. */
enum vmpi_end { VMPI_RUNNING, VMPI_DONE, VMPI_INTERRUPTED, VMPI_FAILED };

/*
 * Places the ranks according to config->ranks and writes the node of each into node[ranks]; `seed` is for the random
 * placement. 0, or -1 with `e` if they do not fit.
 */
int vmpi_place(const struct vmpi_config *config, uint32_t ranks, uint32_t nodes, uint64_t seed, uint32_t *node,
	       struct err *e);

/* Creates the ranks. NULL with `e` on failure: STATUS_USAGE or STATUS_FAILED. Destroy accepts NULL. */
struct vmpi *vmpi_create(const struct vmpi_setup *setup, struct err *e);
void vmpi_destroy(struct vmpi *v);

/*
 * Loads the program at `path` (made by nsimcc) with the arguments argv[0 … argc-1]; argv[0] is its name. 0, or -1 with
 * `e`: STATUS_BAD_INPUT if nsimcc did not make it.
 */
int vmpi_load(struct vmpi *v, const char *path, int argc, char *const argv[], struct err *e);

/* Body of a rank inside the simulator, instead of a loaded program: for tests and traffic. */
typedef int vmpi_body(struct vmpi *v, uint32_t rank, void *user);
void vmpi_set_body(struct vmpi *v, vmpi_body *body, void *user);

/*
 * Runs until all ranks have ended and all messages have arrived (VMPI_DONE), or for `steps` turns of ranks or of the
 * engine, or until a signal requests the end (VMPI_RUNNING: call it again). VMPI_FAILED with `e`: the program is
 * deadlocked (STATUS_STUCK; vmpi_stuck has details) or exceeded the time limit (STATUS_STUCK); it crashed, made an
 * erroneous call, called Abort, or a rank ended with a status other than 0 (STATUS_FAILED).
 */
enum vmpi_end vmpi_run(struct vmpi *v, uint64_t steps, struct err *e);
/*
 * The same for a program beside others on one network (netlink/engine/share.h), whose owner advances the engine: takes
 * the notices that wait for it, and runs ranks up to the present, `now`. vmpi_next is when it has to be called again.
 * Where no rank can run and no message is in flight, vmpi_run says why.
 */
enum vmpi_end vmpi_run_at(struct vmpi *v, int64_t now, struct err *e);
/* Another process continues the run, from an image of the one that began it (psim/base/image). */
void vmpi_continue(struct vmpi *v);

/*
 * ---- several processes ----
 * Simulates all ranks here and the engine up to `until` (inclusive), less if a signal requests the end, or until a rank
 * needs its turn among those of all processes; vmpi_take, and the same `until` with `goes_on`, continue it. 0, or -1
 * with `e` as vmpi_run.
 */
int vmpi_run_to(struct vmpi *v, int64_t until, bool goes_on, struct err *e);
/* Returns why one process has to run all ranks, whatever they call; NULL: several can begin. */
const char *vmpi_alone(const struct vmpi *v);
/* The longest window, in ps: the least time of an operation by a table or by the tree; 0: the engine knows better. */
int64_t vmpi_lookahead(const struct vmpi *v);
/* Returns a lower bound on the time at which a rank here can run; NET_TIME_NEVER: none can. */
int64_t vmpi_next(const struct vmpi *v);
/* Takes records that process `from` has put, at the end of a window. 0, or -1 with `e`. */
int vmpi_take(struct vmpi *v, unsigned from, const void *records, size_t bytes, struct err *e);
/* Gets the id of a message of the engine from another process (struct net_partition). 0, or -1 with `e`. */
int vmpi_name(struct vmpi *v, const struct net_message *m, uint32_t *id, struct err *e);
/*
 * Writes, in the first process, the output of all up to the last window that vmpi_take has completed; `until`: only
 * that of turns up to this one, NULL: all.
 */
void vmpi_write_output(struct vmpi *v, const struct step_order *until);
/* Returns what it has written. */
struct vmpi_written vmpi_written(const struct vmpi *v);
/* Returns how the run here has ended; `stopped`: before its end, in any process. */
struct vmpi_ending vmpi_ending(struct vmpi *v, bool stopped);
/*
 * The endings of all processes, as one process would report them. VMPI_DONE: all ranks have ended; VMPI_RUNNING: ranks
 * wait for ever, and vmpi_fail_stuck comes next; VMPI_FAILED with `e`, `*turn` and vmpi_program_status;
 * VMPI_INTERRUPTED with `e`: only a run on one process can say how it ends.
 */
enum vmpi_end vmpi_judge(struct vmpi *v, const struct vmpi_ending *endings, struct step_order *turn, struct err *e);
/*
 * The ranks here that wait for ever: writes what they wait for to `out` (NULL: nothing), and returns its bytes. The
 * first process adds those of all, and then fails with `e`; vmpi_stuck has the details. 0, or -1 if memory is short.
 */
size_t vmpi_waits(struct vmpi *v, void *out);
int vmpi_add_waits(struct vmpi *v, unsigned from, const void *waits, size_t bytes, struct err *e);
void vmpi_fail_stuck(struct vmpi *v, struct err *e);
/* Makes the waits those that the ranks here had at a turn of the last window. 0, or -1 if memory is short. */
int vmpi_waits_at(struct vmpi *v, const struct step_order *turn, struct err *e);
/*
 * 0, or, in the first process with the results and the output of all, -1 with `e`: a rank ended with a status other
 * than 0, or its output could not be written.
 */
int vmpi_check_end(struct vmpi *v, struct err *e);
/* Returns whether a rank here waits for its turn among those of all processes: vmpi_run_to is to go on. */
bool vmpi_held(const struct vmpi *v);
/* Returns the current turn. */
struct step_order step_order(const struct vmpi *v);
/* Writes the results of the ranks here to `out` (NULL: nothing); returns their bytes. */
size_t vmpi_results(const struct vmpi *v, void *out);
/*
 * Adds those of process `from`; call it for all in order. 0; 1: one process would end the run otherwise, so repeat it
 * there; -1 with `e`.
 */
int vmpi_add_results(struct vmpi *v, unsigned from, const void *results, struct err *e);

/* Writes for a deadlocked run the waits of its ranks: call, peer, place in the program; at most `lines` lines. */
void vmpi_stuck(struct vmpi *v, FILE *out, unsigned lines);

/*
 * Returns whether ranks of a Fortran program have not ended. Such a rank may hold a lock of gfortran's library, for
 * which the end of the process would wait forever: the process has to end by _exit. The program stays loaded.
 */
bool vmpi_in_fortran(const struct vmpi *v);

/*
 * Writes what gfortran's library has in its buffers, which the end of the process by _exit would lose. All ranks here
 * have ended.
 */
void vmpi_flush_fortran(const struct vmpi *v);

/*
 * Adds the group "program", the tables "shares" and "phases", the group "speed", and the table "collectives_by_table",
 * each if it has contents; with `each` also a table of all ranks. May be called at any time.
 */
void vmpi_report(const struct vmpi *v, struct report *r, bool each);

/*
 * Writes the next warning that was not reported yet: a collective operation by table on a communicator for which the
 * table has no rows, at most one per operation. Returns false if there is none.
 */
bool vmpi_warning(struct vmpi *v, char *text, size_t size);

/*
 * Returns whether a signal has ended a rank in a computation without calls, whose end leaves results up to there; then
 * writes which rank, and where, to text[size].
 */
bool vmpi_left(const struct vmpi *v, char *text, size_t size);

/*
 * Returns the status with which the program itself ended a run that failed: that of the first rank whose status was not
 * 0, or the low 8 bits of Abort's code (1 if they are 0). 0: it was not the program that ended the run.
 */
int vmpi_program_status(const struct vmpi *v);

/* Returns how many regular files ranks have opened without MPI's calls: their input and output takes no time. */
uint64_t vmpi_files_opened(const struct vmpi *v);

/* Returns whether ranks have read clocks, and the computation of all took no time. */
bool vmpi_timeless(const struct vmpi *v);

/* Progress of the run: virtual time of the rank that ran last, ranks that have ended, switches of ranks. */
struct vmpi_progress {
	int64_t now;
	uint32_t ended;
	uint64_t switches, messages;
};
struct vmpi_progress vmpi_progress(const struct vmpi *v);

/* Returns the latest of the ranks' clocks in ps. */
int64_t vmpi_end_time(const struct vmpi *v);

/* Returns the factor on the time of a rank's computation ([machine] slowdown, slowdowns, spread), mean of all ranks. */
double vmpi_slowdown(const struct vmpi *v);

/*
 * Returns, after a run, whether the ranks did more operations (BSIM_Flops) than machine.peak allows; then writes the
 * reason to text[size].
 */
bool vmpi_over_peak(const struct vmpi *v, char *text, size_t size);

/* Activity of a rank: in total, or in a phase. ps. */
struct vmpi_activity {
	int64_t time, computed, waited;
	int64_t modelled, asleep; /* parts of `computed`, whose energy models have given, and of `waited` */
	double joules;            /* of the modelled time */
	double memory_bytes;      /* of models */
	double flops;
};
/* Returns that of phase 0 up to vmpi_phases(v) - 1, or VMPI_ALL_PHASES. */
#define VMPI_ALL_PHASES UINT32_MAX
struct vmpi_activity vmpi_activity(const struct vmpi *v, uint32_t rank, uint32_t phase);
unsigned vmpi_phases(const struct vmpi *v);
/* Returns the name, "-" for what is in no phase. */
const char *vmpi_phase_name(const struct vmpi *v, unsigned phase);
/* A checkpoint: the ranks' marks of this number (BSIM_Checkpoint), the first and the last one, in ps. */
enum { VMPI_CHECKPOINTS_MOST = 100000 };
struct vmpi_checkpoint {
	int64_t first, last;
	uint64_t ranks; /* that have marked it: if all, the program can go on from it */
};
/* Returns all that have been marked, in order; *count of them. Those that all ranks have marked come first. */
const struct vmpi_checkpoint *vmpi_checkpoints(const struct vmpi *v, size_t *count);
/* Returns the bytes of all messages that ranks have sent. */
uint64_t vmpi_bytes(const struct vmpi *v);

/* Returns the clock of a rank in ps, at its end if it has ended. */
int64_t vmpi_rank_time(const struct vmpi *v, uint32_t rank);
/* Returns the number of its calls. */
uint64_t vmpi_rank_calls(const struct vmpi *v, uint32_t rank);

/*
 * Visits all points (rank, time) that may still cause the end of a wait: each rank's clock, the begin of each message
 * in flight and of each open request.
 */
void vmpi_points(const struct vmpi *v, void (*point)(void *user, uint32_t rank, int64_t time), void *user);

/* Writes the place of an address in the program, "main (ring.c:12)", to text[size]. */
void vmpi_where_text(const struct vmpi *v, const void *where, char *text, size_t size);

#endif
