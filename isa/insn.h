/*
 * Instructions: the table, the decoder, and decoded instructions.
 *
 * `sparc_v9.def` has one row an instruction:
 *
 *     I(ADD, "add", "10 ddddd 000000 sssss i ooooooooooooo", RRI, INT_ALU, "rs1 op2", "rd", 0, add)
 *
 * opcode, mnemonic, bit pattern, format (how operands print), execution class,
 * registers read, registers written, flags, and the semantic function `x_add`;
 * the head of the table explains each column. The decoder, the disassembler,
 * the operand lists that renaming uses, the semantic dispatch and the
 * documentation come from it. `simd.def` has the rows of the SIMD extension
 * (simd.h, docs/models/simd-isa.md).
 */
#ifndef PSIM_ISA_INSN_H
#define PSIM_ISA_INSN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Execution classes, the basis of a processor model's units and latencies (class.def: name, doc). */
enum insn_class {
#define C(name, doc) CLASS_##name,
#include "class.def"
#undef C
	CLASS_COUNT
};

/*
 * Register units, in which dependences are expressed. Integer registers are those of the
 * current window. An FP register is counted in halves (32 bits): single %fN is unit REG_F + N,
 * double %f2n the two units from REG_F + 2n, a quad four, a block of eight doubles sixteen. The
 * registers of the PEs (SFPR) are counted likewise from REG_S on; one unit is that half in
 * every PE. %g0 never appears.
 */
enum {
	REG_R = 0,    /* 32 integer registers */
	REG_F = 32,   /* 64 halves of 32 double registers */
	REG_CCR = 96, /* icc and xcc together */
	REG_FCC = 97, /* fcc0..fcc3 */
	REG_Y = 101,
	REG_GSR,
	REG_ASI,
	REG_FPRS,
	REG_FSR, /* mode bits: written by ldfsr, read by stfsr */
	REG_S,   /* 64 halves of the 32 doubles of each PE */
	REG_COUNT = REG_S + 64
};
struct reg_ref {
	uint8_t unit, width; /* first unit, number of units */
};

enum insn_flag {
	INSN_CTI = 1 << 0,      /* control transfer with a delay slot */
	INSN_COND = 1 << 1,     /* the transfer is conditional */
	INSN_ANNUL = 1 << 2,    /* the annul bit is set */
	INSN_CALL = 1 << 3,     /* call, or jmpl that writes %o7: pushes the return stack */
	INSN_RETURN = 1 << 4,   /* jmpl %i7+8/%o7+8, return: pops the return stack */
	INSN_INDIRECT = 1 << 5, /* target from a register */
	INSN_LOAD = 1 << 6,     /* reads memory */
	INSN_STORE = 1 << 7,    /* writes memory */
	INSN_SYNC = 1 << 8,     /* serializing: waits for all older ones and runs alone */
	INSN_SAVE = 1 << 9,     /* moves to the next window after reading */
	INSN_RESTORE = 1 << 10, /* moves to the previous window after reading */
	INSN_IMM = 1 << 11,     /* operand 2 is `imm` */
	INSN_FLUSHW = 1 << 12,
	INSN_PREFETCH = 1 << 13, /* an address but no data */
	INSN_TRAP = 1 << 14,     /* Tcc: system call and the like */
	INSN_PRIV = 1 << 15,     /* privileged: decodes and prints, traps when executed */
	INSN_SIMD = 1 << 16,     /* acts on all PEs, on their FP registers */
	INSN_CROSS = 1 << 17,    /* reads the partner PE's operands too */
	INSN_MODE = 1 << 18,     /* changes the SIMD mode bit for the following instructions */
	INSN_TRANSFER = 1 << 19, /* starts a transfer between memory and SBM */
};

enum { INSN_MAX_SRC = 5, INSN_MAX_DST = 3 };

/*
 * A decoded instruction. Immutable once decoded; it holds no pointers, so it can be copied,
 * stored and compared.
 */
