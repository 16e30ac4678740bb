/*
 * Arrays that are read by subscripts which are data: each PE has a copy, from the least to the largest subscript. The
 * scalar core looks for these among all subscripts before the nest runs.
 */
#include <limits.h>

#include "psim_nest_run.h"
#include "psim_simd.h"

struct range {
	long low, high;
};

/* A loop's steps through the subscripts. */
struct walk {
	long stride, count;
};

static long subscript_bytes(long type)
{
	return type == NEST_LONG ? (long)sizeof(long) : (long)sizeof(int);
}

enum { AHEAD = 512 }; /* bytes; lines of 64 bytes are fetched before they are read */

#define LOOK(type) \
	for (long k = 0; k < count; k++, from += stride) { \
		type at = *(const type *)from; \
\
		__builtin_prefetch((const char *)from + AHEAD); \
		low = at < low ? at : low; \
		high = at > high ? at : high; \
	}

/* Four neighbours at a time, which wait for each other less. */
static long look_at_ints(struct range *r, const int *from, long count)
{
	int low = from[0], high = low, low2 = low, high2 = low;
	long k = 0;

	for (; k + 4 <= count; k += 4) {
		int a = from[k], b = from[k + 1], c = from[k + 2], d = from[k + 3];

		if (k % 16 == 0)
			__builtin_prefetch((const char *)(from + k) + AHEAD);
		low = a < low ? a : low;
		high = a > high ? a : high;
		low2 = b < low2 ? b : low2;
		high2 = b > high2 ? b : high2;
		low = c < low ? c : low;
		high = c > high ? c : high;
		low2 = d < low2 ? d : low2;
		high2 = d > high2 ? d : high2;
	}
	low = low2 < low ? low2 : low;
	high = high2 > high ? high2 : high;
	r->low = low < r->low ? low : r->low;
	r->high = high > r->high ? high : r->high;
	return k;
}

/* The least and the largest of `count` subscripts. */
static void look_at(struct nest *n, struct range *r, long from, long stride, long count, long type)
{
	long low, high;

	n->looked += count;

	if (type == NEST_INT && stride == (long)sizeof(int) && count >= 4) {
		long done = look_at_ints(r, (const int *)from, count);

		from += done * stride;
		count -= done;
	}
	low = r->low;
	high = r->high;
	if (type == NEST_LONG)
		LOOK(long)
	else if (type == NEST_UNSIGNED)
		LOOK(unsigned)
	else
		LOOK(int)
	r->low = low;
	r->high = high;
}

/* The loops that a reference moves with, the smallest stride first; what follows itself is one. */
static int walks_of(const struct nest *n, const long *ref, struct walk walk[LOOPS])
{
	int count = 0;

	for (long l = 0; l < n->loops; l++) {
		struct walk w = {stride_of(n, ref[NEST_FAMILY], l), l == 0 ? n->lanes : n->counts[l]};
		int at = count;

		if (w.stride == 0)
			continue;
		for (; at > 0 && magnitude(walk[at - 1].stride) > magnitude(w.stride); at--)
			walk[at] = walk[at - 1];
		walk[at] = w;
		count++;
	}
	while (count > 1 && walk[1].stride == walk[0].stride * walk[0].count) {
		walk[0].count *= walk[1].count;
		count--;
		for (int k = 1; k < count; k++)
			walk[k] = walk[k + 1];
	}
	return count;
}

/* Finds the range of all subscripts that the nest loads by a reference. */
static void look_at_all(struct nest *n, const long *ref, long type, struct range *r)
{
	struct walk walk[LOOPS];
	long index[LOOPS] = {0}, at = ref[NEST_START];
	int count = walks_of(n, ref, walk), d;

	if (count == 0) {
		look_at(n, r, at, 0, 1, type);
		return;
	}
	do {
		look_at(n, r, at, walk[0].stride, walk[0].count, type);
		for (d = 1; d < count; d++) {
			at += walk[d].stride;
			if (++index[d] < walk[d].count)
				break;
			at -= walk[d].count * walk[d].stride;
			index[d] = 0;
		}
	} while (d < count);
}

