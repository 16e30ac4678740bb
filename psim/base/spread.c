#include "spread.h"

#include <math.h>

struct spread spread_of(const double *value, uint64_t runs)
{
	struct spread s = {.runs = runs, .least = value[0], .most = value[0]};
	double squares = 0;

	/* from the first value on, so that equal ones have their value as the mean, and no deviation */
	for (uint64_t n = 0; n < runs; n++) {
		s.mean += (value[n] - value[0]) / (double)runs;
		s.least = fmin(s.least, value[n]);
		s.most = fmax(s.most, value[n]);
	}
	s.mean += value[0];
	for (uint64_t n = 0; n < runs; n++)
		squares += (value[n] - s.mean) * (value[n] - s.mean);
	s.deviation = runs > 1 ? sqrt(squares / (double)(runs - 1)) : 0;
	return s;
}

/* Cornish and Fisher's expansion: Abramowitz and Stegun, Handbook of mathematical functions, 26.7.5. */
double spread_t95(double freedom)
{
	static const double exact[] = {12.7062, 12.7062, 4.3027, 3.1824, 2.7764};
	double z = 1.959963985, z2 = z * z, n = floor(freedom);

	if (!(n >= (double)(sizeof(exact) / sizeof(exact[0]))))
		return exact[n > 0 ? (unsigned)n : 0];
	return z * (1 + (z2 + 1) / (4 * n) + ((5 * z2 + 16) * z2 + 3) / (96 * n * n) +
		    (((3 * z2 + 19) * z2 + 17) * z2 - 15) / (384 * n * n * n));
}

double spread_half(const struct spread *s)
{
	if (s->runs < 2)
		return (double)INFINITY;
	return spread_t95((double)(s->runs - 1)) * s->deviation / sqrt((double)s->runs);
}

struct spread_difference spread_compare(const struct spread *a, const struct spread *b)
{
	struct spread_difference d = {.mean = b->mean - a->mean, .half = (double)INFINITY, .within = true};
	double of_a, of_b, sum, freedom;

	if (a->runs < 2 || b->runs < 2)
		return d;
	of_a = a->deviation * a->deviation / (double)a->runs;
	of_b = b->deviation * b->deviation / (double)b->runs;
	sum = of_a + of_b;
	/* Welch's degrees of freedom; without any variance they do not matter */
	freedom = sum > 0 ? sum * sum / (of_a * of_a / (double)(a->runs - 1) + of_b * of_b / (double)(b->runs - 1)) : 1;
	d.half = sum > 0 ? spread_t95(freedom) * sqrt(sum) : 0;
	d.within = fabs(d.mean) <= d.half;
	return d;
}
