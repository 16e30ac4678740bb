/*
 * Events in the order of their times: those of ranks and of packets' ends come early and wait in a
 * heap until the engine's present has passed them.
 */
#include "log.h"

#include <inttypes.h>
#include <stdlib.h>

#include "../../psim/base/heap.h"
#include "../../psim/base/mem.h"
#include "engine.h"
#include "log_parts.h"

enum log_what { LOG_POP_PACKET, LOG_DELIVERED, LOG_STATE, LOG_MESSAGE, LOG_PUSH_PACKET };

/* What an event says; which members count depends on `what`. */
struct log_event {
	int64_t time, end;
	uint64_t order;  /* of its coming, for ties */
	uint64_t serial, bytes;
	const char *name;
	uint32_t from, to;  /* nodes; rank and node; link */
	int32_t nic;
	enum log_what what;
};

struct net_log {
	struct net_log_setup setup;
	struct log_series series;
	struct log_window window;
	struct log_event *heap;
	uint32_t count, room, ranks; /* ranks: those that have a line of their own */
	uint8_t *inside;             /* of each rank: is it in a state? */
	uint64_t order;
	bool short_of_memory, first;
};

static void paje_header(FILE *out);
static void begin_files(struct net_log *l);

struct net_log *net_log_create(const struct net_log_setup *setup, struct err *e)
{
	struct net_log *l = mem_alloc(1, sizeof *l, e);

