/*
 * Virtual ranks, and the state of a run, which the folders above share.
 *
 * 1. RANKS. A run has `size` ranks in one thread of the host. Each has a clock in picoseconds, a stack (context.h), its
 *    own copy of the program's variables (globals.h) and so its own state of the C library (../libc). A rank is
 *    running (`current`), ready, waiting, or ended. A task is a rank without a number of its own: a nonblocking
 *    collective operation or a thread of a rank, with clock and stack, as a row of the pool `tasks`.
 *
 * 2. STEPS. A step is a rank's activity from one wait to the next. The scheduler (../run/main_loop.c) takes the ready
 *    rank with the least (clock, index) from the calendar, or the engine's next notice, if that is earlier. So one
 *    process has one order of steps, struct step_order; several processes that share the ranks restore it.
 *
 *      program ──▶ calls ──▶ message, collectives ──▶ wait ──▶ scheduler ──▶ engine
 *         ▲                                                        │            │
 *         └───────────────── the rank is ready at `wake` ◀─────────┴── notice ◀─┘
 *
 * 3. CALLS. The program's stubs jump through a table of functions (struct vmpi_calls, a row of ../api/calls.def each),
 *    that of ../calls or that of a recorder, which writes a line and calls the other. A call enters (rank_enter),
 *    checks its arguments, and reports what is wrong through the object's error handler (rank_error).
 *
 * 4. REQUESTS AND MESSAGES (../message/message.h) are rows of pools, named by index; 0 is none. A send makes a message,
 *    which the engine carries by its index. An eager message carries its data. A longer one carries a request to send;
 *    its data follow when a receive has matched. The last request that completes wakes its rank.
 *
 * 5. MATCHING (../message/match.c). A rank has a match_table of match_lists by (context, source): messages in flight,
 *    posted receives, unexpected messages. Few keys share one list; more have a hash table. A context is the number of
 *    a communicator, whose messages match no others.
 *
 * 6. OBJECTS (../objects) are communicators, groups, datatypes, operations and so on. Handles are indices. A
 *    type_envelope is how a program made a datatype.
 *
 * 7. PARTITIONS. Several processes may have a partition of the ranks each (struct vmpi_partitions): all have all rows,
 * and run the
 *    ranks that are `here`. Time advances by windows of the lookahead. Records (../message/remote.h) carry messages,
 *    operations on windows and output. A step with an effect everywhere at once waits for its place in the order
 *    (../run/in_order.c).
 */
#ifndef PSIM_VMPI_WORLD_H
#define PSIM_VMPI_WORLD_H

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/types.h>

#include "../../../psim/base/calendar.h"
#include "../../../psim/base/vec.h"
#include "calls.h"
#include "../objects/attribute.h"
#include "../objects/comm.h"
#include "context.h"
#include "../objects/datatype.h"
#include "../objects/errhandler.h"
#include "../objects/mpi_info.h"
#include "../objects/mpi_op.h"
#include "pool.h"
#include "../vmpi.h"

#define ARGUMENT_TYPE(name) VMPI_##name /* ../api/call_arguments.h */

enum call_id {
#define CALL(result, name, params, doc, trace) CALL_##name,
#define BSIM(result, name, params, doc) CALL_BSIM_##name,
#define SYSTEM(name, params, doc) CALL_##name,
#include "../api/calls.def"
#undef CALL
#undef BSIM
#undef SYSTEM
#define THREAD(name) CALL_##name,
#include "../api/thread_calls.def"
#undef THREAD
	CALL_COUNT,
	CALL_NONE = CALL_COUNT,
};

/* A list in order of insertion; 0: none. */
struct queue {
	uint32_t first, last;
};

/* A receiver's lists by (context, source), which match.c uses. A few share one bucket; more have a hash table. */
struct match_list {
	struct queue channel, posted, unexpected;
};
struct match_table {
	struct match_list *at, one; /* `at` NULL: `one` */
	uint32_t mask, count;
};

/* ---- ranks ---- */
enum rank_state { RANK_READY, RANK_RUNNING, RANK_WAITING, RANK_ENDED };

