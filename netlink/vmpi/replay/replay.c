/*
 * Replays a trace: each rank reads its events and makes the calls that they name, with buffers of NULL, so that
 * messages have no data. What a line says is read before its call, since other ranks read lines while it waits.
 */
#include "replay.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "../../../psim/base/mem.h"
#include "../../../psim/base/near.h"
#include "../message/message.h"
#include "chakra.h"
#include "otf2_archive.h"
#include "replay_call.h"
#include "replay_goal.h"
#include "replay_read.h"
#include "replay_simgrid.h"
#include "../vmpi_config.h"

enum { REQUESTS_MOST = 1 << 24 };

struct sized_type {
	long long bytes;
	VMPI_Datatype handle;
};
struct replay {
	struct replay_reader in;
	struct goal *goal;        /* in place of the reader; NULL: none */
	struct archive *archive;  /* likewise */
	struct replay_rank *rank; /* NULL with `goal` */
	char *event; /* REPLAY_LINE_MAX characters: an action of SimGrid's or an archive; NULL: the trace is ours */
	struct vec_of(struct sized_type) types; /* of sizes that no basic type has */
	VMPI_Op own, ordered;                   /* operations of the program; 0: none yet */
};

/* Ends the run at the line. */
void replay_wrong(const struct replay_call *c, const char *format, ...)
{
	char text[200];
	va_list ap;

	va_start(ap, format);
	vsnprintf(text, sizeof(text), format, ap);
	va_end(ap);
	if (c->p->archive)
		err_set(&c->v->err, STATUS_BAD_INPUT, "%s: rank %u, event %u: %s", c->p->in.path, c->v->current->world,
			c->line, text);
	else
		err_set(&c->v->err, STATUS_BAD_INPUT, "%s:%u: %s", c->p->in.path, c->line, text);
	rank_stop(c->v);
}

void replay_short(const struct replay_call *c)
{
	mem_short(&c->v->err);
	rank_stop(c->v);
}

/* ---- numbers ---- */

long long replay_number_at(const struct replay_call *c, const char *text, const char **end, long long least,
			   long long most, const char *what)
{
	char *after;
	long long value;

	errno = 0;
	value = strtoll(text, &after, 10);
	if (after == text || errno || value < least || value > most || (!end && *after))
		replay_wrong(c, "%s '%.40s': expected a number from %lld to %lld", what, text, least, most);
	if (end)
		*end = after;
	return value;
}

long long replay_number(const struct replay_call *c, unsigned i, long long least, long long most, const char *what)
{
	if (i >= c->words)
		replay_wrong(c, "no %s, expected one", what);
	return replay_number_at(c, c->word[i], NULL, least, most, what);
}

static int peer(const struct replay_call *c, unsigned i, bool source)
{
	if (i < c->words && strcmp(c->word[i], "none") == 0)
		return VMPI_PROC_NULL;
	if (source && i < c->words && strcmp(c->word[i], "any") == 0)
		return VMPI_ANY_SOURCE;
	return (int)replay_number(c, i, 0, INT_MAX, source ? "source" : "destination");
}

static int tag(const struct replay_call *c, unsigned i, bool source)
{
	if (source && i < c->words && strcmp(c->word[i], "any") == 0)
		return VMPI_ANY_TAG;
	return (int)replay_number(c, i, 0, VMPI_TAG_UB_VALUE, "tag");
}

/* Seconds with up to 12 decimals are exact; others are rounded to picoseconds. */
static int64_t replay_time(const struct replay_call *c, unsigned i)
{
	const char *text = i < c->words ? c->word[i] : "";
	size_t whole = strspn(text, "0123456789"),
	       part = text[whole] == '.' ? strspn(text + whole + 1, "0123456789") : 0;
	int64_t ps = 0;
	char *end;
	double seconds;

	if (whole && whole < 7 && part <= 12 && !text[whole + (text[whole] == '.') + part]) {
		for (size_t k = 0; k < whole; k++)
			ps = ps * 10 + (text[k] - '0');
		for (size_t k = 0; k < 12; k++)
			ps = ps * 10 + (k < part ? text[whole + 1 + k] - '0' : 0);
		return ps;
	}
	seconds = strtod(text, &end);
	if (end == text || *end || !(seconds >= 0 && seconds <= 6e6))
		replay_wrong(c, "time '%.40s': expected seconds from 0 to 6e6", text);
	return (int64_t)llround(seconds * 1e12);
}

