/* What the two halves of a log share: series (log_series.c) and events (log.c). */
#ifndef PSIM_NETLINK_LOG_PARTS_H
#define PSIM_NETLINK_LOG_PARTS_H

#include "log.h"

struct log_series {
	const struct topology *t;
	int64_t interval, next;
	bool widening;
	unsigned width; /* doubles in a row */
	double *at;
	uint32_t rows, room;
};

/* Which events are written. */
struct log_early {
	const char *name; /* the state that a rank is in when the window opens */
	uint32_t node;
};
enum { LOG_NODE_WANTED = 1, LOG_NODE_KNOWN = 2 };
enum log_line { LOG_LINE_STATE, LOG_LINE_PHASE, LOG_LINES }; /* what a rank has lines of */
struct log_window {
	bool on, opened, closed;
	int64_t from, to;
	uint32_t first, last;
	uint8_t *node;    /* LOG_NODE_… */
	uint64_t *serial; /* of messages under way: a table */
	uint32_t count, room;
	struct {
		struct log_early *at; /* of each rank from `first` on */
		uint32_t count;
	} early[LOG_LINES];
};

int log_window_init(struct log_window *w, const struct net_log_setup *setup, struct err *e);
void log_window_finish(struct log_window *w);

/* Is the message, the state written? 1 yes, 0 no, -1: memory is short. */
int log_window_begins(struct log_window *w, int64_t time, uint64_t serial, const struct net_message *m);
int log_window_state(struct log_window *w, enum log_line line, uint32_t rank, uint32_t node, int64_t time,
		     const char *name);

/* Is what the rank does at that moment written? */
bool log_window_wants(const struct log_window *w, uint32_t rank, int64_t time);

/* Was its beginning written? */
bool log_window_has(const struct log_window *w, uint64_t serial);
bool log_window_ends(struct log_window *w, uint64_t serial); /* asked once, at its end */

void log_series_init(struct log_series *s, const struct net_log_setup *setup);
void log_series_finish(struct log_series *s);
int log_series_add(struct log_series *s, const struct net_log_class *classes, const uint32_t fill[NET_LOG_FILL_CLASSES],
		   const double *filled);

/* Of a row: mean throughput of a link of a class, bytes/s. */
double log_series_throughput(const struct log_series *s, uint32_t row, unsigned class);
/* Samples of buffers, in all; 0: the engine has none. */
double log_series_weight(const struct log_series *s);
/* Has this (class, VC) buffers, and to which part are they filled, %? */
bool log_series_has_buffers(const struct log_series *s, unsigned pair);
double log_series_filled(const struct log_series *s, uint32_t row, unsigned pair);
/* Buffers in the first `classes` of ten classes of fill, % of all between routers. */
double log_series_below(const struct log_series *s, uint32_t row, unsigned classes);
/* log_picture.c */
int log_series_picture(const struct log_series *s, const char *title, FILE *out, struct err *e);
void log_series_report(const struct log_series *s, struct report *r);

#endif
