#include "estimates.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../../psim/base/mem.h"
#include "../../psim/base/rng.h"
#include "point_kind.h"

/* ---- which points ---- */
enum { LOTS = 1 }; /* index of the random number; plan_share has another one */

/* A point that may be an anchor, and its place in the draw. */
struct draw {
	uint64_t lot;
	size_t point;
};

static int by_lot(const void *a, const void *b)
{
	const struct draw *x = a, *y = b;

	if (x->lot != y->lot)
		return x->lot < y->lot ? -1 : 1;
	return x->point < y->point ? -1 : x->point > y->point;
}

static bool can_be_sampled(const struct plan *p, const struct plan_point *point)
{
	const struct plan_file *f = &p->files.at[point->file];

	return !point->skipped && f->units.chosen_count && !f->pes && point->cores == 1;
}

/* The number of anchors of so many points. */
static size_t anchors_of(size_t count)
{
	const size_t few = count / ANCHORS_FEW, many = count / ANCHORS_SHARE;

	if (many > ANCHORS_ENOUGH)
		return many < ANCHORS_MOST ? many : ANCHORS_MOST;
	return few < ANCHORS_MIN ? ANCHORS_MIN : few < ANCHORS_ENOUGH ? few : ANCHORS_ENOUGH;
}

/* Chooses the sampled points of a file and their anchors. `draw` has room for all points. */
static void choose_of_file(struct plan *p, size_t file, struct draw *draw)
{
	struct plan_file *f = &p->files.at[file];
	size_t count = 0;

	for (size_t n = 0; n < p->count; n++) {
		struct plan_point *point = &p->points[n];

		if (!can_be_sampled(p, point) || point->file != file || point->left_out)
			continue;
		draw[count++] = (struct draw){rng_u64(p->hash[point->combination], f->checksum, LOTS), n};
	}
	if (count < 2 * (size_t)ANCHORS_MIN)
		return;
	for (size_t n = 0; n < p->count; n++)
		p->points[n].sampled |= can_be_sampled(p, &p->points[n]) && p->points[n].file == file;
	qsort(draw, count, sizeof(*draw), by_lot);
	f->sampled = count;
	f->anchors = anchors_of(count);
	for (size_t n = 0; n < f->anchors; n++)
		p->points[draw[n].point].anchor = true;
}

int estimates_choose(struct plan *p, struct err *e)
{
	struct draw *draw;

	if (!p->study->sample)
		return 0;
	for (size_t n = 0; n < p->files.count; n++) {
		struct plan_file *f = &p->files.at[n];

		if (point_units_plan(p->study->sample, f->length, &f->units, f->units_text, e) < 0)
			return err_prefix(e, "%s", p->study->path);
	}
	draw = mem_alloc(p->count, sizeof(*draw), e);
	if (!draw)
		return -1;
	for (size_t n = 0; n < p->files.count; n++)
		choose_of_file(p, n, draw);
	free(draw);
	return 0;
}

/* ---- estimates ---- */
/* The figure that a unit's value is a part of. */
static const enum figure figure_of[UNIT_FIGURES] = {
	[UNIT_TIME] = FIGURE_seconds,
	[UNIT_ENERGY] = FIGURE_system_j,
};
static const enum figure error_of[UNIT_FIGURES] = {
	[UNIT_TIME] = FIGURE_seconds_error,
	[UNIT_ENERGY] = FIGURE_system_error_j,
};

static double error_of_pair(const struct plan_point *a, const struct plan_point *b, enum unit_figure figure)
{
	return paired_ratio(a->units.value[figure], b->units.value[figure], a->units.count).error;
}

/* The anchors of a trace. */
struct anchors {
	const struct plan_point **at;
	size_t count;
};

/*
 * Collects the anchors of a file but for those that are no designs: failed ones, and runaways. False: one is not known.
 * `list` has room for all.
 */
static bool collect_anchors(const struct plan *p, size_t file, struct anchors *list)
{
	list->count = 0;
	for (size_t n = 0; n < p->count; n++) {
		const struct plan_point *a = &p->points[n];

		if (!a->anchor || a->file != file || a->skipped || a->failed)
			continue;
		if (!a->known || !a->units.count)
			return false;
		if (!figures_runaway(&a->figures) && !figures_runaway(&a->units.expanded))
			list->at[list->count++] = a;
	}
	return list->count > 1;
}

/* The anchor other than the point itself with the least error of the ratio of times. NULL: none. */
static const struct plan_point *reference_of(const struct anchors *list, const struct plan_point *point)
{
	const struct plan_point *best = NULL;
	double least = HUGE_VAL;

	for (size_t n = 0; n < list->count; n++) {
		const struct plan_point *a = list->at[n];
		double error;

		if (a == point || a->units.count != point->units.count)
			continue;
		error = error_of_pair(point, a, UNIT_TIME);
		if (error < least) {
			least = error;
			best = a;
		}
	}
	return best;
}

/* The anchor's figure times the ratio of the units'; without one, what the point's units say alone. */
static double by_ratio(const struct plan_point *point, const struct plan_point *reference, enum figure f)
{
	const double own = point->units.expanded.value[f], other = reference->units.expanded.value[f];

	return other > 0 ? reference->figures.value[f] * own / other : own;
}

