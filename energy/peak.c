/*
 * Peak power: each slot of each stage moves, each pipe begins its dearest operation, each port of each array is used
 * (peak.def). No program draws more over an interval that is longer than its queues. The thermal design power is
 * lower: peak power is "often 1.5 times higher" (Hennessy and Patterson, Computer Architecture, 5th edition, 2011,
 * section 1.5).
 */
#include "energy_model.h"

#include <math.h>

/* An operation or array without a row in peak.def does not compile: the message names it. Nor does one with two. */
enum {
#define PEAK_OP(name, count) PEAK_OP_##name,
#define PEAK_ARRAY(name, reads, writes)
#define PEAK_CHIP(name, reads, writes)
#define PEAK_PORT(name, accesses)
#include "peak.def"
#undef PEAK_OP
#undef PEAK_ARRAY
#undef PEAK_CHIP
#undef PEAK_PORT
	PEAK_OPS
};
enum {
#define PEAK_OP(name, count)
#define PEAK_ARRAY(name, reads, writes) PEAK_ARRAY_##name,
#define PEAK_CHIP(name, reads, writes) PEAK_ARRAY_##name,
#define PEAK_PORT(name, accesses) PEAK_ARRAY_##name,
#include "peak.def"
#undef PEAK_OP
#undef PEAK_ARRAY
#undef PEAK_CHIP
#undef PEAK_PORT
	PEAK_ARRAYS
};
#define STAGE(name, label, width, doc)
#define ARRAY(name, dimension, doc) _Static_assert(PEAK_ARRAY_##name < PEAK_ARRAYS, "peak.def has it");
#define OP(name, doc) _Static_assert(PEAK_OP_##name < PEAK_OPS, "peak.def has it");
#include "activity.def"
#undef STAGE
#undef ARRAY
#undef OP

/* Counts are whole: those of many cycles lose no fraction that matters. */
enum { PEAK_CYCLES = 1 << 16 };

static uint64_t in_cycles(double each)
{
	return (uint64_t)ceil(each * PEAK_CYCLES);
}

/* Gives the counts of operation `of` to the dearest of the `count` operations that its pipes begin. */
static void take_dearest(const struct energy_model *m, const unsigned *ops, unsigned count, unsigned of,
			 struct activity *a)
{
	uint64_t begun = a->ops[of];
	unsigned most = of;

	for (unsigned n = 0; n < count; n++) {
		const struct op_cost *c = &m->op[ops[n]], *than = &m->op[most];

		if (!op_absent(m, ops[n]) && c->j + c->stage_j > than->j + than->stage_j)
			most = ops[n];
	}
	a->ops[of] = 0;
	a->ops[most] = begun;
}

/* The count of the dearer kind of access. */
static uint64_t *dearer(const struct energy_model *m, unsigned array, struct activity *a)
{
	return m->array[array].read_j >= m->array[array].write_j ? &a->reads[array] : &a->writes[array];
}

void energy_peak(const struct energy_model *model, struct activity *a)
{
	static const unsigned fp[] = {EOP_fp_move, EOP_fp_add, EOP_fp_mul, EOP_vis};
	static const unsigned simd[] = {EOP_simd_move, EOP_simd_add,  EOP_simd_mul, EOP_simd_add2,
					EOP_simd_mul2, EOP_simd_fma2, EOP_simd_int, EOP_simd_int_mul};
	const struct energy_machine *m = &model->machine;
	const double cores = m->cores, pes = m->simd_pes, array = pes > 0, l2 = m->l2_bus_bytes;

	*a = (struct activity){.cycles = PEAK_CYCLES};
	for (unsigned s = 0; s < STAGE_COUNT; s++)
		a->moved[s] = (uint64_t)(model->stage[s].slots * PEAK_CYCLES);
#define PEAK_OP(name, count) a->ops[EOP_##name] = in_cycles(cores * (count));
#define PEAK_ARRAY(name, in, out) \
	a->reads[ARRAY_##name] = in_cycles(cores * (in)); \
	a->writes[ARRAY_##name] = in_cycles(cores * (out));
#define PEAK_CHIP(name, in, out) \
	a->reads[ARRAY_##name] = in_cycles(in); \
	a->writes[ARRAY_##name] = in_cycles(out);
#define PEAK_PORT(name, accesses) *dearer(model, ARRAY_##name, a) = in_cycles(cores * (accesses));
#include "peak.def"
#undef PEAK_OP
#undef PEAK_ARRAY
#undef PEAK_CHIP
#undef PEAK_PORT
	take_dearest(model, fp, sizeof(fp) / sizeof(fp[0]), EOP_fp_fma, a);
	take_dearest(model, simd, sizeof(simd) / sizeof(simd[0]), EOP_simd_fma, a);
}

double energy_peak_w(const struct energy_model *m)
{
	struct energy_result x;
	struct activity a;

	energy_peak(m, &a);
	energy_evaluate(m, &a, &x);
	return x.total_j / x.seconds;
}

/* The peak's power over peak_ratio, as switching and leakage at the machine's temperature. */
static void thermal_parts(const struct energy_model *m, double *switching_w, double *leakage_w)
{
	struct energy_result x;
	struct activity a;

	energy_peak(m, &a);
	energy_evaluate(m, &a, &x);
	*leakage_w = x.leakage_j / x.seconds / m->machine.peak_ratio;
	*switching_w = (x.total_j - x.leakage_j) / x.seconds / m->machine.peak_ratio;
}

double energy_thermal_k(const struct energy_model *m)
{
	double switching_w, leakage_w;

	if (m->machine.package_k_w == 0)
		return 0;
	thermal_parts(m, &switching_w, &leakage_w);
	return junction_k(m, switching_w, 1 / m->machine.peak_ratio);
}

double energy_thermal_w(const struct energy_model *m)
{
	double switching_w, leakage_w, kelvin = energy_thermal_k(m);

	thermal_parts(m, &switching_w, &leakage_w);
	if (kelvin > 0)
		leakage_w = leakage_at(m, kelvin) / m->machine.peak_ratio;
	return switching_w + leakage_w;
}
