#include "memo_array.h"

#include <stdlib.h>

/* ---- places and moves ---- */
uint32_t sbm_stores_in_window(const struct core *c)
{
	uint32_t count = 0;

	for (unsigned w = 0; w < c->win.rob_words; w++)
		for (uint64_t m = c->ls.stores[w]; m; m &= m - 1)
			count += simd_in_window(c->win.rob[(w << 6) + (unsigned)__builtin_ctzll(m)].ea);
	return count;
}

void array_place(const struct core *c, struct array_place *p)
{
	const struct array *a = c->array;

	*p = (struct array_place){sbm_stores_in_window(c), a->sb_count,      a->sb_head,
				  a->transfer_dispatched,  a->transfer_tail, a->transfer_head};
}

bool array_moves(const struct array_place *from, const struct array_place *to, uint64_t *ret)
{
	uint32_t written = to->sb_head - from->sb_head;
	uint32_t committed = to->buffered - from->buffered + written;
	uint32_t dispatched = to->stores - from->stores + committed;
	uint64_t transfers = to->dispatched - from->dispatched, started = to->started - from->started;
	uint64_t ended = to->ended - from->ended;

	*ret = (uint64_t)dispatched << SBM_DISPATCHED | (uint64_t)committed << SBM_COMMITTED |
	       (uint64_t)written << SBM_WRITTEN | transfers << TRANSFERS_DISPATCHED | started << TRANSFERS_STARTED |
	       ended << TRANSFERS_ENDED;
	return !((dispatched | committed | written | transfers | started | ended) >> ARRAY_MOVE_BITS);
}

/* ---- which parts of SBM transfers touch ---- */

/*
 * SBM is divided into 64 parts, or fewer of 256 bytes: no access is longer than one. Addresses beyond it have the parts
 * of those a multiple of 64 parts before, so a set may have too many parts and never too few.
 */
enum { PART_SHIFT_LEAST = 8 };

static unsigned part_shift_of(uint64_t sbm_bytes)
{
	unsigned shift = PART_SHIFT_LEAST;

	while (sbm_bytes >> shift > SBM_PARTS)
		shift++;
	return shift;
}

static uint64_t parts_of_range(const struct array_in_flight *f, const struct sbm_range *r)
{
	uint64_t first = r->low >> f->part_shift, count, parts;

	if (r->low >= r->high)
		return 0; /* no byte */
	count = ((uint64_t)(r->high - 1) >> f->part_shift) - first + 1;
	if (count >= SBM_PARTS)
		return UINT64_MAX;
	parts = (UINT64_C(1) << count) - 1;
	first %= SBM_PARTS;
	return parts << first | (first ? parts >> (SBM_PARTS - first) : 0);
}

static void extend_span(struct sbm_span *s, const struct sbm_range *r)
{
	s->low = r->low < s->low ? r->low : s->low;
	s->high = r->high > s->high ? r->high : s->high;
}

void array_in_flight_find_parts(const struct core *c, struct array_in_flight *f)
{
	f->got = f->used = 0;
	f->got_span = f->used_span = (struct sbm_span){UINT32_MAX, 0};
	for (uint64_t n = f->at.transfers_ended; n < f->at.transfers_dispatched; n++) {
		const struct transfer *t = array_transfer_of(c->array, n);
		uint64_t parts = parts_of_range(f, &t->range);

		if (!t->put && parts) {
			f->got |= parts;
			extend_span(&f->got_span, &t->range);
		}
		if (n < f->at.transfers_started && parts) {
			f->used |= parts;
			extend_span(&f->used_span, &t->range);
		}
	}
	f->parts_known = true;
}

/* ---- in flight ---- */
int array_in_flight_init(struct array_in_flight *f, const struct core *c, uint32_t size)
{
	if (!c->array)
		return 0;
	f->part_shift = part_shift_of(c->array->p->sbm_bytes);
	f->store = calloc(size, sizeof(*f->store));
	f->buffer = calloc(c->array->sb_mask + 1, sizeof(*f->buffer));
	return f->store && f->buffer ? 0 : -1;
}

