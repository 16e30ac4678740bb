/*
 * Arrays that stay in the buffer memories from one nest to the next, within a region of `target data`. A nest that has
 * room keeps the slices that its region names, with a buffer for each phase; the others have buffers in what is left.
 * Memory gets what is stored when something else may use it: a nest that has another layout, the scalar core, the
 * end of the function. What memory need not get is forgotten at the end of the region.
 */
#include <stdio.h>
#include <string.h>

#include "psim_nest.h"
#include "psim_nest_run.h"
#include "psim_simd.h"

static struct resident_array {
	struct slice slice;
	long lanes, share; /* of the nest that has fetched it */
	long bytes;        /* in a buffer memory */
	long from, to;     /* in memory */
	long age;
	long forget;                      /* the region at whose end memory need not get it, or 0 */
	bool even;                        /* as in the nest */
	bool used, filled, dirty, wanted; /* dirty: memory has not got it; wanted: by the nest that is placed */
} resident_arrays[RESIDENT_ARRAYS];

long resident_runs;

/* ---- what is there ---- */

static bool resident_overlaps(const struct resident_array *k, long from, long to)
{
	return k->used && k->from < to && from < k->to;
}

static void resident_write_back(struct nest *n, struct resident_array *k)
{
	static struct nest w;
	struct phase p = {0};

	if (!k->dirty)
		return;
	memset(&w, 0, offsetof(struct nest, slice));
	w.lanes = k->lanes;
	w.share = k->share;
	w.pes = (long)simd_pes();
	w.even = k->even;
	for (long number = 0; nest_next_phase(&w, &p); number++)
		nest_transfer(&w, &k->slice, true, number, &p, 0);
	nest_wait(&w);
	n->transfers += w.transfers;
	n->moved += w.moved;
	k->dirty = false;
}

static void resident_drop(struct nest *n, struct resident_array *k)
{
	if (k->used && k->filled)
		resident_write_back(n, k);
	k->used = k->filled = k->dirty = false;
}

void resident_release(struct nest *n)
{
	for (int k = 0; resident_runs > 0 && k < RESIDENT_ARRAYS; k++)
		resident_drop(n, &resident_arrays[k]);
	resident_runs = 0;
}

/* ---- a nest's slices ---- */

/* Address of the first byte of phase 0. */
static long start_of(const struct slice *s)
{
	long memory = s->origin + s->least;

	for (int d = 0; d < s->dims; d++)
		memory += dim_lowest(&s->dim[d]) * s->dim[d].stride;
	return memory;
}

static bool same_dims(const struct slice *a, const struct slice *b)
{
	for (int d = 0; d < a->dims; d++) {
		const struct dim *x = &a->dim[d], *y = &b->dim[d];

		if (x->stride != y->stride || (x->loop == 0) != (y->loop == 0) ||
		    x->high - x->low != y->high - y->low || x->row != y->row || x->local != y->local ||
		    (x->loop != 0 && x->count != y->count))
			return false;
	}
	return a->size == b->size && a->run == b->run;
}

/* Returns whether a slice, in phases of a share that has been chosen, is a resident array, byte by byte. */
static bool resident_matches(const struct nest *n, struct slice *s, struct resident_array *k)
{
	struct phase p = {0};
	bool same = k->used && k->filled && k->lanes == n->lanes && k->share == n->share && k->even == n->even &&
		    k->slice.element == s->element && k->slice.dims == s->dims &&
		    k->slice.most - k->slice.least == s->most - s->least;

	for (long number = 0; same && nest_next_phase(n, &p); number++) {
		slice_lay_out(s, p.share);
		slice_lay_out(&k->slice, p.share);
		same = same_dims(s, &k->slice) && (number > 0 || start_of(s) == start_of(&k->slice));
	}
	return same;
}

static struct resident_array *resident_match(const struct nest *n, struct slice *s)
{
	for (int k = 0; k < RESIDENT_ARRAYS; k++)
		if (resident_matches(n, s, &resident_arrays[k]))
			return &resident_arrays[k];
	return NULL;
}

static long matches(struct nest *n, long share)
{
	long count = 0;

	n->share = share;
	for (int k = 0; k < n->slices; k++)
		count += slice_moves(&n->slice[k]) && resident_match(n, &n->slice[k]);
	return count;
}

