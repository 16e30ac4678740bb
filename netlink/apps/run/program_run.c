/* A run from start to end: the order of its steps. */
#include "program_run.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../../psim/base/mem.h"
#include "../../../psim/base/message_line.h"
#include "../../../psim/base/cli/progress.h"
#include "../../../psim/base/report/out.h"
#include "../../parallel/record_exchange.h"
#include "../../topology/network_picture.h"
#include "../../wormhole/guard.h"
#include "describe.h"

/* ---- several processes that mpirun has started ---- */

enum { FOLLOWER_WAIT_S = 2 };

int run_mute(struct err *e)
{
	if (freopen("/dev/null", "w", stdout) && freopen("/dev/null", "w", stderr))
		return 0;
	return err_set(e, STATUS_FAILED, "/dev/null: cannot open");
}

/*
 * Joins the others, if there are any, before anything can fail: a failure of one is then a failure of all, with one
 * message. Those that follow write nothing. 0, or -1 with `e`.
 */
static int program_run_join(struct run *run, struct err *e)
{
	unsigned me, processes;
	enum mpi_kind kind = mpi_launched(&me, &processes);

	if (kind == MPI_KIND_NONE)
		return 0;
	if (me > 0 && run_mute(e) < 0)
		return -1;
	run->joined = exchange_join(kind, e);
	if (!run->joined && me > 0)
		sleep(FOLLOWER_WAIT_S); /* mpirun ends all when one fails: the first one has to say why */
	return run->joined ? 0 : -1;
}

/* Takes the number of processes from mpirun. 0, or -1 with `e`. */
static int program_run_count(struct run *run, struct err *e)
{
	struct settings *set = &run->in.set;
	unsigned processes;

	if (!run->joined)
		return 0;
	processes = exchange_processes(run->joined);
	if (set->processes != 1 && set->processes != processes)
		return err_set(e, STATUS_USAGE,
			       "--processes (-j) %" PRIu64 ": mpirun has started %u, expected the same", set->processes,
			       processes);
	set->processes = processes;
	return 0;
}

/* The first process writes for all. */
static void drop_outputs(struct run *run)
{
	if (!run->joined || !exchange_me(run->joined))
		return;
	run->in.common.quiet = true;
	run->in.common.output = "-";
	run->in.set.matrix_of_first = run->in.set.matrix != NULL;
	run->in.set.log_of_first = run->in.set.chrome || run->in.set.paje || run->in.set.paraver;
	run->in.set.pattern_of_first = run->in.set.write_pattern != NULL;
	run->in.set.trace_of_first = run->in.set.write_trace != NULL;
	run->in.set.series |= run->in.set.series_picture != NULL;
	run->in.set.critical_path |= run->in.set.picture != NULL;
#define OUTPUT(option, name) run->in.set.name = NULL;
	RUN_OUTPUTS(OUTPUT)
#undef OUTPUT
}

/* ---- the run ---- */

static int make_pattern(struct run *run, struct err *e)
{
	const struct run_machine *m = &run->machine;
	const struct traffic_load load = {.load = 0.5, .longer = 1}; /* any: each point has its own */

	run->traffic = traffic_of_load(run->in.set.pattern, run->in.set.load ? &load : NULL, m->topology, m->ranks, e);
	return run->traffic ? run_check_pattern(run, run->traffic, e) : -1;
}

static int make_file_traffic(struct run *run, struct err *e)
{
	run->traffic = traffic_from_file(run->in.set.pattern_file, run->machine.topology->nics, e);
	return run->traffic ? 0 : -1;
}

/* Inputs, machine, and the program or pattern that runs on it. */
static int program_run_prepare(struct run *run, const char *operand, struct err *e)
{
	struct run_inputs *in = &run->in;
	struct run_machine *m = &run->machine;
	const struct settings *s = &in->set;
	uint32_t ranks = 0;

	if (inputs_check(in, operand, e) < 0)
		return -1;
	drop_outputs(run);
	if (machine_make_network(m, s, e) < 0)
		return -1;
	if (s->network_picture && network_picture_check(m->topology, e) < 0)
		return err_prefix(e, "--network-picture");
	if (s->pattern_file && make_file_traffic(run, e) < 0)
		return -1;
	if (s->replay) {
		run->replay = run_open_replay(run, e);
		if (!run->replay)
			return -1;
		ranks = replay_ranks(run->replay);
	} else if (run->traffic) {
		ranks = traffic_ranks(run->traffic);
	}
	if ((s->jobs.count ? jobs_make(run, e) : machine_place_ranks(m, s, ranks, e)) < 0)
		return -1;
	if ((s->pattern && make_pattern(run, e) < 0) || run_reliability_check(run, e) < 0)
		return -1;
	if (inputs_read_window(in, m->ranks, m->node_of, e) < 0)
		return -1;
	in->models = models_create(m->config, &s->models, &s->parameters, e);
	if (!in->models || machine_read_times(m, e) < 0 || outputs_open(&run->out, in, m, e) < 0)
		return -1;
	return machine_make_engine(m, in, run->out.log, e);
}

