/* mopt: places the ranks of a program on the nodes of a network. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../../../psim/base/input.h"
#include "../../../psim/base/cores.h"
#include "../../../psim/base/mem.h"
#include "../../../psim/base/cli/opt.h"
#include "../../../psim/base/report/out.h"
#include "../../../psim/base/cli/progress.h"
#include "mopt_parts.h"
#include "../../mapping/placement.h"
#include "../../mapping/scotch_map.h"
#include "../../topology/down.h"

static double mopt_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Sets kind and sizes of the network from KIND:SIZES, "torus:16x16x16". */
static int set_network(const struct work *w, struct err *e)
{
	const char *text = w->set->network, *colon = text ? strchr(text, ':') : NULL;
	char kind[PARAM_TEXT_MAX + 20], dims[PARAM_TEXT_MAX + 20];

	if (!text)
		return 0;
	if (!colon || strlen(text) >= PARAM_TEXT_MAX)
		return err_set(e, STATUS_USAGE, "--topology %.60s: expected KIND:SIZES, for instance torus:16x16x16",
			       text);
	snprintf(kind, sizeof(kind), "topology.kind=%.*s", (int)(colon - text), text);
	snprintf(dims, sizeof(dims), "topology.dims=%s", colon + 1);
	if (config_override(w->config, kind, "--topology", e) || config_override(w->config, dims, "--topology", e))
		return -1;
	return 0;
}

/* Keys that mopt reads; machine files have more. */
static const struct config_use uses[] = {
#define USE(keys, when) {keys, when, false},
#include "../../engine/net_uses.def"
#undef USE
	{"link.* link.NAME.* engine.* router.* nic.* flow.* linear.* node.* table.* mpi.* machine.* ranks.* "
	 "topology.nics "
	 "topology.dateline topology.cabinet",
	 "?simulator", true},
	{NULL, NULL, false},
};

static int mopt_check_config(const struct config *c, void *user, struct err *e)
{
	const struct work *w = user;

	if (set_network(w, e) < 0 || config_fact(w->config, "simulator", false, "by mopt", e) < 0)
		return -1;
	return topology_config_check(c, &w->cfg, e);
}

/* Reads a matrix from a file; a name with a colon that is no file is a pattern. */
static int read_matrix(struct work *w, const char *name, struct err *e)
{
	FILE *f = input_plain(name);

	if (f) {
		w->matrix = comm_matrix_read(f, name, e);
		fclose(f);
	} else if (strchr(name, ':')) {
		w->matrix = task_pattern(name, e);
	} else {
		err_set(e, err_errno(STATUS_BAD_INPUT), "%s: cannot open: %s", name, strerror(errno));
	}
	return w->matrix ? 0 : -1;
}

static int read_from(struct work *w, struct err *e)
{
	const char *name = w->set->from;
	uint32_t ranks;
	FILE *f;

	if (!name || !strcmp(name, "xyz"))
		return 0;
	if (w->set->method != METHOD_KEEP)
		return err_set(e, STATUS_USAGE,
			       "--from %s: expected --method keep; other methods ignore the initial placement", name);
	f = input_plain(name);
	if (!f)
		return err_set(e, err_errno(STATUS_BAD_INPUT), "%s: cannot open: %s", name, strerror(errno));
	w->from = placement_read(f, name, w->topology->nodes, &ranks, e);
	fclose(f);
	if (!w->from)
		return -1;
	if (ranks == comm_matrix_ranks(w->matrix))
		return 0;
	return err_set(e, STATUS_BAD_INPUT, "%s: %u ranks, expected %u as in the matrix", name, ranks,
		       comm_matrix_ranks(w->matrix));
}

/* Converts percent to a share; returns `missing` without a text, `wrong` if it is no number from 0 to `most`. */
static double mopt_read_percent(const char *text, double missing, double wrong, double most)
{
	char *end;
	double percent;

	if (!text)
		return missing;
	percent = strtod(text, &end);
	return end > text && !*end && percent >= 0 && percent <= most ? percent / 100 : wrong;
}

