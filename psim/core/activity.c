/* Converts the core's counters to the energy model's activity. */
#include "core_state.h"
#include "../memory/prefetch.h"
#include "../memory/replacement.h"
#include "../bpred/bpred.h"

/* Operations of each functional unit, from the selections by class. */
static void count_ops(const struct counts *k, struct activity *a)
{
	const uint64_t *n = k->stats.selected_class, *simd = n + CLASS_COUNT;

	for (unsigned class = 0; class < CLASS_COUNT; class ++) {
		unsigned each, op = uop_class_op(class, &each, &k->cfg->latency);

		if (op < EOP_COUNT)
			a->ops[op] += n[class] * each;
	}
	/* the address pipes serve the PEs too */
	a->ops[EOP_address] +=
		simd[CLASS_FP_LOAD] + simd[CLASS_FP_STORE] + simd[CLASS_SIMD_GATHER] + simd[CLASS_SIMD_SCATTER];
}

/* Selections by unit, from those by class. */
static void selected_by_unit(const uint64_t *by_class, uint64_t *unit)
{
	memset(unit, 0, EXEC_COUNT * sizeof(*unit));
	for (unsigned n = 0; n < CORE_CLASSES; n++)
		unit[uop_class_unit(n)] += by_class[n];
}

/* Cycles of all FP operations in X, each of whose stages has latches. */
static uint64_t fp_execute_slots(const struct counts *k)
{
	uint64_t slots = 0;

	for (unsigned n = 0; n < CLASS_COUNT; n++)
		if (uop_class_unit(n) == EXEC_FP)
			slots += k->stats.selected_class[n] * uop_class_latency(n, &k->cfg->latency);
	return slots;
}

/* Fetch groups that went through IA to IR; on wrong paths estimated, or counted. */
static uint64_t all_groups(const struct counts *k)
{
	const struct core_stats *s = &k->stats;

	return s->fetch_groups + s->wrong_path_groups + s->path_groups + s->refetch_groups;
}

static void activity_count_stages(const struct counts *k, struct activity *a)
{
	const struct core_stats *s = &k->stats;
	const uint64_t *n = s->selected_class;
	uint64_t unit[EXEC_COUNT];
	uint64_t groups = all_groups(k);
	uint64_t decoded = s->dispatched + s->annulled_slots;

	selected_by_unit(n, unit);
	a->moved[STAGE_ia] = a->moved[STAGE_it] = a->moved[STAGE_im] = groups;
	a->moved[STAGE_ib] = a->moved[STAGE_ir] = groups;
	a->moved[STAGE_e] = decoded * (k->cfg->decode.stages - 1);
	a->moved[STAGE_d] = decoded;
	a->stalled[STAGE_e] = s->stalled_e;
	a->stalled[STAGE_d] = s->stalled_d;
	a->moved[STAGE_p_int] = a->moved[STAGE_b_int] = unit[EXEC_INT];
	a->moved[STAGE_p_fp] = a->moved[STAGE_b_fp] = unit[EXEC_FP];
	a->moved[STAGE_p_addr] = a->moved[STAGE_b_addr] = a->moved[STAGE_x_addr] = unit[EXEC_ADDR];
	a->moved[STAGE_p_br] = a->moved[STAGE_x_br] = unit[EXEC_BR];
	/* Integer operations count one cycle of X; longer ones include the rest in their operation's energy. */
	a->moved[STAGE_x_int] = unit[EXEC_INT];
	a->moved[STAGE_x_fp] = fp_execute_slots(k);
	a->moved[STAGE_ps] = a->moved[STAGE_ts] = a->moved[STAGE_ms] = s->address_accesses;
	a->moved[STAGE_bs] = a->moved[STAGE_rs] = s->loads;
	a->moved[STAGE_u] = s->int_results + s->fp_results;
	a->moved[STAGE_w] = s->instructions + s->trap_instructions;
}

/* Bytes of one access in energy/array.def. */
enum { L1D_ACCESS_BYTES = 16, L2_ACCESS_BYTES = 64 };

/* Bytes a cycle between L1 and L2, at least one. */
static double l2_bus_bytes(const struct core_config *cfg)
{
	double bytes = core_bytes_per_cycle(cfg, &cfg->l2.bandwidth);

	return bytes > 1 ? bytes : 1;
}

static double l3_bus_bytes(const struct core_config *cfg)
{
	double bytes = core_bytes_per_cycle(cfg, &cfg->l3.bandwidth);

	return bytes > 1 ? bytes : 1;
}

