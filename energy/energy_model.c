/* Creation of a model: all constants of one machine. */
#include "energy_model.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "../psim/base/mem.h"
#include "technology.h"

static const char *const unit_names[UNIT_COUNT] = {
#define UNIT(name) #name,
#include "unit.def"
#undef UNIT
};

const char *energy_unit_name(unsigned unit)
{
	return unit_names[unit];
}

static bool unit_simd(unsigned unit)
{
	return unit == UNIT_simd_control || unit == UNIT_simd_fp || unit == UNIT_simd_div || unit == UNIT_simd_sbm;
}

bool unit_sleeps(unsigned unit)
{
	return unit == UNIT_simd_control || unit == UNIT_simd_fp || unit == UNIT_simd_div;
}

bool unit_absent(const struct energy_machine *m, unsigned unit)
{
	if (unit == UNIT_rest)
		return m->split != SPLIT_UNIT;
	if (unit == UNIT_l3)
		return !m->l3_slices;
	if (unit == UNIT_simd_div)
		return !m->simd_dividers;
	return unit_simd(unit) && !m->simd_pes;
}

double simd_mm2(const struct energy_model *m)
{
	double mm2 = 0;

	for (unsigned u = 0; u < UNIT_COUNT; u++)
		mm2 += unit_simd(u) ? m->unit_mm2[u] : 0;
	return mm2;
}

/* Implemented latches of a described bit, and those that belong to it in the unit `rest`. */
static void latches_split(struct energy_model *m, const struct reference *r)
{
	double own = r->factor * r->pe_bit_mm2[m->reading.which] / r->bit_mm2;

	m->per_bit = m->machine.split == SPLIT_UNIT ? own : r->factor;
	m->rest_per_bit = r->factor - m->per_bit;
}

static void stages_compute(struct energy_model *m, const struct reference *r)
{
	const struct technology *t = &m->machine.technology;
	double latch_pj = m->machine.latch_pj * m->reading.latch;
	double scale = 1e-12 * technology_dynamic(m->machine.node_nm, m->machine.voltage);

	latches_split(m, r);
	stage_describe(&m->machine, m->stage);
	for (unsigned s = 0; s < STAGE_COUNT; s++) {
		struct stage_cost *c = &m->stage[s];

		c->latches = c->described * m->per_bit;
		c->rest_latches = unit_simd(c->unit) ? 0 : c->described * m->rest_per_bit;
		/* clock_j charges the tree's part of latch_pj in every cycle */
		c->latch_j = fmax(fmin(latch_pj, t->latch_alone_pj) - t->latch_tree_pj, 0) * scale;
		c->logic_j = fmax(latch_pj - t->latch_alone_pj, 0) * scale;
		c->held_j = c->latches * (t->latch_pin_pj + t->latch_hold_pj) * scale;
	}
}

/* Returns the latches of a slot, with those that a longer path adds and those of `rest`. */
static double stage_latches(const struct stage_cost *c)
{
	return c->latches * c->copies + c->rest_latches;
}

/* Latches of the parts of arrays that sleep, of stages and storage. */
static double array_latches(const struct energy_model *m)
{
	double latches = 0;

	for (unsigned s = 0; s < STAGE_COUNT; s++)
		latches += unit_sleeps(m->stage[s].unit) ? m->stage[s].slots * stage_latches(&m->stage[s]) : 0;
	for (unsigned i = 0; i < ARRAY_COUNT; i++)
		latches += unit_sleeps(m->array[i].unit) ? m->array[i].latches : 0;
	return latches;
}

static void clock_compute(struct energy_model *m)
{
	const struct technology *t = &m->machine.technology;
	double scale = 1e-12 * technology_dynamic(m->machine.node_nm, m->machine.voltage);
	double storage = storage_latches(m->array);

	for (unsigned s = 0; s < STAGE_COUNT; s++)
		m->latches += m->stage[s].slots * stage_latches(&m->stage[s]);
	m->latches += storage;
	if (m->machine.gating == GATING_NONE)
		m->clock_j = storage * t->latch_pin_pj * scale;
	if (m->machine.clock_tree == TREE_ALWAYS) {
		m->clock_j += m->latches * t->latch_tree_pj * scale;
		m->sleep_clock_j = array_latches(m) * t->latch_tree_pj * scale;
		return;
	}
	if (m->machine.gating == GATING_NONE)
		m->clock_j += storage * t->latch_tree_pj * scale;
	for (unsigned s = 0; s < STAGE_COUNT; s++)
		m->stage[s].tree_j = stage_latches(&m->stage[s]) * t->latch_tree_pj * scale;
}

