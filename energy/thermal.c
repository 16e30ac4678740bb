/*
 * The junction's temperature: ambient + package resistance x power, in which leakage depends on the temperature. Both
 * are solved together. Without a package resistance the temperature is given.
 */
#include "energy_model.h"

#include <math.h>

#include "technology.h"

double leakage_at(const struct energy_model *m, double kelvin)
{
	const struct energy_machine *k = &m->machine;

	return m->leakage_w * technology_leakage(k->node_nm, k->voltage, kelvin) /
	       technology_leakage(k->node_nm, k->voltage, k->temperature_k);
}

/*
 * Newton's method from the ambient temperature: power is convex in the temperature, so that no step passes the least
 * solution. A slope of one or more before it means that none exists.
 */
double junction_k(const struct energy_model *m, double switching_w, double share)
{
	const double r = m->machine.package_k_w, ambient = m->machine.ambient_k, step = 1e-3;
	double t = ambient;

	for (unsigned n = 0; n < 1000; n++) {
		double slope = r * share * (leakage_at(m, t + step) - leakage_at(m, t - step)) / (2 * step);
		double above = ambient + r * (switching_w + share * leakage_at(m, t)) - t, move;

		if (slope >= 1)
			return 0;
		move = above / (1 - slope);
		t += move;
		if (t > JUNCTION_MAX_K)
			return 0;
		if (fabs(move) < 1e-9)
			return t;
	}
	return 0;
}

/* The largest package resistance with which a temperature exists. */
static double largest_package(const struct energy_model *m, double switching_w, double share)
{
	const double ambient = m->machine.ambient_k;
	double most = 0;

	for (double t = ambient; t <= JUNCTION_MAX_K; t += 0.01)
		most = fmax(most, (t - ambient) / (switching_w + share * leakage_at(m, t)));
	return most;
}

void describe_runaway(const struct energy_model *m, double switching_w, double share, const char *what,
		      char text[ENERGY_WARNING_MAX])
{
	snprintf(text, ENERGY_WARNING_MAX,
		 "energy: thermal runaway: with energy.package = %g K/W from %g K no junction up to %.0f K carries off "
		 "%s, %.1f W without leakage, expected at most %.3g K/W",
		 m->machine.package_k_w, m->machine.ambient_k, JUNCTION_MAX_K, what, switching_w,
		 largest_package(m, switching_w, share));
}

/* Without a package, or if no temperature is stable, leakage is that at the machine's. */
double energy_idle_w(const struct energy_model *m)
{
	double saved = m->machine.power == POWER_GATED ? (1 - m->machine.sleep_leakage) * m->sleep_leakage : 0;
	double kelvin = m->machine.package_k_w > 0 ? junction_k(m, 0, 1 - saved) : 0;

	return (1 - saved) * (kelvin > 0 ? leakage_at(m, kelvin) : m->leakage_w);
}

double energy_period_j(const struct energy_model *m, const struct activity *a)
{
	struct energy_result x;

	energy_evaluate(m, a, &x);
	return x.total_j + fmax(m->machine.period_s - x.seconds, 0) * energy_idle_w(m);
}

double energy_junction_k(const struct energy_model *m)
{
	return m->runaway ? 0 : m->machine.temperature_k;
}

void energy_set_junction(struct energy_model *m, double kelvin)
{
	m->runaway = kelvin == 0;
	if (m->runaway)
		return;
	for (unsigned n = 0; n < READING_COUNT; n++) {
		struct energy_model *one = n == READING_LIKELY ? m : m->other[n];

		one->leakage_w = leakage_at(one, kelvin);
		one->machine.temperature_k = kelvin;
	}
}

int energy_settle(struct energy_model *m, const struct activity *a, struct err *e)
{
	char text[ENERGY_WARNING_MAX];
	struct energy_result x;
	double watts, kelvin, share;

	if (m->machine.package_k_w == 0 || a->cycles == 0)
		return 0;
	energy_evaluate(m, a, &x);
	watts = (x.total_j - x.leakage_j) / x.seconds;
	share = m->leakage_w > 0 ? x.leakage_j / (m->leakage_w * x.seconds) : 0;
	kelvin = junction_k(m, watts, share);
	energy_set_junction(m, kelvin);
	if (kelvin == 0) {
		describe_runaway(m, watts, share, "the run's power", text);
		return err_set(e, STATUS_USAGE, "%s", text);
	}
	return 0;
}
