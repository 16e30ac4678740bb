#include "point_units.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../psim/base/mem.h"
#include "../../psim/base/rng.h"

enum { SEED = 1, PLACES = 2 };

void point_units_finish(struct point_units *u)
{
	for (unsigned n = 0; n < UNIT_FIGURES; n++) {
		free(u->value[n]);
		u->value[n] = NULL;
	}
	u->count = 0;
}

int point_units_create(struct point_units *u, size_t count, struct err *e)
{
	*u = (struct point_units){.count = count};
	for (unsigned n = 0; n < UNIT_FIGURES; n++) {
		u->value[n] = mem_alloc(count, sizeof(*u->value[n]), e);
		if (!u->value[n]) {
			point_units_finish(u);
			return -1;
		}
	}
	return 0;
}

static uint64_t units_simulated(const struct sample_plan *p)
{
	return p->warm_up + p->unit + p->tail;
}

/* Reads "U/W" into the plan. 0, or -1 with `e`. */
static int read_plan(const char *text, struct sample_plan *p, struct err *e)
{
	char rest;

	if (strspn(text, "0123456789/") != strlen(text) ||
	    sscanf(text, "%9" SCNu64 "/%9" SCNu64 "%c", &p->unit, &p->every, &rest) != 2 || !p->unit)
		return err_set(e, STATUS_USAGE,
			       "sample %s, expected auto, or U/W, a unit of U instructions each W, as in 1000/40000",
			       text);
	if (p->every < units_simulated(p))
		return err_set(e, STATUS_USAGE,
			       "sample %s: a unit each %" PRIu64 " instructions, expected at least %" PRIu64
			       ": %" PRIu64 " are simulated before and %" PRIu64 " behind each",
			       text, p->every, units_simulated(p), p->warm_up, p->tail);
	return 0;
}

int point_units_plan(const char *sample, uint64_t length, struct sample_plan *out, char text[POINT_UNITS_TEXT_MAX],
		     struct err *e)
{
	uint64_t *begin;

	*out = (struct sample_plan){.unit = SAMPLE_UNIT, .warm_up = POINT_UNITS_WARM, .tail = SAMPLE_TAIL};
	if (strcmp(sample, "auto") != 0) {
		if (read_plan(sample, out, e) < 0)
			return -1;
	} else {
		const uint64_t least = POINT_UNITS_SAVING * units_simulated(out);

		out->every = length / POINT_UNITS_MAX > least ? length / POINT_UNITS_MAX : least;
	}
	out->chosen_count = length / out->every;
	if (out->chosen_count < POINT_UNITS_MIN) {
		out->chosen_count = 0;
		return 0;
	}
	begin = mem_alloc(out->chosen_count, sizeof(*begin), e);
	if (!begin)
		return -1;
	for (uint64_t n = 0; n < out->chosen_count; n++)
		begin[n] = n * out->every + out->warm_up +
			   rng_below(SEED, PLACES, n, out->every - units_simulated(out) + 1);
	out->chosen = begin;
	snprintf(text, POINT_UNITS_TEXT_MAX, "%" PRIu64 "/%" PRIu64 "/%" PRIu64, out->unit, out->every, out->warm_up);
	return 1;
}
