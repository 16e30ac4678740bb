/*
 * Requests and messages between ranks, and what calls and collective operations are made of. Both are rows of pools,
 * named by index; 0 is none.
 */
#ifndef PSIM_VMPI_MESSAGE_H
#define PSIM_VMPI_MESSAGE_H

#include "../host/world.h"

/* ---- requests ---- */
enum request_state { REQUEST_FREE, REQUEST_INACTIVE, REQUEST_PENDING, REQUEST_COMPLETE };
enum request_kind { REQUEST_SEND, REQUEST_RECV, REQUEST_COLLECTIVE };
enum send_mode { SEND_STANDARD, SEND_BUFFERED, SEND_SYNCHRONOUS, SEND_READY };
/* Data on their way: few bytes lie in place of the address. */
enum { DATA_INSIDE_MOST = 8 };
enum data_kind { DATA_NONE, DATA_INSIDE, DATA_OWN };
union data {
	char inside[DATA_INSIDE_MOST];
	char *own; /* allocated */
};
struct request {
	uint8_t state, kind, mode;
	uint8_t data; /* enum data_kind: what was received */
	bool instant, persistent, given_up, waited_for, cancelled, matched;
	uint32_t rank;
	uint32_t owner;    /* who waits for it: index of a rank, or of a task (below) */
	uint32_t next;     /* in its list of posted receives */
	int32_t peer, tag; /* of the communicator; may be wildcards in receives */
	uint32_t ctx;
	VMPI_Comm comm;
	int32_t count;
	struct type *type; /* held */
	void *buf;
	uint64_t order;    /* posting order of receives */
	int64_t posted;    /* ps */
	int64_t done;      /* ps, when complete */
	const void *where; /* the call's place in the program */
	/* what was received */
	union data payload;
	uint64_t bytes;
	int32_t source, got_tag;
};

/* ---- messages ---- */
enum message_phase { PHASE_DATA, PHASE_ASK, PHASE_CLEAR };
struct message {
	uint32_t src, dst; /* ranks of COMM_WORLD */
	uint32_t source;   /* src in the communicator */
	uint32_t ctx;
	int32_t tag, nic;
	uint64_t bytes;
	int64_t gap;
	int64_t arrived; /* ps: header (and, if eager, data) at the receiver */
	int64_t began;   /* ps: what its state came from: the send, or the receive if that was `late` */
	union data payload;
	uint32_t send, recv;     /* requests */
	uint32_t next;           /* in its channel, then in its list of unexpected messages */
	uint32_t earlier, later; /* unexpected messages of a rank in order of arrival */
	uint8_t phase;
	uint8_t data;                     /* enum data_kind */
	bool eager, here, sent, finished; /* header at the receiver; last byte gone; received */
	bool late;                        /* the receive came after the header */
};

static inline struct request *request_at(const struct vmpi *v, uint32_t i)
{
	return (struct request *)(void *)v->requests.chunk[i >> POOL_CHUNK_BITS] + (i & (POOL_CHUNK - 1));
}

static inline struct message *message_at(const struct vmpi *v, uint32_t i)
{
	return (struct message *)(void *)v->messages.chunk[i >> POOL_CHUNK_BITS] + (i & (POOL_CHUNK - 1));
}

/* ---- match.c ---- */

/* A message whose turn it is stands before the receiver at `time`: matched, or kept. */
void match_arrival(struct vmpi *v, uint32_t message, int64_t time);
/* A receive is posted: matched at once, or kept. */
void match_post(struct vmpi *v, uint32_t request);
/* The first unexpected message that (source, tag) of the running rank would match, 0: none. */
uint32_t match_look(const struct vmpi *v, uint32_t rank, uint32_t ctx, int32_t source, int32_t tag);
/* Takes a posted receive out again; false if it is not there. */
bool match_unpost(struct vmpi *v, uint32_t request);
/* Puts a message at the end of its channel (sender, receiver, communicator). */
void channel_append(struct vmpi *v, uint32_t message);
/* The engine brought its header at `time`: all messages of the channel whose turn it is go to match_arrival. */
void channel_arrived(struct vmpi *v, uint32_t message, int64_t time);

/* ---- p2p.c: what calls and collectives are made of ---- */
struct p2p {
	void *buf;
	int32_t count;
	VMPI_Datatype datatype;
	int32_t peer, tag; /* in the communicator */
	VMPI_Comm comm;
	bool collective; /* apart from the program's own messages */
	enum send_mode mode;
	bool instant; /* takes no time and passes no engine: data of an operation whose time a table has */
};

/* ---- origin.c: what tasks wait for ---- */
/* The running rank begins message or request `i`; nothing where it is no task. */
void origin_note_task(struct vmpi *v, struct origins *o, uint32_t i);
static inline void origin_note(struct vmpi *v, struct origins *o, uint32_t i)
{
	if (__builtin_expect(rank_is_task(v, v->current), 0))
		origin_note_task(v, o, i);
}
/* The receive of message `message` is what it waited for. */
void origin_late(struct vmpi *v, uint32_t message, uint32_t request);
/* The cause of a completion for `owner`, where that is a task: the origin of message or request `i`. */
void origin_cause_task(const struct origins *o, uint32_t i, struct vmpi_cause *c);
static inline void origin_cause(const struct vmpi *v, const struct origins *o, uint32_t i, uint32_t owner,
				struct vmpi_cause *c)
{
	if (__builtin_expect(owner >= v->size, 0))
		origin_cause_task(o, i, c);
}
/* Those that may still matter: as vmpi_points. */
void origin_points(const struct vmpi *v, void (*point)(void *user, uint32_t rank, int64_t time), void *user);

/* Arguments checked; a VMPI_ERR_… after telling why (rank_error), or VMPI_SUCCESS. */
int p2p_check(struct vmpi *v, const struct p2p *p, bool receive);

/*
 * Does the buffer hold data? Absolute addresses may stand in a type (Get_address): then a buffer of NULL is
 * BOTTOM.
 */
bool p2p_has_buffer(const struct vmpi *v, const void *buf, const struct type *t);

/* Begins; the request's index, 0 if memory is short (the run has failed then). The arguments are right. */
uint32_t p2p_send(struct vmpi *v, const struct p2p *p);
uint32_t p2p_recv(struct vmpi *v, const struct p2p *p);
/* Sends, and waits until the buffer is free. */
void p2p_send_wait(struct vmpi *v, const struct p2p *p);
/* Persistent requests: made, and started. */
uint32_t p2p_prepare(struct vmpi *v, const struct p2p *p, enum request_kind kind);
void p2p_start(struct vmpi *v, uint32_t request);

/* A receive and a message have met at `time`. */
void p2p_matched(struct vmpi *v, uint32_t message, uint32_t request, int64_t time);
/* What the engine tells. */
void p2p_notice(struct vmpi *v, const struct net_notice *n);

/* ---- request.c ---- */
/* `c`: what it came from; NULL: from the rank itself, now. */
void request_complete(struct vmpi *v, uint32_t request, int64_t time, const struct vmpi_cause *c);
/* Waits for one and gives it up: what collectives use. */
void request_wait(struct vmpi *v, uint32_t request);
void request_wait_all(struct vmpi *v, VMPI_Request *requests, int count);
/* Takes the result of a complete one, at the rank's clock; the request is free or inactive afterwards. */
int request_finish(struct vmpi *v, VMPI_Request *handle, VMPI_Status *status);

/* ---- local_rank.c ---- */

/* The running rank's own number in a communicator that it belongs to. */
uint32_t comm_local(struct vmpi *v, VMPI_Comm comm);

#endif
