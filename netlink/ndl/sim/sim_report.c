#include "sim_report.h"

#include <inttypes.h>
#include <string.h>

static const char *dependences(const struct check_result *c)
{
	if (c->cyclic)
		return c->cycle;
	if (c->partial)
		return c->escapes ? "no cycle of escape channels found; some routing asks more than the check tries"
				  : "no cycle found; some routing asks more than the check tries";
	if (c->deep)
		return "no cycle of escape channels, but a deadlock is possible: buffers can hold several messages";
	return c->escapes ? "no cycle of escape channels" : "no cycle";
}

void sim_report_network(struct report *r, const struct network *n, const struct check_result *check)
{
	report_group(r, "network", "network that the description defines");
	report_u64(r, "nodes", n->node_count, "", "processing units");
	report_u64(r, "switches", n->resource_count - n->node_count, "", "switches");
	report_u64(r, "links", n->output_count, "", "connections from an output to an input");
	report_u64(r, "virtual_channels", n->vcs, "", "largest number of virtual channels of a link");
	if (check) {
		report_f64(r, "mean_links", check->mean_links, "",
			   "links between two different nodes, mean over all pairs");
		report_u64(r, "most_links", check->most_links, "", "links of the longest route");
		report_text(r, "routing", check->adaptive ? "adaptive" : "static",
			    "adaptive: free resources influence the route");
		report_text(r, "dependences", dependences(check),
			    "dependency graph of virtual channels: a cycle means that a deadlock is possible");
	}
	report_end(r);
}

const char *sim_report_steady(const struct run_result *x, char *text, size_t size)
{
	if (x->batches)
		return open_loop_say(x->loop.state, x->loop.from, x->loop.to, 1, "clocks", text, size);
	snprintf(text, size, "-");
	return text;
}

void sim_report_points(struct report *r, const struct sim_point *points, unsigned count)
{
	static const struct report_column columns[] = {
		{"load", "B/clock"},
		{"offered", "B/clock"},
		{"accepted", "B/clock"},
		{"latency", "clocks"},
		{"error", "clocks"},
		{"steady", ""},
		{"tail_latency", "clocks"},
		{"messages", ""},
		{"unfinished", ""},
		{"offered_error", "B/clock"},
		{"accepted_error", "B/clock"},
		{"latency_p50", "clocks"},
		{"latency_p99", "clocks"},
		{"latency_max", "clocks"},
		{"accepted_min", "B/clock"},
		{"fairness", ""},
	};

	report_table(r, "points",
		     "throughput per PU, and latency from generation to the head's arrival; errors: half of the 95 % "
		     "intervals",
		     columns, sizeof(columns) / sizeof(columns[0]));
	for (unsigned p = 0; p < count; p++) {
		const struct run_result *x = &points[p].result;
		report_cell_f64(r, points[p].head.load);
		report_cell_f64(r, x->loop.offered.mean);
		report_cell_f64(r, x->loop.accepted.mean);
		report_cell_f64(r, x->loop.latency.mean);
		report_cell_f64(r, x->loop.latency.error);
		report_cell_text(r, points[p].head.unknown  ? "-"
				    : points[p].head.steady ? "yes"
				    : points[p].head.behind ? "behind"
							    : "no");
		report_cell_f64(r, x->tail_latency);
		report_cell_u64(r, x->messages);
		report_cell_u64(r, x->unfinished);
		report_cell_f64(r, x->loop.offered.error);
		report_cell_f64(r, x->loop.accepted.error);
		report_cell_f64(r, x->head_p50);
		report_cell_f64(r, x->head_p99);
		report_cell_u64(r, x->head_most);
		report_cell_f64(r, x->accepted_least);
		report_cell_f64(r, x->fairness);
	}
	report_table_end(r);
}

void sim_report_run(struct report *r, const struct sim_point *p)
{
	const struct run_result *x = &p->result;
	char steady[160];

	report_group(r, "result", "results of the measurement");
	report_text(r, "complete", x->interrupted ? "no" : "yes", "whether the run ended without interruption");
	report_f64(r, "load", p->head.load, "B/clock", "load given to the PUs");
	report_text(r, "steady", sim_report_steady(x, steady, sizeof(steady)),
		    "whether figures of the measured part hold; -: too few messages, or no end of it");
	report_f64(r, "offered", x->loop.offered.mean, "B/clock", "bytes generated per clock and PU");
	report_f64(r, "offered_error", x->loop.offered.error, "B/clock",
		   "half of its 95 % interval, by means of ten batches; -: too few messages");
	report_f64(r, "accepted", x->loop.accepted.mean, "B/clock",
		   "bytes received per clock and PU, at most those generated meanwhile");
	report_f64(r, "accepted_error", x->loop.accepted.error, "B/clock", "half of its 95 % interval");
	report_f64(r, "accepted_min", x->accepted_least, "B/clock", "of the sender that is served least");
	report_f64(r, "fairness", x->fairness, "", "Jain's index of what senders have got through, 1: all alike");
	report_f64(r, "latency", x->loop.latency.mean, "clocks",
		   "time from generation to the arrival of the head, mean");
	report_f64(r, "latency_error", x->loop.latency.error, "clocks", "half of its 95 % interval");
	report_f64(r, "latency_p50", x->head_p50, "clocks", "the same, median");
	report_f64(r, "latency_p99", x->head_p99, "clocks", "the same, 99th percentile");
	report_u64(r, "latency_least", x->head_least, "clocks", "latency, minimum");
	report_u64(r, "latency_most", x->head_most, "clocks", "latency, maximum");
	report_f64(r, "tail_latency", x->tail_latency, "clocks",
		   "time from generation to the arrival of the tail, mean");
	report_f64(r, "network_latency", x->network_latency, "clocks",
		   "time from injection to the arrival of the tail, mean");
	report_u64(r, "messages", x->messages, "", "measured messages that arrived");
	report_u64(r, "unfinished", x->unfinished, "", "measured messages that did not arrive");
	report_u64(r, "clocks", x->clocks, "clocks", "clocks simulated in total");
	report_u64(r, "flit_hops", x->counts.flit_hops, "", "flits carried by links, in total");
	report_u64(r, "routed", x->counts.routed, "", "routing decisions");
	report_u64(r, "asked", x->counts.routing_calls, "", "calls of routing functions");
	report_end(r);
}