/* Sets w->excluded from a list of nodes, "3,7-9". */
static int read_excluded(struct work *w, struct err *e)
{
	const char *text = w->set->exclude, *all = text;
	uint32_t nodes = w->topology->nodes;

	if (!text)
		return 0;
	w->excluded = mem_alloc(nodes, sizeof(*w->excluded), e);
	if (!w->excluded)
		return -1;
	for (;;) {
		char *end;
		unsigned long long from = strtoull(text, &end, 10), to = from;
		bool fits = end > text && *text >= '0' && *text <= '9';

		if (fits && *end == '-') {
			text = end + 1;
			to = strtoull(text, &end, 10);
			fits = end > text && *text >= '0' && *text <= '9';
		}
		if (!fits || from > to || to >= nodes || (*end && *end != ','))
			return err_set(e, STATUS_USAGE,
				       "--exclude %.60s: expected nodes from 0 to %u, for instance 3,7-9", all,
				       nodes - 1);
		for (unsigned long long v = from; v <= to; v++)
			w->excluded[v] = true;
		if (!*end)
			return 0;
		text = end + 1;
	}
}

#define BY_METHOD UINT64_MAX
enum { EFFORT = 20, EFFORT_MAX = 1000000 };

/*
 * Returns the default number of link orders. Methods that balance links depend on the order of equal routes, as the
 * paper's does; five orders take a second or two for 4096 ranks.
 */
static uint64_t orders_of(unsigned method)
{
	return method == METHOD_MINLINK || method == METHOD_BALANCED || method == METHOD_MINSQUARES ? 5 : 1;
}

/* Options of one method are for no other. */
static int check_method(const struct settings *set, struct err *e)
{
	static const char *const strategies[] = {SCOTCH_STRATEGIES(CHOICE_NAME)};

	if (set->effort != BY_METHOD && set->method != METHOD_AUTO)
		return err_set(e, STATUS_USAGE, "--effort %llu: expected --method auto; other methods have no budget",
			       (unsigned long long)set->effort);
	if (set->strategy != STRATEGY_DEFAULT && set->method != METHOD_SCOTCH)
		return err_set(e, STATUS_USAGE, "--strategy %s: expected --method scotch", strategies[set->strategy]);
	if (set->effort != BY_METHOD && set->effort > EFFORT_MAX)
		return err_set(e, STATUS_USAGE, "--effort %llu: expected at most %d", (unsigned long long)set->effort,
			       EFFORT_MAX);
	return 0;
}

static int mopt_check_settings(const struct work *w, struct err *e)
{
	const struct settings *set = w->set;

	if (check_method(set, e))
		return -1;
	if (w->slack < 0)
		return err_set(e, STATUS_USAGE, "--slack %s: expected percent, 0 or more", set->slack);
	if (!set->orders || set->orders > 100000)
		return err_set(e, STATUS_USAGE, "--orders %llu: expected 1 to 100000", (unsigned long long)set->orders);
	if (!set->per_node || set->per_node > 65536)
		return err_set(e, STATUS_USAGE, "--per-node %llu: expected 1 to 65536",
			       (unsigned long long)set->per_node);
	if (w->limit < 0)
		return err_set(e, STATUS_USAGE, "--limit %s: expected MB, from 0 to 1e9", set->limit);
	if (w->weight < -1)
		return err_set(e, STATUS_USAGE, "--weight %s: expected percent from 0 to 100", set->weight);
	if (set->steps > 1000000 || set->boxes > 1000000000 || !set->chains || set->chains > 1000 ||
	    set->threads > 1024)
		return err_set(e, STATUS_USAGE,
			       "--anneal %llu --chains %llu --threads %llu: expected at most 1000000 "
			       "steps, 1 to 1000 chains and at most 1024 threads",
			       (unsigned long long)set->steps, (unsigned long long)set->chains,
			       (unsigned long long)set->threads);
	if (set->passes > 1000000)
		return err_set(e, STATUS_USAGE, "--refine %llu: expected at most 1000000",
			       (unsigned long long)set->passes);
	return opt_expect_check(&set->expect, e);
}

static unsigned threads_of(const struct settings *set)
{
	const unsigned cores = cores_allowed();

	if (set->threads)
		return (unsigned)set->threads;
	return cores < 1024 ? cores : 1;
}

