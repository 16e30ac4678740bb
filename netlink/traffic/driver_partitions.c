/* Traffic on several processes: each runs the ranks of its nodes, and the first one gets all results. */
#include <string.h>

#include "../../psim/base/mem.h"
#include "driver_state.h"

enum { WINDOWS_A_TICK = 64 };

/* ---- for window.h ---- */
static int driver_partitions_advance(void *user, int64_t until, bool *stop, struct err *e)
{
	struct driver *d = user;
	const struct traffic_setup *s = d->s;

	if (driver_run(d, until, e) < 0)
		return -1;
	d->window->done = d->result->messages;
	/* a window may be long for the host: with more processes than cores it has to wait for them */
	if (s->tick && ++d->windows % WINDOWS_A_TICK == 0 && !s->tick(s->user, driver_done(d), d->now_ps))
		d->result->complete = false;
	*stop = !d->result->complete;
	return 0;
}

static int64_t driver_partitions_next(void *user)
{
	const struct driver *d = user;

	return d->timers.count ? d->timers.at[0].time_ps : NET_TIME_NEVER;
}

/* A message from another process: its sender's row is there, with the notice of its sending. */
static int driver_partitions_name(void *user, const struct net_message *m, uint32_t *id, struct err *e)
{
	struct driver *d = user;

	*id = slots_take(&d->flights, e);
	if (*id == SLOT_NONE)
		return -1;
	d->flights.at[*id] = (struct flight){
		.src = m->from,
		.dst = m->to,
		.sent_ps = (int64_t)m->mark,
		.bytes = m->bytes,
		.notices = 1,
	};
	return 0;
}

/* ---- results ---- */
struct rank_result {
	struct rank_state state;
	struct traffic_rank sums;
};

/* The details of an open loop follow behind the ranks. */
struct partition_result {
	struct traffic_result result;
	struct rank_result rank[]; /* of the ranks there, in order */
};

static size_t ranks_of(const struct driver *d, unsigned partition)
{
	size_t count = 0;

	for (uint32_t i = 0; i < d->result->ranks; i++)
		count += d->s->owner[d->s->node_of[i]] == partition;
	return count;
}

static int put_result(struct driver *d, struct err *e)
{
	unsigned me = exchange_me(d->s->exchange);
	size_t detail = d->result->detail ? driver_detail_size(d->result->ranks) : 0, k = 0;
	struct partition_result *r =
		exchange_put(d->s->exchange, 0, sizeof(*r) + ranks_of(d, me) * sizeof(r->rank[0]) + detail);

	if (!r)
		return mem_short(e);
	r->result = *d->result;
	for (uint32_t i = 0; i < d->result->ranks; i++)
		if (driver_has(d, i))
			r->rank[k++] = (struct rank_result){d->rank[i], d->result->rank[i]};
	if (detail)
		memcpy(&r->rank[k], d->result->detail, detail);
	return 0;
}

static void add_latencies(struct traffic_result *to, const struct traffic_result *from)
{
	if (from->messages && (!to->messages || from->latency_min_ps < to->latency_min_ps))
		to->latency_min_ps = from->latency_min_ps;
	if (from->latency_max_ps > to->latency_max_ps)
		to->latency_max_ps = from->latency_max_ps;
	to->latency_sum_ps += from->latency_sum_ps;
	for (unsigned i = 0; i < TRAFFIC_BUCKETS; i++)
		to->latency[i] += from->latency[i];
}

static void add_batch(struct traffic_batch *to, const struct traffic_batch *from)
{
	to->sent_bytes += from->sent_bytes;
	to->delivered_bytes += from->delivered_bytes;
	to->messages += from->messages;
	to->latency_sum_ps += from->latency_sum_ps;
	if (from->latency_max_ps > to->latency_max_ps)
		to->latency_max_ps = from->latency_max_ps;
}

