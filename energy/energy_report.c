/* The groups "energy" and "area" of a report. */
#include "energy_model.h"

#include <math.h>

#include "technology.h"

static const char *const gating_names[GATING_COUNT] = {ENERGY_GATINGS(CHOICE_NAME)};

static double energy_report_watts(const struct energy_result *x, double joules)
{
	return x->seconds > 0 ? joules / x->seconds : 0;
}

static double energy_report_share(const struct energy_result *x, double joules)
{
	return x->total_j > 0 ? 100 * joules / x->total_j : 0;
}

/* Fills the last three cells of a row. */
static void joule_cells(struct report *r, const struct energy_result *x, double joules)
{
	report_cell_f64(r, joules);
	report_cell_f64(r, energy_report_watts(x, joules));
	report_cell_f64(r, energy_report_share(x, joules));
}

static void unit_table(const struct energy_model *m, const struct energy_result *x, struct report *r)
{
	static const struct report_column columns[] = {
		{"unit", ""},
		{"energy", "J"},
		{"power", "W"},
		{"share", "%"},
	};
	double joules[UNIT_COUNT];

	energy_by_unit(m, x, joules);
	report_table(r, "units", "energy by unit; adds up to total", columns, 4);
	for (unsigned u = 0; u < UNIT_COUNT; u++) {
		if (unit_absent(&m->machine, u))
			continue;
		report_cell_text(r, energy_unit_name(u));
		joule_cells(r, x, joules[u]);
	}
	report_table_end(r);
}

/* Latches of a slot of the stage, with those that a longer path adds. */
static double slot_latches(const struct stage_cost *c)
{
	return c->latches * c->copies;
}

/*
 * A row is recomputed from its own cells: latches = described_bits x latches.per_bit x copies, clocked = (slots_moved +
 * slots_held) x latches, energy = slots_moved x moved + slots_held x held + operations.
 */
static void stage_row(const struct energy_model *m, const struct activity *a, const struct energy_result *x, unsigned s,
		      struct report *r)
{
	const struct stage_cost *c = &m->stage[s];
	double held = stage_held_slots(m, a, s);

	report_cell_text(r, stage_label(s));
	report_cell_text(r, energy_unit_name(c->unit));
	report_cell_u64(r, a->moved[s]);
	report_cell_u64(r, a->stalled[s]);
	report_cell_f64(r, held);
	report_cell_f64(r, c->slots);
	report_cell_f64(r, c->described);
	report_cell_f64(r, c->copies);
	report_cell_f64(r, slot_latches(c));
	report_cell_f64(r, ((double)a->moved[s] + held) * slot_latches(c));
	report_cell_f64(r, c->moved_j * 1e12);
	report_cell_f64(r, c->held_j * 1e12);
	report_cell_f64(r, stage_operations_j(m, a, s));
	joule_cells(r, x, x->stage_j[s]);
}

static void stage_table(const struct energy_model *m, const struct activity *a, const struct energy_result *x,
			struct report *r)
{
	static const struct report_column columns[] = {
		{"stage", ""},
		{"unit", ""},
		{"slots_moved", ""},
		{"slots_stalled", ""},
		{"slots_held", ""},
		{"slots", ""},
		{"described_bits", "bits/slot"},
		{"copies", ""},
		{"latches", "/slot"},
		{"clocked", "latches"},
		{"moved", "pJ/slot"},
		{"held", "pJ/slot"},
		{"operations", "J"},
		{"energy", "J"},
		{"power", "W"},
		{"share", "%"},
	};

	report_table(r, "stages",
		     "latches clocked by pipeline stage; energy: slots x energy, and the logic of operations", columns,
		     sizeof(columns) / sizeof(columns[0]));
	for (unsigned s = 0; s < STAGE_COUNT; s++)
		if (!unit_absent(&m->machine, m->stage[s].unit))
			stage_row(m, a, x, s, r);
	report_table_end(r);
}

static void array_table(const struct energy_model *m, const struct activity *a, const struct energy_result *x,
			struct report *r)
{
	static const struct report_column columns[] = {
		{"array", ""},   {"unit", ""},    {"reads", ""},  {"writes", ""}, {"read", "pJ"},
		{"write", "pJ"}, {"energy", "J"}, {"power", "W"}, {"share", "%"},
	};

