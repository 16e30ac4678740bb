/*
 * The order of a program's threads on a chip: which core waits for which (trace_order), and which is in a critical
 * section (trace_section). A core stops where its trace has it wait, and where that of another core names it. Then its
 * pipeline is empty, and what is before has committed: thread_order_reach reports that; a core goes on when
 * thread_order_passes.
 *
 * A lock is taken and released when fetch passes the section's begin and end, so a free one costs nothing but its
 * instructions. Where another core has it, a core stops; then the lock is released when the section has committed.
 * Cores get a lock in the order in which they reach it here, not in that of the recorded run. Owned by chip.c.
 */
#ifndef PSIM_CORE_THREAD_ORDER_H
#define PSIM_CORE_THREAD_ORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;
struct thread_order;
struct trace_reader;

/*
 * Reads the order of `cores` traces; those of threads of one program have the same number in `program`. Rows of threads
 * whose traces are not there are ignored. NULL with `e`: no memory.
 */
struct thread_order *thread_order_create(struct trace_reader *const *traces, const unsigned *program, unsigned cores,
					 struct err *e);
void thread_order_destroy(struct thread_order *o); /* NULL is allowed */

/* The positions at which core `n` may stop, ascending: core_options.stops. */
const uint64_t *thread_order_stops(const struct thread_order *o, unsigned n, size_t *count);

/* As core_options.gate and .section_left, for core `n`. */
bool thread_order_gate(struct thread_order *o, unsigned n, uint64_t position, bool *marks);
bool thread_order_left(struct thread_order *o, unsigned n, uint64_t now);

/*
 * thread_order_released: returns whether a lock for which cores wait is free since the last call; *at: from this cycle
 * on. thread_order_release: where this cycle is, for a quick look; THREADS_NEVER: none is.
 */
#define THREADS_NEVER UINT64_MAX
const uint64_t *thread_order_release(const struct thread_order *o);
bool thread_order_released(struct thread_order *o, uint64_t *at);

/* Core `n` has committed `position` instructions of its trace, warm-up parts included, and stops there, or is done. */
void thread_order_reach(struct thread_order *o, unsigned n, uint64_t position, bool stops);

/* Returns whether core `n` stops, and waits for none; it then goes on. */
bool thread_order_passes(struct thread_order *o, unsigned n);

/*
 * If all cores stop: lets one go on that waits for a lock, though another core holds it, since threads that came in
 * another order when they were recorded may wait for each other here. False: no core waits for a lock.
 */
bool thread_order_gives_way(struct thread_order *o);

/* -1, with STATUS_STUCK and who waits for whom, if a core stops; else 0. */
int thread_order_stuck(const struct thread_order *o, struct err *e);

#endif
