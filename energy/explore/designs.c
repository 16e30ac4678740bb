#include "designs.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../psim/base/mem.h"
#include "../../psim/base/near.h"
#include "point_kind.h"

const struct criterion_row criterion_rows[] = {
	[CRITERION_time] = {"time", "seconds", "s", "simulated time"},
	[CRITERION_energy] = {"energy", "system_j", "J", "energy of core, L2 and off-chip memory"},
	[CRITERION_area] = {"area", "area_mm2", "mm2", "area of core and L2"},
	[CRITERION_energy_delay] = {"energy-delay product", "energy_delay_js", "J s", "energy times time"},
};

/* The columns of columns.def. */
struct extra_row {
	enum figure figure; /* FIGURE_COUNT: none, computed in designs_make */
	enum { RUN, CHIP } per;
	enum figure rate;
	enum { LESS, MORE } better;
	const char *words;
};
static const struct extra_row extra_rows[] = {
#define X(id, figure, per, rate, better, words) [EXTRA_##id] = {figure, per, rate, better, words},
#include "columns.def"
#undef X
};

/* Names that people give to a column, besides its own. */
static const struct {
	const char *name;
	unsigned column;
} aliases[] = {
	{"time", CRITERION_time},
	{"energy", CRITERION_energy},
	{"area", CRITERION_area},
	{"edp", CRITERION_energy_delay},
	{"energy-delay product", CRITERION_energy_delay},
	{"power", CRITERION_COUNT + EXTRA_power},
	{"density", CRITERION_COUNT + EXTRA_density},
};

/* ---- columns ---- */
const char *column_name(unsigned column)
{
	if (column < CRITERION_COUNT)
		return criterion_rows[column].column;
	if (column == CRITERION_COUNT + EXTRA_density)
		return "power_w_mm2";
	return figure_rows[extra_rows[column - CRITERION_COUNT].figure].name;
}

const char *column_short(unsigned column)
{
	return column < CRITERION_COUNT ? criterion_rows[column].name : column_name(column);
}

const char *column_unit(unsigned column)
{
	if (column < CRITERION_COUNT)
		return criterion_rows[column].unit;
	if (column == CRITERION_COUNT + EXTRA_density)
		return "W/mm2";
	return figure_rows[extra_rows[column - CRITERION_COUNT].figure].unit;
}

const char *column_alias(unsigned column)
{
	for (size_t n = 0; n < sizeof(aliases) / sizeof(aliases[0]); n++)
		if (aliases[n].column == column)
			return aliases[n].name;
	return "";
}

const char *column_words(unsigned column)
{
	static const char *const words[CRITERION_COUNT] = {
		[CRITERION_time] = "time",
		[CRITERION_energy] = "energy, with off-chip memory",
		[CRITERION_area] = "area of core and L2",
		[CRITERION_energy_delay] = "energy \303\227 time",
	};

	return column < CRITERION_COUNT ? words[column] : extra_rows[column - CRITERION_COUNT].words;
}

/* The same in reports of a kind of study. */
static bool is_cost(const struct point_kind *k, unsigned column)
{
	return k->cost && column == CRITERION_area;
}

const char *point_column_name(const struct point_kind *k, unsigned column)
{
	return is_cost(k, column) ? k->cost : column_name(column);
}

const char *point_column_unit(const struct point_kind *k, unsigned column)
{
	return is_cost(k, column) ? "" : column_unit(column);
}

const char *point_column_word(const struct point_kind *k, unsigned column)
{
	return is_cost(k, column) ? k->cost : column_short(column);
}

bool column_more(unsigned column)
{
	return column >= CRITERION_COUNT && extra_rows[column - CRITERION_COUNT].better == MORE;
}

double design_column(const struct design *d, unsigned column)
{
	return column < CRITERION_COUNT ? d->value[column] : d->extra[column - CRITERION_COUNT];
}

