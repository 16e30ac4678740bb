/*
 * Events as a Paraver trace: a .prv file of records in the order of time, a .pcf file with what numbers mean, a .row
 * file with the names of lines. The header has the end of the run, and a record of a state or a message the end of
 * that, so records are kept until the log is complete. Times are whole nanoseconds.
 *
 * Source: "Paraver: Parallel Program Visualization and Analysis tool, Tracefile description", and
 * tools.bsc.es/paraver/tool_structure, both of the Barcelona Supercomputing Center.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../../psim/base/mem.h"
#include "log_parts.h"
#include "log_text.h"

/* States of a line. The numbers mean what the .pcf file says: "Paraver associates no semantics" to them. */
enum { STATE_IDLE, STATE_RUNNING, STATE_CALL, STATE_WAITS };
static const struct {
	int number;
	const char *name, *colour;
} paraver_state[] = {
	{STATE_IDLE, "Idle", "{117,195,255}"},
	{STATE_RUNNING, "Running", "{0,0,255}"},
	{STATE_CALL, "In a call", "{255,255,170}"},
	{STATE_WAITS, "Waiting for a message", "{255,0,0}"},
};

/* Types of events: numbers of our own, as for the states. */
enum { PARAVER_CALL, PARAVER_COMPUTE, PARAVER_PHASE, PARAVER_MOMENT, PARAVER_TYPES };
enum { TYPE_FIRST = 90000001, NAMES_MOST = 4096 };
static const char *const paraver_type[PARAVER_TYPES] = {"Call", "Computation", "Phase", "Event of the program"};

enum paraver_kind { PARAVER_STATE = 1, PARAVER_EVENT, PARAVER_MESSAGE };

/* A record; `end`, `peer` and `tag` as its kind has them. */
struct paraver_record {
	int64_t begin, end; /* ns */
	uint64_t value;     /* state; value of the event; bytes */
	uint64_t order;
	uint32_t rank, peer;
	int32_t tag; /* of a message; type of an event */
	enum paraver_kind kind;
};

/* One end of a message between ranks. */
struct paraver_end {
	uint64_t serial, bytes;
	int64_t time; /* ns */
	uint32_t rank;
	int32_t tag;
	bool received;
};

struct paraver_line {
	int64_t since; /* ns */
	int now;       /* STATE_… */
	bool inside, computes, waits;
};

struct log_paraver {
	struct vec_of(struct paraver_record) records;
	struct vec_of(struct paraver_end) ends;
	struct vec_of(char *) names[PARAVER_TYPES]; /* value n + 1 of the type */
	struct paraver_line *line;                  /* by rank */
	int64_t last;                               /* ns */
	bool short_of_memory;
};

static int64_t paraver_time(int64_t ps)
{
	return ps / 1000;
}

struct log_paraver *paraver_create(const struct net_log_setup *setup, struct err *e)
{
	struct log_paraver *p = mem_alloc(1, sizeof(*p), e);

	if (!p)
		return NULL;
	p->line = mem_alloc(setup->ranks ? setup->ranks : 1, sizeof(*p->line), e);
	if (p->line)
		return p;
	free(p);
	return NULL;
}

void paraver_destroy(struct log_paraver *p)
{
	if (!p)
		return;
	for (int t = 0; t < PARAVER_TYPES; t++) {
		for (size_t n = 0; n < p->names[t].count; n++)
			free(p->names[t].at[n]);
		vec_finish(&p->names[t]);
	}
	vec_finish(&p->records);
	vec_finish(&p->ends);
	free(p->line);
	free(p);
}

/* ---- events ---- */
static void paraver_add(struct log_paraver *p, struct paraver_record record)
{
	struct paraver_record *to = vec_push(&p->records, NULL);

	if (!to) {
		p->short_of_memory = true;
		return;
	}
	record.order = p->records.count;
	*to = record;
}

/* Returns the value of a name: from 1 on in the order in which they come; beyond very many, that of the last one. */
static uint64_t paraver_value(struct log_paraver *p, int type, const char *name)
{
	size_t count = p->names[type].count;
	char **to;

	for (size_t n = 0; n < count; n++)
		if (strcmp(p->names[type].at[n], name) == 0)
			return n + 1;
	if (count == NAMES_MOST)
		return count;
	to = vec_push(&p->names[type], NULL);
	if (to)
		*to = mem_copy_text(count + 1 == NAMES_MOST ? "others" : name, NULL);
	if (!to || !*to) {
		p->names[type].count = count;
		p->short_of_memory = true;
	}
	return count + 1;
}

/* Adds the rank's present state, if it took any time. */
static void paraver_end_state(struct log_paraver *p, uint32_t rank, int64_t time)
{
	struct paraver_line *l = &p->line[rank];

	if (time > l->since)
		paraver_add(p, (struct paraver_record){.kind = PARAVER_STATE,
						       .begin = l->since,
						       .end = time,
						       .rank = rank,
						       .value = (uint64_t)l->now});
	l->since = time;
}

