#include "where.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
	w->column = column_find(name, length);
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

int where_read(const struct study *s, const char *text, struct where *out, struct err *e)
{
	size_t length = strcspn(text, "<>="), n = 0;
	const char *value;
	char *end;

	while (n < sizeof(ops) / sizeof(ops[0]) && strncmp(text + length, ops[n].text, strlen(ops[n].text)) != 0)
		n++;
	if (n == sizeof(ops) / sizeof(ops[0]))
		return err_set(e, STATUS_USAGE, "--where '%s': expected NAME<=VALUE, >=, <, > or =", text);
	*out = (struct where){.op = ops[n].op};
	value = text + length + strlen(ops[n].text);
	if (find_name(s, text, length, out) < 0)
		return err_set(e, STATUS_USAGE,
			       "--where '%s': unknown name, expected seconds, system_j, area_mm2, energy_delay_js, "
			       "power_w, gflops, ipc or section.key of a parameter that varies",
			       text);
	if (out->column < 0)
		return param_value(s, value, out, e) < 0 ? err_prefix(e, "--where '%s'", text) : 0;
	out->value = strtod(value, &end);
	if (end == value || *end || !isfinite(out->value))
		return err_set(e, STATUS_USAGE, "--where '%s': expected a number in %s", text,
			       column_unit((unsigned)out->column));
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

int where_apply(const struct where *w, const struct study *s, struct designs *d, struct err *e)
{
	size_t left = 0;

	for (size_t n = 0; n < d->count; n++)
		if (satisfies(w, s, &d->at[n]))
			d->at[left++] = d->at[n];
	d->count = left;
	return designs_mark_front(d, e);
}

int where_check(const struct where *w, const char *text, const struct study *s, const struct designs *d, struct err *e)
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
		return err_set(e, STATUS_USAGE,
			       "--where '%s': no design of %zu satisfies it, expected a value that one has", text,
			       d->count);
	return err_set(e, STATUS_USAGE,
		       "--where '%s': no design of %zu satisfies it, expected a value from %.6g to %.6g%s%s", text,
		       d->count, least, most, w->column < 0 ? "" : " ",
		       w->column < 0 ? "" : column_unit((unsigned)w->column));
}
