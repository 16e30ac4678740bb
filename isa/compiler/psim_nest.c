/*
 * Runs a compiled loop nest on the SIMD array: guest code, linked with programs of psim-cc and psim-fc.
 *
 * The lanes are distributed in blocks: a phase is `share` lanes for each PE, or for the first `pieces` PEs at the end.
 * Each phase's data are transferred before it, and its results after it, while the kernel works on another one.
 *
 * A slice is memory that references of one family access, as a box over the loops. Neighbouring elements within
 * a lane, and lanes that follow each other, are one run of bytes; further dimensions are rows, a transfer each.
 */
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "psim_nest.h"
#include "psim_nest_run.h"
#include "psim_simd.h"

enum { PLACES = 64 };
#define SLOW "the array is not expected to be faster"

typedef void kernel(long *data);

static bool refuse_nest(struct nest *n, const char *why)
{
	n->why = why;
	return false;
}

/* ---- slices ---- */

/* Splits the distance of a reference from a slice's origin into steps. False if they are too far apart. */
static bool split(const struct slice *s, long distance, struct ref *r)
{
	for (int d = s->dims - 1; d >= 0; d--) {
		long by = s->dim[d].stride, half = (magnitude(by) - 1) / 2;
		long steps = (distance + (distance < 0 ? -half : half)) / by;

		if (magnitude(steps) > HALO)
			return false;
		r->shift[d] = steps;
		distance -= steps * by;
	}
	r->rest = distance;
	return s->dims > 0 ? magnitude(distance) <= magnitude(s->dim[0].stride) : distance == 0;
}

static void join(struct slice *s, const struct ref *r, long flags)
{
	for (int d = 0; d < s->dims; d++) {
		struct dim *m = &s->dim[d];

		m->low = r->shift[d] < m->low ? r->shift[d] : m->low;
		m->high = r->shift[d] > m->high ? r->shift[d] : m->high;
	}
	s->least = r->rest < s->least ? r->rest : s->least;
	s->most = r->rest + NEST_SIZE > s->most ? r->rest + NEST_SIZE : s->most;
	s->read |= (flags & NEST_READ) != 0;
	s->write |= (flags & NEST_WRITE) != 0;
}

/* Dimensions are in the order of their strides, the lanes last among equal ones. */
static bool after(const struct dim *a, const struct dim *b)
{
	long x = magnitude(a->stride), y = magnitude(b->stride);

	return x > y || (x == y && a->loop == 0);
}

static bool new_slice(struct nest *n, const long *ref)
{
	struct slice *s = &n->slice[n->slices];

	if (n->slices == SLICES)
		return refuse_nest(n, "too many arrays");
	n->slices++;
	*s = (struct slice){.family = (int)ref[NEST_FAMILY], .origin = ref[NEST_START], .most = NEST_SIZE};
	for (int l = 0; l < n->loops; l++) {
		struct dim m = {.stride = stride_of(n, s->family, l), .count = n->counts[l], .loop = l};
		int at = s->dims;

		if (m.stride == 0)
			continue;
		if (m.stride % 8)
			return refuse_nest(n, "a stride is no multiple of 8 bytes");
		s->lanes |= l == 0;
		s->empty |= m.count <= 0;
		for (; at > 0 && after(&s->dim[at - 1], &m); at--)
			s->dim[at] = s->dim[at - 1];
		s->dim[at] = m;
		s->dims++;
	}
	if (s->origin % 8)
		return refuse_nest(n, "an address is no multiple of 8 bytes");
	return true;
}

static struct dim *dim_of(struct slice *s, long loop)
{
	for (int d = 0; d < s->dims; d++)
		if (s->dim[d].loop == loop)
			return &s->dim[d];
	return NULL;
}

static bool make_slices(struct nest *n)
{
	for (long r = 0; r < n->references; r++) {
		const long *ref = ref_of(n, r);
		struct ref *to = &n->ref[r];
		int k = 0;

		for (; k < n->slices; k++)
			if (n->slice[k].family == ref[NEST_FAMILY] &&
			    split(&n->slice[k], ref[NEST_START] - n->slice[k].origin, to))
				break;
		if (k == n->slices) {
			if (!new_slice(n, ref))
				return false;
			memset(to, 0, sizeof(*to));
		}
		to->slice = k;
		join(&n->slice[k], to, ref[NEST_FLAGS]);
	}
	for (int k = 0; n->stream && k < n->slices; k++)
		n->slice[k].plane = dim_of(&n->slice[k], n->stream);
	return true;
}

