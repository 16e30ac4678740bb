/*
 * Traffic without a program: synthetic patterns and pattern files, and the driver that sends them
 * through any engine.
 *
 * Every rank has a queue of entries, executed in order: send, wait until its sends are done, wait
 * for a message, pause. A queue is a function from a step's number to its entries, so patterns take
 * no memory however many messages they make; pattern files are read into arrays.
 *
 * A rank continues while fewer than `outstanding` of its sends are in flight (NET_SENT completes
 * one); 1 is the blocking send of S. Yazaki, H. Ishihata's Message Flow Simulator. Receives are
 * never posted: every message is accepted.
 *
 * docs/formats/traffic.md lists patterns and their keys, and the format of files.
 */
#ifndef PSIM_NETLINK_TRAFFIC_H
#define PSIM_NETLINK_TRAFFIC_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "../../psim/base/config/config.h"
#include "../../psim/base/err.h"
#include "../../psim/base/quantile.h"
#include "../../psim/base/sum128.h"
#include "../../psim/base/report/report.h"
#include "../engine/engine.h"
#include "../parallel/window.h"
#include "../topology/topology.h"
#include "matrix.h"

enum { TRAFFIC_STEP_MAX = 72 }; /* entries of a step */

enum traffic_entry_kind {
	TRAFFIC_SEND,    /* to `peer`; then waits while `outstanding` sends are in flight */
	TRAFFIC_SENDS,   /* waits until all its sends are done */
	TRAFFIC_RECEIVE, /* waits for one more message from `peer` */
	TRAFFIC_PAUSE,   /* for `ps` */
};

struct traffic_entry {
	enum traffic_entry_kind kind;
	uint32_t peer; /* rank */
	int32_t nic;   /* of a send, or NET_NIC_ANY */
	uint64_t bytes;
	int64_t ps; /* SEND: gap after each packet; PAUSE: its length */
};

struct traffic; /* a pattern with its keys, or a file */

/* A point of a load curve. */
struct traffic_load {
	double load;     /* above 0; in place of the key */
	uint64_t longer; /* factor on the key `repeat` */
};
enum { TRAFFIC_LOAD_MESSAGES = 1000 }; /* of a rank, in place of the default of the key `messages` */

/* Returns whether `text` names `word` as its pattern or as a key; a value, such as a file's name, is neither. */
bool traffic_names(const char *text, const char *word);

/*
 * Makes the pattern that `text` names, "all_to_all:size=20 KB,outstanding=4", for `ranks` ranks, at the point `x` of a
 * load curve; NULL: none. The topology (borrowed, for its dimensions and bandwidth) must outlive it. NULL and `e`
 * (STATUS_USAGE) with the legal names, keys and values, also where the text has a load and `x` too.
 */
struct traffic *traffic_of_load(const char *text, const struct traffic_load *x, const struct topology *t,
				uint32_t ranks, struct err *e);

/* A job beside others. */
struct traffic_job {
	bool endless;        /* repeats for ever */
	unsigned dimensions; /* the grid of its ranks, if the key `dims` names no other; 0: as of any pattern */
	const uint32_t *dims;
};

/* The same for a job. NULL and `e`, also for `repeat` without an end. */
struct traffic *traffic_of_job(const char *text, const struct traffic_job *j, const struct topology *t, uint32_t ranks,
			       struct err *e);

/* Reads a pattern file for nodes of `nics` NICs. NULL and `e` (STATUS_BAD_INPUT) with FILE:line. */
struct traffic *traffic_from_file(const char *path, unsigned nics, struct err *e);

/* Reads one from an open stream, which messages call `name`. */
struct traffic *traffic_from_stream(FILE *in, const char *name, unsigned nics, struct err *e);

void traffic_destroy(struct traffic *t); /* NULL is allowed */

/*
 * The keys of a pattern, for reports of those that it does not read (config_unused with `traffic_uses`); a file has
 * none: NULL. Owned by `t`.
 */
struct config *traffic_config(const struct traffic *t);
extern const struct config_use traffic_uses[];

uint32_t traffic_ranks(const struct traffic *t);
/* Returns the bandwidth of a rank of which a load is a share, bytes/s; 0: the pattern has no load. */
double traffic_injection(const struct traffic *t);
/* Returns the number of all messages, 0 if unknown. For progress. */
uint64_t traffic_messages(const struct traffic *t);

/* Writes the entries of a rank's step; returns their number, 0 behind the last step. */
unsigned traffic_step(const struct traffic *t, uint32_t rank, uint64_t step,
		      struct traffic_entry entry[TRAFFIC_STEP_MAX]);

/* Prints names and meanings of all patterns, and their keys, for help. */
void traffic_list(FILE *out);

/*
 * Makes a placement: node_of[ranks], ranks <= nodes. `random`: a permutation that depends only on
 * the seed, otherwise rank = node. NULL and `e` if memory is short or there are fewer nodes than
 * ranks. Free with free().
 */
