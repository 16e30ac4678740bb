/* Shared by the parts of a log: series (log_series.c), events (log.c), those of several processes (log_divided.c). */
#ifndef PSIM_NETLINK_LOG_PARTS_H
#define PSIM_NETLINK_LOG_PARTS_H

#include "../../psim/base/tally.h"
#include "../../psim/base/vec.h"
#include "log.h"

/* Rows before they were thinned out; they are valid if the run has ended before the row that was too many. */
struct log_thinned {
	int64_t interval;
	uint32_t rows;
	sum128 *at;
};

struct log_series {
	const struct topology *t;
	int64_t interval, next;
	bool widening;
	unsigned width; /* numbers in a row */
	uint32_t links; /* whose bytes are in it; 0: none */
	sum128 *at;
	uint32_t rows, room;
	struct vec_of(struct log_thinned) thinned; /* while the last arrival is before the row that was too many */
};

/* In the order of an instant; events of a rank are in its own order. */
enum log_what {
	LOG_POP_PACKET,
	LOG_MESSAGE,
	LOG_DELIVERED,
	/* of ranks; the first three as enum log_line */
	LOG_WAIT,
	LOG_STATE,
	LOG_PHASE,
	LOG_EVENT,
	LOG_ARROW,
	LOG_ARROW_END,
	LOG_PUSH_PACKET
};

/* An event; which members are valid depends on `what`. */
struct log_event {
	int64_t time, end;
	uint64_t order; /* of arrival, for ties */
	uint64_t serial, bytes;
	const char *name, *at; /* at: its place in the program */
	uint32_t from, to;     /* nodes; rank and node; link */
	int32_t nic, tag;
	enum log_what what;
	bool computes;
};

/* An arrow's serial is its sender's rank, and a number of so many bits that counts there. */
enum { LOG_ARROW_BITS = 40 };

static inline bool log_is_of_rank(const struct log_event *v)
{
	return v->what >= LOG_WAIT && v->what <= LOG_ARROW_END;
}

/* Returns whether `a` is before `b`: by time, kind, what they are about, and order of arrival. */
static inline bool log_before(const struct log_event *a, const struct log_event *b)
{
	enum log_what p = log_is_of_rank(a) ? LOG_STATE : a->what, q = log_is_of_rank(b) ? LOG_STATE : b->what;

	if (a->time != b->time)
		return a->time < b->time;
	if (p != q)
		return p < q;
	if (p == LOG_MESSAGE || p == LOG_DELIVERED)
		return a->serial < b->serial;
	return a->from != b->from ? a->from < b->from : a->order < b->order;
}

/* A window: which events are written. */
struct log_early {
	const char *name, *at; /* the rank's state when the window opens */
	uint32_t node;
	bool computes;
};
enum { LOG_NODE_WANTED = 1 };
enum log_line { LOG_LINE_WAIT, LOG_LINE_STATE, LOG_LINE_PHASE, LOG_LINES }; /* what a rank can be in */
struct log_window {
	bool on, opened, closed;
	int64_t from, to;
	uint32_t first, last;
	uint8_t *node;       /* LOG_NODE_… */
	struct tally flying; /* serials of the messages that are written and in flight */
	struct tally arrows; /* the same of those between ranks */
	struct {
		struct log_early *at; /* by rank from `first` on */
		uint32_t count;
	} early[LOG_LINES];
};

/* Events of several processes: the first one has those of all of them that were not passed on yet. */
struct log_divided {
	bool on, first;
	void *(*put)(void *user, size_t bytes);
	void *user;
	struct vec_of(struct log_event) fresh; /* of all steps that were not passed on */
	size_t old;                            /* those of the steps before the last one */
};

/* Values at a moment, for counters. */
enum log_counted {
	COUNTED_COMPUTE,
	COUNTED_CALL,
	COUNTED_WAIT,
	COUNTED_MESSAGES,
	COUNTED_BYTES,
	COUNTED_LINKS,
	LOG_COUNTED
};
struct log_counters {
	int64_t time; /* of `now` */
	uint64_t now[LOG_COUNTED], written[LOG_COUNTED];
	bool named; /* their line in Chrome's JSON */
};

/* Flags of a rank: has it a line, a line for phases; what is it in? */
enum { INSIDE_KNOWN = 1, INSIDE_NAMED = 2, INSIDE_STATE = 4, INSIDE_PHASE = 8, INSIDE_WAIT = 16, INSIDE_COMPUTES = 32 };
/* Flags of a node: has it a line? */
enum { KNOWN_CHROME = 1, KNOWN_PAJE = 2 };

struct net_log {
	struct net_log_setup setup;
	struct log_series series;
	struct log_window window;
	struct log_divided divided;
	struct log_counters counters;
	struct log_event *heap;
	uint32_t count, room, ranks;        /* ranks: those that have a line */
	uint8_t *inside;                    /* by rank: INSIDE_… */
	uint8_t *known;                     /* by node: KNOWN_…; NULL: no events */
	struct vec_of(const char *) values; /* of states, with a colour in Paje's text */
	uint64_t order;
	int64_t written;             /* ps, of the last event that was written */
	int64_t last_arrival;        /* ps, of a message */
	struct log_paraver *paraver; /* NULL: no such file */
	bool short_of_memory, first;
};

/* Returns whether events are requested, here or in the first process. */
static inline bool log_has_events(const struct net_log *l)
{
	return l->setup.chrome || l->setup.paje || l->setup.paraver || l->setup.elsewhere;
}

