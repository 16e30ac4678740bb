/* Events as Chrome's JSON. Times are microseconds. */
#include <inttypes.h>

#include "../engine/engine.h"
#include "log_parts.h"
#include "log_text.h"

/* Rows of the viewer: nodes are processes from 0 on, ranks follow; links and counters are one process each. */
enum { CHROME_RANKS = 1 << 28, CHROME_LINKS = 1 << 29, CHROME_COUNTERS };

/* Begins an event. */
static FILE *chrome_next(struct net_log *l)
{
	fputs(l->first ? "\n" : ",\n", l->setup.chrome);
	l->first = false;
	return l->setup.chrome;
}

static void put_us(FILE *out, int64_t ps)
{
	fprintf(out, "%" PRId64 ".%06" PRId64, ps / 1000000, ps % 1000000);
}

/* Ends an event with its time. */
static void chrome_time(FILE *out, int64_t ps)
{
	fputs(",\"ts\":", out);
	put_us(out, ps);
	fputs("}", out);
}

/* Names a process; `number` -1: one that is alone. */
static void chrome_process(struct net_log *l, unsigned pid, const char *name, int64_t number)
{
	FILE *out = chrome_next(l);

	fprintf(out, "{\"name\":\"process_name\",\"ph\":\"M\",\"pid\":%u,\"args\":{\"name\":\"%s", pid, name);
	if (number >= 0)
		fprintf(out, " %" PRId64, number);
	fputs("\"}}", out);
}

/* Begins the name of a thread; chrome_name_ends ends it. */
static FILE *chrome_thread(struct net_log *l, unsigned pid, uint32_t tid)
{
	FILE *out = chrome_next(l);

	fprintf(out, "{\"name\":\"thread_name\",\"ph\":\"M\",\"pid\":%u,\"tid\":%" PRIu32 ",\"args\":{\"name\":\"", pid,
		tid);
	return out;
}

static void chrome_name_ends(FILE *out)
{
	fputs("\"}}", out);
}

void chrome_begin(struct net_log *l)
{
	const struct topology *t = l->setup.topology;

	fputs("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[", l->setup.chrome);
	if (!l->setup.packets)
		return;
	chrome_process(l, CHROME_LINKS, "links", -1);
	for (uint32_t i = 0; i < t->links; i++) {
		FILE *out = chrome_thread(l, CHROME_LINKS, i);

		log_put_link(out, t, i);
		chrome_name_ends(out);
	}
}

void chrome_rank(struct net_log *l, uint32_t rank)
{
	chrome_process(l, CHROME_RANKS + rank, "rank", rank);
}

void chrome_node(struct net_log *l, uint32_t node)
{
	FILE *out;

	if (l->known[node] & KNOWN_CHROME)
		return;
	l->known[node] |= KNOWN_CHROME;
	out = chrome_next(l);
	fprintf(out, "{\"name\":\"process_name\",\"ph\":\"M\",\"pid\":%" PRIu32 ",\"args\":{\"name\":\"", node);
	log_put_node(out, l->setup.topology, "node ", node);
	chrome_name_ends(out);
}

/* ---- events ---- */

static void chrome_message(const struct net_log *l, FILE *out, const struct log_event *v)
{
	fputs("{\"name\":\"", out);
	log_put_node(out, l->setup.topology, "", v->from);
	fputs(" to ", out);
	log_put_node(out, l->setup.topology, "", v->to);
	fprintf(out, "\",\"cat\":\"message\",\"ph\":\"%c\",\"id\":\"", v->what == LOG_MESSAGE ? 'b' : 'e');
	log_put_serial(out, v->serial);
	fprintf(out, "\",\"pid\":%" PRIu32 ",\"tid\":%" PRId32 ",\"args\":{\"bytes\":%" PRIu64 "}", v->from,
		v->nic < 0 ? 0 : v->nic, v->bytes);
}

static void chrome_packet(FILE *out, const struct log_event *v)
{
	fputs("{\"name\":\"message ", out);
	log_put_serial(out, v->serial);
	fprintf(out, "\",\"cat\":\"packet\",\"ph\":\"X\",\"pid\":%d,\"tid\":%" PRIu32 ",\"dur\":", CHROME_LINKS,
		v->from);
	put_us(out, v->end - v->time);
}

/* States and phases; the latter have a line of their own. */
static void chrome_state(FILE *out, const struct log_event *v)
{
	const char *category = v->what == LOG_PHASE ? "phase" : v->computes ? "compute" : "call";

	if (v->name) {
		fputs("{\"name\":", out);
		log_put_name(out, v->name);
		fprintf(out, ",\"cat\":\"%s\",\"ph\":\"B\"", category);
	} else {
		fputs("{\"ph\":\"E\"", out);
	}
	fprintf(out, ",\"pid\":%u,\"tid\":%d", CHROME_RANKS + v->from, v->what == LOG_PHASE);
	if (v->name && v->at) {
		fputs(",\"args\":{\"at\":", out);
		log_put_name(out, v->at);
		fputs("}", out);
	}
}

