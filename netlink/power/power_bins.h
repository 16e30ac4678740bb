/*
 * Activity of processors over time: sums of intervals of a run whose length is unknown. Intervals double when there are
 * too many of them; sums of times are exact.
 */
#ifndef PSIM_NETLINK_POWER_BINS_H
#define PSIM_NETLINK_POWER_BINS_H

#include <stdbool.h>
#include <stdint.h>

#include "../../psim/base/sum128.h"
#include "../../psim/base/vec.h"

enum power_state { POWER_STATE_WAIT, POWER_STATE_ASLEEP, POWER_STATE_MODELLED, POWER_STATES };

struct power_bin {
	sum128 ps[POWER_STATES]; /* of all processors; those asleep are in the waiting ones, too */
	double model_j, model_bytes, message_bytes;
};

struct power_bins {
	int64_t interval; /* ps */
	size_t most;      /* bins */
	struct vec_of(struct power_bin) bin;
	bool short_of_memory; /* some activity is lost */
};

/* `interval` in ps; 0: begins at that of series (netlink/log), with as many bins as they have rows. */
void power_bins_init(struct power_bins *b, int64_t interval);
void power_bins_finish(struct power_bins *b);

/* Adds the time from `from` to `to`, in ps, to a state. */
void power_bins_add_time(struct power_bins *b, enum power_state state, int64_t from, int64_t to);
/* Adds what a model says of a computation, evenly. */
void power_bins_add_model(struct power_bins *b, int64_t from, int64_t to, double joules, double bytes);
/* Adds bytes of messages. */
void power_bins_add_bytes(struct power_bins *b, int64_t time, double bytes);
/* Adds what is at the end of the run, `rows` intervals, or behind it to the last one. */
void power_bins_end(struct power_bins *b, size_t rows);
/* Doubles the interval until it is `interval`, which is a power of two times it, or more. */
void power_bins_widen(struct power_bins *b, int64_t interval);

#endif
