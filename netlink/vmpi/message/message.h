/*
 * Requests and messages between ranks, and the operations from which calls and collective operations are built.
 * Requests and messages are rows of pools, named by index; 0 is none.
 */
#ifndef PSIM_VMPI_MESSAGE_H
#define PSIM_VMPI_MESSAGE_H

#include "../host/world.h"

/* ---- requests ---- */
enum request_state { REQUEST_FREE, REQUEST_INACTIVE, REQUEST_PENDING, REQUEST_COMPLETE };
enum request_kind { REQUEST_SEND, REQUEST_RECV, REQUEST_COLLECTIVE, REQUEST_GENERAL };
enum send_mode {
#define SEND(name, begin, init, mode, event, MODE) SEND_##MODE,
#include "../api/send_calls.def"
	SEND_MODES,
};
/* A message's data. A few bytes are stored in place of the address. */
enum { DATA_INSIDE_MOST = 8 };
enum data_kind { DATA_NONE, DATA_INSIDE, DATA_OWN };
union data {
	char inside[DATA_INSIDE_MOST];
	char *own; /* allocated */
};
struct request {
	_Alignas(POOL_LINE) uint8_t state;
	uint8_t kind, mode;
	uint8_t data; /* enum data_kind of the received data */
	bool persistent, freed, waited_for, cancelled, matched;
	bool copied;     /* the program may change the buffer at once */
	bool reported;   /* to v->trace.completed, which wakes the rank, if it is waited for */
	bool within;     /* the received message is from the same node */
	bool taken;      /* the processor's time for the received message has passed */
	bool in_place;   /* data may move between the program's buffers when they travel, without a copy in between */
	uint16_t passed; /* other entries of the queue in which it was found (mpi.search); 65535: at least */
	uint32_t rank;
	uint32_t owner;    /* index of the rank or task whose it is */
	uint32_t waiter;   /* the one that waits for it, a thread of the owner or the same */
	uint32_t next;     /* of a receive: in its list of posted ones; of a send: its message */
	int32_t peer, tag; /* in the communicator; receives may have wildcards */
	uint32_t ctx;
	VMPI_Comm comm;
	int32_t count;
	uint32_t partner;  /* of Isendrecv, which is complete when both are: the other one; 0: none */
	struct type *type; /* held */
	void *buf;         /* of REQUEST_GENERAL: its struct general_request, of a persistent collective: its struct
			      persistent, of another one: lists that it owns, or NULL */
	uint64_t order;    /* posting order of receives */
	int64_t posted;    /* ps */
	int64_t done;      /* ps, when complete */
	const void *where; /* the call's place in the program */
	/* received message */
	union data payload;
	uint64_t bytes;
	int32_t source, got_tag;
};

/* A request that the program completes (Grequest_start); functions may be NULL. */
struct general_request {
	VMPI_Grequest_query_function *query;
	VMPI_Grequest_free_function *free;
	VMPI_Grequest_cancel_function *cancel;
	void *extra;
};

/* A persistent collective operation: the beginning of its arguments, which its request owns. */
struct persistent {
	int (*start)(struct vmpi *v, const struct persistent *p, VMPI_Request *request); /* the nonblocking call */
	void *kept; /* lists among the arguments that it owns, too; NULL: none */
};

/* ---- messages ---- */
enum message_phase { PHASE_DATA, PHASE_ASK, PHASE_CLEAR, PHASE_WINDOW };
struct message {
	_Alignas(POOL_LINE) uint32_t src; /* ranks of COMM_WORLD */
	uint32_t dst;
	uint32_t source; /* src as a rank of the communicator */
	uint32_t ctx;
	int32_t tag, nic;
	uint64_t bytes;
	int64_t gap;
	int64_t arrived; /* ps: header (and, if eager, data) at the receiver */
	uint64_t mark;   /* for the engine, of messages between processes: remote.c */
	int64_t began;   /* ps: origin of its state: the send, or the receive if `late` */
	union data payload;
	uint32_t send, recv;     /* requests */
	uint32_t sender;         /* request of the send, also where that is complete already; 0: none */
	uint32_t next;           /* in its channel, then in its list of unexpected messages */
	uint32_t earlier, later; /* unexpected messages of a rank in order of arrival */
	uint64_t serial;         /* of its sender's messages, from 1 on; 0: it is not observed */
	uint8_t phase;
	uint8_t data;                     /* enum data_kind */
	bool eager, here, sent, finished; /* header at the receiver; last byte sent; received */
	bool late;                        /* the receive was posted after the header arrived */
	bool detached;                    /* eager, but its data wait for the receive (mpi.send_start) */
	bool lazy;                        /* the data are still in the sender's buffer */
	bool cancelled;                   /* under way, to be dropped at the receiver */
	bool fetched;                     /* the send is complete when the data have arrived */
};

