/* The machine's dimensions: the reference machine, and the ranges that the model covers. */
#include "energy_model.h"
#include "technology.h"

/* The paper's Table 1, completed with facts of SPARC64 V [JPS1]. */
#define REFERENCE_CORE \
	.frequency_hz = 2e9, .voltage = 1.0, .node_nm = ANCHOR_NODE_NM, .temperature_k = ANCHOR_KELVIN, \
	.gating = GATING_IDEAL, .clock_tree = TREE_ALWAYS, .split = SPLIT_CHIP, .cores = 1, .latch_pj = 0.25, \
	.leakage_w = 8, .peak_ratio = 1.5, .ambient_k = 318, .defects_cm2 = 0.14, .clustering = 2, \
	.sleep_leakage = 0.05, .sleep_cost = 10, .one = 1, .fetch_groups = 1, .decode_width = 4, \
	.decode_entry_slots = 4, .int_pipes = 2, .fp_pipes = 2, .fp_latency_slots = 16, .address_pipes = 2, \
	.result_buses = 6, .commit_width = 4, .none = 0, .two = 2, .ibuffer_entries = 6, .bht_entries = 16384, \
	.ras_entries = 8, .itlb_entries = 32, .dtlb_entries = 32, .mtlb_entries = 2048, .l1i_bytes = 128 << 10, \
	.l1d_bytes = 128 << 10, .l2_bytes = 6 << 20, .rob_entries = 64, .rs_int_entries = 16, .rs_fp_entries = 16, \
	.rs_addr_entries = 10, .rs_br_entries = 10, .gub_entries = 32, .fub_entries = 32, .gpr_entries = 160, \
	.fpr_entries = 32, .load_queue = 16, .store_queue = 32, .l1i_miss_entries = 4, .l1d_miss_entries = 8, \
	.l2_miss_entries = 16, .writeback_entries = 8, .l1i_ways = 2, .l1d_ways = 2, .l1i_ways_read = 2, \
	.l1d_ways_read = 2, .l2_ways = 12, .bht_ways = 4, .pht_read_bits = 64, .target_read_bits = 64, .mtlb_ways = 2, \
	.l1d_banks = 8, .line_bytes = 64, .l1i_line_bytes = 64, .l1d_line_bytes = 64, .fetch_bytes = 32, \
	.l2_bus_bytes = 32, .memory_gbs = 8, .fetch_stages = 5, .predict_stages = 3, .decode_stages = 2, \
	.operand_stages = 1, .commit_stages = 2, .int_alu_cycles = 1, .int_mul_cycles = 5, .int_div_cycles = 37, \
	.branch_cycles = 1, .vis_cycles = 2, .fp_move_cycles = 2, .fp_add_cycles = 4, .fp_cmp_cycles = 4, \
	.fp_mul_cycles = 4, .fp_fma_cycles = 8, .fp_div_s_cycles = 12, .fp_div_d_cycles = 19, .fp_sqrt_s_cycles = 18, \
	.fp_sqrt_d_cycles = 29, .load_cycles = 4, .fp_load_cycles = 4, .hit_cycles = 2, .forward_cycles = 4, \
	.mtlb_cycles = 4, .l2_cycles = 12, .fill_cycles = 2,

#define TECHNOLOGY(name, value, least, most, unit, reading, doc, source) .technology.name = value,

static const struct energy_machine reference = {
#include "technology.def"
	REFERENCE_CORE};

/*
 * Table 1's array, completed with the defaults of psim's [simd]; slots as energy_simd_slots
 * computes them.
 */
static const struct energy_machine reference_array = {
#include "technology.def"
	REFERENCE_CORE.simd_pes = 16,
	.simd_arith_pipes = 1,
	.simd_load_pipes = 2,
	.simd_store_pipes = 1,
	.simd_latency = 9,
	.simd_move_cycles = 2,
	.simd_add_cycles = 4,
	.simd_cmp_cycles = 4,
	.simd_mul_cycles = 4,
	.simd_fma_cycles = 8,
	.sbm_cycles = 3,
	.simd_cross_cycles = 1,
	.simd_hop_cycles = 1,
	.simd_c_cycles = 1,
	.simd_w1_cycles = 1,
	.sbm_ports = 2,
	.sbm_port_bytes = 16,
	.rs_simd_entries = 16,
	.sfub_entries = 32,
	.sfpr_entries = 32,
	.sbm_bytes = 64 << 10,
	.sbm_queue_entries = 32,
	.xfer_entries = 16,
	.xfer_buffer_words = 128,
	.sbm_words = 4096,
	.simd_c_slots = 6,
	.simd_pipes = 4,
	.simd_operand_slots = 32,
	.simd_latency_slots = 144,
	.simd_access_slots = 48,
	.simd_load_slots = 32,
	.simd_result_slots = 48,
	.simd_w1_slots = 64,
	.xfer_slots = 1,
};

