/*
 * Collective operations as a table of named algorithms. An algorithm is a function that runs on each rank and
 * communicates by the functions below. It gets its arguments in one struct, whatever the call was. The algorithm is
 * named by the configuration ([mpi] collective_bcast = …), selected as MPICH or Open MPI would (selection.def), or
 * the cheapest on this network ("auto": collective_cost.h).
 *
 * Buffers may be NULL (skeletons): then nothing is copied or computed, and the messages are the same. An algorithm's
 * own buffers come from collective_buffer, which returns NULL in that case.
 */
#ifndef PSIM_VMPI_COLLECTIVE_H
#define PSIM_VMPI_COLLECTIVE_H

#include "../../../psim/base/sum128.h"
#include "../message/message.h"
#include "scratch.h"

enum collective_op {
#define COLLECTIVE(NAME, name, calls, measured) COLLECTIVE_##NAME,
#include "../collective_ops.def"
	COLLECTIVE_COUNT,
};

/* A message of an exchange (part_exchange.c). */
struct collective_part {
	void *buf;
	int count, peer; /* peer: local rank, or PROC_NULL */
	VMPI_Datatype type;
};

struct collective {
	struct vmpi *v;
	VMPI_Comm comm;
	int rank, size, root;
	const int *members; /* [size]: ranks of the communicator that take part; NULL: all, with these numbers */
	const void *send;   /* IN_PLACE is resolved by each operation in calls_coll.c */
	void *recv;
	int send_count, recv_count;           /* elements in one rank's part */
	const int *send_counts, *send_displs; /* by rank, in elements of the type; NULL: parts of equal length */
	const int *recv_counts, *recv_displs;
	VMPI_Datatype send_type, recv_type;
	VMPI_Op op;
	bool exclusive;        /* Exscan */
	VMPI_Request *request; /* of a nonblocking operation; NULL: the operation blocks */
	int tag;               /* distinguishes nonblocking operations in progress; 0: blocking; see TASK_TAG_BITS */
	void *copy; /* of the receive buffer, of type recv_type; NULL: none. Freed at the end, like `places` */
	int *places;
	int (*body)(struct collective *c); /* runs in place of an algorithm; NULL: none */
	struct split_sync *split;          /* of idup_body, which sets *made */
	VMPI_Comm *made;
	struct collective_part *parts; /* of exchange_body: sends, then receives; freed at the end */
	int sends, receives;
	bool uniform;    /* Gather, Scatter: parts have equal length, and every rank knows it */
	int64_t bytes;   /* of the largest part: the choice depends on it */
	int64_t segment; /* bytes of a piece of a pipelined algorithm; 0: the algorithm's own choice */
};

/* Bits of the tags of nonblocking operations; an algorithm may use those above, of an int, for messages of its own. */
enum { TASK_TAG_BITS = 28 };

struct collective_algorithm {
	enum collective_op op;
	const char *name, *doc;
	int (*run)(struct collective *c); /* VMPI_SUCCESS */
	/* Predicted time in ps, the same on all ranks. NULL: the algorithm runs only by name. */
	int64_t (*cost)(const struct collective *c);
	/*
	 * Can the algorithm run (for example, on a power of two of ranks)? NULL: always. An algorithm chosen by name
	 * that cannot run falls back to auto.
	 */
	bool (*can)(const struct collective *c);
};

/* All algorithms in the order of operations, then those by table; NULL-terminated. */
const struct collective_algorithm *const *collective_algorithms(void);

/* Reads the choices of the configuration into `chosen`, which has COLLECTIVE_COUNT entries; NULL means auto. */
int collective_choose(const struct config *config, const struct vmpi_config *cfg,
		      const struct collective_algorithm **chosen, struct err *e);

/*
 * A nonblocking collective in progress. It runs the algorithm on behalf of its rank, with a clock and a stack of its
 * own. It holds its communicator, types and operation, which the program may free meanwhile.
 */
struct task {
	struct task_rank self; /* must be first: see rank_by_index */
	struct collective c;
	enum collective_op op;
	char *stack;
};

/* Makes the context of a task before its first step. 0, or -1 with v->err. */
int task_begin(struct vmpi *v, struct rank *r);
/* Ends a task after its stack is left. */
void task_finish(struct vmpi *v, struct rank *r);
/* Frees what tasks hold when a run ends early. */
void tasks_finish(struct vmpi *v);

/* Runs an operation on the running rank, or starts it if c->request is given. Arguments have been checked. */
int collective_start(enum collective_op op, struct collective *c);
/* Frees the operation's `copy` and `places`. */
void collective_finish(struct collective *c);

