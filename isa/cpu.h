/*
 * Architectural state of one SPARC-V9 user-level processor, and execution.
 *
 * The caller owns `struct cpu` and the memory behind it. The semantic functions change only
 * this state and, through `struct cpu_memory`, guest memory. No function allocates.
 *
 * Guest memory is big-endian. A small direct-mapped table caches page translations (a software
 * TLB); `memory->page` fills it, so that a load costs a compare and a swap.
 *
 * An interpreter loop
 * ------------------
 * pc and npc are V9's: the instruction to execute and the one after it. There are two kinds of
 * semantic functions:
 *
 * - Control transfers (INSN_CTI) read pc and npc, which must be valid, and set pc, npc and
 *   annulled. If annulled is false, pc is the delay slot (the former npc) and npc is the
 *   target. If annulled is true, the delay slot is skipped: pc and npc are those of the first
 *   instruction after it, at the branch target or below the slot.
 * - All others leave pc and npc alone; the caller sets pc = npc, npc += 4. Only RDPC among them
 *   reads pc. A loop over decoded blocks can leave both stale except before RDPC and before
 *   control transfers, and restore them when an instruction traps.
 *
 * To step one instruction: fetch and decode at pc; trap = insn_execute[opcode](c, &i); without
 * a trap, unless it was a CTI, pc = npc, npc += 4. To run a block that begins at pc with npc =
 * pc + 4: execute the instructions before the CTI; set pc to the CTI's address and npc to pc +
 * 4; execute the CTI; unless annulled, execute the slot. If the slot is a CTI too, pc and npc
 * are its result, else pc = npc, npc += 4. If npc is not pc + 4 at the start of a block,
 * because a CTI was in the delay slot of another, step one instruction first.
 *
 * After a trap the state is that before the instruction, so the caller must set pc and npc to
 * those of the instruction that trapped. The trap handler decides whether to retry or to
 * continue after it (pc = npc, npc += 4, as Linux does for a system call). A trapped
 * instruction logs no address.
 *
 * With a SIMD array (cpu.array) an instruction is decoded in the mode in which it runs,
 * cpu.simd. INSN_MODE instructions change the mode for the next one. insn_function then selects
 * the function.
 *
 * Instructions execute between cpu_fp_enter and cpu_fp_leave, which lend the host's FP rounding
 * mode and exception flags to the guest. Host code must not compute in floating point between
 * the two.
 */
#ifndef PSIM_ISA_CPU_H
#define PSIM_ISA_CPU_H

#include <fenv.h>

#include "insn.h"

enum { CPU_WINDOWS = 8, CPU_PAGE_BITS = 13, CPU_TLB_SIZE = 512 };

/* Outcome of an instruction. The numbers are V9's trap types, where V9 defines one. */
enum cpu_trap {
	TRAP_NONE = 0,
	TRAP_ILLEGAL = 0x10,
	TRAP_PRIVILEGED = 0x11,
	TRAP_FP_IEEE = 0x21, /* an exception enabled in FSR.TEM; FSR.cexc says which */
	TRAP_TAG_OVERFLOW = 0x23,
	TRAP_DIVISION_BY_ZERO = 0x28,
	TRAP_ACCESS = 0x30, /* unmapped data address, or an ASI that does not fit the access */
	TRAP_ALIGNMENT = 0x34,
	TRAP_PRIVILEGED_ACTION = 0x37, /* an ASI below 0x80 */
	TRAP_SIMD = 0x60,              /* misuse of the SIMD extension; cpu.array->fault says which */
	TRAP_SOFTWARE = 0x100,         /* + trap number: Tcc taken; 0x16d is the Linux system call */
};

enum cpu_access { CPU_READ, CPU_WRITE };

struct cpu;
struct simd_array;
struct cpu_memory {
	/*
	 * Returns the host address of the guest page that holds `address` (page =
	 * 2^CPU_PAGE_BITS bytes), or NULL if this kind of access is not allowed. Called on a
	 * TLB miss only. The result is valid until cpu_flush_tlb. A page that may be read and
	 * written has one host address for both, but a write may move the page (copy on write);
	 * the new address then holds for both.
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
	uint8_t ccr; /* xcc[7:4] icc[3:0], N Z V C each */
	uint8_t asi, fprs;
	bool annulled;  /* set by every CTI: its delay slot is not executed */
	bool fma_fused; /* FMADD and the like with one rounding; SPARC64 V: false */
	bool simd;      /* the mode bit, which insn_decode_simd takes */
	uint32_t y;
	uint64_t gsr;
	uint64_t tick;  /* value of RD %tick; the caller advances it */
	uint64_t fsr;   /* in the format of STXFSR; current after cpu_fsr() */
	uint64_t d[32]; /* %f(2n); single %f(2n) is its high half, %f(2n+1) its low */

