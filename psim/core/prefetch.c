#include "prefetch.h"

#include <stdlib.h>

int prefetcher_init(struct prefetcher *p, const struct prefetch_params *cfg, uint64_t page_size, unsigned line_bytes)
{
	*p = (struct prefetcher){
		.streams = cfg->streams,
		.distance = cfg->distance,
		.page_mask = page_size > line_bytes ? ~(page_size / line_bytes - 1) : ~0ull,
	};
	p->stream = calloc(p->streams, sizeof(*p->stream));
	return p->stream ? 0 : -1;
}

void prefetcher_finish(struct prefetcher *p)
{
	free(p->stream);
	p->stream = NULL;
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
	uint64_t target = line + (uint64_t)(s->step * (int64_t)p->distance);

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

void prefetcher_access(struct prefetcher *p, uint64_t line)
{
	struct stream *victim = &p->stream[0];

	p->uses++;
	for (unsigned i = 0; i < p->streams; i++) {
		struct stream *s = &p->stream[i];
		int64_t ahead = steps_ahead(s, line);

		if (s->used < victim->used)
			victim = s;
		if (!s->used)
			continue;
		if (ahead == 0 || (s->step && -(int64_t)p->distance <= ahead && ahead < 0)) {
			s->used = p->uses;
			return;
		}
		if (!s->step && (ahead == 1 || ahead == -1)) {
			s->step = ahead;
			s->requested = s->target = line;
			s->used = p->uses;
			prefetch_advance(p, s, line);
			return;
		}
		if (s->step && ahead > 0 && ahead <= (int64_t)p->distance) {
			s->used = p->uses;
			prefetch_advance(p, s, line);
			return;
		}
	}
	p->wanting -= victim->step && prefetch_wanted(victim) > 0;
	*victim = (struct stream){.last = line, .used = p->uses};
}

bool prefetcher_take(struct prefetcher *p, uint64_t *ret_line)
{
	struct stream *best = NULL;
	int64_t least = INT64_MAX;

	if (!p->wanting)
		return false;
	for (unsigned i = 0; i < p->streams; i++) {
		struct stream *s = &p->stream[i];
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
