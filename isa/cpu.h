/*
 * Architectural state of one SPARC-V9 user-level processor, and execution.
 *
 * Who owns what: the caller owns `struct cpu` and the memory behind it; the
 * semantic functions change only the state and, through `struct cpu_memory`,
 * guest memory. Nothing here allocates.
 *
 * Guest memory is big-endian and is reached through a small direct-mapped
 * table of page translations (a software TLB), filled by `memory->page`, so
 * that a load costs a compare and a swap.
 *
 * An interpreter loop
 * -------------------
 * pc and npc are V9's: the instruction to execute and the one after it. The
 * semantic functions come in two sorts:
 *
 * - Control transfers (INSN_CTI) read pc and npc, which must be right, and set
 *   pc, npc and annulled for what comes next. If annulled is false, pc is
 *   then the delay slot (the former npc) and npc is where control goes after
 *   it. If annulled is true, the delay slot is not executed: pc and npc are
 *   already those of the first instruction behind it, at the branch's target
 *   or below the slot.
 * - All others leave pc and npc alone: the caller moves on with pc = npc,
 *   npc += 4. Of them only RDPC reads pc; a loop over decoded blocks can leave
 *   both stale except before it and control transfers, and put them right when
 *   an instruction traps.
 *
 * So one at a time: fetch and decode at pc; trap = insn_execute[opcode](c, &i);
 * if there was no trap and it was no CTI, pc = npc, npc += 4. A block that
 * begins at pc with npc = pc + 4: execute the instructions before the CTI; set
 * pc to the CTI's address and npc to pc + 4; execute the CTI; unless annulled,
 * execute the slot (which may be a CTI itself: then pc and npc are its result;
 * else pc = npc, npc += 4). If npc is not pc + 4 at a block's start, because a
 * CTI sat in the slot of another, step one instruction first.
 *
 * After a trap the state is that before the instruction, so pc and npc must be
 * (or be made) those of the instruction that trapped; the system that a trap
 * goes to decides to retry or to go on behind it (pc = npc, npc += 4, as Linux
 * does for its system call). A trapped instruction has logged no address.
 *
 * With a SIMD array (cpu.array) instructions are decoded in the mode that they run
 * in, cpu.simd, which INSN_MODE instructions change for the next one; the function
 * that executes one is then insn_function's.
 *
 * All of it happens between cpu_fp_enter and cpu_fp_leave, which lend the
 * host's FP rounding mode and exception flags to the guest. Host code that
 * computes in floating point for itself stays outside of the pair.
 */
#ifndef PSIM_ISA_CPU_H
#define PSIM_ISA_CPU_H

#include <fenv.h>

#include "insn.h"

enum { CPU_WINDOWS = 8, CPU_PAGE_BITS = 13, CPU_TLB_SIZE = 512 };

/* What an instruction can end with. The numbers are V9's trap types where there is one. */
enum cpu_trap {
	TRAP_NONE = 0,
	TRAP_ILLEGAL = 0x10,
	TRAP_PRIVILEGED = 0x11,
	TRAP_FP_IEEE = 0x21, /* an exception enabled in FSR.TEM; FSR.cexc tells which */
	TRAP_TAG_OVERFLOW = 0x23,
	TRAP_DIVISION_BY_ZERO = 0x28,
	TRAP_ACCESS = 0x30, /* data access to nothing, or by an ASI that does not fit */
	TRAP_ALIGNMENT = 0x34,
	TRAP_PRIVILEGED_ACTION = 0x37, /* an ASI below 0x80 */
	TRAP_SIMD = 0x60,              /* the SIMD extension misused; cpu.array->fault tells how */
	TRAP_SOFTWARE = 0x100,         /* + trap number: Tcc taken; 0x16d is the Linux system call */
};

enum cpu_access { CPU_READ, CPU_WRITE };

struct cpu;
struct simd_array;
struct cpu_memory {
	/*
	 * Host address of the guest page that holds `address` (page = 2^CPU_PAGE_BITS
	 * bytes), or NULL if it may not be accessed so. Called on a TLB miss only.
	 * What it returns holds until cpu_flush_tlb. Where a page may be read and
	 * written, both have the same host address, except that a write may move
	 * the page (copy on write): then the new address counts for both.
	 */
	uint8_t *(*page)(struct cpu_memory *m, uint64_t address, enum cpu_access access);
};

struct cpu_tlb_entry {
	uint64_t read_page, write_page; /* address >> CPU_PAGE_BITS, or ~0 */
	uint8_t *host;
};

struct cpu {
	/* [0..7] globals, then outs, locals and ins of the current window; r[0] stays 0 */
	uint64_t r[32];
	uint64_t pc, npc;
	uint8_t ccr; /* xcc[7:4] icc[3:0], each N Z V C */
	uint8_t asi, fprs;
	bool annulled;  /* set by every CTI: its delay slot is not executed */
	bool fma_fused; /* FMADD and the like with one rounding; SPARC64 V: false */
	bool simd;      /* the mode bit, which decodes what follows: insn_decode_simd */
	uint32_t y;
	uint64_t gsr;
	uint64_t tick;  /* what RD %tick reads; the caller advances it as it likes */
	uint64_t fsr;   /* as STXFSR stores it, once cpu_fsr() has been called */
	uint64_t d[32]; /* %f(2n); single %f(2n) is its high half, %f(2n+1) its low */

