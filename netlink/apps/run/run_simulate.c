/* Runs a program, or traffic without one, on the network. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../../psim/base/message_line.h"
#include "../../../psim/base/cli/progress.h"
#include "../../parallel/domain.h"
#include "../../parallel/record_exchange.h"
#include "program_run.h"

/* ---- records for logs ---- */

static void note_sent(void *user, int64_t time, uint32_t src, uint32_t dst, int tag, uint64_t bytes)
{
	struct run *run = user;

	(void)tag;
	if (run->out.matrix)
		outputs_add_message(&run->out, src, dst, bytes);
	if (run_power_over_time(run))
		power_bins_add_bytes(&run->power_bins, time, (double)bytes);
}

static void note_modelled(void *user, int64_t from, int64_t to, const struct vmpi_cost *cost)
{
	struct run *run = user;

	if (cost->has_energy)
		power_bins_add_time(&run->power_bins, POWER_STATE_MODELLED, from, to);
	power_bins_add_model(&run->power_bins, from, to, cost->has_energy ? cost->joules : 0, cost->memory_bytes);
}

/* Records a step for the pattern file. */
static void note_step(void *user, const struct vmpi_step *s)
{
	const struct run *run = user;

	switch (s->kind) {
	case VMPI_STEP_SEND:
		pattern_writer_send(run->out.writer, s->rank, s->time, s->peer, s->bytes, s->nic, s->gap);
		break;
	case VMPI_STEP_SENT: pattern_writer_sent(run->out.writer, s->rank, s->time); break;
	case VMPI_STEP_RECEIVED: pattern_writer_receive(run->out.writer, s->rank, s->time, s->peer); break;
	}
}

static void note_waited(void *user, const struct vmpi_waited *w)
{
	struct run *run = user;

	if (run->analysis)
		analysis_waited(run->analysis, w);
	run_power_waited(run, w);
	if (run->out.writer && w->cause.kind != CAUSE_COLLECTIVE)
		pattern_writer_waited(run->out.writer, w->rank, w->from, w->to);
}

void run_end_pattern(const struct run *run)
{
	for (uint32_t i = 0; run->out.writer && i < run->machine.ranks; i++)
		pattern_writer_end(run->out.writer, i, vmpi_rank_time(run->vmpi, i));
}

/* ---- a program ---- */

enum { STEPS = 20000 }; /* turns between checks of the host's clock and of signals */

void run_warn(struct run *run, bool at_end)
{
	char text[200];

	models_warn(run->in.models, run->in.program->name);
	while (vmpi_warning(run->vmpi, text, sizeof(text)))
		message("%s: warning: %s", run->in.program->name, text);
	if (!at_end)
		return;
	models_warn_unused(run->in.models, run->in.program->name);
	if (run->in.program->skeletons && vmpi_over_peak(run->vmpi, text, sizeof(text)))
		message("%s: warning: %s", run->in.program->name, text);
}

void run_warn_left(const struct run *run)
{
	char text[200];

	if (vmpi_left(run->vmpi, text, sizeof(text)))
		message("%s: %s", run->in.program->name, text);
}

static int simulate(struct run *run, struct err *e)
{
	struct progress progress;
	enum vmpi_end end = VMPI_RUNNING;
	uint64_t taken, all = 0;
	/* the end of a trace is known, that of a program is not */
	const bool share = run->replay && replay_taken(run->replay, &taken, &all);

	progress_start(&progress, run->in.program->name, share ? replay_unit(run->replay) : "messages", share ? all : 0,
		       run->in.common.quiet);
	while (end == VMPI_RUNNING) {
		struct vmpi_progress p;
		char note[96];

		end = vmpi_run(run->vmpi, STEPS, e);
		run_warn(run, false);
		p = vmpi_progress(run->vmpi);
		snprintf(note, sizeof(note), "%.6g s, %u ranks ended", (double)p.now / 1e12, p.ended);
		if (run->out.log)
			net_log_present(run->out.log, p.now);
		if (end != VMPI_FAILED && run_analysis_between(run, e) < 0)
			end = VMPI_FAILED;
		if (share)
			replay_taken(run->replay, &taken, &all);
		if (end == VMPI_RUNNING && !run_step(run, &progress, share ? taken : p.messages, note))
			end = VMPI_INTERRUPTED;
	}
	progress_end(&progress);
	run_warn_left(run);
	run_end_pattern(run);
	if (end == VMPI_DONE)
		run_warn(run, true);
	return end == VMPI_FAILED ? -1 : run_analysis_finish(run, e);
}

/* A program's start: on one process or several. */
struct program_start {
	struct vmpi_setup *setup;
	int argc;
	char **argv;
};

