/* The tables of jobs: times, slowdowns, what their messages met, and the links that two of them use. */
#include <math.h>
#include <stdlib.h>

#include "../../../psim/base/mem.h"
#include "jobs_state.h"
#include "program_run.h"

enum { LINKS_SHOWN = 10 };

/* Unknown of nothing, for instance of a job of which no message has arrived. */
static double job_ratio(double part, double whole)
{
	return whole > 0 ? part / whole : (double)NAN;
}

static double job_quantile(const struct share_counts *c, const uint64_t *bin, double share)
{
	return c->delivered ? quantile_of(bin, share) : (double)NAN;
}

/* Bytes a second until the job's end. */
static double throughput(const struct job_result *r)
{
	return job_ratio((double)r->counts.bytes, (double)r->time_ps * 1e-12);
}

/* Time by time; of a job without an end throughput by throughput. */
static double slowdown(const struct job *j)
{
	const struct job_result *alone = &j->alone->result, *together = &j->together;

	return j->background ? job_ratio(throughput(alone), throughput(together))
			     : job_ratio((double)together->time_ps, (double)alone->time_ps);
}

/* ---- links ---- */

static bool is_shared(const struct jobs *js, const struct job *j, uint32_t link)
{
	if (j->carried[link] <= 0)
		return false;
	for (unsigned i = 0; i < js->count; i++)
		if (&js->job[i] != j && js->job[i].carried[link] > 0)
			return true;
	return false;
}

static uint32_t count_shared(const struct jobs *js, const struct job *j, uint32_t links)
{
	uint32_t count = 0;

	for (uint32_t l = 0; l < links; l++)
		count += is_shared(js, j, l);
	return count;
}

static bool knows_links(const struct jobs *js)
{
	return js->complete && js->job[0].carried;
}

static void report_jobs(const struct run *run, struct report *r)
{
	static const struct report_column columns[] = {
		{"job", ""},
		{"name", ""},
		{"ranks", ""},
		{"nodes", ""},
		{"complete", ""},
		{"time", "s"},
		{"alone", "s"},
		{"slowdown", ""},
		{"messages", ""},
		{"bytes", "bytes"},
		{"links_shared", "links"},
	};
	const struct jobs *js = run->jobs;

	report_table(r, "jobs",
		     "jobs side by side: time until the last rank ended, the same alone on the same nodes, and their "
		     "ratio (background: of throughputs); links that carry another job too, each alone",
		     columns, sizeof(columns) / sizeof(columns[0]) - (knows_links(js) ? 0 : 1));
	for (unsigned i = 0; i < js->count; i++) {
		const struct job *j = &js->job[i];

		report_cell_u64(r, j->number);
		report_cell_text(r, j->name);
		report_cell_u64(r, j->ranks);
		report_cell_u64(r, j->nodes.count);
		report_cell_text(r, j->together.complete ? "yes" : j->background ? "background" : "no");
		report_cell_f64(r, (double)j->together.time_ps * 1e-12);
		report_cell_f64(r, (double)j->alone->result.time_ps * 1e-12);
		report_cell_f64(r, slowdown(j));
		report_cell_u64(r, j->together.counts.delivered);
		report_cell_u64(r, j->together.counts.bytes);
		if (knows_links(js))
			report_cell_u64(r, count_shared(js, j, run->machine.topology->links));
	}
	report_table_end(r);
}

/* ---- what messages met ---- */

/* A figure together and alone, mean and in the tail, and the ratios by which it is worse. */
struct impact {
	double mean, tail, alone_mean, alone_tail;
	bool less_is_worse;
};

static void report_impact(const struct job *j, const struct impact *x, struct report *r)
{
	report_cell_u64(r, j->number);
	report_cell_f64(r, x->mean);
	report_cell_f64(r, x->tail);
	report_cell_f64(r, x->alone_mean);
	report_cell_f64(r, x->alone_tail);
	report_cell_f64(r, x->less_is_worse ? job_ratio(x->alone_mean, x->mean) : job_ratio(x->mean, x->alone_mean));
	report_cell_f64(r, x->less_is_worse ? job_ratio(x->alone_tail, x->tail) : job_ratio(x->tail, x->alone_tail));
}

static double mean_latency(const struct share_counts *c)
{
	return job_ratio((double)c->latency_ps * 1e-12, (double)c->delivered);
}

static void report_latency(const struct jobs *js, struct report *r)
{
	static const struct report_column columns[] = {
		{"job", ""},        {"latency", "s"}, {"latency_p99", "s"}, {"alone", "s"},
		{"alone_p99", "s"}, {"impact", ""},   {"impact_p99", ""},
	};

	report_table(r, "job_latency",
		     "latency of a job's messages, mean and 99th percentile; impact: congestion impact factor, that "
		     "together by that alone",
		     columns, sizeof(columns) / sizeof(columns[0]));
	for (unsigned i = 0; i < js->count; i++) {
		const struct share_counts *c = &js->job[i].together.counts, *a = &js->job[i].alone->result.counts;
		const struct impact x = {mean_latency(c), job_quantile(c, c->latency_bin, 0.99) * 1e-12,
					 mean_latency(a), job_quantile(a, a->latency_bin, 0.99) * 1e-12, false};

		report_impact(&js->job[i], &x, r);
	}
	report_table_end(r);
}

