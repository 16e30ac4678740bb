#include "window.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../../psim/base/mem.h"

/* Minima over all processes at the end of a window. */
enum {
	LEAST_TIME,                        /* of the next event */
	LEAST_OFFERED,                     /* two numbers of the engine, for the next window's width */
	LEAST_BUSIEST = LEAST_OFFERED + 2, /* minus the events of the busiest */
};
/* Sums over them. */
enum { SUM_STOPPED, SUM_HELD, SUM_DONE };

static void *put_record(void *user, unsigned to, int64_t time, size_t bytes)
{
	struct window_setup *s = user;

	s->soonest = time < s->soonest ? time : s->soonest;
	s->records++;
	return exchange_put(s->exchange, to, bytes);
}

static int window_name(void *user, const struct net_message *m, uint32_t *id, struct err *e)
{
	const struct window_setup *s = user;

	return s->driver.name(s->driver.user, m, id, e);
}

int window_divide(struct window_setup *s, struct err *e)
{
	const struct net_partition partition = {
		.owner = s->owner,
		.me = exchange_me(s->exchange),
		.partitions = exchange_processes(s->exchange),
		.put = put_record,
		.name = window_name,
		.user = s,
	};

	return s->kind->partitions->divide(s->engine, &partition, e);
}

/* ---- records: those of the engine, then those of the driver, then their length ---- */
void *window_put(struct window_setup *s, unsigned to, size_t bytes)
{
	void *at;

	bytes = (bytes + 7) / 8 * 8;
	if (vec_reserve(&s->own[to], bytes, NULL) < 0)
		return NULL;
	at = s->own[to].at + s->own[to].count;
	s->own[to].count += bytes;
	return at;
}

void window_soon(struct window_setup *s, int64_t time)
{
	s->soonest = time < s->soonest ? time : s->soonest;
	s->late |= time <= s->until;
}

void window_finish(struct window_setup *s)
{
	for (unsigned p = 0; p < EXCHANGE_MOST; p++)
		vec_finish(&s->own[p]);
}

static int put_own(struct window_setup *s, struct err *e)
{
	for (unsigned p = 0; s->driver.take && p < exchange_processes(s->exchange); p++) {
		size_t bytes = s->own[p].count;
		char *at = exchange_put(s->exchange, p, bytes + sizeof(uint64_t));

		if (!at)
			return mem_short(e);
		if (bytes)
			memcpy(at, s->own[p].at, bytes);
		memcpy(at + bytes, &(uint64_t){bytes}, sizeof(uint64_t));
		s->own[p].count = 0;
	}
	return 0;
}

/* The driver's records of process `p`; `*bytes` is their length, and `*engine` that of the engine's. */
static const char *got(const struct window_setup *s, unsigned p, size_t *bytes, size_t *engine)
{
	size_t all;
	const char *at = exchange_got(s->exchange, p, &all);
	uint64_t own;

	*bytes = 0;
	*engine = all;
	if (!all)
		return at;
	if (!s->driver.take)
		return at + all;
	memcpy(&own, at + all - sizeof(own), sizeof(own));
	*bytes = own;
	*engine = all - sizeof(own) - own;
	return at + *engine;
}

static int take_records(const struct window_setup *s, struct err *e)
{
	size_t bytes, engine;

	for (unsigned p = 0; p < exchange_processes(s->exchange); p++) {
		const char *records = got(s, p, &bytes, &engine);

		if (bytes && s->driver.take(s->driver.user, p, records, bytes, e) < 0)
			return -1;
	}
	for (unsigned p = 0; p < exchange_processes(s->exchange); p++) {
		const char *records = got(s, p, &bytes, &engine);

		if (engine && s->kind->partitions->take(s->engine, p, records - engine, engine, e) < 0)
			return -1;
	}
	return 0;
}

static double window_host_seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* The length of a window that begins then. */
static int64_t window_width(const struct window_setup *s, int64_t begin, const int64_t offered[2])
{
	int64_t width = s->kind->partitions->width(s->engine, begin, offered);

	return s->most && s->most < width ? s->most : width;
}

/* Checks that the driver's records have no effect in this window. Those of an engine may: it checks what it takes. */
static int check_late(const struct window_setup *s, struct err *e)
{
	if (!s->late)
		return 0;
	return err_set(e, STATUS_FAILED,
		       "a record has an effect in its window, which ends at %" PRId64 " ps: expected a later one",
		       s->until);
}