static bool is_called(const char *name, const char *text, size_t length)
{
	return strlen(name) == length && !strncmp(name, text, length);
}

bool point_has_figure(const struct point_kind *k, unsigned figure)
{
	return !k->has_figure || k->has_figure(figure);
}

bool point_has_column(const struct point_kind *k, unsigned column)
{
	for (unsigned n = 0; n < FIGURE_COUNT; n++)
		if (!strcmp(figure_rows[n].name, column_name(column)))
			return point_has_figure(k, n);
	return !k->cost; /* power by area */
}

/* The n-th name, and its column; NULL: there are no more. An area is called by the cost that takes its place. */
static const char *column_called(const struct point_kind *k, unsigned n, unsigned *column)
{
	if (n < COLUMN_COUNT) {
		*column = n;
		return point_column_name(k, n);
	}
	n -= COLUMN_COUNT;
	if (n >= sizeof(aliases) / sizeof(aliases[0]))
		return NULL;
	*column = aliases[n].column;
	return is_cost(k, *column) ? k->cost : aliases[n].name;
}

int column_find(const struct point_kind *k, const char *name, size_t length)
{
	const char *called;
	unsigned column;

	for (unsigned n = 0; (called = column_called(k, n, &column)); n++)
		if (point_has_column(k, column) && is_called(called, name, length))
			return (int)column;
	return -1;
}

void column_names(const struct point_kind *k, const char *name, size_t length, char *text, size_t size)
{
	const char *called;
	char word[64];
	struct near near;
	size_t used = 0;
	unsigned column;

	snprintf(word, sizeof(word), "%.*s", (int)(length < sizeof(word) ? length : sizeof(word) - 1), name);
	near = near_start(word);
	for (unsigned n = 0; (called = column_called(k, n, &column)); n++) {
		if (!point_has_column(k, column) || (n >= COLUMN_COUNT && is_cost(k, column)))
			continue;
		if (used < size && !strchr(called, ' '))
			used += (size_t)snprintf(text + used, size - used, "%s%s", n ? ", " : "", called);
		near_offer(&near, called);
	}
	if (near.best && used < size)
		snprintf(text + used, size - used, " (did you mean %s?)", near.best);
}

int objectives_read(const struct point_kind *k, const char *text, struct objectives *o, struct err *e)
{
	char names[COLUMN_NAMES_MAX];

	*o = (struct objectives){0};
	for (const char *at = text;;) {
		size_t length = strcspn(at, ",");
		int column = column_find(k, at, length);

		if (column < 0) {
			column_names(k, at, length, names, sizeof(names));
			return err_set(e, STATUS_USAGE, "'%.*s' is no figure of a design, expected some of %s",
				       (int)length, at, names);
		}
		if (o->count == OBJECTIVES_MAX)
			return err_set(e, STATUS_USAGE, "more than %d figures", OBJECTIVES_MAX);
		o->column[o->count++] = (unsigned)column;
		if (!at[length])
			return 0;
		at += length + 1;
	}
}

void objectives_text(const struct objectives *o, const struct study *s, char *text, size_t size)
{
	size_t used = 0;

	*text = '\0';
	for (unsigned n = 0; n < o->count && used < size; n++)
		used += (size_t)snprintf(text + used, size - used, "%s%s",
					 !n                  ? ""
					 : n + 1 == o->count ? " and "
							     : ", ",
					 s ? point_column_word(s->kind, o->column[n]) : column_short(o->column[n]));
}

/* the criteria of the front: time, energy, area */
enum { FRONT_CRITERIA = CRITERION_area + 1 };

static double over_traces(const struct plan_point *points, const struct study_traces *traces, const size_t *trace,
			  enum figure f, enum design_over over)
{
	double sum = 0, weights = 0;