static bool going(void *user, uint64_t done)
{
	return progress_step(user, done, NULL);
}

/* Searches for the placement; a signal ends the search with the best one found. */
static int mopt_search(struct work *w, struct optimise_request *q, struct err *e)
{
	struct progress progress;
	struct jobs_watch watch = {.going = going, .user = &progress};
	uint64_t ranks = comm_matrix_ranks(w->matrix);
	double begin = mopt_now();
	int result;

	q->watch = &watch;
	progress_start(&progress, "mopt", "tries",
		       q->method == METHOD_AUTO
			       ? 0
			       : q->orders + q->boxes * q->chains +
					 q->steps * q->chains * ((ranks + q->per_node - 1) / q->per_node),
		       w->set->quiet);
	result = optimise(q, &w->result, e);
	progress_end(&progress);
	w->interrupted = progress_signal();
	w->seconds = mopt_now() - begin;
	return result;
}

static int mopt_run(struct work *w, const char *input, struct err *e)
{
	struct optimise_request q = {
		.method = w->set->method,
		.slack = w->slack,
		.orders = (unsigned)w->set->orders,
		.passes = (unsigned)w->set->passes,
		.per_node = (unsigned)w->set->per_node,
		.weighted = w->weight >= 0,
		.weight = w->weight,
		.open = w->set->open,
		.steps = w->set->steps,
		.boxes = w->set->boxes,
		.chains = (unsigned)w->set->chains,
		.threads = threads_of(w->set),
		.seed = w->set->seed,
		.effort = w->set->effort == BY_METHOD ? EFFORT : w->set->effort,
		.strategy = w->set->strategy,
	};

	if (mopt_check_settings(w, e))
		return -1;
	q.limit = (uint64_t)(1e6 * w->limit);
	w->topology = topology_create(&w->cfg, e);
	if (!w->topology || down_expect_whole(w->topology, e) || read_excluded(w, e) || read_matrix(w, input, e) ||
	    read_from(w, e))
		return -1;
	q.topology = w->topology;
	q.matrix = w->matrix;
	q.from = w->from;
	q.excluded = w->excluded;
	if (mopt_search(w, &q, e) || mopt_write(w, e))
		return -1;
	if (w->interrupted)
		return err_set(e, STATUS_FAILED, "interrupted by signal %d: the placement is the best so far",
			       w->interrupted);
	return 0;
}

static const char examples[] = "mopt -t torus:16x16x16 matrix.txt -o mapping.txt\n"
			       "mopt -t torus:16x16x16 --method minlink --orders 20 bruck:4096:2048\n"
			       "mopt -c configs/net/tofu.ini --effort 500 stencil:24x24:1000";

