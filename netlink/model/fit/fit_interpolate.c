/* Makes models that are tables: docs/models/fitting.md, "Tables". */
#include <math.h>
#include <stdlib.h>

#include "../../../psim/base/mem.h"
#include "fit.h"

/* Computes errors at sizes left out: the rms inside, the largest at the last sizes. */
static void take_left_out(struct fit *f, const struct lookup *g)
{
	double squares = 0, count = 0;

	f->beyond = (double)NAN;
	for (unsigned i = 0; i < g->count; i++) {
		for (unsigned v = 0; v < g->variables; v++) {
			bool last;
			double without = lookup_without(g, i, v, &last);
			double error = 100 * (without / lookup_knot(g, i).value - 1);

			if (isnan(error))
				continue;
			if (last) {
				const double *size = g->size[v] + g->sizes[v];

				f->learnt[v] = true;
				f->beyond = fmax(f->beyond, fabs(error));
				f->beyond_factor = fmax(f->beyond_factor, size[-1] / size[-2]);
				continue;
			}
			squares += error * error;
			count++;
		}
	}
	f->cross_validation = count > 0 ? sqrt(squares / count) : (double)NAN;
}

static struct lookup *make_lookup(const struct problem *b, unsigned variables, struct err *e)
{
	struct knot *knots = mem_alloc(b->rows + 1, sizeof(*knots), e);
	struct lookup *g = NULL;

	for (unsigned r = 0; r < b->rows && knots; r++) {
		knots[r].value = b->y[r] / b->weight[r];
		for (unsigned v = 0; v < variables; v++)
			knots[r].at[v] = b->points[r]->values[v];
	}
	if (knots)
		g = lookup_create(knots, b->rows, variables, e);
	free(knots);
	return g;
}

int fit_interpolate(const struct points *p, struct fit *f, struct err *e)
{
	static const unsigned no_terms[] = {0, 0};
	struct problem b;
	int ret;

	fit_start(f, p, NULL, no_terms, 1, true);
	ret = problem_create(&b, p, true, e);
	if (ret == 0) {
		f->model.lookup = make_lookup(&b, p->variables.count, e);
		ret = f->model.lookup ? 0 : err_prefix(e, "--interpolate");
	}
	if (ret == 0) {
		f->points = b.runs;
		f->sizes = b.rows;
		f->r2 = (double)NAN;
		fit_take_ranges(&f->model, &b);
		take_left_out(f, f->model.lookup);
		f->excess = isnan(f->beyond) ? 0 : f->beyond / log2(f->beyond_factor);
		fit_take_run_errors(f, p);
		f->bound = student_bound(0.95, UINT32_MAX);
		f->variance = isnan(f->cross_validation) ? 0 : f->cross_validation * f->cross_validation / 1e4;
		f->scatter = b.scatter;
	}
	problem_finish(&b);
	return ret;
}

void fit_finish(struct fit *f)
{
	lookup_destroy(f->model.lookup);
	f->model.lookup = NULL;
}
