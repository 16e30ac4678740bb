/*
 * Area: the constants calibrated on the reference machine, and the area of stages, storage and
 * units.
 */
#include "energy_model.h"

#include "technology.h"

/* Described bits of all slots. */
static double stage_bits(const struct stage_cost stage[STAGE_COUNT])
{
	double bits = 0;

	for (unsigned s = 0; s < STAGE_COUNT; s++)
		bits += stage[s].slots * stage[s].described;
	return bits;
}

double storage_latches(const struct array_cost array[ARRAY_COUNT])
{
	double latches = 0;

	for (unsigned i = 0; i < ARRAY_COUNT; i++)
		latches += array[i].latches;
	return latches;
}

static void area_describe(const struct energy_machine *machine, struct energy_model *m)
{
	stage_describe(machine, m->stage);
	array_describe(machine, m->array);
	op_describe(machine, m->op);
}

/* Area of registers, storage and FP units of the model, of one unit or (UNIT_COUNT) of all units. */
static double parts_mm2(const struct energy_model *m, unsigned unit)
{
	double mm2 = 0;

	for (unsigned i = 0; i < ARRAY_COUNT; i++)
		mm2 += !m->array[i].memory && (unit == UNIT_COUNT || m->array[i].unit == unit) ? m->array[i].mm2 : 0;
	for (unsigned i = 0; i < EOP_COUNT; i++)
		mm2 += unit == UNIT_COUNT || m->op[i].unit == unit ? m->op[i].mm2 : 0;
	return mm2;
}

/*
 * mm2 of a described bit in a PE, whose area is half the scalar FP unit's; `bit` is that of the
 * core.
 */
static double pe_bit(const struct technology *t, double bit)
{
	struct energy_machine machine = *energy_reference_array();
	struct energy_model m;
	double fp, bits = 0, parts;

	machine.technology = *t;
	area_describe(&machine, &m);
	fp = parts_mm2(&m, UNIT_fp);
	for (unsigned s = 0; s < STAGE_COUNT; s++) {
		double all = m.stage[s].slots * m.stage[s].described;

		fp += m.stage[s].unit == UNIT_fp ? all * bit : 0;
		bits += m.stage[s].in_pe ? all : 0;
	}
	parts = parts_mm2(&m, UNIT_simd_fp) + m.array[ARRAY_sbm_queue].mm2;
	return (machine.simd_pes * fp / 2 - parts) / bits;
}

struct reference reference_calibrate(const struct technology *t)
{
	struct energy_machine machine = *energy_reference();
	struct energy_model m;
	struct reference r;
	double latches, bits;

	machine.technology = *t;
	area_describe(&machine, &m);
	latches = t->chip_latches - storage_latches(m.array);
	bits = stage_bits(m.stage);
	r.factor = latches / bits;
	r.bit_mm2 = (t->logic_mm2 - parts_mm2(&m, UNIT_COUNT)) / bits;
	r.pe_bit_mm2[READING_LOW] = r.bit_mm2 / r.factor;
	r.pe_bit_mm2[READING_LIKELY] = pe_bit(t, r.bit_mm2);
	r.pe_bit_mm2[READING_HIGH] = r.bit_mm2;
	return r;
}

double area_compute(struct energy_model *m, const struct reference *r)
{
	const struct technology *t = &m->machine.technology;
	double area = technology_area(m->machine.node_nm), memory = 0, array = 0, sleeps = 0, all;

	for (unsigned s = 0; s < STAGE_COUNT; s++) {
		struct stage_cost *c = &m->stage[s];
		double bit = c->in_pe ? r->pe_bit_mm2[m->reading.which] : r->bit_mm2;

		c->mm2 = c->slots * c->described * bit * c->area * m->reading.logic_mm2 * area;
		m->unit_mm2[c->unit] += c->mm2;
	}
	for (unsigned i = 0; i < ARRAY_COUNT; i++) {
		m->unit_mm2[m->array[i].unit] += m->array[i].mm2;
		memory += m->array[i].memory ? m->array[i].mm2 : 0;
		array += m->array[i].memory && unit_sleeps(m->array[i].unit) ? m->array[i].mm2 : 0;
	}
	for (unsigned i = 0; i < EOP_COUNT; i++)
		m->unit_mm2[m->op[i].unit] += m->op[i].mm2;
	for (unsigned u = 0; u < UNIT_COUNT; u++) {
		m->total_mm2 += m->unit_mm2[u];
		sleeps += unit_sleeps(u) ? m->unit_mm2[u] : 0;
	}
	all = memory * t->leak_memory_w_mm2 + (m->total_mm2 - memory) * t->leak_logic_w_mm2;
	sleeps -= array;
	m->sleep_leakage = (array * t->leak_memory_w_mm2 + sleeps * t->leak_logic_w_mm2) / all;
	return all / area;
}
