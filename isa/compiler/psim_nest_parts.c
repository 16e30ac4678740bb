/*
 * A loop as several nests, one after the other (nest_distribute.cc): the first one of all iterations, then the second
 * one. That gives the loop's results if none accesses what another one stores to, but for what the compiler knows to be
 * an element of each iteration's own.
 */
#include "psim_nest_check.h"
#include "psim_nest_run.h"

enum { PARTS = 4 };

/* Memory that a part's slices may access. */
struct part_ranges {
	int count;
	struct {
		long from, to;
		bool write, flows;
	} range[SLICES];
};

static void note_ranges(const struct nest *n, struct part_ranges *of)
{
	of->count = 0;
	for (int k = 0; k < n->slices; k++) {
		const struct slice *s = &n->slice[k];

		if (s->empty)
			continue;
		slice_range(n, s, &of->range[of->count].from, &of->range[of->count].to);
		of->range[of->count].write = s->write;
		of->range[of->count].flows = s->flows;
		of->count++;
	}
}

/* Returns whether nothing that one part stores to is accessed by the other, but what flows into the later one. */
static bool parts_apart(const struct part_ranges *first, const struct part_ranges *later)
{
	for (int k = 0; k < first->count; k++)
		for (int j = 0; j < later->count; j++) {
			bool stores = (first->range[k].write && !later->range[j].flows) || later->range[j].write;

			if (stores && first->range[k].from < later->range[j].to &&
			    later->range[j].from < first->range[k].to)
				return false;
		}
	return true;
}

static void set_up_part(struct nest *n, const long *parts, long k)
{
	nest_set_up(n, (const long *)parts[2 * k], (long *)parts[2 * k + 1]);
	n->chosen = true;
}

/* Returns whether all parts can run on the array, may run one after the other, and are faster there together. */
static bool prepare_parts(struct nest *n, const long *parts, long count)
{
	struct part_ranges ranges[PARTS];
	long on_core = 0, on_array = 0;

	if (count > PARTS)
		return nest_refuse(n, "too many parts");
	for (long k = 0; k < count; k++) {
		set_up_part(n, parts, k);
		if (!nest_prepare(n))
			return false;
		nest_add_costs(n, &on_core, &on_array);
		note_ranges(n, &ranges[k]);
		for (long j = 0; j < k; j++)
			if (!parts_apart(&ranges[j], &ranges[k]))
				return nest_refuse(n, "parts of the loop store to arrays that other parts use");
	}
	return *(const long *)n->table[NEST_AUTO] < 0 || nest_faster(n, on_core, on_array, count);
}

/* As psim_nest_run, of `count` pairs of table and data: all of them run on the array, or none. */
long psim_nest_run_parts(const long *parts, long count, const char *place);

long psim_nest_run_parts(const long *parts, long count, const char *place)
{
	struct nest n;
	bool array;

	psim_nest_lasting = 0;
	if (check_open())
		return 0;
	array = prepare_parts(&n, parts, count);
	psim_nest_lasting = !array && !n.passing;
	if (!array && resident_runs > 0)
		resident_release(&n);
	nest_remember(&n, array);
	for (long k = 0; array && k < count; k++) {
		set_up_part(&n, parts, k);
		if (!nest_prepare(&n)) /* as before */
			__builtin_trap();
		nest_compute(&n);
		if (nest_report_wanted())
			nest_report(&n, true, place);
	}
	if (!array && nest_report_wanted())
		nest_report(&n, false, place);
	return array;
}
