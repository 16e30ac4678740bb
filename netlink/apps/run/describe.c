#include "describe.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "../../../psim/base/config/param_row.h"
#include "../../../psim/base/config/value.h"
#include "../../../psim/base/report/out.h"

/* The figures, one row each. FIGURE(key, type, least, most, unit). */
#define FIGURES(FIGURE) \
	FIGURE(nodes, UINT, 1, 16777216, "") \
	FIGURE(cores, UINT, 1, 65536, "") \
	FIGURE(peak, REAL, 1, 1e18, "flop/s") \
	FIGURE(memory, RATE, 1e6, 1e16, "bytes/s") \
	FIGURE(link, RATE, 1e3, 1e15, "bytes/s") \
	FIGURE(latency, TIME, 0, 1e12, "ps") \
	FIGURE(topology, TEXT, 0, 0, "") \
	FIGURE(dims, TEXT, 0, 0, "")

enum { FIGURE_TEXT_MOST = 100 };
enum {
#define FIGURE(key, type, least, most, unit) FIGURE_##key,
	FIGURES(FIGURE)
#undef FIGURE
		FIGURE_COUNT
};

struct figures {
#define FIGURE(key, type, least, most, unit) PARAM_CTYPE_##type(key);
	FIGURES(FIGURE)
#undef FIGURE
};

