#include "prefetch.h"

#include <stdlib.h>

int prefetcher_init(struct prefetcher *p, const struct prefetch_params *cfg)
{
	*p = (struct prefetcher){ .streams = cfg->streams, .distance = cfg->distance };
	p->stream = calloc(p->streams, sizeof(*p->stream));
	return p->stream ? 0 : -1;
}

void prefetcher_finish(struct prefetcher *p)
{
	free(p->stream);
	p->stream = NULL;
}

/*
 * How many lines ahead of stream `s` is `line`, in the stream's direction? An
 * out-of-order core may skip or repeat one, so the step need not be 1.
 */
static int64_t steps_ahead(const struct stream *s, uint64_t line)
{
	int64_t delta = (int64_t)(line - s->last);

	return s->step < 0 ? -delta : delta;
}

/* A stream of known direction moves on to `line`, `ahead` steps further. */
static struct prefetch_range advance(struct prefetcher *p, struct stream *s, uint64_t line)
{
	uint64_t target = line + (uint64_t)(s->step * (int64_t)p->distance);
	struct prefetch_range r = { s->asked + (uint64_t)s->step, s->step, 0 };
	int64_t count = (int64_t)(target - s->asked) * s->step;

	s->last = line;
	if (count > 0) {
		r.count = count;
		s->asked = target;
	}
	return r;
}

struct prefetch_range prefetcher_access(struct prefetcher *p, uint64_t line)
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
			return (struct prefetch_range){ 0, 0, 0 };
		}
		if (!s->step && (ahead == 1 || ahead == -1)) {
			s->step = ahead;
			s->asked = line;
			s->used = p->uses;
			return advance(p, s, line);
		}
		if (s->step && ahead > 0 && ahead <= (int64_t)p->distance) {
			s->used = p->uses;
			return advance(p, s, line);
		}
	}
	*victim = (struct stream){ .last = line, .used = p->uses };
	return (struct prefetch_range){ 0, 0, 0 };
}