static bool has_directory(const struct core_config *cfg)
{
	return cfg->l3.size && cfg->chip.cores > 1 && cfg->chip.sharing != SHARING_NONE;
}

/* Accesses of an L3 that lines go through, but not lines from memory into an exclusive one. */
static void count_l3(const struct counts *k, struct activity *a)
{
	const struct memsys_stats *m = &k->memory;
	const struct core_config *cfg = k->cfg;
	const bool exclusive = cfg->l3.inclusion == INCLUSION_NONE;
	uint64_t line = cfg->l2.line_bytes;
	uint64_t served = exclusive ? m->l3_hits + m->l3_merged : m->l3_accesses;
	uint64_t moved = m->l3_accesses + m->l3_transfer_reads + m->l3_victims + m->coherence_transfers;

	a->reads[ARRAY_l3] = (served + m->l3_transfer_reads + m->l3_writebacks) * line / L2_ACCESS_BYTES;
	a->writes[ARRAY_l3] =
		(m->l3_victims + m->coherence_transfers + (exclusive ? 0 : m->l3_misses)) * line / L2_ACCESS_BYTES;
	a->reads[ARRAY_l3_miss] = m->l3_accesses;
	a->writes[ARRAY_l3_miss] = m->l3_misses;
	a->ops[EOP_l3_step] = m->l3_steps;
	if (has_directory(cfg)) {
		a->reads[ARRAY_directory] = m->l3_accesses + m->l3_transfer_reads + m->coherence_upgrades;
		a->writes[ARRAY_directory] = m->l3_accesses + m->l3_victims;
	}
	a->writes[ARRAY_l3_bus] = (uint64_t)((double)(moved * line) / l3_bus_bytes(cfg));
}

/* Each line that L1D displaces goes to its victim cache, and dirty ones from there to L2; hits there are swaps. */
static void count_victims(const struct counts *k, struct activity *a)
{
	const struct memsys_stats *m = &k->memory;
	uint64_t beats = k->cfg->l1d.line_bytes / L1D_ACCESS_BYTES;

	a->reads[ARRAY_l1d] = m->l1d_loads + m->victim_inserted * beats;
	a->writes[ARRAY_l1d] += m->victim_hits * beats;
	a->reads[ARRAY_l1d_victim_tags] = m->l2_data_accesses + m->victim_hits;
	a->writes[ARRAY_l1d_victim_tags] = a->writes[ARRAY_l1d_victims] = m->victim_inserted;
	a->reads[ARRAY_l1d_victims] = m->victim_hits + m->l1d_writebacks;
}