	report_table(r, "arrays", "storage arrays: accesses, energy", columns, 9);
	for (unsigned i = 0; i < ARRAY_COUNT; i++) {
		if (m->array[i].off_chip || array_absent(m, i))
			continue;
		report_cell_text(r, array_name(i));
		report_cell_text(r, energy_unit_name(m->array[i].unit));
		report_cell_u64(r, a->reads[i]);
		report_cell_u64(r, a->writes[i]);
		report_cell_f64(r, m->array[i].read_j * 1e12);
		report_cell_f64(r, m->array[i].write_j * 1e12);
		joule_cells(r, x, x->array_j[i]);
	}
	report_table_end(r);
}

/* The stage whose row has `in_stage`, the logic that an operation uses there; "-": none. */
static const char *op_stage_label(const struct energy_model *m, unsigned op)
{
	return m->op[op].stage_j > 0 ? stage_label(m->op[op].stage) : "-";
}

static void op_table(const struct energy_model *m, const struct activity *a, const struct energy_result *x,
		     struct report *r)
{
	static const struct report_column columns[] = {
		{"operation", ""},  {"unit", ""},    {"count", ""},  {"each", "pJ"}, {"stage", ""},
		{"in_stage", "pJ"}, {"energy", "J"}, {"power", "W"}, {"share", "%"},
	};

	report_table(r, "operations",
		     "functional units: operations, energy; in_stage: the logic that is in the row of the stage",
		     columns, sizeof(columns) / sizeof(columns[0]));
	for (unsigned i = 0; i < EOP_COUNT; i++) {
		if (op_absent(m, i))
			continue;
		report_cell_text(r, op_name(i));
		report_cell_text(r, energy_unit_name(m->op[i].unit));
		report_cell_u64(r, a->ops[i]);
		report_cell_f64(r, m->op[i].j * 1e12);
		report_cell_text(r, op_stage_label(m, i));
		report_cell_f64(r, m->op[i].stage_j * 1e12);
		joule_cells(r, x, x->op_j[i]);
	}
	report_table_end(r);
}

/* The cost of the moved latches without their logic and wires. */
static void latch_group(const struct energy_model *m, const struct activity *a, const struct energy_result *x,
			struct report *r)
{
	double alone = 1e-12 * technology_dynamic(m->machine.node_nm, m->machine.voltage) *
		       m->machine.technology.latch_alone_pj;
	double moved = 0, held = 0, described = 0, all = 0;

	for (unsigned s = 0; s < STAGE_COUNT; s++) {
		moved += (double)a->moved[s] * slot_latches(&m->stage[s]);
		held += stage_held_slots(m, a, s) * slot_latches(&m->stage[s]);
		described += (double)a->moved[s] * m->stage[s].described;
		all += m->stage[s].slots * m->stage[s].described;
	}
	report_group(r, "latches", "latches and their energy, without logic and wires");
	report_f64(r, "chip", m->latches, "", "latches in stages and storage, excluding SRAM");
	report_f64(r, "described", all, "", "latch bits of the stages, as described in latch.def");
	report_f64(r, "per_bit", m->per_bit, "latches/bit", "implemented latches for each described bit of a stage");
	report_f64(r, "rest_per_bit", m->rest_per_bit, "latches/bit",
		   "latches of the chip that no stage lists, for each described bit of the core");
	report_f64(r, "clocked_per_cycle", a->cycles ? (moved + held) / (double)a->cycles : 0, "latches/cycle",
		   "stage latches clocked per cycle: of slots that moved, and with less gating of held ones");
	report_f64(r, "alone_w", energy_report_watts(x, moved * alone), "W",
		   "power of the moved slots' latches alone: 53 fJ each at 90 nm and 1.0 V, without logic and wires");
	report_f64(r, "described_alone_w", energy_report_watts(x, described * alone), "W",
		   "power of the described bits alone: 53 fJ each at 90 nm and 1.0 V, without logic and wires");
	report_end(r);
}

/* The constants that have readings, with their factors. */
static void readings_table(struct report *r)
{
	static const struct report_column columns[] = {
		{"constant", ""}, {"low", ""}, {"likely", ""}, {"high", ""}, {"why", ""},
	};

	report_table(r, "readings", "constants on which sources disagree, as factors of the value used", columns, 5);
	for (unsigned n = 0; n < READING_ROWS; n++) {
		report_cell_text(r, reading_rows[n].name);
		for (unsigned k = 0; k < READING_COUNT; k++)
			report_cell_f64(r, reading_rows[n].factor[k]);
		report_cell_text(r, reading_rows[n].why);
	}
	report_table_end(r);
}

