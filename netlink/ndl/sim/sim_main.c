/* The main of every simulator that `inspire` makes: checks, runs or sweeps, reports. */
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../../../psim/base/mem.h"
#include "../../../psim/base/message_line.h"
#include "../../../psim/base/cli/opt.h"
#include "../../../psim/base/report/out.h"
#include "../../../psim/base/cli/progress.h"
#include "../../curves/curves.h"
#include "pictures.h"
#include "../program.h"
#include "../../traffic/traffic.h"
#include "sim_config.h"
#include "sim_points.h"
#include "sim_report.h"
#include "../../wormhole/guard.h"

struct sim {
	struct opt_common common;
	struct sim_config config;
	const char *load, *picture, *use_picture, *name, *pattern;
	struct opt_list beside;
	struct checkpoint_options keep;
	struct checkpoint checkpoint;
	struct out *use_out;
	struct err late; /* of a file: the first that failed */
	uint64_t processes;
	bool check_only, channels, list_patterns, saturation;
	struct sim_points *points;
	struct network *net;
	struct check_result check;
	bool checked;
	struct report *report;
	struct progress progress;
	uint64_t measured;
	int argc;
	char **argv; /* operands for the PU file: those that net_config did not take, in `args` */
	char **args;
};

/* Above this many pairs of places only --check does the whole check: it takes minutes. */
enum { CHECK_WORK_MAX = 30000000 };

/* Bytes a clock that any PU may offer: more than a link of any flit_bytes takes. */
#define LOAD_MOST 1e6

/* Runs net_config and builds the network. The remaining operands are the PU file's. */
static int make_network(struct sim *s, int first, char **argv, int argc, struct err *e)
{
	int count = argc - first + 1, taken;
	char **args = mem_alloc((size_t)count + 1, sizeof(*args), e);

	if (!args)
		return -1;
	s->args = args;
	args[0] = argv[0];
	memcpy(args + 1, argv + first, (size_t)(argc - first) * sizeof(*args));
	guard_enter("net_config", ndl_network.file, 0, NULL, 0);
	taken = ndl_network.config(count, args);
	guard_leave();
	if (taken < 0 || taken >= count)
		return err_set(e, STATUS_USAGE, "%s: net_config rejects the operands", ndl_network.file);
	if (s->check_only && taken + 1 < count) /* no PU file is there to take them */
		return err_set(e, STATUS_USAGE, "%s: net_config took %d of %d operands, unexpected operand \"%s\"",
			       ndl_network.file, taken, count - 1, args[taken + 1]);
	if (s->pattern && taken + 1 < count)
		return err_set(e, STATUS_USAGE,
			       "%s: net_config took %d of %d operands, unexpected operand \"%s\" with --pattern",
			       ndl_network.file, taken, count - 1, args[taken + 1]);
	args[taken] = args[0];
	s->argc = count - taken;
	s->argv = args + taken;
	s->net = network_create(ndl_network.file, e);
	if (!s->net)
		return -1;
	guard_enter_statements(s->net);
	taken = ndl_network.build(s->net, e);
	guard_leave();
	if (taken)
		return -1;
	return network_finish(s->net, e) ? -1 : sim_config_apply(&s->config, s->net, e);
}

static bool check_tick(void *user, uint64_t done, uint64_t all)
{
	struct sim *s = user;

	s->progress.total = all;
	return progress_step(&s->progress, done, NULL);
}

/* With a wormhole's deep buffers a head waits behind another message, where no escape is. */
static void warn_of_deep_buffers(struct sim *s)
{
	const struct kernel_params p = sim_run_params(&s->config).kernel;

	s->check.deep = s->check.escapes && p.switching == SWITCH_WORMHOLE && p.buffer_flits > 1;
	if (s->check.deep && !s->common.quiet)
		message("simulator: %s: warning: a deadlock is possible in spite of the escape channels: a buffer of "
			"%u flits can hold two messages, expected wormhole.buffer_flits = 1 or another switching",
			ndl_network.file, p.buffer_flits);
}

