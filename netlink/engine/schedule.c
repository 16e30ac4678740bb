#include "schedule.h"

#include <stdlib.h>
#include <string.h>

#include "../../psim/base/mem.h"

enum { LINE_ROOM = 64, KEYS_ROOM = 64, SORT_BY_INSERTION = 32 };

int schedule_init(struct schedule *s, struct err *e)
{
	*s = (struct schedule){ .next = INT64_MAX, .other_time = INT64_MAX };
	for (unsigned k = 0; k < SCHEDULE_LINES; k++)
		s->first_time[k] = INT64_MAX;
	if (!schedule_more_keys(s))
		return mem_short(e);
	return calendar_init(&s->calendar, e);
}

void schedule_finish(struct schedule *s)
{
	for (unsigned k = 0; k < SCHEDULE_LINES; k++)
		free(s->line[k].at);
	free(s->key);
	free(s->late);
	free(s->spare);
	calendar_finish(&s->calendar);
	*s = (struct schedule){ .present = 0 };
}

/* An empty line for `delay`; SCHEDULE_LINES if there is none. */
unsigned schedule_claim(struct schedule *s, int64_t delay)
{
	unsigned k = 0;

	while (k < SCHEDULE_LINES && s->line[k].count)
		k++;
	if (k < SCHEDULE_LINES)
		s->delay[k] = delay;
	return k;
}

bool schedule_widen(struct schedule *s, struct event_line *line)
{
	uint32_t room = line->room ? line->room * 2 : LINE_ROOM;
	struct event *at = mem_resize(line->at, room, sizeof *at, NULL);

	if (!at) {
		s->short_of_memory = true;
		return false;
	}
	/* what had gone round goes behind the rest */
	memcpy(at + line->room, at, line->first * sizeof *at);
	line->at = at;
	line->room = room;
	return true;
}

/* Doubles an array of keys; false and the flag where memory is short. */
static bool widen_keys(struct schedule *s, uint32_t **at, uint32_t *room, uint32_t count)
{
	uint32_t more = *room ? *room : KEYS_ROOM;
	uint32_t *grown;

	while (more < count)
		more *= 2;
	grown = mem_resize(*at, more, sizeof **at, NULL);
	if (!grown) {
		s->short_of_memory = true;
		return false;
	}
	*at = grown;
	*room = more;
	return true;
}

bool schedule_more_keys(struct schedule *s)
{
	return widen_keys(s, &s->key, &s->key_room, s->key_room + 1);
}

/* Takes what the calendar has for `time`, and when it has the next. */
void schedule_gather_others(struct schedule *s, int64_t time)
{
	const struct event *other;

	while ((other = calendar_peek(&s->calendar)) != NULL && other->time == time) {
		if (s->key_count == s->key_room && !schedule_more_keys(s))
			return;
		s->key[s->key_count++] = other->key;
		calendar_pop(&s->calendar);
	}
	s->other_time = other ? other->time : INT64_MAX;
	if (s->other_time < s->next)
		s->next = s->other_time;
}

/* The end of the ascending run that begins at `begin`. */
static uint32_t run_end(const uint32_t *key, uint32_t begin, uint32_t n)
{
	uint32_t i = begin + 1;

	while (i < n && key[i - 1] <= key[i])
		i++;
	return i < n ? i : n;
}

/* Merges neighbouring runs into `spare`; how many there are then. Each line brings one run, or a few. */
static uint32_t merge_runs(struct schedule *s)
{
	const uint32_t *from = s->key;
	uint32_t n = s->key_count, runs = 0;

	for (uint32_t begin = 0, middle, end; begin < n; begin = end, runs++) {
		uint32_t i = begin, j, k = begin;

		middle = j = run_end(from, begin, n);
		end = middle < n ? run_end(from, middle, n) : n;
		while (i < middle && j < end)
			s->spare[k++] = from[i] <= from[j] ? from[i++] : from[j++];
		while (i < middle)
			s->spare[k++] = from[i++];
		while (j < end)
			s->spare[k++] = from[j++];
	}
	return runs;
}

static void merge_sort(struct schedule *s)
{
	uint32_t runs = run_end(s->key, 0, s->key_count) < s->key_count ? 2 : 1;

	while (runs > 1) {
		uint32_t *swap = s->key, room = s->key_room;

		runs = merge_runs(s);
		s->key = s->spare;
		s->spare = swap;
		s->key_room = s->spare_room;
		s->spare_room = room;
	}
}

void schedule_sort(struct schedule *s)
{
	uint32_t n = s->key_count;

	if (n > SORT_BY_INSERTION &&
	    (s->spare_room >= n || widen_keys(s, &s->spare, &s->spare_room, s->key_room))) {
		merge_sort(s);
		return;
	}
	for (uint32_t i = 1; i < n; i++) {
		uint32_t key = s->key[i], j = i;

		for (; j && key < s->key[j - 1]; j--)
			s->key[j] = s->key[j - 1];
		s->key[j] = key;
	}
}

void schedule_push_late(struct schedule *s, uint32_t key)
{
	uint32_t i;

	if (s->late_count == s->late_room && !widen_keys(s, &s->late, &s->late_room, s->late_count + 1))
		return;
	for (i = s->late_count++; i && key < s->late[(i - 1) / 2]; i = (i - 1) / 2)
		s->late[i] = s->late[(i - 1) / 2];
	s->late[i] = key;
}

uint32_t schedule_pop_late(struct schedule *s)
{
	uint32_t first = s->late[0], last = s->late[--s->late_count], i = 0, child;

	while ((child = 2 * i + 1) < s->late_count) {
		if (child + 1 < s->late_count && s->late[child + 1] < s->late[child])
			child++;
		if (s->late[child] >= last)
			break;
		s->late[i] = s->late[child];
		i = child;
	}
	s->late[i] = last;
	return first;
}
