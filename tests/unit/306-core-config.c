/* The processor's parameters and the rules between them: psim/machine/core_config.h. */
#include "tap.h"

#include <stdlib.h>
#include <string.h>

#include "psim/machine/core_config.h"

/*
 * Applies overrides ("a=b c=d", at most 8) to the defaults and checks; returns
 * core_config_check's result.
 */
static int check(const char *overrides, struct core_config *v, struct err *e)
{
	struct config *c = config_create();
	char text[512], *rest = text, *one;
	int result;

	REQUIRE(c != NULL);
	core_config_add(c, v);
	strcpy(text, overrides);
	while ((one = strtok_r(rest, " ", &rest)))
		REQUIRE(config_override(c, one, "-p", e) == 0);
	result = core_config_check(c, v, e);
	config_destroy(c);
	return result;
}

static void the_defaults_are_table_1(void)
{
	struct core_config v;
	struct err e;

	REQUIRE(check("", &v, &e) == 0);
	CHECK_F64(v.chip.frequency, 2e9, 0);
	CHECK_U64(v.decode.width, 4);
	CHECK_U64(v.core.int_pipes, 2);
	CHECK_U64(v.core.fp_pipes, 2);
	CHECK_U64(v.core.address_pipes, 2);
	CHECK_U64(v.core.rse_entries, 8);
	CHECK_U64(v.core.rsf_entries, 8);
	CHECK_U64(v.core.rob_entries, 64);
	CHECK_U64(v.l1i.size, 131072);
	CHECK_U64(v.l1i.ways, 2);
	CHECK_U64(v.l1d.size, 131072);
	CHECK_U64(v.l1d.ways, 2);
	CHECK_U64(v.l2.size, 6291456);
	CHECK_U64(v.l2.ways, 12);
	CHECK_U64(core_cycles(&v, &v.memory.latency), 120); /* 60 ns at 2 GHz */
	CHECK_F64(core_bytes_per_cycle(&v, &v.memory.bandwidth), 4, 0);
	CHECK_F64(core_bytes_per_cycle(&v, &v.l2.bandwidth), 32, 0);
	CHECK_F64(v.energy.node_nm, 90, 0);
	CHECK_F64(v.energy.voltage, 1.0, 0);
}

static void memory_keeps_its_time_at_every_clock(void)
{
	struct core_config v;
	struct err e;

	/* 60 ns at 10 GHz, 8 GB/s of it; at 2.1 GHz 126 cycles, at 2.11 126.6, which are 127 */
	REQUIRE(check("chip.frequency=10GHz", &v, &e) == 0);
	CHECK_U64(core_cycles(&v, &v.memory.latency), 600);
	CHECK_F64(core_bytes_per_cycle(&v, &v.memory.bandwidth), 0.8, 1e-12);
	CHECK_F64(core_bytes_per_cycle(&v, &v.l2.bandwidth), 32, 0); /* in cycles: goes with the clock */
	REQUIRE(check("chip.frequency=2.1GHz", &v, &e) == 0);
	CHECK_U64(core_cycles(&v, &v.memory.latency), 126);
	REQUIRE(check("chip.frequency=2.11GHz", &v, &e) == 0);
	CHECK_U64(core_cycles(&v, &v.memory.latency), 127);
	REQUIRE(check("chip.frequency=4GHz memory.latency=120cycles l2.bandwidth=64GB/s", &v, &e) == 0);
	CHECK_U64(core_cycles(&v, &v.memory.latency), 120);
	CHECK_F64(core_bytes_per_cycle(&v, &v.l2.bandwidth), 16, 0);
}

static void choices_are_in_the_order_of_their_enums(void)
{
	struct core_config v;
	struct err e;

	REQUIRE(check("bpred.kind=brhis lsu.disambiguation=conservative", &v, &e) == 0);
	CHECK_U64(v.bpred.kind, BPRED_BRHIS);
	CHECK_U64(v.lsu.disambiguation, DISAMBIGUATION_CONSERVATIVE);
	REQUIRE(check("bpred.kind=gshare lsu.disambiguation=oracle", &v, &e) == 0);
	CHECK_U64(v.bpred.kind, BPRED_GSHARE);
	CHECK_U64(v.lsu.disambiguation, DISAMBIGUATION_ORACLE);
	REQUIRE(check("bpred.kind=not_taken", &v, &e) == 0);
	CHECK_U64(v.bpred.kind, BPRED_NOT_TAKEN);
	REQUIRE(check("bpred.kind=perfect", &v, &e) == 0);
	CHECK_U64(v.bpred.kind, BPRED_PERFECT);
}

