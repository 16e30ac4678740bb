#include "steady.h"

#include <math.h>
#include <stdio.h>

enum { LEAST = 2 * OPEN_LOOP_GROUPS }; /* batches before a rank ceases to send */

static void latencies_of(const struct traffic_result *x, unsigned first, unsigned end, struct traffic_measured *m)
{
	uint64_t bin[QUANTILE_BINS] = {0};

	for (unsigned i = first; i < end; i++) {
		if (x->window.batch[i].latency_max_ps > m->latency_max_ps)
			m->latency_max_ps = x->window.batch[i].latency_max_ps;
		for (unsigned k = 0; k < QUANTILE_BINS; k++)
			bin[k] += x->detail->latency[i][k];
	}
	/* the middle of a bin may be above all that is in it */
	m->latency_p50_ps = fmin(quantile_of(bin, 0.5), (double)m->latency_max_ps);
	m->latency_p99_ps = fmin(quantile_of(bin, 0.99), (double)m->latency_max_ps);
}

/*
 * How equally ranks are served: the least, and the index of R. Jain, D.-M. Chiu, W. Hawe, "A quantitative measure of
 * fairness and discrimination for resource allocation in shared computer systems" (DEC-TR-301, 1984).
 */
static void fairness_of(const struct traffic_result *x, unsigned first, unsigned end, struct traffic_measured *m)
{
	double sum = 0, squares = 0, least = HUGE_VAL, ranks = 0;
	double size = x->messages ? (double)x->bytes / (double)x->messages : 0;

	for (uint32_t r = 0; r < x->ranks; r++) {
		double messages = 0;

		for (unsigned i = first; i < end; i++)
			messages += x->detail->sender[r].delivered[i];
		if (!x->rank[r].sent)
			continue;
		ranks++;
		sum += messages;
		squares += messages * messages;
		least = fmin(least, messages);
	}
	if (squares > 0) {
		m->fairness = sum * sum / (ranks * squares);
		m->accepted_min =
			least * size * x->ranks / (x->window.bytes_per_ps * (double)(m->end_ps - m->begin_ps));
	}
}

/* A sender's part of the batches from `first` up to `end`, whose number OPEN_LOOP_FIFTHS divides. */
static struct open_loop_sender sender_of(const struct traffic_sender *x, unsigned first, unsigned end)
{
	struct open_loop_sender s = {{0}, {0}};

	for (unsigned i = first; i < end; i++) {
		unsigned fifth = (i - first) * OPEN_LOOP_FIFTHS / (end - first);

		s.sent[fifth] += x->sent[i];
		s.delivered[fifth] += x->delivered[i];
	}
	return s;
}

/* The figures of the batches from `first` up to `end`, whose number OPEN_LOOP_GROUPS divides. */
static void measure(const struct traffic_result *t, const struct open_loop_batch *batch, unsigned first, unsigned end,
		    struct traffic_measured *m)
{
	const struct traffic_window *w = &t->window;
	struct open_loop x = open_loop_measure(batch + first, end - first, w->bytes_per_ps * (double)w->batch_ps);

	for (uint32_t r = 0; t->detail && r < t->ranks; r++) {
		struct open_loop_sender s = sender_of(&t->detail->sender[r], first, end);

		open_loop_check_sender(&x, r, &s);
	}

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
	unsigned count = TRAFFIC_BATCHES, first;
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
	first = w->warm ? count % OPEN_LOOP_GROUPS : open_loop_warm_up(batch, count);
	measure(x, batch, first, count, m);
	if (x->detail) {
		latencies_of(x, first, count, m);
		fairness_of(x, first, count, m);
	}
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
