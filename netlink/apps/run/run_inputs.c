/* Options that nsim and bsim share, checks of their combinations, and the lists that some of them print. */
#include "run_inputs.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../../psim/base/mem.h"
#include "../../../psim/base/report/out.h"
#include "../../engines/engine_kinds.h"
#include "../../parallel/record_exchange.h"
#include "../../traffic/traffic.h"
#include "../../vmpi/collectives/collective.h"

/* ---- options ---- */

static unsigned add(struct opt *rows, unsigned count, const struct opt *more, unsigned number)
{
	for (unsigned i = 0; i < number; i++)
		rows[count + i] = more[i];
	return count + number;
}

/* Options that select the run. */
static unsigned source_options(struct run_inputs *in, struct opt *rows, unsigned count)
{
	struct settings *set = &in->set;
	const struct opt common[] = {
		{"ranks", 'n', "N", "ranks of COMM_WORLD (nodes times ranks.per_node)", OPT_COUNT, &set->ranks},
		{"network", 0, "FILE.ndl", "use a described network (docs/formats/ndl.md) instead of topology.*",
		 OPT_READS, &set->network},
		{"graph", 0, "FILE", "use a network given by its edges (docs/formats/graph-format.md)", OPT_READS,
		 &set->graph},
		{"network-args", 0, "\"ARGS\"", "operands of the description's net_config", OPT_TEXT,
		 &set->network_args},
		{"engine", 'e', "NAME", "engine that carries the messages (engine.kind)", OPT_TEXT, &set->engine},
		{"fail", 0, "TIME:ITEM", "a link A-B, router:R or node:N fails at TIME; may be repeated", OPT_LIST,
		 &set->fails},
		{"repair", 0, "TIME:ITEM", "it is up again from TIME on; may be repeated", OPT_LIST, &set->repairs},
		{"seed", 0, "N", "seed of random choices, but those of patterns and places (1)", OPT_COUNT, &set->seed},
		{"time-limit", 0, "TIME", "end with status 4 if a rank's clock exceeds this virtual time", OPT_TEXT,
		 &set->time_limit},
		{"model", 0, "NAME=FILE[*FACTOR]", "time model of the skeleton ([models]); may be repeated",
		 OPT_READS_EACH, &set->models},
		{"set", 0, "NAME=NUMBER", "parameter of the skeleton ([skeleton]); may be repeated", OPT_LIST,
		 &set->parameters},
		{"mapping", 0, "FILE", "read the node of each rank (docs/programs/mopt.md) instead of ranks.placement",
		 OPT_READS, &set->mapping},
		{"processes", 'j', "N", "simulate on N processes, with the same results (1, or those of mpirun)",
		 OPT_COUNT, &set->processes},
		{"interval", 0, NULL, "run it with each selection of collective algorithms; report least and most",
		 OPT_FLAG, &set->interval},
		CHECKPOINT_ROWS(set->checkpoint),
		{"parallel-report", 0, NULL, "report what several processes cost, and what more would gain", OPT_FLAG,
		 &set->parallel_report},
	};
	const struct opt traffic[] = {
		{"pattern", 0, "NAME[:KEY=VALUE,...]", "run traffic without a program (--list-patterns)", OPT_TEXT,
		 &set->pattern},
		{"load", 'l', "LIST", "run the pattern at several loads: 0.1,0.2  0.05:0.5:10  0.05:1:0.05", OPT_TEXT,
		 &set->load},
		{"saturation", 0, NULL, "find where the network saturates, within 1 %", OPT_FLAG, &set->saturation},
		{"svg", 0, "FILE", "draw latency over accepted load", OPT_WRITES, &set->curve},
		{"name", 0, "NAME", "of its curve there (the network's)", OPT_TEXT, &set->name},
		{"beside", 0, "NAME=CSV", "draw another run's curve in it, from its report; may be repeated",
		 OPT_READS_EACH, &set->beside},
		{"pattern-file", 0, "FILE", "run traffic from a pattern file", OPT_READS, &set->pattern_file},
		{"replay", 0, "FILE", "run a trace in place of a program (docs/formats/replay-format.md)", OPT_READS,
		 &set->replay},
		{"job", 0, "\"[n=N] [place=PLACE] PROGRAM.so ARGS | pattern=NAME:...\"",
		 "run it beside other jobs on the network; may be repeated (docs/programs/jobs.md)", OPT_LIST,
		 &set->jobs},
		{"describe", 0, "KEY=VALUE,...", "write a machine file from nodes, cores, peak, memory, link, latency",
		 OPT_TEXT, &set->describe},
		{"list-patterns", 0, NULL, "list the patterns of --pattern and exit", OPT_FLAG, &set->list_patterns},
	};

	count = add(rows, count, common, sizeof(common) / sizeof(common[0]));
	if (in->program->traffic)
		count = add(rows, count, traffic, sizeof(traffic) / sizeof(traffic[0]));
	return count;
}

