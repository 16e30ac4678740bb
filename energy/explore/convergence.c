#include "convergence.h"

#include <math.h>
#include <stdlib.h>

#include "../../psim/base/mem.h"
#include "hypervolume.h"

/* An objective of a design, of which less is better. */
static double less(const struct design *d, unsigned column)
{
	return column_more(column) ? -design_column(d, column) : design_column(d, column);
}

/* The least and the most of an objective. */
static void range_of(const struct designs *d, unsigned column, double *least, double *most)
{
	*least = HUGE_VAL;
	*most = -HUGE_VAL;
	for (size_t n = 0; n < d->count; n++) {
		*least = fmin(*least, less(&d->at[n], column));
		*most = fmax(*most, less(&d->at[n], column));
	}
}

int convergence_volume(const struct designs *d, const struct designs *range, const struct objectives *o, double *volume,
		       struct err *e)
{
	struct hypervolume_point *points = mem_alloc(d->count + 1, sizeof(*points), e), reference = {{0}};
	int ret;

	if (!points)
		return -1;
	for (unsigned k = 0; k < o->count; k++) {
		double least, most;

		range_of(range, o->column[k], &least, &most);
		reference.at[k] = 1;
		/* of equal values each is the least */
		for (size_t n = 0; n < d->count && most > least; n++)
			points[n].at[k] = (less(&d->at[n], o->column[k]) - least) / (most - least);
	}
	ret = hypervolume(points, d->count, o->count, &reference, volume, e);
	free(points);
	return ret;
}

/* The feasible designs among the first `count` that were chosen. */
static int designs_so_far(const struct sample *s, size_t count, const struct designs *feasible, struct designs *out,
			  struct err *e)
{
	const size_t all = s->plan->study->combinations;
	bool *has = mem_alloc(all, sizeof(*has), e);

	out->count = 0;
	for (size_t n = 0; has && n < count; n++)
		has[s->order[n]] = true;
	for (size_t n = 0; has && n < feasible->count; n++) {
		struct design *d = has[feasible->at[n].combination] ? vec_push(out, e) : NULL;

		if (d)
			*d = feasible->at[n];
		else if (has[feasible->at[n].combination]) {
			free(has);
			return -1;
		}
	}
	free(has);
	return has ? 0 : -1;
}

static int add_row(const struct sample *s, size_t count, const struct designs *feasible, const struct objectives *o,
		   struct convergence *out, struct err *e)
{
	struct convergence_row *row = vec_push(out, e);
	struct designs d = {0};
	int ret = row ? designs_so_far(s, count, feasible, &d, e) : -1;

	if (ret == 0)
		ret = designs_mark_front_by(&d, o, e);
	if (ret == 0) {
		*row = (struct convergence_row){.simulated = count, .feasible = d.count, .share = (double)NAN};
		for (size_t n = 0; n < d.count; n++)
			row->front += d.at[n].front;
		if (o->count <= CONVERGENCE_OBJECTIVES_MAX)
			ret = convergence_volume(&d, feasible, o, &row->share, e);
	}
	designs_finish(&d);
	return ret;
}

int convergence_make(const struct sample *s, size_t wanted, const struct designs *feasible, const struct objectives *o,
		     struct convergence *out, struct err *e)
{
	const size_t step = sample_step(wanted);
	size_t count = sample_first(wanted);
	double all;

	for (count = count < s->count ? count : s->count;; count = count + step < s->count ? count + step : s->count) {
		if (add_row(s, count, feasible, o, out, e) < 0)
			return -1;
		if (count == s->count)
			break;
	}
	all = out->at[out->count - 1].share;
	for (size_t n = 0; n < out->count; n++)
		out->at[n].share = all > 0 ? out->at[n].share / all : 1; /* 0: no design is between others */
	return 0;
}
