/*
 * Wanted lines of a prefetcher in the order in which they were wanted: the newest eight are kept. prefetcher.wanting
 * is their number. For prefetch_*.c.
 */
#ifndef PSIM_MEMORY_PREFETCH_QUEUE_H
#define PSIM_MEMORY_PREFETCH_QUEUE_H

#include "prefetch.h"

enum {
	PREFETCH_QUEUE = 8, /* Michaud 2016 */
	PREFETCH_LINE_BITS = 43,
};

struct prefetch_queue {
	uint64_t line[PREFETCH_QUEUE]; /* the oldest first */
};

/* Takes the oldest line out. */
static inline uint64_t prefetch_queue_take(struct prefetcher *p, struct prefetch_queue *q)
{
	uint64_t line = q->line[0];

	p->wanting--;
	for (unsigned n = 0; n < p->wanting; n++)
		q->line[n] = q->line[n + 1];
	return line;
}

/* Adds a line; the oldest one makes room. */
static inline void prefetch_queue_want(struct prefetcher *p, struct prefetch_queue *q, uint64_t line)
{
	if (p->wanting == PREFETCH_QUEUE) {
		p->overtaken++;
		prefetch_queue_take(p, q);
	}
	q->line[p->wanting++] = line;
}

static inline void prefetch_queue_digest(const struct prefetcher *p, const struct prefetch_queue *q, struct digest *d)
{
	digest_add(d, p->wanting);
	for (unsigned n = 0; n < p->wanting; n++)
		digest_add(d, q->line[n]);
}

#endif
