/* The SIMD array's activity for the energy model: core_activity, core_energy_machine. */
#include "core_run.h"
#include "isa/simd.h"
#include "tap.h"

enum { PES = 4, SBM = 65536, TIMES = 50 };

struct counted {
	struct activity activity;
	struct core_stats stats;
};

/* TIMES repetitions of `words` in SIMD mode on four PEs; `ea`: addresses of one repetition. */
static void run(const uint32_t *words, unsigned count, const uint64_t *ea, unsigned per, struct counted *out)
{
	static const char *const args[] = {"test"};
	const struct trace_info info = {
		.program = "test",
		.args = args,
		.arg_count = 1,
		.recorder = "315",
		.pes = PES,
		.sbm_bytes = SBM,
	};
	static const char *const overrides[] = {"simd.pes=4",         "l1i.perfect=yes", "tlb.perfect=yes",
						"simd.divide=shared", "simd.dividers=3", "simd.select=yes",
						"simd.integer=yes",   "simd.single=yes", "simd.gather=yes"};
	struct core_options options = {.check = true};
	uint32_t all[TIMES * 8];
	uint64_t addresses[TIMES * 8 * 3] = {0};
	struct energy_machine machine;
	struct energy_model *energy;
	struct config *config = config_create();
	struct trace_reader *trace;
	struct core_config cfg;
	struct trace_maker m;
	struct core *core;
	struct err e = {.text = ""};

	for (unsigned n = 0; n < count * TIMES; n++)
		all[n] = words[n % count];
	for (unsigned n = 0; n < per * TIMES; n++)
		addresses[n] = ea[n % per];
	trace_maker_start(&m, &info);
	m.simd = true;
	trace_maker_straight(&m, 0x10000, all, count * TIMES, addresses);
	trace = trace_maker_open(&m);
	core_config_add(config, &cfg);
	for (unsigned n = 0; n < sizeof(overrides) / sizeof(overrides[0]); n++)
		CHECK_I64(config_override(config, overrides[n], "test", &e), 0);
	core = core_create(&cfg, trace, &options, &e);
	CHECK_STR(e.text, "");
	REQUIRE(core != NULL);
	CHECK_I64(core_run(core, UINT64_MAX, &e), 0);
	out->stats = *core_stats(core);
	core_activity(core, &out->activity);
	/* the machine has a slot for whatever moved */
	core_energy_machine(&cfg, &machine);
	energy = energy_create(&machine, &e);
	CHECK_STR(e.text, "");
	REQUIRE(energy != NULL);
	CHECK_I64(energy_check(energy, &out->activity, &e), 0);
	CHECK_STR(e.text, "");
	energy_destroy(energy);
	core_destroy(core);
	trace_close(trace);
	trace_maker_finish(&m);
	config_destroy(config);
}

static void arithmetic_is_that_of_all_pes(void)
{
	static const uint32_t words[] = {W_FMADDD(2, 4, 6, 2), W_FXMADDD(8, 4, 6, 8)};
	struct counted c;
	const struct activity *a = &c.activity;

	run(words, 2, NULL, 0, &c);
	/* 2 x 50 multiply-adds in each of 4 PEs, half of them across: 8 and 8 + 1 cycles of X */
	CHECK_U64(a->ops[EOP_simd_fma], 400);
	CHECK_U64(a->ops[EOP_simd_cross], 200);
	CHECK_U64(a->moved[STAGE_simd_x], 200 * 8 + 200 * 9);
	CHECK_U64(a->moved[STAGE_simd_b], 400);
	CHECK_U64(a->moved[STAGE_simd_u], 400);
	CHECK_U64(a->moved[STAGE_simd_w], 400);
	CHECK_U64(a->moved[STAGE_simd_w1], 400);
	/* once for the array: C, select, station, the wires */
	CHECK_U64(a->moved[STAGE_simd_c], 100);
	CHECK_U64(a->moved[STAGE_simd_p], 100);
	CHECK_U64(a->writes[ARRAY_rs_simd], 100);
	CHECK_U64(a->ops[EOP_simd_send], 100);
	/* three operands each, half of them from the rename buffer, and the results that move */
	CHECK_U64(a->reads[ARRAY_sfpr], 150 * 4);
	CHECK_U64(a->reads[ARRAY_sfub], 150 * 4 + 400);
	CHECK_U64(a->writes[ARRAY_sfpr], 400);
	/* the scalar units idle */
	CHECK_U64(a->ops[EOP_fp_fma], 0);
	CHECK_U64(a->moved[STAGE_x_fp], 0);
	CHECK_U64(a->writes[ARRAY_fub], 0);
	/* but decode and commit do not */
	CHECK_U64(a->moved[STAGE_d], 100);
	CHECK_U64(a->moved[STAGE_w], 100);
}

