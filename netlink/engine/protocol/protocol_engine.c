#include "protocol_state.h"

#include <inttypes.h>
#include <stdlib.h>

#include "../../../psim/base/heap.h"
#include "../../../psim/base/mem.h"

enum { PROTOCOL_NOTICES = 64 };

static enum protocol_where where_of(const struct net_message *m)
{
	return m->src == m->dst ? PROTOCOL_WITHIN : PROTOCOL_BETWEEN;
}

/* ---- rows ---- */

uint32_t protocol_take_row(struct net_engine *n, const struct net_message *m, struct err *e)
{
	uint32_t row = slots_take(&n->rows, e);

	if (row == SLOT_NONE)
		return 0;
	n->rows.at[row] = (struct protocol_row){.message = *m, .used = true};
	n->in_flight++;
	return row;
}

static void protocol_give_row(struct net_engine *n, uint32_t row)
{
	struct protocol_row *r = &n->rows.at[row];

	if (!r->sent || !r->delivered)
		return;
	*r = (struct protocol_row){0};
	slots_give(&n->rows, row);
	n->in_flight--;
}

/* ---- events ---- */

static bool protocol_event_before(const struct protocol_event *a, const struct protocol_event *b)
{
	if (a->time_ps != b->time_ps)
		return a->time_ps < b->time_ps;
	if (a->deliver != b->deliver)
		return b->deliver;
	if (a->from != b->from)
		return a->from < b->from;
	return a->order < b->order;
}

HEAP(protocol_events, struct protocol_event, protocol_event_before)

static int protocol_add_event(struct net_engine *n, int64_t time_ps, bool deliver, uint32_t row, struct err *e)
{
	const struct protocol_event x = {.time_ps = time_ps,
					 .deliver = deliver,
					 .from = n->rows.at[row].message.from,
					 .order = deliver ? n->arrivals++ : n->sends++,
					 .row = row};

	if (vec_reserve(&n->events, 1, e))
		return -1;
	protocol_events_push(n->events.at, n->events.count++, x);
	return 0;
}

/* The time of the next event; NET_TIME_NEVER: there is none. */
static int64_t protocol_next_event(const struct net_engine *n)
{
	return n->events.count ? n->events.at[0].time_ps : NET_TIME_NEVER;
}

static struct protocol_event take_event(struct net_engine *n)
{
	struct protocol_event x = protocol_events_pop(n->events.at, n->events.count);

	n->events.count--;
	return x;
}

/* ---- making ---- */

struct net_engine *protocol_engine_create(const struct net_engine_kind *below, const struct net_setup *setup,
					  struct err *e)
{
	struct net_engine *n = mem_alloc(1, sizeof(*n), e);
	uint32_t none;

	if (!n)
		return NULL;
	n->kind = below;
	n->protocol = setup->protocol;
	for (unsigned w = 0; w < PROTOCOL_WHERES; w++)
		n->free_ps[w] = mem_alloc(setup->topology->nodes, sizeof(*n->free_ps[w]), e);
	n->below = below->create(setup, e);
	none = n->below ? slots_take(&n->rows, e) : SLOT_NONE; /* row 0: its id is that of no message */
	if (!none && n->free_ps[PROTOCOL_BETWEEN] && n->free_ps[PROTOCOL_WITHIN]) {
		n->rows.at[none] = (struct protocol_row){0};
		return n;
	}
	protocol_engine_destroy(n);
	return NULL;
}

void protocol_engine_destroy(struct net_engine *n)
{
	if (n->below)
		n->kind->destroy(n->below);
	for (unsigned w = 0; w < PROTOCOL_WHERES; w++)
		free(n->free_ps[w]);
	slots_finish(&n->rows);
	vec_finish(&n->events);
	free(n);
}

/* ---- messages ---- */

int protocol_engine_send(struct net_engine *n, int64_t time_ps, const struct net_message *m, struct err *e)
{
	uint32_t row = protocol_take_row(n, m, e);

	if (row)
		n->rows.at[row].delivered = n->divided && n->partition.owner[m->dst] != n->partition.me;
	return row ? protocol_add_event(n, time_ps, false, row, e) : -1;
}

static void protocol_count(struct net_engine *n, const struct net_message *m, int64_t waited_ps)
{
	enum protocol_where w = where_of(m);
	struct protocol_counts *c = &n->counts;
	uint64_t upto = protocol_upto(n->protocol, w);

	if (m->control)
		return;
	c->messages[w]++;
	c->waited[w] += waited_ps > 0;
	c->waited_ps[w] += waited_ps;
	c->beyond[w] += upto && m->bytes > upto;
	if (m->bytes > c->longest[w])
		c->longest[w] = m->bytes;
}

/* Begins a message, now or when its node's gap is over. */
static int protocol_begin_message(struct net_engine *n, uint32_t row, struct err *e)
{
	struct net_message m = n->rows.at[row].message;
	enum protocol_where w = where_of(&m);
	const struct protocol_segment *s = protocol_find(n->protocol, w, m.bytes);
	int64_t time = n->now_ps, *free_ps = &n->free_ps[w][m.src];

	if (s && !m.control) {
		time = *free_ps > time ? *free_ps : time;
		*free_ps = time + protocol_ps(s, &s->gap, m.bytes);
	}
	protocol_count(n, &m, time - n->now_ps);
	m.id = row;
	return n->kind->send(n->below, time, &m, e);
}