unsigned inputs_options(struct run_inputs *in, struct opt rows[RUN_OPTIONS_MAX])
{
	struct settings *set = &in->set;
	const struct opt outputs[] = {
		{"matrix", 0, "FILE", "write the communication matrix (docs/formats/matrix-format.md)", OPT_WRITES,
		 &set->matrix},
		{"write-pattern", 0, "FILE",
		 "write the ranks' sends and waits as a pattern file (docs/formats/traffic.md)", OPT_WRITES,
		 &set->write_pattern},
		{"write-trace", 0, "FILE", "write the ranks' calls as a trace (docs/formats/replay-format.md)",
		 OPT_WRITES, &set->write_trace},
		{"write-otf2", 0, "FOLDER", "write the ranks' calls as an OTF2 archive (docs/formats/replay-format.md)",
		 OPT_WRITES, &set->write_otf2},
		{"timeline", 0, "FILE", "write a log for Perfetto or chrome://tracing (JSON)", OPT_WRITES,
		 &set->chrome},
		{"paje", 0, "FILE", "write a log in Paje's format", OPT_WRITES, &set->paje},
		{"paraver", 0, "FILE.prv", "write a trace for Paraver, with FILE.pcf and FILE.row", OPT_WRITES,
		 &set->paraver},
		{"log-packets", 0, NULL, "include packets on links in these logs (large)", OPT_FLAG, &set->log_packets},
		{"series", 0, NULL, "report throughput, busy time and buffers over time (engine.interval)", OPT_FLAG,
		 &set->series},
		{"series-picture", 0, "FILE", "draw throughput and buffers over time (SVG)", OPT_WRITES,
		 &set->series_picture},
		{"power-series", 0, NULL, "report power over time, by part of the machine ([power], engine.interval)",
		 OPT_FLAG, &set->power_series},
		{"power-picture", 0, "FILE", "draw power over time, by part of the machine (SVG)", OPT_WRITES,
		 &set->power_picture},
		{"window", 0, "FROM:TO", "limit logs and pictures to this time: seconds, or with units (10us:2ms)",
		 OPT_TEXT, &set->window},
		{"window-ranks", 0, "A-B", "limit logs and pictures to these ranks", OPT_TEXT, &set->window_ranks},
		{"hot-links", 0, NULL, "report the hottest links, and the ranks and calls that load them", OPT_FLAG,
		 &set->hot_links},
		{"critical-path", 0, NULL, "report the critical path and the waits between ranks", OPT_FLAG,
		 &set->critical_path},
		{"picture", 0, "FILE", "draw the ranks' computation, waits and critical path (SVG)", OPT_WRITES,
		 &set->picture},
		{"network-picture", 0, "FILE", "draw the network, its links coloured by their use (SVG)", OPT_WRITES,
		 &set->network_picture},
		{"each-rank", 0, NULL, "report every rank", OPT_FLAG, &set->each_rank},
		{"topology-report", 0, NULL, "report the network's size, links and bisection", OPT_FLAG,
		 &set->topology_report},
		{"list-engines", 0, NULL, "list the engines and exit", OPT_FLAG, &set->list_engines},
		{"list-collectives", 0, NULL, "list the algorithms of collective operations and exit", OPT_FLAG,
		 &set->list_collectives},
		{"expect", 0, "FIGURE",
		 "exit with status 5 unless FIGURE holds (program.seconds<=0.01); may be repeated", OPT_LIST,
		 &set->expect},
	};

	return add(rows, source_options(in, rows, 0), outputs, sizeof(outputs) / sizeof(outputs[0]));
}

/* ---- checks ---- */

static int read_time_limit(struct run_inputs *in, struct err *e)
{
	if (!in->set.time_limit)
		return 0;
	if (!inputs_read_time(in->set.time_limit, &in->time_limit) || in->time_limit <= 0 ||
	    in->time_limit > INT64_C(1000000000000000000))
		return err_set(e, STATUS_USAGE, "--time-limit %s: expected a virtual time, above 0 to 1e6 s",
			       in->set.time_limit);
	return 0;
}

/* Refuses settings that several processes cannot simulate. */
static int check_processes(const struct settings *s, struct err *e)
{
	if (!s->processes || s->processes > EXCHANGE_MOST)
		return err_set(e, STATUS_USAGE, "--processes (-j) %" PRIu64 ": expected 1 to %d", s->processes,
			       EXCHANGE_MOST);
	if (s->parallel_report && s->processes == 1)
		return err_set(e, STATUS_USAGE, "--parallel-report: expected 2 or more --processes (-j)");
	return 0;
}

