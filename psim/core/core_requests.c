#include "core_requests.h"

#include <stdlib.h>

/* ---- answers as words ---- */
uint64_t match_word(const struct store_match *m, unsigned distance)
{
	return (uint64_t)m->place | (uint64_t)m->covers << 2 | (uint64_t)distance << 3;
}

/* Accesses from the one in slot `older` to the one in `slot`. */
static unsigned access_distance(const struct core *c, unsigned older, unsigned slot)
{
	unsigned distance = 0;

	for (; older != slot; older = (older + 1) & c->win.rob_mask)
		distance += uop_accesses(c->win.rob[older].uop);
	return distance;
}

/* The slot of the access `distance` accesses before that in `slot`. */
static unsigned slot_at_distance(const struct core *c, unsigned slot, unsigned distance)
{
	while (distance) {
		slot = (slot - 1) & c->win.rob_mask;
		distance -= uop_accesses(c->win.rob[slot].uop);
	}
	return slot;
}

/* ---- loads and stores ---- */
struct store_match recorded_match(struct core *c, unsigned slot)
{
	struct access access = access_of_slot(c, slot, 0);
	struct store_match m;
	uint64_t word;

	if (transcript_take(c->transcript, REQUEST_ORDER, access, &word)) {
		m = (struct store_match){.place = (enum match_place)(word & 3), .covers = word >> 2 & 1};
		if (m.place == MATCH_WINDOW)
			m.slot = slot_at_distance(c, slot, (unsigned)(word >> 3));
		return m;
	}
	m = lsu_match(c, slot);
	word = match_word(&m, m.place == MATCH_WINDOW ? access_distance(c, m.slot, slot) : 0);
	transcript_add(c->transcript, REQUEST_ORDER, word, access);
	return m;
}

bool recorded_port(struct core *c, uint64_t ea, struct access access)
{
	uint64_t word;

	if (transcript_take(c->transcript, REQUEST_PORT, access, &word))
		return word;
	word = lsu_bank_taken(c, ea, access.size);
	transcript_add(c->transcript, REQUEST_PORT, word, access);
	return word;
}

struct mem_answer recorded_access(struct core *c, enum request_kind q, uint64_t ea, struct access access)
{
	struct mem_answer a;
	uint64_t word;

	if (transcript_take(c->transcript, q, access, &word))
		return access_of_word(word, c->now);
	a = perform_access(c, q, ea, access);
	transcript_add(c->transcript, q, access_word(&a, c->now), access);
	return a;
}

/* ---- fetch ---- */
unsigned fetch_words(const struct core *c, const struct mem_answer *a, unsigned first, uint64_t words[FETCH_WORDS_MAX])
{
	const struct front_end *e = &c->front;
	const struct fetch_state *f = &e->fetch;
	uint64_t target = f->after_slot == SLOT_TAKEN ? f->target_cycle - c->now : 0;
	unsigned flags = f->after_slot == SLOT_BLOCK ? e->block_flags : 0, count = 0;

	words[count++] = access_word(a, c->now);
	words[count++] = (f->next - c->now) << 16 | (uint64_t)f->cause << 8 | flags << 4 |
			 (unsigned)f->after_slot << 1 | (unsigned)f->blocked;
	words[count++] = target << 32 | next_uop_number(c);
	for (unsigned n = first; n != e->fq_tail; n++) {
		const struct fetched *q = &e->fq[n & e->fq_mask];

		words[count++] = (uint64_t)q->uop->number << 8 | q->flags;
	}
	return count;
}

int recorded_fetch_copy(const struct core *c, struct transcript *t, const struct mem_answer *a, unsigned first)
{
	const struct front_end *f = &c->front;
	struct fetch_answer *out = t->fetched;

	if (!out)
		out = t->fetched = malloc(sizeof(*out));
	if (!out)
		return -1;
	out->access = *a;
	out->after = f->fetch;
	out->block_flags = f->block_flags;
	out->at_end = f->feed.at_end;
	out->count = 0;
	for (unsigned n = first; n != f->fq_tail; n++)
		out->insn[out->count++] = f->fq[n & f->fq_mask];
	return 0;
}

void recorded_fetch_add(struct core *c, const struct mem_answer *a, unsigned first)
{
	uint64_t words[FETCH_WORDS_MAX];
	unsigned count = fetch_words(c, a, first, words);

	for (unsigned n = 0; n < count; n++)
		transcript_add(c->transcript, REQUEST_FETCH, words[n], (struct access){0});
}

bool recorded_fetch_take(struct core *c, struct mem_answer *ret)
{
	const struct fetch_answer *a = c->transcript->fetched;
	const struct access none = {0};
	struct front_end *f = &c->front;
	uint64_t word;

	if (!transcript_take(c->transcript, REQUEST_FETCH, none, &word))
		return false;
	while (transcript_take(c->transcript, REQUEST_FETCH, none, &word))
		;
	*ret = a->access;
	f->fetch = a->after;
	f->block_flags = a->block_flags;
	f->feed.at_end = a->at_end;
	for (unsigned n = 0; n < a->count; n++)
		f->fq[f->fq_tail++ & f->fq_mask] = a->insn[n];
	return true;
}
