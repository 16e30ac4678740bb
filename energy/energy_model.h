/*
 * The energy model's inside: constants of one machine. Inside energy/ only.
 *
 * From described to implemented latches. latch.def counts what a structure
 * needs; the chip has more (copies for fan-out, staging inside a stage, state
 * machines, error history, test, the system interface). About 200 000 latches
 * are recalled for SPARC64 V (Ando and others, papers on neutron tests,
 * 2007-08), and the effective energy of 0.25 pJ belongs to that count: it is
 * the low end of dynamic power / (200 000 x a third clocked x frequency). So
 * the latches of the reference machine that storage (FLOPS rows of array.def)
 * does not explain are given to the stages in proportion to the described bits:
 * one factor, the same for all stages, fixed by the recalled count alone and by no
 * energy or time. Other machines use the same factor on their own bits.
 *
 * Area of logic. 19 M logic transistors [DAC03] in what remains of the 130 nm
 * die after SRAM (the laws here) and pads: 290.1 - 103.7 - 45.8 = 140.6 mm2,
 * at 90 nm 67.4 mm2; docs/energy.md has the steps. It is spread over the stage latches
 * of the reference after FP units, registers and storage took their part.
 *
 * Area of a PE. The two factors above belong to a whole chip, and hold what a PE does not have
 * (system interface, L2 control, test). The energy of a PE keeps the first one; its area has a
 * factor of its own. Likely: a PE of energy_reference_array(), which has one arithmetic pipe, has half the
 * area of the scalar FP unit, which has two (`fp` of the reference: stations, registers, pipes); what FP
 * unit, registers and store queue leave of it is spread over the described bits that are in each
 * PE. The SBM is added to it, and what the array has once: C, select, station, transfers, made as for the
 * core. Low: a described bit is one latch. High: as many as in the core.
 */
#ifndef PSIM_ENERGY_MODEL_H
#define PSIM_ENERGY_MODEL_H

#include <stdbool.h>

#include "energy.h"

#define CHIP_LATCHES 200000.0
#define LOGIC_MM2 67.4

struct stage_cost {
	unsigned unit;
	bool in_pe; /* the slots are those of all PEs */
	double slots;
	double described;        /* latch bits a slot, as latch.def has them */
	double latches;          /* a slot, implemented */
	double latch_j, logic_j; /* a latch that is clocked: itself, and the logic and wires behind it */
	double moved_j;          /* a slot that moved, without the logic of op_cost.stage_j */
	double held_j;           /* a slot that was clocked but kept its data */
	double copies;           /* of its latches: path.def's stretch */
	double area;             /* factor of its path */
	double mm2;              /* of all its slots */
};

struct array_cost {
	unsigned unit;
	double read_j, write_j;
	double mm2;
	double latches; /* storage that is latches, bits */
	bool memory;    /* SRAM: leaks like memory, and is not logic */
	bool off_chip;
};

/*
 * Long wires of the SIMD array, which is taken as a square, with the core at the middle
 * of an edge. To all PEs: half the side to the centre, and an H-tree, whose length is
 * 1.5 sides x (root of the PEs - 1) (a tree of 4 PEs is an H of 1.5 sides; of 16 another four
 * half as long). To one PE: half the side along and a quarter across on average. To the
 * partner: the distance of two neighbours.
 */
enum wire_span { SPAN_NONE, SPAN_ALL, SPAN_ONE, SPAN_PAIR };

struct op_cost {
	unsigned unit;
	double j, mm2;      /* mm2 of all its pipes */
	bool fp;            /* an FP operation: reading.def */
	double wire_energy; /* price of speed on the wires */
	unsigned stage;     /* where stage_j, the logic of the slots that it occupies, counts */
	double stage_j;
	enum wire_span span; /* wires: `j` follows from the array's area */
	double wires;
};

/* What a path of path.def asks: faster logic has larger transistors. */
enum path {
#define PATH(name, stretch, work, doc) PATH_##name,
#include "path.def"
#undef PATH
	PATH_COUNT
};
struct path_cost {
	double stretch, work;
	double speed;        /* of its logic, over that of the reference's; at the machine's clock, node and supply */
	double energy, area; /* factors that follow from it */
};

/* Factors of one reading: reading.def. */
struct reading {
#define READING(name, low, likely, high, why) double name;
#include "reading.def"
#undef READING
	enum energy_reading which;
};