void array_in_flight_finish(struct array_in_flight *f)
{
	free(f->store);
	free(f->buffer);
}

void array_in_flight_from_core(struct array_in_flight *f, const struct core *c)
{
	const struct array *a = c->array;

	f->fetched = f->at.written = 0;
	for (unsigned n = 0; n < a->sb_count; n++) {
		const struct store_entry *s = &a->sb[(a->sb_head + n) & a->sb_mask];

		f->store[f->fetched] = in_flight_store_of(s->ea, 0, s->size);
		f->wide |= (f->store[f->fetched++].mark & FLIGHT_WIDE) != 0;
	}
	f->at.committed = f->fetched;
	f->at.dispatched = f->fetched + sbm_stores_in_window(c);
	f->at.transfers_dispatched = a->transfer_dispatched;
	f->at.transfers_started = a->transfer_tail;
	f->at.transfers_ended = a->transfer_head;
	f->parts_known = false;
}

void array_in_flight_addresses(struct array_in_flight *f, uint32_t mask, struct addresses *a)
{
	uint32_t count = 0;

	for (uint32_t n = f->at.written; n != f->at.committed; n++)
		f->buffer[count++] = f->store[n & mask].ea;
	a->sbm_stores = (struct address_queue){f->buffer, UINT32_MAX, 0};
	a->transfer = f->at.transfers_ended;
}

/* Counts stores from number `at` to `end` in the filter, once more or less. */
static inline void count_in_filter(struct core *c, const struct in_flight *f, uint32_t at, uint32_t end, int by)
{
	for (; at != end; at++) {
		const struct in_flight_store *s = &f->sbm.store[at & f->mask];

		if (__builtin_expect(s->mark & FLIGHT_WIDE, 0))
			lsu_filter_change(c, s->ea, s->size, by);
		else
			lsu_filter_count(c, s->granule, s->mark, by);
	}
}

/* The moves of transfers, of array_in_flight_move. */
static void move_transfers(struct in_flight *f, struct core *c, uint64_t moves)
{
	const uint32_t mask = (1u << ARRAY_MOVE_BITS) - 1;
	struct array_in_flight_place *at = &f->sbm.at;
	uint64_t started = at->transfers_started + (moves >> TRANSFERS_STARTED & mask);

	for (; at->transfers_started != started; at->transfers_started++)
		transfers_count_bytes(c, at->transfers_started, true);
	at->transfers_dispatched += moves >> TRANSFERS_DISPATCHED & mask;
	at->transfers_ended += moves >> TRANSFERS_ENDED & mask;
	f->sbm.parts_known = false;
}

/* array_in_flight_move of any moves, and of any stores. */
__attribute__((noinline)) static void move_any(struct in_flight *f, struct core *c, uint64_t moves)
{
	const uint32_t mask = (1u << ARRAY_MOVE_BITS) - 1;
	struct array_in_flight_place *at = &f->sbm.at;
	uint32_t dispatched = at->dispatched + (moves >> SBM_DISPATCHED & mask);
	uint32_t written = at->written + (moves >> SBM_WRITTEN & mask);

	count_in_filter(c, f, at->dispatched, dispatched, 1);
	count_in_filter(c, f, at->written, written, -1);
	at->dispatched = dispatched;
	at->written = written;
	at->committed += moves >> SBM_COMMITTED & mask;
	if (moves >> TRANSFERS_DISPATCHED)
		move_transfers(f, c, moves);
}

/* Counts `count` stores from number `at` on, none of which is wide, in the filter; returns the number after them. */
static inline uint32_t count_usual(struct core *c, const struct in_flight *f, uint32_t at, uint32_t count, int by)
{
	for (; count; count--) {
		const struct in_flight_store *s = &f->sbm.store[at++ & f->mask];

		lsu_filter_count(c, s->granule, s->mark, by);
	}
	return at;
}