/* The constants that a user's file gave. */
static void constants_table(const struct energy_model *m, struct report *r)
{
	static const struct report_column columns[] = {
		{"constant", ""}, {"low", ""}, {"likely", ""}, {"high", ""}, {"source", ""},
	};
	struct energy_constant c;

	if (!energy_own_constant(m, 0, &c))
		return;
	report_table(r, "constants", "constants of technology.file; low and high 0: by the factors of readings",
		     columns, 5);
	for (unsigned n = 0; energy_own_constant(m, n, &c); n++) {
		report_cell_text(r, c.name);
		report_cell_f64(r, c.low);
		report_cell_f64(r, c.likely);
		report_cell_f64(r, c.high);
		report_cell_text(r, c.source);
	}
	report_table_end(r);
}

/* The speed that each path's logic needs. */
static void path_table(const struct energy_model *m, struct report *r)
{
	static const struct report_column columns[] = {
		{"path", ""},   {"cycles", ""}, {"work", ""},    {"speed", ""},
		{"energy", ""}, {"area", ""},   {"meaning", ""},
	};

	report_table(r, "paths",
		     "cycles and work relative to the reference; required speed of the logic, its energy and area",
		     columns, 7);
	for (unsigned n = 0; n < PATH_COUNT; n++) {
		if (!path_used(&m->machine, n))
			continue;
		report_cell_text(r, path_name(n));
		report_cell_f64(r, m->path[n].stretch);
		report_cell_f64(r, m->path[n].work);
		report_cell_f64(r, m->path[n].speed);
		report_cell_f64(r, m->path[n].energy);
		report_cell_f64(r, m->path[n].area);
		report_cell_text(r, path_doc(n));
	}
	report_table_end(r);
}

/* Peak, thermal design and idle power, the junction, and the energy of a period. */
static void power_limits(const struct energy_model *m, const struct activity *a, double seconds, struct report *r)
{
	double peak = energy_peak_w(m), thermal = energy_thermal_w(m), kelvin = energy_thermal_k(m);
	double period = m->machine.period_s;

	report_f64(r, "peak_w", peak, "W",
		   "power of the peak: each slot moves, each pipe and port is used; leakage at junction_k");
	report_f64(r, "thermal_w", thermal, "W",
		   "thermal design power: the peak over energy.peak_ratio; leakage at thermal_junction_k");
	report_f64(r, "thermal_density_w_mm2", thermal / m->total_mm2, "W/mm2", "thermal design power over the area");
	if (!m->runaway)
		report_f64(r, "junction_k", m->machine.temperature_k, "K",
			   "junction temperature: energy.temperature, or that of this run's power in the package");
	if (kelvin > 0)
		report_f64(r, "thermal_junction_k", kelvin, "K",
			   "junction temperature with the thermal design power, and leakage at that temperature");
	if (m->machine.design_hz > 0)
		report_f64(r, "highest_hz", energy_highest_hz(&m->machine, m->machine.voltage), "Hz",
			   "highest clock of the silicon at this supply");
	report_f64(
		r, "idle_w", energy_idle_w(m), "W",
		"leakage with a stopped clock, and arrays asleep; with energy.package at that power's own temperature");
	if (period > 0) {
		report_f64(r, "slack_s", period - seconds, "s", "idle rest of energy.period; below 0: too late");
		report_f64(r, "period_j", energy_period_j(m, a), "J",
			   "energy of the run and of leakage until the end of energy.period");
	}
}