/* Sets the figures that are amounts or rates over instructions; then those that follow from them. */
static void estimate_figures(const struct plan_point *point, const struct plan_point *reference, struct figures *out)
{
	static const enum figure measured[] = {
		FIGURE_seconds,      FIGURE_energy_j,      FIGURE_cycles,        FIGURE_branch_mpki, FIGURE_l1d_mpki,
		FIGURE_l2_mpki,      FIGURE_energy_low_j,  FIGURE_energy_high_j, FIGURE_memory_j,    FIGURE_system_j,
		FIGURE_system_low_j, FIGURE_system_high_j, FIGURE_period_j,
	};
	const double flops = reference->figures.value[FIGURE_gflops] * reference->figures.value[FIGURE_seconds];
	double *v = out->value;

	*out = point->units.expanded;
	for (size_t n = 0; n < sizeof(measured) / sizeof(measured[0]); n++)
		v[measured[n]] = by_ratio(point, reference, measured[n]);
	v[FIGURE_instructions] = reference->figures.value[FIGURE_instructions];
	v[FIGURE_runs] = 1;
	v[FIGURE_ipc] = v[FIGURE_instructions] / v[FIGURE_cycles];
	v[FIGURE_gflops] = flops / v[FIGURE_seconds];
	v[FIGURE_power_w] = v[FIGURE_energy_j] / v[FIGURE_seconds];
	v[FIGURE_energy_delay_js] = v[FIGURE_energy_j] * v[FIGURE_seconds];
}

/* Checks each anchor by the others. False: they have other units. `off` has room for all anchors. */
static bool trust_anchors(const struct anchors *list, struct plan_file *f, double *off[UNIT_FIGURES])
{
	for (size_t n = 0; n < list->count; n++) {
		const struct plan_point *a = list->at[n], *reference = reference_of(list, a);

		if (!reference)
			return false;
		for (unsigned k = 0; k < UNIT_FIGURES; k++)
			off[k][n] = log(by_ratio(a, reference, figure_of[k]) / a->figures.value[figure_of[k]]);
	}
	for (unsigned k = 0; k < UNIT_FIGURES; k++)
		f->trust[k] = paired_trust(off[k], list->count);
	return true;
}

/* Estimates a point. True: it is found to be too wide. */
static bool estimate(const struct plan_file *f, const struct anchors *list, struct plan_point *point)
{
	const struct plan_point *reference = reference_of(list, point);
	bool wide = !reference || figures_runaway(&point->units.expanded);

	if (!wide)
		estimate_figures(point, reference, &point->figures);
	for (unsigned k = 0; !wide && k < UNIT_FIGURES; k++) {
		const double half = paired_half(&f->trust[k], error_of_pair(point, reference, k));

		point->figures.value[error_of[k]] = half * point->figures.value[figure_of[k]];
		wide = !(half <= ESTIMATE_WIDE);
	}
	point->estimated = !wide;
	if (point->wide || !wide)
		return false;
	point->wide = true;
	return true;
}

/* Estimates the points of a file, if its anchors are known; returns the number that are found to be too wide. */
static int estimate_file(struct plan *p, size_t file, struct anchors *list, double *off[UNIT_FIGURES])
{
	struct plan_file *f = &p->files.at[file];
	int wide = 0;

	f->estimated = f->anchors && collect_anchors(p, file, list) && trust_anchors(list, f, off);
	for (size_t n = 0; f->estimated && n < p->count; n++) {
		struct plan_point *point = &p->points[n];

		if (point->file == file && point->sampled && !point->skipped && !point->known && point->units.count)
			wide += estimate(f, list, point);
	}
	return wide;
}

int estimates_make(struct plan *p, struct err *e)
{
	double *off[UNIT_FIGURES] = {NULL};
	struct anchors list = {NULL, 0};
	int wide = 0;

	if (!p->study->sample)
		return 0;
	list.at = mem_alloc(p->count, sizeof(*list.at), e);
	for (unsigned k = 0; list.at && k < UNIT_FIGURES; k++)
		off[k] = mem_alloc(p->count, sizeof(*off[k]), e);
	for (size_t file = 0; off[UNIT_TIME] && off[UNIT_ENERGY] && file < p->files.count; file++)
		wide += estimate_file(p, file, &list, off);
	if (!off[UNIT_TIME] || !off[UNIT_ENERGY])
		wide = -1;
	for (unsigned k = 0; k < UNIT_FIGURES; k++)
		free(off[k]);
	free(list.at);
	return wide;
}

/* ---- differences ---- */
double estimates_difference(const struct plan *p, const struct plan_point *a, const struct plan_point *b,
			    enum unit_figure figure)
{
	const struct paired_trust *trust = &p->files.at[a->file].trust[figure];

	if (a->known && b->known)
		return 0;
	if (a->file == b->file && a->units.count && a->units.count == b->units.count)
		return paired_half(trust, error_of_pair(a, b, figure));
	return hypot(a->figures.value[error_of[figure]] / a->figures.value[figure_of[figure]],
		     b->figures.value[error_of[figure]] / b->figures.value[figure_of[figure]]);
}