static int check_network(struct sim *s, struct err *e)
{
	double work = (double)s->net->node_count * ((double)s->net->output_count + s->net->node_count);

	int result;

	if (work > CHECK_WORK_MAX && !s->common.check && !s->check_only)
		return 0;
	progress_start(&s->progress, "simulator", "destinations", s->net->node_count, s->common.quiet);
	result = network_check(s->net, &(struct check_options){.tick = check_tick, .user = s}, &s->check, e);
	progress_end(&s->progress);
	if (result)
		return -1;
	s->checked = true;
	if (!s->check.cyclic) {
		warn_of_deep_buffers(s);
		return 0;
	}
	if (s->common.check || s->check_only)
		return err_set(e, STATUS_BAD_INPUT, "%s: possible deadlock, %s: %s", ndl_network.file, s->check.waits,
			       s->check.cycle);
	if (!s->common.quiet)
		message("simulator: %s: warning: a deadlock is possible, %s: %s", ndl_network.file, s->check.waits,
			s->check.cycle);
	return 0;
}

static bool sim_tick(void *user, uint64_t clock)
{
	struct sim *s = user;

	return progress_step(&s->progress, clock, NULL);
}

/* The description's file, without its folder. */
static const char *network_name(void)
{
	const char *slash = strrchr(ndl_network.file, '/');

	return slash ? slash + 1 : ndl_network.file;
}

/* Reports the use of channels in the measured part of the last point. */
static void report_use(struct sim *s)
{
	const struct sim_use *use = sim_points_use(s->points);
	char title[160];

	sim_report_use(s->report, s->net, use, s->channels);
	if (s->use_out) {
		snprintf(title, sizeof(title), "%.100s: use of links and virtual channels", network_name());
		use_draw(out_file(s->use_out), title, s->net, use);
	}
}

static int run_points(struct sim *s, struct err *e)
{
	struct sim_points *p = s->points;
	bool one = p->search.count == 1 && !s->saturation;
	int result;

	p->net = s->net;
	p->pattern = s->pattern;
	p->strict = s->common.strict;
	p->saturation = s->saturation;
	p->params = sim_run_params(&s->config);
	p->params.check = s->common.check;
	p->params.argc = s->argc;
	p->params.argv = s->argv;
	p->params.pu_init = pu_init;
	p->params.pu_exec = pu_exec;
	p->params.tick = sim_tick;
	p->params.user = s;
	p->search.progress = &s->progress;
	p->search.checkpoint = s->keep.path ? &s->checkpoint : NULL;
	progress_start(&s->progress, "simulator", one ? "clocks" : "loads", one ? 0 : p->search.count, s->common.quiet);
	result = sim_points_run(p, e);
	progress_end(&s->progress);
	if (result || progress_signal())
		checkpoint_write(&s->checkpoint);
	if (!result && !p->search.count)
		return err_set(e, STATUS_FAILED, "interrupted by signal %d: no load is complete", progress_signal());
	return result;
}

/* Warns of points whose figures depend on the place and length of the measured part. */
static void warn_of_unsteady(const struct sim *s)
{
	char text[160];

	for (unsigned k = 0; k < s->points->search.count && !s->common.quiet; k++) {
		const struct sim_point *p = &s->points->point[k];
		const struct run_result *x = &p->result;

		if (!p->head.unknown && !p->head.steady)
			message("simulator: warning: load %g: steady: %s", p->head.load,
				sim_report_steady(x, text, sizeof(text)));
	}
}

static int sim_write_report(struct sim *s, struct err *e)
{
	struct out *out = out_create(s->common.output, e);

	if (!out)
		return -1;
	if (report_write(s->report, (enum report_format)s->common.format, out_file(out), e))
		return out_fail(out, e);
	return out_close(out, e);
}

/* Makes a curve of this run's points. */
static int make_curve(const struct sim *s, struct curve *c, struct err *e)
{
	c->name = mem_copy_text(s->name ? s->name : network_name(), e);
	if (!c->name || vec_reserve(&c->points, s->points->search.count, e))
		return -1;
	for (unsigned p = 0; p < s->points->search.count; p++) {
		const struct run_result *x = &s->points->point[p].result;
		double error = isnan(x->loop.latency.error) ? 0 : x->loop.latency.error;
		c->points.at[c->points.count++] = (struct curve_point){
			.accepted = x->loop.accepted.mean,
			.latency = x->loop.latency.mean,
			.error = error,
			.p99 = x->head_p99,
		};
	}
	return 0;
}