static void loads_and_stores_go_to_every_sbm(void)
{
	/* both at the same offset of all SBMs; then a load from memory, whose value goes to all */
	static const uint32_t words[] = {W_LDDF(2, 16, 0), W_STDF(2, 17, 0), W_LDDF(4, 18, 0)};
	static const uint64_t ea[] = {SIMD_ALL_BASE, SIMD_ALL_BASE + 64, 0x100000};
	struct counted c;
	const struct activity *a = &c.activity;

	run(words, 3, ea, 3, &c);
	CHECK_U64(a->reads[ARRAY_sbm], 50 * 4);
	CHECK_U64(a->writes[ARRAY_sbm], 50 * 4);
	CHECK_U64(a->moved[STAGE_simd_s], 100 * 4);
	CHECK_U64(a->moved[STAGE_simd_sd], 100 * 4);
	CHECK_U64(a->ops[EOP_simd_offset], 100);
	CHECK_U64(a->ops[EOP_simd_word], 50);
	/* C: three instructions, two addresses, a value */
	CHECK_U64(a->moved[STAGE_simd_c], 50 * (3 + 2 + 1));
	/* L1D sees the load from memory, and the core computes all three addresses */
	CHECK_U64(a->moved[STAGE_bs], 50);
	CHECK_U64(a->ops[EOP_address], 150);
	CHECK_U64(a->moved[STAGE_x_addr], 150);
}

static void transfers_count_words_and_accesses(void)
{
	/* a get of 4 pieces of 64 bytes dealt to 4 PEs, the same of 64 bytes to all alike, a put of 4 x 64 */
	static const uint32_t words[] = {
		W_SXGET(1, 16, 17, 1), W_SXGET(2, 16, 18, 0), W_SXWAIT(0), W_SXPUT(1, 16, 17, 1), W_SXWAIT(0),
	};
	const uint64_t four = simd_transfer_pack(64, 4, 64), one = simd_transfer_pack(64, 1, 64);
	const uint64_t ea[] = {
		0x100000, SIMD_ALL_BASE, four, 0x200000, SIMD_ALL_BASE + 4096, one, 0x300000, SIMD_ALL_BASE, four,
	};
	struct counted c;
	const struct activity *a = &c.activity;

	run(words, 5, ea, 9, &c);
	/* ports of 16 bytes: 16 accesses to write 256 bytes, 4 x 4 to write 64 in 4 PEs; 16 to read */
	CHECK_U64(a->writes[ARRAY_sbm], 50 * (16 + 16));
	CHECK_U64(a->reads[ARRAY_sbm], 50 * 16);
	CHECK_U64(a->ops[EOP_xfer_word], 50 * (32 + 32));
	CHECK_U64(a->ops[EOP_simd_word], 50 * 8);
	CHECK_U64(a->writes[ARRAY_xfer_queue], 150);
	/* lines: 4, 1 and 4 of them */
	CHECK_U64(a->moved[STAGE_xfer], 50 * 9);
	CHECK_U64(a->writes[ARRAY_xfer_buffer], 50 * (32 + 8 + 32));
	CHECK_U64(a->writes[ARRAY_memory], 50 * 4);
	CHECK_U64(a->reads[ARRAY_memory], 50 * 5);
}

static void a_sum_is_a_tree_of_additions(void)
{
	static const uint32_t words[] = {W_PESUMD(2, 4)};
	struct counted c;

	run(words, 1, NULL, 0, &c);
	/* 4 PEs: three additions of 4 cycles */
	CHECK_U64(c.activity.ops[EOP_simd_add], 50 * 3);
	CHECK_U64(c.activity.moved[STAGE_simd_x], 50 * 3 * 4);
	CHECK_U64(c.activity.ops[EOP_simd_reduce], 50);
}

static void divisions_are_cycles_of_dividers(void)
{
	static const uint32_t words[] = {W_FDIVD(2, 4, 6), W_FP(8, 0, 4, 0x29) /* fsqrts */};
	struct counted c;
	const struct activity *a = &c.activity;

	run(words, 2, NULL, 0, &c);
	/* each of 4 PEs' numbers is in a divider for 19 and 18 cycles, which has the latches of X, as the scalar one */
	CHECK_U64(a->ops[EOP_simd_div], 50 * 4 * (19 + 18));
	CHECK_U64(a->moved[STAGE_simd_x], 50 * 4 * (19 + 18));
	/* two operands and a result go to the dividers and back, of a root one less */
	CHECK_U64(a->ops[EOP_simd_reach], 50 * 4 * (3 + 2));
	CHECK_U64(a->ops[EOP_fp_div], 0);
	CHECK_U64(c.stats.flops, 50 * 4 * 2);
}

