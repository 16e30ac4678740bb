/*
 * The pipeline's view of a static instruction, computed once, when its block is
 * simulated for the first time.
 */
#ifndef PSIM_CORE_UOP_H
#define PSIM_CORE_UOP_H

#include <stdbool.h>
#include <stdint.h>

#include "../../isa/insn.h"
#include "../machine/core_config.h"
#include "lanes.h"
#include "stall.h"

/* Execution units. */
enum exec_unit { EXEC_NONE, EXEC_INT, EXEC_FP, EXEC_ADDR, EXEC_BR, EXEC_SIMD, EXEC_COUNT };

/*
 * Reservation stations: one for each integer and FP pipe, one for addresses, one
 * for branches. Their entries in use are lanes of two words (lanes.h): five
 * stations a word, with the stations of a unit in the same word. The array's
 * station is separate (array.c), and has the last rows of window.ready.
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
	RS_SCALAR = (1 << RS_COUNT) - 1, /* bit map of the scalar stations */
	RS_ALONE = 1 << 15,              /* with it, of window.ready_rs: an unpipelined instruction is ready */
	READY_SIMD = 2 * RS_COUNT,
	READY_DIVIDE, /* of the array's station, too */
	READY_ROWS,
};

/* Reach of the bit-map wheels of events in cycles. */
enum { NEAR_SIZE = 64 };

enum uop_flag {
	UOP_LOAD = 1 << 0,
	UOP_STORE = 1 << 1,
	UOP_PREFETCH = 1 << 2,
	UOP_SYNC = 1 << 3, /* dispatched alone: after all older, before all younger */
	UOP_UNPIPELINED = 1 << 4,
	UOP_FIRST_PIPE = 1 << 5, /* executes in the first pipe of its unit only */
	UOP_CTI = 1 << 6,
	UOP_SAVE = 1 << 7,
	UOP_RESTORE = 1 << 8,
	UOP_TRAP = 1 << 9,         /* Tcc: a serializing instruction if it is taken */
	UOP_WINDOW_TRAP = 1 << 10, /* part of a window trap handler, not of the program */
	UOP_ANNULLED = 1 << 11,    /* a delay slot that is only decoded */
	UOP_ADDRESS = 1 << 12,     /* the trace has an effective address for it */
	UOP_WINDOW = 1 << 13,      /* a non-zero address means a window trap */
	UOP_DIRECT = 1 << 14,      /* unconditional transfer whose target the decoder can compute */
	UOP_NO_ISSUE = 1 << 15,    /* done at dispatch */
	UOP_FP_DST = 1 << 16,      /* a load into FP registers */
	UOP_TRANSFER = 1 << 17,    /* between memory and SBM: three addresses */
	UOP_SIMD = 1 << 18,        /* takes an entry of the SIMD station */
	UOP_SXWAIT = 1 << 19,
	UOP_BARRIER = 1 << 20, /* dispatched when the store buffer is empty, too */
	UOP_GATHER = 1 << 21,  /* a load or store of the PEs, each at an index of its own */
	/* a store, or it turns the register window, has data sources, or three results */
	UOP_DISPATCH_MORE = 1 << 22,
	UOP_DISPATCH_ALONE = 1 << 23, /* more than SOURCES_QUICK sources delay selection, or a result is half a pair */
};

/* Flags that need more than the fast path of fetch, dispatch and commit. */
enum {
	UOP_FETCH_SPECIAL = UOP_CTI | UOP_TRAP | UOP_WINDOW | UOP_TRANSFER,
	UOP_DISPATCH_SPECIAL = UOP_ANNULLED | UOP_SYNC | UOP_NO_ISSUE | UOP_SIMD | UOP_TRANSFER,
	UOP_RUN_SPECIAL = UOP_DISPATCH_SPECIAL | UOP_DISPATCH_ALONE,
	/* instructions with fetch flags, too */
	UOP_COMMIT_SPECIAL = UOP_STORE | UOP_TRANSFER | UOP_SIMD | UOP_SYNC | UOP_WINDOW_TRAP,
};

