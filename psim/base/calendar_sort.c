/* Sorts the present bucket of a calendar, where it has more events than insertion is good for. */
#include "calendar.h"

enum {
	SORT_BY_DIGITS = 96,  /* from this many events on */
	MAP_EVENTS = 1 << 18, /* numbers that the bit map sorts */
	MAP_WORDS = MAP_EVENTS / 64,
	MAP_GROUP = 64 * 64, /* numbers of a word of the map of words */
};
_Static_assert(MAP_WORDS + MAP_EVENTS / MAP_GROUP == CALENDAR_MAP_WORDS, "both maps are allocated");

/* Returns the end of the ascending run that begins at `begin`. */
static uint32_t run_end(const uint64_t *at, uint32_t begin, uint32_t n)
{
	uint32_t i = begin + 1;

	while (i < n && at[i - 1] <= at[i])
		i++;
	return i < n ? i : n;
}

/* Merges neighbouring runs into `spare` and returns the number of runs that remain. */
static uint32_t merge_runs(struct calendar *c)
{
	const uint64_t *from = c->now;
	uint32_t n = c->now_count, runs = 0;

	for (uint32_t begin = 0, middle, end; begin < n; begin = end, runs++) {
		uint32_t i = begin, j, k = begin;

		middle = j = run_end(from, begin, n);
		end = middle < n ? run_end(from, middle, n) : n;
		while (i < middle && j < end) { /* no branch: it would be mispredicted half of the time */
			uint64_t a = from[i], b = from[j];
			bool first = a <= b;

			c->spare[k++] = first ? a : b;
			i += first;
			j += !first;
		}
		while (i < middle)
			c->spare[k++] = from[i++];
		while (j < end)
			c->spare[k++] = from[j++];
	}
	return runs;
}

/* Makes `spare`, which holds the sorted events, the present bucket. */
static void swap_spare(struct calendar *c)
{
	uint64_t *at = c->now;
	uint32_t room = c->now_room;

	c->now = c->spare;
	c->spare = at;
	c->now_room = c->spare_room;
	c->spare_room = room;
}

/*
 * Radix sort by digits of 8 bits, least significant first. Digits that all events share are
 * skipped: events of one instant differ in few.
 */
static void sort_by_digits(struct calendar *c)
{
	uint32_t n = c->now_count;
	uint64_t differ = 0;

	for (uint32_t i = 1; i < n; i++)
		differ |= c->now[i] ^ c->now[0];
	for (unsigned shift = 0; shift < 64; shift += 8) {
		uint32_t begin[256] = {0}, sum = 0;

		if (!(differ >> shift & 0xff))
			continue;
		for (uint32_t i = 0; i < n; i++)
			begin[c->now[i] >> shift & 0xff]++;
		for (unsigned k = 0; k < 256; k++) {
			uint32_t count = begin[k];

			begin[k] = sum;
			sum += count;
		}
		for (uint32_t i = 0; i < n; i++)
			c->spare[begin[c->now[i] >> shift & 0xff]++] = c->now[i];
		swap_spare(c);
	}
}

/* Writes the numbers marked in `bits`, which are `first` and those that follow, to `to`. Returns the next place. */
static uint64_t *read_bits(uint64_t bits, uint64_t first, uint64_t *to)
{
	for (; bits; bits &= bits - 1)
		*to++ = first + (uint64_t)__builtin_ctzll(bits);
	return to;
}

/* Sorts by a bit map of `span` numbers from `base` on, into `spare`. Returns the end. */
static uint64_t *sort_dense(struct calendar *c, uint64_t base, uint32_t span)
{
	uint64_t *to = c->spare, *map = c->map;

	for (const uint64_t *at = c->now, *end = at + c->now_count; at < end; at++) {
		uint32_t number = (uint32_t)(*at - base);

		map[number / 64] |= UINT64_C(1) << number % 64;
	}
	for (uint32_t word = 0; word < (span + 63) / 64; word++) {
		to = read_bits(map[word], base + (uint64_t)word * 64, to);
		map[word] = 0;
	}
	return to;
}

/* Likewise with a map of the words that are not 0. */
static uint64_t *sort_sparse(struct calendar *c, uint64_t base, uint32_t span)
{
	uint64_t *to = c->spare, *map = c->map, *words = map + MAP_WORDS;

	for (const uint64_t *at = c->now, *end = at + c->now_count; at < end; at++) {
		uint32_t number = (uint32_t)(*at - base);

		map[number / 64] |= UINT64_C(1) << number % 64;
		words[number / MAP_GROUP] |= UINT64_C(1) << number / 64 % 64;
	}
	for (uint32_t g = 0; g < (span + MAP_GROUP - 1) / MAP_GROUP; g++) {
		for (uint64_t left = words[g]; left; left &= left - 1) {
			uint32_t word = g * 64 + (uint32_t)__builtin_ctzll(left);

			to = read_bits(map[word], base + (uint64_t)word * 64, to);
			map[word] = 0;
		}
		words[g] = 0;
	}
	return to;
}

/*
 * Sorts events that differ only in few lower bits, as those of one instant: marks each in a bit map, and reads the
 * map. Returns false, and changes nothing, where two events are equal or differ in other bits, or memory is short.
 */
static bool sort_by_map(struct calendar *c)
{
	const uint64_t *now = c->now;
	uint64_t differ = 0, base, *end;
	uint32_t n = c->now_count, span;

	for (uint32_t i = 1; i < n; i++)
		differ |= now[i] ^ now[0];
	if (differ >= MAP_EVENTS || !c->map)
		return false;
	span = differ ? (uint32_t)2 << (63 - __builtin_clzll(differ)) : 1;
	base = now[0] & ~((uint64_t)span - 1);
	end = span / 64 <= n ? sort_dense(c, base, span) : sort_sparse(c, base, span);
	if (end != c->spare + n) /* some were equal */
		return false;
	swap_spare(c);
	return true;
}

void calendar_sort(struct calendar *c)
{
	uint32_t n = c->now_count, runs = 2;

	if (sort_by_map(c) || run_end(c->now, 0, n) == n)
		return;
	if (n >= SORT_BY_DIGITS) {
		sort_by_digits(c);
		return;
	}
	while (runs > 1) {
		runs = merge_runs(c);
		swap_spare(c);
	}
}
