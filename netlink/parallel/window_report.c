/* The report's group on the cost of several processes, and on the gain by more of them. */
#include "window.h"

enum { ESTIMATE_MOST = 64 };

/*
 * The speed-up of `n` processes that share the events as evenly as those of the run, and exchange as fast as its
 * fastest exchange: an upper bound, since windows do not have the same work.
 */
static double speed_up(const struct window_counts *c, unsigned n)
{
	double events = (double)c->events, own = (double)c->events_most, windows = (double)c->windows;
	double uneven = own * c->processes / events, each = own > 0 ? c->busy_s / own : 0;
	double alone = events * each, together = events / n * uneven * each + windows * c->exchange_least_s;

	return together > 0 ? alone / together : 0;
}

static void report_estimate(const struct window_counts *c, struct report *r)
{
	static const struct report_column columns[] = {
		{"processes", ""}, {"events_a_window", "events"}, {"speed_up", ""}};

	report_table(r, "parallel_estimate",
		     "more processes, each with a core of its own: at most so many times faster", columns, 3);
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
	report_u64(r, "records", c->records, "records", "packets and credits that crossed");
	report_f64(r, "busy", c->busy_s, "s", "the first process simulated (host time)");
	report_f64(r, "exchange", c->exchange_s, "s", "it exchanged and waited");
	report_f64(r, "exchange_least", c->exchange_least_s, "s", "its fastest exchange");
	report_end(r);
	report_estimate(c, r);
}
