/*
 * What the pipeline needs to know of a static instruction, worked out once when
 * the trace first shows its block.
 */
#ifndef PSIM_CORE_UOP_H
#define PSIM_CORE_UOP_H

#include <stdint.h>

#include "../../isa/insn.h"
#include "config.h"

/* Where an instruction is executed. */
enum exec_unit { EXEC_NONE, EXEC_INT, EXEC_FP, EXEC_ADDR, EXEC_BR, EXEC_COUNT };

/* Reservation stations: one for each integer and FP pipe, one for addresses, one for branches. */
enum { RS_INT = 0, RS_FP = 4, RS_ADDR = 8, RS_BR = 9, RS_COUNT = 10, RS_NONE = 255 };

enum uop_flag {
	UOP_LOAD = 1 << 0,
	UOP_STORE = 1 << 1,
	UOP_PREFETCH = 1 << 2,
	UOP_SYNC = 1 << 3,      /* dispatched alone: after all older, before all younger */
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
};

enum { UOP_MAX_ADDRESS_DEPS = 16, UOP_MAX_DEPS = 32 };

struct uop {
	const struct insn *insn;
	uint64_t pc;
	uint32_t sid;      /* number of the static instruction, for the profile */
	uint32_t flags;
	uint8_t unit, class;
	uint8_t latency_low; /* latency, low and high byte */
	uint8_t latency_high;
	uint8_t size;      /* bytes of memory access */
	uint8_t gub, fub;  /* rename buffer entries */
	uint8_t flops;
	uint8_t int_sources, fp_sources;
	uint8_t nsrc, ndst;
	struct reg_ref src[INSN_MAX_SRC], dst[INSN_MAX_DST];
	uint8_t data_mask; /* src[] that are a store's data */
};

static inline unsigned uop_latency(const struct uop *u)
{
	return u->latency_low | (unsigned)u->latency_high << 8;
}

/* Fills `u` for the instruction at `pc`. */
void uop_make(struct uop *u, const struct insn *i, uint64_t pc, uint32_t sid,
              const struct core_config *cfg);

/* Pieces of the window trap handlers. */
enum handler_uop { HANDLER_ENTRY, HANDLER_STORE, HANDLER_LOAD, HANDLER_EXIT, HANDLER_ANNULLED, HANDLER_COUNT };
void uop_make_handler(struct uop *u, enum handler_uop kind, const struct core_config *cfg);

#endif