enum wait_kind { WAIT_REQUESTS, WAIT_ANY_REQUEST, WAIT_PROBE, WAIT_TOGETHER, WAIT_WINDOW, WAIT_THREAD };
struct wait {
	enum wait_kind kind;
	const VMPI_Request *requests;
	int count;
	int32_t source, tag; /* of a probe */
	uint32_t ctx;
	VMPI_Comm comm;
	int64_t deadline; /* ps, of WAIT_THREAD: the alarm that ends it */
	bool any_alarm;   /* every alarm ends it */
	bool woken;       /* of WAIT_THREAD: by another thread */
};

/* Activity of a rank in one phase, or in total. */
struct phase_share {
	int64_t time, computed, waited, late; /* ps; late: part of waiting, until the other side began */
	int64_t asleep, modelled; /* ps; of waiting: behind setup.sleep_after; of computing: by models with energy */
	double flops, joules, memory_bytes; /* joules: of the modelled time */
};
enum { PHASES_MAX = 64 };
struct phase {
	char *name;
	struct step_order first; /* in which it was named, where several processes have the ranks */
	struct phase_share *of;  /* by rank */
};

/*
 * A rank; or a task, which has a clock and a stack of its own: it runs a nonblocking collective on behalf of a rank
 * (collectives/task.c), or is a thread of a rank (rank_thread.c).
 */
struct rank {
	/* cache line 1: what other ranks touch when they send to it, and what a message's arrival touches */
	struct match_table matches;
	struct queue posted_any; /* receives from any source */
	struct queue unexpected; /* messages by arrival */
	uint32_t node;
	uint32_t pending; /* completions that it waits for */
	/* cache line 2: waiting */
	int64_t now, wake;       /* ps */
	struct vmpi_cause cause; /* of the wait's end, as far as known; only if waits are observed */
	struct wait *wait;       /* of a waiting rank, on its stack */
	uint32_t world;          /* its rank in COMM_WORLD; of a task, its rank's */
	uint32_t index;          /* the same; of a task, the number of ranks + its row in `tasks` */
	uint16_t call;           /* enum call_id */
	uint16_t phase;
	uint8_t state;
	bool catching_up; /* ready, but only after all events before its clock */
	bool begun, initialized;
	/* cache line 3: resuming */
	struct context context;
	const void *where;
	int32_t nic;
	VMPI_Comm cached_comm; /* communicator whose local rank is cached_rank */
	uint32_t cached_rank;
	int saved_errno;
	/* cache line 4: sums, and sending */
	uint64_t messages, bytes, received, calls;
	uint64_t posts; /* receives posted so far: the order of those from any source among the others */
	int64_t waited; /* ps */
	int64_t late;   /* ps, part of waiting: until the other side began */
	int64_t gap;
	int64_t noise_every, noise_length, noise_next; /* ps */
	/* the rest */
	int64_t computed, ended;  /* ps */
	double flops;             /* as reported by the program */
	int64_t asleep, modelled; /* as in struct phase_share */
	double joules, memory_bytes;
	struct phase_share mark; /* its sums at the start of its phase */
	int64_t host_mark;      /* ps of host processor time when the program was resumed, if computation is measured */
	uint32_t next_at_table; /* list of ranks that wait for an operation by a table: 1 + index, 0: none */
	uint32_t randoms;       /* numbers that Random has drawn */
	uint32_t noises;
	double slowdown;                               /* factor on the time of its computation */
	uint64_t computations;                         /* factors of variation that were drawn */
	uint32_t receives_posted, messages_unexpected; /* entries of its queues; kept if mpi.search is not 0 */
	int attached_size;
	void *attached;              /* the program's buffer for buffered sends: unused, but returned on detaching */
	int status;                  /* exit status */
	bool init_called, finalized; /* MGEN programs need not call Init */
	uint8_t thread_level;        /* VMPI_THREAD_…, 0 after Init */
	struct thread *thread;       /* NULL: it is no thread */
};

/* Ranks and tasks that can run, by (clock, index). */
struct ready {
	struct calendar calendar; /* keys are indices */
	struct event *at;         /* for tests with random order: an array instead */
	uint32_t count, room;
	bool shuffled;
};

/* The prefix of a program's calls, after that of its main function. */
enum call_prefix { CALLS_MPI, CALLS_MGEN, CALLS_LMPI, CALL_PREFIXES };

/* Called when the running rank has received a message. */
struct request;
typedef void vmpi_received(struct vmpi *v, uint32_t request, const struct request *q);

