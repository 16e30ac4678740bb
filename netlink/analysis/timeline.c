#include "timeline.h"

#include <stdlib.h>
#include <string.h>

#include "../../psim/base/mem.h"
#include "timeline_state.h"

enum { TIMELINE_PHASE_ROWS = 64, TIMELINE_PHASE_COLUMNS = 512 };

/* Makes levels from the coarsest ranks on, until a row is a rank. */
static int timeline_make_levels(struct timeline *t, struct err *e)
{
	uint32_t group = (t->ranks + TIMELINE_ROWS - 1) / TIMELINE_ROWS, columns = TIMELINE_COLUMNS;

	while (t->levels < TIMELINE_LEVELS) {
		struct timeline_level *l = &t->level[t->levels++];

		l->group = group;
		if (cells_init(&l->cells, (t->ranks + group - 1) / group, columns, TIMELINE_KINDS, e) < 0)
			return -1;
		if (group == 1)
			break;
		group = (group + TIMELINE_FINER - 1) / TIMELINE_FINER;
		columns /= TIMELINE_SHORTER;
	}
	return cells_init(&t->phases, TIMELINE_PHASE_ROWS, TIMELINE_PHASE_COLUMNS, 1, e);
}

static int timeline_make(struct timeline *t, struct err *e)
{
	size_t pairs;

	t->group = (t->ranks + TIMELINE_BLOCKS - 1) / TIMELINE_BLOCKS;
	t->blocks = (t->ranks + t->group - 1) / t->group;
	pairs = (size_t)t->blocks * t->blocks;
	t->phase_of = mem_alloc(t->ranks, sizeof(*t->phase_of), e);
	t->phase_from = mem_alloc(t->ranks, sizeof(*t->phase_from), e);
	t->block_waited = mem_alloc(pairs, sizeof(*t->block_waited), e);
	t->block_bytes = mem_alloc(pairs, sizeof(*t->block_bytes), e);
	t->call[0] = "compute";
	t->phase[0] = "";
	t->calls = t->phase_count = 1;
	if (!t->phase_of || !t->phase_from || !t->block_waited || !t->block_bytes)
		return -1;
	return timeline_make_levels(t, e);
}

struct timeline *timeline_create(uint32_t ranks, const struct timeline_window *window, struct err *e)
{
	struct timeline *t = mem_alloc(1, sizeof(*t), e);

	if (!t)
		return NULL;
	t->ranks = ranks;
	t->window = *window;
	if (timeline_make(t, e) < 0) {
		timeline_destroy(t);
		return NULL;
	}
	return t;
}

void timeline_destroy(struct timeline *t)
{
	if (!t)
		return;
	for (uint32_t i = 0; i < t->levels; i++)
		cells_finish(&t->level[i].cells);
	cells_finish(&t->phases);
	free(t->phase_of);
	free(t->phase_from);
	free(t->block_waited);
	free(t->block_bytes);
	vec_finish(&t->bars);
	vec_finish(&t->sent);
	vec_finish(&t->received);
	free(t);
}

/* Returns the number of a name among `*count` names, to which it adds it; the last one if there are too many. */
static uint8_t timeline_name(const char **names, uint32_t *count, const char *name)
{
	for (uint32_t i = 0; i < *count; i++)
		if (names[i] == name || !strcmp(names[i], name))
			return (uint8_t)i;
	if (*count == TIMELINE_NAMES)
		return TIMELINE_NAMES - 1;
	names[*count] = name;
	return (uint8_t)(*count)++;
}

static void timeline_activity(struct timeline *t, uint32_t rank, int64_t from, int64_t to, enum timeline_kind kind)
{
	for (uint32_t i = 0; i < t->levels && from < to; i++)
		cells_add(&t->level[i].cells, rank / t->level[i].group, from, to, kind);
}

/* ---- single states and messages: all of them, or none ---- */
static bool timeline_in_window(const struct timeline *t, uint32_t rank, int64_t from, int64_t to)
{
	return rank >= t->window.first_rank && rank <= t->window.last_rank && to > t->window.from_ps &&
	       from < t->window.to_ps;
}

static void timeline_bar(struct timeline *t, const struct timeline_bar *b)
{
	struct timeline_bar *at;

	if (!timeline_in_window(t, b->rank, b->from, b->to))
		return;
	if (++t->bar_count > TIMELINE_BARS) {
		vec_finish(&t->bars);
		return;
	}
	at = vec_push(&t->bars, NULL);
	if (at)
		*at = *b;
	else
		t->short_of_memory = true;
}

void timeline_computed(struct timeline *t, uint32_t rank, int64_t from, int64_t to)
{
	timeline_activity(t, rank, from, to, TIMELINE_COMPUTE);
	if (from < to)
		timeline_bar(t,
			     &(struct timeline_bar){.from = from, .late = from, .to = to, .rank = rank, .peer = rank});
}

void timeline_waited(struct timeline *t, const struct vmpi_waited *w)
{
	int64_t late = vmpi_cause_is_own(w->cause.kind) || w->cause.began < w->from ? w->from : w->cause.began;

	late = late < w->to ? late : w->to;
	timeline_activity(t, w->rank, w->from, late, TIMELINE_LATE);
	timeline_activity(t, w->rank, late, w->to, TIMELINE_NETWORK);
	t->block_waited[w->rank / t->group * t->blocks + w->cause.peer / t->group] += (uint64_t)(w->to - w->from);
	timeline_bar(t, &(struct timeline_bar){.from = w->from,
					       .late = late,
					       .to = w->to,
					       .rank = w->rank,
					       .peer = w->cause.peer,
					       .call = timeline_name(t->call, &t->calls, w->call ? w->call : "?")});
}

void timeline_message(struct timeline *t, const struct vmpi_passing *m)
{
	struct timeline_arrows *list = m->received ? &t->received : &t->sent;
	struct timeline_arrow *at;

	if (!m->received)
		t->block_bytes[m->dst / t->group * t->blocks + m->src / t->group] += m->bytes;
	if (m->received ? m->src < t->window.first_rank || m->src > t->window.last_rank || m->time < t->window.from_ps
			: !timeline_in_window(t, m->src, m->time, m->time + 1))
		return;
	t->message_count += !m->received;
	if (t->without_arrows || list->count == (m->received ? 4 : 1) * (size_t)TIMELINE_ARROWS) {
		t->without_arrows = true;
		vec_finish(&t->sent);
		vec_finish(&t->received);
		return;
	}
	at = vec_push(list, NULL);
	if (at)
		*at = (struct timeline_arrow){m->time, m->serial, m->bytes, m->src, m->dst};
	else
		t->short_of_memory = true;
}

void timeline_phase(struct timeline *t, uint32_t rank, int64_t time, const char *name)
{
	uint8_t phase = timeline_name(t->phase, &t->phase_count, name);

	if (t->phase_from[rank] < time && t->phase_of[rank] < TIMELINE_PHASE_ROWS)
		cells_add(&t->phases, t->phase_of[rank], t->phase_from[rank], time, 0);
	t->phase_of[rank] = phase;
	t->phase_from[rank] = time;
}
