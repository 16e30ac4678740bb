/* Groups of psim's report for a chip of several cores. */
#include "chip_report.h"

#include <inttypes.h>

#include "../base/number.h"
#include "core_report.h"

struct totals {
	uint64_t instructions, flops, memory_lines, mispredicts, l1d_misses, l2_misses;
};

static uint64_t memory_lines(const struct core *c)
{
	const struct memsys_stats *m = core_memsys_stats(c);

	return m->memory_reads + m->l2_writebacks + m->l3_writebacks + m->transfer_reads + m->transfer_writes;
}

static struct totals chip_report_add_up(const struct chip *c)
{
	struct totals t = {0};

	for (unsigned n = 0; n < chip_cores(c); n++) {
		const struct core *core = chip_core(c, n);
		const struct memsys_stats *m = core_memsys_stats(core);

		t.instructions += core_stats(core)->instructions;
		t.flops += core_stats(core)->flops;
		t.mispredicts += core_stats(core)->mispredicts;
		t.l1d_misses += m->l2_data_accesses;
		t.l2_misses += m->l2_data_misses + m->l2_instruction_misses;
		t.memory_lines += memory_lines(core);
	}
	return t;
}

static void speed(const struct chip *c, const struct core_config *cfg, const struct totals *t, struct report *r)
{
	double cycles = (double)chip_cycles(c), seconds = cycles / cfg->chip.frequency;
	double flops = ratio_of((double)t->flops, seconds), insns = (double)t->instructions;
	double lines = (double)t->memory_lines;

	report_u64(r, "cores", chip_cores(c), "cores", "cores; each runs a trace");
	report_f64(r, "seconds", seconds, "s", "simulated time");
	report_u64(r, "cycles", chip_cycles(c), "cycles", "simulated time");
	report_u64(r, "instructions", t->instructions, "insns", "program instructions committed");
	report_f64(r, "ipc", ratio_of(insns, cycles), "insn/cycle", "instructions per cycle");
	report_f64(r, "gflops", 1e-9 * flops, "GFlop/s", CORE_GFLOPS_DOC);
	report_f64(r, "share_of_peak", 100 * ratio_of(flops, chip_cores(c) * core_peak_flops(cfg)), "%",
		   "share of the peak: a multiply-add per FP pipe and cycle");
	report_f64(r, "branch_mpki", 1000 * ratio_of((double)t->mispredicts, insns), "1/1000 insn",
		   "mispredicted branches per thousand instructions");
	report_f64(r, "l1d_mpki", 1000 * ratio_of((double)t->l1d_misses, insns), "1/1000 insn",
		   "lines that L1D requested per thousand instructions: misses, stores ahead, prefetches");
	report_f64(r, "l2_mpki", 1000 * ratio_of((double)t->l2_misses, insns), "1/1000 insn",
		   "L2 misses per thousand instructions");
	report_f64(r, "memory_bandwidth", ratio_of(lines * cfg->l2.line_bytes, seconds) * 1e-9, "GB/s",
		   "lines read from and written to memory");
	report_f64(r, "memory_channel",
		   100 * ratio_of(lines * cfg->l2.line_bytes, cycles * core_memory_bytes_per_cycle(cfg)), "%",
		   "cycles in which the memory channel was busy");
}

static void chip_group(const struct chip *c, const struct core_config *cfg, const struct energy_model *energy,
		       struct report *r)
{
	const struct totals t = chip_report_add_up(c);
	struct energy_result x;
	struct activity a;

	chip_activity(c, &a);
	energy_evaluate(energy, &a, &x);
	report_group(r, "chip", "all cores together, until the last one completes");
	speed(c, cfg, &t, r);
	report_f64(r, "energy_j", x.total_j, "J", "energy of the cores and the L2");
	core_report_readings(energy, &a, r);
	report_f64(r, "power_w", ratio_of(x.total_j, x.seconds), "W", "average power of the cores and the L2");
	report_f64(r, "energy_delay_js", x.total_j * x.seconds, "J s", "energy times simulated time");
	report_f64(r, "gflops_per_watt", 1e-9 * ratio_of((double)t.flops, x.total_j), "GFlop/s/W",
		   "floating-point operations per nanojoule");
	report_f64(r, "area_mm2", energy_area_mm2(energy), "mm2", "area of the cores and the L2");
	report_end(r);
}

