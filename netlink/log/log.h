/*
 * Activity of a network over time: series (throughput by direction, how full buffers are) and a log of events for
 * timeline viewers.
 *
 * Whoever runs an engine makes a log and passes it in the setup. The engine and, above it, virtual ranks report
 * events to it. The simulation never depends on the log. A log outlives the engine that writes to it.
 *
 * Formats: Chrome's JSON ("Trace Event Format"; Perfetto and chrome://tracing read it) and Paje's text (L. Schnorr,
 * "Paje trace file format", 2012; pj_dump and ViTE read it), which are streamed during the run; and Paraver's three
 * files, which are written at its end. docs/programs/analysis.md shows their contents.
 */
#ifndef PSIM_NETLINK_LOG_H
#define PSIM_NETLINK_LOG_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "../../psim/base/err.h"
#include "../../psim/base/report/report.h"
#include "../../psim/base/sum128.h"
#include "../topology/topology.h"

enum { NET_LOG_FILL_CLASSES = 10 };

struct net_log;
struct net_message;

/* A window of the run: only events of these times and ranks are logged, and messages between their nodes. */
struct net_log_window {
	int64_t from_ps, to_ps;
	uint32_t first_rank, last_rank;
	const uint32_t *node_of; /* by rank, borrowed; NULL: messages of all nodes */
	uint32_t ranks;
};

struct net_changes;

struct net_log_setup {
	const struct topology *topology;   /* borrowed */
	const struct net_changes *changes; /* of it, borrowed; NULL: none */
	bool series;                       /* keep series */
	bool links;                        /* and what each link carries, of a small network: for net_log_map */
	int64_t interval_ps; /* between points; 0: begins at 31.25 ns, doubles at 256 points; below 1 us at 64 */
	FILE *chrome, *paje; /* borrowed; NULL: none. Write errors are detected on closing */
	FILE *paraver, *paraver_meanings, *paraver_rows; /* the same: .prv, .pcf and .row, all or none */
	const uint32_t *node_of;                         /* with these: of each rank, borrowed */
	uint32_t ranks;
	bool elsewhere; /* the first of several processes has these files: the log collects events for it */
	bool packets;   /* also log packets on links, which are many */
	bool arrows;    /* ranks report their messages, which are counted instead of the engine's */
	const struct net_log_window *window; /* of events; borrowed until the log is made; NULL: no window */
};

/* NULL with `e` if memory is short. */
struct net_log *net_log_create(const struct net_log_setup *setup, struct err *e);
void net_log_destroy(struct net_log *l); /* accepts NULL */

/* Writes the remaining events and ends the files. 0, or -1 with `e` if memory was short at any time. */
int net_log_finish(struct net_log *l, struct err *e);

/* Returns whether events of ranks are needed. */
bool net_log_wants_events(const struct net_log *l);

/* No event before this time will follow. Engines that report messages call it themselves. */
void net_log_present(struct net_log *l, int64_t time_ps);

/* The run is complete: series end with the last message's arrival. */
void net_log_complete(struct net_log *l);

/* Adds the tables "series_throughput", "series_busy" and, for engines with buffers, "series_buffers" to `r`. */
void net_log_report(const struct net_log *l, struct report *r);

/* Returns the interval between points of the series, in ps. */
int64_t net_log_interval(const struct net_log *l);
/*
 * Returns the bytes that the links of a class have carried until `time`, a multiple of the interval, in a complete run;
 * below 0: all.
 */
double net_log_carried(const struct net_log *l, unsigned class, int64_t time);

/*
 * Adds the group "network_map", with which a page draws the network and the use of its links in each interval. Without
 * the bytes of links, nothing. 0, or -1 with `e` if memory is short.
 */
int net_log_map(const struct net_log *l, struct report *r, struct err *e);

/* Draws the series as SVG, in panels with one time axis. 0, or -1 with `e` if memory is short. */
int net_log_picture(const struct net_log *l, const char *title, FILE *out, struct err *e);

/* ---- for engines; `l` is not NULL ---- */
/* Cumulative activity of a class of links at a moment: sums over its links, exact, so that parts of them add up. */
#define NET_LOG_BYTE (UINT64_C(1) << 32)
struct net_log_class {
	sum128 bytes; /* in units of 1 / NET_LOG_BYTE bytes */
	sum128 busy_ps;
};
/* The time of the next sample; NET_TIME_NEVER without series. */
int64_t net_log_next_sample(const struct net_log *l);

