#include "steady.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
	GROUPS = 10,        /* of a window: batches of batches */
	LEAST = 2 * GROUPS, /* batches before a rank ceases to send */
};
static const double CHANGE = 0.05;          /* less is no change */
static const double STUDENT_GROUPS = 2.262; /* Student's t, 95 %, two-sided: of GROUPS - 1 = 9 degrees of freedom */
static const double SURE_GROUPS = 3.250;    /* the same, 99 % */
static const double SURE_HALVES = 3.355;    /* 99 %, of GROUPS - 2 = 8 */

/* A series of batches' figures, one a group. */
struct groups {
	double offered[GROUPS], accepted[GROUPS], latency[GROUPS];
};

static struct traffic_batch sum_of(const struct traffic_batch *batch, unsigned count)
{
	struct traffic_batch sum = {0};

	for (unsigned i = 0; i < count; i++) {
		sum.sent_bytes += batch[i].sent_bytes;
		sum.delivered_bytes += batch[i].delivered_bytes;
		sum.messages += batch[i].messages;
		sum.latency_sum_ps += batch[i].latency_sum_ps;
	}
	return sum;
}

static double latency_of(const struct traffic_batch *b)
{
	return b->messages ? (double)b->latency_sum_ps / (double)b->messages : 0;
}

static double mean_of(const double *x, unsigned count)
{
	double sum = 0;

	for (unsigned i = 0; i < count; i++)
		sum += x[i];
	return sum / count;
}

static double deviations(const double *x, unsigned count)
{
	double mean = mean_of(x, count), sum = 0;

	for (unsigned i = 0; i < count; i++)
		sum += (x[i] - mean) * (x[i] - mean);
	return sum;
}

/* ---- the warm-up ---- */

/* Returns how many of `count` values to leave out, at most half: the rest has the least standard error of its mean. */
static unsigned mser(const double *x, unsigned count)
{
	double best = HUGE_VAL;
	unsigned out = 0;

	for (unsigned d = 0; d <= count / 2; d++) {
		double n = count - d, squares = deviations(x + d, count - d);

		if (squares / (n * n) < best) {
			best = squares / (n * n);
			out = d;
		}
	}
	return out;
}

/* Returns the first batch of the window, so that GROUPS divides the number of batches from there up to `count`. */
static unsigned warm_up(const struct traffic_batch *batch, unsigned count)
{
	double delivered[TRAFFIC_BATCHES], latency[TRAFFIC_BATCHES];
	unsigned one, other;

	for (unsigned i = 0; i < count; i++) {
		delivered[i] = (double)batch[i].delivered_bytes;
		latency[i] = latency_of(&batch[i]);
	}
	one = mser(delivered, count);
	other = mser(latency, count);
	one = one > other ? one : other;
	return count - (count - one) / GROUPS * GROUPS;
}

/* ---- the window ---- */

/* Half the width of the confidence interval of the mean of a window's groups. */
static double error_of(const double x[GROUPS])
{
	return STUDENT_GROUPS * sqrt(deviations(x, GROUPS) / (GROUPS - 1) / GROUPS);
}

/* Returns whether the halves of a window differ, by more than chance and by more than CHANGE of `whole`. */
static bool changes(const double x[GROUPS], double whole)
{
	const unsigned half = GROUPS / 2;
	double spread = sqrt((deviations(x, half) + deviations(x + half, half)) / (GROUPS - 2) * 2 / half);
	double by = fabs(mean_of(x + half, half) - mean_of(x, half));

	return by > SURE_HALVES * spread && by > CHANGE * whole;
}

static void name_halves(const double x[GROUPS], struct traffic_measured *m)
{
	m->from = mean_of(x, GROUPS / 2);
	m->to = mean_of(x + GROUPS / 2, GROUPS / 2);
}

/*
 * What is offered varies by chance, and what is accepted with it: the difference of both shows whether the network is
 * steady.
 */
static enum traffic_state state_of(const struct groups *g, struct traffic_measured *m)
{
	double behind[GROUPS], mean, offered = mean_of(g->offered, GROUPS);

