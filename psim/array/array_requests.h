/*
 * What the array requests from outside (transcript.h): whether a transfer or an older store holds a load or store to
 * SBM, and the lines of transfers. As core_requests.h for the rest of the core.
 */
#ifndef PSIM_ARRAY_ARRAY_REQUESTS_H
#define PSIM_ARRAY_ARRAY_REQUESTS_H

#include "../core/array_state.h"
#include "../core/core_requests.h"

/* A load from SBM: waits for a transfer, or the youngest older store that it touches. */
struct sbm_answer {
	bool held;
	struct store_match match;
};

/* A requested line: the first cycle in which the next one may be; a put's use of SBM ports; is it the last one? */
struct line_request {
	uint64_t next, port_units;
	bool last;
};

/* A line as an answer: cycles from `now`, its use of SBM ports, whether it is its transfer's last. */
enum { LINE_CYCLE_BITS = 38, LINE_UNIT_BITS = 17 };
static inline uint64_t line_word(uint64_t cycle, uint64_t now, uint64_t units, bool last)
{
	return (cycle - now) | units << LINE_CYCLE_BITS | (uint64_t)last << (LINE_CYCLE_BITS + LINE_UNIT_BITS);
}

/* array_memory.c: `unknown`: the load waits in any case for the address of an older store, so none is searched for. */
struct sbm_answer array_load_answer(const struct core *c, unsigned slot, bool unknown);
/* array_transfer.c: requests the current transfer's next line from memory; gives the next line to arrive. */
struct line_request transfers_request_line(struct core *c);
struct transfer_line transfers_first_line(struct core *c);
/* transfers_request_line's answer as a word. */
uint64_t transfers_line_word(struct core *c);

/*
 * A step of a run of lines: transfers_line_word, or the word of transfers_first_line if `first`, with this answer; and
 * cycles to the next step.
 */
struct line_step {
	uint64_t answer, advance;
	bool first;
};
/*
 * Makes the requests of `steps` from cycle `now` on, over and over, at most `rounds` times, up to one with another
 * answer, or that takes a line out of L1. Its answer is *ret_answer then. Returns the number of those before it.
 */
uint64_t transfers_run(struct core *c, uint64_t now, const struct line_step *step, unsigned steps, uint64_t rounds,
		       uint64_t *ret_answer);

/* array_requests.c: the same with a transcript */
struct sbm_answer recorded_sbm_load(struct core *c, unsigned slot, bool unknown);
bool recorded_sbm_store(struct core *c, const struct store_entry *s);
struct line_request recorded_line(struct core *c);
struct transfer_line recorded_first_line(struct core *c);

static inline struct sbm_answer request_sbm_load(struct core *c, unsigned slot, bool unknown)
{
	return c->transcript ? recorded_sbm_load(c, slot, unknown) : array_load_answer(c, slot, unknown);
}
/* Returns whether a transfer holds the oldest store of the PEs' store buffer. */
static inline bool request_sbm_store(struct core *c, const struct store_entry *s)
{
	return c->transcript ? recorded_sbm_store(c, s) : transfers_hold_store(c, s->ea, s->size);
}
static inline struct line_request request_sbm_line(struct core *c)
{
	return c->transcript ? recorded_line(c) : transfers_request_line(c);
}
static inline struct transfer_line request_first_line(struct core *c)
{
	return c->transcript ? recorded_first_line(c) : transfers_first_line(c);
}

#endif