/* A flow event: an arrow from the slice around its start to that around its end. */
static void chrome_arrow(FILE *out, const struct log_event *v)
{
	fprintf(out,
		"{\"name\":\"message\",\"cat\":\"arrow\",\"ph\":\"%s,\"id\":\"0x%" PRIx64 "\",\"pid\":%u,\"tid\":0",
		v->what == LOG_ARROW ? "s\"" : "f\",\"bp\":\"e\"", v->serial, CHROME_RANKS + v->from);
	if (v->what == LOG_ARROW)
		fprintf(out, ",\"args\":{\"bytes\":%" PRIu64 ",\"tag\":%" PRId32 "}", v->bytes, v->tag);
}

void chrome_event(struct net_log *l, const struct log_event *v)
{
	FILE *out;

	if (v->what == LOG_POP_PACKET || v->what == LOG_WAIT)
		return;
	if (v->what == LOG_PHASE && !(l->inside[v->from] & INSIDE_NAMED)) {
		l->inside[v->from] |= INSIDE_NAMED;
		out = chrome_thread(l, CHROME_RANKS + v->from, 1);
		fputs("phase", out);
		chrome_name_ends(out);
	}
	out = chrome_next(l);
	switch (v->what) {
	case LOG_MESSAGE:
	case LOG_DELIVERED: chrome_message(l, out, v); break;
	case LOG_STATE:
	case LOG_PHASE: chrome_state(out, v); break;
	case LOG_ARROW:
	case LOG_ARROW_END: chrome_arrow(out, v); break;
	case LOG_EVENT:
		fputs("{\"name\":", out);
		log_put_name(out, v->name);
		fprintf(out, ",\"ph\":\"i\",\"s\":\"t\",\"pid\":%u,\"tid\":0", CHROME_RANKS + v->from);
		break;
	default: chrome_packet(out, v);
	}
	chrome_time(out, v->time);
}

/* ---- counters ---- */

static const struct {
	const char *name;
	enum log_counted first, last;
} chrome_counter[] = {
	{"ranks", COUNTED_COMPUTE, COUNTED_WAIT},
	{"messages under way", COUNTED_MESSAGES, COUNTED_MESSAGES},
	{"bytes under way", COUNTED_BYTES, COUNTED_BYTES},
	{"busy links", COUNTED_LINKS, COUNTED_LINKS},
};
static const char *const chrome_value[LOG_COUNTED] = {"compute", "call", "wait", "messages", "bytes", "links"};

static void chrome_name_counters(struct net_log *l)
{
	if (!l->counters.named)
		chrome_process(l, CHROME_COUNTERS, "counters", -1);
	l->counters.named = true;
}

void chrome_counters(struct net_log *l, const struct log_counters *c)
{
	chrome_name_counters(l);
	for (size_t k = 0; k < sizeof(chrome_counter) / sizeof(chrome_counter[0]); k++) {
		bool changed = false;
		FILE *out;

		for (int i = chrome_counter[k].first; i <= (int)chrome_counter[k].last; i++)
			changed |= log_counter_changed(c, (enum log_counted)i);
		if (!changed)
			continue;
		out = chrome_next(l);
		fprintf(out, "{\"name\":\"%s\",\"ph\":\"C\",\"pid\":%d,\"args\":{", chrome_counter[k].name,
			CHROME_COUNTERS);
		for (int i = chrome_counter[k].first; i <= (int)chrome_counter[k].last; i++)
			fprintf(out, "%s\"%s\":%" PRIu64, i > (int)chrome_counter[k].first ? "," : "", chrome_value[i],
				c->now[i]);
		fputs("}", out);
		chrome_time(out, c->time);
	}
}

/* The series of links, at the begin of each interval. */
static void chrome_series(struct net_log *l)
{
	const struct log_series *s = &l->series;
	const struct topology *t = l->setup.topology;

	if (s->rows)
		chrome_name_counters(l);
	for (uint32_t row = 0; row < s->rows; row++) {
		FILE *out = chrome_next(l);

		fprintf(out, "{\"name\":\"bytes/s of a link\",\"ph\":\"C\",\"pid\":%d,\"args\":{", CHROME_COUNTERS);
		for (unsigned c = 0; c < t->classes; c++) {
			fputs(c ? "," : "", out);
			log_put_name(out, t->class[c].name);
			fprintf(out, ":%.6g", log_series_throughput(s, row, c));
		}
		fputs("}", out);
		chrome_time(out, row * s->interval);
	}
}

void chrome_end(struct net_log *l)
{
	chrome_series(l);
	fputs("\n]}\n", l->setup.chrome);
}