	if (trace)
		return points[*trace].figures.value[f];
	/*
	 * A trace without some activity, such as off-chip transfers, makes the geometric mean 0. One without floating
	 * point has none in any design, and does not count in the mean of its rate.
	 */
	for (size_t n = 0; n < traces->count; n++) {
		double v = points[n].figures.value[f], w = traces->at[n].weight;

		if (over == OVER_GEOMEAN && f == FIGURE_gflops && v <= 0)
			continue;
		sum += w * (over == OVER_SUM ? v : log(v));
		weights += w;
	}
	if (over == OVER_SUM)
		return sum;
	return weights > 0 ? exp(sum / weights) : 0;
}

size_t designs_with_flops(const struct plan *p)
{
	const size_t traces = p->study->traces.count;
	size_t count = 0;

	for (size_t trace = 0; trace < traces; trace++)
		for (size_t n = trace; n < p->count; n += traces)
			if (plan_has(&p->points[n]) && p->points[n].figures.value[FIGURE_gflops] > 0) {
				count++;
				break;
			}
	return count;
}

/* A rate over traces: of a sum, the traces' amounts divided by the sum of the divisor. */
static double rate_over_traces(const struct plan_point *points, const struct study_traces *traces, const size_t *trace,
			       const struct extra_row *row, enum design_over over)
{
	double amount = 0, divisor = 0;

	if (trace || over == OVER_GEOMEAN)
		return over_traces(points, traces, trace, row->figure, over);
	for (size_t n = 0; n < traces->count; n++) {
		double by = points[n].figures.value[row->rate];

		amount += traces->at[n].weight * points[n].figures.value[row->figure] * by;
		divisor += traces->at[n].weight * by;
	}
	return amount / divisor;
}

/*
 * The error of `figure` over the traces, whose errors are `error`: they are independent, so squares add up; of a
 * geometric mean, those of relative errors.
 */
static double error_over_traces(const struct plan_point *points, const struct study_traces *traces, const size_t *trace,
				enum figure figure, enum figure error, enum design_over over)
{
	double squares = 0, weights = 0;

	if (trace)
		return points[*trace].figures.value[error];
	for (size_t n = 0; n < traces->count; n++) {
		double w = traces->at[n].weight, by = over == OVER_SUM ? 1 : points[n].figures.value[figure];
		double off = by != 0 ? w * points[n].figures.value[error] / by : 0; /* 0: systems without [power] */

		squares += off * off;
		weights += w;
	}
	if (over == OVER_SUM)
		return sqrt(squares);
	return sqrt(squares) / weights * over_traces(points, traces, NULL, figure, over);
}

static bool is_known(const struct plan_point *points, const size_t *trace, size_t count)
{
	for (size_t n = 0; n < count; n++)
		if (points[n].skipped || (!plan_has(&points[n]) && (!trace || *trace == n)))
			return false;
	return true;
}

static double extra_of(const struct plan_point *points, const struct study_traces *traces, const size_t *trace,
		       const struct extra_row *row, enum design_over over)
{
	if (row->figure == FIGURE_COUNT)
		return 0; /* of others, which designs_make has */
	if (row->per == CHIP)
		return points[trace ? *trace : 0].figures.value[row->figure];
	return row->rate != FIGURE_COUNT ? rate_over_traces(points, traces, trace, row, over)
					 : over_traces(points, traces, trace, row->figure, over);
}

