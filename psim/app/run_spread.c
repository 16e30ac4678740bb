#include "run_spread.h"

#include <math.h>

typedef double figure_of(const struct side_result *x, double frequency);

static double run_cycles(const struct side_result *x, double frequency)
{
	(void)frequency;
	return (double)x->cycles;
}

static double run_seconds(const struct side_result *x, double frequency)
{
	return (double)x->cycles / frequency;
}

static double run_energy(const struct side_result *x, double frequency)
{
	(void)frequency;
	return x->energy_j;
}

static struct spread spread_of_figure(const struct side_result *result, unsigned count, figure_of *figure,
				      double frequency)
{
	double value[RUNS_MOST];

	for (unsigned n = 0; n < count; n++)
		value[n] = figure(&result[n], frequency);
	return spread_of(value, count);
}

struct spread run_spread_cycles(const struct side_result *result, unsigned count)
{
	return spread_of_figure(result, count, run_cycles, 0);
}

static void figure_group(const struct spread *s, const char *name, const char *unit, struct report *r)
{
	double half = spread_half(s);

	report_group(r, name, "of all runs");
	report_f64(r, "mean", s->mean, unit, "mean");
	report_f64(r, "low", s->mean - half, unit, "low end of the 95 % confidence interval of the mean (Student's t)");
	report_f64(r, "high", s->mean + half, unit, "high end of the interval");
	report_f64(r, "deviation", s->deviation, unit, "standard deviation of a run");
	report_f64(r, "least", s->least, unit, "of all runs");
	report_f64(r, "most", s->most, unit, "of all runs");
	report_end(r);
}

/*
 * What a reader has to know of the unperturbed run, whose figures the report has: whether it is beyond the 95 %
 * prediction interval of one more perturbed run, by more than the pauses.
 */
static const char *spread_note(const struct side_result *result, unsigned count)
{
	const struct spread others = run_spread_cycles(result + 1, count - 1);
	const double runs = (double)others.runs, off = (double)result->cycles - others.mean;
	double half, held = 0;

	if (others.runs < 2)
		return "two runs show a difference, but hardly a spread: repeat it more often";
	for (unsigned n = 1; n < count; n++)
		held = fmax(held, (double)result[n].held);
	half = spread_t95(runs - 1) * others.deviation * sqrt(1 + 1 / runs) + held;
	if (off > half)
		return "the unperturbed run takes more cycles than a perturbed one: cite the mean";
	if (off < -half)
		return "the unperturbed run takes fewer cycles than a perturbed one: cite the mean";
	return "the unperturbed run is like the perturbed ones";
}

static double held_share(const struct side_result *result, unsigned count)
{
	double held = 0, cycles = 0;

	for (unsigned n = 1; n < count; n++) {
		held += (double)result[n].held;
		cycles += (double)result[n].cycles;
	}
	return cycles > 0 ? 100 * held / cycles : 0;
}

void run_spread_report(const struct side_result *result, unsigned count, double frequency, struct report *r)
{
	const struct spread cycles = spread_of_figure(result, count, run_cycles, frequency),
			    seconds = spread_of_figure(result, count, run_seconds, frequency),
			    energy = spread_of_figure(result, count, run_energy, frequency);

	report_group(r, "spread", "the run, and repetitions with short pauses of fetch at random times");
	report_u64(r, "runs", count, "runs", "the first is unperturbed: all other groups are of it");
	report_f64(r, "pauses", held_share(result, count), "%",
		   "of the perturbed runs' cycles, at most: a spread below it says nothing");
	report_f64(r, "deviation", cycles.mean > 0 ? 100 * cycles.deviation / cycles.mean : 0, "%",
		   "standard deviation of a run's cycles, of the mean");
	report_f64(r, "error", cycles.mean > 0 ? 100 * spread_half(&cycles) / cycles.mean : 0, "%",
		   "half the 95 % confidence interval of the mean cycles, of the mean");
	report_text(r, "note", spread_note(result, count), "");
	figure_group(&cycles, "cycles", "cycles", r);
	figure_group(&seconds, "seconds", "s", r);
	figure_group(&energy, "energy_j", "J", r);
	report_end(r);
}
