/*
 * What is to happen, and when: events by time, then by key.
 *
 * Most events of a network come a fixed delay after the present: the way through a
 * router and a cable, a full packet on a link. Those with the same delay come in the order in
 * which they were put in, so each frequent delay has a line (a ring) that costs next to
 * nothing; the rest goes to a calendar (calendar.h). Lines are taken by whatever
 * delay asks for an empty one: which event stands where has no influence on the order.
 *
 * Events of one instant are gathered, sorted by key and taken; those that are put
 * in for this very instant join them where their key says, or come at once if that is behind them.
 */
#ifndef PSIM_NETLINK_SCHEDULE_H
#define PSIM_NETLINK_SCHEDULE_H

#include "calendar.h"

enum { SCHEDULE_LINES = 4 };

struct event_line {
	struct event *at; /* a ring of `room`, a power of two */
	uint32_t first, count, room;
};

struct schedule {
	int64_t present, next; /* INT64_MAX: nothing beyond this instant */
	uint32_t *key; /* of the events of this instant, sorted; key_at is the next */
	uint32_t key_at, key_count, key_room;
	uint32_t *late; /* a heap of keys that came for this instant later */
	uint32_t late_count, late_room;
	bool short_of_memory; /* an event was lost: the run has to end */
	int64_t first_time[SCHEDULE_LINES]; /* of the first in each line; INT64_MAX: none */
	int64_t other_time;                 /* of the first in the calendar */
	int64_t delay[SCHEDULE_LINES];      /* of each line */
	struct event_line line[SCHEDULE_LINES];
	struct calendar calendar;
	uint32_t *spare; /* for sorting */
	uint32_t spare_room;
};

/* An empty schedule at time 0, or -1 with `e` when memory is short. */
int schedule_init(struct schedule *s, struct err *e);
void schedule_finish(struct schedule *s);

/* Cold parts of the functions below. */
unsigned schedule_claim(struct schedule *s, int64_t delay);
bool schedule_widen(struct schedule *s, struct event_line *line);
bool schedule_more_keys(struct schedule *s);
void schedule_gather_others(struct schedule *s, int64_t time);
void schedule_sort(struct schedule *s);
void schedule_push_late(struct schedule *s, uint32_t key);
uint32_t schedule_pop_late(struct schedule *s);

/* Puts in an event for the present or later. Sets short_of_memory where it cannot. */
static inline void schedule_push(struct schedule *s, int64_t time, uint32_t key)
{
	int64_t delay = time - s->present;
	struct event_line *line;
	unsigned k = 0;

	if (delay <= 0) {
		schedule_push_late(s, key);
		return;
	}
	if (time < s->next)
		s->next = time;
	while (k < SCHEDULE_LINES && s->delay[k] != delay)
		k++;
	if (k == SCHEDULE_LINES && (k = schedule_claim(s, delay)) == SCHEDULE_LINES) {
		s->other_time = time < s->other_time ? time : s->other_time;
		calendar_push(&s->calendar, time, key);
		return;
	}
	line = &s->line[k];
	if (line->count == line->room && !schedule_widen(s, line))
		return;
	if (!line->count)
		s->first_time[k] = time;
	line->at[(line->first + line->count++) & (line->room - 1)] = (struct event){ .time = time, .key = key };
}

/* The time of the next event, INT64_MAX if there is none. */
static inline int64_t schedule_time(const struct schedule *s)
{
	return s->key_at < s->key_count || s->late_count ? s->present : s->next;
}

/* Makes `time`, which schedule_time gave, the present. */
static inline void schedule_begin(struct schedule *s, int64_t time)
{
	int64_t next = INT64_MAX;
	uint32_t count = 0;

	if (s->key_at < s->key_count || s->late_count)
		return;
	s->present = time;
	for (unsigned k = 0; k < SCHEDULE_LINES; k++) {
		int64_t first = s->first_time[k];

		while (first == time) {
			struct event_line *line = &s->line[k];

			if (count == s->key_room && !schedule_more_keys(s))
				return;
			s->key[count++] = line->at[line->first].key;
			line->first = (line->first + 1) & (line->room - 1);
			s->first_time[k] = first = --line->count ? line->at[line->first].time : INT64_MAX;
		}
		next = first < next ? first : next;
	}
	s->key_at = 0;
	s->key_count = count;
	s->next = next;
	if (s->other_time <= next || s->other_time <= time)
		schedule_gather_others(s, time);
	if (s->key_count > 1)
		schedule_sort(s);
}

/* Has this instant another event? */
static inline bool schedule_more(const struct schedule *s)
{
	return s->key_at < s->key_count || s->late_count;
}

/* Takes it out: its key. */
static inline uint32_t schedule_pop(struct schedule *s)
{
	if (s->late_count && (s->key_at == s->key_count || s->late[0] < s->key[s->key_at]))
		return schedule_pop_late(s);
	return s->key[s->key_at++];
}

/* Would an event for this instant be the next one, if it were put in? Then its work may be done at once. */
static inline bool schedule_is_next(const struct schedule *s, uint32_t key)
{
	return (s->key_at == s->key_count || key < s->key[s->key_at]) && (!s->late_count || key < s->late[0]);
}

#endif
