#include "core_config.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "../base/number.h"
#include "../base/config/config_sections.h" /* after the structs of the same rows */

void core_config_add(struct config *c, struct core_config *target)
{
#include "params.def"
#define SRC(section, key, kind, text) config_source(c, #section, #key, SOURCE_##kind, text);
#define COST(section, key, better, also, where)
#define FREE(section, key, why)
#include "param_notes.def"
#undef SRC
#undef COST
#undef FREE
}

/* The delay in cycles, rounded up. The tolerance absorbs the rounding error of the product. */
uint64_t core_cycles(const struct core_config *cfg, const struct clocked *delay)
{
	double cycles = delay->in_cycles ? delay->value : delay->value * 1e-9 * cfg->chip.frequency;

	return (uint64_t)ceil(cycles * (1 - 1e-12));
}

double core_bytes_per_cycle(const struct core_config *cfg, const struct clocked *flow)
{
	return flow->in_cycles ? flow->value : flow->value * 1e9 / cfg->chip.frequency;
}

double core_memory_bytes_per_cycle(const struct core_config *cfg)
{
	const struct dram_params *d = &cfg->dram;

	if (cfg->memory.kind == MEMORY_CHANNEL)
		return core_bytes_per_cycle(cfg, &cfg->memory.bandwidth);
	return 2.0 * d->channels * d->bus_bytes * d->frequency / cfg->chip.frequency;
}

uint64_t core_memory_cycles(const struct core_config *cfg)
{
	const struct dram_params *d = &cfg->dram;
	double bursts = (double)cfg->l2.line_bytes / d->bus_bytes / 2;

	if (cfg->memory.kind == MEMORY_CHANNEL)
		return core_cycles(cfg, &cfg->memory.latency);
	return core_cycles(cfg, &d->latency) +
	       (uint64_t)ceil((d->rcd + d->cl + bursts) * cfg->chip.frequency / d->frequency);
}

/* The length of the rows of a mesh of `count` places. */
static unsigned mesh_width(unsigned count)
{
	unsigned rows = 1;

	for (unsigned n = 2; n * n <= count; n++)
		if (count % n == 0)
			rows = n;
	return count / rows;
}

static unsigned apart(unsigned a, unsigned b)
{
	return a > b ? a - b : b - a;
}

unsigned core_l3_steps(const struct l3_params *p, unsigned core, unsigned slice)
{
	unsigned at = core % p->slices, width = mesh_width(p->slices), along = apart(at, slice);

	switch (p->network) {
	case L3_RING: return along <= p->slices - along ? along : p->slices - along;
	case L3_MESH: return apart(at % width, slice % width) + apart(at / width, slice / width);
	default: return 0;
	}
}

/* Context of the rules: the source of origins, and the error to set. */
struct check {
	const struct config *config;
	struct err *err;
};

/*
 * The origin that a message reports for a rule between several values: the first of
 * `section.key`, NULL-terminated, that is not a default.
 */
static const char *core_config_blame(const struct check *k, const char *const keys[][2])
{
	for (unsigned i = 0; keys[i][0]; i++) {
		const char *origin = config_origin(k->config, keys[i][0], keys[i][1]);

		if (strcmp(origin, "default") != 0)
			return origin;
	}
	return "default";
}

/* Fails with `origin: text`; keys as for core_config_blame(). */
__attribute__((format(printf, 3, 4))) static int core_config_fail(const struct check *k, const char *const keys[][2],
								  const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	err_vset(k->err, STATUS_USAGE, format, ap);
	va_end(ap);
	return err_prefix(k->err, "%s", core_config_blame(k, keys));
}

#define KEYS(...) ((const char *const[][2]){__VA_ARGS__, {NULL, NULL}})

static int check_power_of_two(const struct check *k, const char *section, const char *key, uint64_t value)
{
	if (is_power_of_two(value))
		return 0;
	return core_config_fail(k, KEYS({section, key}), "%s.%s = %llu is not a power of two, expected one", section,
				key, (unsigned long long)value);
}

/* Checks that `small` is not above `large`. */
static int core_config_check_order(const struct check *k, const char *const names[2][2], uint64_t small, uint64_t large)
{
	if (small <= large)
		return 0;
	return core_config_fail(k, KEYS({names[0][0], names[0][1]}, {names[1][0], names[1][1]}),
				"%s.%s = %llu exceeds %s.%s = %llu, expected at most that", names[0][0], names[0][1],
				(unsigned long long)small, names[1][0], names[1][1], (unsigned long long)large);
}