uint32_t *traffic_placement(uint32_t nodes, uint32_t ranks, bool random, uint64_t seed, struct err *e);

struct traffic_setup {
	const struct traffic *traffic;
	const struct topology *topology;
	const struct net_engine_kind *kind;
	struct net_engine *engine;  /* new, at time 0 */
	const uint32_t *node_of;    /* [ranks]; several ranks may be on a node */
	struct comm_matrix *matrix; /* counts the messages; may be NULL */
	/*
	 * Several processes, made but not begun: all but the first end within traffic_run, which returns everybody's
	 * result. NULL: this one alone. `owner`: the partition of each vertex (netlink/parallel/domain.h).
	 */
	struct exchange *exchange;
	const uint16_t *owner;
	int64_t widen_ps; /* tests: added to windows, so that results are wrong */
	/* Called at intervals with the number of messages delivered; false ends the run. May be NULL. */
	bool (*tick)(void *user, uint64_t delivered, int64_t now_ps);
	void *user;
};

struct traffic_rank {
	int64_t end_ps;  /* of its last entry, and of the last message delivered to it */
	int64_t last_ps; /* when it sent its last message */
	uint64_t sent, received, sent_bytes, received_bytes;
};

enum { TRAFFIC_BATCHES = 60 };

/* Bytes sent and delivered in a part of the time, and the latency of messages sent in it. */
struct traffic_batch {
	uint64_t sent_bytes, delivered_bytes;
	uint64_t messages; /* sent in it, and delivered at any time */
	sum128 latency_sum_ps;
	int64_t latency_max_ps;
};

/* An open loop's batches in detail. */
struct traffic_detail {
	uint64_t latency[TRAFFIC_BATCHES][QUANTILE_BINS]; /* of messages sent in a batch */
	struct traffic_sender {
		uint32_t sent[TRAFFIC_BATCHES], delivered[TRAFFIC_BATCHES]; /* its messages in a batch */
	} sender[];
};

/*
 * An open loop in batches of equal time. steady.h selects from them the measured window; the time after the last send,
 * when the network drains, does not count.
 */
struct traffic_window {
	int64_t begin_ps, batch_ps; /* batch_ps = 0: no open loop */
	bool warm;                  /* the first batch is after the warm-up */
	bool given;                 /* the window has the last batch, whatever ranks send */
	double bytes_per_ps;        /* what all ranks can inject */
	struct traffic_batch batch[TRAFFIC_BATCHES];
};

enum { TRAFFIC_BUCKETS = 64 };
struct traffic_result {
	struct traffic_window window;
	uint32_t ranks;
	bool complete; /* false: tick ended it */
	int64_t total_ps;
	uint64_t messages, bytes;
	int64_t latency_min_ps, latency_max_ps;
	sum128 latency_sum_ps;
	uint64_t latency[TRAFFIC_BUCKETS]; /* [k]: messages of 2^k ps up to less than twice that */
	struct traffic_rank *rank;
	struct traffic_detail *detail; /* NULL: no open loop */
	struct window_counts parallel; /* of several processes */
};

/*
 * Runs the traffic to its end. NULL and `e`: STATUS_STUCK if ranks wait for messages that never
 * come (with rank and sender), errors of the engine, or memory. Of several processes a network that is stuck is
 * reported without the reason: run it on one. Free with traffic_result_destroy.
 */
/* Adds the matrices of all other processes to that of the first one. 0, or -1 with `e`, as window_run. */
int traffic_gather_matrix(struct exchange *x, struct comm_matrix *m, struct err *e);

struct traffic_result *traffic_run(const struct traffic_setup *s, struct err *e);

/*
 * The same step by step, for a caller that advances the engine itself: traffic beside other traffic. `s` is copied; it
 * has no exchange, and its tick is not called. NULL with `e`.
 */
struct traffic_steps *traffic_steps_create(const struct traffic_setup *s, struct err *e);
/* Takes a notice of the engine, in order. 0, or -1 with `e`. */
int traffic_steps_notice(struct traffic_steps *t, const struct net_notice *x, struct err *e);
/* Returns when the next pause of a rank ends; NET_TIME_NEVER: no rank pauses. */
int64_t traffic_steps_next(const struct traffic_steps *t);
/* Ends the pauses up to the present, `now_ps`, whose notices have all been taken. 0, or -1 with `e`. */
int traffic_steps_pauses(struct traffic_steps *t, int64_t now_ps, struct err *e);
/* Returns whether all ranks have ended. */
bool traffic_steps_over(const struct traffic_steps *t);
/* Returns the result; `complete`: checks that all ranks have ended. NULL with `e` as traffic_run. */
struct traffic_result *traffic_steps_end(struct traffic_steps *t, bool complete, struct err *e);
void traffic_steps_destroy(struct traffic_steps *t); /* NULL is allowed */

void traffic_result_destroy(struct traffic_result *r);

/* Adds the group "traffic": times, bytes, latency; `ranks`: also a table of all ranks. */
void traffic_report(const struct traffic_result *x, bool ranks, struct report *r);

#endif
