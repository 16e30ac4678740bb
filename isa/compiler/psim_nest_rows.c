/*
 * Nests with a loop over a row of data in each lane: where the rows are, what each PE gets of them, and how often the
 * loop runs for the lanes that are computed at the same time.
 */
#include "psim_nest_run.h"
#include "psim_simd.h"

enum { LANES_MAX = 4096 }; /* of a PE in a phase */
enum { AHEAD = 512 };      /* bytes; lines are fetched before they are read */

static long longest[LANES_MAX]; /* the longest row of each lane of all PEs */

/* Bounds of rows, lane by lane. */
struct bounds {
	long at, stride, type;
};

static inline struct bounds bounds_of(const struct nest *n, int which)
{
	const long *ref = ref_of(n, n->rows[which]);

	return (struct bounds){ref[NEST_START], stride_of(n, ref[NEST_FAMILY], 0), n->rows[which + 1]};
}

static inline long bound_at(const struct bounds *b, long at)
{
	return b->type == NEST_INT    ? (long)*(const int *)at
	       : b->type == NEST_LONG ? *(const long *)at
				      : (long)*(const unsigned *)at;
}

static inline long bound(const struct bounds *b, long lane)
{
	return bound_at(b, b->at + lane * b->stride);
}

bool nest_find_rows(struct nest *n)
{
	struct bounds begins = bounds_of(n, NEST_ROW_BEGIN), ends = bounds_of(n, NEST_ROW_END);
	long before = bound(&begins, 0), most = 0, average, wrong = 0;

	n->slice[n->ref[n->rows[NEST_ROW_BEGIN]].slice].subscripts = true;
	n->slice[n->ref[n->rows[NEST_ROW_END]].slice].subscripts = true;
	n->row_low = before;
	for (long lane = n->lanes, b = begins.at, e = ends.at; lane > 0; lane--, b += begins.stride, e += ends.stride) {
		long end = bound_at(&ends, e), length = end - before;

		__builtin_prefetch((const char *)e + AHEAD);
		wrong |= (bound_at(&begins, b) ^ before) | (length < 0);
		most = length > most ? length : most;
		before = end;
	}
	if (wrong)
		return nest_refuse(n, "rows that do not follow each other");
	n->row_most = most;
	n->row_high = before;
	n->looked += n->lanes;
	average = (n->row_high - n->row_low + n->lanes - 1) / n->lanes;
	*(long *)(n->counts + n->rows[NEST_ROW_LOOP]) =
		average > 0 ? average : 1; /* the table is the caller's variable */
	return true;
}

/*
 * The first element that a PE has, and the one behind its last one. PEs without lanes have those of PE 0, and their
 * bounds; PEs without elements have one all the same.
 */
static void elements_of(const struct nest *n, const struct phase *p, long pe, long *low, long *high)
{
	struct bounds begins = bounds_of(n, NEST_ROW_BEGIN), ends = bounds_of(n, NEST_ROW_END);
	long lane = p->lane + (pe < p->pieces ? pe * p->share : 0);

	*low = bound(&begins, lane);
	*high = bound(&ends, lane + p->share - 1);
	if (*low == *high && n->row_most > 0) {
		*low = n->row_low;
		*high = n->row_low + 1;
	}
}

/* The element at the beginning of a PE's buffers: in memory, those of 4 bytes are at multiples of 8. */
static long aligned(const struct nest *n, long low)
{
	return low - ((low ^ n->row_odd) & 1);
}