	if (!l)
		return NULL;
	l->setup = *setup;
	l->first = true;
	log_series_init(&l->series, setup);
	if (log_window_init(&l->window, setup, e) < 0) {
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
	log_series_finish(&l->series);
	log_window_finish(&l->window);
	free(l->heap);
	free(l->inside);
	free(l);
}

/* ---- series ---- */
int64_t net_log_next_sample(const struct net_log *l)
{
	return l->series.next;
}

void net_log_sample(struct net_log *l, const struct net_log_class *classes,
                    const uint32_t fill[NET_LOG_FILL_CLASSES], const double *filled)
{
	if (log_series_add(&l->series, classes, fill, filled) < 0)
		l->short_of_memory = true;
}

void net_log_report(const struct net_log *l, struct report *r)
{
	log_series_report(&l->series, r);
}

/* ---- writing ---- */
static void chrome_begin(struct net_log *l)
{
	fputs(l->first ? "\n" : ",\n", l->setup.chrome);
	l->first = false;
}

/* Picoseconds as the microseconds that Chrome wants, and as seconds. */
static void put_us(FILE *out, int64_t ps)
{
	fprintf(out, "%" PRId64 ".%06" PRId64, ps / 1000000, ps % 1000000);
}
static void put_seconds(FILE *out, int64_t ps)
{
	fprintf(out, "%" PRId64 ".%012" PRId64, ps / 1000000000000, ps % 1000000000000);
}

/* Rows of the viewer: nodes are processes 0 …; ranks are processes behind them; links one process. */
enum { CHROME_RANKS = 1 << 28, CHROME_LINKS = 1 << 29 };

static void chrome_event(struct net_log *l, const struct log_event *v)
{
	FILE *out = l->setup.chrome;

	if (v->what == LOG_POP_PACKET || (v->what == LOG_STATE && !v->name && !l->inside[v->from]))
		return;
	if (v->what == LOG_STATE && v->name && l->inside[v->from]) { /* the last state ends */
		chrome_begin(l);
		fprintf(out, "{\"ph\":\"E\",\"pid\":%u,\"tid\":0,\"ts\":", CHROME_RANKS + v->from);
		put_us(out, v->time);
		fputs("}", out);
	}
	chrome_begin(l);
	switch (v->what) {
	case LOG_MESSAGE:
	case LOG_DELIVERED:
		fprintf(out,
		        "{\"name\":\"%" PRIu32 " to %" PRIu32 "\",\"cat\":\"message\",\"ph\":\"%c\",\"id\":%" PRIu64
		        ",\"pid\":%" PRIu32 ",\"tid\":%" PRId32 ",\"args\":{\"bytes\":%" PRIu64 "},\"ts\":",
		        v->from, v->to, v->what == LOG_MESSAGE ? 'b' : 'e', v->serial, v->from,
		        v->nic < 0 ? 0 : v->nic, v->bytes);
		break;
	case LOG_STATE:
		if (v->name)
			fprintf(out, "{\"name\":\"%s\",\"ph\":\"B\",\"pid\":%u,\"tid\":0,\"ts\":", v->name,
			        CHROME_RANKS + v->from);
		else
			fprintf(out, "{\"ph\":\"E\",\"pid\":%u,\"tid\":0,\"ts\":", CHROME_RANKS + v->from);
		break;
	default:
		fprintf(out,
		        "{\"name\":\"message %" PRIu64 "\",\"cat\":\"packet\",\"ph\":\"X\",\"pid\":%d,"
		        "\"tid\":%" PRIu32 ",\"dur\":",
		        v->serial, CHROME_LINKS, v->from);
		put_us(out, v->end - v->time);
		fputs(",\"ts\":", out);
	}
	put_us(out, v->time);
	fputs("}", out);
}

static void paje_event(struct net_log *l, const struct log_event *v)
{
	FILE *out = l->setup.paje;
	int number = v->what == LOG_MESSAGE     ? 6
	             : v->what == LOG_DELIVERED ? 7
	             : v->what == LOG_PUSH_PACKET || (v->what == LOG_STATE && v->name) ? 8
	                                                                              : 9;

	if (v->what == LOG_STATE && v->name && l->inside[v->from]) {
		fputs("9 ", out);
		put_seconds(out, v->time);
		fprintf(out, " r%" PRIu32 " S\n", v->from);
	}
	if (v->what == LOG_STATE && !v->name && !l->inside[v->from])
		return;
	fprintf(out, "%d ", number);
	put_seconds(out, v->time);
	switch (v->what) {
	case LOG_MESSAGE:
	case LOG_DELIVERED:
		fprintf(out, " net M n%" PRIu32 " %" PRIu64 " %" PRIu64 "\n", v->what == LOG_MESSAGE ? v->from : v->to,
		        v->bytes, v->serial);
		break;
	case LOG_PUSH_PACKET: fprintf(out, " l%" PRIu32 " B %" PRIu64 "\n", v->from, v->serial); break;
	case LOG_POP_PACKET: fprintf(out, " l%" PRIu32 " B\n", v->from); break;
	default:
		if (v->name)
			fprintf(out, " r%" PRIu32 " S %s\n", v->from, v->name);
		else
			fprintf(out, " r%" PRIu32 " S\n", v->from);
	}
}

static void define(FILE *out, const char *name, unsigned number, const char *const *fields)
{
	fprintf(out, "%%EventDef %s %u\n", name, number);
	for (; *fields; fields += 2)
		fprintf(out, "%% %s %s\n", fields[0], fields[1]);
	fputs("%EndEventDef\n", out);
}

static void paje_header(FILE *out)
{
#define FIELDS(...) (const char *const[]){ __VA_ARGS__, NULL }
	define(out, "PajeDefineContainerType", 1, FIELDS("Alias", "string", "Type", "string", "Name", "string"));
	define(out, "PajeDefineStateType", 2, FIELDS("Alias", "string", "Type", "string", "Name", "string"));
	define(out, "PajeDefineLinkType", 3,
	       FIELDS("Alias", "string", "Type", "string", "StartContainerType", "string", "EndContainerType", "string",
	              "Name", "string"));
	define(out, "PajeCreateContainer", 4,
	       FIELDS("Time", "date", "Alias", "string", "Type", "string", "Container", "string", "Name", "string"));
	define(out, "PajeDestroyContainer", 5, FIELDS("Time", "date", "Type", "string", "Name", "string"));
	define(out, "PajeStartLink", 6,
	       FIELDS("Time", "date", "Container", "string", "Type", "string", "StartContainer", "string", "Value",
	              "string", "Key", "string"));
	define(out, "PajeEndLink", 7,
	       FIELDS("Time", "date", "Container", "string", "Type", "string", "EndContainer", "string", "Value",
	              "string", "Key", "string"));
	define(out, "PajePushState", 8,
	       FIELDS("Time", "date", "Container", "string", "Type", "string", "Value", "string"));
	define(out, "PajePopState", 9, FIELDS("Time", "date", "Container", "string", "Type", "string"));
#undef FIELDS
	fputs("1 N 0 Network\n1 O N Node\n1 R O Rank\n1 L N Link\n2 S R State\n2 B L Busy\n3 M N O O Message\n", out);
	fputs("4 0.0 net N 0 network\n", out);
}

static void begin_files(struct net_log *l)
{
	const struct topology *t = l->setup.topology;
	FILE *out = l->setup.paje;

	if (l->setup.chrome)
		fputs("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[", l->setup.chrome);
	if (!out)
		return;
	paje_header(out);
	for (uint32_t i = 0; !l->window.on && i < t->nodes; i++)
		fprintf(out, "4 0.0 n%" PRIu32 " O net node%" PRIu32 "\n", i, i);
	for (uint32_t i = 0; l->setup.packets && i < t->links; i++)
		fprintf(out, "4 0.0 l%" PRIu32 " L net link%" PRIu32 "_%s\n", i, i, t->class[t->link[i].class].name);
}

/* In a window: a node's line, when it is first heard of. */
static void know_node(struct net_log *l, int64_t time, uint32_t node)
{
	if (!l->window.on || !l->setup.paje || l->window.node[node] & LOG_NODE_KNOWN)
		return;
	l->window.node[node] |= LOG_NODE_KNOWN;
	fputs("4 ", l->setup.paje);
	put_seconds(l->setup.paje, time);
	fprintf(l->setup.paje, " n%" PRIu32 " O net node%" PRIu32 "\n", node, node);
}

/* A rank's line, when it is first heard of. */
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
			inside[i] = 2;
		l->inside = inside;
		l->ranks = v->from + 1;
	}
	if (l->inside[v->from] < 2)
		return true;
	l->inside[v->from] = 0;
	know_node(l, v->time, v->to);
	if (l->setup.paje) {
		fputs("4 ", l->setup.paje);
		put_seconds(l->setup.paje, v->time);
		fprintf(l->setup.paje, " r%" PRIu32 " R n%" PRIu32 " rank%" PRIu32 "\n", v->from, v->to, v->from);
	}
	if (l->setup.chrome) {
		chrome_begin(l);
		fprintf(l->setup.chrome,
		        "{\"name\":\"process_name\",\"ph\":\"M\",\"pid\":%u,\"args\":{\"name\":\"rank %" PRIu32 "\"}}",
		        CHROME_RANKS + v->from, v->from);
	}
	return true;
}

