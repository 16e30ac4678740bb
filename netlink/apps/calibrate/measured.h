/*
 * Measured times of messages between ranks, from what benchmarks print: osu_latency, osu_bw, osu_bibw and osu_mbw_mr
 * of the OSU micro-benchmarks, PingPong and Sendrecv of the Intel MPI Benchmarks, or a CSV file with a header; and
 * processor times, which netlink/programs/examples/overheads.c prints.
 */
#ifndef PSIM_NETLINK_MEASURED_H
#define PSIM_NETLINK_MEASURED_H

#include <stdint.h>

#include "../../../psim/base/err.h"
#include "../../../psim/base/vec.h"

enum measured_kind {
	MEASURED_LATENCY,   /* half of a round trip */
	MEASURED_EXCHANGE,  /* a rank's send to the next one and receive from the one before it */
	MEASURED_INTERVAL,  /* between two of many messages that a node sends */
	MEASURED_PROCESSOR, /* of a message, in calls; may be 0 */
};

struct measured_sample {
	uint64_t bytes;
	double ps;
};

struct measured {
	enum measured_kind kind;
	unsigned window;       /* of rates: messages that an answer of 4 bytes follows; 0: none does */
	const char *path;      /* borrowed; NULL: none */
	const char *benchmark; /* its name, for reports */
	struct vec_of(struct measured_sample) samples; /* sizes ascending, each once */
};

/*
 * Reads a file. 0, or -1 with `e`: STATUS_BAD_INPUT with FILE:LINE if the file is of another kind, if sizes repeat or
 * fall, or if there are fewer than three. measured_finish frees the samples, also after a failure.
 */
int measured_read(struct measured *m, const char *path, struct err *e);

/*
 * The same of the CSV column NAME_ns, _us, _ms or _s: processor times. Those below 0 are 0: less than a clock's.
 */
int measured_read_processor(struct measured *m, const char *path, const char *name, struct err *e);
void measured_finish(struct measured *m);

#endif
