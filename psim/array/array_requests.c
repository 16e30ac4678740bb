#include "array_requests.h"

/* ---- loads and stores ---- */

/* The match as a word: 1 if a transfer holds the load, else twice the word of the older store. */
static uint64_t sbm_word(const struct core *c, unsigned slot, const struct sbm_answer *a)
{
	unsigned distance = a->match.place == MATCH_WINDOW ? access_distance(c, a->match.slot, slot) : 0;

	return a->held ? 1 : match_word(&a->match, distance) << 1;
}

struct sbm_answer recorded_sbm_load(struct core *c, unsigned slot, bool unknown)
{
	enum request_kind q = unknown ? REQUEST_SBM_HELD : REQUEST_SBM_LOAD;
	struct access access = access_of_slot(c, slot, c->array->ended);
	struct sbm_answer a;
	uint64_t word;

	access.strong = c->ls.written_at == c->now;
	if (transcript_take(c->transcript, q, access, &word))
		return (struct sbm_answer){.held = word & 1, .match = match_of_word(c, slot, word >> 1)};
	a = array_load_answer(c, slot, unknown);
	transcript_add(c->transcript, q, sbm_word(c, slot, &a), access);
	return a;
}

bool recorded_sbm_store(struct core *c, const struct store_entry *s)
{
	struct access access = {.place = ACCESS_ARRAY, .size = s->size, .known = (uint8_t)c->array->ended};
	uint64_t word;

	if (transcript_take(c->transcript, REQUEST_SBM_STORE, access, &word))
		return word;
	word = transfers_hold_store(c, s->ea, s->size);
	transcript_add(c->transcript, REQUEST_SBM_STORE, word, access);
	return word;
}

/* ---- lines of transfers ---- */
static uint64_t cycle_of_line(uint64_t word, uint64_t now)
{
	return now + (word & ((UINT64_C(1) << LINE_CYCLE_BITS) - 1));
}

static uint64_t units_of_line(uint64_t word)
{
	return word >> LINE_CYCLE_BITS & ((1u << LINE_UNIT_BITS) - 1);
}

static bool line_is_last(uint64_t word)
{
	return word >> (LINE_CYCLE_BITS + LINE_UNIT_BITS);
}

struct line_request recorded_line(struct core *c)
{
	const struct access access = {.place = ACCESS_ARRAY};
	struct line_request r;
	uint64_t word;

	if (transcript_take(c->transcript, REQUEST_LINE, access, &word))
		return (struct line_request){cycle_of_line(word, c->now), units_of_line(word), line_is_last(word)};
	r = transfers_request_line(c);
	transcript_add(c->transcript, REQUEST_LINE, line_word(r.next, c->now, r.port_units, r.last), access);
	return r;
}

struct transfer_line recorded_first_line(struct core *c)
{
	const struct access access = {.place = ACCESS_ARRAY};
	struct transfer_line l;
	uint64_t word;

	if (transcript_take(c->transcript, REQUEST_FIRST_LINE, access, &word))
		return (struct transfer_line){cycle_of_line(word, c->now), units_of_line(word), line_is_last(word)};
	l = transfers_first_line(c);
	l.arrival = latest(l.arrival, c->now);
	transcript_add(c->transcript, REQUEST_FIRST_LINE, line_word(l.arrival, c->now, l.port_units, l.last), access);
	return l;
}
