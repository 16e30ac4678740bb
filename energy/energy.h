/*
 * Energy and area: activity in, joules and square millimetres out.
 *
 * The method is that of the paper (section 3.3): the number of latches clocked in each pipeline
 * stage times the energy of a clocked latch with its logic and wires. The model adds the
 * accesses of storage arrays, the operations of functional units, the clock tree and leakage.
 * It does not know the core; its inputs are the machine's dimensions and counts. docs/models/energy.md
 * describes the model, its sources, and what is counted where.
 */
#ifndef PSIM_ENERGY_ENERGY_H
#define PSIM_ENERGY_ENERGY_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "../psim/base/err.h"
#include "../psim/base/report/report.h"
#include "gating.h"

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

/* Parts of the chip in reports; unit.def has the rows. */
enum energy_unit {
#define UNIT(name) UNIT_##name,
#include "unit.def"
#undef UNIT
	UNIT_COUNT
};

/*
 * Readings of the constants on which sources disagree (reading.def): all at the low end of the
 * published range, all as the model uses them, all at the high end.
 */
enum energy_reading { READING_LOW, READING_LIKELY, READING_HIGH, READING_COUNT };

/*
 * Counts since the start of a run, summed over all cores; an interval is the difference of two.
 * For each stage, moved + stalled never exceeds its slots times cycles.
 */
struct activity {
	uint64_t cycles;
	uint64_t moved[STAGE_COUNT];   /* slots that moved into the stage */
	uint64_t stalled[STAGE_COUNT]; /* slot-cycles occupied but not moving */
	uint64_t reads[ARRAY_COUNT], writes[ARRAY_COUNT];
	uint64_t ops[EOP_COUNT];
	uint64_t asleep, sleeps; /* cycles in which an array's supply was off, and how often it was switched off */
};

/* *out = to - from, count by count; `to` is the later one. `out` may be either. */
void activity_subtract(const struct activity *to, const struct activity *from, struct activity *out);

/* *sum += a, count by count. */
void activity_add(struct activity *sum, const struct activity *a);

/* Constants at 90 nm, 1.0 V, 350 K: technology.def. */
struct technology {
#define TECHNOLOGY(name, value, least, most, unit, reading, doc, source) double name;
#include "technology.def"
#undef TECHNOLOGY
};

/* Low or high values of a user's own, of all that may have them; 0: reading.def's factor of the likely one. */
struct technology_end {
	struct technology technology;
	double latch_pj, leakage_w;
};

