/*
 * Slices of a nest, and whether its iterations are independent of each other.
 *
 * A slice is memory that references of one family access, as a box over the loops. Neighbouring elements within
 * a lane, and lanes that follow each other, are one run of bytes; further dimensions are rows, a transfer each.
 */
#include <limits.h>

#include "psim_nest_run.h"

bool nest_refuse(struct nest *n, const char *why)
{
	n->why = why;
	return false;
}

/* Steps of a stride in a distance: the nearest, or of a lane's members, those in front of the element. */
static long steps_in(const struct slice *s, const struct dim *m, long distance)
{
	long by = magnitude(m->stride), half = (by - 1) / 2, steps;

	if (!s->members || m->loop != 0)
		return (distance + (distance < 0 ? -half : half)) / m->stride;
	distance -= s->first;
	steps = distance / by - (distance % by < 0);
	return m->stride < 0 ? -steps : steps;
}

/* Splits the distance of a reference from a slice's origin into steps. False if they are too far apart. */
static bool split(const struct slice *s, long distance, struct ref *r)
{
	for (int d = s->dims - 1; d >= 0 && !s->together; d--) {
		long by = s->dim[d].stride, steps = steps_in(s, &s->dim[d], distance);

		if (magnitude(steps) > HALO)
			return false;
		r->shift[d] = steps;
		distance -= steps * by;
	}
	r->rest = distance;
	return s->dims > 0 ? magnitude(distance) <= magnitude(s->dim[0].stride) : distance == 0;
}

/* Returns whether a reference moves through a dimension of its slice as the others do. */
static bool moves_alike(const struct ref *r, int d)
{
	return r->loop[d] >= 0 && !(r->back >> d & 1);
}

static bool all_alike(const struct slice *s, const struct ref *r)
{
	for (int d = 0; d < s->dims; d++)
		if (!moves_alike(r, d))
			return false;
	return true;
}

/*
 * The same of a reference that does not move in some dimensions, as u[i][0] beside u[i][j], or backwards: its first
 * index in these. False if it is far from what the others access.
 */
static bool split_placed(const struct slice *s, long distance, struct ref *r)
{
	int last = -1;

	for (int d = 0; d < s->dims; d++)
		last = !moves_alike(r, d) && last < 0 ? d : last;
	for (int d = s->dims - 1; d >= 0; d--) {
		long by = s->dim[d].stride, index = d == last ? distance / by : steps_in(s, &s->dim[d], distance);

		if (moves_alike(r, d))
			continue;
		if (index < -HALO || index > s->dim[d].count + HALO)
			return false;
		r->shift[d] = index;
		distance -= index * by;
	}
	r->rest = 0;
	return distance == 0;
}

/* Lanes and the loop around have dimensions of their own. */
static bool apart_from_others(const struct nest *n, long a, long b)
{
	return a == 0 || b == 0 || (n->stream && (a == n->stream || b == n->stream));
}

static bool same_direction(const struct nest *n, long a, long b)
{
	return a == b || (n->merged && a == -b);
}

/*
 * Finds the loop of a reference that goes through each dimension of a slice: the dimension's own, or another one with
 * the same stride. False if there is none. Its shifts are 0.
 */
static bool same_shape(const struct nest *n, const struct slice *s, const long *ref, struct ref *r)
{
	long with = 0; /* bits of the loops that have a dimension */
	int left = s->dims;

	r->back = 0;
	for (int d = 0; d < s->dims; d++) {
		long l = leader_of(n, ref[NEST_FAMILY], s->dim[d].loop);

		r->loop[d] = -1;
		r->shift[d] = 0;
		if (stride_of(n, ref[NEST_FAMILY], l) == s->dim[d].stride && !(with >> l & 1)) {
			r->loop[d] = (int)l;
			with |= 1L << l;
			left--;
		}
	}
	for (int l = 1; l < n->loops; l++) {
		long stride = stride_of(n, ref[NEST_FAMILY], l);
		int d = 0;

		if (stride == 0 || with >> l & 1 || loop_extent(n, ref[NEST_FAMILY], l) < 0)
			continue;
		while (d < s->dims && (r->loop[d] >= 0 || !same_direction(n, s->dim[d].stride, stride) ||
				       apart_from_others(n, s->dim[d].loop, l)))
			d++;
		if (d == s->dims)
			return false;
		r->loop[d] = l;
		r->back |= s->dim[d].stride != stride ? 1L << d : 0;
		left--;
	}
	return (left == 0 || n->merged) && (with & 1) == (stride_of(n, ref[NEST_FAMILY], 0) != 0) &&
	       (with & 1) == s->lanes;
}

