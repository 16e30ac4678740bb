#include "anchors.h"

#include <math.h>
#include <stdlib.h>

#include "../../psim/base/mem.h"
#include "../../psim/base/rng.h"
#include "simulate.h"

double anchors_error(const struct plan_point *a, const struct plan_point *b, enum unit_figure figure)
{
	return paired_ratio(a->units.value[figure], b->units.value[figure], a->units.count).error;
}

/* ---- by lot ---- */
enum { LOTS = 1 }; /* index of the first draw's random numbers; plan_share has another one */

static int by_lot(const void *a, const void *b)
{
	const struct plan_point *x = *(const struct plan_point *const *)a, *y = *(const struct plan_point *const *)b;

	if (x->lot != y->lot)
		return x->lot < y->lot ? -1 : 1;
	return x < y ? -1 : x > y;
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

/* Chooses the sampled points of a file and its anchors by lot. `drawn` has room for all points. */
static void choose_of_file(struct plan *p, size_t file, uint64_t draw, struct plan_point **drawn)
{
	struct plan_file *f = &p->files.at[file];
	size_t count = 0;

	for (size_t n = 0; n < p->count; n++) {
		struct plan_point *point = &p->points[n];

		if (!can_be_sampled(p, point) || point->file != file || point->left_out)
			continue;
		point->lot = rng_u64(p->hash[point->combination], f->checksum, LOTS + draw);
		drawn[count++] = point;
	}
	if (count < 2 * (size_t)ANCHORS_MIN)
		return;
	for (size_t n = 0; n < p->count; n++)
		p->points[n].sampled |= can_be_sampled(p, &p->points[n]) && p->points[n].file == file;
	qsort(drawn, count, sizeof(struct plan_point *), by_lot);
	f->sampled = count;
	f->anchors = anchors_of(count);
	for (size_t n = 0; n < count; n++) {
		drawn[n]->may_anchor = true;
		drawn[n]->anchor = n < (f->anchors + ANCHORS_BY_LOT - 1) / ANCHORS_BY_LOT;
	}
}

int anchors_choose(struct plan *p, uint64_t draw, struct err *e)
{
	struct plan_point **drawn;

	if (!p->study->sample)
		return 0;
	for (size_t n = 0; n < p->files.count; n++) {
		struct plan_file *f = &p->files.at[n];

		if (point_units_plan(p->study->sample, f->length, &f->units, f->units_text, e) < 0)
			return err_prefix(e, "%s", p->study->path);
	}
	drawn = mem_alloc(p->count, sizeof(struct plan_point *), e);
	if (!drawn)
		return -1;
	for (size_t n = 0; n < p->files.count; n++)
		choose_of_file(p, n, draw, drawn);
	free(drawn);
	return 0;
}

/* ---- by units ---- */
static bool may_anchor(const struct plan_point *point, size_t file)
{
	return point->may_anchor && point->file == file && !point->skipped && !point->failed;
}

/* Returns whether the units of all points are known that have some to come. */
static bool has_all_units(const struct plan *p, size_t file)
{
	for (size_t n = 0; n < p->count; n++)
		if (may_anchor(&p->points[n], file) && plan_lacks_units(&p->points[n]))
			return false;
	return true;
}

/* Notes that `anchor` is one: how unlike each point is to the anchor that it is most alike. */
static void note_anchor(const struct plan *p, size_t file, const struct plan_point *anchor, double *least)
{
	for (size_t n = 0; n < p->count; n++) {
		const struct plan_point *point = &p->points[n];

		if (may_anchor(point, file) && point->units.count && point->units.count == anchor->units.count)
			least[n] = fmin(least[n], anchors_error(point, anchor, UNIT_TIME));
	}
}

/* Returns whether `a` is less like the anchors than `b`, NULL: none; of equal ones by lot. */
static bool is_less_alike(const struct plan *p, const struct plan_point *a, const struct plan_point *b,
			  const double *least)
{
	const double of_a = least[a - p->points], of_b = b ? least[b - p->points] : -1;

	return of_a > of_b || (of_a == of_b && a->lot < b->lot);
}

/* The point that is least like all anchors; NULL: none is left. */
static struct plan_point *least_alike(struct plan *p, size_t file, const double *least)
{
	struct plan_point *found = NULL;

	for (size_t n = 0; n < p->count; n++) {
		struct plan_point *point = &p->points[n];

		if (may_anchor(point, file) && !point->anchor && point->units.count &&
		    !figures_runaway(&point->units.expanded) && is_less_alike(p, point, found, least))
			found = point;
	}
	return found;
}

/* Notes the anchors by lot; returns how many there are. */
static size_t note_lots(const struct plan *p, size_t file, double *least)
{
	size_t count = 0;

	for (size_t n = 0; n < p->count; n++)
		least[n] = HUGE_VAL;
	for (size_t n = 0; n < p->count; n++) {
		const struct plan_point *point = &p->points[n];

		if (!point->anchor || point->file != file)
			continue;
		count++;
		if (point->units.count)
			note_anchor(p, file, point, least);
	}
	return count;
}

size_t anchors_spread(struct plan *p, size_t file, double *least)
{
	struct plan_file *f = &p->files.at[file];
	size_t count, lacking = 0;

	if (f->anchors_all || !f->anchors || !has_all_units(p, file))
		return 0;
	for (count = note_lots(p, file, least); count < f->anchors; count++) {
		struct plan_point *next = least_alike(p, file, least);

		if (!next)
			break;
		next->anchor = true;
		lacking += !next->known;
		note_anchor(p, file, next, least);
	}
	f->anchors = count;
	f->anchors_all = true;
	return lacking;
}