/* The share that finds most of what is there. */
static void resident_choose_share(struct nest *n)
{
	long of_pe = (n->lanes + n->pes - 1) / n->pes, best = nest_some_lanes(n, of_pe), most;

	of_pe += n->even && of_pe % 2;
	best = best < of_pe ? best : of_pe;
	most = matches(n, best);
	for (int k = 0; k < RESIDENT_ARRAYS; k++)
		if (resident_arrays[k].used && resident_arrays[k].lanes == n->lanes &&
		    resident_arrays[k].even == n->even && resident_arrays[k].share != best) {
			long found = matches(n, resident_arrays[k].share);

			if (found > most) {
				most = found;
				best = resident_arrays[k].share;
			}
		}
	n->share = best;
}

/* ---- places ---- */

/* Bytes of a slice's phases in a buffer memory, each with a buffer of its own; -1 if there are too many. */
static long lay_out_phases(const struct nest *n, struct slice *s)
{
	struct phase p = {0};
	long bytes = 0;

	for (long number = 0; nest_next_phase(n, &p); number++) {
		if (number == PHASES)
			return -1;
		slice_lay_out(s, p.share);
		s->buffer_at[number] = bytes;
		bytes += slice_room(s);
	}
	return bytes;
}

/* Bytes of a slice that transfers move, in all PEs. */
static long all_bytes(const struct nest *n, struct slice *s)
{
	struct phase p = {0};
	long bytes = 0;

	while (nest_next_phase(n, &p)) {
		slice_lay_out(s, p.share);
		bytes += s->size * p.pieces;
	}
	return bytes;
}

static struct resident_array *free_one(void)
{
	for (int k = 0; k < RESIDENT_ARRAYS; k++)
		if (!resident_arrays[k].used)
			return &resident_arrays[k];
	return NULL;
}

/* A place with so many bytes behind the sums, or -1. */
static long resident_free_place(const struct nest *n, long bytes)
{
	long at = 8 * SUMS;

	for (int k = 0; k < RESIDENT_ARRAYS; k++) {
		long begin = resident_arrays[k].slice.at, end = begin + resident_arrays[k].bytes;

		if (resident_arrays[k].used && begin < at + bytes && at < end) {
			at = end;
			k = -1;
		}
	}
	return at + bytes <= n->bytes ? at : -1;
}

/* Gives up what has not been used for longest. False if the nest wants all that is there. */
static bool give_up_oldest(struct nest *n)
{
	struct resident_array *oldest = NULL;

	for (int k = 0; k < RESIDENT_ARRAYS; k++)
		if (resident_arrays[k].used && !resident_arrays[k].wanted &&
		    (!oldest || resident_arrays[k].age < oldest->age))
			oldest = &resident_arrays[k];
	if (oldest)
		resident_drop(n, oldest);
	return oldest != NULL;
}

static bool take_place(struct nest *n, struct slice *s)
{
	long bytes = lay_out_phases(n, s), at;
	struct resident_array *k;

	if (bytes < 0 || bytes > n->bytes)
		return false;
	while ((at = resident_free_place(n, bytes)) < 0 || !(k = free_one()))
		if (!give_up_oldest(n))
			return false;
	s->at = at;
	s->buffers = 1;
	s->resident = k;
	*k = (struct resident_array){
		.lanes = n->lanes, .share = n->share, .even = n->even, .bytes = bytes, .used = true, .wanted = true};
	slice_range(n, s, &k->from, &k->to);
	k->slice = *s;
	return true;
}

/* Memory gets what a slice reads elsewhere, and what it stores to is nowhere else. */
static void make_room_in_memory(struct nest *n, const struct slice *s)
{
	long from, to;

	if (s->empty)
		return;
	slice_range(n, s, &from, &to);
	for (int k = 0; k < RESIDENT_ARRAYS; k++) {
		if (!resident_overlaps(&resident_arrays[k], from, to) || &resident_arrays[k] == s->resident)
			continue;
		if (s->write)
			resident_drop(n, &resident_arrays[k]);
		else
			resident_write_back(n, &resident_arrays[k]);
	}
}

/* Buffers of a slice that moves with the nest: until it has run, a place without a resident array. */
static bool take_buffers(struct nest *n, struct slice *s)
{
	long bytes, at;
	struct resident_array *k;

	s->buffers = slice_buffers(n, s, true);
	slice_lay_out(s, n->share);
	s->pitch = slice_room(s);
	bytes = s->buffers * s->pitch;
	while ((at = resident_free_place(n, bytes)) < 0 || !(k = free_one()))
		if (!give_up_oldest(n))
			return false;
	s->at = at;
	*k = (struct resident_array){.slice = {.at = at}, .bytes = bytes, .used = true, .wanted = true};
	return true;
}

/* Places of nests that have run, or have no room. */
static void free_unfilled(void)
{
	for (int k = 0; k < RESIDENT_ARRAYS; k++)
		resident_arrays[k].used &= resident_arrays[k].filled;
}