static long element_bytes(const long *ref)
{
	return ref[NEST_FLAGS] & NEST_SINGLE ? NEST_SINGLE_SIZE : NEST_SIZE;
}

/* Out of line: code that most slices need not is not fetched. */
__attribute__((noinline)) static void reach(const struct nest *n, struct slice *s, const long *ref)
{
	const long *range = n->ranges + 2 * ref[NEST_FAMILY];
	long from = ref[NEST_START] - range[0], to = ref[NEST_START] + range[1] + element_bytes(ref);

	s->from = from < s->from ? from : s->from;
	s->to = to > s->to ? to : s->to;
}

static void join(const struct nest *n, struct slice *s, const struct ref *r, const long *ref)
{
	long flags = ref[NEST_FLAGS], size = element_bytes(ref);

	if (size != s->element) {
		s->element = NEST_SIZE;
		s->mixed = true;
	}
	for (int d = 0; d < s->dims; d++) {
		struct dim *m = &s->dim[d];
		long count = r->loop[d] < 0 ? 1 : loop_extent(n, ref[NEST_FAMILY], r->loop[d]);
		bool back = r->back >> d & 1;
		long from = back ? r->shift[d] - (count - 1) : r->shift[d], end = from + count;

		m->count = count > m->count ? count : m->count;
		m->low = from < m->low ? from : m->low;
		m->end = end > m->end ? end : m->end;
		m->high = m->end - m->count;
	}
	s->least = r->rest < s->least ? r->rest : s->least;
	s->most = r->rest + size > s->most ? r->rest + size : s->most;
	s->read |= (flags & NEST_READ) != 0;
	s->write |= (flags & NEST_WRITE) != 0;
	s->flows &= (flags & NEST_FLOWS) != 0;
	s->twin &= (flags & NEST_TWIN) != 0;
	if (flags & (NEST_SHORTER | NEST_PRIVATE | NEST_LAST)) {
		s->shorter |= (flags & NEST_SHORTER) != 0;
		s->private_copy |= (flags & NEST_PRIVATE) != 0;
		s->last |= (flags & NEST_LAST) != 0;
	}
	s->empty &= (ref[NEST_INSIDE] & n->idle) != 0;
	if (!s->lanes)
		reach(n, s, ref);
}

/* Dimensions are in the order of their strides, the lanes last among equal ones. */
static bool after(const struct dim *a, const struct dim *b)
{
	long x = magnitude(a->stride), y = magnitude(b->stride);

	return x > y || (x == y && a->loop == 0);
}

static bool same_strides(const struct nest *n, long a, long b)
{
	for (long l = 0; l < n->loops; l++)
		if (stride_of(n, a, l) != stride_of(n, b, l))
			return false;
	return true;
}

/*
 * Looks for references that are the members of a lane's element, as x, y, z of a structure: the first is `first` bytes
 * from the slice's origin, and all are within a stride of the lanes.
 */
static void find_members(const struct nest *n, struct slice *s, const long *ref)
{
	long family = ref[NEST_FAMILY], lanes = magnitude(stride_of(n, family, 0)), first = 0, last = 0;

	for (long r = 0; r < n->references; r++) {
		long distance = ref_of(n, r)[NEST_START] - ref[NEST_START];

		if (ref_of(n, r)[NEST_ARRAY] != ref[NEST_ARRAY] || !same_strides(n, ref_of(n, r)[NEST_FAMILY], family))
			continue;
		first = distance < first ? distance : first;
		last = distance > last ? distance : last;
	}
	s->members = last - first < lanes;
	s->together = s->dims > 0 && last - first < magnitude(s->dim[0].stride);
	s->first = first;
}

/* Numbers of two sizes are in one slice if they are members of structures at multiples of 8 bytes. */
static bool same_element(const struct slice *s, const long *ref)
{
	if (s->element == element_bytes(ref) && !s->mixed)
		return true;
	for (int d = 0; d < s->dims; d++)
		if (s->dim[d].stride % NEST_SIZE)
			return false;
	return s->members;
}

/* Members of two sizes move with all bytes of the doubles that they are in. */
static void widen(struct slice *s)
{
	s->least -= (s->origin + s->least) & (NEST_SIZE - 1);
	s->most += -(s->origin + s->most) & (NEST_SIZE - 1);
}

