/*
 * What a network does over time, for people to look at: series (throughput by
 * direction, how full buffers are) and a log of events for timeline viewers.
 *
 * Whoever runs an engine makes a log and hands it over in the setup; the engine
 * and, above it, virtual ranks tell it what happens. Nothing that is simulated depends on it.
 * A log outlives the engine that writes to it.
 *
 * Formats: Chrome's JSON ("Trace Event Format"; Perfetto and chrome://tracing read it)
 * and Paje's text (L. Schnorr, "Paje trace file format", 2012; pj_dump and ViTE read
 * it). Both are streamed as the run goes; docs/packet-engine.md shows what is in them.
 */
#ifndef PSIM_NETLINK_LOG_H
#define PSIM_NETLINK_LOG_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "../../psim/base/err.h"
#include "../../psim/base/report/report.h"
#include "../topology/topology.h"

enum { NET_LOG_FILL_CLASSES = 10 };

struct net_log;
struct net_message;

/* A part of the run: events of these times and of these ranks, and messages from and to their nodes. */
struct net_log_window {
	int64_t from_ps, to_ps;
	uint32_t first_rank, last_rank;
	const uint32_t *node_of; /* of all ranks, borrowed; NULL: messages of all nodes */
	uint32_t ranks;
};

struct net_log_setup {
	const struct topology *topology; /* borrowed */
	bool series;                     /* keep series */
	int64_t interval_ps; /* between points; 0: from 1 us on, twice as long whenever there are 256 points */
	FILE *chrome, *paje; /* borrowed; NULL: none. Errors of writing show when they are closed */
	bool packets;        /* events for packets on links too: many */
	const struct net_log_window *window; /* of events; borrowed until the log is made; NULL: everything */
};

/* NULL and `e` when memory is short. */
struct net_log *net_log_create(const struct net_log_setup *setup, struct err *e);
void net_log_destroy(struct net_log *l); /* NULL is allowed */

/* Writes what is left and the end of the files. 0, or -1 with `e` if memory was short on the way. */
int net_log_finish(struct net_log *l, struct err *e);

/* Nothing is told any more of times before this one. Engines that tell of messages say so themselves. */
void net_log_present(struct net_log *l, int64_t time_ps);

/* Adds the tables "series_throughput", "series_busy" and, of engines with buffers, "series_buffers" to `r`. */
void net_log_report(const struct net_log *l, struct report *r);

/* Draws the same as SVG, in panels with one axis of time. 0, or -1 with `e` if memory is short. */
int net_log_picture(const struct net_log *l, const char *title, FILE *out, struct err *e);

/* ---- for engines; `l` is not NULL ---- */
/* What of a class of links is known at a moment, from the start on. */
struct net_log_class {
	double bytes;   /* sum over its links */
	double busy_ps; /* the same */
};
/* The time of the next sample; NET_TIME_NEVER if there are no series. */
int64_t net_log_next_sample(const struct net_log *l);

/*
 * The sample of that time: a row for each class of the topology; and of the buffers of links between
 * routers how many are 0 … 10 %, … 90 … 100 % full, and the mean share filled of each (class, vc), [class *
 * vcs + vc]; NaN, in each sample, where there are no buffers. `fill` and `filled` may be NULL for an engine
 * without buffers.
 */
void net_log_sample(struct net_log *l, const struct net_log_class *classes, const uint32_t fill[NET_LOG_FILL_CLASSES],
		    const double *filled);

/* A message begins, ends; times do not go back. `serial` is not used by another message of the run. */
void net_log_message(struct net_log *l, int64_t time_ps, uint64_t serial, const struct net_message *m);
void net_log_delivered(struct net_log *l, int64_t time_ps, uint64_t serial, const struct net_message *m);

/* A link carries a packet of message `serial` from `time_ps`, its call's time, or later, to `end_ps`. */
void net_log_packet(struct net_log *l, uint32_t link, int64_t time_ps, int64_t end_ps, uint64_t serial);
bool net_log_wants_packets(const struct net_log *l);

/* ---- for virtual ranks ---- */
/*
 * Rank `rank`, which runs on `node`, enters state `name` ("MPI_Send"; NULL: computes) at a
 * time that is not before the engine's present. Strings are written when their time has come: they
 * must outlive the log.
 */
void net_log_state(struct net_log *l, uint32_t rank, uint32_t node, int64_t time_ps, const char *name);
/* Likewise the phase that its program says it is in (NULL: none): a line of its own. Any text. */
void net_log_phase(struct net_log *l, uint32_t rank, uint32_t node, int64_t time_ps, const char *name);
/* Likewise a point of its time that its program names. Any text. */
void net_log_event(struct net_log *l, uint32_t rank, uint32_t node, int64_t time_ps, const char *name);

#endif
