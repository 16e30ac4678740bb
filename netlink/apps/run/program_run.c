/* A run from beginning to end: order of things, report. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "../../../psim/base/cli/progress.h"
#include "../../wormhole/guard.h"
#include "../../ndl/described.h"
#include "../../times/times.h"
#include "program_run.h"

/* Which keys this run reads. */
static const struct config_use uses[] = {
#define USE(keys, when) {keys, when, false},
#include "../../engine/net_uses.def"
#include "../../vmpi/vmpi_uses.def"
#undef USE
	{NULL, NULL, false},
};

static bool collectives_by_table(const struct run *run);

/* What decides on that besides the configuration. */
static int tell_facts(const struct run *run, struct err *e)
{
	const struct settings *s = &run->set;
	const struct {
		const char *name;
		bool value;
		const char *why;
	} facts[] = {
		{"simulator", true, ""},
		{"program", !s->pattern && !s->pattern_file, "by traffic without a program"},
		{"built", !s->network, "with --network"},
		{"placed", !s->mapping, "with --mapping"},
		{"report", s->topology_report, "without --topology-report"},
		{"log", s->series || s->series_picture || s->chrome || s->paje,
		 "without --series, --timeline or --paje"},
		{"collectives_by_table", collectives_by_table(run), "without mpi.collectives = table"},
	};

	for (size_t i = 0; i < sizeof(facts) / sizeof(facts[0]); i++)
		if (config_fact(run->config, facts[i].name, facts[i].value, facts[i].why, e) < 0)
			return -1;
	return 0;
}

/* --engine is an override like others. */
static int set_engine(const struct run *run, struct err *e)
{
	char assignment[PARAM_TEXT_MAX + 20];

	if (!run->set.engine)
		return 0;
	snprintf(assignment, sizeof(assignment), "engine.kind=%.*s", PARAM_TEXT_MAX, run->set.engine);
	return config_override(run->config, assignment, "--engine", e);
}

static int check_config(const struct config *c, void *user, struct err *e)
{
	const struct run *run = user;

	if (set_engine(run, e) < 0 || tell_facts(run, e) < 0)
		return -1;
	if (topology_config_check(c, &run->topology_config, e) < 0 || net_config_check(c, &run->net_config, e) < 0)
		return -1;
	return vmpi_config_check(c, &run->vmpi_config, e);
}

/* ---- making ---- */

static int read_time_limit(struct run *run, struct err *e)
{
	char *end;
	double seconds;

	if (!run->set.time_limit)
		return 0;
	seconds = strtod(run->set.time_limit, &end);
	if (*end || end == run->set.time_limit || !(seconds > 0 && seconds <= 1e6))
		return err_set(e, STATUS_USAGE, "--time-limit %s: expected seconds of virtual time, above 0 to 1e6",
			       run->set.time_limit);
	run->time_limit = (int64_t)(seconds * 1e12);
	return 0;
}

static int make_network(struct run *run, struct err *e)
{
	if (run->set.network)
		run->topology = described_topology(run->set.network, run->set.network_args, &run->topology_config, e);
	else
		run->topology = topology_create(&run->topology_config, e);
	if (!run->topology)
		return -1;
	run->kind = net_engine_find(run->net_config.engine.kind, e);
	return run->kind ? 0 : -1;
}

