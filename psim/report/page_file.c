#include "page_file.h"

#include <stdlib.h>
#include <string.h>

#include "../base/mem.h"

/* The line of a page that has its data. */
static const char page_mark[] = "const report = ";

/* Deeper trees are refused: the walk is recursive. */
enum { PAGE_DEPTH_MAX = 32, PAGE_PATH_BYTES = 512 };

struct page {
	const char *path;
	json_t *units;
	char at[PAGE_PATH_BYTES]; /* of the present group */
	struct err *e;
};

static int page_damaged(const struct page *p, const char *what)
{
	return err_set(p->e, STATUS_BAD_INPUT, "%s: damaged page: %s%s%s, expected a page as --html writes it", p->path,
		       p->at, *p->at ? ": " : "", what);
}

/* Sets the unit of the value or column `name` of the present group. */
static int page_unit(struct page *p, const char *name, const json_t *unit)
{
	char path[2 * PAGE_PATH_BYTES + 2];
	const char *text = json_string_value(unit);

	if (!text || !*text)
		return 0;
	snprintf(path, sizeof(path), "%s%s%.*s", p->at, *p->at ? "." : "", PAGE_PATH_BYTES, name);
	return json_object_set_new(p->units, path, json_string(text)) < 0 ? mem_short(p->e) : 0;
}

/* Adds ".name" to the present path. Its old length, or -1: the name is too long. */
static int page_enter(struct page *p, const char *name)
{
	size_t old = strlen(p->at);

	if (old + strlen(name) + 2 > PAGE_PATH_BYTES)
		return page_damaged(p, "a name is too long");
	snprintf(p->at + old, PAGE_PATH_BYTES - old, "%s%s", old ? "." : "", name);
	return (int)old;
}

static int page_row(struct page *p, const json_t *columns, const json_t *cells, json_t *row)
{
	for (size_t c = 0; c < json_array_size(columns); c++) {
		const char *name = json_string_value(json_array_get(json_array_get(columns, c), 0));
		json_t *cell = json_array_get(cells, c);

		if (!name || !cell)
			return page_damaged(p, "a row without a cell for each column");
		if (json_object_set(row, name, cell) < 0)
			return mem_short(p->e);
	}
	return 0;
}

/* Adds the rows of the item, a table, to `table`. */
static int page_table(struct page *p, const json_t *item, json_t *table)
{
	const json_t *columns = json_object_get(item, "c"), *rows = json_object_get(item, "r");

	if (!json_is_array(columns) || !json_is_array(rows))
		return page_damaged(p, "a table without columns or rows");
	for (size_t c = 0; c < json_array_size(columns); c++) {
		const json_t *column = json_array_get(columns, c);
		const char *name = json_string_value(json_array_get(column, 0));

		if (!name)
			return page_damaged(p, "a column without a name");
		if (page_unit(p, name, json_array_get(column, 1)) < 0)
			return -1;
	}
	for (size_t n = 0; n < json_array_size(rows); n++) {
		json_t *row = json_object();

		if (json_array_append_new(table, row) < 0)
			return mem_short(p->e);
		if (page_row(p, columns, json_array_get(rows, n), row) < 0)
			return -1;
	}
	return 0;
}

static int page_items(struct page *p, const json_t *items, json_t *into, unsigned depth);

/* Adds a group or table, whose name is `name`, to `into`. */
static int page_inner(struct page *p, const json_t *item, const char *name, json_t *into, unsigned depth)
{
	const json_t *inner = json_object_get(item, "i");
	json_t *made = inner ? json_object() : json_array();
	int old, ret;

	if (json_object_set_new(into, name, made) < 0)
		return mem_short(p->e);
	old = page_enter(p, name);
	if (old < 0)
		return -1;
	ret = inner ? page_items(p, inner, made, depth + 1) : page_table(p, item, made);
	if (ret == 0)
		p->at[old] = '\0';
	return ret;
}

static int page_items(struct page *p, const json_t *items, json_t *into, unsigned depth)
{
	if (!json_is_array(items) || depth > PAGE_DEPTH_MAX)
		return page_damaged(p, depth > PAGE_DEPTH_MAX ? "groups too deep" : "a group without items");
	for (size_t n = 0; n < json_array_size(items); n++) {
		const json_t *item = json_array_get(items, n);
		const char *name = json_string_value(json_object_get(item, "n"));
		json_t *value = json_object_get(item, "v");

		if (!name)
			return page_damaged(p, "an item without a name");
		if (json_object_get(item, "i") || json_object_get(item, "c")) {
			if (page_inner(p, item, name, into, depth) < 0)
				return -1;
		} else if (!value || json_is_array(value) || json_is_object(value)) {
			return page_damaged(p, "a value that is neither number nor text");
		} else if (json_object_set(into, name, value) < 0 ||
			   page_unit(p, name, json_object_get(item, "u")) < 0) {
			return mem_short(p->e);
		}
	}
	return 0;
}

/* Returns the data of the page as it is written, or NULL: there is none. */
static json_t *page_data(FILE *file, const char *path, struct err *e)
{
	json_t *items = NULL;
	json_error_t error;
	char *line = NULL;
	size_t size = 0;
	ssize_t length;

	while ((length = getline(&line, &size, file)) >= 0 && strncmp(line, page_mark, strlen(page_mark)) != 0) {
	}
	if (length < 0) {
		err_set(e, STATUS_BAD_INPUT, "%s: a page without a report, expected a page of --html or JSON of --json",
			path);
	} else {
		items = json_loadb(line + strlen(page_mark), (size_t)length - strlen(page_mark),
				   JSON_REJECT_DUPLICATES | JSON_DISABLE_EOF_CHECK, &error);
		if (!items)
			err_set(e, STATUS_BAD_INPUT,
				"%s: damaged page: not JSON: %s, expected a page as --html writes it", path,
				error.text);
	}
	free(line);
	return items;
}

json_t *page_file_read(FILE *file, const char *path, struct err *e)
{
	json_t *items = page_data(file, path, e), *made;
	struct page p = {.path = path, .e = e};

	if (!items)
		return NULL;
	made = json_object();
	p.units = json_object();
	if (json_object_set_new(made, "units", p.units) < 0)
		mem_short(e);
	else if (page_items(&p, items, made, 0) == 0) {
		json_decref(items);
		return made;
	}
	json_decref(items);
	json_decref(made);
	return NULL;
}