	for (unsigned i = 0; i < GROUPS; i++)
		behind[i] = g->offered[i] - g->accepted[i];
	mean = mean_of(behind, GROUPS);
	name_halves(g->accepted, m);
	if (changes(behind, offered))
		return TRAFFIC_ACCEPTED_CHANGES;
	name_halves(g->latency, m);
	if (mean > SURE_GROUPS / STUDENT_GROUPS * error_of(behind) && mean > CHANGE * offered)
		return TRAFFIC_FALLS_BEHIND;
	return changes(g->latency, mean_of(g->latency, GROUPS)) ? TRAFFIC_LATENCY_CHANGES : TRAFFIC_STEADY;
}

static struct groups make_groups(const struct traffic_batch *batch, unsigned each, double capacity)
{
	struct groups g;

	for (unsigned i = 0; i < GROUPS; i++) {
		struct traffic_batch sum = sum_of(batch + i * each, each);

		g.offered[i] = (double)sum.sent_bytes / capacity;
		g.accepted[i] = (double)sum.delivered_bytes / capacity;
		g.latency[i] = latency_of(&sum);
	}
	return g;
}

/* The figures of the batches from `first` up to `end`, a multiple of GROUPS. */
static void measure(const struct traffic_window *w, unsigned first, unsigned end, struct traffic_measured *m)
{
	unsigned each = (end - first) / GROUPS;
	double capacity = w->bytes_per_ps * (double)w->batch_ps * each; /* of a group */
	struct groups g = make_groups(w->batch + first, each, capacity);
	struct traffic_batch sum = sum_of(w->batch + first, end - first);
	uint64_t accepted = sum.delivered_bytes;

	if (accepted > sum.sent_bytes)
		accepted = sum.sent_bytes; /* the rest was offered before */
	m->begin_ps = w->begin_ps + w->batch_ps * first;
	m->end_ps = w->begin_ps + w->batch_ps * end;
	m->messages = sum.messages;
	m->offered = (struct traffic_figure){(double)sum.sent_bytes / capacity / GROUPS, error_of(g.offered)};
	m->accepted = (struct traffic_figure){(double)accepted / capacity / GROUPS, error_of(g.accepted)};
	m->throughput.mean = m->accepted.mean * w->bytes_per_ps * 1e12;
	m->throughput.error = m->accepted.error * w->bytes_per_ps * 1e12;
	m->latency_ps = (struct traffic_figure){latency_of(&sum), error_of(g.latency)};
	m->state = state_of(&g, m);
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
	unsigned count = TRAFFIC_BATCHES;
	int64_t before;

	*m = (struct traffic_measured){.ceased_ps = ceases(x)};
	if (!w->batch_ps)
		return false;
	before = m->ceased_ps > w->begin_ps ? (m->ceased_ps - w->begin_ps) / w->batch_ps : 0;
	if (!w->given && before < count && before >= LEAST)
		count = (unsigned)before;
	measure(w, w->warm ? 0 : warm_up(w->batch, count), count, m);
	if (m->end_ps > m->ceased_ps)
		m->state = TRAFFIC_CEASES;
	return true;
}

const char *traffic_say_state(const struct traffic_measured *m, char *text, size_t size)
{
	switch (m->state) {
	case TRAFFIC_STEADY: snprintf(text, size, "yes"); break;
	case TRAFFIC_FALLS_BEHIND:
		snprintf(text, size, "no: less is accepted than offered, and the latency goes from %.4g us to %.4g us",
			 m->from * 1e-6, m->to * 1e-6);
		break;
	case TRAFFIC_LATENCY_CHANGES:
		snprintf(text, size, "no: the latency changes from %.4g us to %.4g us", m->from * 1e-6, m->to * 1e-6);
		break;
	case TRAFFIC_ACCEPTED_CHANGES:
		snprintf(text, size, "no: the accepted load changes from %.4g to %.4g", m->from, m->to);
		break;
	case TRAFFIC_CEASES:
		snprintf(text, size, "no: a rank sends its last message at %.4g us, before the window ends",
			 (double)m->ceased_ps * 1e-6);
		break;
	}
	return text;
}