static void write_event(struct net_log *l, const struct log_event *v)
{
	if (v->what == LOG_STATE && !know_rank(l, v))
		return;
	if (v->what == LOG_MESSAGE || v->what == LOG_DELIVERED) {
		know_node(l, v->time, v->from);
		know_node(l, v->time, v->to);
	}
	if (l->setup.chrome)
		chrome_event(l, v);
	if (l->setup.paje)
		paje_event(l, v);
	if (v->what == LOG_STATE)
		l->inside[v->from] = v->name != NULL;
}

/* ---- order ---- */
static bool before(const struct log_event *a, const struct log_event *b)
{
	return a->time < b->time || (a->time == b->time && a->order < b->order);
}

HEAP(events, struct log_event, before)

static void write_before(struct net_log *l, int64_t time)
{
	while (l->count && l->heap[0].time < time) {
		struct log_event event = events_pop(l->heap, l->count--);

		write_event(l, &event);
	}
}

/* The window opens: what ranks are in by now begins with it. */
static void open_window(struct net_log *l)
{
	struct log_window *w = &l->window;

	w->opened = true;
	for (uint32_t i = 0; i < w->early_count; i++) {
		struct log_event event = { .what = LOG_STATE, .time = w->from, .from = w->first + i,
			                   .to = w->early[i].node, .name = w->early[i].name };

		/* before what happens at the same time */
		if (event.name && know_rank(l, &event))
			write_event(l, &event);
	}
}