/* Finds what is there for a slice. */
static void find_resident(struct nest *n, struct slice *s)
{
	struct resident_array *found = slice_moves(s) && !s->private_copy ? resident_match(n, s) : NULL;

	s->resident = found;
	s->there = found != NULL;
	if (!found)
		return;
	lay_out_phases(n, s);
	s->at = found->slice.at;
	s->buffers = 1;
	found->wanted = true;
	if (found->forget != (s->mapped > 0 ? s->mapped : 0)) /* memory may need what was stored before */
		resident_write_back(n, found);
}

/* Places all slices in phases of the share, first those that stay. */
static bool place_slices(struct nest *n)
{
	bool placed = true;

	for (int k = 0; k < RESIDENT_ARRAYS; k++)
		resident_arrays[k].wanted = false;
	for (int k = 0; k < n->slices; k++)
		find_resident(n, &n->slice[k]);
	for (int k = 0; k < n->slices; k++)
		make_room_in_memory(n, &n->slice[k]);
	for (int moves = 0; moves < 2; moves++)
		for (int k = 0; placed && k < n->slices; k++) {
			struct slice *s = &n->slice[k];

			if (slice_moves(s) && !s->there && (s->mapped == NEST_MOVES) == moves)
				placed = moves ? take_buffers(n, s) : take_place(n, s);
		}
	for (int k = 0; !placed && k < n->slices; k++) {
		n->slice[k].resident = NULL;
		n->slice[k].there = false;
	}
	if (!placed)
		free_unfilled();
	return placed;
}

/* Half of the share, if that makes room: a slice moves, so that it has fewer lanes in its buffers. */
static bool halve_share(struct nest *n)
{
	long unit = n->variant[NEST_UNIT], share = n->share / 2;
	bool moves = false;

	for (int k = 0; k < n->slices; k++)
		moves |= slice_moves(&n->slice[k]) && n->slice[k].mapped == NEST_MOVES;
	if (share > unit)
		share -= share % unit;
	share -= n->even ? share % 2 : 0;
	if (!moves || share < 1 || n->lanes / (share * n->pes) + 2 > PHASES)
		return false;
	n->share = share;
	return true;
}

bool resident_place(struct nest *n)
{
	bool placed;

	resident_runs++;
	resident_choose_share(n);
	while (!(placed = place_slices(n)) && halve_share(n))
		;
	n->overlapped = true;
	return placed;
}

void resident_commit(struct nest *n)
{
	for (int k = 0; k < n->slices; k++) {
		struct slice *s = &n->slice[k];
		long bytes;

		if (!s->resident)
			continue;
		bytes = all_bytes(n, s);
		n->not_moved += (s->there && s->get ? bytes : 0) + (s->write && s->resident->dirty ? bytes : 0);
		s->resident->filled = true;
		s->resident->dirty |= s->write;
		s->resident->age = resident_runs;
		s->resident->forget = s->mapped > 0 ? s->mapped : 0;
	}
	free_unfilled();
}

/* At the end of a region. */
void psim_nest_forget(long region);

void psim_nest_forget(long region)
{
	for (int k = 0; k < RESIDENT_ARRAYS; k++)
		if (resident_arrays[k].forget == region)
			resident_arrays[k].used = resident_arrays[k].filled = resident_arrays[k].dirty = false;
}

/* ---- the scalar core ---- */

static void report_written(const struct nest *n, const char *place)
{
	if (n->moved && nest_report_wanted())
		fprintf(stderr, "%s: %ld bytes back to memory in %ld transfers\n", place, n->moved, n->transfers);
}

/* In front of what may use any memory. */
void psim_nest_release(const char *place);

void psim_nest_release(const char *place)
{
	static struct nest n;

	if (resident_runs == 0)
		return;
	memset(&n, 0, offsetof(struct nest, slice));
	resident_release(&n);
	report_written(&n, place);
}

/* In front of a load, or of a store, of so many bytes. */
void psim_nest_touch(const void *at, long bytes, long store, const char *place);

void psim_nest_touch(const void *at, long bytes, long store, const char *place)
{
	static struct nest n;

	if (resident_runs == 0)
		return;
	memset(&n, 0, offsetof(struct nest, slice));
	for (int k = 0; k < RESIDENT_ARRAYS; k++) {
		if (!resident_overlaps(&resident_arrays[k], (long)at, (long)at + bytes))
			continue;
		if (store)
			resident_drop(&n, &resident_arrays[k]);
		else
			resident_write_back(&n, &resident_arrays[k]);
	}
	report_written(&n, place);
}