/* Begins the rank's next state, if that is another one. */
static void paraver_change(struct log_paraver *p, uint32_t rank, int64_t time)
{
	struct paraver_line *l = &p->line[rank];
	int next = l->waits ? STATE_WAITS : l->computes ? STATE_RUNNING : l->inside ? STATE_CALL : STATE_IDLE;

	if (next == l->now)
		return;
	paraver_end_state(p, rank, time);
	l->now = next;
}

static void paraver_happens(struct log_paraver *p, int type, const struct log_event *v, int64_t time)
{
	paraver_add(p, (struct paraver_record){.kind = PARAVER_EVENT,
					       .begin = time,
					       .rank = v->from,
					       .tag = TYPE_FIRST + type,
					       .value = v->name ? paraver_value(p, type, v->name) : 0});
}

static void paraver_message(struct log_paraver *p, const struct log_event *v, int64_t time)
{
	struct paraver_end *to = vec_push(&p->ends, NULL);

	if (to)
		*to = (struct paraver_end){v->serial, v->bytes, time, v->from, v->tag, v->what == LOG_ARROW_END};
	else
		p->short_of_memory = true;
}

void paraver_event(struct net_log *l, const struct log_event *v)
{
	struct log_paraver *p = l->paraver;
	const int64_t time = paraver_time(v->time);
	struct paraver_line *line = log_is_of_rank(v) ? &p->line[v->from] : NULL;

	p->last = time > p->last ? time : p->last;
	switch (v->what) {
	case LOG_STATE:
		paraver_happens(p, (v->name ? v->computes : line->computes) ? PARAVER_COMPUTE : PARAVER_CALL, v, time);
		line->inside = v->name != NULL;
		line->computes = v->name && v->computes;
		paraver_change(p, v->from, time);
		break;
	case LOG_WAIT:
		line->waits = v->name != NULL;
		paraver_change(p, v->from, time);
		break;
	case LOG_PHASE: paraver_happens(p, PARAVER_PHASE, v, time); break;
	case LOG_EVENT: paraver_happens(p, PARAVER_MOMENT, v, time); break;
	case LOG_ARROW:
	case LOG_ARROW_END: paraver_message(p, v, time); break;
	default: break; /* of the network, which has no lines */
	}
}

/* ---- the files ---- */
static int by_serial(const void *a, const void *b)
{
	const struct paraver_end *x = a, *y = b;

	if (x->serial != y->serial)
		return x->serial < y->serial ? -1 : 1;
	return x->received - y->received;
}

static int by_begin(const void *a, const void *b)
{
	const struct paraver_record *x = a, *y = b;

	if (x->begin != y->begin)
		return x->begin < y->begin ? -1 : 1;
	if (x->rank != y->rank)
		return x->rank < y->rank ? -1 : 1;
	if (x->kind != y->kind)
		return x->kind < y->kind ? -1 : 1;
	return x->order < y->order ? -1 : 1;
}

/* Makes a record of each message whose both ends are known. */
static void join_ends(struct log_paraver *p)
{
	if (p->ends.count)
		qsort(p->ends.at, p->ends.count, sizeof(*p->ends.at), by_serial);
	for (size_t n = 0; n + 1 < p->ends.count; n++) {
		const struct paraver_end *from = &p->ends.at[n], *to = from + 1;

		if (from->received || !to->received || from->serial != to->serial)
			continue;
		paraver_add(p, (struct paraver_record){.kind = PARAVER_MESSAGE,
						       .begin = from->time,
						       .end = to->time,
						       .rank = from->rank,
						       .peer = to->rank,
						       .value = from->bytes,
						       .tag = from->tag});
	}
}

/* The nodes that have ranks, by number; and by rank its node there and its processor, from 1 on. */
struct places {
	uint32_t *ranks_of; /* of each node of the network */
	uint32_t *node;     /* Paraver's number of each node of the network, 0: it has no rank */
	uint32_t *cpu;      /* by rank */
	uint32_t nodes;
};

static void places_finish(struct places *x)
{
	free(x->ranks_of);
	free(x->node);
	free(x->cpu);
}

static int places_make(const struct net_log_setup *s, struct places *x, struct err *e)
{
	uint32_t *next;

	*x = (struct places){mem_alloc(s->topology->nodes, sizeof(uint32_t), e),
			     mem_alloc(s->topology->nodes, sizeof(uint32_t), e),
			     mem_alloc(s->ranks ? s->ranks : 1, sizeof(uint32_t), e), 0};
	next = mem_alloc(s->topology->nodes, sizeof(*next), e);
	if (!x->ranks_of || !x->node || !x->cpu || !next) {
		free(next);
		return -1;
	}
	for (uint32_t i = 0; i < s->ranks; i++)
		x->ranks_of[s->node_of[i]]++;
	for (uint32_t i = 0, cpu = 1; i < s->topology->nodes; i++) {
		next[i] = cpu;
		cpu += x->ranks_of[i];
		x->node[i] = x->ranks_of[i] ? ++x->nodes : 0;
	}
	for (uint32_t i = 0; i < s->ranks; i++)
		x->cpu[i] = next[s->node_of[i]]++;
	free(next);
	return 0;
}