/* Draws the network; a run of one load, on one engine, colours its links. */
static int draw_network(struct run *run, struct err *e)
{
	const struct run_machine *m = &run->machine;
	bool used = m->kind->carried && !run->in.set.load;
	uint32_t *first = NULL;
	double *bytes = used ? run_carried(run, &first, e) : NULL;
	int result;

	if (used && !bytes)
		return -1;
	for (uint32_t l = 0; bytes && l < m->topology->links; l++)
		bytes[l] = bytes[first[l]]; /* links of a medium have its colour; first[l] <= l */
	free(first);
	result = network_picture(m->topology, bytes, out_file(run->out.file.network_picture), e);
	free(bytes);
	return result < 0 ? err_prefix(e, "--network-picture") : 0;
}

/* Writes the files beside the report. One that fails costs no other one, and no report. */
static void write_files(struct run *run)
{
	struct err why;

	if (run->curve && load_curve_draw(run, &why) < 0)
		output_failed(&run->out.file.curve, &why, &run->late);
	if (run->out.log && !run_interrupted(run))
		net_log_complete(run->out.log);
	outputs_write(&run->out, &run->in.set, &run->late);
	if (run->out.file.picture)
		analysis_picture(run->analysis, run->vmpi, out_file(run->out.file.picture));
	if (run->out.file.power_picture && run_power_draw(run, &why) < 0)
		output_failed(&run->out.file.power_picture, &why, &run->late);
	if (run->out.file.network_picture && draw_network(run, &why) < 0)
		output_failed(&run->out.file.network_picture, &why, &run->late);
	outputs_close(&run->out, &run->late);
}

/* Completes a run: checks, files, report. */
static int conclude(struct run *run, int argc, char *argv[], struct err *e)
{
	const struct run_machine *m = &run->machine;

	if (run->in.common.check && !run_interrupted(run) && m->kind->verify && m->kind->verify(m->engine, e) < 0)
		return -1;
	write_files(run);
	if (run_report(run, argc, argv, e) < 0)
		return -1;
	if (err_of_first(e, &run->late) < 0)
		return -1;
	if (!run_interrupted(run))
		checkpoint_done(&run->checkpoint);
	if (progress_signal())
		return err_set(e, STATUS_FAILED, "interrupted by signal %d: the results cover the run up to then%s%s",
			       progress_signal(),
			       run->in.set.checkpoint.path ? ", and the same command continues from " : "",
			       run->in.set.checkpoint.path ? run->in.set.checkpoint.path : "");
	if (run_interrupted(run))
		return err_set(e, STATUS_FAILED,
			       "interrupted by a signal to another process: the results cover the run up to then");
	return 0;
}

static int run_all(struct run *run, int first, int argc, char *argv[], struct err *e)
{
	const struct run_machine *m = &run->machine;
	const char *operand = first < argc ? argv[first] : NULL;
	int ret;

	if (program_run_prepare(run, operand, e) < 0)
		return -1;
	run_notes(run);
	power_bins_init(&run->power_bins, m->net_config.engine.interval);
	ret = operand || run->replay ? run_program(run, argc - first, argv + first, e)
	      : run->jobs            ? jobs_run(run, e)
	      : run->in.set.load     ? load_curve_run(run, e)
				     : run_traffic(run, e);
	if (ret < 0)
		return -1;
	run_warn_window(run);
	run_note_end(run);
	return conclude(run, argc, argv, e);
}

/* The same for a described network with parts in C. */
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

	return run->in.set.network ? guard_run(guarded_run, &g, e) : guarded_run(&g, e);
}

static void finish(struct run *run)
{
	analysis_destroy(run->analysis);
	vmpi_destroy(run->vmpi);
	replay_destroy(run->replay);
	traffic_result_destroy(run->result);
	load_curve_destroy(run->curve);
	selections_destroy(run->selections);
	jobs_destroy(run->jobs);
	exchange_destroy(run->joined);
	traffic_destroy(run->traffic);
	machine_finish(&run->machine);
	outputs_finish(&run->out);
	run_places_finish(&run->places);
	run_power_forget(run);
	checkpoint_finish(&run->checkpoint);
	vec_finish(&run->calls);
	inputs_finish(&run->in);
}

static int check_config(const struct config *c, void *user, struct err *e)
{
	struct run *run = user;

	(void)c; /* engine kind of the machine */
	return machine_config_check(&run->machine, &run->in.set, inputs_have_page(&run->in), e);
}

