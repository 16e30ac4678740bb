/*
 * Internal to energy: the constants of one machine.
 *
 * From described to implemented latches. latch.def counts the bits that a structure needs; the
 * chip has more (copies for fan-out, staging inside a stage, state machines, error history,
 * test, the system interface). SPARC64 V has about 200 000 latches (Ando and others, papers on
 * neutron tests, 2007-08, recalled). The effective energy of 0.25 pJ belongs to that count: it
 * is the low end of dynamic power / (200 000 x a third clocked x frequency). So the latches of
 * the reference machine that storage (FLOPS rows of array.def) does not explain are attributed
 * to the stages in proportion to the described bits: one factor for all stages, calibrated on
 * the recalled count alone and on no energy or time. Other machines use the same factor on
 * their own bits.
 *
 * That factor is of a whole chip (SPLIT_CHIP): of its 17.15 latches most belong to parts that no
 * stage lists, and that a PE does not have. With SPLIT_UNIT a stage has as many latches as its area
 * says (below, area of a PE), the factor times the mm2 of a PE's bit over those of a core's: 4.97
 * in the likely reading. The rest, 12.18 for each bit of the core, is a unit of its own, which moves
 * with the core's stages: a core without PEs has the same energy in both.
 *
 * Area of logic. 19 M logic transistors [DAC03] occupy the rest of the 130 nm die after SRAM
 * (the laws here) and pads: 290.1 - 103.7 - 45.8 = 140.6 mm2, at 90 nm 67.4 mm2;
 * docs/accuracy/energy-published.md has the steps. After FP units, registers and storage, the
 * rest is spread over the stage latches of the reference.
 *
 * Area of a PE. The two factors above belong to a whole chip and include parts that a PE does
 * not have (system interface, L2 control, test). The energy of a PE uses the first one with
 * SPLIT_CHIP; its area has a factor of its own. Likely: a PE of energy_reference_array(), which has one
 * arithmetic pipe, has half the area of the scalar FP unit, which has two (`fp` of the
 * reference: stations, registers, pipes); the rest after FP unit, registers and store queue is
 * spread over the described bits in each PE. Added to it are the SBM and the parts that exist
 * once: C, select, station, transfers, computed as for the core. Low: a described bit is one
 * latch. High: as many latches as in the core.
 */
#ifndef PSIM_ENERGY_MODEL_H
#define PSIM_ENERGY_MODEL_H

#include <stdbool.h>

#include "constants.h"
#include "energy.h"

struct stage_cost {
	unsigned unit;
	bool in_pe; /* slots are those of all PEs */
	double slots;
	double described;        /* latch bits per slot, from latch.def */
	double latches;          /* per slot, implemented */
	double latch_j, logic_j; /* per clocked latch: the latch itself; its logic and wires */
	double moved_j;          /* per moved slot, without the logic of op_cost.stage_j */
	double held_j;           /* per slot that was clocked but kept its data */
	double rest_latches;     /* per slot, of the unit `rest` */
	double rest_moved_j, rest_held_j;
	double tree_j; /* of the clock tree, per clocked slot; 0 if clock_j has all of it */
	double copies; /* copies of its latches: path.def's stretch */
	double area;   /* area factor of its path */
	double mm2;    /* all slots */
};

struct array_cost {
	unsigned unit;
	double read_j, write_j;
	double mm2;
	double latches; /* bits of storage in latches */
	bool memory;    /* SRAM: has memory's leakage, and is not logic */
	bool off_chip;
};

/*
 * Long wires of the SIMD array, which is a square with the core at the middle of an edge.
 * SPAN_ALL: half the side to the centre, and an H-tree of length 1.5 sides x (root of the PEs -
 * 1) (a tree of 4 PEs is an H of 1.5 sides; one of 16 has another four, half as long).
 * SPAN_ONE: half the side along and a quarter across on average. SPAN_PAIR: the distance of two
 * neighbours.
 */
enum wire_span { SPAN_NONE, SPAN_ALL, SPAN_ONE, SPAN_PAIR, SPAN_SLICE };

struct op_cost {
	unsigned unit;
	double j, mm2;      /* mm2 of all its pipes */
	bool fp;            /* an FP operation: reading.def */
	double wire_energy; /* energy factor of speed, for the wires */
	unsigned stage;     /* the stage whose slots an operation occupies; stage_j is their logic */
	double stage_j;
	enum wire_span span; /* wires: `j` depends on the array's area */
	double wires;
};

/* A path of path.def. Faster logic has larger transistors. */
enum path {
#define PATH(name, stretch, work, doc) PATH_##name,
#include "path.def"
#undef PATH
	PATH_COUNT
};
struct path_cost {
	double stretch, work;
	double speed;        /* of its logic at the machine's clock, node and supply, relative to the reference */
	double energy, area; /* factors that follow from the speed */
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
	bool runaway;                              /* no junction's temperature carries off the run's power */
	struct energy_model *other[READING_COUNT]; /* low and high; NULL in these themselves */
	struct reading reading;
	struct constants own; /* of the likely reading's model */
	struct stage_cost stage[STAGE_COUNT];
	struct array_cost array[ARRAY_COUNT];
	struct op_cost op[EOP_COUNT];
	struct path_cost path[PATH_COUNT];
	double latches;
	double per_bit;      /* implemented latches for each described bit of a stage */
	double rest_per_bit; /* in the unit `rest`, for each described bit of the core */
	double clock_j;      /* per cycle, whatever is clocked */
	double leakage_w;
	double sleep_leakage; /* share of leakage_w that is of the units that sleep */
	double sleep_clock_j; /* part of clock_j that is of the units that sleep */
	double memory_w;      /* off chip: devices and channel, independent of transfers */
	double unit_mm2[UNIT_COUNT], total_mm2;
};

