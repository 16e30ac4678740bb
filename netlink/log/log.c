/*
 * Events in order of time; at one time in the order of their kinds and of what they are about, so that the files do not
 * depend on who reports first. Those of ranks and of packets' ends are known early and wait in a heap until the
 * engine's present has passed them.
 */
#include "log.h"

#include <inttypes.h>
#include <stdlib.h>

#include "../../psim/base/heap.h"
#include "../../psim/base/mem.h"
#include "../engine/engine.h"
#include "log_parts.h"

static void begin_files(struct net_log *l);

struct net_log *net_log_create(const struct net_log_setup *setup, struct err *e)
{
	struct net_log *l = mem_alloc(1, sizeof(*l), e);

	if (!l)
		return NULL;
	l->setup = *setup;
	l->first = true;
	log_series_init(&l->series, setup);
	l->known = log_has_events(l) ? mem_alloc(setup->topology->nodes, 1, e) : NULL;
	l->paraver = setup->paraver ? paraver_create(setup, e) : NULL;
	if ((log_has_events(l) && !l->known) || (setup->paraver && !l->paraver) ||
	    log_window_init(&l->window, setup, e) < 0) {
		net_log_destroy(l);
		return NULL;
	}
	begin_files(l);
	return l;
}

void net_log_destroy(struct net_log *l)
{
	if (!l)
		return;
	log_divided_finish(&l->divided);
	log_series_finish(&l->series);
	log_window_finish(&l->window);
	free(l->heap);
	free(l->inside);
	free(l->known);
	vec_finish(&l->values);
	paraver_destroy(l->paraver);
	free(l);
}

/* ---- series ---- */
int64_t net_log_next_sample(const struct net_log *l)
{
	return l->series.next;
}

bool net_log_wants_links(const struct net_log *l)
{
	return l->series.links > 0;
}

void net_log_sample(struct net_log *l, const struct net_log_class *classes, const uint32_t fill[NET_LOG_FILL_CLASSES],
		    const uint64_t *filled, const uint64_t *links)
{
	if (log_series_add(&l->series, classes, fill, filled, links, l->last_arrival) < 0)
		l->short_of_memory = true;
}

void net_log_complete(struct net_log *l)
{
	log_series_end(&l->series, l->last_arrival);
}

void net_log_report(const struct net_log *l, struct report *r)
{
	log_series_report(&l->series, r);
}

int64_t net_log_interval(const struct net_log *l)
{
	return l->series.interval;
}

double net_log_carried(const struct net_log *l, unsigned class, int64_t time)
{
	return log_series_carried(&l->series, time, class);
}

int net_log_map(const struct net_log *l, struct report *r, struct err *e)
{
	return l->series.links ? log_map_report(&l->series, l->setup.changes, r, e) : 0;
}

int net_log_picture(const struct net_log *l, const char *title, FILE *out, struct err *e)
{
	return log_series_picture(&l->series, title, out, e);
}

/* ---- writing ---- */
static void begin_files(struct net_log *l)
{
	if (l->setup.chrome)
		chrome_begin(l);
	if (l->setup.paje)
		paje_begin(l);
}

/* Defines a rank's line on its first event. */
static bool know_rank(struct net_log *l, const struct log_event *v)
{
	uint8_t *inside;

	if (v->from >= l->ranks) {
		inside = mem_resize(l->inside, (size_t)v->from + 1, 1, NULL);
		if (!inside) {
			l->short_of_memory = true;
			return false;
		}
		for (uint32_t i = l->ranks; i <= v->from; i++)
			inside[i] = 0;
		l->inside = inside;
		l->ranks = v->from + 1;
	}
	if (l->inside[v->from] & INSIDE_KNOWN)
		return true;
	l->inside[v->from] = INSIDE_KNOWN;
	if (l->setup.paje)
		paje_rank(l, v);
	if (l->setup.chrome)
		chrome_rank(l, v->from);
	return true;
}

/* Defines a node's line on its first message. */
static void know_node(struct net_log *l, int64_t time, uint32_t node)
{
	if (l->setup.paje)
		paje_node(l, time, node);
	if (l->setup.chrome)
		chrome_node(l, node);
}

