/* Cost of the machine, if [cost] has prices. */
#include <stdlib.h>

#include "../../../psim/base/mem.h"
#include "program_run.h"

/* Counts the nodes that have ranks. Negative with `e`: memory is short. */
static double nodes_with_ranks(const struct run_machine *m, struct err *e)
{
	bool *used = mem_alloc(m->topology->nodes, sizeof(*used), e);
	double count = 0;

	if (!used)
		return -1;
	for (uint32_t i = 0; i < m->ranks; i++) {
		count += !used[m->node_of[i]];
		used[m->node_of[i]] = true;
	}
	free(used);
	return count;
}

static void report_cost_parts(const struct cost_config *config, const struct cost_amounts *a, struct report *r)
{
	static const struct report_column columns[] = {
		{"part", ""}, {"count", ""}, {"price", ""}, {"cost", ""}, {"of", ""}};

	report_table(r, "cost_parts", "cost by part of the machine; adds up to that of the machine", columns, 5);
	for (enum cost_term t = 0; t < COST_TERMS; t++) {
		struct cost_part part = cost_part(config, a, t);

		if (!(part.count * part.price > 0))
			continue;
		report_cell_text(r, part.name);
		report_cell_f64(r, part.count);
		report_cell_f64(r, part.price);
		report_cell_f64(r, part.count * part.price);
		report_cell_text(r, part.doc);
	}
	report_table_end(r);
}

int run_cost_report(const struct run *run, struct report *r, struct err *e)
{
	const struct run_machine *m = &run->machine;
	const struct cost_config *config = &m->cost_config;
	struct cost_amounts a;
	double total = 0, nodes;

	if (!cost_given(config))
		return 0;
	nodes = config->cost.count == COST_COUNT_ALL ? m->topology->nodes : nodes_with_ranks(m, e);
	if (nodes < 0)
		return -1;
	cost_count(m->topology, nodes, m->ranks, &a);
	for (enum cost_term t = 0; t < COST_TERMS; t++) {
		struct cost_part part = cost_part(config, &a, t);

		total += part.count * part.price;
	}
	report_group(r, "cost", "cost of the machine, by the prices of [cost]");
	report_f64(r, "total", total, "", "in the currency of the prices");
	report_f64(r, "nodes", nodes, "", "nodes that are counted");
	report_f64(r, "network", 100 * nodes / m->topology->nodes, "%", "share of the network that is counted");
	report_end(r);
	report_cost_parts(config, &a, r);
	return 0;
}
