/* mopt: places the ranks of a program on the nodes of a network. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../../psim/base/mem.h"
#include "../../psim/base/opt.h"
#include "../../psim/base/out.h"
#include "../engine/config.h"
#include "../vmpi/config.h"
#include "optimise.h"
#include "placement.h"

struct settings {
	const char *network, *mapping, *from, *report;
	unsigned method, format; /* positions of the choices */
	uint64_t orders, passes, per_node;
	const char *slack;

	struct opt_list expect;
};

struct work {
	const struct settings *set;
	struct config *config;
	struct topology_config cfg;
	struct net_config engines; /* read because a network's file has them, and not used */
	struct vmpi_config ranks;
	struct topology *topology;
	struct comm_matrix *matrix;
	uint32_t *from;
	struct optimise_result result;
	double seconds, slack; /* slack: a share, -1 if what stands there is none */
	int argc;
	char **argv;
};

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int check_config(const struct config *c, void *user, struct err *e)
{
	const struct work *w = user;

	return topology_config_check(c, &w->cfg, e);
}

/* "torus:16x16x16". */
static int set_network(struct work *w, struct err *e)
{
	const char *text = w->set->network, *colon = text ? strchr(text, ':') : NULL;
	char kind[PARAM_TEXT_MAX + 20], dims[PARAM_TEXT_MAX + 20];

	if (!text)
		return 0;
	if (!colon || strlen(text) >= PARAM_TEXT_MAX)
		return err_set(e, STATUS_USAGE,
		               "--topology %.60s: expected KIND:SIZES, torus:16x16x16", text);
	snprintf(kind, sizeof kind, "topology.kind=%.*s", (int)(colon - text), text);
	snprintf(dims, sizeof dims, "topology.dims=%s", colon + 1);
	if (config_override(w->config, kind, "--topology", e) ||
	    config_override(w->config, dims, "--topology", e))
		return -1;
	return topology_config_check(w->config, &w->cfg, e);
}

