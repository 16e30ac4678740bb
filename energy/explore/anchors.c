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

/* A point that may be an anchor, and its place in the draw. */
struct lot {
	uint64_t place;
	size_t point;
};

static int by_lot(const void *a, const void *b)
{
	const struct lot *x = a, *y = b;

	if (x->place != y->place)
		return x->place < y->place ? -1 : 1;
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

/* Chooses the sampled points of a file and its anchors by lot. `lots` has room for all points. */
static void choose_of_file(struct plan *p, size_t file, uint64_t draw, struct lot *lots)
{
	struct plan_file *f = &p->files.at[file];
	size_t count = 0;

	for (size_t n = 0; n < p->count; n++) {
		struct plan_point *point = &p->points[n];

		if (!can_be_sampled(p, point) || point->file != file || point->left_out)
			continue;
		lots[count++] =
			(struct lot){rng_u64(p->hash[point->combination], f->checksum, LOTS + draw), n};
	}
	if (count < 2 * (size_t)ANCHORS_MIN)
		return;
	for (size_t n = 0; n < p->count; n++)
		p->points[n].sampled |= can_be_sampled(p, &p->points[n]) && p->points[n].file == file;
	qsort(lots, count, sizeof(*lots), by_lot);
	f->sampled = count;
	f->anchors = anchors_of(count);
	for (size_t n = 0; n < count; n++) {
		p->points[lots[n].point].may_anchor = true;
		p->points[lots[n].point].anchor = n < (f->anchors + ANCHORS_BY_LOT - 1) / ANCHORS_BY_LOT;
	}
}

int anchors_choose(struct plan *p, uint64_t draw, struct err *e)
{
	struct lot *lots;

	if (!p->study->sample)
		return 0;
	for (size_t n = 0; n < p->files.count; n++) {
		struct plan_file *f = &p->files.at[n];

		if (point_units_plan(p->study->sample, f->length, &f->units, f->units_text, e) < 0)
			return err_prefix(e, "%s", p->study->path);
	}
	lots = mem_alloc(p->count, sizeof(*lots), e);
	if (!lots)
		return -1;
	for (size_t n = 0; n < p->files.count; n++)
		choose_of_file(p, n, draw, lots);
	free(lots);
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

/* The point that is least like all anchors; NULL: none is left. Of equal ones the first. */
static struct plan_point *least_alike(struct plan *p, size_t file, const double *least)
{
	struct plan_point *found = NULL;
	double most = -1;

	for (size_t n = 0; n < p->count; n++) {
		struct plan_point *point = &p->points[n];

		if (!may_anchor(point, file) || point->anchor || !point->units.count || !(least[n] > most) ||
		    figures_runaway(&point->units.expanded))
			continue;
		most = least[n];
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
