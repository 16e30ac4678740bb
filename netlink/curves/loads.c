#include "loads.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int no_loads(const char *text, struct err *e)
{
	return err_set(e, STATUS_USAGE,
		       "\"%s\" is not a list of at most %d loads, expected for example 0.1,0.2,0.4, 0.05:0.5:10 (ten "
		       "loads) or 0.05:1:0.05 (a step)",
		       text, LOADS_MAX);
}

static bool loads_read_one(const char **s, double *value)
{
	char *end;

	*value = strtod(*s, &end);
	if (end == *s || !isfinite(*value) || *value < 0)
		return false;
	*s = end;
	return true;
}

/* Returns a load as people write it: 0.3, not 0.1 + 2 * 0.1. */
static double rounded_load(double load)
{
	char text[32];

	snprintf(text, sizeof(text), "%.12g", load);
	return strtod(text, NULL);
}

/* Steps from `first` up to `last`, which counts as reached within a thousandth of a step; -1: they are none. */
static int read_steps(double first, double last, double step, double load[LOADS_MAX])
{
	double steps = floor((last - first) / step + 1e-3);

	if (!(step > 0) || steps < 0 || steps >= LOADS_MAX)
		return -1;
	for (int i = 0; i <= (int)steps; i++)
		load[i] = rounded_load(first + step * i);
	return (int)steps + 1;
}

static int loads_read_range(const char *text, double load[LOADS_MAX], struct err *e)
{
	const char *s = text;
	double first, last, third;
	int count;

	if (!loads_read_one(&s, &first) || *s++ != ':' || !loads_read_one(&s, &last) || *s++ != ':' ||
	    !loads_read_one(&s, &third) || *s)
		return no_loads(text, e);
	if (third < 1) {
		count = read_steps(first, last, third, load);
		return count < 0 ? no_loads(text, e) : count;
	}
	if (third != floor(third) || third < 2 || third > LOADS_MAX)
		return no_loads(text, e);
	for (count = 0; count < (int)third; count++)
		load[count] = rounded_load(first + (last - first) * count / (third - 1));
	return count;
}

int loads_read(const char *text, double load[LOADS_MAX], struct err *e)
{
	const char *s = text;
	int count = 0;

	if (strchr(text, ':'))
		return loads_read_range(text, load, e);
	for (;;) {
		if (count == LOADS_MAX || !loads_read_one(&s, &load[count++]))
			return no_loads(text, e);
		if (!*s)
			return count;
		if (*s++ != ',')
			return no_loads(text, e);
	}
}
