/*
 * The accesses in flight while transitions are replayed: their addresses, which no state has. Window and fetch queue
 * are one ring in the order of the program; an access is named by its distance from the tail. Stores have a ring of
 * their own: written ones, then the store buffer, the window, and the fetch queue.
 */
#ifndef PSIM_REPLAY_MEMO_FLIGHT_H
#define PSIM_REPLAY_MEMO_FLIGHT_H

#include "core_key.h"
#include "../memory/quick_access.h"
#include "../core/core_requests.h"

struct in_flight_store {
	uint64_t ea;
	uint32_t number; /* its place in the ring of accesses; stores in the store buffer are older than all of them */
	uint8_t size;
	uint8_t granule; /* its place in the filter of stores in flight, and in the marks: */
	uint16_t mark;   /* with FLIGHT_WIDE: it has more places than these */
};
enum { FLIGHT_WIDE = 1 << 15 };
_Static_assert(STORE_MARK_BITS < 15, "a mark leaves room for FLIGHT_WIDE");

static inline struct in_flight_store in_flight_store_of(uint64_t ea, uint32_t number, uint8_t size)
{
	uint64_t g = ea >> 3;
	struct in_flight_store s = {ea, number, size, (uint8_t)g, (uint16_t)lsu_mark(g)};

	if (__builtin_expect(((unsigned)ea & 7) + size > 8, 0))
		s.mark |= FLIGHT_WIDE;
	return s;
}

/* The array's (memo_array.h): its stores, in a ring of the same size, and numbers of transfers. */
struct array_in_flight_place {
	uint32_t written, committed, dispatched;
	uint64_t transfers_dispatched, transfers_started, transfers_ended; /* the next one of each kind */
};
struct array_in_flight {
	struct in_flight_store *store; /* NULL: the machine has no array */
	uint64_t *buffer;
	uint32_t fetched;
	struct array_in_flight_place at;
	bool wide; /* there may be a store with FLIGHT_WIDE */
	/*
	 * What transfers that have not ended may touch, if parts_known: gets, and those that have started. As a span of
	 * SBM, and as parts, a bit each (memo_array.c).
	 */
	struct sbm_span {
		uint32_t low, high;
	} got_span, used_span;
	uint64_t got, used;
	bool parts_known;
	unsigned part_shift; /* log2 of a part's bytes */
};

struct in_flight {
	uint64_t *ea; /* a ring, and TRACE_SLACK behind it */
	uint32_t mask;
	uint32_t fetched; /* the number of the next store */
	/* numbers of stores: the oldest of the store buffer, of the window, of the fetch queue */
	uint32_t tail, written, committed, dispatched; /* as in struct replay_start */
	struct in_flight_store *store;
	uint64_t *buffer; /* addresses of the store buffer, for core_restore */
	/* the accesses that have ports in this cycle, in their order */
	uint64_t port_ea[4];
	uint8_t port_size[4];
	uint32_t port_inside[4]; /* banks_inside */
	uint32_t bank_inside;    /* the same of a bank */
	uint64_t bank_bits;      /* those of an address that select bytes in a row of banks */
	struct quick_hits hits;  /* not yet counted */
	struct array_in_flight sbm;
};

/* The stores of a search: in the buffer, those from `written` on; in the window, those from `committed` on. */
struct in_flight_stores {
	const struct in_flight_store *store;
	uint32_t written, committed, dispatched;
};

/* 0, or -1: no memory. */
int in_flight_init(struct in_flight *f, const struct core *c);
void in_flight_finish(struct in_flight *f);
/* Copies the addresses of the accesses in flight from the core. */
void in_flight_from_core(struct in_flight *f, const struct core *c);
/* Those of a core with `accesses` in window and fetch queue, when the tail was `tail`; valid until the next call. */
struct addresses in_flight_addresses(struct in_flight *f, uint32_t accesses, uint32_t tail);
/* Adds the accesses of the group that begins at `first` of the fetch queue. */
void in_flight_fetch(struct in_flight *f, const struct core *c, unsigned first);
/* Back to these numbers of stores. */
void in_flight_move_back(struct in_flight *f, struct core *c, uint32_t written, uint32_t committed,
			 uint32_t dispatched);
