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
#include "vmpi_config.h"

struct vmpi;
struct times; /* engine/table/times.h */

/*
 * What the end of a wait came from: an event on the rank's own way or on another one's, at `began`. What passed
 * from then to the wait's end, messages under way or what kept them, is communication.
 */
enum vmpi_cause_kind {
	CAUSE_SENT,          /* the peer sent; the data have arrived */
	CAUSE_ASKED,         /* the peer sent; request, answer, data */
	CAUSE_RECEIVED_LATE, /* own receive, of a message that had asked before: answer, data */
	CAUSE_LEAVING,       /* own send: the data have left */
	CAUSE_LEAVING_ASKED, /* own send: request, answer, data have left */
	CAUSE_LEAVING_LATE,  /* the peer's receive, after own request: answer, data have left */
	CAUSE_TOGETHER,      /* an operation of many: the peer came last, or a chain of messages began there */
	CAUSE_COUNT,
};
struct vmpi_cause {
	enum vmpi_cause_kind kind;
	uint32_t peer; /* the other rank of COMM_WORLD */
	int64_t began; /* ps */
	uint64_t bytes;
};
/* Did it begin on the waiting rank itself? */
static inline bool vmpi_cause_is_own(enum vmpi_cause_kind kind)
{
	return kind == CAUSE_RECEIVED_LATE || kind == CAUSE_LEAVING || kind == CAUSE_LEAVING_ASKED;
}

/* A wait that is over and lasted: from < to. */
struct vmpi_waited {
	uint32_t rank;
	int64_t from, to;
	const char *call;  /* "MPI_Recv": constant */
	const void *where; /* the call's place in the program: vmpi_where_text */
	struct vmpi_cause cause;
};

/* What a rank's own communication is made of, in its order: sends, and the ends of waits for sends and messages. */
enum vmpi_step_kind { VMPI_STEP_SEND, VMPI_STEP_SENT, VMPI_STEP_RECEIVED };
struct vmpi_step {
	enum vmpi_step_kind kind;
	uint32_t rank, peer; /* of COMM_WORLD; peer: not of VMPI_STEP_SENT */
	int64_t time;        /* ps */
	/* of a send */
	uint64_t bytes;
	int64_t gap; /* ps */
	int32_t nic;
};

/* What happens, as it happens, for logs and communication matrices; NULL: not asked for. Times in ps. */
struct vmpi_observer {
	/* a message goes out; ranks of COMM_WORLD */
	void (*sent)(void *user, int64_t time, uint32_t src, uint32_t dst, int tag, uint64_t bytes);
	/* the rank begins to wait in the call `state`, or (NULL) goes on; never before the engine's present */
	void (*state)(void *user, uint32_t rank, uint32_t node, int64_t time, const char *state);
	/* the rank computed (Add_time); of each rank in the order of its clock, like the next */
	void (*computed)(void *user, uint32_t rank, int64_t from, int64_t to, const void *where);
	void (*waited)(void *user, const struct vmpi_waited *w);
	/* the rank is in another phase from now on (BSIM_Phase); "": in none. The name lives as long as the run */
	void (*phase)(void *user, uint32_t rank, int64_t time, const char *name);
	/* the program names a point of the rank's time (Event). The name lives as long as the run */
	void (*event)(void *user, uint32_t rank, int64_t time, const char *name);
	void (*step)(void *user, const struct vmpi_step *s);
	void *user;
};

/* What skeletons ask for by name (bsim.h), answered by whoever knows files. NULL functions: there is nothing. */
struct vmpi_skeleton {
	/* Is there a model of this name? */
	bool (*has)(void *user, const char *model);
	/* Its seconds; false with the reason in why[size]: no such model, another number of arguments, no value. */
	bool (*time)(void *user, const char *model, int count, const double *arguments, double *seconds, char *why,
		     size_t size);
	/* A number; false if there is none of this name. */
	bool (*parameter)(void *user, const char *name, double *value); /* at first the program's own value */
	void *user;
};