static int sim_write_picture(struct sim *s, struct err *e)
{
	static const struct curve_axes axes = {
		.doc = "mean latency of heads over the accepted throughput, 95 % intervals; dashed: 99th percentile",
		.accepted = "a byte a clock and processing unit",
		.unit = "clocks",
	};
	struct curve own = {0};
	struct out *out;
	int result;

	if (!s->picture)
		return s->beside.count ? err_set(e, STATUS_USAGE, "--beside: expected --svg FILE too") : 0;
	result = make_curve(s, &own, e);
	out = result ? NULL : out_create(s->picture, e);
	if (out)
		result = curves_write(out_file(out), &axes, &own, s->beside.item, s->beside.count, e)
				 ? out_fail(out, e)
				 : out_close(out, e);
	curve_finish(&own);
	return out ? result : -1;
}

/* Adds the points, and where the network saturates. */
static void report_points(struct sim *s)
{
	const struct sim_points *p = s->points;
	double most = 0;

	if (p->search.count == 1 && !s->saturation) {
		sim_report_run(s->report, &p->point[0]);
		return;
	}
	sim_report_points(s->report, p->point, p->search.count);
	for (unsigned i = 0; i < p->search.count; i++)
		most = fmax(most, p->point[i].result.loop.accepted.mean);
	if (s->saturation && load_search_knows(&p->search))
		load_search_report(&p->search, most, "B/clock", s->report);
}

/* Runs the network, and reports it. */
static int run_and_report(struct sim *s, struct err *e)
{
	struct err why;
	struct out *use;

	if (s->picture && out_can_create(s->picture, e))
		return -1;
	if (s->use_picture && !(s->use_out = out_create(s->use_picture, e)))
		return -1;
	if (run_points(s, e))
		return -1;
	warn_of_unsteady(s);
	report_use(s);
	use = s->use_out;
	s->use_out = NULL;
	if (use && out_close(use, &why) < 0)
		err_keep_first(&s->late, &why);
	report_points(s);
	return 0;
}

/* Reads the loads, and checks the options that go with them. */
static int read_loads(struct sim *s, struct err *e)
{
	s->points = mem_alloc(1, sizeof(*s->points), e);
	if (!s->points)
		return -1;
	if (!s->processes || s->processes > LOAD_PROCESSES_MAX)
		return err_set(e, STATUS_USAGE, "--processes (-j) %" PRIu64 ": expected 1 to %d", s->processes,
			       LOAD_PROCESSES_MAX);
	s->points->search = (struct load_search){
		.point = s->points->point, .size = sizeof(s->points->point[0]), .processes = (unsigned)s->processes};
	if (load_search_read(&s->points->search, s->load, s->saturation ? DBL_MIN : 0, LOAD_MOST, e))
		return -1;
	if (s->processes > 1 && s->points->search.count == 1)
		return err_set(e, STATUS_USAGE, "--processes (-j) %" PRIu64 ": one load, expected several (--load)",
			       s->processes);
	return 0;
}

static int sim_work(struct sim *s, int first, int argc, char **argv, const struct config *config, struct err *e)
{
	struct err why;

	if (read_loads(s, e) || make_network(s, first, argv, argc, e) || check_network(s, e))
		return -1;
	if (s->keep.path && ((s->points->search.count == 1 && !s->saturation) || s->check_only))
		return err_set(e, STATUS_USAGE, "--checkpoint: one run has no parts to keep, expected several loads");
	if (sim_points_begin(&s->checkpoint, &s->keep, config, s->pattern, argc - first, argv + first, e))
		return -1;
	s->report = report_create();
	report_identity(s->report, "simulator", argc, argv);
	sim_report_network(s->report, s->net, s->checked ? &s->check : NULL);
	if (!s->check_only && run_and_report(s, e))
		return -1;
	report_config(s->report, config);
	/* a file that fails costs no other one */
	if (sim_write_report(s, &why) < 0)
		err_keep_first(&s->late, &why);
	if (!s->check_only && sim_write_picture(s, &why) < 0)
		err_keep_first(&s->late, &why);
	if (err_of_first(e, &s->late) < 0)
		return -1;
	if (progress_signal())
		return err_set(e, STATUS_FAILED, "interrupted by signal %d: the results cover the run up to then",
			       progress_signal());
	checkpoint_done(&s->checkpoint);
	return 0;
}

