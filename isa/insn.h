/*
 * Instructions: the table, the decoder and what a decoded instruction tells.
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
 * (simd.h, docs/simd-isa.md).
 */
#ifndef PSIM_ISA_INSN_H
#define PSIM_ISA_INSN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Execution classes: what a processor model needs to know (class.def: name, doc). */
enum insn_class {
#define C(name, doc) CLASS_##name,
#include "class.def"
#undef C
	CLASS_COUNT
};

/*
 * Register units, the names that dependences are told in. Integer registers
 * are those of the current window; an FP register is counted in halves
 * (32 bits): single %fN is unit REG_F + N, double %f2n the two units from
 * REG_F + 2n, quad four, a block of eight doubles sixteen. The registers that
 * the PEs have of their own (SFPR) are counted so too, from REG_S on: one unit
 * stands for that half in every PE. %g0 never appears.
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
	INSN_SYNC = 1 << 8,     /* waits for all older ones and runs alone */
	INSN_SAVE = 1 << 9,     /* moves to the next window after reading */
	INSN_RESTORE = 1 << 10, /* moves to the previous window after reading */
	INSN_IMM = 1 << 11,     /* operand 2 is `imm` */
	INSN_FLUSHW = 1 << 12,
	INSN_PREFETCH = 1 << 13, /* an address but no data */
	INSN_TRAP = 1 << 14,     /* Tcc: system call and the like */
	INSN_PRIV = 1 << 15,     /* privileged: decodes and prints, traps when run */
	INSN_SIMD = 1 << 16,     /* acts on all PEs; its FP registers are theirs */
	INSN_CROSS = 1 << 17,    /* needs the partner PE's operands too */
	INSN_MODE = 1 << 18,     /* changes the SIMD mode bit for what follows */
	INSN_TRANSFER = 1 << 19, /* starts a transfer between memory and SBM */
};

enum { INSN_MAX_SRC = 5, INSN_MAX_DST = 3 };

/*
 * A decoded instruction. Immutable once made; holds no pointers, so it can be
 * copied, stored and compared.
 */
struct insn {
	uint32_t word;
	uint32_t flags;  /* enum insn_flag */
	uint16_t opcode; /* enum opcode */
	/*
	 * simm13/11/10 extended, shift count, trap number, membar mask, branch
	 * displacement in bytes. Of sethi the low half of the register's new value:
	 * convert to uint32_t before widening it. 0 where operand 2 is a register.
	 */
	int32_t imm;
	uint8_t class; /* enum insn_class */
	/*
	 * Register numbers, 0 where the instruction has no such field; singles
	 * 0..31, doubles and quads 0..62 and even. rd of a prefetch is its function.
	 */
	uint8_t rd, rs1, rs2, rs3;
	uint8_t cond; /* condition or rcond field */
	uint8_t cc;   /* 0..3 fcc0..3, 4 icc, 6 xcc (as opf_cc) */
	/* The ASI; 0 where i=1: then the %asi register counts. Of a transfer enum simd_how. */
	uint8_t asi;
	/*
	 * Bytes of a memory access, 0 where there is none (prefetch too). With an
	 * immediate block ASI 64, with a short FP one 1 or 2. With %asi, whose value
	 * only execution knows, what the opcode says, and a guess for lddfa and
	 * stdfa: 64 if rd can begin a block (operands.c).
	 */
	uint8_t size;
	uint8_t nsrc, ndst;
	struct reg_ref src[INSN_MAX_SRC], dst[INSN_MAX_DST];
	/*
	 * Which of src[] form the address of a load or store (bit k: src[k]); the
	 * others are the data of a store. An AGU can go ahead without the data.
	 */
	uint8_t src_address;
};

/*
 * Effective addresses that an execution of the instruction has, in cpu.ea_log
 * and in a trace: one of loads, stores, prefetches, and of whatever may spill or
 * fill a register window (save, restore, return, flushw); three of a transfer:
 * memory address, window address, descriptor. No other has any.
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
	OP_ILLEGAL, /* no row matches */
#define I(op, ...) OP_##op,
#include "sparc_v9.def"
#include "simd.def"
#undef I
	OP_COUNT,
	OP_SIMD_FIRST = OP_SIMDON /* from here on rows of simd.def */
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
	uint32_t flags;       /* those that every word of the row has */
};
extern const char *const insn_class_name[CLASS_COUNT];

/* Row of an opcode (OP_ILLEGAL gives a row too). Never NULL for a valid opcode. */
const struct insn_row *insn_row(enum opcode op);

/*
 * Decodes a word. Any word gives a valid struct: one that matches no row
 * becomes OP_ILLEGAL of class CLASS_ILLEGAL. Thread-safe, allocates nothing.
 */
void insn_decode(uint32_t word, struct insn *out);

/*
 * The same with the SIMD mode bit as told; insn_decode is that with the bit
 * clear. With the bit set the words of simd_v9.def get INSN_SIMD, and operands
 * from REG_S on where they were from REG_F on; the other FP and VIS words become
 * OP_ILLEGAL. With the bit clear those that need it are OP_ILLEGAL.
 */
void insn_decode_simd(uint32_t word, bool simd, struct insn *out);

/*
 * Disassembles as binutils objdump does ("add  %g1, 8, %o0"), at most
 * size - 1 characters; `pc` resolves branch targets. Registers of the PEs print
 * as %s0, %s2 …, and the instructions of simd.def as docs/simd-isa.md writes
 * them, both of which objdump does not know. Returns the length.
 */
size_t insn_print(const struct insn *i, uint64_t pc, char *buffer, size_t size);

/* Register unit's name as a programmer writes it ("%o0", "%f4", "%icc"…); of a PE's "%s4". */
const char *reg_name(unsigned unit);

#endif