static bool new_slice(struct nest *n, const long *ref)
{
	struct slice *s = &n->slice[n->slices];

	if (n->slices == SLICES)
		return nest_refuse(n, "too many arrays");
	n->slices++;
	/* what no later step sets; a call of memset would take as long as half of the rest */
	s->lanes = s->read = s->write = s->members = s->together = s->mixed = s->there = s->private_copy = s->copied =
		s->of_rows = s->subscripts = s->last = s->shorter = s->meets = false;
	s->dims = s->buffers = 0;
	s->least = s->laid = 0;
	s->plane = NULL;
	s->resident = NULL;
	s->array = (int)ref[NEST_ARRAY];
	s->element = s->most = element_bytes(ref);
	s->origin = ref[NEST_START];
	s->from = LONG_MAX;
	s->to = LONG_MIN;
	s->empty = s->flows = s->twin = true;
	s->mapped = ref[NEST_MAPPED];
	for (int l = 0; l < n->loops; l++) {
		long count = loop_extent(n, ref[NEST_FAMILY], l);
		struct dim m = {.stride = stride_of(n, ref[NEST_FAMILY], l), .count = count, .end = count, .loop = l};
		int at = s->dims;

		if (m.stride == 0 || count < 0)
			continue;
		if (m.stride & (s->element - 1))
			return nest_refuse(n, "a stride is no multiple of a number's size");
		s->lanes |= l == 0;
		n->even |= l == 0 && (m.stride & (NEST_SIZE - 1));
		for (; at > 0 && after(&s->dim[at - 1], &m); at--)
			s->dim[at] = s->dim[at - 1];
		s->dim[at] = m;
		s->dims++;
	}
	if (s->origin & (s->element - 1))
		return nest_refuse(n, "an address is no multiple of a number's size");
	if (n->structures)
		find_members(n, s, ref);
	return true;
}

struct dim *slice_dim(struct slice *s, long loop)
{
	for (int d = 0; d < s->dims; d++)
		if (s->dim[d].loop == loop)
			return &s->dim[d];
	return NULL;
}

/* Adds a reference to the slice that it shares with earlier ones, or to a new one. */
static bool enter_reference(struct nest *n, const long *ref, struct ref *to)
{
	int k = 0;

	for (; k < n->slices; k++)
		if (n->slice[k].array == ref[NEST_ARRAY] && !n->slice[k].copied && !n->slice[k].of_rows &&
		    same_element(&n->slice[k], ref) && same_shape(n, &n->slice[k], ref, to) &&
		    (all_alike(&n->slice[k], to) ? split : split_placed)(&n->slice[k],
									 ref[NEST_START] - n->slice[k].origin, to))
			break;
	if (k == n->slices) {
		if (!new_slice(n, ref))
			return false;
		to->rest = 0;
		to->back = 0;
		for (int d = 0; d < n->slice[k].dims; d++) {
			to->loop[d] = n->slice[k].dim[d].loop;
			to->shift[d] = 0;
		}
	}
	to->slice = k;
	join(n, &n->slice[k], to, ref);
	return true;
}

/* Works out what a slice is once it has all its references. */
static bool finish_slice(struct nest *n, struct slice *s)
{
	s->plane = n->stream ? slice_dim(s, n->stream) : NULL;
	if (s->plane && s->plane->stride % NEST_SIZE)
		return nest_refuse(n, "planes of singles are not at multiples of 8 bytes");
	for (int d = 0; d < s->dims; d++)
		s->empty |= s->dim[d].count <= 0;
	if (s->mixed)
		widen(s);
	return true;
}

/* Loops whose iterations move a reference. */
static int dimensions_of(const struct nest *n, const long *ref)
{
	int count = 0;

	for (long l = 0; l < n->loops; l++)
		count += stride_of(n, ref[NEST_FAMILY], l) != 0;
	return count;
}

bool nest_make_slices(struct nest *n)
{
	for (int l = 1; l < n->loops; l++)
		n->idle |= n->counts[l] <= 0 ? 1L << l : 0;
	for (int moves = n->merged ? (int)n->loops : 0; moves >= 0; moves--)
		for (long r = 0; r < n->references; r++)
			if (!(ref_of(n, r)[NEST_FLAGS] & NEST_COPIED) &&
			    (!n->merged || dimensions_of(n, ref_of(n, r)) == moves) &&
			    !enter_reference(n, ref_of(n, r), &n->ref[r]))
				return false;
	for (int k = 0; k < n->slices; k++)
		if (!finish_slice(n, &n->slice[k]))
			return false;
	for (long r = 0; n->table[NEST_RAGGED] && r < n->references; r++)
		if ((ref_of(n, r)[NEST_FLAGS] & NEST_UPWARDS) && stride_of(n, ref_of(n, r)[NEST_FAMILY], 0) <= 0)
			return nest_refuse(n, "rows that grow are in falling order");
	return n->gathers == 0 || nest_make_copies(n); /* code that most nests need not is not fetched */
}

