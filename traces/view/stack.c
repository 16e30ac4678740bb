#include "stack.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "../../psim/base/hash.h"
#include "../../psim/base/mem.h"

enum { FIRST_BITS = 10, AXIS_MIN = 1 << 16 };

static uint32_t stack_place_of(const struct stack *s, uint64_t line)
{
	return (uint32_t)hash_place(line, s->table_bits);
}

/* The slot of `line` in the hash table, or the free slot for it. */
static uint32_t stack_find(const struct stack *s, uint64_t line)
{
	const uint32_t mask = (1u << s->table_bits) - 1;
	uint32_t place = stack_place_of(s, line);
	while (s->table[place] && s->lines[s->table[place] - 1] != line)
		place = (place + 1) & mask;
	return place;
}

static void tree_add(struct stack *s, uint32_t time, uint32_t change)
{
	for (uint32_t i = time / 64 + 1; i <= s->axis / 64; i += i & -i)
		s->tree[i] += change;
}

/* Number of lines whose last access is at `time` or before. */
static uint32_t count_until(const struct stack *s, uint32_t time)
{
	const unsigned bit = time % 64;
	uint32_t sum = (uint32_t)__builtin_popcountll(s->alive[time / 64] << (63 - bit));
	for (uint32_t i = time / 64; i; i -= i & -i)
		sum += s->tree[i];
	return sum;
}

static void set_alive(struct stack *s, uint32_t index)
{
	s->alive[s->now / 64] |= (uint64_t)1 << s->now % 64;
	tree_add(s, s->now, 1);
	s->at[s->now] = index;
	s->times[index] = s->now++;
	s->last = index;
}

static int make_table(struct stack *s, unsigned bits, struct err *e)
{
	uint32_t *table = mem_alloc((size_t)1 << bits, sizeof(*table), e);
	if (!table)
		return -1;
	free(s->table);
	s->table = table;
	s->table_bits = bits;
	for (uint32_t i = 0; i < s->count; i++)
		table[stack_find(s, s->lines[i])] = i + 1;
	return 0;
}

/* Makes room for one more line. */
static int stack_grow(struct stack *s, struct err *e)
{
	if (s->count == s->room) {
		if (s->room > UINT32_MAX / 8)
			return err_set(e, STATUS_FAILED, "too many lines accessed, expected at most %u",
				       (unsigned)s->room);
		uint32_t room = s->room ? 2 * s->room : 1 << FIRST_BITS;
		uint64_t *lines = mem_resize(s->lines, room, sizeof(*lines), e);
		if (!lines)
			return -1;
		s->lines = lines;
		uint32_t *times = mem_resize(s->times, room, sizeof(*times), e);
		if (!times)
			return -1;
		s->times = times;
		s->room = room;
	}
	if (s->count >= 1u << (s->table_bits - 1))
		return make_table(s, s->table_bits + 1, e);
	return 0;
}

/*
 * Renumbers the times, in the same order, on an axis with at least three free times for each
 * used one.
 */
static int renumber(struct stack *s, struct err *e)
{
	uint32_t axis = AXIS_MIN;
	while (axis < 4 * (uint64_t)s->count)
		axis *= 2;
	uint64_t *alive = mem_alloc(axis / 64, sizeof(*alive), e);
	uint32_t *at = mem_alloc(axis, sizeof(*at), e);
	uint32_t *tree = mem_alloc(axis / 64 + 1, sizeof(*tree), e);
	if (!alive || !at || !tree) {
		free(alive);
		free(at);
		free(tree);
		return -1;
	}
	uint32_t now = 0;
	for (uint32_t t = 0; t < s->now; t++) {
		if (!(s->alive[t / 64] >> t % 64 & 1))
			continue;
		at[now] = s->at[t];
		s->times[s->at[t]] = now;
		alive[now / 64] |= (uint64_t)1 << now % 64;
		now++;
	}
	free(s->alive);
	free(s->at);
	free(s->tree);
	s->alive = alive;
	s->at = at;
	s->tree = tree;
	s->axis = axis;
	s->now = now;
	for (uint32_t t = 0; t < now; t += 64)
		tree_add(s, t, (uint32_t)__builtin_popcountll(alive[t / 64]));
	return 0;
}

int stack_init(struct stack *s, struct err *e)
{
	*s = (struct stack){0};
	if (make_table(s, FIRST_BITS + 1, e) < 0 || renumber(s, e) < 0) {
		stack_finish(s);
		return -1;
	}
	return 0;
}

void stack_finish(struct stack *s)
{
	free(s->lines);
	free(s->times);
	free(s->table);
	free(s->alive);
	free(s->at);
	free(s->tree);
	*s = (struct stack){0};
}

static int touch_first(struct stack *s, uint64_t line, struct err *e)
{
	if (stack_grow(s, e) < 0)
		return -1;
	uint32_t index = s->count++;
	s->lines[index] = line;
	s->table[stack_find(s, line)] = index + 1;
	set_alive(s, index);
	return 0;
}

int stack_touch(struct stack *s, uint64_t line, struct err *e)
{
	s->accesses++;
	if (s->count && s->lines[s->last] == line) {
		s->distance[0]++;
		return 0;
	}
	if (s->now == s->axis && renumber(s, e) < 0)
		return -1;
	uint32_t entry = s->table[stack_find(s, line)];
	if (!entry)
		return touch_first(s, line, e);
	const uint32_t index = entry - 1, time = s->times[index];
	uint32_t distance = s->count - count_until(s, time);
	s->distance[distance ? 32 - __builtin_clz(distance) : 0]++;
	s->alive[time / 64] &= ~((uint64_t)1 << time % 64);
	tree_add(s, time, (uint32_t)-1);
	set_alive(s, index);
	return 0;
}

uint64_t stack_misses(const struct stack *s, unsigned bits)
{
	uint64_t misses = s->count;
	for (unsigned b = bits + 1; b < STACK_BUCKETS; b++)
		misses += s->distance[b];
	return misses;
}

static int stack_by_value(const void *a, const void *b)
{
	const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
	return x < y ? -1 : x > y;
}

uint64_t stack_distinct(const struct stack *s, unsigned shift)
{
	if (shift == 0 || s->count == 0)
		return s->count;
	uint64_t *values = mem_alloc(s->count, sizeof(*values), NULL);
	uint64_t distinct = 0;
	if (!values)
		return 0;
	for (uint32_t i = 0; i < s->count; i++)
		values[i] = s->lines[i] >> shift;
	qsort(values, s->count, sizeof(*values), stack_by_value);
	for (uint32_t i = 0; i < s->count; i++)
		distinct += i == 0 || values[i] != values[i - 1];
	free(values);
	return distinct;
}
