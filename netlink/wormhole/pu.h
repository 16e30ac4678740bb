/*
 * The interface of a PU file: the behaviour of processing units.
 *
 * A PU file is C and defines two functions. `pu_init` is called once for each PU at clock 0 and
 * returns that PU's variables, from malloc() or NULL. They belong to that PU, so no globals are
 * needed, and are freed at the end of the run. `pu_exec` is called whenever the PU decides on its
 * next action, and returns it: compute for some clocks, send, wait for a message, end.
 *
 *     void *pu_init(struct pu *self, int argc, char **argv);
 *     struct pu_action pu_exec(struct pu *self, void *variables);
 *
 * argc and argv are the simulator's operands that net_config() did not take. Source: INSPIRE,
 * section 2.2.
 */
#ifndef PSIM_PU_H
#define PSIM_PU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pu;

struct pu_action {
	int what; /* set by the functions below */
	uint64_t clocks;
};

void *pu_init(struct pu *self, int argc, char **argv);
struct pu_action pu_exec(struct pu *self, void *variables);

/* ---- actions that pu_exec may return ---- */
/* Compute for `clocks` (1 or more), then call pu_exec again. */
struct pu_action pu_compute(uint64_t clocks);
/* Send, and call pu_exec again when the last flit has left the PU. `data` is passed on unchanged. */
struct pu_action pu_send(struct pu *self, uint32_t to, uint32_t bytes, int type, void *data);
/* Wait until there is a message that pu_take has not taken. */
struct pu_action pu_receive(void);
/* End: pu_exec is not called again. */
struct pu_action pu_end(void);

/* ---- functions that it may call ---- */
uint32_t pu_number(const struct pu *self); /* 0 … pu_count - 1, the first index fastest */
uint32_t pu_count(const struct pu *self);
int32_t pu_dim(const struct pu *self, unsigned dimension); /* its index in the description */
uint64_t pu_clock(const struct pu *self);
/*
 * Returns the load of this run: --load, or the present point of --sweep; bytes per clock and PU by
 * convention.
 */
double pu_load(const struct pu *self);
/*
 * Return random numbers of this PU's own stream: in [0, 1), and 0 … n-1. The same seed gives the
 * same numbers.
 */
double pu_random(struct pu *self);
uint32_t pu_below(struct pu *self, uint32_t n);
/* Queues a message at the PU and continues. */
void pu_post(struct pu *self, uint32_t to, uint32_t bytes, int type, void *data);

struct pu_message {
	uint32_t from, bytes;
	int type;
	void *data;
	uint64_t made, arrived;
};
/* Takes the oldest message that has arrived; false if there is none. */
bool pu_take(struct pu *self, struct pu_message *m);

#endif
