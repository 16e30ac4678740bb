/*
 * The streams of the hardware prefetcher.
 *
 * Two accesses to neighbouring lines make a stream, upwards or downwards; each further step makes it want the lines up
 * to `distance` ahead, within the page. A stream continues into the next page without another detection. Streams are
 * replaced in LRU order.
 *
 * SPARC64 V has a hardware prefetcher whose details are not published. So this is the textbook's (Jouppi, ISCA 1990,
 * with the distance of a stride prefetcher), and off by default.
 */
#include "prefetch.h"

struct stream {
	uint64_t last;      /* line number of the newest access */
	uint64_t requested; /* the farthest line requested, if step != 0 */
	uint64_t target;    /* the farthest line wanted, never behind `requested` */
	int64_t step;       /* direction: +1, -1; 0 until the second access */
	uint64_t used;      /* order of last use; 0 where empty */
};

struct streams {
	uint64_t uses;
	unsigned streams, distance;
	struct stream stream[];
};

static void *streams_create(const struct prefetch_params *cfg)
{
	struct streams *s = state_block(sizeof(*s) + cfg->streams * sizeof(struct stream));

	if (!s)
		return NULL;
	s->streams = cfg->streams;
	s->distance = cfg->distance;
	return s;
}

/*
 * The distance of `line` from the last access of stream `s`, in the stream's direction.
 * An out-of-order core may skip or repeat a line, so it need not be 1.
 */
static int64_t steps_ahead(const struct stream *s, uint64_t line)
{
	int64_t delta = (int64_t)(line - s->last);

	return s->step < 0 ? -delta : delta;
}

/* Number of lines that the stream wants and that are not yet requested. */
static int64_t prefetch_wanted(const struct stream *s)
{
	return s->step * (int64_t)(s->target - s->requested);
}

/* The farthest line that a stream at `line` may want. */
static uint64_t target_of(const struct prefetcher *p, const struct stream *s, uint64_t line)
{
	const struct streams *all = p->state;
	uint64_t target = line + (uint64_t)(s->step * (int64_t)all->distance);

	if (!((target ^ line) & p->page_mask))
		return target;
	return s->step > 0 ? line | ~p->page_mask : line & p->page_mask;
}

/* Advances a stream of known direction to `line`. */
static void prefetch_advance(struct prefetcher *p, struct stream *s, uint64_t line)
{
	int64_t before = prefetch_wanted(s), passed = s->step * (int64_t)(line - s->requested);
	uint64_t target = target_of(p, s, line);

	s->last = line;
	if (passed > 0) {
		p->overtaken += (uint64_t)(before < passed ? before : passed);
		s->requested = line;
		if (prefetch_wanted(s) < 0)
			s->target = line;
	}
	if (s->step * (int64_t)(target - s->target) > 0)
		s->target = target;
	p->wanting += (prefetch_wanted(s) > 0) - (before > 0);
}

static void streams_access(struct prefetcher *p, uint64_t now, uint64_t line, bool trigger)
{
	struct streams *all = p->state;
	struct stream *victim = &all->stream[0];

	(void)now;
	(void)trigger;
	all->uses++;
	for (unsigned i = 0; i < all->streams; i++) {
		struct stream *s = &all->stream[i];
		int64_t ahead = steps_ahead(s, line);

		if (s->used < victim->used)
			victim = s;
		if (!s->used)
			continue;
		if (ahead == 0 || (s->step && -(int64_t)all->distance <= ahead && ahead < 0)) {
			s->used = all->uses;
			return;
		}
		if (!s->step && (ahead == 1 || ahead == -1)) {
			s->step = ahead;
			s->requested = s->target = line;
			s->used = all->uses;
			prefetch_advance(p, s, line);
			return;
		}
		if (s->step && ahead > 0 && ahead <= (int64_t)all->distance) {
			s->used = all->uses;
			prefetch_advance(p, s, line);
			return;
		}
	}
	p->wanting -= victim->step && prefetch_wanted(victim) > 0;
	*victim = (struct stream){.last = line, .used = all->uses};
}

/* The line of the stream that is the least far ahead. */
static bool streams_take(struct prefetcher *p, uint64_t *ret_line)
{
	struct streams *all = p->state;
	struct stream *best = NULL;
	int64_t least = INT64_MAX;

	for (unsigned i = 0; i < all->streams; i++) {
		struct stream *s = &all->stream[i];
		int64_t ahead = s->step * (int64_t)(s->requested - s->last);

		if (s->step && prefetch_wanted(s) > 0 && ahead < least) {
			least = ahead;
			best = s;
		}
	}
	best->requested += (uint64_t)best->step;
	*ret_line = best->requested;
	p->wanting -= prefetch_wanted(best) == 0;
	return true;
}

/* Streams by place, each with its rank in the order of use. */
static void streams_digest(struct prefetcher *p, uint64_t now, struct digest *d)
{
	const struct streams *all = p->state;

	(void)now;
	for (unsigned n = 0; n < all->streams; n++) {
		const struct stream *s = &all->stream[n];
		unsigned rank = 0;

		for (unsigned k = 0; k < all->streams; k++)
			rank += all->stream[k].used < s->used;
		digest_add(d, rank);
		digest_add(d, s->last);
		digest_add(d, s->step ? s->requested : 0);
		digest_add(d, s->step ? s->target : 0);
		digest_add(d, (uint64_t)s->step);
	}
}

/* The next line, with which all accesses are compared, and 16 bits of state. */
static void streams_storage(const struct prefetch_params *cfg, struct prefetch_storage *out)
{
	*out = (struct prefetch_storage){.entries = cfg->streams, .bits = 43 + 16, .search_bits = 43};
}

const struct prefetch_kind PREFETCHER_STREAM_kind = {
	.create = streams_create,
	.access = streams_access,
	.take = streams_take,
	.digest = streams_digest,
	.storage = streams_storage,
};
