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
#define W_PREFETCH(rs1, imm) (0xc1682000u | (unsigned)(rs1) << 14 | (imm))
#define W_LDUW(rd, rs1, imm) (0xc0002000u | (unsigned)(rd) << 25 | (unsigned)(rs1) << 14 | (imm))
#define W_LDDF(rd, rs1, imm) (0xc1182000u | (unsigned)(rd) << 25 | (unsigned)(rs1) << 14 | (imm))
#define W_STDF(rd, rs1, imm) (0xc1382000u | (unsigned)(rd) << 25 | (unsigned)(rs1) << 14 | (imm))
#define W_FNEGD(rd, rs2) W_FP(rd, 0, rs2, 0x06)
/* The SIMD extension (isa/simd.def). */
#define W_SIMD(rd, rs1, rs2, opf) \
	(0x81b00000u | (unsigned)(rd) << 25 | (unsigned)(rs1) << 14 | (unsigned)(opf) << 5 | (rs2))
#define W_SIMDON W_SIMD(0, 0, 0, 0x1a0)
#define W_SIMDOFF W_SIMD(0, 0, 0, 0x1a1)
#define W_PEGETD(rd, rs1, rs2) W_SIMD(rd, rs1, rs2, 0x1a4)
#define W_PEPUTD(rd, rs1, rs2) W_SIMD(rd, rs1, rs2, 0x1a5)
#define W_PESUMD(rd, rs2) W_SIMD(rd, 0, rs2, 0x1a6)
#define W_PEXD(rd, rs2) W_SIMD(rd, 0, rs2, 0x1a7)
#define W_FXMADDD(rd, rs1, rs2, rs3) \
	(0x81b80060u | (unsigned)(rd) << 25 | (unsigned)(rs1) << 14 | (unsigned)(rs3) << 9 | (rs2))
/* memory in r[rs1], window in r[rs2], descriptor in r[rd]; how: 0 one, 1 deal */
#define W_SXGET(rd, rs1, rs2, how) \
	(0xc1400000u | (unsigned)(rd) << 25 | (unsigned)(rs1) << 14 | (unsigned)(how) << 5 | (rs2))
#define W_SXPUT(rd, rs1, rs2, how) \
	(0xc1480000u | (unsigned)(rd) << 25 | (unsigned)(rs1) << 14 | (unsigned)(how) << 5 | (rs2))
#define W_SXWAIT(most) (0xc1502000u | (most))
/* Branch by a number of words, without annulment. */
#define W_BNE(words) (0x12800000u | ((unsigned)(words)&0x3fffff))
#define W_BA(words) (0x10800000u | ((unsigned)(words)&0x3fffff))

/*
 * Runs the trace on the default machine with all caches and TLBs perfect, and
 * with `overrides` ("core.rob_entries=8", …; ends with NULL; NULL is allowed) on top.
 * Verifies every cycle. `every_cycle`: nothing is skipped. Copies the counters;
 * a failure ends the test program.
 */
void core_run_trace(struct trace_maker *m, const char *const *overrides, bool every_cycle, struct core_stats *out);

/* Returns the cycles of `times` repetitions of `words`, as straight-line code. */
uint64_t core_cycles_straight(const uint32_t *words, unsigned count, unsigned times, const uint64_t *ea,
			      const char *const *overrides);

/* Returns the cycles of one repetition, from 1000 additional ones: start and end cancel. */
double core_cycles_each(const uint32_t *words, unsigned count, const uint64_t *ea, const char *const *overrides);

/* Number of PEs of core_array_* without another number. */
enum { ARRAY_PES = 16 };

/*
 * As core_cycles_each, with the SIMD mode bit set at first, on a machine and in a
 * trace of `pes` PEs with 64 KiB each. `ea` has insn_address_count addresses for
 * each word, NULL: all SIMD_ALL_BASE. Runs everything cycle by cycle too, and ends the
 * test program if a counter differs.
 */
double core_array_each(const uint32_t *words, unsigned count, unsigned pes, const uint64_t *ea,
		       const char *const *overrides);
/* Returns the counters of `times` repetitions. */
void core_array_run(const uint32_t *words, unsigned count, unsigned times, unsigned pes, const uint64_t *ea,
		    const char *const *overrides, struct core_stats *out);

#endif
