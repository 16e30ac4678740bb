/* nsim: an MPI program, or traffic, on a simulated machine: options, order of things, report. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../../psim/base/progress.h"
#include "collectives/collective.h"
#include "nsim.h"

static int check_config(const struct config *c, void *user, struct err *e)
{
	const struct run *run = user;

	if (topology_config_check(c, &run->topology_config, e) < 0 || net_config_check(c, &run->net_config, e) < 0)
		return -1;
	return vmpi_config_check(c, &run->vmpi_config, e);
}

/* ---- lists ---- */

static void list_engines(void)
{
	unsigned count;
	const struct net_engine_kind *const *kinds = net_engine_kinds(&count);

	for (unsigned i = 0; i < count; i++)
		printf("%-10s %s\n", kinds[i]->name, kinds[i]->doc);
}

static void list_collectives(void)
{
	static const char *const names[] = {
#define COLLECTIVE(NAME, name) #name,
#include "collectives/ops.def"
#undef COLLECTIVE
	};

	for (const struct collective_algorithm *const *a = collective_algorithms(); *a; a++)
		printf("%-15s %-20s %s\n", names[(*a)->op], (*a)->name, (*a)->doc);
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
	const char *engine = run->set.engine ? run->set.engine : run->net_config.engine.kind;

	run->topology = topology_create(&run->topology_config, e);
	if (!run->topology)
		return -1;
	run->kind = net_engine_find(engine, e);
	return run->kind ? 0 : -1;
}

