/* The processor of exec_machine.h with a SIMD array; each PE has 4 KiB of buffer memory. */
#ifndef PSIM_TESTS_SIMD_MACHINE_H
#define PSIM_TESTS_SIMD_MACHINE_H

#include "exec_machine.h"
#include "isa/simd_array.h"

enum { SBM = 4096 };

/* Returns a machine as machine_new, with mode off and all registers zero. */
struct machine *simd_machine(unsigned pes);

/* Accesses register %s`n` (even) of a PE. */
void set_pe(struct machine *m, unsigned pe, unsigned n, double v);
double get_pe(const struct machine *m, unsigned pe, unsigned n);

/* Returns the fault of the last instruction if `trap` is TRAP_SIMD; else none. */
enum simd_fault fault_of(const struct machine *m, enum cpu_trap trap);

/* Words: IMPDEP1 with registers by number (even doubles), multiply-add, transfers. */
enum { SIMDON = 0x1a0, SIMDOFF, RDSIMD, PEID, PEGETD, PEPUTD, PESUMD, PEXD };
uint32_t simd_op(unsigned opf, unsigned rd, unsigned rs1, unsigned rs2); /* fields, as they are */
uint32_t fma_op(unsigned size, unsigned var, unsigned rd, unsigned rs1, unsigned rs2, unsigned rs3);
enum { SXGET = 0x28, SXPUT, SXWAIT };
uint32_t transfer_op(unsigned op3, unsigned rd, unsigned rs1, unsigned rs2, bool deal);
uint32_t wait_op(unsigned count);

#endif