#undef TECHNOLOGY

const struct energy_machine *energy_reference(void)
{
	return &reference;
}

const struct energy_machine *energy_reference_array(void)
{
	return &reference_array;
}

struct range {
	const char *name;
	double value, min, max;
};

static int ranges_check(const struct range *all, unsigned count, struct err *e)
{
	for (unsigned i = 0; i < count; i++) {
		const struct range *r = &all[i];

		/* also fails for NaN */
		if (!(r->value >= r->min && r->value <= r->max))
			return err_set(e, STATUS_USAGE, "energy: %s: %g is out of range, expected %g to %g", r->name,
				       r->value, r->min, r->max);
	}
	return 0;
}

static int simd_check(const struct energy_machine *m, struct err *e)
{
	const double many = 1 << 20, bytes = 1e12;
	const double present = m->simd_pes != 0; /* all dimensions of an absent array are 0 */
	const double divides = m->simd_dividers != 0, integer = m->simd_integer != 0;
	const struct range all[] = {
		{"simd_pes", m->simd_pes, 0, 1024},
		{"simd_arith_pipes", m->simd_arith_pipes, present, 16 * present},
		{"simd_load_pipes", m->simd_load_pipes, present, 16 * present},
		{"simd_store_pipes", m->simd_store_pipes, present, 16 * present},
		{"simd_latency", m->simd_latency, present, 1024 * present},
		{"simd_move_cycles", m->simd_move_cycles, present, 1024 * present},
		{"simd_add_cycles", m->simd_add_cycles, present, 1024 * present},
		{"simd_cmp_cycles", m->simd_cmp_cycles, present, 1024 * present},
		{"simd_mul_cycles", m->simd_mul_cycles, present, 1024 * present},
		{"simd_fma_cycles", m->simd_fma_cycles, present, 1024 * present},
		{"simd_cross_cycles", m->simd_cross_cycles, 0, 1024 * present},
		{"simd_hop_cycles", m->simd_hop_cycles, 0, 1024 * present},
		{"simd_dividers", m->simd_dividers, 0, 1024 * present},
		{"simd_div_s_cycles", m->simd_div_s_cycles, divides, 1024 * divides},
		{"simd_div_d_cycles", m->simd_div_d_cycles, divides, 1024 * divides},
		{"simd_sqrt_s_cycles", m->simd_sqrt_s_cycles, divides, 1024 * divides},
		{"simd_sqrt_d_cycles", m->simd_sqrt_d_cycles, divides, 1024 * divides},
		{"simd_integer", m->simd_integer, 0, present},
		{"simd_int_cycles", m->simd_int_cycles, integer, 1024 * integer},
		{"simd_int_mul_cycles", m->simd_int_mul_cycles, integer, 1024 * integer},
		{"simd_single", m->simd_single, 0, present},
		{"simd_index_ports", m->simd_index_ports, 0, 32 * present},
		{"simd_index_cycles", m->simd_index_cycles, 0, 64 * (double)(m->simd_index_ports != 0)},
		{"sbm_cycles", m->sbm_cycles, present, 1024 * present},
		{"simd_c_cycles", m->simd_c_cycles, 0, 64 * present},
		{"simd_w1_cycles", m->simd_w1_cycles, 0, 64 * present},
		{"sbm_ports", m->sbm_ports, present, 16 * present},
		{"rs_simd_entries", (double)m->rs_simd_entries, present, many * present},
		{"sfub_entries", (double)m->sfub_entries, present, many * present},
		{"sfpr_entries", (double)m->sfpr_entries, present, many * present},
		{"sbm_port_bytes", m->sbm_port_bytes, present, 4096 * present},
		{"sbm_bytes", (double)m->sbm_bytes, present, bytes * present},
		{"sbm_words", (double)m->sbm_words, present, bytes * present},
		{"sbm_queue_entries", (double)m->sbm_queue_entries, 0, many * present},
		{"xfer_entries", (double)m->xfer_entries, 0, many * present},
		{"xfer_buffer_words", (double)m->xfer_buffer_words, 0, many * present},
	};

	return ranges_check(all, sizeof(all) / sizeof(all[0]), e);
}