struct insn {
	uint32_t word;
	uint32_t flags;  /* enum insn_flag */
	uint16_t opcode; /* enum opcode */
	/*
	 * simm13/11/10 sign-extended, shift count, trap number, membar mask, or branch
	 * displacement in bytes. For sethi the low half of the register's new value: convert it
	 * to uint32_t before widening it. 0 if operand 2 is a register.
	 */
	int32_t imm;
	uint8_t class; /* enum insn_class */
	/*
	 * Register numbers, 0 if the instruction has no such field: singles 0..31, doubles and
	 * quads the even numbers 0..62. rd of a prefetch is its function.
	 */
	uint8_t rd, rs1, rs2, rs3;
	uint8_t cond; /* condition or rcond field */
	uint8_t cc;   /* 0..3 fcc0..3, 4 icc, 6 xcc (as opf_cc) */
	/* The ASI; 0 if i=1, which selects the %asi register. For a transfer enum simd_how. */
	uint8_t asi;
	/*
	 * Bytes of a memory access, 0 if it has none (prefetch too). An immediate block ASI
	 * makes it 64, a short FP one 1 or 2. With %asi, whose value is known at execution
	 * only, the size is the opcode's; for lddfa and stdfa it is a guess: 64 if rd can begin
	 * a block (operands.c).
	 */
	uint8_t size;
	uint8_t nsrc, ndst;
	struct reg_ref src[INSN_MAX_SRC], dst[INSN_MAX_DST];
	/*
	 * The sources that form the address of a load or store (bit k: src[k]); the others are
	 * the data of a store. Address generation does not wait for them.
	 */
	uint8_t src_address;
};

/*
 * Number of effective addresses that an execution of the instruction adds to cpu.ea_log and to
 * a trace: one for loads, stores, prefetches, and for instructions that may spill or fill a
 * register window (save, restore, return, flushw); three for a transfer (memory address, window
 * address, descriptor); else none.
 */
static inline unsigned insn_address_count(const struct insn *i)
{
	if (i->flags & INSN_TRANSFER)
		return 3;
	return (i->flags & (INSN_LOAD | INSN_STORE | INSN_PREFETCH | INSN_SAVE | INSN_RESTORE | INSN_FLUSHW)) != 0;
}

static inline bool insn_has_address(const struct insn *i)
{
	return insn_address_count(i) > 0;
}

enum opcode {
	OP_ILLEGAL, /* the word matches no row */
#define I(op, ...) OP_##op,
#include "sparc_v9.def"
#include "simd.def"
#undef I
	OP_COUNT,
	OP_SIMD_FIRST = OP_SIMDON /* first row of simd.def */
};

/* One row of the table, for listings and documentation. */
struct insn_row {
	const char *name;     /* "ADD" */
	const char *mnemonic; /* "add" */
	const char *pattern;
	const char *format, *reads, *writes;
	const char *function; /* x_<function> executes it */
	enum insn_class class;
	uint32_t mask, match; /* from the pattern */
	uint32_t flags;       /* flags that every word of the row has */
};
extern const char *const insn_class_name[CLASS_COUNT];

/* The row of an opcode. Never NULL; OP_ILLEGAL has a row too. */
const struct insn_row *insn_row(enum opcode op);

/*
 * Decodes a word. Every word gives a valid struct: one that matches no row becomes OP_ILLEGAL
 * of class CLASS_ILLEGAL. Thread-safe; allocates nothing.
 */
void insn_decode(uint32_t word, struct insn *out);

/*
 * Decodes a word in the given SIMD mode; insn_decode is this with the bit clear. With the bit
 * set, the words of simd_v9.def get INSN_SIMD and operands from REG_S on instead of REG_F; the
 * other FP and VIS words become OP_ILLEGAL. With the bit clear, the words that require it are
 * OP_ILLEGAL.
 */
void insn_decode_simd(uint32_t word, bool simd, struct insn *out);

/*
 * Disassembles as binutils objdump does ("add  %g1, 8, %o0"), at most size - 1 characters; `pc`
 * resolves branch targets. Returns the length. Registers of the PEs (%s0, %s2 …) and the
 * instructions of simd.def, which objdump does not know, print as in docs/models/simd-isa.md.
 */
size_t insn_print(const struct insn *i, uint64_t pc, char *buffer, size_t size);

/* A register unit's name in assembler syntax: "%o0", "%f4", "%icc" …, "%s4" for a PE's. */
const char *reg_name(unsigned unit);

#endif
