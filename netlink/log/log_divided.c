/*
 * A log of several processes: each hands its engine's events over to the first one, which passes them on in order. In a
 * step of time none of them precedes its begin; those of ranks come when a step has ended, so events of engines wait
 * for one step more.
 */
#include <string.h>

#include "../../psim/base/mem.h"
#include "log_parts.h"

void net_log_divide(struct net_log *l, bool first, void *(*put)(void *user, size_t bytes), void *user)
{
	l->divided = (struct log_divided){.on = true, .first = first, .put = put, .user = user};
}

void log_divided_finish(struct log_divided *d)
{
	vec_finish(&d->fresh);
}

static int log_divided_keep(struct net_log *l, const struct log_event *v, struct err *e)
{
	struct log_event *at = vec_push(&l->divided.fresh, e);

	if (!at)
		return -1;
	*at = *v;
	return 0;
}

void log_divided_add(struct net_log *l, const struct log_event *v)
{
	void *at;

	if (!log_has_events(l))
		return;
	if (l->divided.first) {
		if (log_divided_keep(l, v, NULL) < 0)
			l->short_of_memory = true;
		return;
	}
	at = l->divided.put(l->divided.user, sizeof(*v));
	if (at)
		memcpy(at, v, sizeof(*v));
	else
		l->short_of_memory = true;
}

int net_log_take(struct net_log *l, const void *record, size_t bytes, struct err *e)
{
	struct log_event event;

	memcpy(&event, record, bytes < sizeof(event) ? bytes : sizeof(event));
	return log_divided_keep(l, &event, e);
}

/* ---- passing on ---- */
static int log_by_order(const void *a, const void *b)
{
	return log_before(a, b) ? -1 : log_before(b, a);
}

/* Passes on the first `count` events. */
static void log_divided_pass(struct net_log *l, size_t count)
{
	struct log_divided *d = &l->divided;

	if (count)
		qsort(d->fresh.at, count, sizeof(*d->fresh.at), log_by_order);
	for (size_t i = 0; i < count; i++) {
		const struct log_event *v = &d->fresh.at[i];

		switch (v->what) {
		case LOG_MESSAGE: log_message(l, v); break;
		case LOG_DELIVERED: log_delivered(l, v); break;
		default: log_packet(l, v);
		}
	}
	d->fresh.count -= count;
	if (count && d->fresh.count)
		memmove(d->fresh.at, d->fresh.at + count, d->fresh.count * sizeof(*d->fresh.at));
}

void net_log_step(struct net_log *l)
{
	struct log_divided *d = &l->divided;

	log_divided_pass(l, d->old);
	d->old = d->fresh.count;
}

void log_divided_pass_all(struct net_log *l)
{
	log_divided_pass(l, l->divided.fresh.count);
}

/* ---- series ---- */
size_t net_log_results(struct net_log *l, void *out)
{
	char *at = out;

	if (out)
		memcpy(at, &l->last_arrival, sizeof(l->last_arrival));
	return sizeof(l->last_arrival) + log_series_results(&l->series, out ? at + sizeof(l->last_arrival) : NULL);
}

void net_log_add_results(struct net_log *l, const void *results)
{
	const char *at = results;
	int64_t last;

	memcpy(&last, at, sizeof(last));
	if (last > l->last_arrival)
		l->last_arrival = last;
	log_series_add_results(&l->series, at + sizeof(last));
}
