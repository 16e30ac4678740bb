#include "core_draw.h"

#include <stdio.h>

#include "core_random.h"

/* Parameters and values to draw from. */
struct draw {
	const char *parameter, *value[5];
};
static const struct draw draws[] = {
	{"core.rob_entries", {"4", "24", "64", "100", "200"}},
	{"core.int_pipes", {"1", "2", "2", "3", "4"}},
	{"core.fp_pipes", {"1", "2", "2", "3", "4"}},
	{"core.address_pipes", {"1", "2", "2", "3", "4"}},
	{"core.commit_width", {"1", "2", "4", "4", "8"}},
	{"core.operand_stages", {"0", "1", "1", "1", "1"}},
	{"core.speculative_wakeup", {"yes", "yes", "yes", "no", "no"}},
	{"decode.width", {"1", "2", "4", "6", "8"}},
	{"decode.stages", {"1", "2", "2", "3", "5"}},
	{"decode.gub_entries", {"4", "16", "32", "32", "64"}},
	{"fetch.width_bytes", {"8", "16", "32", "32", "64"}},
	{"fetch.buffer_entries", {"1", "2", "6", "6", "12"}},
	{"fetch.predict_stage", {"1", "2", "3", "3", "5"}},
	{"fetch.decode_redirect", {"yes", "yes", "yes", "no", "no"}},
	{"lsu.store_buffer", {"1", "4", "16", "16", "64"}},
	{"lsu.store_queue", {"1", "4", "16", "16", "32"}},
	{"lsu.disambiguation", {"oracle", "wait_table", "wait_table", "store_sets", "conservative"}},
	{"lsu.forwarding", {"yes", "yes", "yes", "yes", "no"}},
	{"lsu.store_prefetch", {"yes", "yes", "yes", "no", "no"}},
	{"lsu.store_buffer_ahead", {"0", "1", "3", "256", "256"}},
	{"lsu.hit_known", {"1", "2", "2", "3", "4"}},
	{"l1d.miss_buffers", {"1", "2", "8", "8", "16"}},
	{"l1d.banks", {"1", "4", "8", "8", "16"}},
	{"l1d.bank_bytes", {"1", "2", "4", "4", "4"}},
	{"l1d.port_bytes", {"1", "4", "8", "16", "64"}},
	{"l1d.size", {"1 KiB", "4 KiB", "16 KiB", "128 KiB", "128 KiB"}},
	{"l1i.size", {"1 KiB", "4 KiB", "16 KiB", "128 KiB", "128 KiB"}},
	{"tlb.udtlb_entries", {"2", "4", "32", "32", "32"}},
	{"bpred.kind", {"brhis", "tage", "gshare", "perceptron", "perfect"}},
	{"lsu.wait_table_entries", {"1", "4", "16", "1024", "1024"}},
	{"lsu.wait_table_clear", {"20", "60", "400", "3000", "0"}},
	{"lsu.ssit_entries", {"1", "4", "16", "4096", "4096"}},
	{"lsu.lfst_entries", {"1", "2", "3", "128", "128"}},
	{"lsu.ssit_clear", {"20", "60", "400", "3000", "0"}},
};
/* Kinds of parts outside the core, drawn by themselves. */
static const struct draw kinds[] = {
	{"prefetch.enabled", {"no", "no", "yes", "yes", "yes"}},
	{"prefetch.kind", {"stream", "best_offset", "next_line", "ampm", "ampm"}},
	{"l1d.ways", {"1", "2", "4", "4", "8"}},
	{"l1d.way_prediction", {"mru", "mru", "mru", "mru", "mru"}},
	{"l1d.way_latency", {"1", "2", "3", "7", "16"}},
	{"l1d.victim_lines", {"1", "2", "4", "8", "16"}},
	{"l3.size", {"8 MiB", "8 MiB", "8 MiB", "8 MiB", "16 MiB"}},
	{"l3.inclusion", {"inclusive", "exclusive", "exclusive", "neither", "neither"}},
	{"l3.slices", {"1", "2", "4", "4", "8"}},
	{"l3.network", {"crossbar", "ring", "ring", "mesh", "mesh"}},
	{"l3.replacement", {"lru", "srrip", "drrip", "plru", "random"}},
	{"l2.replacement", {"lru", "srrip", "drrip", "plru", "random"}},
	{"memory.kind", {"channel", "dram", "dram", "dram", "dram"}},
	{"dram.page", {"open", "open", "closed", "closed", "closed"}},
	{"dram.scheduler", {"first_ready", "banks_in_turn", "banks_in_turn", "first_ready", "banks_in_turn"}},
	{"dram.mapping", {"row_bank_column", "row_column_bank", "bank_row_column", "permuted", "permuted"}},
	{"dram.refi", {"200", "300", "500", "3120", "3120"}},
	{"dram.banks", {"1", "1", "2", "8", "16"}},
	{"l2.miss_buffers", {"1", "2", "4", "16", "16"}},
	{"l2.size", {"192 KiB", "192 KiB", "384 KiB", "6 MiB", "6 MiB"}},
	{"bpred.targets", {"last", "target_cache", "ittage", "ittage", "last"}},
	{"l1i.ways", {"1", "2", "2", "4", "4"}},
	{"l1i.way_prediction", {"mru", "mru", "mru", "mru", "mru"}},
	{"l1i.way_latency", {"1", "1", "2", "5", "16"}},
};
_Static_assert((sizeof(draws) + sizeof(kinds)) / sizeof(draws[0]) <= CORE_DRAWS, "texts");

