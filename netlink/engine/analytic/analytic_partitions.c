/*
 * A partition of the network, where several processes have one each. Between nodes of two partitions a message takes at
 * least the least delay of the engine, which is the window. The sender's process has a message until its data have
 * left; its end of the way begins as a record, before its first byte can be at the receiver's node.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "../../../psim/base/mem.h"
#include "analytic_state.h"

struct analytic_record {
	int64_t time_ps, sent_ps, begun_ps;
	uint64_t order, mark, bytes;
	uint32_t src, dst, from, to;
	uint32_t station; /* enum station of its event at `time_ps` */
	uint32_t control;
};

static const char *analytic_whole(const struct net_engine *n, const uint16_t *owner)
{
	(void)owner;
	if (n->least_ps > 0)
		return NULL;
	return "messages between nodes may take no time, or NICs are slower than messages";
}

static int analytic_divide(struct net_engine *n, const struct net_partition *partition, struct err *e)
{
	n->divided = mem_alloc(1, sizeof(*n->divided), e);
	n->disordered = true;
	if (!n->divided)
		return -1;
	n->divided->partition = *partition;
	return 0;
}

int analytic_hand_over(struct net_engine *n, int64_t time_ps, enum station s, const struct in_flight *f, uint64_t mark,
		       struct err *e)
{
	const struct net_partition *p = &n->divided->partition;
	struct analytic_record *r = p->put(p->user, p->owner[f->dst], time_ps, sizeof(*r));

	if (!r)
		return mem_short(e);
	*r = (struct analytic_record){
		.time_ps = time_ps,
		.sent_ps = f->sent_ps,
		.begun_ps = f->begun_ps,
		.order = f->mark_or_order,
		.mark = mark,
		.bytes = f->bytes,
		.src = f->src,
		.dst = f->dst,
		.from = f->from,
		.to = f->to,
		.station = s,
		.control = f->control,
	};
	return 0;
}

static int analytic_take_record(struct net_engine *n, const struct analytic_record *r, struct err *e)
{
	const struct net_partition *p = &n->divided->partition;
	const struct net_message m = {
		.src = r->src,
		.dst = r->dst,
		.nic = NET_NIC_ANY,
		.bytes = r->bytes,
		.control = r->control,
		.from = r->from,
		.to = r->to,
		.mark = r->mark,
	};
	struct in_flight *f = analytic_take_row(&n->injected, e);

	if (!f)
		return -1;
	f->sent_ps = r->sent_ps;
	f->begun_ps = r->begun_ps;
	f->mark_or_order = r->order;
	f->bytes = r->bytes;
	f->src = r->src;
	f->dst = r->dst;
	f->from = r->from;
	f->to = r->to;
	f->control = r->control;
	f->away = false;
	analytic_push(n, r->time_ps, r->station, f->number);
	return n->events.short_of_memory ? mem_short(e) : p->name(p->user, &m, &f->id, e);
}

static int analytic_take_records(struct net_engine *n, unsigned from, const void *records, size_t bytes, struct err *e)
{
	const struct analytic_record *r = records;

	for (size_t i = 0; i < bytes / sizeof(*r); i++) {
		if (r[i].time_ps <= n->now_ps)
			return err_set(e, STATUS_FAILED,
				       "a message of process %u has an effect at %" PRId64
				       " ps: expected after the window, which ended at %" PRId64 " ps",
				       from + 1, r[i].time_ps, n->now_ps);
		if (analytic_take_record(n, &r[i], e) < 0)
			return -1;
	}
	return 0;
}

/* ---- windows ---- */
static void analytic_offer(struct net_engine *n, int64_t least[2])
{
	(void)n;
	least[0] = least[1] = NET_TIME_NEVER;
}

static int64_t analytic_width(struct net_engine *n, int64_t begin, const int64_t least[2])
{
	(void)begin;
	(void)least;
	return n->least_ps;
}

static uint64_t analytic_events(const struct net_engine *n)
{
	return n->handled;
}

/* ---- counters ---- */
struct analytic_counts {
	uint64_t sent, delivered, sent_bytes, delay_sum_ps[2]; /* its lower and upper half */
	int64_t delay_max_ps;
};

static size_t analytic_put_counts(const struct net_engine *n, void *out)
{
	struct analytic_counts *c = out;

	if (c)
		*c = (struct analytic_counts){n->sent,
					      n->delivered,
					      n->sent_bytes,
					      {(uint64_t)n->delay_sum_ps, (uint64_t)(n->delay_sum_ps >> 64)},
					      n->delay_max_ps};
	return sizeof(*c);
}

static void analytic_add_counts(struct net_engine *n, unsigned from, const void *counts)
{
	const struct analytic_counts *c = counts;

	(void)from;
	n->sent += c->sent;
	n->delivered += c->delivered;
	n->sent_bytes += c->sent_bytes;
	n->delay_sum_ps += (sum128)c->delay_sum_ps[1] << 64 | c->delay_sum_ps[0];
	n->delay_max_ps = c->delay_max_ps > n->delay_max_ps ? c->delay_max_ps : n->delay_max_ps;
	n->divided->gathered = true;
}

const struct net_engine_partitions analytic_engine_partitions = {
	.whole = analytic_whole,
	.divide = analytic_divide,
	.offer = analytic_offer,
	.width = analytic_width,
	.events = analytic_events,
	.next = analytic_next_time,
	.take = analytic_take_records,
	.counts = analytic_put_counts,
	.add_counts = analytic_add_counts,
};
