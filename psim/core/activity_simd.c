/* Converts the array's counters to the energy model's activity: for all PEs, but C, P and transfers once. */
#include "core_state.h"

static unsigned most(unsigned a, unsigned b)
{
	return a > b ? a : b;
}

/* Cycles for which a PE's numbers are in a divider. */
static uint64_t divider_cycles(const struct counts *k)
{
	const uint64_t *n = &k->stats.selected_class[CLASS_COUNT];
	const struct simd_params *p = &k->cfg->simd;

	return n[CLASS_FP_DIV_S] * p->latency_div_s + n[CLASS_FP_DIV_D] * p->latency_div_d +
	       n[CLASS_FP_SQRT_S] * p->latency_sqrt_s + n[CLASS_FP_SQRT_D] * p->latency_sqrt_d;
}

/*
 * Cycles of all arithmetic operations of a PE in X, or in a divider, which has X's latches too. A sum over the PEs is
 * pes - 1 additions, distributed over them; only a PE's own are counted here.
 */
static uint64_t execute_slots(const struct counts *k)
{
	const uint64_t *n = &k->stats.selected_class[CLASS_COUNT];
	const struct simd_params *p = &k->cfg->simd;

	return (n[CLASS_FP_MOVE] + n[CLASS_VIS] + n[CLASS_SIMD_GET] + n[CLASS_SIMD_PUT]) * p->latency_move +
	       (n[CLASS_FP_ADD] + n[CLASS_FP_CONVERT] + n[CLASS_SIMD_ADD2]) * p->latency_add +
	       (n[CLASS_FP_MUL] + n[CLASS_SIMD_MUL2]) * p->latency_mul +
	       (n[CLASS_FP_FMA] + n[CLASS_SIMD_FMA2]) * p->latency_fma + n[CLASS_FP_CMP] * p->latency_cmp +
	       n[CLASS_SIMD_INT] * p->latency_int + n[CLASS_SIMD_INT_MUL] * p->latency_int_mul +
	       k->stats.simd_cross * p->cross_cycles + divider_cycles(k);
}

/* Loads of each PE at an index of its own. */
static uint64_t gathers(const struct counts *k)
{
	return k->stats.selected_class[CLASS_COUNT + CLASS_SIMD_GATHER];
}

static void activity_simd_count_stages(const struct counts *k, uint64_t arithmetic, struct activity *a)
{
	const struct core_stats *s = &k->stats;
	const struct simd_params *p = &k->cfg->simd;
	uint64_t pes = p->pes, values = s->simd_addresses + s->simd_broadcasts + s->simd_scalar_stores;
	uint64_t loads = s->simd_loads + s->simd_broadcasts;

	a->moved[STAGE_simd_c] = (s->simd_dispatched + values - s->simd_pe_broadcasts) * p->c_cycles;
	a->moved[STAGE_simd_p] = arithmetic + loads + s->simd_stores;
	a->moved[STAGE_simd_b] = (arithmetic + s->simd_stores + gathers(k)) * pes;
	a->moved[STAGE_simd_x] = execute_slots(k) * pes +
				 s->selected_class[CLASS_COUNT + CLASS_SIMD_REDUCE] * (pes - 1) * p->latency_add;
	a->moved[STAGE_simd_s] = (s->simd_loads + s->simd_stores) * pes;
	a->moved[STAGE_simd_sd] = loads * pes;
	a->moved[STAGE_simd_u] = a->moved[STAGE_simd_w] = s->simd_results * pes;
	a->moved[STAGE_simd_w1] = s->simd_committed * p->w1_cycles * pes;
	a->moved[STAGE_xfer] = s->simd_transfer_lines;
}