/* It closes: what ranks are in still ends with it. */
static void close_window(struct net_log *l)
{
	l->window.closed = true;
	for (uint32_t i = 0; i < l->ranks; i++)
		if (l->inside[i] == 1)
			write_event(l, &(struct log_event){ .what = LOG_STATE, .time = l->window.to, .from = i });
}

static void flush_before(struct net_log *l, int64_t time)
{
	const struct log_window *w = &l->window;

	if (w->on && !w->opened && time > w->from)
		open_window(l);
	if (w->on && !w->closed && time > w->to) {
		write_before(l, w->to + 1);
		close_window(l);
	}
	write_before(l, time);
}

void net_log_present(struct net_log *l, int64_t time_ps)
{
	flush_before(l, time_ps);
}

static void add(struct net_log *l, struct log_event event)
{
	if (!l->setup.chrome && !l->setup.paje)
		return;
	if (l->count == l->room) {
		uint32_t room = l->room ? 2 * l->room : 256;
		struct log_event *heap = mem_resize(l->heap, room, sizeof *heap, NULL);

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
	flush_before(l, INT64_MAX);
	if (l->setup.chrome)
		fputs("\n]}\n", l->setup.chrome);
	return l->short_of_memory ? mem_short(e) : 0;
}

/* ---- what is told ---- */
static struct log_event of_message(enum log_what what, int64_t time, uint64_t serial, const struct net_message *m)
{
	return (struct log_event){
		.what = what, .time = time, .serial = serial,
		.from = m->src, .to = m->dst, .nic = m->nic, .bytes = m->bytes,
	};
}

void net_log_message(struct net_log *l, int64_t time_ps, uint64_t serial, const struct net_message *m)
{
	int wanted = log_window_begins(&l->window, time_ps, serial, m);

	flush_before(l, time_ps);
	if (wanted > 0)
		add(l, of_message(LOG_MESSAGE, time_ps, serial, m));
	else if (wanted < 0)
		l->short_of_memory = true;
}

void net_log_delivered(struct net_log *l, int64_t time_ps, uint64_t serial, const struct net_message *m)
{
	flush_before(l, time_ps);
	if (log_window_ends(&l->window, serial))
		add(l, of_message(LOG_DELIVERED, time_ps, serial, m));
}

bool net_log_wants_packets(const struct net_log *l)
{
	return l->setup.packets && (l->setup.chrome || l->setup.paje);
}

void net_log_packet(struct net_log *l, uint32_t link, int64_t time_ps, int64_t end_ps, uint64_t serial)
{
	struct log_event event = {
		.what = LOG_PUSH_PACKET, .time = time_ps, .end = end_ps, .serial = serial, .from = link,
	};

	if (!log_window_has(&l->window, serial))
		return;
	add(l, event);
	event.what = LOG_POP_PACKET;
	event.time = end_ps;
	if (l->setup.paje)
		add(l, event);
}

void net_log_state(struct net_log *l, uint32_t rank, uint32_t node, int64_t time_ps, const char *name)
{
	int wanted = log_window_state(&l->window, rank, node, time_ps, name);

	if (wanted > 0)
		add(l, (struct log_event){ .what = LOG_STATE, .time = time_ps, .from = rank, .to = node,
		                           .name = name });
	else if (wanted < 0)
		l->short_of_memory = true;
}
