/*
 * Collective operations as a table of named algorithms. An algorithm is a function that runs on
 * each rank and sends and receives by the functions below; it sees its arguments in one struct,
 * whatever the call was. Which one runs is said by name ([mpi] collective_bcast = …), is what MPICH or
 * Open MPI would take (selection.def), or the one that costs least on this network ("auto": cost.h).
 *
 * Buffers may be NULL (skeletons): then nothing is copied and nothing computed, and the messages
 * are the same. Buffers of an algorithm's own come from collective_buffer, which is NULL in that
 * case.
 */
#ifndef PSIM_VMPI_COLLECTIVE_H
#define PSIM_VMPI_COLLECTIVE_H

#include "../message/message.h"

enum collective_op {
#define COLLECTIVE(NAME, name) COLLECTIVE_##NAME,
#include "ops.def"
#undef COLLECTIVE
	COLLECTIVE_COUNT,
};

struct collective {
	struct vmpi *v;
	VMPI_Comm comm;
	int rank, size, root;
	const void *send; /* IN_PLACE is resolved: see each operation in calls_coll.c */
	void *recv;
	int send_count, recv_count;           /* elements: of one rank's part */
	const int *send_counts, *send_displs; /* by rank, in elements of the type; NULL: parts of one length */
	const int *recv_counts, *recv_displs;
	VMPI_Datatype send_type, recv_type;
	VMPI_Op op;
	bool exclusive;        /* Exscan */
	VMPI_Request *request; /* of a nonblocking one; NULL: the call goes through it */
	int tag;               /* tells nonblocking ones that are under way at a time apart; 0: a blocking one */
	void *copy;            /* of the receive buffer, of type recv_type; NULL: none. Freed at the end, like places */
	int *places;
	bool instant;    /* its messages take no time: only their data count */
	bool uniform;    /* Gather, Scatter: parts of one length, and every rank knows it */
	int64_t bytes;   /* of one part (the largest, where they differ): what the choice looks at */
	int64_t segment; /* bytes of a piece, of those that go in pieces; 0: the algorithm's own */
};

struct collective_algorithm {
	enum collective_op op;
	const char *name, *doc;
	int (*run)(struct collective *c); /* VMPI_SUCCESS */
	/* ps that it would take, the same on all ranks; NULL: runs only where it is asked for. */
	int64_t (*cost)(const struct collective *c);
	/* Can it run at all (a power of two of ranks, say)? NULL: always. By name, one that cannot
	 * falls to auto. */
	bool (*can)(const struct collective *c);
};

/* All of them, in the order of operations, then those by table; NULL-terminated. */
const struct collective_algorithm *const *collective_algorithms(void);

/* Reads the choices of the configuration: `chosen` has COLLECTIVE_COUNT places, NULL for auto. */
int collective_choose(const struct config *config, const struct vmpi_config *cfg,
		      const struct collective_algorithm **chosen, struct err *e);

/*
 * A nonblocking collective under way: goes through the same algorithm for its rank, with a clock and a
 * stack of its own. What it needs lives as long as it does, even if the program frees communicator, types or operation.
 */
struct task {
	struct task_rank self; /* first: see rank_by_index */
	struct collective c;
	enum collective_op op;
	char *stack;
};

/* Makes the context of a task that goes on for the first time. 0, or -1 with v->err. */
int task_begin(struct vmpi *v, struct rank *r);
/* The task has ended, and nobody runs on its stack. */
void task_finish(struct vmpi *v, struct rank *r);
/* Frees what tasks hold where a run was cut short. */
void tasks_finish(struct vmpi *v);

/* Runs one, on the running rank, or begins it where c->request is given; arguments are right. */
int collective_go(enum collective_op op, struct collective *c);
/* Frees its copy and places. */
void collective_finish(struct collective *c);

/* Finds v->times, of all operations that the setup's file has; -1 with `e` where one by table has none. */
int collective_find_times(struct vmpi *v, struct err *e);

