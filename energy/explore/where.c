#include "where.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "point_kind.h"

static const struct {
	const char *text;
	enum where_op op;
} ops[] = {
	{"<=", WHERE_AT_MOST}, {">=", WHERE_AT_LEAST}, {"<", WHERE_LESS}, {">", WHERE_MORE}, {"=", WHERE_IS},
};

/* A parameter's value as a number; NaN if it is none. */
static double where_number_of(const struct param *p, const char *text)
{
	double v;

	return values_number(p, text, &v) ? v : (double)NAN;
}

static int find_param(const struct study *s, const char *name, size_t length, struct where *w)
{
	for (w->param = 0; w->param < study_param_count(s); w->param++) {
		const struct param *p = study_param(s, w->param)->param;
		size_t section = strlen(p->section);

		if (length == section + 1 + strlen(p->key) && !strncmp(name, p->section, section) &&
		    name[section] == '.' && !strncmp(name + section + 1, p->key, length - section - 1))
			return 0;
	}
	return -1;
}

static int find_name(const struct study *s, const char *name, size_t length, struct where *w)
{
	w->column = column_find(s->kind, name, length);
	return w->column >= 0 ? 0 : find_param(s, name, length, w);
}

/* Reads a value of a parameter with the study's syntax, so that 32 KiB is 32768. */
static int param_value(const struct study *s, const char *value, struct where *w, struct err *e)
{
	const struct param *p = study_param(s, w->param)->param;
	struct values read = {0};
	int ret = values_read(p, value, true, &read, e);

	if (ret == 0 && read.count != 1)
		ret = err_set(e, STATUS_USAGE, "%zu values, expected one", read.count);
	if (ret == 0)
		snprintf(w->text, sizeof(w->text), "%s", read.at[0]);
	values_finish(&read);
	if (ret < 0)
		return -1;
	w->value = where_number_of(p, w->text);
	if (w->op != WHERE_IS && isnan(w->value))
		return err_set(e, STATUS_USAGE, "%s.%s is not ordered, expected =", p->section, p->key);
	return 0;
}

/* Reads a number in the column's unit, or in one of the same kind: "250", "1 ms". */
static int column_value(const struct study *s, const char *value, struct where *w, struct err *e)
{
	static const struct {
		const char *unit;
		double factor;
	} prefixes[] = {
		{"", 1}, {"m", 1e-3}, {"u", 1e-6}, {"n", 1e-9}, {"p", 1e-12}, {"k", 1e3}, {"M", 1e6}, {"G", 1e9},
	};
	const char *unit = point_column_unit(s->kind, (unsigned)w->column);
	char *end, with_prefix[40];

	w->value = strtod(value, &end);
	if (end == value || !isfinite(w->value))
		return err_set(e, STATUS_USAGE, "expected a number in %s", unit);
	end += strspn(end, " \t");
	for (size_t n = 0; *end && n < sizeof(prefixes) / sizeof(prefixes[0]); n++) {
		snprintf(with_prefix, sizeof(with_prefix), "%s%s", prefixes[n].unit, unit);
		if (strcmp(end, with_prefix) != 0)
			continue;
		w->value *= prefixes[n].factor;
		return 0;
	}
	return *end ? err_set(e, STATUS_USAGE, "unit '%s', expected a number in %s", end, unit) : 0;
}

int where_read(const struct study *s, const char *text, struct where *out, struct err *e)
{
	size_t length = strcspn(text, "<>="), n = 0;
	char names[COLUMN_NAMES_MAX];
	const char *value;

	while (n < sizeof(ops) / sizeof(ops[0]) && strncmp(text + length, ops[n].text, strlen(ops[n].text)) != 0)
		n++;
	if (n == sizeof(ops) / sizeof(ops[0]))
		return err_set(e, STATUS_USAGE, "--where '%s': expected NAME<=VALUE, >=, <, > or =", text);
	*out = (struct where){.op = ops[n].op};
	snprintf(out->written, sizeof(out->written), "--where '%s'", text);
	value = text + length + strlen(ops[n].text);
	if (find_name(s, text, length, out) < 0) {
		column_names(s->kind, text, length, names, sizeof(names));
		return err_set(
			e, STATUS_USAGE,
			"--where '%s': unknown name, expected section.key of a parameter that varies, or one of %s",
			text, names);
	}
	if ((out->column < 0 ? param_value(s, value, out, e) : column_value(s, value, out, e)) < 0)
		return err_prefix(e, "--where '%s'", text);
	return 0;
}

