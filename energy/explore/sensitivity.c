#include "sensitivity.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "../../psim/base/mem.h"

/* The designs of a study as lines along one axis, for one criterion. */
struct lines {
	const struct study *study;
	const struct design **design; /* by combination; NULL: none */
	size_t axis, length, step;
	enum criterion criterion;
};

void sensitivity_name(const struct study *s, size_t axis, char text[STUDY_LABEL_MAX])
{
	const struct study_axis *a = &s->axes.at[axis];
	const struct param *p = a->params.at[0].param;

	if (a->name)
		snprintf(text, STUDY_LABEL_MAX, "pair %s", a->name);
	else
		snprintf(text, STUDY_LABEL_MAX, "%s.%s", p->section, p->key);
}

/* Returns whether a combination has the first value of the axis, and so begins a line. */
static bool begins_line(const struct lines *l, size_t combination)
{
	return combination / l->step % l->length == 0;
}

/* Sets the logarithm of the criterion at a position of the line that begins at `first`; false where no design is. */
static bool log_at(const struct lines *l, size_t first, size_t position, double *out)
{
	const struct design *d = l->design[first + position * l->step];

	if (!d || !(d->value[l->criterion] > 0))
		return false;
	*out = log(d->value[l->criterion]);
	return true;
}

/*
 * Mean logarithm of the ratio of position `to` to position `from`, over the lines that have both; false without
 * any.
 */
static bool mean_change(const struct lines *l, size_t from, size_t to, double *out)
{
	double sum = 0, a, b;
	size_t count = 0;

	for (size_t first = 0; first < l->study->combinations; first++) {
		if (!begins_line(l, first) || !log_at(l, first, from, &a) || !log_at(l, first, to, &b))
			continue;
		sum += b - a;
		count++;
	}
	*out = count ? sum / (double)count : 0;
	return count > 0;
}

/*
 * Sets the level of a position from the nearest earlier one with a level and a common line; false without such a
 * one.
 */
static bool level_from_earlier(const struct lines *l, double *level, size_t position)
{
	double change;

	for (size_t k = position; k-- > 0;) {
		if (isnan(level[k]) || !mean_change(l, k, position, &change))
			continue;
		level[position] = level[k] + change;
		return true;
	}
	return false;
}

/* Number of lines with two designs or more. */
static size_t count_lines(const struct lines *l)
{
	size_t count = 0;
	double value;

	for (size_t first = 0; first < l->study->combinations; first++) {
		size_t designs = 0;

		for (size_t n = 0; begins_line(l, first) && n < l->length; n++)
			designs += log_at(l, first, n, &value);
		count += designs > 1;
	}
	return count;
}

/* The position at which the chain of changes begins: the first that shares a line with another one. */
static size_t first_compared(const struct lines *l)
{
	double change;

	for (size_t n = 0; n + 1 < l->length; n++)
		for (size_t k = n + 1; k < l->length; k++)
			if (mean_change(l, n, k, &change))
				return n;
	return 0;
}

/* Finds the least and the most level and their ratio; `level` has room for a number a position. */
static void find_levels(const struct lines *l, double *level, struct effect *effect)
{
	size_t start = first_compared(l), known = 1;
	double sum = 0;

	for (size_t n = 0; n < l->length; n++)
		level[n] = (double)NAN;
	level[start] = 0;
	effect->least = effect->most = start;
	for (size_t n = start + 1; n < l->length; n++) {
		if (!level_from_earlier(l, level, n))
			continue;
		sum += level[n];
		known++;
		if (level[n] < level[effect->least])
			effect->least = n;
		if (level[n] > level[effect->most])
			effect->most = n;
	}
	effect->ratio = exp(level[effect->most] - level[effect->least]);
	effect->low = exp(level[effect->least] - sum / (double)known);
	effect->high = exp(level[effect->most] - sum / (double)known);
}

/* Slope over the lines' designs, an intercept for each line; `x` has the logarithm of each position's value. */
static double find_slope(const struct lines *l, const double *x)
{
	double xy = 0, xx = 0, y;

	for (size_t first = 0; first < l->study->combinations; first++) {
		double sum_x = 0, sum_y = 0;
		size_t count = 0;

		if (!begins_line(l, first))
			continue;
		for (size_t n = 0; n < l->length; n++) {
			if (!log_at(l, first, n, &y))
				continue;
			sum_x += x[n];
			sum_y += y;
			count++;
		}
		for (size_t n = 0; n < l->length; n++) {
			if (!log_at(l, first, n, &y))
				continue;
			xy += (x[n] - sum_x / (double)count) * (y - sum_y / (double)count);
			xx += (x[n] - sum_x / (double)count) * (x[n] - sum_x / (double)count);
		}
	}
	return xx > 0 ? xy / xx : (double)NAN;
}

/* Takes the logarithms of the axis' values; false where one of them is no positive number. */
static bool log_values(const struct study_param *p, double *x)
{
	for (size_t n = 0; n < p->values.count; n++) {
		if (!values_number(p->param, p->values.at[n], &x[n]) || !(x[n] > 0))
			return false;
		x[n] = log(x[n]);
	}
	return true;
}

static int find_effect(const struct lines *l, struct effect *out, struct err *e)
{
	const struct study_param *p = &l->study->axes.at[l->axis].params.at[0];
	double *work = mem_alloc(l->length, sizeof(*work), e);

	if (!work)
		return -1;
	*out = (struct effect){
		.axis = l->axis, .lines = count_lines(l), .ratio = 1, .low = 1, .high = 1, .elasticity = (double)NAN};
	if (out->lines) {
		out->elasticity = log_values(p, work) ? find_slope(l, work) : (double)NAN;
		find_levels(l, work, out);
	}
	free(work);
	return 0;
}

/* Orders by ratio, the largest first; equal ones as in the study. */
static int by_change(const void *a, const void *b)
{
	const struct effect *x = a, *y = b;

	if (x->ratio > y->ratio || x->ratio < y->ratio)
		return x->ratio > y->ratio ? -1 : 1;
	return x->axis < y->axis ? -1 : 1;
}

static int find_effects(const struct study *s, const struct design **design, struct sensitivity *out, struct err *e)
{
	for (unsigned c = 0; c < CRITERION_COUNT; c++) {
		out->effects[c] = mem_alloc(out->count + 1, sizeof(*out->effects[c]), e);
		if (!out->effects[c])
			return -1;
		for (size_t n = 0; n < out->count; n++) {
			const struct lines l = {
				s, design, n, study_axis_length(&s->axes.at[n]), study_axis_step(s, n), c,
			};

			if (find_effect(&l, &out->effects[c][n], e) < 0)
				return -1;
		}
		qsort(out->effects[c], out->count, sizeof(*out->effects[c]), by_change);
	}
	return 0;
}

int sensitivity_find(const struct study *s, const struct designs *d, struct sensitivity *out, struct err *e)
{
	const struct design **design = mem_alloc(s->combinations, sizeof(*design), e);
	int ret;

	*out = (struct sensitivity){.count = s->axes.count};
	if (!design)
		return -1;
	for (size_t n = 0; n < d->count; n++)
		design[d->at[n].combination] = &d->at[n];
	ret = find_effects(s, design, out, e);
	free(design);
	if (ret < 0)
		sensitivity_finish(out);
	return ret;
}

void sensitivity_finish(struct sensitivity *x)
{
	for (unsigned c = 0; c < CRITERION_COUNT; c++)
		free(x->effects[c]);
	*x = (struct sensitivity){0};
}
