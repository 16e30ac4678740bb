/*
 * Counters over time: ranks by what they do, messages that are sent and not received yet, links that carry a packet.
 * Their values at the end of an instant are written, if they have changed.
 */
#include "../engine/engine.h"
#include "log_parts.h"

static void count_rank(struct net_log *l, const struct log_event *v)
{
	uint64_t *now = l->counters.now;
	uint8_t *inside = &l->inside[v->from];

	if (v->what == LOG_WAIT) { /* a rank waits in a call */
		now[COUNTED_WAIT] += v->name ? 1 : UINT64_MAX;
		now[COUNTED_CALL] += v->name ? UINT64_MAX : 1;
		return;
	}
	if (!v->name) {
		now[*inside & INSIDE_COMPUTES ? COUNTED_COMPUTE : COUNTED_CALL]--;
		return;
	}
	now[v->computes ? COUNTED_COMPUTE : COUNTED_CALL]++;
	*inside &= (uint8_t)~INSIDE_COMPUTES;
	if (v->computes)
		*inside |= INSIDE_COMPUTES;
}

static void count_message(struct net_log *l, const struct log_event *v, bool begins)
{
	l->counters.now[COUNTED_MESSAGES] += begins ? 1 : UINT64_MAX;
	l->counters.now[COUNTED_BYTES] += begins ? v->bytes : -v->bytes;
}

void log_count(struct net_log *l, const struct log_event *v)
{
	l->counters.time = v->time;
	switch (v->what) {
	case LOG_WAIT:
	case LOG_STATE: count_rank(l, v); break;
	case LOG_ARROW:
	case LOG_ARROW_END: count_message(l, v, v->what == LOG_ARROW); break;
	case LOG_MESSAGE:
	case LOG_DELIVERED:
		if (!l->setup.arrows)
			count_message(l, v, v->what == LOG_MESSAGE);
		break;
	case LOG_PUSH_PACKET: l->counters.now[COUNTED_LINKS]++; break;
	case LOG_POP_PACKET: l->counters.now[COUNTED_LINKS]--; break;
	case LOG_PHASE:
	case LOG_EVENT: break;
	}
}

void log_counters_until(struct net_log *l, int64_t time)
{
	struct log_counters *c = &l->counters;
	bool changed = false;

	if (time <= c->time)
		return;
	for (int i = 0; i < LOG_COUNTED; i++)
		changed |= log_counter_changed(c, (enum log_counted)i);
	if (!changed)
		return;
	if (l->setup.chrome)
		chrome_counters(l, c);
	if (l->setup.paje)
		paje_counters(l, c);
	for (int i = 0; i < LOG_COUNTED; i++)
		c->written[i] = c->now[i];
}
