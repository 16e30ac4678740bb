#include "phase_estimate.h"

#include <math.h>
#include <stdlib.h>

#include "../base/mem.h"
#include "../base/spread.h"

static int compare_numbers(const void *a, const void *b)
{
	const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

int phase_units_create(struct phase_units *u, const struct phases *p, struct err *e)
{
	*u = (struct phase_units){.count = 0};
	for (unsigned n = 0; n < p->count; n++)
		u->count += 1 + p->phase[n].checks;
	u->number = mem_alloc(u->count, sizeof(*u->number), e);
	u->begin = u->number ? mem_alloc(u->count, sizeof(*u->begin), e) : NULL;
	if (!u->begin) {
		phase_units_finish(u);
		return -1;
	}
	u->count = 0;
	for (unsigned n = 0; n < p->count; n++) {
		u->number[u->count++] = p->phase[n].chosen;
		for (unsigned k = 0; k < p->phase[n].checks; k++)
			u->number[u->count++] = p->phase[n].check[k];
	}
	qsort(u->number, u->count, sizeof(*u->number), compare_numbers);
	for (uint64_t n = 0; n < u->count; n++)
		u->begin[n] = u->number[n] * p->interval;
	return 0;
}

void phase_units_finish(struct phase_units *u)
{
	free(u->number);
	free(u->begin);
	*u = (struct phase_units){.count = 0};
}

uint64_t phase_unit_of(const struct phase_units *u, uint64_t interval)
{
	const uint64_t *at = bsearch(&interval, u->number, u->count, sizeof(*u->number), compare_numbers);

	if (!at)
		bug("interval %llu is not simulated", (unsigned long long)interval);
	return (uint64_t)(at - u->number);
}

double phase_unit_cpi(const struct phase_units *u, const struct sample_counts *unit, uint64_t interval)
{
	const struct sample_counts *x = &unit[phase_unit_of(u, interval)];

	return x->instructions ? (double)x->cycles / (double)x->instructions : 0;
}

double phase_error(const struct phase *phase, const struct phase_units *u, const struct sample_counts *unit)
{
	const double own = phase_unit_cpi(u, unit, phase->chosen);
	double squares = 0;

	for (unsigned n = 0; n < phase->checks; n++)
		squares += pow(phase_unit_cpi(u, unit, phase->check[n]) - own, 2);
	return phase->checks ? sqrt(squares / phase->checks) : 0;
}

double phase_mean_cycles(const struct phases *p, const struct phase_units *u, const struct sample_counts *unit)
{
	double cycles = 0;

	for (unsigned n = 0; n < p->count; n++) {
		const struct phase *phase = &p->phase[n];
		double sum = phase_unit_cpi(u, unit, phase->chosen);

		for (unsigned k = 0; k < phase->checks; k++)
			sum += phase_unit_cpi(u, unit, phase->check[k]);
		cycles += (double)phase->instructions * sum / (1 + phase->checks);
	}
	return cycles;
}

struct sample_estimate phase_estimate(const struct phases *p, const struct phase_units *u,
				      const struct sample_counts *unit)
{
	struct sample_estimate x = {.cycles = 0};
	double variance = 0, spread = 0;

	for (unsigned n = 0; n < p->count; n++) {
		const struct phase *phase = &p->phase[n];
		const double instructions = (double)phase->instructions;
		const double others = instructions * (double)(phase->intervals - 1) / (double)phase->intervals;
		const double square = pow(others * phase_error(phase, u, unit), 2);

		x.cycles += instructions * phase_unit_cpi(u, unit, phase->chosen);
		variance += square;
		spread += phase->checks ? square * square / phase->checks : 0;
	}
	x.sampling = variance > 0 ? spread_t95(variance * variance / spread) * sqrt(variance) : 0;
	x.allowance = SAMPLE_ALLOWANCE * x.cycles;
	return x;
}