/*
 * Adds the sample of that time: a row for each class of the topology; the number of buffers between routers that are
 * 0 … 10 %, … 90 … 100 % full; and the sum over the links of each (class, vc), [class * vcs + vc], of the share filled,
 * in units of 1 / NET_LOG_FULL, which is NET_LOG_NO_BUFFER in each sample if there are no buffers. `fill` and `filled`
 * may be NULL for an engine without buffers. `links`: bytes of each link, or NULL where net_log_wants_links is false.
 */
bool net_log_wants_links(const struct net_log *l);
#define NET_LOG_FULL (UINT64_C(1) << 32)
#define NET_LOG_NO_BUFFER UINT64_MAX
void net_log_sample(struct net_log *l, const struct net_log_class *classes, const uint32_t fill[NET_LOG_FILL_CLASSES],
		    const uint64_t *filled, const uint64_t *links);

/* A message begins or ends; times are monotonic. `serial` is unique: a node << 32, and a number that counts there. */
void net_log_message(struct net_log *l, int64_t time_ps, uint64_t serial, const struct net_message *m);
void net_log_delivered(struct net_log *l, int64_t time_ps, uint64_t serial, const struct net_message *m);

/* A link carries a packet of message `serial` from `time_ps`, the call's time or later, to `end_ps`. */
void net_log_packet(struct net_log *l, uint32_t link, int64_t time_ps, int64_t end_ps, uint64_t serial);
bool net_log_wants_packets(const struct net_log *l);

/*
 * ---- for engines of which several processes have a partition each ----
 * Of such an engine, `put` gets room for a record of `bytes` to the first process; NULL: memory is short. Messages and
 * packets of all processes are logged in the first one, in the order of (time, kind, key), as in a run on one process.
 */
void net_log_divide(struct net_log *l, bool first, void *(*put)(void *user, size_t bytes), void *user);
/* Takes a record of another process, in the first one. 0, or -1 with `e`. */
int net_log_take(struct net_log *l, const void *record, size_t bytes, struct err *e);
/*
 * A step of time of all processes ends: no event will precede its end. The log writes events of the step before, since
 * the states of ranks in this one may be reported after it.
 */
void net_log_step(struct net_log *l);
/* Writes the series of this process to `out` (NULL: nothing); returns their bytes. Adds those of another process. */
size_t net_log_results(struct net_log *l, void *out);
void net_log_add_results(struct net_log *l, const void *results);

/* ---- for virtual ranks ---- */
/*
 * A rank's state changes at a time not before the engine's present. Strings are written when their time has come, so
 * they must outlive the log.
 */
enum net_log_kind {
	NET_LOG_CALLS,     /* the rank is in the call `name` */
	NET_LOG_COMPUTES,  /* it computes `name` */
	NET_LOG_ENDS,      /* it does neither any more */
	NET_LOG_WAITS,     /* it waits in its call */
	NET_LOG_CONTINUES, /* it does not any more */
	NET_LOG_LAST,      /* the rank has ended, and with it its phase */
};
struct net_log_state {
	enum net_log_kind kind;
	uint32_t rank, node;
	int64_t time_ps;
	const char *name, *at; /* at: its place in the program; NULL: unknown */
};
void net_log_state(struct net_log *l, const struct net_log_state *s);

/* A message between ranks is sent or received, at a time not before the engine's present. */
struct net_log_arrow {
	int64_t time_ps;
	uint64_t serial, bytes; /* serial: of its sender's messages */
	uint32_t src, dst;      /* ranks */
	uint32_t node;          /* of the sender, or, if received, of the receiver */
	int32_t tag;
	bool received;
};
void net_log_arrow(struct net_log *l, const struct net_log_arrow *a);

/* The rank enters a phase of its program (NULL: none), shown on a line of its own. Any text. */
void net_log_phase(struct net_log *l, uint32_t rank, uint32_t node, int64_t time_ps, const char *name);
/* The rank reaches a point that its program names. Any text. */
void net_log_event(struct net_log *l, uint32_t rank, uint32_t node, int64_t time_ps, const char *name);

#endif