/* Called before and behind the making of communicators, of which the running rank gets `made` (COMM_NULL: none). */
struct split_hook {
	void (*begins)(struct vmpi *v);
	void (*done)(struct vmpi *v, VMPI_Comm comm, int color, int key, VMPI_Comm made);
};

/* Called when a request is complete at `time`, with the cause; NULL: the rank itself. */
typedef void vmpi_completed(struct vmpi *v, uint32_t request, int64_t time, const struct vmpi_cause *c);

/* Writes the place of an operation in a schedule; `where` is not NULL. */
typedef void vmpi_placing(const void *schedule, const void *where, char *text, size_t size);

/* Writes the place of a rank in a trace. */
typedef void vmpi_tracing(const void *trace, uint32_t rank, char *text, size_t size);

/* Origin of the chain of messages for which a task waits (origin.c): a rank of COMM_WORLD and its time. */
struct origin {
	uint32_t rank;
	int64_t time;
};
struct origins {
	struct origin *at; /* only entries of tasks are set */
	uint32_t room;
};

struct collective_state;
struct loaded;
struct recorder;
struct checks;
struct program;
struct slice;
struct thread;

/* The first member of a task's row. */
struct task_rank {
	struct rank rank;
	struct origin origin;
	uint64_t key;     /* in the ready queue: ready.h */
	uint32_t next;    /* the next task of its rank, 0: none */
	uint32_t request; /* 0: the row is free */
};

/* Output of a rank in one turn, lines of its trace, a call for an archive, an event for the observer */
enum written_kind { WRITTEN_OUT, WRITTEN_ERROR, WRITTEN_TRACE, WRITTEN_CALL, WRITTEN_EVENT };
struct written {
	struct step_order turn;
	uint32_t seq;
	enum written_kind kind;
	char *text;
	size_t bytes;
};

/* Waits of ranks before a change: ../run/past_waits.c. */
struct past_wait;
struct past_waits {
	struct vec_of(struct past_wait) at; /* in this window, in order */
	bool threads;                       /* a rank has had threads */
};

/* Messages from another process that the engine has not named yet, by their serial numbers: rows of `messages`. */
struct arriving {
	uint32_t first; /* serial number of the first row */
	size_t done;    /* the first rows that have been named */
	struct vec_of(uint32_t) row;
};

/* Order of turns over all processes: ../run/in_order.c. */
struct in_order {
	struct rank *held;        /* waits for its turn, which is the current one here; NULL: none does */
	struct step_order others; /* no other process has an earlier one, but its latest may have been this one */
	struct step_order failed; /* the first in which another process has failed */
};

struct record; /* ../message/remote.h */
struct step_record;

/* This process' partition of the ranks, where several simulate one run. */
struct vmpi_partitions {
	struct vmpi_partition partition;
	int64_t lookahead; /* vmpi_lookahead */
	/* what floors above take from other processes: operations by a table, and turns in which another one stops */
	int (*take_table)(struct vmpi *v, const struct record *r, struct err *e);
	void (*take_turn)(struct vmpi *v, const struct step_record *r);
	bool *here;                 /* by rank */
	uint32_t *serial;           /* by process: messages sent to it */
	struct arriving *arriving;  /* by process */
	struct step_order turn;     /* current */
	struct step_order bad_turn; /* in which the rank `bad` ended */
	bool needs_all;             /* what the run needs does not work on several processes */
	bool in_turn;               /* a rank has the turn */
	struct in_order in_order;
	struct want *wants;                        /* of all ranks, in the first process: stuck.c; NULL: not there */
	bool wants_own;                            /* `wants` has those of the ranks here, too */
	struct vec_of(struct thread_wait) threads; /* that wait in other processes */
	struct past_waits past;
	/* called before a rank's wait changes; NULL: without a time limit */
	void (*changes)(struct vmpi *v, uint32_t rank);
	struct vec_of(struct written) written; /* in the first process: not written yet */
	const struct vmpi_observer *observer;  /* the caller's; that of the setup hands over to the first process */
	struct vmpi_observer hand_over;
	struct vmpi_written done; /* written */
};

