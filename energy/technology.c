/* The scaling laws of technology.h. */
#include "technology.h"

#include <math.h>

double technology_dynamic(double node_nm, double voltage)
{
	return node_nm / ANCHOR_NODE_NM * voltage * voltage;
}

double technology_area(double node_nm)
{
	return node_nm / ANCHOR_NODE_NM * (node_nm / ANCHOR_NODE_NM);
}

double technology_leakage(double node_nm, double voltage, double kelvin)
{
	const double subthreshold = 0.81 / (0.81 + 0.83);
	const double per_volt = 3.47;    /* ln(2.4 / 1.2) / 0.2 */
	const double threshold_k = 1934; /* 0.25 V / (1.5 x 86.17 uV/K) */
	double n = node_nm / ANCHOR_NODE_NM, node = n < 1 ? sqrt(n) : pow(n, -4.4);
	double t = kelvin / ANCHOR_KELVIN;
	double heat = t * t * exp(threshold_k * (1 / ANCHOR_KELVIN - 1 / kelvin));

	return node * voltage * exp(per_volt * (voltage - 1)) * (1 - subthreshold + subthreshold * heat);
}

double technology_supply(double node_nm)
{
	if (node_nm <= 90)
		return 1.0;
	return node_nm <= 130 ? 1.0 + 0.2 * (node_nm - 90) / 40 : 1.2 + 0.3 * (node_nm - 130) / 50;
}

/* The alpha-power law: relative delay. */
static double supply_delay(double voltage)
{
	return voltage > THRESHOLD_V ? voltage / pow(voltage - THRESHOLD_V, ALPHA) : HUGE_VAL;
}

double technology_delay(double voltage, double than)
{
	return supply_delay(voltage) / supply_delay(than);
}

double technology_pace(double hz, double node_nm, double voltage)
{
	double fo4 = FO4_PS_NM * 1e-12 * node_nm * technology_delay(voltage, technology_supply(node_nm));
	double logic = 1 / (hz * fo4) - CYCLE_OVERHEAD_FO4;

	/* at least a thousandth of an FO4, so that the result is finite */
	return REFERENCE_LOGIC_FO4 / fmax(logic, 1e-3);
}

double technology_speed_energy(double speed)
{
	return SPEED_FLOOR + (1 - SPEED_FLOOR) * pow(speed, SPEED_EXP);
}
