/* The XML of McPAT 1.3: mcpat.def for one chip and run. */
#include "mcpat_file.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "../core/uop.h"

/* The rows of mcpat.def read these; counters are sums over the cores. */
struct mcpat {
	struct energy_machine machine;
	struct activity activity;
	struct core_stats core;
	struct memsys_stats memory;
	struct bpred_stats branch;
	uint64_t cycles;
};

/* CACTI takes multiples of 10 K. */
static double mcpat_kelvin(const struct energy_machine *m)
{
	return 10 * round(m->temperature_k / 10);
}

/* Stages from fetch to commit of an instruction that executes for `cycles`; select and update are a stage each. */
static unsigned mcpat_depth(const struct energy_machine *m, unsigned cycles)
{
	return m->fetch_stages + m->decode_stages + 1 + m->operand_stages + cycles + 1 + m->commit_stages;
}

/* Two bits each; a branch history with its own directions has none beside it, and McPAT no smaller table. */
static uint64_t mcpat_directions(const struct energy_machine *m)
{
	return m->pht_words > 32 ? 32 * m->pht_words : 1024;
}

/* CACTI refuses tables of fewer rows. */
static uint64_t mcpat_rows_of(uint64_t entries)
{
	return entries > 16 ? entries : 16;
}

/* CACTI takes powers of two: the largest that is not above. */
static unsigned mcpat_ways(unsigned ways)
{
	unsigned power = 1;

	while (power <= ways / 2)
		power *= 2;
	return power;
}

/* An entry has 64 bits. */
static uint64_t mcpat_btb_bytes(const struct energy_machine *m)
{
	return m->bht_entries ? 8 * m->bht_entries : 8 * 1024;
}

/* Cycles between two accesses, by the bus to L1. */
static unsigned mcpat_l2_throughput(const struct energy_machine *m)
{
	return (unsigned)ceil(m->line_bytes / m->l2_bus_bytes);
}

/* Clock of a bus of 64 bits with two transfers a cycle. */
static double mcpat_memory_mhz(const struct energy_machine *m)
{
	return fmax(1, m->memory_gbs * 1e3 / 16);
}

static uint64_t mcpat_committed(const struct core_stats *s, unsigned unit)
{
	uint64_t sum = 0;

	for (unsigned n = 0; n < CLASS_COUNT; n++)
		sum += uop_class_unit(n) == unit ? s->committed[n] : 0;
	return sum;
}

static uint64_t mcpat_fp_operations(const struct activity *a)
{
	return a->ops[EOP_fp_move] + a->ops[EOP_fp_add] + a->ops[EOP_fp_mul] + a->ops[EOP_fp_fma] + a->ops[EOP_fp_div] +
	       a->ops[EOP_vis];
}

/* Instructions a cycle of the most that commit. */
static double mcpat_duty(const struct mcpat *x)
{
	double slots = (double)x->cycles * x->machine.commit_width * x->machine.cores;

	return slots > 0 ? (double)(x->core.instructions + x->core.trap_instructions) / slots : 0;
}

static void mcpat_add_core(struct mcpat *x, const struct core *core)
{
	const struct core_stats *s = core_stats(core);
	const struct memsys_stats *mem = core_memsys_stats(core);
	const struct bpred_stats *b = core_bpred_stats(core);

#define S(group, name, unit, doc) x->core.name += s->name;
#include "../core/stats.def"
#undef S
#define S(group, name, unit, doc) x->memory.name += mem->name;
#include "../memory/memsys_stats.def"
#undef S
#define S(group, name, unit, doc) x->branch.name += b->name;
#include "../bpred/bpred_stats.def"
#undef S
	for (unsigned n = 0; n < CORE_CLASSES; n++)
		x->core.committed[n] += s->committed[n];
}

static void mcpat_rows(const struct mcpat *x, FILE *out)
{
	const struct energy_machine *m = &x->machine;
	const struct activity *a = &x->activity;
	const struct core_stats *s = &x->core;
	const struct memsys_stats *mem = &x->memory;
	const struct bpred_stats *b = &x->branch;
	const uint64_t cycles = x->cycles;
	const double cores = m->cores;

#define BEGIN(id, name) fputs("<component id=\"" id "\" name=\"" name "\">\n", out);
#define END fputs("</component>\n", out);
#define PARAM(name, ...) \
	fputs("<param name=\"" #name "\" value=\"", out); \
	fprintf(out, __VA_ARGS__); \
	fputs("\"/>\n", out);
#define STAT(name, value) fprintf(out, "<stat name=\"" #name "\" value=\"%.12g\"/>\n", (double)(value) / cores);
#define CHIP(name, value) fprintf(out, "<stat name=\"" #name "\" value=\"%.12g\"/>\n", (double)(value));
#define SHARE(name, value) fprintf(out, "<stat name=\"" #name "\" value=\"%.6g\"/>\n", (double)(value));
#include "mcpat.def"
#undef SHARE
#undef BEGIN
#undef END
#undef PARAM
#undef STAT
#undef CHIP
}

bool mcpat_lacks(const struct core_config *cfg, char text[ENERGY_WARNING_MAX])
{
	char array[120] = "", l3[60] = "";

	if (cfg->simd.pes)
		snprintf(array, sizeof(array),
			 "McPAT has no place for the array of %u PEs, its buffer memory and its transfers; ",
			 cfg->simd.pes);
	if (cfg->l3.size)
		snprintf(l3, sizeof(l3), " of one core, without the L3 of %llu bytes",
			 (unsigned long long)cfg->l3.size);
	snprintf(text, ENERGY_WARNING_MAX, "--mcpat: %sthe file has the scalar core and L2%s", array, l3);
	return cfg->simd.pes || cfg->l3.size;
}

int mcpat_write(const struct chip *c, const struct core_config *cfg, FILE *out, struct err *e)
{
	struct mcpat x = {.cycles = chip_cycles(c)};
	char lacks[ENERGY_WARNING_MAX];

	core_energy_machine(cfg, &x.machine);
	chip_activity(c, &x.activity);
	for (unsigned n = 0; n < chip_cores(c); n++)
		mcpat_add_core(&x, chip_core(c, n));
	fputs("<?xml version=\"1.0\"?>\n<!-- McPAT 1.3, by psim; docs/formats/mcpat-xml.md -->\n", out);
	if (mcpat_lacks(cfg, lacks))
		fprintf(out, "<!-- %s -->\n", strchr(lacks, ' ') + 1);
	mcpat_rows(&x, out);
	return ferror(out) ? err_set(e, STATUS_FAILED, "--mcpat: cannot write: %s", strerror(errno)) : 0;
}
