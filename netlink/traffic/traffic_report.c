#include <stdio.h>

#include "steady.h"

enum { STATE_MOST = 120 };

/* Reports a figure, and half the width of its confidence interval as NAME_error. */
static void report_figure(struct report *r, const char *name, struct open_loop_figure x, double scale, const char *unit,
			  const char *doc)
{
	char error[40];

	snprintf(error, sizeof(error), "%s_error", name);
	report_f64(r, name, x.mean * scale, unit, doc);
	report_f64(r, error, x.error * scale, unit, "half the width of its confidence interval of 95 %");
}

static void report_window(const struct traffic_measured *m, struct report *r)
{
	char state[STATE_MOST];

	report_figure(r, "throughput", m->throughput, 1, "bytes/s",
		      "throughput of all ranks in the measurement window");
	report_text(r, "steady", traffic_say_state(m, state, sizeof(state)), "whether figures of the window hold");
	report_f64(r, "window_begin", (double)m->begin_ps / 1e12, "s",
		   "start of the measurement window, after the warm-up");
	report_f64(r, "window_end", (double)m->end_ps / 1e12, "s", "end of the measurement window");
	report_figure(r, "offered", m->offered, 1, "",
		      "load offered in the window, as a share of the injection bandwidth");
	report_figure(r, "accepted", m->accepted, 1, "", "delivered of the load that is offered in the window");
	report_figure(r, "window_latency", m->latency_ps, 1e-12, "s",
		      "latency of the messages sent in the window, mean");
	report_f64(r, "window_latency_p50", m->latency_p50_ps / 1e12, "s", "the same, median");
	report_f64(r, "window_latency_p99", m->latency_p99_ps / 1e12, "s", "the same, 99th percentile");
	report_f64(r, "window_latency_max", (double)m->latency_max_ps / 1e12, "s", "the same, maximum");
	report_f64(r, "accepted_min", m->accepted_min, "",
		   "load accepted of the rank that is served least, as a share of its injection bandwidth");
	report_f64(r, "fairness", m->fairness, "",
		   "equality of the ranks' accepted loads: Jain's index, 1 if all are equal");
}

static void report_times(const struct traffic_result *x, struct report *r)
{
	struct traffic_measured measured;
	int64_t least = x->total_ps;
	double sum = 0;

	for (uint32_t i = 0; i < x->ranks; i++) {
		sum += (double)x->rank[i].end_ps;
		if (x->rank[i].end_ps < least)
			least = x->rank[i].end_ps;
	}
	report_f64(r, "time", (double)x->total_ps / 1e12, "s",
		   "time until the last rank has ended and the last message has arrived");
	report_f64(r, "rank_time_mean", sum / x->ranks / 1e12, "s", "time of a rank, mean");
	report_f64(r, "rank_time_min", (double)least / 1e12, "s", "time of a rank, minimum");
	report_u64(r, "ranks", x->ranks, "", "ranks that take part");
	report_u64(r, "messages", x->messages, "messages", "messages delivered");
	report_u64(r, "bytes", x->bytes, "bytes", "bytes delivered");
	if (traffic_measure(x, &measured))
		report_window(&measured, r);
	else if (x->total_ps)
		report_f64(r, "throughput", (double)x->bytes / ((double)x->total_ps / 1e12), "bytes/s",
			   "throughput of all ranks together");
}

static void traffic_report_latency(const struct traffic_result *x, struct report *r)
{
	static const struct report_column columns[] = {{"from", "s"}, {"messages", "messages"}};

	report_f64(r, "latency_min", (double)x->latency_min_ps / 1e12, "s",
		   "latency of a message from send to delivery, minimum");
	report_f64(r, "latency_mean", x->messages ? (double)x->latency_sum_ps / (double)x->messages / 1e12 : 0, "s",
		   "latency of a message, mean");
	report_f64(r, "latency_max", (double)x->latency_max_ps / 1e12, "s", "latency of a message, maximum");
	report_table(r, "latency", "histogram of message latencies; a row covers the time up to twice its own", columns,
		     2);
	for (unsigned k = 0; k < TRAFFIC_BUCKETS; k++) {
		if (!x->latency[k])
			continue;
		report_cell_f64(r, (double)(UINT64_C(1) << k) / 1e12);
		report_cell_u64(r, x->latency[k]);
	}
	report_table_end(r);
}

static void traffic_report_ranks(const struct traffic_result *x, struct report *r)
{
	static const struct report_column columns[] = {
		{"rank", ""},
		{"end", "s"},
		{"sent", "messages"},
		{"sent_bytes", "bytes"},
		{"received", "messages"},
		{"received_bytes", "bytes"},
	};

	report_table(r, "rank", "each rank: time at which it ended, messages and bytes sent and received", columns,
		     sizeof(columns) / sizeof(columns[0]));
	for (uint32_t i = 0; i < x->ranks; i++) {
		report_cell_u64(r, i);
		report_cell_f64(r, (double)x->rank[i].end_ps / 1e12);
		report_cell_u64(r, x->rank[i].sent);
		report_cell_u64(r, x->rank[i].sent_bytes);
		report_cell_u64(r, x->rank[i].received);
		report_cell_u64(r, x->rank[i].received_bytes);
	}
	report_table_end(r);
}

void traffic_report(const struct traffic_result *x, bool ranks, struct report *r)
{
	report_group(r, "traffic", "messages of a traffic pattern");
	report_text(r, "complete", x->complete ? "yes" : "no", "whether the pattern ran to its end");
	report_times(x, r);
	traffic_report_latency(x, r);
	if (ranks)
		traffic_report_ranks(x, r);
	report_end(r);
}
