/*
 * The answers that a core's timing gets from outside, in the order of its requests.
 *
 * core_key.h describes the inside. Outside are the trace and branch prediction (the instructions of a
 * fetch group, the next fetch address), caches, TLBs and channels (when an access is done), and addresses
 * (does a load touch the bytes of an older store, do two accesses use the same bank). Two cores with equal keys
 * and equal answers in a cycle do the same in it, and count the same:
 * tests/unit/319-core-key.c verifies it.
 *
 * A core with a transcript makes its requests through core_requests.h. A transcript can also have answers in advance:
 * a core takes those, and makes requests outside only after the last one.
 */
#ifndef PSIM_CORE_TRANSCRIPT_H
#define PSIM_CORE_TRANSCRIPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../memory/memsys.h"

/* Addresses in order of age: part of a ring of mask + 1 entries, from `first` on. */
struct address_queue {
	const uint64_t *ring;
	uint32_t mask, first;
};

/* Kinds of request. An answer is a word with its request's kind in the highest byte. */
enum request_kind {
	REQUEST_ORDER, /* the youngest older store that the load touches: core_requests.h, struct store_match */
	REQUEST_PORT,  /* is a bank of the access taken in this cycle? If not, the access takes a port */
	REQUEST_LOAD,
	REQUEST_LOAD_RETRY,
	REQUEST_STORE,       /* the oldest store of the store buffer, over a port */
	REQUEST_STORE_RETRY, /* repeated without one */
	REQUEST_STORE_PREFETCH,
	REQUEST_PREFETCH,
	REQUEST_FETCH, /* a fetch group after its fetch: several words */
	/* of the memory-dependence predictor; in place of an access, each has an instruction's number, or a count: */
	REQUEST_SET,    /* the set of a load or store */
	REQUEST_STORED, /* a store's address has come too late for a load; the answers to this one and the next are 0 */
	REQUEST_EARLY,  /* that load: the order of both is violated */
	REQUEST_SQUASH, /* how many stores are squashed */
	/* of the array: */
	REQUEST_SBM_LOAD,   /* does a transfer hold the load, and if not, which older store does it touch? */
	REQUEST_SBM_HELD,   /* the first of these alone, as it waits for the address of an older store */
	REQUEST_SBM_STORE,  /* does a transfer hold the oldest store of the PEs' store buffer? */
	REQUEST_LINE,       /* a transfer's next line: when may the one after it be requested? */
	REQUEST_FIRST_LINE, /* when does the first of the lines in transit arrive? */
	REQUEST_COUNT
};
enum { REQUEST_BITS = 8, ANSWER_BITS = 64 - REQUEST_BITS };

/* The access of a request: `index` counts slots, or entries of a queue from its oldest. */
enum access_place { ACCESS_WINDOW, ACCESS_STORE_BUFFER, ACCESS_PREFETCH_QUEUE, ACCESS_ARRAY, ACCESS_NONE };
struct access {
	uint16_t index;
	uint8_t place; /* enum access_place */
	uint8_t size;
	uint8_t known; /* flags of enum mem_known; at SBM: transfers that have ended in this cycle */
	bool strong;   /* prefetches; loads from SBM: L1D has written a store in this cycle */
};

/* A number in place of an access. */
static inline struct access access_of_number(uint32_t number)
{
	return (struct access){
		.index = (uint16_t)number,
		.size = (uint8_t)(number >> 16),
		.known = (uint8_t)(number >> 24),
		.place = ACCESS_NONE,
	};
}
static inline uint32_t number_of_access(const struct access *a)
{
	return a->index | (uint32_t)a->size << 16 | (uint32_t)a->known << 24;
}

struct request_record {
	uint64_t word;
	struct access access; /* zero for a fetch group */
};

/* Requests and answers in their order. */
struct transcript {
	struct request_record *record;
	size_t count, size;
	size_t at; /* answers taken: those from there to `count` are given in advance */
	/* the fetch groups given in advance, of which `fetched_at` are taken: struct fetch_answer of core_requests.h */
	void *fetched;
	unsigned fetched_count, fetched_size, fetched_at;
	bool failed; /* an answer given in advance belongs to another request */
	bool no_memory;
	bool notes; /* records nothing: the memory system learns which instruction makes each access */
};

/* Makes room for more records; false: no memory, which is noted. */
bool transcript_grow(struct transcript *t);

static inline void transcript_add(struct transcript *t, enum request_kind q, uint64_t answer, struct access access)
{
	if (__builtin_expect(t->count == t->size, 0) && !transcript_grow(t))
		return;
	t->record[t->count++] = (struct request_record){
		.word = (uint64_t)q << ANSWER_BITS | (answer & ((UINT64_C(1) << ANSWER_BITS) - 1)),
		.access = access,
	};
	t->at = t->count;
}

/* The next answer given in advance, whose access is noted; false: none is left. */
static inline bool transcript_take(struct transcript *t, enum request_kind q, struct access access,
				   uint64_t *ret_answer)
{
	uint64_t word;

	if (t->at >= t->count)
		return false;
	t->record[t->at].access = access;
	word = t->record[t->at++].word;
	t->failed |= word >> ANSWER_BITS != (uint64_t)q;
	*ret_answer = word & ((UINT64_C(1) << ANSWER_BITS) - 1);
	return true;
}

/* Forgets all answers. */
static inline void transcript_clear(struct transcript *t)
{
	t->count = t->at = 0;
	t->fetched_count = t->fetched_at = 0;
}
void transcript_finish(struct transcript *t);

#endif
