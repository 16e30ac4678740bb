#include "model_parts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void model_destroy(struct model *m)
{
	if (m)
		lookup_destroy(m->lookup);
	free(m);
}

unsigned model_variables(const struct model *m)
{
	return m->variables.count;
}

const char *model_variable(const struct model *m, unsigned i, double *from, double *to)
{
	if (i >= m->variables.count)
		bug("variable %u of %u", i, m->variables.count);
	if (from)
		*from = m->from[i];
	if (to)
		*to = m->to[i];
	return m->variables.name[i];
}

const char *model_unit(const struct model *m)
{
	return m->unit;
}

const char *model_doubts(const struct model *m)
{
	return m->doubts;
}

const char *model_errors_note(const struct model *m)
{
	if (m->errors >= MODEL_ERRORS)
		return NULL;
	return m->errors > 0 ? "expected errors of an older psim-fit" : "no expected errors";
}

double model_expected_error(const struct model *m, const double *values)
{
	double factor = model_distance(m, values);

	if (factor <= 1)
		return m->error_inside;
	if (isinf(factor)) /* not 0 times infinity */
		return factor;
	return fmax(m->error_inside, m->error_outside * log2(factor));
}

/* A quotient is meaningful between numbers of one sign; otherwise any distance counts as infinite. */
double model_factor(const struct model *m, unsigned i, double value)
{
	double factor = 1;

	if (value > m->to[i])
		factor = m->to[i] > 0 ? value / m->to[i] : (double)INFINITY;
	else if (!(value >= m->from[i]))
		factor = value > 0 ? m->from[i] / value : (double)INFINITY;
	return factor;
}

double model_distance(const struct model *m, const double *values)
{
	double factor = 1;

	for (unsigned i = 0; i < m->variables.count; i++)
		factor = fmax(factor, model_factor(m, i, values[i]));
	return factor;
}

double model_sum(const struct model *m, unsigned s, const double *values)
{
	double sum = 0;

	if (m->lookup)
		return lookup_value(m->lookup, values);
	for (unsigned t = m->first[s]; t < m->first[s + 1]; t++)
		sum += m->coefficient[t] * term_value(&m->terms[t], m->variables.count, values);
	return sum;
}

double model_largest(const struct model *m, const double *values, unsigned *largest)
{
	double most = 0;
	unsigned at = 0;

	if (m->lookup) {
		if (largest)
			*largest = 0;
		return lookup_value(m->lookup, values);
	}
	for (unsigned s = 0, t = 0; s < m->sums; s++) {
		double sum = 0;

		for (; t < m->first[s + 1]; t++) /* same order of additions as model_sum */
			sum += m->coefficient[t] * term_value(&m->terms[t], m->variables.count, values);
		if (!isfinite(sum))
			return (double)NAN;
		if (s == 0 || sum > most) {
			most = sum;
			at = s;
		}
	}
	if (largest)
		*largest = at;
	return most;
}

static void watch_range(const struct model *m, const double *values, struct model_watch *watch)
{
	watch->outside = false;
	for (unsigned i = 0; i < m->variables.count; i++) {
		double factor = model_factor(m, i, values[i]);

		if (!(values[i] < m->from[i]) && !(values[i] > m->to[i]))
			continue;
		watch->outside = true;
		if (factor > watch->furthest[i].factor)
			watch->furthest[i] = (struct model_outside){values[i], factor};
	}
	watch->times += watch->outside;
	watch->warn = watch->outside && watch->times == 1;
}

double model_evaluate(const struct model *m, const double *values, struct model_watch *watch)
{
	double sum = model_largest(m, values, NULL);

	if (watch)
		watch_range(m, values, watch);
	if (!isfinite(sum) || (sum < 0 && !strcmp(m->unit, "s")))
		return (double)NAN;
	return sum;
}

/* Writes how far variable `i` was outside; returns the length. */
static size_t outside_text(const struct model *m, unsigned i, const struct model_outside *o, char *text, size_t size)
{
	bool above = o->value > m->to[i];
	double bound = above ? m->to[i] : m->from[i];
	int length;

	if (isinf(o->factor))
		length = snprintf(text, size, "%s = %g is %s the %s fitted value, %g", m->variables.name[i], o->value,
				  above ? "above" : "below", above ? "largest" : "smallest", bound);
	else
		length = snprintf(text, size, "%s = %g is %s%.3g%s the %s fitted value, %g", m->variables.name[i],
				  o->value, above ? "" : "1/", o->factor, above ? " times" : " of",
				  above ? "largest" : "smallest", bound);
	return length > 0 ? (size_t)length : 0;
}

void model_watch_text(const struct model *m, const struct model_watch *watch, char *text, size_t size)
{
	size_t at = 0;

	text[0] = '\0';
	for (unsigned i = 0; i < m->variables.count; i++) {
		if (!(watch->furthest[i].factor > 0))
			continue;
		if (at && at + 2 < size)
			at += (size_t)snprintf(text + at, size - at, "; ");
		if (at < size)
			at += outside_text(m, i, &watch->furthest[i], text + at, size - at);
	}
}
