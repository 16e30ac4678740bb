#include "paired.h"

#include <math.h>

#include "../../psim/base/spread.h"

struct paired paired_ratio(const double *a, const double *b, size_t count)
{
	double of_a = 0, of_b = 0, squares = 0, ratio;

	for (size_t n = 0; n < count; n++) {
		of_a += a[n];
		of_b += b[n];
	}
	ratio = of_a / of_b;
	for (size_t n = 0; n < count; n++) {
		const double off = a[n] - ratio * b[n];

		squares += off * off;
	}
	return (struct paired){ratio, sqrt(squares * (double)count / (double)(count - 1)) / of_a};
}

struct paired_trust paired_trust(const double *off, size_t count)
{
	double squares = 0, largest = 0;

	for (size_t n = 0; n < count; n++) {
		squares += off[n] * off[n];
		largest = fmax(largest, fabs(off[n]));
	}
	return (struct paired_trust){
		.spread = sqrt(squares / (double)count),
		.largest = largest,
		.t = spread_t95((double)(count / 2)),
	};
}

double paired_half(const struct paired_trust *t, double error)
{
	return fmax(t->t * hypot(t->spread, error), t->largest);
}