int run_record(struct run *run, struct err *e)
{
	struct out *trace = run->out.file.write_trace;
	const struct record_outputs to = {.trace = trace ? out_file(trace) : NULL,
					  .trace_of_first = run->in.set.trace_of_first,
					  .folder = run->in.set.write_otf2};

	return to.trace || to.trace_of_first || to.folder ? record_start(run->vmpi, &to, e) : 0;
}

static int start_alone(struct run *run, const struct program_start *s, struct err *e)
{
	int ret;

	s->setup->written = run->written;
	run->vmpi = vmpi_create(s->setup, e);
	if (!run->vmpi)
		return -1;
	if (run->replay) {
		vmpi_set_body(run->vmpi, replay_body, run->replay);
		return simulate(run, e);
	}
	if (run_record(run, e) < 0)
		return -1;
	if (vmpi_load(run->vmpi, s->argv[0], s->argc, s->argv, e) < 0)
		return -1;
	ret = simulate(run, e);
	if (ret >= 0)
		return record_end(run->vmpi, e) < 0 ? -1 : ret;
	record_forget(run->vmpi);
	return ret;
}

static int start(struct run *run, const struct program_start *s, struct err *e)
{
	int ret = run->in.set.processes > 1 ? run_partitions(run, s->setup, s->argc, s->argv, e) : 1;

	if (ret <= 0)
		return ret;
	if (run->in.set.processes > 1 && run_alone_again(run, e) < 0)
		return -1;
	s->setup->engine = run->machine.engine;
	return start_alone(run, s, e);
}

/*
 * The same where standard output is the report's, and what ranks print goes to standard error: also what they
 * print past the C library, as Fortran programs do.
 */
static int start_aside(struct run *run, const struct program_start *s, struct err *e)
{
	int ret, report = dup(STDOUT_FILENO);

	fflush(stdout);
	if (report < 0 || dup2(STDERR_FILENO, STDOUT_FILENO) < 0)
		return err_set(e, STATUS_FAILED, "standard output: %s", strerror(errno));
	ret = start(run, s, e);
	dup2(report, STDOUT_FILENO);
	close(report);
	return ret;
}

int run_program(struct run *run, int argc, char *argv[], struct err *e)
{
	const struct run_machine *m = &run->machine;
	const struct settings *set = &run->in.set;
	struct vmpi_setup setup = {
		.config = &m->vmpi_config,
		.kind = m->kind,
		.engine = m->engine,
		.net = &m->net,
		.ranks = m->ranks,
		.nodes = m->topology->nodes,
		.node_name = topology_has_node_names(m->topology) ? topology_node_name : NULL,
		.names = m->topology,
		.nics = m->topology->nics,
		.mapping = m->node_of,
		.seed = run->in.set.seed,
		.time_limit = run->in.time_limit,
		.sleep_after = m->power_config.power.sleep_after,
		.check = run->in.common.check,
		.observer = &run->observer,
		.skeleton = &run->skeleton,
		.times = m->times,
	};
	const struct program_start s = {&setup, argc, argv};

	run->skeleton = models_skeleton(run->in.models, power_given(&m->power_config));
	run->observer = (struct vmpi_observer){.sent = run->out.matrix || run_power_over_time(run) ? note_sent : NULL,
					       .modelled = run_power_over_time(run) ? note_modelled : NULL,
					       .step = run->out.writer || set->pattern_of_first ? note_step : NULL,
					       .user = run};
	run->observer.origin = set->hot_links ? run_call_mark : NULL;
	run_log_start(run);
	if (run_analysis_start(run, e) < 0)
		return -1;
	if (run->analysis || run->observer.step || power_given(&m->power_config))
		run->observer.waited = note_waited;
	if (run->in.common.format != REPORT_TEXT && strcmp(run->in.common.output, "-") == 0)
		setup.out = stderr; /* standard output is the report's */
	return setup.out ? start_aside(run, &s, e) : start(run, &s, e);
}

/* ---- traffic without a program ---- */

struct traffic_progress {
	struct progress progress;
	struct run *run;
	const struct exchange *exchange; /* NULL: one process */
};

static bool tick(void *user, uint64_t delivered, int64_t now_ps)
{
	struct traffic_progress *p = user;
	char note[64];

	p->progress.quiet = p->progress.quiet || (p->exchange && exchange_me(p->exchange));
	snprintf(note, sizeof(note), "%.6g s", (double)now_ps / 1e12);
	return run_step(p->run, &p->progress, delivered, note);
}