/* Selection of an instruction's station. The first two are fast paths. */
enum station_choice {
	CHOOSE_OF_TWO, /* two pipes, in lanes 0 and 1 of their word */
	CHOOSE_LAST,   /* one station, in the last lane of its word */
	CHOOSE_ANY,
};

/*
 * The rename map, indexed by operand: the integer registers of the current window, 32 FP pairs, 32 pairs of the PEs,
 * then all other registers. A register operand of several entries (quad, block, ldd) becomes several operands.
 */
enum {
	MAP_GLOBALS = 8,
	MAP_WINDOWS = 8,
	MAP_INTEGER = MAP_GLOBALS + MAP_WINDOWS * 16,
	/* numbers that operands use */
	OPERAND_PAIRS = 32,
	OPERAND_OTHER = OPERAND_PAIRS + 64,
	OPERAND_COUNT = OPERAND_OTHER + (REG_S - REG_CCR),
	/* a block of eight doubles, and the other operands of its access */
	UOP_MAX_SRC = 8 + INSN_MAX_SRC - 1,
	UOP_MAX_DST = 8 + INSN_MAX_DST - 1,
	OPERAND_WHOLE = 255,
	/* These have places in the map, too: one that is written but not read, and one without a writer. */
	OPERAND_NONE = 255,
	OPERAND_READY = 254,
	/* sources that the fast path of dispatch looks up, of each instruction */
	SOURCES_QUICK = 3,
};
struct uop_reg {
	uint8_t number;
	uint8_t half; /* one of the 128 FP halves, or OPERAND_WHOLE: the whole pair */
};

/* A station, the row of window.ready of an instruction in it, its bit of window.ready_rs; the first enum slot_state. */
struct station_place {
	uint16_t rs, ready_row, rs_bit, state;
};

/* The bits of window.ready_rs of a ready instruction. */
static inline uint16_t station_bits(unsigned rs, unsigned ready_row)
{
	bool scalar = rs < RS_COUNT;

	return (uint16_t)(rs <= RS_SIMD ? 1u << rs | (scalar && ready_row != rs ? RS_ALONE : 0) : 0);
}

enum { NODE_NONE = 0xffff }; /* no dependence node (core_window.h) */

/* Flags of a reorder-buffer entry, beside enum fetched_flag: what the fast paths of its stages leave to others. */
enum entry_flag {
	ENTRY_FETCHED = (1 << 8) - 1, /* those of enum fetched_flag */
	ENTRY_COMMIT_MORE = 1 << 8,
	ENTRY_SELECT_MORE = 1 << 9,
	ENTRY_FLAGS_AT = 48, /* in rob_entry.begin */
};

struct core_profile;
struct uop {
	const struct insn *insn;
	struct core_profile *profile; /* NULL for a handler's */
	uint64_t pc;
	uint32_t sid;    /* number of the static instruction, for the profile */
	uint32_t number; /* the same with the handlers before all others: in keys and answers */
	uint32_t flags;
	uint8_t unit;
	uint8_t class;      /* enum insn_class; plus CLASS_COUNT for SIMD instructions */
	uint8_t size;       /* bytes of memory access */
	uint8_t cause;      /* enum stall, of empty slots while it executes; loads and stores have their own */
	uint8_t rs, pipes;  /* the first station that can take it, and the number of such stations */
	uint8_t choice;     /* enum station_choice */
	uint8_t rs_word;    /* the word of window.rs_used that counts their entries */
	uint8_t row_offset; /* unpipelined: RS_COUNT, the offset of its row of window.ready; else 0 */
	bool leads;         /* it is the first of its block */
	/* instructions without UOP_FETCH_SPECIAL from it on, up to the last of its block, which does not count */
	uint32_t plain;
	uint64_t entry; /* of its entry in the reorder buffer: no waiters, and flags of enum entry_flag */
	uint32_t latency;
	uint32_t rs_limit;             /* capacity of each of its stations */
	uint64_t need;                 /* window resources that it needs: lanes.h */
	uint64_t rs_entry;             /* one entry of the first station, in that word; 0: it needs no station */
	struct station_place place[4]; /* in each station that can take it */
	uint8_t source[SOURCES_QUICK]; /* those that delay selection, then OPERAND_READY */
	uint8_t result[2];             /* without UOP_DISPATCH_MORE: all results, or OPERAND_NONE */
	uint8_t nsrc, ndata, ndst;
	/* the sources that delay selection, then ndata sources of a store's data or from the scalar core */
	struct uop_reg src[UOP_MAX_SRC], dst[UOP_MAX_DST];
	/* Four counts of 16 bits each, so that one addition sums them at dispatch, and at commit. */
	uint64_t dispatch_lanes; /* integer operands, FP operands, integer results, FP results */
	uint64_t commit_lanes;   /* FLOPs, loads, stores, control transfers */
	/* SIMD instructions: rename buffer entries and operands; for arithmetic also: */
	uint8_t sfub, simd_sources;
	uint8_t report;          /* cycles from a consumer's selection until this instruction may commit */
	uint16_t pipe_cycles;    /* cycles for which it blocks the arithmetic pipes */
	uint16_t divider_cycles; /* cycles for which it occupies the dividers; 0: it needs none */
};

