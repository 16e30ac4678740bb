/* The ready queue: ranks and tasks that can run. */
#include <stdlib.h>

#include "../../../psim/base/mem.h"
#include "../../../psim/base/rng.h"
#include "ready.h"

int ready_create(struct ready *q, bool shuffled, uint32_t ranks, struct err *e)
{
	*q = (struct ready){.shuffled = shuffled};
	if (!shuffled)
		return calendar_init(&q->calendar, false, e);
	q->room = ranks;
	q->at = mem_alloc(ranks, sizeof(*q->at), e);
	return q->at ? 0 : -1;
}

void ready_finish(struct ready *q)
{
	if (!q->shuffled)
		calendar_finish(&q->calendar);
	free(q->at);
	*q = (struct ready){0};
}

static bool ready_before(const struct event *a, const struct event *b)
{
	return a->time != b->time ? a->time < b->time : a->key < b->key;
}

/* Inserts into the array in (time, rank) order. */
static void insert(struct ready *q, struct event item)
{
	uint32_t i = q->count;

	if (q->count == q->room) {
		struct event *at = mem_resize(q->at, 2 * (size_t)q->room, sizeof(*at), NULL);

		if (!at) {
			q->calendar.short_of_memory = true;
			return;
		}
		q->at = at;
		q->room *= 2;
	}
	for (q->count++; i && ready_before(&item, &q->at[i - 1]); i--)
		q->at[i] = q->at[i - 1];
	q->at[i] = item;
}

void ready_push(struct vmpi *v, struct rank *r, int64_t time)
{
	if (v->ready.shuffled)
		insert(&v->ready, (struct event){time, r->index});
	else
		calendar_push(&v->ready.calendar, time, r->index);
	r->state = RANK_READY;
}

uint32_t ready_take_any(struct vmpi *v)
{
	struct ready *q = &v->ready;
	uint32_t i = (uint32_t)rng_below(v->setup.shuffle, 0x73687566, v->shuffled++, q->count), rank;

	if (rank_by_index(v, (uint32_t)q->at[i].key)->catching_up)
		i = 0;
	rank = (uint32_t)q->at[i].key;
	for (q->count--; i < q->count; i++)
		q->at[i] = q->at[i + 1];
	return rank;
}
