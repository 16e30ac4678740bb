#include "estimates.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../../psim/base/mem.h"
#include "simulate.h"

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
		error = anchors_error(point, a, UNIT_TIME);
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

/*
 * Estimates a point. True: it is found to be too wide, and has no whole run. One with a whole run that
 * nothing needs, of a study that was disturbed, gets the figures of an undisturbed one.
 */
static bool estimate(const struct plan_file *f, const struct anchors *list, struct plan_point *point)
{
	const struct plan_point *reference = reference_of(list, point);
	bool wide = !reference || figures_runaway(&point->units.expanded), found;
	struct figures figures;

	if (!wide)
		estimate_figures(point, reference, &figures);
	for (unsigned k = 0; !wide && k < UNIT_FIGURES; k++) {
		const double half = paired_half(&f->trust[k], anchors_error(point, reference, k));

		figures.value[error_of[k]] = half * figures.value[figure_of[k]];
		wide = !(half <= ESTIMATE_WIDE);
	}
	found = wide && !point->wide && !point->known;
	point->wide |= wide;
	if (wide)
		return found;
	point->figures = figures;
	point->estimated = true;
	point->known = false;
	return false;
}

/*
 * Estimates the points of a file, if its anchors are known; returns the number that are found to be too wide, or to be
 * anchors.
 */
static int estimate_file(struct plan *p, size_t file, struct anchors *list, double *off[UNIT_FIGURES])
{
	struct plan_file *f = &p->files.at[file];
	int wide = (int)anchors_spread(p, file, off[UNIT_TIME]);

	f->estimated = f->anchors_all && collect_anchors(p, file, list) && trust_anchors(list, f, off);
	for (size_t n = 0; f->estimated && n < p->count; n++) {
		struct plan_point *point = &p->points[n];

		if (point->file == file && point->sampled && !point->skipped && point->units.count &&
		    !(point->known && (point->anchor || point->wide)))
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
		return paired_half(trust, anchors_error(a, b, figure));
	return hypot(a->figures.value[error_of[figure]] / a->figures.value[figure_of[figure]],
		     b->figures.value[error_of[figure]] / b->figures.value[figure_of[figure]]);
}
