/* Accelergy's tables of energy and area of a model. */
#include "energy_model.h"

#include <errno.h>
#include <string.h>

static void component(FILE *out, const char *kind, const char *name)
{
	fprintf(out, "  - name: chip.%s.%s\n    actions:\n", kind, name);
}

static void action(FILE *out, const char *name, double joules)
{
	fprintf(out, "    - name: %s\n      arguments: null\n      energy: %.6g\n", name, joules * 1e12);
}

static void ert(const struct energy_model *m, FILE *out)
{
	fputs("ERT:\n  version: '0.4'\n  tables:\n", out);
	for (unsigned s = 0; s < STAGE_COUNT; s++) {
		if (unit_absent(&m->machine, m->stage[s].unit))
			continue;
		component(out, "stage", energy_stage_name(s));
		action(out, "move", m->stage[s].moved_j + m->stage[s].rest_moved_j + m->stage[s].tree_j);
		action(out, "hold", m->stage[s].held_j + m->stage[s].rest_held_j + m->stage[s].tree_j);
	}
	for (unsigned i = 0; i < ARRAY_COUNT; i++) {
		if (array_absent(m, i))
			continue;
		component(out, "array", array_name(i));
		action(out, "read", m->array[i].read_j);
		action(out, "write", m->array[i].write_j);
	}
	for (unsigned i = 0; i < EOP_COUNT; i++) {
		if (op_absent(m, i))
			continue;
		component(out, "operation", op_name(i));
		action(out, "compute", m->op[i].j);
		if (m->op[i].stage_j > 0)
			action(out, "in_stage", m->op[i].stage_j);
	}
	component(out, "whole", "cycle");
	action(out, "clock", m->clock_j);
	action(out, "leak", m->leakage_w / m->machine.frequency_hz);
}

static void area(FILE *out, const char *kind, const char *name, double mm2)
{
	if (mm2 > 0)
		fprintf(out, "  - name: chip.%s.%s\n    area: %.6g\n", kind, name, mm2 * 1e6);
}

static void art(const struct energy_model *m, FILE *out)
{
	fputs("ART:\n  version: '0.4'\n  tables:\n", out);
	for (unsigned s = 0; s < STAGE_COUNT; s++)
		area(out, "stage", energy_stage_name(s), m->stage[s].mm2);
	for (unsigned i = 0; i < ARRAY_COUNT; i++)
		area(out, "array", array_name(i), m->array[i].mm2);
	for (unsigned i = 0; i < EOP_COUNT; i++)
		area(out, "operation", op_name(i), m->op[i].mm2);
}

int energy_write_accelergy(const struct energy_model *m, FILE *out, struct err *e)
{
	ert(m, out);
	art(m, out);
	return ferror(out) ? err_set(e, STATUS_FAILED, "Accelergy's tables: cannot write: %s", strerror(errno)) : 0;
}
