/*
 * The check of psim-record --check-simd. The memory that a nest stores to is kept as it was before, and as the array
 * has left it; the scalar loop starts from the former, and is compared with the latter.
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "psim_nest_check.h"
#include "psim_nest_run.h"
#include "psim_region.h"

/* As PSIM_REGION_BEGIN: %o0 points to a line for psim-record, or to nothing if all is well. */
#define PSIM_SIMD_CHECKED 0x335053

enum { RANGES = 32, PLACES = 256 };
#define REGROUPED_SINGLE 1e-4
#define REGROUPED 1e-9 /* of a value: how far sums that are added in another order may be off */

struct range {
	long from, to, size; /* size: of a number */
	char *kept;          /* before the nest; then as the array left it */
};

struct change {
	long to, size;
	char bytes[8];
};

static struct check {
	struct range range[RANGES];
	int ranges;
	bool open, regrouped;
	const char *place, *doubt;
	struct change *change;
	size_t changes, room;
	bool full;
	const char *told[PLACES]; /* a line for each loop */
	int places;
} check;

static bool wanted;

/* Before main: in cold caches, a search of the environment takes as long as transfers of 4 KiB. */
__attribute__((constructor)) static void look_for_check(void)
{
	wanted = getenv("PSIM_NEST_CHECK") != NULL;
}

bool check_wanted(void)
{
	return wanted;
}

bool check_open(void)
{
	return check.open;
}

void check_cancel(void)
{
	for (int k = 0; k < check.ranges; k++)
		free(check.range[k].kept);
	check.ranges = 0;
	check.open = false;
}

/* Ranges with common bytes become one, so that each byte is kept once. False if their numbers have other sizes. */
static bool take_in(long *from, long *to, long size)
{
	for (int k = 0; k < check.ranges;) {
		struct range *r = &check.range[k];

		if (r->to <= *from || *to <= r->from) {
			k++;
			continue;
		}
		if (r->size != size)
			return false;
		*from = r->from < *from ? r->from : *from;
		*to = r->to > *to ? r->to : *to;
		free(r->kept);
		*r = check.range[--check.ranges];
		k = 0;
	}
	return true;
}

bool check_range(long from, long to, long size)
{
	struct range *r;

	if (!take_in(&from, &to, size) || check.ranges == RANGES)
		return false;
	r = &check.range[check.ranges];
	r->kept = malloc((size_t)(to - from));
	if (!r->kept)
		return false;
	r->from = from;
	r->to = to;
	r->size = size;
	memcpy(r->kept, (const void *)from, (size_t)(to - from));
	check.ranges++;
	return true;
}

static void swap(char *a, char *b, long bytes)
{
	for (long k = 0; k < bytes; k++) {
		char c = a[k];

		a[k] = b[k];
		b[k] = c;
	}
}

void check_array_ran(const char *place, const char *doubt, bool regrouped)
{
	for (int k = 0; k < check.ranges; k++)
		swap((char *)check.range[k].from, check.range[k].kept, check.range[k].to - check.range[k].from);
	check.place = place;
	check.doubt = doubt;
	check.regrouped = regrouped;
	check.open = true;
}

void check_change(long to, const void *stored, long size)
{
	if (check.changes == check.room) {
		size_t room = check.room ? 2 * check.room : 1024;
		struct change *more = realloc(check.change, room * sizeof(*more));

		check.full |= !more;
		if (!more)
			return;
		check.change = more;
		check.room = room;
	}
	check.change[check.changes] = (struct change){.to = to, .size = size};
	memcpy(check.change[check.changes++].bytes, stored, (size_t)size);
}

bool check_changes_apply(void)
{
	bool all = !check.full;

	for (size_t k = 0; k < check.changes; k++)
		memcpy((void *)check.change[k].to, check.change[k].bytes, (size_t)check.change[k].size);
	check.changes = 0;
	check.full = false;
	return all;
}

static double number_at(const char *at, long size)
{
	double number;
	float single;

	if (size == sizeof(single)) {
		memcpy(&single, at, sizeof(single));
		return (double)single;
	}
	memcpy(&number, at, sizeof(number));
	return number;
}

