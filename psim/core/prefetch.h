/*
 * The streams of the hardware prefetcher.
 *
 * The detector sees the line numbers of data accesses to L2. Two accesses to
 * neighbouring lines make a stream, upwards or downwards; each further step makes it
 * want the lines up to `distance` ahead, within the page. A wanted line is requested
 * as soon as L2 has a free miss buffer. A stream continues into the next page without
 * another detection. Streams are replaced in LRU order.
 *
 * SPARC64 V has a hardware prefetcher whose details are not published. So this is the
 * textbook's (Jouppi, ISCA 1990, with the distance of a stride prefetcher), and off by
 * default. Prefetchers that see physical addresses do not cross a page (Intel 64 and
 * IA-32 Architectures Optimization Reference Manual, on the streamer).
 *
 * Used by memsys*.c alone.
 */
#ifndef PSIM_CORE_PREFETCH_H
#define PSIM_CORE_PREFETCH_H

#include "core_config.h"

struct stream {
	uint64_t last;      /* line number of the newest access */
	uint64_t requested; /* the farthest line requested, if step != 0 */
	uint64_t target;    /* the farthest line wanted, never behind `requested` */
	int64_t step;       /* direction: +1, -1; 0 until the second access */
	uint64_t used;      /* order of last use; 0 where empty */
};

struct prefetcher {
	struct stream *stream;
	unsigned streams, distance;
	unsigned wanting;   /* streams that want lines */
	uint64_t page_mask; /* selects the page in a line's number */
	uint64_t uses;
	uint64_t overtaken; /* wanted lines that were accessed before they were requested */
};

/* `line_bytes`: L2's line. 0, or -1 where memory is short. */
int prefetcher_init(struct prefetcher *p, const struct prefetch_params *cfg, uint64_t page_size, unsigned line_bytes);
void prefetcher_finish(struct prefetcher *p);

/* Notes an access to `line`. */
void prefetcher_access(struct prefetcher *p, uint64_t line);

/*
 * Takes the next wanted line, of the stream that is the least far ahead, and marks it as requested. False if no
 * stream wants a line.
 */
bool prefetcher_take(struct prefetcher *p, uint64_t *ret_line);

#endif