/* The first line: a fixed date, as the same run makes the same file; processors of nodes; tasks and their node. */
static void put_header(const struct net_log *l, const struct places *x)
{
	const struct net_log_setup *s = &l->setup;
	FILE *out = s->paraver;
	const char *comma = "";

	fprintf(out, "#Paraver (01/01/1970 at 00:00):%" PRId64 "_ns:%" PRIu32 "(", l->paraver->last, x->nodes);
	for (uint32_t i = 0; i < s->topology->nodes; i++) {
		if (!x->ranks_of[i])
			continue;
		fprintf(out, "%s%" PRIu32, comma, x->ranks_of[i]);
		comma = ",";
	}
	fprintf(out, "):1:%" PRIu32 "(", s->ranks);
	for (uint32_t i = 0; i < s->ranks; i++)
		fprintf(out, "%s1:%" PRIu32, i ? "," : "", x->node[s->node_of[i]]);
	fputs(")\n", out);
}

/* "processor:1:task:1" of a rank: it is the only thread of a task of the only application. */
static void put_line_of(FILE *out, const struct places *x, uint32_t rank)
{
	fprintf(out, ":%" PRIu32 ":1:%" PRIu32 ":1", x->cpu[rank], rank + 1);
}

static void put_record(FILE *out, const struct places *x, const struct paraver_record *r)
{
	fprintf(out, "%d", r->kind);
	put_line_of(out, x, r->rank);
	if (r->kind == PARAVER_STATE) {
		fprintf(out, ":%" PRId64 ":%" PRId64 ":%" PRIu64 "\n", r->begin, r->end, r->value);
	} else if (r->kind == PARAVER_EVENT) {
		fprintf(out, ":%" PRId64 ":%" PRId32 ":%" PRIu64 "\n", r->begin, r->tag, r->value);
	} else { /* logical and physical times, of which a rank knows one */
		fprintf(out, ":%" PRId64 ":%" PRId64, r->begin, r->begin);
		put_line_of(out, x, r->peer);
		fprintf(out, ":%" PRId64 ":%" PRId64 ":%" PRIu64 ":%" PRId32 "\n", r->end, r->end, r->value, r->tag);
	}
}

static void put_meanings(const struct log_paraver *p, FILE *out)
{
	const size_t states = sizeof(paraver_state) / sizeof(paraver_state[0]);

	fputs("DEFAULT_OPTIONS\n\nLEVEL THREAD\nUNITS NANOSEC\n\nDEFAULT_SEMANTIC\n\nTHREAD_FUNC State As "
	      "Is\n\nSTATES\n",
	      out);
	for (size_t n = 0; n < states; n++)
		fprintf(out, "%d %s\n", paraver_state[n].number, paraver_state[n].name);
	fputs("\nSTATES_COLOR\n", out);
	for (size_t n = 0; n < states; n++)
		fprintf(out, "%d %s\n", paraver_state[n].number, paraver_state[n].colour);
	for (int t = 0; t < PARAVER_TYPES; t++) {
		fprintf(out, "\nEVENT_TYPE\n0 %d %s\nVALUES\n0 End\n", TYPE_FIRST + t, paraver_type[t]);
		for (size_t n = 0; n < p->names[t].count; n++) {
			fprintf(out, "%zu ", n + 1);
			log_put_plain(out, p->names[t].at[n]);
			fputc('\n', out);
		}
	}
}

static void put_node_row(const struct topology *t, FILE *out, uint32_t node)
{
	log_put_node(out, t, "node", node);
	fputc('\n', out);
}

static void put_names(const struct net_log_setup *s, const struct places *x)
{
	FILE *out = s->paraver_rows;

	fprintf(out, "LEVEL NODE SIZE %" PRIu32 "\n", x->nodes);
	for (uint32_t i = 0; i < s->topology->nodes; i++)
		if (x->ranks_of[i])
			put_node_row(s->topology, out, i);
	fprintf(out, "\nLEVEL THREAD SIZE %" PRIu32 "\n", s->ranks);
	for (uint32_t i = 0; i < s->ranks; i++)
		fprintf(out, "rank%" PRIu32 "\n", i);
}

int paraver_end(struct net_log *l, struct err *e)
{
	struct log_paraver *p = l->paraver;
	struct places x;

	for (uint32_t i = 0; i < l->setup.ranks; i++)
		paraver_end_state(p, i, p->last);
	join_ends(p);
	if (p->short_of_memory)
		return mem_short(e);
	if (places_make(&l->setup, &x, e) < 0) {
		places_finish(&x);
		return -1;
	}
	if (p->records.count)
		qsort(p->records.at, p->records.count, sizeof(*p->records.at), by_begin);
	put_header(l, &x);
	for (size_t n = 0; n < p->records.count; n++)
		put_record(l->setup.paraver, &x, &p->records.at[n]);
	put_meanings(p, l->setup.paraver_meanings);
	put_names(&l->setup, &x);
	places_finish(&x);
	return 0;
}