/* ---- types and operations, which all ranks here share: making them is no call of a rank ---- */

/* A type of this size: a basic one on which operations are defined, or bytes. */
static VMPI_Datatype type_of_size(struct replay_call *c, long long bytes)
{
	static const struct sized_type basic[] = {{1, VMPI_INT8_T},       {2, VMPI_INT16_T},
						  {4, VMPI_INT32_T},      {8, VMPI_INT64_T},
						  {16, VMPI_LONG_DOUBLE}, {32, VMPI_C_LONG_DOUBLE_COMPLEX}};
	uint64_t calls = c->v->current->calls;
	struct sized_type *made;

	for (unsigned i = 0; i < sizeof(basic) / sizeof(basic[0]); i++)
		if (basic[i].bytes == bytes)
			return basic[i].handle;
	for (size_t i = 0; i < c->p->types.count; i++)
		if (c->p->types.at[i].bytes == bytes)
			return c->p->types.at[i].handle;
	made = vec_push(&c->p->types, &c->v->err);
	if (!made)
		replay_short(c);
	made->bytes = bytes;
	vmpi_Type_contiguous(c->v, (int)bytes, VMPI_BYTE, &made->handle);
	vmpi_Type_commit(c->v, &made->handle);
	c->v->current->calls = calls;
	return made->handle;
}

static void no_operation(void *in, void *inout, int *count, VMPI_Datatype *type)
{
	(void)in;
	(void)inout;
	(void)count;
	(void)type;
}

static VMPI_Op replay_op(struct replay_call *c, bool commutes)
{
	VMPI_Op *op = commutes ? &c->p->own : &c->p->ordered;

	if (!*op) {
		vmpi_Op_create(c->v, no_operation, commutes, op);
		c->v->current->calls--;
	}
	return *op;
}

/* The operation of a reduction of this type. */
static VMPI_Op operation_for(struct replay_call *c, VMPI_Datatype type)
{
	if (c->op)
		return c->op;
	return op_allows(&c->v->ops, VMPI_SUM, type_find(&c->v->types, type)) ? VMPI_SUM : replay_op(c, true);
}

/* ---- parts of buffers ---- */

/* Memory for a number by rank, until the operation is done. */
int *replay_hold(struct replay_call *c, size_t count)
{
	int *at = mem_alloc(count ? count : 1, sizeof(*at), &c->v->err);

	if (!at)
		replay_short(c);
	c->held[c->holds++] = at;
	return at;
}

/* Reads word `i`; with `many` it is a count for each rank of the communicator. */
struct replay_part replay_part_at(struct replay_call *c, unsigned i, bool many)
{
	struct replay_part p = {.type = VMPI_INT8_T};
	uint32_t size = many ? comm_find(&c->v->comms, c->comm)->group->size : 1;
	const char *at = i < c->words ? c->word[i] : NULL;
	long long place = 0;

	if (!at)
		replay_wrong(c, "no count of elements, expected one");
	if (many) {
		p.counts = replay_hold(c, size);
		p.places = replay_hold(c, size);
	}
	for (uint32_t k = 0; k < size; k++) {
		int count = (int)replay_number_at(c, at, &at, 0, INT_MAX, "count");

		if (many) {
			p.counts[k] = count;
			p.places[k] = place > INT_MAX ? INT_MAX : (int)place;
			place += count;
		} else {
			p.count = count;
		}
		if (k + 1 < size && *at++ != ',')
			replay_wrong(c, "%u counts, expected one for each of %u ranks", k + 1, size);
	}
	if (*at == 'x')
		p.type = type_of_size(c, replay_number_at(c, at + 1, &at, 1, INT_MAX, "size of an element"));
	if (*at)
		replay_wrong(c, "'%.40s' behind a count, expected COUNTxSIZE", at);
	return p;
}

