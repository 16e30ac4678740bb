#include "lookup.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../../psim/base/mem.h"

void lookup_destroy(struct lookup *g)
{
	if (!g)
		return;
	for (unsigned v = 0; v < MODEL_VARIABLES_MAX; v++) {
		free(g->size[v]);
		free(g->log_size[v]);
	}
	free(g->value);
	free(g->log_value);
	free(g);
}

static int by_number(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* Collects the different sizes of a variable in ascending order. */
static int take_sizes(struct lookup *g, const struct knot *knots, unsigned count, unsigned v, struct err *e)
{
	g->size[v] = mem_alloc(count, sizeof(*g->size[v]), e);
	g->log_size[v] = mem_alloc(count, sizeof(*g->log_size[v]), e);
	if (!g->size[v] || !g->log_size[v])
		return -1;
	for (unsigned i = 0; i < count; i++)
		g->size[v][i] = knots[i].at[v];
	qsort(g->size[v], count, sizeof(*g->size[v]), by_number);
	for (unsigned i = 0; i < count; i++)
		if (g->sizes[v] == 0 || g->size[v][i] > g->size[v][g->sizes[v] - 1])
			g->size[v][g->sizes[v]++] = g->size[v][i];
	for (unsigned i = 0; i < g->sizes[v]; i++)
		g->log_size[v][i] = log(g->size[v][i]);
	return 0;
}

/*
 * Returns the begin of x's interval: the last of sorted[0 … count - 1] that is not above x, the
 * last element excluded.
 */
static unsigned stretch(const double *sorted, unsigned count, double x)
{
	unsigned low = 0, high = count - 1;

	while (high - low > 1) {
		unsigned middle = (low + high) / 2;

		if (sorted[middle] <= x)
			low = middle;
		else
			high = middle;
	}
	return low;
}

static unsigned index_of(const struct lookup *g, const struct knot *k)
{
	unsigned at = 0;

	for (unsigned v = 0; v < g->variables; v++) {
		unsigned i = g->sizes[v] > 1 ? stretch(g->size[v], g->sizes[v], k->at[v]) : 0;

		at = at * g->sizes[v] + i + (k->at[v] > g->size[v][i]);
	}
	return at;
}

static int check_knots(const struct knot *knots, unsigned count, unsigned variables, struct err *e)
{
	if (count < 2 || count > KNOTS_MAX)
		return err_set(e, STATUS_BAD_INPUT, "%u sizes, expected 2 to %d for interpolation", count, KNOTS_MAX);
	for (unsigned i = 0; i < count; i++) {
		bool above = knots[i].value > 0 && isfinite(knots[i].value);

		for (unsigned v = 0; v < variables; v++)
			above &= knots[i].at[v] > 0 && isfinite(knots[i].at[v]);
		if (!above)
			return err_set(e, STATUS_BAD_INPUT,
				       "%g at a size of %g, expected numbers above 0 for interpolation", knots[i].value,
				       knots[i].at[0]);
	}
	return 0;
}

static int lookup_fill(struct lookup *g, const struct knot *knots, unsigned count, struct err *e)
{
	uint64_t all = 1;

	for (unsigned v = 0; v < g->variables; v++) {
		if (take_sizes(g, knots, count, v, e) < 0)
			return -1;
		all *= g->sizes[v];
		if (all > count)
			return err_set(e, STATUS_BAD_INPUT,
				       "%u sizes form no grid, expected all combinations of the sizes of each variable",
				       count);
	}
	g->count = (unsigned)all;
	g->value = mem_alloc(g->count, sizeof(*g->value), e);
	g->log_value = mem_alloc(g->count, sizeof(*g->log_value), e);
	if (!g->value || !g->log_value)
		return -1;
	for (unsigned i = 0; i < count; i++) {
		unsigned at = index_of(g, &knots[i]);

		if (g->value[at] > 0)
			return err_set(e, STATUS_BAD_INPUT, "duplicate size %g, expected each size once",
				       knots[i].at[0]);
		g->value[at] = knots[i].value;
		g->log_value[at] = log(knots[i].value);
	}
	return 0; /* as many as places, and none twice: all are present */
}

struct lookup *lookup_create(const struct knot *knots, unsigned count, unsigned variables, struct err *e)
{
	struct lookup *g;

	if (check_knots(knots, count, variables, e) < 0)
		return NULL;
	g = mem_alloc(1, sizeof(*g), e);
	if (!g)
		return NULL;
	g->variables = variables;
	if (lookup_fill(g, knots, count, e) == 0)
		return g;
	lookup_destroy(g);
	return NULL;
}

double lookup_value(const struct lookup *g, const double *values)
{
	unsigned first = 0, step[MODEL_VARIABLES_MAX], stride = g->count;
	double share[MODEL_VARIABLES_MAX], sum = 0, value;

	for (unsigned v = 0; v < g->variables; v++) {
		const double *logs = g->log_size[v];
		unsigned i = g->sizes[v] > 1 ? stretch(g->size[v], g->sizes[v], values[v]) : 0;

		if (!(values[v] > 0))
			return (double)NAN;
		stride /= g->sizes[v];
		first += i * stride;
		step[v] = stride;
		share[v] = g->sizes[v] > 1 ? (log(values[v]) - logs[i]) / (logs[i + 1] - logs[i]) : 0;
	}
	for (unsigned corner = 0; corner < 1u << g->variables; corner++) {
		unsigned at = first;
		double weight = 1;

		for (unsigned v = 0; v < g->variables; v++) {
			bool upper = corner >> v & 1;

			weight *= upper ? share[v] : 1 - share[v];
			at += upper ? step[v] : 0;
		}
		if (weight > 0 || weight < 0) /* a single size has no upper neighbour */
			sum += weight * g->log_value[at];
	}
	value = exp(sum);
	return isfinite(value) ? value : (double)NAN;
}

struct knot lookup_knot(const struct lookup *g, unsigned i)
{
	struct knot k = {.value = g->value[i]};

	for (unsigned v = g->variables; v > 0; v--) {
		k.at[v - 1] = g->size[v - 1][i % g->sizes[v - 1]];
		i /= g->sizes[v - 1];
	}
	return k;
}

double lookup_without(const struct lookup *g, unsigned i, unsigned variable, bool *last)
{
	unsigned stride = 1, at, low, high;
	const double *x = g->log_size[variable];
	double share;

	for (unsigned v = variable + 1; v < g->variables; v++)
		stride *= g->sizes[v];
	at = i / stride % g->sizes[variable];
	*last = at + 1 == g->sizes[variable];
	if (at == 0 || (*last && at < 2))
		return (double)NAN;
	low = *last ? at - 2 : at - 1;
	high = *last ? at - 1 : at + 1;
	share = (x[at] - x[low]) / (x[high] - x[low]);
	return exp((1 - share) * g->log_value[i - (at - low) * stride] +
		   share * g->log_value[i + high * stride - at * stride]);
}