_Static_assert(sizeof(struct request) == 2 * POOL_LINE && sizeof(struct message) == 2 * POOL_LINE, "two cache lines");

static inline struct request *request_at(const struct vmpi *v, uint32_t i)
{
	return (struct request *)(v->msg.requests.origin[i >> POOL_CHUNK_BITS] + i * sizeof(struct request));
}

static inline struct message *message_at(const struct vmpi *v, uint32_t i)
{
	return (struct message *)(v->msg.messages.origin[i >> POOL_CHUNK_BITS] + i * sizeof(struct message));
}

/* ---- match.c ---- */

/* A receive, in row `q`, is posted: it is matched or queued. */
void match_post(struct vmpi *v, uint32_t request, struct request *q);
/* The first unexpected message that (source, tag) of the running rank would match; 0: none. */
uint32_t match_look(const struct vmpi *v, uint32_t rank, uint32_t ctx, int32_t source, int32_t tag);
/* Takes an unexpected message out of matching, for Mprobe. */
void match_extract(struct vmpi *v, uint32_t message);
/* Removes a posted receive; false if it is not queued. */
bool match_unpost(struct vmpi *v, uint32_t request);
/*
 * Takes back a message that no receive has matched: it is dropped, or will be when it arrives. False: it is matched,
 * or a matched probe has it.
 */
bool match_withdraw(struct vmpi *v, uint32_t message);
/* Appends a message, in row `m`, to its channel (sender, receiver, communicator). */
void channel_append(struct vmpi *v, uint32_t message, struct message *m);
/*
 * The header of message `last` arrived at `time`: all messages of the channel that are next in order are matched, or
 * queued as unexpected.
 */
void channel_arrived(struct vmpi *v, struct message *last, int64_t time);

/* ---- origin.c: causes of a task's waits ---- */
/* Sets, or returns, the origin of message or request `i`. */
void origin_set(struct vmpi *v, struct origins *o, uint32_t i, struct origin origin);
struct origin origin_get(const struct origins *o, uint32_t i);
/* Records the running task as the origin of message or request `i`; does nothing for a rank. */
void origin_note_task(struct vmpi *v, struct origins *o, uint32_t i);
static inline void origin_note(struct vmpi *v, struct origins *o, uint32_t i)
{
	if (__builtin_expect(rank_is_operation(v, v->current), 0))
		origin_note_task(v, o, i);
}
/* Message `message` waited for this receive, so it takes over the receive's origin. */
void origin_late(struct vmpi *v, uint32_t message, uint32_t request);
/* The cause of a completion if `owner` is a task: the origin of message or request `i`. */
void origin_cause_task(const struct origins *o, uint32_t i, struct vmpi_cause *c);
static inline void origin_cause(const struct vmpi *v, const struct origins *o, uint32_t i, uint32_t owner,
				struct vmpi_cause *c)
{
	if (__builtin_expect(owner >= v->size, 0))
		origin_cause_task(o, i, c);
}
/* Passes all origins that may still matter to `point`, as vmpi_points does. */
void origin_points(const struct vmpi *v, void (*point)(void *user, uint32_t rank, int64_t time), void *user);

/* ---- p2p.c: building blocks of calls and collectives ---- */
struct p2p {
	void *buf;
	int32_t count;
	VMPI_Datatype datatype;
	int32_t peer, tag; /* in the communicator */
	VMPI_Comm comm;
	bool collective; /* separate from the program's own messages */
	enum send_mode mode;
	bool copied; /* the program may change the buffer at once: Sendrecv_replace */
};

/* Checks the arguments; returns VMPI_SUCCESS, or a VMPI_ERR_… after reporting it (rank_error). */
int p2p_check(struct vmpi *v, const struct p2p *p, bool receive);

/*
 * Returns whether the buffer holds data. A type may contain absolute addresses (Get_address); then a NULL buffer is
 * BOTTOM.
 */
bool p2p_has_buffer(const struct vmpi *v, const void *buf, const struct type *t);

/*
 * Starts an operation; returns the request's index, or 0 if memory is short (the run has failed). Arguments have
 * been checked.
 */
uint32_t p2p_send(struct vmpi *v, const struct p2p *p);
uint32_t p2p_recv(struct vmpi *v, const struct p2p *p);
/* Sends, and waits until the buffer can be reused. */
void p2p_send_wait(struct vmpi *v, const struct p2p *p);
/* To a rank of the same node, and from one: data are there at once, and neither processor has any time of it. */
void p2p_share(struct vmpi *v, const struct p2p *p);
uint32_t p2p_take(struct vmpi *v, const struct p2p *p);
/* Cancels a send that no receive has matched; false if it cannot be. */
bool p2p_cancel_send(struct vmpi *v, uint32_t request);
/* Frees a message that was cancelled and will not arrive any more. */
void p2p_drop(struct vmpi *v, uint32_t message);
/* Creates and starts persistent requests. */
uint32_t p2p_prepare(struct vmpi *v, const struct p2p *p, enum request_kind kind);
void p2p_start(struct vmpi *v, uint32_t request);

