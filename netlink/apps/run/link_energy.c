/* Energy of links by class: the bits that they have carried, headers included where the engine has them. */
#include <stdlib.h>

#include "../../../psim/base/mem.h"
#include "program_run.h"

static void report_class(const struct topology *t, unsigned class, const double *bytes, struct report *r)
{
	const struct topology_class *c = &t->class[class];
	double carried = 0;

	for (uint32_t l = 0; l < t->links; l++)
		if (t->link[l].class == class)
			carried += bytes[l];
	report_cell_text(r, c->name);
	report_cell_u64(r, c->links);
	report_cell_f64(r, carried);
	report_cell_f64(r, c->pj_per_bit);
	report_cell_f64(r, 8 * carried * c->pj_per_bit * 1e-12);
}

int link_energy_report(const struct run *run, struct report *r, struct err *e)
{
	static const struct report_column columns[] = {
		{"class", ""}, {"links", ""}, {"carried", "bytes"}, {"per_bit", "pJ/bit"}, {"energy", "J"},
	};
	const struct run_machine *m = &run->machine;
	double *bytes;

	if (run->curve || !m->kind->carried)
		return 0;
	bytes = run_carried(run, NULL, e);
	if (!bytes)
		return -1;
	report_table(r, "link_energy",
		     "energy of the bits that links carry, by class (link.energy); idle links have none", columns,
		     sizeof(columns) / sizeof(columns[0]));
	for (unsigned c = 0; c < m->topology->classes; c++)
		if (m->topology->class[c].links)
			report_class(m->topology, c, bytes, r);
	report_table_end(r);
	free(bytes);
	return 0;
}
