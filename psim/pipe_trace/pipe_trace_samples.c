#include "pipe_trace_samples.h"

#include <stdlib.h>

#include "../base/mem.h"

enum { FIRST_DISTANCE = 64 }; /* cycles */

struct pipe_trace_window_kept {
	unsigned count;
	struct pipe_trace_kept insn[PIPE_TRACE_SAMPLE_LENGTH];
};

struct pipe_trace_samples {
	uint64_t distance, next;               /* cycles between windows; the cycle from which one begins */
	unsigned count;                        /* windows, of which the last may be open */
	bool open;                             /* the last window has room */
	struct pipe_trace_window_kept *window; /* PIPE_TRACE_SAMPLES */
};

struct pipe_trace_samples *pipe_trace_samples_create(struct err *e)
{
	struct pipe_trace_samples *s = mem_alloc(1, sizeof(*s), e);

	if (!s)
		return NULL;
	*s = (struct pipe_trace_samples){.distance = FIRST_DISTANCE};
	s->window = mem_alloc(PIPE_TRACE_SAMPLES, sizeof(*s->window), e);
	if (!s->window) {
		free(s);
		return NULL;
	}
	return s;
}

void pipe_trace_samples_destroy(struct pipe_trace_samples *s)
{
	if (s)
		free(s->window);
	free(s);
}

/* Drops every other window. */
static void drop_half(struct pipe_trace_samples *s)
{
	for (unsigned n = 1; 2 * n < s->count; n++)
		s->window[n] = s->window[2 * n];
	s->count = (s->count + 1) / 2;
	s->distance *= 2;
}

bool pipe_trace_samples_want(struct pipe_trace_samples *s, const struct pipe_trace_record *r)
{
	if (s->open)
		return true;
	if (r->commit < s->next)
		return false;
	if (s->count == PIPE_TRACE_SAMPLES)
		drop_half(s);
	s->window[s->count++].count = 0;
	s->open = true;
	s->next = r->commit + s->distance;
	return true;
}

void pipe_trace_samples_add(struct pipe_trace_samples *s, const struct pipe_trace_record *r,
			    const struct pipe_trace_stages *stages)
{
	struct pipe_trace_window_kept *w = &s->window[s->count - 1];

	w->insn[w->count++] = (struct pipe_trace_kept){*r, *stages};
	s->open = w->count < PIPE_TRACE_SAMPLE_LENGTH;
}

static unsigned in_place(const struct pipe_trace_window_kept *w, uint64_t from, uint64_t to)
{
	unsigned count = 0;

	for (unsigned n = 0; n < w->count; n++)
		count += w->insn[n].record.pc >= from && w->insn[n].record.pc < to;
	return count;
}

const struct pipe_trace_kept *pipe_trace_samples_of(const struct pipe_trace_samples *s, uint64_t from, uint64_t to,
						    unsigned *count)
{
	const struct pipe_trace_window_kept *best = NULL;
	unsigned most = 0, begin = 0;

	for (unsigned n = 0; n < s->count; n++) {
		const struct pipe_trace_window_kept *w = &s->window[(s->count / 2 + n) % s->count];
		unsigned here = in_place(w, from, to);

		if (here > most) {
			most = here;
			best = w;
		}
	}
	*count = 0;
	if (!best)
		return NULL;
	while (begin < best->count && best->insn[begin].record.pc != from)
		begin++;
	if (begin == best->count)
		for (begin = 0; best->insn[begin].record.pc < from || best->insn[begin].record.pc >= to;)
			begin++;
	*count = best->count - begin;
	return &best->insn[begin];
}
