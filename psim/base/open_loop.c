#include "open_loop.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>

enum { GROUPS = OPEN_LOOP_GROUPS };
static const double CHANGE = 0.05;          /* less is no change */
static const double STUDENT_GROUPS = 2.262; /* Student's t, 95 %, two-sided: of GROUPS - 1 = 9 degrees of freedom */
static const double SURE_GROUPS = 3.250;    /* the same, 99 % */
static const double SURE_HALVES = 3.355;    /* 99 %, of GROUPS - 2 = 8 */

/* A series of batches' figures, one a group. */
struct groups {
	double offered[GROUPS], accepted[GROUPS], latency[GROUPS];
};

static struct open_loop_batch sum_of(const struct open_loop_batch *batch, unsigned count)
{
	struct open_loop_batch sum = {0};

	for (unsigned i = 0; i < count; i++) {
		sum.sent += batch[i].sent;
		sum.delivered += batch[i].delivered;
		sum.messages += batch[i].messages;
		sum.latency += batch[i].latency;
	}
	return sum;
}

static double latency_of(const struct open_loop_batch *b)
{
	return b->messages ? b->latency / (double)b->messages : 0;
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
static unsigned mser(const struct open_loop_batch *batch, unsigned count,
		     double (*value)(const struct open_loop_batch *))
{
	double best = HUGE_VAL;
	unsigned out = 0;

	for (unsigned d = 0; d <= count / 2; d++) {
		double n = count - d, mean = 0, squares = 0;

		for (unsigned i = d; i < count; i++)
			mean += value(&batch[i]);
		mean /= n;
		for (unsigned i = d; i < count; i++)
			squares += (value(&batch[i]) - mean) * (value(&batch[i]) - mean);
		if (squares / (n * n) < best) {
			best = squares / (n * n);
			out = d;
		}
	}
	return out;
}

static double delivered_of(const struct open_loop_batch *b)
{
	return (double)b->delivered;
}

unsigned open_loop_warm_up(const struct open_loop_batch *batch, unsigned count)
{
	unsigned one = mser(batch, count, delivered_of), other = mser(batch, count, latency_of);

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

static void name_halves(const double x[GROUPS], struct open_loop *m)
{
	m->from = mean_of(x, GROUPS / 2);
	m->to = mean_of(x + GROUPS / 2, GROUPS / 2);
}

/*
 * What is offered varies by chance, and what is accepted with it: the difference of both shows whether the network is
 * steady.
 */
static enum open_loop_state state_of(const struct groups *g, struct open_loop *m)
{
	double behind[GROUPS], mean, offered = mean_of(g->offered, GROUPS);

	for (unsigned i = 0; i < GROUPS; i++)
		behind[i] = g->offered[i] - g->accepted[i];
	mean = mean_of(behind, GROUPS);
	name_halves(g->accepted, m);
	if (changes(behind, offered))
		return OPEN_LOOP_ACCEPTED_CHANGES;
	name_halves(g->latency, m);
	if (mean > SURE_GROUPS / STUDENT_GROUPS * error_of(behind) && mean > CHANGE * offered)
		return OPEN_LOOP_FALLS_BEHIND;
	return changes(g->latency, mean_of(g->latency, GROUPS)) ? OPEN_LOOP_LATENCY_CHANGES : OPEN_LOOP_STEADY;
}

struct open_loop open_loop_measure(const struct open_loop_batch *batch, unsigned count, double capacity)
{
	const unsigned each = count / GROUPS;
	struct open_loop_batch all = sum_of(batch, count);
	uint64_t accepted = all.delivered < all.sent ? all.delivered : all.sent; /* the rest was offered before */
	struct open_loop m = {.messages = all.messages};
	struct groups g;

	capacity *= each; /* of a group */
	for (unsigned i = 0; i < GROUPS; i++) {
		struct open_loop_batch sum = sum_of(batch + i * each, each);

		g.offered[i] = (double)sum.sent / capacity;
		g.accepted[i] = (double)sum.delivered / capacity;
		g.latency[i] = latency_of(&sum);
	}
	m.offered = (struct open_loop_figure){(double)all.sent / capacity / GROUPS, error_of(g.offered)};
	m.accepted = (struct open_loop_figure){(double)accepted / capacity / GROUPS, error_of(g.accepted)};
	m.latency = (struct open_loop_figure){latency_of(&all), error_of(g.latency)};
	m.state = state_of(&g, &m);
	return m;
}

void open_loop_check_sender(struct open_loop *m, uint32_t number, const struct open_loop_sender *s)
{
	uint64_t sent = 0, delivered = 0;
	double share;

	if (m->state == OPEN_LOOP_FALLS_BEHIND || m->state == OPEN_LOOP_ACCEPTED_CHANGES)
		return;
	for (unsigned i = 0; i < OPEN_LOOP_FIFTHS; i++) {
		if ((double)s->delivered[i] >= (1 - CHANGE) * (double)s->sent[i])
			return;
		sent += s->sent[i];
		delivered += s->delivered[i];
	}
	share = (double)delivered / (double)sent;
	if (m->state == OPEN_LOOP_STARVES && m->to <= share)
		return;
	m->state = OPEN_LOOP_STARVES;
	m->from = number;
	m->to = share;
}

const char *open_loop_say(enum open_loop_state state, double from, double to, double scale, const char *unit,
			  char *text, size_t size)
{
	switch (state) {
	case OPEN_LOOP_FALLS_BEHIND:
		snprintf(text, size, "no: less is accepted than offered, and the latency goes from %.4g %s to %.4g %s",
			 from * scale, unit, to * scale, unit);
		break;
	case OPEN_LOOP_LATENCY_CHANGES:
		snprintf(text, size, "no: the latency changes from %.4g %s to %.4g %s", from * scale, unit, to * scale,
			 unit);
		break;
	case OPEN_LOOP_ACCEPTED_CHANGES:
		snprintf(text, size, "no: the accepted load changes from %.4g to %.4g", from, to);
		break;
	case OPEN_LOOP_STARVES:
		snprintf(text, size, "no: of sender %.0f only %.3g of its load is accepted", from, to);
		break;
	case OPEN_LOOP_STEADY:
	case OPEN_LOOP_STATES: snprintf(text, size, "yes"); break;
	}
	return text;
}