/* Finds the times of all operations for which the setup's file has tables; -1 with `e` if a table is missing. */
int collective_find_times(struct vmpi *v, struct err *e);

/* Counts of look-ups in a timing table, with the range of communicator sizes. */
struct table_use {
	uint64_t calls, outside; /* outside: communicators smaller or larger than the table's rows */
	int least, most;         /* least and most ranks */
	uint64_t other;          /* communicators within the rows, but not between two rows of their class (times.h) */
	int other_size;          /* size of the smallest of them */
	bool reported, reported_other;
};

/* Counts one use of a table by a communicator of `size` ranks. */
void collective_table_used(struct vmpi *v, enum collective_op op, int size);
void collective_tables_report(const struct vmpi *v, struct report *r);

/* Counts of operations by algorithm; those that an algorithm is made of are counted, too. */
struct algorithm_use {
	uint64_t calls;
	int64_t least_bytes, most_bytes;
	int least_ranks, most_ranks;
};
enum {
	ALGORITHM_COUNT = 0
#define ALGORITHM(name) +1
#include "../collective_ops.def"
};
/* Counts an operation, by its first rank; `number` is its algorithm's in collective_algorithms. */
void collective_algorithm_used(const struct collective *c, unsigned number);
void collective_algorithms_report(const struct vmpi *v, struct report *r);

/* ---- collective_bandwidth.c ---- */

/* Calls of ranks: their sizes, those times the factor of a bus bandwidth, and times in ps. */
struct collective_time {
	uint64_t ranks;
	sum128 bytes, bus, time;
};
/* An operation of the program took so long on the running rank. */
void collective_took(enum collective_op op, const struct collective *c, int64_t ps);
/* The table of bandwidths. */
void collective_bandwidths_report(const struct vmpi *v, struct report *r);

/* Operations that ranks of one process have used; the first rank of each counts. */
struct collective_uses {
	struct algorithm_use algorithm[ALGORITHM_COUNT];
	struct table_use table[COLLECTIVE_COUNT];
	uint64_t tree_calls[COLLECTIVE_COUNT], tree_bytes[COLLECTIVE_COUNT];
	struct collective_time time[COLLECTIVE_COUNT];
};
/*
 * Adds the rows of a job, whose number is above 0, to the table "job_algorithms", which its first row begins; the
 * caller ends the table if *begun.
 */
void collective_job_report(const struct collective_uses *u, uint64_t job, bool *begun, struct report *r);
void collective_uses_get(const struct vmpi *v, struct collective_uses *out);
void collective_uses_add(struct vmpi *v, const struct collective_uses *x);

/* Carries out an operation by its table or by the tree: waits for its duration. */
void collective_by_table(enum collective_op op, struct collective *c);

/* Takes a record of an operation by a table from another process. 0, or -1 with `e`. */
int collective_table_take(struct vmpi *v, const struct record *r, struct err *e);

/* Finds the least time of all operations by tables or by the tree, in ps. False: there are none. */
bool collective_table_least(const struct vmpi *v, int64_t *least);

/* ---- collective_tree.c: a combining tree beside the network; its state is NULL without one ---- */

/* Checks [tree] operations: 0, or -1 with the place of an unknown name. */
int collective_tree_check(const struct config *config, const struct vmpi_config *cfg, struct err *e);
int collective_tree_create(struct vmpi *v, struct err *e);
/* Returns whether the tree carries this operation: all ranks participate, and no algorithm is selected by name. */
bool collective_tree_carries(enum collective_op op, const struct collective *c);
/* Duration in ps of an operation of `bytes`. */
int64_t collective_tree_time(const struct vmpi *v, uint64_t bytes);
/* Counts calls, and the bytes of all. */
void collective_tree_used(struct vmpi *v, enum collective_op op, uint64_t calls, uint64_t bytes);
void collective_tree_uses(const struct vmpi *v, enum collective_op op, uint64_t *calls, uint64_t *bytes);
void collective_tree_report(const struct vmpi *v, struct report *r);

/* Fails the run if the running rank's two buffers of an operation share bytes (ranks.check). */
void collective_check_buffers(enum collective_op op, const struct collective *c);

/* Runs an operation on the running rank. Arguments have been checked. */
int collective_run(enum collective_op op, struct collective *c);

/* The algorithm that an MPI library selects; NULL: its rules do not cover the case. Sets c->segment. */
const struct collective_algorithm *collective_selected(enum collective_op op, struct collective *c);

/* The choice for an operation's latest arguments, cached because ranks need it one after the other. */
struct collective_choice {
	const struct collective_algorithm *algorithm; /* NULL: none yet */
	int64_t bytes;
	uint32_t ctx;
	int count;
	VMPI_Op op;
	const int *members;
	bool counts, uniform;
};

