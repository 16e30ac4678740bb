#include "values.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "../../psim/base/mem.h"
#include "../../psim/base/config/value.h"

/* storage for a value of any type */
union field {
	unsigned u;
	uint64_t size;
	double real;
	int64_t time;
	struct clocked clocked;
	bool flag;
	char text[PARAM_TEXT_MAX];
};

static double to_number(const struct param *p, const union field *f)
{
	switch (p->type) {
	case PARAM_UINT: return f->u;
	case PARAM_SIZE: return (double)f->size;
	case PARAM_TIME: return (double)f->time;
	case PARAM_DELAY:
	case PARAM_FLOW: return f->clocked.value;
	default: return f->real;
	}
}

/* Rounds to 12 digits, so that 0.8 and twice 0.1 are 1. */
static double explore_values_rounded(double v)
{
	char text[40];

	snprintf(text, sizeof(text), "%.12g", v);
	return strtod(text, NULL);
}

/*
 * Integers are rounded to the nearest, others to 12 digits. `in_cycles`: the unit, if the
 * quantity has both.
 */
static void from_number(const struct param *p, double v, bool in_cycles, union field *f)
{
	switch (p->type) {
	case PARAM_UINT: f->u = (unsigned)llround(v); break;
	case PARAM_SIZE: f->size = (uint64_t)llround(v); break;
	case PARAM_TIME: f->time = llround(v); break;
	case PARAM_DELAY:
	case PARAM_FLOW: f->clocked = (struct clocked){explore_values_rounded(v), in_cycles}; break;
	default: f->real = explore_values_rounded(v);
	}
}

static bool contains_value(const struct values *v, const char *text)
{
	for (size_t n = 0; n < v->count; n++)
		if (!strcmp(v->at[n], text))
			return true;
	return false;
}

/* the destination of a list's values */
struct list {
	const struct param *param;
	bool distinct;
	struct values *values;
};

static int explore_values_push(const struct list *l, const union field *f, struct err *e)
{
	char text[VALUE_TEXT_MAX], **place;

	value_write(l->param, f, text, sizeof(text));
	if (l->distinct && contains_value(l->values, text))
		return err_set(e, STATUS_USAGE, "%s is repeated, expected each value once", text);
	if (l->values->count == VALUES_MAX)
		return err_set(e, STATUS_USAGE, "too many values, expected at most %d", VALUES_MAX);
	place = vec_push(l->values, e);
	if (!place)
		return -1;
	*place = mem_copy_text(text, e);
	if (*place)
		return 0;
	l->values->count--;
	return -1;
}

static bool explore_values_is_clocked(const struct param *p)
{
	return p->type == PARAM_DELAY || p->type == PARAM_FLOW;
}

static bool has_ranges(const struct param *p)
{
	return p->type == PARAM_UINT || p->type == PARAM_SIZE || p->type == PARAM_REAL || p->type == PARAM_FREQ ||
	       p->type == PARAM_RATE || p->type == PARAM_TIME || explore_values_is_clocked(p);
}

struct range {
	double first, last, step; /* step: addend or factor */
	bool geometric;
	bool in_cycles; /* unit of all three, if the quantity can be in cycles */
};

static char *explore_values_trim(char *text)
{
	size_t n;

	text += strspn(text, " \t");
	for (n = strlen(text); n && isspace((unsigned char)text[n - 1]); n--)
		text[n - 1] = '\0';
	return text;
}

/* The * or + before the step; the + of an exponent does not count. */
static char *find_step(char *text)
{
	for (char *c = text; *c; c++)
		if (*c == '*' || (*c == '+' && c > text && c[-1] != 'e' && c[-1] != 'E'))
			return c;
	return NULL;
}

/* Reads one number of a range; `first`: it sets the unit of the others. */
static int explore_values_read_number(const struct param *p, const char *text, struct range *r, bool first, double *out,
				      struct err *e)
{
	union field f;