/* Options of the program; sets `set`. */
enum { ROWS_MAX = 32 };
static unsigned list_options(struct settings *set, struct opt out[ROWS_MAX])
{
	const struct opt rows[] = {
		{"topology", 't', "KIND:SIZES", "network, for instance torus:16x16x16; or -c FILE", OPT_TEXT,
		 &set->network},
		{"method", 0, CHOICES(OPTIMISE_METHODS), "method of placement (auto); keep: the given placement",
		 OPT_CHOICE, &set->method},
		{"effort", 0, "N", "auto: annealing may evaluate N million lengths of edges (20)", OPT_COUNT,
		 &set->effort},
		{"strategy", 0, CHOICES(SCOTCH_STRATEGIES), "scotch: its strategy (default)", OPT_CHOICE,
		 &set->strategy},
		{"orders", 0, "N", "try N link orders and keep the best placement (1; for links 5)", OPT_COUNT,
		 &set->orders},
		{"slack", 0, "PERCENT", "balanced: routes within this cost above the best compete (12.5)", OPT_TEXT,
		 &set->slack},
		{"refine", 0, "PASSES", "refine by exchanges of ranks, in at most PASSES passes (0)", OPT_COUNT,
		 &set->passes},
		{"anneal", 0, "STEPS", "anneal after refinement, with STEPS exchanges per rank and chain (0)",
		 OPT_COUNT, &set->steps},
		{"boxes", 0, "STEPS", "before annealing, STEPS moves of boxes of a mesh or torus per chain (0)",
		 OPT_COUNT, &set->boxes},
		{"limit", 0, "MB", "annealing: minimise the cost with at most MB on each link", OPT_TEXT, &set->limit},
		{"chains", 0, "N", "chains of annealing, of which the best is kept (8)", OPT_COUNT, &set->chains},
		{"threads", 0, "N", "threads for orders and chains (number of processors)", OPT_COUNT, &set->threads},
		{"seed", 0, "N", "seed of bisection, annealing and Scotch (1)", OPT_COUNT, &set->seed},
		{"weight", 0, "PERCENT",
		 "judge placements by the busiest link with this weight, by the cost with the rest", OPT_TEXT,
		 &set->weight},
		{"open", 0, NULL, "compute distances without wrap-around links", OPT_FLAG, &set->open},
		{"exclude", 0, "NODES", "leave these nodes empty, for instance 3,7-9", OPT_TEXT, &set->exclude},
		{"from", 0, "xyz|FILE", "with --method keep: the initial placement", OPT_READS, &set->from},
		{"per-node", 0, "N", "ranks per node, N consecutive ones (1)", OPT_COUNT, &set->per_node},
		{"output", 'o', "FILE", "write the mapping (docs/programs/mopt.md)", OPT_WRITES, &set->mapping},
		{"report", 'r', "FILE", "write the report to FILE instead of standard output", OPT_WRITES,
		 &set->report},
		{"picture", 0, "FILE", "draw the bytes on links as SVG", OPT_WRITES, &set->picture},
		{"format", 'f', "text|json|csv|html", "format of the report", OPT_CHOICE, &set->format},
		{"quiet", 'q', NULL, "no progress line", OPT_FLAG, &set->quiet},
		{"expect", 0, "FIGURE", "exit with status 5 unless FIGURE holds (placed.max_link<=7); may be repeated",
		 OPT_LIST, &set->expect},
	};

	memcpy(out, rows, sizeof(rows));
	return sizeof(rows) / sizeof(rows[0]);
}

int main(int argc, char *argv[])
{
	struct settings set = {.method = METHOD_AUTO,
			       .effort = BY_METHOD,
			       .orders = BY_METHOD,
			       .per_node = 1,
			       .chains = 8,
			       .seed = 1,
			       .report = "-"};
	struct opt_common common;
	struct work w = {.set = &set, .config = config_create(), .argc = argc, .argv = argv};
	struct opt rows[ROWS_MAX];
	const struct opt_program program = {
		.name = "mopt",
		.operands = "MATRIX|PATTERN",
		.summary = "Places ranks on the nodes of a network, close to the ranks that they communicate "
			   "with.\nPATTERN: bruck:RANKS:BYTES, stencil:AxBxC:BYTES, stencil-torus:….",
		.examples = examples,
		.rows = rows,
		.row_count = list_options(&set, rows),
		.groups = OPT_CONFIG,
		.common = &common,
		.config = w.config,
		.config_check = mopt_check_config,
		.config_user = &w,
		.uses = uses,
		.min_operands = 1,
		.max_operands = 1,
	};
	struct err e;
	int status, first;

	topology_config_add(w.config, &w.cfg);
	net_config_add(w.config, &w.engines);
	vmpi_config_add(w.config, &w.ranks);
	first = opt_start(&program, argc, argv, &status);
	if (set.orders == BY_METHOD)
		set.orders = orders_of(set.method);
	w.slack = mopt_read_percent(set.slack, 0.125, -1, 1e9);
	w.limit = 100 * mopt_read_percent(set.limit, 0, -1, 1e9);
	w.weight = mopt_read_percent(set.weight, -1, -2, 100);
	if (first >= 0)
		status = mopt_run(&w, argv[first], &e) < 0 ? opt_fail(&program, &e) : STATUS_DONE;
	optimise_finish(&w.result);
	free(w.from);
	free(w.excluded);
	comm_matrix_destroy(w.matrix);
	topology_destroy(w.topology);
	config_destroy(w.config);
	return status;
}
