/*
 * What a processing unit does: the interface of a PU file.
 *
 * A PU file is C and defines two functions. `pu_init` is called once for each
 * PU at clock 0 and returns that PU's variables, from malloc() or NULL: they are its own, so
 * no globals are needed, and are freed at the end of the run. `pu_exec` is called whenever the PU
 * has to decide what to do next, and returns it: compute for some clocks, send, wait for a message,
 * end.
 *
 *     void *pu_init(struct pu *self, int argc, char **argv);
 *     struct pu_action pu_exec(struct pu *self, void *variables);
 *
 * argc and argv are the simulator's operands that net_config() did not take.
 * Source: INSPIRE, section 2.2.
 */
#ifndef PSIM_PU_H
#define PSIM_PU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pu;

struct pu_action {
	int what; /* made by the functions below */
	uint64_t clocks;
};

void *pu_init(struct pu *self, int argc, char **argv);
struct pu_action pu_exec(struct pu *self, void *variables);

/* ---- what pu_exec may return ---- */
/* Compute for `clocks` (1 or more), then be asked again. */
struct pu_action pu_compute(uint64_t clocks);
/* Send, and be asked again when the last flit has left the PU. `data` is passed on as it is. */
struct pu_action pu_send(struct pu *self, uint32_t to, uint32_t bytes, int type, void *data);
/* Wait until there is a message that pu_take has not taken yet. */
struct pu_action pu_receive(void);
/* Do nothing any more. */
struct pu_action pu_end(void);

/* ---- what it may call ---- */
uint32_t pu_number(const struct pu *self); /* 0 … pu_count - 1, the first index fastest */
uint32_t pu_count(const struct pu *self);
int32_t pu_dim(const struct pu *self, unsigned dimension); /* its index in the description */
uint64_t pu_clock(const struct pu *self);
/* The load of this run: --load, or the present point of --sweep; bytes per clock and PU by
 * convention. */
double pu_load(const struct pu *self);
/* Random numbers of this PU's own stream: in [0, 1), and 0 … n-1. Same seed, same numbers. */
double pu_random(struct pu *self);
uint32_t pu_below(struct pu *self, uint32_t n);
/* Puts a message into the PU's queue, without waiting. */
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
