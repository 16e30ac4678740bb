/*
 * The streams of the hardware prefetcher.
 *
 * Sees the line numbers of data accesses to L2. Two accesses to neighbouring
 * lines make a stream, upwards or downwards; each further step of it wants
 * the lines up to `distance` ahead, within the page. What it wants is asked for
 * when L2 has a miss buffer that nobody else has taken, and wanted until then. A stream
 * that goes on in the next page need not be found anew there. Streams are replaced in LRU order.
 * SPARC64 V has a prefetcher of its kind; its details are not published, so
 * this is the textbook's (Jouppi, ISCA 1990, with the distance of a stride
 * prefetcher), and off by default. That it stays in the page is what prefetchers do
 * that see physical addresses (Intel 64 and IA-32 Architectures Optimization Reference
 * Manual, on the streamer).
 *
 * Used by memsys*.c alone.
 */
#ifndef PSIM_CORE_PREFETCH_H
#define PSIM_CORE_PREFETCH_H

#include "core_config.h"

struct stream {
	uint64_t last;   /* line number of the newest access */
	uint64_t asked;  /* the farthest line asked for, if step != 0 */
	uint64_t target; /* the farthest line wanted, not behind it */
	int64_t step;    /* +1, -1; 0 until a second access tells */
	uint64_t used;   /* order of last use; 0 where empty */
};

struct prefetcher {
	struct stream *stream;
	unsigned streams, distance;
	unsigned wanting;   /* streams that want lines */
	uint64_t page_mask; /* of a line's number: its page */
	uint64_t uses;
	uint64_t overtaken; /* lines that were accessed before they could be asked for */
};

/* `line_bytes` of L2. 0, or -1 where memory is short. */
int prefetcher_init(struct prefetcher *p, const struct prefetch_params *cfg, uint64_t page_size, unsigned line_bytes);
void prefetcher_finish(struct prefetcher *p);

/* Notes an access to `line`. */
void prefetcher_access(struct prefetcher *p, uint64_t line);

/* Does a stream want a line? That of the stream that is least far ahead is taken as asked for. */
bool prefetcher_take(struct prefetcher *p, uint64_t *ret_line);

#endif