static void comparisons_are_additions(void)
{
	static const uint32_t words[] = {0x83a88a44 /* fcmpd %fcc1, %f2, %f4 */,
					 0x8da90842 /* fmovdl %fcc1, %f2, %f6 */};
	struct counted c;

	run(words, 2, NULL, 0, &c);
	CHECK_U64(c.activity.ops[EOP_simd_add], 50 * 4);
	CHECK_U64(c.activity.ops[EOP_simd_move], 50 * 4);
	/* cycles of X: 4 and 2 */
	CHECK_U64(c.activity.moved[STAGE_simd_x], 50 * 4 * (4 + 2));
	CHECK_U64(c.stats.flops, 0);
	/* only the move has a result; it reads what it may keep */
	CHECK_U64(c.stats.simd_results, 50);
	CHECK_U64(c.stats.simd_sources, 50 * (2 + 2));
}

static void integers_and_pairs_are_operations_of_all_pes(void)
{
	static const uint32_t words[] = {W_SIMD(2, 4, 6, 0x42) /* fpadd64 */, 0x91b88c04 /* fpmaddx */,
					 W_SIMD(2, 4, 6, 0x1a9) /* fsub2s */, W_SIMD(8, 4, 6, 0x1aa) /* fmul2s */,
					 0x91b88d04 /* fmadd2s */};
	struct counted c;
	const struct activity *a = &c.activity;

	run(words, 5, NULL, 0, &c);
	CHECK_U64(a->ops[EOP_simd_int], 50 * 4);
	CHECK_U64(a->ops[EOP_simd_int_mul], 50 * 4);
	CHECK_U64(a->ops[EOP_simd_add2], 50 * 4);
	CHECK_U64(a->ops[EOP_simd_mul2], 50 * 4);
	CHECK_U64(a->ops[EOP_simd_fma2], 50 * 4);
	CHECK_U64(a->ops[EOP_simd_fma] + a->ops[EOP_simd_add] + a->ops[EOP_simd_move], 0);
	/* cycles of X: 2, 8, 4, 4, 8 */
	CHECK_U64(a->moved[STAGE_simd_x], 50 * 4 * (2 + 8 + 4 + 4 + 8));
	CHECK_U64(a->moved[STAGE_simd_b], 50 * 4 * 5);
	CHECK_U64(c.stats.simd_sources, 50 * (2 + 3 + 2 + 2 + 3));
	CHECK_U64(c.stats.flops, 50 * 4 * (2 + 2 + 4));
}

static void gathers_and_scatters_add_in_all_pes(void)
{
	static const uint32_t words[] = {W_SIMD(2, 16, 4, 0x1ba) /* gatherxd */, W_SIMD(6, 17, 4, 0x1be)};
	static const uint64_t ea[] = {SIMD_ALL_BASE, SIMD_ALL_BASE + 64};
	struct counted c;
	const struct activity *a = &c.activity;

	run(words, 2, ea, 2, &c);
	CHECK_U64(a->ops[EOP_simd_index], 2 * 50 * 4);
	CHECK_U64(a->reads[ARRAY_sbm], 50 * 4);
	CHECK_U64(a->writes[ARRAY_sbm], 50 * 4);
	CHECK_U64(a->moved[STAGE_simd_s], 100 * 4);
	CHECK_U64(a->moved[STAGE_simd_sd], 50 * 4);
	/* both read an index, the scatter its data too */
	CHECK_U64(a->moved[STAGE_simd_b], 100 * 4);
	CHECK_U64(c.stats.simd_sources, 50 * (1 + 2));
	/* the core computes and sends one address each */
	CHECK_U64(a->ops[EOP_address], 100);
	CHECK_U64(a->ops[EOP_simd_offset], 100);
	CHECK_U64(a->writes[ARRAY_load_queue], 50);
	CHECK_U64(a->writes[ARRAY_store_queue], 2 * 50);
	CHECK_U64(c.stats.flops, 0);
}

static const struct tap_test tests[] = {
	{"arithmetic counts in all PEs, control once", arithmetic_is_that_of_all_pes},
	{"loads and stores go to every SBM, values to every PE", loads_and_stores_go_to_every_sbm},
	{"transfers count words, accesses of a port's width, lines", transfers_count_words_and_accesses},
	{"a sum over the PEs is a tree of additions", a_sum_is_a_tree_of_additions},
	{"divisions are cycles of dividers", divisions_are_cycles_of_dividers},
	{"comparisons are additions", comparisons_are_additions},
	{"integers and pairs are operations of all PEs", integers_and_pairs_are_operations_of_all_pes},
	{"gathers and scatters add in all PEs", gathers_and_scatters_add_in_all_pes},
};

int main(void)
{
	return tap_main("array-activity", tests, TAP_COUNT(tests));
}
