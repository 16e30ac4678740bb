/*
 * The report as a page that needs no server and no network: page.html with the data where its mark is. The data is the
 * report as it is, with units and meanings, so that the page can name both:
 *
 *     group  {"n": name, "d": meaning, "i": [items]}
 *     table  {"n": name, "d": meaning, "c": [[column, unit], ...], "r": [[cell, ...], ...]}
 *     value  {"n": name, "d": meaning, "u": unit, "v": number or text}
 */
#include "../mem.h"
#include "out.h"
#include "report_json.h"
#include "report_page.h"
#include "report_tree.h"

static int name_item(json_t *object, const struct report_item *item)
{
	return json_object_set_new(object, "n", report_json_text(item->name)) |
	       json_object_set_new(object, "d", report_json_text(item->doc));
}

static int add_columns(json_t *table, const struct report_item *columns, size_t count)
{
	json_t *all = json_array();
	int result = json_object_set_new(table, "c", all);

	for (size_t c = 0; c < count && !result; c++) {
		json_t *column = json_array();

		result = json_array_append_new(all, column) |
			 json_array_append_new(column, report_json_text(columns[c].name)) |
			 json_array_append_new(column, report_json_text(columns[c].unit));
	}
	return result;
}

static int add_page_rows(json_t *table, const struct report_item *cell, size_t rows, size_t columns)
{
	json_t *all = json_array();
	int result = json_object_set_new(table, "r", all);

	for (size_t row = 0; row < rows && !result; row++) {
		json_t *line = json_array();

		result = json_array_append_new(all, line);
		for (size_t c = 0; c < columns && !result; c++)
			result = json_array_append_new(line, report_json_value(cell++));
	}
	return result;
}

/* Fills `list` from the items at `*at` up to the end of their group. */
static int add_page_items(const struct report *r, size_t *at, json_t *list)
{
	for (; *at < r->items.count && r->items.at[*at].kind != ITEM_END; ++*at) {
		const struct report_item *item = &r->items.at[*at];
		json_t *object = json_object();
		int result = json_array_append_new(list, object);

		if (!result)
			result = name_item(object, item);
		if (!result && item->kind == ITEM_GROUP) {
			json_t *inner = json_array();

			++*at;
			result = json_object_set_new(object, "i", inner) || add_page_items(r, at, inner);
		} else if (!result && item->kind == ITEM_TABLE) {
			size_t columns = (size_t)item->value.u64, rows = report_rows(r, *at, at);

			result = add_columns(object, item + 1, columns) ||
				 add_page_rows(object, item + 1 + columns, rows, columns);
		} else if (!result) {
			result = json_object_set_new(object, "u", report_json_text(item->unit)) |
				 json_object_set_new(object, "v", report_json_value(item));
		}
		if (result)
			return -1;
	}
	return 0;
}

int report_write_html(const struct report *r, FILE *out, struct err *e)
{
	json_t *list = json_array();
	size_t at = 0;
	int result = 0;

	if (!list || add_page_items(r, &at, list)) {
		result = mem_short(e);
	} else {
		fputs(report_page_head, out);
		result = report_json_dump(list, out, JSON_COMPACT | JSON_ESCAPE_SLASH | JSON_REAL_PRECISION(12));
		fputs(report_page_tail, out);
		result = result && !ferror(out) ? mem_short(e) : out_check(out, "report", e);
	}
	json_decref(list);
	return result;
}
