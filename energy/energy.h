/*
 * Energy and area: activity in, joules and square millimetres out.
 *
 * Method of the paper (section 3.3): the latches clocked in each pipeline
 * stage, times the energy of a clocked latch with the logic and wires behind
 * it; here together with the accesses of storage arrays, the operations of the
 * functional units, the clock tree and leakage. Knows nothing of the core: it
 * is given the machine's dimensions and counts.
 */
#ifndef PSIM_ENERGY_ENERGY_H
#define PSIM_ENERGY_ENERGY_H

#include <stdint.h>

#include "../psim/base/err.h"
#include "../psim/base/report.h"

enum energy_stage {
#define STAGE(name, label, width, doc) STAGE_##name,
#define ARRAY(name, dimension, doc)
#define OP(name, doc)
#include "activity.def"
#undef STAGE
#undef ARRAY
#undef OP
	STAGE_COUNT
};
enum energy_array {
#define STAGE(name, label, width, doc)
#define ARRAY(name, dimension, doc) ARRAY_##name,
#define OP(name, doc)
#include "activity.def"
#undef STAGE
#undef ARRAY
#undef OP
	ARRAY_COUNT
};
enum energy_op {
#define STAGE(name, label, width, doc)
#define ARRAY(name, dimension, doc)
#define OP(name, doc) EOP_##name,
#include "activity.def"
#undef STAGE
#undef ARRAY
#undef OP
	EOP_COUNT
};

/* Counts since the start of a run; an interval is the difference of two. */
struct activity {
	uint64_t cycles;
	uint64_t moved[STAGE_COUNT];   /* slots that moved into the stage */
	uint64_t stalled[STAGE_COUNT]; /* slot-cycles occupied but not moving */
	uint64_t reads[ARRAY_COUNT], writes[ARRAY_COUNT];
	uint64_t ops[EOP_COUNT];
};

/* The machine's dimensions, as the configuration has them. */
struct energy_machine {
	double frequency_hz, voltage, node_nm, temperature_k;
	unsigned gating; /* 0 ideal, 1 partial, 2 none: order of the `gating` choices */
	double latch_pj, leakage_w;
	/* widths of stages */
	unsigned one, fetch_groups, decode_width, int_pipes, fp_pipes, fp_latency_slots,
	         address_pipes, result_buses, commit_width;
	/* dimensions of arrays: entries, or bytes for caches */
	uint64_t none, ibuffer_entries, bht_entries, ras_entries, itlb_entries, dtlb_entries, mtlb_entries,
	         l1i_bytes, l1d_bytes, l2_bytes, rob_entries, rs_int_entries, rs_fp_entries,
	         rs_addr_entries, rs_br_entries, gub_entries, fub_entries, gpr_entries, fpr_entries,
	         fetch_ports, store_ports;
	unsigned l1i_ways, l1d_ways, l2_ways, line_bytes, fetch_bytes;
};

/* Result for one interval, joules. The parts add up to total_j. */
struct energy_result {
	double stage_j[STAGE_COUNT], array_j[ARRAY_COUNT], op_j[EOP_COUNT];
	double clock_j, leakage_j;
	double total_j;  /* chip: without `memory`, which is off chip */
	double memory_j; /* off chip, not in total_j */
	double seconds;
};

struct energy_model; /* constant after creation: energies an event, areas */

/* Derives all constants for `machine` (copied). NULL and `e` if out of the model's range. */
struct energy_model *energy_create(const struct energy_machine *machine, struct err *e);
void energy_destroy(struct energy_model *m);

/* Energy of the activity `a`. Linear: the sum over intervals is that of the whole. */
void energy_evaluate(const struct energy_model *m, const struct activity *a, struct energy_result *out);

/* Area in mm2: total, and by unit through energy_report. */
double energy_area_mm2(const struct energy_model *m);

/* Adds groups "energy" (by stage, array, operation; power; latch-only reading) and "area" to `r`. */
void energy_report(const struct energy_model *m, const struct activity *a, struct report *r);

#endif
