/* Places of slices in the buffer memories, how many lanes a PE has at a time, and the phases that come of it. */
#include "psim_nest_run.h"

/*
 * The layout of a share in the buffer memory: runs, rows, their strides, size. Transfers move multiples of 8 bytes, so
 * rows of singles are as far from a multiple of 8 bytes as they are in memory.
 */
void slice_lay_out_anew(struct slice *s, long share)
{
	long run = s->most - s->least, size = 0;
	bool whole = true; /* no rows so far, and no lanes */

	s->laid = share;
	for (int d = 0; d < s->dims; d++) {
		struct dim *m = &s->dim[d];
		long by = magnitude(m->stride), steps;

		if (m == s->plane) { /* a buffer has one plane; a run does not reach over another one */
			whole = false;
			continue;
		}
		if (m->loop == 0)
			m->count = share;
		steps = m->count - 1 + m->high - m->low;
		m->row = !whole || by > 2 * run || (s->tight && by > run && by > 2 * s->element);
		if (m->row) {
			size = size ? size : run;
			m->local = size + ((by - size) & (NEST_SIZE - 1));
			size = m->local * (steps + 1);
		} else {
			m->local = by;
			run += steps * by;
		}
		if (m->row || m->loop == 0)
			whole = false;
		if (m->stride < 0)
			m->local = -m->local;
	}
	s->run = run;
	s->size = size ? size : run;
}

/* The index of the lowest address in a dimension. */
long dim_lowest(const struct dim *m)
{
	return m->stride > 0 ? m->low : m->count - 1 + m->high;
}

long slice_buffer(const struct slice *s, long number)
{
	if (s->resident)
		return s->at + s->buffer_at[number];
	/* a division takes as long as all else here */
	return s->at + (number < s->buffers ? number : number % s->buffers) * s->pitch;
}

long slice_start(const struct slice *s, const struct phase *p, long plane, long *step)
{
	long memory = s->origin + s->least;

	*step = 0;
	for (int d = 0; d < s->dims; d++) {
		const struct dim *m = &s->dim[d];

		memory += (m == s->plane ? plane : dim_lowest(m)) * m->stride;
		if (m->loop == 0) {
			memory += p->lane * m->stride;
			*step = p->share * m->stride;
		}
	}
	return memory;
}

long slice_skew(const struct slice *s, const struct phase *p)
{
	long step;

	return slice_start(s, p, 0, &step) & (NEST_SIZE - 1);
}

/* Bytes that the buffer of a share needs beside its size: for a skew, and up to a multiple of 8 bytes. */
static long slack(const struct slice *s)
{
	return s->element == NEST_SIZE ? 0 : 2 * NEST_SIZE - s->element - 1;
}

long slice_room(const struct slice *s)
{
	return (s->size + slack(s)) & ~(NEST_SIZE - 1L);
}

/* Returns whether the dimensions of a slice leave no gap between runs, and no dimension is a range. */
static bool without_gaps(const struct slice *s)
{
	long run = s->most - s->least;

	for (int d = 0; d < s->dims; d++) {
		const struct dim *m = &s->dim[d];

		if (m->low != m->high)
			return false;
		if (m->row || m == s->plane)
			continue;
		if (magnitude(m->stride) != run)
			return false;
		run *= m->count;
	}
	return true;
}

/* Returns whether reference `r` stores to the number at `rest` of each run. */
static bool stores_all(const struct nest *n, long r, int slice, long rest)
{
	const struct slice *s = &n->slice[slice];
	const long *ref = ref_of(n, r);
	bool runs = n->ref[r].slice == slice && n->ref[r].rest == rest && (ref[NEST_FLAGS] & NEST_WRITE) &&
		    (ref[NEST_FLAGS] & NEST_EXACT);

	for (int d = 0; runs && d < s->dims; d++)
		runs = s->dim[d].loop == 0 ||
		       (n->ref[r].loop[d] >= 0 && n->counts[n->ref[r].loop[d]] == s->dim[d].count);
	for (long l = 1; l < n->loops; l++) /* what several loops go through, they may leave out */
		runs = runs && loop_extent(n, ref[NEST_FAMILY], l) >= 0;
	for (long l = 1; l < n->loops; l++)
		runs = runs && (!(ref[NEST_INSIDE] >> l & 1) || n->counts[l] > 0);
	return runs;
}

