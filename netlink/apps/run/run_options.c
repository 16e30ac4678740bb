/* The options that nsim and bsim share, and the lists that some of them ask for. */
#include <stdio.h>

#include "../../vmpi/collectives/collective.h"
#include "program_run.h"

/* Of what is run. */
static unsigned add(struct opt *rows, unsigned count, const struct opt *more, unsigned number)
{
	for (unsigned i = 0; i < number; i++)
		rows[count + i] = more[i];
	return count + number;
}

static unsigned input_options(struct run *run, struct opt *rows, unsigned count)
{
	struct settings *set = &run->set;
	const struct opt common[] = {
		{"ranks", 'n', "N", "ranks of COMM_WORLD (nodes times ranks.per_node)", OPT_COUNT, &set->ranks},
		{"network", 0, "FILE.ndl", "a described network (docs/ndl.md) instead of topology.*", OPT_TEXT,
		 &set->network},
		{"network-args", 0, "\"ARGS\"", "operands of its net_config", OPT_TEXT, &set->network_args},
		{"engine", 'e', "NAME", "what carries the messages (engine.kind)", OPT_TEXT, &set->engine},
		{"seed", 0, "N", "of everything random (1)", OPT_COUNT, &set->seed},
		{"time-limit", 0, "SECONDS", "status 4 if a rank's clock goes beyond this virtual time", OPT_TEXT,
		 &set->time_limit},
		{"model", 0, "NAME=FILE[*FACTOR]", "a fitted time that skeletons ask for ([models]); may be repeated",
		 OPT_LIST, &set->models},
		{"set", 0, "NAME=NUMBER", "a number that skeletons ask for ([skeleton]); may be repeated", OPT_LIST,
		 &set->parameters},
		{"mapping", 0, "FILE", "node of each rank (docs/mapping.md) instead of ranks.placement", OPT_TEXT,
		 &set->mapping},
	};
	const struct opt traffic[] = {
		{"pattern", 0, "NAME[:KEY=VALUE,...]", "traffic without a program (--list-patterns)", OPT_TEXT,
		 &set->pattern},
		{"pattern-file", 0, "FILE", "the same, from a file", OPT_TEXT, &set->pattern_file},
		{"list-patterns", 0, NULL, "list the patterns of --pattern, and end", OPT_FLAG, &set->list_patterns},
	};

	count = add(rows, count, common, sizeof(common) / sizeof(common[0]));
	if (run->program->traffic)
		count = add(rows, count, traffic, sizeof(traffic) / sizeof(traffic[0]));
	return count;
}

unsigned run_options(struct run *run, struct opt rows[RUN_OPTIONS_MAX])
{
	struct settings *set = &run->set;
	const struct opt outputs[] = {
		{"matrix", 0, "FILE", "write the communication matrix (docs/matrix-format.md)", OPT_TEXT, &set->matrix},
		{"write-pattern", 0, "FILE",
		 "write what the ranks send and wait for as a pattern file (docs/traffic.md)", OPT_TEXT,
		 &set->write_pattern},
		{"timeline", 0, "FILE", "write a log for Perfetto or chrome://tracing (JSON)", OPT_TEXT, &set->chrome},
		{"paje", 0, "FILE", "write a log in Paje's format", OPT_TEXT, &set->paje},
		{"log-packets", 0, NULL, "packets on links in these logs too: many", OPT_FLAG, &set->log_packets},
		{"series", 0, NULL, "report throughput, busy time, buffers over time (engine.interval)", OPT_FLAG,
		 &set->series},
		{"series-picture", 0, "FILE", "draw throughput and buffers over time (SVG)", OPT_TEXT,
		 &set->series_picture},
		{"window", 0, "FROM:TO", "only this time in logs and picture: seconds, or with units (10us:2ms)",
		 OPT_TEXT, &set->window},
		{"window-ranks", 0, "A-B", "only these ranks in them", OPT_TEXT, &set->window_ranks},
		{"critical-path", 0, NULL, "report the critical path, and who waited for whom", OPT_FLAG,
		 &set->critical_path},
		{"picture", 0, "FILE", "draw the ranks' computation and waiting, and the path (SVG)", OPT_TEXT,
		 &set->picture},
		{"each-rank", 0, NULL, "report every rank", OPT_FLAG, &set->each_rank},
		{"topology-report", 0, NULL, "report the network's size, links, bisection", OPT_FLAG,
		 &set->topology_report},
		{"list-engines", 0, NULL, "list the engines, and end", OPT_FLAG, &set->list_engines},
		{"list-collectives", 0, NULL, "list the algorithms of collective operations, and end", OPT_FLAG,
		 &set->list_collectives},
		{"expect", 0, "FIGURE", "status 5 unless program.seconds<=0.01 or the like; may be repeated", OPT_LIST,
		 &set->expect},
	};

	return add(rows, input_options(run, rows, 0), outputs, sizeof(outputs) / sizeof(outputs[0]));
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
#define COLLECTIVE(NAME, name, calls) #name,
#include "../../vmpi/collective_ops.def"
#undef COLLECTIVE
	};

	for (const struct collective_algorithm *const *a = collective_algorithms(); *a; a++)
		printf("%-15s %-20s %s\n", names[(*a)->op], (*a)->name, (*a)->doc);
}

bool run_lists(const struct settings *set)
{
	if (set->list_engines)
		list_engines();
	if (set->list_collectives)
		list_collectives();
	if (set->list_patterns)
		traffic_list(stdout);
	return set->list_engines || set->list_collectives || set->list_patterns;
}