/* Writes the energy of memory of banks and rows, by operation. */
static void dram_table(const struct energy_model *m, const struct activity *a, const struct energy_result *x,
		       struct report *r)
{
	static const struct report_column columns[] = {
		{"operation", ""}, {"count", ""}, {"each", "pJ"}, {"energy", "J"}, {"power", "W"},
	};
	const struct energy_machine *machine = &m->machine;
	const struct {
		const char *name;
		uint64_t count;
		double each;
	} rows[] = {
		{"activate, precharge", a->reads[ARRAY_dram_row], m->array[ARRAY_dram_row].read_j},
		{"read", a->reads[ARRAY_dram_burst], m->array[ARRAY_dram_burst].read_j},
		{"write", a->writes[ARRAY_dram_burst], m->array[ARRAY_dram_burst].write_j},
		{"open rows, a clock", a->reads[ARRAY_dram_open], m->array[ARRAY_dram_open].read_j},
	};
	const struct {
		const char *name;
		double watts;
	} always[] = {
		{"refresh", machine->dram_refresh_w * m->reading.memory},
		{"closed banks", machine->dram_idle_w * m->reading.memory},
	};

	if (!machine->has_dram)
		return;
	report_table(r, "memory", "energy of memory by operation; adds up to memory_j", columns, 5);
	for (size_t n = 0; n < sizeof(rows) / sizeof(rows[0]); n++) {
		double j = (double)rows[n].count * rows[n].each;

		report_cell_text(r, rows[n].name);
		report_cell_u64(r, rows[n].count);
		report_cell_f64(r, rows[n].each * 1e12);
		report_cell_f64(r, j);
		report_cell_f64(r, energy_report_watts(x, j));
	}
	for (size_t n = 0; n < sizeof(always) / sizeof(always[0]); n++) {
		report_cell_text(r, always[n].name);
		report_cell_u64(r, 0);
		report_cell_f64(r, 0);
		report_cell_f64(r, always[n].watts * x->seconds);
		report_cell_f64(r, always[n].watts);
	}
	report_table_end(r);
}

static void energy_group(const struct energy_model *m, const struct activity *a, struct report *r)
{
	double lowest = energy_lowest_voltage(m);
	struct energy_result x;

	energy_evaluate(m, a, &x);
	report_group(r, "energy", "energy of the chip: core and L2");
	report_text(r, "gating", gating_names[m->machine.gating], "clock gating");
	report_f64(r, "seconds", x.seconds, "s", "simulated time");
	report_f64(r, "total_j", x.total_j, "J", "energy of the chip, without off-chip memory");
	report_f64(r, "low_j", energy_total_j(m, a, READING_LOW), "J", "total with all constants read low");
	report_f64(r, "high_j", energy_total_j(m, a, READING_HIGH), "J", "total with all constants read high");
	report_f64(r, "average_w", energy_report_watts(&x, x.total_j), "W", "average power of the chip");
	report_f64(r, "density_w_mm2", energy_report_watts(&x, x.total_j) / m->total_mm2, "W/mm2",
		   "average power over the area of core and L2");
	report_f64(r, "dynamic_w", energy_report_watts(&x, x.total_j - x.leakage_j), "W",
		   "average power without leakage");
	report_f64(r, "clock_w", energy_report_watts(&x, x.clock_j), "W",
		   "power of the clock tree; without gating also of the clock pins of storage");
	report_f64(r, "rest_w", energy_report_watts(&x, x.rest_j), "W",
		   "power of latches that no stage lists: with energy.latches = unit");
	report_f64(r, "leakage_w", a->cycles ? energy_report_watts(&x, x.leakage_j) : m->leakage_w, "W",
		   "leakage power at the machine's supply, node and temperature; less while PEs sleep");
	power_limits(m, a, x.seconds, r);
	report_f64(r, "memory_j", x.memory_j, "J", "energy of off-chip memory, transfers and idling; not in the total");
	if (lowest > 0)
		report_f64(r, "lowest_v", lowest, "V",
			   "lowest supply voltage within the laws at which the logic reaches the clock");
	latch_group(m, a, &x, r);
	unit_table(m, &x, r);
	stage_table(m, a, &x, r);
	array_table(m, a, &x, r);
	dram_table(m, a, &x, r);
	op_table(m, a, &x, r);
	path_table(m, r);
	readings_table(r);
	constants_table(m, r);
	report_end(r);
}

static void area_row(const struct energy_model *m, struct report *r, const char *part, unsigned unit, const char *kind,
		     double mm2)
{
	if (mm2 == 0)
		return;
	report_cell_text(r, part);
	report_cell_text(r, energy_unit_name(unit));
	report_cell_text(r, kind);
	report_cell_f64(r, mm2);
	report_cell_f64(r, 100 * mm2 / m->total_mm2);
}

