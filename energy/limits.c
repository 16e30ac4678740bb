/* Limits: the range of the model, and of the node. */
#include "energy_model.h"

#include <math.h>
#include <string.h>

#include "technology.h"

/* the field of a lithography scanner, 26 mm x 33 mm: no die is larger */
static const double field_mm2 = 26 * 33;

/* Returns whether the logic of the tightest path is fast enough at a supply: all paths scale alike with it. */
static bool suffices(const struct energy_model *m, double voltage)
{
	unsigned path;

	path_tightest(m, &path);
	return technology_pace(m->machine.frequency_hz, m->machine.node_nm, voltage) <=
	       FASTEST_SPEED * m->path[path].stretch / m->path[path].work;
}

double energy_lowest_voltage(const struct energy_model *m)
{
	const struct energy_machine *machine = &m->machine;
	double usual = technology_supply(machine->node_nm), low = SUPPLY_LEAST * usual, high = SUPPLY_MOST * usual;

	if (machine->design_hz > 0)
		return point_lowest(machine);
	if (!suffices(m, high))
		return 0;
	if (suffices(m, low))
		return low;
	while (high - low > 1e-4) {
		double middle = (low + high) / 2;

		if (suffices(m, middle))
			high = middle;
		else
			low = middle;
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
	const double share = 1 / m->machine.peak_ratio;

	if (m->machine.package_k_w == 0 || energy_thermal_k(m) > 0)
		return false;
	describe_runaway(m, energy_thermal_w(m) - share * m->leakage_w, share, "the thermal design power", text);
	return true;
}

unsigned energy_warnings(const struct energy_model *m, char text[ENERGY_WARNINGS_MAX][ENERGY_WARNING_MAX])
{
	double node = m->machine.node_nm, v = m->machine.voltage, usual = technology_supply(node);
	unsigned count = 0, path;

	if (node < NODE_LEAST || node > NODE_MOST)
		snprintf(text[count++], ENERGY_WARNING_MAX, "energy: node %g nm: the laws hold for %g to %g nm", node,
			 NODE_LEAST, NODE_MOST);
	if (m->own.outside_nm > 0)
		snprintf(
			text[count++], ENERGY_WARNING_MAX,
			"energy: technology.file: CACTI at %g nm: the laws that scale it to %g nm hold for %g to %g nm",
			m->own.outside_nm, ANCHOR_NODE_NM, NODE_LEAST, NODE_MOST);
	if (v < SUPPLY_LEAST * usual || v > SUPPLY_MOST * usual)
		snprintf(text[count++], ENERGY_WARNING_MAX,
			 "energy: supply %g V: the laws hold for %.2f to %.2f V "
			 "at %g nm",
			 v, SUPPLY_LEAST * usual, SUPPLY_MOST * usual, node);
	if (path_tightest(m, &path))
		describe_speed(m, path, text[count++]);
	else if (m->total_mm2 > field_mm2)
		describe_die(m, text[count++]);
	count += thermal_warning(m, text[count]);
	return count;
}
