#include "core_requests.h"

#include <stdlib.h>

/* ---- answers as words ---- */
uint64_t match_word(const struct store_match *m, unsigned distance)
{
	return (uint64_t)m->place | (uint64_t)m->covers << 2 | (uint64_t)distance << 3;
}

unsigned access_distance(const struct core *c, unsigned older, unsigned slot)
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

struct store_match match_of_word(const struct core *c, unsigned slot, uint64_t word)
{
	struct store_match m = {.place = (enum match_place)(word & 3), .covers = word >> 2 & 1};

	if (m.place == MATCH_WINDOW)
		m.slot = slot_at_distance(c, slot, (unsigned)(word >> 3));
	return m;
}

/* ---- loads and stores ---- */
struct store_match recorded_match(struct core *c, unsigned slot)
{
	struct access access = access_of_slot(c, slot, 0);
	struct store_match m;
	uint64_t word;

	if (transcript_take(c->transcript, REQUEST_ORDER, access, &word))
		return match_of_word(c, slot, word);
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
	if (c->transcript->notes)
		memsys_note_pc(c->mem, access.place == ACCESS_WINDOW ? c->win.rob[access.index].uop->pc : 0);
	a = perform_access(c, q, ea, access);
	transcript_add(c->transcript, q, access_word(&a, c->now), access);
	return a;
}

/* ---- the memory-dependence predictor ---- */
uint64_t perform_order(struct core *c, enum request_kind q, uint32_t number)
{
	uint64_t place = trace_position(c->front.feed.reader);

	switch (q) {
	case REQUEST_SET: return memdep_set(c->memdep, place, uop_of(c, number)->pc);
	case REQUEST_STORED: c->late_store = uop_of(c, number)->pc; return 0;
	case REQUEST_EARLY: memdep_violation(c->memdep, place, uop_of(c, number)->pc, c->late_store); return 0;
	default: return 0;
	}
}

uint64_t request_order(struct core *c, enum request_kind q, uint32_t number)
{
	struct access access = access_of_number(number);
	uint64_t word;

	if (!c->transcript)
		return perform_order(c, q, number);
	if (transcript_take(c->transcript, q, access, &word))
		return word;
	word = perform_order(c, q, number);
	transcript_add(c->transcript, q, word, access);
	return word;
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

		words[count++] = (uint64_t)q->uop->number << WORD_NUMBER_AT |
				 access_window(c, q->uop, q->ea) << WORD_FLAG_BITS | q->flags;
	}
	return count;
}

/* The place of one more group in the transcript, or NULL: no memory. */
static struct fetch_answer *next_given(struct transcript *t)
{
	struct fetch_answer *all = t->fetched;

	if (t->fetched_count == t->fetched_size) {
		unsigned size = t->fetched_size ? 2 * t->fetched_size : 8;

		all = realloc(all, size * sizeof(*all));
		if (!all)
			return NULL;
		t->fetched = all;
		t->fetched_size = size;
	}
	return &all[t->fetched_count++];
}

int recorded_fetch_give(const struct core *c, struct transcript *t, const uint64_t *words, unsigned count, uint64_t now,
			struct address_queue from, uint64_t transfer)
{
	struct fetch_answer *out = next_given(t);

	if (!out)
		return -1;
	out->words = count;
	out->access = access_of_word(words[0], now);
	out->after = (struct fetch_state){
		.next = now + (words[1] >> 16),
		.blocked = words[1] & 1,
		.blocked_since = now,
		.cause = (enum stall)(words[1] >> 8 & 255),
		.after_slot = (enum after_slot)(words[1] >> 1 & 3),
		.target_cycle = now + (words[2] >> 32),
	};
	out->block_flags = words[1] >> 4 & 15;
	out->at_end = !(words[2] & UINT32_MAX);
	out->count = 0;
	for (unsigned n = 3; n < count; n++) {
		struct fetched *q = &out->insn[out->count++];

		*q = (struct fetched){
			.uop = uop_of(c, words[n] >> WORD_NUMBER_AT),
			.flags = words[n] & ((1u << WORD_FLAG_BITS) - 1),
		};
		if (uop_accesses(q->uop))
			q->ea = from.ring[from.first++ & from.mask];
		else if (q->uop->flags & UOP_TRANSFER)
			q->ea = transfer++;
	}
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
	struct transcript *t = c->transcript;
	const struct fetch_answer *a = t->fetched;
	const struct access none = {0};
	struct front_end *f = &c->front;
	uint64_t word;

	if (t->fetched_at == t->fetched_count) {
		t->failed |= t->at < t->count; /* another request's answer comes next */
		return false;
	}
	a += t->fetched_at++;
	for (unsigned n = 0; n < a->words; n++)
		transcript_take(t, REQUEST_FETCH, none, &word);
	*ret = a->access;
	f->fetch = a->after;
	f->block_flags = a->block_flags;
	f->feed.at_end = a->at_end;
	for (unsigned n = 0; n < a->count; n++)
		f->fq[f->fq_tail++ & f->fq_mask] = a->insn[n];
	return true;
}