/* What was asked of a table of a collective operation. */
struct table_use {
	uint64_t calls, outside; /* outside: communicators smaller or larger than its rows */
	int least, most;         /* their sizes */
	uint64_t other;          /* communicators between the rows, but not between two of their class (times.h) */
	int other_size;          /* the first of them */
	bool told, told_other;
};

/* Notes that one of `size` ranks takes its time from a table; and tells of all of them. */
void collective_table_used(struct vmpi *v, enum collective_op op, int size);
void collective_tables_report(const struct vmpi *v, struct report *r);

/*
 * Goes through one by its table, or by the tree: waits as long as it takes. False: data are still to move, by instant
 * messages.
 */
bool collective_by_table(enum collective_op op, struct collective *c);

/* ---- collective_tree.c: a combining tree beside the network; v->tree is NULL where there is none ---- */

/* [tree] operations: 0, or -1 with the place of a name that is none. */
int collective_tree_check(const struct config *config, const struct vmpi_config *cfg, struct err *e);
int collective_tree_create(struct vmpi *v, struct err *e);
/* Does it carry this one? All ranks take part, and the operation is not chosen by name. */
bool collective_tree_carries(enum collective_op op, const struct collective *c);
/* ps, of an operation of `bytes`. */
int64_t collective_tree_time(const struct vmpi *v, uint64_t bytes);
void collective_tree_used(struct vmpi *v, enum collective_op op, uint64_t bytes);
void collective_tree_report(const struct vmpi *v, struct report *r);

/* Runs one, on the running rank; arguments are right. */
int collective_run(enum collective_op op, struct collective *c);

/* What the selection of an MPI library takes; NULL: it says nothing about this case. Sets c->segment. */
const struct collective_algorithm *collective_selected(enum collective_op op, struct collective *c);

/* The choice for the arguments that an operation had last: ranks ask one after the other. */
struct collective_choice {
	const struct collective_algorithm *algorithm; /* NULL: none yet */
	int64_t bytes;
	uint32_t ctx;
	int count;
	VMPI_Op op;
	bool counts, uniform;
};

/* A barrier of the library's own. */
void collective_barrier(struct vmpi *v, VMPI_Comm comm);

/* ---- for algorithms: ranks are those of the communicator ---- */

void collective_send(struct collective *c, const void *buf, int count, VMPI_Datatype type, int dest);
void collective_recv(struct collective *c, void *buf, int count, VMPI_Datatype type, int source);
VMPI_Request collective_isend(struct collective *c, const void *buf, int count, VMPI_Datatype type, int dest);
VMPI_Request collective_irecv(struct collective *c, void *buf, int count, VMPI_Datatype type, int source);
/* Waits for all, which are then null. */
void collective_wait(struct collective *c, VMPI_Request *requests, int count);
void collective_sendrecv(struct collective *c, const void *sendbuf, int sendcount, VMPI_Datatype sendtype, int dest,
			 void *recvbuf, int recvcount, VMPI_Datatype recvtype, int source);

/*
 * A buffer for `count` elements of `type`, placed so that its address can be used like that of a
 * buffer of that type; NULL where `like` is NULL or no data move. Free with collective_free and the
 * same type.
 */
void *collective_buffer(struct collective *c, const void *like, int64_t count, VMPI_Datatype type);
void collective_free(struct collective *c, void *buffer, VMPI_Datatype type);

/* Copies, within the rank. NULL buffers: nothing. */
void collective_copy(struct collective *c, const void *from, int from_count, VMPI_Datatype from_type, void *to,
		     int to_count, VMPI_Datatype to_type);

/* inout = in op inout. NULL buffers: nothing. */
void collective_combine(struct collective *c, const void *in, void *inout, int count);

/* Address of element `at` in a buffer of `type`; NULL stays NULL. */
void *collective_at(struct collective *c, const void *buf, int64_t at, VMPI_Datatype type);

/* A part of a buffer by rank: its elements, and where it begins. */
int collective_send_part(const struct collective *c, int rank, int64_t *at);
int collective_recv_part(const struct collective *c, int rank, int64_t *at);

#endif