static int program_run_start(struct run *run, int argc, char *argv[], int *status, struct err *e)
{
	struct opt rows[RUN_OPTIONS_MAX];
	const struct opt_program program = {
		.name = run->in.program->name,
		.operands = run->in.program->operands,
		.summary = run->in.program->summary,
		.examples = run->in.program->examples,
		.rows = rows,
		.row_count = inputs_options(&run->in, rows),
		.groups = OPT_CONFIG | OPT_OUTPUT | OPT_RUN,
		.common = &run->in.common,
		.config = run->machine.config,
		.min_operands = 0,
		.max_operands = 100000,
		.config_check = check_config,
		.config_user = run,
		.uses = machine_uses,
		.stop_at_operand = true,
		.failed = e,
	};

	return opt_start(&program, argc, argv, status);
}

/* Ends a run that has printed what was requested, --help or a list. 0, or -1 with `e`: another process has failed. */
static int run_leave(struct run *run, struct err *e)
{
	return run->joined ? exchange_end(run->joined, e) : 0;
}

/* Writes a machine file in place of a run. */
static int program_run_describe(struct run *run, const char *operand, struct err *e)
{
	struct run_inputs *in = &run->in;

	if (run->joined)
		return err_set(e, STATUS_USAGE, "--describe and mpirun, expected one process");
	if (inputs_check_describe(in, operand, e) < 0)
		return -1;
	return describe_write(&run->machine, in->set.describe, in->common.output, e);
}

/* Reads the command line, performs the run, or prints the requested list instead. 0, or -1 with `e`. */
static int program_run_perform(struct run *run, int argc, char *argv[], struct err *e)
{
	int status, first = program_run_start(run, argc, argv, &status, e);

	if (first < 0)
		return status == STATUS_DONE ? run_leave(run, e) : -1;
	if (inputs_lists(&run->in.set))
		return out_check(stdout, "standard output", e) < 0 ? -1 : run_leave(run, e);
	if (run->in.set.describe)
		return program_run_describe(run, first < argc ? argv[first] : NULL, e);
	if (program_run_count(run, e) < 0)
		return -1;
	if (run_checkpoint_begin(run, first, argc, argv, e) < 0)
		return -1;
	if (!run->in.set.interval)
		return run_guarded(run, first, argc, argv, e);
	run->selections = selections_run(run, first, argc, argv, run_guarded, e);
	if (!run->selections || run_guarded(run, first, argc, argv, e) < 0)
		return -1;
	return selections_check(run->selections, e);
}

/* A call that the trace lacks may have sent what a rank waits for. */
static void print_lacks(const struct replay *replay, FILE *lines)
{
	char calls[256];
	uint64_t count = replay_lacks(replay, calls, sizeof(calls));

	if (count)
		fprintf(lines, "  a likely cause: the trace lacks %" PRIu64 " call%s of the recorded run: %s\n", count,
			count == 1 ? "" : "s", calls);
}

/* Says which ranks wait for what. */
static void print_stuck(const struct run *run)
{
	char *text = NULL;
	size_t size = 0;
	FILE *lines = open_memstream(&text, &size);

	if (!lines)
		return;
	vmpi_stuck(run->vmpi, lines, 10);
	if (run->replay)
		print_lacks(run->replay, lines);
	fclose(lines);
	message_lines(text);
	free(text);
}

/* Reports a failure of this process, or of another one; returns the exit status. */
static int program_run_failed(struct run *run, struct err *e)
{
	struct opt_program program = {.name = run->in.program->name, .common = &run->in.common};

	if (run->joined)
		exchange_fail(run->joined, e);
	fflush(stdout);
	if (run->in.models)
		models_warn(run->in.models, run->in.program->name);
	if (run->checkpoint.parts.count || run->checkpoint.whole)
		checkpoint_failed(&run->checkpoint, e);
	opt_fail(&program, e);
	if (e->status == STATUS_STUCK && run->vmpi)
		print_stuck(run);
	if (run->vmpi && vmpi_program_status(run->vmpi))
		return vmpi_program_status(run->vmpi);
	return (int)e->status;
}

int run_main(const struct run_program *program, int argc, char *argv[])
{
	struct run run = {.in = {.program = program, .set = SETTINGS_DEFAULT}};
	struct err e;
	int status = STATUS_DONE;
	bool in_fortran;

	if (program_run_join(&run, &e) < 0 || machine_config_create(&run.machine, program, &e) < 0 ||
	    program_run_perform(&run, argc, argv, &e) < 0)
		status = program_run_failed(&run, &e);
	in_fortran = run.vmpi && vmpi_in_fortran(run.vmpi);
	finish(&run);
	if (in_fortran && fflush(NULL) == 0)
		_exit(status);
	return status;
}