/* Fills `u` for the instruction at `pc`. */
void uop_make(struct uop *u, const struct insn *i, uint64_t pc, uint32_t sid, const struct core_config *cfg);

/* The number of pipes of a unit (one for a unit with one station). */
unsigned uop_unit_pipes(unsigned unit, const struct core_params *p);

/* Unit of an execution class; its latency in the scalar core. */
unsigned uop_class_unit(unsigned class);
/* Returns whether the class executes in the first pipe of its unit only. */
bool uop_class_first_pipe(unsigned class);
unsigned uop_class_latency(unsigned class, const struct latency_params *l);
/* The operation (EOP_...) that an instruction of the class costs the scalar core, *ret_each times; or EOP_COUNT. */
unsigned uop_class_op(unsigned class, unsigned *ret_each, const struct latency_params *l);

/* Floating-point operations of a SIMD instruction of a class, in `pes` PEs together. */
uint64_t uop_simd_flops(unsigned class, unsigned pes);

/* Returns whether the instruction needs the array. */
static inline bool uop_needs_array(const struct insn *i)
{
	return i->flags & (INSN_SIMD | INSN_TRANSFER) || i->class == CLASS_SIMD_GET || i->class == CLASS_SIMD_PUT ||
	       i->class == CLASS_SIMD_REDUCE || i->class == CLASS_SBM_WAIT;
}

/* Returns whether the instruction is a division or square root of the PEs. */
static inline bool uop_divides(const struct insn *i)
{
	return i->flags & INSN_SIMD && i->class >= CLASS_FP_DIV_S && i->class <= CLASS_FP_SQRT_D;
}

/* Returns whether the instruction needs the unit of the PEs (isa/simd_unit.def) of that name. */
static inline bool uop_uses_integer(const struct insn *i)
{
	return i->class == CLASS_SIMD_INT || i->class == CLASS_SIMD_INT_MUL;
}

static inline bool uop_uses_single(const struct insn *i)
{
	return i->class >= CLASS_SIMD_ADD2 && i->class <= CLASS_SIMD_FMA2;
}

static inline bool uop_uses_gather(const struct insn *i)
{
	return i->class == CLASS_SIMD_GATHER || i->class == CLASS_SIMD_SCATTER;
}

/* Returns whether a register unit is a floating-point condition code. */
static inline bool uop_is_fcc(unsigned unit)
{
	return unit >= REG_FCC && unit < REG_FCC + 4;
}

/* Returns whether the instruction is a comparison or a conditional move of the PEs. */
static inline bool uop_selects(const struct insn *i)
{
	if (!(i->flags & INSN_SIMD))
		return false;
	for (unsigned n = 0; n < i->nsrc; n++)
		if (uop_is_fcc(i->src[n].unit))
			return true;
	return i->class == CLASS_FP_CMP;
}

/* Instructions of the window trap handlers. */
enum window_trap_op {
	WINDOW_TRAP_ENTRY,
	WINDOW_TRAP_STORE,
	WINDOW_TRAP_LOAD,
	WINDOW_TRAP_EXIT,
	WINDOW_TRAP_ANNULLED,
	WINDOW_TRAP_COUNT
};
void uop_make_window_trap(struct uop *u, enum window_trap_op kind, const struct core_config *cfg);

#endif