static void count_caches(const struct counts *k, struct activity *a)
{
	const struct memsys_stats *m = &k->memory;
	const struct bpred_stats *b = &k->branch;
	const struct core_config *cfg = k->cfg;
	struct bpred_storage predictor;
	uint64_t data = m->l2_data_accesses * cfg->l1d.line_bytes, back = m->l1d_writebacks * cfg->l1d.line_bytes;
	uint64_t code = m->l2_instruction_accesses * cfg->l1i.line_bytes;
	uint64_t misses = m->l2_data_accesses + m->l2_instruction_accesses;
	uint64_t fills = cfg->l3.size ? m->l3_accesses : m->memory_reads;
	uint64_t written = m->l2_writebacks + m->l3_writebacks; /* to memory */

	a->reads[ARRAY_bht] = all_groups(k);
	a->writes[ARRAY_bht] = b->branches;
	a->reads[ARRAY_ras] = b->ras_pops;
	a->writes[ARRAY_ras] = b->ras_pushes;
	a->reads[ARRAY_itlb] = m->l1i_accesses;
	a->writes[ARRAY_itlb] = m->itlb_misses;
	a->reads[ARRAY_dtlb] = k->stats.address_accesses;
	a->writes[ARRAY_dtlb] = m->dtlb_misses;
	a->reads[ARRAY_mtlb] = m->itlb_misses + m->dtlb_misses;
	a->writes[ARRAY_mtlb] = m->itlb_walks + m->dtlb_walks;
	a->reads[ARRAY_l1i] = m->l1i_accesses + k->stats.wrong_path_groups + k->stats.refetch_groups;
	a->writes[ARRAY_l1i] = m->l2_instruction_accesses;
	a->reads[ARRAY_l1d] = m->l1d_loads + back / L1D_ACCESS_BYTES;
	a->writes[ARRAY_l1d] = m->l1d_stores + data / L1D_ACCESS_BYTES;
	a->reads[ARRAY_l2] = (data + code + (m->l2_writebacks + m->l3_victims) * cfg->l2.line_bytes) / L2_ACCESS_BYTES;
	a->writes[ARRAY_l2] = (back + fills * cfg->l2.line_bytes) / L2_ACCESS_BYTES;
	a->reads[ARRAY_l1i_miss] = a->writes[ARRAY_l1i_miss] = m->l2_instruction_accesses;
	a->reads[ARRAY_l1d_miss] = a->writes[ARRAY_l1d_miss] = m->l2_data_accesses;
	a->reads[ARRAY_l2_miss] = misses; /* each miss searches the miss buffers */
	a->writes[ARRAY_l2_miss] = fills;
	a->reads[ARRAY_writeback] = a->writes[ARRAY_writeback] = written;
	a->reads[ARRAY_streams] = cfg->prefetch.enabled ? m->l2_data_accesses : 0;
	a->writes[ARRAY_streams] = m->hw_prefetches;
	a->writes[ARRAY_l2_bus] = (uint64_t)((double)(data + code + back) / l2_bus_bytes(cfg));
	bpred_storage(&cfg->bpred, &predictor);
	a->reads[ARRAY_pht] = predictor.bits ? a->reads[ARRAY_bht] : 0;
	a->writes[ARRAY_pht] = predictor.bits ? b->branches : 0;
	a->reads[ARRAY_targets] = a->writes[ARRAY_targets] = predictor.target_bits ? b->indirect : 0;
	a->reads[ARRAY_memory] = m->memory_reads;
	a->writes[ARRAY_memory] = written;
	a->reads[ARRAY_dram_row] = m->dram_activates;
	a->reads[ARRAY_dram_burst] = m->dram_read_bursts;
	a->writes[ARRAY_dram_burst] = m->dram_write_bursts;
	a->reads[ARRAY_dram_open] = m->dram_active_clocks;
	if (cfg->l3.size)
		count_l3(k, a);
	if (cfg->l1d.victim_lines)
		count_victims(k, a);
	a->reads[ARRAY_l1i] += m->way_fetch_wrong;
	a->reads[ARRAY_l1d] += m->way_wrong;
}

static void count_window(const struct counts *k, struct activity *a)
{
	const struct core_stats *s = &k->stats;
	const uint64_t *n = s->selected_class, *simd = n + CLASS_COUNT;
	uint64_t unit[EXEC_COUNT];

	selected_by_unit(n, unit);

	a->writes[ARRAY_ibuffer] = s->fetch_groups + s->path_groups + s->refetch_groups;
	a->reads[ARRAY_ibuffer] = (s->dispatched + s->annulled_slots) / k->cfg->decode.width;
	a->writes[ARRAY_rob] = s->dispatched * 2; /* at dispatch and at completion */
	a->reads[ARRAY_rob] = s->instructions + s->trap_instructions;
	a->reads[ARRAY_rs_int] = a->writes[ARRAY_rs_int] = unit[EXEC_INT];
	a->reads[ARRAY_rs_fp] = a->writes[ARRAY_rs_fp] = unit[EXEC_FP];
	a->reads[ARRAY_rs_addr] = a->writes[ARRAY_rs_addr] = unit[EXEC_ADDR];
	a->reads[ARRAY_rs_br] = a->writes[ARRAY_rs_br] = unit[EXEC_BR];
	/* Half of the operands come from the rename buffer, half from the architectural file. */
	a->reads[ARRAY_gub] = s->int_sources / 2 + s->int_results;
	a->writes[ARRAY_gub] = s->int_results;
	a->reads[ARRAY_gpr] = s->int_sources - s->int_sources / 2;
	a->writes[ARRAY_gpr] = s->int_results;
	a->reads[ARRAY_fub] = s->fp_sources / 2 + s->fp_results;
	a->writes[ARRAY_fub] = s->fp_results;
	a->reads[ARRAY_fpr] = s->fp_sources - s->fp_sources / 2;
	a->writes[ARRAY_fpr] = s->fp_results;
	a->writes[ARRAY_load_queue] =
		n[CLASS_LOAD] + n[CLASS_FP_LOAD] + n[CLASS_ATOMIC] + simd[CLASS_FP_LOAD] + simd[CLASS_SIMD_GATHER];
	a->reads[ARRAY_load_queue] = s->loads;
	a->writes[ARRAY_store_queue] = 2 * (n[CLASS_STORE] + n[CLASS_FP_STORE] + n[CLASS_ATOMIC] +
					    simd[CLASS_FP_STORE] + simd[CLASS_SIMD_SCATTER]);
	a->reads[ARRAY_store_queue] = s->loads + s->stores; /* each load searches it; each store is read from it */
}

