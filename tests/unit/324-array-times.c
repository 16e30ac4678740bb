/*
 * In which cycle an instruction of the array is in which stage, worked out from
 * docs/models/simd-array.md. Four at a time reach D in cycle 6, see 320-pipeline-times.
 */
#include <stdlib.h>
#include <string.h>

#include "isa/simd.h"
#include "kanata_check.h"
#include "tap.h"
#include "pipe_trace_run.h"

static struct kanata_log log_read;
static char *text; /* the log */

static void run(const uint32_t *words, unsigned count, const uint64_t *ea, const char *override)
{
	static const char *const args[] = {"test"};
	const struct trace_info info = {
		.program = "test",
		.args = args,
		.arg_count = 1,
		.recorder = "test",
		.pes = 16,
		.sbm_bytes = SIMD_SBM,
	};
	const char *const overrides[] = {"simd.pes=16", override, NULL};
	struct trace_maker m;

	trace_maker_start(&m, &info);
	m.simd = true;
	trace_maker_straight(&m, 0x10000, words, count, ea);
	free(text);
	text = pipe_trace_run(&m, overrides, PIPE_TRACE_KANATA, NULL, NULL);
	trace_maker_finish(&m);
	kanata_check(text, &log_read);
	CHECK_STR(log_read.error, "");
	REQUIRE(log_read.count == count);
}

/* The instruction's stages from D on, in order, each with its first cycle. */
static void check(unsigned insn, const char *expected)
{
	const struct kanata_insn *i = &log_read.insn[insn];
	char have[400] = "";

	for (unsigned n = 0; n < i->stage_count; n++)
		if (i->stage[n].lane == 0 && i->stage[n].from >= 6)
			sprintf(have + strlen(have), "%s %u ", i->stage[n].name, (unsigned)i->stage[n].from);
	CHECK_STR(have, expected);
}

static void arithmetic(void)
{
	const uint32_t words[] = {W_FADDD(2, 0, 0), W_FADDD(4, 2, 0)};

	run(words, 2, NULL, NULL);
	check(0, "D 6 C 7 P 8 B 9 X 10 U 14 W1 15 W 16 ");
	/* the X of the second follows in 14; U 18, W1 19 */
	check(1, "D 6 C 7 RS 8 P 12 B 13 X 14 U 18 W1 19 W 20 ");
	CHECK(strstr(text, "I\t0\t0\t1\n") != NULL); /* thread 1 */
	run(words, 1, NULL, "simd.c_cycles=3");
	check(0, "D 6 C 7 P 10 B 11 X 12 U 16 W1 17 W 18 ");
	run(words, 1, NULL, "simd.w1_cycles=4");
	check(0, "D 6 C 7 P 8 B 9 X 10 U 14 W1 15 W 19 ");
	run(words, 1, NULL, "simd.w1_cycles=0");
	check(0, "D 6 C 7 P 8 B 9 X 10 U 14 W 15 ");
}

static void between_the_pes_and_the_core(void)
{
	const uint32_t words[] = {W_PEGETD(4, 1, 2), W_PEPUTD(6, 1, 4)};

	/* a move of 2, C back, no W1; its reader could be selected in 11: from there C to the PE */
	run(words, 2, NULL, NULL);
	check(0, "D 6 C 7 P 8 B 9 X 10 C 12 U 13 W 14 ");
	check(1, "D 6 C 7 RS 8 C 11 P 12 B 13 X 14 U 16 W1 17 W 18 ");
}

static void loads_and_stores(void)
{
	static const uint64_t all[] = {SIMD_ALL_BASE}, memory[] = {0x100000}, one[] = {SIMD_PE_BASE(3)};
	const uint32_t load[] = {W_LDDF(2, 1, 0)}, store[] = {W_STDF(2, 1, 0)}, scalar[] = {W_LDX(2, 1, 0)};

	run(load, 1, all, NULL);
	check(0, "D 6 P 7 B 8 X 9 C 10 Pp 11 Bp 12 SBM 13 U 16 W1 17 W 18 ");
	run(load, 1, memory, NULL);
	check(0, "D 6 P 7 B 8 X 9 Ps 10 Ts 11 Ms 12 C 13 Pp 14 Bp 15 Xp 16 U 17 W1 18 W 19 ");
	run(store, 1, all, NULL);
	check(0, "D 6 P 7 B 8 X 9 C 10 Pp 11 Bp 12 Xp 13 U 14 W1 15 W 16 ");
	run(scalar, 1, one, NULL);
	check(0, "D 6 P 7 B 8 X 9 C 10 Pp 11 Bp 12 SBM 13 C 16 U 17 W 18 ");
}

static void what_holds_a_load_up_is_told(void)
{
	static const uint64_t two[] = {SIMD_ALL_BASE, SIMD_ALL_BASE + 8};
	static const uint64_t get[] = {0x100000, SIMD_ALL_BASE, 64 | 1 << 24, SIMD_ALL_BASE};
	const uint32_t loads[] = {W_LDDF(2, 1, 0), W_LDDF(4, 1, 0)};
	const uint32_t transfer[] = {W_SXGET(3, 1, 2, 0), W_LDDF(4, 1, 0)};
	const struct kanata_stage *s;

	/* one port: the second load waits from 11 to 12 */
	run(loads, 2, two, "simd.sbm_ports=1");
	check(1, "D 6 P 7 B 8 X 9 C 10 PEw 11 Pp 12 Bp 13 SBM 14 U 17 W1 18 W 19 ");
	CHECK(kanata_find(&log_read.insn[1], 1, "SBM port", 0) != NULL);
	/* the get commits in 12, its line is requested in 13, at the PEs in 134, written in 137 */
	run(transfer, 2, get, NULL);
	s = kanata_find(&log_read.insn[1], 1, "transfer", 0);
	REQUIRE(s != NULL);
	CHECK_U64(s->from, 11);
	CHECK_U64(s->to, 137);
}

int main(void)
{
	static const struct tap_test tests[] = {
		{"arithmetic", arithmetic},
		{"between the PEs and the core", between_the_pes_and_the_core},
		{"loads and stores", loads_and_stores},
		{"what holds a load up is told", what_holds_a_load_up_is_told},
	};
	int status = tap_main("array-times", tests, TAP_COUNT(tests));

	free(text);
	return status;
}
