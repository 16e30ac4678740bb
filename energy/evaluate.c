/* Energy of activity: counts times constants. */
#include "energy_model.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>

void activity_subtract(const struct activity *to, const struct activity *from, struct activity *out)
{
	out->cycles = to->cycles - from->cycles;
	out->asleep = to->asleep - from->asleep;
	out->sleeps = to->sleeps - from->sleeps;
	for (unsigned s = 0; s < STAGE_COUNT; s++) {
		out->moved[s] = to->moved[s] - from->moved[s];
		out->stalled[s] = to->stalled[s] - from->stalled[s];
	}
	for (unsigned i = 0; i < ARRAY_COUNT; i++) {
		out->reads[i] = to->reads[i] - from->reads[i];
		out->writes[i] = to->writes[i] - from->writes[i];
	}
	for (unsigned i = 0; i < EOP_COUNT; i++)
		out->ops[i] = to->ops[i] - from->ops[i];
}

void activity_add(struct activity *sum, const struct activity *a)
{
	sum->cycles += a->cycles;
	sum->asleep += a->asleep;
	sum->sleeps += a->sleeps;
	for (unsigned s = 0; s < STAGE_COUNT; s++) {
		sum->moved[s] += a->moved[s];
		sum->stalled[s] += a->stalled[s];
	}
	for (unsigned i = 0; i < ARRAY_COUNT; i++) {
		sum->reads[i] += a->reads[i];
		sum->writes[i] += a->writes[i];
	}
	for (unsigned i = 0; i < EOP_COUNT; i++)
		sum->ops[i] += a->ops[i];
}

/* Cycles in which all arrays sleep, or as many as one after the other. */
static double array_asleep(const struct energy_model *m, const struct activity *a)
{
	return (double)a->asleep / m->machine.cores;
}

/* Leakage, in which each sleep costs some cycles of an array's. */
static double leakage_of(const struct energy_model *m, const struct activity *a)
{
	const struct energy_machine *k = &m->machine;
	double saved = (1 - k->sleep_leakage) * (array_asleep(m, a) - k->sleep_cost * (double)a->sleeps / k->cores);

	return m->leakage_w * ((double)a->cycles - m->sleep_leakage * saved) / k->frequency_hz;
}

int energy_check(const struct energy_model *m, const struct activity *a, struct err *e)
{
	for (unsigned s = 0; s < STAGE_COUNT; s++) {
		double used = (double)a->moved[s] + (double)a->stalled[s];

		if (used > m->stage[s].slots * (double)a->cycles)
			return err_set(e, STATUS_FAILED,
				       "energy: stage %s: %" PRIu64 " slots moved and %" PRIu64 " stalled in %" PRIu64
				       " cycles, expected at most %g a cycle",
				       stage_label(s), a->moved[s], a->stalled[s], a->cycles, m->stage[s].slots);
	}
	return 0;
}

/* Cycles in which the stage has a supply. */
static double clocked_cycles(const struct energy_model *m, const struct activity *a, unsigned s)
{
	return (double)a->cycles - (unit_sleeps(m->stage[s].unit) ? array_asleep(m, a) : 0);
}

double stage_held_slots(const struct energy_model *m, const struct activity *a, unsigned s)
{
	switch ((enum energy_gating)m->machine.gating) {
	case GATING_NONE: return m->stage[s].slots * clocked_cycles(m, a, s) - (double)a->moved[s];
	case GATING_PARTIAL: return (double)a->stalled[s];
	case GATING_IDEAL:
	case GATING_COUNT: break;
	}
	return 0;
}

double stage_operations_j(const struct energy_model *m, const struct activity *a, unsigned s)
{
	double joules = 0;

	for (unsigned i = 0; i < EOP_COUNT; i++)
		if (m->op[i].stage == s)
			joules += (double)a->ops[i] * m->op[i].stage_j;
	return joules;
}

void energy_evaluate(const struct energy_model *m, const struct activity *a, struct energy_result *out)
{
	double total = 0;

	*out = (struct energy_result){.seconds = (double)a->cycles / m->machine.frequency_hz};
	out->clock_j = (double)a->cycles * m->clock_j - array_asleep(m, a) * m->sleep_clock_j;
	for (unsigned s = 0; s < STAGE_COUNT; s++) {
		const struct stage_cost *c = &m->stage[s];
		double moved = (double)a->moved[s], held = stage_held_slots(m, a, s);

		out->stage_j[s] = moved * c->moved_j + held * c->held_j;
		out->rest_j += moved * c->rest_moved_j + held * c->rest_held_j;
		out->clock_j += (moved + held) * c->tree_j;
	}
	for (unsigned i = 0; i < EOP_COUNT; i++) {
		total += out->op_j[i] = (double)a->ops[i] * m->op[i].j;
		out->stage_j[m->op[i].stage] += (double)a->ops[i] * m->op[i].stage_j;
	}
	for (unsigned s = 0; s < STAGE_COUNT; s++)
		total += out->stage_j[s];
	for (unsigned i = 0; i < ARRAY_COUNT; i++) {
		double j = (double)a->reads[i] * m->array[i].read_j + (double)a->writes[i] * m->array[i].write_j;

		if (m->array[i].off_chip)
			out->memory_j += j;
		else
			total += out->array_j[i] = j;
	}
	out->leakage_j = leakage_of(m, a);
	out->memory_j += m->memory_w * out->seconds;
	out->total_j = total + out->rest_j + out->clock_j + out->leakage_j;
}

void energy_by_unit(const struct energy_model *m, const struct energy_result *result, double joules[UNIT_COUNT])
{
	__attribute__((unused)) double sum = 0; /* for the assertion alone */

	for (unsigned u = 0; u < UNIT_COUNT; u++)
		joules[u] = 0;
	for (unsigned s = 0; s < STAGE_COUNT; s++)
		joules[m->stage[s].unit] += result->stage_j[s];
	for (unsigned i = 0; i < ARRAY_COUNT; i++)
		joules[m->array[i].unit] += result->array_j[i];
	for (unsigned i = 0; i < EOP_COUNT; i++)
		joules[m->op[i].unit] += result->op_j[i];
	joules[UNIT_rest] += result->rest_j;
	joules[UNIT_clock] += result->clock_j;
	joules[UNIT_leakage] += result->leakage_j;
	for (unsigned u = 0; u < UNIT_COUNT; u++)
		sum += joules[u];
	assert(fabs(sum - result->total_j) <= 1e-9 * result->total_j); /* each joule has one unit */
}