/* A message has arrived in the engine below. */
static int protocol_arrived(struct net_engine *n, uint32_t row, struct err *e)
{
	const struct net_message *m = &n->rows.at[row].message;
	uint64_t bytes = m->control ? 0 : m->bytes;
	enum protocol_where w = where_of(m);
	const struct protocol_segment *s = protocol_find(n->protocol, w, bytes);
	int64_t delay = s ? protocol_ps(s, &s->delay, bytes) : 0;

	n->counts.delayed_ps[w] += delay;
	return protocol_add_event(n, n->now_ps + delay, true, row, e);
}

/* ---- time ---- */

int64_t protocol_engine_next_time(const struct net_engine *n)
{
	int64_t below = n->kind->next_time(n->below), own = protocol_next_event(n);

	return below < own ? below : own;
}

/* Notices for the caller, all of one instant. */
struct notices {
	struct net_notice *at;
	unsigned count, room;
};

/* Takes notices of the engine below up to `until_ps`, of one instant. 1: there were some; 0: none; -1 with `e`. */
static int take_below(struct net_engine *n, int64_t until_ps, struct notices *out, struct err *e)
{
	struct net_notice notices[PROTOCOL_NOTICES];
	unsigned room = out->room - out->count;
	int got = n->kind->advance(n->below, until_ps, notices, room < PROTOCOL_NOTICES ? room : PROTOCOL_NOTICES, e);

	if (got < 0)
		return -1;
	n->now_ps = got ? notices[0].time_ps : until_ps;
	for (int i = 0; i < got; i++) {
		struct protocol_row *r = &n->rows.at[notices[i].id];

		if (notices[i].kind == NET_DELIVERED) {
			if (protocol_arrived(n, notices[i].id, e) < 0)
				return -1;
			continue;
		}
		r->sent = true;
		out->at[out->count++] = (struct net_notice){n->now_ps, r->message.id, NET_SENT};
		protocol_give_row(n, notices[i].id);
	}
	return got > 0;
}

/* Delivers messages of the present instant. */
static void deliver_due(struct net_engine *n, struct notices *out)
{
	while (out->count < out->room && protocol_next_event(n) == n->now_ps && n->events.at[0].deliver) {
		uint32_t row = take_event(n).row;
		struct protocol_row *r = &n->rows.at[row];

		out->at[out->count++] = (struct net_notice){n->now_ps, r->message.id, NET_DELIVERED};
		r->delivered = true;
		protocol_give_row(n, row);
	}
}

/* Takes all notices of the present instant, of which there were some. */
static int rest_of_instant(struct net_engine *n, struct notices *out, struct err *e)
{
	int more = 1;

	while (more > 0 && out->count < out->room)
		more = take_below(n, n->now_ps, out, e);
	if (more == 0)
		deliver_due(n, out);
	return more < 0 ? -1 : 0;
}

/* Begins the messages of the present instant, all of whose deliveries the caller has. */
static int begin_due(struct net_engine *n, struct err *e)
{
	while (protocol_next_event(n) == n->now_ps && !n->events.at[0].deliver)
		if (protocol_begin_message(n, take_event(n).row, e) < 0)
			return -1;
	return 0;
}

int protocol_engine_advance(struct net_engine *n, int64_t until_ps, struct net_notice *out, unsigned max, struct err *e)
{
	struct notices o = {out, 0, max};

	for (;;) {
		int64_t own = protocol_next_event(n);
		int got = take_below(n, own < until_ps ? own : until_ps, &o, e);

		if (got < 0 || (got && rest_of_instant(n, &o, e) < 0))
			return -1;
		if (!got && (!n->events.count || protocol_next_event(n) > n->now_ps))
			return 0;
		if (!got)
			deliver_due(n, &o);
		if (o.count)
			return (int)o.count;
		if (!got && begin_due(n, e) < 0)
			return -1;
	}
}

/* ---- report ---- */

void protocol_engine_report(const struct net_engine *n, struct report *r)
{
	static const struct report_column columns[] = {
		{"messages", ""}, {"count", ""},  {"longest", "bytes"}, {"waited", ""},
		{"wait", "s"},    {"delay", "s"}, {"beyond", ""},
	};
	const struct protocol_counts *c = &n->counts;

	n->kind->report(n->below, r);
	report_table(
		r, "protocol",
		"what hosts added: messages that waited for the gap of another one, and for how long in all; delays "
		"in all; messages longer than those that the protocol was measured with",
		columns, sizeof(columns) / sizeof(columns[0]));
	for (unsigned w = 0; w < PROTOCOL_WHERES; w++) {
		report_cell_text(r, protocol_where_name((enum protocol_where)w));
		report_cell_u64(r, c->messages[w]);
		report_cell_u64(r, c->longest[w]);
		report_cell_u64(r, c->waited[w]);
		report_cell_f64(r, (double)c->waited_ps[w] / 1e12);
		report_cell_f64(r, (double)c->delayed_ps[w] / 1e12);
		report_cell_u64(r, c->beyond[w]);
	}
	report_table_end(r);
}

uint64_t protocol_engine_beyond(const struct net_engine *n, enum protocol_where where, uint64_t *ret_longest)
{
	*ret_longest = n->counts.longest[where];
	return n->counts.beyond[where];
}

void protocol_engine_carried(const struct net_engine *n, double *bytes)
{
	n->kind->carried(n->below, bytes);
}

int protocol_engine_verify(const struct net_engine *n, struct err *e)
{
	if (n->in_flight)
		return err_set(e, STATUS_FAILED, "%" PRIu32 " messages have not been delivered by their hosts",
			       n->in_flight);
	return n->kind->verify(n->below, e);
}
