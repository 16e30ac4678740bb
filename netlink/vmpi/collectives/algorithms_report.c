/* The report's table of algorithms that ran: counts of collective_table_use.c. */
#include "collective.h"

static const char *const operation_names[] = {
#define COLLECTIVE(NAME, name, calls, measured) #name,
#include "../collective_ops.def"
};

void collective_algorithms_report(const struct vmpi *v, struct report *r)
{
	static const struct report_column columns[] = {
		{"operation", ""},  {"algorithm", ""},        {"calls", ""},           {"least_ranks", ""},
		{"most_ranks", ""}, {"least_bytes", "bytes"}, {"most_bytes", "bytes"},
	};
	const struct collective_algorithm *const *a = collective_algorithms();
	bool begun = false;

	for (unsigned i = 0; i < ALGORITHM_COUNT; i++) {
		const struct algorithm_use *u = &v->collective->algorithm_use[i];

		if (!u->calls)
			continue;
		if (!begun)
			report_table(
				r, "collective_algorithms",
				"algorithms of the run's collective operations, and of those that they are made of; "
				"bytes are those of the largest part",
				columns, sizeof(columns) / sizeof(columns[0]));
		begun = true;
		report_cell_text(r, operation_names[a[i]->op]);
		report_cell_text(r, a[i]->name);
		report_cell_u64(r, u->calls);
		report_cell_u64(r, (uint64_t)u->least_ranks);
		report_cell_u64(r, (uint64_t)u->most_ranks);
		report_cell_u64(r, (uint64_t)u->least_bytes);
		report_cell_u64(r, (uint64_t)u->most_bytes);
	}
	if (begun)
		report_table_end(r);
}
