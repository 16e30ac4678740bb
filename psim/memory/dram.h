/*
 * Memory of channels, ranks, bank groups, banks and rows, as its parts are (JESD79-2F, JESD79-4B, JESD235A).
 *
 * A request waits in the queue of its channel until the scheduler has issued its read or write command; only then is
 * the cycle of its data known. The scheduler, dram.scheduler, has one command a clock for each channel. The one of
 * dram_first_ready.c selects the oldest request among those whose row is open, and else the oldest (first ready, first
 * come, first served: Rixner et al., ISCA 2000). Its writes wait until their queue is full, or more than a quarter of
 * it waits and no read does; from then on they go beside reads, down to a quarter. The one of dram_in_turn.c is as
 * DRAMsim3's. With both, a row that has been used dram.row_hits times has no more of them before an older request of
 * the bank, for another row (Mutlu and Moscibroda, MICRO 2007), and a refresh goes first as soon as it is due.
 *
 * Times are cycles of the core here, clocks of the memory inside. A command of clock k is at time k / dram.frequency;
 * a request of a cycle is in the queue from the first clock on that is not earlier.
 *
 *   row hit       read command in the clock of the request; its data ends cl + burst / 2 clocks later
 *   bank closed   rcd later
 *   row conflict  rp + rcd later
 *   then          dram.latency to the arrival at L2
 */
#ifndef PSIM_MEMORY_DRAM_H
#define PSIM_MEMORY_DRAM_H

#include <stdbool.h>
#include <stdint.h>

#include "../machine/core_config.h"

struct dram;

/* Counts of requests and commands in all channels together, of one owner. */
enum { DRAM_OWNERS = 64 };
struct dram_counts {
	uint64_t reads, writes; /* requests whose last command is issued */
	uint64_t row_hits;      /* requests that found their row open; */
	uint64_t row_closed;    /* found their bank closed; */
	uint64_t row_conflicts; /* found another row open */
	uint64_t forwarded;     /* reads of lines that wait to be written; in none of the other counts */
	uint64_t activates, read_bursts, write_bursts; /* commands */
	uint64_t refreshes;                            /* commands, all of owner 0 */
	uint64_t active_clocks; /* of owner 0: clocks of ranks with an open row, up to the last that has closed */
	uint64_t wait_clocks;   /* of reads, from request to read command */
};

/* Sources of requests, which memory treats alike. */
enum dram_source { DRAM_AHEAD = 1 /* the prefetcher */, DRAM_WRONG_PATH = 2 };

/* A read whose time is known. */
struct dram_arrival {
	uint64_t line;    /* address */
	uint64_t request; /* cycle */
	uint64_t command; /* cycle of its last read command */
	uint64_t at;      /* cycle of its arrival */
	unsigned source;  /* flags of enum dram_source, as given with it */
	unsigned owner;   /* below DRAM_OWNERS, likewise */
};

/*
 * `reads`, `writes`: requests that may wait at once. `line_bytes`: of a request; `hertz`: the core's clock. NULL where
 * memory is short.
 */
struct dram *dram_create(const struct dram_params *p, unsigned line_bytes, double hertz, unsigned reads,
			 unsigned writes);
void dram_destroy(struct dram *d); /* NULL is allowed */

/*
 * Issues the commands before cycle `until`, in order of time, up to the first that makes a read's time known: true,
 * and that. False: all are issued. No call has an earlier cycle than one before it.
 */
bool dram_advance(struct dram *d, uint64_t until, struct dram_arrival *out);

/*
 * Add a request of cycle `at`, which a read's dram_advance must have reached and not passed; a write's may be later.
 * dram_read returns 0: the read waits; or the cycle of its arrival, as the line waits to be written.
 */
uint64_t dram_read(struct dram *d, uint64_t at, uint64_t line, unsigned source, unsigned owner);
void dram_write(struct dram *d, uint64_t at, uint64_t line, unsigned owner);

/* Reads that wait. */
unsigned dram_waiting(const struct dram *d);
/* Returns whether a read of the line waits for its read command. */
bool dram_waits(const struct dram *d, uint64_t line);

/* The earliest cycle, from `now` on, in which such a read may arrive; and that of any. CYCLES_NEVER: none waits. */
#define CYCLES_NEVER UINT64_MAX
uint64_t dram_bound(const struct dram *d, uint64_t now, uint64_t line);
uint64_t dram_bound_any(const struct dram *d, uint64_t now);

/*
 * Issues the commands of a request of cycle `at` before those of all that wait, each as early as it may be; but the
 * oldest read of the channel goes first when dram.read_queue such requests have passed it. Returns the
 * cycle of its arrival; of a write, that of the end of its data.
 */
struct dram_served {
	uint64_t start, arrival; /* its data begins, as seen at L2 */
};
struct dram_served dram_serve(struct dram *d, uint64_t at, uint64_t line, bool write, unsigned owner);

/* Issues no command for `cycles` cycles. */
void dram_hold(struct dram *d, uint64_t now, uint64_t cycles);

/* The time that the data of a line takes on its channel, in cycles, rounded up. */
uint64_t dram_line_cycles(const struct dram *d);

/* The counts so far of requests of `owner`. */
const struct dram_counts *dram_counts(const struct dram *d, unsigned owner);

#endif