static void write_event(struct net_log *l, const struct log_event *v)
{
	log_counters_until(l, v->time);
	l->written = v->time;
	if (log_is_of_rank(v) && !know_rank(l, v))
		return;
	if (log_is_state(v) && !v->name && !log_is_inside(l, v))
		return;
	if (v->what == LOG_MESSAGE || v->what == LOG_DELIVERED) {
		know_node(l, v->time, v->from);
		know_node(l, v->time, v->to);
	}
	if (log_is_state(v) && v->name && log_is_inside(l, v)) /* ends the one before */
		write_event(l, &(struct log_event){.what = v->what, .time = v->time, .from = v->from, .to = v->to});
	if (l->setup.chrome)
		chrome_event(l, v);
	if (l->setup.paje)
		paje_event(l, v);
	if (l->paraver)
		paraver_event(l, v);
	log_count(l, v);
	if (!log_is_state(v))
		return;
	l->inside[v->from] &= (uint8_t)~log_bit_of(v);
	if (v->name)
		l->inside[v->from] |= (uint8_t)log_bit_of(v);
}

/* ---- order ---- */
HEAP(events, struct log_event, log_before)

static void write_before(struct net_log *l, int64_t time)
{
	while (l->count && l->heap[0].time < time) {
		struct log_event event = events_pop(l->heap, l->count--);

		write_event(l, &event);
	}
}

/* Opens the window: current states of ranks begin with it. */
static void open_window(struct net_log *l)
{
	struct log_window *w = &l->window;

	w->opened = true;
	for (int line = LOG_LINES - 1; line >= 0; line--)
		for (uint32_t i = 0; i < w->early[line].count; i++) {
			struct log_early early = w->early[line].at[i];
			struct log_event event = {.what = LOG_WAIT + line,
						  .time = w->from,
						  .from = w->first + i,
						  .to = early.node,
						  .name = early.name,
						  .at = early.at,
						  .computes = early.computes};

			/* before other events of the same time */
			if (event.name)
				write_event(l, &event);
		}
}

/* Ends the current states of ranks. */
static void end_states(struct net_log *l, int64_t time)
{
	for (uint32_t i = 0; i < l->ranks; i++)
		for (int line = 0; l->inside[i] && line < LOG_LINES; line++)
			write_event(l, &(struct log_event){.what = LOG_WAIT + line, .time = time, .from = i});
}

static void flush_before(struct net_log *l, int64_t time)
{
	const struct log_window *w = &l->window;

	if (w->on && !w->opened && time > w->from)
		open_window(l);
	if (w->on && !w->closed && time > w->to) {
		write_before(l, w->to + 1);
		l->window.closed = true;
		end_states(l, w->to);
	}
	write_before(l, time);
}

void net_log_present(struct net_log *l, int64_t time_ps)
{
	flush_before(l, time_ps);
}

static void log_add(struct net_log *l, struct log_event event)
{
	if (!l->setup.chrome && !l->setup.paje && !l->setup.paraver)
		return;
	if (l->count == l->room) {
		uint32_t room = l->room ? 2 * l->room : 256;
		struct log_event *heap = mem_resize(l->heap, room, sizeof(*heap), NULL);

		if (!heap) {
			l->short_of_memory = true;
			return;
		}
		l->heap = heap;
		l->room = room;
	}
	event.order = l->order++;
	events_push(l->heap, l->count++, event);
}

int net_log_finish(struct net_log *l, struct err *e)
{
	log_divided_pass_all(l);
	flush_before(l, INT64_MAX);
	end_states(l, l->written); /* of a run that was interrupted */
	log_counters_until(l, INT64_MAX);
	if (l->setup.chrome)
		chrome_end(l);
	if (l->paraver && paraver_end(l, e) < 0)
		return -1;
	return l->short_of_memory ? mem_short(e) : 0;
}

/* ---- events of engines, in the order of time ---- */
void log_message(struct net_log *l, const struct log_event *v)
{
	int wanted = log_window_begins(&l->window, v);

	flush_before(l, v->time);
	if (wanted > 0)
		log_add(l, *v);
	else if (wanted < 0)
		l->short_of_memory = true;
}

void log_delivered(struct net_log *l, const struct log_event *v)
{
	flush_before(l, v->time);
	if (log_window_ends(&l->window.flying, &l->window, v->serial))
		log_add(l, *v);
}

