/*
 * The report as JSON: groups are objects, tables arrays of objects, values
 * plain numbers and strings (null where not finite), in the order in which
 * they were given; "units" at the end maps "group.name" to the unit.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../escape.h"
#include "../mem.h"
#include "out.h"
#include "report_json.h"
#include "report_tree.h"

json_t *report_json_text(const char *text)
{
	json_t *v;
	char *copy;

	errno = 0;
	v = json_string(text);
	if (v || errno == ENOMEM)
		return v;
	copy = mem_copy_text(text, NULL);
	if (!copy)
		return NULL;
	for (char *c = copy; *c;) {
		bool plain;
		size_t length = escape_length(c, &plain);

		if (!plain && length == 1 && *c & 0x80)
			*c = '?';
		c += length;
	}
	v = json_string(copy);
	free(copy);
	return v;
}

/* jansson has made ASCII of it; what is left are the characters with a meaning in HTML, and DEL. */
static int put_json(const char *text, size_t size, void *user)
{
	FILE *out = user;

	for (size_t n = 0; n < size; n++) {
		if (strchr("<>&\x7f", text[n]) && text[n])
			fprintf(out, "\\u%04x", (unsigned)text[n]);
		else
			fputc(text[n], out);
	}
	return 0;
}

int report_json_dump(const json_t *root, FILE *out, size_t flags)
{
	return json_dump_callback(root, put_json, out, flags | JSON_ENSURE_ASCII);
}

json_t *report_json_value(const struct report_item *item)
{
	if (item->kind == ITEM_TEXT)
		return report_json_text(item->value.text);
	if (item->kind == ITEM_U64 && item->value.u64 <= INT64_MAX)
		return json_integer((json_int_t)item->value.u64);
	if (item->kind == ITEM_U64) /* beyond the integers of most JSON readers, jansson's among them */
		return json_real((double)item->value.u64);
	return isfinite(item->value.f64) ? json_real(item->value.f64) : json_null();
}

/* Takes ownership of `value`. 0, or -1 where memory is short (value may be NULL then). */
static int set_member(json_t *object, const char *name, json_t *value)
{
	if (json_object_get(object, name))
		bug("the report has two values named %s in one group", name);
	return json_object_set_new(object, name, value);
}

static int note_unit(json_t *units, const struct report_path *path, const struct report_item *item)
{
	char name[1200];

	if (!*item->unit)
		return 0;
	snprintf(name, sizeof(name), "%s%s%s", path->text, *path->text ? "." : "", item->name);
	return json_object_set_new(units, name, report_json_text(item->unit));
}

static int add_table(const struct report *r, size_t *at, json_t *object, json_t *units, struct report_path *path)
{
	const struct report_item *table = &r->items.at[*at], *columns = table + 1, *cell;
	size_t count = (size_t)table->value.u64, rows = report_rows(r, *at, at);
	json_t *array = json_array();
	int result = set_member(object, table->name, array);

	cell = columns + count;
	report_path_enter(path, table->name);
	for (size_t c = 0; c < count; c++)
		result |= note_unit(units, path, &columns[c]);
	report_path_leave(path);
	for (size_t row = 0; row < rows && !result; row++) {
		json_t *line = json_object();

		result = json_array_append_new(array, line);
		for (size_t c = 0; c < count && !result; c++)
			result = set_member(line, columns[c].name, report_json_value(cell++));
	}
	return result;
}

/* Fills `object` from the items at `*at` up to its end. */
static int add_items(const struct report *r, size_t *at, json_t *object, json_t *units, struct report_path *path)
{
	for (; *at < r->items.count; ++*at) {
		const struct report_item *item = &r->items.at[*at];
		int result = 0;

		if (item->kind == ITEM_END) {
			return 0;
		} else if (item->kind == ITEM_GROUP) {
			json_t *group = json_object();

			result = set_member(object, item->name, group);
			++*at;
			report_path_enter(path, item->name);
			if (!result)
				result = add_items(r, at, group, units, path);
			report_path_leave(path);
		} else if (item->kind == ITEM_TABLE) {
			result = add_table(r, at, object, units, path);
		} else {
			result = note_unit(units, path, item) | set_member(object, item->name, report_json_value(item));
		}
		if (result)
			return result;
	}
	return 0;
}

int report_write_json(const struct report *r, FILE *out, struct err *e)
{
	struct report_path path = {.depth = 0};
	json_t *root = json_object(), *units = json_object();
	size_t at = 0;
	int result;

	if (!root || !units || add_items(r, &at, root, units, &path) || set_member(root, "units", json_incref(units))) {
		result = mem_short(e);
	} else {
		result = report_json_dump(root, out, JSON_INDENT(1) | JSON_REAL_PRECISION(17));
		fputc('\n', out);
		if (result && !ferror(out))
			result = mem_short(e); /* replacement text too: text that is not UTF-8 is gone by now */
		else
			result = out_check(out, "report", e);
	}
	json_decref(units);
	json_decref(root);
	return result;
}
