/*
 * Ranks, how they wait, and the struct of a whole run, which the folders above share. Requests and messages
 * (../message/message.h) are rows of pools, named by index; 0 is none.
 */
#ifndef PSIM_VMPI_WORLD_H
#define PSIM_VMPI_WORLD_H

#include "../../../psim/base/calendar.h"
#include "../../../psim/base/vec.h"
#include "calls.h"
#include "../objects/comm.h"
#include "context.h"
#include "../objects/datatype.h"
#include "globals.h"
#include "library.h"
#include "../objects/mpi_op.h"
#include "output.h"
#include "pool.h"
#include "../vmpi.h"

enum call_id {
#define CALL(result, name, params, doc) CALL_##name,
#define BSIM(result, name, params, doc) CALL_BSIM_##name,
#define SYSTEM(name, params, doc) CALL_##name,
#include "../api/calls.def"
#undef CALL
#undef BSIM
#undef SYSTEM
	CALL_COUNT,
	CALL_NONE = CALL_COUNT,
};

/* In the order in which they were put in; 0: none. */
struct queue {
	uint32_t first, last;
};

/* Lists of a receiver, by (context, source): match.c. Few lie in one place, more in a hashed table. */
struct place {
	struct queue channel, posted, unexpected;
};
struct places {
	struct place *at, one; /* `at` NULL: `one` */
	uint32_t mask, count;
};

/* ---- ranks ---- */
enum rank_state { RANK_READY, RANK_RUNNING, RANK_WAITING, RANK_ENDED };

enum wait_kind { WAIT_REQUESTS, WAIT_ANY_REQUEST, WAIT_PROBE, WAIT_TOGETHER };
struct wait {
	enum wait_kind kind;
	const VMPI_Request *requests;
	int count;
	int32_t source, tag; /* of a probe */
	uint32_t ctx;
	VMPI_Comm comm;
};

/* What a rank did in one phase, or has done until now. */
struct phase_share {
	int64_t time, computed, waited, late; /* ps; late: of waiting, until the other side began */
	double flops;
};
enum { PHASES_MAX = 64 };
struct phase {
	char *name;
	struct phase_share *of; /* by rank */
};

/*
 * A rank; or a task, which goes through a nonblocking collective for a rank, with a clock and stack of its own
 * (collectives/task.c).
 */
struct rank {
	/* a cache line: what others look at when they send to it, and when a message comes */
	struct places places;
	struct queue posted_any; /* receives from any source */
	struct queue unexpected; /* messages by arrival */
	uint32_t node;
	uint32_t pending; /* completions that it still waits for */
	/* one of its waiting */
	int64_t now, wake;       /* ps */
	struct vmpi_cause cause; /* of its end, as far as it is known; only where somebody observes waits */
	struct wait *wait;       /* of a waiting rank, on its stack */
	uint32_t world;          /* its number in COMM_WORLD; of a task that of its rank */
	uint32_t index;          /* the same; of a task the ranks' number + its row in `tasks` */
	uint16_t call;           /* enum call_id */
	uint16_t phase;
	uint8_t state;
	bool catching_up; /* ready, but only after all that comes before its clock */
	bool begun, initialized;
	/* one of going on */
	struct context context;
	const void *where;
	int32_t nic;
	VMPI_Comm cached_comm; /* whose local rank is cached_rank */
	uint32_t cached_rank;
	int saved_errno;
	/* one of sums and sending */
	uint64_t messages, bytes, received, calls;
	int64_t waited; /* ps */
	int64_t late;   /* ps, of waiting: until the other side began */
	int64_t gap;
	int64_t noise_every, noise_length, noise_next; /* ps */
	/* the rest */
	int64_t computed, ended; /* ps */
	double flops;            /* as it says itself */
	struct phase_share mark; /* its sums when it came into its phase */
	int64_t host_mark;       /* ps of the host's processor: when the program went on, if that is measured */
	uint32_t next_together;  /* of those that wait with it for an operation by a table: 1 + index, 0 */
	uint32_t randoms;        /* numbers drawn by Random */
	uint32_t noises;
	int attached_size;
	void *attached;              /* buffer of buffered sends: not needed, given back */
	int status;                  /* exit status */
	bool init_called, finalized; /* MGEN programs need not call Init */
};

/* Those that can go on, by (clock, index). */
struct ready {
	struct calendar calendar; /* keys are indices */
	struct event *at;         /* of tests, where they go on in any order: a row instead */
	uint32_t count, room;
	bool shuffled;
};

struct times_table; /* engine/table/times.h */

/* Where the chain began that a task waits for (origin.c): a rank of COMM_WORLD, its time; of each message, request */
struct origin {
	uint32_t rank;
	int64_t time;
};
struct origins {
	struct origin *at; /* those of tasks are set */
	uint32_t room;
};

/* collectives/collective.h */
struct collective_algorithm;
struct collective_choice;
struct cost_network;
struct table_use;
struct program;

/* A task's row begins with it. */
struct task_rank {
	struct rank rank;
	struct origin origin;
	uint32_t request; /* 0: the row is free */
};

