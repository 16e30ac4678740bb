/* The laws of technology.h. */
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
	const double per_volt = 3.47;     /* ln(2.4 / 1.2) / 0.2 */
	const double threshold_k = 1934;  /* 0.25 V / (1.5 x 86.17 uV/K) */
	double n = node_nm / ANCHOR_NODE_NM, node = n < 1 ? sqrt(n) : pow(n, -4.4);
	double t = kelvin / ANCHOR_KELVIN;
	double heat = t * t * exp(threshold_k * (1 / ANCHOR_KELVIN - 1 / kelvin));

	return node * voltage * exp(per_volt * (voltage - 1)) *
	       (1 - subthreshold + subthreshold * heat);
}
