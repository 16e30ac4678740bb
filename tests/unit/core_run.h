/* Small traces through the core, for its tests. */
#ifndef PSIM_TESTS_CORE_RUN_H
#define PSIM_TESTS_CORE_RUN_H

#include "psim/core/core.h"
#include "trace_maker.h"

/* SPARC instructions as words. */
#define W_NOP 0x01000000u
#define W_ADD(rd, rs1, imm) (0x80002000u | (unsigned)(rd) << 25 | (unsigned)(rs1) << 14 | (imm))
#define W_SUBCC(rs1, imm) (0x80a02000u | (unsigned)(rs1) << 14 | (imm))
#define W_MULX(rd, rs1, rs2) (0x80480000u | (unsigned)(rd) << 25 | (unsigned)(rs1) << 14 | (rs2))
#define W_SDIVX(rd, rs1, rs2) (0x81680000u | (unsigned)(rd) << 25 | (unsigned)(rs1) << 14 | (rs2))
#define W_FP(rd, rs1, rs2, opf) \
	(0x81a00000u | (unsigned)(rd) << 25 | (unsigned)(rs1) << 14 | (unsigned)(opf) << 5 | (rs2))
#define W_FADDD(rd, rs1, rs2) W_FP(rd, rs1, rs2, 0x42)
#define W_FMULD(rd, rs1, rs2) W_FP(rd, rs1, rs2, 0x4a)
#define W_FDIVD(rd, rs1, rs2) W_FP(rd, rs1, rs2, 0x4e)
#define W_FMADDD(rd, rs1, rs2, rs3) \
	(0x81b80040u | (unsigned)(rd) << 25 | (unsigned)(rs1) << 14 | (unsigned)(rs3) << 9 | (rs2))
#define W_LDX(rd, rs1, imm) (0xc0582000u | (unsigned)(rd) << 25 | (unsigned)(rs1) << 14 | (imm))
#define W_STX(rd, rs1, imm) (0xc0702000u | (unsigned)(rd) << 25 | (unsigned)(rs1) << 14 | (imm))
#define W_LDUW(rd, rs1, imm) (0xc0002000u | (unsigned)(rd) << 25 | (unsigned)(rs1) << 14 | (imm))
/* Branch by a number of words; not annulling. */
#define W_BNE(words) (0x12800000u | ((unsigned)(words) & 0x3fffff))
#define W_BA(words) (0x10800000u | ((unsigned)(words) & 0x3fffff))

/*
 * Runs the trace on the default machine with all caches and TLBs perfect, and
 * with `overrides` ("core.rob_entries=8", …; ends with NULL; NULL is allowed) on top.
 * Verifies every cycle. `every_cycle`: nothing is skipped. Copies the counters;
 * a failure ends the test program.
 */
void core_run_trace(struct trace_maker *m, const char *const *overrides, bool every_cycle,
                    struct core_stats *out);

/* Cycles of `times` repetitions of `words`, as straight code. */
uint64_t core_cycles_straight(const uint32_t *words, unsigned count, unsigned times,
                              const uint64_t *ea, const char *const *overrides);

/* Cycles that each of 1000 more repetitions costs: start and end cancel. */
double core_cycles_each(const uint32_t *words, unsigned count, const uint64_t *ea,
                        const char *const *overrides);

#endif
