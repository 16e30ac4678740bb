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
 */
#ifndef PSIM_ISA_CPU_H
#define PSIM_ISA_CPU_H

#include "insn.h"

enum { CPU_WINDOWS = 8, CPU_PAGE_BITS = 13, CPU_TLB_SIZE = 512 };

/* What an instruction can end with. The numbers are V9's trap types where there is one. */
enum cpu_trap {
	TRAP_NONE = 0,
	TRAP_ACCESS = 0x30,        /* data access to nothing: fault_address tells where */
	TRAP_ILLEGAL = 0x10,
	TRAP_PRIVILEGED = 0x11,
	TRAP_UNIMPLEMENTED_FP = 0x22, /* fp_exception_other */
	TRAP_FP_IEEE = 0x21,       /* an exception enabled in FSR.TEM */
	TRAP_TAG_OVERFLOW = 0x23,
	TRAP_DIVISION_BY_ZERO = 0x28,
	TRAP_ALIGNMENT = 0x34,
	TRAP_SOFTWARE = 0x100,     /* + trap number: Tcc taken; 0x16d is the Linux system call */
};

enum cpu_access { CPU_READ, CPU_WRITE };

struct cpu;
struct cpu_memory {
	/*
	 * Host address of the guest page that holds `address` (page = 2^CPU_PAGE_BITS
	 * bytes), or NULL if it may not be accessed so. Called on a TLB miss only.
	 */
	uint8_t *(*page)(struct cpu_memory *m, uint64_t address, enum cpu_access access);
};

struct cpu_tlb_entry {
	uint64_t read_page, write_page; /* address >> CPU_PAGE_BITS, or ~0 */
	uint8_t *host;
};

struct cpu {
	/* current window: r[0..7] globals, r[8..15] outs, r[16..23] locals, r[24..31] ins; r[0] stays 0 */
	uint64_t r[32];
	uint64_t pc, npc;
	uint8_t ccr;               /* xcc[7:4] icc[3:0], each N Z V C */
	uint8_t asi, fprs;
	bool annul_next;           /* the instruction at npc is not executed */
	bool fma_fused;            /* FMADD and the like with one rounding; SPARC64 V: false */
	uint32_t y;
	uint64_t gsr;
	uint64_t fsr;              /* as STXFSR would store it once cpu_fsr() has brought it up to date */
	uint64_t d[32];            /* FP: d[n] is %f(2n); single %f(2n) its high half, %f(2n+1) its low half */

	/* windows: locals and ins of those that are not current */
	uint64_t window[CPU_WINDOWS][16];
	unsigned cwp, cansave, canrestore;

	/* every memory access logs its address here; the caller resets the pointer */
	uint64_t *ea_log;
	uint64_t fault_address;    /* set with TRAP_ACCESS and TRAP_ALIGNMENT */

	struct cpu_memory *memory;
	struct cpu_tlb_entry tlb[CPU_TLB_SIZE];
};

/* Sets the reset state (all zero, CANSAVE = 6, round to nearest) and the memory. */
void cpu_init(struct cpu *c, struct cpu_memory *memory);

/* Forgets all translations (after munmap, mprotect and the like). */
void cpu_flush_tlb(struct cpu *c);

/*
 * Semantics of one instruction. Reads and writes the state; for control
 * transfers sets pc/npc/annul_next; for all others the caller advances pc and
 * npc. Returns TRAP_NONE or a trap, in which case no register, memory or FSR
 * value has changed, except as V9 says for the trap (and the window spilled or
 * filled by SAVE, RESTORE, RETURN, FLUSHW).
 *
 * A memory access appends its effective address to ea_log: exactly one entry
 * for every instruction with INSN_LOAD, INSN_STORE or INSN_PREFETCH; and for
 * SAVE, RESTORE, RETURN and FLUSHW exactly one too: the address of the save
 * area that was written or read, 0 if none was (FLUSHW: the last one written).
 */
typedef enum cpu_trap insn_fn(struct cpu *c, const struct insn *i);
extern insn_fn *const insn_execute[OP_COUNT];

/* The FSR with accrued and current exceptions brought up to date. */
uint64_t cpu_fsr(struct cpu *c);

/* Executes one instruction at pc, fetch and decode included: slow, for tests and stepping. */
enum cpu_trap cpu_step(struct cpu *c);

#endif