static void count_arrays(const struct counts *k, uint64_t arithmetic, struct activity *a)
{
	const struct core_stats *s = &k->stats;
	const struct memsys_stats *m = &k->memory;
	uint64_t pes = k->cfg->simd.pes, port = k->cfg->simd.sbm_port_bytes;
	uint64_t scalar_loads = s->simd_scalar_loads + s->simd_pe_broadcasts;
	uint64_t scalar_stores = s->simd_scalar_stores + s->simd_all_stores * (pes - 1);
	uint64_t bytes = s->simd_get_bytes + s->simd_put_bytes;

	a->reads[ARRAY_rs_simd] = arithmetic + s->simd_loads + s->simd_broadcasts + s->simd_stores;
	a->writes[ARRAY_rs_simd] = s->simd_dispatched;
	/* half of the operands come from the rename buffer, half from the registers */
	a->reads[ARRAY_sfub] = (s->simd_sources / 2 + s->simd_results) * pes;
	a->writes[ARRAY_sfub] = s->simd_results * pes;
	a->reads[ARRAY_sfpr] = (s->simd_sources - s->simd_sources / 2) * pes;
	a->writes[ARRAY_sfpr] = s->simd_results * pes;
	a->reads[ARRAY_sbm] = s->simd_loads * pes + scalar_loads + s->simd_put_bytes / port;
	a->writes[ARRAY_sbm] = s->simd_stores * pes + scalar_stores + s->simd_get_bytes / port +
			       s->simd_spread_bytes / port * (pes - 1);
	a->reads[ARRAY_sbm_queue] = s->simd_loads * pes + scalar_loads;
	a->writes[ARRAY_sbm_queue] = s->simd_stores * pes + scalar_stores;
	a->reads[ARRAY_xfer_queue] = s->simd_transfer_lines;
	a->writes[ARRAY_xfer_queue] = s->simd_gets + s->simd_puts;
	a->reads[ARRAY_xfer_buffer] = a->writes[ARRAY_xfer_buffer] = bytes / 8;
	a->reads[ARRAY_memory] += m->transfer_reads;
	a->writes[ARRAY_memory] += m->transfer_writes;
	a->reads[ARRAY_l2] += m->transfer_l2_reads * k->cfg->l2.line_bytes / 64;
}

/* Cycles of dividers; words that go to shared ones and back. */
static void count_divisions(const struct counts *k, struct activity *a)
{
	const uint64_t *n = &k->stats.selected_class[CLASS_COUNT];
	const struct simd_params *p = &k->cfg->simd;
	uint64_t divisions = n[CLASS_FP_DIV_S] + n[CLASS_FP_DIV_D], roots = n[CLASS_FP_SQRT_S] + n[CLASS_FP_SQRT_D];

	a->ops[EOP_simd_div] = p->pes * divider_cycles(k);
	if (p->divide == SIMD_DIVIDE_SHARED)
		a->ops[EOP_simd_reach] += p->pes * (3 * divisions + 2 * roots);
}

static void count_operations(const struct counts *k, struct activity *a)
{
	const uint64_t *n = &k->stats.selected_class[CLASS_COUNT];
	const struct core_stats *s = &k->stats;
	uint64_t pes = k->cfg->simd.pes, to_one = n[CLASS_SIMD_GET] + n[CLASS_SIMD_PUT];

	a->ops[EOP_simd_move] = (n[CLASS_FP_MOVE] + n[CLASS_VIS]) * pes + to_one;
	a->ops[EOP_simd_add] =
		(n[CLASS_FP_ADD] + n[CLASS_FP_CONVERT] + n[CLASS_FP_CMP]) * pes + n[CLASS_SIMD_REDUCE] * (pes - 1);
	a->ops[EOP_simd_mul] = n[CLASS_FP_MUL] * pes;
	a->ops[EOP_simd_fma] = n[CLASS_FP_FMA] * pes;
	a->ops[EOP_simd_int] = n[CLASS_SIMD_INT] * pes;
	a->ops[EOP_simd_int_mul] = n[CLASS_SIMD_INT_MUL] * pes;
	a->ops[EOP_simd_add2] = n[CLASS_SIMD_ADD2] * pes;
	a->ops[EOP_simd_mul2] = n[CLASS_SIMD_MUL2] * pes;
	a->ops[EOP_simd_fma2] = n[CLASS_SIMD_FMA2] * pes;
	a->ops[EOP_simd_index] = (gathers(k) + n[CLASS_SIMD_SCATTER]) * pes;
	a->ops[EOP_simd_cross] = s->simd_cross * pes;
	a->ops[EOP_simd_send] = s->simd_dispatched;
	a->ops[EOP_simd_offset] = s->simd_addresses;
	a->ops[EOP_simd_word] = s->simd_broadcasts + s->simd_all_stores + s->simd_spread_bytes / 8;
	a->ops[EOP_simd_done] = s->simd_committed;
	a->ops[EOP_simd_reach] =
		to_one + s->simd_scalar_loads + s->simd_pe_broadcasts + s->simd_scalar_stores - s->simd_all_stores;
	a->ops[EOP_simd_reduce] = n[CLASS_SIMD_REDUCE];
	a->ops[EOP_xfer_word] = (s->simd_get_bytes + s->simd_put_bytes - s->simd_spread_bytes) / 8;
	count_divisions(k, a);
}

