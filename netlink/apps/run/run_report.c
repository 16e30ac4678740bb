/* The report of a run. */
#include <string.h>
#include <sys/resource.h>

#include "program_run.h"

static double cpu_seconds(const struct rusage *u)
{
	return (double)(u->ru_utime.tv_sec + u->ru_stime.tv_sec) +
	       1e-6 * (double)(u->ru_utime.tv_usec + u->ru_stime.tv_usec);
}

/* Adds the host's cost, which differs from run to run: of this process and of those that it has forked. */
static void host_report(const struct vmpi *vmpi, struct report *r)
{
	struct rusage usage, others;
	struct vmpi_progress p = vmpi_progress(vmpi);
	long most;
	double cpu;

	if (getrusage(RUSAGE_SELF, &usage) < 0 || getrusage(RUSAGE_CHILDREN, &others) < 0)
		return;
	cpu = cpu_seconds(&usage) + cpu_seconds(&others);
	most = usage.ru_maxrss > others.ru_maxrss ? usage.ru_maxrss : others.ru_maxrss;
	report_group(r, "host", "host's cost of the run");
	report_f64(r, "processor", cpu, "s", "CPU time of the host");
	report_f64(r, "messages_per_second", cpu > 0 ? (double)p.messages / cpu : 0, "",
		   "messages of ranks per second of CPU time");
	report_u64(r, "memory", (uint64_t)most * 1024, "bytes", "peak memory of the host, of the largest process");
	report_end(r);
}

/*
 * Adds the interval of the run's time. Its computation is that on the critical path if it was analysed; else all of the
 * time may be computation.
 */
static void interval_report(const struct run *run, struct report *r)
{
	double seconds = (double)vmpi_end_time(run->vmpi) / 1e12, computed = seconds;

	if (run->analysis)
		computed = (double)analysis_computation(run->analysis) / 1e12;
	models_interval(run->in.models, seconds, computed, vmpi_slowdown(run->vmpi), r);
}

/* All groups, in the order of the short report; and where it shows them. */
enum shown { ALWAYS, SKELETONS, VERBOSE };
static const struct group {
	struct report_pick pick;
	enum shown shown;
} groups[] = {
	{{"run", "version command"}, ALWAYS},
	{{"program", NULL}, ALWAYS},
	{{"jobs", NULL}, ALWAYS},
	{{"job_latency", NULL}, ALWAYS},
	{{"job_bandwidth", NULL}, ALWAYS},
	{{"job_links", NULL}, ALWAYS},
	{{"points", NULL}, ALWAYS},
	{{"saturation", NULL}, ALWAYS},
	{{"traffic", NULL}, ALWAYS},
	{{"traffic.rank", NULL}, ALWAYS},
	{{"notes", NULL}, ALWAYS},
	{{"parallel", NULL}, ALWAYS},
	{{"parallel_estimate", NULL}, ALWAYS},
	{{"interval", NULL}, SKELETONS},
	{{"selections_interval", NULL}, ALWAYS},
	{{"selections", NULL}, ALWAYS},
	{{"shares", NULL}, SKELETONS},
	{{"phases", NULL}, SKELETONS},
	{{"speed", NULL}, SKELETONS},
	{{"collectives_by_table", NULL}, ALWAYS},
	{{"reliability", NULL}, ALWAYS},
	{{"cost", NULL}, ALWAYS},
	{{"cost_parts", NULL}, ALWAYS},
	{{"power", NULL}, ALWAYS},
	{{"power_parts", NULL}, ALWAYS},
	{{"power_phases", NULL}, ALWAYS},
	{{"power_calls", NULL}, VERBOSE},
	{{"power_links", NULL}, VERBOSE},
	{{"power_ranks", NULL}, ALWAYS},
	{{"ranks", NULL}, ALWAYS},
	{{"bounds", NULL}, ALWAYS},
	{{"link_use", NULL}, ALWAYS},
	{{"hot_links", NULL}, ALWAYS},
	{{"hot_link_ranks", NULL}, ALWAYS},
	{{"hot_link_pairs", NULL}, ALWAYS},
	{{"hot_link_calls", NULL}, ALWAYS},
	{{"critical_path", NULL}, ALWAYS},
	{{"efficiency", NULL}, ALWAYS},
	{{"waiting", NULL}, ALWAYS},
	{{"critical_path_phases", NULL}, ALWAYS},
	{{"critical_path_ranks", NULL}, ALWAYS},
	{{"critical_path_places", NULL}, ALWAYS},
	{{"critical_path_messages", NULL}, ALWAYS},
	{{"waits", NULL}, ALWAYS},
	{{"timeline", NULL}, VERBOSE},    /* this and its tables: pages alone have it */
	{{"network_map", NULL}, VERBOSE}, /* likewise */
	{{"levels", NULL}, VERBOSE},
	{{"calls", NULL}, VERBOSE},
	{{"parameters", NULL}, ALWAYS},
	{{"models", NULL}, ALWAYS},
	{{"topology", NULL}, ALWAYS},
	{{"messages", NULL}, SKELETONS},
	{{"network", NULL}, ALWAYS},
	{{"congestion", NULL}, ALWAYS},
	{{"changes", NULL}, ALWAYS},
	{{"series_throughput", NULL}, ALWAYS},
	{{"series_buffers", NULL}, ALWAYS},
	{{"series_power", NULL}, ALWAYS},
	{{"host", NULL}, SKELETONS},
	{{"collective_algorithms", NULL}, VERBOSE},
	{{"collective_bandwidths", NULL}, VERBOSE},
	{{"job_algorithms", NULL}, VERBOSE},
	{{"combining_tree", NULL}, VERBOSE},
	{{"flow", NULL}, VERBOSE},
	{{"link_energy", NULL}, VERBOSE},
	{{"protocol", NULL}, VERBOSE},
};