	/*
	 * The last FP operation, where its current exceptions are not in FSR.cexc
	 * yet: they are worked out when somebody asks. OP_ILLEGAL: they are.
	 */
	uint16_t fp_pending; /* enum opcode */
	bool fp_entered;     /* between cpu_fp_enter and cpu_fp_leave */
	uint64_t fp_operand[3];

	/* windows: locals [0..7] and ins [8..15] of those that are not current */
	uint64_t window[CPU_WINDOWS][16];
	unsigned cwp, cansave, canrestore;

	/*
	 * Every memory access logs its address here. The caller sets it before the
	 * first instruction, sees to it that there is room, and resets it.
	 */
	uint64_t *ea_log;
	uint64_t fault_address; /* set with TRAP_ACCESS, _ALIGNMENT, _PRIVILEGED_ACTION */

	struct simd_array *array; /* simd_array.h; NULL: a processor without */
	struct cpu_memory *memory;
	struct cpu_tlb_entry tlb[CPU_TLB_SIZE];
};

/* Sets the reset state (all zero, CANSAVE = 6, FPRS.FEF, round to nearest) and the memory. */
void cpu_init(struct cpu *c, struct cpu_memory *memory);

/* Forgets all translations (after munmap, mprotect and the like). */
void cpu_flush_tlb(struct cpu *c);

/*
 * Semantics of one instruction. Reads and writes the state; pc and npc as
 * told at the top. Returns TRAP_NONE or a trap, in which case no register,
 * memory or FSR value has changed, except as V9 says for the trap (FSR.cexc and
 * ftt; the windows that SAVE, RESTORE, RETURN, FLUSHW spilled or filled; the
 * registers of a block load and the words of a block store before the fault).
 *
 * FPRS.FEF = 0 disables nothing, since Linux would set it and go on: an FP
 * write sets it, together with the dirty bit.
 *
 * A memory access appends its effective address to ea_log: exactly one entry
 * for every instruction with INSN_LOAD, INSN_STORE or INSN_PREFETCH; and for
 * SAVE, RESTORE, RETURN and FLUSHW exactly one too: the address of the save
 * area that was written or read, 0 if none was (FLUSHW: the last one written).
 * A transfer appends three: memory address, window address, descriptor.
 *
 * What acts on the array rounds as FSR.RD says, never traps (FSR.TEM does not
 * count), accrues the exceptions of all PEs in FSR.aexc and leaves cexc, ftt
 * and FPRS alone.
 */
typedef enum cpu_trap insn_fn(struct cpu *c, const struct insn *i);
extern insn_fn *const insn_execute[OP_COUNT];       /* the scalar form, rows of simd.def too */
extern insn_fn *const insn_execute_array[OP_COUNT]; /* simd_v9.def, with the mode bit set */

/* The one that executes `i`, which was decoded in the mode that it runs in. */
static inline insn_fn *insn_function(const struct insn *i)
{
	bool both = i->flags & INSN_SIMD && i->opcode < OP_SIMD_FIRST;

	return (both ? insn_execute_array : insn_execute)[i->opcode];
}

/*
 * Lends the host's FP environment to the guest: keeps the host's in `host`,
 * sets the guest's rounding mode, clears the exception flags. cpu_fp_leave
 * takes the flags over into FSR.aexc and puts the host's environment back.
 */
void cpu_fp_enter(struct cpu *c, fenv_t *host);
void cpu_fp_leave(struct cpu *c, const fenv_t *host);

/* Brings FSR (accrued and current exceptions) up to date in c->fsr and returns it. */
uint64_t cpu_fsr(struct cpu *c);

/*
 * Writes FSR as LDXFSR does: rounding mode, TEM, NS, fcc0..3, aexc, cexc; the
 * other fields stay. NS is kept and has no effect: arithmetic is always IEEE's.
 */
void cpu_set_fsr(struct cpu *c, uint64_t value);

/*
 * Spills every window but the current one, as FLUSHW and Linux's `ta 3` do.
 * TRAP_ACCESS or TRAP_ALIGNMENT if a save area is not there. *last, if not
 * NULL, becomes the address of the last save area written, 0 if there was none.
 */
enum cpu_trap cpu_flush_windows(struct cpu *c, uint64_t *last);

/*
 * Executes one instruction at pc, fetch and decode included, and moves on to
 * the next: slow, for tests and stepping. Enters the FP environment if the
 * caller has not. TRAP_ACCESS also where there is nothing to fetch at pc.
 */
enum cpu_trap cpu_step(struct cpu *c);

#endif
