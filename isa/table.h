/*
 * Internal to isa: the rows of sparc_v9.def with patterns and operand words translated by
 * gen.c, and the index from a word to its row.
 */
#ifndef PSIM_ISA_TABLE_H
#define PSIM_ISA_TABLE_H

#include "insn.h"

/* The fields of a row: one mask for each pattern letter. */
enum field {
	FIELD_RD,
	FIELD_RS1,
	FIELD_RS2,
	FIELD_RS3,     /* d or f, s, t, u: in the order of enum from */
	FIELD_I,       /* i */
	FIELD_IMM,     /* o n m b h */
	FIELD_ASI,     /* e, and the ASI part of m */
	FIELD_COND,    /* c */
	FIELD_RCOND,   /* r */
	FIELD_CC,      /* k */
	FIELD_ANNUL,   /* a */
	FIELD_PREDICT, /* p */
	FIELD_PR,      /* v */
	FIELD_COUNT
};

/* what a number in a register field means */
enum reg_kind { KIND_INT, KIND_SINGLE, KIND_DOUBLE, KIND_QUAD, KIND_PE /* a double of the PEs */ };

/* what a word of the row is in the two modes */
enum row_mode {
	MODE_SAME,  /* scalar in both */
	MODE_BOTH,  /* acts on the array while the mode bit is set */
	MODE_CLEAR, /* illegal while it is set */
	MODE_SET,   /* illegal while it is clear */
};

/* the kind of immediate, by its letter */
enum imm_kind { IMM_NONE, IMM_SIGNED, IMM_UNSIGNED, IMM_BRANCH, IMM_SETHI };

/* where an operand's register comes from */
enum from {
	FROM_RD,
	FROM_RS1,
	FROM_RS2,
	FROM_RS3,    /* a register field */
	FROM_OP2,    /* rs2 if i=0 */
	FROM_RD_ODD, /* the register after rd */
	FROM_CC,     /* unit, unless the condition is always or never */
	FROM_FCC,    /* the fcc that the cc field names, unless the condition is always or never */
	FROM_ASI,    /* unit, where i=1 */
	FROM_UNIT,   /* unit */
};

struct operand {
	uint8_t from, unit, width; /* unit: the base, to which a field's number is added */
	bool address;
};

enum { ROW_MAX_SRC = 5, ROW_MAX_DST = 3 };

struct table_row {
	uint32_t mask, match;
	uint32_t field[FIELD_COUNT];
	uint32_t flags;
	uint8_t class, format, size, imm, mode;
	uint8_t kind[FIELD_RS3 + 1];
	bool prefetch_function; /* rd is one: f */
	uint8_t nsrc, ndst;
	struct operand src[ROW_MAX_SRC], dst[ROW_MAX_DST];
	uint16_t first_alias, alias_count;
};

struct table_alias {
	uint32_t mask, match;
	bool rs1_is_rd, rs2_is_rd;
	uint8_t format;
	const char *mnemonic;
};

enum format {
#define F(name, operands) FORMAT_##name,
#include "format.def"
#undef F
	FORMAT_COUNT
};

extern const struct table_row table_rows[OP_COUNT];
extern const struct insn_row table_listing[OP_COUNT]; /* the same rows for listings */
extern const struct table_alias table_aliases[];

/*
 * The candidate opcodes of a word, ending in OP_ILLEGAL, begin at table_candidates +
 * table_index[table_block[op, op3]][word bits 10:5], where op3 is bits 24:19.
 */
extern const uint8_t table_block[256];
extern const uint16_t table_index[][64];
extern const uint16_t table_candidates[];

/*
 * operands.c: fills src, dst, src_address and, for an FP load or store with a block or short
 * ASI, size; needs the fields of `out`. Returns false if rd cannot begin a block.
 */
bool operands_fill(const struct table_row *row, struct insn *out);

#endif