/* The machine's dimensions, from the configuration. */
struct energy_machine {
	struct technology technology;
	struct technology_end low, high;
	const char *constants; /* file of a user's own; NULL or empty: none. energy_create reads it */
	double frequency_hz, voltage, node_nm, temperature_k;
	double design_hz, design_voltage; /* for which the silicon is made; both 0: frequency_hz and voltage */
	double package_k_w, ambient_k;    /* K/W from the junction to the air; 0: temperature_k is given */
	double peak_ratio;                /* peak power over thermal design power */
	double defects_cm2, clustering;   /* of the process; clustering 0: none */
	double sleep_leakage;             /* share of an array's leakage that stays when its supply is off */
	double sleep_cost;                /* cycles of an array's leakage that switching its supply off and on takes */
	unsigned power;                   /* enum energy_power, of the arrays */
	double period_s;                  /* of the run and the idle time after it; 0: none */
	unsigned gating;                  /* enum energy_gating */
	unsigned clock_tree;              /* enum energy_tree */
	unsigned split;                   /* enum energy_split */
	unsigned cores;   /* identical cores that share the L2; the other fields describe one core, and the L2 */
	double latch_pj;  /* per clocked latch with logic and wires, at 90 nm and 1.0 V */
	double leakage_w; /* core and L2 of energy_reference() at 90 nm, 1.0 V, 350 K */
	/* widths of stages, slots */
	unsigned one;          /* 1: a stage with one slot */
	unsigned fetch_groups; /* 1: one fetch group a cycle */
	unsigned decode_width, int_pipes, fp_pipes;
	unsigned decode_entry_slots; /* decode_width times the decode stages before D (1) */
	unsigned fp_latency_slots;   /* fp_pipes times the longest pipelined latency (FMA: 8) */
	unsigned address_pipes;
	unsigned result_buses; /* int_pipes + fp_pipes + address_pipes */
	unsigned commit_width;
	/* dimensions of arrays: entries, or bytes for caches */
	uint64_t none, two; /* 0: no dimension; 2: the ends of a path */
	uint64_t ibuffer_entries, bht_entries, ras_entries, itlb_entries, dtlb_entries;
	uint64_t pht_words;     /* of 64 bits; 0: a predictor without tables of directions beside the branch history */
	unsigned pht_read_bits; /* by a look-up */
	/* the same of tables of targets of indirect transfers */
	uint64_t target_words;
	unsigned target_read_bits;
	/* of a predictor of memory dependences, 64 bits each; 0: none */
	uint64_t dependence_words, last_store_words;
	uint64_t mtlb_entries; /* both main TLBs together */
	uint64_t l1i_miss_entries, l1d_miss_entries, l2_miss_entries;
	uint64_t l1d_victim_lines;
	uint64_t writeback_entries;               /* lines of L2 that wait for the memory channel */
	uint64_t stream_entries;                  /* of the prefetcher; 0: none */
	unsigned stream_bits, stream_search_bits; /* of an entry; of them, compared with each access */
	uint64_t l1i_bytes, l1d_bytes, l2_bytes, rob_entries;
	uint64_t rs_int_entries, rs_fp_entries, rs_addr_entries, rs_br_entries; /* sums over all pipes */
	uint64_t gub_entries, fub_entries, gpr_entries, fpr_entries;
	uint64_t load_queue;
	uint64_t store_queue; /* store queue and store buffer together */
	int l2_state_bits;    /* of the replacement policy, for each set, above those of exact LRU */
	unsigned l1i_ways, l1d_ways, l2_ways, bht_ways, mtlb_ways, l1d_banks;
	unsigned l1i_ways_read, l1d_ways_read; /* of which a fetch or load reads data at once; of the others, tags */
	unsigned line_bytes, l1i_line_bytes, l1d_line_bytes; /* line_bytes: of L2 */
	unsigned fetch_bytes;
	double l2_bus_bytes; /* between L1 and L2, a cycle */
	/* an L3 in slices, with which each core has an L2 of its own; l3_slices = 0: no L3, and all of these are 0 */
	uint64_t l3_slice_bytes, l3_miss_entries, l3_ends; /* ends of paths between L2s and slices */
	unsigned l3_slices, l3_ways, l3_cycles;
	int l3_state_bits;
	uint64_t directory_words, directory_read_bits; /* of 64 bits; by a search */
	double l3_bus_bytes;                           /* of one path */
	double l3_steps;                               /* between slices, of a line, mean */
	uint64_t l3_near_bytes; /* whose side l3_cycles cover: of all slices, or of one where a line goes in steps */
	double memory_gbs;      /* bandwidth of off-chip memory, GB/s */
	unsigned has_dram;      /* 1: memory of banks and rows; else 0, as what follows */
	/* energy of a command, a clock of a rank with an open row; all devices */
	double dram_activate_pj, dram_read_pj, dram_write_pj, dram_open_pj;
	double dram_idle_w, dram_refresh_w;
	/* cycles of the paths of path.def: from the start to the consumer, or number of stages */
	unsigned fetch_stages, predict_stages, decode_stages, operand_stages, commit_stages;
	unsigned int_alu_cycles, int_mul_cycles, int_div_cycles, branch_cycles, vis_cycles;
	unsigned fp_move_cycles, fp_add_cycles, fp_cmp_cycles, fp_mul_cycles, fp_fma_cycles;
	unsigned fp_div_s_cycles, fp_div_d_cycles, fp_sqrt_s_cycles, fp_sqrt_d_cycles;
	unsigned load_cycles, fp_load_cycles, hit_cycles, forward_cycles, mtlb_cycles, l2_cycles, fill_cycles;
	/* SIMD array; simd_pes = 0: no array, and all of these are 0. Pipes are per PE. */
	unsigned simd_pes, simd_arith_pipes, simd_load_pipes, simd_store_pipes;
	unsigned simd_latency; /* longest latency of a pipelined operation (FMA: 8) */
	unsigned simd_c_cycles, simd_w1_cycles, sbm_ports, sbm_port_bytes;
	unsigned simd_move_cycles, simd_add_cycles, simd_cmp_cycles, simd_mul_cycles, simd_fma_cycles, sbm_cycles;
	unsigned simd_cross_cycles, simd_hop_cycles; /* cycles added to the latency */
	/* dividers of all PEs, 0: none; cycles of an operation of one */
	unsigned simd_dividers, simd_div_s_cycles, simd_div_d_cycles, simd_sqrt_s_cycles, simd_sqrt_d_cycles;
	/* 1: PEs have integer units, whose cycles follow; 1: they compute with two singles at once */
	unsigned simd_integer, simd_int_cycles, simd_int_mul_cycles, simd_single;
	/* gathers and scatters of a PE in a cycle, 0: none; cycles of its addition */
	unsigned simd_index_ports, simd_index_cycles;
	uint64_t rs_simd_entries;                                          /* of the array's reservation station */
	uint64_t sfub_entries, sfpr_entries, sbm_bytes, sbm_queue_entries; /* per PE */
	uint64_t xfer_entries, xfer_buffer_words;
	/* words of sbm_port_bytes, and slots: computed by energy_simd_slots */
	uint64_t sbm_words;
	unsigned simd_c_slots, simd_pipes, simd_operand_slots, simd_latency_slots, simd_access_slots;
	unsigned simd_load_slots, simd_result_slots, simd_w1_slots, xfer_slots;
};