/* MPI's data of a rank besides its communication. */
struct rank_own {
	struct error_codes codes; /* that the program added */
	int last_code;            /* LASTUSEDCODE */
	int file_errhandler;      /* of files to be opened */
	uint32_t task;            /* row of the latest task in progress, 0: none */
	uint32_t tasks;           /* started so far */
	uint32_t selfs;           /* communicators of the rank alone that it has made */
	bool in_fortran;          /* its next call with an attribute's value is Fortran's */
	uint32_t threads;         /* that run besides that of main */
	uint32_t main_thread;     /* index of the thread that called Init */
	int64_t timer;            /* ps: its first call from then on calls `due`; NET_TIME_NEVER: none */
	void (*due)(void);        /* of the program */
};

/* Why ranks are to end: a signal has requested it; the running rank's clock has not moved for ranks.loop_limit. */
enum end_due { END_NONE, END_SIGNAL, END_STILL };

/*
 * Parts of struct vmpi that some folders alone use: README.md of netlink/vmpi has which. `loaded` is in loaded.h.
 */

/* Requests, messages, and what sends messages by itself: ../message. */
struct vmpi_messages {
	struct pool requests, messages;
	uint32_t starting; /* persistent request for which a collective operation begins; 0: it makes its own */
	uint64_t sent;
	struct origins of_message, of_request;
	struct windows *windows; /* NULL: none yet */
	struct files *files;     /* NULL: none yet */
};

/* MPI's objects that no message needs: ../objects, used by ../calls. */
struct vmpi_objects {
	struct attributes attributes;
	struct infos infos;
	struct errhandlers errhandlers;
	struct rank_own *own; /* by rank */
	int universe;         /* the attribute UNIVERSE_SIZE */
};

/* Hooks of a trace that is written or replayed (../replay); all are NULL without one. */
struct vmpi_trace {
	struct recorder *recorder;      /* of calls */
	vmpi_received *received;        /* for an archive of the recorder */
	const struct split_hook *split; /* of the recorder */
	vmpi_completed *completed;      /* of requests that are `reported` */
	vmpi_placing *place;            /* in a schedule, of what `where` points to; NULL: in the program */
	void *schedule;                 /* theirs */
	vmpi_tracing *rank_place;       /* of ranks that replay a trace */
	const void *of;                 /* theirs */
};

/* Phases and states, for reports and the observer. */
struct vmpi_seen {
	struct phase *phases; /* PHASES_MAX entries, the first for ranks in no phase; NULL: none named yet */
	unsigned phase_count;
	struct vec_of(char *) names; /* of events and models, kept for logs */
	struct slice *slices;        /* by rank, for the observer's states: slices.h; NULL: it gets none */
	struct vec_of(struct vmpi_checkpoint) checkpoints;
	uint32_t *marked; /* by rank: its checkpoints; NULL: none yet */
};

/* The program's dealings with the host. */
struct vmpi_outside {
	pid_t process;            /* others are copies that a rank has forked, and no ranks end there */
	pthread_t thread;         /* that runs all ranks */
	atomic_bool other_thread; /* another one has made a call */
	struct err other_thread_err;
	bool timers;     /* a rank has had a timer */
	bool clock_read; /* ranks have read clocks */
	uint64_t opened; /* files that ranks have opened, but for those of MPI */
};

/* How a run ends. */
struct vmpi_why_ended {
	uint32_t bad;              /* 1 + the first rank whose exit status is not 0 */
	volatile sig_atomic_t due; /* enum end_due: no rank goes on behind its next call */
	char left_at[160];         /* where a rank was that made none, which the signal has ended; "": nowhere */
	bool by_status;            /* the run failed because of `bad` */
	int abort_status;          /* exit status that Abort gives; 0: it was not called */
};

struct vmpi {
	const struct vmpi_config *cfg;
	struct vmpi_setup setup;
	/* the ranks and their order */
	struct rank *ranks; /* aligned within rank_memory */
	void *rank_memory;
	uint32_t size, ended;
	struct rank *current; /* NULL: the scheduler runs */
	struct context main;
	struct stacks stacks;
	struct ready ready;
	struct pool tasks; /* rows begin with a struct task_rank */
	uint32_t threads;  /* of all ranks, besides those of main */
	int64_t present;   /* time of the engine */
	uint64_t shuffled; /* random choices so far */
	uint64_t switches;
	struct vmpi_partitions *divided; /* NULL: this process has all ranks */
	/* what calls cost */
	int64_t overhead;                /* ps per call; 0 if messages take no time */
	int64_t search;                  /* ps of passing an entry of a queue; the same */
	const struct protocol *protocol; /* hosts.h; NULL: [mpi] has what holds */
	uint64_t copied_most;            /* bytes: data of messages up to this size are copied when they are sent */
	/* what ranks run */
	const struct vmpi_calls *calls; /* that the program gets: those of ../calls, or the recorder's */
	const bool *refused;            /* by call: what fails the run; NULL: none */
	struct checks *checks;          /* of calls against each other; NULL: ranks.check=no */
	const void **where; /* in the program's gate: call site of the current call; NULL: no program is loaded */
	vmpi_body *body;
	void *body_user;
	struct loaded *loaded;
	/* objects */
	struct comms comms;
	struct types types;
	struct ops ops;
	struct collective_state *collective; /* ../collectives/collective.h */
	struct vmpi_objects mpi;
	struct vmpi_messages msg;
	struct vmpi_trace trace;
	struct vmpi_seen seen;
	struct vmpi_outside outside;
	struct vmpi_why_ended end;
	bool failed;
	struct err err;
};