/* Factors of a reading, with name and reason for the report; READING_ROWS of them. */
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
/* The machine with the user's own constants of a reading, divided by the factor that the reading applies to them. */
struct energy_machine reading_machine(const struct energy_machine *machine, enum energy_reading which);

/*
 * The reference with the array of the paper's Table 1, on which the area of PEs is calibrated.
 * Static.
 */
const struct energy_machine *energy_reference_array(void);

/* One field of latch.def. */
struct latch_field {
	unsigned stage;
	const char *name;
	unsigned bits;
	const char *why;
};

enum { LATCH_FIELDS_MAX = 256 };

/* Fills `fields` for machine `m`; returns their number. */
unsigned latch_fields(const struct energy_machine *m, struct latch_field fields[LATCH_FIELDS_MAX]);

/* Bits of a number below n (at least 1); one parity bit per byte of `bits`. */
unsigned latch_tag(uint64_t n);
unsigned latch_parity(unsigned bits);

/* Computes described bits and slots of each stage. */
void stage_describe(const struct energy_machine *m, struct stage_cost cost[STAGE_COUNT]);

/* Computes energies (joules), area (mm2) and latches of each array at the machine's node and supply. */
void array_describe(const struct energy_machine *m, struct array_cost cost[ARRAY_COUNT]);

/* Computes energy (0 for wires) and area of operations. */
void op_describe(const struct energy_machine *m, struct op_cost cost[EOP_COUNT]);
/* Returns whether the machine has no unit that does the operation. */
bool op_absent(const struct energy_model *m, unsigned op);

/* Length of the wires of `span` in a square array of `pes` >= 1 PEs, in units of `side`. */
double wire_length(enum wire_span span, unsigned pes, double side);

/* Latches of storage. */
double storage_latches(const struct array_cost array[ARRAY_COUNT]);

/*
 * Constants calibrated on the reference: implemented latches per described bit, and mm2 of a
 * described bit with its logic, in the core and (for each reading) in a PE.
 */
struct reference {
	double factor, bit_mm2, pe_bit_mm2[READING_COUNT];
};
struct reference reference_calibrate(const struct technology *t);

/* Computes areas of stages and units, and sleep_leakage; returns the leakage by density at 90 nm, 1.0 V, 350 K. */
double area_compute(struct energy_model *m, const struct reference *r);

/* Computes `path` for machine `m`. */
void path_describe(const struct energy_machine *m, struct path_cost path[PATH_COUNT]);
/* Computes m->path and applies it to stages, arrays and operations, before anything is summed up. */
void path_apply(struct energy_model *m);
/* Returns whether anything uses the path; without PEs nothing uses the array's. */
bool path_used(const struct energy_machine *m, unsigned path);
/*
 * Sets *path to the path that needs the fastest logic; returns true if no published logic is as
 * fast.
 */
bool path_tightest(const struct energy_model *m, unsigned *path);
const char *path_name(unsigned path);
const char *path_doc(unsigned path);

/* Slot-cycles of stage `s` that were clocked without moving: none, the stalled or all others, as gating says. */
double stage_held_slots(const struct energy_model *m, const struct activity *a, unsigned s);

/* Joules of the logic that operations use in stage `s`, whose slots count latches only (SLOTS in path_user.def). */
double stage_operations_j(const struct energy_model *m, const struct activity *a, unsigned s);

/* Applies a reading to what was described. */
void reading_apply(const struct reading *r, struct array_cost array[ARRAY_COUNT], struct op_cost op[EOP_COUNT]);

/* Returns whether it is a unit of the SIMD array that the machine lacks. */
bool unit_absent(const struct energy_machine *m, unsigned unit);
/* Area of the SIMD arrays of all cores, mm2. */
double simd_mm2(const struct energy_model *m);

/* Leakage of the machine at another temperature, W. */
double leakage_at(const struct energy_model *m, double kelvin);

/* The largest temperature of a junction that the model covers. */
#define JUNCTION_MAX_K 420.0
/*
 * The junction's temperature with `switching_w` and a share of the leakage, in a package; 0: none is stable. The other
 * writes why.
 */
double junction_k(const struct energy_model *m, double switching_w, double share);
void describe_runaway(const struct energy_model *m, double switching_w, double share, const char *what,
		      char text[ENERGY_WARNING_MAX]);

/*
 * Returns whether a unit's supply is off while the array sleeps: all of the array but the SBM with its transfers, which
 * keeps its data.
 */
bool unit_sleeps(unsigned unit);

/* Returns 0, or -1 with `e` for the first value of `m` that the model does not cover. */
int machine_check(const struct energy_machine *m, struct err *e);
/* Returns 0, or -1 with `e` if its silicon is made for another point and does not reach the clock at the supply. */
int point_check(const struct energy_machine *m, struct err *e);
/* The lowest supply of the laws at which that silicon reaches the machine's clock; 0: none. */
double point_lowest(const struct energy_machine *m);

/* Names as in reports: "ia" and so on. */
const char *stage_label(unsigned stage);
const char *array_name(unsigned array);
/* Returns whether the machine lacks it. */
bool array_absent(const struct energy_model *m, unsigned array);
const char *op_name(unsigned op);

#endif