/* A file, or the name of a pattern if there is no such file and it has a colon. */
static int read_matrix(struct work *w, const char *name, struct err *e)
{
	FILE *f = fopen(name, "r");

	if (f) {
		w->matrix = comm_matrix_read(f, name, e);
		fclose(f);
	} else if (strchr(name, ':')) {
		w->matrix = task_pattern(name, e);
	} else {
		err_set(e, STATUS_USAGE, "%s: %s", name, strerror(errno));
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
		return err_set(
			e, STATUS_USAGE,
			"--from %s: expected --method keep beside it; other methods begin anew",
			name);
	f = fopen(name, "r");
	if (!f)
		return err_set(e, STATUS_USAGE, "%s: %s", name, strerror(errno));
	w->from = placement_read(f, name, w->topology->nodes, &ranks, e);
	fclose(f);
	if (!w->from)
		return -1;
	if (ranks == comm_matrix_ranks(w->matrix))
		return 0;
	return err_set(e, STATUS_BAD_INPUT, "%s: %u ranks, expected %u as in the matrix", name,
	               ranks, comm_matrix_ranks(w->matrix));
}

static void report_cost(struct report *r, const char *name, const char *doc, const struct work *w,
                        const struct mapping_cost *c)
{
	const struct topology *t = w->topology;
	double mean = w->result.bytes ? (double)c->hop_bytes / (double)w->result.bytes : 0;

	report_group(r, name, doc);
	report_f64(r, "mesh_cost", 1e-9 * (double)c->mesh_hop_bytes, "hop*GB",
	           "bytes x distance on the open mesh (ends not connected)");
	report_f64(r, "cost", 1e-9 * (double)c->hop_bytes, "hop*GB",
	           "bytes x distance in the network");
	report_f64(r, "mean_distance", mean, "links", "of a byte");
	report_f64(r, "max_link", 1e-6 * (double)c->max_link_bytes, "MB",
	           "bytes on the link that carries most");
	report_text(r, "max_link_class",
	            c->max_link_bytes ? t->class[t->link[c->max_link].class].name : "none",
	            "and which way it leads");
	report_end(r);
}

/* How many links carry how much, in tenths of the most. */
static void report_distribution(struct report *r, const struct work *w)
{
	static const struct report_column columns[] = {
		{"up_to", "MB"}, {"links", ""}, {"share", "%"}};
	const struct topology *t = w->topology;
	uint64_t counts[10] = {0}, most = w->result.after.max_link_bytes, links = 0;

	for (uint32_t l = 0; l < t->links; l++) {
		uint64_t load = w->result.load[l];

		if (t->link[l].from < t->nodes || t->link[l].to < t->nodes)
			continue;
		counts[load ? (unsigned)((load - 1) * 10 / most) : 0]++;
		links++;
	}
	report_table(r, "links", "links between routers by what they carry, in tenths of the most",
	             columns, 3);
	for (unsigned i = 0; i < 10; i++) {
		report_cell_f64(r, 1e-7 * (double)(most * (i + 1)));
		report_cell_u64(r, counts[i]);
		report_cell_f64(r, links ? 100.0 * (double)counts[i] / (double)links : 0);
	}
	report_table_end(r);
}

static struct report *make_report(const struct work *w)
{
	const struct optimise_result *x = &w->result;
	struct report *r = report_create();

	report_identity(r, "mopt", w->argc, w->argv);
	report_group(r, "mapping", "ranks on nodes");
	report_u64(r, "ranks", x->ranks, "", "in the matrix");
	report_u64(r, "nodes", w->topology->nodes, "", "of the network");
	report_f64(r, "bytes", 1e-9 * (double)x->bytes, "GB", "between nodes");
	report_u64(r, "orders", w->set->orders, "", "orders of the ways that were tried");
	report_u64(r, "best_order", x->best_order, "", "which of them gave the placement");
	report_text(r, "in_order", x->in_order ? "yes" : "no",
	            "no better placement was found than ranks in the order of nodes");
	report_u64(r, "exchanges", x->refined.exchanges, "", "done in refinement");
	report_end(r);
	report_cost(r, "xyz", "ranks in the order of nodes", w, &x->before);
	report_cost(r, "placed", "the placement found", w, &x->after);
	report_distribution(r, w);
	report_group(r, "host", "this run");
	report_f64(r, "seconds", w->seconds, "s", "time of the search");
	report_end(r);
	report_config(r, w->config);
	return r;
}

static int write_report(const struct work *w, const struct report *r, struct err *e)
{
	static const struct report_pick picks[] = {
		{"mapping", NULL}, {"xyz", NULL}, {"placed", NULL}, {"links", NULL}, {"host", NULL},
	};
	struct out *out = out_create(w->set->report, e);
	int ret;

	if (!out)
		return -1;
	ret = w->set->format == REPORT_TEXT
	              ? report_write_picks(r, picks, sizeof picks / sizeof picks[0], out_file(out),
	                                   e)
	              : report_write(r, (enum report_format)w->set->format, out_file(out), e);
	if (ret < 0) {
		out_abort(out);
		return -1;
	}
	return out_close(out, e);
}

static int write_all(const struct work *w, struct err *e)
{
	struct report *r = make_report(w);
	int ret = write_report(w, r, e);

	if (!ret && w->set->mapping) {
		struct out *out = out_create(w->set->mapping, e);

		ret = out ? 0 : -1;
		if (out) {
			placement_write(w->result.node, w->result.ranks, out_file(out));
			ret = out_close(out, e);
		}
	}
	for (unsigned i = 0; !ret && i < w->set->expect.count; i++)
		ret = report_expect(r, w->set->expect.item[i], e);
	report_destroy(r);
	return ret;
}

static double read_slack(const char *text)
{
	char *end;
	double percent;

	if (!text)
		return 0.125;
	percent = strtod(text, &end);
	return end > text && !*end && percent >= 0 && percent < 1e9 ? percent / 100 : -1;
}

static int check_settings(const struct work *w, const char *input, struct err *e)
{
	const struct settings *set = w->set;

	if (w->slack < 0)
		return err_set(e, STATUS_USAGE,
		               "--slack %s: expected a number of percent from 0 on", set->slack);
	if (!set->orders || set->orders > 100000)
		return err_set(e, STATUS_USAGE, "--orders %llu: expected 1 to 100000",
		               (unsigned long long)set->orders);
	if (!set->per_node || set->per_node > 65536)
		return err_set(e, STATUS_USAGE, "--per-node %llu: expected 1 to 65536",
		               (unsigned long long)set->per_node);
	if (set->passes > 1000000)
		return err_set(e, STATUS_USAGE, "--refine %llu: expected at most 1000000",
		               (unsigned long long)set->passes);
	for (unsigned i = 0; i < set->expect.count; i++)
		if (report_expect_check(set->expect.item[i], e))
			return -1;
	if (out_is_not(set->mapping, input, e) || out_is_not(set->report, input, e))
		return -1;
	return set->from ? out_is_not(set->report, set->from, e) : 0;
}

static int run(struct work *w, const char *input, struct err *e)
{
	struct optimise_request q = {
		.method = w->set->method,
		.slack = w->slack,
		.orders = (unsigned)w->set->orders,
		.passes = (unsigned)w->set->passes,
		.per_node = (unsigned)w->set->per_node,
	};
	double begin;

	if (check_settings(w, input, e) || set_network(w, e))
		return -1;
	w->topology = topology_create(&w->cfg, e);
	if (!w->topology || read_matrix(w, input, e) || read_from(w, e))
		return -1;
	q.topology = w->topology;
	q.matrix = w->matrix;
	q.from = w->from;
	begin = now();
	if (optimise(&q, &w->result, e))
		return -1;
	w->seconds = now() - begin;
	return write_all(w, e);
}

static const char examples[] =
	"mopt -t torus:16x16x16 matrix.txt -o mapping.txt\n"
	"mopt -t torus:16x16x16 --method minlink --orders 20 bruck:4096:2048\n"
	"mopt -c configs/net/tofu.ini --method greedy --refine 100 stencil:24x24:1000";

int main(int argc, char *argv[])
{
	struct settings set = {.method = METHOD_MINCOST, .orders = 1, .per_node = 1, .report = "-"};
	struct opt_common common;
	struct work w = {.set = &set, .config = config_create(), .argc = argc, .argv = argv};
	const struct opt rows[] = {
		{"topology", 't', "KIND:SIZES", "the network, torus:16x16x16; or -c FILE", OPT_TEXT,
	         &set.network},
		{"method", 0, OPTIMISE_METHODS,
	         "how groups are merged (mincost); keep: as they stand", OPT_CHOICE, &set.method},
		{"orders", 0, "N", "try N orders of the ways and keep the best placement (1)",
	         OPT_COUNT, &set.orders},
		{"slack", 0, "PERCENT",
	         "balanced: ways that cost so much more than the best compete (12.5)", OPT_TEXT,
	         &set.slack},
		{"refine", 0, "PASSES", "exchange ranks afterwards, in at most PASSES passes (0)",
	         OPT_COUNT, &set.passes},
		{"from", 0, "xyz|FILE", "with --method keep: the placement to begin with", OPT_TEXT,
	         &set.from},
		{"per-node", 0, "N", "ranks on a node, N in a row (1)", OPT_COUNT, &set.per_node},
		{"output", 'o', "FILE", "write the mapping (docs/mapping.md)", OPT_TEXT,
	         &set.mapping},
		{"report", 'r', "FILE", "write the report there, not to standard output", OPT_TEXT,
	         &set.report},
		{"format", 'f', "text|json|csv", "form of the report", OPT_CHOICE, &set.format},
		{"expect", 0, "FIGURE",
	         "status 5 unless placed.max_link<=7 or the like; may be repeated", OPT_LIST,
	         &set.expect},
	};
	const struct opt_program program = {
		.name = "mopt",
		.operands = "MATRIX|PATTERN",
		.summary = "Places ranks on the nodes of a network so that they are near to those "
			   "they\n"
			   "communicate with. PATTERN: bruck:RANKS:BYTES, stencil:AxBxC:BYTES, "
			   "stencil-torus:….",
		.examples = examples,
		.rows = rows,
		.row_count = sizeof rows / sizeof rows[0],
		.groups = OPT_CONFIG,
		.common = &common,
		.config = w.config,
		.config_check = check_config,
		.config_user = &w,
		.min_operands = 1,
		.max_operands = 1,
	};
	struct err e;
	int status, first;

	topology_config_add(w.config, &w.cfg);
	net_config_add(w.config, &w.engines);
	vmpi_config_add(w.config, &w.ranks);
	first = opt_start(&program, argc, argv, &status);
	w.slack = read_slack(set.slack);
	if (first >= 0)
		status = run(&w, argv[first], &e) < 0 ? opt_fail(&program, &e) : STATUS_DONE;
	optimise_finish(&w.result);
	free(w.from);
	comm_matrix_destroy(w.matrix);
	topology_destroy(w.topology);
	config_destroy(w.config);
	return status;
}