void simd_activity(const struct counts *k, struct activity *a)
{
	uint64_t arithmetic = 0;

	for (unsigned n = CLASS_COUNT; n < CORE_CLASSES; n++)
		if (uop_class_unit(n) == EXEC_SIMD)
			arithmetic += k->stats.selected_class[n];
	a->asleep = k->stats.simd_asleep;
	a->sleeps = k->stats.simd_sleeps;
	activity_simd_count_stages(k, arithmetic, a);
	count_arrays(k, arithmetic, a);
	count_operations(k, a);
	/* of the array's loads, only broadcasts use L1D's pipeline */
	a->moved[STAGE_bs] = a->moved[STAGE_rs] = k->memory.l1d_loads;
}

/* The units beside dividers and comparisons. */
static void unit_machine(const struct simd_params *p, struct energy_machine *out)
{
	if (p->integer) {
		out->simd_integer = 1;
		out->simd_int_cycles = p->latency_int;
		out->simd_int_mul_cycles = p->latency_int_mul;
		out->simd_latency = most(out->simd_latency, most(p->latency_int, p->latency_int_mul));
	}
	out->simd_single = p->single;
	if (p->gather) {
		out->simd_index_ports = p->load_pipes + p->store_pipes;
		out->simd_index_cycles = p->gather_cycles;
	}
}

static void divider_machine(const struct simd_params *p, struct energy_machine *out)
{
	out->simd_dividers = p->divide == SIMD_DIVIDE_SHARED ? p->dividers : p->pes;
	out->simd_div_s_cycles = p->latency_div_s;
	out->simd_div_d_cycles = p->latency_div_d;
	out->simd_sqrt_s_cycles = p->latency_sqrt_s;
	out->simd_sqrt_d_cycles = p->latency_sqrt_d;
}

void simd_energy_machine(const struct core_config *cfg, struct energy_machine *out)
{
	const struct simd_params *p = &cfg->simd;

	out->simd_pes = p->pes;
	out->simd_arith_pipes = p->arithmetic_pipes;
	out->simd_load_pipes = p->load_pipes;
	out->simd_store_pipes = p->store_pipes;
	out->simd_latency =
		most(most(p->latency_fma, p->latency_mul), most(p->latency_add, p->latency_move)) + p->cross_cycles;
	if (p->select)
		out->simd_latency = most(out->simd_latency, p->latency_cmp);
	out->simd_move_cycles = p->latency_move;
	out->simd_add_cycles = p->latency_add;
	out->simd_cmp_cycles = p->select ? p->latency_cmp : p->latency_add;
	out->simd_mul_cycles = p->latency_mul;
	out->simd_fma_cycles = p->latency_fma;
	out->simd_cross_cycles = p->cross_cycles;
	out->simd_hop_cycles = p->hop_cycles;
	if (p->divide != SIMD_DIVIDE_NONE)
		divider_machine(p, out);
	unit_machine(p, out);
	out->sbm_cycles = p->sbm_latency;
	out->simd_c_cycles = p->c_cycles;
	out->simd_w1_cycles = p->w1_cycles;
	out->sbm_ports = p->sbm_ports;
	out->sbm_port_bytes = p->sbm_port_bytes;
	out->rs_simd_entries = p->rs_entries;
	out->sfub_entries = p->sfub_entries;
	out->sfpr_entries = SIMD_REGISTERS;
	out->sbm_bytes = p->sbm_bytes;
	out->sbm_queue_entries = (uint64_t)cfg->lsu.store_queue + p->store_buffer;
	out->xfer_entries = p->transfers;
	out->xfer_buffer_words = (uint64_t)p->transfer_buffers * cfg->l2.line_bytes / 8;
	energy_simd_slots(out);
}
