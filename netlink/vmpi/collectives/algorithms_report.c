/* The report's table of algorithms that ran: counts of collective_table_use.c. */
#include "collective.h"

static const char *const operation_names[] = {
#define COLLECTIVE(NAME, name, calls, measured) #name,
#include "../collective_ops.def"
};

/* Adds the rows of a run, or of a job (`job` above 0), in a table that the first row begins. */
static void algorithms_rows(const struct algorithm_use use[ALGORITHM_COUNT], uint64_t job, bool *begun,
			    struct report *r)
{
	static const struct report_column columns[] = {
		{"job", ""},         {"operation", ""},  {"algorithm", ""},        {"calls", ""},
		{"least_ranks", ""}, {"most_ranks", ""}, {"least_bytes", "bytes"}, {"most_bytes", "bytes"},
	};
	const struct collective_algorithm *const *a = collective_algorithms();
	unsigned first = job ? 0 : 1;

	for (unsigned i = 0; i < ALGORITHM_COUNT; i++) {
		const struct algorithm_use *u = &use[i];

		if (!u->calls)
			continue;
		if (!*begun)
			report_table(r, job ? "job_algorithms" : "collective_algorithms",
				     "algorithms of the run's collective operations, and of those that they are made "
				     "of; bytes are those of the largest part",
				     columns + first, sizeof(columns) / sizeof(columns[0]) - first);
		*begun = true;
		if (job)
			report_cell_u64(r, job);
		report_cell_text(r, operation_names[a[i]->op]);
		report_cell_text(r, a[i]->name);
		report_cell_u64(r, u->calls);
		report_cell_u64(r, (uint64_t)u->least_ranks);
		report_cell_u64(r, (uint64_t)u->most_ranks);
		report_cell_u64(r, (uint64_t)u->least_bytes);
		report_cell_u64(r, (uint64_t)u->most_bytes);
	}
}

void collective_algorithms_report(const struct vmpi *v, struct report *r)
{
	bool begun = false;

	algorithms_rows(v->collective->algorithm_use, 0, &begun, r);
	if (begun)
		report_table_end(r);
}

void collective_job_report(const struct collective_uses *u, uint64_t job, bool *begun, struct report *r)
{
	algorithms_rows(u->algorithm, job, begun, r);
}
