/* nsim: an MPI program on the ranks of a simulated machine. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../../psim/base/opt.h"
#include "../../psim/base/out.h"
#include "../../psim/base/progress.h"
#include "../engine/config.h"
#include "../topology/config.h"
#include "collectives/collective.h"
#include "vmpi.h"

struct settings {
	uint64_t ranks, seed;
	const char *engine, *time_limit;
	bool each_rank, topology_report, list_engines, list_collectives;
	struct opt_list expect;
};

struct run {
	struct settings set;
	struct opt_common common;
	struct topology_config topology_config;
	struct net_config net_config;
	struct vmpi_config vmpi_config;
	struct config *config;
	struct topology *topology;
	const struct net_engine_kind *kind;
	struct net_engine *engine;
	struct vmpi *vmpi;
	struct out *report_out;
	int64_t time_limit;
};

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
	struct net_setup setup = { .config = &run->net_config, .seed = run->set.seed, .check = run->common.check };

	run->topology = topology_create(&run->topology_config, e);
	if (!run->topology)
		return -1;
	run->kind = net_engine_find(engine, e);
	if (!run->kind)
		return -1;
	setup.topology = run->topology;
	run->engine = run->kind->create(&setup, e);
	return run->engine ? 0 : -1;
}

static int make_ranks(struct run *run, int argc, char *argv[], struct err *e)
{
	struct vmpi_setup setup = {
		.config = &run->vmpi_config,
		.kind = run->kind,
		.engine = run->engine,
		.nodes = run->topology->nodes,
		.nics = run->topology->nics,
		.seed = run->set.seed,
		.time_limit = run->time_limit,
	};
	uint64_t ranks = run->set.ranks;

	if (!ranks)
		ranks = (uint64_t)run->topology->nodes * run->vmpi_config.ranks.per_node;
	if (ranks > INT32_MAX)
		return err_set(e, STATUS_USAGE, "-n %" PRIu64 ": expected at most %d ranks", ranks, INT32_MAX);
	setup.ranks = (uint32_t)ranks;
	if (run->common.format != REPORT_TEXT && strcmp(run->common.output, "-") == 0)
		setup.out = stderr; /* standard output is the report's */
	run->vmpi = vmpi_create(&setup, e);
	return run->vmpi ? vmpi_load(run->vmpi, argv[0], argc, argv, e) : -1;
}

/* ---- running ---- */

enum { STEPS = 20000 };

static enum vmpi_end simulate(struct run *run, struct err *e)
{
	struct progress progress;
	enum vmpi_end end = VMPI_RUNNING;

	progress_start(&progress, "nsim", "messages", 0, run->common.quiet);
	while (end == VMPI_RUNNING) {
		struct vmpi_progress p;
		char note[96];

		end = vmpi_run(run->vmpi, STEPS, e);
		p = vmpi_progress(run->vmpi);
		snprintf(note, sizeof(note), "%.6g s, %u ranks ended", (double)p.now * 1e-12, p.ended);
		if (!progress_step(&progress, p.messages, note) && end == VMPI_RUNNING)
			end = VMPI_INTERRUPTED;
	}
	progress_end(&progress);
	if (end == VMPI_INTERRUPTED)
		err_set(e, STATUS_FAILED, "interrupted by signal %d: the results are those until then",
		        progress_signal());
	return end;
}

/* ---- reporting ---- */

static const struct report_pick short_report[] = {
	{ "run", "version command" },
	{ "program", NULL },
	{ "ranks", NULL },
	{ "network", NULL },
};

static struct report *make_report(struct run *run, int argc, char *argv[])
{
	struct report *r = report_create();

