/*
 * What a core requests from outside (transcript.h): a request is answered by the memory system, the trace, or the
 * addresses of other accesses. With a transcript it is recorded, or answered in advance.
 */
#ifndef PSIM_CORE_CORE_REQUESTS_H
#define PSIM_CORE_CORE_REQUESTS_H

#include "core_state.h"

/* Accesses in the order of the program, at L1D. */
static inline bool uop_accesses(const struct uop *u)
{
	return u->flags & (UOP_LOAD | UOP_STORE | UOP_PREFETCH);
}

/* The youngest older store whose bytes a load touches. */
enum match_place { MATCH_FILTERED, MATCH_NONE, MATCH_WINDOW, MATCH_BUFFER };
struct store_match {
	enum match_place place; /* MATCH_FILTERED: the filter shows that none is in flight; else stores are searched */
	bool covers;            /* it writes all bytes of the load */
	unsigned slot;          /* MATCH_WINDOW */
};

/* Where an access goes in a machine with an array. Part of the fetched group, and of the key. */
enum access_window { TO_MEMORY, TO_ALL_PES, TO_ONE_PE };
static inline unsigned window_of_address(uint64_t ea)
{
	return !simd_in_window(ea) ? TO_MEMORY : sbm_of_all(ea) ? TO_ALL_PES : TO_ONE_PE;
}
static inline unsigned access_window(const struct core *c, const struct uop *u, uint64_t ea)
{
	return c->array && uop_accesses(u) ? window_of_address(ea) : TO_MEMORY;
}
enum { WORD_FLAG_BITS = 4, WORD_NUMBER_AT = 8 }; /* in a word of fetch_words: flags, window, number */

/* A fetched group. */
enum { FETCH_MAX = 64 }; /* instructions: more than core.c's group_limit */
struct fetch_answer {
	unsigned words; /* that describe it */
	struct mem_answer access;
	struct fetch_state after;
	uint32_t block_flags, count;
	bool at_end; /* the feed has ended with it */
	struct fetched insn[FETCH_MAX];
};
/*
 * The words that describe the group fetched in this cycle, which begins at `first` of the fetch queue; returns their
 * number, at most FETCH_WORDS_MAX.
 */
enum { FETCH_WORDS_MAX = FETCH_MAX + 3 };
unsigned fetch_words(const struct core *c, const struct mem_answer *a, unsigned first, uint64_t words[FETCH_WORDS_MAX]);
/* The instruction with this number (uop.h). */
static inline const struct uop *uop_of(const struct core *c, uint64_t number)
{
	return number < WINDOW_TRAP_COUNT ? &c->front.window_trap[number]
					  : c->front.static_uop[number - WINDOW_TRAP_COUNT];
}
/* The number of accesses in the group that these words describe. */
static inline uint32_t path_accesses(const struct core *c, const uint64_t *words, unsigned count)
{
	uint32_t accesses = 0;

	for (unsigned n = 3; n < count; n++)
		accesses += uop_accesses(uop_of(c, words[n] >> WORD_NUMBER_AT));
	return accesses;
}
/* The number of transfers of the array in that group. */
static inline uint32_t path_transfers(const struct core *c, const uint64_t *words, unsigned count)
{
	uint32_t transfers = 0;

	for (unsigned n = 3; n < count; n++)
		transfers += uop_of(c, words[n] >> WORD_NUMBER_AT)->flags & UOP_TRANSFER ? 1 : 0;
	return transfers;
}
/* The number of the next instruction to fetch, plus one; 0 at the end. */
static inline uint64_t next_uop_number(const struct core *c)
{
	const struct feed *f = &c->front.feed;

	return f->at_end ? 0 : (uint64_t)f->uop->number + 1;
}

/* An access's answer relative to `now`, and back. */
enum { READY_BITS = 40 };
static inline uint64_t access_word(const struct mem_answer *a, uint64_t now)
{
	uint32_t how;

	memcpy(&how, (const char *)a + sizeof(a->ready), sizeof(how));
	return (a->ready - now) | (uint64_t)(how & ((1u << MEM_HOW_BITS) - 1)) << READY_BITS;
}
static inline struct mem_answer access_of_word(uint64_t word, uint64_t now)
{
	return (struct mem_answer){
		.ready = now + (word & ((UINT64_C(1) << READY_BITS) - 1)),
		.level = word >> READY_BITS & 15,
		.refused = word >> (READY_BITS + 4) & 15,
		.hit = word >> (READY_BITS + 8) & 1,
		.tlb_bound = word >> (READY_BITS + 9) & 1,
	};
}
/* A match as an answer. `distance`: accesses of the program from the store to the load. */
uint64_t match_word(const struct store_match *m, unsigned distance);
/* The match of the load in `slot`, and back. */
struct store_match match_of_word(const struct core *c, unsigned slot, uint64_t word);
/* Accesses from the one in slot `older` to the one in `slot`. */
unsigned access_distance(const struct core *c, unsigned older, unsigned slot);