static void report_bandwidth(const struct jobs *js, struct report *r)
{
	static const struct report_column columns[] = {
		{"job", ""},          {"bandwidth", "bytes/s"}, {"bandwidth_p99", "bytes/s"},
		{"alone", "bytes/s"}, {"alone_p99", "bytes/s"}, {"impact", ""},
		{"impact_p99", ""},
	};

	report_table(r, "job_bandwidth",
		     "bytes of a message by its latency: mean, and what 99 % of the messages reach; impact: congestion "
		     "impact factor, that alone by that together",
		     columns, sizeof(columns) / sizeof(columns[0]));
	for (unsigned i = 0; i < js->count; i++) {
		const struct share_counts *c = &js->job[i].together.counts, *a = &js->job[i].alone->result.counts;
		const struct impact x = {
			job_ratio(c->bandwidth, (double)c->delivered), job_quantile(c, c->bandwidth_bin, 0.01),
			job_ratio(a->bandwidth, (double)a->delivered), job_quantile(a, a->bandwidth_bin, 0.01), true};

		report_impact(&js->job[i], &x, r);
	}
	report_table_end(r);
}

/* ---- the links that two jobs load most ---- */

/* A pair of jobs on a link, each alone. */
struct shared_link {
	uint32_t link, one, other; /* jobs by their place */
	double bytes, bytes_other;
};

static bool is_hotter(const struct shared_link *a, const struct shared_link *b)
{
	double x = a->bytes + a->bytes_other, y = b->bytes + b->bytes_other;

	return x > y;
}

/* Adds a pair to the hottest ones, which are in order; ties keep the order of links and jobs. */
static unsigned add_shared(struct shared_link *hot, unsigned count, const struct shared_link *x)
{
	unsigned at = count;

	while (at && is_hotter(x, &hot[at - 1]))
		at--;
	if (at == LINKS_SHOWN)
		return count;
	if (count < LINKS_SHOWN)
		count++;
	for (unsigned i = count - 1; i > at; i--)
		hot[i] = hot[i - 1];
	hot[at] = *x;
	return count;
}

static unsigned jobs_find_hottest(const struct jobs *js, uint32_t links, struct shared_link hot[LINKS_SHOWN])
{
	unsigned count = 0;

	for (uint32_t l = 0; l < links; l++)
		for (unsigned a = 0; a < js->count; a++)
			for (unsigned b = a + 1; b < js->count && js->job[a].carried[l] > 0; b++) {
				const struct shared_link x = {l, a, b, js->job[a].carried[l], js->job[b].carried[l]};

				if (x.bytes_other > 0)
					count = add_shared(hot, count, &x);
			}
	return count;
}

static void report_job_links(const struct run *run, struct report *r)
{
	static const struct report_column columns[] = {
		{"link", ""}, {"class", ""}, {"from", ""},       {"to", ""},
		{"job", ""},  {"other", ""}, {"bytes", "bytes"}, {"bytes_other", "bytes"},
	};
	const struct jobs *js = run->jobs;
	const struct topology *t = run->machine.topology;
	struct shared_link hot[LINKS_SHOWN];
	unsigned count = jobs_find_hottest(js, t->links, hot);

	if (!count)
		return;
	report_table(r, "job_links",
		     "links that two jobs use, by the bytes of both, at most 10: vertices (by number: nodes, then "
		     "routers), bytes "
		     "of each job alone",
		     columns, sizeof(columns) / sizeof(columns[0]));
	for (unsigned i = 0; i < count; i++) {
		const struct topology_link *l = &t->link[hot[i].link];

		report_cell_link(r, t, hot[i].link);
		report_cell_text(r, t->class[l->class].name);
		report_cell_vertex(r, t, l->from);
		report_cell_vertex(r, t, l->to);
		report_cell_u64(r, js->job[hot[i].one].number);
		report_cell_u64(r, js->job[hot[i].other].number);
		report_cell_f64(r, hot[i].bytes);
		report_cell_f64(r, hot[i].bytes_other);
	}
	report_table_end(r);
}

static void report_algorithms(const struct jobs *js, struct report *r)
{
	bool begun = false;

	for (unsigned i = 0; i < js->count; i++)
		collective_job_report(&js->job[i].uses, js->job[i].number, &begun, r);
	if (begun)
		report_table_end(r);
}

int64_t jobs_end_time(const struct jobs *js)
{
	int64_t end = 0;

	for (unsigned i = 0; i < js->count; i++)
		end = js->job[i].together.time_ps > end ? js->job[i].together.time_ps : end;
	return end;
}

void jobs_report(const struct run *run, struct report *r)
{
	const struct jobs *js = run->jobs;

	report_jobs(run, r);
	report_algorithms(js, r);
	if (!js->complete)
		return;
	report_latency(js, r);
	report_bandwidth(js, r);
	if (knows_links(js))
		report_job_links(run, r);
}
