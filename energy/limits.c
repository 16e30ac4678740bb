/* Limits: the range of the model, and of the node. */
#include "energy_model.h"

#include <math.h>
#include <string.h>

#include "technology.h"

/* the field of a lithography scanner, 26 mm x 33 mm: no die is larger */
static const double field_mm2 = 26 * 33;
/* nodes for which the laws hold, and shares of a node's usual supply at which chips run */
static const double node_least = 45, node_most = 180, supply_least = 0.7, supply_most = SUPPLY_MOST;

double energy_lowest_voltage(const struct energy_model *m)
{
	const struct energy_machine *machine = &m->machine;
	double low = 0.25, high = supply_most * technology_supply(machine->node_nm), pace;
	unsigned path;

	if (machine->design_hz > 0)
		return point_lowest(machine);
	path_tightest(m, &path);
	/* the tightest path decides: all paths scale alike with the supply */
	pace = FASTEST_SPEED * m->path[path].stretch / m->path[path].work;
	if (technology_pace(machine->frequency_hz, machine->node_nm, high) > pace)
		return 0;
	while (high - low > 1e-4) {
		double middle = (low + high) / 2;

		if (technology_pace(machine->frequency_hz, machine->node_nm, middle) > pace)
			low = middle;
		else
			high = middle;
	}
	return high;
}

static void describe_speed(const struct energy_model *m, unsigned path, char text[ENERGY_WARNING_MAX])
{
	double lowest = energy_lowest_voltage(m);
	char supply[96] = "no realistic supply is sufficient: lower chip.frequency", speed[32] = "more than 100";

	if (lowest > 0)
		snprintf(supply, sizeof(supply), "the lowest supply for this clock is %.2f V, or lower chip.frequency",
			 lowest);
	if (m->path[path].speed <= 100) /* above, the work leaves next to no time, and digits mean nothing */
		snprintf(speed, sizeof(speed), "%.3f", m->path[path].speed);
	snprintf(text, ENERGY_WARNING_MAX,
		 "energy: path %s (%s): its logic must be %s times as fast as the reference's, "
		 "expected at most %.3f, the fastest published; %s",
		 path_name(path), path_doc(path), speed, FASTEST_SPEED, supply);
}

int energy_check_speed(const struct energy_model *m, struct err *e)
{
	char text[ENERGY_WARNING_MAX];
	unsigned path;

	if (!path_tightest(m, &path))
		return 0;
	describe_speed(m, path, text);
	return err_set(e, STATUS_USAGE, "%s", text);
}

double energy_yield(const struct energy_model *m)
{
	double defects = m->total_mm2 / 100 * m->machine.defects_cm2, k = m->machine.clustering;

	return k > 0 ? pow(1 + defects / k, -k) : exp(-defects);
}

static void describe_die(const struct energy_model *m, char text[ENERGY_WARNING_MAX])
{
	snprintf(text, ENERGY_WARNING_MAX,
		 "area: %.0f mm2 of core and L2: expected at most %.0f mm2 (26 mm x 33 mm), the largest die that is "
		 "exposed at once; %.2g %% of such dies would have no defect",
		 m->total_mm2, field_mm2, 100 * energy_yield(m));
}

/* Writes whether the thermal design power runs away in the package. */
static bool thermal_warning(const struct energy_model *m, char text[ENERGY_WARNING_MAX])
{
	double watts = energy_thermal_w(m) - m->leakage_w;

	if (m->machine.package_k_w == 0 || junction_k(m, watts, 1) > 0)
		return false;
	describe_runaway(m, watts, 1, "the thermal design power", text);
	return true;
}

unsigned energy_warnings(const struct energy_model *m, char text[ENERGY_WARNINGS_MAX][ENERGY_WARNING_MAX])
{
	double node = m->machine.node_nm, v = m->machine.voltage, usual = technology_supply(node);
	unsigned count = 0, path;

	if (node < node_least || node > node_most)
		snprintf(text[count++], ENERGY_WARNING_MAX, "energy: node %g nm: the laws hold for %g to %g nm", node,
			 node_least, node_most);
	if (v < supply_least * usual || v > supply_most * usual)
		snprintf(text[count++], ENERGY_WARNING_MAX,
			 "energy: supply %g V: the laws hold for %.2f to %.2f V "
			 "at %g nm",
			 v, supply_least * usual, supply_most * usual, node);
	if (path_tightest(m, &path))
		describe_speed(m, path, text[count++]);
	else if (m->total_mm2 > field_mm2)
		describe_die(m, text[count++]);
	count += thermal_warning(m, text[count]);
	return count;
}