/* Finds what lanes access around each root, if the nest's inner loops are not affine. */
static bool survey(struct nest *n)
{
	void (*run)(long *) = (void (*)(long *))n->table[NEST_SURVEY];
	long found[REFS][2];

	if (!run)
		return true;
	for (long r = 0; r < n->references; r++) {
		found[r][0] = LONG_MAX;
		found[r][1] = LONG_MIN;
		n->data[DATA_HEADER + r] = ((r + 1) << SURVEY_SHIFT) + SURVEY_MIDDLE;
	}
	n->data[DATA_SUMS] = (long)found;
	run(n->data);
	for (long r = 0; r < n->references; r++) {
		struct slice *s = &n->slice[n->ref[r].slice];
		long root = ((r + 1) << SURVEY_SHIFT) + SURVEY_MIDDLE;

		s->empty = found[r][0] > found[r][1];
		s->least = s->empty ? 0 : found[r][0] - root;
		s->most = s->empty ? 0 : found[r][1] - root;
		if (s->least % 8 || s->most % 8)
			return refuse_nest(n, "an address is no multiple of 8 bytes");
	}
	return true;
}

/* ---- independence ---- */

/* First and last byte, plus one, of all lanes. */
static void range(const struct nest *n, const struct slice *s, long *from, long *to)
{
	*from = s->origin + s->least;
	*to = s->origin + s->most;
	for (int d = 0; d < s->dims; d++) {
		const struct dim *m = &s->dim[d];
		long a = m->low * m->stride, b = ((m->loop == 0 ? n->lanes : m->count) - 1 + m->high) * m->stride;

		*from += a < b ? a : b;
		*to += a < b ? b : a;
	}
}

/* Returns whether different indices are different addresses, and each address belongs to one lane. */
static bool apart(const struct nest *n, struct slice *s)
{
	long span = s->most - s->least;
	const struct dim *lane = dim_of(s, 0);

	if (!lane || lane->low != lane->high || (s->plane && s->plane->low != s->plane->high))
		return false;
	for (int d = 0; d < s->dims; d++) {
		const struct dim *m = &s->dim[d];
		long count = m->loop == 0 ? n->lanes : m->count;

		if (magnitude(m->stride) < span)
			return false;
		span += (count - 1 + m->high - m->low) * magnitude(m->stride);
	}
	return true;
}

/* Iterations that the kernel interleaves store to different places. */
static bool jam_apart(const struct nest *n)
{
	long loop = n->variant[NEST_JAMMED];

	for (long r = 0; loop && r < n->references; r++) {
		const long *ref = ref_of(n, r);

		if ((ref[NEST_FLAGS] & NEST_WRITE) && (ref[NEST_INSIDE] >> loop & 1) &&
		    magnitude(stride_of(n, ref[NEST_FAMILY], loop)) < NEST_SIZE)
			return false;
	}
	return true;
}

static bool independent(struct nest *n)
{
	for (int k = 0; k < n->slices; k++) {
		struct slice *w = &n->slice[k];
		long from, to;

		if (!w->write || w->empty)
			continue;
		if (!apart(n, w))
			return refuse_nest(n, "lanes store to places that other lanes use");
		range(n, w, &from, &to);
		for (int j = 0; j < n->slices; j++) {
			long low, high;

			if (j == k || n->slice[j].empty)
				continue;
			range(n, &n->slice[j], &low, &high);
			if (low < to && from < high)
				return refuse_nest(n, "arrays that overlap, one of which is stored to");
		}
	}
	return jam_apart(n) || refuse_nest(n, "iterations of an inner loop store to one place");
}

/* ---- layout ---- */

