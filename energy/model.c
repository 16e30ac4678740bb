/* Creation: all constants of one machine. */
#include "model.h"

#include <math.h>
#include <stdlib.h>

#include "../psim/base/mem.h"
#include "technology.h"

static const char *const unit_names[UNIT_COUNT] = {
#define UNIT(name, doc) #name,
#include "unit.def"
#undef UNIT
};
static const char *const unit_docs[UNIT_COUNT] = {
#define UNIT(name, doc) doc,
#include "unit.def"
#undef UNIT
};

const char *energy_unit_name(unsigned unit)
{
	return unit_names[unit];
}

const char *energy_unit_doc(unsigned unit)
{
	return unit_docs[unit];
}

bool unit_simd(unsigned unit)
{
	return unit == UNIT_simd_control || unit == UNIT_simd_fp || unit == UNIT_simd_sbm;
}

bool unit_absent(const struct energy_machine *m, unsigned unit)
{
	return unit_simd(unit) && !m->simd_pes;
}

double simd_mm2(const struct energy_model *m)
{
	double mm2 = 0;

	for (unsigned u = 0; u < UNIT_COUNT; u++)
		mm2 += unit_simd(u) ? m->unit_mm2[u] : 0;
	return mm2;
}

static double stage_bits(const struct stage_cost stage[STAGE_COUNT])
{
	double bits = 0;

	for (unsigned s = 0; s < STAGE_COUNT; s++)
		bits += stage[s].slots * stage[s].described;
	return bits;
}

static double storage_latches(const struct array_cost array[ARRAY_COUNT])
{
	double latches = 0;

	for (unsigned i = 0; i < ARRAY_COUNT; i++)
		latches += array[i].latches;
	return latches;
}

/*
 * The two constants that the reference machine fixes (model.h): implemented
 * latches for each described bit, and mm2 of a stage latch with its logic.
 */
static void reference_fix(double *factor, double *mm2_latch)
{
	struct stage_cost stage[STAGE_COUNT];
	struct array_cost array[ARRAY_COUNT];
	struct op_cost op[EOP_COUNT];
	double latches, mm2 = LOGIC_MM2;

	stage_describe(energy_reference(), stage);
	array_describe(energy_reference(), array);
	op_describe(energy_reference(), op);
	latches = CHIP_LATCHES - storage_latches(array);
	*factor = latches / stage_bits(stage);
	for (unsigned i = 0; i < ARRAY_COUNT; i++)
		mm2 -= array[i].memory ? 0 : array[i].mm2;
	for (unsigned i = 0; i < EOP_COUNT; i++)
		mm2 -= op[i].mm2;
	*mm2_latch = mm2 / latches;
}

static void stages_fix(struct energy_model *m, double factor)
{
	double scale = 1e-12 * technology_dynamic(m->machine.node_nm, m->machine.voltage);

	stage_describe(&m->machine, m->stage);
	for (unsigned s = 0; s < STAGE_COUNT; s++) {
		struct stage_cost *c = &m->stage[s];

		c->latches = c->described * factor;
		/* the tree's part of latch_pj is charged every cycle, in clock_j */
		c->moved_j = c->latches * (m->machine.latch_pj - LATCH_TREE_PJ) * scale;
		c->held_j = c->latches * (LATCH_PIN_PJ + LATCH_HOLD_PJ) * scale;
		m->latches += c->slots * c->latches;
	}
}

static void clock_fix(struct energy_model *m)
{
	double scale = 1e-12 * technology_dynamic(m->machine.node_nm, m->machine.voltage);
	double storage = storage_latches(m->array);

	m->latches += storage;
	m->clock_j = m->latches * LATCH_TREE_PJ * scale;
	if (m->machine.gating == GATING_NONE)
		m->clock_j += storage * LATCH_PIN_PJ * scale;
}

/* Areas by unit; returns the leakage that the densities give, at 90 nm, 1.0 V, 350 K. */
static double area_fix(struct energy_model *m, double mm2_latch)
{
	double area = technology_area(m->machine.node_nm), memory = 0;

	m->logic_mm2_latch = mm2_latch * area;
	for (unsigned s = 0; s < STAGE_COUNT; s++)
		m->unit_mm2[m->stage[s].unit] += m->stage[s].slots * m->stage[s].latches * m->logic_mm2_latch;
	for (unsigned i = 0; i < ARRAY_COUNT; i++) {
		m->unit_mm2[m->array[i].unit] += m->array[i].mm2;
		memory += m->array[i].memory ? m->array[i].mm2 : 0;
	}
	for (unsigned i = 0; i < EOP_COUNT; i++)
		m->unit_mm2[m->op[i].unit] += m->op[i].mm2;
	for (unsigned u = 0; u < UNIT_COUNT; u++)
		m->total_mm2 += m->unit_mm2[u];
	return (memory * LEAK_MEMORY_W_MM2 + (m->total_mm2 - memory) * LEAK_LOGIC_W_MM2) / area;
}

/* Energy of the array's long wires, from the area that it came to. */
static void wires_fix(struct energy_model *m)
{
	double v = m->machine.voltage, side = sqrt(simd_mm2(m) / m->machine.cores);

	for (unsigned i = 0; i < EOP_COUNT; i++)
		if (m->op[i].span != SPAN_NONE && m->machine.simd_pes)
			m->op[i].j = m->op[i].wires * wire_length(m->op[i].span, m->machine.simd_pes, side) *
			             WIRE_PJ_MM * 1e-12 * v * v;
}

/* Everything but leakage_w, which needs the reference's leakage; returns the model's own. */
static double model_fix(struct energy_model *m, const struct energy_machine *machine)
{
	double factor, mm2_latch, leak;

	*m = (struct energy_model){ .machine = *machine };
	reference_fix(&factor, &mm2_latch);
	stages_fix(m, factor);
	array_describe(machine, m->array);
	op_describe(machine, m->op);
	clock_fix(m);
	leak = area_fix(m, mm2_latch);
	wires_fix(m);
	return leak;
}

struct energy_model *energy_create(const struct energy_machine *machine, struct err *e)
{
	struct energy_model *m;
	double leak;

	if (machine_check(machine, e))
		return NULL;
	m = mem_alloc(1, sizeof(*m), e);
	if (!m)
		return NULL;
	/* leakage_w is that of the reference machine: shared out by area and density */
	leak = model_fix(m, energy_reference());
	leak = model_fix(m, machine) / leak;
	m->leakage_w = machine->leakage_w * leak *
	               technology_leakage(machine->node_nm, machine->voltage, machine->temperature_k);
	return m;
}

void energy_destroy(struct energy_model *m)
{
	free(m);
}

double energy_area_mm2(const struct energy_model *m)
{
	return m->total_mm2;
}

double energy_unit_area_mm2(const struct energy_model *m, unsigned unit)
{
	return m->unit_mm2[unit];
}

double energy_latches(const struct energy_model *m)
{
	return m->latches;
}
