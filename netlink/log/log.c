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

static void paje_header(FILE *out);
static void begin_files(struct net_log *l);

struct net_log *net_log_create(const struct net_log_setup *setup, struct err *e)
{
	struct net_log *l = mem_alloc(1, sizeof(*l), e);

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
	log_divided_finish(&l->divided);
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

void net_log_sample(struct net_log *l, const struct net_log_class *classes, const uint32_t fill[NET_LOG_FILL_CLASSES],
		    const uint64_t *filled)
{
	if (log_series_add(&l->series, classes, fill, filled, l->last_arrival) < 0)
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

int net_log_picture(const struct net_log *l, const char *title, FILE *out, struct err *e)
{
	return log_series_picture(&l->series, title, out, e);
}

/* ---- writing ---- */
static void chrome_begin(struct net_log *l)
{
	fputs(l->first ? "\n" : ",\n", l->setup.chrome);
	l->first = false;
}

/* Writes picoseconds as microseconds, Chrome's unit, and as seconds. */
static void put_us(FILE *out, int64_t ps)
{
	fprintf(out, "%" PRId64 ".%06" PRId64, ps / 1000000, ps % 1000000);
}
static void put_seconds(FILE *out, int64_t ps)
{
	fprintf(out, "%" PRId64 ".%012" PRId64, ps / 1000000000000, ps % 1000000000000);
}

/* Names of messages: node and number. */
static void put_serial(FILE *out, uint64_t serial)
{
	fprintf(out, "%" PRIu64 ".%" PRIu64, serial >> 32, serial & UINT32_MAX);
}

/* ---- states and phases: what is the same in both formats ---- */
static bool is_state(const struct log_event *v)
{
	return v->what == LOG_STATE || v->what == LOG_PHASE;
}

static unsigned bit_of(const struct log_event *v)
{
	return v->what == LOG_PHASE ? INSIDE_PHASE : INSIDE_STATE;
}

static bool is_inside(const struct net_log *l, const struct log_event *v)
{
	return l->inside[v->from] & bit_of(v);
}

/* Writes a name from the program in quotes, without characters that would end the quotes or the line. */
static void put_name(FILE *out, const char *name)
{
	fputc('"', out);
	for (; *name; name++)
		if ((unsigned char)*name >= ' ' && *name != '"' && *name != '\\' && *name != 0x7f)
			fputc(*name, out);
	fputc('"', out);
}

/* Rows of the viewer: nodes are processes from 0 on, ranks are processes after them, links are one process. */
enum { CHROME_RANKS = 1 << 28, CHROME_LINKS = 1 << 29 };

static void chrome_end(FILE *out, const struct log_event *v)
{
	fprintf(out, "{\"ph\":\"E\",\"pid\":%u,\"tid\":%d,\"ts\":", CHROME_RANKS + v->from, v->what == LOG_PHASE);
}

static void chrome_state(FILE *out, const struct log_event *v)
{
	if (!v->name) {
		chrome_end(out, v);
		return;
	}
	fputs("{\"name\":", out);
	put_name(out, v->name);
	fprintf(out, ",\"ph\":\"B\",\"pid\":%u,\"tid\":%d,\"ts\":", CHROME_RANKS + v->from, v->what == LOG_PHASE);
}

static void chrome_event(struct net_log *l, const struct log_event *v)
{
	FILE *out = l->setup.chrome;

	if (v->what == LOG_POP_PACKET || (is_state(v) && !v->name && !is_inside(l, v)))
		return;
	if (is_state(v) && v->name && is_inside(l, v)) { /* ends the previous state */
		chrome_begin(l);
		chrome_end(out, v);
		put_us(out, v->time);
		fputs("}", out);
	}
	if (v->what == LOG_PHASE && !(l->inside[v->from] & INSIDE_NAMED)) {
		l->inside[v->from] |= INSIDE_NAMED;
		chrome_begin(l);
		fprintf(out,
			"{\"name\":\"thread_name\",\"ph\":\"M\",\"pid\":%u,\"tid\":1,"
			"\"args\":{\"name\":\"phase\"}}",
			CHROME_RANKS + v->from);
	}
	chrome_begin(l);
	switch (v->what) {
	case LOG_MESSAGE:
	case LOG_DELIVERED:
		fprintf(out, "{\"name\":\"%" PRIu32 " to %" PRIu32 "\",\"cat\":\"message\",\"ph\":\"%c\",\"id\":\"",
			v->from, v->to, v->what == LOG_MESSAGE ? 'b' : 'e');
		put_serial(out, v->serial);
		fprintf(out,
			"\",\"pid\":%" PRIu32 ",\"tid\":%" PRId32 ",\"args\":{\"bytes\":%" PRIu64 "},\"ts\":", v->from,
			v->nic < 0 ? 0 : v->nic, v->bytes);
		break;
	case LOG_STATE:
	case LOG_PHASE: chrome_state(out, v); break;
	case LOG_EVENT:
		fputs("{\"name\":", out);
		put_name(out, v->name);
		fprintf(out, ",\"ph\":\"i\",\"s\":\"t\",\"pid\":%u,\"tid\":0,\"ts\":", CHROME_RANKS + v->from);
		break;
	default:
		fputs("{\"name\":\"message ", out);
		put_serial(out, v->serial);
		fprintf(out, "\",\"cat\":\"packet\",\"ph\":\"X\",\"pid\":%d,\"tid\":%" PRIu32 ",\"dur\":", CHROME_LINKS,
			v->from);
		put_us(out, v->end - v->time);
		fputs(",\"ts\":", out);
	}
	put_us(out, v->time);
	fputs("}", out);
}

static void paje_event(struct net_log *l, const struct log_event *v)
{
	FILE *out = l->setup.paje;
	int number = v->what == LOG_MESSAGE                                   ? 6
		     : v->what == LOG_DELIVERED                               ? 7
		     : v->what == LOG_EVENT                                   ? 11
		     : v->what == LOG_PUSH_PACKET || (is_state(v) && v->name) ? 8
									      : 9;
	char type = v->what == LOG_PHASE ? 'P' : v->what == LOG_EVENT ? 'E' : 'S';

	if (is_state(v) && v->name && is_inside(l, v)) {
		fputs("9 ", out);
		put_seconds(out, v->time);
		fprintf(out, " r%" PRIu32 " %c\n", v->from, type);
	}
	if (is_state(v) && !v->name && !is_inside(l, v))
		return;
	fprintf(out, "%d ", number);
	put_seconds(out, v->time);
	switch (v->what) {
	case LOG_MESSAGE:
	case LOG_DELIVERED:
		fprintf(out, " net M n%" PRIu32 " %" PRIu64 " ", v->what == LOG_MESSAGE ? v->from : v->to, v->bytes);
		put_serial(out, v->serial);
		fputc('\n', out);
		break;
	case LOG_PUSH_PACKET:
		fprintf(out, " l%" PRIu32 " B ", v->from);
		put_serial(out, v->serial);
		fputc('\n', out);
		break;
	case LOG_POP_PACKET: fprintf(out, " l%" PRIu32 " B\n", v->from); break;
	default:
		fprintf(out, " r%" PRIu32 " %c", v->from, type);
		if (v->name) {
			fputc(' ', out);
			put_name(out, v->name);
		}
		fputc('\n', out);
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
#define FIELDS(...) (const char *const[]){__VA_ARGS__, NULL}
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
	define(out, "PajeDefineEventType", 10, FIELDS("Alias", "string", "Type", "string", "Name", "string"));
	define(out, "PajeNewEvent", 11,
	       FIELDS("Time", "date", "Container", "string", "Type", "string", "Value", "string"));
#undef FIELDS
	fputs("1 N 0 Network\n1 O N Node\n1 R O Rank\n1 L N Link\n2 S R State\n2 P R Phase\n2 B L Busy\n"
	      "3 M N O O Message\n10 E R Event\n",
	      out);
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

/* Defines a node's line on its first event in a window. */
static void know_node(struct net_log *l, int64_t time, uint32_t node)
{
	if (!l->window.on || !l->setup.paje || l->window.node[node] & LOG_NODE_KNOWN)
		return;
	l->window.node[node] |= LOG_NODE_KNOWN;
	fputs("4 ", l->setup.paje);
	put_seconds(l->setup.paje, time);
	fprintf(l->setup.paje, " n%" PRIu32 " O net node%" PRIu32 "\n", node, node);
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
	if ((is_state(v) || v->what == LOG_EVENT) && !know_rank(l, v))
		return;
	if (v->what == LOG_MESSAGE || v->what == LOG_DELIVERED) {
		know_node(l, v->time, v->from);
		know_node(l, v->time, v->to);
	}
	if (l->setup.chrome)
		chrome_event(l, v);
	if (l->setup.paje)
		paje_event(l, v);
	if (!is_state(v))
		return;
	l->inside[v->from] &= (uint8_t)~bit_of(v);
	if (v->name)
		l->inside[v->from] |= (uint8_t)bit_of(v);
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
			struct log_event event = {.what = line == LOG_LINE_PHASE ? LOG_PHASE : LOG_STATE,
						  .time = w->from,
						  .from = w->first + i,
						  .to = early.node,
						  .name = early.name};

			/* before other events of the same time */
			if (event.name)
				write_event(l, &event);
		}
}

/* Closes the window: current states of ranks end with it. */
static void close_window(struct net_log *l)
{
	l->window.closed = true;
	for (uint32_t i = 0; i < l->ranks; i++) {
		if (l->inside[i] & INSIDE_STATE)
			write_event(l, &(struct log_event){.what = LOG_STATE, .time = l->window.to, .from = i});
		if (l->inside[i] & INSIDE_PHASE)
			write_event(l, &(struct log_event){.what = LOG_PHASE, .time = l->window.to, .from = i});
	}
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

static void log_add(struct net_log *l, struct log_event event)
{
	if (!l->setup.chrome && !l->setup.paje)
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
	if (l->setup.chrome)
		fputs("\n]}\n", l->setup.chrome);
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
	if (log_window_ends(&l->window, v->serial))
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
	if (l->setup.paje)
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
	int wanted = log_window_state(&l->window, line, event.from, event.to, event.time, event.name);

	if (wanted > 0)
		log_add(l, event);
	else if (wanted < 0)
		l->short_of_memory = true;
}

void net_log_state(struct net_log *l, uint32_t rank, uint32_t node, int64_t time_ps, const char *name)
{
	add_state(l, LOG_LINE_STATE,
		  (struct log_event){.what = LOG_STATE, .time = time_ps, .from = rank, .to = node, .name = name});
}

void net_log_phase(struct net_log *l, uint32_t rank, uint32_t node, int64_t time_ps, const char *name)
{
	add_state(l, LOG_LINE_PHASE,
		  (struct log_event){.what = LOG_PHASE, .time = time_ps, .from = rank, .to = node, .name = name});
}

void net_log_event(struct net_log *l, uint32_t rank, uint32_t node, int64_t time_ps, const char *name)
{
	if (log_window_wants(&l->window, rank, time_ps))
		log_add(l,
			(struct log_event){.what = LOG_EVENT, .time = time_ps, .from = rank, .to = node, .name = name});
}