enum { GROUPS = sizeof(groups) / sizeof(groups[0]) };

/* Those of the program's short report; returns their number. */
static unsigned picks_of(const struct run_program *program, struct report_pick picks[GROUPS])
{
	unsigned count = 0;

	for (unsigned i = 0; i < GROUPS; i++)
		if (groups[i].shown == ALWAYS || (groups[i].shown == SKELETONS && program->skeletons))
			picks[count++] = groups[i].pick;
	return count;
}

/* Returns whether only a part of the report is written. */
static bool is_short(const struct run_inputs *in)
{
	return in->common.format == REPORT_TEXT && !in->common.verbose;
}

/* Tables with a row for each link or node, of which a page has those that matter. */
enum { PAGE_ROWS = 2000 };
static const struct report_most page_tables[] = {
	{"links", "busy use bytes", PAGE_ROWS},
	{"nodes", "received", PAGE_ROWS},
	{"ranks", "time", PAGE_ROWS},
	{"power_ranks", "energy", PAGE_ROWS},
};

/* NULL with `e`. */
static struct report *run_make_report(const struct run *run, int argc, char *argv[], struct err *e)
{
	const struct run_machine *m = &run->machine;
	struct report *r = report_create();
	struct report_pick picks[GROUPS];

	if (is_short(&run->in) && !run->in.set.expect.count)
		report_keep(r, picks, picks_of(run->in.program, picks));
	report_page_most(r, page_tables, sizeof(page_tables) / sizeof(page_tables[0]));
	report_identity(r, run->in.program->name, argc, argv);
	if (run->vmpi)
		vmpi_report(run->vmpi, r, run->in.set.each_rank);
	if (run->result)
		traffic_report(run->result, run->in.set.each_rank, r);
	if (run->curve)
		load_curve_report(run->curve, r);
	if (run->jobs)
		jobs_report(run, r);
	run_report_notes(run, r);
	if (run->result && run->in.set.parallel_report && run->result->parallel.processes)
		window_report(&run->result->parallel, r);
	if (run->in.set.parallel_report && run->parallel.processes)
		window_report(&run->parallel, r);
	if (run_analysis_report(run, r, e) < 0) {
		report_destroy(r);
		return NULL;
	}
	if (run->vmpi)
		interval_report(run, r);
	if (run->selections)
		selections_report(run->selections, (double)vmpi_end_time(run->vmpi) / 1e12, r);
	models_report(run->in.models, r);
	if (run->in.program->skeletons && run->vmpi &&
	    !inputs_have_page(&run->in)) /* pages do not depend on the host */
		host_report(run->vmpi, r);
	if (run->in.set.topology_report)
		topology_report(m->topology, r);
	if (!run->curve) /* its engines were those of other processes */
		m->kind->report(m->engine, r);
	if (run_loads_report(run, r, e) < 0 || link_energy_report(run, r, e) < 0 || run_power_report(run, r, e) < 0 ||
	    run_cost_report(run, r, e) < 0 || run_reliability_report(run, r, e) < 0) {
		report_destroy(r);
		return NULL;
	}
	if (run->out.log && (run->in.set.series || inputs_have_page(&run->in)))
		net_log_report(run->out.log, r);
	if (run->out.log && inputs_have_page(&run->in) && net_log_map(run->out.log, r, e) < 0) {
		report_destroy(r);
		return NULL;
	}
	report_config(r, m->config);
	report_keep(r, NULL, 0);
	return r;
}

static int write_short(const struct run_program *program, const struct report *r, FILE *file, struct err *e)
{
	struct report_pick picks[GROUPS];

	return report_write_picks(r, picks, picks_of(program, picks), file, e);
}

static int run_write_report(struct out **report, const struct run_inputs *in, const struct report *r, struct err *e)
{
	struct out *out = *report;
	FILE *file = out_file(out);
	int ret;

	if (is_short(in))
		ret = write_short(in->program, r, file, e);
	else
		ret = report_write(r, in->common.format, file, e);
	*report = NULL;
	return ret < 0 ? out_fail(out, e) : out_close(out, e);
}

int run_report(struct run *run, int argc, char *argv[], struct err *e)
{
	const struct run_inputs *in = &run->in;
	struct report *r = run_make_report(run, argc, argv, e);
	int ret = r ? run_write_report(&run->out.report, in, r, e) : -1;

	if (ret == 0 && !run_interrupted(run))
		ret = opt_expect(in->program->name, &in->set.expect, r, e);
	report_destroy(r);
	return ret;
}
