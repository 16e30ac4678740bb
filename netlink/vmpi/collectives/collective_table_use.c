/* Counts of look-ups in the tables of collective operations, for the report and for warnings. */
#include <string.h>

#include "../../times/times.h"
#include "../message/message.h"
#include "collective.h"

static const char *const names[] = {
#define COLLECTIVE(NAME, name, calls, measured) #name,
#include "../collective_ops.def"
};

static void collective_algorithm_add(struct algorithm_use *u, const struct algorithm_use *k)
{
	if (k->calls && (!u->calls || k->least_bytes < u->least_bytes))
		u->least_bytes = k->least_bytes;
	if (k->calls && (!u->calls || k->most_bytes > u->most_bytes))
		u->most_bytes = k->most_bytes;
	if (k->calls && (!u->calls || k->least_ranks < u->least_ranks))
		u->least_ranks = k->least_ranks;
	if (k->calls && (!u->calls || k->most_ranks > u->most_ranks))
		u->most_ranks = k->most_ranks;
	u->calls += k->calls;
}

void collective_table_used(struct vmpi *v, enum collective_op op, int size)
{
	struct table_use *u = &v->collective->table_use[op];
	double from, to = times_rows(v->collective->times[op], &from);
	enum times_rows_taken taken;

	if (!u->calls++)
		u->least = u->most = size;
	if (size < u->least)
		u->least = size;
	if (size > u->most)
		u->most = size;
	if (size < from || size > to) {
		u->outside++;
		return;
	}
	times_at_ranks(v->collective->times[op], (unsigned)size, 0, &taken);
	if (taken != TIMES_BETWEEN && (!u->other++ || size < u->other_size))
		u->other_size = size;
}

void collective_algorithm_used(const struct collective *c, unsigned number)
{
	struct algorithm_use now = {1, c->bytes, c->bytes, c->size, c->size};

	if (!c->rank && !comm_find(&c->v->comms, c->comm)->self)
		collective_algorithm_add(&c->v->collective->algorithm_use[number], &now);
}

void collective_uses_get(const struct vmpi *v, struct collective_uses *out)
{
	memcpy(out->time, v->collective->time, sizeof(out->time));
	memcpy(out->algorithm, v->collective->algorithm_use, sizeof(out->algorithm));
	for (unsigned op = 0; op < COLLECTIVE_COUNT; op++) {
		out->table[op] = v->collective->table_use[op];
		collective_tree_uses(v, (enum collective_op)op, &out->tree_calls[op], &out->tree_bytes[op]);
	}
}

void collective_uses_add(struct vmpi *v, const struct collective_uses *x)
{
	for (unsigned i = 0; i < ALGORITHM_COUNT; i++)
		collective_algorithm_add(&v->collective->algorithm_use[i], &x->algorithm[i]);
	for (unsigned op = 0; op < COLLECTIVE_COUNT; op++) {
		struct table_use *u = &v->collective->table_use[op];
		const struct table_use *k = &x->table[op];

		if (k->calls && (!u->calls || k->least < u->least))
			u->least = k->least;
		if (k->calls && (!u->calls || k->most > u->most))
			u->most = k->most;
		if (k->other && (!u->other || k->other_size < u->other_size))
			u->other_size = k->other_size;
		v->collective->time[op].ranks += x->time[op].ranks;
		v->collective->time[op].bytes += x->time[op].bytes;
		v->collective->time[op].bus += x->time[op].bus;
		v->collective->time[op].time += x->time[op].time;
		u->calls += k->calls;
		u->outside += k->outside;
		u->other += k->other;
		if (v->collective->tree)
			collective_tree_used(v, (enum collective_op)op, x->tree_calls[op], x->tree_bytes[op]);
	}
}

/* Warns of a size between the rows that has no rows of its own class on both sides. */
static bool warn_other(struct vmpi *v, unsigned op, char *text, size_t size)
{
	struct table_use *u = &v->collective->table_use[op];
	bool power = !(u->other_size & (u->other_size - 1));

	if (u->reported_other || !u->other)
		return false;
	u->reported_other = true;
	snprintf(text, size,
		 "%s by table on %d ranks: table '%s' lacks rows on one side that are%s powers of two; times may be "
		 "inaccurate",
		 names[op], u->other_size, times_name(v->collective->times[op]), power ? "" : " no");
	return true;
}

bool vmpi_warning(struct vmpi *v, char *text, size_t size)
{
	for (unsigned op = 0; op < COLLECTIVE_COUNT; op++) {
		struct table_use *u = &v->collective->table_use[op];
		double from, to;

		if (warn_other(v, op, text, size))
			return true;
		if (u->reported || !u->outside)
			continue;
		u->reported = true;
		to = times_rows(v->collective->times[op], &from);
		snprintf(text, size,
			 "%s by table on %d ranks: table '%s' has rows for %.0f to %.0f ranks; the nearest one is used",
			 names[op], u->most > to ? u->most : u->least, times_name(v->collective->times[op]), from, to);
		return true;
	}
	return false;
}

void collective_tables_report(const struct vmpi *v, struct report *r)
{
	static const struct report_column columns[] = {
		{"operation", ""}, {"calls", ""},  {"least_ranks", ""},   {"most_ranks", ""},
		{"row_from", ""},  {"row_to", ""}, {"calls_outside", ""},
	};
	bool begun = false;

	for (unsigned op = 0; op < COLLECTIVE_COUNT; op++) {
		const struct table_use *u = &v->collective->table_use[op];
		double from, to;

		if (!u->calls)
			continue;
		if (!begun)
			report_table(r, "collectives_by_table",
				     "operations whose time came from a table, and the communicator sizes of its rows",
				     columns, sizeof(columns) / sizeof(columns[0]));
		begun = true;
		to = times_rows(v->collective->times[op], &from);
		report_cell_text(r, names[op]);
		report_cell_u64(r, u->calls);
		report_cell_u64(r, (uint64_t)u->least);
		report_cell_u64(r, (uint64_t)u->most);
		report_cell_u64(r, (uint64_t)from);
		report_cell_u64(r, (uint64_t)to);
		report_cell_u64(r, u->outside);
	}
	if (begun)
		report_table_end(r);
}