/* A receive and a message were matched at `time`. */
void p2p_matched(struct vmpi *v, uint32_t message, uint32_t request, int64_t time);
/* Handles a notice of the engine. */
void p2p_notice(struct vmpi *v, const struct net_notice *n);

/* ---- remote.c: messages to and from other processes, each half of which has a row in its process ---- */
/* A message of `q` to a rank elsewhere begins. */
void remote_launch(struct vmpi *v, uint32_t message, const struct request *q);
/* A message from a rank elsewhere, which sent a request, has matched. */
void remote_answer(struct vmpi *v, uint32_t message);
/* Local rank `local` of `c` deposits colour and key of split `number`: all other processes get them. */
void remote_split(struct vmpi *v, const struct comm *c, uint32_t number, uint32_t local, int color, int key);
/* A leader's half of communicators of two groups, and a rank's edges of a distributed graph: likewise. */
void remote_half(struct vmpi *v, const struct group_half *h);
void remote_edges(struct vmpi *v, const struct comm *c, const struct graph_edge *edges, size_t count, bool weighted);
/* Output that a rank here has written in the current turn, or another kind of bytes: the first process gets it. */
void remote_output(void *vmpi, bool error, const char *text, size_t bytes);
void remote_write(struct vmpi *v, enum written_kind kind, const char *text, size_t bytes);

/* ---- passing.c: messages for the observer ---- */
/* Distinguishes serial numbers of results from those of a rank's other messages, in the 40 bits that logs keep. */
#define SERIAL_RESULT (UINT64_C(1) << 39)
/* Returns the mark of the running rank's call (vmpi_observer.origin); 0: it is not needed. */
uint64_t message_origin(const struct vmpi *v);
/* The message begins in the running rank's call; it is received at `time`. */
void passing_sent(const struct vmpi *v, const struct message *m);
/* It begins at `time`, without a call of its sender: it has what an operation on a window reads. */
void passing_answers(const struct vmpi *v, const struct message *m, int64_t time);
void passing_received(const struct vmpi *v, const struct message *m, int64_t time);

/* ---- observed.c: events for the observer, which the first process passes on in the order of one process ---- */
/* Takes the place of the observer's functions for computation, waits and phases. */
void observed_begin(struct vmpi *v);
/* Passes an event on. */
void observed_pass(struct vmpi *v, const char *event);

/* ---- request.c ---- */
/* Completes a request, whose row is `q`, at `time` with cause `c`; NULL: the rank itself, now. */
void request_completed(struct vmpi *v, uint32_t request, struct request *q, int64_t time, const struct vmpi_cause *c);
static inline void request_complete(struct vmpi *v, uint32_t request, int64_t time, const struct vmpi_cause *c)
{
	request_completed(v, request, request_at(v, request), time, c);
}
/* Waits for a request and frees it; collectives use it. */
void request_wait(struct vmpi *v, uint32_t request);
void request_wait_all(struct vmpi *v, VMPI_Request *requests, int count);
/* Waits until one is complete and all other ranks have caught up, and returns its index; -1: none is active. */
int request_wait_any(struct vmpi *v, VMPI_Request *requests, int count);
/* Frees what a collective or generalized request owns. */
void request_free_arguments(struct request *q);
/* Takes the result of a complete request at the rank's clock; the request becomes free or inactive. */
int request_finish(struct vmpi *v, VMPI_Request *handle, VMPI_Status *status);

/*
 * Makes a pending request of the running rank that request_complete completes; `g` (may be NULL) is allocated, and
 * freed with the request. 0: memory is short, and the run has failed.
 */
uint32_t request_general(struct vmpi *v, struct general_request *g);

/*
 * Makes an inactive persistent request of a collective operation that `start` begins, with `bytes` for its arguments,
 * which begin with a struct persistent. NULL: a mistake, which has been reported.
 */
void *persistent_make(struct vmpi *v, enum call_id call, VMPI_Comm comm, size_t bytes,
		      int (*start)(struct vmpi *v, const struct persistent *p, VMPI_Request *request),
		      VMPI_Request *request);

/* ---- local_rank.c ---- */

/* The running rank's own number in one of its communicators. */
uint32_t comm_local(struct vmpi *v, VMPI_Comm comm);

#endif
