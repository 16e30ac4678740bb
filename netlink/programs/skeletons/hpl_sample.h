/*
 * A sample of hpl's steps. Windows of consecutive steps are at equal distances; the first begins with the first step,
 * and the last ends with the last one: both count as they are. Between them the time of a step, whose parts grow with
 * the rows that remain, their square and not at all, is interpolated by parabolas through neighbouring windows.
 * A window is run behind steps that only bring the ranks into their usual order.
 */
#ifndef HPL_SAMPLE_H
#define HPL_SAMPLE_H

#include <math.h>
#include <stdlib.h>

enum { SAMPLE_POINTS_MAX = 256 };

struct sample {
	int points;
	long steps, warm;
};

/* Steps from..to - 1; those from `warm` on count for the interpolation, in two halves. */
struct window {
	long from, warm, middle, to;
	double all;           /* seconds of the whole window, mean of the ranks */
	double first, second; /* of the halves */
	double last;          /* from the ranks' mean end to that of the last rank */
};

/* Reads POINTS[:STEPS[:WARM]]; returns 1 if the text is anything else. */
static inline int sample_read(const char *text, struct sample *s)
{
	char *end;
	long points = strtol(text, &end, 10);

	*s = (struct sample){.warm = -1};
	if (end == text || points < 4 || points > SAMPLE_POINTS_MAX)
		return 1;
	s->points = (int)points;
	if (*end == ':') {
		s->steps = strtol(text = end + 1, &end, 10);
		if (end == text || s->steps < 2 || s->steps > 1000000)
			return 1;
	}
	if (*end == ':') {
		s->warm = strtol(text = end + 1, &end, 10);
		if (end == text || s->warm < 0 || s->warm > 1000000)
			return 1;
	}
	return *end != '\0';
}

/* The windows of `of` steps, and their number: one of all steps, if they are few. */
static inline int sample_windows(const struct sample *s, long of, struct window *w)
{
	long length = s->warm + s->steps;

	if (length * s->points >= of) {
		w[0] = (struct window){.to = of};
		return 1;
	}
	for (int i = 0; i < s->points; i++) {
		long from = (of - length) * i / (s->points - 1);

		w[i] = (struct window){
			.from = from,
			.warm = from + s->warm,
			.middle = from + s->warm + s->steps / 2,
			.to = from + length,
		};
	}
	return s->points;
}

static inline double window_middle(const struct window *w)
{
	return (double)(w->warm + w->to) / 2;
}

static inline double window_rate(const struct window *w)
{
	return (w->first + w->second) / (double)(w->to - w->warm);
}

/*
 * The mean of step x..x + 1 by the parabola that has the means of windows i, i + 1, i + 2. One with second derivative
 * p'' has a mean over L steps that is L^2 p'' / 24 above its value in their middle.
 */
static inline double sample_parabola(const struct window *w, int i, double x)
{
	double y = 0, second = 0, steps = (double)(w[i].to - w[i].warm);

	for (int j = i; j < i + 3; j++) {
		double term = window_rate(&w[j]), bend = 2 * term;

		for (int k = i; k < i + 3; k++)
			if (k != j) {
				double apart = window_middle(&w[j]) - window_middle(&w[k]);

				term *= (x + 0.5 - window_middle(&w[k])) / apart;
				bend /= apart;
			}
		y += term;
		second += bend;
	}
	return y - second * (steps * steps - 1) / 24;
}

/*
 * Returns by how much a window's halves differ for each step, beyond the slope between its neighbours. Ranks that begin
 * a window together get into their usual order slowly, and the difference may go on behind it.
 */
static inline double window_noise(const struct window *w, int i, int points)
{
	const struct window *a = &w[i > 0 ? i - 1 : i], *b = &w[i < points - 1 ? i + 1 : i], *c = &w[i];
	double slope = (window_rate(b) - window_rate(a)) / (window_middle(b) - window_middle(a));
	double difference = c->second / (double)(c->to - c->middle) - c->first / (double)(c->middle - c->warm);

	return fabs(difference - slope * (double)(c->to - c->warm) / 2);
}

/*
 * Seconds of all steps. The bound sums up by how much two parabolas differ that are as good, and the windows' noise, as
 * if all were in one direction.
 */
static inline double sample_total(const struct window *w, int points, double *bound)
{
	const struct window *end = &w[points - 1];
	double total = w[0].all, error = 0;

	if (points == 1)
		return total + w[0].last;
	for (int i = 0; i + 1 < points; i++) {
		long to = i + 2 < points ? (long)window_middle(&w[i + 1]) : end->warm;
		int low = i > 0 ? i - 1 : 0, high = i + 3 < points ? i : points - 3;

		for (long x = i ? (long)window_middle(&w[i]) : w[0].to; x < to; x++) {
			double a = sample_parabola(w, low, (double)x);
			double b = sample_parabola(w, low == high ? (low ? low - 1 : 1) : high, (double)x);

			total += low == high ? a : (a + b) / 2;
			error += low == high ? fabs(a - b) : fabs(a - b) / 2;
		}
		error += (double)(to - (i ? (long)window_middle(&w[i]) : w[0].to)) *
			 (window_noise(w, i, points) + window_noise(w, i + 1, points)) / 2;
	}
	*bound += error;
	return total + end->first + end->second + end->last;
}

#endif
