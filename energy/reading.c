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