/* ---- events ---- */

static int run_compute(struct replay_call *c)
{
	struct rank *r = rank_enter(c->v, CALL_Add_time);
	int64_t ps = replay_time(c, 0), from = r->now;
	double slow = rank_slowdown(c->v, r);

	rank_busy(c->v, r, slow == 1 ? ps : (int64_t)((double)ps * slow));
	rank_computed(c->v, r, from);
	return VMPI_SUCCESS;
}

/* Sends and receives of N elements. */
#define SEND(name, begin, init, mode, event, MODE) \
	static int run_##event(struct replay_call *c) \
	{ \
		int to = peer(c, 0, false), with = tag(c, 1, false); \
		struct replay_part p = replay_part_at(c, 2, false); \
\
		if (c->request) \
			return vmpi_##begin(c->v, NULL, p.count, p.type, to, with, c->comm, c->request); \
		return vmpi_##name(c->v, NULL, p.count, p.type, to, with, c->comm); \
	}
#include "../api/send_calls.def"

static int run_recv(struct replay_call *c)
{
	int from = peer(c, 0, true), with = tag(c, 1, true);
	struct replay_part p = replay_part_at(c, 2, false);

	if (c->request)
		return vmpi_Irecv(c->v, NULL, p.count, p.type, from, with, c->comm, c->request);
	return vmpi_Recv(c->v, NULL, p.count, p.type, from, with, c->comm, NULL);
}

static int run_sendrecv(struct replay_call *c)
{
	int to = peer(c, 0, false), with = tag(c, 1, false), from = peer(c, 3, true), got = tag(c, 4, true);
	struct replay_part s = replay_part_at(c, 2, false), r = replay_part_at(c, 5, false);

	return vmpi_Sendrecv(c->v, NULL, s.count, s.type, to, with, NULL, r.count, r.type, from, got, c->comm, NULL);
}

static int run_probe(struct replay_call *c)
{
	return vmpi_Probe(c->v, peer(c, 0, true), tag(c, 1, true), c->comm, NULL);
}

static void drop_held(int **held)
{
	for (unsigned i = 0; i < 4; i++) {
		free(held[i]);
		held[i] = NULL;
	}
}

/* Keeps the number of a communicator that the rank has made. */
static void keep_comm(struct replay_call *c, long long id, VMPI_Comm handle)
{
	struct replay_comm *made = vec_push(&c->r->comms, &c->v->err);

	if (!made)
		rank_stop(c->v);
	*made = (struct replay_comm){id, handle};
}

/* Frees what a request that is over held; its communicator, if it made one, is known from now on. */
static void request_is_over(struct replay_call *c, struct replay_request *q)
{
	if (q->makes)
		keep_comm(c, q->made, *q->held[0]);
	q->makes = false;
	drop_held(q->held);
}

/* Waits for all requests that the line names. */
static int run_wait(struct replay_call *c)
{
	struct replay_rank *r = c->r;
	struct vmpi *v = c->v;
	const char *at = c->rest;
	int ret;

	r->waits.count = 0;
	while (*(at += strspn(at, " \t"))) {
		size_t i = (size_t)replay_number_at(c, at, &at, 0, REQUESTS_MOST - 1, "request");
		VMPI_Request *wait = vec_push(&r->waits, &v->err);

		if (!wait)
			replay_short(c);
		*wait = i < r->requests.count ? r->requests.at[i].handle : VMPI_REQUEST_NULL;
		if (*wait == VMPI_REQUEST_NULL)
			replay_wrong(c, "wait for request %zu: none of this number is under way", i);
		r->requests.at[i].handle = VMPI_REQUEST_NULL;
	}
	ret = vmpi_Waitall(v, (int)r->waits.count, r->waits.at, NULL);
	for (size_t i = 0; i < r->requests.count; i++)
		if (r->requests.at[i].handle == VMPI_REQUEST_NULL && r->requests.at[i].held[0])
			request_is_over(c, &r->requests.at[i]);
	return ret;
}