/* core_requests.c: the same with a transcript */
struct store_match recorded_match(struct core *c, unsigned slot);
bool recorded_port(struct core *c, uint64_t ea, struct access access);
struct mem_answer recorded_access(struct core *c, enum request_kind q, uint64_t ea, struct access access);
/* Takes the group given in advance, true; or false. */
bool recorded_fetch_take(struct core *c, struct mem_answer *ret);
/* Records the group fetched in this cycle, which begins at `first` of the fetch queue. */
void recorded_fetch_add(struct core *c, const struct mem_answer *a, unsigned first);
/*
 * Adds the group that these words describe, fetched in cycle `now`, to a transcript, to be given in advance; the
 * addresses of its accesses come next in `from`, and its transfers have the numbers from `transfer` on. 0, or -1: no
 * memory.
 */
int recorded_fetch_give(const struct core *c, struct transcript *t, const uint64_t *words, unsigned count, uint64_t now,
			struct address_queue from, uint64_t transfer);

/* lsu.c: performs the search */
struct store_match lsu_match(const struct core *c, unsigned slot);
/* The bytes that an access of `size` moves in the cycle in which it starts. */
static inline unsigned lsu_first_bytes(const struct core *c, unsigned size)
{
	return size < c->ls.beat_bytes ? size : c->ls.beat_bytes;
}
/* Performs the check of banks. */
static inline bool lsu_bank_taken(const struct core *c, uint64_t ea, unsigned size)
{
	size = lsu_first_bytes(c, size);
	for (unsigned n = 0; n < c->ls.ports_checked; n++)
		if (memsys_bank_conflict(c->mem, ea, size, c->ls.port_ea[n], c->ls.port_size[n]))
			return true;
	return false;
}
/* The first part of a search: stores in the window. */
struct store_match lsu_match_window(const struct core *c, unsigned slot);
/* Returns whether a load whose search found `m` proceeds, waits, or takes forwarded data. */
enum order lsu_order_of(const struct core *c, const struct store_match *m, bool forwarding, uint64_t *data_at);

static inline struct access access_of_slot(const struct core *c, unsigned slot, unsigned known)
{
	const struct uop *u = c->win.rob[slot].uop;

	return (struct access){
		.index = (uint16_t)slot,
		.place = ACCESS_WINDOW,
		.size = u->size,
		.known = (uint8_t)known,
		.strong = u->flags & UOP_PREFETCH && prefetch_is_strong(u->insn),
	};
}
/* The request of the `n`-th oldest store in the store buffer. */
static inline struct access access_of_store(const struct core *c, unsigned n)
{
	const struct store_entry *s = &c->ls.sb[(c->ls.sb_head + n) & c->ls.sb_mask];

	return (struct access){
		.index = (uint16_t)n, .place = ACCESS_STORE_BUFFER, .size = s->size, .known = s->retry.known};
}

/* Performs an access outside. */
static inline struct mem_answer perform_access(struct core *c, enum request_kind q, uint64_t ea, struct access a)
{
	switch (q) {
	case REQUEST_LOAD: return memsys_load(c->mem, c->now, ea, a.size);
	case REQUEST_LOAD_RETRY: return memsys_load_again(c->mem, c->now, ea, a.size, a.known);
	case REQUEST_STORE:
	case REQUEST_STORE_RETRY: return memsys_store(c->mem, c->now, ea, a.size, a.known);
	case REQUEST_STORE_PREFETCH: return memsys_store_prefetch(c->mem, c->now, ea, a.known);
	default: return memsys_prefetch(c->mem, c->now, ea, a.strong, a.known);
	}
}
static inline struct mem_answer request_access(struct core *c, enum request_kind q, uint64_t ea, struct access a)
{
	return c->transcript ? recorded_access(c, q, ea, a) : perform_access(c, q, ea, a);
}

/* Requests to the memory-dependence predictor: REQUEST_SET to REQUEST_SQUASH. `number`: as in uop.h. */
uint64_t perform_order(struct core *c, enum request_kind q, uint32_t number);
uint64_t request_order(struct core *c, enum request_kind q, uint32_t number);

/* Returns whether a bank of the access is in use in this cycle. If not, the caller takes a port. */
static inline bool request_port(struct core *c, uint64_t ea, struct access a)
{
	return c->transcript ? recorded_port(c, ea, a) : lsu_bank_taken(c, ea, a.size);
}

#endif
