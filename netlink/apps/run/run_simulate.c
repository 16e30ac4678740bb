/* A program, or traffic without one, on the network. */
#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "../../../psim/base/cli/progress.h"
#include "program_run.h"

/* ---- what is noted on the way ---- */

static void note_message(struct run *run, uint32_t src, uint32_t dst, uint64_t bytes)
{
	if (comm_matrix_add(run->matrix, src, dst, bytes, 1, &run->matrix_error) < 0)
		run->matrix_short = true;
}

static void note_sent(void *user, int64_t time, uint32_t src, uint32_t dst, int tag, uint64_t bytes)
{
	(void)time;
	(void)tag;
	note_message(user, src, dst, bytes);
}

static void note_state(void *user, uint32_t rank, uint32_t node, int64_t time, const char *state)
{
	const struct run *run = user;

	net_log_state(run->log, rank, node, time, state);
}

static void note_phase(void *user, uint32_t rank, int64_t time, const char *name)
{
	const struct run *run = user;

	if (run->analysis)
		analysis_phase(run->analysis, rank, time, name);
	if (run->log)
		net_log_phase(run->log, rank, run->node_of[rank], time, *name ? name : NULL);
}

static void note_event(void *user, uint32_t rank, int64_t time, const char *name)
{
	const struct run *run = user;

	net_log_event(run->log, rank, run->node_of[rank], time, name);
}

/* For the pattern file. */
static void note_step(void *user, const struct vmpi_step *s)
{
	const struct run *run = user;

	switch (s->kind) {
	case VMPI_STEP_SEND:
		pattern_writer_send(run->writer, s->rank, s->time, s->peer, s->bytes, s->nic, s->gap);
		break;
	case VMPI_STEP_SENT: pattern_writer_sent(run->writer, s->rank, s->time); break;
	case VMPI_STEP_RECEIVED: pattern_writer_receive(run->writer, s->rank, s->time, s->peer); break;
	}
}

static void note_waited(void *user, const struct vmpi_waited *w)
{
	const struct run *run = user;

	if (run->analysis)
		analysis_waited(run->analysis, w);
	if (run->writer && w->cause.kind != CAUSE_TOGETHER)
		pattern_writer_waited(run->writer, w->rank, w->from, w->to);
}

static void end_pattern(const struct run *run)
{
	for (uint32_t i = 0; run->writer && i < run->ranks; i++)
		pattern_writer_end(run->writer, i, vmpi_rank_time(run->vmpi, i));
}

/* ---- a program ---- */

enum { STEPS = 20000 }; /* turns between looks at the clock and at signals */

static void warn(struct run *run)
{
	char text[200];

	models_warn(run->models, run->program->name, stderr);
	while (vmpi_warning(run->vmpi, text, sizeof(text)))
		fprintf(stderr, "%s: warning: %s\n", run->program->name, text);
}

static void warn_at_end(struct run *run)
{
	char text[200];

	models_warn_unused(run->models, run->program->name, stderr);
	if (run->program->skeletons && vmpi_over_peak(run->vmpi, text, sizeof(text)))
		fprintf(stderr, "%s: warning: %s\n", run->program->name, text);
}

static int simulate(struct run *run, struct err *e)
{
	struct progress progress;
	enum vmpi_end end = VMPI_RUNNING;

	progress_start(&progress, run->program->name, "messages", 0, run->common.quiet);
	while (end == VMPI_RUNNING) {
		struct vmpi_progress p;
		char note[96];

		end = vmpi_run(run->vmpi, STEPS, e);
		warn(run);
		p = vmpi_progress(run->vmpi);
		snprintf(note, sizeof(note), "%.6g s, %u ranks ended", (double)p.now * 1e-12, p.ended);
		if (run->log)
			net_log_present(run->log, p.now);
		if (end != VMPI_FAILED && analyse_between(run, e) < 0)
			end = VMPI_FAILED;
		if (!progress_step(&progress, p.messages, note) && end == VMPI_RUNNING)
			end = VMPI_INTERRUPTED;
	}
	progress_end(&progress);
	end_pattern(run);
	if (end == VMPI_DONE)
		warn_at_end(run);
	return end == VMPI_FAILED ? -1 : analyse_finish(run, e);
}

/*
 * The same where standard output is the report's, and what ranks print goes to standard error: also what they
 * print past the C library, as Fortran programs do.
 */
static int simulate_aside(struct run *run, struct err *e)
{
	int ret, report = dup(STDOUT_FILENO);

	fflush(stdout);
	if (report < 0 || dup2(STDERR_FILENO, STDOUT_FILENO) < 0)
		return err_set(e, STATUS_FAILED, "standard output: %s", strerror(errno));
	ret = simulate(run, e);
	dup2(report, STDOUT_FILENO);
	close(report);
	return ret;
}

int run_program(struct run *run, int argc, char *argv[], struct err *e)
{
	struct vmpi_setup setup = {
		.config = &run->vmpi_config,
		.kind = run->kind,
		.engine = run->engine,
		.net = &run->net,
		.ranks = run->ranks,
		.nodes = run->topology->nodes,
		.nics = run->topology->nics,
		.mapping = run->node_of,
		.seed = run->set.seed,
		.time_limit = run->time_limit,
		.check = run->common.check,
		.observer = &run->observer,
		.skeleton = &run->skeleton,
		.times = run->times,
	};

	run->skeleton = models_skeleton(run->models);
	run->observer = (struct vmpi_observer){.sent = run->matrix ? note_sent : NULL,
					       .state = run->log ? note_state : NULL,
					       .phase = note_phase,
					       .event = run->log ? note_event : NULL,
					       .step = run->writer ? note_step : NULL,
					       .user = run};
	if (analyse_start(run, e) < 0)
		return -1;
	if (run->analysis || run->writer)
		run->observer.waited = note_waited;
	if (run->common.format != REPORT_TEXT && strcmp(run->common.output, "-") == 0)
		setup.out = stderr; /* standard output is the report's */
	run->vmpi = vmpi_create(&setup, e);
	if (!run->vmpi || vmpi_load(run->vmpi, argv[0], argc, argv, e) < 0)
		return -1;
	return setup.out ? simulate_aside(run, e) : simulate(run, e);
}

/* ---- traffic without a program ---- */

static bool tick(void *user, uint64_t delivered, int64_t now_ps)
{
	struct progress *progress = user;
	char note[64];

	snprintf(note, sizeof(note), "%.6g s", (double)now_ps * 1e-12);
	return progress_step(progress, delivered, note);
}

int run_traffic(struct run *run, struct err *e)
{
	struct progress progress;
	struct traffic_setup setup = {
		.traffic = run->traffic,
		.topology = run->topology,
		.kind = run->kind,
		.engine = run->engine,
		.node_of = run->node_of,
		.matrix = run->matrix,
		.tick = tick,
		.user = &progress,
	};

	progress_start(&progress, run->program->name, "messages", traffic_messages(run->traffic), run->common.quiet);
	run->result = traffic_run(&setup, e);
	progress_end(&progress);
	return run->result ? 0 : -1;
}
