/*
 * A walk over the pieces of a state, always in the same order: what writes a state, reads it into another one that is
 * made alike, or compares two, is a function that takes a piece. And blocks whose size is known, as pieces.
 */
#ifndef PSIM_BASE_STATE_WALK_H
#define PSIM_BASE_STATE_WALK_H

#include <stdbool.h>
#include <stddef.h>

struct state_walk {
	/* Takes `bytes` at `data`, and may change them to those of another state that was made alike. */
	void (*piece)(void *user, void *data, size_t bytes);
	void *user;
	bool loads; /* it changes them */
};

static inline void state_piece(const struct state_walk *w, void *data, size_t bytes)
{
	w->piece(w->user, data, bytes);
}

/* A zeroed block; NULL where memory is short. state_block_free accepts NULL. */
void *state_block(size_t bytes);
void state_block_free(void *block);
/* Walks over a block; NULL is allowed. */
void state_block_walk(const struct state_walk *w, void *block);

#endif