struct vmpi_setup {
	const struct vmpi_config *config;
	const struct net_engine_kind *kind; /* of `engine`; both borrowed, like all of these */
	struct net_engine *engine;
	const struct net_setup *net; /* from which another one like it is made; NULL: messages cost nothing */
	uint32_t ranks, nodes;
	unsigned nics;           /* of a node */
	const uint32_t *mapping; /* node of each rank; NULL: as vmpi_place has it */
	uint64_t seed;
	int64_t time_limit;                   /* ps; 0: none */
	const struct vmpi_observer *observer; /* NULL: none */
	const struct vmpi_skeleton *skeleton; /* NULL: none */
	bool check;                /* clocks never go back, of ranks and of the engine: looked at as it goes */
	uint64_t shuffle;          /* tests: ready ranks run in an order by chance, of this seed; 0: not */
	const struct times *times; /* of collective operations by table, named as in collective_ops.def; NULL: none */
	FILE *out;                 /* where the lines go that ranks write; NULL: stdout */
};

/* What the program made of it. */
enum vmpi_end { VMPI_RUNNING, VMPI_DONE, VMPI_INTERRUPTED, VMPI_FAILED };

/*
 * The node of each rank as config->ranks says, into node[ranks]. 0, or -1 with `e` if they do not fit. `seed`: of
 * the random placement.
 */
int vmpi_place(const struct vmpi_config *config, uint32_t ranks, uint32_t nodes, uint64_t seed, uint32_t *node,
	       struct err *e);

/* Makes the ranks; NULL and `e` (STATUS_USAGE, STATUS_FAILED). Destroy accepts NULL. */
struct vmpi *vmpi_create(const struct vmpi_setup *setup, struct err *e);
void vmpi_destroy(struct vmpi *v);

/*
 * Loads the program at `path` (made by nsimcc) with the arguments argv[0 … argc-1], argv[0] its name. 0, or
 * -1 with `e`: STATUS_BAD_INPUT if it is no such program.
 */
int vmpi_load(struct vmpi *v, const char *path, int argc, char *const argv[], struct err *e);

/* A rank's body in the simulator itself, instead of a loaded program: for tests and traffic. */
typedef int vmpi_body(struct vmpi *v, uint32_t rank, void *user);
void vmpi_set_body(struct vmpi *v, vmpi_body *body, void *user);

/*
 * Runs until all ranks have ended (VMPI_DONE), or for `steps` turns of ranks or of the engine (VMPI_RUNNING:
 * call it again). VMPI_FAILED and `e`: the program is stuck (STATUS_STUCK; vmpi_stuck tells more), went over the time
 * limit (STATUS_STUCK), crashed, made a mistake, called Abort, or a rank ended with a status other than 0
 * (STATUS_FAILED).
 */
enum vmpi_end vmpi_run(struct vmpi *v, uint64_t steps, struct err *e);

/* Of a run that is stuck: who waits for what and where, at most `lines` lines. */
void vmpi_stuck(struct vmpi *v, FILE *out, unsigned lines);

/*
 * Ranks of a Fortran program have not ended: one may hold a lock of gfortran's library, which would be waited
 * for for ever at the end of the process; it has to end by _exit. The program stays loaded.
 */
bool vmpi_in_fortran(const struct vmpi *v);

/*
 * Adds the group "program", the tables "shares" and "phases", the group "speed", the table "collectives_by_table"
 * where there are such; with `each` a table of all ranks. At any time.
 */
void vmpi_report(const struct vmpi *v, struct report *r, bool each);

/*
 * A warning that was not told yet: a collective operation by table on a communicator that the table has no rows
 * for. At most one for each operation. False: there is none.
 */
bool vmpi_warning(struct vmpi *v, char *text, size_t size);

/* Where the run is: virtual time (that of the rank that ran last), ranks that have ended, switches of ranks. */
struct vmpi_progress {
	int64_t now;
	uint32_t ended;
	uint64_t switches, messages;
};
struct vmpi_progress vmpi_progress(const struct vmpi *v);

/* The latest of the ranks' clocks, ps. */
int64_t vmpi_end_time(const struct vmpi *v);

/*
 * After a run: did the ranks do more operations (BSIM_Flops) than machine.peak allows? Then the reason, in
 * text[size].
 */
bool vmpi_over_peak(const struct vmpi *v, char *text, size_t size);

/* Clock of a rank, ps: where it ended, or is. */
int64_t vmpi_rank_time(const struct vmpi *v, uint32_t rank);

/*
 * All points (rank, time) from which the end of a wait may still come: each rank's clock, what messages under
 * way and open requests began with.
 */
void vmpi_points(const struct vmpi *v, void (*point)(void *user, uint32_t rank, int64_t time), void *user);

/* "main (ring.c:12)" for an address in the program; `size` bytes. */
void vmpi_where_text(const struct vmpi *v, const void *where, char *text, size_t size);

#endif
