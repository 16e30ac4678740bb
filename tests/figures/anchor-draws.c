/*
 * How often intervals of a study by units hold, over many draws of its anchors (docs/accuracy/studies.md).
 *
 *     anchor-draws STUDY.ini RESULTS.sqlite DRAWS
 *
 * RESULTS has the units of all points and their whole runs, so that each draw is estimated without a simulation. The
 * first draw that is counted is not that of psim-explore. Prints the share of intervals that hold, its mean and its
 * least over the draws, how many draws have fewer than 95 %, and the mean half interval of time. Of points that a draw
 * has too wide no interval counts. Status 5: the mean is below 95 %.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "energy/explore/estimates.h"
#include "energy/explore/store.h"
#include "psim/base/mem.h"

static const double promised = 0.95;

struct total {
	size_t draws, few; /* draws with an interval; those of which fewer hold than promised */
	double sum, least; /* of the draws' shares */
	double halves;
	size_t intervals; /* of time */
};

/* Estimates the plan as psim-explore does; whole runs are known when they are needed. 0, or -1 with `e`. */
static int estimate(struct plan *p, struct err *e)
{
	int lacking;

	do {
		for (size_t n = 0; n < p->count; n++)
			p->points[n].known = p->points[n].known || plan_lacks_whole(&p->points[n]);
		lacking = estimates_make(p, e);
	} while (lacking > 0);
	return lacking;
}

/* Counts the intervals of a draw. `exact` are the figures of all points. */
static void count(const struct plan *p, const struct figures *exact, struct total *t)
{
	size_t held = 0, all = 0;

	for (size_t n = 0; n < p->count; n++) {
		const double *v = p->points[n].figures.value, *x = exact[n].value;

		if (p->points[n].known || !p->points[n].estimated)
			continue;
		held += fabs(v[FIGURE_seconds] - x[FIGURE_seconds]) <= v[FIGURE_seconds_error];
		held += fabs(v[FIGURE_system_j] - x[FIGURE_system_j]) <= v[FIGURE_system_error_j];
		t->halves += v[FIGURE_seconds_error] / v[FIGURE_seconds];
		t->intervals++;
		all += 2;
	}
	if (!all)
		return;
	t->sum += (double)held / (double)all;
	t->least = fmin(t->least, (double)held / (double)all);
	t->few += (double)held < promised * (double)all;
	t->draws++;
}

/* Makes one draw. 0, or -1 with `e`. */
static int draw(struct study *s, struct store *store, uint64_t number, struct total *t, struct err *e)
{
	struct plan *p = plan_create(s, e);
	struct figures *exact = p ? mem_alloc(p->count, sizeof(*exact), e) : NULL;
	int ret = exact && anchors_choose(p, number, e) == 0 ? store_load(store, p, e) : -1;

	for (size_t n = 0; ret == 0 && n < p->count; n++) {
		if (!p->points[n].skipped && (!p->points[n].known || !p->points[n].units.count))
			ret = err_set(e, STATUS_USAGE, "a point lacks its whole run or its units");
		exact[n] = p->points[n].figures;
		p->points[n].known = false;
	}
	if (ret == 0)
		ret = estimate(p, e);
	if (ret == 0)
		count(p, exact, t);
	free(exact);
	plan_destroy(p);
	return ret;
}

static int run(const char *path, const char *results, uint64_t draws, struct total *t, struct err *e)
{
	struct study *s = study_open(path, e);
	struct store *store = s ? store_open(results, false, e) : NULL;
	int ret = store ? 0 : -1;

	for (uint64_t n = 1; ret == 0 && n <= draws; n++)
		ret = draw(s, store, n, t, e);
	if (store && store_close(store, ret < 0 ? NULL : e) < 0)
		ret = -1;
	study_close(s);
	return ret;
}

int main(int argc, char *argv[])
{
	struct total t = {.least = 1};
	struct err e;

	if (argc != 4) {
		fprintf(stderr, "usage: anchor-draws STUDY.ini RESULTS.sqlite DRAWS\n");
		return STATUS_USAGE;
	}
	if (run(argv[1], argv[2], strtoull(argv[3], NULL, 10), &t, &e) < 0) {
		fprintf(stderr, "anchor-draws: %s: %s\n", argv[2], e.text);
		return (int)e.status;
	}
	if (!t.draws) {
		printf("no draw has an interval\n");
		return 0;
	}
	printf("%zu draws: %.1f %% hold, at least %.1f %%; %.1f %% of draws below 95 %%; half intervals %.2f %%\n",
	       t.draws, 100 * t.sum / (double)t.draws, 100 * t.least, 100 * (double)t.few / (double)t.draws,
	       100 * t.halves / (double)t.intervals);
	return t.sum >= promised * (double)t.draws ? 0 : 5;
}