	report_identity(r, "nsim", argc, argv);
	vmpi_report(run->vmpi, r, run->set.each_rank);
	if (run->set.topology_report)
		topology_report(run->topology, r);
	run->kind->report(run->engine, r);
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

/* The report, and what is expected of it. */
static int conclude(struct run *run, int argc, char *argv[], struct err *e)
{
	struct report *r = make_report(run, argc, argv);
	int ret = write_report(run, r, e);

	for (unsigned i = 0; ret == 0 && i < run->set.expect.count; i++)
		ret = report_expect(r, run->set.expect.item[i], e);
	report_destroy(r);
	return ret;
}

static int run_all(struct run *run, int first, int argc, char *argv[], struct err *e)
{
	struct err report_error;
	enum vmpi_end end;

	for (unsigned i = 0; i < run->set.expect.count; i++)
		if (report_expect_check(run->set.expect.item[i], e) < 0)
			return -1;
	if (read_time_limit(run, e) < 0 || make_network(run, e) < 0 ||
	    make_ranks(run, argc - first, argv + first, e) < 0)
		return -1;
	run->report_out = out_create(run->common.output, e);
	if (!run->report_out)
		return -1;
	end = simulate(run, e);
	if (end == VMPI_FAILED)
		return -1;
	if (end == VMPI_INTERRUPTED)
		return conclude(run, argc, argv, &report_error), -1;
	if (run->common.check && run->kind->verify && run->kind->verify(run->engine, e) < 0)
		return -1;
	return conclude(run, argc, argv, e);
}

static void finish(struct run *run)
{
	vmpi_destroy(run->vmpi);
	if (run->engine)
		run->kind->destroy(run->engine);
	topology_destroy(run->topology);
	if (run->report_out)
		out_abort(run->report_out);
	config_destroy(run->config);
}

static const char examples[] = "nsimcc -O2 ring.c -o ring.so\n"
			       "nsim -p topology.dims=8x8x8 -n 512 ring.so 1000\n"
			       "nsim -c torus.ini --engine flow --ranks --json -o run.json prog.so args\n"
			       "nsim -p mpi.collective_alltoall=pairwise -p mpi.eager=1MiB prog.so";

static int start(struct run *run, int argc, char *argv[], int *status)
{
	struct settings *set = &run->set;
	const struct opt rows[] = {
		{ "ranks", 'n', "N", "ranks of COMM_WORLD (nodes times ranks.per_node)", OPT_COUNT, &set->ranks },
		{ "engine", 'e', "NAME", "what carries the messages (engine.kind)", OPT_TEXT, &set->engine },
		{ "seed", 0, "N", "of everything random (1)", OPT_COUNT, &set->seed },
		{ "time-limit", 0, "SECONDS", "status 4 if a rank's clock goes beyond this virtual time", OPT_TEXT,
		  &set->time_limit },
		{ "each-rank", 0, NULL, "report every rank", OPT_FLAG, &set->each_rank },
		{ "topology-report", 0, NULL, "report the network's size, links, bisection", OPT_FLAG,
		  &set->topology_report },
		{ "list-engines", 0, NULL, "list the engines, and end", OPT_FLAG, &set->list_engines },
		{ "list-collectives", 0, NULL, "list the algorithms of collective operations, and end", OPT_FLAG,
		  &set->list_collectives },
		{ "expect", 0, "FIGURE", "status 5 unless program.seconds<=0.01 or the like; may be repeated",
		  OPT_LIST, &set->expect },
	};
	const struct opt_program program = {
		.name = "nsim",
		.operands = "PROGRAM.so [ARGUMENTS]",
		.summary = "Runs an MPI program (compiled by nsimcc) on the ranks of a simulated machine.",
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
static int run_program(struct run *run, int first, int argc, char *argv[])
{
	const struct opt_program nsim = { .name = "nsim" };
	struct err e;
	int ret = 0;

	if (run->set.list_engines)
		list_engines();
	if (run->set.list_collectives)
		list_collectives();
	if (run->set.list_engines || run->set.list_collectives)
		return STATUS_DONE;
	if (first == argc)
		ret = err_set(&e, STATUS_USAGE,
		              "no program, expected PROGRAM.so [ARGUMENTS]: nsim --help tells more");
	else
		ret = run_all(run, first, argc, argv, &e);
	if (ret == 0)
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
		status = run_program(&run, first, argc, argv);
	finish(&run);
	return status;
}
