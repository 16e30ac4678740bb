/*
 * A protocol (../../protocol) from measured times. Of each measured latency the engine's own time is taken away, that
 * of a message on an idle network; what remains are times of hosts, which pieces.h fits.
 */
#ifndef PSIM_NETLINK_CALIBRATE_H
#define PSIM_NETLINK_CALIBRATE_H

#include <stdbool.h>
#include <stdio.h>

#include "../../../psim/base/report/report.h"
#include "../../engine/alone.h"
#include "../../protocol/protocol.h"
#include "../../vmpi/vmpi_config.h"
#include "measured.h"
#include "pieces.h"

/* The machine whose hosts are calibrated. */
struct calibrate_machine {
	struct alone *network;
	uint32_t src, dst; /* nodes */
	const struct vmpi_config *mpi;
	double noise; /* of a measurement, relative */
};

/* A size: measured, and the model's. */
struct calibrate_size {
	uint64_t bytes;
	double measured_ps, network_ps, model_ps;
	double held_out_ps; /* the prediction of a fit without this size; negative: it has been in all fits */
};

/* A fit of times to sizes. */
struct calibrate_fit {
	struct vec_of(struct piece_sample) samples;
	struct vec_of(struct piece) pieces;
};

struct calibrate_table {
	enum protocol_where where;
	const char *benchmark, *rate_benchmark, *overheads; /* NULL: nothing is measured */
	struct vec_of(struct calibrate_size) sizes;
	struct calibrate_fit eager, rendezvous, gap; /* delays without processor times; gaps */
	struct calibrate_fit send, receive;          /* measured processor times beyond mpi.overhead */
	double processor_ps;                         /* without them: `send`, and `receive` */
	unsigned calls;                              /* of a measured time: 2 of an exchange */
	bool copies;                                 /* what is left is the receiver's processor, which copies */
};

/* Fits measured processor times, before calibrate_fit. 0, or -1 with `e`. */
int calibrate_processors(struct calibrate_table *t, const struct calibrate_machine *m, const struct measured *send,
			 const struct measured *receive, struct err *e);

/*
 * Fits a table. `latency` has measured latencies; `interval`, which may be NULL, the times between messages of one
 * sender, from which the ends of windows are taken. 0, or -1 with `e`: STATUS_BAD_INPUT if the network alone takes
 * longer than was measured, or if a way to send has fewer than three sizes.
 */
int calibrate_fit(struct calibrate_table *t, const struct calibrate_machine *m, const struct measured *latency,
		  struct measured *interval, struct err *e);
void calibrate_finish(struct calibrate_table *t);

/* Writes a table's segments as protocol.h describes. */
void calibrate_write(const struct calibrate_table *t, const struct calibrate_machine *m, FILE *out);

/* Adds the table of sizes, and how far the model is off. */
void calibrate_report(const struct calibrate_table *t, struct report *r);

#endif
