/* Reads model files (docs/formats/model-format.md): JSON, parsed by jansson, every member checked. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "../../psim/base/json_file.h"
#include "../../psim/base/mem.h"
#include "model_parts.h"

static int model_read_wrong(struct err *e, const char *path, const char *name, const char *expected)
{
	return err_set(e, STATUS_BAD_INPUT, "%s: %s: expected %s", path, name, expected);
}

static int take_number(const json_t *object, const char *name, double *value, const char *path, struct err *e)
{
	const json_t *v = json_object_get(object, name);

	if (!json_is_number(v) || !isfinite(json_number_value(v)))
		return model_read_wrong(e, path, name, "a number");
	*value = json_number_value(v);
	return 0;
}

static int take_text(const json_t *object, const char *name, char *text, size_t size, const char *path, struct err *e)
{
	const char *v = json_string_value(json_object_get(object, name));

	if (!v || strlen(v) >= size)
		return model_read_wrong(e, path, name, "a text of at most 127 bytes");
	strcpy(text, v);
	return 0;
}

/* Reads an optional number, which may be null. */
static int take_error(const json_t *head, const char *name, double *error, const char *path, struct err *e)
{
	const json_t *v = json_object_get(head, name);

	if (!v || json_is_null(v))
		return 0;
	if (take_number(head, name, error, path, e) < 0)
		return -1;
	return *error >= 0 ? 0 : model_read_wrong(e, path, name, "a number, 0 or more");
}

static int take_head(struct model *m, const json_t *head, int *kind, const char *path, struct err *e)
{
	char format[MODEL_TEXT_MAX];
	double version = 0;

	if (!json_is_object(head) || take_text(head, "format", format, sizeof(format), path, NULL) < 0 ||
	    strcmp(format, MODEL_FORMAT_NAME) != 0)
		return model_read_wrong(e, path, "model.format",
					"\"" MODEL_FORMAT_NAME "\": is this a model of psim-fit?");
	if (take_number(head, "version", &version, path, e) < 0)
		return -1;
	if (version != MODEL_FORMAT_ONE_SUM && version != MODEL_FORMAT_SUMS && version != MODEL_FORMAT_TABLE)
		return err_set(e, STATUS_BAD_INPUT, "%s: version: model of version %g, expected %d to %d", path,
			       version, MODEL_FORMAT_ONE_SUM, MODEL_FORMAT_TABLE);
	*kind = (int)version;
	if (take_text(head, "value", m->value_name, sizeof(m->value_name), path, e) < 0 ||
	    take_text(head, "unit", m->unit, sizeof(m->unit), path, e) < 0 ||
	    take_number(head, "max_error", &m->max_error, path, e) < 0)
		return -1;
	m->error_inside = m->error_outside = m->max_error;
	m->errors = 1; /* before there was a number */
	if (take_error(head, "error_inside", &m->error_inside, path, e) < 0 ||
	    take_error(head, "error_outside", &m->error_outside, path, e) < 0 ||
	    take_error(head, "errors", &m->errors, path, e) < 0)
		return -1;
	if (!json_is_number(json_object_get(head, "error_inside")) ||
	    !json_is_number(json_object_get(head, "error_outside")))
		m->errors = 0;
	return m->max_error >= 0 ? 0 : model_read_wrong(e, path, "max_error", "a number, 0 or more");
}

static int take_variables(struct model *m, const json_t *table, const char *path, struct err *e)
{
	size_t count = json_array_size(table);

	if (!count)
		return model_read_wrong(e, path, "variables", "a table of at least one row");
	for (size_t i = 0; i < count; i++) {
		const json_t *row = json_array_get(table, i);
		char name[MODEL_TEXT_MAX];

		if (take_text(row, "variable", name, sizeof(name), path, e) < 0)
			return -1;
		if (variables_add(&m->variables, name, strlen(name), e) < 0) {
			e->status = STATUS_BAD_INPUT;
			return err_prefix(e, "%s: variables", path);
		}
		if (take_number(row, "from", &m->from[i], path, e) < 0 ||
		    take_number(row, "to", &m->to[i], path, e) < 0)
			return -1;
		if (m->from[i] > m->to[i])
			return model_read_wrong(e, path, "variables", "'from' not above 'to'");
	}
	return 0;
}

/* Reads the sum of a row: that of the row before, or the next one. A row of version 1 has none. */
static int take_sum(struct model *m, const json_t *row, bool several, const char *path, struct err *e)
{
	double sum = 1;

	if (!several && json_object_get(row, "sum"))
		return model_read_wrong(e, path, "sum", "version 2, which has several sums");
	if (several && take_number(row, "sum", &sum, path, e) < 0)
		return -1;
	if (sum < 1 || (sum != m->sums && sum != m->sums + 1))
		return model_read_wrong(e, path, "sum", "numbers from 1 on, each behind the one before it");
	if (sum > MODEL_SUMS_MAX)
		return model_read_wrong(e, path, "sum", "at most 3 sums");
	m->sums = (unsigned)sum;
	if (m->count - m->first[m->sums - 1] == MODEL_TERMS_MAX)
		return model_read_wrong(e, path, "terms", "at most 12 rows of a sum");
	m->first[m->sums] = ++m->count;
	return 0;
}