/* Returns whether all bytes of the runs are written, so that nothing need be fetched. */
static bool covered(const struct nest *n, int slice)
{
	const struct slice *s = &n->slice[slice];
	long written = 0;

	if (s->read || s->mixed || !without_gaps(s))
		return false;
	for (long rest = s->least; rest < s->most; rest += s->element) {
		bool found = false;

		for (long r = 0; r < n->references; r++)
			found |= stores_all(n, r, slice, rest);
		written += found ? s->element : 0;
	}
	return written == s->most - s->least;
}

/* Returns whether a slice takes many transfers, or more bytes the fewer lanes a PE has at a time. */
static bool dear_in_phases(const struct slice *s, long rows)
{
	for (int d = 0; d < s->dims; d++)
		if (s->dim[d].loop == 0 && s->dim[d].low != s->dim[d].high)
			return true;
	return rows > FEW;
}

/*
 * Decides whether a slice is fetched: not if it is stored to in few runs without gaps. What stays has no gaps, so
 * that one nest finds what another one has stored.
 */
void slice_choose_runs(struct nest *n, int slice)
{
	struct slice *s = &n->slice[slice];
	bool stays = n->table[NEST_RESIDENT] && s->mapped != NEST_MOVES;
	long rows = 1;

	s->tight = stays || (s->write && !s->read);
	s->laid = 0;
	slice_lay_out(s, 1);
	for (int d = 0; d < s->dims; d++)
		if (s->dim[d].row && s->dim[d].loop != 0 && &s->dim[d] != s->plane)
			rows *= s->dim[d].count;
	s->get = !covered(n, slice);
	n->dear |= s->lanes && dear_in_phases(s, rows);
	if (!s->tight || ((!s->get || stays) && rows <= FEW))
		return;
	s->tight = false;
	s->laid = 0;
	slice_lay_out(s, 1);
	s->get = !covered(n, slice);
}

/*
 * Buffers of a slice. In a stream, as many as planes are in use and one that is on its way; what does not move with
 * the loop around has one.
 */
int slice_buffers(const struct nest *n, const struct slice *s, bool overlapped)
{
	if (s->private_copy || (n->stream && !s->plane))
		return 1;
	if (n->stream && !s->write)
		return (int)(s->plane->high - s->plane->low) + 2;
	return !overlapped ? 1 : s->get && s->write ? 3 : 2;
}

/* Bytes of sums, the lane's number, and two words on rows. */
static long nest_slots(const struct nest *n)
{
	return 8 * (n->sums + n->numbered + (n->rows ? 2 : 0));
}

/* Largest share that fits with the slices' buffers, or 0. The size of a slice grows by the same with each step. */
static long fitting(struct nest *n, bool overlapped)
{
	long fixed = nest_slots(n) + (n->gathers ? nest_copies_room(n) : 0), slope = 0, step = n->even ? 2 : 1, one,
	     most;

	if (n->rows) {
		fixed += (overlapped ? 2 : 1) * nest_row_room(n);
		slope += (overlapped ? 2 : 1) * nest_row_bytes(n) * n->row_most * step;
	}

	for (int k = 0; k < n->slices; k++) {
		struct slice *s = &n->slice[k];

		if (!slice_moves(s))
			continue;
		s->buffers = slice_buffers(n, s, overlapped);
		slice_lay_out(s, step);
		one = s->size;
		if (s->dims > 1) {
			slice_lay_out(s, 2 * step);
			s->slope = s->size - one;
		} else { /* of the lanes alone: the layout of a share, which may be the one chosen, is kept */
			s->slope = magnitude(s->dim[0].local) * step;
		}
		fixed += s->buffers * (one + slack(s) - s->slope);
		slope += s->buffers * s->slope;
	}
	if (slope == 0 || fixed + slope > n->bytes)
		return 0;
	most = (n->bytes - fixed) / slope * step;
	return n->rows && most > nest_most_row_lanes() ? nest_most_row_lanes() : most;
}

static void place_buffers(struct nest *n)
{
	long at = nest_slots(n);

	if (n->gathers)
		at = nest_place_rows(n, nest_place_copies(n, at));
	for (int k = 0; k < n->slices; k++) {
		struct slice *s = &n->slice[k];

		if (!slice_moves(s))
			continue;
		slice_lay_out(s, n->share);
		s->at = at;
		s->pitch = slice_room(s);
		at += s->buffers * s->pitch;
	}
}

/* Lanes of which a share is a multiple, a power of two. */
static long lanes_unit(const struct nest *n)
{
	return n->even && n->variant[NEST_UNIT] < 2 ? 2 : n->variant[NEST_UNIT];
}

long nest_some_lanes(const struct nest *n, long of_pe)
{
	long unit = lanes_unit(n), some = (of_pe + 3) / 4;

	return (some + unit - 1) & -unit;
}

