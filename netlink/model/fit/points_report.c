/* Reads points from psim's JSON reports. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <jansson.h>

#include "../../../psim/base/json_file.h"
#include "../../../psim/base/mem.h"
#include "../../../psim/base/near.h"
#include "points.h"

/* A report from which a point is being read. */
struct taking {
	const char *file;
	json_t *json;
	struct err *e;
};

/*
 * Returns the row of a table whose first member is `name`, NULL if there is none; offers all names
 * to `near`.
 */
static json_t *points_report_find_row(json_t *table, const char *name, struct near *near)
{
	json_t *row;
	size_t i;

	json_array_foreach(table, i, row)
	{
		const char *first = json_string_value(json_object_iter_value(json_object_iter(row)));

		if (first && !strcmp(first, name))
			return row;
		if (first)
			near_offer(near, first);
	}
	return NULL;
}

static int points_report_missing(const struct taking *t, const char *what, const struct near *near)
{
	return err_set(t->e, STATUS_BAD_INPUT, "%s: the report has no %s '%s'%s%s%s", t->file, what, near->word,
		       near->best ? ", did you mean " : "", near->best ? near->best : "", near->best ? "?" : "");
}

static int points_report_find_region(const struct taking *t, const struct points_choice *choice, json_t **value)
{
	struct near near = near_start(choice->region), column = near_start(choice->value);
	json_t *row = points_report_find_row(json_object_get(t->json, "regions"), choice->region, &near);
	const char *name;
	json_t *v;

	if (!row)
		return points_report_missing(t, "region", &near);
	json_object_foreach(row, name, v) near_offer(&column, name);
	*value = json_object_get(row, choice->value);
	return *value ? 0 : points_report_missing(t, "column of regions", &column);
}

/* Finds a value by its path, "core.seconds". */
static int points_report_find_path(const struct taking *t, const char *path, json_t **value)
{
	char part[MODEL_TEXT_MAX];
	json_t *v = t->json;

	for (const char *at = path;; at++) {
		size_t length = strcspn(at, ".");
		struct near near;
		const char *name;
		json_t *other;

		snprintf(part, sizeof(part), "%.*s", (int)(length < 1000 ? length : 1000), at);
		near = near_start(part);
		json_object_foreach(v, name, other) near_offer(&near, name);
		v = json_object_get(v, part);
		if (!v)
			return points_report_missing(t, "value", &near);
		at += length;
		if (!*at)
			break;
	}
	*value = v;
	return 0;
}

/* Compares configurations; names the first difference, "core.rob_entries": "64" here and "128" there. */
static int compare_config(struct points *p, const struct points_choice *choice, const struct taking *t, json_t *config)
{
	const char *group, *name, *differs = NULL;
	json_t *values, *value;
	char parameter[MODEL_TEXT_MAX] = "config";

	if (json_equal(p->config, config))
		return 0;
	json_object_foreach(p->config, group, values)
	{
		json_object_foreach(values, name, value)
		{
			const char *here = json_string_value(json_object_get(json_object_get(config, group), name));

			if (differs || (here && json_is_string(value) && !strcmp(here, json_string_value(value))))
				continue;
			differs = here ? here : "missing";
			snprintf(parameter, sizeof(parameter), "%s.%s", group, name);
		}
	}
	if (!choice->mixed_config)
		return err_set(
			t->e, STATUS_BAD_INPUT,
			"%s: %s is %s, expected the configuration of the first report (--mixed-config accepts any)",
			t->file, parameter, differs ? differs : "another");
	if (!p->config_mixed)
		snprintf(p->config_difference, sizeof(p->config_difference), "%s", parameter);
	p->config_mixed = true;
	return 0;
}