/* Computes the slots of the SIMD stages and sbm_words from the fields above. */
void energy_simd_slots(struct energy_machine *m);

/*
 * The reference machine of the constants: the paper's Table 1, completed with facts of SPARC64
 * V (90 nm, 1.0 V, 350 K, 2 GHz, ideal gating, 0.25 pJ, 8 W). Static, never freed.
 */
const struct energy_machine *energy_reference(void);

/* Energy of one interval in joules. The parts add up to total_j. */
struct energy_result {
	double stage_j[STAGE_COUNT], array_j[ARRAY_COUNT], op_j[EOP_COUNT];
	double rest_j;    /* latches that no stage lists: 0 unless the split is SPLIT_UNIT */
	double clock_j;   /* clock tree; without gating also the clock pins of storage latches */
	double leakage_j; /* with an array that sleeps less than the machine's */
	double total_j;   /* chip without `memory`, which is off chip */
	double memory_j;  /* off chip, neither in total_j nor in array_j */
	double seconds;
};

struct energy_model; /* constant after creation: energy per event and areas, for each reading */

/*
 * Derives all constants for `machine` (copied). Returns NULL with `e` if a value is out of the
 * model's range (STATUS_USAGE) or memory is exhausted (STATUS_FAILED). Free with
 * energy_destroy.
 */
struct energy_model *energy_create(const struct energy_machine *machine, struct err *e);
void energy_destroy(struct energy_model *m); /* NULL is allowed */

/*
 * Checks that the counts fit the machine. Returns 0, or -1 with `e` if a stage had more slots
 * moved and stalled than it has, which is a bug of the counting model.
 */
int energy_check(const struct energy_model *m, const struct activity *a, struct err *e);

/* Computes the energy of the activity `a`. Linear: intervals add up to the whole. */
void energy_evaluate(const struct energy_model *m, const struct activity *a, struct energy_result *out);

/* The model of the same machine in another reading; READING_LIKELY is `m` itself. Owned by `m`. */
const struct energy_model *energy_read_as(const struct energy_model *m, enum energy_reading reading);

/* total_j of energy_evaluate in a reading, without and with memory_j. */
double energy_total_j(const struct energy_model *m, const struct activity *a, enum energy_reading reading);
double energy_system_j(const struct energy_model *m, const struct activity *a, enum energy_reading reading);

/*
 * Joules by unit: the stages, arrays and operations of each; rest, clock and leakage are
 * units of their own. The array adds up to total_j.
 */
void energy_by_unit(const struct energy_model *m, const struct energy_result *result, double joules[UNIT_COUNT]);

/* Name (snake_case) of a unit; `unit` < UNIT_COUNT. */
const char *energy_unit_name(unsigned unit);