static void a_patient_core_may_have_any_memory(void)
{
	struct core_config v;
	struct err e;

	CHECK_I64(check("memory.latency=1000cycles core.deadlock_cycles=1129", &v, &e), 0);
	CHECK_I64(check("memory.latency=100000cycles core.deadlock_cycles=200000", &v, &e), 0);
	/* 78 + 120 cycles of an access, 50 of a trap, 100000 of the supply */
	CHECK_I64(check("simd.pes=16 simd.power=gated simd.wake_cycles=100000 core.deadlock_cycles=100249", &v, &e), 0);
}

static void sets_need_not_be_a_power_of_two(void)
{
	struct core_config v;
	struct err e;

	CHECK_I64(check("l2.size=3MiB l2.ways=4", &v, &e), 0); /* 12288 sets */
	CHECK_I64(check("l1d.size=96KiB l1d.ways=3", &v, &e), 0);
	CHECK_I64(check("l1d.size=96KiB", &v, &e), 0); /* 768 sets */
}

/* One row a rule: what breaks it, and what the message must say. */
static const struct {
	const char *overrides, *message;
} bad[] = {
	{"l1d.line_bytes=48", "-p: l1d.line_bytes = 48 is not a power of two, expected one"},
	{"l1i.line_bytes=24", "-p: l1i.line_bytes = 24 is not a power of two, expected one"},
	{"l2.line_bytes=96", "-p: l2.line_bytes = 96 is not a power of two, expected one"},
	{"l1d.size=100000", "-p: l1d.size = 100000 is not a whole number of sets, "
			    "expected a multiple of ways * line_bytes = 2 * 64 = 128"},
	{"l1i.size=64", "-p: l1i.size = 64 is not a whole number of sets, "
			"expected a multiple of ways * line_bytes = 2 * 64 = 128, or l1i.ways = 1"},
	{"bpred.targets=target_cache bpred.target_history=20",
	 "-p: bpred.target_history = 20 exceeds bpred.target_bits = 9, expected at most that"},
	{"l2.ways=7", "-p: l2.size = 6291456 is not a whole number of sets, "
		      "expected a multiple of ways * line_bytes = 7 * 64 = 448, or l2.ways = 6 or 8"},
	{"l2.size=2MiB", "-p: l2.size = 2097152 is not a whole number of sets, "
			 "expected a multiple of ways * line_bytes = 12 * 64 = 768, or l2.ways = 8 or 16"},
	{"l1d.line_bytes=128", "-p: l1d.line_bytes = 128 exceeds l2.line_bytes = 64, expected at most that"},
	{"l2.line_bytes=32", "-p: l1i.line_bytes = 64 exceeds l2.line_bytes = 32, expected at most that"},
	{"l2.size=96KiB", "-p: l1i.size = 131072 exceeds l2.size = 98304, expected at most that"},
	{"l1d.size=12MiB", "-p: l1d.size = 12582912 exceeds l2.size = 6291456, expected at most that"},
	{"l1d.banks=6", "-p: l1d.banks = 6 is not a power of two, expected one"},
	{"l1d.bank_bytes=12", "-p: l1d.bank_bytes = 12 is not a power of two, expected one"},
	{"l1d.banks=16 l1d.bank_bytes=8", "-p: l1d.banks * l1d.bank_bytes = 16 * 8 exceeds a line of 64 bytes, "
					  "expected a row of the banks within a line"},
	{"tlb.page_size=12KiB", "-p: tlb.page_size = 12288 is not a power of two, expected one"},
	{"tlb.main_ways=3", "-p: tlb.main_entries / tlb.main_ways = 1024 / 3, "
			    "expected a power of two as the number of sets"},
	{"tlb.main_entries=768", "-p: tlb.main_entries / tlb.main_ways = 768 / 2, "
				 "expected a power of two as the number of sets"},
	{"fetch.width_bytes=24", "-p: fetch.width_bytes = 24 is not a power of two, expected one"},
	{"fetch.width_bytes=128", "-p: fetch.width_bytes = 128 exceeds l1i.line_bytes = 64, expected at most that"},
	{"fetch.predict_stage=6", "-p: fetch.predict_stage = 6 exceeds fetch.stages = 5, expected at most that"},
	{"fetch.stages=2", "-p: fetch.predict_stage = 3 exceeds fetch.stages = 2, expected at most that"},
	{"bpred.entries=1000", "-p: bpred.entries = 1000 is not a power of two, expected one"},
	{"bpred.ways=3", "-p: bpred.ways = 3 does not divide bpred.entries = 16384, "
			 "expected a power of two up to it"},
	{"decode.gub_entries=1", "-p: decode.gub_entries = 1, expected 2 or more: "
				 "ldd writes two registers"},
	{"decode.fub_entries=7", "-p: decode.fub_entries = 7, expected 8 or more: "
				 "a block load writes eight double registers"},
	{"lsu.hit_known=5", "-p: lsu.hit_known = 5 exceeds latency.load_use = 4, expected at most that"},
	{"simd.sbm_bytes=65537", "-p: simd.sbm_bytes = 65537 is not a power of two, expected one"},
	{"simd.sbm_port_bytes=24", "-p: simd.sbm_port_bytes = 24 is not a power of two, expected one"},
	/* 4 + 60 + 12 + 2 + 1000 */
	{"memory.latency=1000cycles core.deadlock_cycles=1128",
	 "-p: core.deadlock_cycles = 1128, expected "
	 "more than the 1078 cycles of an access to memory and the 50 of a trap"},
	{"memory.latency=100000cycles", "-p: core.deadlock_cycles = 100000, expected "
					"more than the 100078 cycles of an access to memory and the 50 of a trap"},
	{"latency.window_trap=99999", "-p: core.deadlock_cycles = 100000, expected "
				      "more than the 198 cycles of an access to memory and the 99999 of a trap"},
	{"simd.pes=16 simd.power=gated simd.wake_cycles=100000",
	 "-p: core.deadlock_cycles = 100000, expected more than the 198 cycles of an access to memory, the 50 of a "
	 "trap and simd.wake_cycles = 100000"},
	/* 20 + (5 + 5 + 4) * 2.5 ns, 4 + 60 + 12 + 2 cycles */
	{"memory.kind=dram core.deadlock_cycles=1000 dram.latency=430ns",
	 "-p: core.deadlock_cycles = 1000, expected "
	 "more than the 1008 cycles of an access to memory and the 50 of a trap"},
	/* 198 without an L3; 30, and 32 steps of 64 cycles to the far slice and back */
	{"core.deadlock_cycles=4374 l3.size=8MiB l3.slices=64 l3.network=ring l3.hop_cycles=64",
	 "-p: core.deadlock_cycles = 4374, expected more than the 4324 cycles of an access to memory and the 50 of a "
	 "trap"},
	{"l3.size=3000000",
	 "-p: l3.size = 3000000 is not a whole number of sets, expected a multiple of ways * line_bytes = "
	 "16 * 64 = 1024, or l3.ways = 15 or 25"},
	{"l3.size=4MiB", "-p: l2.size = 6291456 exceeds l3.size = 4194304, expected at most that"},
	{"l3.size=8MiB coherence.entries=100",
	 "-p: coherence.ways = 8 does not divide coherence.entries = 100, expected "
	 "a divisor"},
	{"l3.size=8MiB l3.slices=3", "-p: l3.slices = 3 does not divide the 8192 sets of L3, expected a divisor"},
	{"memory.kind=dram dram.channels=3", "-p: dram.channels = 3 is not a power of two, expected one"},
	{"memory.kind=dram dram.burst=16", "-p: dram.bus_bytes * dram.burst = 8 * 16 exceeds l2.line_bytes = 64, "
					   "expected a line of one or more bursts"},
	{"memory.kind=dram dram.row_bytes=64 l2.line_bytes=128",
	 "-p: l2.line_bytes = 128 exceeds dram.row_bytes = 64, expected at most that"},
	{"memory.kind=dram dram.rrd_l=2", "-p: dram.rrd_s = 3 exceeds dram.rrd_l = 2, expected at most that"},
	{"memory.kind=dram dram.ras=4", "-p: dram.rcd = 5 exceeds dram.ras = 4, expected at most that"},
	{"memory.kind=dram dram.idd3n=20", "-p: dram.idd3n = 20 is below dram.idd2n = 28, expected at least that"},
	{"memory.kind=dram dram.refi=149", /* 51 + 18 + 5 = 74 */
	 "-p: dram.refi = 149, expected more than twice dram.rfc + dram.ras + dram.rp = 74"},
	{"lsu.hit_known=5 latency.load_use=5",
	 "-p: lsu.hit_known = 5 exceeds latency.fp_load_use = 4, expected at most that"},
};

