#include "region_table.h"

#include <string.h>

#include "../../psim/base/escape.h"

static struct region_row *region_table_find(const struct region_table *t, const char *name)
{
	for (size_t i = 0; i < t->rows.count; i++)
		if (strcmp(t->rows.at[i].name, name) == 0)
			return &t->rows.at[i];
	return NULL;
}

int region_table_event(struct region_table *t, const char *name, bool begin, uint64_t insns, struct err *e)
{
	struct region_row *row = region_table_find(t, name);
	if (!row && begin) {
		row = vec_push(&t->rows, e);
		if (!row)
			return -1;
		*row = (struct region_row){.depth = 0};
		memcpy(row->name, name, strlen(name) + 1);
	}
	if (!row || (!begin && row->depth == 0))
		return 0;
	if (begin) {
		row->entered++;
		if (row->depth++ == 0)
			row->since = insns;
	} else if (--row->depth == 0) {
		row->insns += insns - row->since;
	}
	return 0;
}

bool region_table_inside(const struct region_table *t, const char *name)
{
	const struct region_row *row = region_table_find(t, name);
	return row && row->depth;
}

void region_table_end(struct region_table *t, uint64_t insns)
{
	for (size_t i = 0; i < t->rows.count; i++) {
		struct region_row *row = &t->rows.at[i];
		if (row->depth)
			row->insns += insns - row->since;
		row->depth = 0;
	}
}

void region_table_report(const struct region_table *t, struct report *r)
{
	static const struct report_column columns[] = {
		{"region", ""},
		{"entered", ""},
		{"instructions", ""},
	};
	if (t->rows.count == 0)
		return;
	report_table(r, "regions", "regions of interest", columns, 3);
	for (size_t i = 0; i < t->rows.count; i++) {
		char name[TRACE_NAME_MAX];
		escape_copy(name, sizeof(name), t->rows.at[i].name);
		report_cell_text(r, name);
		report_cell_u64(r, t->rows.at[i].entered);
		report_cell_u64(r, t->rows.at[i].insns);
	}
	report_table_end(r);
}

void region_table_finish(struct region_table *t)
{
	vec_finish(&t->rows);
}
