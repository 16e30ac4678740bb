/* The report as CSV (RFC 4180): group,name,row,value,unit; `row` counts from 0 and is empty outside
 * tables. */
#include <inttypes.h>

#include "../escape.h"
#include "out.h"
#include "report_tree.h"

static void report_csv_put_line(FILE *out, const char *group, const char *name, const char *row,
				const struct report_item *item, const char *unit)
{
	char number[REPORT_CELL_MAX];

	escape_csv(out, group);
	fputc(',', out);
	escape_csv(out, name);
	fprintf(out, ",%s,", row);
	escape_csv(out, report_value_text(item, true, number));
	fputc(',', out);
	escape_csv(out, unit);
	fputc('\n', out);
}

static size_t report_csv_put_table(const struct report *r, size_t at, FILE *out, const struct report_path *path)
{
	size_t columns = (size_t)r->items.at[at].value.u64, end, rows = report_rows(r, at, &end);
	const struct report_item *column = &r->items.at[at + 1], *cell = column + columns;

	for (size_t row = 0; row < rows; row++)
		for (size_t c = 0; c < columns; c++, cell++) {
			char number[24];

			snprintf(number, sizeof(number), "%zu", row);
			report_csv_put_line(out, path->text, column[c].name, number, cell, column[c].unit);
		}
	return end;
}

int report_write_csv(const struct report *r, FILE *out, struct err *e)
{
	struct report_path path = {.depth = 0};

	fputs("group,name,row,value,unit\n", out);
	for (size_t i = 0; i < r->items.count; i++) {
		const struct report_item *item = &r->items.at[i];

		switch (item->kind) {
		case ITEM_GROUP: report_path_enter(&path, item->name); break;
		case ITEM_END: report_path_leave(&path); break;
		case ITEM_TABLE:
			report_path_enter(&path, item->name);
			i = report_csv_put_table(r, i, out, &path);
			report_path_leave(&path);
			break;
		default: report_csv_put_line(out, path.text, item->name, "", item, item->unit);
		}
	}
	return out_check(out, "report", e);
}
