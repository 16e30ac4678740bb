/*
 * What the pipeline needs to know of a static instruction, worked out once when
 * the trace first shows its block.
 */
#ifndef PSIM_CORE_UOP_H
#define PSIM_CORE_UOP_H

#include <stdbool.h>
#include <stdint.h>

#include "../../isa/insn.h"
#include "core_config.h"
#include "lanes.h"
#include "stall.h"

/* Where an instruction is executed. */
enum exec_unit { EXEC_NONE, EXEC_INT, EXEC_FP, EXEC_ADDR, EXEC_BR, EXEC_SIMD, EXEC_COUNT };

/*
 * Reservation stations: one for each integer and FP pipe, one for addresses, one
 * for branches. Their entries in use are lanes of two words (lanes.h): five
 * stations a word, those of a unit in one, from its first lane on. The array's
 * station stands apart (array.c), with the last row of core.ready.
 */
enum {
	RS_INT = 0,
	RS_ADDR = 4,
	RS_FP = 5,
	RS_BR = 9,
	RS_COUNT = 10,
	RS_SIMD = 10,
	RS_NONE = 255,
	RS_WORDS = 2,
	RS_SCALAR = (1 << RS_COUNT) - 1, /* a bit each */
	READY_SIMD = 2 * RS_COUNT,
	READY_ROWS,
};

enum uop_flag {
	UOP_LOAD = 1 << 0,
	UOP_STORE = 1 << 1,
	UOP_PREFETCH = 1 << 2,
	UOP_SYNC = 1 << 3, /* dispatched alone: after all older, before all younger */
	UOP_UNPIPELINED = 1 << 4,
	UOP_FIRST_PIPE = 1 << 5, /* only the first pipe of its unit can do it */
	UOP_CTI = 1 << 6,
	UOP_SAVE = 1 << 7,
	UOP_RESTORE = 1 << 8,
	UOP_TRAP = 1 << 9,      /* Tcc: a syncing instruction if it is taken */
	UOP_HANDLER = 1 << 10,  /* not the program's: part of a window trap */
	UOP_ANNULLED = 1 << 11, /* a delay slot that is only decoded */
	UOP_ADDRESS = 1 << 12,  /* the trace has an effective address for it */
	UOP_WINDOW = 1 << 13,   /* a non-zero address means a window trap */
	UOP_DIRECT = 1 << 14,   /* unconditional transfer whose target the decoder can compute */
	UOP_NO_ISSUE = 1 << 15, /* done at dispatch */
	UOP_FP_DST = 1 << 16,   /* a load into FP registers */
	UOP_TRANSFER = 1 << 17, /* between memory and SBM: three addresses */
	UOP_SIMD = 1 << 18,     /* takes an entry of the SIMD station */
	UOP_SXWAIT = 1 << 19,
};

/* Instructions that fetch and dispatch have to look at. */
enum {
	UOP_FETCH_SPECIAL = UOP_CTI | UOP_TRAP | UOP_WINDOW | UOP_TRANSFER,
	UOP_DISPATCH_SPECIAL = UOP_ANNULLED | UOP_SYNC | UOP_NO_ISSUE | UOP_SIMD | UOP_TRANSFER,
	UOP_COMMIT_SPECIAL = UOP_SYNC | UOP_SIMD,
};

/* How an instruction's station is chosen: the usual ways apart, to be short. */
enum station_choice {
	CHOOSE_OF_TWO, /* two pipes, in lanes 0 and 1 of their word */
	CHOOSE_LAST,   /* one station, in the last lane of its word */
	CHOOSE_ANY,
};

/*
 * The rename map: 8 globals, 8 windows of 16, 32 FP pairs, 32 of the PEs, then all other units.
 * An operand names an entry as the present window's table (core.window) has it:
 * 0..31 integer, then the rest. One of several entries (quad, block, ldd) is
 * several operands here.
 */