/* So many of the youngest stores of the window are squashed. */
void in_flight_squash(struct in_flight *f, struct core *c, uint32_t count);
/* The youngest older store that the load, which is `back` before the tail, touches. The filter has found one. */
uint64_t in_flight_match(const struct in_flight *f, uint32_t back, uint64_t ea, unsigned size);
/* As in_flight_match, among these stores, for the load with this number. */
uint64_t in_flight_match_in(const struct in_flight_stores *s, uint32_t mask, uint32_t number, uint64_t ea,
			    unsigned size);
/* Adds an access at the tail, or a transfer. */
void in_flight_add(struct in_flight *f, const struct core *c, const struct uop *u, uint64_t ea);

/* Adds a store to SBM. */
static inline void in_flight_add_to_sbm(struct in_flight *f, struct in_flight_store s)
{
	f->sbm.wide |= (s.mark & FLIGHT_WIDE) != 0;
	f->sbm.store[f->sbm.fetched++ & f->mask] = s;
}

/* As in_flight_add, in a machine without an array, which has no transfers. */
static inline void in_flight_add_to_memory(struct in_flight *f, const struct uop *u, uint64_t ea)
{
	if (!uop_accesses(u))
		return;
	if (u->flags & UOP_STORE)
		f->store[f->fetched++ & f->mask] = in_flight_store_of(ea, f->tail, u->size);
	f->ea[f->tail++ & f->mask] = ea;
}

/* The moves of stores in the cycles of a transition, as numbers of MOVE_BITS bits. */
enum { MOVE_BITS = 8, MOVE_DISPATCHED = 0, MOVE_COMMITTED = MOVE_BITS, MOVE_WRITTEN = 2 * MOVE_BITS };
#define MOVES_ARRAY (1u << 3 * MOVE_BITS)        /* the array has moves too */
#define MOVES_ENDING (1u << (3 * MOVE_BITS + 1)) /* of an edge: it has an ending */

/* Counts one store or more, from number `at` on, in the filter, once more or less; returns the number after them. */
static inline uint32_t in_flight_filter(const struct in_flight *f, struct core *c, uint32_t at, uint32_t count, int by)
{
	do {
		const struct in_flight_store *s = &f->store[at++ & f->mask];

		if (__builtin_expect(s->mark & FLIGHT_WIDE, 0)) {
			lsu_filter_change(c, s->ea, s->size, by);
			continue;
		}
		lsu_filter_count(c, s->granule, s->mark, by);
	} while (--count);
	return at;
}

/* Counts stores as dispatched, committed and written, and updates the filter of stores in flight. */
static inline void in_flight_move(struct in_flight *f, struct core *c, uint32_t moves)
{
	const uint32_t mask = (1u << MOVE_BITS) - 1;

	if (moves >> MOVE_DISPATCHED & mask)
		f->dispatched = in_flight_filter(f, c, f->dispatched, moves >> MOVE_DISPATCHED & mask, 1);
	f->committed += moves >> MOVE_COMMITTED & mask;
	if (moves >> MOVE_WRITTEN & mask)
		f->written = in_flight_filter(f, c, f->written, moves >> MOVE_WRITTEN & mask, -1);
}

/* Takes one more port for an access with these banks_inside. */
static inline void in_flight_take_port(struct in_flight *f, unsigned ports, uint64_t ea, unsigned size, uint32_t inside)
{
	f->port_ea[ports] = ea;
	f->port_size[ports] = (uint8_t)size;
	f->port_inside[ports] = inside;
}

/* Returns whether a bank of the access is in use in this cycle, in which `ports` are taken. If not, takes one more. */
static inline bool in_flight_port(struct in_flight *f, const struct core *c, unsigned ports, uint64_t ea, unsigned size)
{
	uint32_t inside;

	size = lsu_first_bytes(c, size);
	inside = banks_inside(c->mem, ea, size);
	for (unsigned n = 0; n < ports; n++)
		if ((f->port_inside[n] | inside) & BANKS_ODD
			    ? memsys_bank_conflict(c->mem, ea, size, f->port_ea[n], f->port_size[n])
			    : banks_conflict(f->bank_bits, ea, inside, f->port_ea[n], f->port_inside[n]))
			return true;
	in_flight_take_port(f, ports, ea, size, inside);
	return false;
}

#endif
