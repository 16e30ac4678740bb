/*
 * Inside of the isa room: the rows of sparc_v9.def after gen.c has read their
 * patterns and operand words, and the index that finds a word's row.
 */
#ifndef PSIM_ISA_TABLE_H
#define PSIM_ISA_TABLE_H

#include "insn.h"

/* Where the fields of a row stand: one mask a pattern letter. */
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

/* What a number in a register field means. */
enum reg_kind { KIND_INT, KIND_SINGLE, KIND_DOUBLE, KIND_QUAD, KIND_PE /* a double of the PEs */ };

/* What a word of the row is in the two modes. */
enum row_mode {
	MODE_SAME,  /* scalar in both */
	MODE_BOTH,  /* acts on the array while the mode bit is set */
	MODE_CLEAR, /* refused while it is set */
	MODE_SET,   /* refused while it is clear */
};

/* The immediate: which letter it was. */
enum imm_kind { IMM_NONE, IMM_SIGNED, IMM_UNSIGNED, IMM_BRANCH, IMM_SETHI };

/* Where an operand's register comes from. */
enum from {
	FROM_RD,
	FROM_RS1,
	FROM_RS2,
	FROM_RS3,    /* a register field */
	FROM_OP2,    /* rs2 unless i=1 */
	FROM_RD_ODD, /* the register after rd */
	FROM_CC,     /* unit, unless the condition is always or never */
	FROM_FCC,    /* the fcc that the cc field names, likewise */
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
extern const struct insn_row table_listing[OP_COUNT]; /* the same for people */
extern const struct table_alias table_aliases[];

/*
 * The opcodes that a word can be, ending in OP_ILLEGAL, are
 * table_candidates + table_index[table_block[op, op3]][word bits 10:5],
 * op3 the bits 24:19.
 */
extern const uint8_t table_block[256];
extern const uint16_t table_index[][64];
extern const uint16_t table_candidates[];

/*
 * operands.c: fills src, dst, src_address and, for an FP load or store with a
 * block or short ASI, size; the fields of `out` are there already. False: rd
 * cannot begin a block.
 */
bool operands_fill(const struct table_row *row, struct insn *out);

#endif