/* Finds a rank or a task by index. */
static inline struct rank *rank_by_index(const struct vmpi *v, uint32_t index)
{
	return index < v->size ? &v->ranks[index] : pool_at(&v->tasks, index - v->size);
}

/* Writes the name of a node, as programs and viewers see it; returns `text`. */
static inline const char *rank_node_name(const struct vmpi *v, uint32_t node, char text[NODE_NAME_MAX])
{
	if (v->setup.node_name)
		return v->setup.node_name(v->setup.names, node, text);
	snprintf(text, NODE_NAME_MAX, "node%u", node);
	return text;
}

/* Returns whether the rank is in another process. */
static inline bool rank_is_away(const struct vmpi *v, uint32_t rank)
{
	return __builtin_expect(v->divided != NULL, 0) && !v->divided->here[rank];
}

static inline struct rank_own *rank_own(const struct vmpi *v)
{
	return &v->mpi.own[v->current->world];
}

static inline bool rank_is_task(const struct vmpi *v, const struct rank *r)
{
	return r->index >= v->size;
}

/* Returns whether it is a task that runs a collective operation. */
static inline bool rank_is_operation(const struct vmpi *v, const struct rank *r)
{
	return rank_is_task(v, r) && !r->thread;
}

/* Owner of the requests that it makes: itself, of a thread its rank. */
static inline uint32_t rank_owner(const struct vmpi *v, const struct rank *r)
{
	return __builtin_expect(rank_is_task(v, r), 0) && r->thread ? r->world : r->index;
}

/* The running rank, also where one of its threads or operations runs. */
static inline struct rank *rank_process(const struct vmpi *v)
{
	return &v->ranks[v->current->world];
}

/* ---- prefetching: with many ranks their data are not in the cache ---- */
enum { LINE = 64, RANK_LINES = 4, STACK_LINES = 8 }; /* bytes; lines of a rank that messages and switches touch */

static inline void fetch_line(const void *at, unsigned line)
{
	__builtin_prefetch((const void *)((uintptr_t)at + (uintptr_t)line * LINE)); /* `at` may be NULL */
}

/* `lines`: 2, 4 or 8, a constant; not a loop, which compilers keep. */
static inline void fetch_lines(const void *at, int lines)
{
	fetch_line(at, 0);
	fetch_line(at, 1);
	if (lines >= 4) {
		fetch_line(at, 2);
		fetch_line(at, 3);
	}
	if (lines >= 8) {
		fetch_line(at, 4);
		fetch_line(at, 5);
		fetch_line(at, 6);
		fetch_line(at, 7);
	}
}

/* Prefetches the stack frames through which a rank will return. */
static inline void fetch_stack(const struct rank *r)
{
	fetch_lines(r->context.sp, STACK_LINES);
}

/* ---- rank.c: clocks and waiting, called by the running rank ---- */

/* Every call begins here: notes the call and its place in the program. */
struct rank *rank_enter(struct vmpi *v, enum call_id call);

/* Calls what the rank's timer is for, if its time has come. It may leave the call for good by a jump. */
void rank_timer_due(struct vmpi *v, struct rank *r);
static inline void rank_timer(struct vmpi *v, struct rank *r)
{
	if (__builtin_expect(v->outside.timers, 0))
		rank_timer_due(v, r);
}

/* The rank's processor is busy for `ps`, plus noise. */
void rank_busy(struct vmpi *v, struct rank *r, int64_t ps);

