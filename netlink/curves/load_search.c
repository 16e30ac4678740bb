#include "load_search.h"

#include <stdlib.h>
#include <string.h>

static const double WITHIN = 0.01; /* of the load at saturation */

static int by_load(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

struct load_head *load_search_point(const struct load_search *s, unsigned i)
{
	return (struct load_head *)(void *)((char *)s->point + i * s->size);
}

/* Makes point `i` one that is to be run. */
static void begin_point(const struct load_search *s, unsigned i, double load, uint64_t longer)
{
	memset(load_search_point(s, i), 0, s->size);
	*load_search_point(s, i) = (struct load_head){.load = load, .longer = longer};
}

int load_search_read(struct load_search *s, const char *text, double least, double most, struct err *e)
{
	double load[LOADS_MAX];
	int count = loads_read(text, load, e);

	if (count < 0)
		return err_prefix(e, "--load");
	qsort(load, (size_t)count, sizeof(load[0]), by_load);
	for (int i = 0; i < count; i++) {
		if (load[i] < least || load[i] > most || (load[i] <= 0 && least > 0))
			return err_set(e, STATUS_USAGE, "--load: %g is no load, expected above 0 to %g", load[i], most);
		if (i && load[i] == load[i - 1])
			return err_set(e, STATUS_USAGE, "--load: %g is there twice", load[i]);
		begin_point(s, s->count++, load[i], 1);
	}
	return 0;
}

unsigned load_search_unsteady(const struct load_search *s)
{
	unsigned i = 0;

	while (i < s->count && load_search_point(s, i)->steady)
		i++;
	return i;
}

bool load_search_knows(const struct load_search *s)
{
	for (unsigned i = 0; i < s->count; i++)
		if (load_search_point(s, i)->unknown)
			return false;
	return s->count > 0;
}

/* Moves the points from `at` on by `by` places. */
static void move_points(struct load_search *s, unsigned at, int by)
{
	unsigned from = by > 0 ? at : at + 1;

	memmove(load_search_point(s, from + (unsigned)by), load_search_point(s, from), (s->count - from) * s->size);
	s->count += (unsigned)by;
}

/* Finds the next load of the bisection, and its place. 0: there is none. `again`: a steady point needs a long run. */
static bool next_load(const struct load_search *s, unsigned *at, double *load, bool *again)
{
	unsigned unsteady = load_search_unsteady(s);
	const struct load_head *last = unsteady ? load_search_point(s, unsteady - 1) : NULL;
	double below = last ? last->load : 0, above;

	if (unsteady == s->count || !load_search_knows(s))
		return false;
	above = load_search_point(s, unsteady)->load;
	*again = last && last->longer < LOAD_LONGEST;
	*at = unsteady - *again;
	*load = *again ? below : (below + above) / 2;
	return *again || above - below > WITHIN * above;
}

static int bisect(struct load_search *s, struct err *e)
{
	for (unsigned i = 0; i < LOAD_HALVINGS; i++) {
		unsigned at;
		double load;
		bool again;
		int ret;

		if (!next_load(s, &at, &load, &again))
			return 0;
		if (!again)
			move_points(s, at, 1);
		begin_point(s, at, load, LOAD_LONGEST);
		ret = load_pool_run(s, at, at + 1, e);
		if (ret < 1) { /* interrupted or failed: it leaves no point */
			move_points(s, at, -1);
			return ret;
		}
	}
	return 0;
}

int load_search_run(struct load_search *s, bool saturation, struct err *e)
{
	int done = load_pool_run(s, 0, s->count, e);

	s->count = done < 0 ? 0 : (unsigned)done;
	if (done > 0 && saturation && !progress_signal())
		done = bisect(s, e);
	return done < 0 ? -1 : 0;
}

void load_search_report(const struct load_search *s, double accepted, const char *unit, struct report *r)
{
	unsigned unsteady = load_search_unsteady(s);

	report_group(r, "saturation", "load up to which queues do not grow");
	report_f64(r, "below", unsteady ? load_search_point(s, unsteady - 1)->load : 0, unit,
		   "largest load at which it is steady");
	if (unsteady < s->count)
		report_f64(r, "above", load_search_point(s, unsteady)->load, unit, "smallest load at which it is not");
	report_f64(r, "accepted", accepted, unit, "largest accepted load");
	report_end(r);
}