static void add_details(struct traffic_detail *to, const struct traffic_detail *from, uint32_t ranks)
{
	for (unsigned i = 0; i < TRAFFIC_BATCHES; i++)
		for (unsigned k = 0; k < QUANTILE_BINS; k++)
			to->latency[i][k] += from->latency[i][k];
	for (uint32_t r = 0; r < ranks; r++)
		for (unsigned i = 0; i < TRAFFIC_BATCHES; i++) {
			to->sender[r].sent[i] += from->sender[r].sent[i];
			to->sender[r].delivered[i] += from->sender[r].delivered[i];
		}
}

static void add_result(struct driver *d, unsigned partition, const struct partition_result *from)
{
	struct traffic_result *to = d->result;
	size_t k = 0;

	add_latencies(to, &from->result);
	to->messages += from->result.messages;
	to->bytes += from->result.bytes;
	for (unsigned i = 0; i < TRAFFIC_BATCHES; i++)
		add_batch(&to->window.batch[i], &from->result.window.batch[i]);
	for (uint32_t i = 0; i < to->ranks; i++)
		if (d->s->owner[d->s->node_of[i]] == partition) {
			d->rank[i] = from->rank[k].state;
			to->rank[i] = from->rank[k++].sums;
		}
	if (to->detail)
		add_details(to->detail, (const struct traffic_detail *)&from->rank[k], to->ranks);
}

int traffic_gather_matrix(struct exchange *x, struct comm_matrix *m, struct err *e)
{
	struct exchange_values none = {{0}, {0}};

	if (exchange_me(x)) {
		size_t count;
		const struct comm_matrix_entry *entries = comm_matrix_entries(m, &count);
		void *at = entries || !count ? exchange_put(x, 0, count * sizeof(*entries)) : NULL;

		if (count && !at) {
			mem_short(e);
			return exchange_fail(x, e);
		}
		if (count)
			memcpy(at, entries, count * sizeof(*entries));
	}
	if (exchange_step(x, &none, e) < 0)
		return -1;
	for (unsigned p = 1; !exchange_me(x) && p < exchange_processes(x); p++) {
		size_t bytes;
		const struct comm_matrix_entry *entries = exchange_got(x, p, &bytes);

		if (comm_matrix_join(m, entries, bytes / sizeof(*entries), e) < 0)
			return exchange_fail(x, e);
	}
	return 0;
}

static int driver_partitions_gather(struct driver *d, struct err *e)
{
	struct exchange *x = d->s->exchange;
	struct exchange_values none = {{0}, {0}};

	if (exchange_me(x) && put_result(d, e) < 0)
		return exchange_fail(x, e);
	if (exchange_step(x, &none, e) < 0)
		return -1;
	for (unsigned p = 1; !exchange_me(x) && p < exchange_processes(x); p++) {
		size_t bytes;

		add_result(d, p, exchange_got(x, p, &bytes));
	}
	return 0;
}

int driver_together(struct driver *d, struct err *e)
{
	const struct traffic_setup *s = d->s;
	struct window_setup w = {
		.exchange = s->exchange,
		.owner = s->owner,
		.kind = s->kind,
		.engine = s->engine,
		.driver = {.advance = driver_partitions_advance,
			   .next = driver_partitions_next,
			   .name = driver_partitions_name,
			   .user = d},
		.widen = s->widen_ps,
	};
	struct window_counts counts;

	d->window = &w;
	if (exchange_begin(s->exchange, e) < 0)
		return -1;
	if (window_divide(&w, e) < 0 || driver_start(d, e) < 0)
		return exchange_fail(s->exchange, e);
	if (window_run(&w, &counts, e) < 0)
		return -1;
	d->result->complete = !counts.stopped;
	if (d->result->complete && s->kind->verify(s->engine, e) < 0)
		return exchange_fail(s->exchange, e);
	if (s->matrix && traffic_gather_matrix(s->exchange, s->matrix, e) < 0)
		return -1;
	if (driver_partitions_gather(d, e) < 0 || window_gather(&w, e) < 0 || exchange_end(s->exchange, e) < 0)
		return -1;
	d->result->parallel = counts;
	if (d->result->complete && s->kind->next_time(s->engine) != NET_TIME_NEVER)
		return err_set(e, STATUS_STUCK, "messages are in flight and cannot move");
	return 0;
}