/* Refuses power over time beside what it does not know. */
static int check_power_series(const struct settings *s, struct err *e)
{
	const char *option = s->power_picture ? "--power-picture" : "--power-series";

	if ((s->power_picture || s->power_series) && s->processes > 1)
		return err_set(e, STATUS_USAGE, "%s and --processes (-j): expected one process", option);
	return 0;
}

/* Refuses settings of one run beside a load curve, and those of a curve without one. */
static int check_load(const struct settings *s, struct err *e)
{
	const char *of_one = s->each_rank   ? "--each-rank"
			     : s->series    ? "--series"
			     : s->hot_links ? "--hot-links"
					    : NULL;

	if (!s->load && (s->saturation || s->curve || s->name || s->beside.count))
		return err_set(e, STATUS_USAGE, "--%s: expected --load too",
			       s->saturation ? "saturation"
			       : s->curve    ? "svg"
			       : s->name     ? "name"
					     : "beside");
	if (!s->load)
		return 0;
	if (!s->pattern)
		return err_set(e, STATUS_USAGE, "--load: expected --pattern too");
	if ((s->name || s->beside.count) && !s->curve)
		return err_set(e, STATUS_USAGE, "--%s: expected --svg FILE too", s->name ? "name" : "beside");
#define OUTPUT(option, name) \
	if (s->name && s->name != s->curve) \
		of_one = option;
	RUN_OUTPUTS(OUTPUT)
#undef OUTPUT
	return of_one ? err_set(e, STATUS_USAGE, "--load: several runs have no %s", of_one) : 0;
}

/* Refuses settings of one program or pattern beside jobs. */
static int check_jobs(const struct settings *s, struct err *e)
{
	const char *of_one = s->each_rank            ? "--each-rank"
			     : s->critical_path      ? "--critical-path"
			     : s->mapping            ? "--mapping"
			     : s->ranks != RANKS_ALL ? "-n"
			     : s->processes != 1     ? "-j"
			     : s->write_otf2         ? "--write-otf2"
						     : NULL;

	if (!s->jobs.count)
		return 0;
#define OUTPUT(option, name) \
	if (s->name && s->name != s->series_picture) \
		of_one = option;
	RUN_OUTPUTS(OUTPUT)
#undef OUTPUT
	return of_one ? err_set(e, STATUS_USAGE, "--job: jobs have no %s", of_one) : 0;
}

/* Refuses a file beside FILE.prv that another option names. 0, or -1 with `e`. */
static int check_paraver(const struct run_inputs *in, const char *path, struct err *e)
{
	const char *other = out_same(in->common.output, path) ? "--output" : NULL;

#define OUTPUT(option, name) \
	if (in->set.name && out_same(in->set.name, path)) \
		other = option;
	RUN_OUTPUTS(OUTPUT)
#undef OUTPUT
	return other ? err_set(e, STATUS_USAGE, "--paraver writes %s too, and so does %s, expected two files", path,
			       other)
		     : 0;
}

/* Names the two files beside FILE.prv. 0, or -1 with `e`. */
static int name_paraver(struct run_inputs *in, struct err *e)
{
	static const char *const ends[] = {".pcf", ".row"};
	const char **to[] = {&in->set.paraver_meanings, &in->set.paraver_rows};
	const char *path = in->set.paraver;
	const size_t length = path ? strlen(path) : 0, stem = length - strlen(".prv");

	if (!path || in->paraver_names[0])
		return 0;
	if (length < 5 || strcmp(path + stem, ".prv") != 0)
		return err_set(e, STATUS_USAGE, "--paraver %s: expected a name that ends in .prv", path);
	for (int n = 0; n < 2; n++) {
		in->paraver_names[n] = mem_copy_text(path, e);
		if (!in->paraver_names[n])
			return -1;
		memcpy(in->paraver_names[n] + stem, ends[n], strlen(ends[n]));
		if (check_paraver(in, in->paraver_names[n], e) < 0)
			return -1;
		*to[n] = in->paraver_names[n];
	}
	return 0;
}

