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

	/* 4 + 60 + 12 + 2 + 1000 twice, 50 of a trap, 60 of fp_quad and the stages 5 + 3 + 2 + 1 + 2 + hit_known 2 */
	CHECK_I64(check("memory.latency=1000cycles core.deadlock_cycles=2282", &v, &e), 0);
	CHECK_I64(check("memory.latency=100000cycles core.deadlock_cycles=200282", &v, &e), 0);
	/* 2 x (78 + 120) cycles, 50, 75, 100000 of the supply */
	CHECK_I64(check("simd.pes=16 simd.power=gated simd.wake_cycles=100000 core.deadlock_cycles=100522", &v, &e), 0);
	/*
	 * one divider for 32 PEs: 32 x 256 cycles, on top 4 + 1 + 1 + 1 + 3 + 2 of the array and 15 of the stages;
	 * of two cores 10000 more for each access
	 */
	CHECK_I64(check("simd.pes=32 simd.divide=shared simd.latency_div_d=256 core.deadlock_cycles=8666", &v, &e), 0);
	CHECK_I64(check("chip.cores=2 chip.sharing=all coherence.latency=10000 core.deadlock_cycles=20522", &v, &e), 0);
}

/* The parameters of cycles. */
struct cycle_keys {
	const struct param *key[128];
	unsigned count;
};

static void note_cycles(void *user, const struct param *p, const char *value, const char *origin)
{
	struct cycle_keys *all = user;

	(void)value;
	(void)origin;
	if (p->type == PARAM_UINT && !strcmp(p->unit, "cycles") && strcmp(p->key, "deadlock_cycles"))
		all->key[all->count++] = p;
}

/* Returns whether no instruction waits for that many cycles. */
static bool no_latency(const struct param *p)
{
	return !strcmp(p->key, "sleep_after") || !strcmp(p->section, "energy") || !strcmp(p->section, "lsu");
}

static void no_legal_latency_is_a_deadlock(void)
{
	struct config *c = config_create();
	struct cycle_keys all = {.count = 0};
	struct core_config v;
	unsigned refused = 0;

	core_config_add(c, &v);
	config_visit(c, note_cycles, &all);
	for (unsigned n = 0; n < all.count; n++) {
		const struct param *p = all.key[n];
		char overrides[256];
		struct err e;

		/* a machine that reads the key, with a limit of just that: it is refused, for that reason or another */
		snprintf(overrides, sizeof(overrides),
			 "chip.cores=2 chip.sharing=all l3.size=16MiB l3.slices=2 l3.network=ring l1d.victim_lines=4 "
			 "simd.pes=16 simd.divide=pe simd.power=gated core.deadlock_cycles=%.0f %s.%s=%.0f",
			 p->max < 1000 ? 1000 : p->max, p->section, p->key, p->max);
		if (no_latency(p) || p->max < 1000)
			continue;
		CHECK_I64(check(overrides, &v, &e), -1);
		CHECK(strstr(e.text, "core.deadlock_cycles = ") != NULL);
		refused++;
	}
	/* fp_quad, trap and window_trap of [latency]; l2, l3, coherence; main and walk of [tlb]; wake */
	CHECK_U64(refused, 9);
	config_destroy(c);
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
	/* 4 + 60 + 12 + 2 + 1000; the operation is fp_quad's 60 and the stages' 15 */
	{"memory.latency=1000cycles core.deadlock_cycles=2281",
	 "-p: core.deadlock_cycles = 2281, expected more than 2281, in which a core may commit nothing: two accesses "
	 "to "
	 "memory of 1078 cycles, a trap of 50, an operation of 75"},
	{"memory.latency=100000cycles", "-p: core.deadlock_cycles = 100000, expected more than 200281, in which a core "
					"may commit nothing: two accesses "
					"to memory of 100078 cycles, a trap of 50, an operation of 75"},
	{"latency.window_trap=99999", "-p: core.deadlock_cycles = 100000, expected more than 100470, in which a core "
				      "may commit nothing: two accesses "
				      "to memory of 198 cycles, a trap of 99999, an operation of 75"},
	{"simd.pes=16 simd.power=gated simd.wake_cycles=100000",
	 "-p: core.deadlock_cycles = 100000, expected more than 100521, in which a core may commit nothing: two "
	 "accesses "
	 "to memory of 198 cycles, a trap of 50, an operation of 75, simd.wake_cycles = 100000"},
	/* 32 x 256 + 12 + 15 */
	{"simd.pes=32 simd.divide=shared simd.latency_div_d=256 core.deadlock_cycles=8665",
	 "-p: core.deadlock_cycles = 8665, expected more than 8665, in which a core may commit nothing: two accesses "
	 "to "
	 "memory of 198 cycles, a trap of 50, an operation of 8219"},
	{"chip.cores=2 chip.sharing=all coherence.latency=10000 core.deadlock_cycles=20521",
	 "-p: core.deadlock_cycles = 20521, expected more than 20521, in which a core may commit nothing: two accesses "
	 "to "
	 "memory of 10198 cycles, a trap of 50, an operation of 75"},
	/* 20 + (5 + 5 + 4) * 2.5 ns, 4 + 60 + 12 + 2 cycles */
	{"memory.kind=dram core.deadlock_cycles=1000 dram.latency=430ns",
	 "-p: core.deadlock_cycles = 1000, expected more than 2141, in which a core may commit nothing: two accesses "
	 "to "
	 "memory of 1008 cycles, a trap of 50, an operation of 75"},
	/* 198 without an L3; 30, and 32 steps of 64 cycles to the far slice and back */
	{"core.deadlock_cycles=8773 l3.size=8MiB l3.slices=64 l3.network=ring l3.hop_cycles=64",
	 "-p: core.deadlock_cycles = 8773, expected more than 8773, in which a core may commit nothing: two accesses "
	 "to "
	 "memory of 4324 cycles, a trap of 50, an operation of 75"},
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
	{"no legal latency is a deadlock", no_legal_latency_is_a_deadlock},
	{"each rule names the value, its place and what was expected", each_rule_names_value_and_expectation},
	{"consumers of a load are selected from Ps on", consumers_of_a_load_are_selected_from_ps_on},
	{"a directory at L3 is read without L1D", a_directory_at_l3_is_read_without_l1d},
};

int main(void)
{
	return tap_main("core configuration", tests, TAP_COUNT(tests));
}
