/* The report's group on the cost of several processes, and on the gain by more of them. */
#include <math.h>

#include "window.h"

enum { ESTIMATE_MOST = 64 };

/*
 * The expected maximum of n normal numbers of mean 0 and variance 1, for n = 1, 2, 4 … 64 (H. Harter, "Expected values
 * of normal order statistics", Biometrika 48, 1961); between these by the logarithm of n.
 */
static double normal_most(unsigned n)
{
	static const double most[] = {0, 0.5642, 1.0294, 1.4236, 1.7660, 2.0697, 2.3437};
	double power = log2(n);
	unsigned below = (unsigned)power;

	if (below >= sizeof(most) / sizeof(most[0]) - 1)
		return most[sizeof(most) / sizeof(most[0]) - 1];
	return most[below] + (power - below) * (most[below + 1] - most[below]);
}

/* Events of the busiest process of each window by the mean. */
static double uneven_windows(const struct window_counts *c)
{
	return c->events ? (double)c->events_longest * c->processes / (double)c->events : 0;
}

/*
 * The speed-up of `n` processes that exchange as fast as the fastest exchange of the run: an upper bound. A window is
 * as long as its busiest process works, and events of processes vary as the square root of their number.
 */
static double speed_up(const struct window_counts *c, unsigned n)
{
	double each = c->events_own ? c->busy_s / (double)c->events_own : 0, alone = (double)c->events * each;
	double more = normal_most(n) / normal_most(c->processes) * sqrt((double)n / c->processes);
	double uneven = 1 + (uneven_windows(c) - 1) * more;
	double together = alone / n * uneven + (double)c->windows * c->exchange_least_s;

	return together > 0 ? alone / together : 0;
}

static void report_estimate(const struct window_counts *c, struct report *r)
{
	static const struct report_column columns[] = {
		{"processes", ""}, {"events_a_window", "events"}, {"speed_up", ""}};

	report_table(r, "parallel_estimate",
		     "upper bound of the speed-up with more processes, each on a core of its own", columns, 3);
	for (unsigned n = 2; c->events && n <= ESTIMATE_MOST; n *= 2) {
		report_cell_u64(r, n);
		report_cell_f64(r, (double)c->events / (double)c->windows / n);
		report_cell_f64(r, speed_up(c, n));
	}
	report_table_end(r);
}

void window_report(const struct window_counts *c, struct report *r)
{
	double windows = c->windows ? (double)c->windows : 1;

	report_group(r, "parallel", "steps of virtual time of several processes");
	report_u64(r, "processes", c->processes, "", "that simulated together");
	report_u64(r, "windows", c->windows, "", "stretches of time between exchanges");
	report_u64(r, "narrow_windows", c->narrow, "",
		   "shortened because links to other processes were short of credit");
	report_u64(r, "events", c->events, "events", "of all processes");
	report_f64(r, "events_a_window", (double)c->events / windows / c->processes, "events", "and process, mean");
	report_f64(r, "uneven", c->events ? (double)c->events_most * c->processes / (double)c->events : 0, "",
		   "events of the busiest process by the mean");
	report_f64(r, "uneven_windows", uneven_windows(c), "",
		   "events of the busiest process of each window by the mean");
	report_u64(r, "records", c->records, "records", "packets and credits that crossed");
	report_f64(r, "busy", c->busy_s, "s", "the first process simulated (host time)");
	report_f64(r, "exchange", c->exchange_s, "s", "it exchanged and waited");
	report_f64(r, "exchange_least", c->exchange_least_s, "s", "its fastest exchange");
	report_end(r);
	report_estimate(c, r);
}