/* The work that runs C code of a description and a PU file, for guard_run. */
struct guarded_work {
	struct sim *s;
	int first, argc;
	char **argv;
	const struct config *config;
};

static int guarded_work(void *arg, struct err *e)
{
	const struct guarded_work *w = arg;

	return sim_work(w->s, w->first, w->argc, w->argv, w->config, e);
}

int main(int argc, char **argv)
{
	struct sim s = {.load = "0.1", .processes = 1, .keep = CHECKPOINT_OPTIONS_DEFAULT};
	struct config *config = config_create();
	const struct opt rows[] = {
		{"load", 'l', "LIST", "load given to the PUs, one or several: 0.1  0.1,0.2  0.05:0.5:10  0.05:0.5:0.05",
		 OPT_TEXT, &s.load},
		{"pattern", 0, "NAME[:KEY=VALUE,...]", "traffic in place of the PU file's (--list-patterns)", OPT_TEXT,
		 &s.pattern},
		{"list-patterns", 0, NULL, "list the patterns of --pattern and exit", OPT_FLAG, &s.list_patterns},
		{"saturation", 0, NULL, "find where the network saturates, within 1 %", OPT_FLAG, &s.saturation},
		{"processes", 'j', "N", "run N loads at a time (1), with identical output", OPT_COUNT, &s.processes},
		{"svg", 0, "FILE", "picture: latency over throughput", OPT_WRITES, &s.picture},
		{"name", 0, "NAME", "of its curve there (the description's)", OPT_TEXT, &s.name},
		{"beside", 0, "NAME=CSV", "another run's curve in it, from its report; may be repeated", OPT_READS_EACH,
		 &s.beside},
		{"use-svg", 0, "FILE", "picture: use of links and virtual channels at the last load", OPT_WRITES,
		 &s.use_picture},
		{"channels", 0, NULL, "report the use of every virtual channel", OPT_FLAG, &s.channels},
		CHECKPOINT_ROWS(s.keep),
		{"check-only", 0, NULL, "check the network and do not run it", OPT_FLAG, &s.check_only},
	};
	const struct opt_program program = {
		.name = "simulator",
		.operands = "[NETWORK-ARGS] [PU-ARGS]",
		.summary = "Simulates a network made from an NDL description, clock by clock.\n"
			   "Operands go to the description's net_config(), what that leaves to the "
			   "PU file.",
		.examples = "./torus 32 32\n./torus --load 0.02:0.3:12 --svg torus.svg 32 32\n"
			    "./torus --check-only 32 32\n./torus -p wormhole.buffer_flits=8 --load "
			    "0.2 32 32",
		.rows = rows,
		.row_count = sizeof(rows) / sizeof(rows[0]),
		.groups = OPT_CONFIG | OPT_OUTPUT | OPT_RUN,
		.common = &s.common,
		.config = config,
		.uses = sim_config_uses,
		.max_operands = 64,
	};
	struct err e;
	int status = STATUS_DONE, first;

	if (!config)
		return STATUS_FAILED;
	sim_config_add(config, &s.config);
	first = opt_start(&program, argc, argv, &status);
	if (first >= 0 && s.list_patterns)
		traffic_list(stdout);
	else if (first >= 0 && guard_run(guarded_work, &(struct guarded_work){&s, first, argc, argv, config}, &e)) {
		if (s.net && s.net->error_count > 1 && s.net->errors)
			message_lines(s.net->errors);
		status = opt_fail(&program, &e);
	}
	out_abort(s.use_out);
	report_destroy(s.report);
	network_destroy(s.net);
	checkpoint_finish(&s.checkpoint);
	if (s.points)
		sim_points_finish(s.points);
	free(s.points);
	free(s.args);
	config_destroy(config);
	return status;
}