void log_packet(struct net_log *l, const struct log_event *v)
{
	struct log_event end = *v;

	if (!log_window_has(&l->window, v->serial))
		return;
	log_add(l, *v);
	end.what = LOG_POP_PACKET;
	end.time = v->end;
	log_add(l, end);
}

/* ---- events from engines and ranks ---- */
static struct log_event of_message(enum log_what what, int64_t time, uint64_t serial, const struct net_message *m)
{
	return (struct log_event){
		.what = what,
		.time = time,
		.serial = serial,
		.from = m->src,
		.to = m->dst,
		.nic = m->nic,
		.bytes = m->bytes,
	};
}

void net_log_message(struct net_log *l, int64_t time_ps, uint64_t serial, const struct net_message *m)
{
	const struct log_event event = of_message(LOG_MESSAGE, time_ps, serial, m);

	if (l->divided.on)
		log_divided_add(l, &event);
	else
		log_message(l, &event);
}

void net_log_delivered(struct net_log *l, int64_t time_ps, uint64_t serial, const struct net_message *m)
{
	const struct log_event event = of_message(LOG_DELIVERED, time_ps, serial, m);

	l->last_arrival = time_ps;
	if (l->divided.on)
		log_divided_add(l, &event);
	else
		log_delivered(l, &event);
}

bool net_log_wants_events(const struct net_log *l)
{
	return log_has_events(l);
}

bool net_log_wants_packets(const struct net_log *l)
{
	return l->setup.packets && log_has_events(l);
}

void net_log_packet(struct net_log *l, uint32_t link, int64_t time_ps, int64_t end_ps, uint64_t serial)
{
	const struct log_event event = {
		.what = LOG_PUSH_PACKET,
		.time = time_ps,
		.end = end_ps,
		.serial = serial,
		.from = link,
	};

	if (l->divided.on)
		log_divided_add(l, &event);
	else
		log_packet(l, &event);
}

static void add_state(struct net_log *l, enum log_line line, struct log_event event)
{
	int wanted = log_window_state(&l->window, line, &event);

	if (wanted > 0)
		log_add(l, event);
	else if (wanted < 0)
		l->short_of_memory = true;
}

void net_log_state(struct net_log *l, const struct net_log_state *s)
{
	struct log_event event = {.time = s->time_ps, .from = s->rank, .to = s->node};
	enum log_line line = LOG_LINE_STATE;

	switch (s->kind) {
	case NET_LOG_CALLS:
	case NET_LOG_COMPUTES:
		event.name = s->name;
		event.at = s->at;
		event.computes = s->kind == NET_LOG_COMPUTES;
		break;
	case NET_LOG_ENDS: break;
	case NET_LOG_WAITS: event.name = ""; __attribute__((fallthrough));
	case NET_LOG_CONTINUES: line = LOG_LINE_WAIT; break;
	case NET_LOG_LAST: line = LOG_LINE_PHASE; break;
	}
	event.what = LOG_WAIT + line;
	add_state(l, line, event);
}

void net_log_phase(struct net_log *l, uint32_t rank, uint32_t node, int64_t time_ps, const char *name)
{
	add_state(l, LOG_LINE_PHASE,
		  (struct log_event){.what = LOG_PHASE, .time = time_ps, .from = rank, .to = node, .name = name});
}

void net_log_arrow(struct net_log *l, const struct net_log_arrow *a)
{
	struct log_event event = {
		.what = a->received ? LOG_ARROW_END : LOG_ARROW,
		.time = a->time_ps,
		.serial = (uint64_t)a->src << LOG_ARROW_BITS | (a->serial & ((UINT64_C(1) << LOG_ARROW_BITS) - 1)),
		.bytes = a->bytes,
		.tag = a->tag,
		.from = a->received ? a->dst : a->src,
		.to = a->node,
	};
	int wanted = a->received ? log_window_ends(&l->window.arrows, &l->window, event.serial)
				 : log_window_arrow(&l->window, a, event.serial);

	if (wanted > 0)
		log_add(l, event);
	else if (wanted < 0)
		l->short_of_memory = true;
}

void net_log_event(struct net_log *l, uint32_t rank, uint32_t node, int64_t time_ps, const char *name)
{
	if (log_window_wants(&l->window, rank, time_ps))
		log_add(l,
			(struct log_event){.what = LOG_EVENT, .time = time_ps, .from = rank, .to = node, .name = name});
}