/* The rank's processor is idle for `ns`, as in sleep. */
void rank_sleep(struct vmpi *v, struct rank *r, int64_t ns);

/* The rank computes; returns VMPI_SUCCESS, or a VMPI_ERR_… after reporting it. */
int rank_compute(struct vmpi *v, struct rank *r, double seconds);

/* Returns the factor on the time of the rank's next computation (slowdowns.h). */
double rank_slowdown(const struct vmpi *v, struct rank *r);

/* As rank_compute, by a model of this name, and what it costs; NULL: nothing is known of that. */
int rank_compute_by(struct vmpi *v, struct rank *r, double seconds, const char *model, const struct vmpi_cost *cost);

/* Counts the time from `from` to now as computation, of a model of this name, or NULL. */
void rank_computed_by(struct vmpi *v, struct rank *r, int64_t from, const char *model);
static inline void rank_computed(struct vmpi *v, struct rank *r, int64_t from)
{
	rank_computed_by(v, r, from, NULL);
}

/* Reports to the observer that the rank waited from `from` to now; `c` is the cause. */
void rank_waited(struct vmpi *v, struct rank *r, int64_t from, const struct vmpi_cause *c);

/* Counts `ps` of waiting, and how much of it the processor sleeps. */
static inline void rank_count_wait(const struct vmpi *v, struct rank *r, int64_t ps)
{
	r->waited += ps;
	if (v->setup.sleep_after && ps > v->setup.sleep_after)
		r->asleep += ps - v->setup.sleep_after;
}

/* Waits until r->pending is 0; returns at the time of the last completion. */
void rank_wait(struct vmpi *v, struct rank *r, struct wait *w);

/* Waits until `time`, for that reason; not at all if the rank's clock is there. */
void rank_wait_until(struct vmpi *v, struct rank *r, struct wait *w, int64_t time, const struct vmpi_cause *c);

/*
 * Waits until r->pending is 0 or until an alarm (ready_alarm); the caller counts the time. `waits`: the observer gets
 * the state.
 */
void rank_pause(struct vmpi *v, struct rank *r, struct wait *w, bool waits);

/* Lets all other ranks and the engine catch up with the rank's clock. */
void rank_catch_up(struct vmpi *v, struct rank *r);

/*
 * A call that a program may repeat until another rank has acted, such as a test: it takes at least 1 ns, or a loop of
 * them would never end where calls take no time. Then all others catch up.
 */
void rank_poll(struct vmpi *v, struct rank *r);

/*
 * As rank_catch_up for the running rank, and for ranks in other processes, too: what it does next in this turn is in
 * order of virtual time with what others do after such a call. Records put now are there before their next one returns.
 */
void rank_in_order(struct vmpi *v);

/* Returns VMPI_SUCCESS if the running thread may communicate, or a VMPI_ERR_… after reporting it. */
int rank_check_ready(struct vmpi *v);

/* Ends the rank of `r` and all of its threads with `status`, or a process that it has forked; does not return. */
__attribute__((noreturn)) void rank_end(struct vmpi *v, struct rank *r, int status);

/* Ends a task; does not return. */
__attribute__((noreturn)) void rank_end_task(struct vmpi *v, struct rank *r);

/* Fails the run with the message in v->err. A rank runs: it is left for good. */
_Noreturn void rank_stop(struct vmpi *v);

/*
 * Fails the run likewise, for what both ranks and the scheduler do, such as matching a message. Returns -1 where the
 * scheduler runs, which ends when its callers have returned. A running rank stops here.
 */
__attribute__((warn_unused_result)) int run_fail(struct vmpi *v);

/*
 * Fails a run on several processes as run_fail: `what` needs all ranks in one. The run is then repeated on one process,
 * where this returns 0.
 */
int run_needs_all(struct vmpi *v, const char *what);

/* Notifies a rank of a completion at `time` with cause `c`. The scheduler or another rank calls it. */
void rank_wake(struct vmpi *v, struct rank *r, int64_t time, const struct vmpi_cause *c);

/* Announces that the wait of a rank is about to change. */
static inline void rank_changes(struct vmpi *v, uint32_t rank)
{
	if (__builtin_expect(v->divided != NULL, 0) && v->divided->changes)
		v->divided->changes(v, rank);
}

/* The context of a rank or thread must call this first. */
void rank_begun(struct vmpi *v, struct rank *r);