int chip_report_useful(const struct chip *c, const struct core_config *cfg, uint64_t flops, struct report *r,
		       struct err *e)
{
	const struct totals t = chip_report_add_up(c);
	double seconds = (double)chip_cycles(c) / cfg->chip.frequency, rate = ratio_of((double)flops, seconds);

	if (flops > t.flops)
		return err_set(e, STATUS_USAGE,
			       "--useful-flops %" PRIu64 ": expected at most the %" PRIu64 " that were executed", flops,
			       t.flops);
	report_group(r, "useful", "operations that the result needs, as --useful-flops gives them");
	report_u64(r, "counted_flops", t.flops, "flop", "executed operations, including those of idle PEs");
	report_u64(r, "flops", flops, "flop", "operations that the result needs");
	report_f64(r, "share_of_counted", 100 * ratio_of((double)flops, (double)t.flops), "%",
		   "share of the executed operations that the result needs");
	report_f64(r, "gflops", 1e-9 * rate, "GFlop/s", "needed operations per simulated second");
	report_f64(r, "share_of_peak", 100 * ratio_of(rate, chip_cores(c) * core_peak_flops(cfg)), "%",
		   "share of the peak: a multiply-add per FP pipe and cycle");
	report_end(r);
	return 0;
}

static void core_row(const struct core *core, unsigned number, const struct core_config *cfg,
		     const struct energy_model *energy, struct report *r)
{
	const struct memsys_stats *m = core_memsys_stats(core);
	const struct core_stats *s = core_stats(core);
	double requests = (double)(m->l2_data_accesses + m->l2_instruction_accesses);
	struct energy_result x;
	struct activity a;

	core_activity(core, &a);
	energy_evaluate(energy, &a, &x);
	report_cell_u64(r, number);
	report_cell_u64(r, s->instructions);
	report_cell_u64(r, s->cycles);
	report_cell_f64(r, ratio_of((double)s->instructions, (double)s->cycles));
	report_cell_f64(r, 1e-9 * ratio_of((double)s->flops, (double)s->cycles / cfg->chip.frequency));
	report_cell_f64(r, 100 * ratio_of((double)(m->l2_data_misses + m->l2_instruction_misses), requests));
	report_cell_u64(r, m->memory_reads + m->l2_writebacks + m->l3_writebacks);
	report_cell_f64(r, ratio_of((double)m->memory_wait_cycles, (double)m->memory_reads));
	report_cell_f64(r, x.total_j);
	report_cell_f64(r, ratio_of(x.total_j, x.seconds));
}

void chip_report(const struct chip *c, const struct core_config *cfg, const struct energy_model *energy,
		 const struct energy_model *core_energy, struct report *r)
{
	static const struct report_column columns[] = {
		{"core", ""},
		{"instructions", "insns"},
		{"cycles", "cycles"},
		{"ipc", "insn/cycle"},
		{"gflops", "GFlop/s"},
		{"l2_miss_share", "%"},
		{"memory_lines", "lines"},
		{"memory_wait", "cycles/line"},
		{"energy", "J"},
		{"power", "W"},
	};

	chip_group(c, cfg, energy, r);
	report_table(r, "cores", "each core until it completes; energy without L2", columns, 10);
	for (unsigned n = 0; n < chip_cores(c); n++)
		core_row(chip_core(c, n), n, cfg, core_energy, r);
	report_table_end(r);
}

struct energy_model *chip_core_energy(const struct core_config *cfg, struct err *e)
{
	struct energy_machine machine;

	core_energy_machine(cfg, &machine);
	machine.cores = 1;
	machine.l2_bytes = 0;
	machine.l2_miss_entries = machine.stream_entries = machine.writeback_entries = 0;
	machine.l3_slice_bytes = machine.l3_miss_entries = machine.l3_ends = 0;
	machine.l3_slices = machine.l3_ways = machine.l3_cycles = 0;
	machine.l3_bus_bytes = machine.l3_steps = 0;
	machine.l3_state_bits = 0;
	machine.l3_near_bytes = machine.directory_words = machine.directory_read_bits = 0;
	machine.l2_bus_bytes = machine.memory_gbs = machine.dram_idle_w = machine.dram_refresh_w = 0;
	return energy_create(&machine, e);
}