enum {
	MAP_GLOBALS = 8,
	MAP_WINDOWS = 8,
	MAP_PAIRS = MAP_GLOBALS + MAP_WINDOWS * 16,
	MAP_SIZE = MAP_PAIRS + 64 + (REG_S - REG_CCR),
	/* numbers that operands use */
	OPERAND_PAIRS = 32,
	OPERAND_OTHER = OPERAND_PAIRS + 64,
	OPERAND_COUNT = OPERAND_OTHER + (REG_S - REG_CCR),
	/* a block of eight doubles and what goes with it */
	UOP_MAX_SRC = 8 + INSN_MAX_SRC - 1,
	UOP_MAX_DST = 8 + INSN_MAX_DST - 1,
	OPERAND_WHOLE = 255,
};
struct uop_reg {
	uint8_t number;
	uint8_t half; /* which of the 128 FP halves, if not the whole pair; else OPERAND_WHOLE */
};

struct uop {
	const struct insn *insn;
	uint64_t pc;
	uint32_t sid; /* number of the static instruction, for the profile */
	uint32_t flags;
	uint8_t unit;
	uint8_t class;     /* enum insn_class; of SIMD instructions CLASS_COUNT more */
	uint8_t size;      /* bytes of memory access */
	uint8_t rs, pipes; /* the first station of its unit that can take it, and how many can */
	uint8_t choice;    /* enum station_choice */
	uint8_t rs_word;   /* the word of core.rs_used that counts their entries */
	uint8_t rs_limit;  /* entries of each of them */
	uint8_t lone;      /* not pipelined: RS_COUNT, the distance of its row of core.ready; else 0 */
	uint32_t latency;
	uint64_t need;     /* of the window's resources: lanes.h */
	uint64_t rs_entry; /* an entry of the first station, in that word; 0: takes none */
	uint8_t nsrc, ndata, ndst;
	/* first the sources that hold up selection, then those of a store's data, or from the scalar core */
	struct uop_reg src[UOP_MAX_SRC], dst[UOP_MAX_DST];
	/* Four counts of 16 bits each, summed at dispatch and at commit in one addition. */
	uint64_t dispatch_lanes; /* integer operands, FP operands, integer results, FP results */
	uint64_t commit_lanes;   /* FLOPs, loads, stores, control transfers */
	/* SIMD instructions: rename buffer entries, operands and, of arithmetic, ... */
	uint8_t sfub, simd_sources;
	uint8_t report;       /* cycles from the selection of a consumer to where it may commit */
	uint16_t pipe_cycles; /* in which it keeps others from the arithmetic pipes */
};

/* Fills `u` for the instruction at `pc`. */
void uop_make(struct uop *u, const struct insn *i, uint64_t pc, uint32_t sid, const struct core_config *cfg);

/* The number of pipes of a unit (one for a unit with one station). */
unsigned uop_unit_pipes(unsigned unit, const struct core_params *p);

/* Unit of a uop's class; latency of an execution class in the scalar core. */
unsigned uop_class_unit(unsigned class);
unsigned uop_class_latency(unsigned class, const struct latency_params *l);
/* The operation (EOP_...) that the scalar core does for an instruction of the class, *ret_each times, or EOP_COUNT. */
unsigned uop_class_op(unsigned class, unsigned *ret_each, const struct latency_params *l);
/* Why commit slots stay empty while an instruction of the class, not a load or store, executes. */
enum stall uop_class_cause(unsigned class);

/* Operations of a SIMD instruction of a class: of `pes` PEs together. */
uint64_t uop_simd_flops(unsigned class, unsigned pes);

/* Does the instruction need the array? */
static inline bool uop_needs_array(const struct insn *i)
{
	return i->flags & (INSN_SIMD | INSN_TRANSFER) || i->class == CLASS_SIMD_GET || i->class == CLASS_SIMD_PUT ||
	       i->class == CLASS_SIMD_REDUCE || i->class == CLASS_SBM_WAIT;
}

/* Pieces of the window trap handlers. */
enum handler_uop { HANDLER_ENTRY, HANDLER_STORE, HANDLER_LOAD, HANDLER_EXIT, HANDLER_ANNULLED, HANDLER_COUNT };
void uop_make_handler(struct uop *u, enum handler_uop kind, const struct core_config *cfg);

#endif
