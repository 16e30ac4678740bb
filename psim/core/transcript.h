/*
 * The answers that a core's timing gets from outside, in the order of its questions.
 *
 * core_key.h describes the inside. Outside are the trace and branch prediction (the instructions of a
 * fetch group, the next fetch address), caches, TLBs and channels (when an access is done), and addresses
 * (does a load touch the bytes of an older store, do two accesses use the same bank). Two cores with equal keys
 * and equal answers in a cycle do the same in it, and count the same:
 * tests/unit/319-core-key.c verifies it.
 */
#ifndef PSIM_CORE_TRANSCRIPT_H
#define PSIM_CORE_TRANSCRIPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "memsys.h"

/* The questions. An answer is a word with its question in the highest byte. */
enum question {
	ASK_FILTER, /* may a store in flight touch the bytes of the load? */
	ASK_WINDOW, /* the youngest older such store in the window: its distance, and whether it covers the load */
	ASK_STORE_BUFFER, /* the same in the store buffer */
	ASK_BANK,         /* is a bank of the access taken in this cycle? */
	ASK_LOAD,
	ASK_LOAD_AGAIN,
	ASK_STORE,
	ASK_STORE_AHEAD,
	ASK_PREFETCH,
	ASK_FETCH,      /* a fetch group after its fetch: several words */
	ASK_INSTRUCTION /* one of its instructions */
};
enum { QUESTION_BITS = 8, ANSWER_BITS = 64 - QUESTION_BITS };

/* Answers in the order of their questions. */
struct transcript {
	uint64_t *words;
	size_t count, size;
	bool failed; /* out of memory */
};

void transcript_add(struct transcript *t, enum question q, uint64_t answer);
void transcript_finish(struct transcript *t);

/* `t` may be NULL: no answers are recorded. */
static inline void answered(struct transcript *t, enum question q, uint64_t answer)
{
	if (t)
		transcript_add(t, q, answer);
}
static inline void answered_access(struct transcript *t, enum question q, uint64_t now, const struct mem_answer *a)
{
	if (t)
		transcript_add(t, q,
			       (a->ready - now) | (uint64_t)a->level << 40 | (uint64_t)a->refused << 44 |
				       (uint64_t)a->hit << 48 | (uint64_t)a->tlb_bound << 49);
}

#endif
