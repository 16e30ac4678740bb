/* State of a timeline; private to this folder. */
#ifndef PSIM_ANALYSIS_TIMELINE_STATE_H
#define PSIM_ANALYSIS_TIMELINE_STATE_H

#include <stdbool.h>

#include "../../psim/base/vec.h"
#include "timeline.h"
#include "timeline_cells.h"

enum {
	TIMELINE_LEVELS = 3,
	TIMELINE_ROWS = 256,     /* of the first level, at most */
	TIMELINE_COLUMNS = 1024, /* of the first level */
	TIMELINE_FINER = 8,      /* so many times the rows of a level has the next one */
	TIMELINE_SHORTER = 4,    /* and so many times fewer columns */
	TIMELINE_BARS = 20000,   /* states, and */
	TIMELINE_ARROWS = 8000,  /* messages that are kept, at most: about 25 bytes each in the page */
	TIMELINE_BLOCKS = 64,    /* of ranks, at most, that wait for each other */
	TIMELINE_STEPS = 6000,   /* of the path, at most */
	TIMELINE_NAMES = 250,    /* of calls, and of phases */
};

enum timeline_kind { TIMELINE_COMPUTE, TIMELINE_LATE, TIMELINE_NETWORK, TIMELINE_KINDS };

struct timeline_level {
	uint32_t group; /* ranks of a row */
	struct cells cells;
};

/* A state: computation, or a wait, late up to `late`. */
struct timeline_bar {
	int64_t from, late, to;
	uint32_t rank, peer;
	uint8_t call; /* 0: computation; else 1 + the call's number */
};

/* A message: its send and its receive come apart. */
struct timeline_arrow {
	int64_t time;
	uint64_t serial, bytes;
	uint32_t src, dst;
};

struct timeline_bars vec_of(struct timeline_bar);
struct timeline_arrows vec_of(struct timeline_arrow);

struct timeline {
	uint32_t ranks, levels, blocks, group; /* group: ranks of a block */
	struct timeline_window window;
	struct timeline_level level[TIMELINE_LEVELS];
	struct cells phases; /* a row for each phase */
	const char *phase[TIMELINE_NAMES];
	uint32_t phase_count;
	uint8_t *phase_of; /* [rank]: the phase that it is in, since phase_from[rank] */
	int64_t *phase_from;
	const char *call[TIMELINE_NAMES]; /* 0: computation */
	uint32_t calls;
	struct timeline_bars bars;
	struct timeline_arrows sent, received;
	uint64_t bar_count, message_count; /* in the window, also those that are not kept */
	uint64_t *block_waited,
		*block_bytes; /* [block that waits, receives][block that it waits for, that sends]: ps, bytes */
	bool without_arrows, short_of_memory;
};

#endif
