/*
 * The ranks' waits at a turn in the past. If a rank exceeds the time limit, the other processes have gone on to
 * the end of the window, but the report describes the moment of the failure. Each process therefore notes what a rank
 * waits for before that changes, with the turn, and drops the notes of a window when the next one begins.
 */
#include <stdlib.h>

#include "../../../psim/base/mem.h"
#include "../host/loaded.h"
#include "stuck.h"

struct past_wait {
	struct step_order until; /* the change is later than this turn begins */
	struct want want;
	const void *where;
	uint32_t rank;
	int32_t status;
	uint16_t call;
	uint8_t state;
};

/* The turn of what happens now; notices precede the turns of their time. */
static struct step_order present_turn(const struct vmpi *v)
{
	const struct step_order *t = &v->divided->turn;

	return v->present > t->time ? (struct step_order){v->present, 0} : *t;
}

static void note_past_wait(struct vmpi *v, uint32_t rank)
{
	struct past_waits *q = &v->divided->past;
	const struct rank *r = &v->ranks[rank];
	struct past_wait *w = vec_push(&q->at, &v->err);

	if (!w) {
		v->failed = true;
		return;
	}
	q->threads = q->threads || v->threads;
	*w = (struct past_wait){present_turn(v), stuck_want(v, r), r->where, rank, r->status, r->call, r->state};
	if (v->current && globals_enter(&v->loaded->globals, v->current->world, &v->err) < 0)
		v->failed = true;
}

void past_waits_begin(struct vmpi *v)
{
	v->divided->changes = note_past_wait;
}

int vmpi_waits_at(struct vmpi *v, const struct step_order *turn, struct err *e)
{
	struct vmpi_partitions *q = v->divided;

	q->wants = mem_alloc(v->size, sizeof(*q->wants), e);
	if (!q->wants)
		return -1;
	for (uint32_t i = 0; i < v->size; i++)
		if (!rank_is_away(v, i))
			q->wants[i] = stuck_want(v, &v->ranks[i]);
	q->wants_own = true;
	for (size_t i = q->past.at.count; i-- > 0;) {
		const struct past_wait *w = &q->past.at.at[i];
		struct rank *r = &v->ranks[w->rank];

		if (!step_order_before(turn, &w->until))
			continue;
		q->wants[w->rank] = w->want;
		r->where = w->where;
		r->status = w->status;
		r->call = w->call;
		v->ended -= r->state == RANK_ENDED && w->state != RANK_ENDED;
		r->state = w->state;
	}
	return 0;
}