/* One window of `width` from `begin` on; then both are those of the next one, unless a partition of it is held. */
static int one_window(struct window_setup *s, struct window_counts *c, int64_t *begin, int64_t *width, struct err *e)
{
	struct exchange_values values = {{0}, {0}};
	uint64_t events = s->kind->partitions->events(s->engine);
	bool stop = false, held;
	double start = window_host_seconds(), done, end;
	int64_t own, next;

	s->soonest = NET_TIME_NEVER;
	s->until = *begin + *width - 1;
	if (s->driver.advance(s->driver.user, s->until, &stop, e) < 0 || check_late(s, e) < 0 || put_own(s, e) < 0)
		return exchange_fail(s->exchange, e);
	own = s->driver.next(s->driver.user);
	held = s->driver.held && s->driver.held(s->driver.user);
	next = s->kind->partitions->next(s->engine);
	next = own < next ? own : next;
	values.least[LEAST_TIME] = s->soonest < next ? s->soonest : next;
	s->kind->partitions->offer(s->engine, &values.least[LEAST_OFFERED]);
	values.least[LEAST_BUSIEST] = (int64_t)(events - s->kind->partitions->events(s->engine));
	values.sum[SUM_STOPPED] = stop;
	values.sum[SUM_HELD] = held;
	values.sum[SUM_DONE] = s->done;
	done = window_host_seconds();
	if (exchange_step(s->exchange, &values, e) < 0)
		return -1;
	end = window_host_seconds();
	if (take_records(s, e) < 0)
		return exchange_fail(s->exchange, e);
	c->busy_s += done - start;
	c->exchange_s += end - done;
	if (!c->windows++ || end - done < c->exchange_least_s)
		c->exchange_least_s = end - done;
	c->events_longest += (uint64_t)-values.least[LEAST_BUSIEST];
	s->others = values.sum[SUM_DONE] - s->done;
	s->held = values.sum[SUM_HELD] > 0;
	if (s->held)
		return 0;
	*begin = values.least[LEAST_TIME];
	*width = window_width(s, *begin, &values.least[LEAST_OFFERED]);
	c->stopped = values.sum[SUM_STOPPED] > 0;
	return 0;
}

/* Sums over all processes. */
static int sum_counts(const struct window_setup *s, struct window_counts *c, struct err *e)
{
	uint64_t own = s->kind->partitions->events(s->engine);
	struct exchange_values values = {.least = {-(int64_t)own}, .sum = {own, s->records}};

	if (exchange_step(s->exchange, &values, e) < 0)
		return -1;
	c->events_own = own;
	c->events = values.sum[0];
	c->records = values.sum[1];
	c->events_most = (uint64_t)-values.least[0];
	return 0;
}

int window_run(struct window_setup *s, struct window_counts *counts, struct err *e)
{
	const int64_t none[2] = {NET_TIME_NEVER, NET_TIME_NEVER};
	int64_t begin = 0, width = window_width(s, 0, none), longest = width;

	*counts = (struct window_counts){.processes = exchange_processes(s->exchange)};
	while (begin != NET_TIME_NEVER && !counts->stopped) {
		if (!s->held) {
			counts->narrow += width < longest;
			width += s->widen;
		}
		if (one_window(s, counts, &begin, &width, e) < 0)
			return -1;
	}
	return sum_counts(s, counts, e);
}

int window_gather(const struct window_setup *s, struct err *e)
{
	struct exchange_values none = {{0}, {0}};

	if (exchange_me(s->exchange)) {
		size_t bytes = s->kind->partitions->counts(s->engine, NULL);
		void *at = exchange_put(s->exchange, 0, bytes);

		if (!at) {
			mem_short(e);
			return exchange_fail(s->exchange, e);
		}
		s->kind->partitions->counts(s->engine, at);
	}
	if (exchange_step(s->exchange, &none, e) < 0)
		return -1;
	for (unsigned p = 1; !exchange_me(s->exchange) && p < exchange_processes(s->exchange); p++) {
		size_t bytes;
		const void *at = exchange_got(s->exchange, p, &bytes);

		s->kind->partitions->add_counts(s->engine, p, at);
	}
	return 0;
}
