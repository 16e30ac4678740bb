/*
 * The next lines: an access that L2 lacked, or the first use of a prefetched line, makes it want the prefetch.degree
 * lines behind it in the page. This is tagged prefetch: Smith, "Cache memories", ACM Computing Surveys 14, 1982.
 */
#include "prefetch_queue.h"

struct next_line {
	unsigned degree;
	struct prefetch_queue queue;
};

static void *next_line_create(const struct prefetch_params *cfg)
{
	struct next_line *s = state_block(sizeof(*s));

	if (s)
		s->degree = cfg->degree;
	return s;
}

static void next_line_access(struct prefetcher *p, uint64_t now, uint64_t line, bool trigger)
{
	struct next_line *s = p->state;

	(void)now;
	for (uint64_t n = 1; trigger && n <= s->degree && !(((line + n) ^ line) & p->page_mask); n++)
		prefetch_queue_want(p, &s->queue, line + n);
}

static bool next_line_take(struct prefetcher *p, uint64_t *ret_line)
{
	struct next_line *s = p->state;

	*ret_line = prefetch_queue_take(p, &s->queue);
	return true;
}

static void next_line_digest(struct prefetcher *p, uint64_t now, struct digest *d)
{
	const struct next_line *s = p->state;

	(void)now;
	prefetch_queue_digest(p, &s->queue, d);
}

static void next_line_storage(const struct prefetch_params *cfg, struct prefetch_storage *out)
{
	(void)cfg;
	*out = (struct prefetch_storage){.entries = PREFETCH_QUEUE, .bits = PREFETCH_LINE_BITS};
}

const struct prefetch_kind PREFETCHER_NEXT_LINE_kind = {
	.create = next_line_create,
	.access = next_line_access,
	.take = next_line_take,
	.digest = next_line_digest,
	.storage = next_line_storage,
};
