/*
 * The stream detector of the hardware prefetcher.
 *
 * Sees the line numbers of data accesses to L2. Two accesses to neighbouring
 * lines make a stream, upwards or downwards; each further step of it asks for
 * the lines up to `distance` ahead. Streams are replaced in LRU order.
 * SPARC64 V has a prefetcher of its kind; its details are not published, so
 * this is the textbook's (Jouppi, ISCA 1990, with the distance of a stride
 * prefetcher), and off by default.
 *
 * Used by memsys.c alone.
 */
#ifndef PSIM_CORE_PREFETCH_H
#define PSIM_CORE_PREFETCH_H

#include "config.h"

struct stream {
	uint64_t last;  /* line number of the newest access */
	uint64_t asked; /* the farthest line asked for, if step != 0 */
	int64_t step;   /* +1, -1; 0 until a second access tells */
	uint64_t used;  /* order of last use; 0 where empty */
};

struct prefetcher {
	struct stream *stream;
	unsigned streams, distance;
	uint64_t uses;
};

/* Lines first, first + step, … (count of them) are to be fetched. */
struct prefetch_range {
	uint64_t first;
	int64_t step;
	unsigned count;
};

/* 0, or -1 where memory is short. */
int prefetcher_init(struct prefetcher *p, const struct prefetch_params *cfg);
void prefetcher_finish(struct prefetcher *p);

/* Notes an access to `line`; tells which lines the streams want now. */
struct prefetch_range prefetcher_access(struct prefetcher *p, uint64_t line);

#endif