void array_in_flight_move(struct in_flight *f, struct core *c, uint64_t moves)
{
	const uint32_t mask = (1u << ARRAY_MOVE_BITS) - 1;
	struct array_in_flight_place *at = &f->sbm.at;

	if (__builtin_expect(moves >> TRANSFERS_DISPATCHED || f->sbm.wide, 0)) {
		move_any(f, c, moves);
		return;
	}
	at->dispatched = count_usual(c, f, at->dispatched, moves >> SBM_DISPATCHED & mask, 1);
	at->written = count_usual(c, f, at->written, moves >> SBM_WRITTEN & mask, -1);
	at->committed += moves >> SBM_COMMITTED & mask;
}

void array_in_flight_shift(struct in_flight *f, struct core *c, uint64_t distance)
{
	const struct array_in_flight_place *at = &f->sbm.at;

	count_in_filter(c, f, at->written, at->dispatched, -1);
	for (uint32_t n = 0; n <= f->mask; n++) {
		struct in_flight_store *s = &f->sbm.store[n];

		*s = in_flight_store_of(s->ea + distance, s->number, s->size);
	}
	count_in_filter(c, f, at->written, at->dispatched, 1);
}

void array_in_flight_back(struct in_flight *f, struct core *c, const struct array_in_flight_place *to)
{
	struct array_in_flight_place *at = &f->sbm.at;

	count_in_filter(c, f, to->dispatched, at->dispatched, -1);
	count_in_filter(c, f, to->written, at->written, 1);
	for (uint64_t n = to->transfers_started; n != at->transfers_started; n++)
		transfers_count_bytes(c, n, false);
	*at = *to;
	f->sbm.parts_known = false;
}

/* ---- requests ---- */

/* Returns whether a get holds the load, which is number `number` of the accesses. */
static bool get_holds(const struct core *c, const struct in_flight *f, uint32_t number, uint64_t ea,
		      const struct access *a)
{
	const struct array_in_flight_place *at = &f->sbm.at;

	for (uint64_t n = at->transfers_ended + a->known; n != at->transfers_dispatched; n++) {
		const struct transfer *t = array_transfer_of(c->array, n);

		if (n >= at->transfers_started && (int32_t)(number - t->place) < 0)
			break;
		if (!t->put && sbm_touches(&t->range, ea, a->size))
			return true;
	}
	return false;
}

/* Returns whether the filter finds a store, after the store that L1D has written in this cycle. */
static bool filter_finds(struct core *c, const struct in_flight *f, uint64_t ea, const struct access *a)
{
	const struct in_flight_store *s = &f->store[f->written & f->mask];
	bool found;

	if (!a->strong || !lsu_filter_hit(c, ea, a->size))
		return lsu_filter_hit(c, ea, a->size);
	lsu_filter_change(c, s->ea, s->size, -1);
	found = lsu_filter_hit(c, ea, a->size);
	lsu_filter_change(c, s->ea, s->size, 1);
	return found;
}

uint64_t replay_sbm_load_slower(struct core *c, const struct in_flight *f, const struct access *a, bool unknown)
{
	uint32_t number = f->tail - a->index;
	uint64_t ea = f->ea[number & f->mask];
	struct in_flight_stores stores = {f->sbm.store, f->sbm.at.written, f->sbm.at.committed, f->sbm.at.dispatched};

	if (get_holds(c, f, number, ea, a))
		return 1;
	if (unknown || !filter_finds(c, f, ea, a))
		return MATCH_FILTERED;
	return in_flight_match_in(&stores, f->mask, number, ea, a->size) << 1;
}

uint64_t replay_sbm_store_slower(const struct core *c, const struct in_flight *f, const struct access *a)
{
	const struct array_in_flight_place *at = &f->sbm.at;
	uint64_t ea = f->sbm.store[at->written & f->mask].ea;

	for (uint64_t n = at->transfers_ended + a->known; n != at->transfers_started; n++)
		if (sbm_touches(&array_transfer_of(c->array, n)->range, ea, a->size))
			return 1;
	return 0;
}

uint64_t replay_first_line(struct core *c)
{
	struct transfer_requests *q = &c->array->requests;
	const struct transfer_line *l = &q->line[q->line_head++ & q->line_mask];

	return line_word(latest(l->arrival, c->now), c->now, l->port_units, l->last);
}