static void check_new(const struct replay_call *c)
{
	if (c->made < 0)
		replay_wrong(c, "no new=NUMBER, expected that of the communicator");
}

static int run_split(struct replay_call *c)
{
	struct vmpi *v = c->v;
	long long id = c->made;
	bool none = c->words && strcmp(c->word[0], "none") == 0;
	int color = none ? VMPI_UNDEFINED : (int)replay_number(c, 0, 0, INT_MAX, "colour");
	int key = (int)replay_number(c, 1, INT_MIN, INT_MAX, "key"), ret;
	VMPI_Comm comm;

	if (color >= 0)
		check_new(c);
	ret = vmpi_Comm_split(v, c->comm, color, key, &comm);
	if (!ret && color >= 0)
		keep_comm(c, id, comm);
	return ret;
}

/* Makes a communicator of the ranks of c->comm that the line lists; no others take part. */
static int run_group(struct replay_call *c)
{
	struct vmpi *v = c->v;
	VMPI_Group group;
	VMPI_Comm comm;
	int ret;

	check_new(c);
	group = replay_group(c, comm_find(&v->comms, c->comm)->group);
	if (group_local(group_find(&v->comms, group), v->current->world) < 0)
		replay_wrong(c, "group %.40s: expected rank %u among its ranks", c->word[0], v->current->world);
	ret = vmpi_Comm_create_group(v, c->comm, group, 0, &comm);
	group_release(&v->comms, group);
	if (!ret)
		keep_comm(c, c->made, comm);
	return ret;
}

/* Begins to make a communicator of the same ranks. */
static int run_dup(struct replay_call *c)
{
	struct replay_request *q;

	check_new(c);
	if (!c->request)
		replay_wrong(c, "no req=REQUEST, expected one");
	q = &c->r->requests.at[c->number];
	q->makes = true;
	q->made = c->made;
	return vmpi_Comm_idup(c->v, c->comm, replay_hold(c, 1), c->request);
}

/* ---- collective operations ---- */

/* An operation is on elements that a rank gets. */
static int replay_collective(struct replay_call *c, enum collective_event_id id, uint32_t has)
{
	struct collective_args a = {.has = has, .root = has & BIT(ROOT) ? c->root : 0, .comm = c->comm};
	struct replay_part p;
	unsigned i = 0;

	if (has & (BIT(IN_COUNT) | BIT(IN_COUNTS))) {
		p = replay_part_at(c, i++, has & BIT(IN_COUNTS));
		a.in_count = p.count;
		a.in_counts = p.counts;
		a.in_places = p.places;
		a.in_type = p.type;
	}
	if (has & (BIT(OUT_COUNT) | BIT(OUT_COUNTS))) {
		p = replay_part_at(c, i, has & BIT(OUT_COUNTS));
		a.out_count = p.count;
		a.out_counts = p.counts;
		a.out_places = p.places;
		a.out_type = p.type;
	}
	if (has & BIT(OP))
		a.op = operation_for(c, a.out_type);
	return collective_call(c->v, id, &a, c->request);
}