/*
 * The share: what fits, or a quarter of a PE's lanes, so that transfers and the kernel overlap; or all lanes, if four
 * times as many transfers take longer than that saves. In a stream, the planes overlap.
 */
static bool one_phase_is_faster(struct nest *n, long some, long of_pe)
{
	if (!n->dear || n->stream || n->doubt || fitting(n, false) < of_pe)
		return false;
	return !nest_overlap_pays(n, some, of_pe);
}

bool nest_choose_share(struct nest *n)
{
	long unit = lanes_unit(n), most, of_pe = (n->lanes + n->pes - 1) / n->pes, some;

	of_pe += n->even && of_pe % 2;
	some = n->stream || n->doubt ? of_pe : nest_some_lanes(n, of_pe);
	if (n->chunk)
		some = n->even ? 2 : 1;
	if (of_pe > some && one_phase_is_faster(n, some, of_pe))
		some = of_pe;
	n->overlapped = n->stream || of_pe > some;
	most = fitting(n, n->overlapped);
	if (!n->stream && (most == 0 || (n->overlapped && most < unit && most < some))) {
		n->overlapped = false;
		most = fitting(n, false);
	}
	n->passing = most == 0; /* another run may have smaller lanes */
	if (most == 0)
		return nest_refuse(n, n->even ? "two lanes of each PE do not fit into the buffer memories"
					      : "one lane of each PE does not fit into the buffer memories");
	n->share = most < some ? most : some;
	if (n->share > unit && n->share < of_pe)
		n->share -= n->share & (unit - 1);
	n->share = n->share < of_pe ? n->share : of_pe;
	place_buffers(n);
	return true;
}

/* Descriptors have their limits. */
bool nest_transferable(struct nest *n)
{
	for (int k = 0; k < n->slices; k++) {
		struct slice *s = &n->slice[k];
		long rows = 1;

		if (!slice_moves(s) || s->private_copy)
			continue;
		for (int d = 0; d < s->dims; d++)
			if (s->dim[d].row && &s->dim[d] != s->plane)
				rows *= s->dim[d].count + s->dim[d].high - s->dim[d].low;
		if (s->run >= 1 << 24 || magnitude(n->share * slice_dim(s, 0)->stride) >= 1L << 26)
			return nest_refuse(n, "an array's pieces are too long or too far apart for a transfer");
		if (rows > ROWS)
			return nest_refuse(n, "an array's lanes consist of too many pieces");
	}
	return true;
}

/* ---- phases ---- */

bool nest_next_phase(const struct nest *n, struct phase *p)
{
	long left;

	p->lane += p->share * p->pieces;
	left = n->lanes - p->lane;
	if (left <= 0)
		return false;
	p->pieces = n->pes;
	p->share = n->share;
	if (n->chunk) { /* a lane a PE, and singles one after the other: for the check */
		long rest = n->chunk - p->lane % n->chunk;

		p->share = 1;
		p->pieces = n->even ? 1 : n->pes;
		p->pieces = p->pieces < left ? p->pieces : left;
		p->pieces = p->pieces < rest ? p->pieces : rest;
		return true;
	}
	if (left < n->share * n->pes)
		p->share = left / n->pes;
	if (n->even)
		p->share -= p->share % 2;
	if (p->share == 0) {
		p->share = n->even && left > 1 ? 2 : 1;
		p->pieces = left / p->share;
	}
	return true;
}

/* Strides that the kernel has as constants are what the layout of a share makes of them. */
static bool fixed_for(struct nest *n, long share)
{
	for (int k = 0; k < n->slices; k++)
		if (n->slice[k].lanes)
			slice_lay_out(&n->slice[k], share);
	for (long r = 0; r < n->references; r++) {
		const struct slice *s = &n->slice[n->ref[r].slice];

		for (int d = 0; s->lanes && d < s->dims; d++)
			if (&s->dim[d] != s->plane && n->ref[r].loop[d] >= 0 &&
			    (ref_of(n, r)[NEST_FIXED] >> n->ref[r].loop[d] & 1) && s->dim[d].local != s->dim[d].stride)
				return false;
	}
	return true;
}

/* The phases' shares differ at the end, and so may the distance between the elements of a lane. */
bool nest_fixed_strides(struct nest *n)
{
	struct phase p = {0};
	long last = 0;

	while (nest_next_phase(n, &p)) {
		if (p.share != last && !fixed_for(n, p.share))
			return nest_refuse(n, "an array has elements of the lanes between those of a lane");
		last = p.share;
	}
	return true;
}
