/*
 * Learning of loop periods in a machine with an array: how far its accesses to SBM may move, and the lines of transfers
 * that come meanwhile.
 */
#include "memo_learn.h"

/* ---- room for accesses ---- */
/* Loop periods before an access of `size` bytes at `at` in SBM touches the transfer. */
static uint64_t room_before(const struct loop_period *l, const struct sbm_range *t, uint64_t at, unsigned size)
{
	if (at >= t->high)
		return (int64_t)l->distance > 0 ? UINT64_MAX : (at - t->high) / -l->distance;
	if (at + size > t->low)
		return 0;
	return (int64_t)l->distance > 0 ? (t->low - size - at) / l->distance : UINT64_MAX;
}

/* Loop periods before the access leaves its window, or may touch a transfer that could hold it. */
static uint64_t sbm_room(const struct core *c, const struct loop_period *l, const struct loop_period_step *s)
{
	const struct array_in_flight_place *at = &c->memo->in_flight.sbm.at;
	unsigned size = s->node->access.size;
	uint64_t room = loop_period_room(l, s->ea, SIMD_PE_STRIDE);

	for (uint64_t n = at->transfers_ended; n != at->transfers_dispatched; n++) {
		const struct transfer *t = array_transfer_of(c->array, n);

		if (!t->put || s->node->step == STEP_SBM_STORE)
			room = earlier(room, room_before(l, &t->range, s->ea & (SIMD_PE_STRIDE - 1), size));
	}
	return earlier(room, loop_period_room(l, s->ea + size - (size != 0), SIMD_PE_STRIDE));
}

/*
 * Loop periods in which fetch finds an access of the loop in the same window. It is ahead by one; the loop periods that
 * were learned are behind by two.
 */
static uint64_t window_room(const struct loop_period *l, uint64_t ea)
{
	uint64_t room = loop_period_room(l, ea, SIMD_PE_STRIDE);

	return room && (ea ^ (ea - 2 * l->distance)) < SIMD_PE_STRIDE ? room - 1 : 0;
}

uint64_t loop_period_array_room(const struct core *c, const struct loop_period *l, uint64_t left)
{
	const struct feed *f = &c->front.feed;

	for (uint32_t n = 0; n < f->now->block->memory_count; n++)
		left = earlier(left, window_room(l, f->now->ea[n]));
	for (unsigned n = 0; n < l->steps; n++)
		if (l->step[n].kind == LOOP_PERIOD_SBM)
			left = earlier(left, sbm_room(c, l, &l->step[n]));
	return left;
}

/* ---- stores in flight ---- */
bool loop_period_sbm_moves(const struct core *c, const struct loop_period *l)
{
	const struct in_flight *f = &c->memo->in_flight;
	const struct array_in_flight *a = &f->sbm;
	const struct loop_period_moves *v = &l->moves;
	uint32_t stores = a->fetched - a->at.written;

	if (v->sbm_dispatched != v->sbm_fetched || v->sbm_committed != v->sbm_fetched ||
	    v->sbm_written != v->sbm_fetched || stores + 2 * v->sbm_fetched > f->mask)
		return false;
	for (uint32_t n = a->at.written; n != a->fetched; n++) {
		const struct in_flight_store *s = &a->store[n & f->mask],
					     *was = &a->store[(n - v->sbm_fetched) & f->mask];

		if (s->ea != was->ea + l->distance || s->size != was->size ||
		    ((int32_t)(n - a->at.committed) >= 0 && s->number != was->number + v->tail))
			return false;
	}
	return true;
}

/* ---- lines of transfers ---- */
bool loop_period_note_transfers(struct loop_period *l)
{
	bool accesses = false;

	l->line_steps = l->line_requests = 0;
	for (unsigned n = 0; n < l->steps; n++) {
		const struct loop_period_step *s = &l->step[n];

		accesses = accesses || loop_period_accesses(s);
		if (s->kind != LOOP_PERIOD_LINE)
			continue;
		if (l->line_steps == LOOP_PERIOD_LINES)
			return false;
		if (l->line_steps)
			l->line_step[l->line_steps - 1].advance = s->at - l->step[l->line_at[l->line_steps - 1]].at;
		else
			l->first_line = s->at;
		l->line_at[l->line_steps] = (uint16_t)n;
		l->line_step[l->line_steps++] = (struct line_step){
			.answer = s->edge->answer,
			.advance = l->cycles + l->first_line - s->at,
			.first = s->node->step == STEP_FIRST_LINE,
		};
		l->line_requests += s->node->step == STEP_LINE;
	}
	return !l->line_steps || !accesses;
}