/*
 * The predictor of memory dependences: each selection of a load reads it, with store sets of a store too, as if each
 * had a set; a violation writes the entries of both. The addresses of stores are compared with those of the loads in
 * flight.
 */
static void count_dependences(const struct counts *k, struct activity *a)
{
	const uint64_t *n = k->stats.selected_class;
	uint64_t loads = n[CLASS_LOAD] + n[CLASS_FP_LOAD], stores = n[CLASS_STORE] + n[CLASS_FP_STORE];
	struct memdep_storage has;

	memdep_storage(k->cfg, &has);
	if (!has.set_entries)
		return;
	a->reads[ARRAY_load_queue] += stores;
	a->reads[ARRAY_dependences] = loads + (has.stores ? stores : 0);
	a->writes[ARRAY_dependences] = k->stats.order_violations * (has.stores ? 2 : 1);
	if (!has.last_entries)
		return;
	a->reads[ARRAY_last_stores] = loads + stores;
	a->writes[ARRAY_last_stores] = 2 * stores; /* when it is fetched, and when its address is known */
}

void counts_activity(const struct counts *k, struct activity *out)
{
	memset(out, 0, sizeof(*out));
	out->cycles = k->stats.cycles;
	count_ops(k, out);
	activity_count_stages(k, out);
	count_caches(k, out);
	count_window(k, out);
	count_dependences(k, out);
	if (k->array)
		simd_activity(k, out);
}

void core_counts(const struct core *c, struct counts *out)
{
	out->cfg = c->cfg;
	out->array = c->array;
	out->stats = c->counters.stats;
	out->memory = *memsys_stats(c->mem);
	out->branch = *bpred_stats(c->bpred);
}

void core_activity(const struct core *c, struct activity *out)
{
	struct counts k;

	core_counts(c, &k);
	counts_activity(&k, out);
}

/* The tables of each kind of predictor: none for not_taken, and none for perfect, which cannot be built. */
static void predictor_machine(const struct core_config *cfg, struct energy_machine *out)
{
	const struct bpred_params *p = &cfg->bpred;
	struct bpred_storage has;

	bpred_storage(p, &has);
	out->bht_entries = has.built ? p->entries : 0;
	out->bht_ways = p->ways;
	out->pht_words = (has.bits + BPRED_WORD_BITS - 1) / BPRED_WORD_BITS;
	out->pht_read_bits = has.read_bits;
	out->target_words = (has.target_bits + BPRED_WORD_BITS - 1) / BPRED_WORD_BITS;
	out->target_read_bits = has.target_read_bits;
	out->ras_entries = has.built ? p->ras_entries : 0;
}

static void dependence_machine(const struct core_config *cfg, struct energy_machine *out)
{
	struct memdep_storage has;

	memdep_storage(cfg, &has);
	out->dependence_words = (has.set_entries * has.set_bits + 63) / 64;
	out->last_store_words = (has.last_entries * has.last_bits + 63) / 64;
}

/*
 * Energies of memory of banks and rows from the currents of its data sheet, as Micron's TN-41-01 has them: what an
 * operation draws above the current of what goes on without it. Milliamperes, volts and nanoseconds make picojoules.
 */
static void dram_machine(const struct core_config *cfg, struct energy_machine *out)
{
	const struct dram_params *d = &cfg->dram;
	double clock = 1e9 / d->frequency, rank = d->devices * d->vdd * clock, ranks = (double)d->channels * d->ranks;
	double burst = d->burst / 2.0;

	out->has_dram = 1;
	out->dram_activate_pj = rank * (d->idd0 * (d->ras + d->rp) - d->idd3n * d->ras - d->idd2n * d->rp);
	out->dram_read_pj = rank * burst * (d->idd4r - d->idd3n);
	out->dram_write_pj = rank * burst * (d->idd4w - d->idd3n);
	out->dram_open_pj = rank * (d->idd3n - d->idd2n);
	out->dram_idle_w = ranks * d->devices * d->vdd * d->idd2n * 1e-3;
	out->dram_refresh_w = ranks * d->devices * d->vdd * (d->idd5 - d->idd3n) * 1e-3 * d->rfc / d->refi;
}