/* ---- all conditions ---- */
static struct where *next_condition(struct conditions *c, struct err *e)
{
	if (c->count < CONDITIONS_MAX)
		return &c->at[c->count];
	err_set(e, STATUS_USAGE, "more than %d conditions and limits", CONDITIONS_MAX);
	return NULL;
}

static int add_limit(struct conditions *c, const struct study *s, const struct study_limit *limit, struct err *e)
{
	struct where *w = next_condition(c, e);
	char names[COLUMN_NAMES_MAX];
	const int column = column_find(s->kind, limit->name, strlen(limit->name));

	if (!w)
		return -1;
	if (column < 0) {
		column_names(s->kind, limit->name, strlen(limit->name), names, sizeof(names));
		return err_set(e, STATUS_USAGE, "%s:%u: limit '%s' is no figure of a design, expected one of %s",
			       s->path, limit->line, limit->name, names);
	}
	*w = (struct where){.column = column, .op = column_more((unsigned)column) ? WHERE_AT_LEAST : WHERE_AT_MOST};
	snprintf(w->written, sizeof(w->written), "%s:%u: limit %s = %s", s->path, limit->line, limit->name,
		 limit->value);
	if (column_value(s, limit->value, w, e) < 0)
		return err_prefix(e, "%s", w->written);
	c->count++;
	return 0;
}

int conditions_limits(struct conditions *c, const struct study *s, struct err *e)
{
	for (size_t n = 0; n < s->limits.count; n++)
		if (add_limit(c, s, &s->limits.at[n], e) < 0)
			return -1;
	return 0;
}

int conditions_add(struct conditions *c, const struct study *s, const char *text, struct err *e)
{
	struct where *w = next_condition(c, e);

	if (!w || where_read(s, text, w, e) < 0)
		return -1;
	c->count++;
	return 0;
}

/* The value on which the condition depends; NaN if it is no number. */
static double where_value(const struct where *w, const struct study *s, const struct design *d)
{
	return w->column < 0
		       ? where_number_of(study_param(s, w->param)->param, study_value(s, d->combination, w->param))
		       : design_column(d, (unsigned)w->column);
}

static bool satisfies(const struct where *w, const struct study *s, const struct design *d)
{
	const char *text = w->column < 0 ? study_value(s, d->combination, w->param) : NULL;
	double v = where_value(w, s, d);

	switch (w->op) {
	case WHERE_LESS: return v < w->value;
	case WHERE_AT_MOST: return v <= w->value;
	case WHERE_MORE: return v > w->value;
	case WHERE_AT_LEAST: return v >= w->value;
	case WHERE_IS: break;
	}
	return text ? !strcmp(text, w->text) : !(v < w->value || v > w->value);
}

bool conditions_allow(const struct conditions *c, const struct study *s, size_t combination)
{
	const struct design d = {.combination = combination};

	for (unsigned n = 0; n < c->count; n++)
		if (c->at[n].column < 0 && !satisfies(&c->at[n], s, &d))
			return false;
	return true;
}

bool conditions_hold(const struct conditions *c, const struct study *s, const struct design *d)
{
	for (unsigned n = 0; n < c->count; n++)
		if (!satisfies(&c->at[n], s, d))
			return false;
	return true;
}

void where_apply(const struct where *w, const struct study *s, struct designs *d)
{
	size_t left = 0;

	for (size_t n = 0; n < d->count; n++)
		if (satisfies(w, s, &d->at[n]))
			d->at[left++] = d->at[n];
	d->count = left;
}

int where_check(const struct where *w, const struct study *s, const struct designs *d, struct err *e)
{
	double least = (double)INFINITY, most = -(double)INFINITY;

	for (size_t n = 0; n < d->count; n++) {
		double v = where_value(w, s, &d->at[n]);

		if (satisfies(w, s, &d->at[n]))
			return 0;
		least = fmin(least, v);
		most = fmax(most, v);
	}
	if (!d->count)
		return 0;
	if (least > most)
		return err_set(e, STATUS_USAGE, "%s: no design of %zu satisfies it, expected a value that one has",
			       w->written, d->count);
	return err_set(e, STATUS_USAGE, "%s: no design of %zu satisfies it, expected a value from %.6g to %.6g%s%s",
		       w->written, d->count, least, most, w->column < 0 ? "" : " ",
		       w->column < 0 ? "" : point_column_unit(s->kind, (unsigned)w->column));
}
