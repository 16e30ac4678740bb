/* Shared by the two halves of a log: series (log_series.c) and events (log.c). */
#ifndef PSIM_NETLINK_LOG_PARTS_H
#define PSIM_NETLINK_LOG_PARTS_H

#include "../../psim/base/tally.h"
#include "log.h"

struct log_series {
	const struct topology *t;
	int64_t interval, next;
	bool widening;
	unsigned width; /* doubles in a row */
	double *at;
	uint32_t rows, room;
};

/* A window: which events are written. */
struct log_early {
	const char *name; /* the rank's state when the window opens */
	uint32_t node;
};
enum { LOG_NODE_WANTED = 1, LOG_NODE_KNOWN = 2 };
enum log_line { LOG_LINE_STATE, LOG_LINE_PHASE, LOG_LINES }; /* the lines of a rank */
struct log_window {
	bool on, opened, closed;
	int64_t from, to;
	uint32_t first, last;
	uint8_t *node;       /* LOG_NODE_… */
	struct tally flying; /* serials of the messages that are written and in flight */
	struct {
		struct log_early *at; /* by rank from `first` on */
		uint32_t count;
	} early[LOG_LINES];
};

int log_window_init(struct log_window *w, const struct net_log_setup *setup, struct err *e);
void log_window_finish(struct log_window *w);

/* Returns whether the message or state is written: 1 yes, 0 no, -1 out of memory. */
int log_window_begins(struct log_window *w, int64_t time, uint64_t serial, const struct net_message *m);
int log_window_state(struct log_window *w, enum log_line line, uint32_t rank, uint32_t node, int64_t time,
		     const char *name);

/* Returns whether the rank's events at this time are written. */
bool log_window_wants(const struct log_window *w, uint32_t rank, int64_t time);

/* Returns whether the message's start was written. */
bool log_window_has(const struct log_window *w, uint64_t serial);
bool log_window_ends(struct log_window *w, uint64_t serial); /* called once, at the message's end */

void log_series_init(struct log_series *s, const struct net_log_setup *setup);
void log_series_finish(struct log_series *s);
int log_series_add(struct log_series *s, const struct net_log_class *classes, const uint32_t fill[NET_LOG_FILL_CLASSES],
		   const double *filled);

/* Mean throughput of a link of a class in a row's interval, bytes/s. */
double log_series_throughput(const struct log_series *s, uint32_t row, unsigned class);
/* Total samples of buffers; 0: the engine has no buffers. */
double log_series_weight(const struct log_series *s);
/* Returns whether this (class, VC) has buffers, and their fill in percent. */
bool log_series_has_buffers(const struct log_series *s, unsigned pair);
double log_series_filled(const struct log_series *s, uint32_t row, unsigned pair);
/* Share of buffers between routers in the first `classes` of ten classes of fill, %. */
double log_series_below(const struct log_series *s, uint32_t row, unsigned classes);
/* log_picture.c */
int log_series_picture(const struct log_series *s, const char *title, FILE *out, struct err *e);
void log_series_report(const struct log_series *s, struct report *r);

#endif