static void each_rule_names_value_and_expectation(void)
{
	for (unsigned i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct core_config v;
		struct err e = {.status = STATUS_DONE};

		CHECK_I64(check(bad[i].overrides, &v, &e), -1);
		CHECK_U64(e.status, STATUS_USAGE);
		CHECK_STR(e.text, bad[i].message);
	}
}

static void consumers_of_a_load_are_selected_from_ps_on(void)
{
	struct core_config v;
	struct err e;

	/* Ps is 2 + operand_stages after P: 4 is enough for two stages, not for three. */
	CHECK_I64(check("core.operand_stages=2", &v, &e), 0);
	CHECK_I64(check("core.operand_stages=3", &v, &e), -1);
	CHECK(strstr(e.text, "latency.load_use = 4, expected at least 2 + core.operand_stages = 5") != NULL);
	CHECK_I64(check("core.operand_stages=3 latency.load_use=5 latency.fp_load_use=5", &v, &e), -1);
	CHECK(strstr(e.text, "lsu.forward_latency = 4") != NULL);
}

static void note_unused(void *user, const char *place, const char *keys, bool several, const char *why)
{
	(void)place;
	(void)several;
	(void)why;
	snprintf(user, 80, "%s", keys);
}

/* The directory of an L3 follows lines of code too, which need its latency where L3 may lack a line. */
static void a_directory_at_l3_is_read_without_l1d(void)
{
	static const struct {
		const char *set, *unused;
	} rows[] = {
		{"chip.cores=2 l1d.perfect=no coherence.latency=20", ""},
		{"chip.cores=2 l1d.perfect=yes coherence.latency=20", "coherence.latency"},
		{"chip.cores=2 l1d.perfect=yes l3.size=8MiB coherence.latency=20", "coherence.latency"},
		{"chip.cores=2 l1d.perfect=yes l3.size=8MiB l3.inclusion=neither coherence.latency=20", ""},
		{"chip.cores=2 l1d.perfect=yes l3.size=8MiB coherence.entries=64 coherence.ways=4", ""},
		{"chip.cores=2 coherence.entries=64", "coherence.entries"},
	};

	for (unsigned n = 0; n < TAP_COUNT(rows); n++) {
		struct config *c = config_create();
		struct core_config v;
		struct err e = {.text = ""};
		char text[256], unused[80] = "", *rest = text, *one;

		REQUIRE(c != NULL);
		core_config_add(c, &v);
		strcpy(text, rows[n].set);
		while ((one = strtok_r(rest, " ", &rest)))
			REQUIRE(config_override(c, one, "-p", &e) == 0);
		config_unused(c, core_config_uses, note_unused, unused);
		CHECK_STR(unused, rows[n].unused);
		config_destroy(c);
	}
}

static const struct tap_test tests[] = {
	{"the defaults are consistent, and Table 1 of the paper", the_defaults_are_table_1},
	{"choices are in the order of their enums", choices_are_in_the_order_of_their_enums},
	{"memory keeps its time at every clock", memory_keeps_its_time_at_every_clock},
	{"the number of sets need not be a power of two", sets_need_not_be_a_power_of_two},
	{"a patient core may have any memory", a_patient_core_may_have_any_memory},
	{"each rule names the value, its place and what was expected", each_rule_names_value_and_expectation},
	{"consumers of a load are selected from Ps on", consumers_of_a_load_are_selected_from_ps_on},
	{"a directory at L3 is read without L1D", a_directory_at_l3_is_read_without_l1d},
};

int main(void)
{
	return tap_main("core configuration", tests, TAP_COUNT(tests));
}
