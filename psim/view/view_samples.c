#include "view_samples.h"

#include <stdlib.h>

#include "../base/mem.h"

enum { FIRST_DISTANCE = 64 }; /* cycles */

struct view_window_kept {
	unsigned count;
	struct view_kept insn[VIEW_SAMPLE_LENGTH];
};

struct view_samples {
	uint64_t distance, next;         /* cycles between windows; the cycle from which one begins */
	unsigned count;                  /* windows, of which the last may be open */
	bool open;                       /* the last window has room */
	struct view_window_kept *window; /* VIEW_SAMPLES */
};

struct view_samples *view_samples_create(struct err *e)
{
	struct view_samples *s = mem_alloc(1, sizeof(*s), e);

	if (!s)
		return NULL;
	*s = (struct view_samples){.distance = FIRST_DISTANCE};
	s->window = mem_alloc(VIEW_SAMPLES, sizeof(*s->window), e);
	if (!s->window) {
		free(s);
		return NULL;
	}
	return s;
}

void view_samples_destroy(struct view_samples *s)
{
	if (s)
		free(s->window);
	free(s);
}

/* Drops every other window. */
static void drop_half(struct view_samples *s)
{
	for (unsigned n = 1; 2 * n < s->count; n++)
		s->window[n] = s->window[2 * n];
	s->count = (s->count + 1) / 2;
	s->distance *= 2;
}

bool view_samples_want(struct view_samples *s, const struct view_record *r)
{
	if (s->open)
		return true;
	if (r->commit < s->next)
		return false;
	if (s->count == VIEW_SAMPLES)
		drop_half(s);
	s->window[s->count++].count = 0;
	s->open = true;
	s->next = r->commit + s->distance;
	return true;
}

void view_samples_add(struct view_samples *s, const struct view_record *r, const struct view_stages *stages)
{
	struct view_window_kept *w = &s->window[s->count - 1];

	w->insn[w->count++] = (struct view_kept){*r, *stages};
	s->open = w->count < VIEW_SAMPLE_LENGTH;
}

static unsigned in_place(const struct view_window_kept *w, uint64_t from, uint64_t to)
{
	unsigned count = 0;

	for (unsigned n = 0; n < w->count; n++)
		count += w->insn[n].record.pc >= from && w->insn[n].record.pc < to;
	return count;
}

const struct view_kept *view_samples_of(const struct view_samples *s, uint64_t from, uint64_t to, unsigned *count)
{
	const struct view_window_kept *best = NULL;
	unsigned most = 0, begin = 0;

	for (unsigned n = 0; n < s->count; n++) {
		const struct view_window_kept *w = &s->window[(s->count / 2 + n) % s->count];
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