int inputs_check(struct run_inputs *in, const char *operand, struct err *e)
{
	const struct settings *s = &in->set;
	int sources = (operand != NULL) + (s->pattern != NULL) + (s->pattern_file != NULL) + (s->replay != NULL) +
		      (s->jobs.count != 0);

	if (!sources)
		return err_set(e, STATUS_USAGE, "no program, expected %s: see %s --help", in->program->operands,
			       in->program->name);
	if ((s->window || s->window_ranks) && !s->chrome && !s->paje && !s->paraver && !s->picture &&
	    !inputs_have_page(in))
		return err_set(e, STATUS_USAGE,
			       "--window%s: expected --timeline, --paje, --paraver, --picture or --html too",
			       s->window ? "" : "-ranks");
	if ((s->write_trace || s->write_otf2) && !operand)
		return err_set(e, STATUS_USAGE, "--write-%s: expected a program", s->write_trace ? "trace" : "otf2");
	if ((s->critical_path || s->picture || s->write_pattern || s->paraver) && !operand && !s->replay)
		return err_set(e, STATUS_USAGE, "--%s: expected a program, not traffic",
			       s->picture         ? "picture"
			       : s->paraver       ? "paraver"
			       : s->critical_path ? "critical-path"
						  : "write-pattern");
	if (sources > 1)
		return err_set(
			e, STATUS_USAGE,
			"more than one of PROGRAM.so, --pattern, --pattern-file, --replay and --job, expected one");
	if (s->graph && s->network)
		return err_set(e, STATUS_USAGE, "--graph and --network, expected one of them");
	if (check_load(s, e) < 0 || check_jobs(s, e) < 0 || check_processes(s, e) < 0 || check_power_series(s, e) < 0 ||
	    opt_expect_check(&s->expect, e) < 0)
		return -1;
	return name_paraver(in, e) < 0 ? -1 : read_time_limit(in, e);
}

/* Returns whether an option was given another value than its default, which `defaults` has. */
static bool is_given(const struct opt *o, const struct settings *set, const struct settings *defaults)
{
	const char *was = (const char *)defaults + ((const char *)o->target - (const char *)set);

	switch (o->type) {
	case OPT_FLAG: return *(const bool *)o->target;
	case OPT_COUNT: return *(const uint64_t *)o->target != *(const uint64_t *)(const void *)was;
	case OPT_LIST:
	case OPT_READS_EACH: return ((const struct opt_list *)o->target)->count > 0;
	default: return *(const char *const *)o->target != NULL;
	}
}

int inputs_check_describe(struct run_inputs *in, const char *operand, struct err *e)
{
	static const struct settings defaults = SETTINGS_DEFAULT;
	const struct opt_common *c = &in->common;
	const char *other = operand                 ? operand
			    : c->config_files.count ? "-c"
			    : c->overrides.count    ? "-p"
			    : c->format             ? "-f"
			    : c->check              ? "--check"
			    : c->strict             ? "--strict"
						    : NULL;
	struct opt rows[RUN_OPTIONS_MAX];
	unsigned count = inputs_options(in, rows);

	if (other)
		return err_set(e, STATUS_USAGE, "--describe and %s, expected one of them", other);
	for (unsigned i = 0; i < count; i++)
		if (strcmp(rows[i].name, "describe") != 0 && is_given(&rows[i], &in->set, &defaults))
			return err_set(e, STATUS_USAGE, "--describe and --%s, expected one of them", rows[i].name);
	return 0;
}

/* Returns whether one of the words before a job's program is a pattern; arguments of the program are none. */
static bool is_of_pattern(const char *job)
{
	static const char *const words[] = {"n=", "place=", "class=", "background"};

	for (;;) {
		size_t length;
		bool known = false;

		job += strspn(job, " \t\n");
		if (!strncmp(job, "pattern=", 8))
			return true;
		length = strcspn(job, " \t\n");
		for (unsigned i = 0; i < sizeof(words) / sizeof(words[0]); i++)
			known |= !strncmp(job, words[i], strlen(words[i]));
		if (!known)
			return false;
		job += length;
	}
}

bool inputs_have_program(const struct settings *s)
{
	for (unsigned i = 0; i < s->jobs.count; i++)
		if (!is_of_pattern(s->jobs.item[i]))
			return true;
	return false;
}

bool inputs_have_page(const struct run_inputs *in)
{
	return in->common.format == REPORT_HTML;
}

void inputs_finish(struct run_inputs *in)
{
	models_destroy(in->models);
	free(in->paraver_names[0]);
	free(in->paraver_names[1]);
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
#define COLLECTIVE(NAME, name, calls, measured) #name,
#include "../../vmpi/collective_ops.def"
	};

	for (const struct collective_algorithm *const *a = collective_algorithms(); *a; a++)
		printf("%-15s %-20s %s\n", names[(*a)->op], (*a)->name, (*a)->doc);
}

bool inputs_lists(const struct settings *set)
{
	if (set->list_engines)
		list_engines();
	if (set->list_collectives)
		list_collectives();
	if (set->list_patterns)
		traffic_list(stdout);
	return set->list_engines || set->list_collectives || set->list_patterns;
}