/* Checks cycles, ways and the like: whole numbers by which a path or an array divides, of 1 or more. */
static int counts_check(const struct energy_machine *m, struct err *e)
{
	const double many = 1 << 20;
#define ONE_OR_MORE(field) \
	{ \
#field, (double)m->field, 1, many \
	}
	const struct range all[] = {
		ONE_OR_MORE(fetch_stages),    ONE_OR_MORE(predict_stages),   ONE_OR_MORE(decode_stages),
		ONE_OR_MORE(commit_stages),   ONE_OR_MORE(int_alu_cycles),   ONE_OR_MORE(int_mul_cycles),
		ONE_OR_MORE(int_div_cycles),  ONE_OR_MORE(branch_cycles),    ONE_OR_MORE(vis_cycles),
		ONE_OR_MORE(fp_move_cycles),  ONE_OR_MORE(fp_add_cycles),    ONE_OR_MORE(fp_cmp_cycles),
		ONE_OR_MORE(fp_mul_cycles),   ONE_OR_MORE(fp_fma_cycles),    ONE_OR_MORE(fp_div_s_cycles),
		ONE_OR_MORE(fp_div_d_cycles), ONE_OR_MORE(fp_sqrt_s_cycles), ONE_OR_MORE(fp_sqrt_d_cycles),
		ONE_OR_MORE(load_cycles),     ONE_OR_MORE(fp_load_cycles),   ONE_OR_MORE(hit_cycles),
		ONE_OR_MORE(forward_cycles),  ONE_OR_MORE(l2_cycles),        ONE_OR_MORE(bht_ways),
		ONE_OR_MORE(pht_read_bits),   ONE_OR_MORE(target_read_bits), ONE_OR_MORE(mtlb_ways),
		ONE_OR_MORE(l1d_banks),       ONE_OR_MORE(l1i_line_bytes),   ONE_OR_MORE(l1d_line_bytes),
	};
#undef ONE_OR_MORE

	return ranges_check(all, sizeof(all) / sizeof(all[0]), e);
}

/* Checks whole numbers that may be 0. */
static int none_or_more_check(const struct energy_machine *m, struct err *e)
{
	const double many = 1 << 20, tables = 1 << 26; /* of predictors: fifteen of 2^20 entries */
#define NONE_OR_MORE(field) \
	{ \
#field, (double)m->field, 0, many \
	}
	const struct range all[] = {
		NONE_OR_MORE(operand_stages),
		NONE_OR_MORE(mtlb_cycles),
		NONE_OR_MORE(fill_cycles),
		NONE_OR_MORE(l1i_miss_entries),
		NONE_OR_MORE(l1d_miss_entries),
		NONE_OR_MORE(l1d_victim_lines),
		NONE_OR_MORE(l2_miss_entries),
		NONE_OR_MORE(stream_entries),
		NONE_OR_MORE(stream_bits),
		NONE_OR_MORE(stream_search_bits),
		{"pht_words", (double)m->pht_words, 0, tables},
		{"target_words", (double)m->target_words, 0, tables},
		NONE_OR_MORE(dependence_words),
		NONE_OR_MORE(last_store_words),
		NONE_OR_MORE(writeback_entries),
		{"two", (double)m->two, 2, 2},
		{"l2_bus_bytes", m->l2_bus_bytes, 0, 1e6},
		{"memory_gbs", m->memory_gbs, 0, 1e9},
	};
#undef NONE_OR_MORE

	return ranges_check(all, sizeof(all) / sizeof(all[0]), e);
}

static int l3_check(const struct energy_machine *m, struct err *e)
{
	const double present = m->l3_slices != 0, many = 1 << 20;
	const struct range all[] = {
		{"l3_slices", m->l3_slices, 0, 4096},
		{"l3_slice_bytes", (double)m->l3_slice_bytes, present, 1e12 * present},
		{"l3_miss_entries", (double)m->l3_miss_entries, 0, many * present},
		{"l3_ends", (double)m->l3_ends, 0, many * present},
		{"l3_ways", m->l3_ways, present, 1024 * present},
		{"l3_cycles", m->l3_cycles, present, many * present},
		{"l3_bus_bytes", m->l3_bus_bytes, 0, 1e6 * present},
		{"directory_words", (double)m->directory_words, 0, 1e12 * present},
		{"directory_read_bits", (double)m->directory_read_bits, 0, many * present},
		{"l3_steps", m->l3_steps, 0, 4096 * present},
		{"l3_near_bytes", (double)m->l3_near_bytes, present, 1e12 * present},
	};

	return ranges_check(all, sizeof(all) / sizeof(all[0]), e);
}

