/*
 * The answer to a load or a store, a word on an edge of the graph (memo_graph.h).
 *
 *   load    a match with an older store, as match_word() has it: its two lowest bits are the enum match_place. From
 *           MATCH_WINDOW on that is all, and the load does not reach memory. Below it, either LOAD_NO_PORT is set, or
 *           the word of the access (access_word) follows from LOAD_ACCESS on.
 *   store   STORE_NO_PORT, or the word of the access from STORE_ACCESS on.
 */
#ifndef PSIM_ANSWER_H
#define PSIM_ANSWER_H

#include "../core/core_requests.h"

enum { MATCH_PLACE = 3, LOAD_NO_PORT = 4, LOAD_ACCESS = 3, STORE_NO_PORT = 1, STORE_ACCESS = 1 };

/* The match of a load's answer, without the access. */
static inline uint64_t answer_match(uint64_t answer)
{
	return answer & MATCH_PLACE;
}

/* Returns whether a load's answer is a store's, in the window or the store buffer. */
static inline bool answer_is_store(uint64_t answer)
{
	return answer_match(answer) >= MATCH_WINDOW;
}

/* Returns whether a load whose answer is no store's has got no port. */
static inline bool answer_lacks_port(uint64_t answer)
{
	return (answer & ~(uint64_t)MATCH_PLACE) == LOAD_NO_PORT;
}

#endif