/* Energy of long wires, which depends on the area of the array, or of a slice of L3. */
static void wires_compute(struct energy_model *m)
{
	double v = m->machine.voltage, side = sqrt(simd_mm2(m) / m->machine.cores);
	double slice = m->machine.l3_slices ? sqrt(m->unit_mm2[UNIT_l3] / m->machine.l3_slices) : 0;

	for (unsigned i = 0; i < EOP_COUNT; i++) {
		bool is_l3 = m->op[i].span == SPAN_SLICE;

		if (m->op[i].span == SPAN_NONE || (is_l3 ? !m->machine.l3_slices : !m->machine.simd_pes))
			continue;
		m->op[i].j = m->op[i].wires * wire_length(m->op[i].span, m->machine.simd_pes, is_l3 ? slice : side) *
			     m->machine.technology.wire_pj_mm * 1e-12 * v * v * m->op[i].wire_energy;
	}
}

/*
 * Computes everything but leakage_w, which needs the reference's leakage; returns the model's
 * own leakage.
 */
static double model_compute(struct energy_model *m, const struct energy_machine *machine, enum energy_reading which)
{
	struct reference reference = reference_calibrate(&machine->technology);
	double leak;

	*m = (struct energy_model){.machine = *machine, .reading = reading_of(which)};
	stages_compute(m, &reference);
	array_describe(machine, m->array);
	op_describe(machine, m->op);
	reading_apply(&m->reading, m->array, m->op);
	path_apply(m);
	clock_compute(m);
	leak = area_compute(m, &reference);
	wires_compute(m);
	assert(m->latches > 0 && leak > 0 && isfinite(leak)); /* machine_check has refused what has neither */
	return leak;
}

static struct energy_model *read_machine(const struct energy_machine *given, enum energy_reading which, struct err *e)
{
	const struct energy_machine own = reading_machine(given, which), *machine = &own;
	struct energy_model *m = mem_alloc(1, sizeof(*m), e);
	struct energy_machine reference;
	double leak;

	if (!m)
		return NULL;
	/* leakage_w is that of the reference machine; area and density scale it */
	reference = *energy_reference();
	reference.technology = machine->technology;
	leak = model_compute(m, &reference, which);
	leak = model_compute(m, machine, which) / leak;
	m->leakage_w = machine->leakage_w * m->reading.leakage * leak *
		       technology_leakage(machine->node_nm, machine->voltage, machine->temperature_k);
	m->memory_w = (machine->dram_idle_w + machine->dram_refresh_w) * m->reading.memory;
	if (!machine->has_dram)
		m->memory_w = machine->memory_gbs * machine->technology.memory_w_gbs * m->reading.memory;
	return m;
}

/* The calibration leaves an area for latches of stages: energy_model.h. */
static int calibration_check(const struct technology *t, struct err *e)
{
	struct reference r = reference_calibrate(t);

	if (r.bit_mm2 > 0 && r.pe_bit_mm2[READING_LIKELY] > 0)
		return 0;
	return err_set(
		e, STATUS_USAGE,
		"energy: technology.logic_mm2: %g mm2 leave no area for the latches of stages beside registers and FP "
		"units, expected more, or less of technology.rf_mm2 and technology.fma_mm2",
		t->logic_mm2);
}

static int create_checks(const struct energy_machine *machine, struct err *e)
{
	if (machine_check(machine, e))
		return -1;
	for (unsigned n = 0; n < READING_COUNT; n++) {
		const struct energy_machine own = reading_machine(machine, n);

		if (calibration_check(&own.technology, e))
			return -1;
	}
	return 0;
}

struct energy_model *energy_create(const struct energy_machine *machine, struct err *e)
{
	struct energy_machine own = *machine;
	struct constants constants;
	struct energy_model *m;

	if (constants_read(&own, &constants, e) < 0 || create_checks(&own, e) < 0)
		return NULL;
	m = read_machine(&own, READING_LIKELY, e);
	for (unsigned n = 0; m && n < READING_COUNT; n++) {
		if (n == READING_LIKELY)
			continue;
		m->other[n] = read_machine(&own, n, e);
		if (!m->other[n]) {
			energy_destroy(m);
			return NULL;
		}
	}
	if (m) {
		m->own = constants;
		m->machine.constants = NULL; /* the caller's */
	}
	return m;
}

bool energy_own_constant(const struct energy_model *m, unsigned n, struct energy_constant *out)
{
	const struct constant *c = &m->own.row[n];

	if (n >= m->own.count)
		return false;
	*out = (struct energy_constant){c->name, c->source, c->low, c->likely, c->high};
	return true;
}

void energy_destroy(struct energy_model *m)
{
	for (unsigned n = 0; m && n < READING_COUNT; n++)
		free(m->other[n]);
	free(m);
}

double energy_area_mm2(const struct energy_model *m)
{
	return m->total_mm2;
}