static void area_parts(const struct energy_model *m, struct report *r)
{
	static const struct report_column columns[] = {
		{"part", ""}, {"unit", ""}, {"kind", ""}, {"area", "mm2"}, {"share", "%"},
	};

	report_table(r, "parts", "area by part; adds up to total", columns, 5);
	for (unsigned s = 0; s < STAGE_COUNT; s++)
		area_row(m, r, stage_label(s), m->stage[s].unit, "logic", m->stage[s].mm2);
	for (unsigned i = 0; i < ARRAY_COUNT; i++)
		area_row(m, r, array_name(i), m->array[i].unit, m->array[i].memory ? "SRAM" : "storage",
			 m->array[i].mm2);
	for (unsigned i = 0; i < EOP_COUNT; i++)
		area_row(m, r, op_name(i), m->op[i].unit, "FP unit", m->op[i].mm2);
	report_table_end(r);
}

/* Area of the core, or of core and L2 (chip), with the array relative to without it. */
static double array_area_ratio(const struct energy_model *m, bool chip)
{
	double all = m->total_mm2 - (chip ? 0 : m->unit_mm2[UNIT_l2] + m->unit_mm2[UNIT_l3]);

	return all / (all - simd_mm2(m));
}

/* Area of the array, relative to core and chip. */
static void simd_area(const struct energy_model *m, struct report *r)
{
	static const struct {
		const char *core, *chip, *what;
		enum energy_reading reading;
	} rows[] = {
		{"simd_to_core", "simd_to_chip", "", READING_LIKELY},
		{"simd_to_core_low", "simd_to_chip_low", ", all constants read low", READING_LOW},
		{"simd_to_core_high", "simd_to_chip_high", ", all constants read high", READING_HIGH},
	};
	double simd = simd_mm2(m);
	char doc[96];

	if (!m->machine.simd_pes)
		return;
	report_f64(r, "simd_mm2", simd, "mm2", "area of the SIMD array, all PEs");
	report_f64(r, "pe_mm2", simd / m->machine.cores / m->machine.simd_pes, "mm2", "area of one PE");
	for (unsigned n = 0; n < sizeof(rows) / sizeof(rows[0]); n++) {
		const struct energy_model *as = energy_read_as(m, rows[n].reading);

		snprintf(doc, sizeof(doc), "area of the core with the array over that without, excluding L2%s",
			 rows[n].what);
		report_f64(r, rows[n].core, array_area_ratio(as, false), "", doc);
		snprintf(doc, sizeof(doc), "area of core and L2 with the array over that without%s", rows[n].what);
		report_f64(r, rows[n].chip, array_area_ratio(as, true), "", doc);
	}
}

static void area_group(const struct energy_model *m, struct report *r)
{
	static const struct report_column columns[] = {
		{"unit", ""},
		{"area", "mm2"},
		{"share", "%"},
	};

	report_group(r, "area", "area of core and L2, without pads and the pad ring");
	report_f64(r, "total_mm2", m->total_mm2, "mm2", "area of core and L2");
	report_f64(r, "low_mm2", energy_area_mm2(energy_read_as(m, READING_LOW)), "mm2",
		   "total with all constants read low");
	report_f64(r, "high_mm2", energy_area_mm2(energy_read_as(m, READING_HIGH)), "mm2",
		   "total with all constants read high");
	report_f64(r, "core_mm2", m->total_mm2 - m->unit_mm2[UNIT_l2] - m->unit_mm2[UNIT_l3], "mm2", "area without L2");
	report_f64(r, "yield", 100 * energy_yield(m), "%", "dies of this area without a defect, by energy.defects");
	simd_area(m, r);
	report_table(r, "units", "area by unit; adds up to total", columns, 3);
	for (unsigned u = 0; u < UNIT_COUNT; u++) {
		if (m->unit_mm2[u] == 0)
			continue;
		report_cell_text(r, energy_unit_name(u));
		report_cell_f64(r, m->unit_mm2[u]);
		report_cell_f64(r, 100 * m->unit_mm2[u] / m->total_mm2);
	}
	report_table_end(r);
	area_parts(m, r);
	report_end(r);
}

void energy_report(const struct energy_model *m, const struct activity *a, struct report *r)
{
	energy_group(m, a, r);
	area_group(m, r);
}