/* Finds what lanes access around each root, if the nest's inner loops are not affine. */
bool nest_survey(struct nest *n)
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
		if (s->least % s->element || s->most % s->element)
			return nest_refuse(n, "an address is no multiple of a number's size");
	}
	return true;
}

/* ---- independence ---- */

/* Slices of lanes move as boxes, with the bytes in between. */
void slice_range(const struct nest *n, const struct slice *s, long *from, long *to)
{
	if (!s->lanes && !n->table[NEST_SURVEY]) {
		*from = s->from;
		*to = s->to;
		return;
	}
	*from = s->origin + s->least;
	*to = s->origin + s->most;
	for (int d = 0; d < s->dims; d++) {
		const struct dim *m = &s->dim[d];
		long count = m->loop != 0 ? m->count : s->private_copy ? 1 : n->lanes;
		long a = m->low * m->stride, b = (count - 1 + m->high) * m->stride;

		*from += a < b ? a : b;
		*to += a < b ? b : a;
	}
}

/* Returns whether different indices are different addresses, and each address belongs to one lane. */
static bool apart(const struct nest *n, struct slice *s)
{
	long span = s->most - s->least;
	const struct dim *lane = slice_dim(s, 0);

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
bool nest_jam_apart(const struct nest *n)
{
	long loop = n->variant[NEST_JAMMED] % NEST_PAIRS;

	for (long r = 0; loop && r < n->references; r++) {
		const long *ref = ref_of(n, r);

		if ((ref[NEST_FLAGS] & NEST_WRITE) && (ref[NEST_INSIDE] >> loop & 1) &&
		    magnitude(stride_of(n, ref[NEST_FAMILY], loop)) < element_bytes(ref))
			return false;
	}
	return true;
}

/*
 * Returns whether a slice has only what its lanes store to another one, too, and both are at one place in lane 0 alone,
 * as the row and the column of a diagonal element.
 */
static bool meet_in_lane_0(const struct nest *n, struct slice *twin, const struct slice *s)
{
	const struct dim *a = twin->dim, *b = s->dim;
	long less, more;

	if (n->table[NEST_RESIDENT] || !twin->twin || twin->array != s->array || twin->dims != 1 || s->dims != 1 ||
	    !s->lanes || twin->origin != s->origin || s->mixed || a->low != a->high || b->low != b->high || a->low ||
	    b->low || s->most - s->least != s->element || s->least)
		return false;
	less = a->stride < b->stride ? a->stride : b->stride;
	more = a->stride < b->stride ? b->stride : a->stride;
	twin->meets = less > 0 && less * (n->lanes - 1) < more;
	return twin->meets;
}

static bool all_independent(struct nest *n)
{
	for (int k = 0; k < n->slices; k++) {
		struct slice *w = &n->slice[k];
		long from, to;

		if (!w->write || w->empty)
			continue;
		if (!apart(n, w))
			return nest_refuse(n, "lanes store to places that other lanes use");
		slice_range(n, w, &from, &to);
		for (int j = 0; j < n->slices; j++) {
			long low, high;

			if (j == k || n->slice[j].empty)
				continue;
			slice_range(n, &n->slice[j], &low, &high);
			if (low < to && from < high && !meet_in_lane_0(n, w, &n->slice[j]) &&
			    !meet_in_lane_0(n, &n->slice[j], w))
				return nest_refuse(n, "arrays that overlap, one of which is stored to");
		}
	}
	return nest_jam_apart(n) || nest_refuse(n, "iterations of an inner loop store to one place");
}

static bool make_again(struct nest *n)
{
	n->slices = 0;
	return nest_make_slices(n) && nest_survey(n);
}

/*
 * A second try takes what is stored as members of structures; a third one has what does not move in some loop with what
 * does, as the first and last element of a row.
 */
bool nest_independent(struct nest *n)
{
	const char *why;

	if (all_independent(n))
		return true;
	n->structures = true;
	if (!make_again(n))
		return false;
	if (all_independent(n))
		return true;
	why = n->why;
	n->merged = !n->stream && !n->table[NEST_SURVEY] && !n->table[NEST_RAGGED] && !n->table[NEST_RESIDENT];
	n->structures = !n->merged;
	if (n->merged && make_again(n) && all_independent(n))
		return true;
	n->merged = false;
	n->structures = true;
	if (make_again(n))
		n->why = why;
	return false;
}