/* A rank's states, phases and waits, each of which has a begin, with a name, and an end. */
static inline bool log_is_state(const struct log_event *v)
{
	return v->what >= LOG_WAIT && v->what <= LOG_PHASE;
}

static inline unsigned log_bit_of(const struct log_event *v)
{
	return v->what == LOG_PHASE ? INSIDE_PHASE : v->what == LOG_WAIT ? INSIDE_WAIT : INSIDE_STATE;
}

static inline bool log_is_inside(const struct net_log *l, const struct log_event *v)
{
	return l->inside[v->from] & log_bit_of(v);
}

/* log_chrome.c, log_paje.c: writers of a format. Begin the file; define lines; write an event. */
void chrome_begin(struct net_log *l);
void chrome_rank(struct net_log *l, uint32_t rank);
void chrome_node(struct net_log *l, uint32_t node);
void chrome_event(struct net_log *l, const struct log_event *v);
void chrome_counters(struct net_log *l, const struct log_counters *c);
void chrome_end(struct net_log *l);
void paje_begin(struct net_log *l);
void paje_rank(struct net_log *l, const struct log_event *v);
void paje_node(struct net_log *l, int64_t time, uint32_t node);
void paje_event(struct net_log *l, const struct log_event *v);
void paje_counters(const struct net_log *l, const struct log_counters *c);

/* log_paraver.c: the same; its records are kept, and paraver_end writes the files: 0, or -1 with `e` */
struct log_paraver *paraver_create(const struct net_log_setup *setup, struct err *e);
void paraver_destroy(struct log_paraver *p); /* NULL is allowed */
void paraver_event(struct net_log *l, const struct log_event *v);
int paraver_end(struct net_log *l, struct err *e);

/* log_counters.c: counts an event that is written; writes the counters if those of an earlier time have changed. */
void log_count(struct net_log *l, const struct log_event *v);
void log_counters_until(struct net_log *l, int64_t time);
/* Returns whether a value has changed since it was written. */
static inline bool log_counter_changed(const struct log_counters *c, enum log_counted i)
{
	return c->now[i] != c->written[i];
}

/* log.c: events of engines */
void log_message(struct net_log *l, const struct log_event *v);
void log_delivered(struct net_log *l, const struct log_event *v);
void log_packet(struct net_log *l, const struct log_event *v);

/* log_divided.c: hands over an event of an engine; passes on those that were not passed on yet */
void log_divided_add(struct net_log *l, const struct log_event *v);
void log_divided_pass_all(struct net_log *l);
void log_divided_finish(struct log_divided *d);

int log_window_init(struct log_window *w, const struct net_log_setup *setup, struct err *e);
void log_window_finish(struct log_window *w);

/* Returns whether the message or state is written: 1 yes, 0 no, -1 out of memory. */
int log_window_begins(struct log_window *w, const struct log_event *v);
int log_window_state(struct log_window *w, enum log_line line, const struct log_event *v);
int log_window_arrow(struct log_window *w, const struct net_log_arrow *a, uint64_t serial);

/* Returns whether the rank's events at this time are written. */
bool log_window_wants(const struct log_window *w, uint32_t rank, int64_t time);

/* Returns whether the message's start was written. */
bool log_window_has(const struct log_window *w, uint64_t serial);
/* Takes the message's start out of `begun`: called once, at the message's end. */
bool log_window_ends(struct tally *begun, const struct log_window *w, uint64_t serial);

void log_series_init(struct log_series *s, const struct net_log_setup *setup);
void log_series_finish(struct log_series *s);
/* `last`: the last message's arrival so far. 0, or -1 if memory is short. */
int log_series_add(struct log_series *s, const struct net_log_class *classes, const uint32_t fill[NET_LOG_FILL_CLASSES],
		   const uint64_t *filled, const uint64_t *links, int64_t last);
/* Ends the series at this time. */
void log_series_end(struct log_series *s, int64_t last);
/* Writes the rows to `out` (NULL: nothing), and returns their bytes; adds those of a process with the same times. */
size_t log_series_results(const struct log_series *s, void *out);
void log_series_add_results(struct log_series *s, const void *results);

/* Mean throughput of a link of a class in a row's interval, bytes/s. */
/* Bytes of a class until `time`, a multiple of the interval; below 0: all. */
double log_series_carried(const struct log_series *s, int64_t time, unsigned class);
double log_series_throughput(const struct log_series *s, uint32_t row, unsigned class);
/* Returns whether samples say how full buffers are: the engine has some. */
bool log_series_weighed(const struct log_series *s);
/* Returns whether this (class, VC) has buffers, and their fill in percent. */
bool log_series_has_buffers(const struct log_series *s, unsigned pair);
double log_series_filled(const struct log_series *s, uint32_t row, unsigned pair);
/* Share of buffers between routers in the first `classes` of ten classes of fill, %. */
double log_series_below(const struct log_series *s, uint32_t row, unsigned classes);
/* The bytes of a link in the interval that ends with a row. */
double log_series_link(const struct log_series *s, uint32_t row, uint32_t link);
/* log_map.c: the network, and the use of its links over time. 0, or -1 with `e`: memory is short. */
int log_map_report(const struct log_series *s, const struct net_changes *changes, struct report *r, struct err *e);
/* log_picture.c */
int log_series_picture(const struct log_series *s, const char *title, FILE *out, struct err *e);
void log_series_report(const struct log_series *s, struct report *r);

#endif
