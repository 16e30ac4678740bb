#include "sweep.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static int bad(const char *text, struct err *e)
{
	return err_set(e, STATUS_USAGE,
		       "\"%s\" is not a list of loads, expected for example 0.1,0.2,0.4 or 0.05:0.5:10", text);
}

static bool sim_sweep_number(const char **s, double *value)
{
	char *end;

	*value = strtod(*s, &end);
	if (end == *s || !isfinite(*value) || *value < 0)
		return false;
	*s = end;
	return true;
}

int sweep_read(const char *text, double load[SWEEP_MAX], struct err *e)
{
	const char *s = text;
	double first, last, points;
	int count = 0;

	if (strchr(text, ':')) {
		if (!sim_sweep_number(&s, &first) || *s++ != ':' || !sim_sweep_number(&s, &last) || *s++ != ':' ||
		    !sim_sweep_number(&s, &points) || *s || points != floor(points) || points < 2 || points > SWEEP_MAX)
			return bad(text, e);
		for (count = 0; count < (int)points; count++)
			load[count] = first + (last - first) * count / (points - 1);
		return count;
	}
	for (;;) {
		if (count == SWEEP_MAX || !sim_sweep_number(&s, &load[count++]))
			return bad(text, e);
		if (!*s)
			return count;
		if (*s++ != ',')
			return bad(text, e);
	}
}