static int run_alone(struct run *run, struct traffic_setup *setup, struct err *e)
{
	setup->engine = run->machine.engine;
	run->result = traffic_run(setup, e);
	return run->result ? 0 : -1;
}

/* Says why one process runs it, or runs it again. */
static void note_alone(const struct run *run, const char *why, const char *does)
{
	if (!run->in.common.quiet)
		message("%s: note: %s: one process %s", run->in.program->name, why, does);
}

/* Divides the network. 0; 1: it cannot be divided, `why` says why; -1 with `e`. */
static int find_owners(struct run_machine *m, unsigned processes, struct err *why, struct err *e)
{
	const char *whole;

	if (!m->kind->partitions || m->kind->timeless) {
		err_set(why, STATUS_USAGE, "the engine %s cannot be divided", m->kind->name);
		return 1;
	}
	m->owner = domain_divide(m->topology, processes, why);
	if (!m->owner && why->status == STATUS_USAGE)
		return 1;
	if (!m->owner) {
		*e = *why;
		return -1;
	}
	whole = m->kind->partitions->whole(m->engine, m->owner);
	if (whole)
		err_set(why, STATUS_USAGE, "%s", whole);
	return whole != NULL;
}

int run_processes(struct run *run, struct exchange **x, struct err *e)
{
	struct err why;
	int ret = find_owners(&run->machine, (unsigned)run->in.set.processes, &why, e);

	if (ret < 0 || (ret > 0 && run->joined && exchange_end(run->joined, e) < 0))
		return -1;
	if (ret > 0) {
		note_alone(run, why.text, "runs it");
		run->in.set.processes = 1;
		return 1;
	}
	*x = run->joined ? run->joined : exchange_create((unsigned)run->in.set.processes, e);
	if (!*x)
		return -1;
	exchange_watch_signals(*x, progress_signal_own);
	return 0;
}

struct replay *run_open_replay(const struct run *run, struct err *e)
{
	const struct settings *s = &run->in.set;
	const struct run_machine *m = &run->machine;
	uint64_t all = (uint64_t)m->topology->nodes * m->vmpi_config.ranks.per_node,
		 ranks = s->ranks == RANKS_ALL ? all : s->ranks;

	return replay_open(s->replay, ranks < INT32_MAX ? (uint32_t)ranks : 0, &m->vmpi_config, e);
}

int run_alone_again(struct run *run, struct err *e)
{
	struct run_machine *m = &run->machine;

	note_alone(run, run->repeats.text, run->not_begun ? "runs it" : "repeats the run");
	m->kind->destroy(m->engine);
	m->engine = NULL;
	if (outputs_again(&run->out, &run->in, m, e) < 0)
		return -1;
	run_places_finish(&run->places);
	run_power_forget(run);
	run->calls.count = 0;
	if (run->replay) {
		replay_destroy(run->replay);
		run->replay = run_open_replay(run, e);
		if (!run->replay)
			return -1;
	}
	if (run->analysis) {
		analysis_destroy(run->analysis);
		run->analysis = NULL;
		if (run_analysis_start(run, e) < 0)
			return -1;
	}
	return machine_make_engine(m, &run->in, run->out.log, e);
}

/* On several processes; if the run is stuck, again on one, which knows what waits for what. */
static int run_together(struct run *run, struct traffic_setup *setup, struct traffic_progress *p, struct err *e)
{
	struct exchange *x;
	int ret = run_processes(run, &x, e);

	if (ret)
		return ret < 0 ? -1 : run_alone(run, setup, e);
	setup->owner = run->machine.owner;
	setup->exchange = x;
	p->exchange = x;
	ret = run_alone(run, setup, e);
	setup->exchange = NULL;
	p->exchange = NULL;
	if (!run->joined)
		exchange_destroy(x);
	if (ret == 0 || e->status != STATUS_STUCK)
		return ret;
	err_set(&run->repeats, STATUS_STUCK, "the network is stuck");
	return run_alone_again(run, e) < 0 ? -1 : run_alone(run, setup, e);
}

int run_traffic(struct run *run, struct err *e)
{
	const struct run_machine *m = &run->machine;
	struct traffic_progress p = {.run = run};
	struct traffic_setup setup = {
		.traffic = run->traffic,
		.topology = m->topology,
		.kind = m->kind,
		.node_of = m->node_of,
		.matrix = run->out.matrix,
		.tick = tick,
		.user = &p,
	};
	int ret;

	progress_start(&p.progress, run->in.program->name, "messages", traffic_messages(run->traffic),
		       run->in.common.quiet);
	ret = run->in.set.processes > 1 ? run_together(run, &setup, &p, e) : run_alone(run, &setup, e);
	progress_end(&p.progress);
	return ret;
}