#define ORDER(k, v, s1, f1, s2, f2) \
	core_config_check_order(k, (const char *const[2][2]){{#s1, #f1}, {#s2, #f2}}, (v)->s1.f1, (v)->s2.f2)

/* Checks that a cache is a whole number of sets, which need not be a power of two (6 MB of 12 ways). */
static int core_config_check_cache(const struct check *k, const char *section, uint64_t size, unsigned ways,
				   unsigned line)
{
	uint64_t set = (uint64_t)ways * line;
	unsigned fewer = ways, more = ways;
	char hint[64] = "";

	if (check_power_of_two(k, section, "line_bytes", line) < 0)
		return -1;
	if (size >= set && size % set == 0)
		return 0;
	while (--fewer && size % ((uint64_t)fewer * line) != 0)
		;
	while (++more < 2 * ways && size % ((uint64_t)more * line) != 0)
		;
	if (fewer)
		snprintf(hint, sizeof(hint), more < 2 * ways ? ", or %s.ways = %u or %u" : ", or %s.ways = %u", section,
			 fewer, more);
	return core_config_fail(k, KEYS({section, "size"}, {section, "ways"}, {section, "line_bytes"}),
				"%s.size = %llu is not a whole number of sets, "
				"expected a multiple of ways * line_bytes = %u * %u = %llu%s",
				section, (unsigned long long)size, ways, line, (unsigned long long)set, hint);
}

static int check_l3(const struct check *k, const struct core_config *v)
{
	if (!v->l3.size)
		return 0;
	if (core_config_check_cache(k, "l3", v->l3.size, v->l3.ways, v->l2.line_bytes) < 0)
		return -1;
	if (v->coherence.entries % v->coherence.ways)
		return core_config_fail(
			k, KEYS({"coherence", "entries"}, {"coherence", "ways"}),
			"coherence.ways = %u does not divide coherence.entries = %u, expected a divisor",
			v->coherence.ways, v->coherence.entries);
	if (v->l3.size / v->l3.ways / v->l2.line_bytes % v->l3.slices)
		return core_config_fail(k, KEYS({"l3", "slices"}, {"l3", "size"}, {"l3", "ways"}),
					"l3.slices = %u does not divide the %llu sets of L3, expected a divisor",
					v->l3.slices, (unsigned long long)(v->l3.size / v->l3.ways / v->l2.line_bytes));
	return v->l3.inclusion == INCLUSION_ALL ? ORDER(k, v, l2, size, l3, size) : 0;
}

static int check_caches(const struct check *k, const struct core_config *v)
{
	if (core_config_check_cache(k, "l1i", v->l1i.size, v->l1i.ways, v->l1i.line_bytes) < 0 ||
	    core_config_check_cache(k, "l1d", v->l1d.size, v->l1d.ways, v->l1d.line_bytes) < 0 ||
	    core_config_check_cache(k, "l2", v->l2.size, v->l2.ways, v->l2.line_bytes) < 0)
		return -1;
	/* L2 includes L1 */
	if (ORDER(k, v, l1i, line_bytes, l2, line_bytes) < 0 || ORDER(k, v, l1d, line_bytes, l2, line_bytes) < 0 ||
	    ORDER(k, v, l1i, size, l2, size) < 0 || ORDER(k, v, l1d, size, l2, size) < 0)
		return -1;
	if (check_l3(k, v) < 0)
		return -1;
	if (check_power_of_two(k, "l1d", "banks", v->l1d.banks) < 0 ||
	    check_power_of_two(k, "l1d", "bank_bytes", v->l1d.bank_bytes) < 0 ||
	    check_power_of_two(k, "l1d", "port_bytes", v->l1d.port_bytes) < 0)
		return -1;
	if (v->l1d.banks * v->l1d.bank_bytes > v->l1d.line_bytes)
		return core_config_fail(
			k, KEYS({"l1d", "banks"}, {"l1d", "bank_bytes"}, {"l1d", "line_bytes"}),
			"l1d.banks * l1d.bank_bytes = %u * %u exceeds a line of %u bytes, expected a row of the "
			"banks within a line",
			v->l1d.banks, v->l1d.bank_bytes, v->l1d.line_bytes);
	return 0;
}

static int check_tlb(const struct check *k, const struct core_config *v)
{
	if (check_power_of_two(k, "tlb", "page_size", v->tlb.page_size) < 0)
		return -1;
	if (v->tlb.main_entries % v->tlb.main_ways || !is_power_of_two(v->tlb.main_entries / v->tlb.main_ways))
		return core_config_fail(k, KEYS({"tlb", "main_entries"}, {"tlb", "main_ways"}),
					"tlb.main_entries / tlb.main_ways = %u / %u, "
					"expected a power of two as the number of sets",
					v->tlb.main_entries, v->tlb.main_ways);
	return 0;
}

static int check_fetch(const struct check *k, const struct core_config *v)
{
	/* a fetch group is read from one line in one access */
	if (check_power_of_two(k, "fetch", "width_bytes", v->fetch.width_bytes) < 0 ||
	    ORDER(k, v, fetch, width_bytes, l1i, line_bytes) < 0 ||
	    ORDER(k, v, fetch, predict_stage, fetch, stages) < 0 ||
	    check_power_of_two(k, "bpred", "entries", v->bpred.entries) < 0)
		return -1;
	if (ORDER(k, v, bpred, tage_history_min, bpred, tage_history_max) < 0)
		return -1;
	/* the target cache has a bit of each target of its history */
	if (v->bpred.targets == TARGETS_CACHE && ORDER(k, v, bpred, target_history, bpred, target_bits) < 0)
		return -1;
	if (v->bpred.entries % v->bpred.ways)
		return core_config_fail(k, KEYS({"bpred", "ways"}, {"bpred", "entries"}),
					"bpred.ways = %u does not divide bpred.entries = %u, "
					"expected a power of two up to it",
					v->bpred.ways, v->bpred.entries);
	return 0;
}

/* Checks that each structure can hold what one instruction needs; else that instruction never dispatches. */
/*
 * Consumers of a load are selected from its Ps on, which is where the model
 * learns whether it hits: 2 + operand_stages cycles after the load's selection.
 */
static int check_load_use(const struct check *k, const struct core_config *v, const char *section, const char *key,
			  unsigned cycles)
{
	if (cycles >= 2 + v->core.operand_stages)
		return 0;
	return core_config_fail(k, KEYS({section, key}, {"core", "operand_stages"}),
				"%s.%s = %u, expected at least 2 + core.operand_stages = %u: "
				"a load's consumers are selected from its Ps on",
				section, key, cycles, 2 + v->core.operand_stages);
}

static int core_config_check_window(const struct check *k, const struct core_config *v)
{
	if (v->decode.gub_entries < 2)
		return core_config_fail(k, KEYS({"decode", "gub_entries"}),
					"decode.gub_entries = %u, expected 2 or more: ldd writes two registers",
					v->decode.gub_entries);
	if (v->decode.fub_entries < 8)
		return core_config_fail(k, KEYS({"decode", "fub_entries"}),
					"decode.fub_entries = %u, expected 8 or more: "
					"a block load writes eight double registers",
					v->decode.fub_entries);
	if (ORDER(k, v, lsu, hit_known, latency, load_use) < 0 || ORDER(k, v, lsu, hit_known, latency, fp_load_use) < 0)
		return -1;
	if (check_load_use(k, v, "latency", "load_use", v->latency.load_use) < 0 ||
	    check_load_use(k, v, "latency", "fp_load_use", v->latency.fp_load_use) < 0 ||
	    check_load_use(k, v, "lsu", "forward_latency", v->lsu.forward_latency) < 0)
		return -1;
	return 0;
}

static int check_predictor(const struct check *k, const struct core_config *v)
{
	return check_power_of_two(k, "lsu", "wait_table_entries", v->lsu.wait_table_entries) < 0 ||
			       check_power_of_two(k, "lsu", "ssit_entries", v->lsu.ssit_entries) < 0
		       ? -1
		       : 0;
}

static int check_simd(const struct check *k, const struct core_config *v)
{
	return check_power_of_two(k, "simd", "sbm_bytes", v->simd.sbm_bytes) < 0 ||
			       check_power_of_two(k, "simd", "sbm_port_bytes", v->simd.sbm_port_bytes) < 0
		       ? -1
		       : 0;
}

static int check_dram_sizes(const struct check *k, const struct core_config *v)
{
	const struct dram_params *d = &v->dram;
	uint64_t burst = (uint64_t)d->bus_bytes * d->burst;

	if (check_power_of_two(k, "dram", "channels", d->channels) < 0 ||
	    check_power_of_two(k, "dram", "ranks", d->ranks) < 0 ||
	    check_power_of_two(k, "dram", "bank_groups", d->bank_groups) < 0 ||
	    check_power_of_two(k, "dram", "banks", d->banks) < 0 ||
	    check_power_of_two(k, "dram", "row_bytes", d->row_bytes) < 0 ||
	    check_power_of_two(k, "dram", "bus_bytes", d->bus_bytes) < 0 ||
	    check_power_of_two(k, "dram", "burst", d->burst) < 0)
		return -1;
	if (v->l2.line_bytes < burst)
		return core_config_fail(
			k, KEYS({"dram", "burst"}, {"dram", "bus_bytes"}, {"l2", "line_bytes"}),
			"dram.bus_bytes * dram.burst = %u * %u exceeds l2.line_bytes = %u, expected a line "
			"of one or more bursts",
			d->bus_bytes, d->burst, v->l2.line_bytes);
	return ORDER(k, v, l2, line_bytes, dram, row_bytes);
}

/* Checks that a current is not below another, which is a part of it. */
static int check_current(const struct check *k, const char *high, const char *low, double above, double below)
{
	if (above >= below)
		return 0;
	return core_config_fail(k, KEYS({"dram", high}, {"dram", low}),
				"dram.%s = %g is below dram.%s = %g, expected at least that", high, above, low, below);
}

static int check_dram_currents(const struct check *k, const struct core_config *v)
{
	const struct dram_params *d = &v->dram;

	return check_current(k, "idd3n", "idd2n", d->idd3n, d->idd2n) < 0 ||
			       check_current(k, "idd0", "idd3n", d->idd0, d->idd3n) < 0 ||
			       check_current(k, "idd4r", "idd3n", d->idd4r, d->idd3n) < 0 ||
			       check_current(k, "idd4w", "idd3n", d->idd4w, d->idd3n) < 0 ||
			       check_current(k, "idd5", "idd3n", d->idd5, d->idd3n) < 0
		       ? -1
		       : 0;
}

static int check_dram(const struct check *k, const struct core_config *v)
{
	const struct dram_params *d = &v->dram;

	if (v->memory.kind != MEMORY_DRAM || v->l2.perfect)
		return 0;
	if (check_dram_sizes(k, v) < 0 || ORDER(k, v, dram, rrd_s, dram, rrd_l) < 0 ||
	    ORDER(k, v, dram, ccd_s, dram, ccd_l) < 0 || ORDER(k, v, dram, wtr_s, dram, wtr_l) < 0 ||
	    ORDER(k, v, dram, rcd, dram, ras) < 0 || check_dram_currents(k, v) < 0)
		return -1;
	/* a refresh waits for the banks to be precharged, and some request goes between two of them */
	if (d->refi / 2 > d->rfc + d->ras + d->rp)
		return 0;
	return core_config_fail(k, KEYS({"dram", "refi"}, {"dram", "rfc"}, {"dram", "ras"}, {"dram", "rp"}),
				"dram.refi = %u, expected more than twice dram.rfc + dram.ras + dram.rp = %u", d->refi,
				d->rfc + d->ras + d->rp);
}

/* Cycles that an L3 adds to an access to memory: its latency, and the longest way to a slice and back. */
static uint64_t l3_access_cycles(const struct core_config *v)
{
	unsigned most = 0;

	if (!v->l3.size)
		return 0;
	for (unsigned core = 0; core < v->chip.cores; core++)
		for (unsigned slice = 0; slice < v->l3.slices; slice++) {
			unsigned steps = core_l3_steps(&v->l3, core, slice);

			most = steps > most ? steps : most;
		}
	return v->l3.latency + (uint64_t)2 * most * v->l3.hop_cycles;
}

/* Cycles that other cores add to an access: to one that has the line, and back. */
static uint64_t coherence_cycles(const struct core_config *v)
{
	return v->chip.sharing == SHARING_NONE || v->chip.cores < 2 ? 0 : v->coherence.latency + l3_access_cycles(v);
}

static uint64_t most_of(const unsigned *all, size_t count)
{
	uint64_t most = 0;

	for (size_t n = 0; n < count; n++)
		most = all[n] > most ? all[n] : most;
	return most;
}

/* Cycles of the PEs' longest operation: one that each of them waits for in turn, a sum over all of them, or another. */
static uint64_t array_operation(const struct simd_params *p)
{
	const unsigned divisions[] = {p->latency_div_s, p->latency_div_d, p->latency_sqrt_s, p->latency_sqrt_d};
	const unsigned others[] = {p->latency_move, p->latency_add, p->latency_mul,    p->latency_fma,
				   p->latency_cmp,  p->latency_int, p->latency_int_mul};
	uint64_t turns = p->divide == SIMD_DIVIDE_SHARED ? (p->pes + p->dividers - 1) / p->dividers : 1;
	uint64_t most = most_of(others, sizeof(others) / sizeof(others[0])), sum = 0;
	uint64_t divide = turns * most_of(divisions, sizeof(divisions) / sizeof(divisions[0]));

	for (unsigned pes = 1; pes < p->pes; pes *= 2)
		sum += p->latency_add + (uint64_t)p->hop_cycles;
	if (p->divide != SIMD_DIVIDE_NONE && divide > most)
		most = divide;
	most = sum > most ? sum : most;
	/* and the ways to the PEs and between them, the SBM, the index of a gather */
	return most + 4 * (uint64_t)p->c_cycles + p->w1_cycles + p->cross_cycles + p->broadcast_latency +
	       p->sbm_latency + p->gather_cycles;
}

/* Cycles of the longest operation, with the stages before and behind it. */
static uint64_t operation_cycles(const struct core_config *v)
{
	const struct latency_params *l = &v->latency;
	const unsigned all[] = {l->int_alu,
				l->int_mul,
				l->int_div,
				l->branch,
				l->fp_move,
				l->fp_add,
				l->fp_cmp,
				l->fp_mul,
				l->fp_fma,
				l->fp_div_s,
				l->fp_div_d,
				l->fp_sqrt_s,
				l->fp_sqrt_d,
				l->fp_quad,
				l->vis,
				l->load_use,
				l->fp_load_use,
				l->sync,
				v->lsu.forward_latency};
	uint64_t most = most_of(all, sizeof(all) / sizeof(all[0]));
	uint64_t array = v->simd.pes ? array_operation(&v->simd) : 0;

	return (array > most ? array : most) + v->fetch.stages + v->fetch.predict_stage + v->decode.stages +
	       v->core.operand_stages + v->core.commit_stages + v->lsu.hit_known;
}

/*
 * Checks that deadlock_cycles exceeds the time for which a core may commit nothing: a miss of L1I, then one of L1D, a
 * trap, the longest operation, and the return of the array's supply.
 */
static int check_deadlock(const struct check *k, const struct core_config *v)
{
	uint64_t access = (uint64_t)v->tlb.main_latency + v->tlb.walk_latency + v->l2.latency + v->l1d.fill_latency +
			  (v->l1d.victim_lines ? v->l1d.victim_latency : 0) + l3_access_cycles(v) +
			  core_memory_cycles(v) + coherence_cycles(v);
	uint64_t trap = v->latency.trap > v->latency.window_trap ? v->latency.trap : v->latency.window_trap;
	uint64_t operation = operation_cycles(v);
	uint64_t wake = v->simd.pes && v->simd.power == POWER_GATED ? v->simd.wake_cycles : 0;
	uint64_t all = 2 * access + trap + operation + wake;
	char supply[64] = "";

	if (v->core.deadlock_cycles > all)
		return 0;
	if (wake)
		snprintf(supply, sizeof(supply), ", simd.wake_cycles = %u", v->simd.wake_cycles);
	return core_config_fail(k,
				KEYS({"core", "deadlock_cycles"}, {"simd", "wake_cycles"}, {"memory", "latency"},
				     {"l2", "latency"}, {"l1d", "fill_latency"}, {"tlb", "walk_latency"},
				     {"tlb", "main_latency"}, {"l3", "latency"}, {"l3", "hop_cycles"},
				     {"coherence", "latency"}, {"latency", "trap"}, {"latency", "window_trap"}),
				"core.deadlock_cycles = %u, expected more than %llu, in which a core may commit "
				"nothing: two accesses to memory of %llu cycles, a trap of %llu, an operation of "
				"%llu%s",
				v->core.deadlock_cycles, (unsigned long long)all, (unsigned long long)access,
				(unsigned long long)trap, (unsigned long long)operation, supply);
}

int core_config_check(const struct config *c, const struct core_config *v, struct err *e)
{
	const struct check k = {c, e};

	if (check_caches(&k, v) < 0 || check_tlb(&k, v) < 0 || check_fetch(&k, v) < 0 ||
	    core_config_check_window(&k, v) < 0 || check_predictor(&k, v) < 0 || check_simd(&k, v) < 0 ||
	    check_dram(&k, v) < 0 || check_deadlock(&k, v) < 0)
		return -1;
	return 0;
}

const struct config_use core_config_uses[] = {
#define USE(keys, when) {keys, when, false},
#include "uses.def"
#undef USE
	{NULL, NULL, false},
};
