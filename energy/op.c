/* Functional units: op.def for one machine. */
#include "model.h"
#include "technology.h"

#define STAGE(name, label, width, doc)
#define ARRAY(name, dimension, doc)
#define OP(name, doc) #name,
static const char *const names[] = {
#include "activity.def"
};
#undef STAGE
#undef ARRAY
#undef OP

const char *op_name(unsigned op)
{
	return names[op];
}

void op_describe(const struct energy_machine *m, struct op_cost cost[EOP_COUNT])
{
	double dynamic = technology_dynamic(m->node_nm, m->voltage);
	double area = technology_area(m->node_nm);

#define OPERATION(name, unit_, pj, area_mm2, pipes, why) \
	cost[EOP_##name] = (struct op_cost){ \
		.unit = UNIT_##unit_, \
		.j = (pj) * 1e-12 * dynamic, \
		.mm2 = (area_mm2) * (double)(pipes) * area, \
	};
#include "op.def"
#undef OPERATION
}