/* Name (snake_case) and label ("P int") of a pipeline stage; `stage` < STAGE_COUNT. */
const char *energy_stage_name(unsigned stage);
const char *energy_stage_label(unsigned stage);
/* Slots of a stage, of all cores and PEs; 0: the machine has no such stage. */
double energy_stage_slots(const struct energy_model *m, unsigned stage);

/*
 * Lists where the machine exceeds the model: nodes and supplies beyond the range of the laws,
 * speeds beyond published ones, dies that no scanner exposes, thermal power that no package of that resistance carries
 * off. Writes one sentence for each and
 * returns their number.
 */
enum { ENERGY_WARNINGS_MAX = 6, ENERGY_WARNING_MAX = 320 };
unsigned energy_warnings(const struct energy_model *m, char text[ENERGY_WARNINGS_MAX][ENERGY_WARNING_MAX]);

/* Returns 0, or -1 with `e` (STATUS_USAGE) if a path needs faster logic than any published one. */
int energy_check_speed(const struct energy_model *m, struct err *e);

/*
 * The lowest supply in volts, from 0.7 to 1.3 times the node's usual one, at which no path does, or, of silicon that is
 * made for another point (design_hz), at which it reaches the clock; 0 if none.
 */
double energy_lowest_voltage(const struct energy_model *m);

/* The highest clock in Hz that the machine's silicon reaches at a supply. */
double energy_highest_hz(const struct energy_machine *m, double voltage);

/* Number `n` of the constants that a file gave, in its order; false: there are no more. Texts are the model's. */
struct energy_constant {
	const char *name, *source;
	double low, likely, high; /* low and high 0: the factors of reading.def make them */
};
bool energy_own_constant(const struct energy_model *m, unsigned n, struct energy_constant *out);

/*
 * The junction's temperature of all readings: from now on the leakage is that at it. 0: none is stable, and the leakage
 * stays.
 */
void energy_set_junction(struct energy_model *m, double kelvin);
double energy_junction_k(const struct energy_model *m);

/* Leakage of the machine with a stopped clock, W: less if arrays sleep, and at its own temperature in a package. */
double energy_idle_w(const struct energy_model *m);

/* Area in mm2. */
double energy_area_mm2(const struct energy_model *m);

/* Share of dies of that area without a defect: negative binomial, or Poisson without clustering. */
double energy_yield(const struct energy_model *m);

/*
 * The activity of the peak (peak.def), its power, and the thermal design power, both in watts. In a package that is at
 * the junction's temperature that it causes, energy_thermal_k, whatever the temperature of a run; 0: none is stable, or
 * there is no package.
 */
void energy_peak(const struct energy_model *m, struct activity *a);
double energy_peak_w(const struct energy_model *m);
double energy_thermal_w(const struct energy_model *m);
double energy_thermal_k(const struct energy_model *m);

/* Joules of the activity, and of leakage with a stopped clock until the end of energy.period, if there is one. */
double energy_period_j(const struct energy_model *m, const struct activity *a);

/*
 * With a package resistance: sets the junction's temperature, and so the leakage of all readings, to those of the power
 * of the activity `a` in the likely reading. Returns 0, or -1 with `e` (STATUS_USAGE) if no temperature carries it off:
 * then the leakage stays, and the temperature is 0.
 */
int energy_settle(struct energy_model *m, const struct activity *a, struct err *e);

/* Adds groups "energy" (by stage, array, operation, unit; power; latches only) and "area" to `r`. */
void energy_report(const struct energy_model *m, const struct activity *a, struct report *r);

/* Writes energies of actions and areas as Accelergy's ERT and ART. 0, or -1 with `e`: the file cannot be written. */
int energy_write_accelergy(const struct energy_model *m, FILE *out, struct err *e);

/*
 * Energy over time, one CSV row per interval: end cycle, end time in seconds, total watts, then
 * the watts of each unit. `from` and `to` are counts since the start at the two ends of the
 * interval; an empty interval writes nothing. Returns 0, or -1 with `e` on an output error.
 */
int energy_csv_header(const struct energy_model *m, FILE *out, struct err *e);
int energy_csv_row(const struct energy_model *m, const struct activity *from, const struct activity *to, FILE *out,
		   struct err *e);

#endif
