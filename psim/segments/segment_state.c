/* The state of a core at a sync point, in digests: its own, and those of its mirror images. */
#include "segments.h"
#include "../replay/core_key.h"
#include "../core/core_state.h"
#include "../bpred/bpred.h"

unsigned station_mirror_of(unsigned unit)
{
	return unit == EXEC_INT ? SEGMENT_MIRROR_INT : unit == EXEC_FP ? SEGMENT_MIRROR_FP : 0;
}

/* Returns those units of `mirror` that have two stations: only these have a mirror image. */
static unsigned mirrored_units(const struct core *c, unsigned mirror)
{
	if (c->win.unit_pipes[EXEC_INT] != 2)
		mirror &= ~(unsigned)SEGMENT_MIRROR_INT;
	if (c->win.unit_pipes[EXEC_FP] != 2)
		mirror &= ~(unsigned)SEGMENT_MIRROR_FP;
	return mirror;
}

static void swap_words(uint64_t *a, uint64_t *b, unsigned count)
{
	for (unsigned n = 0; n < count; n++) {
		uint64_t word = a[n];

		a[n] = b[n];
		b[n] = word;
	}
}

/* Exchanges the counts of the first two stations, each of which has a lane of the word. */
static uint64_t swap_lanes(uint64_t word)
{
	const uint64_t first = LANE(1, 1) - 1, both = LANE(2, 1) - 1;

	return (word & ~both) | (word & first) << LANE_BITS | (word >> LANE_BITS & first);
}

/* Exchanges stations `rs` and rs + 1, the two of a unit: the instructions in them, their pipes, whose turn it is. */
static void mirror_stations(struct core *c, unsigned unit, unsigned rs)
{
	struct window *w = &c->win;
	unsigned word = rs / LANE_COUNT, bits = w->ready_rs >> rs & 3;

	for (unsigned age = 0; age < w->rob_count; age++) {
		struct rob_entry *r = &w->rob[(w->rob_head + age) & w->rob_mask];

		if (r->rs != rs && r->rs != rs + 1)
			continue;
		entry_place(r, 2 * rs + 1 - r->rs, r->ready_row + (r->rs == rs ? 1u : -1u));
	}
	swap_words(ready_of(w, rs), ready_of(w, rs + 1), w->rob_words);
	swap_words(ready_of(w, RS_COUNT + rs), ready_of(w, RS_COUNT + rs + 1), w->rob_words);
	swap_words(&w->unit_busy[rs], &w->unit_busy[rs + 1], 1);
	w->ready_rs = (w->ready_rs & ~(3u << rs)) | (bits >> 1 | (bits & 1) << 1) << rs;
	w->rs_used[word] = swap_lanes(w->rs_used[word]);
	for (unsigned n = 0; n < RELEASE_SIZE; n++)
		w->rs_release[n][word] = swap_lanes(w->rs_release[n][word]);
	w->rs_turn[unit] = 1 - w->rs_turn[unit];
}

void core_segment_mirror(struct core *c, unsigned mirror)
{
	mirror = mirrored_units(c, mirror);
	if (mirror & SEGMENT_MIRROR_INT)
		mirror_stations(c, EXEC_INT, RS_INT);
	if (mirror & SEGMENT_MIRROR_FP)
		mirror_stations(c, EXEC_FP, RS_FP);
}

/* Adds what the key has, all state within the core, to the digest. 0, or -1: the state has no key. */
static int digest_core(const struct core *c, struct core_key *k, struct digest *d)
{
	if (core_key_make(c, k) < 0)
		return -1;
	digest_add(d, k->count);
	for (size_t n = 0; n < k->count; n++)
		digest_add(d, k->words[n]);
	return 0;
}

/*
 * Adds what details count at commit of the instructions in the window, and the key has not as no timing reads it: when
 * they were selected, and what served loads.
 */
static void digest_details(const struct core *c, struct digest *d)
{
	for (unsigned age = 0; age < c->win.rob_count; age++) {
		unsigned slot = (c->win.rob_head + age) & c->win.rob_mask;
		const struct rob_entry *r = &c->win.rob[slot];

		digest_add(d, r->note);
		if (r->state != SLOT_SELECTED && (r->state != SLOT_DONE || !(r->uop->flags & UOP_LOAD)))
			continue; /* counters_detail takes no time of it, or a later one */
		digest_add(d, c->now - r->selected);
		digest_add(d, c->win.wake[slot] == CYCLE_NEVER ? CYCLE_NEVER : c->win.wake[slot] - c->now);
		digest_add(d, r->done == CYCLE_NEVER ? CYCLE_NEVER : r->done - c->now);
	}
}

bool segment_digests(struct core *c, struct digest mirrored[SEGMENT_MIRRORS])
{
	const struct feed *f = &c->front.feed;
	struct digest outside = {0};
	struct core_key key = {0};
	bool known = true;

	/* where fetch is in the trace; the key's counts say how far behind it the oldest instruction is */
	digest_add(&outside, trace_position(f->reader));
	digest_add(&outside, (uint64_t)(f->last - f->uop));
	memsys_digest(c->mem, c->now, &outside);
	bpred_digest(c->bpred, &outside);
	if (c->memdep)
		memdep_digest(c->memdep, trace_position(f->reader), &outside);
	if (c->array)
		array_digest(c, &outside);
	if (c->wrong)
		wrong_path_digest(c, &outside);
	if (c->opt.details)
		digest_details(c, &outside);
	for (unsigned n = 0; known && n < SEGMENT_MIRRORS; n++) {
		mirrored[n] = outside;
		core_segment_mirror(c, n);
		known = digest_core(c, &key, &mirrored[n]) == 0;
		core_segment_mirror(c, n);
	}
	core_key_finish(&key);
	return known;
}