bool nest_make_rows(struct nest *n, const long *gather)
{
	const long *ref = ref_of(n, gather[NEST_GATHERED]);
	bool single = ref[NEST_FLAGS] & NEST_SINGLE;
	struct slice *s = &n->slice[n->slices];
	long size = single ? NEST_SINGLE_SIZE : NEST_SIZE, odd = ref[NEST_START] >> 2 & 1;

	if (n->slices == SLICES)
		return nest_refuse(n, "too many arrays");
	if (gather[NEST_BY] != size || ref[NEST_START] % size)
		return nest_refuse(n, "elements of rows that are no array of numbers");
	if (single && n->row_singles && odd != n->row_odd)
		return nest_refuse(n, "rows of singles at different distances from multiples of 8 bytes");
	if (single) {
		n->row_singles = true;
		n->row_odd = odd;
	}
	n->ref[gather[NEST_GATHERED]].slice = n->slices++;
	*s = (struct slice){.array = (int)ref[NEST_ARRAY],
			    .of_rows = true,
			    .read = true,
			    .element = size,
			    .empty = n->row_most == 0,
			    .origin = ref[NEST_START],
			    .from = ref[NEST_START] + size * n->row_low,
			    .to = ref[NEST_START] + size * n->row_high,
			    .mapped = NEST_MOVES};
	return true;
}

long nest_row_bytes(const struct nest *n)
{
	long bytes = 0;

	for (int k = 0; n->rows && k < n->slices; k++)
		bytes += n->slice[k].of_rows ? n->slice[k].element : 0;
	return bytes;
}

long nest_row_room(const struct nest *n)
{
	long bytes = 0;

	for (int k = 0; n->rows && k < n->slices; k++)
		bytes += n->slice[k].of_rows ? 3 * NEST_SIZE : 0;
	return bytes;
}

long nest_place_rows(struct nest *n, long at)
{
	for (int k = 0; n->rows && k < n->slices; k++) {
		struct slice *s = &n->slice[k];

		if (!s->of_rows)
			continue;
		s->at = at;
		s->buffers = n->overlapped ? 2 : 1;
		s->pitch = (n->share * n->row_most * s->element + 2 * NEST_SIZE + NEST_SIZE - 1) & -NEST_SIZE;
		at += s->buffers * s->pitch;
	}
	return at;
}

long nest_most_row_lanes(void)
{
	return LANES_MAX;
}

static void get_elements(struct nest *n, const struct slice *s, const struct phase *p, long number, long pe)
{
	long low, high, first, from, to, local = slice_buffer(s, number);

	elements_of(n, p, pe, &low, &high);
	first = aligned(n, low);
	if (s->element == NEST_SIZE) {
		local += (low - first) * NEST_SIZE;
		first = low;
	}
	from = s->origin + first * s->element;
	to = (s->origin + high * s->element + NEST_SIZE - 1) & -NEST_SIZE;
	if (n->started >= OUTSTANDING)
		nest_wait(n);
	n->started++;
	n->transfers++;
	n->moved += to - from;
	simd_get(simd_pe((unsigned)pe, (uint64_t)local), (const void *)from, (uint32_t)(to - from));
}

void nest_get_rows(struct nest *n, const struct phase *p, long number)
{
	for (int k = 0; n->row_most > 0 && k < n->slices; k++)
		for (long pe = 0; n->slice[k].of_rows && pe < n->pes; pe++)
			get_elements(n, &n->slice[k], p, number, pe);
}

void nest_count_rows(struct nest *n, const struct phase *p)
{
	struct bounds begins = bounds_of(n, NEST_ROW_BEGIN), ends = bounds_of(n, NEST_ROW_END);
	long slot = 8 * (n->sums + n->numbered);

	for (long pe = 0; pe < n->pes; pe++) {
		volatile long *first = simd_pe((unsigned)pe, (uint64_t)slot);
		long low, high;

		elements_of(n, p, pe, &low, &high);
		first[0] = aligned(n, low);
		first[1] = low - aligned(n, low);
	}
	for (long k = 0; k < p->share; k++)
		longest[k] = 0;
	for (long pe = 0; pe < p->pieces; pe++) {
		long lane = p->lane + pe * p->share, begin = bound(&begins, lane), at = ends.at + lane * ends.stride;

		for (long k = 0; k < p->share; k++, at += ends.stride) {
			long end = bound_at(&ends, at), length = end - begin;

			longest[k] = length > longest[k] ? length : longest[k];
			begin = end;
		}
	}
	n->data[DATA_ROWS] = (long)longest;
}
