#include "steady.h"

#include <stdio.h>

enum { LEAST = 2 * OPEN_LOOP_GROUPS }; /* batches before a rank ceases to send */

/* The figures of the batches from `first` up to `end`, whose number OPEN_LOOP_GROUPS divides. */
static void measure(const struct traffic_window *w, const struct open_loop_batch *batch, unsigned first, unsigned end,
		    struct traffic_measured *m)
{
	struct open_loop x = open_loop_measure(batch + first, end - first, w->bytes_per_ps * (double)w->batch_ps);

	m->begin_ps = w->begin_ps + w->batch_ps * first;
	m->end_ps = w->begin_ps + w->batch_ps * end;
	m->messages = x.messages;
	m->offered = x.offered;
	m->accepted = x.accepted;
	m->throughput.mean = m->accepted.mean * w->bytes_per_ps * 1e12;
	m->throughput.error = m->accepted.error * w->bytes_per_ps * 1e12;
	m->latency_ps = x.latency;
	m->state = (enum traffic_state)x.state;
	m->from = x.from;
	m->to = x.to;
}

/* The first time at which a rank has sent its last message. */
static int64_t ceases(const struct traffic_result *x)
{
	int64_t first = INT64_MAX;

	for (uint32_t i = 0; i < x->ranks; i++)
		if (x->rank[i].sent && x->rank[i].last_ps < first)
			first = x->rank[i].last_ps;
	return first;
}

bool traffic_measure(const struct traffic_result *x, struct traffic_measured *m)
{
	const struct traffic_window *w = &x->window;
	struct open_loop_batch batch[TRAFFIC_BATCHES];
	unsigned count = TRAFFIC_BATCHES;
	int64_t before;

	*m = (struct traffic_measured){.ceased_ps = ceases(x)};
	if (!w->batch_ps)
		return false;
	for (unsigned i = 0; i < TRAFFIC_BATCHES; i++)
		batch[i] = (struct open_loop_batch){w->batch[i].sent_bytes, w->batch[i].delivered_bytes,
						    w->batch[i].messages, (double)w->batch[i].latency_sum_ps};
	before = m->ceased_ps > w->begin_ps ? (m->ceased_ps - w->begin_ps) / w->batch_ps : 0;
	if (!w->given && before < count && before >= LEAST)
		count = (unsigned)before;
	measure(w, batch, w->warm ? count % OPEN_LOOP_GROUPS : open_loop_warm_up(batch, count), count, m);
	if (m->end_ps > m->ceased_ps)
		m->state = TRAFFIC_CEASES;
	return true;
}

const char *traffic_say_state(const struct traffic_measured *m, char *text, size_t size)
{
	if (m->state != TRAFFIC_CEASES)
		return open_loop_say((enum open_loop_state)m->state, m->from, m->to, 1e-6, "us", text, size);
	snprintf(text, size, "no: a rank sends its last message at %.4g us, before the window ends",
		 (double)m->ceased_ps * 1e-6);
	return text;
}
