/*
 * Windows and one-sided operations (MPI 3.1, 11). A window has a part for each rank of its communicator. An operation
 * is a message to the target, where an agent applies it without the target's processor; then comes an answer: the data
 * read, or a control message. Locks, posts and completions are control messages. All of them travel through the engine
 * (mpi.control_bytes, mpi.agent).
 */
#ifndef PSIM_VMPI_WINDOW_H
#define PSIM_VMPI_WINDOW_H

#include "message.h"

enum window_op_kind {
	WINDOW_PUT,
	WINDOW_GET,
	WINDOW_ACCUMULATE,
	WINDOW_GET_ACCUMULATE,
	WINDOW_COMPARE,
	/* control messages */
	WINDOW_LOCK,
	WINDOW_UNLOCK,
	WINDOW_GRANT,
	WINDOW_POST,
	WINDOW_COMPLETE,
};

/* An operation or a control message under way: a row of a pool. */
struct window_op {
	uint8_t kind; /* enum window_op_kind */
	bool here;    /* at the target, and applied unless earlier ones of the origin are missing */
	bool applied, answered, sent;
	uint8_t lock; /* VMPI_LOCK_… */
	int window;
	uint32_t origin, target; /* local ranks */
	uint32_t next, before;   /* in the origin's list */
	uint32_t request;        /* 0: none */
	uint32_t away;           /* at the target, if the origin is in another process: its row there; 0: it is here */
	uint32_t mark;           /* for the engine: message_origin */
	uint32_t cause;          /* of WINDOW_GRANT: local rank whose lock or unlock it answers */
	int64_t began;           /* ps */
	int64_t cause_began;     /* ps, of that call */
	VMPI_Op op;
	/* at the target */
	char *address;
	int64_t count;
	struct type *type; /* held; NULL: none */
	/* data, packed */
	char *data;
	uint64_t bytes;
	char *compare; /* WINDOW_COMPARE */
	/* what the answer brings, and where to */
	char *result;
	uint64_t result_bytes;
	char *result_address;
	int64_t result_count;
	struct type *result_type; /* held; NULL: none */
};

/* Memory of a dynamic window. */
struct window_region {
	char *base;
	int64_t size;
};

struct window_lock {
	uint32_t origin;
	uint8_t type;
};

/* A rank's part of a window. */
struct window_part {
	char *base;
	VMPI_Aint size;
	int disp_unit, flavor, model;
	int errhandler;
	char name[VMPI_MAX_OBJECT_NAME];
	int hints; /* info object of hints, by handle; 0: none */
	bool set, own_memory;
	struct vec_of(struct window_region) regions;
	/* as a target */
	uint32_t shared_locks;
	bool locked;
	struct vec_of(struct window_lock) waiting; /* in order of arrival */
	struct group *exposed;                     /* of Win_post; NULL: none */
	uint32_t completions;                      /* of the exposed group, so far */
	int64_t agent;                             /* ps: when the agent is free */
	/* as an origin */
	uint32_t first, last;          /* operations under way */
	struct group *accessed;        /* of Win_start; NULL: none */
	uint8_t *posted;               /* by local rank: posts that have arrived; NULL: none yet */
	uint8_t *held;                 /* by local rank: lock held, VMPI_LOCK_…; NULL: none yet */
	bool all_held, fenced;         /* by Win_lock_all; between fences */
	bool all_unchecked;            /* the program asserts that no lock conflicts */
	int wait_window;               /* of Win_start: the handle */
	uint32_t held_count, grants;   /* locks held; answers to requests for locks */
	struct window_waiter *waiters; /* threads of the rank that wait */
	int64_t wait_target;           /* of the condition under test: local rank, -1: all */
	bool wait_sent;                /* of the condition under test */
};

struct window {
	VMPI_Comm comm;           /* of the window alone */
	uint64_t key;             /* of the communicator, the same in all processes */
	uint32_t size, users;     /* ranks; those here that have not freed it */
	struct window_part *part; /* by local rank; of ranks elsewhere: memory, unit, flavor, regions */
	char *shared;             /* memory of all parts; NULL: none */
};

/* The memory of a rank elsewhere, until its window is made here. */
struct window_memory {
	uint64_t key, base;
	int64_t size;
	uint32_t local;
	int32_t disp_unit, flavor;
};

struct windows {
	struct window **at; /* by handle; NULL: freed */
	int count, room;
	struct pool ops;
	uint64_t *results; /* by world rank: messages with what was read there, if they are observed; NULL: none yet */
	struct vec_of(struct window_memory) early;
};

void windows_destroy(struct windows *w);

/* NULL: unknown handle. */
static inline struct window *window_find(const struct vmpi *v, int handle)
{
	return v->msg.windows && handle > 0 && handle < v->msg.windows->count ? v->msg.windows->at[handle] : NULL;
}

/* The window of a communicator of its own: its handle, made by the first rank that requests it. 0 with v->err. */
int window_of_comm(struct vmpi *v, VMPI_Comm comm);
/* The running rank gives the window up; the last one frees it. */
void window_release(struct vmpi *v, int handle);

static inline struct window_op *window_op_at(const struct vmpi *v, uint32_t i)
{
	return pool_at(&v->msg.windows->ops, i);
}

/* Returns whether the part's rank may access local rank `rank`. */
bool window_accessible(const struct vmpi *v, const struct window *w, const struct window_part *p, uint32_t rank);

/* Returns whether bytes first … end - 1 from `address` are the part's. */
bool window_contains(const struct window_part *p, const char *address, int64_t first, int64_t end);

/* Returns the table of windows, with room for one more; NULL with v->err. */
struct windows *window_table(struct vmpi *v);

/* A new operation or control message of the running rank; 0: memory is short, and the run has failed. */
uint32_t window_op_make(struct vmpi *v, int window, enum window_op_kind kind, uint32_t target);
/* Sends it. The running rank is its origin. */
void window_op_start(struct vmpi *v, uint32_t op);

/*
 * The running rank waits until a condition of its part holds. `target`, `sent`: wait_target and wait_sent, of
 * window_flushed.
 */
void window_wait(struct vmpi *v, struct window_part *p, bool (*until)(const struct vmpi *v, struct window_part *p),
		 int64_t target, bool sent);
/* Conditions: no operation on part->wait_target is under way; all requested locks are held. */
bool window_flushed(const struct vmpi *v, struct window_part *p);

/* Notices of the engine about a message of a window (PHASE_WINDOW). */
void window_sent(struct vmpi *v, uint32_t message, int64_t time);
void window_delivered(struct vmpi *v, uint32_t message, int64_t time);

/* Lists an operation as the latest one of the rank that the part is of. */
void window_op_append(struct vmpi *v, struct window_part *p, uint32_t op);

/* ---- remote_window.c: windows of ranks in several processes ---- */
/* The running rank, local rank `local`, has set its part: the processes of the others get what they need of it. */
void remote_window_part(struct vmpi *v, const struct window *w, uint32_t local);
/* It has attached memory to its part, or detached (`size` -1) it. */
void remote_window_region(struct vmpi *v, const struct window *w, uint32_t local, const void *base, int64_t size);
/* The message of an operation, or with its result, goes to another process. */
void remote_window_op(struct vmpi *v, uint32_t message, uint32_t op);
void remote_window_result(struct vmpi *v, uint32_t message, uint32_t op);
/* The window has been made here: takes the parts that have come earlier. */
void remote_window_made(struct vmpi *v, struct window *w);

#endif
