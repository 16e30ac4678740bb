#include "memo_array.h"
#include "memo_graph.h"

#include <assert.h>
#include <stdlib.h>

int in_flight_init(struct in_flight *f, const struct core *c)
{
	uint32_t most = c->win.rob_mask + 1 + c->front.fq_mask + 1 + c->ls.sb_mask + 1 + FETCH_MAX, size = 1;

	most += ACCESSES_MAX + FETCH_MAX; /* of the transition before its last cycle */
	if (c->array)
		most += c->array->sb_mask + 1;
	while (size < most)
		size *= 2;
	f->mask = size - 1;
	f->bank_inside = c->cfg->l1d.bank_bytes - 1;
	f->bank_bits = (uint64_t)c->cfg->l1d.bank_bytes * c->cfg->l1d.banks - 1;
	f->ea = calloc(size + TRACE_SLACK, sizeof(*f->ea));
	f->store = calloc(size, sizeof(*f->store));
	f->buffer = calloc(c->ls.sb_mask + 1, sizeof(*f->buffer));
	return f->ea && f->store && f->buffer ? array_in_flight_init(&f->sbm, c, size) : -1;
}

void in_flight_finish(struct in_flight *f)
{
	free(f->ea);
	free(f->store);
	free(f->buffer);
	array_in_flight_finish(&f->sbm);
}

void in_flight_add(struct in_flight *f, const struct core *c, const struct uop *u, uint64_t ea)
{
	struct in_flight_store s = in_flight_store_of(ea, f->tail, u->size);

	if (u->flags & UOP_TRANSFER)
		array_transfer_of(c->array, ea)->place = f->tail;
	if (!uop_accesses(u))
		return;
	if (u->flags & UOP_STORE && c->array && simd_in_window(ea))
		in_flight_add_to_sbm(f, s);
	else if (u->flags & UOP_STORE)
		f->store[f->fetched++ & f->mask] = s;
	f->ea[f->tail++ & f->mask] = ea;
}

void in_flight_fetch(struct in_flight *f, const struct core *c, unsigned first)
{
	const struct front_end *e = &c->front;

	for (unsigned n = first; n != e->fq_tail; n++) {
		const struct fetched *q = &e->fq[n & e->fq_mask];

		in_flight_add(f, c, q->uop, q->ea);
	}
}

void in_flight_from_core(struct in_flight *f, const struct core *c)
{
	const struct load_store *l = &c->ls;

	f->tail = f->written = f->fetched = 0;
	for (unsigned n = 0; n < l->sb_count; n++) {
		const struct store_entry *s = &l->sb[(l->sb_head + n) & l->sb_mask];

		f->store[f->fetched++] = in_flight_store_of(s->ea, 0, s->size);
	}
	f->committed = f->fetched;
	if (c->array)
		array_in_flight_from_core(&f->sbm, c);
	for (unsigned age = 0; age < c->win.rob_count; age++) {
		const struct rob_entry *r = &c->win.rob[(c->win.rob_head + age) & c->win.rob_mask];

		in_flight_add(f, c, r->uop, r->ea);
	}
	f->dispatched = f->fetched;
	assert(f->fetched - f->written <= f->mask + 1); /* in_flight_create has made room for window and store buffer */
	in_flight_fetch(f, c, c->front.fq_head);
}

struct addresses in_flight_addresses(struct in_flight *f, uint32_t accesses, uint32_t tail)
{
	uint32_t count = 0;
	struct addresses ret;

	for (uint32_t n = f->written; n != f->committed; n++)
		f->buffer[count++] = f->store[n & f->mask].ea;
	ret = (struct addresses){
		.window = {f->ea, f->mask, tail - accesses},
		.stores = {f->buffer, UINT32_MAX, 0},
	};
	if (f->sbm.store)
		array_in_flight_addresses(&f->sbm, f->mask, &ret);
	return ret;
}

void in_flight_squash(struct in_flight *f, struct core *c, uint32_t count)
{
	for (; count; count--) {
		const struct in_flight_store *s = &f->store[--f->dispatched & f->mask];

		lsu_filter_change(c, s->ea, s->size, -1);
	}
}

void in_flight_move_back(struct in_flight *f, struct core *c, uint32_t written, uint32_t committed, uint32_t dispatched)
{
	int32_t ahead = (int32_t)(dispatched - f->dispatched);

	if (ahead > 0) /* stores were squashed since */
		f->dispatched = in_flight_filter(f, c, f->dispatched, (uint32_t)ahead, 1);
	else
		in_flight_squash(f, c, (uint32_t)-ahead);
	assert((int32_t)(f->written - written) >= 0 && (int32_t)(f->dispatched - committed) >= 0);
	f->committed = committed;
	while (f->written != written) {
		const struct in_flight_store *s = &f->store[--f->written & f->mask];

		lsu_filter_change(c, s->ea, s->size, 1);
	}
}

uint64_t in_flight_match_in(const struct in_flight_stores *all, uint32_t mask, uint32_t number, uint64_t ea,
			    unsigned size)
{
	struct store_match m = {.place = MATCH_NONE};
	uint32_t n = all->dispatched;

	while (n != all->written) {
		const struct in_flight_store *s = &all->store[--n & mask];
		bool window = n - all->written >= all->committed - all->written;

		if ((window && (int32_t)(number - s->number) <= 0) || !lsu_overlap(s->ea, s->size, ea, size))
			continue;
		m = (struct store_match){window ? MATCH_WINDOW : MATCH_BUFFER, lsu_covers(s->ea, s->size, ea, size), 0};
		return match_word(&m, window ? number - s->number : 0);
	}
	return match_word(&m, 0);
}

uint64_t in_flight_match(const struct in_flight *f, uint32_t back, uint64_t ea, unsigned size)
{
	struct in_flight_stores s = {f->store, f->written, f->committed, f->dispatched};

	return in_flight_match_in(&s, f->mask, f->tail - back, ea, size);
}