static int dram_check(const struct energy_machine *m, struct err *e)
{
	const struct range all[] = {
		{"has_dram", m->has_dram, 0, 1},
		{"dram_activate_pj", m->dram_activate_pj, 0, 1e12},
		{"dram_read_pj", m->dram_read_pj, 0, 1e12},
		{"dram_write_pj", m->dram_write_pj, 0, 1e12},
		{"dram_open_pj", m->dram_open_pj, 0, 1e12},
		{"dram_idle_w", m->dram_idle_w, 0, 1e6},
		{"dram_refresh_w", m->dram_refresh_w, 0, 1e6},
	};

	return ranges_check(all, sizeof(all) / sizeof(all[0]), e);
}

static int technology_check(const struct technology *t, struct err *e)
{
#define TECHNOLOGY(name, value, least, most, unit, reading, doc, source) {#name, t->name, least, most},
	const struct range all[] = {
#include "technology.def"
	};
#undef TECHNOLOGY

	return ranges_check(all, sizeof(all) / sizeof(all[0]), e);
}

/* The user's own low and high values are on their sides of the likely ones. */
static int ends_check(const struct energy_machine *m, struct err *e)
{
#define TECHNOLOGY(name, value, least, most, unit, reading, doc, source) \
	{"technology.file: low of technology." #name, m->low.technology.name, 0, m->technology.name}, \
		{"technology.file: high of technology." #name, m->high.technology.name, \
		 m->high.technology.name > 0 ? m->technology.name : 0, most},
	const struct range all[] = {
#include "technology.def"
		{"technology.file: low of energy.latch_pj", m->low.latch_pj, 0, m->latch_pj},
		{"technology.file: high of energy.latch_pj", m->high.latch_pj, m->high.latch_pj > 0 ? m->latch_pj : 0,
		 100},
		{"technology.file: low of energy.leakage_w", m->low.leakage_w, 0, m->leakage_w},
		{"technology.file: high of energy.leakage_w", m->high.leakage_w,
		 m->high.leakage_w > 0 ? m->leakage_w : 0, 1000},
	};
#undef TECHNOLOGY

	return ranges_check(all, sizeof(all) / sizeof(all[0]), e);
}

/* The energy of a clocked latch has those of its parts: its tree, the latch alone, one that keeps its data. */
static int latch_check(const struct energy_machine *m, struct err *e)
{
	const struct technology *t = &m->technology;
	const struct range all[] = {
		{"technology.latch_tree_pj", t->latch_tree_pj, 0, t->latch_alone_pj},
		{"technology.latch_pin_pj + technology.latch_hold_pj", t->latch_pin_pj + t->latch_hold_pj, 0,
		 t->latch_alone_pj},
		{"energy.latch_pj", m->latch_pj, t->latch_tree_pj, 100},
	};

	return ranges_check(all, sizeof(all) / sizeof(all[0]), e);
}

/* The lowest supply that the model covers, V: delay has a pole at THRESHOLD_V. */
#define VOLTAGE_LEAST 0.3

/* Operating point, package and process. */
static int conditions_check(const struct energy_machine *m, struct err *e)
{
	const struct range all[] = {
		{"energy.design_frequency (Hz)", m->design_hz, 0, 1e12},
		{"energy.design_voltage (V)", m->design_voltage, m->design_voltage != 0 ? VOLTAGE_LEAST : 0, 3},
		{"energy.package (K/W)", m->package_k_w, 0, 1000},
		{"energy.ambient (K)", m->ambient_k, 200, 400},
		{"energy.peak_ratio", m->peak_ratio, 1, 10},
		{"energy.defects (1/cm2)", m->defects_cm2, 0, 1000},
		{"energy.clustering", m->clustering, 0, 1000},
		{"energy.sleep_leakage", m->sleep_leakage, 0, 1},
		{"energy.sleep_cost (cycles)", m->sleep_cost, 0, 1e9},
		{"energy.period (s)", m->period_s, 0, 1e9},
	};

	return ranges_check(all, sizeof(all) / sizeof(all[0]), e) ? -1 : point_check(m, e);
}

int machine_check(const struct energy_machine *m, struct err *e)
{
	const double many = 1 << 20, bytes = 1e12;
	const struct range all[] = {
		{"frequency (Hz)", m->frequency_hz, 1e3, 1e12},
		{"voltage (V)", m->voltage, VOLTAGE_LEAST, 3},
		{"node (nm)", m->node_nm, 5, 500},
		{"temperature (K)", m->temperature_k, 250, JUNCTION_MAX_K},
		{"gating", m->gating, 0, GATING_COUNT - 1},
		{"clock_tree", m->clock_tree, 0, TREE_COUNT - 1},
		{"split", m->split, 0, SPLIT_COUNT - 1},
		{"cores", m->cores, 1, 4096},
		{"leakage_w", m->leakage_w, 0, 1000},
		{"one", m->one, 1, 1},
		{"fetch_groups", m->fetch_groups, 1, 64},
		{"decode_width", m->decode_width, 1, 64},
		{"decode_entry_slots", m->decode_entry_slots, 0, 4096},
		{"int_pipes", m->int_pipes, 1, 64},
		{"fp_pipes", m->fp_pipes, 1, 64},
		{"fp_latency_slots", m->fp_latency_slots, 1, 65536},
		{"address_pipes", m->address_pipes, 1, 64},
		{"result_buses", m->result_buses, 1, 256},
		{"commit_width", m->commit_width, 1, 64},
		{"ibuffer_entries", (double)m->ibuffer_entries, 1, many},
		{"bht_entries", (double)m->bht_entries, 0, bytes},
		{"ras_entries", (double)m->ras_entries, 0, many},
		{"itlb_entries", (double)m->itlb_entries, 0, many},
		{"dtlb_entries", (double)m->dtlb_entries, 0, many},
		{"mtlb_entries", (double)m->mtlb_entries, 0, many},
		{"l1i_bytes", (double)m->l1i_bytes, 1, bytes},
		{"l1d_bytes", (double)m->l1d_bytes, 1, bytes},
		{"l2_bytes", (double)m->l2_bytes, 0, bytes},
		{"rob_entries", (double)m->rob_entries, 1, many},
		{"rs_int_entries", (double)m->rs_int_entries, 1, many},
		{"rs_fp_entries", (double)m->rs_fp_entries, 1, many},
		{"rs_addr_entries", (double)m->rs_addr_entries, 1, many},
		{"rs_br_entries", (double)m->rs_br_entries, 1, many},
		{"gub_entries", (double)m->gub_entries, 1, many},
		{"fub_entries", (double)m->fub_entries, 1, many},
		{"gpr_entries", (double)m->gpr_entries, 1, many},
		{"fpr_entries", (double)m->fpr_entries, 1, many},
		{"load_queue", (double)m->load_queue, 1, many},
		{"store_queue", (double)m->store_queue, 1, many},
		{"l1i_ways", m->l1i_ways, 1, 1024},
		{"l1d_ways", m->l1d_ways, 1, 1024},
		{"l1i_ways_read", m->l1i_ways_read, 1, m->l1i_ways},
		{"l1d_ways_read", m->l1d_ways_read, 1, m->l1d_ways},
		{"l2_ways", m->l2_ways, 1, 1024},
		{"line_bytes", m->line_bytes, 1, 65536},
		{"fetch_bytes", m->fetch_bytes, 4, 4096},
	};

	if (l3_check(m, e) || dram_check(m, e) || technology_check(&m->technology, e) || latch_check(m, e) ||
	    ranges_check(all, sizeof(all) / sizeof(all[0]), e) || counts_check(m, e) || none_or_more_check(m, e) ||
	    simd_check(m, e) || ends_check(m, e))
		return -1;
	return conditions_check(m, e);
}

void energy_simd_slots(struct energy_machine *m)
{
	unsigned pes = m->simd_pes;

	m->simd_pipes = m->simd_arith_pipes + m->simd_load_pipes + m->simd_store_pipes;
	m->simd_c_slots = (m->decode_width + m->address_pipes) * m->simd_c_cycles;
	/* a load reads an index where it may have one */
	m->simd_operand_slots = pes * (m->simd_arith_pipes + m->simd_store_pipes) +
				(m->simd_index_ports ? pes * m->simd_load_pipes : 0);
	m->simd_latency_slots = pes * m->simd_arith_pipes * m->simd_latency + m->simd_dividers;
	m->simd_access_slots = pes * (m->simd_load_pipes + m->simd_store_pipes);
	m->simd_load_slots = pes * m->simd_load_pipes;
	m->simd_result_slots = pes * (m->simd_arith_pipes + m->simd_load_pipes);
	m->simd_w1_slots = pes * m->commit_width * m->simd_w1_cycles;
	m->xfer_slots = pes != 0;
	m->sbm_words = m->sbm_port_bytes ? m->sbm_bytes / m->sbm_port_bytes : 0;
}
