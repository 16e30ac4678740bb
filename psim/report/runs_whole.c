/* Adds to a page what it draws of each of several runs of systems. */
#include <math.h>
#include <stdio.h>

#include <jansson.h>

#include "compare.h"

/* Groups and tables that a page draws, and how many rows it needs of each; 0: all. */
static const struct {
	const char *name;
	unsigned rows;
} whole_drawn[] = {
	{"program", 0},  {"network", 0},           {"bounds", 0},      {"waiting", 0},
	{"waits", 1},    {"link_use", 0},          {"power", 0},       {"power_parts", 0},
	{"timeline", 0}, {"series_throughput", 0}, {"series_busy", 0}, {"series_power", 0},
};

/* Deeper groups are left out: those that are drawn have two levels. */
enum { WHOLE_DEPTH_MAX = 4, WHOLE_COLUMNS_MAX = 64, WHOLE_PATH_BYTES = 256 };

/* The unit of `name` below `path` in the report `units` are of. */
static const char *whole_unit(const json_t *units, const char *path, const char *name)
{
	char text[2 * WHOLE_PATH_BYTES];
	const char *unit;

	snprintf(text, sizeof(text), "%.*s.%.*s", WHOLE_PATH_BYTES, path, WHOLE_PATH_BYTES - 2, name);
	unit = json_string_value(json_object_get(units, text));
	return unit ? unit : "";
}

static void whole_cell(const json_t *cell, struct report *r)
{
	if (json_is_string(cell))
		report_cell_text(r, json_string_value(cell));
	else if (json_is_integer(cell) && json_integer_value(cell) >= 0)
		report_cell_u64(r, (uint64_t)json_integer_value(cell));
	else
		report_cell_f64(r, json_is_number(cell) ? json_number_value(cell) : (double)NAN);
}

/* Adds a table: its columns are the members of its first row. */
static void whole_table(json_t *table, const char *name, const char *path, const json_t *units, size_t most,
			struct report *r)
{
	json_t *first = json_array_get(table, 0);
	struct report_column columns[WHOLE_COLUMNS_MAX];
	unsigned count = 0;

	for (void *i = json_object_iter(first); i && count < WHOLE_COLUMNS_MAX; i = json_object_iter_next(first, i)) {
		const char *column = json_object_iter_key(i);

		columns[count++] = (struct report_column){column, whole_unit(units, path, column)};
	}
	if (!count)
		return;
	report_table(r, name, "", columns, count);
	for (size_t row = 0; row < json_array_size(table) && (!most || row < most); row++)
		for (unsigned c = 0; c < count; c++)
			whole_cell(json_object_get(json_array_get(table, row), columns[c].name), r);
	report_table_end(r);
}

static void whole_value(const json_t *value, const char *name, const char *unit, struct report *r)
{
	if (json_is_string(value))
		report_text(r, name, json_string_value(value), "");
	else if (json_is_integer(value) && json_integer_value(value) >= 0)
		report_u64(r, name, (uint64_t)json_integer_value(value), unit, "");
	else if (json_is_number(value))
		report_f64(r, name, json_number_value(value), unit, "");
}

/* Adds the item `name`, whose path is `path`. */
static void whole_item(json_t *item, const char *name, const char *path, const json_t *units, size_t most,
		       unsigned depth, struct report *r)
{
	if (json_is_array(item))
		whole_table(item, name, path, units, most, r);
	if (!json_is_object(item) || depth > WHOLE_DEPTH_MAX)
		return;
	report_group(r, name, "");
	for (void *i = json_object_iter(item); i; i = json_object_iter_next(item, i)) {
		const char *inner = json_object_iter_key(i);
		json_t *value = json_object_iter_value(i);
		char deeper[2 * WHOLE_PATH_BYTES];

		snprintf(deeper, sizeof(deeper), "%.*s.%.*s", WHOLE_PATH_BYTES, path, WHOLE_PATH_BYTES - 2, inner);
		if (json_is_array(value) || json_is_object(value))
			whole_item(value, inner, deeper, units, 0, depth + 1, r);
		else
			whole_value(value, inner, whole_unit(units, path, inner), r);
	}
	report_end(r);
}

void compare_runs_whole(const struct result *x, unsigned count, char *const *files, struct report *r)
{
	char letter[] = "a";

	for (unsigned n = 0; n < count; n++, letter[0]++) {
		const json_t *report = x[n].json, *units = json_object_get(report, "units");

		report_group(r, letter, files[n]);
		for (size_t i = 0; i < sizeof(whole_drawn) / sizeof(whole_drawn[0]); i++)
			whole_item(json_object_get(report, whole_drawn[i].name), whole_drawn[i].name,
				   whole_drawn[i].name, units, whole_drawn[i].rows, 0, r);
		report_end(r);
	}
}
