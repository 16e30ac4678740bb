/* Operating points: silicon that is made for one clock and supply, at others. Its delay follows the alpha-power law. */
#include "energy_model.h"

#include <math.h>

#include "technology.h"

double energy_highest_hz(const struct energy_machine *m, double voltage)
{
	return m->design_hz / technology_delay(voltage, m->design_voltage);
}

static bool reaches(const struct energy_machine *m, double voltage)
{
	return m->frequency_hz <= energy_highest_hz(m, voltage);
}

double point_lowest(const struct energy_machine *m)
{
	double low = SUPPLY_LEAST * technology_supply(m->node_nm), high = SUPPLY_MOST * technology_supply(m->node_nm);

	if (!reaches(m, high))
		return 0;
	if (reaches(m, low))
		return low;
	while (high - low > 1e-9) {
		double middle = (low + high) / 2;

		if (reaches(m, middle))
			high = middle;
		else
			low = middle;
	}
	return high;
}

/* GHz with three digits that the silicon reaches. */
static double floor_mhz(double hz)
{
	return floor(hz * 1e-6) / 1000;
}

int point_check(const struct energy_machine *m, struct err *e)
{
	double lowest, usual = technology_supply(m->node_nm);

	if (!m->design_hz != !m->design_voltage)
		return err_set(e, STATUS_USAGE,
			       "energy.design_frequency, energy.design_voltage: expected both or none");
	if (!m->design_hz || reaches(m, m->voltage))
		return 0;
	lowest = point_lowest(m);
	if (lowest > 0)
		return err_set(e, STATUS_USAGE,
			       "chip.frequency: %.4g GHz at %g V: silicon for %.4g GHz at %g V reaches %.4g GHz there, "
			       "expected at most that, or energy.voltage of %.3f V or more",
			       m->frequency_hz * 1e-9, m->voltage, m->design_hz * 1e-9, m->design_voltage,
			       floor_mhz(energy_highest_hz(m, m->voltage)), ceil(lowest * 1000 - 1e-3) / 1000);
	return err_set(e, STATUS_USAGE,
		       "chip.frequency: %.4g GHz at %g V: silicon for %.4g GHz at %g V reaches %.4g GHz there, and "
		       "%.4g GHz at %.2f V, the highest supply of the laws (%.2f to %.2f V), expected at most that",
		       m->frequency_hz * 1e-9, m->voltage, m->design_hz * 1e-9, m->design_voltage,
		       floor_mhz(energy_highest_hz(m, m->voltage)),
		       floor_mhz(energy_highest_hz(m, SUPPLY_MOST * usual)), SUPPLY_MOST * usual, SUPPLY_LEAST * usual,
		       SUPPLY_MOST * usual);
}
