/*
 * The record of a run from which its critical path is found: for each rank the waits that lasted,
 * with their causes (32 bytes each), and the stretches of computation between them (24 bytes each).
 * The remaining time is overhead of calls.
 *
 * A path back from any point is a chain: from there to the end of the rank's last wait, from that
 * to the origin of the message that ended it, and so on. Nearly all chains soon merge into one, so
 * record_thin can drop rows that no chain from a relevant point reaches; the record then has about
 * one path's length.
 *
 * Sums over all waits (pairs of ranks, places) are updated with each wait.
 */
#ifndef PSIM_ANALYSIS_RECORD_H
#define PSIM_ANALYSIS_RECORD_H

#include "../../psim/base/sum128.h"
#include "../vmpi/vmpi.h"
#include "rows.h"

/* A wait; a change of phase is one of length 0, caused by its own rank. */
struct wait_row {
	int64_t end, from; /* ps */
	int64_t began;     /* time of the cause, on the peer or on the rank itself: vmpi_cause */
	uint32_t peer;
	uint32_t site;
};

struct work_row {
	int64_t from, to;
	uint32_t site;
};

/* Attributes that rows share. */
enum site_kind { SITE_WORK = CAUSE_COUNT, SITE_PHASE };
struct site {
	const void *where;
	const char *call; /* constant */
	uint64_t bytes;   /* of the message; rounded to 6 binary digits when there are very many sites
	                 */
	uint32_t phase;
	uint8_t kind; /* enum vmpi_cause_kind or site_kind */
	uint64_t count;
	sum128 sum; /* ps of waiting; for work: of computation */
};

/* Rank `rank` waited for `peer`. */
struct wait_pair {
	uint32_t rank, peer;
	uint64_t count; /* 0: an unused entry of the table */
	int64_t sum;    /* ps */
	int64_t late;   /* part of it until the peer began the cause of its end */
	int64_t longest;
};
enum { RECORD_PAIRS_MAX = 1 << 20 };

struct record_rank {
	struct rows waits, works;
	int64_t computed, waited;
	uint32_t phase;
};

struct record {
	struct record_rank *ranks;
	uint32_t size;
	struct site *site;
	uint32_t sites, site_room; /* site_room: a power of two, at least twice the sites */
	uint32_t *site_table;      /* 1 + the site's number, 0: unused */
	const char **phase;        /* 0: "" */
	uint32_t phases;
	struct wait_pair *pair; /* open addressing */
	uint32_t pairs, pair_room;
	uint64_t waits;            /* number that lasted, also of pairs beyond RECORD_PAIRS_MAX */
	sum128 waited, late;       /* ps of them: wait_pair */
	uint64_t rows, rows_after; /* now, and after the last thinning */
	uint64_t peak_bytes;
	bool short_of_memory;
};

struct record *record_create(uint32_t ranks, struct err *e);
void record_destroy(struct record *r); /* NULL is allowed */

/* Events of vmpi_observer. */
void record_computed(struct record *r, uint32_t rank, int64_t from, int64_t to, const void *where);
void record_waited(struct record *r, const struct vmpi_waited *w);
void record_phase(struct record *r, uint32_t rank, int64_t time, const char *name);

/* Drops rows that no path from one of vmpi_points can reach. 0, or -1 with `e`: memory is short. */
int record_thin(struct record *r, const struct vmpi *v, struct err *e);

/* Returns whether to thin: there are more than `least` rows, and twice as many as after the last thinning. */
static inline bool record_wants_thinning(const struct record *r, uint64_t least)
{
	return r->rows > least && r->rows > 2 * r->rows_after;
}

static inline struct wait_row *wait_at(const struct record_rank *k, uint32_t i)
{
	return rows_at(&k->waits, sizeof(struct wait_row), i);
}

static inline struct work_row *work_at(const struct record_rank *k, uint32_t i)
{
	return rows_at(&k->works, sizeof(struct work_row), i);
}

/* Returns how many of the first `limit` waits of the rank ended at or before `time`. */
uint32_t record_waits_until(const struct record_rank *k, int64_t time, uint32_t limit);

/* Returns how many stretches of work began before `time`. */
uint32_t record_works_before(const struct record_rank *k, int64_t time);

/* Returns the bytes of memory in use. */
uint64_t record_bytes(const struct record *r);

#endif