static int take_origin(struct points *p, const struct points_choice *choice, const struct taking *t,
		       struct point *point)
{
	const json_t *run = json_object_get(t->json, "run"), *trace = json_object_get(t->json, "trace");
	const char *program = json_string_value(json_object_get(run, "program"));
	const char *version = json_string_value(json_object_get(run, "version"));
	const char *checksum = json_string_value(json_object_get(trace, "checksum"));
	const char *complete = json_string_value(json_object_get(trace, "complete"));
	json_t *config = json_object_get(t->json, "config");
	char text[2 * MODEL_TEXT_MAX] = "";

	if (complete && strcmp(complete, "yes") != 0)
		return err_set(t->e, STATUS_BAD_INPUT,
			       "%s: trace.complete is '%s', expected a run that was simulated to its end", t->file,
			       complete);
	if (program && version)
		snprintf(text, sizeof(text), "%s %s", program, version);
	point->file = mem_copy_text(t->file, t->e);
	point->program = mem_copy_text(text, t->e);
	point->checksum = mem_copy_text(checksum ? checksum : "", t->e);
	if (!point->file || !point->program || !point->checksum)
		return -1;
	if (config && p->config)
		return compare_config(p, choice, t, config);
	p->config = config ? json_incref(config) : p->config;
	return 0;
}

/* Takes how much data the caches have fetched: accesses of L2 are misses of L1D, and its misses go to memory. */
static void take_fetched(const struct taking *t, struct point *point)
{
	const json_t *l2 = json_object_get(json_object_get(t->json, "memory"), "l2");
	const json_t *config = json_object_get(json_object_get(t->json, "config"), "l2");
	const char *bytes = json_string_value(json_object_get(config, "line_bytes"));
	double kib = bytes ? strtod(bytes, NULL) / 1024 : 0;

	point->fetched_kib[0] = kib * json_number_value(json_object_get(l2, "data_accesses"));
	point->fetched_kib[1] = kib * json_number_value(json_object_get(l2, "data_misses"));
}

static int take_value(struct points *p, const struct points_choice *choice, const struct taking *t, double *result)
{
	const json_t *units = json_object_get(t->json, "units");
	const char *value = choice->value ? choice->value : "core.seconds", *unit;
	char name[MODEL_TEXT_MAX], plain[MODEL_TEXT_MAX];
	json_t *v = NULL;

	if (choice->region) {
		struct points_choice c = {.region = choice->region, .value = choice->value ? choice->value : "seconds"};

		if (points_report_find_region(t, &c, &v) < 0)
			return -1;
		snprintf(name, sizeof(name), "regions.%s.%s", c.region, c.value);
		snprintf(plain, sizeof(plain), "regions.%s", c.value);
	} else {
		if (points_report_find_path(t, value, &v) < 0)
			return -1;
		snprintf(name, sizeof(name), "%s", value);
		snprintf(plain, sizeof(plain), "%s", value);
	}
	if (!json_is_number(v) || !isfinite(json_number_value(v)))
		return err_set(t->e, STATUS_BAD_INPUT, "%s: %s: expected a finite number", t->file, name);
	unit = json_string_value(json_object_get(units, plain));
	snprintf(p->value_name, sizeof(p->value_name), "%s", name);
	snprintf(p->unit, sizeof(p->unit), "%s", unit ? unit : "");
	*result = json_number_value(v);
	return 0;
}

int points_add(struct points *p, const struct points_choice *choice, const double *values, const char *file,
	       struct err *e)
{
	struct taking t = {.file = file, .e = e};
	struct point *point = vec_push(&p->list, e);
	int ret;

	if (!point)
		return -1;
	*point = (struct point){0};
	memcpy(point->values, values, sizeof(point->values));
	t.json = json_file_read(file, "a report", e);
	ret = t.json ? 0 : -1;
	if (ret == 0)
		ret = take_value(p, choice, &t, &point->result);
	if (ret == 0)
		ret = take_origin(p, choice, &t, point);
	if (ret == 0)
		take_fetched(&t, point);
	json_decref(t.json);
	return ret;
}