/* Sums over one output of a kind of resource. */
struct use {
	double busy, most, held;
	uint64_t links, channels;
};

static void add_use(struct use *u, const struct network *n, const struct sim_use *k, uint32_t output)
{
	double busy = (double)sim_use_busy(k, output);
	unsigned vcs = n->resources[n->outputs[output].resource].vcs;

	u->busy += busy;
	if (busy > u->most)
		u->most = busy;
	for (unsigned v = 0; v < vcs; v++)
		u->held += (double)sim_use_held(k, output, v);
	u->links++;
	u->channels += vcs;
}

static void kind_use(struct report *r, const struct network *n, const struct sim_use *k,
		     const struct network_kind *kind, double clocks)
{
	uint32_t outputs = 0;

	for (uint32_t c = 0; c < kind->count; c++)
		if (n->resources[kind->first + c].outputs > outputs)
			outputs = n->resources[kind->first + c].outputs;
	for (uint32_t o = 0; o < outputs; o++) {
		struct use u = {0};
		char name[160];
		for (uint32_t c = 0; c < kind->count; c++) {
			const struct network_resource *x = &n->resources[kind->first + c];
			if (o < x->outputs)
				add_use(&u, n, k, x->first_output + o);
		}
		if (!u.links)
			continue;
		snprintf(name, sizeof(name), "%s.o(%u)", kind->name, o);
		report_cell_text(r, name);
		report_cell_u64(r, u.links);
		report_cell_f64(r, 100 * u.busy / (clocks * (double)u.links));
		report_cell_f64(r, 100 * u.most / clocks);
		report_cell_f64(r, 100 * u.held / (clocks * (double)u.channels));
	}
}

/* The same by class of links; those of no class are one row. */
static void class_use(struct report *r, const struct network *n, const struct sim_use *k, uint32_t class, double clocks)
{
	struct use u = {0};

	for (uint32_t o = 0; o < n->output_count; o++)
		if (n->outputs[o].class == class)
			add_use(&u, n, k, o);
	if (!u.links)
		return;
	report_cell_text(r, class ? n->classes[class - 1].name : "-");
	report_cell_u64(r, u.links);
	report_cell_f64(r, 100 * u.busy / (clocks * (double)u.links));
	report_cell_f64(r, 100 * u.most / clocks);
	report_cell_f64(r, 100 * u.held / (clocks * (double)u.channels));
}

static void report_classes(struct report *r, const struct network *n, const struct sim_use *k, double clocks)
{
	static const struct report_column columns[] = {
		{"class", ""}, {"links", ""}, {"busy", "%"}, {"busiest", "%"}, {"held", "%"}};

	if (!n->class_count)
		return;
	report_table(r, "classes", "links by class, -: of none: the same shares", columns, 5);
	for (uint32_t c = 0; c <= n->class_count; c++)
		class_use(r, n, k, c, clocks);
	report_table_end(r);
}

void sim_report_use(struct report *r, const struct network *n, const struct sim_use *k, bool all)
{
	static const struct report_column kinds[] = {
		{"output", ""}, {"links", ""}, {"busy", "%"}, {"busiest", "%"}, {"held", "%"}};
	static const struct report_column each[] = {
		{"channel", ""}, {"line", ""}, {"vc", ""}, {"busy", "%"}, {"held", "%"}};
	double span = k->clocks ? (double)k->clocks : 1;

	report_table(r, "use",
		     "links by output: share of clocks with a flit, mean and maximum; share of clocks in which virtual "
		     "channels were held",
		     kinds, 5);
	for (uint32_t c = 0; c < n->kind_count; c++)
		kind_use(r, n, k, &n->kinds[c], span);
	report_table_end(r);
	report_classes(r, n, k, span);
	if (!all)
		return;
	report_table(r, "channels", "each virtual channel, with the line of its connection in the description", each,
		     5);
	for (uint32_t o = 0; o < n->output_count; o++)
		for (unsigned v = 0; v < n->resources[n->outputs[o].resource].vcs; v++) {
			char name[192];
			report_cell_text(r, network_channel_name(n, true, o, name, sizeof(name)));
			report_cell_u64(r, (uint64_t)n->outputs[o].line);
			report_cell_u64(r, v);
			report_cell_f64(r, 100 * (double)sim_use_busy(k, o) / span);
			report_cell_f64(r, 100 * (double)sim_use_held(k, o, v) / span);
		}
	report_table_end(r);
}
