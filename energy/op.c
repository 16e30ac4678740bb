/* Functional units: op.def for one machine. */
#include "energy_model.h"

#include <math.h>

#include "technology.h"

#define STAGE(name, label, width, doc)
#define ARRAY(name, dimension, doc)
#define OP(name, doc) #name,
static const char *const names[] = {
#include "activity.def"
};
#undef OP

/* An operation without a row in op.def does not compile: the message names it. Nor does one with two. */
enum {
#define OPERATION(name, unit_, pj, area_mm2, pipes, why) OP_COST_##name,
#define FP_OPERATION(name, unit_, pj, area_mm2, pipes, why) OP_COST_##name,
#define WIRES(name, unit_, span_, bits, why) OP_COST_##name,
#include "op.def"
#undef OPERATION
#undef FP_OPERATION
#undef WIRES
	OP_COSTS
};
#define OP(name, doc) _Static_assert(OP_COST_##name < OP_COSTS, "op.def has its cost");
#include "activity.def"
#undef STAGE
#undef ARRAY
#undef OP

const char *op_name(unsigned op)
{
	return names[op];
}

void op_describe(const struct energy_machine *m, struct op_cost cost[EOP_COUNT])
{
	const struct technology *t = &m->technology;
	double dynamic = technology_dynamic(m->node_nm, m->voltage);
	double area = technology_area(m->node_nm);

#define OPERATION(name, unit_, pj, area_mm2, pipes, why) ANY_OPERATION(name, unit_, pj, area_mm2, pipes, false)
#define FP_OPERATION(name, unit_, pj, area_mm2, pipes, why) ANY_OPERATION(name, unit_, pj, area_mm2, pipes, true)
#define ANY_OPERATION(name, unit_, pj, area_mm2, pipes, fp_) \
	cost[EOP_##name] = (struct op_cost){ \
		.unit = UNIT_##unit_, \
		.fp = fp_, \
		.j = (pj)*1e-12 * dynamic, \
		.mm2 = (area_mm2) * (double)(pipes)*area * m->cores, \
	};
#define WIRES(name, unit_, span_, bits, why) \
	cost[EOP_##name] = (struct op_cost){.unit = UNIT_##unit_, .span = span_, .wires = bits};
#include "op.def"
#undef OPERATION
#undef FP_OPERATION
#undef ANY_OPERATION
#undef WIRES
}

bool op_absent(const struct energy_model *m, unsigned op)
{
	switch (op) {
	case EOP_simd_int:
	case EOP_simd_int_mul: return !m->machine.simd_integer;
	case EOP_simd_add2:
	case EOP_simd_mul2:
	case EOP_simd_fma2: return !m->machine.simd_single;
	case EOP_simd_index: return !m->machine.simd_index_ports;
	default: return unit_absent(&m->machine, m->op[op].unit);
	}
}

/* Length of the wires of `span` in an array of `pes` PEs on a square of `side` (mm or any unit). */
double wire_length(enum wire_span span, unsigned pes, double side)
{
	double root = sqrt((double)pes);

	switch (span) {
	case SPAN_ALL: return side * (0.5 + 1.5 * (root - 1));
	case SPAN_ONE: return side * 0.75;
	case SPAN_PAIR: return side / root;
	case SPAN_SLICE: return side;
	case SPAN_NONE: break;
	}
	return 0;
}