/* All NaNs are the same: an operation may return either operand's. */
static bool check_differ(double array, double scalar, bool single)
{
	if (memcmp(&array, &scalar, sizeof(array)) == 0 || (isnan(array) && isnan(scalar)))
		return false;
	return !check.regrouped ||
	       !(fabs(array - scalar) <= (single ? REGROUPED_SINGLE : REGROUPED) * (fabs(array) + fabs(scalar)));
}

static bool told_before(const char *place)
{
	for (int k = 0; k < check.places; k++)
		if (check.told[k] == place)
			return true;
	if (check.places < PLACES)
		check.told[check.places++] = place;
	return false;
}

static void tell(long count, long at, double array, double scalar)
{
	char line[512];

	snprintf(line, sizeof(line),
		 "%.200s: %s: the array stores %.17g at 0x%lx, scalar order %.17g; %ld differ%s%s%s", check.place,
		 check.doubt ? "the directive is wrong" : "a mistake of the compiler", array, at, scalar, count,
		 check.doubt ? " (" : "", check.doubt ? check.doubt : "", check.doubt ? ")" : "");
	PSIM_REGION_MARK(line, PSIM_SIMD_CHECKED);
}

void psim_nest_compare(void)
{
	long count = 0, first = 0;
	double array = 0, scalar = 0;

	for (int k = 0; k < check.ranges; k++) {
		const struct range *r = &check.range[k];

		for (long at = r->from; at < r->to; at += r->size) {
			double stored = number_at(r->kept + (at - r->from), r->size);
			double wanted = number_at((const char *)at, r->size);

			if (!check_differ(stored, wanted, r->size == sizeof(float)))
				continue;
			if (count == 0) {
				array = stored;
				scalar = wanted;
				first = at;
			}
			count++;
		}
	}
	if (count && !told_before(check.place))
		tell(count, first, array, scalar);
	else
		PSIM_REGION_MARK("", PSIM_SIMD_CHECKED);
	check_cancel();
}

/* ---- the order of statements ---- */

/* Lanes between a store and a load of the same place, if it is known: *lanes. The load's lane less the store's. */
static bool lanes_between(const struct nest *n, long store, long load, long *lanes)
{
	const long *s = ref_of(n, store), *l = ref_of(n, load);
	long stride = stride_of(n, s[NEST_FAMILY], 0), distance = s[NEST_START] - l[NEST_START];
	const struct slice *of = &n->slice[n->ref[store].slice];

	if (stride == 0 || stride != stride_of(n, l[NEST_FAMILY], 0))
		return false;
	if (n->loops == 1) {
		*lanes = distance / stride;
		return true;
	}
	if (n->ref[store].slice != n->ref[load].slice || of->together)
		return false;
	*lanes = 0;
	for (int d = 0; d < of->dims; d++)
		if (of->dim[d].loop == 0)
			*lanes = n->ref[store].shift[d] - n->ref[load].shift[d];
	return true;
}

/* References are in the order of the program's statements, but for nests whose inner loops are not affine. */
bool nest_forward(const struct nest *n, long chunk)
{
	for (long s = 0; s < n->references; s++)
		for (long l = s + 1; l < n->references; l++) {
			long from, to, low, high, lanes;

			if (!(ref_of(n, s)[NEST_FLAGS] & NEST_WRITE) || !(ref_of(n, l)[NEST_FLAGS] & NEST_READ) ||
			    n->slice[n->ref[s].slice].empty || n->slice[n->ref[l].slice].empty || n->table[NEST_SURVEY])
				continue;
			slice_range(n, &n->slice[n->ref[s].slice], &from, &to);
			slice_range(n, &n->slice[n->ref[l].slice], &low, &high);
			if (low >= to || from >= high)
				continue;
			if (!lanes_between(n, s, l, &lanes) || (lanes > 0 && (chunk == 0 || lanes < chunk)))
				return true;
		}
	return false;
}