static int take_terms(struct model *m, const json_t *table, bool several, const char *path, struct err *e)
{
	size_t count = json_array_size(table);

	if (!count || (!several && count > MODEL_TERMS_MAX))
		return model_read_wrong(e, path, "terms", "a table of 1 to 12 rows");
	for (size_t i = 0; i < count; i++) {
		const json_t *row = json_array_get(table, i);
		char text[MODEL_TEXT_MAX];

		if (take_sum(m, row, several, path, e) < 0 || take_text(row, "term", text, sizeof(text), path, e) < 0 ||
		    take_number(row, "coefficient", &m->coefficient[i], path, e) < 0)
			return -1;
		if (term_read(&m->terms[i], text, &m->variables, e) < 0) {
			e->status = STATUS_BAD_INPUT;
			return err_prefix(e, "%s: terms", path);
		}
	}
	return 0;
}

/* Reads one row of what the model says besides its value. */
static int take_quantity(struct model *m, const json_t *row, const char *path, struct err *e)
{
	char name[MODEL_TEXT_MAX], text[MODEL_TEXT_MAX];
	unsigned q = 0;
	struct quantity *x;

	if (take_text(row, "quantity", name, sizeof(name), path, e) < 0 ||
	    take_text(row, "term", text, sizeof(text), path, e) < 0)
		return -1;
	while (q < MODEL_QUANTITIES && strcmp(name, model_quantity_name(q)) != 0)
		q++;
	if (q == MODEL_QUANTITIES)
		return model_read_wrong(e, path, "quantities", "energy or memory");
	x = &m->quantity[q];
	if (x->count == MODEL_TERMS_MAX)
		return model_read_wrong(e, path, "quantities", "at most 12 rows of one");
	if (take_number(row, "coefficient", &x->coefficient[x->count], path, e) < 0)
		return -1;
	if (term_read(&x->terms[x->count], text, &m->variables, e) < 0) {
		e->status = STATUS_BAD_INPUT;
		return err_prefix(e, "%s: quantities", path);
	}
	x->count++;
	return 0;
}

/* The table is optional. */
static int take_quantities(struct model *m, const json_t *table, const char *path, struct err *e)
{
	for (size_t i = 0; i < json_array_size(table); i++)
		if (take_quantity(m, json_array_get(table, i), path, e) < 0)
			return -1;
	return 0;
}

/* Reads rows of the sizes, as x1, x2 …, and the value. */
static int take_knots(struct model *m, const json_t *table, const char *path, struct err *e)
{
	static const char *const names[MODEL_VARIABLES_MAX] = {"x1", "x2", "x3", "x4"};
	size_t count = json_array_size(table);
	struct knot *knots;
	int ret = 0;

	if (count < 2 || count > KNOTS_MAX)
		return model_read_wrong(e, path, "knots", "a table of 2 to 65536 rows");
	knots = mem_alloc(count, sizeof(*knots), e);
	if (!knots)
		return -1;
	for (size_t i = 0; i < count && ret == 0; i++) {
		const json_t *row = json_array_get(table, i);

		ret = take_number(row, "value", &knots[i].value, path, e);
		for (unsigned v = 0; v < m->variables.count && ret == 0; v++)
			ret = take_number(row, names[v], &knots[i].at[v], path, e);
	}
	if (ret == 0) {
		m->sums = 1;
		m->lookup = lookup_create(knots, (unsigned)count, m->variables.count, e);
		ret = m->lookup ? 0 : err_prefix(e, "%s: knots", path);
	}
	free(knots);
	return ret;
}

/* Reads the names of warnings, each once, as many as there is room for; the table is optional. */
static int take_doubts(struct model *m, const json_t *table, const char *path, struct err *e)
{
	for (size_t i = 0; i < json_array_size(table); i++) {
		char text[MODEL_TEXT_MAX];
		size_t at = strlen(m->doubts);

		if (take_text(json_array_get(table, i), "warning", text, sizeof(text), path, e) < 0)
			return -1;
		if (!strstr(m->doubts, text) && at + strlen(text) + 3 <= sizeof(m->doubts))
			snprintf(m->doubts + at, sizeof(m->doubts) - at, "%s%s", at ? "; " : "", text);
	}
	return 0;
}

static int take_model(struct model *m, const json_t *json, const char *path, struct err *e)
{
	int kind = 0;

	if (take_head(m, json_object_get(json, "model"), &kind, path, e) < 0 ||
	    take_variables(m, json_object_get(json, "variables"), path, e) < 0 ||
	    take_quantities(m, json_object_get(json, "quantities"), path, e) < 0 ||
	    take_doubts(m, json_object_get(json, "warnings"), path, e) < 0)
		return -1;
	if (kind == MODEL_FORMAT_TABLE)
		return take_knots(m, json_object_get(json, "knots"), path, e);
	return take_terms(m, json_object_get(json, "terms"), kind == MODEL_FORMAT_SUMS, path, e);
}

struct model *model_read(const char *path, struct err *e)
{
	struct err own;
	struct model *m;
	json_t *json;

	e = e ? e : &own; /* needs the message, to add to it */
	json = json_file_read(path, "a model", e);
	if (!json)
		return NULL;
	m = mem_alloc(1, sizeof(*m), e);
	if (m && take_model(m, json, path, e) < 0) {
		model_destroy(m);
		m = NULL;
	}
	json_decref(json);
	return m;
}