/* Tag and state of a line are 36 bits, as L2's tags; an entry of a sparse directory has a bit for each core. */
static void directory_machine(const struct core_config *cfg, struct energy_machine *out)
{
	const struct coherence_params *p = &cfg->coherence;
	uint64_t cores = cfg->chip.cores, lines = cfg->l2.size / cfg->l2.line_bytes;
	uint64_t bits = p->entries ? p->entries * (36 + cores) : cores * lines * 36;

	out->directory_words = (bits + 63) / 64;
	out->directory_read_bits = p->entries ? p->ways * (36 + cores) : cores * cfg->l2.ways * 36;
}

static void l3_machine(const struct core_config *cfg, struct energy_machine *out)
{
	const struct l3_params *p = &cfg->l3;
	double steps = 0;
	struct l2_params as_l2 = {.ways = p->ways, .replacement = p->replacement, .rrpv_bits = p->rrpv_bits};

	out->l3_slices = p->slices;
	out->l3_slice_bytes = p->size / out->l3_slices;
	out->l3_ends = cfg->chip.cores + out->l3_slices;
	out->l3_miss_entries = p->miss_buffers;
	out->l3_ways = p->ways;
	out->l3_cycles = p->latency;
	out->l3_state_bits = replacement_bits_above_lru(&as_l2);
	out->l3_bus_bytes = l3_bus_bytes(cfg);
	if (has_directory(cfg))
		directory_machine(cfg, out);
	for (unsigned k = 0; k < cfg->chip.cores; k++)
		for (unsigned n = 0; n < p->slices; n++)
			steps += core_l3_steps(p, k, n);
	out->l3_steps = steps / cfg->chip.cores / p->slices;
	out->l3_near_bytes = p->network == L3_CROSSBAR ? p->size : out->l3_slice_bytes;
}

static void memory_machine(const struct core_config *cfg, struct energy_machine *out)
{
	struct prefetch_storage prefetcher;

	out->itlb_entries = cfg->tlb.uitlb_entries;
	out->dtlb_entries = cfg->tlb.udtlb_entries;
	out->mtlb_entries = 2 * (uint64_t)cfg->tlb.main_entries;
	out->mtlb_ways = cfg->tlb.main_ways;
	out->l1i_miss_entries = cfg->l1i.miss_buffers;
	out->l1d_miss_entries = cfg->l1d.miss_buffers;
	out->l1d_victim_lines = cfg->l1d.victim_lines;
	out->l1i_ways_read = cfg->l1i.way_prediction == WAYS_MRU ? 1 : cfg->l1i.ways;
	out->l1d_ways_read = cfg->l1d.way_prediction == WAYS_MRU ? 1 : cfg->l1d.ways;
	out->l2_miss_entries = cfg->l2.miss_buffers;
	prefetcher_storage(&cfg->prefetch, &prefetcher);
	out->stream_entries = prefetcher.entries;
	out->stream_bits = prefetcher.bits;
	out->stream_search_bits = prefetcher.search_bits;
	out->l2_state_bits = replacement_bits_above_lru(&cfg->l2);
	out->writeback_entries = cfg->l2.writeback_buffers;
	out->l2_bus_bytes = l2_bus_bytes(cfg);
	out->memory_gbs = core_memory_bytes_per_cycle(cfg) * cfg->chip.frequency * 1e-9;
	if (cfg->memory.kind == MEMORY_DRAM)
		dram_machine(cfg, out);
	if (cfg->l3.size)
		l3_machine(cfg, out);
}

static void path_machine(const struct core_config *cfg, struct energy_machine *out)
{
	const struct latency_params *l = &cfg->latency;

	out->fetch_stages = cfg->fetch.stages;
	out->predict_stages = cfg->fetch.predict_stage;
	out->decode_stages = cfg->decode.stages;
	out->operand_stages = cfg->core.operand_stages;
	out->commit_stages = cfg->core.commit_stages;
	out->int_alu_cycles = l->int_alu;
	out->int_mul_cycles = l->int_mul;
	out->int_div_cycles = l->int_div;
	out->branch_cycles = l->branch;
	out->vis_cycles = l->vis;
	out->fp_move_cycles = l->fp_move;
	out->fp_add_cycles = l->fp_add;
	out->fp_cmp_cycles = l->fp_cmp;
	out->fp_mul_cycles = l->fp_mul;
	out->fp_fma_cycles = l->fp_fma;
	out->fp_div_s_cycles = l->fp_div_s;
	out->fp_div_d_cycles = l->fp_div_d;
	out->fp_sqrt_s_cycles = l->fp_sqrt_s;
	out->fp_sqrt_d_cycles = l->fp_sqrt_d;
	out->load_cycles = l->load_use;
	out->fp_load_cycles = l->fp_load_use;
	out->hit_cycles = cfg->lsu.hit_known;
	out->forward_cycles = cfg->lsu.forward_latency;
	out->mtlb_cycles = cfg->tlb.main_latency;
	out->l2_cycles = cfg->l2.latency;
	out->fill_cycles = cfg->l1d.fill_latency;
}