static int make_engine(struct run *run, struct err *e)
{
	struct net_setup setup = { .topology = run->topology,
		                   .config = &run->net_config,
		                   .log = run->log,
		                   .seed = run->set.seed,
		                   .check = run->common.check };

	run->engine = run->kind->create(&setup, e);
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

static const struct report_pick short_report[] = {
	{ "run", "version command" },  { "program", NULL },
	{ "traffic", NULL },           { "ranks", NULL },
	{ "topology", NULL },          { "network", NULL },
	{ "series_throughput", NULL }, { "series_buffers", NULL },
};

static struct report *make_report(struct run *run, int argc, char *argv[])
{
	struct report *r = report_create();

	report_identity(r, "nsim", argc, argv);
	if (run->vmpi)
		vmpi_report(run->vmpi, r, run->set.each_rank);
	if (run->result)
		traffic_report(run->result, run->set.each_rank, r);
	if (run->set.topology_report)
		topology_report(run->topology, r);
	run->kind->report(run->engine, r);
	if (run->log && run->set.series)
		net_log_report(run->log, r);
	report_config(r, run->config);
	return r;
}

static int write_report(struct run *run, const struct report *r, struct err *e)
{
	struct out *out = run->report_out;
	FILE *file = out_file(out);
	int ret;

	if (run->common.format == REPORT_TEXT && !run->common.verbose)
		ret = report_write_picks(r, short_report, sizeof(short_report) / sizeof(short_report[0]), file, e);
	else
		ret = report_write(r, run->common.format, file, e);
	if (ret < 0)
		return -1;
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
	for (unsigned i = 0; ret == 0 && !progress_signal() && i < run->set.expect.count; i++)
		ret = report_expect(r, run->set.expect.item[i], e);
	report_destroy(r);
	if (ret == 0 && progress_signal())
		return err_set(e, STATUS_FAILED, "interrupted by signal %d: the results are those until then",
		               progress_signal());
	return ret;
}

static int check_request(struct run *run, const char *program, struct err *e)
{
	const struct settings *s = &run->set;
	int sources = (program != NULL) + (s->pattern != NULL) + (s->pattern_file != NULL);

	if (!sources)
		return err_set(e, STATUS_USAGE,
		               "no program, expected PROGRAM.so [ARGUMENTS]: nsim --help tells more");
	if (sources > 1)
		return err_set(e, STATUS_USAGE, "expected one of PROGRAM.so, --pattern and --pattern-file");
	for (unsigned i = 0; i < s->expect.count; i++)
		if (report_expect_check(s->expect.item[i], e) < 0)
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
	if (files_open(run, e) < 0 || make_engine(run, e) < 0)
		return -1;
	ret = program ? run_program(run, argc - first, argv + first, e) : run_traffic(run, e);
	return ret < 0 ? -1 : conclude(run, argc, argv, e);
}

static void finish(struct run *run)
{
	vmpi_destroy(run->vmpi);
	traffic_result_destroy(run->result);
	traffic_destroy(run->traffic);
	if (run->engine)
		run->kind->destroy(run->engine);
	net_log_destroy(run->log);
	topology_destroy(run->topology);
	comm_matrix_destroy(run->matrix);
	free(run->node_of);
	files_abort(run);
	config_destroy(run->config);
}

static const char examples[] = "nsimcc -O2 ring.c -o ring.so\n"
			       "nsim -p topology.dims=8x8x8 -n 512 ring.so 1000\n"
			       "nsim -c torus.ini --engine flow --ranks --json -o run.json prog.so args\n"
			       "nsim -p mpi.collective_alltoall=pairwise --matrix m.txt --timeline run.json prog.so\n"
			       "nsim -p topology.dims=16x16 --pattern transpose --series";

static int start(struct run *run, int argc, char *argv[], int *status)
{
	struct settings *set = &run->set;
	const struct opt rows[] = {
		{ "ranks", 'n', "N", "ranks of COMM_WORLD (nodes times ranks.per_node)", OPT_COUNT, &set->ranks },
		{ "engine", 'e', "NAME", "what carries the messages (engine.kind)", OPT_TEXT, &set->engine },
		{ "seed", 0, "N", "of everything random (1)", OPT_COUNT, &set->seed },
		{ "time-limit", 0, "SECONDS", "status 4 if a rank's clock goes beyond this virtual time", OPT_TEXT,
		  &set->time_limit },
		{ "pattern", 0, "NAME[:KEY=VALUE,...]", "traffic without a program (--list-patterns)", OPT_TEXT,
		  &set->pattern },
		{ "pattern-file", 0, "FILE", "the same, from a file", OPT_TEXT, &set->pattern_file },
		{ "mapping", 0, "FILE", "node of each rank (docs/mapping.md) instead of ranks.placement", OPT_TEXT,
		  &set->mapping },
		{ "matrix", 0, "FILE", "write the communication matrix (docs/matrix-format.md)", OPT_TEXT,
		  &set->matrix },
		{ "timeline", 0, "FILE", "write a log for Perfetto or chrome://tracing (JSON)", OPT_TEXT,
		  &set->chrome },
		{ "paje", 0, "FILE", "write a log in Paje's format", OPT_TEXT, &set->paje },
		{ "log-packets", 0, NULL, "packets on links in these logs too: many", OPT_FLAG, &set->log_packets },
		{ "series", 0, NULL, "report throughput and buffers over time (engine.interval)", OPT_FLAG,
		  &set->series },
		{ "each-rank", 0, NULL, "report every rank", OPT_FLAG, &set->each_rank },
		{ "topology-report", 0, NULL, "report the network's size, links, bisection", OPT_FLAG,
		  &set->topology_report },
		{ "list-engines", 0, NULL, "list the engines, and end", OPT_FLAG, &set->list_engines },
		{ "list-collectives", 0, NULL, "list the algorithms of collective operations, and end", OPT_FLAG,
		  &set->list_collectives },
		{ "list-patterns", 0, NULL, "list the patterns of --pattern, and end", OPT_FLAG,
		  &set->list_patterns },
		{ "expect", 0, "FIGURE", "status 5 unless program.seconds<=0.01 or the like; may be repeated",
		  OPT_LIST, &set->expect },
	};
	const struct opt_program program = {
		.name = "nsim",
		.operands = "PROGRAM.so [ARGUMENTS]",
		.summary =
			"Runs an MPI program (compiled by nsimcc), or a traffic pattern, on a simulated machine.",
		.examples = examples,
		.rows = rows,
		.row_count = sizeof(rows) / sizeof(rows[0]),
		.groups = OPT_CONFIG | OPT_OUTPUT | OPT_RUN,
		.common = &run->common,
		.config = run->config,
		.min_operands = 0,
		.max_operands = 100000,
		.config_check = check_config,
		.config_user = run,
		.stop_at_operand = true,
	};

	return opt_start(&program, argc, argv, status);
}

/* The run, or what was asked for instead of one; returns the exit status. */
static int run_or_list(struct run *run, int first, int argc, char *argv[])
{
	const struct opt_program nsim = { .name = "nsim" };
	struct err e;

	if (run->set.list_engines)
		list_engines();
	if (run->set.list_collectives)
		list_collectives();
	if (run->set.list_patterns)
		traffic_list(stdout);
	if (run->set.list_engines || run->set.list_collectives || run->set.list_patterns)
		return STATUS_DONE;
	if (run_all(run, first, argc, argv, &e) == 0)
		return STATUS_DONE;
	fflush(stdout);
	opt_fail(&nsim, &e);
	if (e.status == STATUS_STUCK && run->vmpi)
		vmpi_stuck(run->vmpi, stderr, 10);
	return (int)e.status;
}

int main(int argc, char *argv[])
{
	struct run run = { .set = { .seed = 1 }, .config = config_create() };
	int status, first;

	topology_config_add(run.config, &run.topology_config);
	net_config_add(run.config, &run.net_config);
	vmpi_config_add(run.config, &run.vmpi_config);
	first = start(&run, argc, argv, &status);
	if (first >= 0)
		status = run_or_list(&run, first, argc, argv);
	finish(&run);
	return status;
}
