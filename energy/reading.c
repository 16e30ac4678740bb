/* Readings of the constants: reading.def. */
#include "energy_model.h"

#define READING(name, low, likely, high, why) {#name, why, {low, likely, high}},
const struct reading_row reading_rows[READING_ROWS] = {
#include "reading.def"
};
#undef READING

struct reading reading_of(enum energy_reading which)
{
#define READING(name, low, likely, high, why) .name = reading_rows[READING_ROW_##name].factor[which],
	return (struct reading){
#include "reading.def"
		.which = which,
	};
#undef READING
}

/* Replaces *value by the user's own, which the reading's factor will multiply. */
static void take(double *value, double own, double factor)
{
	if (own > 0)
		*value = own / factor;
}

struct energy_machine reading_machine(const struct energy_machine *machine, enum energy_reading which)
{
	const struct reading r = reading_of(which);
	const struct technology_end *own = which == READING_LOW ? &machine->low : &machine->high;
	struct energy_machine m = *machine;

	if (which == READING_LIKELY)
		return m;
#define TECHNOLOGY(name, value, least, most, unit, reading, doc, source) \
	take(&m.technology.name, own->technology.name, FACTOR_##reading);
#define FACTOR_none 1
#define FACTOR_storage r.storage
#define FACTOR_sram_mm2 r.sram_mm2
#define FACTOR_logic_mm2 r.logic_mm2
#define FACTOR_memory r.memory
#define FACTOR_fp r.fp
#include "technology.def"
#undef TECHNOLOGY
	take(&m.latch_pj, own->latch_pj, r.latch);
	take(&m.leakage_w, own->leakage_w, r.leakage);
	return m;
}

/* Applies the reading to the costs of the machine's storage and units. */
void reading_apply(const struct reading *r, struct array_cost array[ARRAY_COUNT], struct op_cost op[EOP_COUNT])
{
	for (unsigned i = 0; i < ARRAY_COUNT; i++) {
		double j = array[i].off_chip ? r->memory : r->storage;

		array[i].read_j *= j;
		array[i].write_j *= j;
		array[i].mm2 *= array[i].memory ? r->sram_mm2 : r->logic_mm2;
	}
	for (unsigned i = 0; i < EOP_COUNT; i++) {
		op[i].j *= op[i].fp ? r->fp : 1;
		op[i].mm2 *= r->logic_mm2;
	}
}

const struct energy_model *energy_read_as(const struct energy_model *m, enum energy_reading reading)
{
	return m->other[reading] ? m->other[reading] : m;
}

double energy_total_j(const struct energy_model *m, const struct activity *a, enum energy_reading reading)
{
	struct energy_result x;

	energy_evaluate(energy_read_as(m, reading), a, &x);
	return x.total_j;
}

double energy_system_j(const struct energy_model *m, const struct activity *a, enum energy_reading reading)
{
	struct energy_result x;

	energy_evaluate(energy_read_as(m, reading), a, &x);
	return x.total_j + x.memory_j;
}