#define COLLECTIVE(...)
#define TRACED(name, begin, arguments, doc, start, event, ...) \
	static int run_##event(struct replay_call *c) \
	{ \
		return replay_collective(c, COLLECTIVE_EVENT_##event, HAS(arguments)); \
	}
#include "../api/collective_calls.def"
#undef COLLECTIVE

static const struct replay_event {
	const char *name;
	unsigned words;
	int (*run)(struct replay_call *c);
} events[] = {
#define EVENT(name, words, archived) {#name, words, run_##name},
#define WINDOW_EVENT(name, words, archived) {#name, words, replay_##name},
#include "events.def"
};

/* ---- lines ---- */

/* The slot of a request that the line begins. */
static void read_request(struct replay_call *c, const char *text)
{
	long long i = replay_number_at(c, text, NULL, 0, REQUESTS_MOST - 1, "req");

	while ((long long)c->r->requests.count <= i) {
		struct replay_request *q = vec_push(&c->r->requests, &c->v->err);

		if (!q)
			replay_short(c);
		*q = (struct replay_request){0};
	}
	c->number = (size_t)i;
	c->request = &c->r->requests.at[i].handle;
	c->held = c->r->requests.at[i].held;
	if (*c->request != VMPI_REQUEST_NULL)
		replay_wrong(c, "req=%lld: in use, expected a wait before", i);
}

static void read_comm(struct replay_call *c, const char *text)
{
	long long id;

	if (strcmp(text, "self") == 0) {
		c->comm = VMPI_COMM_SELF;
		return;
	}
	id = replay_number_at(c, text, NULL, 0, INT_MAX, "comm");
	if (c->p->archive) {
		c->comm = archive_comm(c->p->archive, id);
		return;
	}
	for (size_t i = c->r->comms.count; i-- > 0;)
		if (c->r->comms.at[i].id == id) {
			c->comm = c->r->comms.at[i].handle;
			return;
		}
	replay_wrong(c, "comm=%lld: unknown, expected one of an earlier event", id);
}

static void read_operation(struct replay_call *c, const char *text)
{
	if (strcmp(text, "own") != 0 && strcmp(text, "ordered") != 0)
		replay_wrong(c, "op=%.40s: expected own or ordered", text);
	c->op = replay_op(c, *text == 'o' && text[1] == 'w');
}

static void read_check(struct replay_call *c, const char *text)
{
	if (strcmp(text, "no") != 0)
		replay_wrong(c, "check=%.40s: expected no", text);
	c->unchecked = true;
}

/* NAME=VALUE; false: a word of another kind. */
static bool read_setting(struct replay_call *c, char *word)
{
	char *value = strchr(word, '=');

	if (!value)
		return false;
	*value++ = '\0';
	if (strcmp(word, "req") == 0)
		read_request(c, value);
	else if (strcmp(word, "comm") == 0)
		read_comm(c, value);
	else if (strcmp(word, "root") == 0)
		c->root = (int)replay_number_at(c, value, NULL, 0, INT_MAX, "root");
	else if (strcmp(word, "new") == 0)
		c->made = replay_number_at(c, value, NULL, 0, INT_MAX, "new");
	else if (strcmp(word, "op") == 0)
		read_operation(c, value);
	else if (strcmp(word, "win") == 0)
		replay_read_window(c, value);
	else if (strcmp(word, "check") == 0)
		read_check(c, value);
	else
		replay_wrong(c, "setting '%.40s': expected req, comm, root, new, op, win or check", word);
	return true;
}

/* Ends the run: names what is nearest, since MPI has other names for calls that do not block. */
__attribute__((noreturn)) static void event_is_unknown(const struct replay_call *c, const char *name)
{
	const char *blocking = *name == 'i' ? name + 1 : NULL;
	struct near near = near_start(name);

	for (size_t i = 0; i < sizeof(events) / sizeof(events[0]); i++) {
		if (blocking && strcmp(events[i].name, blocking) == 0 && events[i].words != WORDS_ANY)
			replay_wrong(c, "unknown event '%.40s', expected %s with req=R", name, blocking);
		near_offer(&near, events[i].name);
	}
	replay_wrong(c, "unknown event '%.40s'%s%s%s", name, near.best ? ", did you mean " : "",
		     near.best ? near.best : "", near.best ? "?" : "");
}

static void run_line(struct replay_call *c, char *text)
{
	char *rest, *word = strtok_r(text, " \t\r\n", &rest), *name = word;
	const struct replay_event *event = NULL;

	if (!name)
		replay_wrong(c, "no event behind the rank, expected one");
	for (size_t i = 0; i < sizeof(events) / sizeof(events[0]) && !event; i++)
		if (strcmp(events[i].name, name) == 0)
			event = &events[i];
	if (!event)
		event_is_unknown(c, name);
	if (event->words == WORDS_ANY) {
		rest[strcspn(rest, "\r\n")] = '\0';
		c->rest = rest;
	}
	while (!c->rest && (word = strtok_r(NULL, " \t\r\n", &rest))) {
		if (read_setting(c, word))
			continue;
		if (c->words == event->words)
			replay_wrong(c, "'%.40s' behind the words of %s, of which there are %u", word, name,
				     event->words);
		c->word[c->words++] = word;
	}
	if (!c->rest && c->words < event->words)
		replay_wrong(c, "%s has %u words, expected %u", name, c->words, event->words);
	event->run(c);
}

/* An action of SimGrid's traces: an event, then the computation that belongs to it. */
static void run_action(struct replay_call *c, uint32_t rank, char *text)
{
	struct replay *p = c->p;
	double flops, peak = c->v->cfg->machine.peak;
	struct err e;

	if (simgrid_event(&c->r->simgrid, rank, p->in.ranks, p->in.element, text, p->event, REPLAY_LINE_MAX, &flops,
			  &e) < 0)
		replay_wrong(c, "%s", e.text);
	if (*p->event)
		run_line(c, p->event);
	if (flops <= 0)
		return;
	if (peak <= 0)
		replay_wrong(c, "computation in flop: expected machine.peak, the flop/s of a rank");
	rank_enter(c->v, CALL_Add_time);
	rank_compute(c->v, c->v->current, flops / peak);
}

/* Returns 1 with the rank's next event, 0 at its end, -1 with the run's error. */
static int next_of_rank(struct replay_call *c, uint32_t rank, char **text)
{
	struct replay *p = c->p;

	*text = p->event;
	if (p->archive)
		return archive_next(p->archive, rank, p->event, REPLAY_LINE_MAX, &c->line, &c->v->err);
	return replay_reader_next(&p->in, rank, text, &c->line, &c->v->err);
}

/* Writes the line, or, of an archive, the event, that a rank is at. */
static void replay_place(const void *trace, uint32_t rank, char *text, size_t size)
{
	const struct replay *p = trace;

	snprintf(text, size, p->archive ? "%s, event %u" : "%s:%u", p->in.path, p->rank[rank].line);
}

int replay_body(struct vmpi *v, uint32_t rank, void *user)
{
	struct replay *p = user;
	struct replay_rank *r = p->goal ? NULL : &p->rank[rank];
	char *text;

	if (p->goal)
		return goal_body(v, rank, p->goal);
	v->trace.of = p;
	v->trace.rank_place = replay_place;
	if (p->archive && archive_make_comms(p->archive, v, &v->err) < 0)
		rank_stop(v);
	for (;;) {
		struct replay_call c = {.v = v, .p = p, .r = r, .comm = VMPI_COMM_WORLD, .made = -1, .held = r->held};
		int ret = next_of_rank(&c, rank, &text);

		if (ret < 0)
			rank_stop(v);
		if (ret == 0)
			return 0;
		r->line = c.line;
		if (p->in.format == REPLAY_SIMGRID)
			run_action(&c, rank, text);
		else
			run_line(&c, text);
		drop_held(r->held);
	}
}

/* ---- opening ---- */

static int prepare_ranks(struct replay *p, bool translated, struct err *e)
{
	p->rank = mem_alloc(p->in.ranks, sizeof(*p->rank), e);
	p->event = translated ? mem_alloc(REPLAY_LINE_MAX, 1, e) : NULL;
	return p->rank && (p->event || !translated) ? 0 : -1;
}

/* Prepares for the trace that the reader has begun. The compiler names a format that is left out. */
static int replay_prepare(struct replay *p, uint32_t ranks, const struct vmpi_config *cfg, struct err *e)
{
	struct replay_reader *in = &p->in;

	switch (in->format) {
	case REPLAY_EVENTS: return prepare_ranks(p, false, e);
	case REPLAY_SIMGRID: return prepare_ranks(p, true, e);
	case REPLAY_GOAL: p->goal = goal_read_text(&in->lines, in->text, REPLAY_LINE_MAX, e); break;
	case REPLAY_GOAL_BINARY: p->goal = goal_read_binary(in->file, in->path, e); break;
	case REPLAY_CHAKRA: p->goal = chakra_read(in->path, cfg, e); break;
	case REPLAY_WORKLOAD: p->goal = astra_read(&in->lines, in->text, REPLAY_LINE_MAX, ranks, cfg, e); break;
	case REPLAY_ARCHIVE:
		p->archive = archive_open(in->path, e);
		if (!p->archive)
			return -1;
		in->ranks = archive_ranks(p->archive);
		return prepare_ranks(p, true, e);
	}
	return p->goal ? 0 : -1;
}

struct replay *replay_open(const char *path, uint32_t ranks, const struct vmpi_config *cfg, struct err *e)
{
	struct replay *p = mem_alloc(1, sizeof(*p), e);

	if (!p)
		return NULL;
	if (replay_reader_open(&p->in, path, e) == 0 && replay_prepare(p, ranks, cfg, e) == 0)
		return p;
	replay_destroy(p);
	return NULL;
}

/* The file that was opened stays open: closing it would change the position of the process that reads it. */
static int open_again(struct replay *p, struct err *e)
{
	struct replay_reader in;
	struct stat file;

	if (stat(p->in.path, &file) < 0 || !S_ISREG(file.st_mode))
		return err_set(e, STATUS_USAGE, "%s: expected a file that several processes can open", p->in.path);
	if (p->archive) {
		p->archive = archive_open(p->in.path, e);
		return p->archive ? 0 : -1;
	}
	if (replay_reader_open(&in, p->in.path, e) < 0) {
		replay_reader_finish(&in);
		return -1;
	}
	p->in.file = NULL;
	replay_reader_finish(&p->in);
	p->in = in;
	return 0;
}

int replay_divide(struct replay *p, struct vmpi *v, bool again, struct err *e)
{
	if (again && !p->goal && open_again(p, e) < 0)
		return -1;
	p->in.here = v->divided->here;
	return 0;
}

void replay_destroy(struct replay *p)
{
	if (!p)
		return;
	for (uint32_t i = 0; p->rank && i < p->in.ranks; i++) {
		for (size_t k = 0; k < p->rank[i].requests.count; k++)
			drop_held(p->rank[i].requests.at[k].held);
		drop_held(p->rank[i].held);
		free(p->rank[i].requests.at);
		free(p->rank[i].comms.at);
		free(p->rank[i].windows.at);
		free(p->rank[i].waits.at);
		free(p->rank[i].simgrid.requests.at);
	}
	goal_destroy(p->goal);
	archive_close(p->archive);
	free(p->rank);
	free(p->event);
	free(p->types.at);
	replay_reader_finish(&p->in);
	free(p);
}

bool replay_taken(const struct replay *p, uint64_t *taken, uint64_t *all)
{
	if (p->goal)
		goal_taken(p->goal, taken, all);
	else if (p->archive)
		archive_taken(p->archive, taken, all);
	else
		return replay_reader_taken(&p->in, taken, all);
	return true;
}

const char *replay_unit(const struct replay *p)
{
	return p->goal ? "operations" : p->archive ? "events" : "bytes";
}

uint64_t replay_lacks(const struct replay *p, char *text, size_t size)
{
	enum { SHOWN = 3 };
	size_t count = p->in.lacks.count, length = 0;
	uint64_t all = 0;

	*text = '\0';
	for (size_t i = 0; i < count; i++) {
		const struct replay_lack *l = &p->in.lacks.at[i];

		all += l->count;
		if (i < SHOWN && length < size)
			length += (size_t)snprintf(text + length, size - length, "%s%s (%" PRIu64 ")", i ? ", " : "",
						   l->name, l->count);
	}
	if (count > SHOWN && length < size)
		snprintf(text + length, size - length, ", other kinds: %zu", count - SHOWN);
	return all;
}

uint32_t replay_ranks(const struct replay *p)
{
	return p->goal ? p->goal->ranks : p->in.ranks;
}