	/*
	 * The last FP operation whose current exceptions are not in FSR.cexc yet; they are
	 * computed on demand. OP_ILLEGAL if none is pending.
	 */
	uint16_t fp_pending; /* enum opcode */
	bool fp_entered;     /* between cpu_fp_enter and cpu_fp_leave */
	uint64_t fp_operand[3];

	/* locals [0..7] and ins [8..15] of the windows that are not current */
	uint64_t window[CPU_WINDOWS][16];
	unsigned cwp, cansave, canrestore;

	/*
	 * Every memory access logs its address here. The caller sets the pointer before the
	 * first instruction, provides room, and resets it.
	 */
	uint64_t *ea_log;
	uint64_t atomic_address, atomic_old; /* of the last CAS, SWAP or LDSTUB: where, and the value before it */
	uint64_t fault_address;              /* set with TRAP_ACCESS, _ALIGNMENT, _PRIVILEGED_ACTION */

	struct simd_array *array; /* simd_array.h; NULL for a processor without an array */
	struct cpu_memory *memory;
	struct cpu_tlb_entry tlb[CPU_TLB_SIZE];
};

/* Sets the reset state (all zero, CANSAVE = 6, FPRS.FEF, round to nearest) and the memory. */
void cpu_init(struct cpu *c, struct cpu_memory *memory);

/* Drops all translations (after munmap, mprotect and the like). */
void cpu_flush_tlb(struct cpu *c);

/*
 * Executes one instruction. Reads and writes the state; the top of this file describes pc and
 * npc. Returns TRAP_NONE or a trap. After a trap no register, memory or FSR value has changed,
 * except where V9 specifies it (FSR.cexc and ftt; the windows that SAVE, RESTORE, RETURN,
 * FLUSHW spilled or filled; the registers of a block load and the words of a block store before
 * the fault).
 *
 * FPRS.FEF = 0 disables nothing, since Linux would set it and retry: an FP write sets it,
 * together with the dirty bit.
 *
 * A memory access appends its effective address to ea_log: exactly one entry for an instruction
 * with INSN_LOAD, INSN_STORE or INSN_PREFETCH. SAVE, RESTORE, RETURN and FLUSHW append exactly
 * one too: the address of the save area written or read, 0 if none (FLUSHW: the last one
 * written). A transfer appends three: memory address, window address, descriptor.
 *
 * An instruction on the array rounds as FSR.RD says, never traps (FSR.TEM has no effect),
 * accrues the exceptions of all PEs in FSR.aexc, and leaves cexc, ftt and FPRS alone.
 */
typedef enum cpu_trap insn_fn(struct cpu *c, const struct insn *i);
extern insn_fn *const insn_execute[OP_COUNT];       /* the scalar form, rows of simd.def too */
extern insn_fn *const insn_execute_array[OP_COUNT]; /* simd_v9.def, with the mode bit set */

/* The function that executes `i`, which was decoded in the mode in which it runs. */
static inline insn_fn *insn_function(const struct insn *i)
{
	bool both = i->flags & INSN_SIMD && i->opcode < OP_SIMD_FIRST;

	return (both ? insn_execute_array : insn_execute)[i->opcode];
}

/*
 * Lends the host's FP environment to the guest: saves the host's in `host`, sets the guest's
 * rounding mode, clears the exception flags. cpu_fp_leave accrues the flags into FSR.aexc and
 * restores the host's environment.
 */
void cpu_fp_enter(struct cpu *c, fenv_t *host);
void cpu_fp_leave(struct cpu *c, const fenv_t *host);

/* Updates FSR (accrued and current exceptions) in c->fsr and returns it. */
uint64_t cpu_fsr(struct cpu *c);

/*
 * Writes FSR as LDXFSR does: rounding mode, TEM, NS, fcc0..3, aexc, cexc; the other fields keep
 * their values. NS is stored without effect: arithmetic always follows IEEE 754.
 */
void cpu_set_fsr(struct cpu *c, uint64_t value);

/*
 * Spills every window but the current one, as FLUSHW and Linux's `ta 3` do. Returns TRAP_ACCESS
 * or TRAP_ALIGNMENT if a save area is not accessible. *last, if not NULL, becomes the address
 * of the last save area written, 0 if none was.
 */
enum cpu_trap cpu_flush_windows(struct cpu *c, uint64_t *last);

#endif
