#include "result.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "../base/input.h"
#include "../base/json_file.h"
#include "../base/mem.h"
#include "../base/renamed.h"
#include "page_file.h"

/* Refuses deeper trees: the walk is recursive, and reports of the suite are far flatter. */
enum { DEPTH_MAX = 32, NAME_MAX_BYTES = 1024, NAMED_ROWS_MAX = 10000 };

struct walk {
	struct result *result;
	const json_t *units;
	const char *file;
	size_t size;
	char name[NAME_MAX_BYTES];  /* of the present value */
	char plain[NAME_MAX_BYTES]; /* the same without the rows' names, as the units have it */
	struct err *e;
};

/* The name that a word of a report has, which may be of the last release. */
static const char *present_name(const char *word)
{
	const struct renamed *other = renamed_find(word, strlen(word));

	return other ? other->present : word;
}

static int result_add_value(struct walk *w, const json_t *v)
{
	struct result *r = w->result;
	struct result_value *value;
	const char *unit = json_string_value(json_object_get(w->units, w->plain));

	if (r->count == w->size) {
		size_t size = w->size ? 2 * w->size : 256;
		struct result_value *values = realloc(r->values, size * sizeof(*values));

		if (!values)
			return mem_short(w->e);
		r->values = values;
		w->size = size;
	}
	value = &r->values[r->count];
	*value = (struct result_value){.number = json_is_null(v) ? (double)NAN : json_number_value(v),
				       .unit = unit ? unit : ""};
	value->name = mem_copy_text(w->name, w->e);
	if (!value->name)
		return -1;
	r->count++;
	if (json_is_string(v))
		value->text = mem_copy_text(present_name(json_string_value(v)), w->e);
	else if (json_is_boolean(v))
		value->text = mem_copy_text(json_is_true(v) ? "true" : "false", w->e);
	return (json_is_string(v) || json_is_boolean(v)) && !value->text ? -1 : 0;
}

/* Appends ".part" to both names (`plain` only if `both`); saves the old lengths in `length`. */
static int result_enter(struct walk *w, const char *word, bool both, size_t length[2])
{
	char *names[2] = {w->name, w->plain};
	const char *const parts[2] = {present_name(word), word};

	for (int n = 0; n < 2; n++) {
		const char *part = parts[n];
		size_t old = length[n] = strlen(names[n]), more = strlen(part);

		if (n && !both)
			continue;
		if (old + more + 2 > NAME_MAX_BYTES)
			return err_set(w->e, STATUS_BAD_INPUT, "%s: name too long, expected at most %d bytes", w->file,
				       NAME_MAX_BYTES);
		if (old)
			names[n][old++] = '.';
		memcpy(names[n] + old, part, more + 1);
	}
	return 0;
}

static void result_leave(struct walk *w, const size_t length[2])
{
	w->name[length[0]] = w->plain[length[1]] = '\0';
}

/* Writes the name of a table's row: its first member, numbered where several rows share it. */
static void row_name(const json_t *table, size_t row, char *text, size_t size)
{
	json_t *first = json_object_iter_value(json_object_iter(json_array_get(table, row)));
	const char *name = json_string_value(first);
	unsigned same = 1;

	if (!name || json_array_size(table) > NAMED_ROWS_MAX) {
		snprintf(text, size, "%zu", row);
		return;
	}
	for (size_t n = 0; n < row; n++) {
		json_t *other = json_object_iter_value(json_object_iter(json_array_get(table, n)));

		same += json_is_string(other) && !strcmp(json_string_value(other), name);
	}
	if (same > 1)
		snprintf(text, size, "%s#%u", name, same);
	else
		snprintf(text, size, "%s", name);
}

static int result_walk(struct walk *w, json_t *v, unsigned depth);

static int walk_table(struct walk *w, json_t *v, unsigned depth)
{
	char part[NAME_MAX_BYTES];
	size_t length[2];

	for (size_t n = 0; n < json_array_size(v); n++) {
		row_name(v, n, part, sizeof(part));
		if (result_enter(w, part, false, length) || result_walk(w, json_array_get(v, n), depth + 1))
			return -1;
		result_leave(w, length);
	}
	return 0;
}

static int result_walk(struct walk *w, json_t *v, unsigned depth)
{
	size_t length[2];

	if (depth > DEPTH_MAX)
		return err_set(w->e, STATUS_BAD_INPUT, "%s: nesting too deep, expected at most %d levels", w->file,
			       DEPTH_MAX);
	if (json_is_array(v))
		return walk_table(w, v, depth);
	if (!json_is_object(v))
		return result_add_value(w, v);
	for (void *i = json_object_iter(v); i; i = json_object_iter_next(v, i)) {
		if (!depth && !strcmp(json_object_iter_key(i), "units"))
			continue;
		if (result_enter(w, json_object_iter_key(i), true, length) ||
		    result_walk(w, json_object_iter_value(i), depth + 1))
			return -1;
		result_leave(w, length);
	}
	return 0;
}

static int compare_names(const void *a, const void *b)
{
	const struct result_value *const *x = a, *const *y = b;

	return strcmp((*x)->name, (*y)->name);
}

/* Sorts pointers: qsort has no argument for the list of values. */
static int index_names(struct result *r, struct err *e)
{
	const struct result_value **sorted = mem_alloc(r->count + 1, sizeof(const struct result_value *), e);

	r->by_name = mem_alloc(r->count + 1, sizeof(*r->by_name), e);
	if (!sorted || !r->by_name) {
		free(sorted);
		return -1;
	}
	for (size_t n = 0; n < r->count; n++)
		sorted[n] = &r->values[n];
	qsort(sorted, r->count, sizeof(const struct result_value *), compare_names);
	for (size_t n = 0; n < r->count; n++)
		r->by_name[n] = (size_t)(sorted[n] - r->values);
	free(sorted);
	return 0;
}

/* Reads JSON, or a page, which begins with a '<'. */
static json_t *result_load(const char *path, struct err *e)
{
	FILE *file = input_open(path);
	json_t *json;
	int first;

	if (!file) {
		err_set(e, err_errno(STATUS_BAD_INPUT), "%s: cannot open: %s", path, strerror(errno));
		return NULL;
	}
	first = getc(file);
	if (first != EOF)
		ungetc(first, file);
	json = first == '<' ? page_file_read(file, path, e) : json_file_load(file, path, "a report", e);
	fclose(file);
	return json;
}

int result_read(struct result *r, const char *path, struct err *e)
{
	struct walk w = {.result = r, .file = path, .e = e};

	*r = (struct result){0};
	r->json = result_load(path, e);
	if (!r->json)
		return -1;
	w.units = json_object_get(r->json, "units");
	if (result_walk(&w, r->json, 0) < 0)
		return -1;
	return index_names(r, e);
}

void result_finish(struct result *r)
{
	for (size_t n = 0; n < r->count; n++) {
		free(r->values[n].name);
		free(r->values[n].text);
	}
	free(r->values);
	free(r->by_name);
	json_decref(r->json);
	*r = (struct result){0};
}

const struct result_value *result_find(const struct result *r, const char *name)
{
	size_t low = 0, high = r->count;

	while (low < high) {
		size_t mid = low + (high - low) / 2;
		const struct result_value *v = &r->values[r->by_name[mid]];
		int order = strcmp(v->name, name);

		if (!order)
			return v;
		if (order < 0)
			low = mid + 1;
		else
			high = mid;
	}
	return NULL;
}