/* Is any collective operation to take the time of a table? */
static bool collectives_by_table(const struct run *run)
{
	const struct vmpi_mpi_params *mpi = &run->vmpi_config.mpi;

	if (mpi->collectives == COLLECTIVES_TABLE)
		return true;
#define COLLECTIVE(NAME, name, calls) \
	if (strcmp(mpi->collective_##name, "table") == 0) \
		return true;
#include "../../vmpi/collective_ops.def"
#undef COLLECTIVE
	return false;
}

static int read_times(struct run *run, struct err *e)
{
	if (!collectives_by_table(run))
		return 0;
	if (!*run->net_config.table.file)
		return err_set(e, STATUS_USAGE,
			       "collective operations by table: expected their times in table.file "
			       "(docs/times-format.md)");
	run->times = times_read(run->net_config.table.file, e);
	return run->times ? 0 : -1;
}

static int make_engine(struct run *run, struct err *e)
{
	run->net = (struct net_setup){.topology = run->topology,
				      .config = &run->net_config,
				      .log = run->log,
				      .seed = run->set.seed,
				      .check = run->common.check};
	run->engine = run->kind->create(&run->net, e);
	return run->engine ? 0 : -1;
}

static int make_traffic(struct run *run, struct err *e)
{
	const struct settings *s = &run->set;

	if (s->pattern_file)
		run->traffic = traffic_from_file(s->pattern_file, e);
	else
		run->traffic = traffic_from_pattern(s->pattern, run->topology, run->ranks, e);
	return run->traffic ? 0 : -1;
}

/* ---- reporting ---- */

/* Apart from all that is the same each time. */
static void host_report(const struct run *run, struct report *r)
{
	struct rusage usage;
	struct vmpi_progress p = vmpi_progress(run->vmpi);
	double cpu;

	if (getrusage(RUSAGE_SELF, &usage) < 0)
		return;
	cpu = (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
	      1e-6 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
	report_group(r, "host", "what the run cost the host");
	report_f64(r, "processor", cpu, "s", "processor time");
	report_f64(r, "messages_per_second", cpu > 0 ? (double)p.messages / cpu : 0, "", "of ranks");
	report_u64(r, "memory", (uint64_t)usage.ru_maxrss * 1024, "bytes", "at most");
	report_end(r);
}

/* The time of the last rank; with a critical path its computation, else it may all be computation. */
static void interval_report(const struct run *run, struct report *r)
{
	double seconds = (double)vmpi_end_time(run->vmpi) * 1e-12, computed = seconds;

	if (run->analysis)
		computed = (double)analysis_computation(run->analysis) * 1e-12;
	models_interval(run->models, seconds, computed, run->vmpi_config.machine.slowdown, r);
}

static struct report *make_report(struct run *run, int argc, char *argv[])
{
	struct report *r = report_create();

	report_identity(r, run->program->name, argc, argv);
	if (run->vmpi)
		vmpi_report(run->vmpi, r, run->set.each_rank);
	if (run->result)
		traffic_report(run->result, run->set.each_rank, r);
	analyse_report(run, r);
	if (run->vmpi)
		interval_report(run, r);
	models_report(run->models, r);
	if (run->program->skeletons && run->vmpi)
		host_report(run, r);
	if (run->set.topology_report)
		topology_report(run->topology, r);
	run->kind->report(run->engine, r);
	if (run->log && run->set.series)
		net_log_report(run->log, r);
	report_config(r, run->config);
	return r;
}

/* What the report shows without -v, in this order. */
static const struct shown {
	struct report_pick pick;
	bool of_skeletons;
} shown[] = {
	{{"run", "version command"}, false},
	{{"program", NULL}, false},
	{{"traffic", NULL}, false},
	{{"interval", NULL}, true},
	{{"shares", NULL}, true},
	{{"phases", NULL}, true},
	{{"speed", NULL}, true},
	{{"collectives_by_table", NULL}, false},
	{{"ranks", NULL}, false},
	{{"critical_path", NULL}, false},
	{{"efficiency", NULL}, false},
	{{"waiting", NULL}, false},
	{{"critical_path_phases", NULL}, false},
	{{"critical_path_ranks", NULL}, false},
	{{"critical_path_places", NULL}, false},
	{{"critical_path_messages", NULL}, false},
	{{"waits", NULL}, false},
	{{"parameters", NULL}, false},
	{{"models", NULL}, false},
	{{"topology", NULL}, false},
	{{"messages", NULL}, true},
	{{"network", NULL}, false},
	{{"series_throughput", NULL}, false},
	{{"series_buffers", NULL}, false},
	{{"host", NULL}, true},
};

static int write_short(const struct run *run, const struct report *r, FILE *file, struct err *e)
{
	struct report_pick picks[sizeof(shown) / sizeof(shown[0])];
	unsigned count = 0;

	for (unsigned i = 0; i < sizeof(shown) / sizeof(shown[0]); i++)
		if (run->program->skeletons || !shown[i].of_skeletons)
			picks[count++] = shown[i].pick;
	return report_write_picks(r, picks, count, file, e);
}

static int write_report(struct run *run, const struct report *r, struct err *e)
{
	struct out *out = run->report_out;
	FILE *file = out_file(out);
	int ret;

	if (run->common.format == REPORT_TEXT && !run->common.verbose)
		ret = write_short(run, r, file, e);
	else
		ret = report_write(r, run->common.format, file, e);
	if (ret < 0)
		return strcmp(run->common.output, "-") ? err_prefix(e, "%s", run->common.output) : -1;
	run->report_out = NULL;
	return out_close(out, e);
}

/* The report, and what is expected of it where the run came to its end. */
static int conclude(struct run *run, int argc, char *argv[], struct err *e)
{
	struct report *r;
	int ret;

	if (run->common.check && !progress_signal() && run->kind->verify && run->kind->verify(run->engine, e) < 0)
		return -1;
	if (files_close(run, e) < 0)
		return -1;
	r = make_report(run, argc, argv);
	ret = write_report(run, r, e);
	if (ret == 0 && !progress_signal())
		ret = opt_expect(run->program->name, &run->set.expect, r, e);
	report_destroy(r);
	if (ret == 0 && progress_signal())
		return err_set(e, STATUS_FAILED, "interrupted by signal %d: the results are those up to then",
			       progress_signal());
	return ret;
}

static int check_request(struct run *run, const char *program, struct err *e)
{
	const struct settings *s = &run->set;
	int sources = (program != NULL) + (s->pattern != NULL) + (s->pattern_file != NULL);

	if (!sources)
		return err_set(e, STATUS_USAGE, "no program, expected %s: see %s --help", run->program->operands,
			       run->program->name);
	if ((s->window || s->window_ranks) && !s->chrome && !s->paje && !s->picture)
		return err_set(e, STATUS_USAGE, "--window%s: needs --timeline, --paje or --picture",
			       s->window ? "" : "-ranks");
	if ((s->critical_path || s->picture || s->write_pattern) && !program)
		return err_set(e, STATUS_USAGE, "--%s: expected a program, not traffic",
			       s->picture         ? "picture"
			       : s->critical_path ? "critical-path"
						  : "write-pattern");
	if (sources > 1)
		return err_set(e, STATUS_USAGE, "expected one of PROGRAM.so, --pattern and --pattern-file");
	if (opt_expect_check(&s->expect, e) < 0)
		return -1;
	return read_time_limit(run, e);
}

static int run_all(struct run *run, int first, int argc, char *argv[], struct err *e)
{
	const char *program = first < argc ? argv[first] : NULL;
	int ret;

	if (check_request(run, program, e) < 0 || files_check(run, program, e) < 0 || make_network(run, e) < 0)
		return -1;
	if (run->set.pattern_file && make_traffic(run, e) < 0)
		return -1;
	if (place_ranks(run, run->traffic ? traffic_ranks(run->traffic) : 0, e) < 0)
		return -1;
	if (run->set.pattern && make_traffic(run, e) < 0)
		return -1;
	if (analyse_read_window(run, e) < 0)
		return -1;
	run->models = models_create(run->config, &run->set.models, &run->set.parameters, e);
	if (!run->models || read_times(run, e) < 0 || files_open(run, e) < 0 || make_engine(run, e) < 0)
		return -1;
	ret = program ? run_program(run, argc - first, argv + first, e) : run_traffic(run, e);
	return ret < 0 ? -1 : conclude(run, argc, argv, e);
}

/* The same where a described network has parts in C. */
struct guarded_run {
	struct run *run;
	int first, argc;
	char **argv;
};

static int guarded_run(void *arg, struct err *e)
{
	const struct guarded_run *g = arg;

	return run_all(g->run, g->first, g->argc, g->argv, e);
}

static int run_guarded(struct run *run, int first, int argc, char *argv[], struct err *e)
{
	struct guarded_run g = {run, first, argc, argv};

	return run->set.network ? guard_run(guarded_run, &g, e) : guarded_run(&g, e);
}

static void finish(struct run *run)
{
	analysis_destroy(run->analysis);
	vmpi_destroy(run->vmpi);
	traffic_result_destroy(run->result);
	traffic_destroy(run->traffic);
	if (run->engine)
		run->kind->destroy(run->engine);
	net_log_destroy(run->log);
	pattern_writer_destroy(run->writer);
	models_destroy(run->models);
	times_destroy(run->times);
	topology_destroy(run->topology);
	comm_matrix_destroy(run->matrix);
	free(run->node_of);
	files_abort(run);
	config_destroy(run->config);
}

static int start(struct run *run, int argc, char *argv[], int *status)
{
	struct opt rows[RUN_OPTIONS_MAX];
	const struct opt_program program = {
		.name = run->program->name,
		.operands = run->program->operands,
		.summary = run->program->summary,
		.examples = run->program->examples,
		.rows = rows,
		.row_count = run_options(run, rows),
		.groups = OPT_CONFIG | OPT_OUTPUT | OPT_RUN,
		.common = &run->common,
		.config = run->config,
		.min_operands = 0,
		.max_operands = 100000,
		.config_check = check_config,
		.config_user = run,
		.uses = uses,
		.stop_at_operand = true,
	};

	return opt_start(&program, argc, argv, status);
}

/* The run, or what was asked for instead of one; returns the exit status. */
static int run_or_list(struct run *run, int first, int argc, char *argv[])
{
	const struct opt_program program = {.name = run->program->name};
	struct err e;

	if (run_lists(&run->set))
		return STATUS_DONE;
	if (run_guarded(run, first, argc, argv, &e) == 0)
		return STATUS_DONE;
	fflush(stdout);
	if (run->models)
		models_warn(run->models, run->program->name, stderr);
	opt_fail(&program, &e);
	if (e.status == STATUS_STUCK && run->vmpi)
		vmpi_stuck(run->vmpi, stderr, 10);
	return (int)e.status;
}

/* The configuration with its tables; where the program has an engine of its own that is the default. */
static int make_config(struct run *run, struct err *e)
{
	char assignment[64];

	run->config = config_create();
	topology_config_add(run->config, &run->topology_config);
	net_config_add(run->config, &run->net_config);
	vmpi_config_add(run->config, &run->vmpi_config);
	models_config_add(run->config);
	if (!run->program->engine)
		return 0;
	snprintf(assignment, sizeof(assignment), "engine.kind=%s", run->program->engine);
	return config_override(run->config, assignment, run->program->name, e);
}

int run_main(const struct run_program *program, int argc, char *argv[])
{
	struct run run = {.program = program, .set = {.seed = 1, .ranks = RANKS_ALL}};
	const struct opt_program name = {.name = program->name};
	struct err e;
	int status, first;
	bool in_fortran;

	if (make_config(&run, &e) < 0) {
		status = opt_fail(&name, &e);
		config_destroy(run.config);
		return status;
	}
	first = start(&run, argc, argv, &status);
	if (first >= 0)
		status = run_or_list(&run, first, argc, argv);
	in_fortran = run.vmpi && vmpi_in_fortran(run.vmpi);
	finish(&run);
	if (in_fortran && fflush(NULL) == 0)
		_exit(status);
	return status;
}