struct vmpi {
	const struct vmpi_config *cfg;
	struct vmpi_setup setup;
	struct rank *ranks; /* aligned in rank_memory */
	void *rank_memory;
	uint32_t size, ended;
	struct rank *current; /* NULL: the scheduler runs */
	struct context main;
	struct stacks stacks;
	struct ready ready;
	struct pool tasks; /* each begins with its struct task_rank */
	struct pool requests, messages;
	uint64_t posts;
	struct comms comms;
	struct types types;
	struct ops ops;
	struct globals globals, thread_locals;
	struct library library;
	struct output output;
	struct program *program;
	const void **where; /* in the program's gate: where the current call was made; NULL: no program is loaded */
	vmpi_body *body;
	void *body_user;
	int64_t present;   /* of the engine */
	uint64_t shuffled; /* choices by chance so far */
	int64_t overhead;  /* ps, of a call; 0 where messages take no time */
	uint64_t switches, sent_messages;
	const struct times_table **times; /* by collective operation; NULL entries: none */
	struct origins of_message, of_request;
	struct table_use *table_use;                /* the same: what was asked of them */
	const struct collective_algorithm **chosen; /* by operation; NULL entries: automatic */
	struct collective_choice *choices;          /* by operation: the last automatic one */
	struct collective_tree *tree;               /* in hardware; NULL: there is none */
	struct cost_network *network;               /* for what algorithms would take; made when first asked */
	struct phase *phases; /* PHASES_MAX; the first is that of ranks in none; NULL: nobody has named one */
	unsigned phase_count;
	struct vec_of(char *) names; /* of events, kept for logs */
	uint32_t bad;                /* 1 + the first rank with another exit status than 0 */
	bool failed;
	struct err err;
};

static inline uint32_t rank_index(const struct vmpi *v, const struct rank *r)
{
	(void)v;
	return r->world;
}

/* By index: a rank or a task. */
static inline struct rank *rank_by_index(const struct vmpi *v, uint32_t index)
{
	return index < v->size ? &v->ranks[index] : pool_at(&v->tasks, index - v->size);
}

static inline bool rank_is_task(const struct vmpi *v, const struct rank *r)
{
	return r->index >= v->size;
}

/*
 * ---- what is not in the cache, where there are many ranks: asked for before it is needed, and at once instead of one
 * after the other ----
 */
enum { LINE = 64, RANK_LINES = 4, STACK_LINES = 8 }; /* bytes; of a rank what messages and switches touch */

static inline void fetch_lines(const void *at, int lines)
{
	for (int i = 0; i < lines; i++)
		__builtin_prefetch((const void *)((uintptr_t)at + (uintptr_t)i * LINE)); /* `at` may be NULL */
}

/* What the rank returns through when it goes on. */
static inline void fetch_stack(const struct rank *r)
{
	fetch_lines(r->context.sp, STACK_LINES);
}

/* ---- rank.c: clocks and waiting, called by the running rank ---- */

/* Notes which call it is in and where it was called from; every call begins with it. */
struct rank *rank_enter(struct vmpi *v, enum call_id call);

/* The rank's processor is busy for `ps`, more if noise hits it. */
void rank_busy(struct vmpi *v, struct rank *r, int64_t ps);

/* The rank computes; a VMPI_ERR_… after telling why, or VMPI_SUCCESS. */
int rank_compute(struct vmpi *v, struct rank *r, double seconds);

/* What it did from `from` to now was computation. */
void rank_computed(struct vmpi *v, struct rank *r, int64_t from);

/* Tells who observes that the rank waited from `from` to now; `c`: why. */
void rank_waited(struct vmpi *v, struct rank *r, int64_t from, const struct vmpi_cause *c);

/* Waits until r->pending is 0: returns at the time of the last completion. */
void rank_wait(struct vmpi *v, struct rank *r, struct wait *w);

/* Lets the others and the engine catch up with the rank's clock. */
void rank_catch_up(struct vmpi *v, struct rank *r);

/* The rank ends with `status`; does not return. */
__attribute__((noreturn)) void rank_end(struct vmpi *v, struct rank *r, int status);

/* A task has come to its end; does not return. */
__attribute__((noreturn)) void rank_end_task(struct vmpi *v, struct rank *r);

/* The run fails with the message in v->err; does not return where a rank runs. */
void rank_fail(struct vmpi *v);

/* Called by the scheduler, or by a running rank for another one: a completion at `time`, because of `c`. */
void rank_wake(struct vmpi *v, struct rank *r, int64_t time, const struct vmpi_cause *c);

/* Entry of every context: `arg` is the struct vmpi; v->current is the rank. */
void rank_main(void *arg);

/* ---- phase.c ---- */

/* The rank is in the phase of this name from now on. */
void phase_enter(struct vmpi *v, struct rank *r, const char *name);
/* What the rank did in a phase, up to now. */
struct phase_share phase_share(const struct vmpi *v, uint32_t rank, unsigned phase);
/* What it did in all. */
struct phase_share rank_share(const struct vmpi *v, uint32_t rank);
void phases_finish(struct vmpi *v);

/* ---- names.c ---- */

/* The same text, for as long as the run is there; NULL with v->err if memory is short. */
const char *name_keep(struct vmpi *v, const char *name);
void names_finish(struct vmpi *v);

/* ---- shares.c ---- */

/* Adds where the ranks' time went: the tables "shares" and, of named phases, "phases"; the group "speed". */
void shares_report(const struct vmpi *v, struct report *r);

/* ---- ready.c: ranks and tasks that can go on ---- */
int ready_create(struct ready *q, bool shuffled, uint32_t ranks, struct err *e);
void ready_finish(struct ready *q);
/* The rank or task may go on at `time`. */
void ready_push(struct vmpi *v, struct rank *r, int64_t time);

/* ---- mistakes ---- */

/*
 * The running rank made a mistake: returns `code` if the communicator has ERRORS_RETURN, else the run fails
 * with the call, its place and the message.
 */
__attribute__((format(printf, 4, 5))) int rank_error(struct vmpi *v, VMPI_Comm comm, int code, const char *format, ...);

/* "MPI_Recv", for messages. */
const char *call_name(enum call_id call);

/* "main (ring.c:12)" for an address in the program; `size` bytes. */
void program_place(const struct vmpi *v, const void *where, char *text, size_t size);

#endif