int designs_make(const struct plan *p, const size_t *trace, enum design_over over, struct designs *out, struct err *e)
{
	const size_t count = p->study->traces.count;

	for (size_t n = 0; n < p->study->combinations; n++) {
		const struct plan_point *points = &p->points[n * count];
		struct design *d;

		if (!is_known(points, trace, count))
			continue;
		d = vec_push(out, e);
		if (!d)
			return -1;
		*d = (struct design){.combination = n};
		d->value[CRITERION_time] = over_traces(points, &p->study->traces, trace, FIGURE_seconds, over);
		d->value[CRITERION_energy] = over_traces(points, &p->study->traces, trace, FIGURE_system_j, over);
		/* the chip is the same for every trace */
		d->value[CRITERION_area] = points[trace ? *trace : 0].figures.value[FIGURE_area_mm2];
		d->value[CRITERION_energy_delay] = d->value[CRITERION_time] * d->value[CRITERION_energy];
		d->error[0] =
			error_over_traces(points, &p->study->traces, trace, FIGURE_seconds, FIGURE_seconds_error, over);
		d->error[1] = error_over_traces(points, &p->study->traces, trace, FIGURE_system_j,
						FIGURE_system_error_j, over);
		for (unsigned k = 0; k < EXTRA_COUNT; k++)
			d->extra[k] = extra_of(points, &p->study->traces, trace, &extra_rows[k], over);
		d->extra[EXTRA_density] = d->extra[EXTRA_power] / d->value[CRITERION_area];
	}
	return designs_mark_front(out, e);
}

void designs_finish(struct designs *d)
{
	vec_finish(d);
}

bool design_dominates(const struct design *a, const struct design *b, unsigned count)
{
	bool better = false;

	for (unsigned n = 0; n < count; n++) {
		if (a->value[n] > b->value[n])
			return false;
		better |= a->value[n] < b->value[n];
	}
	return better;
}

/* A design with its objectives, of which less is better. */
struct candidate {
	struct design *design;
	unsigned count;
	double objective[OBJECTIVES_MAX];
};

/* Orders by the objectives: a design follows all that dominate it. */
static int by_objectives(const void *a, const void *b)
{
	const struct candidate *x = a, *y = b;

	for (unsigned n = 0; n < x->count; n++)
		if (x->objective[n] != y->objective[n])
			return x->objective[n] < y->objective[n] ? -1 : 1;
	return 0;
}

static bool dominates(const struct candidate *a, const struct candidate *b)
{
	bool better = false;

	for (unsigned n = 0; n < a->count; n++) {
		if (a->objective[n] > b->objective[n])
			return false;
		better |= a->objective[n] < b->objective[n];
	}
	return better;
}

int designs_mark_front_by(struct designs *d, const struct objectives *o, struct err *e)
{
	struct candidate *sorted = mem_alloc(d->count + 1, sizeof(*sorted), e);
	size_t front = 0;

	if (!sorted)
		return -1;
	for (size_t n = 0; n < d->count; n++) {
		sorted[n] = (struct candidate){.design = &d->at[n], .count = o->count};
		for (unsigned k = 0; k < o->count; k++)
			sorted[n].objective[k] =
				design_column(&d->at[n], o->column[k]) * (column_more(o->column[k]) ? -1 : 1);
	}
	qsort(sorted, d->count, sizeof(*sorted), by_objectives);
	/*
	 * a dominated design is dominated by one of the front, which is collected at the start
	 * of the list
	 */
	for (size_t n = 0; n < d->count; n++) {
		const struct candidate candidate = sorted[n];
		bool beaten = false;

		for (size_t k = 0; k < front && !beaten; k++)
			beaten = dominates(&sorted[k], &candidate);
		candidate.design->front = !beaten;
		if (!beaten)
			sorted[front++] = candidate;
	}
	free(sorted);
	return 0;
}

int designs_mark_front(struct designs *d, struct err *e)
{
	static const struct objectives usual = {FRONT_CRITERIA, {CRITERION_time, CRITERION_energy, CRITERION_area}};

	return designs_mark_front_by(d, &usual, e);
}

const struct design *designs_best(const struct designs *d, enum criterion c)
{
	const struct design *best = NULL;

	/* of equal designs, the first that none of the others dominates */
	for (size_t n = 0; n < d->count; n++)
		if (!best || d->at[n].value[c] < best->value[c] ||
		    (d->at[n].value[c] <= best->value[c] && design_dominates(&d->at[n], best, FRONT_CRITERIA)))
			best = &d->at[n];
	return best;
}