/* Draws from `count` rows, each with a chance of a third, behind `texts` other texts. Returns how many there are. */
static unsigned draw_from(struct core_draw *d, unsigned texts, const struct draw *from, size_t count, uint64_t *state)
{
	for (size_t n = 0; n < count; n++) {
		if (core_random_number(state) % 3)
			continue;
		snprintf(d->text[texts], sizeof(d->text[texts]), "%s=%s", from[n].parameter,
			 from[n].value[core_random_number(state) % 5]);
		d->overrides[texts] = d->text[texts];
		texts++;
	}
	d->overrides[texts] = NULL;
	return texts;
}

void core_draw_machine(struct core_draw *d, uint64_t *state)
{
	uint64_t other = *state ^ 0x5eed;
	unsigned texts = draw_from(d, 0, draws, sizeof(draws) / sizeof(draws[0]), state);

	draw_from(d, texts, kinds, sizeof(kinds) / sizeof(kinds[0]), &other);
}

/* ---- with an array ---- */
static const struct {
	const char *parameter, *value[5];
} array_draws[] = {
	{"simd.rs_entries", {"1", "3", "16", "40", "64"}},
	{"simd.sfub_entries", {"16", "20", "32", "32", "100"}},
	{"simd.arithmetic_pipes", {"1", "1", "2", "3", "4"}},
	{"simd.load_pipes", {"1", "1", "2", "3", "4"}},
	{"simd.store_pipes", {"1", "1", "2", "3", "4"}},
	{"simd.c_cycles", {"0", "1", "2", "5", "16"}},
	{"simd.w1_cycles", {"0", "1", "2", "5", "16"}},
	{"simd.latency_move", {"1", "2", "3", "9", "64"}},
	{"simd.latency_add", {"1", "4", "4", "7", "64"}},
	{"simd.latency_fma", {"1", "4", "8", "9", "64"}},
	{"simd.cross_cycles", {"0", "1", "2", "5", "16"}},
	{"simd.hop_cycles", {"0", "1", "2", "5", "16"}},
	{"simd.dividers", {"1", "2", "5", "16", "32"}},
	{"simd.latency_cmp", {"1", "2", "4", "9", "64"}},
	{"simd.latency_div_d", {"1", "4", "19", "38", "256"}},
	{"simd.latency_int", {"1", "2", "2", "5", "64"}},
	{"simd.latency_int_mul", {"1", "4", "8", "9", "64"}},
	{"simd.gather_cycles", {"0", "1", "2", "5", "16"}},
	{"simd.broadcast_latency", {"1", "1", "2", "5", "16"}},
	{"simd.sbm_latency", {"1", "2", "3", "9", "32"}},
	{"simd.sbm_ports", {"1", "1", "2", "3", "8"}},
	{"simd.sbm_port_bytes", {"8", "8", "16", "64", "256"}},
	{"simd.store_buffer", {"1", "2", "4", "16", "60"}},
	{"simd.forwarding", {"yes", "yes", "no", "no", "no"}},
	{"simd.transfers", {"1", "2", "4", "40", "255"}},
	{"simd.transfer_buffers", {"1", "2", "5", "16", "200"}},
	{"memory.bandwidth", {"1 B/cycle", "3.7 B/cycle", "8 B/cycle", "20 B/cycle", "64 B/cycle"}},
	{"l2.size", {"192 KiB", "192 KiB", "384 KiB", "1536 KiB", "3 MiB"}},
};
_Static_assert(sizeof(array_draws) / sizeof(array_draws[0]) + 6 < CORE_ARRAY_DRAWS, "texts");

unsigned array_draw_pes(uint64_t *state)
{
	static const unsigned pes[] = {1, 2, 5, 16, 32};

	return pes[core_random_number(state) % 5];
}

static void add_text(struct core_draw *d, const char *parameter, const char *value)
{
	unsigned n = 0;

	while (d->overrides[n])
		n++;
	snprintf(d->text[n], sizeof(d->text[n]), "%s=%s", parameter, value);
	d->overrides[n] = d->text[n];
	d->overrides[n + 1] = NULL;
}

void array_draw_machine(struct core_draw *d, unsigned pes, uint64_t *state)
{
	char number[8];

	core_draw_machine(d, state);
	/* instead of a predictor of memory dependences, with which programs of the array do not run */
	add_text(d, "lsu.disambiguation", core_random_number(state) % 2 ? "oracle" : "conservative");
	snprintf(number, sizeof(number), "%u", pes);
	add_text(d, "simd.pes", number);
	add_text(d, "simd.select", "yes");
	add_text(d, "simd.integer", "yes");
	add_text(d, "simd.single", "yes");
	add_text(d, "simd.gather", "yes");
	add_text(d, "simd.divide", core_random_number(state) % 2 ? "shared" : "pe");
	for (unsigned n = 0; n < sizeof(array_draws) / sizeof(array_draws[0]); n++)
		if (core_random_number(state) % 3 == 0)
			add_text(d, array_draws[n].parameter, array_draws[n].value[core_random_number(state) % 5]);
}
