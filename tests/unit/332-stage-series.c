/* The run over time: psim/pipe_trace/stage_series.h. */
#include "tap.h"

#include <stdlib.h>
#include <string.h>

#include "core_run.h"
#include "psim/app/chip_report.h"
#include "psim/pipe_trace/stage_series.h"

enum { CHAIN = 4000 };

static const char *const perfect[] = {"l1i.perfect=yes", "l1d.perfect=yes", "tlb.perfect=yes", NULL};

struct run {
	struct config *config;
	struct core_config cfg;
	struct energy_model *energy;
	struct trace_reader *trace;
	struct chip *chip;
	struct stage_series *series;
};

/* Runs the words, one after the other, each with the address `ea`, and samples in at most `rows` rows. */
static void run_make(struct run *r, const uint32_t *words, unsigned count, uint64_t ea, unsigned rows,
		     const char *const *overrides, bool every_cycle)
{
	const struct chip_options options = {.check = true, .no_skip = every_cycle};
	struct trace_maker t;
	struct err e = {.text = ""};
	int more = 1;

	r->config = config_create();
	REQUIRE(r->config != NULL);
	core_config_add(r->config, &r->cfg);
	for (; *overrides; overrides++)
		CHECK_I64(config_override(r->config, *overrides, "test", &e), 0);
	CHECK_I64(core_config_check(r->config, &r->cfg, &e), 0);
	r->energy = chip_core_energy(&r->cfg, &e);
	REQUIRE(r->energy != NULL);
	trace_maker_start(&t, NULL);
	trace_maker_straight(&t, 0x10000, words, count, &ea);
	r->trace = trace_maker_open(&t);
	r->chip = chip_create(&r->cfg, &r->trace, &options, &e);
	r->series = stage_series_create(&r->cfg, r->energy, 0, rows, &e);
	REQUIRE(r->chip != NULL && r->series != NULL);
	while (more > 0) {
		more = chip_run(r->chip, stage_series_step(r->series, chip_cycles(r->chip)), &e);
		stage_series_sample(r->series, r->chip, false);
	}
	stage_series_sample(r->series, r->chip, true);
	CHECK_STR(e.text, "");
	trace_maker_finish(&t);
}

static void run_free(struct run *r)
{
	stage_series_destroy(r->series);
	chip_destroy(r->chip);
	trace_close(r->trace);
	energy_destroy(r->energy);
	config_destroy(r->config);
}

static void chain_make(struct run *r, unsigned rows, bool every_cycle)
{
	uint32_t words[CHAIN];

	for (unsigned n = 0; n < CHAIN; n++)
		words[n] = W_ADD(1, 1, 1);
	run_make(r, words, CHAIN, 0, rows, perfect, every_cycle);
}

/*
 * Each add waits for the one before, which takes a cycle: in each cycle one is selected, executes and commits, and
 * three of the four commit slots are lost. 4000 of them and the way through the pipeline (below 96 cycles) fit into 16
 * rows of 256 cycles, but not into 16 of 128.
 */
static void a_chain_of_adds_is_one_a_cycle_in_each_row(void)
{
	struct stage_row row;
	struct run r;

	chain_make(&r, 16, false);
	CHECK_U64(stage_series_count(r.series), 16);
	for (size_t n = 1; n < 15; n++) {
		uint64_t lost = 0;

		stage_series_row(r.series, n, &row);
		CHECK_U64(row.from, 256 * n);
		CHECK_U64(row.to, 256 * n + 256);
		CHECK_U64(row.stats.instructions, 256);
		CHECK_U64(row.activity.moved[STAGE_p_int], 256);
		CHECK_U64(row.activity.moved[STAGE_x_int], 256);
		CHECK_U64(row.activity.moved[STAGE_w], 256);
		CHECK_U64(row.activity.moved[STAGE_x_fp], 0);
		for (unsigned i = 0; i < STALL_COUNT; i++)
			lost += row.stats.lost[i];
		CHECK_U64(lost, 3 * 256);
	}
	stage_series_row(r.series, 15, &row);
	CHECK_U64(row.to, chip_cycles(r.chip));
	run_free(&r);
}

static void rows_add_up_to_the_run(void)
{
	for (unsigned rows = 2; rows <= 8192; rows *= 4) {
		uint64_t rob = 0, insns = 0, at = 0;
		struct energy_result whole;
		struct activity a;
		double joules = 0;
		struct run r;

		chain_make(&r, rows, false);
		CHECK(stage_series_count(r.series) <= rows);
		CHECK(2 * stage_series_count(r.series) > rows || rows > CHAIN);
		for (size_t n = 0; n < stage_series_count(r.series); n++) {
			struct stage_row row;

			stage_series_row(r.series, n, &row);
			CHECK_U64(row.from, at);
			at = row.to;
			rob += row.level[LEVEL_rob];
			insns += row.stats.instructions;
			joules += row.energy.total_j;
		}
		CHECK_U64(at, chip_cycles(r.chip));
		CHECK_U64(insns, CHAIN);
		CHECK_U64(rob, core_stats(chip_core(r.chip, 0))->occupancy[LEVEL_rob]);
		core_activity(chip_core(r.chip, 0), &a);
		energy_evaluate(r.energy, &a, &whole);
		CHECK(joules > whole.total_j * (1 - 1e-9) && joules < whole.total_j * (1 + 1e-9));
		run_free(&r);
	}
}

/*
 * A load from memory: L2's miss buffer is in use for the latency of memory, L1D's for that and L2's. Nothing happens
 * meanwhile, so the cycles are skipped; the rows are the same if they are not.
 */
static void skipped_cycles_are_in_the_rows(void)
{
	static const uint32_t words[] = {W_LDX(2, 16, 0), W_ADD(3, 2, 1)};
	static const char *const machine[] = {"l1i.perfect=yes", "tlb.perfect=yes", "memory.latency=120cycles",
					      "l2.latency=15", NULL};
	uint64_t l1d = 0, l2 = 0;
	struct run r, every;

	run_make(&r, words, 2, 0x100000, 8, machine, false);
	run_make(&every, words, 2, 0x100000, 8, machine, true);
	CHECK(core_stats(chip_core(r.chip, 0))->skipped_cycles > 50);
	CHECK_U64(core_stats(chip_core(every.chip, 0))->skipped_cycles,
		  core_stats(chip_core(r.chip, 0))->skipped_cycles);
	REQUIRE(stage_series_count(r.series) == stage_series_count(every.series));
	for (size_t n = 0; n < stage_series_count(r.series); n++) {
		struct stage_row a, b;

		stage_series_row(r.series, n, &a);
		stage_series_row(every.series, n, &b);
		CHECK_I64(memcmp(&a, &b, sizeof(a)), 0);
		l1d += a.level[STAGE_LEVEL_l1d_buffers];
		l2 += a.level[STAGE_LEVEL_l2_buffers];
	}
	CHECK_U64(l2, 120);
	CHECK_U64(l1d, 135);
	run_free(&r);
	run_free(&every);
}

static const struct tap_test tests[] = {
	{"a chain of adds is one a cycle in each row", a_chain_of_adds_is_one_a_cycle_in_each_row},
	{"rows add up to the run", rows_add_up_to_the_run},
	{"skipped cycles are in the rows", skipped_cycles_are_in_the_rows},
};

int main(void)
{
	return tap_main("stage-series", tests, TAP_COUNT(tests));
}