/* Operating point, package and process, which change neither sizes nor time. */
static void conditions_machine(const struct core_config *cfg, struct energy_machine *out)
{
	const struct energy_params *p = &cfg->energy;

	out->constants = cfg->technology.file;
	out->design_hz = p->design_frequency;
	out->design_voltage = p->design_voltage;
	out->package_k_w = p->package;
	out->ambient_k = p->ambient;
	out->peak_ratio = p->peak_ratio;
	out->defects_cm2 = p->defects;
	out->clustering = p->clustering;
	out->sleep_leakage = p->sleep_leakage;
	out->sleep_cost = p->sleep_cost;
	out->period_s = p->period;
	out->power = cfg->simd.power;
}

void core_energy_machine(const struct core_config *cfg, struct energy_machine *out)
{
	const struct core_params *p = &cfg->core;
	const struct latency_params *l = &cfg->latency;
	unsigned fp_stages = l->fp_fma > l->fp_add ? l->fp_fma : l->fp_add;

	fp_stages = l->fp_mul > fp_stages ? l->fp_mul : fp_stages;
	*out = (struct energy_machine){
#define TECHNOLOGY(name, value, least, most, unit, reading, doc, source) .technology.name = cfg->technology.name,
#include "../../energy/technology.def"
#undef TECHNOLOGY
		.frequency_hz = cfg->chip.frequency,
		.voltage = cfg->energy.voltage,
		.node_nm = cfg->energy.node_nm,
		.temperature_k = cfg->energy.temperature,
		.gating = cfg->energy.gating,
		.clock_tree = cfg->energy.clock_tree,
		.split = cfg->energy.latches,
		.cores = cfg->chip.cores,
		.latch_pj = cfg->energy.latch_pj,
		.leakage_w = cfg->energy.leakage_w,
		.one = 1,
		.two = 2,
		.fetch_groups = 1,
		.decode_width = cfg->decode.width,
		.decode_entry_slots = cfg->decode.width * (cfg->decode.stages - 1),
		.int_pipes = p->int_pipes,
		.fp_pipes = p->fp_pipes,
		.fp_latency_slots = p->fp_pipes * fp_stages,
		.address_pipes = p->address_pipes,
		.result_buses = p->int_pipes + p->fp_pipes + p->address_pipes,
		.commit_width = p->commit_width,
		.ibuffer_entries = cfg->fetch.buffer_entries,
		.l1i_bytes = cfg->l1i.size,
		.l1d_bytes = cfg->l1d.size,
		.l2_bytes = cfg->l2.size,
		.rob_entries = p->rob_entries,
		.rs_int_entries = (uint64_t)p->rse_entries * p->int_pipes,
		.rs_fp_entries = (uint64_t)p->rsf_entries * p->fp_pipes,
		.rs_addr_entries = p->rsa_entries,
		.rs_br_entries = p->rsbr_entries,
		.gub_entries = cfg->decode.gub_entries,
		.fub_entries = cfg->decode.fub_entries,
		.gpr_entries = MAP_INTEGER + 24,
		.fpr_entries = 32, /* eight windows, four sets of globals */
		.load_queue = cfg->lsu.load_queue,
		.store_queue = (uint64_t)cfg->lsu.store_queue + cfg->lsu.store_buffer,
		.l1i_ways = cfg->l1i.ways,
		.l1d_ways = cfg->l1d.ways,
		.l2_ways = cfg->l2.ways,
		.l1d_banks = cfg->l1d.banks,
		.line_bytes = cfg->l2.line_bytes,
		.l1i_line_bytes = cfg->l1i.line_bytes,
		.l1d_line_bytes = cfg->l1d.line_bytes,
		.fetch_bytes = cfg->fetch.width_bytes,
	};
	predictor_machine(cfg, out);
	dependence_machine(cfg, out);
	memory_machine(cfg, out);
	path_machine(cfg, out);
	conditions_machine(cfg, out);
	if (cfg->simd.pes)
		simd_energy_machine(cfg, out);
}