/* The slice of a copied array. */
static struct slice *copy_of(struct nest *n, long array)
{
	for (int k = 0; k < n->slices; k++)
		if (n->slice[k].copied && n->slice[k].array == array)
			return &n->slice[k];
	if (n->slices == SLICES)
		return NULL;
	n->slice[n->slices] = (struct slice){.array = (int)array,
					     .copied = true,
					     .read = true,
					     .element = NEST_SIZE,
					     .empty = true,
					     .from = LONG_MAX,
					     .to = LONG_MIN,
					     .origin = LONG_MAX,
					     .mapped = NEST_MOVES};
	return &n->slice[n->slices++];
}

/* Adds what a reference reads to its array's copy. */
static bool copy_reference(struct nest *n, const long *gather)
{
	const long *ref = ref_of(n, gather[NEST_GATHERED]), *range = n->ranges + 2 * ref[NEST_FAMILY];
	const long *by = gather[NEST_SUBSCRIPT] < 0 ? NULL : ref_of(n, gather[NEST_SUBSCRIPT]);
	struct range r = {gather[NEST_LEAST], gather[NEST_MOST]};
	struct slice *s;
	long low, from, to;

	if (gather[NEST_SUBSCRIPT] == NEST_OF_ROW)
		return nest_make_rows(n, gather);
	s = copy_of(n, ref[NEST_ARRAY]);
	if (!s)
		return nest_refuse(n, "too many arrays");
	n->ref[gather[NEST_GATHERED]].slice = (int)(s - n->slice);
	if (ref[NEST_INSIDE] & n->idle)
		return true;
	if (by) {
		struct slice *subscripts = &n->slice[n->ref[gather[NEST_SUBSCRIPT]].slice];
		long size = subscript_bytes(gather[NEST_MOST]);

		subscripts->subscripts = true;
		r = (struct range){LONG_MAX, LONG_MIN};
		if (subscripts->copied || subscripts->of_rows)
			look_at(n, &r, subscripts->from, size, (subscripts->to - subscripts->from) / size,
				gather[NEST_MOST]);
		else
			look_at_all(n, by, gather[NEST_MOST], &r);
	}
	if (r.low > r.high)
		return true; /* no subscript */
	if (r.low < 0 || r.high > INT_MAX)
		return nest_refuse(n, "a subscript that is data is negative, or above 2147483647");
	low = ref[NEST_START] - range[0];
	from = low + gather[NEST_BY] * r.low;
	to = ref[NEST_START] + range[1] + gather[NEST_BY] * r.high +
	     (ref[NEST_FLAGS] & NEST_SINGLE ? NEST_SINGLE_SIZE : NEST_SIZE);
	low &= -NEST_SIZE;
	s->from = from < s->from ? from : s->from;
	s->to = to > s->to ? to : s->to;
	s->origin = low < s->origin ? low : s->origin;
	s->empty = false;
	return true;
}

bool nest_make_copies(struct nest *n)
{
	if (n->rows && n->gathers && !nest_find_rows(n))
		return false;
	for (long k = 0; k < n->gathers; k++)
		if (!copy_reference(n, n->gather + k * NEST_GATHER))
			return false;
	return true;
}

/* Bytes of a copy: transfers move whole doubles. */
static long room_of(const struct slice *s)
{
	return ((s->to + NEST_SIZE - 1) & -NEST_SIZE) - s->origin;
}

long nest_copies_room(const struct nest *n)
{
	long bytes = 0;

	for (int k = 0; n->gathers && k < n->slices; k++)
		if (n->slice[k].copied && !n->slice[k].empty)
			bytes += room_of(&n->slice[k]);
	return bytes;
}

long nest_place_copies(struct nest *n, long at)
{
	for (int k = 0; n->gathers && k < n->slices; k++) {
		struct slice *s = &n->slice[k];

		if (!s->copied || s->empty)
			continue;
		s->at = at;
		at += room_of(s);
	}
	return at;
}

void nest_get_copies(struct nest *n)
{
	for (int k = 0; n->gathers && k < n->slices; k++) {
		const struct slice *s = &n->slice[k];
		long from, bytes;

		if (!s->copied || s->empty)
			continue;
		from = s->from & -NEST_SIZE;
		bytes = room_of(s) - (from - s->origin);
		n->started++;
		n->transfers++;
		n->moved += bytes;
		simd_get(simd_all((uint64_t)(s->at + from - s->origin)), (const void *)from, (uint32_t)bytes);
	}
}