/* The layout of a share in the buffer memory: runs, rows, their strides, size. */
static void lay_out(struct slice *s, long share)
{
	long run = s->most - s->least, size = 0;
	bool whole = true; /* no rows so far, and no lanes */

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
		m->row = !whole || by > 2 * run || (s->tight && by > run && by > 2 * NEST_SIZE);
		if (m->row) {
			size = size ? size : run;
			m->local = size;
			size *= steps + 1;
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
static long lowest(const struct dim *m)
{
	return m->stride > 0 ? m->low : m->count - 1 + m->high;
}

/* Returns whether all bytes of the runs are written, so that nothing need be fetched. */
static bool covered(const struct nest *n, int slice)
{
	const struct slice *s = &n->slice[slice];
	long run = s->most - s->least, written = 0;

	if (s->read)
		return false;
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
	for (long rest = s->least; rest < s->most; rest += NEST_SIZE) {
		bool found = false;

		for (long r = 0; r < n->references; r++) {
			bool runs = n->ref[r].slice == slice && n->ref[r].rest == rest &&
				    (ref_of(n, r)[NEST_FLAGS] & NEST_WRITE) && (ref_of(n, r)[NEST_FLAGS] & NEST_EXACT);

			for (long l = 1; l < n->loops; l++)
				runs = runs && (!(ref_of(n, r)[NEST_INSIDE] >> l & 1) || n->counts[l] > 0);
			found |= runs;
		}
		written += found ? NEST_SIZE : 0;
	}
	return written == s->most - s->least;
}

/* Decides whether a slice is fetched: not if it is stored to in few runs without gaps. */
static void choose_runs(struct nest *n, int slice)
{
	struct slice *s = &n->slice[slice];
	long rows = 1;

	s->tight = s->write && !s->read;
	lay_out(s, 1);
	for (int d = 0; d < s->dims; d++)
		if (s->dim[d].row && s->dim[d].loop != 0 && &s->dim[d] != s->plane)
			rows *= s->dim[d].count;
	s->get = !covered(n, slice);
	if (!s->tight || (!s->get && rows <= FEW))
		return;
	s->tight = false;
	lay_out(s, 1);
	s->get = !covered(n, slice);
}

static bool moves(const struct slice *s)
{
	return s->lanes && !s->empty;
}

/*
 * Buffers of a slice. In a stream, as many as planes are in use and one that is on its way; what does not move with
 * the loop around has one.
 */
static int buffers_of(const struct nest *n, const struct slice *s, bool overlapped)
{
	if (n->stream && !s->plane)
		return 1;
	if (n->stream && !s->write)
		return (int)(s->plane->high - s->plane->low) + 2;
	return !overlapped ? 1 : s->get && s->write ? 3 : 2;
}

/* Largest share that fits with the slices' buffers, or 0. */
static long fitting(struct nest *n, bool overlapped)
{
	long fixed = 8 * n->sums, slope = 0;

	for (int k = 0; k < n->slices; k++) {
		struct slice *s = &n->slice[k];

		if (!moves(s))
			continue;
		s->buffers = buffers_of(n, s, overlapped);
		lay_out(s, 2);
		s->slope = s->size;
		lay_out(s, 1);
		s->slope -= s->size;
		fixed += s->buffers * (s->size - s->slope);
		slope += s->buffers * s->slope;
	}
	if (slope == 0 || fixed + slope > n->bytes)
		return 0;
	return (n->bytes - fixed) / slope;
}

static void place_buffers(struct nest *n)
{
	long at = 8 * n->sums;

	for (int k = 0; k < n->slices; k++) {
		struct slice *s = &n->slice[k];

		if (!moves(s))
			continue;
		lay_out(s, n->share);
		s->at = at;
		s->pitch = s->size;
		at += s->buffers * s->pitch;
	}
}

/*
 * The share: what fits, or a quarter of a PE's lanes, so that transfers and the kernel overlap. In a stream, the planes
 * overlap.
 */
static bool choose_share(struct nest *n)
{
	long unit = n->variant[NEST_UNIT], most, of_pe = (n->lanes + n->pes - 1) / n->pes, some = (of_pe + 3) / 4;

	some = n->stream ? of_pe : (some + unit - 1) / unit * unit;
	n->overlapped = n->stream || of_pe > some;
	most = fitting(n, n->overlapped);
	if (!n->stream && (most == 0 || (n->overlapped && most < unit && most < some))) {
		n->overlapped = false;
		most = fitting(n, false);
	}
	if (most == 0)
		return refuse_nest(n, "one lane of each PE does not fit into the buffer memories");
	n->share = most < some ? most : some;
	if (n->share > unit && n->share < of_pe)
		n->share -= n->share % unit;
	n->share = n->share < of_pe ? n->share : of_pe;
	place_buffers(n);
	return true;
}

/* Descriptors have their limits. */
static bool transferable(struct nest *n)
{
	for (int k = 0; k < n->slices; k++) {
		struct slice *s = &n->slice[k];
		long rows = 1;

		if (!moves(s))
			continue;
		for (int d = 0; d < s->dims; d++)
			if (s->dim[d].row && &s->dim[d] != s->plane)
				rows *= s->dim[d].count + s->dim[d].high - s->dim[d].low;
		if (s->run >= 1 << 24 || magnitude(n->share * dim_of(s, 0)->stride) >= 1L << 26)
			return refuse_nest(n, "an array's pieces are too long or too far apart for a transfer");
		if (rows > ROWS)
			return refuse_nest(n, "an array's lanes consist of too many pieces");
	}
	return true;
}

/* ---- phases ---- */

static bool next_phase(const struct nest *n, struct phase *p)
{
	long left;

	p->lane += p->share * p->pieces;
	left = n->lanes - p->lane;
	if (left <= 0)
		return false;
	p->pieces = n->pes;
	p->share = n->share;
	if (left < n->share * n->pes)
		p->share = left / n->pes;
	if (p->share == 0) {
		p->share = 1;
		p->pieces = left;
	}
	return true;
}

/* Strides that the kernel has as constants are what the layout of a share makes of them. */
static bool fixed_for(struct nest *n, long share)
{
	for (int k = 0; k < n->slices; k++)
		if (n->slice[k].lanes)
			lay_out(&n->slice[k], share);
	for (long r = 0; r < n->references; r++) {
		const struct slice *s = &n->slice[n->ref[r].slice];

		for (int d = 0; s->lanes && d < s->dims; d++)
			if (&s->dim[d] != s->plane && (ref_of(n, r)[NEST_FIXED] >> s->dim[d].loop & 1) &&
			    s->dim[d].local != s->dim[d].stride)
				return false;
	}
	return true;
}

/* The phases' shares differ at the end, and so may the distance between the elements of a lane. */
static bool fixed_strides(struct nest *n)
{
	struct phase p = {0};
	long last = 0;

	while (next_phase(n, &p)) {
		if (p.share != last && !fixed_for(n, p.share))
			return refuse_nest(n, "an array has elements of the lanes between those of a lane");
		last = p.share;
	}
	return true;
}

static void wait_for_all(struct nest *n)
{
	simd_wait(0);
	n->started = 0;
}

/* Waits until only the youngest `count` transfers may be outstanding. */
static void wait_until(struct nest *n, long count)
{
	switch (count) { /* the instruction's count is a constant */
	case 1: simd_wait(1); break;
	case 2: simd_wait(2); break;
	case 3: simd_wait(3); break;
	case 4: simd_wait(4); break;
	case 5: simd_wait(5); break;
	case 6: simd_wait(6); break;
	case 7: simd_wait(7); break;
	case 8: simd_wait(8); break;
	case 9: simd_wait(9); break;
	case 10: simd_wait(10); break;
	case 11: simd_wait(11); break;
	case 12: simd_wait(12); break;
	case 13: simd_wait(13); break;
	case 14: simd_wait(14); break;
	case 15: simd_wait(15); break;
	default: wait_for_all(n); return;
	}
	n->started = count;
}

static void transfer_row(struct nest *n, const struct slice *s, bool put, long local, long memory,
			 const struct phase *p, long step)
{
	if (n->started >= OUTSTANDING)
		wait_for_all(n);
	n->started++;
	n->transfers++;
	n->moved += s->run * p->pieces;
	if (put)
		simd_collect_pieces(simd_all((uint64_t)local), (void *)memory, (uint32_t)s->run, (uint32_t)p->pieces,
				    step);
	else
		simd_deal_pieces(simd_all((uint64_t)local), (const void *)memory, (uint32_t)s->run, (uint32_t)p->pieces,
				 step);
}

/* The transfers of a slice, in a stream of one of its planes: one for each row. Returns their number. */
static long transfer(struct nest *n, struct slice *s, bool put, long number, const struct phase *p, long plane)
{
	long index[LOOPS] = {0}, memory = s->origin + s->least, step = 0, rows = 0;
	long local = s->at + number % s->buffers * s->pitch;
	int d;

	lay_out(s, p->share);
	for (d = 0; d < s->dims; d++) {
		const struct dim *m = &s->dim[d];

		memory += (m == s->plane ? plane : lowest(m)) * m->stride;
		if (m->loop == 0) {
			memory += p->lane * m->stride;
			step = p->share * m->stride;
		}
	}
	do {
		transfer_row(n, s, put, local, memory, p, step);
		rows++;
		for (d = 0; d < s->dims; d++) {
			const struct dim *m = &s->dim[d];
			long count = m->count + m->high - m->low;

			if (!m->row || m == s->plane)
				continue;
			memory += magnitude(m->stride);
			local += magnitude(m->local);
			if (++index[d] < count)
				break;
			index[d] = 0;
			memory -= count * magnitude(m->stride);
			local -= count * magnitude(m->local);
		}
	} while (d < s->dims);
	return rows;
}

static void get_phase(struct nest *n, const struct phase *p, long number)
{
	for (int k = 0; k < n->slices; k++) {
		struct slice *s = &n->slice[k];

		if (moves(s) && s->get)
			transfer(n, s, false, number, p, 0);
	}
}

static long put_phase(struct nest *n, const struct phase *p, long number)
{
	long rows = 0;

	for (int k = 0; k < n->slices; k++) {
		struct slice *s = &n->slice[k];

		if (moves(s) && s->write)
			rows += transfer(n, s, true, number, p, number + (s->plane ? s->plane->low : 0));
	}
	return rows;
}

/* A base of a reference of all lanes: in memory, at iteration `number` of the loop around. */
static void place_uniform(struct nest *n, long r, long number)
{
	const struct slice *s = &n->slice[n->ref[r].slice];
	long *strides = n->data + DATA_HEADER + n->references + r * n->loops;

	n->data[DATA_HEADER + r] = ref_of(n, r)[NEST_START] + (s->plane ? number * s->plane->stride : 0);
	for (long l = 0; l < n->loops; l++)
		strides[l] = stride_of(n, s->family, l);
}

static void place_reference(struct nest *n, long r, long number)
{
	const struct slice *s = &n->slice[n->ref[r].slice];
	long *strides = n->data + DATA_HEADER + n->references + r * n->loops, base = (long)SIMD_ALL_BASE;

	base += n->ref[r].rest - s->least;
	for (int d = 0; d < s->dims; d++) {
		const struct dim *m = &s->dim[d];

		if (m == s->plane) {
			number += n->ref[r].shift[d] - m->low;
			continue;
		}
		base += (n->ref[r].shift[d] - lowest(m)) * m->local;
		strides[m->loop] = m->local;
	}
	n->data[DATA_HEADER + r] = base + (s->buffers ? s->at + number % s->buffers * s->pitch : 0);
}

/* Bases and strides of all references for the kernel. */
static void place(struct nest *n, const struct phase *p, long number)
{
	for (int k = 0; k < n->slices; k++)
		if (n->slice[k].lanes)
			lay_out(&n->slice[k], p->share);
	for (long r = 0; r < n->references; r++)
		if (n->slice[n->ref[r].slice].lanes)
			place_reference(n, r, number);
		else
			place_uniform(n, r, number);
	n->data[DATA_LANES] = p->share;
	n->data[DATA_SUMS] = (long)SIMD_ALL_BASE;
}

static void clear_sums(const struct nest *n)
{
	for (long k = 0; k < n->sums; k++)
		*(volatile uint64_t *)simd_all(8 * (uint64_t)k) = 0;
}

static void collect_sums(struct nest *n, long pieces)
{
	for (long k = 0; k < n->sums; k++)
		for (long pe = 0; pe < pieces; pe++)
			n->total[k] += *(volatile double *)simd_pe((unsigned)pe, 8 * (uint64_t)k);
}

static void compute(struct nest *n, kernel *run, const struct phase *p, long number)
{
	place(n, p, number);
	if (p->pieces < n->pes && number > 0) {
		collect_sums(n, n->pes);
		clear_sums(n);
	}
	simd_on();
	run(n->data);
	simd_off();
}

static void phases(struct nest *n, kernel *run)
{
	struct phase p = {0}, next, last = {0};
	long number = 0, puts = 0;

	clear_sums(n);
	if (!next_phase(n, &p))
		return;
	get_phase(n, &p, 0);
	for (bool more = true; more; number++) {
		next = last = p;
		more = next_phase(n, &next);
		wait_until(n, n->overlapped ? puts : 0);
		if (more && n->overlapped)
			get_phase(n, &next, number + 1);
		compute(n, run, &p, number);
		puts = put_phase(n, &p, number);
		if (more && !n->overlapped) {
			wait_for_all(n);
			get_phase(n, &next, number + 1);
		}
		p = next;
	}
	wait_for_all(n);
	collect_sums(n, last.pieces);
	for (long k = 0; k < n->sums; k++)
		memcpy(n->data + DATA_HEADER + n->references * (1 + n->loops) + k, &n->total[k], sizeof(double));
}

/* Fetches what iteration `number` of the loop around is the first to use; at the first one, all that it uses. */
static void get_planes(struct nest *n, const struct phase *p, long number)
{
	for (int k = 0; k < n->slices; k++) {
		struct slice *s = &n->slice[k];
		long window = s->plane ? s->plane->high - s->plane->low : 0;

		if (!moves(s) || !s->get || (number > 0 && !s->plane))
			continue;
		for (long q = number > 0 ? number + window : 0; q <= number + window; q++)
			transfer(n, s, false, q, p, q + (s->plane ? s->plane->low : 0));
	}
}

/* The loop around, in each block of lanes from its first iteration to the last. */
static void stream(struct nest *n, kernel *run)
{
	struct phase p = {0};

	while (next_phase(n, &p)) {
		long puts = 0;

		get_planes(n, &p, 0);
		for (long number = 0; number < n->planes; number++) {
			wait_until(n, puts);
			if (number + 1 < n->planes)
				get_planes(n, &p, number + 1);
			compute(n, run, &p, number);
			puts = put_phase(n, &p, number);
		}
		wait_for_all(n);
	}
}

/* ---- predictions ---- */

/* Returns how often the loop's body runs for a lane, from what one iteration takes. */
static long times_of(const struct nest *n, const long *work)
{
	long times = n->stream ? n->planes : 1;

	for (long l = 1; l < n->loops; l++)
		if (work[NEST_WITHIN] >> l & 1 && l != n->stream)
			times *= n->counts[l] > 0 ? n->counts[l] : 0;
	return times;
}

/* Cycles of arithmetic, loads and stores of a lane in a PE, without what delays them; 0 if not known. */
static long lane_cycles(const struct nest *n)
{
	long sum = 0;

	for (long l = 0; l < n->loops; l++) {
		const long *w = n->work + l * NEST_WORK;
		long cycles = w[NEST_ARITHMETIC], loads = (w[NEST_LOADS] + 1) / 2;

		cycles = cycles > loads ? cycles : loads;
		cycles = cycles > w[NEST_STORES] ? cycles : w[NEST_STORES];
		sum += cycles * times_of(n, w);
	}
	return sum;
}

/* Cycles that the array computes: phases one after the other, each as long as its share. */
static long arithmetic_cycles(const struct nest *n)
{
	struct phase p = {0};
	long lanes = 0;

	while (next_phase(n, &p))
		lanes += p.share;
	return lanes * lane_cycles(n);
}

/* Bytes that transfers will move. */
static long bytes_to_move(struct nest *n)
{
	long bytes = 0;

	for (int k = 0; k < n->slices; k++) {
		struct slice *s = &n->slice[k];
		long planes = s->plane ? n->planes : 1;

		if (!moves(s))
			continue;
		lay_out(s, n->share);
		bytes += (long)((double)s->size / (double)n->share * (double)n->lanes) * planes * (s->get + s->write);
	}
	return bytes;
}

/* The facts about a nest without a directive, or NULL; a new one is noted. */
static struct known_place *known(const char *place, bool *before)
{
	static struct known_place places[PLACES];
	int k = 0;

	while (k < PLACES - 1 && places[k].place && places[k].place != place)
		k++;
	*before = places[k].place != NULL;
	places[k].place = place;
	return &places[k];
}

/*
 * Whether the array is expected to be faster than the scalar core: a cycle for each instruction, and the time to bring
 * the data from memory. If they may be in its caches, the array has to be twice as fast.
 */
static bool worth_it(struct nest *n, struct known_place *k, bool before)
{
	long scalar = 0, bytes = bytes_to_move(n) / MEMORY_RATE, array = arithmetic_cycles(n);

	for (long l = 0; l < n->loops; l++) {
		const long *w = n->work + l * NEST_WORK;

		scalar += (w[NEST_ARITHMETIC] + w[NEST_LOADS] + w[NEST_STORES]) * times_of(n, w);
	}
	scalar = before ? scalar * n->lanes / 2 : scalar * n->lanes + bytes;
	array = n->overlapped && array < bytes ? bytes : n->overlapped ? array : array + bytes;
	k->slow = before && array + CALL_CYCLES >= scalar;
	return array + CALL_CYCLES < scalar || refuse_nest(n, SLOW);
}

static bool prepare_nest(struct nest *n, const char *place)
{
	struct known_place *k = NULL;
	bool before = false;

	if (n->pes == 0)
		return refuse_nest(n, "no array");
	if (n->lanes <= 0 || (n->stream && n->planes <= 0))
		return refuse_nest(n, "no lanes");
	if (n->table[NEST_AUTO])
		k = known(place, &before);
	if (k && k->slow)
		return refuse_nest(n, SLOW);
	if (n->loops > LOOPS || n->references > REFS || n->sums > SUMS)
		return refuse_nest(n, "more loops, references or sums than the routine has room for");
	if (!make_slices(n) || !survey(n) || !independent(n))
		return false;
	for (int k = 0; k < n->slices; k++)
		choose_runs(n, k);
	return choose_share(n) && transferable(n) && fixed_strides(n) && (!k || worth_it(n, k, before));
}

/*
 * Runs a nest: returns 1, or 0 if the scalar loop has to do it. With PSIM_NEST_REPORT in the environment, a line on
 * stderr says how.
 */
long psim_nest_run(const long *table, long *data, const char *place);

/* The first kernel that can run, or NULL. */
static const long *usable_variant(const struct nest *n)
{
	const long *v = n->refs + n->references * NEST_REF;

	for (long k = 0; k < n->table[NEST_VARIANTS]; k++, v += NEST_VARIANT)
		if (*(const long *)v[NEST_USABLE])
			return v;
	return NULL;
}

static void report_nest(struct nest *n, bool array, const char *place)
{
	if (!array) {
		fprintf(stderr, "%s: %ld lanes on the scalar core: %s\n", place, n->lanes, n->why);
		return;
	}
	fprintf(stderr, "%s: %ld lanes on %ld PEs, %ld at a time each, ", place, n->lanes, n->pes, n->share);
	fprintf(stderr, "transfers %s%s; ", n->overlapped ? "overlapped" : "waited for", n->stream ? ", a stream" : "");
	fprintf(stderr, "%ld bytes in %ld transfers; ", n->moved, n->transfers);
	if (n->table[NEST_SURVEY])
		fprintf(stderr, "at least %ld cycles of transfers\n", n->moved / MEMORY_RATE);
	else
		fprintf(stderr, "at least %ld cycles of transfers, %ld of arithmetic\n", n->moved / MEMORY_RATE,
			arithmetic_cycles(n));
}

long psim_nest_run(const long *table, long *data, const char *place)
{
	struct nest n;
	bool array;

	memset(&n, 0, offsetof(struct nest, slice)); /* what follows is filled as far as it is used */
	n.table = table;
	n.data = data;
	n.lanes = table[NEST_LANES];
	n.loops = table[NEST_LOOPS];
	n.families = table[NEST_FAMILIES];
	n.references = table[NEST_REFS];
	n.sums = table[NEST_SUMS];
	n.stream = table[NEST_STREAM];
	n.counts = table + NEST_HEADER;
	n.planes = n.stream ? n.counts[n.stream] : 0;
	n.work = n.counts + n.loops;
	n.strides = n.work + n.loops * NEST_WORK;
	n.refs = n.strides + n.families * n.loops;
	n.variant = usable_variant(&n);
	n.pes = n.variant ? (long)simd_pes() : 0;
	n.bytes = (long)simd_sbm_bytes();
	array = prepare_nest(&n, place);
	if (array)
		(n.stream ? stream : phases)(&n, (kernel *)n.variant[NEST_KERNEL]);
	if (getenv("PSIM_NEST_REPORT"))
		report_nest(&n, array, place);
	return array;
}