/* State of collective operations in a run. */
struct cost_network;
struct collective_state {
	const struct times_table *times[COLLECTIVE_COUNT];           /* NULL entries: none */
	const struct collective_algorithm *chosen[COLLECTIVE_COUNT]; /* NULL entries: automatic */
	struct collective_choice choices[COLLECTIVE_COUNT];          /* the latest automatic ones */
	struct table_use table_use[COLLECTIVE_COUNT];                /* uses of the tables */
	struct collective_time time[COLLECTIVE_COUNT];               /* of the program's calls */
	struct algorithm_use algorithm_use[ALGORITHM_COUNT];         /* in the order of collective_algorithms */
	struct collective_rules *rules;                              /* of mpi.rules; NULL: none */
	struct times *node_times;                                    /* of mpi.node_times; NULL: none */
	struct collective_tree *tree;                                /* NULL: no such hardware */
	int (*run)(enum collective_op op, struct collective *c);     /* collective_run, for operations made of others */
	struct scratch *scratch;                                     /* held by ranks that wait: scratch.h */
	struct cost_network *network; /* predicts times of algorithms; made on first use */
};

/* Makes v->collective as the configuration chooses. 0, or -1 with `e`; destroy in both cases. */
int collective_create(struct vmpi *v, struct err *e);
void collective_destroy(struct vmpi *v);

/* ---- shared.c: operations within nodes by times of a file ---- */

/* Reads mpi.node_times. 0, or -1 with `e`. */
int collective_shared_create(struct vmpi *v, struct err *e);

/* ---- part_exchange.c: given messages to given ranks; the body of such operations ---- */
int exchange_body(struct collective *c);

/* ---- inter.c: operations between the groups of an intercommunicator ---- */
int inter_run(enum collective_op op, struct collective *c);

/* A barrier that the library itself needs. */
void collective_barrier(struct vmpi *v, VMPI_Comm comm);

/* ---- for algorithms: ranks are those of the communicator ---- */

void collective_send(struct collective *c, const void *buf, int count, VMPI_Datatype type, int dest);
void collective_recv(struct collective *c, void *buf, int count, VMPI_Datatype type, int source);
VMPI_Request collective_isend(struct collective *c, const void *buf, int count, VMPI_Datatype type, int dest);
VMPI_Request collective_irecv(struct collective *c, void *buf, int count, VMPI_Datatype type, int source);
/* Waits for all requests and sets them to null. */
void collective_wait(struct collective *c, VMPI_Request *requests, int count);
/* Waits for one of the requests, which becomes null, and returns its index. One of them must not be null. */
int collective_wait_any(struct collective *c, VMPI_Request *requests, int count);
void collective_sendrecv(struct collective *c, const void *sendbuf, int sendcount, VMPI_Datatype sendtype, int dest,
			 void *recvbuf, int recvcount, VMPI_Datatype recvtype, int source);

/* To a rank of the same node, and from one, through its memory in no time (p2p_share). */
void collective_share(struct collective *c, const void *buf, int count, VMPI_Datatype type, int dest);
void collective_take(struct collective *c, void *buf, int count, VMPI_Datatype type, int source);

/*
 * Returns a buffer for `count` elements of `type`, offset so that its address works as the program's would. NULL if
 * `like` is NULL or no data move. Free it with collective_free and the same type.
 */
void *collective_buffer(struct collective *c, const void *like, int64_t count, VMPI_Datatype type);
void collective_free(struct collective *c, void *buffer, VMPI_Datatype type);

/* Copies within the rank, in no time; does nothing if a buffer is NULL. */
void collective_copy(struct collective *c, const void *from, int from_count, VMPI_Datatype from_type, void *to,
		     int to_count, VMPI_Datatype to_type);

/* The processor copies so many separate parts, of so many bytes together, with data or without: mpi.copy, copy_part. */
void collective_copied(const struct collective *c, int64_t parts, int64_t bytes);

/* Computes inout = in op inout, if no buffer is NULL, without time of a processor. */
void collective_apply(struct collective *c, const void *in, void *inout, int count);
/* Computes inout = in op inout, if no buffer is NULL; the processor's time of it is mpi.combine's. */
void collective_combine(struct collective *c, const void *in, void *inout, int count);

/* Address of element `at` in a buffer of `type`; NULL stays NULL. */
void *collective_at(struct collective *c, const void *buf, int64_t at, VMPI_Datatype type);

/* The number of elements in a rank's part of a buffer, and its first element. */
int collective_send_part(const struct collective *c, int rank, int64_t *at);
int collective_recv_part(const struct collective *c, int rank, int64_t *at);

#endif
