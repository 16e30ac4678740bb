/* Latches of the stages: latch.def for one machine. */
#include "energy_model.h"

#define STAGE(name, label, width, doc) label,
#define ARRAY(name, dimension, doc)
#define OP(name, doc)
static const char *const labels[] = {
#include "activity.def"
};
#undef STAGE

#define IN(stage, unit) [STAGE_##stage] = {UNIT_##unit, false},
#define IN_PE(stage, unit) [STAGE_##stage] = {UNIT_##unit, true},
static const struct {
	unsigned unit;
	bool in_pe;
} places[STAGE_COUNT] = {
#include "stage.def"
};
#undef IN
#undef IN_PE

/* A stage without a row in stage.def does not compile: the message names it. Nor does one with two. */
enum {
#define IN(stage, unit) STAGE_UNIT_##stage,
#define IN_PE(stage, unit) STAGE_UNIT_##stage,
#include "stage.def"
#undef IN
#undef IN_PE
	STAGE_UNITS
};
#define STAGE(name, label, width, doc) _Static_assert(STAGE_UNIT_##name < STAGE_UNITS, "stage.def has its unit");
#include "activity.def"
#undef STAGE

#define STAGE(name, label, width, doc) #name,
static const char *const names[] = {
#include "activity.def"
};
#undef STAGE

const char *stage_label(unsigned stage)
{
	return labels[stage];
}

const char *energy_stage_label(unsigned stage)
{
	return labels[stage];
}

const char *energy_stage_name(unsigned stage)
{
	return names[stage];
}

double energy_stage_slots(const struct energy_model *m, unsigned stage)
{
	return unit_absent(&m->machine, m->stage[stage].unit) ? 0 : m->stage[stage].slots;
}

unsigned latch_tag(uint64_t n)
{
	unsigned bits = 1;

	while (bits < 64 && n > (UINT64_C(1) << bits))
		bits++;
	return bits;
}

unsigned latch_parity(unsigned bits)
{
	return (bits + 7) / 8;
}

/* A stage without a row in latch.def does not compile. */
_Static_assert((UINT64_C(0)
#define LATCH(stage, name, bits, why) | UINT64_C(1) << STAGE_##stage
#include "latch.def"
#undef LATCH
			) == (UINT64_C(1) << STAGE_COUNT) - 1,
	       "latch.def has fields of every stage");

unsigned latch_fields(const struct energy_machine *m, struct latch_field fields[LATCH_FIELDS_MAX])
{
#define LATCH(stage, name, bits, why) {STAGE_##stage, name, (unsigned)(bits), why},
	const struct latch_field all[] = {
#include "latch.def"
	};
#undef LATCH
	const unsigned count = sizeof(all) / sizeof(all[0]);

	_Static_assert(sizeof(all) / sizeof(all[0]) <= LATCH_FIELDS_MAX, "latch.def has too many rows");
	for (unsigned i = 0; i < count; i++)
		fields[i] = all[i];
	return count;
}

void stage_describe(const struct energy_machine *m, struct stage_cost cost[STAGE_COUNT])
{
#define STAGE(name, label, width, doc) m->width,
	const unsigned slots[STAGE_COUNT] = {
#include "activity.def"
	};
#undef STAGE
	struct latch_field fields[LATCH_FIELDS_MAX];
	unsigned count = latch_fields(m, fields);

	for (unsigned s = 0; s < STAGE_COUNT; s++)
		cost[s] = (struct stage_cost){
			.unit = places[s].unit, .in_pe = places[s].in_pe, .slots = (double)slots[s] * m->cores};
	for (unsigned i = 0; i < count; i++)
		cost[fields[i].stage].described += fields[i].bits;
}
#undef ARRAY
#undef OP