/* Entry point of every context: `arg` is the struct vmpi; v->current is the rank. */
void rank_main(void *arg);

/* ---- phase.c ---- */

/* The rank enters the phase of this name. */
void phase_enter(struct vmpi *v, struct rank *r, const char *name);
/* Returns the activity of the rank in a phase until now. */
struct phase_share phase_share(const struct vmpi *v, uint32_t rank, unsigned phase);
/* Returns the activity of the rank in total. */
struct phase_share rank_share(const struct vmpi *v, uint32_t rank);
void phases_finish(struct vmpi *v);
/* Writes the phases of the ranks here to `out` (NULL: nothing); returns their bytes, a multiple of 8. */
size_t phases_results(const struct vmpi *v, void *out);
/*
 * Adds those of the ranks in process `from`. 0; 1: there are more names than one run may have; -1 with v->err. Then
 * phases_order puts all into the order in which one process would have named them.
 */
int phases_add(struct vmpi *v, unsigned from, const void *results);
void phases_order(struct vmpi *v);

/* ---- checkpoints.c ---- */

/* The rank has saved its state (BSIM_Checkpoint). 0, or -1: it has VMPI_CHECKPOINTS_MOST. */
int checkpoint_mark(struct vmpi *v, const struct rank *r);
void checkpoints_finish(struct vmpi *v);
/* Writes those of the ranks here to `out` (NULL: nothing); returns their bytes, a multiple of 8. */
size_t checkpoints_results(const struct vmpi *v, void *out);
/* Adds those of another process; returns their bytes, or 0 with v->err. */
size_t checkpoints_add(struct vmpi *v, const void *results);

/* ---- names.c ---- */

/* Returns a copy of `name` that lives as long as the run; NULL with v->err if memory is short. */
const char *name_keep(struct vmpi *v, const char *name);
void names_finish(struct vmpi *v);

/* ---- shares.c ---- */

/* Reports where the ranks' time went: tables "shares" and, if phases are named, "phases"; group "speed". */
void shares_report(const struct vmpi *v, struct report *r);

/* ---- ready.c: the ready queue ---- */
int ready_create(struct ready *q, bool shuffled, uint32_t ranks, struct err *e);
void ready_finish(struct ready *q);
/* Makes the rank resume at `time` if it then pauses. */
void ready_alarm(struct vmpi *v, const struct rank *r, int64_t time);
/* Makes the rank or task ready at `time`. */
void ready_push(struct vmpi *v, struct rank *r, int64_t time);
/* Lists the new task in row `i` with its rank, and sets its key. 0, or -1 with v->err: the rank has too many. */
int ready_add_task(struct vmpi *v, uint32_t i);
void ready_drop_task(struct vmpi *v, uint32_t i);

/* ---- errors ---- */

/*
 * Reports an error of the running rank: returns `code` if the rank has ERRORS_RETURN on the communicator, else fails
 * the run with the call, its place and the message. Calls without a valid communicator pass COMM_WORLD (MPI 3.1, 8.3);
 * with 0 the error always fails the run.
 */
__attribute__((format(printf, 4, 5))) int rank_error(struct vmpi *v, VMPI_Comm comm, int code, const char *format, ...);

/* As rank_error, by the error handler of another object, a window or a file. */
__attribute__((format(printf, 5, 6))) int rank_error_by(struct vmpi *v, int handler, int object, int code,
							const char *format, ...);

/* The call's name for messages, as the program writes it: "MPI_Recv", "LMPI_Recv". */
const char *call_name(const struct vmpi *v, enum call_id call);
/* The call's name with MPI's own prefix. */
const char *call_mpi_name(enum call_id call);

/*
 * The running rank exits with `status`: calls functions that it has registered, and destructors. If ranks share their
 * variables, only the last one does.
 */
void program_exit(struct vmpi *v, int status);

/* Address of the loaded program, which differs between processes; 0: none is loaded. */
uintptr_t program_base(const struct vmpi *v);

/* Writes the place of an address in the program, such as "main (ring.c:12)"; `size` bytes. */
void program_place(const struct vmpi *v, const void *where, char *text, size_t size);

/* Writes the place of a rank's call; in a trace, which has no addresses, the rank's present line. */
void rank_place(const struct vmpi *v, uint32_t rank, const void *where, char *text, size_t size);

#endif