static const struct param figure_rows[] = {
#define FIGURE(key, type, least, most, unit) \
	PARAM_ROW("describe", struct figures, key, PARAM_##type, "", least, most, unit, "")
	FIGURES(FIGURE)
#undef FIGURE
};

/* A description on its way. */
struct description {
	struct run_machine *machine;
	FILE *out; /* NULL: the lines are checked, not written */
	struct figures figures;
	bool given[FIGURE_COUNT];
	const char *section; /* of the last line */
	struct err *err;
};

/* ---- the figures ---- */

static int describe_wrong(const struct description *d, const char *figure)
{
	const char *known = "nodes, cores, peak, memory, link, latency, topology and dims";

	return err_set(d->err, STATUS_USAGE, "--describe %s: expected KEY=VALUE, with commas between, of %s", figure,
		       known);
}

/* Reads "KEY=VALUE". */
static int describe_figure(struct description *d, char *figure)
{
	char *value = strchr(figure, '=');

	if (!value)
		return describe_wrong(d, figure);
	*value++ = '\0';
	for (unsigned i = 0; i < FIGURE_COUNT; i++) {
		const struct param *p = &figure_rows[i];
		struct err why = {0};

		if (strcmp(p->key, figure) != 0)
			continue;
		if (d->given[i])
			return err_set(d->err, STATUS_USAGE, "--describe: %s twice, expected once", figure);
		d->given[i] = true;
		if (value_read(p, value, (char *)&d->figures + p->offset, &why) < 0)
			return err_set(d->err, STATUS_USAGE, "--describe %s=%s: %s", figure, value, why.text);
		return 0;
	}
	return describe_wrong(d, figure);
}

static int describe_read(struct description *d, const char *text)
{
	static const unsigned required[] = {FIGURE_nodes, FIGURE_link, FIGURE_latency};
	char figure[FIGURE_TEXT_MOST];

	while (*text) {
		size_t length = strcspn(text, ",");

		if (length >= sizeof(figure))
			return err_set(d->err, STATUS_USAGE,
				       "--describe: a figure of %zu letters, expected fewer than %d", length,
				       FIGURE_TEXT_MOST);
		snprintf(figure, sizeof(figure), "%.*s", (int)length, text);
		if (describe_figure(d, figure) < 0)
			return -1;
		text += length + (text[length] == ',');
	}
	for (unsigned i = 0; i < sizeof(required) / sizeof(required[0]); i++)
		if (!d->given[required[i]])
			return err_set(d->err, STATUS_USAGE,
				       "--describe: no %s, expected nodes, link and latency at least",
				       figure_rows[required[i]].key);
	return 0;
}

/* ---- the network's shape ---- */

/* The largest divisor of n with this power of at most n. */
static unsigned divisor(unsigned n, unsigned power)
{
	unsigned best = 1;

	for (unsigned a = 2; power == 2 ? (uint64_t)a * a <= n : (uint64_t)a * a * a <= n; a++)
		if (n % a == 0)
			best = a;
	return best;
}

/* Sizes as nearly equal as the number of nodes permits, ascending; those of 1 are left out. */
static void describe_equal_sizes(unsigned nodes, bool three, char *text, size_t room)
{
	unsigned a = three ? divisor(nodes, 3) : 1, b = divisor(nodes / a, 2);

	*text = '\0';
	if (a > 1)
		snprintf(text, room, "%ux", a);
	if (b > 1)
		snprintf(text + strlen(text), room - strlen(text), "%ux", b);
	snprintf(text + strlen(text), room - strlen(text), "%u", nodes / a / b);
}

/* Fills in the kind and, where they follow from the nodes, the sizes. */
static int describe_shape(struct description *d, const char **source)
{
	struct figures *f = &d->figures;
	char kind[PARAM_TEXT_MAX + 20];

	if (!d->given[FIGURE_topology])
		snprintf(f->topology, sizeof(f->topology), "crossbar");
	*source = "--describe dims";
	snprintf(kind, sizeof(kind), "topology.kind=%s", f->topology);
	if (config_override(d->machine->config, kind, "--describe", d->err) < 0)
		return -1;
	if (!strcmp(f->topology, "graph") || !strcmp(f->topology, "platform") || !strcmp(f->topology, "rails"))
		return err_set(d->err, STATUS_USAGE,
			       "--describe topology=%s: expected a kind that nodes or dims describe", f->topology);
	if (d->given[FIGURE_dims])
		return 0;
	*source = "from --describe nodes: one router";
	if (!strcmp(f->topology, "crossbar")) {
		snprintf(f->dims, sizeof(f->dims), "%u", f->nodes);
	} else if (!strcmp(f->topology, "fat_tree")) {
		*source = "from --describe nodes: two levels of switches, as many links up as down";
		describe_equal_sizes(f->nodes, false, f->dims, sizeof(f->dims));
	} else if (!strcmp(f->topology, "torus") || !strcmp(f->topology, "mesh")) {
		*source = "from --describe nodes: nearly cubic";
		describe_equal_sizes(f->nodes, true, f->dims, sizeof(f->dims));
	} else {
		return err_set(
			d->err, STATUS_USAGE,
			"--describe topology=%s: no dims; they follow from nodes for crossbar, fat_tree, torus and "
			"mesh alone",
			f->topology);
	}
	return 0;
}

/* ---- lines ---- */

/* A line: it is a value of the machine, and has its source. */
static int describe_line(struct description *d, const char *section, const char *key, const char *value,
			 const char *source)
{
	char assignment[PARAM_TEXT_MAX + 80];

	snprintf(assignment, sizeof(assignment), "%s.%s=%s", section, key, value);
	if (!d->out)
		return config_override(d->machine->config, assignment, "--describe", d->err);
	if (!d->section || strcmp(d->section, section) != 0)
		fprintf(d->out, "\n[%s]\n", section);
	d->section = section;
	fprintf(d->out, "%s = %s ; %s\n", key, value, source);
	return 0;
}

/* The same with a rate. */
static int describe_rate(struct description *d, const char *section, const char *key, double rate, const char *source)
{
	char value[VALUE_TEXT_MAX];

	value_write(&figure_rows[FIGURE_link], &rate, value, sizeof(value));
	return describe_line(d, section, key, value, source);
}

static int describe_network(struct description *d, const char *shape)
{
	static const char *const stages[] = {"route", "vc_allocation", "switch_allocation", "flit_transfer",
					     "switch_delay"};
	const struct figures *f = &d->figures;
	int64_t half = f->latency / 2;
	char value[VALUE_TEXT_MAX];

	value_write(&figure_rows[FIGURE_latency], &half, value, sizeof(value));
	if (describe_line(d, "topology", "kind", f->topology,
			  d->given[FIGURE_topology] ? "--describe topology" : "assumed: no network is described") < 0 ||
	    describe_line(d, "topology", "dims", f->dims, shape) < 0 ||
	    describe_line(d, "engine", "kind", "flow", "messages share the links of their paths") < 0 ||
	    describe_rate(d, "link", "bandwidth", f->link, "--describe link") < 0 ||
	    describe_line(d, "link", "cable", "0 ps", "the latency does not say what a hop takes") < 0 ||
	    describe_line(d, "link", "nic_cable", value, "half of --describe latency, at both ends") < 0)
		return -1;
	for (unsigned i = 0; i < sizeof(stages) / sizeof(stages[0]); i++)
		if (describe_line(d, "router", stages[i], "0 ps", "part of the latency") < 0)
			return -1;
	return 0;
}

static int describe_nodes(struct description *d)
{
	const struct figures *f = &d->figures;
	char value[VALUE_TEXT_MAX];

	if (d->given[FIGURE_memory] &&
	    describe_rate(d, "nic", "memory", f->memory / 2, "half of --describe memory: a copy reads and writes") < 0)
		return -1;
	snprintf(value, sizeof(value), "%u", f->cores);
	if (describe_line(d, "ranks", "per_node", value,
			  d->given[FIGURE_cores] ? "--describe cores: a rank on each"
						 : "assumed: no cores are described") < 0)
		return -1;
	value_write(&figure_rows[FIGURE_peak], &f->peak, value, sizeof(value));
	if (d->given[FIGURE_peak] && describe_line(d, "machine", "peak", value, "--describe peak") < 0)
		return -1;
	if (describe_line(d, "mpi", "overhead", "0 ps", "part of the latency") < 0)
		return -1;
	if (!d->given[FIGURE_memory])
		return 0;
	return describe_rate(d, "mpi", "combine", f->memory / f->cores / 3,
			     "a third of a core's share of --describe memory: a sum moves three numbers");
}

static int describe_lines(struct description *d, const char *shape)
{
	return describe_network(d, shape) < 0 ? -1 : describe_nodes(d);
}

/* The network has as many nodes as are described. */
static int describe_count(const struct description *d)
{
	const struct figures *f = &d->figures;
	struct run_machine *m = d->machine;

	if (topology_config_check(m->config, &m->topology_config, d->err) < 0)
		return -1;
	m->topology = topology_create(&m->topology_config, d->err);
	if (!m->topology)
		return -1;
	if (m->topology->nodes != f->nodes)
		return err_set(d->err, STATUS_USAGE, "--describe nodes=%u: %s %s has %" PRIu32 ", expected as many",
			       f->nodes, f->topology, f->dims, m->topology->nodes);
	return 0;
}

int describe_write(struct run_machine *m, const char *text, const char *path, struct err *e)
{
	struct description d = {.machine = m, .figures = {.cores = 1}, .err = e};
	const char *shape;
	struct out *out;

	if (describe_read(&d, text) < 0 || describe_shape(&d, &shape) < 0 || describe_lines(&d, shape) < 0 ||
	    describe_count(&d) < 0)
		return -1;
	out = out_create(path, e);
	if (!out)
		return -1;
	d.out = out_file(out);
	fprintf(d.out, "; nsim --describe %s\nunused = allowed ; for every engine and program\n", text);
	describe_lines(&d, shape);
	return out_close(out, e);
}