	if (value_read(p, text, &f, e) < 0)
		return -1;
	*out = to_number(p, &f);
	if (!explore_values_is_clocked(p))
		return 0;
	if (first)
		r->in_cycles = f.clocked.in_cycles;
	if (f.clocked.in_cycles != r->in_cycles)
		return err_set(e, STATUS_USAGE,
			       "%s has another unit than the range, expected all in time "
			       "or all in cycles",
			       text);
	return 0;
}

/* "FIRST..LAST*FACTOR", "FIRST..LAST+STEP"; modifies `item`. */
static int read_range(const struct param *p, char *item, struct range *r, struct err *e)
{
	struct param step_of = *p; /* a step may be below the least value */
	char *dots = strstr(item, ".."), *step = find_step(dots + 2), *end;

	if (!has_ranges(p))
		return err_set(e, STATUS_USAGE, "%s is a range, expected a list of values", item);
	if (!step)
		return err_set(e, STATUS_USAGE, "%s is not a range, expected FIRST..LAST*FACTOR or FIRST..LAST+STEP",
			       item);
	r->geometric = *step == '*';
	*dots = *step++ = '\0';
	if (explore_values_read_number(p, explore_values_trim(item), r, true, &r->first, e) < 0 ||
	    explore_values_read_number(p, explore_values_trim(dots + 2), r, false, &r->last, e) < 0)
		return -1;
	step = explore_values_trim(step);
	step_of.min = 0;
	if (r->geometric) {
		r->step = strtod(step, &end);
		if (end == step || *end || !isfinite(r->step) || r->step < 1.001)
			return err_set(e, STATUS_USAGE, "factor %s, expected a number above 1", step);
		if (r->first <= 0)
			return err_set(e, STATUS_USAGE, "geometric range from 0, expected a first value above 0");
	} else if (explore_values_read_number(&step_of, step, r, false, &r->step, e) < 0) {
		return err_prefix(e, "step");
	} else if (r->step <= 0) {
		return err_set(e, STATUS_USAGE, "step %s, expected a number above 0", step);
	}
	if (r->first > r->last)
		return err_set(e, STATUS_USAGE, "descending range from %s to %s, expected an ascending one",
			       explore_values_trim(item), explore_values_trim(dots + 2));
	return 0;
}

/* Omits a value that rounding makes equal to the one before it. */
static int push_range(const struct list *l, const struct range *r, struct err *e)
{
	const double end = r->last + 1e-9 * fabs(r->last);
	double before = 0;

	for (unsigned n = 0;; n++) {
		double v = r->geometric ? r->first * pow(r->step, n) : r->first + n * r->step;
		union field f;

		if (v > end)
			return 0;
		from_number(l->param, v > r->last ? r->last : v, r->in_cycles, &f);
		if (n && to_number(l->param, &f) <= before)
			continue;
		before = to_number(l->param, &f);
		if (explore_values_push(l, &f, e) < 0)
			return -1;
	}
}

static int read_item(const struct list *l, char *item, struct err *e)
{
	struct range range = {0};
	union field f;

	if (!strstr(item, ".."))
		return value_read(l->param, item, &f, e) < 0 ? -1 : explore_values_push(l, &f, e);
	return read_range(l->param, item, &range, e) < 0 ? -1 : push_range(l, &range, e);
}

int values_read(const struct param *p, const char *text, bool distinct, struct values *out, struct err *e)
{
	const struct list list = {p, distinct, out};
	char *copy = mem_copy_text(text, e), *item = copy, *comma;
	int ret = copy ? 0 : -1;

	while (ret == 0 && item) {
		comma = strchr(item, ',');
		if (comma)
			*comma++ = '\0';
		ret = read_item(&list, explore_values_trim(item), e);
		item = comma;
	}
	free(copy);
	return ret;
}

bool values_number(const struct param *p, const char *text, double *out)
{
	union field f;

	if (!has_ranges(p) || value_read(p, text, &f, NULL) < 0)
		return false;
	*out = to_number(p, &f);
	return true;
}

void values_finish(struct values *v)
{
	for (size_t n = 0; n < v->count; n++)
		free(v->at[n]);
	vec_finish(v);
}
