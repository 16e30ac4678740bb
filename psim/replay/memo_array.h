/*
 * The array while transitions are replayed: stores to SBM in flight, and the numbers of transfers. As memo_in_flight.h
 * for L1D's. A transfer's addresses and lines are in struct transfer_requests, which no restored core changes.
 */
#ifndef PSIM_REPLAY_MEMO_ARRAY_H
#define PSIM_REPLAY_MEMO_ARRAY_H

#include "../array/array_requests.h"
#include "memo_in_flight.h"

/* Where the array's stores and transfers are, before a cycle: numbers of which only differences count. */
struct array_place {
	uint32_t stores, buffered, sb_head;  /* stores to SBM: in the window; in the store buffer; written, as a sum */
	uint64_t dispatched, started, ended; /* transfers */
};
void array_place(const struct core *c, struct array_place *p);
/* Stores to SBM in the window. */
uint32_t sbm_stores_in_window(const struct core *c);

/* The moves of stores to SBM and of transfers in the cycles of a transition, as numbers of ARRAY_MOVE_BITS bits. */
enum {
	ARRAY_MOVE_BITS = 10,
	SBM_DISPATCHED = 0,
	SBM_COMMITTED = ARRAY_MOVE_BITS,
	SBM_WRITTEN = 2 * ARRAY_MOVE_BITS,
	TRANSFERS_DISPATCHED = 3 * ARRAY_MOVE_BITS,
	TRANSFERS_STARTED = 4 * ARRAY_MOVE_BITS,
	TRANSFERS_ENDED = 5 * ARRAY_MOVE_BITS,
};
/* False: there are too many of one kind. */
bool array_moves(const struct array_place *from, const struct array_place *to, uint64_t *ret);

/* 0, or -1: no memory. */
int array_in_flight_init(struct array_in_flight *f, const struct core *c, uint32_t size);
void array_in_flight_finish(struct array_in_flight *f);
/* Forgets all stores, and takes those of the PEs' store buffer and the transfers' numbers from the core. */
void array_in_flight_from_core(struct array_in_flight *f, const struct core *c);
/* Addresses for core_restore. */
void array_in_flight_addresses(struct array_in_flight *f, uint32_t mask, struct addresses *a);
void array_in_flight_move(struct in_flight *f, struct core *c, uint64_t moves);
/* Adds `distance` to the addresses of the stores in flight, and of those before them. */
void array_in_flight_shift(struct in_flight *f, struct core *c, uint64_t distance);
/* Back to where they were. */
void array_in_flight_back(struct in_flight *f, struct core *c, const struct array_in_flight_place *to);

/* ---- which parts of SBM transfers touch ---- */
enum { SBM_PARTS = 64 };
/* Finds the parts that the transfers of the present cycle touch. */
void array_in_flight_find_parts(const struct core *c, struct array_in_flight *f);

/* The parts of the first and the last byte of an access, which is no longer than a part. */
static inline uint64_t sbm_parts_of_access(const struct array_in_flight *f, uint64_t ea, unsigned size)
{
	uint64_t at = ea & (SIMD_PE_STRIDE - 1), end = at + size - (size != 0);

	return UINT64_C(1) << (at >> f->part_shift) % SBM_PARTS | UINT64_C(1) << (end >> f->part_shift) % SBM_PARTS;
}

/* ---- the array's requests, answered outside: the words of array_requests.h ---- */
uint64_t replay_sbm_load_slower(struct core *c, const struct in_flight *f, const struct access *a, bool unknown);
uint64_t replay_sbm_store_slower(const struct core *c, const struct in_flight *f, const struct access *a);

/* Returns whether the access may touch the span, in any window. */
static inline bool sbm_near(const struct sbm_span *s, uint64_t ea, unsigned size)
{
	uint64_t at = ea & (SIMD_PE_STRIDE - 1), end = at + size;

	return (at < s->high && end > s->low) || end > SIMD_PE_STRIDE;
}

/* Most loads touch no span of gets, and no store in flight: true, and the answer is MATCH_FILTERED. */
static inline bool replay_sbm_load_quick(const struct core *c, const struct in_flight *f, const struct access *a,
					 bool unknown)
{
	uint64_t ea = f->ea[(f->tail - a->index) & f->mask];

	return f->sbm.parts_known && !sbm_near(&f->sbm.got_span, ea, a->size) &&
	       (unknown || !lsu_filter_hit(c, ea, a->size));
}

/* The answer to any load. Most touch no part that a transfer writes. */
static inline uint64_t replay_sbm_load(struct core *c, struct in_flight *f, const struct access *a, bool unknown)
{
	uint64_t ea = f->ea[(f->tail - a->index) & f->mask];

	if (!f->sbm.parts_known)
		array_in_flight_find_parts(c, &f->sbm);
	if ((f->sbm.got && f->sbm.got & sbm_parts_of_access(&f->sbm, ea, a->size)) ||
	    (!unknown && lsu_filter_hit(c, ea, a->size)))
		return replay_sbm_load_slower(c, f, a, unknown);
	return MATCH_FILTERED;
}

/* Most stores touch no span of transfers: true, and the answer is 0. */
static inline bool replay_sbm_store_quick(const struct in_flight *f, const struct access *a)
{
	return f->sbm.parts_known &&
	       !sbm_near(&f->sbm.used_span, f->sbm.store[f->sbm.at.written & f->mask].ea, a->size);
}

static inline uint64_t replay_sbm_store(const struct core *c, struct in_flight *f, const struct access *a)
{
	uint64_t ea = f->sbm.store[f->sbm.at.written & f->mask].ea;

	if (!f->sbm.parts_known)
		array_in_flight_find_parts(c, &f->sbm);
	if (!f->sbm.used || !(f->sbm.used & sbm_parts_of_access(&f->sbm, ea, a->size)))
		return 0;
	return replay_sbm_store_slower(c, f, a);
}

uint64_t replay_first_line(struct core *c);

#endif