struct energy_model {
	struct energy_machine machine;
	struct energy_model *other[READING_COUNT]; /* low and high; NULL in these themselves */
	struct reading reading;
	struct stage_cost stage[STAGE_COUNT];
	struct array_cost array[ARRAY_COUNT];
	struct op_cost op[EOP_COUNT];
	struct path_cost path[PATH_COUNT];
	double latches;
	double clock_j; /* a cycle */
	double leakage_w;
	double memory_w; /* off chip: parts and channel, whatever is transferred */
	double unit_mm2[UNIT_COUNT], total_mm2;
};

/* The factors of a reading; what they are of, and why, for a report (count of them: READING_ROWS). */
enum {
#define READING(name, low, likely, high, why) READING_ROW_##name,
#include "reading.def"
#undef READING
	READING_ROWS
};
struct reading_row {
	const char *name, *why;
	double factor[READING_COUNT];
};
extern const struct reading_row reading_rows[READING_ROWS];
struct reading reading_of(enum energy_reading which);

/* The reference with the array of the paper's Table 1, whose PE the area of PEs refers to. Static. */
const struct energy_machine *energy_reference_array(void);

/* One field of latch.def. */
struct latch_field {
	unsigned stage;
	const char *name;
	unsigned bits;
	const char *why;
};

enum { LATCH_FIELDS_MAX = 256 };

/* Fills `fields` for machine `m`, returns how many. */
unsigned latch_fields(const struct energy_machine *m, struct latch_field fields[LATCH_FIELDS_MAX]);

/* Bits of a number below n (at least 1), and one parity bit a byte of `bits`. */
unsigned latch_tag(uint64_t n);
unsigned latch_parity(unsigned bits);

/* Described bits and slots of each stage. */
void stage_describe(const struct energy_machine *m, struct stage_cost cost[STAGE_COUNT]);

/* Energies (joules), area (mm2), latches of each array at the machine's node and supply. */
void array_describe(const struct energy_machine *m, struct array_cost cost[ARRAY_COUNT]);

/* Operations: energy (of wires: still 0) and area. */
void op_describe(const struct energy_machine *m, struct op_cost cost[EOP_COUNT]);

/* Length of the wires of `span` in a square array of `pes` >= 1 PEs, in units of its side's. */
double wire_length(enum wire_span span, unsigned pes, double side);

/* Latches of storage, and described bits of all slots. */
double storage_latches(const struct array_cost array[ARRAY_COUNT]);
double stage_bits(const struct stage_cost stage[STAGE_COUNT]);

/*
 * What the reference fixes: implemented latches for each described bit, and mm2 of a described bit with
 * its logic, of the core and (in each reading) of a PE.
 */
struct reference {
	double factor, bit_mm2, pe_bit_mm2[READING_COUNT];
};
struct reference reference_fix(void);

/* Areas of stages and units; returns the leakage that the densities give, at 90 nm, 1.0 V, 350 K. */
double area_fix(struct energy_model *m, const struct reference *r);

/* Fills `path` for machine `m`. */
void path_describe(const struct energy_machine *m, struct path_cost path[PATH_COUNT]);
/* Fills m->path and brings stages, arrays and operations to it, before anything is summed up. */
void path_apply(struct energy_model *m);
/* Is there anybody on the path? In a machine without PEs the array's have none. */
bool path_used(const struct energy_machine *m, unsigned path);
/* The path whose logic must be fastest; true if nothing published is as fast. */
bool path_tightest(const struct energy_model *m, unsigned *path);
const char *path_name(unsigned path);
const char *path_doc(unsigned path);

/* Brings what was described to the reading. */
void reading_apply(const struct reading *r, struct array_cost array[ARRAY_COUNT], struct op_cost op[EOP_COUNT]);

/* Is it a unit of the SIMD array? And is it missing, in a machine without PEs? */
bool unit_simd(unsigned unit);
bool unit_absent(const struct energy_machine *m, unsigned unit);
/* Area of the SIMD arrays of all cores, mm2. */
double simd_mm2(const struct energy_model *m);

/* 0, or -1 with the first value of `m` that the model does not cover. */
int machine_check(const struct energy_machine *m, struct err *e);

/* Name as a parameter of the reports: "ia" and so on. */
const char *stage_label(unsigned stage);
const char *array_name(unsigned array);
const char *op_name(unsigned op);

#endif
